"""respond: docs/respond.md."""
import json
import math
import pathlib
import re

import pytest

MODEL = """
[[mode]]
mass = 1.0
linear_stiffness = 4.41e5
damping = 1.505
joint = { model = "iwan4", slip_force = 2.33, stiffness = 1.37e5, chi = -0.178, beta = 0.0316 }

[[mode]]
mass = 2.0
linear_stiffness = 8.0e5
damping = 4.0
"""


@pytest.fixture
def model(tmp_path):
    (tmp_path / "model.toml").write_text(MODEL)
    return "model.toml"


def test_response_to_a_force(microslip, model):
    run = microslip.json("respond", model, "--force", 0.3, "--frequencies", "100:130:61")
    assert run["force"] == 0.3
    assert run["frequency_hz"][0] == 100 and run["frequency_hz"][-1] == 130
    assert len(run["amplitude"]) == len(run["phase"]) == len(run["third_harmonic"]) == 61
    assert run["branches"] == [] and run["folds"] == []
    resonance = run["resonance"]
    assert set(resonance) >= {"frequency_hz", "amplitude", "damping_ratio"}
    assert 115 < resonance["frequency_hz"] < 121
    assert max(run["amplitude"]) <= resonance["amplitude"] * 1.001
    assert all(-180 <= p <= 0 for p in run["phase"])
    assert all(a > b for a, b in zip(run["phase"], run["phase"][1:])), "the lag grows through a resonance"


def test_the_force_that_holds_an_amplitude_gives_that_amplitude(microslip, model):
    held = microslip.json("respond", model, "--amplitude", 2e-5, "--frequencies", "110:125:4")
    assert held["amplitude"] == 2e-5
    for hz, force, phase in zip(held["frequency_hz"], held["force"], held["phase"]):
        run = microslip.json("respond", model, "--force", repr(force), "--frequencies", f"{hz!r}:{hz + 1!r}:2")
        assert math.isclose(run["amplitude"][0], 2e-5, rel_tol=1e-9)
        assert math.isclose(run["phase"][0], phase, rel_tol=1e-6, abs_tol=1e-6)
    assert held["resonance"]["amplitude"] == 2e-5
    ridge = held["ridge"]
    assert len(ridge["force"]) == len(ridge["frequency_hz"])
    assert ridge["frequency_hz"] == sorted(ridge["frequency_hz"], reverse=True), "joints soften"


def test_the_third_harmonic_of_a_held_amplitude_is_the_largest_over_the_frequencies(microslip, model):
    """Near a third of the resonance it is large, by either way to the same motion; at the resonance it is not."""
    line = ["respond", model, "--amplitude", 2e-5, "--frequencies", "38:40:21"]
    held = microslip.json(*line)
    assert len(held["third_harmonic"]) == 21
    for i in (0, 8, 20):
        hz = held["frequency_hz"][i]
        run = microslip.json("respond", model, "--force", repr(held["force"][i]), "--frequencies", f"{hz!r}:{hz + 1!r}:2")
        assert math.isclose(run["third_harmonic"][0], held["third_harmonic"][i], rel_tol=1e-6)
    most = max(held["third_harmonic"])
    assert most > 0.1 and any("third harmonic" in note for note in held["notes"])
    assert f"{most:.2g} of the first at most" in microslip("respond", *line[1:]).stdout


@pytest.mark.parametrize("coordinate, quantity, amplitude, force", [
    ("modal", "velocity", "sqrt(kg) m", "N/sqrt(kg)"),
    ("acc1", "acceleration", "m", "m/s^2"),
    ("modal (not mass-normalised)", "velocity", "m", "m/s^2"),
    ("gauge", "strain", "1 (strain)", "1/s^2"),
])
def test_a_fit_keeps_the_units_of_its_coordinate(microslip, tmp_path, coordinate, quantity, amplitude, force):
    # Mass is 1 in all of them.
    (tmp_path / "fit.json").write_text(json.dumps({"modes": [{
        "coordinate": coordinate, "quantity": quantity, "mass": 1, "model": "iwan4",
        "parameters": {"slip_force": 2.33, "stiffness": 1.37e5, "chi": -0.178, "beta": 0.0316, "linear_stiffness": 4.41e5,
                       "damping": 1.505}}]}))
    mode = MODEL.split("[[mode]]")[1]
    (tmp_path / "fit.toml").write_text(f'[[mode]]\ncoordinate = "{coordinate}"\nquantity = "{quantity}"{mode}')
    for fit in ["fit.json", "fit.toml"]:
        units = microslip.json("respond", fit, "--force", 0.3)["units"]
        assert (units["amplitude"], units["force"]) == (amplitude, force)
        text = microslip("respond", fit, "--force", 0.3).stdout
        assert f"0.3 {force}\n" in text
        behind_number = amplitude.removeprefix("1 ")
        assert f"{'amplitude':<22} 2e-05 {behind_number}\n" in microslip("respond", fit, "--amplitude", 2e-5).stdout


