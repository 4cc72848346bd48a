"""What every verb says to a file that is not what it should be, and to an output that cannot be written.

The table in docs/hardening.md shows some of these lines.
"""
import json
import os
import random
import socket
import stat
import subprocess
import threading

import pytest

LOOP = ("loop", "jenkins", "slip_force=1", "stiffness=1", "--amplitude", "2")
SYSTEM = """
[[mode]]
mass = 1.0
linear_stiffness = 1.4e5
damping = 0.1249
joint = { model = "iwan4", slip_force = 4.0e4, stiffness = 2.5e5, chi = -0.5, beta = 1.0 }
[load]
kind = "half_sine"
amplitude = 1.0e4
duration = 0.02
[time]
end = 1.0
"""
VERBS = {  # how each is called with a file, and what the file is
    "backbone": (("backbone", "FILE", "--mode", "1", "--amplitudes", "1e-7:1e-5:3"), "toml"),
    "beam": (("beam", "FILE"), "toml"),
    "fit dissipation": (("fit", "dissipation", "FILE", "--slip-force", "504"), "csv"),
    "fit modal": (("fit", "modal", "FILE"), "json"),
    "info": (("info", "FILE"), "csv"),
    "loop": (("loop", "jenkins", "slip_force=1", "stiffness=1", "--history", "FILE"), "csv"),
    "predict": (("predict", "FILE", "FILE"), "toml"),
    "reduce": (("reduce", "FILE", "-o", "out.h5"), "toml"),
    "respond": (("respond", "FILE", "--force", "1", "--frequencies", "1:2:3"), "toml"),
    "ringdown": (("ringdown", "FILE", "--mode", "100"), "csv"),
    "simulate": (("simulate", "FILE"), "toml"),
    "study": (("study", "FILE"), "toml"),
    "zefft": (("zefft", "FILE", "--times", "0.1"), "csv"),
}


def noise():
    return bytes(random.Random(1).randrange(256) for _ in range(4096))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind, words", [("missing", "cannot be opened: No such file"), ("empty", ""), ("folder", "is a folder"),
                                         ("binary", ""), ("latin", ""), ("closed", "cannot be opened: Permission denied")])
