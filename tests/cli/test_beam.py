"""beam: docs/beam.md."""
import json
import math
import os
import pathlib

import pytest

ASADI = (pathlib.Path(__file__).parents[2] / "examples" / "asadi.toml").read_text()


@pytest.fixture
def rig(tmp_path):
    def write(*changes):
        text = ASADI
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        (tmp_path / "beam.toml").write_text(text)
        return "beam.toml"

    return write


def test_the_papers_rig(microslip, rig):
    beam = microslip.json("beam", rig())
    assert {"natural_frequencies_hz", "pressure", "slip", "loop", "dissipation"} <= beam.keys()
    assert math.isclose(beam["natural_frequencies_hz"][0], 35.3, rel_tol=3e-3)
    assert math.isclose(beam["natural_frequencies_hz"][1], 220.8, rel_tol=3e-3)
    slip = beam["slip"]
    assert len(slip["force"]) == len(slip["length"]) == 40
    onset = slip["onset"]["force"]
    for force, length in zip(slip["force"], slip["length"]):
        assert (length > 0) == (force > onset)
    assert slip["length"] == sorted(slip["length"])
    # Exact with Masing's rule against finite elements, marched.
    assert math.isclose(beam["loop"]["marched"]["dissipation"], beam["dissipation"], rel_tol=0.02)
    assert beam["loop"]["dynamic_pressure"]["dissipation"] != beam["dissipation"]
    assert [loop["frequency_hz"] for loop in beam["loops"]] == [25, 31, 38, 45]
    found = beam["identified"]["normal_stiffness"]
    assert found["lower"] < found["value"] < found["upper"] and found["identifiable"]
    area = sum((f0 + f1) / 2 * (u1 - u0) for f0, f1, u0, u1 in zip(
        beam["loop"]["force"], beam["loop"]["force"][1:], beam["loop"]["displacement"], beam["loop"]["displacement"][1:]))
    assert math.isclose(abs(area), beam["dissipation"], rel_tol=5e-3)


def test_csv_and_text(microslip, rig):
    file = rig()
    lines = microslip("beam", file, "--csv").stdout.splitlines()
    assert lines[0] == "force,displacement,slip_length,stick_length,dissipation" and len(lines) == 41
    assert "natural frequencies" in microslip("beam", file).stdout


def test_report_is_one_page(microslip, rig, tmp_path):
    microslip("beam", rig(), "--report", "beam.html")
    page = (tmp_path / "beam.html").read_text()
    assert len(page) < 3_000_000
    for figure in ["pressure", "slip-fronts", "loops", "dissipation", "interface"]:
        assert f'"{figure}"' in page
    assert sorted(os.listdir(tmp_path)) == ["beam.html", "beam.toml"]


def test_a_loop_that_is_left_out_says_why(microslip, rig):
    done = microslip("beam", rig(("loop_frequencies_hz = [25.0, 31.0, 38.0, 45.0]", "loop_frequencies_hz = [31e12]")), "--json")
    assert "no loop at 31000000000000 Hz" in done.stderr and "bends the beam" in done.stderr
    assert "macro-slip" not in done.stderr and json.loads(done.stdout)["loops"] == []


def test_where_the_dynamic_pressure_finds_no_loop_the_rest_stands(microslip, rig):
    file = rig(("preload = 1.0e4", "preload = 1.0"), ("{ from = 1.0, to = 100.0, count = 40 }", "1e5"))
    done = microslip("beam", file, "--json", "--report", "beam.html")
    assert "no loop with dynamic pressure: the interface found no state" in done.stderr
    beam = json.loads(done.stdout)
    assert "dynamic_pressure" not in beam["loop"] and beam["loop"]["marched"]["dissipation"] > 0
    assert "with dynamic pressure" not in microslip("beam", file).stdout.split("dissipation")[1]


def test_a_force_past_macro_slip_is_reported_with_numbers(microslip, rig):
    along = [("frequency_hz = 31.0", "frequency_hz = 0.0\nangle_deg = 90.0"),
             ("loop_frequencies_hz = [25.0, 31.0, 38.0, 45.0]", "")]
    file = rig(*along, ("from = 1.0, to = 100.0", "from = 1000.0, to = 4000.0"))
    done = microslip("beam", file, "--json")
    beam = json.loads(done.stdout)
    assert math.isclose(beam["slip"]["macro_slip_force"], 2000, rel_tol=1e-5)  # mu times preload
    assert max(beam["slip"]["force"]) < 2000 and "macro-slip at 2000" in done.stderr
    file = rig(*along, ("from = 1.0, to = 100.0", "from = 3000.0, to = 4000.0"))
    assert "past macro-slip, which comes at 2000" in microslip.refused("beam", file)


