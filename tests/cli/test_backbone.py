"""backbone: docs/backbone.md."""
import csv
import io
import json
import math
import pathlib
import re
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AMPLITUDES = "1e-7:3e-5:6"

# One mass on a spring beside a Jenkins element in x, with y and n far above.
OSCILLATOR = """
[system]
mass = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
stiffness = [[1e5, 0, 0], [0, 9e5, 0], [0, 0, 0]]

[interface]
map = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
areas = [2.0]
contact = "spring"

[joint]
model = "jenkins"
per_area = true
slip_force = 50
stiffness = 1e5
normal_stiffness = 5e6

[damping]
ratio = 0.001

[[sensor]]
name = "twice_x"
row = [2, 0, 0]
"""


def write(folder, text=OSCILLATOR, name="system.toml", **changes):
    for old, new in changes.items():
        text, n = re.subn(rf"(?m)^{old} = .*$", new, text, count=1)
        assert n == 1, old
    (folder / name).write_text(text)
    return name


def beam(folder, more, kind="whole"):
    text = f'file = "{ROOT}/data/brb/brb-{kind}-joint.h5"\n{more}\n[prestress]\nscale = 12845.0\n'
    (folder / "beam.toml").write_text(text)
    return "beam.toml"


@pytest.mark.parametrize("name", ["K.MTX", "K.txt", "K.dat"])
def test_matrixmarket_is_read_under_any_name(microslip, tmp_path, name):
    (tmp_path / name).write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1e5\n2 2 9e5\n")
    call = ["--amplitudes", "1e-4:1e-2:3"]
    given = microslip.json("backbone", write(tmp_path), *call)
    read = microslip.json("backbone", write(tmp_path, stiffness=f'stiffness = "{name}"'), *call)
    assert read["frequency_hz"] == given["frequency_hz"]


def test_a_normal_force_beside_contact_that_gives_it_is_refused_as_simulate_refuses_it(microslip, tmp_path):
    friction = 'model = "elastic_dry_friction"\nper_area = true\nfriction_coefficient = 0.3\nstiffness = 1e5\n'
    pressed = OSCILLATOR + "\n[prestress]\nforce = [0, 0, 500]\n"
    joint = re.compile(r"(?s)model = .*?stiffness = 1e5\n")

    def backbone(text, **changes):
        return ["backbone", write(tmp_path, joint.sub(lambda _: friction + text, pressed, count=1), **changes),
                "--amplitudes", "1e-4:1e-3:2"]

    penalty = {"contact": 'contact = "penalty"'}
    told = "elastic_dry_friction has its normal force from contact 'penalty': leave out normal_force"
    assert told in microslip.refused(*backbone("normal_force = 100\n", **penalty))
    microslip(*backbone("", **penalty))
    microslip(*backbone("normal_force = 100\n"))
    assert "needs its constant normal_force" in microslip.refused(*backbone(""))


def test_a_preload_without_force_is_an_input_error(microslip, tmp_path):
    def backbone(prestress, contact):
        text = OSCILLATOR + f"\n[prestress]\n{prestress}\n"
        return ["backbone", write(tmp_path, text, contact=f'contact = "{contact}"'), "--amplitudes", "1e-4:1e-3:2",
                "--framework", "reversal"]

    for contact in ("spring", "penalty"):
        line = microslip.refused(*backbone("force = [0, 0, 0]", contact))
        assert "the prestress force is zero everywhere: one that presses is expected" in line
    assert "needs a preload" in microslip.refused(*backbone("force = [0, 0, 500]\nscale = 0", "penalty"))
    microslip(*backbone("force = [0, 0, 500]\nscale = 0", "spring"))


