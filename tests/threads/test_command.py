"""The workbench as it runs: eight pages at once, cancelled work, Ctrl-C in the middle; and a study on several threads."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
COMMAND = os.environ["MICROSLIP_COMMAND"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LOOP = {"model": "iwan4", "parameters": {"slip_force": 504, "stiffness": 7.1e5, "chi": -0.5, "beta": 1}, "amplitude": 5e-4}


class Workbench:
    def __enter__(self):
        self.process = subprocess.Popen([COMMAND, "serve", "--port", "0", "--no-browser"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rstrip("/")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def ask(self, method, path, body=None):
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1{path}", data=data, method=method,
                                         headers={"Content-Type": "application/json"} if data else {})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def end(self):
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=120)
        return self.process.returncode, said


def test_pages_ask_at_once_and_ctrl_c_ends_it():
    with Workbench() as bench:
        _, alone = bench.ask("POST", "/loop", LOOP)
        wrong = []

        def page(i):
            for _ in range(4):
                status, answer = bench.ask("POST", "/loop", LOOP)
                if status != 200 or answer != alone:
                    wrong.append(answer)
                status, _ = bench.ask("GET", "/models")
                if status != 200:
                    wrong.append(status)
            status, begun = bench.ask("POST", "/beam", {})
            if status == 202:
                bench.ask("DELETE", f"/jobs/{begun['job']}")
                bench.ask("GET", f"/jobs/{begun['job']}")

        pages = [threading.Thread(target=page, args=(i,)) for i in range(8)]
        for one in pages:
            one.start()
        for one in pages:
            one.join()
        assert wrong == []
        status, said = bench.end()
        assert status == 0, said
        assert "Traceback" not in said and "ThreadSanitizer" not in said, said


def study(folder, threads):
    return [COMMAND, "study", str(ROOT / "tests/threads/study.toml"), "--threads", threads, "--json", "--checkpoint", str(folder)]


def test_a_study_on_four_threads_gives_the_bytes_of_one(tmp_path):
    said = [subprocess.run(study(tmp_path / threads, threads), capture_output=True, text=True, timeout=900)
            for threads in ("1", "4")]
    assert [done.returncode for done in said] == [0, 0], said[1].stderr
    assert said[0].stdout == said[1].stdout


def test_ctrl_c_ends_a_study_on_four_threads(tmp_path):
    process = subprocess.Popen(study(tmp_path / "kept", "4"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "kept").glob("*.journal")):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode in (0, 3), said  # 0 where it was about to end
    assert "ThreadSanitizer" not in said, said
