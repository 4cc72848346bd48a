"""reduce, on two real CalculiX cantilevers that lie on each other, and on everything that may be wrong with them."""
import itertools
import math
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("MICROSLIP_SHARED", ROOT.parent / "shared")) / "data"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="set MICROSLIP_SHARED to the folder with the real files")

MODEL = """
[system]
stiffness = "two.sti"
mass = "two.mas"
coordinates = "two.dof"
mesh = "two.inp"

[interface]
top = "UPPER"
bottom = "LOWER"
normal = [0, 0, 1]

[[bolt]]
head = "HEAD"
nut = "NUT"

[[sensor]]
name = "tip_z"
node = 1021
direction = 3

[[line]]
name = "edge"
set = "EDGE"
direction = 3

[reduction]
kind = "whole_joint"
patches = [0.5]
fixed_interface_modes = 8

[check]
tangential_stiffness = 1e4
normal_stiffness = 1e4
modes = 4
"""
HZ = [588.19, 1156.2, 3711.0, 5525.1, 6674.7, 10438]  # of one cantilever, as ccx itself computes them


def names(numbers):
    return ", ".join(map(str, numbers))


@pytest.fixture
def two(tmp_path):
    """The cantilever and a copy of it 10 mm higher, whose nodes have numbers 1000 more: they touch at z = 0.01."""
    real = SHARED / "formats/calculix"
    coordinates = (real / "beam_ms.dof").read_text().split()
    shifted = [f"{int(c.split('.')[0]) + 1000}.{c.split('.')[1]}" for c in coordinates]
    (tmp_path / "two.dof").write_text("\n".join(coordinates + shifted) + "\n")
    n = len(coordinates)
    for kind in ["sti", "mas"]:
        text = (real / f"beam_ms.{kind}").read_text()
        for line in text.splitlines():
            row, column, value = line.split()
            text += f"{int(row) + n} {int(column) + n} {value}\n"
        (tmp_path / f"two.{kind}").write_text(text)
    nodes, elements, section = [], [], None
    for line in (real / "beam_ms.inp").read_text().splitlines():
        if line.startswith("*"):
            section = line
        elif section.startswith("*NODE"):
            number, x, y, z = line.split(",")
            nodes += [f"{number}, {x}, {y}, {z}", f"{int(number) + 1000}, {x}, {y}, {float(z) + 0.01:.12g}"]
        elif section.startswith("*ELEMENT"):
            numbers = [int(word) for word in line.split(",")]
            elements += [names(numbers), names([numbers[0] + 100] + [i + 1000 for i in numbers[1:]])]
    free = [*range(16, 22), *range(23, 29)]  # z = 0.01, but not at the clamped end
    sets = {"LOWER": free, "UPPER": [i + 1000 - 14 for i in free], "HEAD": [1018, 1025], "NUT": [4, 11],
            "EDGE": [1021, 1016, 1018], "NOBODY": []}
    inp = "*NODE\n" + "\n".join(nodes) + "\n*ELEMENT, TYPE=C3D8I\n" + "\n".join(elements) + "\n"
    for name, members in sets.items():
        inp += f"*NSET, NSET={name}\n{names(members)}\n" if members else f"*NSET, NSET={name}\n"
    (tmp_path / "two.inp").write_text(inp)
    (tmp_path / "two.toml").write_text(MODEL)
    return tmp_path


def edit(folder, old, new, name="two.toml"):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))


