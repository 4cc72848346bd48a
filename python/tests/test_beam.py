"""The frictionally supported beam from Python."""
import copy

import numpy as np
import pytest

import microslip

ASADI = {
    "beam": {"length": 0.3, "width": 0.03, "height": 0.003, "youngs_modulus": 2e11, "density": 7850.0},
    "support": {"length": 0.05, "normal_stiffness": 1.7e9, "tangential_stiffness": 5.8e8, "friction_coefficient": 0.2},
    "bolt": {"position": 0.025, "mass": 0.052, "preload": 1e4, "head_diameter": 0.027},
    "load": {"position": 0.13, "frequency_hz": 31.0},
}


def changed(section, key, value):
    model = copy.deepcopy(ASADI)
    model[section][key] = value
    return model


def test_frequencies_are_the_papers():
    f = microslip.beam_frequencies(ASADI, 2)
    assert np.allclose(f, [35.3, 220.8], rtol=3e-3)


def test_pressure_adds_up_to_the_preload():
    p = microslip.beam_pressure(ASADI, points=2001)
    q, x = p["density"], p["position"]
    assert np.isclose(np.sum((q[1:] + q[:-1]) / 2 * np.diff(x)), 1e4, rtol=1e-5)


def test_backbone_and_loop_agree_on_the_loss():
    b = microslip.beam_backbone(ASADI, np.geomspace(1, 100, 20))
    assert np.all(np.diff(b["slip_length"]) >= 0) and b["macro_slip_force"] is None
    assert np.all((b["slip_length"] > 0) == (b["force"] > b["onset_force"]))
    loop = microslip.beam_loop(ASADI, 100.0)
    assert np.isclose(loop["dissipation"], b["dissipation"][-1], rtol=1e-9)
    assert "dissipation" not in microslip.beam_backbone(ASADI, [10.0], dynamic_pressure=True)


def test_bad_models_are_refused_by_name():
    with pytest.raises(ValueError, match="support.length"):
        microslip.beam_frequencies(changed("support", "length", 0.5))
    with pytest.raises(ValueError, match="bolt.mas is unknown.*mass"):
        microslip.beam_frequencies(changed("bolt", "mas", 0.5))
    with pytest.raises(ValueError, match="load"):
        microslip.beam_frequencies({key: value for key, value in ASADI.items() if key != "load"})
    with pytest.raises(ValueError, match="support.normal_stiffness"):  # its waves are too short to follow
        microslip.beam_frequencies(changed("support", "normal_stiffness", 1e22))
    with pytest.raises(ValueError, match="at least 8 steps"):
        microslip.beam_marched_loop(ASADI, 100.0, steps=3)
    with pytest.raises(ValueError, match="grow"):
        microslip.beam_backbone(ASADI, [2.0, 1.0])


def test_flags_may_be_numpys():
    flags = [changed("support", "unilateral", flag) for flag in (False, np.bool_(False))]
    assert np.array_equal(*(microslip.beam_frequencies(model) for model in flags))


@pytest.mark.parametrize("model, said", [
    (changed("beam", "length", "0.3"), "beam.length must be a number, got str"),
    (changed("support", "unilateral", 1), "support.unilateral must be True or False, got int"),
    ({**ASADI, "beam": 3}, r"model\['beam'\] must be a dictionary, got int"),
])
def test_values_of_another_kind_are_type_errors(model, said):
    with pytest.raises(TypeError, match=said):
        microslip.beam_frequencies(model)


def test_marched_loop_agrees_with_masings_rule():
    exact = microslip.beam_loop(ASADI, 100.0)["dissipation"]
    marched = microslip.beam_marched_loop(ASADI, 100.0, cycles=1)
    assert marched["dissipation"] == pytest.approx(exact, rel=0.02)  # the agreement asked of the two solvers
    with pytest.raises(ValueError, match="force must be"):
        microslip.beam_marched_loop(ASADI, -1.0)


def test_support_stiffness_comes_back_from_its_frequencies():
    f = microslip.beam_frequencies(ASADI, 2)
    k_n = ASADI["support"]["normal_stiffness"]
    found = microslip.fit_normal_stiffness(changed("support", "normal_stiffness", 0.5 * k_n), f)
    assert found["outcome"] == "converged"
    assert found["value"] == pytest.approx(k_n, rel=1e-6)
    assert found["lower"] < k_n < found["upper"]
    with pytest.raises(ValueError, match="slope"):
        microslip.fit_tangential_stiffness(ASADI, 1e12)


def test_harmonic_loop_of_two_sines():
    rate, f = 5000.0, 31.0
    w = 2 * np.pi * f
    t = np.arange(5000) / rate
    loop = microslip.harmonic_loop(3 * np.cos(w * t), -(w**2) * 2e-3 * np.sin(w * t), rate, f)
    assert loop["dissipation"] == pytest.approx(np.pi * 3 * 2e-3, rel=1e-9)
    assert loop["force_residual"] < 1e-9
