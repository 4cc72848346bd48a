"""The laws as Python sees them: the numbers are the library's, checked against closed forms written out here."""
import json
import os
import pickle
import subprocess
import threading

import numpy as np
import pytest

import microslip

SAMPLES = {
    "iwan4": dict(slip_force=504.0, stiffness=7.1e5, chi=-0.5, beta=1.0),
    "iwan5": dict(slip_force=504.0, stiffness=7.1e5, chi=-0.5, beta=1.0, theta=0.8),
    "bouc_wen": dict(stiffness=7.1e5, n=1.5, alpha=60.0, beta=20.0),
    "bouc_wen_1": dict(stiffness=7.1e5, alpha=1500.0, beta=500.0),
    "bouc_wen_2": dict(stiffness=7.1e5, alpha=3.0, beta=1.0),
    "valanis": dict(stiffness=7.1e5, lambda_=1500.0, kappa=0.5, post_slip_stiffness=7e4),
    "jenkins": dict(slip_force=504.0, stiffness=7.1e5),
    "elastic_dry_friction": dict(friction_coefficient=0.4, stiffness=7.1e5, normal_force=1260.0),
    "prager": dict(slip_force=504.0, post_slip_stiffness=1e5),
    "jenkins_prager": dict(slip_force=504.0, stiffness=7.1e5, post_slip_stiffness=1e5),
}
for entry in microslip.models():  # a law that has none yet is tried where its sliders start
    SAMPLES.setdefault(entry["name"], {p["name"]: p["default"] for p in entry["parameters"]})
NAMES = [law["name"] for law in microslip.models()]
REACH = 2e-3  # well into slip for every sample


def sample(name):
    return microslip.law(name, **SAMPLES[name])


@pytest.fixture(params=NAMES)
def law(request):
    return sample(request.param)


@pytest.fixture
def history():
    return np.random.default_rng(1).uniform(-REACH, REACH, 400)


def test_every_law_has_its_class():
    for entry in microslip.models():
        cls = getattr(microslip, entry["class"])
        assert issubclass(cls, microslip.Law)
        assert cls(**SAMPLES[entry["name"]]) == sample(entry["name"])
        for parameter in entry["parameters"]:
            assert parameter["name"] in cls.__doc__


def test_attributes_repr_equality_and_pickle(law):
    given = SAMPLES[law.name]
    for name, value in given.items():
        assert getattr(law, name) == value == law.parameters[name.rstrip("_")]
        with pytest.raises(AttributeError):
            setattr(law, name, 1.0)
    assert eval(repr(law), vars(microslip)) == law
    assert microslip.law(law.name, **law.parameters) == law  # lambda, too, where its name is a string
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(pickle.loads(pickle.dumps(law))) == hash(law)
    assert law != sample("jenkins" if law.name != "jenkins" else "iwan4")
    assert law != 3 and not law == "law"


def test_the_command_and_the_package_agree(law):
    """Both print what the library computes, to the last bit: JSON numbers round-trip."""
    command = os.environ["MICROSLIP_COMMAND"]
    pairs = [f"{name.rstrip('_')}={value!r}" for name, value in SAMPLES[law.name].items()]
    line = [command, "loop", law.name, *pairs, "--amplitude", "1e-3", "--points", "20", "--json"]
    done = json.loads(subprocess.run(line, capture_output=True, check=True, timeout=60).stdout)
    loop = law.loop(1e-3, points=20)
    assert done["displacement"] == loop.displacement.tolist()
    assert done["force"] == loop.force.tolist()
    assert done["dissipation"] == loop.dissipation
    assert done["secant_stiffness"] == loop.secant_stiffness
    assert done["equivalent_stiffness"] == law.describing_function(1e-3).stiffness


def test_jenkins_against_its_closed_form():
    law = microslip.Jenkins(slip_force=150.0, stiffness=2e7)
    a = 2.5e-5
    assert law.dissipation(a) == pytest.approx(4 * 150 * (a - 150 / 2e7), rel=1e-14)
    assert law.secant_stiffness(a) == pytest.approx(150 / a, rel=1e-14)
    np.testing.assert_allclose(law.force([5e-6, a, 2e-5]), [100, 150, 50], rtol=1e-12)
    np.testing.assert_array_equal(law.tangent([5e-6, a, 2e-5]), [2e7, 0, 2e7])
    np.testing.assert_allclose(law.dissipated([5e-6, a, 2e-5]), 150 * (a - 7.5e-6) * np.array([0, 1, 1]), rtol=1e-12)


def test_iwan4_against_segalmans_equations():
    law = sample("iwan4")
    slip, k, chi, beta = (SAMPLES["iwan4"][n] for n in ("slip_force", "stiffness", "chi", "beta"))
    phi_max = slip * (1 + beta) / (k * (beta + (chi + 1) / (chi + 2)))  # Eq. 29
    assert law.phi_max == pytest.approx(phi_max, rel=1e-15)
    smooth = k / (1 + beta)  # stiffness of the power-law sliders
    assert law.R == pytest.approx(smooth * (chi + 1) / phi_max ** (chi + 1), rel=1e-14)
    assert law.S == pytest.approx(k * beta / (1 + beta), rel=1e-14)
    u = np.linspace(0.05, 0.95, 7) * phi_max
    np.testing.assert_allclose(law.monotonic(u), k * u - law.R * u ** (chi + 2) / ((chi + 1) * (chi + 2)), rtol=1e-13)
    np.testing.assert_allclose(law.dissipation(u), 4 * law.R * u ** (chi + 3) / ((chi + 2) * (chi + 3)), rtol=1e-13)


