"""respond and predict give what the command prints."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import microslip

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "two-beam"
TRUTH = [
    {"slip_force": 2.33, "stiffness": 1.37e5, "chi": -0.178, "beta": 0.0316, "linear_stiffness": 4.41e5, "damping": 1.505},
    {"slip_force": 27.0, "stiffness": 5.10e5, "chi": -0.310, "beta": 0.523, "linear_stiffness": 1.31e6, "damping": 15.11},
    {"slip_force": 5.26, "stiffness": 1.36e6, "chi": -0.228, "beta": 5.94, "linear_stiffness": 7.50e6, "damping": 2.96},
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
    held = microslip.respond(model, amplitude=1e-6, mode=3, frequency_hz=[460.0, 470.0])
    assert held["force"].shape == (2,) and held["amplitude"] == 1e-6


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
