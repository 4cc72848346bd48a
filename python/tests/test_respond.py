"""respond and predict give what the command prints."""
import json
import os
import pathlib
import subprocess
import tomllib

import numpy as np
import pytest

import microslip

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "two-beam"
TRUTH = [  # parameters of the modes, as `fit modal --json` has them
    {key: value for key, value in {**mode, **mode["joint"]}.items() if isinstance(value, float) and key != "mass"}
    for mode in tomllib.loads((DATA / "table-6.toml").read_text())["mode"]
]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({"modes": [{"parameters": p} for p in TRUTH]}))
    return path


def printed(*arguments):
    line = [os.environ["MICROSLIP_COMMAND"], *map(str, arguments), "--json"]
    return json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)


def test_respond_equals_the_command(model):
    run = microslip.respond(model, force=0.3)
    line = printed("respond", model, "--force", 0.3)
    for key in ["frequency_hz", "amplitude", "phase", "third_harmonic"]:
        assert np.array_equal(run[key], line[key]), key
    assert run["resonance"] == line["resonance"]
    assert run["units"] == line["units"]
    held = microslip.respond(model, amplitude=1e-6, mode=3, frequency_hz=[460.0, 470.0])
    assert held["force"].shape == held["third_harmonic"].shape == (2,) and held["amplitude"] == 1e-6


def test_predict_equals_the_command(model):
    run = microslip.predict(model, DATA / "level-1.h5", shapes=DATA / "shapes.json", hit="p25")
    line = printed("predict", model, DATA / "level-1.h5", "--shapes", DATA / "shapes.json", "--hit", "p25")
    assert run["error"] == line["error"]
    assert [c["name"] for c in run["channels"]] == [c["name"] for c in line["channels"]]
    assert np.array_equal(run["channels"][3]["predicted"], line["channels"][3]["predicted"])


def test_wrong_calls_are_value_errors(model):
    with pytest.raises(ValueError, match="either the force"):
        microslip.respond(model)
    with pytest.raises(ValueError, match="grow"):
        microslip.respond(model, force=1, frequency_hz=[2.0, 1.0])
    with pytest.raises(ValueError, match="the model has 3"):
        microslip.respond(model, force=1, mode=4)
    with pytest.raises(ValueError, match="no shapes"):
        microslip.predict(model, DATA / "level-1.h5")
