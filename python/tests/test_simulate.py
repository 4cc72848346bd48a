"""simulate gives what the command prints."""
import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import microslip

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
end = 0.2
"""


@pytest.fixture
def system(tmp_path):
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM)
    return path


@pytest.mark.parametrize("method", ["newmark", "averaging", "hybrid"])
def test_equals_the_command(system, method):
    run = microslip.simulate(system, method=method)
    line = [os.environ["MICROSLIP_COMMAND"], "simulate", str(system), "--method", method, "--json"]
    printed = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
    for key in ["displacement", "velocity", "amplitude", "frequency_hz", "damping_ratio"]:
        expected = np.array(printed[key], dtype=float)
        assert run[key].shape == expected.shape
        assert np.array_equal(run[key], expected, equal_nan=True), key
    assert run["energy"] == printed["energy"]
    assert run["notes"] == printed["notes"]


def test_what_is_wrong_with_a_run_is_told(system):
    system.write_text(SYSTEM.replace("amplitude = 1.0e4", "amplitude = 3.0e5").replace("mass = 1.0", "mass = 98.85")
                      + '[averaging]\nproperties = "paper"\n')
    assert any("phi_max" in note for note in microslip.simulate(system, method="hybrid")["notes"])


def test_ctrl_c_is_a_keyboard_interrupt(system):
    text = system.read_text().replace("end = 0.2", "end = 1e5")
    system.write_text(text + '[output]\nquantities = ["displacement"]\nevery = 100000\n')
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        microslip.simulate(system)


def test_bad_input_is_a_value_error(system):
    with pytest.raises(ValueError, match="newmark"):
        microslip.simulate(system, method="newmrk")
    with pytest.raises(ValueError):
        microslip.simulate("absent.toml")
    with pytest.raises(ValueError, match="tenth"):
        microslip.simulate(str(system), steps_per_period=5)