def test_a_quantity_that_is_none_is_refused(microslip, tmp_path):
    (tmp_path / "m.toml").write_text('[[mode]]\nmass = 1.0\nlinear_stiffness = 1e5\nquantity = "speed"\n')
    assert microslip.refused("respond", "m.toml", "--force", 1).startswith(
        "microslip: m.toml:4: mode[1].quantity: unknown quantity 'speed'")


@pytest.mark.parametrize("keys, said", [
    ('mass = 2.0\ncoordinate = "acc1"', "m.toml:5: mode[1].mass: a mode fitted in a coordinate has mass 1, got 2"),
    ('mass = 1.0\nquantity = "strain"', "m.toml:6: mode[1].quantity means nothing without coordinate"),
])
def test_a_coordinate_that_does_not_fit_the_mode_is_refused(microslip, tmp_path, keys, said):
    (tmp_path / "m.toml").write_text(f"\n\n\n[[mode]]\n{keys}\nlinear_stiffness = 1e5\n")
    assert microslip.refused("respond", "m.toml", "--force", 1) == f"microslip: {said}"


def test_units_of_modes_in_a_file(microslip, model):
    assert microslip.json("respond", model, "--force", 1)["units"]["amplitude"] == "sqrt(kg) m"
    assert microslip.json("respond", model, "--force", 1, "--mode", 2)["units"]["force"] == "N"


def test_a_mode_without_joint_is_linear(microslip, model):
    run = microslip.json("respond", model, "--force", 1, "--mode", 2)
    omega = math.sqrt(4e5)
    assert math.isclose(run["resonance"]["frequency_hz"], omega / 2 / math.pi, rel_tol=1e-12)
    assert math.isclose(run["resonance"]["amplitude"], 1 / (4 * omega), rel_tol=1e-12)


def test_a_fit_is_a_model(microslip, tmp_path):
    parameters = {"slip_force": 2.33, "stiffness": 1.37e5, "chi": -0.178, "beta": 0.0316, "linear_stiffness": 4.41e5, "damping": 1.505}
    (tmp_path / "fit.json").write_text(json.dumps({"modes": [{"parameters": parameters}]}))
    (tmp_path / "model.toml").write_text(MODEL)
    a = microslip.json("respond", "fit.json", "--force", 0.3)
    b = microslip.json("respond", "model.toml", "--force", 0.3)
    assert a["amplitude"] == b["amplitude"]


def test_csv_and_report(microslip, model, tmp_path):
    lines = microslip("respond", model, "--force", 0.3, "--frequencies", "100:130:5", "--csv").stdout.splitlines()
    assert lines[0] == "frequency_hz,amplitude,phase" and len(lines) == 6
    for extra in (["--force", 0.3], ["--amplitude", 1e-5]):
        microslip("respond", model, *extra, "--report", "respond.html")
        assert "Resonance ridge" in (tmp_path / "respond.html").read_text()


def resonance_on_page(microslip, model, force):
    microslip("respond", model, "--force", force, "--report", "page.html")
    page = (microslip.folder / "page.html").read_text()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.S).group(1)
    (verdict,) = [v for v in json.loads(data)["verdicts"] if v["label"] == "Resonance"]
    return verdict["value"], verdict["tone"]


