"""Calibration from dissipation data."""
import numpy as np
import pytest

import microslip

TRUTH = dict(slip_force=504.0, stiffness=7.1e5, chi=-0.5, beta=1.0)


def data(law, largest=0.95, count=12):
    """Exact dissipation at force amplitudes up to near macro-slip, where the curve bends and tells beta."""
    amplitude = np.geomspace(1e-2, largest, count) * law.phi_max
    return law.secant_stiffness(amplitude) * amplitude, law.dissipation(amplitude)


def test_exact_data_give_the_law_back():
    law = microslip.Iwan4(**TRUTH)
    force, dissipation = data(law)
    fit = microslip.fit_dissipation(force, dissipation, slip_force=504.0)
    for name, value in TRUTH.items():
        assert fit["parameters"][name] == pytest.approx(value, rel=1e-3), name
        assert getattr(fit["law"], name) == fit["parameters"][name]
    assert fit["residual"] < 1e-5
    assert fit["derived"]["phi_max"] == pytest.approx(law.phi_max, rel=1e-3)
    np.testing.assert_allclose(fit["dissipation"], dissipation, rtol=1e-4)
    assert set(fit["intervals"]) == set(fit["identifiable"]) == {"chi", "beta", "phi_max", "stiffness"}


def test_a_known_stiffness_is_held():
    force, dissipation = data(microslip.Iwan4(**TRUTH))
    fit = microslip.fit_dissipation(force, dissipation, slip_force=504.0, stiffness=7.1e5)
    assert fit["parameters"]["stiffness"] == pytest.approx(7.1e5, rel=1e-12)


def test_a_power_law_leaves_an_interval_open():
    force, dissipation = data(microslip.Iwan4(**TRUTH), largest=0.05, count=4)
    noisy = dissipation * np.exp(0.05 * np.array([1, -1, 1, -1]))
    fit = microslip.fit_dissipation(force, noisy, slip_force=504.0)
    assert not fit["identifiable"]["beta"]
    assert None in fit["intervals"]["beta"]
    assert fit["notes"]


@pytest.mark.parametrize("force, dissipation, more, said", [
    ([1.0, 2.0], [1.0], {}, "entries"),
    ([1.0, float("nan")], [1.0, 2.0], {}, "index 1"),
    ([1.0, -2.0], [1.0, 2.0], {}, "force"),
    ([1.0, 2.0], [0.0, 2.0], {}, "dissipation"),
    ([1.0, 1.0], [1.0, 2.0], {}, "force"),
    ([], [], {}, "at least"),
    ([1.0, 2.0], [1.0, 2.0], {"slip_force": 0.0}, "slip_force"),
    ([1.0, 2.0], [1.0, 2.0], {"stiffness": -1.0}, "stiffness"),
    ([1.0, 2.0], [1.0, 2.0], {"method": "segalmann"}, "did you mean 'segalman'"),
    ([1.0, 2.0], [1.0, 2.0], {"method": "segalman", "noise": 0.1}, "noise goes with method 'best'"),
])
def test_wrong_data_are_refused(force, dissipation, more, said):
    with pytest.raises(ValueError, match=said):
        microslip.fit_dissipation(force, dissipation, **{"slip_force": 504.0, **more})