def test_eta_stands_for_alpha_and_beta():
    by_eta = microslip.BoucWen(stiffness=7.1e5, n=1.5, eta=60.0)
    assert by_eta == microslip.BoucWen(stiffness=7.1e5, n=1.5, alpha=60.0, beta=0.0)
    assert by_eta.eta == 60.0
    assert sample("bouc_wen").eta == 40.0
    with pytest.raises(ValueError, match="either eta or alpha and beta"):
        microslip.BoucWen(stiffness=7.1e5, n=1.5, eta=60.0, beta=1.0)


def test_follow_equals_its_parts_and_the_loss_never_falls(law, history):
    both = law.follow(history)
    np.testing.assert_array_equal(both.displacement, history)
    np.testing.assert_array_equal(both.force, law.force(history))
    np.testing.assert_array_equal(both.tangent, law.tangent(history))
    np.testing.assert_array_equal(both.dissipated, law.dissipated(history))
    assert np.all(np.diff(both.dissipated) >= 0) and both.dissipated[-1] > 0


def test_monotonic_is_odd_and_is_the_first_step(law):
    u = np.array([1e-5, 3e-4, REACH])
    np.testing.assert_array_equal(law.monotonic(-u), -law.monotonic(u))
    assert [law.force([x])[0] for x in u] == law.monotonic(u).tolist()


def test_derivatives_equal_central_differences(law, history):
    if law.name == "iwan5":
        history = 0.2 * history  # below the jump at macro-slip, where no derivative exists
    columns = law.derivatives(history)
    assert list(columns) == list(law.parameters)
    scale = np.max(np.abs(law.force(history)))
    for name, value in law.parameters.items():
        if name == "stiffness" and law.name == "prager":
            continue  # the penalty is rigid to double precision: a difference sees rounding alone
        size = abs(value) if value else 1.0
        h = 1e-6 * size
        changed = lambda x: microslip.law(law.name, **{**law.parameters, name: x}).force(history)
        if value == 0:  # a bound: one-sided, and exact because the force is linear in this spring
            assert name == "post_slip_stiffness"
            difference = (changed(h) - law.force(history)) / h
        else:
            difference = (changed(value + h) - changed(value - h)) / (2 * h)
        # Truncation O(h^2), rounding eps/h of the force; near a corner of a history one step may cross it.
        wrong = np.abs(columns[name] - difference) * size / scale > 1e-6
        assert wrong.sum() <= 2, (law.name, name, np.abs(columns[name] - difference).max())


def test_a_loop_closes_and_its_area_is_the_dissipation(law):
    loop = law.loop(1e-3, points=4000)
    assert loop.displacement[0] == loop.displacement[-1] == 1e-3
    assert loop.force[0] == pytest.approx(loop.force[-1], rel=1e-14)
    area = np.trapz(loop.force, loop.displacement)
    assert area == pytest.approx(loop.dissipation, rel=2e-3 if law.name in ("iwan5", "prager") else 2e-6)
    assert loop.secant_stiffness == pytest.approx(loop.force[0] / 1e-3, rel=1e-12)
    assert law.describing_function(1e-3).loss == pytest.approx(loop.dissipation / (np.pi * 1e-6), rel=1e-12)


def test_the_secant_stiffness_of_iwan5_is_that_of_the_whole_span():
    law = microslip.Iwan5(slip_force=1000, stiffness=1e7, chi=-0.5, beta=1, theta=0.8)
    a = 3e-4  # past phi_max, where 950 N fell to 800: on the way the loop reaches 2 x 950 - 800
    assert law.secant_stiffness(a) == pytest.approx(1100 / a, rel=1e-12)
    loop = law.loop(a, points=20000)
    assert loop.secant_stiffness == law.secant_stiffness(a)
    assert np.ptp(loop.force) / np.ptp(loop.displacement) == pytest.approx(1100 / a, rel=1e-3)


def test_amplitudes_of_any_shape(law):
    a = np.array([[1e-4, 3e-4], [5e-4, 1e-3]])
    for method in (law.dissipation, law.secant_stiffness):
        values = method(a)
        assert values.shape == a.shape
        assert [method(x) for x in a.ravel()] == values.ravel().tolist()
        assert isinstance(method(1e-4), float) and isinstance(method(np.float64(1e-4)), float)
        assert method(np.array([])).shape == (0,)
        np.testing.assert_array_equal(method(a.T), values.T)
    harmonic = law.describing_function(a)
    assert harmonic.stiffness.shape == harmonic.loss.shape == a.shape
    assert isinstance(law.describing_function(1e-4).stiffness, float)