@pytest.mark.parametrize("old, new, words", [
    ("length = 0.05 ", "length = 0.5 ", ["beam.toml:10", "support.length", "longer than the beam"]),
    ("position = 0.13", "position = 0.31", ["load.position", "[0, 0.3]", "0.31"]),
    ("friction_coefficient = 0.2", "friction_coefficient = -0.2", ["support.friction_coefficient", "-0.2"]),
    ("friction_coefficient = 0.2", "friction = 0.2", ["friction_coefficient"]),
    ("mass = 0.052", "mass = \"heavy\"", ["bolt.mass"]),
    ("preload = 1.0e4", "preload = nan", ["bolt.preload"]),
    ("youngs_modulus = 2.0e11", "", ["beam.youngs_modulus"]),
    ("count = 40", "count = 0", ["count", "[2, 10000]"]),
    ("from = 1.0, to = 100.0", "from = 10.0, to = 1.0", ["load.force.to"]),
    ("[load]", "[lode]", ["load"]),
    ("[beam]", "[beam", ["beam.toml:2"]),
    ("uncertainty = 1.0e-3", "uncertainty = -1", ["beam.toml:32", "measured.frequency_uncertainty must be >= 0, got -1"]),
    ("uncertainty = 1.0e-3", "uncertainty = 1e-3\nslope_uncertainty = nan", ["beam.toml:33", "measured.slope_uncertainty"]),
    ("uncertainty = 1.0e-3", "uncertainty = 1e-3\nelastic_slope = inf", ["beam.toml:33", "measured.elastic_slope"]),
    ("35.40, 220.80", "35.40, 0.0", ["beam.toml:31", "measured.frequencies_hz", "> 0"]),
    ("[35.40, 220.80]\nfrequency_uncertainty = 1.0e-3", "[35.40]\nfrequency_uncertainty = 0",
     ["beam.toml:32", "measured.frequency_uncertainty", "1 measured frequency"]),
])
def test_wrong_files_are_refused_in_one_line(microslip, rig, old, new, words):
    line = microslip.refused("beam", rig((old, new)))
    for word in words:
        assert word in line, line


OMEGA, AMPLITUDE, LAG = 2 * math.pi * 31, 7e-3, 0.01  # of the record below: 100 N, and the displacement behind it


def record(force="force", acceleration="acceleration", unit=1.0):
    """A loop's force and acceleration, in `unit` m/s^2, with a third harmonic that does no work."""
    rows = [f"time,{force},{acceleration}"]
    for i in range(4000):
        t = i / 5120
        third = 1e-5 * 9 * OMEGA**2 * math.sin(3 * OMEGA * t)
        u_ddot = -AMPLITUDE * OMEGA**2 * math.sin(OMEGA * t - LAG) - third
        rows.append(f"{t!r},{100 * math.sin(OMEGA * t)!r},{u_ddot / unit!r}")
    return "\n".join(rows) + "\n"


MEASURED = ("[measured] ", "[measured]\nrecord = \"run.csv\"\n# ")


@pytest.mark.parametrize("head, unit", [("acceleration", 1.0), ("acceleration [g]", 9.80665)])
def test_a_measured_record_becomes_a_loop(microslip, rig, tmp_path, head, unit):
    (tmp_path / "run.csv").write_text(record(acceleration=head, unit=unit))
    loop = microslip.json("beam", rig(MEASURED))["measured_loop"]
    assert math.isclose(loop["dissipation"], math.pi * 100 * AMPLITUDE * math.sin(LAG), rel_tol=1e-9)
    assert math.isclose(max(loop["displacement"]), AMPLITUDE, rel_tol=3e-3)


def test_what_a_record_leaves_unclear_is_said(microslip, rig, tmp_path):
    (tmp_path / "run.csv").write_text(record(acceleration="acceleration [furlong]"))
    done = microslip("beam", rig(MEASURED), "--json")
    assert "run.csv: channel 'acceleration': unit 'furlong' is not known" in done.stderr
    (tmp_path / "run.csv").write_text(record(force="push"))
    past = ("from = 1.0, to = 100.0", "from = 1e6, to = 2e6")  # computing would refuse this, but has not begun
    line = microslip.refused("beam", rig(MEASURED, past))
    assert "run.csv: no channel named 'force'" in line
    (tmp_path / "run.csv").write_text(record())
    line = microslip.refused("beam", rig(MEASURED, past, ("[measured]\n", "[measured]\nharmonics = 99\n")))
    assert "run.csv: harmonic 99 of 31 Hz" in line
    static = ("frequency_hz = 31.0", "frequency_hz = 0.0")
    assert "beam.toml:26: load.frequency_hz must be > 0" in microslip.refused("beam", rig(MEASURED, static))


def sep005(force_start, acceleration_start):
    """The record above as two signals, cut to begin where the caller says."""
    def signal(name, samples, first):
        return {"name": name, "unit_str": {"force": "N", "acceleration": "m/s^2"}[name], "fs": 5120,
                "time": [i / 5120 for i in range(first, first + 3900)],
                "data": samples[first:first + 3900]}

    rows = [[float(cell) for cell in line.split(",")] for line in record().splitlines()[1:]]
    return json.dumps([signal("force", [row[1] for row in rows], force_start),
                       signal("acceleration", [row[2] for row in rows], acceleration_start)])


def test_force_and_acceleration_begin_together(microslip, rig, tmp_path):
    signals = ("run.csv", "run.json")
    (tmp_path / "run.json").write_text(sep005(51, 51))
    loop = microslip.json("beam", rig(MEASURED, signals))["measured_loop"]
    assert math.isclose(loop["dissipation"], math.pi * 100 * AMPLITUDE * math.sin(LAG), rel_tol=1e-9)
    (tmp_path / "run.json").write_text(sep005(0, 51))
    line = microslip.refused("beam", rig(MEASURED, signals))
    assert "run.json: no record has both channels 'force' and 'acceleration', sampled together" in line


def test_a_missing_file_is_refused(microslip):
    assert "nowhere.toml" in microslip.refused("beam", "nowhere.toml")
