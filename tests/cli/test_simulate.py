"""simulate: docs/simulate.md."""
import json
import math
import pathlib
import re
import signal
import subprocess
import time

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


def page_notes(page):
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), flags=re.S).group(1)
    return [note["text"] for note in json.loads(data)["notes"]]


def test_newmark_has_the_keys_that_stay(microslip, tmp_path):
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


@pytest.mark.parametrize("load, more, said", [
    (PULSE + "\nrow = [1]", "", "row"),
    (PULSE + '\nsensor = "tip"', "", "sensor"),
    (PULSE, "retain_below_hz = 100", "retain_below_hz"),
])
def test_what_means_nothing_to_modes_is_refused(microslip, tmp_path, load, more, said):
    line = microslip.refused("simulate", write(tmp_path, load=load, more=more))
    assert "system.toml:" in line and said in line and "[system]" in line


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


def test_paper_properties_beyond_their_range_are_noted(microslip, tmp_path):
    # phi_max = 0.24 m: 10 kN stay far below, 100 kN do not, by averaging from the start and after the hand-over alike
    for method in ["averaging", "hybrid"]:
        call = ["--method", method, "--properties", "paper"]
        assert "phi_max" not in microslip("simulate", write(tmp_path), *call).stderr
        strong = write(tmp_path, mass=98.85, load=PULSE.replace("1.0e4", "3.0e5"))
        assert "phi_max = 0.24" in microslip("simulate", strong, *call).stderr
        assert "phi_max" not in microslip("simulate", strong, "--method", method).stderr
        done = microslip("simulate", strong, *call, "--json", "--report", "run.html")
        run, notes = json.loads(done.stdout), page_notes(tmp_path / "run.html")
        assert run["notes"] == notes and "frequency and damping there are wrong" in notes[0]
        assert all(f"note: {note}\n" in done.stderr for note in notes)
        assert microslip.json("simulate", write(tmp_path), "--method", method)["notes"] == []


def test_properties_are_refused_where_nothing_is_averaged(microslip, tmp_path):
    name = write(tmp_path)
    for extra in [[], ["--method", "newmark"]]:
        for properties in ["exact", "paper"]:
            line = microslip.refused("simulate", name, *extra, "--properties", properties)
            assert "properties" in line and "averaging or hybrid" in line
    # in the file they wait for the method that needs them
    microslip("simulate", write(tmp_path, more='[averaging]\nproperties = "paper"'))


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
    assert csv[0] == "time,displacement,velocity"  # the envelope is not known while the load acts
    microslip("simulate", name, "-o", "run.h5", "--report", "run.html")
    assert (tmp_path / "run.h5").read_bytes()[:4] == b"\x89HDF"
    page = (tmp_path / "run.html").read_text()
    assert "Where the energy is" in page and "backbone" in page
    name = write(tmp_path, load='kind = "sine"\namplitude = 100.0\nfrequency_hz = 99.0')
    microslip("simulate", name, "--method", "averaging", "--report", "sine.html")
    assert "Where the energy is" in (tmp_path / "sine.html").read_text()


HIT = """
[[mode]]
mass = 1.0
linear_stiffness = 6.0e5
damping = 1.3
joint = { model = "iwan4", slip_force = 60.0, stiffness = 2.0e5, chi = -0.4, beta = 0.5 }
[load]
kind = "half_sine"
amplitude = 300.0
duration = 0.002
[time]
end = 2.0
steps_per_period = 60
"""


@pytest.mark.parametrize("method", ["newmark", "averaging", "hybrid"])
def test_csv_is_a_record_that_ringdown_reads(microslip, tmp_path, method):
    (tmp_path / "hit.toml").write_text(HIT)
    csv = microslip("simulate", "hit.toml", "--method", method, "--csv").stdout
    assert "nan" not in csv and "inf" not in csv and ",," not in csv
    (tmp_path / "record.csv").write_text(csv)
    mode = microslip.json("ringdown", "record.csv", "--mode", "142", "--channel", "displacement")["modes"][0]
    # At vanishing amplitude sqrt(8e5) rad/s; the 2 s end at an amplitude that is 0.15 % below.
    assert math.isclose(mode["low_amplitude_frequency_hz"], math.sqrt(8e5) / (2 * math.pi), rel_tol=3e-3)


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
    for method in ["newmark", "averaging", "hybrid"]:
        for every in ["0", "-3"]:
            line = microslip.refused("simulate", name, "--method", method, "--every", every)
            assert "output.every must be at least 1" in line and every in line
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


