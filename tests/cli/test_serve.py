"""The workbench's server as a socket sees it. What its pages do is in tests/browser."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time

import pytest


class Workbench:
    def __init__(self, *options):
        self.process = subprocess.Popen([os.environ["MICROSLIP_COMMAND"], "serve", "--no-browser", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def request(self, line, body="", **headers):
        head = {"Host": f"127.0.0.1:{self.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        if body:
            head["Content-Length"] = len(body)
        return (f"{line} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()) + "\r\n" + body).encode()

    def exchange(self, request):
        """All that comes back until the server closes the connection. The body leaves after the head, as browsers send it."""
        head, body = request.split(b"\r\n\r\n", 1)
        with self.connect() as connection:
            connection.sendall(head + b"\r\n\r\n")
            answer = b""
            if body:
                time.sleep(0.2)
                with contextlib.suppress(OSError):  # it may have closed already
                    connection.sendall(body)
            with contextlib.suppress(ConnectionResetError):  # closed with something left unread
                while piece := connection.recv(65536):
                    answer += piece
        return answer.decode(errors="replace")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@pytest.fixture
def workbench():
    served = Workbench()
    yield served
    assert served.stop() == 0


def test_what_a_refused_request_leaves_unread_is_not_a_request(workbench):
    # A foreign page can have a browser send this body; it cannot have it send these headers.
    law = json.dumps({"model": "jenkins", "parameters": {"slip_force": 2, "stiffness": 4}, "amplitude": 1.5})
    inner = workbench.request("POST /api/v1/loop", law, Content_Type="application/json")
    assert "dissipation" in workbench.exchange(inner), "alone it is a good request"
    upload = workbench.request("POST /api/v1/files?name=x", "1,2", Content_Type="application/octet-stream")
    for refused in (
        workbench.request("POST /api/v1/loop", inner.decode(), Content_Type="text/plain", Origin="http://evil.example"),
        workbench.request("POST /api/v1/loop", inner.decode(), Content_Type="text/plain"),
        workbench.request("POST /api/v1/loop", inner.decode(), Content_Type="application/json", Origin="null"),
        workbench.request("GET /", inner.decode(), Sec_Fetch_Site="cross-site"),
        workbench.request("GET /nothing", inner.decode()),
        workbench.request("PUT /", inner.decode()),
        workbench.request("POST /api/v1/loop", upload.decode(), Content_Type="text/plain"),
    ):
        answer = workbench.exchange(refused)
        assert answer.count("HTTP/1.1 ") == 1, answer
        assert answer.split()[1] in ("403", "404", "400"), answer
        assert "dissipation" not in answer
    # and no file came in through the back door
    first = workbench.exchange(workbench.request("POST /api/v1/files?name=x", "1,2", Content_Type="application/octet-stream"))
    assert '"file":1' in first.replace(" ", ""), first


def test_clients_that_trickle_do_not_stop_it(workbench):
    tricklers = [workbench.connect() for _ in range(40)]
    done = threading.Event()

    def trickle():  # often enough that no read of theirs ever times out
        while not done.wait(0.5):
            for connection in tricklers:
                with contextlib.suppress(OSError):
                    connection.sendall(b"s")

    trickling = threading.Thread(target=trickle)
    try:
        for connection in tricklers:
            connection.sendall(b"POST /api/v1/loop HTTP/1.1\r\nHo")
        trickling.start()
        # Were they in its way, this would wait for as long as they like.
        answer = workbench.exchange(workbench.request("GET /api/v1"))
        assert answer.startswith("HTTP/1.1 200"), answer
    finally:
        done.set()
        trickling.join()
        for connection in tricklers:
            connection.close()


def test_a_silent_client_is_let_go(workbench):
    with workbench.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost")
        while connection.recv(65536):  # ends when it is let go; else this times out
            pass


def test_it_ends_when_told_to_while_it_starts():
    for _ in range(5):  # the address is told just before it listens
        assert Workbench().stop() == 0


def test_a_port_has_one_server(workbench, microslip):
    said = microslip.refused("serve", "--no-browser", "--port", workbench.port)
    assert f"port {workbench.port}" in said and "taken" in said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "0", "::0", "::ffff:0.0.0.0"])
def test_every_address_at_once_is_refused(microslip, host):
    # Its guard would answer nobody else anyway: it does not know by which name they call this machine.
    said = microslip.refused("serve", "--no-browser", f"--host={host}")
    assert "--host" in said and "every address" in said


def test_it_learns_how_readers_of_files_end(workbench):
    # A reader of HDF5 is a process of its own; where SIGCHLD is ignored, how it ended is lost.
    with open(f"/proc/{workbench.process.pid}/status") as status:
        ignored = next(int(line.split()[1], 16) for line in status if line.startswith("SigIgn"))
    assert not ignored & (1 << (signal.SIGCHLD - 1))