def test_what_nothing_can_hold_is_said(microslip, tmp_path):
    (tmp_path / "slider.toml").write_text(
        '[[mode]]\nmass = 1.0\nlinear_stiffness = 1e5\njoint = { model = "jenkins", slip_force = 1.0, stiffness = 1e5 }\n'
    )
    run = microslip.json("respond", "slider.toml", "--force", 2, "--frequencies", "60:80:5")
    assert run["resonance"] is None and "without bound" in run["notes"][0]
    assert resonance_on_page(microslip, "slider.toml", 2) == ("without bound", "bad")


def test_a_force_that_the_ridge_jumps_over_has_no_resonance(microslip, tmp_path):
    (tmp_path / "drop.toml").write_text(
        "[[mode]]\nmass = 1.0\nlinear_stiffness = 4e5\ndamping = 2.0\n"
        'joint = { model = "iwan5", slip_force = 2.0, stiffness = 1e5, chi = -0.4, beta = 0.3, theta = 0.8 }\n'
    )
    for force in [0.6, 0.7, 0.75, 0.85, 0.95]:
        run = microslip.json("respond", "drop.toml", "--force", force)
        if 0.67 < force < 0.9:
            assert run["resonance"] is None
            assert any("no resonance" in n and "jumps over this force" in n for n in run["notes"]), run["notes"]
            assert resonance_on_page(microslip, "drop.toml", force) == ("none", "warning")
        else:
            assert math.isclose(run["resonance"]["force"], force, rel_tol=1e-9)


def test_the_largest_amplitude_is_among_those_that_have_an_answer(microslip, tmp_path):
    (tmp_path / "drop.toml").write_text(
        "[[mode]]\nmass = 1.0\nlinear_stiffness = 1e5\ndamping = 1.0\n"
        'joint = { model = "iwan5", slip_force = 1.0, stiffness = 1e5, chi = -0.5, beta = 0.1, theta = 0.3 }\n'
    )

    def largest(frequencies):
        call = ["respond", "drop.toml", "--force", 0.8, "--frequencies", frequencies]
        run = microslip.json(*call)
        assert None in run["amplitude"]
        lines = [line for line in microslip(*call).stdout.splitlines() if line.startswith("largest amplitude")]
        return run, lines

    run, lines = largest("40:80:201")  # nothing answers from 57.2 to 59.4 Hz, above the peak
    amplitude, hz = max((a, f) for a, f in zip(run["amplitude"], run["frequency_hz"]) if a is not None)
    assert hz < 57 and lines[0].split(maxsplit=2)[2].startswith(f"{amplitude:.6g} sqrt(kg) m at {hz:.6g} Hz")
    run, lines = largest("57.4:59:3")
    assert run["amplitude"] == [None] * 3 and lines == []


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "either the force"),
        (["--force", 1, "--amplitude", 1], "either the force"),
        (["--force", 0], "force must be > 0"),
        (["--force", "nan"], "force must be > 0"),
        (["--amplitude", -1], "amplitude must be > 0"),
        (["--force", 1, "--mode", 3], "the model has 2"),
        (["--force", 1, "--mode", 0], "the model has 2"),
        (["--force", 1, "--frequencies", "100:90:5"], "LO:HI:COUNT"),
        (["--force", 1, "--frequencies", "100:110"], "LO:HI:COUNT"),
        (["--force", 1, "--frequencies", "100:110:1"], "LO:HI:COUNT"),
        (["--force", 1, "--frequencies", "100:110:1e9"], "LO:HI:COUNT"),
        (["--force", 1, "--frequencies", "a:b:c"], "LO:HI:COUNT"),
    ],
)
def test_wrong_calls(microslip, model, arguments, said):
    assert said in microslip.refused("respond", model, *arguments)


def test_the_line_about_frequencies_is_the_one_in_the_docs(microslip, model):
    line = microslip.refused("respond", model, "--force", 1, "--frequencies", "130:100:5")
    said = "--frequencies '130:100:5': LO:HI:COUNT is expected, with 0 < LO < HI and COUNT from 2 to 100000"
    assert line == f"microslip: {said}"
    assert f"`{said}`" in (pathlib.Path(__file__).resolve().parents[2] / "docs/hardening.md").read_text()


def test_missing_model(microslip):
    assert "absent.toml" in microslip.refused("respond", "absent.toml", "--force", 1)