FREE = '[system]\nmass = [[1.0]]\nstiffness = [[0.0]]\n[load]\nkind = "none"\n[time]\nend = 0.1\n'


def test_a_structure_without_elastic_modes_blames_what_was_written(microslip, tmp_path):
    (tmp_path / "free.toml").write_text(FREE)
    line = microslip.refused("simulate", "free.toml")
    assert "free.toml: system.stiffness: the structure has no elastic mode" in line
    (tmp_path / "free.toml").write_text(FREE + "retain_below_hz = 10.0\n")
    assert "time.retain_below_hz" in microslip.refused("simulate", "free.toml")


BLOCK = """
[system]
mass = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
stiffness = [[2.0e3, 0.0, 0.0], [0.0, 2.0e3, 0.0], [0.0, 0.0, 0.0]]
[interface]
map = "map.txt"
areas = "areas.txt"
contact = "{contact}"
[joint]
{joint}
[prestress]
force = "press.txt"
scale = 50.0
[damping]
ratio = 0.001
[load]
kind = "sine"
amplitude = 30.0
frequency_hz = 12.0
row = [1.0, 0.5, 0.0]
[time]
end = 0.2
steps_per_period = 100
"""
DRY = 'model = "elastic_dry_friction"\nfriction_coefficient = 0.4\nstiffness = 1.0e4\nnormal_stiffness = 1.0e5'


def write_block(folder, contact="penalty", joint=DRY, name="block.toml"):
    (folder / "map.txt").write_text("1 0 0\n0 1 0\n0 0 1\n")
    (folder / "areas.txt").write_text("2.0\n")
    (folder / "press.txt").write_text("0\n0\n1\n")
    (folder / name).write_text(BLOCK.format(contact=contact, joint=joint))
    return name


def test_an_interface_gives_friction_its_normal_force(microslip, tmp_path):
    run = microslip.json("simulate", write_block(tmp_path))
    # pressed by 50 N on a spring of 1e5 N/m, so that friction is a slider of 20 N
    assert math.isclose(run["displacement"][2][0], 50 / 1e5, rel_tol=1e-9)
    slider = 'model = "jenkins"\nslip_force = 20.0\nstiffness = 1.0e4\nnormal_stiffness = 1.0e5'
    same = microslip.json("simulate", write_block(tmp_path, "spring", slider))
    for row in range(3):
        peak = max(map(abs, same["displacement"][row]))
        assert all(math.isclose(a, b, rel_tol=0, abs_tol=1e-9 * peak)
                   for a, b in zip(run["displacement"][row], same["displacement"][row]))
    assert run["energy"]["dissipated"] > 0.1 * run["energy"]["work"]
    # per area: twice the stiffness on an area of two
    doubled = microslip.json("simulate", write_block(tmp_path, joint=DRY + "\nper_area = true"))
    assert math.isclose(doubled["displacement"][2][0], 25 / 1e5, rel_tol=1e-9)


@pytest.mark.parametrize("contact, joint, words", [
    ("spring", DRY, ["joint", "normal_force"]),
    ("penalty", DRY + "\nnormal_force = 3.0", ["joint", "normal_force"]),
    ("glue", DRY, ["interface", "glue"]),
    ("penalty", DRY.replace("normal_stiffness", "nothing"), ["joint", "normal_stiffness"]),
    ("penalty", DRY.replace("1.0e5", "-1.0e5"), ["joint", "normal_stiffness"]),
])
def test_wrong_interfaces_are_refused_in_one_line(microslip, tmp_path, contact, joint, words):
    line = microslip.refused("simulate", write_block(tmp_path, contact, joint))
    for word in words:
        assert word in line, line