@needs_shared
def test_two_cantilevers_on_soft_springs_keep_their_own_frequencies(microslip, two):
    answer = microslip.json("reduce", "two.toml", "-o", "two.h5")
    assert answer["full_size"] == 252 and answer["points"] == 2 and answer["rigid_body_modes"] == 0
    assert answer["size"] == 12 + 8 == len(answer["coordinates"])
    assert answer["coordinates"][:3] == ["patch1.x", "patch1.y", "patch1.n"]
    # Springs of 1e4 N/m3 on 24 cm2 hold against half of 0.19 kg at 588 Hz: 2e-5 of the stiffness.
    for computed, expected in zip(answer["check"]["full_frequencies_hz"], [HZ[0], HZ[0], HZ[1], HZ[1]]):
        assert computed == pytest.approx(expected, rel=5e-5)
    for reduced, full in zip(answer["check"]["reduced_frequencies_hz"], answer["check"]["full_frequencies_hz"]):
        assert -1e-9 < reduced / full - 1 < 0.005
    assert answer["residual"]["static"] < 1e-8 and answer["residual"]["modes"] < 1e-7
    told = {entry["name"]: entry["summary"] for entry in microslip.json("info", "two.h5")["data_sets"]}
    assert told["format"] == "'microslip reduced model 1'" and told["coordinates"] == "20 texts"
    assert told["sensors"] == "1 x 20 numbers" and told["lines.0.name"] == "'edge'"


JOINT = """
file = "two.h5"
[joint]
model = "jenkins"
per_area = true
slip_force = 1e6
stiffness = 1e12
normal_stiffness = 1e12
"""


@needs_shared
@pytest.mark.parametrize("left_out", [0, 1, 2, 3])
def test_backbone_reads_what_reduce_writes(microslip, two, left_out):
    """One bolt, one sensor and one line, or none of some of them."""
    for table in ["bolt", "sensor", "line"][:left_out]:
        text = (two / "two.toml").read_text()
        start = text.index(f"[[{table}]]")
        (two / "two.toml").write_text(text[:start] + text[text.index("\n[", start + 2):])
    microslip("reduce", "two.toml", "-o", "two.h5")
    (two / "joint.toml").write_text(JOINT + ("[prestress]\nscale = 1000.0\n" if left_out == 0 else ""))
    run = microslip.json("backbone", "joint.toml", "--amplitudes", "1e-9:1e-8:2")
    assert all(run["converged"]) and list(run["sensors"]) == (["tip_z"] if left_out < 2 else [])


@needs_shared
def test_the_same_model_gives_the_same_bytes(microslip, two):
    microslip("reduce", "two.toml", "-o", "a.h5")
    microslip("reduce", "two.toml", "-o", "b.h5")
    assert (two / "a.h5").read_bytes() == (two / "b.h5").read_bytes()


@needs_shared
@pytest.mark.parametrize("old, new, said", [
    ('kind = "whole_joint"', 'kind = "whole_joints"', "did you mean 'whole_joint'"),
    ("patches = [0.5]", "patches = [1.5]", "1.5"),
    ("patches = [0.5]", "patch = [0.5]", "did you mean 'patches'"),
    ("fixed_interface_modes = 8", "fixed_interface_modes = 0", "[1, 10000]"),
    ("fixed_interface_modes = 8", "fixed_interface_modes = 9999", "mode"),
    ("normal = [0, 0, 1]", "normal = [0, 0, 0]", "direction of three numbers"),
    ("normal = [0, 0, 1]", "normal = [1, 0, 0]", "not plane"),
    ('top = "UPPER"', 'top = "UPER"', "'UPPER'"),
    ('top = "UPPER"', 'top = "HEAD"', "paired by position"),
    ('top = "UPPER"', 'top = "NOBODY"', "NOBODY"),
    ('head = "HEAD"', 'head = "NOBODY"', "NOBODY"),
    ('head = "HEAD"\nnut = "NUT"', 'head = "NUT"\nnut = "HEAD"', "swap head and nut"),
    ("node = 1021", "node = 77777", "77777.3"),
    ("node = 1021\ndirection = 3", "node = 1021\ndirection = 4", "1, 2 or 3"),
    ("node = 1021", 'set = "NOBODY"', "NOBODY"),
    ('set = "EDGE"', 'set = "NOBODY"', "NOBODY"),
    ('set = "EDGE"', 'set = "EGDE"', "EDGE"),
    ("tangential_stiffness = 1e4", "tangential_stiffness = -1", "> 0"),
    ("modes = 4\n", "modes = -1\n", "check.modes must lie in [0, 1000], got -1"),
    ("modes = 4\n", "modes = 1001\n", "check.modes must lie in [0, 1000], got 1001"),
    ('stiffness = "two.sti"', 'stiffness = "three.sti"', "three.sti"),
    ('mesh = "two.inp"', 'mesh = "two.mas"', "two.mas"),
    ('stiffness = "two.sti"', "stiffness = 3", "stiffness"),
])
def test_wrong_models_are_refused_in_one_line_and_leave_no_file(microslip, two, old, new, said):
    edit(two, old, new)
    assert said in microslip.refused("reduce", "two.toml", "-o", "two.h5")
    assert not [p for p in two.iterdir() if p.name.startswith("two.h5")]