@pytest.mark.parametrize("framework", ["masing", "reversal"])
def test_an_oscillator_has_the_closed_forms(microslip, tmp_path, framework):
    run = microslip.json("backbone", write(tmp_path), "--amplitudes", "1e-4:1e-2:9", "--framework", framework)
    assert run["framework"] == framework and run["mode"] == 1 and run["coordinate"] == "modal"
    assert run["linear_frequency_hz"] == pytest.approx(math.sqrt(3e5) / (2 * math.pi), rel=1e-12)
    k, kt, fs = 1e5, 2 * 1e5, 2 * 50.0  # per area times the area
    ratio = 100 ** (1 / 8)
    for i, q in enumerate(run["amplitude"]):
        assert q == pytest.approx(1e-4 * ratio**i, rel=1e-12)
        slips = q > fs / kt
        stiffness = k + (fs / q if slips else kt)
        lost = 4 * fs * (q - fs / kt) if slips else 0.0
        assert run["frequency_hz"][i] == pytest.approx(math.sqrt(stiffness) / (2 * math.pi), rel=1e-10)
        assert run["dissipation"][i] == pytest.approx(lost, rel=1e-9, abs=1e-15)
        assert run["damping_ratio"][i] == pytest.approx(0.001 + lost / (2 * math.pi * stiffness * q * q), rel=1e-9)
        assert run["residual"][i] < 1e-9 and run["converged"][i] and run["flag"][i] == ""
        assert [abs(s) for s in run["shape"][i]] == pytest.approx([1, 0, 0], abs=1e-9)
        assert run["sensors"]["twice_x"][i] == pytest.approx(2 * q, rel=1e-9)
        assert run["interface"]["dissipation"][i][0] == pytest.approx(lost, rel=1e-9, abs=1e-15)


def test_the_second_mode_moves_along_y(microslip, tmp_path):
    run = microslip.json("backbone", write(tmp_path), "--amplitudes", "1e-4:2e-4:2", "--mode", 2)
    assert run["linear_frequency_hz"] == pytest.approx(math.sqrt(11e5) / (2 * math.pi), rel=1e-12)


def test_modal_dissipation_approaches_the_local_one(microslip, tmp_path):
    call = ["backbone", write(tmp_path), "--amplitudes", "1e-3:1e-2:4", "--framework", "reversal"]
    local = microslip.json(*call)["dissipation"]
    for points, error in [(101, 1e-2), (801, 1e-3)]:  # a corner in the loop: first order in the spacing
        modal = microslip.json(*call, "--dissipation", "modal", "--quadrature-points", points)
        assert modal["dissipation_method"] == "modal" and modal["quadrature_points"] == points
        assert modal["dissipation"] == pytest.approx(local, rel=error)


def test_sensitivities_are_slopes(microslip, tmp_path):
    call = ["--amplitudes", "1e-3:1e-2:3"]
    slope = microslip.json("backbone", write(tmp_path), *call, "--sensitivities")["sensitivities"]["slip_force"]
    step = 1e-4 * 50
    ends = [microslip.json("backbone", write(tmp_path, slip_force=f"slip_force = {50 + s!r}"), *call) for s in (step, -step)]
    for key in ["frequency_hz", "damping_ratio", "dissipation"]:
        central = [(a - b) / (2 * step) for a, b in zip(ends[0][key], ends[1][key])]
        assert slope[key] == pytest.approx(central, rel=1e-6), key  # the error of central differences is 1e-8


