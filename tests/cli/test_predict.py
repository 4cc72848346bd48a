"""predict on the bundled two-beam records."""
import csv
import json
import re
import pathlib
import tomllib

import pytest

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "two-beam"
TRUTH = [  # parameters of the modes, as `fit modal --json` has them
    {key: value for key, value in {**mode, **mode["joint"]}.items() if isinstance(value, float) and key != "mass"}
    for mode in tomllib.loads((DATA / "table-6.toml").read_text())["mode"]
]


@pytest.fixture
def model(tmp_path):
    (tmp_path / "truth.json").write_text(json.dumps({"modes": [{"parameters": p} for p in TRUTH]}))
    return "truth.json"


def call(record, *more):
    return ["--shapes", DATA / "shapes.json", "--hit", "p25", *more]


@pytest.mark.parametrize("level", ["level-1", "level-3", "modal-hammer"])
def test_the_truth_predicts_the_bundled_records(microslip, model, level):
    record = DATA / f"{level}.h5"
    run = microslip.json("predict", model, record, *call(record))
    assert len(run["channels"]) == 70
    # What is left is the sensors' noise (1e-3 of the largest peak at one sensor, several times that of the mean motion
    # over the record), and that of the force's samples (1e-3 of the peak each, some 20 of them in the pulse).
    assert run["error"] < 0.05
    # Spectra near a mode: the same noise against that mode alone. Mode 3 moves least and decays fast at the largest blow.
    assert [mode["error"] < limit for mode, limit in zip(run["modes"], [0.02, 0.02, 0.1])] == [True] * 3
    assert abs(run["modes"][0]["frequency_hz"] - 121.0) < 0.05


def test_a_wrong_model_shows(microslip, tmp_path):
    wrong = [dict(p) for p in TRUTH]
    wrong[0]["damping"] *= 3
    (tmp_path / "wrong.json").write_text(json.dumps({"modes": [{"parameters": p} for p in wrong]}))
    record = DATA / "level-1.h5"
    run = microslip.json("predict", "wrong.json", record, *call(record))
    assert run["modes"][0]["error"] > 0.2 > run["modes"][1]["error"]


def test_a_hammer_at_no_sensor_is_noted(microslip, model):
    record = DATA / "level-1.h5"
    told = microslip.json("predict", model, record, *call(record))
    untold = microslip.json("predict", model, record, "--shapes", DATA / "shapes.json")
    assert not any(note.startswith("hit:") for note in told["notes"])
    assert any("no sensor at the hammer is named" in note for note in untold["notes"])
    assert untold["error"] > 1


def test_report_csv_and_refusals(microslip, model, tmp_path):
    record = DATA / "level-1.h5"
    microslip("predict", model, record, *call(record, "--report", "predict.html", "--channel", "p35"))
    page = (tmp_path / "predict.html").read_text()
    for title in ["Time overlay", "Zeroed early-time spectra", "Mode shapes"]:
        assert title in page
    assert microslip("predict", model, record, *call(record, "--csv")).stdout.startswith("time,force,p01_measured,p01_predicted")
    assert "no shapes" in microslip.refused("predict", model, record)
    assert "p99" in microslip.refused("predict", model, record, "--shapes", DATA / "shapes.json", "--hit", "p99")
    assert "absent.h5" in microslip.refused("predict", model, "absent.h5")
    (tmp_path / "quiet.csv").write_text("time,p01\n" + "".join(f"{i / 3200},{i % 7}\n" for i in range(100)))
    assert "quiet.csv" in microslip.refused("predict", model, "quiet.csv", *call(record, "--unit", "m/s"))


def test_model_and_record_exchanged_are_told_apart(microslip, model, tmp_path):
    said = "microslip: {0}: is the record and {1} the model, the model is expected first: microslip predict {1} {0}"
    record = DATA / "level-1.h5"
    assert microslip.refused("predict", record, model, *call(record)) == said.format(record, model)
    assert microslip.refused("predict", record, DATA / "table-6.toml") == said.format(record, DATA / "table-6.toml")
    (tmp_path / "hit.csv").write_text("time [s],p01 [m/s],hammer [N]\n0,1,0\n0.001,2,1\n0.002,1,0\n")
    (tmp_path / "hit.json").write_text('{"time": [0, 0.001, 0.002], "p01": [1, 2, 1]}')
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n")  # no time: a record that lacks --rate
    for name in ["hit.csv", "hit.json", "bare.csv"]:
        assert microslip.refused("predict", name, model) == said.format(name, model)


def test_a_file_that_is_no_model_is_told_without_a_guess(microslip, model, tmp_path):
    record = DATA / "level-1.h5"
    assert microslip.refused("predict", record, record).startswith(f"microslip: {record}: holds a record; a model is expected first")
    (tmp_path / "broken.toml").write_text("[[mode]\n")
    (tmp_path / "broken.json").write_text('{"modes": [{}]}')
    assert "broken.toml:1" in microslip.refused("predict", "broken.toml", model)
    assert "modes[0].parameters" in microslip.refused("predict", "broken.json", model)
    assert "none.h5: cannot be opened" in microslip.refused("predict", "none.h5", model)


def test_a_fit_that_carries_shapes_needs_no_file_of_them(microslip, model, tmp_path):
    shapes = json.loads((DATA / "shapes.json").read_text())
    modes = [{"parameters": p, "shape": s} for p, s in zip(TRUTH, shapes["shapes"])]
    (tmp_path / "fit.json").write_text(json.dumps({"modes": modes, "sensors": shapes["sensors"]}))
    record = DATA / "level-2.h5"
    alone = microslip.json("predict", "fit.json", record, "--hit", "p25")
    given = microslip.json("predict", model, record, *call(record))
    assert alone["error"] == given["error"]