def test_frameworks(law):
    masing, reversal = (law.dissipation(5e-4, framework=f) for f in ("masing", "reversal"))
    assert law.dissipation(5e-4) == (masing if law.masing else reversal)
    # Elastic dry friction obeys Masing's rules as long as its normal force is constant, as it is here.
    obeys = law.masing or law.name == "elastic_dry_friction"
    assert (masing == pytest.approx(reversal, rel=1e-9)) == obeys
    with pytest.raises(ValueError, match="did you mean 'masing'"):
        law.loop(1e-3, framework="massing")


def test_friction_without_a_normal_force_is_refused():
    law = microslip.ElasticDryFriction(friction_coefficient=0.3, stiffness=1e7)
    for call in (lambda: law.loop(1e-3), lambda: law.dissipation(1e-3), lambda: law.force([0.0, 1e-3])):
        with pytest.raises(ValueError, match="give normal_force"):
            call()


@pytest.mark.parametrize("view", [lambda u: u[::2], lambda u: u[::-1], lambda u: u.astype(np.float32),
                                  lambda u: u.tolist(), lambda u: np.stack([u, u], axis=1)[:, 0]])
def test_views_lists_and_other_floats_give_the_same_as_a_plain_copy(law, history, view):
    given = view(history)
    plain = np.array(given, dtype=np.float64)
    np.testing.assert_array_equal(law.force(given), law.force(plain))


def test_input_is_not_changed_and_integers_are_numbers(law, history):
    kept = history.copy()
    law.follow(history)
    np.testing.assert_array_equal(history, kept)
    np.testing.assert_array_equal(law.force(np.array([1, -1])), law.force([1.0, -1.0]))
    assert law.force([]).shape == (0,)


@pytest.mark.parametrize("method", ["force", "tangent", "dissipated", "follow", "derivatives"])
def test_bad_histories_are_refused(law, method):
    call = getattr(law, method)
    with pytest.raises(ValueError, match="index 2"):
        call([0.0, 1e-4, float("nan")])
    with pytest.raises(ValueError, match="index 0"):
        call([float("inf")])
    with pytest.raises(ValueError, match="one dimension, got 2"):
        call(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="one dimension, got 0"):
        call(1e-4)
    for wrong in (["a"], np.array([1j]), None, [None], [[1.0], [2.0, 3.0]], np.array(["1"]), [True]):
        with pytest.raises(TypeError, match="history"):
            call(wrong)


@pytest.mark.parametrize("bad", [0.0, -1e-4, float("nan"), float("inf")])
def test_bad_amplitudes_are_refused(law, bad):
    for call in (law.loop, law.dissipation, law.secant_stiffness, law.describing_function):
        with pytest.raises(ValueError, match="amplitude"):
            call(bad)
    with pytest.raises(ValueError, match="index 1"):
        law.dissipation([1e-4, bad])


@pytest.mark.parametrize("points", [-1, 0, 1, 10**7])
def test_bad_numbers_of_points_are_refused(points):
    with pytest.raises(ValueError, match="points"):
        sample("jenkins").loop(1e-4, points=points)


def test_bad_parameters_are_refused_by_name():
    good = SAMPLES["iwan4"]
    with pytest.raises(ValueError, match="no parameter 'stifness' .did you mean 'stiffness'"):
        microslip.Iwan4(**good, stifness=1.0)
    with pytest.raises(ValueError, match="iwan4.beta is missing"):
        microslip.Iwan4(slip_force=504.0, stiffness=7.1e5, chi=-0.5)
    with pytest.raises(ValueError, match=r"iwan4.chi must lie in \(-1, 2\], got -1.2"):
        microslip.Iwan4(**{**good, "chi": -1.2})
    with pytest.raises(ValueError, match="unknown model 'iwan'"):
        microslip.law("iwan", **good)
    with pytest.raises(TypeError, match="iwan4.chi must be a number, got str"):
        microslip.Iwan4(**{**good, "chi": "-0.5"})
    with pytest.raises(TypeError):
        microslip.Iwan4(504.0, 7.1e5, -0.5, 1.0)
    for entry in microslip.models():
        for parameter in entry["parameters"]:
            with pytest.raises(ValueError, match=parameter["name"]):
                values = {**sample(entry["name"]).parameters, parameter["name"]: float("nan")}
                microslip.law(entry["name"], **values)


def test_other_threads_run_during_a_long_call():
    """The lock is released: a counting thread advances while one call is under way."""
    law = sample("bouc_wen")
    history = np.random.default_rng(2).uniform(-REACH, REACH, 300_000)
    running, counts = threading.Event(), []
    running.set()

    def count():
        n = 0
        while running.is_set():
            n += 1
        counts.append(n)

    thread = threading.Thread(target=count)
    thread.start()
    before = threading.Event()
    before.wait(0.01)
    law.force(history)
    running.clear()
    thread.join()
    assert counts[0] > 1000


def test_not_converged_is_a_runtime_error_and_the_version_is_a_version():
    assert issubclass(microslip.NotConverged, RuntimeError)
    assert len(microslip.__version__.split(".")) == 3