def test_a_file_that_is_none_costs_one_line_that_names_it(microslip, tmp_path, verb, kind, words):
    call, extension = VERBS[verb]
    file = tmp_path / f"{kind}.{extension}"
    if kind == "folder":
        file.mkdir()
    elif kind == "latin":
        file.write_bytes({"csv": b"gr\xf6\xdfe\n1\n2\n", "toml": b"gr\xf6\xdfe = 1\n", "json": b'{"gr\xf6\xdfe": 1}'}[extension])
        if verb in ("info", "loop"):
            pytest.skip("a column by whatever name is read")
    elif kind != "missing":
        file.write_bytes(noise() if kind == "binary" else b"")
    if kind == "closed":
        if os.geteuid() == 0:
            pytest.skip("root reads everything")
        file.chmod(0)
    before = set(os.listdir(tmp_path))
    line = microslip.refused(*[file.name if word == "FILE" else word for word in call])
    assert line.startswith(f"microslip: {file.name}") and words in line
    assert set(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("extension", ["csv", "toml", "json", "mat", "uff", "h5", "lvm", "wav", "mtx", "op4", "pch", "inp", "msh"])
def test_noise_is_refused_by_every_reader(microslip, tmp_path, extension):
    (tmp_path / f"noise.{extension}").write_bytes(noise())
    assert microslip.refused("info", f"noise.{extension}").startswith(f"microslip: noise.{extension}")
    (tmp_path / f"empty.{extension}").write_bytes(b"")
    assert microslip.refused("info", f"empty.{extension}") == f"microslip: empty.{extension}: is empty"


@pytest.mark.parametrize("change, said", [
    (("end = 1.0", "end = -1.0"), "system.toml: time.end must be > 0, got -1"),
    (("end = 1.0", "end = 1e9"), "system.toml: time: 1.8e+13 steps are too many, at most 1e10"),
    (('"half_sine"', '"half-sine"'), "system.toml:8: load.kind: unknown kind of load 'half-sine' (did you mean 'half_sine'?)"),
    (("mass = 1.0", "masss = 1.0"), "system.toml:3: mode[1].masss: unknown key (did you mean 'mass'?)"),
    (("mass = 1.0", "mass = nan"), "system.toml:3: mode[1].mass must be > 0, got nan"),
    (("mass = 1.0", "mass = 1e400"), "system.toml:3"),
])
def test_a_complaint_has_one_place_in_its_file(microslip, tmp_path, change, said):
    (tmp_path / "system.toml").write_text(SYSTEM.replace(*change))
    assert microslip.refused("simulate", "system.toml").startswith(f"microslip: {said}")


@pytest.mark.parametrize("call, said", [
    (("lop",), "unknown verb 'lop' (did you mean 'loop'?)"),
    (("--bogus",), "unknown verb '--bogus'"),
    ((), "A subcommand is required"),
    (("fit", "dissipation", "x.csv", "--slip-force", "abc"), "--slip-force: 'abc', a number is expected"),
    (("loop", "jenkins", "slip_force=1", "stiffness=1", "--ampliude", "2"), "not expected: --ampliude"),
])
def test_a_wrong_call_is_told_in_words_of_its_own(microslip, call, said):
    assert said in microslip.refused(*call)


@pytest.mark.parametrize("call, helper", [
    ((), "microslip --help"),
    (("lop",), "microslip --help"),
    (("loop", "jenkins", "slip_force=1", "stiffness=1", "--ampliude", "2"), "microslip loop --help"),
    (("loop",), "microslip loop --help"),  # an argument is missing
    (("info", "x.csv", "--mode", "3"), "microslip info --help"),  # an option of other verbs
    (("serve", "--port", "abc"), "microslip serve --help"),
    (("fit",), "microslip fit --help"),
    (("fit", "modl", "x.json"), "microslip fit --help"),
    (("fit", "modal"), "microslip fit modal --help"),
    (("fit", "modal", "x.json", "--seeed", "3"), "microslip fit modal --help"),
    (("fit", "dissipation", "x.csv", "--slip-force", "abc"), "microslip fit dissipation --help"),
])
def test_a_wrong_call_points_to_the_help_of_its_verb(microslip, call, helper):
    assert microslip.refused(*call).endswith(f" ({helper} tells how to call it)")
    assert "Usage: " + helper.replace(" --help", "") in microslip(*helper.split()[1:]).stdout  # and there it is


def test_the_second_word_of_a_verb_is_suggested(microslip):
    assert "unknown verb 'fit modl' (did you mean 'modal'?)" in microslip.refused("fit", "modl", "x.json")


def test_a_short_first_row_is_named(microslip, tmp_path):
    (tmp_path / "short.csv").write_text("force,dissipation\n1\n2,3\n")
    line = microslip.refused("fit", "dissipation", "short.csv", "--slip-force", "10")
    assert line == "microslip: short.csv:2: 1 column of numbers, the columns force and dissipation are expected"


def test_a_failed_computation_prints_no_json(microslip, tmp_path):
    (tmp_path / "system.toml").write_text(SYSTEM.replace("stiffness = 2.5e5", "stiffness = 1e308"))
    done = microslip("simulate", "system.toml", "--json", "-o", "result.json", status=3)
    assert "does not converge" in done.stderr and done.stderr.count("\n") == 1
    assert microslip("simulate", "system.toml", "--json", status=3).stdout == ""
    assert not (tmp_path / "result.json").exists()


def shell(microslip, line, folder):
    return subprocess.run(["bash", "-c", line.replace("microslip", microslip.binary)], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("form", ["", "--json", "--csv"])
def test_a_full_disk_is_told(microslip, tmp_path, form):
    done = shell(microslip, f"microslip {' '.join(LOOP)} {form} > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "microslip: standard output: cannot be written: No space left on device\n"


def test_an_output_that_may_not_grow_leaves_nothing_behind(microslip, tmp_path):
    done = shell(microslip, f"ulimit -f 1; microslip {' '.join(LOOP)} --csv --points 2000 -o big.csv", tmp_path)
    assert done.returncode == 2 and done.stderr == "microslip: big.csv: cannot be written: File too large\n"
    assert os.listdir(tmp_path) == []


def test_a_closed_pipe_ends_it_quietly(microslip, tmp_path):
    done = shell(microslip, f"microslip {' '.join(LOOP)} --csv --points 2000 | head -1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert done.returncode in (0, 141) and done.stderr == ""  # 141: the pipe was closed before all was written


@pytest.mark.parametrize("option", ["-o", "--report"])
def test_an_output_that_cannot_be_is_refused_before_any_work(microslip, tmp_path, option):
    # The input is not there either: the output is looked at first.
    line = microslip.refused("study", "none.toml", option, "missing/result")
    assert line == "microslip: missing/result: cannot be written: No such file or directory"
    (tmp_path / "folder").mkdir()
    assert microslip.refused("study", "none.toml", option, "folder") == "microslip: folder: is a folder, a file name is expected"


def test_a_reduced_model_that_cannot_be_written_is_refused_before_any_work(microslip):
    line = microslip.refused("reduce", "none.toml", "-o", "missing/rom.h5")
    assert line == "microslip: missing/rom.h5: cannot be written: No such file or directory"


def test_figures_that_cannot_be_written_are_refused_before_any_work(microslip, tmp_path):
    (tmp_path / "afile").write_text("")
    for folder in ["afile", "afile/below"]:
        assert microslip.refused("study", "none.toml", "--svg", folder) == "microslip: afile: is a file, a folder is expected"
    microslip.refused("study", "none.toml", "--svg", "new/folder")
    assert os.listdir(tmp_path) == ["afile"]  # nothing is made for a call that fails
    (tmp_path / "astray").symlink_to("nowhere")
    assert microslip.refused("study", "none.toml", "--svg", "astray") == (
        "microslip: astray: is a link that leads nowhere, a folder is expected")
    microslip(*LOOP, "--svg", "new/folder")
    assert (tmp_path / "new" / "folder" / "loop.svg").exists()


def test_data_do_not_wait_for_figures(microslip, tmp_path):
    (tmp_path / "out" / "loop.svg").mkdir(parents=True)
    microslip.refused(*LOOP, "--json", "-o", "kept.json", "--svg", "out")
    assert json.loads((tmp_path / "kept.json").read_text())["verb"] == "loop"
    failed = subprocess.run([microslip.binary, *LOOP, "--json", "--svg", "out"], cwd=tmp_path, capture_output=True, text=True)
    assert failed.returncode == 2 and json.loads(failed.stdout)["verb"] == "loop"


def test_figures_do_not_wait_for_whoever_reads_the_data(microslip, tmp_path):
    with open("/dev/full", "w") as full:
        line = [microslip.binary, *LOOP, "--report", "page.html", "--svg", "figures"]
        assert subprocess.run(line, cwd=tmp_path, stdout=full, stderr=subprocess.DEVNULL).returncode == 2
    assert (tmp_path / "page.html").exists() and (tmp_path / "figures" / "loop.svg").exists()


@pytest.mark.parametrize("name", ["x.h5", "x.H5", "x.hdf5"])
def test_a_result_without_an_archive_is_not_written_as_hdf5(microslip, tmp_path, name):
    line = microslip.refused("study", "none.toml", "-o", name)
    assert line == f"microslip: -o {name}: this result is not written as HDF5; end the name in .json or .csv"


def test_the_name_of_a_file_chooses_its_form_in_capitals_too(microslip, tmp_path):
    microslip(*LOOP, "-o", "X.JSON")
    microslip(*LOOP, "-o", "X.CSV")
    assert json.loads((tmp_path / "X.JSON").read_text())["verb"] == "loop"
    assert (tmp_path / "X.CSV").read_text().startswith("displacement,force")


def test_a_pipe_stays_a_pipe_and_a_link_a_link(microslip, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    microslip(*LOOP, "--json", "-o", "pipe")
    reader.join(timeout=30)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and got[0].startswith("{")
    (tmp_path / "link.json").symlink_to("target.json")
    microslip(*LOOP, "--json", "-o", "link.json")
    assert (tmp_path / "link.json").is_symlink() and (tmp_path / "target.json").read_text().startswith("{")
    microslip(*LOOP, "--json", "-o", "link.json")  # and once it is there
    assert (tmp_path / "link.json").is_symlink()


def test_a_port_that_is_taken_is_told(microslip):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = microslip.refused("serve", "--no-browser", "--port", port)
    assert line == f"microslip: serve: cannot listen on 127.0.0.1 port {port}: the port is taken or the address is not this machine's"
    assert "port must lie in [0, 65535]" in microslip.refused("serve", "--port", "99999")


def test_data_and_report_do_not_take_each_others_place(microslip, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.html").symlink_to("loop.html")
    (tmp_path / "loop.html").write_text("before")
    others = ["loop.html", "./loop.html", "sub/../loop.html", tmp_path / "loop.html", "link.html"]
    for other in others:
        assert microslip.refused(*LOOP, "-o", "loop.html", "--report", other) == f"microslip: -o and --report both name {other}"
    assert (tmp_path / "loop.html").read_text() == "before"
    (tmp_path / "loop.html").unlink()  # what is not there yet is the same file, too
    for other in others:
        assert microslip.refused(*LOOP, "-o", "loop.html", "--report", other) == f"microslip: -o and --report both name {other}"
    microslip(*LOOP, "-o", "loop.json", "--report", "loop.html")
    microslip(*LOOP, "-o", "/dev/null", "--report", "/dev/null")