@pytest.mark.parametrize("coordinate", ["p01", "modal (not mass-normalised)"])
def test_a_fit_in_another_coordinate_is_refused_whatever_the_shapes(microslip, tmp_path, coordinate):
    record = DATA / "level-1.h5"
    modes = [{"parameters": p, "coordinate": "modal", "quantity": "velocity"} for p in TRUTH]
    (tmp_path / "fit.json").write_text(json.dumps({"modes": modes}))
    microslip("predict", "fit.json", record, *call(record))
    modes[1]["coordinate"] = coordinate
    (tmp_path / "fit.json").write_text(json.dumps({"modes": modes}))
    for shapes in [[], ["--shapes", DATA / "shapes.json"]]:
        line = microslip.refused("predict", "fit.json", record, *shapes, "--hit", "p25")
        assert "fit.json: mode 2 was not fitted in a mass-normalised coordinate" in line and "ringdown" in line
    rows = (DATA / "table-6.toml").read_text().split("[[mode]]")
    rows[2] = f'\ncoordinate = "{coordinate}"\nquantity = "velocity"' + rows[2]
    (tmp_path / "fit.toml").write_text("[[mode]]".join(rows))
    line = microslip.refused("predict", "fit.toml", record, *call(record))
    assert "fit.toml: mode 2 was not fitted in a mass-normalised coordinate" in line


def test_modes_of_any_mass_are_told_in_their_own_unit(microslip, tmp_path):
    record = DATA / "level-1.h5"
    rows = (DATA / "table-6.toml").read_text()
    heavy = rows.replace("mass = 1.0", "mass = 2.0", 1).replace("= 4.41e5", "= 8.82e5").replace("= 1.37e5", "= 2.74e5")
    for modes, unit in [(rows, "sqrt(kg) m"), (heavy, "m")]:
        (tmp_path / "modes.toml").write_text(modes)
        text = microslip("predict", "modes.toml", record, *call(record, "--report", "p.html")).stdout
        assert re.findall(r"amplitude \S+ (.*) after the pulse", text) == 3 * [unit]
        assert (unit == "m") == ("mass-normalised shape" not in (tmp_path / "p.html").read_text())


def test_late_records_tell_their_times_apart(microslip, model, tmp_path):
    record = DATA / "level-1.h5"
    rows = list(csv.DictReader(microslip("predict", model, record, *call(record, "--csv")).stdout.splitlines()))
    sensors = [name.removesuffix("_measured") for name in rows[0] if name.endswith("_measured")]
    late = "time [s],force [N]," + ",".join(f"{s} [m/s]" for s in sensors) + "\n" + "".join(
        f"{1000 + float(r['time'])!r},{r['force']}," + ",".join(r[f"{s}_measured"] for s in sensors) + "\n" for r in rows)
    (tmp_path / "late.csv").write_text(late)
    text = microslip("predict", model, "late.csv", *call(record)).stdout
    times = [line.split()[2] for line in text.splitlines() if line.startswith("spectrum from")]
    assert len(times) == 5 == len(set(times))
    start, end = (float(x) for x in text.splitlines()[0].split(",")[1].removesuffix(" s").split(" to "))
    assert 1000 <= start < end < 1000.2


def test_a_sensor_that_does_not_move_is_left_out_of_the_errors(microslip, model, tmp_path):
    record = DATA / "level-1.h5"
    names = ["p01", "p25", "p35", "p50", "p70"]
    rows = list(csv.DictReader(microslip("predict", model, record, *call(record, "--csv")).stdout.splitlines()))
    shapes = json.loads((DATA / "shapes.json").read_text())
    at = [shapes["sensors"].index(name) for name in names]
    shapes |= {"sensors": names, "shapes": [[s[i] for i in at] for s in shapes["shapes"]]}
    (tmp_path / "five.json").write_text(json.dumps(shapes))
    with open(tmp_path / "hit.csv", "w") as out:
        out.write("time [s],hammer [N]," + ",".join(f"{name} [m/s]" for name in names) + "\n")
        for row in rows:
            kept = ["0" if name == "p50" else row[f"{name}_measured"] for name in names]
            out.write(",".join([row["time"], row["force"], *kept]) + "\n")
    done = microslip("predict", model, "hit.csv", "--shapes", "five.json", "--hit", "p25", "--json")
    run = json.loads(done.stdout)
    dead = run["channels"].pop(3)
    assert dead["error"] is None and "error" in dead["not_finite"]
    assert "sensor p50 does not move in the band: it has no error" in run["notes"]
    errors = sorted(100 * channel["error"] for channel in run["channels"])
    said = microslip("predict", model, "hit.csv", "--shapes", "five.json", "--hit", "p25").stdout
    assert f"median error {(errors[1] + errors[2]) / 2:.2f} %, worst {errors[3]:.2f} %" in said


def test_what_a_fit_was_measured_in_does_not_matter_to_simulate(microslip, tmp_path):
    row = '[[mode]]\nmass = 1.0\nlinear_stiffness = 1e5\n'
    load = '[load]\nkind = "none"\n[initial]\nvelocity = [0.1]\n[time]\nend = 0.1\n'
    (tmp_path / "plain.toml").write_text(row + load)
    (tmp_path / "fit.toml").write_text(row + 'coordinate = "acc1"\nquantity = "acceleration"\n' + load)
    assert microslip("simulate", "plain.toml").stdout == microslip("simulate", "fit.toml").stdout
