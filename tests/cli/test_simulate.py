"""simulate, as DESIGN section 5 describes it."""
import json
import math

import pytest

SYSTEM = """
[[mode]]
mass = {mass}
linear_stiffness = 1.4e5
damping = 0.1249
joint = {{ model = "iwan4", slip_force = 4.0e4, stiffness = 2.5e5, chi = -0.5, beta = 1.0 }}

[load]
{load}

[time]
end = {end}
steps_per_period = {steps}
{more}
"""
PULSE = 'kind = "half_sine"\namplitude = 1.0e4\nduration = 0.02'


def write(folder, mass=1.0, load=PULSE, end=0.5, steps=200, more="", name="system.toml"):
    (folder / name).write_text(SYSTEM.format(mass=mass, load=load, end=end, steps=steps, more=more))
    return name


def test_newmark_has_the_keys_of_the_design(microslip, tmp_path):
    run = microslip.json("simulate", write(tmp_path))
    n = len(run["time"])
    assert n == math.ceil(0.5 * math.sqrt(3.9e5) / (2 * math.pi) * 200) + 1
    for key in ["displacement", "velocity", "amplitude", "frequency_hz", "damping_ratio"]:
        assert len(run[key]) == 1 and len(run[key][0]) == n
    assert set(run["energy"]) >= {"work", "kinetic", "stored", "dissipated", "imbalance"}
    energy = run["energy"]
    lost = energy["work"] - energy["kinetic"] - energy["stored"] - energy["dissipated"]
    assert math.isclose(energy["imbalance"], lost / energy["work"], rel_tol=1e-6, abs_tol=1e-12)
    assert abs(energy["imbalance"]) < 2e-4
    # null while the load acts, with a flag
    assert run["amplitude"][0][0] is None and "amplitude" in run["not_finite"]
    assert run["amplitude"][0][n // 2] > 0


def test_the_three_methods_agree(microslip, tmp_path):
    name = write(tmp_path)
    runs = {m: microslip.json("simulate", name, "--method", m) for m in ["newmark", "averaging", "hybrid"]}
    middle = len(runs["newmark"]["time"]) // 2
    reference = runs["newmark"]
    for method, tolerance in [("hybrid", 2e-3), ("averaging", 0.05)]:
        run = runs[method]
        assert run["time"] == reference["time"]
        for key in ["amplitude", "frequency_hz", "damping_ratio"]:
            assert math.isclose(run[key][0][middle], reference[key][0][middle], rel_tol=tolerance), (method, key)
    assert runs["hybrid"]["hand_over"][0]["time"] > 0.02


def test_paper_properties_err_and_say_which_they_are(microslip, tmp_path):
    name = write(tmp_path)
    exact = microslip.json("simulate", name, "--method", "averaging")
    paper = microslip.json("simulate", name, "--method", "averaging", "--properties", "paper")
    assert paper["properties"] == "paper" and exact["properties"] == "exact"
    assert paper["amplitude"][0][-1] != exact["amplitude"][0][-1]


@pytest.mark.parametrize("load", [
    'kind = "haversine"\namplitude = 1e4\nduration = 0.02',
    'kind = "sine"\namplitude = 100.0\nfrequency_hz = 99.0',
    'kind = "sweep"\namplitude = 100.0\nfrom_hz = 80.0\nto_hz = 120.0\nduration = 0.4\nspacing = "logarithmic"',
    'kind = "noise"\namplitude = 100.0\nrate_hz = 2000.0\nduration = 0.3\nseed = 5',
    'kind = "table"\nfile = "hit.csv"',
    'kind = "base"\nmotion = "half_sine"\namplitude = 100.0\nduration = 0.02',
    'kind = "none"',
])
def test_every_kind_of_load_runs(microslip, tmp_path, load):
    (tmp_path / "hit.csv").write_text("time,force\n" + "".join(f"{i * 1e-3},{1e3 * math.sin(i / 20 * math.pi)}\n" for i in range(21)))
    name = write(tmp_path, load=load, more="[initial]\ndisplacement = [0.001]\nvelocity = [0.5]")
    for method in ["newmark", "averaging", "hybrid"]:
        run = microslip.json("simulate", name, "--method", method)
        assert max(abs(u) for u in run["displacement"][0]) > 1e-4
        if "noise" in load:
            assert run["seed"] == 5


def test_same_input_same_bytes(microslip, tmp_path):
    name = write(tmp_path, load='kind = "noise"\namplitude = 100.0\nrate_hz = 2000.0\nduration = 0.3\nseed = 5')
    assert microslip("simulate", name, "--json").stdout == microslip("simulate", name, "--json").stdout


def test_outputs_are_chosen(microslip, tmp_path):
    name = write(tmp_path, more='[output]\nquantities = ["velocity"]\nevery = 10')
    run = microslip.json("simulate", name)
    assert "displacement" not in run and "amplitude" not in run
    assert len(run["velocity"][0]) == len(run["time"])


def test_csv_hdf5_and_report(microslip, tmp_path):
    name = write(tmp_path)
    csv = microslip("simulate", name, "--csv").stdout.splitlines()
    assert csv[0] == "time,displacement,velocity,amplitude,frequency_hz,damping_ratio"
    microslip("simulate", name, "-o", "run.h5", "--report", "run.html")
    assert (tmp_path / "run.h5").read_bytes()[:4] == b"\x89HDF"
    page = (tmp_path / "run.html").read_text()
    assert "Where the energy is" in page and "backbone" in page


def test_sensors_superpose(microslip, tmp_path):
    (tmp_path / "two.toml").write_text("""
[[mode]]
mass = 1.0
linear_stiffness = 1.0e4
damping = 1.0
shape = [1.0, 0.5]
[[mode]]
mass = 1.0
linear_stiffness = 9.0e4
damping = 1.0
shape = [-0.5, 1.0]
load_shape = 0.5
[[sensor]]
name = "tip"
row = [1.0, 1.0]
[load]
kind = "half_sine"
amplitude = 10.0
duration = 0.01
[time]
end = 0.3
""")
    run = microslip.json("simulate", "two.toml")
    assert run["coordinates"] == ["tip"] and len(run["amplitude"]) == 2


@pytest.mark.parametrize("change, words", [
    (dict(mass=0.0), ["mass"]),
    (dict(mass=-1.0), ["mass"]),
    (dict(steps=5), ["tenth"]),
    (dict(load='kind = "half_sin"\namplitude = 1.0\nduration = 1.0'), ["half_sine"]),
    (dict(load='kind = "half_sine"\namplitude = 1.0'), ["duration"]),
    (dict(load='kind = "half_sine"\namplitude = 1.0\nduration = -1.0'), ["duration"]),
    (dict(load='kind = "table"\nfile = "gap.csv"'), ["gap", "gap.csv:12"]),
    (dict(load='kind = "table"\nfile = "hole.csv"'), ["hole.csv:3"]),
    (dict(load='kind = "table"\nfile = "absent.csv"'), ["absent.csv"]),
    (dict(more="[initial]\ndisplacement = [1.0, 2.0]"), ["displacement", "mode"]),
    (dict(more='[output]\nquantities = ["velocitty"]'), ["velocity"]),
    (dict(more="[newmark]\nhht_alpha = 0.5"), ["hht_alpha"]),
    (dict(more="[nonsense]\na = 1"), ["nonsense"]),
    (dict(end=-1.0), ["end"]),
])
def test_wrong_systems_are_refused_in_one_line(microslip, tmp_path, change, words):
    times = [i * 1e-3 for i in range(10)] + [i * 1e-3 for i in range(15, 30)]
    (tmp_path / "gap.csv").write_text("time,force\n" + "".join(f"{t},1\n" for t in times))
    (tmp_path / "hole.csv").write_text("time,force\n0,1\n0.1,\n0.2,1\n")
    line = microslip.refused("simulate", write(tmp_path, **change))
    for word in words:
        assert word in line, line


def test_wrong_calls_are_refused(microslip, tmp_path):
    name = write(tmp_path)
    assert "newmark" in microslip.refused("simulate", name, "--method", "newmrk")
    assert "paper" in microslip.refused("simulate", name, "--method", "averaging", "--properties", "papr")
    microslip.refused("simulate", "absent.toml")
    (tmp_path / "overdamped.toml").write_text("[[mode]]\nmass = 1.0\nlinear_stiffness = 1.0\ndamping = 100.0\n[initial]\ndisplacement=[1.0]\n[time]\nend = 1.0\n")
    assert "damping ratio" in microslip.refused("simulate", "overdamped.toml", "--method", "averaging")


def test_divergence_is_status_3(microslip, tmp_path):
    name = write(tmp_path, load='kind = "half_sine"\namplitude = 1.0e308\nduration = 0.02', more="[initial]\ndisplacement = [1e308]\nvelocity = [1e308]")
    done = microslip("simulate", name, "--json", status=3)
    assert "converge" in done.stderr and done.stdout == ""


def test_a_static_force_moves_the_rest_position(microslip, tmp_path):
    name = write(tmp_path, load='kind = "none"', more="[prestress]\nforce = [2.0e4]")
    run = microslip.json("simulate", name)
    assert math.isclose(run["displacement"][0][0], run["displacement"][0][-1], rel_tol=1e-9)
    assert run["displacement"][0][0] > 0.04


MATRICES = """
[system]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = {stiffness}
[[joint]]
row = {row}
model = "iwan4"
slip_force = 200.0
stiffness = 2.0e5
chi = -0.4
beta = 0.5
[damping]
ratio = 0.001
[load]
kind = "half_sine"
amplitude = 300.0
duration = 0.002
row = [0.0, 1.0]
[time]
end = 0.1
"""
STIFFNESS = "[[3.0e5, -1.0e5], [-1.0e5, 1.0e5]]"


def test_matrices_with_joints(microslip, tmp_path):
    (tmp_path / "two.toml").write_text(MATRICES.format(stiffness=STIFFNESS, row="[-1.0, 1.0]"))
    run = microslip.json("simulate", "two.toml")
    assert run["coordinates"] == ["coordinate 1", "coordinate 2"] and len(run["displacement"]) == 2
    assert abs(run["energy"]["imbalance"]) < 1e-3
    (tmp_path / "K.txt").write_text("3e5 -1e5\n-1e5 1e5\n")
    (tmp_path / "file.toml").write_text(MATRICES.format(stiffness='"K.txt"', row="[-1.0, 1.0]"))
    assert microslip.json("simulate", "file.toml")["displacement"] == run["displacement"]
    assert "uncoupled" in microslip.refused("simulate", "two.toml", "--method", "averaging")
    (tmp_path / "short.toml").write_text(MATRICES.format(stiffness=STIFFNESS, row="[-1.0]"))
    assert "joint[1].row" in microslip.refused("simulate", "short.toml")
    (tmp_path / "both.toml").write_text("[[mode]]\nmass = 1.0\nlinear_stiffness = 1.0\n" + MATRICES.format(stiffness=STIFFNESS, row="[-1.0, 1.0]"))
    assert "either" in microslip.refused("simulate", "both.toml")