@needs_shared
@pytest.mark.parametrize("name, old, new, said", [
    ("two.sti", "1 1  1.5256410256410e+09", "1 1  -1.5256410256410e+09", "coordinate 2.1"),
    ("two.sti", "1 1  1.5256410256410e+09", "1 1  nan", "stiffness entry (1, 1)"),
    ("two.sti", "1 1  1.5256410256410e+09", "1 9999  1.5256410256410e+09", "9999"),
    ("two.sti", "1 1  1.5256410256410e+09", "1 1", "two.sti"),
    ("two.mas", "1 1  ", "1 1  nan ", "two.mas"),
    ("two.dof", "2.1\n", "", "251"),
    ("two.dof", "2.1\n", "2.2\n", "2.2"),
    ("two.dof", "2.1\n", "two.one\n", "two.dof"),
    ("two.inp", "*NODE\n1,", "*NODE\n2,", "two.inp"),
])
def test_damaged_files_are_refused(microslip, two, name, old, new, said):
    edit(two, old, new, name)
    assert said in microslip.refused("reduce", "two.toml", "-o", "two.h5")
    assert not (two / "two.h5").exists()


def exchange(folder, a, b):
    text = (folder / "two.toml").read_text()
    assert a in text and b in text
    (folder / "two.toml").write_text(text.replace(a, "\0").replace(b, a).replace("\0", b))


@needs_shared
def test_mass_and_stiffness_exchanged_are_told(microslip, two):
    exchange(two, '"two.sti"', '"two.mas"')
    line = microslip.refused("reduce", "two.toml", "-o", "two.h5")
    assert line.startswith("microslip: two.toml:2: system: mass and stiffness are exchanged: ")
    assert not (two / "two.h5").exists()


FACES = ("microslip: two.toml:8: interface: along the normal, the part of top '{}' lies below the part of bottom '{}': "
         "exchange top and bottom, or turn the normal round")


@needs_shared
def test_faces_exchanged_are_told(microslip, two):
    exchange(two, '"UPPER"', '"LOWER"')
    assert microslip.refused("reduce", "two.toml", "-o", "two.h5") == FACES.format("LOWER", "UPPER")
    assert not (two / "two.h5").exists()
    edit(two, "normal = [0, 0, 1]", "normal = [0, 0, -1]")  # all turned round is as good
    exchange(two, '"HEAD"', '"NUT"')
    microslip("reduce", "two.toml", "-o", "two.h5")


@needs_shared
def test_a_normal_that_points_the_other_way_is_told(microslip, two):
    edit(two, "normal = [0, 0, 1]", "normal = [0, 0, -1]")
    assert microslip.refused("reduce", "two.toml", "-o", "two.h5") == FACES.format("UPPER", "LOWER")


@needs_shared
def test_head_and_nut_exchanged_are_told(microslip, two):
    exchange(two, '"HEAD"', '"NUT"')
    assert microslip.refused("reduce", "two.toml", "-o", "two.h5") == (
        "microslip: two.toml:13: bolt[1]: the bolt's axis (0, 0, 1) points from 'NUT' to 'HEAD', from nut to head is expected: "
        "swap head and nut, or turn the axis round")
    assert not (two / "two.h5").exists()