ROM = """
file = "{rom}"
[interface]
contact = "{contact}"
[joint]
per_area = true
normal_stiffness = 1.0e13
{joint}
[prestress]
scale = {preload}
[damping]
ratio = 0.0005
[load]
kind = "half_sine"
amplitude = {force}
duration = 0.001
sensor = "{sensor}"
[time]
end = 0.03
steps_per_period = {steps}
retain_below_hz = 20000.0
[output]
quantities = ["displacement", "amplitude"]
"""
IWAN = 'model = "iwan4"\nslip_force = 1.6e5\nstiffness = 4.0e12\nchi = -0.5\nbeta = 1.0e-3'
EDF = 'model = "elastic_dry_friction"\nfriction_coefficient = 0.3\nstiffness = 4.0e12'


def write_rom(folder, contact="spring", joint=IWAN, preload=12845.0, force=100.0, sensor="end_z", steps=10, rom=None):
    rom = rom or pathlib.Path(__file__).parents[2] / "data/brb/brb-whole-joint.h5"
    (folder / "rom.toml").write_text(ROM.format(rom=rom, contact=contact, joint=joint, preload=preload, force=force,
                                                sensor=sensor, steps=steps))
    return "rom.toml"


@pytest.mark.parametrize("contact, joint", [("spring", IWAN), ("penalty", IWAN), ("penalty", EDF)])
def test_a_reduced_model_rings_after_a_blow(microslip, tmp_path, contact, joint):
    """The bundled Brake-Reuss beam: bolts tightened, then hit at its end."""
    run = microslip.json("simulate", write_rom(tmp_path, contact, joint))
    assert run["coordinates"] == ["end_z", "end_y"]
    energy = run["energy"]
    assert energy["initial"] > 1e-3 and energy["work"] > 0 and energy["dissipated"] > 0
    # the imbalance against what the blow put in, not against the energy that the bolts hold
    assert abs(energy["imbalance"] * (energy["initial"] + energy["work"])) < 0.02 * energy["work"]
    # Ten times less force, ten times less motion about the preloaded rest, but for what the joint softens.
    weak = microslip.json("simulate", write_rom(tmp_path, contact, joint, force=1.0))
    weaker = microslip.json("simulate", write_rom(tmp_path, contact, joint, force=0.1))
    swing = [max(u) - min(u) for u in (weak["displacement"][0], weaker["displacement"][0])]
    assert math.isclose(swing[0], 10 * swing[1], rel_tol=0.01)
    # It stays where the bolts put it until it is hit.
    rest = microslip.json("simulate", write_rom(tmp_path, contact, joint, force=0.0))
    assert max(rest["displacement"][0]) - min(rest["displacement"][0]) < 1e-6 * swing[1]


def test_a_reduced_model_halves_steps_where_newton_stalls(microslip, tmp_path):
    coarse = microslip.json("simulate", write_rom(tmp_path, force=5000.0))
    fine = microslip.json("simulate", write_rom(tmp_path, force=5000.0, steps=80))
    swing = max(fine["displacement"][0]) - min(fine["displacement"][0])
    assert coarse["halved_steps"] > 0
    assert abs(coarse["displacement"][0][-1] - fine["displacement"][0][-1]) < 0.01 * swing


def test_wrong_reduced_models_are_refused(microslip, tmp_path):
    assert "end_z" in microslip.refused("simulate", write_rom(tmp_path, sensor="end_x"))
    assert "rom.h5" in microslip.refused("simulate", write_rom(tmp_path, rom="absent-rom.h5"))
    (tmp_path / "no.h5").write_text("this is no HDF5")
    assert "no.h5" in microslip.refused("simulate", write_rom(tmp_path, rom="no.h5"))
    # Bolts that push the halves apart leave nothing that holds them together.
    assert "static balance" in microslip("simulate", write_rom(tmp_path, contact="penalty", preload=-1e3), status=3).stderr


