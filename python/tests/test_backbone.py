"""backbone gives what the command prints."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import microslip

BEAM = pathlib.Path(__file__).resolve().parents[2] / "examples/brb-whole-joint.toml"


def test_the_beam_as_the_command_gives_it():
    done = subprocess.run([os.environ["MICROSLIP_COMMAND"], "backbone", BEAM, "--amplitudes", "1e-7:1e-5:4", "--json"],
                          capture_output=True, check=True)
    told = json.loads(done.stdout)
    run = microslip.backbone(BEAM, np.array(told["amplitude"]))
    for key in ["frequency_hz", "damping_ratio", "dissipation", "residual", "shape"]:
        assert np.array_equal(run[key], told[key]), key
    assert run["converged"].all() and run["framework"] == told["framework"] == "masing"
    assert run["parameters"] == told["joint"]["parameters"]
    assert np.array_equal(run["sensors"]["end_z"], told["sensors"]["end_z"])
    assert run["local_dissipation"].sum(axis=1) == pytest.approx(run["dissipation"], rel=1e-9)


def test_combinations_are_those_of_the_paper():
    table = microslip.combinations()
    assert len(table) == 26 and len({c["key"] for c in table}) == 26
    iwan = next(c for c in table if c["key"] == "iwan4-wj-masing")
    assert [p["name"] for p in iwan["parameters"]] == ["slip_force", "stiffness", "chi", "beta", "normal_stiffness"]


@pytest.mark.parametrize("amplitudes", [[], [1e-6, 0.0], [-1e-6], [float("nan")], [[1e-6]], [2e-6, 1e-6]])
def test_wrong_amplitudes_are_refused(amplitudes):
    with pytest.raises(ValueError):
        microslip.backbone(BEAM, amplitudes)


def test_wrong_names_are_refused():
    with pytest.raises(ValueError, match="masing"):
        microslip.backbone(BEAM, [1e-6], framework="massing")
    with pytest.raises(ValueError, match="iwan4-wj-masing"):
        microslip.backbone(BEAM, [1e-6], combination="iwan4-wj-massing")
    with pytest.raises(ValueError):
        microslip.backbone(BEAM, [1e-6], mode=0)
