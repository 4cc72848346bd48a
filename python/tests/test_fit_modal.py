"""Modal joint models from ring-downs."""
import numpy as np
import pytest

import microslip


def decay(seed=1):
    """A mode whose decay is nearly linear, with noise at -60 dB, as a SEP005 signal."""
    rate, n = 1000.0, 8192
    t = np.arange(n) / rate
    x = np.where(t > 0.2, np.exp(-1.5 * (t - 0.2)) * np.sin(2 * np.pi * 80 * (t - 0.2)), 0)
    x = x + 1e-3 * np.random.default_rng(seed).standard_normal(n)
    return [dict(data=x, name="acc", fs=rate, unit_str="m/s^2")]


def test_the_list_that_ringdown_returns_is_fitted():
    modes = microslip.ringdown(decay(), mode=80)
    result = microslip.fit_modal(modes, replicas=4)
    (mode,) = result["modes"]
    assert list(mode["parameters"]) == ["slip_force", "stiffness", "chi", "beta", "linear_stiffness", "damping"]
    assert mode["derived"]["frequency_hz"] == pytest.approx(80, rel=1e-3)
    assert mode["replicas"] == 4


def test_what_is_no_number_is_left_out_and_texts_stay_as_they_are():
    (mode,) = microslip.ringdown(decay(), mode=80)
    mode = dict(mode, source='NaN and -Infinity of "Nancy"\\', frequency_band=np.full(len(mode["time"]), np.inf))
    mode["damping_band"] = np.full(len(mode["time"]), -np.inf)
    mode["amplitude"] = mode["amplitude"].copy()
    mode["amplitude"][3] = np.nan
    (fitted,) = microslip.fit_modal([mode], replicas=0)["modes"]
    assert fitted["records"] == ['NaN and -Infinity of "Nancy"\\']
    assert fitted["derived"]["frequency_hz"] == pytest.approx(80, rel=1e-3)


def test_wrong_names_are_refused():
    with pytest.raises(ValueError, match="objective"):
        microslip.fit_modal({"modes": []}, objective="papr")
    with pytest.raises(ValueError, match="modes"):
        microslip.fit_modal({})