def test_csv_and_text_and_report_say_the_same(microslip, tmp_path):
    call = ["backbone", write(tmp_path), "--amplitudes", "1e-4:1e-2:5"]
    table = list(csv.DictReader(io.StringIO(microslip(*call, "--csv").stdout)))
    run = microslip.json(*call)
    assert [float(row["frequency_hz"]) for row in table] == run["frequency_hz"]
    assert [float(row["twice_x"]) for row in table] == run["sensors"]["twice_x"]
    assert f"{run['linear_frequency_hz']:.4f} Hz" in microslip(*call).stdout
    microslip(*call, "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Frequency and damping against amplitude" in page and "Energy lost per cycle" in page


def test_the_beam_softens_and_damps_with_amplitude(microslip, tmp_path):
    run = microslip.json("backbone", ROOT / "examples/brb-whole-joint.toml", "--amplitudes", "1e-7:3e-5:8")
    assert all(run["converged"]) and max(run["residual"]) < 1e-9
    assert all(a > b for a, b in zip(run["frequency_hz"], run["frequency_hz"][1:]))
    assert all(a < b for a, b in zip(run["damping_ratio"], run["damping_ratio"][1:]))
    assert 170 < run["linear_frequency_hz"] < 190 and len(run["shape"][0]) == len(run["coordinates"]) == 43
    pressure = run["interface"]["prestress_force"][2::3]
    assert sum(pressure) == pytest.approx(3 * 12845.0, rel=1e-6)  # what the bolts pull is what the interface carries
    assert set(run["sensors"]) == {"end_z", "end_y"}
    assert sum(run["interface"]["dissipation"][-1]) == pytest.approx(run["dissipation"][-1], rel=1e-9)


def test_the_page_of_the_beam_draws_its_interface(microslip, tmp_path):
    microslip("backbone", ROOT / "examples/brb-whole-joint.toml", "--amplitudes", AMPLITUDES, "--report", "beam.html")
    page = (tmp_path / "beam.html").read_text()
    for title in ["Mode shape", "Pressure under preload", "Where the joint slips", "Where energy is lost", "Loops of"]:
        assert title in page, title


KEYS = ["jenkins_prager_penalty-fj-reversal", "valanis-wj-reversal", "iwan4_kp-wj-masing", "iwan4-wj-masing",
        "bouc_wen-wj-masing", "iwan5-wj-masing", "jenkins-fj-reversal", "bouc_wen_1_kp-wj-reversal",
        "jenkins_prager-fj-reversal", "bouc_wen_2-wj-masing", "bouc_wen_1-wj-reversal", "bouc_wen_1_kp-wj-masing",
        "valanis-wj-masing", "bouc_wen_1-wj-masing", "elastic_dry_friction_kp-fj-reversal",
        "elastic_dry_friction-fj-reversal", "jenkins_prager-wj-masing", "jenkins-wj-reversal", "jenkins-wj-masing",
        "elastic_dry_friction-wj-masing", "elastic_dry_friction-wj-reversal", "prager-wj-masing",
        "iwan4-wj-masing-no-viscous", "bouc_wen_1_kp-wj-reversal-no-viscous", "bouc_wen_1-wj-reversal-no-viscous",
        "valanis-wj-reversal-no-viscous"]


def test_these_are_all_combinations(microslip, tmp_path):
    line = microslip.refused("backbone", beam(tmp_path, ""), "--amplitudes", AMPLITUDES, "--combination", "?")
    assert line[line.index("(known: ") + len("(known: "):line.rindex(")")].split(", ") == KEYS


@pytest.mark.parametrize("key", [key for key in KEYS if "-fj-" in key])
def test_a_full_joint_combination_needs_a_full_joint_model(microslip, tmp_path, key):
    line = microslip.refused("backbone", beam(tmp_path, ""), "--amplitudes", AMPLITUDES, "--combination", key)
    assert "is for a full_joint model, this one is whole_joint" in line


@pytest.mark.parametrize("key", [key for key in KEYS if "-wj-" in key])
def test_every_whole_joint_combination_runs(microslip, tmp_path, key):
    name = beam(tmp_path, "", "whole")
    run = microslip.json("backbone", name, "--amplitudes", "1e-6:3e-6:2", "--combination", key)
    assert all(run["converged"]), run["flag"]
    assert run["framework"] == ("masing" if "masing" in key else "reversal")
    assert max(run["residual"]) < 1e-9 and min(run["damping_ratio"]) >= -1e-12
    assert ("no ζ0" in run["combination"]) == key.endswith("no-viscous")


def test_a_combination_in_the_file_and_its_parameters(microslip, tmp_path):
    name = beam(tmp_path, 'combination = "4-Parameter Iwan (WJ, Masing)"\n[joint]\nslip_force = 1.5e5')
    run = microslip.json("backbone", name, "--amplitudes", AMPLITUDES)
    assert run["joint"]["parameters"]["slip_force"] == 1.5e5
    assert run["joint"]["parameters"]["stiffness"] == pytest.approx(10 ** ((11.72 + 13.10) / 2))


def test_what_a_combination_overrules_is_noted(microslip, tmp_path):
    text = OSCILLATOR.replace("per_area = true", 'per_area = true\ntangential = "{}"').replace(
        "[damping]", '[prestress]\nforce = [0, 0, 1]\nlaw = "{}"\n\n[damping]').replace('contact = "spring"', 'contact = "{}"')
    call = ["backbone", "system.toml", "--amplitudes", "1e-4:1e-3:2", "--combination", "jenkins-wj-masing", "--json"]
    write(tmp_path, text.format("penalty", "coupled", "conservative"))
    overruled = [note for note in json.loads(microslip(*call).stdout)["notes"] if "is left out" in note]
    write(tmp_path, text.format("spring", "separate", "full"))
    agreed = [note for note in json.loads(microslip(*call).stdout)["notes"] if "is left out" in note]
    assert [note.split(" ")[0] for note in overruled] == ["joint.tangential", "interface.contact", "prestress.law"]
    assert agreed == []


@pytest.mark.parametrize("arguments, said", [
    (["--loops", "5"], "loops (--loops) go with framework reversal, not with masing"),
    (["--loops", "5", "--framework", "masing"], "loops (--loops) go with framework reversal, not with masing"),
    (["--quadrature-points", "21"], "quadrature points (--quadrature-points) go with modal dissipation, not with local"),
    (["--quadrature-points", "21", "--dissipation", "local"], "quadrature points (--quadrature-points) go with modal dissipation, not with local"),
])
def test_what_would_not_be_used_is_refused(microslip, tmp_path, arguments, said):
    assert said in microslip.refused("backbone", write(tmp_path), "--amplitudes", AMPLITUDES, *arguments)
    microslip("backbone", write(tmp_path), "--amplitudes", AMPLITUDES, "--loops", "5", "--framework", "reversal",
              "--quadrature-points", "21", "--dissipation", "modal")


@pytest.mark.parametrize("changes, arguments, said", [
    ({}, ["--amplitudes", "1e-4:1e-2"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "1e-2:1e-4:5"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "0:1e-4:5"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "1e-4:inf:5"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "1e-4:nan:5"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "1e-4:1e-2:2.5"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", "1e-4:1e-2:1e9"], "LO:HI:COUNT"),
    ({}, ["--amplitudes", ""], "LO:HI:COUNT"),
    ({}, [], "--amplitudes"),
    ({}, ["--amplitudes", AMPLITUDES, "--mode", "0"], "mode"),
    ({}, ["--amplitudes", AMPLITUDES, "--mode", "4"], "mode"),
    ({}, ["--amplitudes", AMPLITUDES, "--mode", "first"], "mode"),
    ({}, ["--amplitudes", AMPLITUDES, "--framework", "massing"], "did you mean 'masing'"),
    ({}, ["--amplitudes", AMPLITUDES, "--dissipation", "global"], "local"),
    ({}, ["--amplitudes", AMPLITUDES, "--quadrature-points", "1"], "quadrature points"),
    ({}, ["--amplitudes", AMPLITUDES, "--loops", "0"], "loops"),
    ({}, ["--amplitudes", AMPLITUDES, "--combination", "iwan4-wj-massing"], "iwan4-wj-masing"),
    ({"model": 'model = "jenkin"'}, ["--amplitudes", AMPLITUDES], "did you mean 'jenkins'"),
    ({"slip_force": "slip_force = -1"}, ["--amplitudes", AMPLITUDES], "slip_force"),
    ({"slip_force": "slip_farce = 50"}, ["--amplitudes", AMPLITUDES], "did you mean 'slip_force'"),
    ({"slip_force": 'slip_force = "50"'}, ["--amplitudes", AMPLITUDES], "slip_force"),
    ({"normal_stiffness": ""}, ["--amplitudes", AMPLITUDES], "normal_stiffness is missing"),
    ({"normal_stiffness": "normal_stiffness = 0"}, ["--amplitudes", AMPLITUDES], "normal_stiffness"),
    ({"per_area": "per_area = 1"}, ["--amplitudes", AMPLITUDES], "per_area"),
    ({"contact": 'contact = "glue"'}, ["--amplitudes", AMPLITUDES], "glue"),
    ({"areas": "areas = [2.0, 1.0]"}, ["--amplitudes", AMPLITUDES], "2 areas"),
    ({"areas": "areas = [-2.0]"}, ["--amplitudes", AMPLITUDES], "-2"),
    ({"map": "map = [[1, 0, 0], [1, 0, 0], [0, 0, 1]]"}, ["--amplitudes", AMPLITUDES], "rank"),
    ({"map": "map = [[1, 0], [0, 1], [0, 0]]"}, ["--amplitudes", AMPLITUDES], "map"),
    ({"mass": "mass = [[1, 0, 0], [0, 0, 0], [0, 0, 1]]"}, ["--amplitudes", AMPLITUDES], "positive definite"),
    ({"stiffness": "stiffness = [[1e5, 3, 0], [0, 9e5, 0], [0, 0, 0]]"}, ["--amplitudes", AMPLITUDES], "symmetric"),
    ({"stiffness": "stiffness = [[1e5, 0], [0, 9e5]]"}, ["--amplitudes", AMPLITUDES], "2 x 2"),
    ({"stiffness": 'stiffness = "gone.mtx"'}, ["--amplitudes", AMPLITUDES], "gone.mtx"),
    ({"ratio": "ratio = -0.1"}, ["--amplitudes", AMPLITUDES], "ratio"),
    ({"row": "row = [2, 0]"}, ["--amplitudes", AMPLITUDES], "2 values"),
])
def test_wrong_input_is_refused_in_one_line(microslip, tmp_path, changes, arguments, said):
    message = microslip.refused("backbone", write(tmp_path, **changes), *arguments)
    assert said in message


def test_a_matrix_of_damping_is_not_passed_over(microslip, tmp_path):
    name = write(tmp_path, mass="mass = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\ndamping = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]")
    line = microslip.refused("backbone", name, "--amplitudes", AMPLITUDES)
    assert "system.toml:" in line and "damping" in line and "ratio" in line


def test_numbers_of_an_amplitude_that_failed_are_not_known(microslip, tmp_path):
    text = """
[system]
mass = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
stiffness = [[1e5, 0, 0], [0, 1e9, 0], [0, 0, 1e9]]
[prestress]
force = [1, 0, 1]
scale = 150
[interface]
map = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
areas = [1]
[joint]
model = "bouc_wen_1"
stiffness = 2e5
alpha = 2000
beta = 100
normal_stiffness = 1e6
"""
    call = ["backbone", write(tmp_path, text), "--amplitudes", "1e-5:3e-3:6", "--framework", "reversal"]
    run = microslip.json(*call)
    assert run["converged"][0] is False and run["converged"][-1] is True
    assert run["flag"][0].startswith("the loop has no two ends") and run["flag"][-1] == ""
    for key in ["frequency_hz", "damping_ratio", "dissipation", "assurance"]:
        assert run[key][0] is None and run[key][-1] > 0, key
    first = microslip(*call).stdout.splitlines()[4]
    assert first.split()[1:4] == ["nan"] * 3 and "no two ends" in first
    microslip(*call, "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "no two ends" in page and "NaN" not in re.sub(r"<script.*?</script>", "", page, flags=re.S)


def test_amplitudes_beyond_the_models_range_are_said(microslip, tmp_path):
    assert "range is left" not in microslip("backbone", write(tmp_path), "--amplitudes", AMPLITUDES).stderr
    said = microslip("backbone", write(tmp_path), "--amplitudes", "1e-4:1e3:3").stderr
    assert "from amplitude 0.316 on the model's range is left" in said  # the interface is sqrt(2) m wide
    assert "1 of 2 amplitudes did not converge" in microslip("backbone", write(tmp_path), "--amplitudes", "1e-4:1e300:2").stderr


def test_ctrl_c_keeps_the_amplitudes_that_are_done(microslip, tmp_path):
    name = beam(tmp_path, "", "whole")
    call = [microslip.binary, "backbone", name, "--amplitudes", "1e-7:1e-5:10000", "--combination", "valanis-wj-reversal", "--sensitivities", "--json"]
    process = subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "% backbone" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    data, words = process.communicate(timeout=60)
    assert process.returncode == 3, words
    run = json.loads(data)
    assert 0 < len(run["amplitude"]) < 10000
    assert f"stopped: {len(run['amplitude'])} of 10000 amplitudes are done" in words


@pytest.mark.parametrize("text, said", [
    ("", "system"),
    ("[sistem]\n", "did you mean 'system'"),
    ('file = "gone.h5"\n', "gone.h5"),
    ('file = "system.toml"\n', "system.toml"),
    ('file = "x.h5"\n[system]\nmass = [[1]]\n', "one too many"),
])
def test_files_that_hold_no_structure(microslip, tmp_path, text, said):
    assert said in microslip.refused("backbone", write(tmp_path, text), "--amplitudes", AMPLITUDES)


@pytest.mark.parametrize("more, said", [
    ("", "joint"),
    ('combination = "4-Parameter Iwan (WJ, Masing)"\n[joint]\nmodel = "jenkins"', "iwan4"),
    ('combination = "4-Parameter Iwan (WJ, Masing)"\n[joint]\nper_area = false', "per area"),
    ('combination = "4-Parameter Iwan (WJ, Masing)"\n[joint]\ntheta = 0.5', "theta"),
    ('combination = "Jenkins (FJ, non-Masing)"', "full_joint"),
    ('combination = "Nobody"', "Nobody"),
    ('[interface]\nareas = [1]\n[joint]\nmodel = "jenkins"', "areas"),
])
def test_reduced_models_with_the_wrong_joint(microslip, tmp_path, more, said):
    assert said in microslip.refused("backbone", beam(tmp_path, more), "--amplitudes", AMPLITUDES)