TWO_JOINTS = """
[system]
mass = [[1.0, 0.0], [0.0, 1.0]]
stiffness = [[100.0, 0.0], [0.0, SECOND]]
[[joint]]
row = [1.0, 0.0]
model = "jenkins"
slip_force = 10.0
stiffness = 1.0e5
[[joint]]
row = [-1.0, 1.0]
model = "jenkins"
slip_force = 9.0
stiffness = 1.0e5
[prestress]
force = [2.0, 15.5]
[load]
kind = "none"
[time]
end = 0.01
"""


def test_a_balance_with_one_joint_slipping_is_found(microslip, tmp_path):
    # The first joint slips at 10 N and the second sticks: 100 u_1 + 10 - f = 2, 1000 u_2 + f = 15.5, f = 1e5 (u_2 - u_1).
    (tmp_path / "rest.toml").write_text(TWO_JOINTS.replace("SECOND", "1000.0"))
    rest = [series[0] for series in microslip.json("simulate", "rest.toml")["displacement"]]
    u_1 = (7.5 * 1e5 - 8 * 1000) / (100 * 1000 + 1100 * 1e5)  # the sum of both, with the first solved for u_2
    assert math.isclose(rest[0], u_1, rel_tol=1e-9) and math.isclose(rest[1], (7.5 - 100 * u_1) / 1000, rel_tol=1e-9)
    # Without its spring the second coordinate hangs on 9 N, of the 15.5 N that pull it.
    (tmp_path / "none.toml").write_text(TWO_JOINTS.replace("SECOND", "0.0"))
    assert "found no static balance under more than 0.58" in microslip("simulate", "none.toml", status=3).stderr


def test_steps_by_accuracy(microslip, tmp_path):
    name = write(tmp_path)
    run = microslip.json("simulate", name, "--accuracy", "1e-5")
    assert run["accuracy"] == 1e-5 and run["refined_steps"] > 0
    assert run["n_steps"] == math.ceil(0.5 * math.sqrt(3.9e5) / math.sqrt(12e-5))
    assert abs(run["energy"]["imbalance"]) < 2e-5
    assert "accuracy" not in microslip.json("simulate", name)
    assert "accuracy" in microslip.refused("simulate", name, "--accuracy", "1")
    assert "either" in microslip.refused("simulate", name, "--accuracy", "1e-4", "--steps-per-period", "50")


def test_ctrl_c_keeps_what_is_finished(microslip, tmp_path):
    name = write(tmp_path, end=1e5, more='[output]\nquantities = ["displacement"]\nevery = 10000')
    process = subprocess.Popen([microslip.binary, "simulate", name, "--json"], cwd=tmp_path, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "stopped at" in err and "kept" in err
    run = json.loads(out)
    assert 0 < run["stopped_at"] < 1e5 and run["notes"][-1].startswith("stopped at")
    assert len(run["time"]) == len(run["displacement"][0]) > 1
    assert run["time"][-1] <= run["stopped_at"]


@pytest.mark.parametrize("load, key", [
    (PULSE + "\nfrequency_hz = 10.0", "frequency_hz"),
    (PULSE + '\nmotion = "sine"', "motion"),
    ('kind = "sine"\namplitude = 1.0\nfrequency_hz = 10.0\nspacing = "linear"', "spacing"),
    ('kind = "none"\namplitude = 1.0', "amplitude"),
    ('kind = "base"\nmotion = "haversine"\namplitude = 1.0\nduration = 0.02\nseed = 1', "seed"),
])
def test_a_key_of_another_kind_of_load_is_refused(microslip, tmp_path, load, key):
    line = microslip.refused("simulate", write(tmp_path, load=load))
    assert f"load.{key} means nothing to a load of kind" in line


def test_a_misspelt_kind_of_load_is_named(microslip, tmp_path):
    name = write(tmp_path, load='knd = "sine"\namplitude = 1.0')
    assert "load.knd" in microslip.refused("simulate", name)


def test_a_negative_seed_is_refused(microslip, tmp_path):
    noise = 'kind = "noise"\namplitude = 1.0\nrate_hz = 100.0\nduration = 0.02\nseed = -1'
    assert "load.seed must be >= 0, got -1" in microslip.refused("simulate", write(tmp_path, load=noise))