def test_wrong_calls(microslip, tmp_path):
    assert "none.toml" in microslip.refused("reduce", "none.toml", "-o", "x.h5")
    (tmp_path / "empty.toml").write_text("")
    assert "-o FILE.h5" in microslip.refused("reduce", "empty.toml")
    assert ".h5" in microslip.refused("reduce", "empty.toml", "-o", "x.mat")
    assert "empty.toml" in microslip.refused("reduce", "empty.toml", "-o", "x.h5")
    (tmp_path / "odd.toml").write_text("[sytem]\n")
    assert "did you mean 'system'" in microslip.refused("reduce", "odd.toml", "-o", "x.h5")
    assert not (tmp_path / "x.h5").exists()


BLOCKS = """
[system]
stiffness = "two.k.mtx"
mass = "two.m.mtx"
coordinates = "two.dof"
mesh = "two.inp"

[interface]
top = "UPPER"
bottom = "LOWER"
normal = [0, 0, 1]

[reduction]
kind = "whole_joint"
patches = [0.5]
fixed_interface_modes = 12

[check]
tangential_stiffness = 1e15
normal_stiffness = 1e15
modes = 6
"""


def floating_blocks(folder):
    """Two free blocks on each other: bars between all of a block's nodes, which turn with them without strain."""
    grid = list(itertools.product(range(4), range(3), range(2)))  # 50 mm apart
    number = {(block, *at): 100 * block + i + 1 for block in range(2) for i, at in enumerate(grid)}
    nodes = {n: (0.05 * x, 0.05 * y, 0.05 * (z + block)) for (block, x, y, z), n in number.items()}
    dofs = [(node, axis) for node in nodes for axis in range(3)]
    stiffness = {}
    for a, b in itertools.combinations(nodes, 2):
        if a // 100 != b // 100:
            continue
        length = math.dist(nodes[a], nodes[b])
        along = [(q - p) / length for p, q in zip(nodes[a], nodes[b])]
        for (m, i), (n, j) in itertools.product(itertools.product((a, b), range(3)), repeat=2):
            place = (dofs.index((m, i)), dofs.index((n, j)))
            stiffness[place] = stiffness.get(place, 0) + (1 if m == n else -1) * 1e8 * along[i] * along[j]
    mass = {(k, k): 0.1 for k in range(len(dofs))}
    for name, entries in [("k", stiffness), ("m", mass)]:
        lines = [f"{i + 1} {j + 1} {value!r}" for (i, j), value in entries.items()]
        (folder / f"two.{name}.mtx").write_text("%%MatrixMarket matrix coordinate real general\n"
                                                f"{len(dofs)} {len(dofs)} {len(lines)}\n" + "\n".join(lines) + "\n")
    (folder / "two.dof").write_text("".join(f"{node}.{axis + 1}\n" for node, axis in dofs))
    brick = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    bricks = [[number[block, x + i, y + j, k] for i, j, k in brick]
              for block, x, y in itertools.product(range(2), range(3), range(2))]
    lower, upper = ([n for (b, _, _, z), n in number.items() if (b, z) == side] for side in [(0, 1), (1, 0)])
    (folder / "two.inp").write_text(
        "*NODE\n" + "".join(f"{node}, {names(x)}\n" for node, x in nodes.items()) + "*ELEMENT, TYPE=C3D8\n" +
        "".join(f"{i + 1}, {names(corners)}\n" for i, corners in enumerate(bricks)) +
        f"*NSET, NSET=LOWER\n{names(lower)}\n*NSET, NSET=UPPER\n{names(upper)}\n")
    (folder / "two.toml").write_text(BLOCKS)


def test_a_mode_at_zero_has_no_relative_error(microslip, tmp_path):
    floating_blocks(tmp_path)
    text = microslip("reduce", "two.toml", "-o", "two.h5").stdout
    table = text[text.index("error"):text.index("coordinates:")].splitlines()[1:]
    # Two points in a row leave the blocks free to roll about them.
    assert len(table) == 6 and table[0].endswith("(at zero)"), text
    assert all(abs(float(line.split()[2])) < 0.1 for line in table[1:]), text
    check = microslip.json("reduce", "two.toml", "-o", "two.h5")["check"]
    frequencies = check["full_frequencies_hz"] + check["reduced_frequencies_hz"]
    assert all(isinstance(f, float) and f >= 0 for f in frequencies), check
