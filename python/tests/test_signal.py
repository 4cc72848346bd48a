"""Signals in and out: SEP005 dictionaries, files, ring-downs."""
import json
import os
import subprocess

import numpy as np
import pytest

import microslip

FS, F0, ZETA, GAIN = 4096.0, 100.0, 0.005, 3.0


def decay(unit="m/s^2", name="tip", seconds=2.0, scale=1.0, **more):
    """A linear mode released after a quiet start: frequency and damping do not depend on amplitude."""
    t = np.arange(int(FS * seconds)) / FS - 0.1
    omega = 2 * np.pi * F0
    data = np.where(t > 0, GAIN * np.exp(-ZETA * omega * t) * np.sin(omega * np.sqrt(1 - ZETA**2) * t), 0.0)
    noise = np.random.default_rng(5).normal(0, 1e-5, t.size)
    return {"name": name, "data": scale * (data + noise), "unit_str": unit, "fs": FS, **more}


def test_a_linear_decay_gives_its_own_frequency_and_damping():
    (mode,) = microslip.ringdown([decay()], mode=F0)
    middle = slice(len(mode["amplitude"]) // 4, 3 * len(mode["amplitude"]) // 4)
    np.testing.assert_allclose(mode["frequency_hz"][middle], F0, rtol=1e-3)
    np.testing.assert_allclose(mode["damping_ratio"][middle], ZETA, rtol=0.05)
    assert mode["low_amplitude_frequency_hz"] == pytest.approx(F0, rel=1e-3)
    assert mode["channels_used"] == ["tip"]
    assert set(mode["estimates"]) == {"hilbert", "pff"}
    lengths = {len(mode[key]) for key in ("time", "amplitude", "frequency_hz", "damping_ratio", "dissipation", "flag")}
    assert len(lengths) == 1


def test_units_are_converted_and_methods_go_by_name():
    (si,) = microslip.ringdown([decay()], mode=[F0], band=(60, 140), method="hilbert")
    (mm,) = microslip.ringdown([decay("mm/s^2", scale=1e3)], mode=F0, band=(60, 140), method="hilbert")
    assert list(si["estimates"]) == ["hilbert"]
    assert mm["band_hz"] == (60, 140)
    # 1e3 and 1e-3 round; what follows is the same arithmetic, whose condition here is small.
    np.testing.assert_allclose(mm["amplitude"], si["amplitude"], rtol=1e-12)
    with pytest.raises(ValueError, match="hilbert"):
        microslip.ringdown([decay()], mode=F0, method="hilbrt")


def test_time_in_place_of_a_rate():
    signal = decay()
    timed = {**signal, "time": np.arange(signal["data"].size) / FS}
    del timed["fs"]
    (by_rate,), (by_time,) = (microslip.ringdown([s], mode=F0) for s in (signal, timed))
    np.testing.assert_allclose(by_time["frequency_hz"], by_rate["frequency_hz"], rtol=1e-9)


@pytest.mark.parametrize("broken, error, said", [
    ({"data": [1.0, float("nan")]}, ValueError, "index 1"),
    ({"data": np.zeros((3, 3))}, ValueError, "one dimension"),
    ({"data": ["a"]}, TypeError, "data"),
    ({"data": None}, ValueError, "has no 'data'"),
    ({"name": ""}, ValueError, "name"),
    ({"name": 3}, TypeError, "name"),
    ({"fs": -1.0}, ValueError, "fs"),
    ({"fs": float("nan")}, ValueError, "fs"),
    ({"fs": None}, ValueError, "neither 'fs' nor 'time'"),
    ({"time": [0.0, 1.0]}, ValueError, "time"),
])
def test_broken_signals_are_refused(broken, error, said):
    with pytest.raises(error, match=said):
        microslip.ringdown([{**decay(), **broken}], mode=F0)


def test_wrong_calls_are_refused():
    with pytest.raises(TypeError, match="SEP005"):
        microslip.ringdown([1.0, 2.0], mode=F0)
    with pytest.raises(ValueError, match="share"):
        microslip.ringdown([decay(), decay(seconds=1.0, name="other")], mode=F0)
    with pytest.raises(ValueError, match="mode"):
        microslip.ringdown([decay()], mode=[])
    with pytest.raises(ValueError, match="mode"):
        microslip.ringdown([decay()], mode=float("nan"))
    with pytest.raises(ValueError, match="2 bands for 1 modes"):
        microslip.ringdown([decay()], mode=F0, band=[(60, 140), (150, 200)])
    with pytest.raises(ValueError):
        microslip.ringdown([], mode=F0)


def test_read_records_gives_what_the_file_holds(tmp_path):
    signal = decay(seconds=0.5)
    t = np.arange(signal["data"].size) / FS
    path = tmp_path / "decay.csv"
    np.savetxt(path, np.column_stack([t, signal["data"]]), delimiter=",", header="time [s],tip [m/s^2]", comments="",
               fmt="%.17g")
    ((read,),) = microslip.read_records(path)
    assert read["name"] == "tip" and read["unit_str"] == "m/s^2" and read["quantity"] == "acceleration"
    assert read["fs"] == pytest.approx(FS, rel=1e-9)
    np.testing.assert_array_equal(read["data"], signal["data"])
    assert microslip.ringdown([read], mode=F0, method="pff")


def test_ringdown_tells_what_the_command_tells(tmp_path):
    signal = decay()
    path = tmp_path / "decay.csv"
    np.savetxt(path, np.column_stack([np.arange(signal["data"].size) / FS, signal["data"]]), delimiter=",",
               header="time [s],tip [m/s^2]", comments="", fmt="%.17g")
    line = [os.environ["MICROSLIP_COMMAND"], "ringdown", path, "--mode", str(F0), "--json"]
    (printed,) = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)["modes"]
    ((read,),) = microslip.read_records(path)
    (mode,) = microslip.ringdown([read], mode=F0)
    of_the_call, of_channels = {"source", "filter_order", "noise_factor"}, {"channels"}
    assert set(mode) - {"microslip"} == set(printed) - of_the_call - of_channels
    for key in ("amplitude_unit", "dissipation_unit", "coordinate", "onset", "blow", "end", "start", "degree"):
        assert mode[key] == printed[key], key
    np.testing.assert_array_equal(mode["damping_ratio"], printed["damping_ratio"])


def test_what_is_noted_of_a_record_becomes_a_warning():
    with pytest.warns(UserWarning, match="channel 'gauge' is left out: it measures strain"):
        (mode,) = microslip.ringdown([decay(), decay("m/m", "gauge")], mode=F0, quantity="acceleration")
    assert mode["channels_used"] == ["tip"]


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(ValueError, match="missing.csv"):
        microslip.read_records(tmp_path / "missing.csv")
    bad = tmp_path / "bad.csv"
    bad.write_text("time,a\n0,1\n0.1,nan\n")
    with pytest.raises(ValueError, match="bad.csv"):
        microslip.read_records(bad)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="empty.csv"):
        microslip.read_records(tmp_path / "empty.csv")
    with pytest.raises(ValueError, match="quantity|velocity"):
        microslip.read_records(bad, quantity="velocty")


def test_what_the_reader_notices_becomes_a_warning(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("time,a\n" + "".join(f"{i / 10},{i % 3}\n" for i in range(20)))
    with pytest.warns(UserWarning, match="unit"):
        microslip.read_records(path)
