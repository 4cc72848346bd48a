"""Extrudes the plan mesh of the Brake-Reuss beam (data/brb/brb.geo, gmsh 2.2 format) to hexahedra for CalculiX.

usage: extrude.py PLAN.msh OUT.inp
"""
import collections
import sys

# Heights in mm; z = 0 is the interface. The left beam lies on top in the lap.
BEAM = 12.7
WASHER = 1.59
HEAD = 5.16
LAYERS = 4  # of a half-lap
top = [BEAM * i / LAYERS for i in range(LAYERS + 1)]
top += [BEAM + WASHER, BEAM + WASHER + HEAD / 2, BEAM + WASHER + HEAD]
levels = [-z for z in reversed(top[1:])] + top
middle = levels.index(0.0)
beam_top, washer_top, head_top = middle + LAYERS, middle + LAYERS + 1, len(levels) - 1
beam_bottom, washer_bottom, nut_bottom = middle - LAYERS, middle - LAYERS - 1, 0


def read_plan(path):
    """Nodes and, by the name of their region, the quadrilaterals (counter-clockwise)."""
    lines = iter(open(path).read().splitlines())
    names, nodes, quads = {}, {}, collections.defaultdict(list)
    for line in lines:
        if line == "$PhysicalNames":
            for _ in range(int(next(lines))):
                _, tag, name = next(lines).split()
                names[int(tag)] = name.strip('"')
        elif line == "$Nodes":
            for _ in range(int(next(lines))):
                tag, x, y, _ = next(lines).split()
                nodes[int(tag)] = (float(x), float(y))
        elif line == "$Elements":
            for _ in range(int(next(lines))):
                numbers = [int(word) for word in next(lines).split()]
                if numbers[1] != 3:
                    continue
                corners = numbers[3 + numbers[2]:]
                area = sum(nodes[a][0] * nodes[b][1] - nodes[b][0] * nodes[a][1]
                           for a, b in zip(corners, corners[1:] + corners[:1]))
                quads[names[numbers[3]]].append(corners if area > 0 else corners[::-1])
    return nodes, quads


class Solid:
    """Hexahedra and the nodes they use. The two parts share no node, even where they touch."""

    def __init__(self, plan):
        self.plan, self.ids, self.elements = plan, {}, []

    def node(self, part, plan_node, level):
        return self.ids.setdefault((part, plan_node, level), len(self.ids) + 1)

    def extrude(self, part, quads, lower, upper):
        for level in range(lower, upper):
            for quad in quads:
                self.elements.append([self.node(part, n, level) for n in quad] +
                                     [self.node(part, n, level + 1) for n in quad])

    def position(self, key):
        x, y = self.plan[key[1]]
        return x, y, levels[key[2]]


def main(plan_path, out_path):
    plan, quads = read_plan(plan_path)
    solid = Solid(plan)
    bolts = (1, 2, 3)
    lap = quads["ends"] + [q for b in bolts for r in ("seat", "washer", "block") for q in quads[f"{r}{b}"]]
    left, right = 1, 2
    solid.extrude(left, quads["left"], beam_bottom, beam_top)
    solid.extrude(left, lap, middle, beam_top)
    solid.extrude(right, quads["right"], beam_bottom, beam_top)
    solid.extrude(right, lap, beam_bottom, middle)
    ties, sets = [], {}
    for b in bolts:
        shank, gap, seat, washer = (quads[f"{r}{b}"] for r in ("shank", "gap", "seat", "washer"))
        solid.extrude(left, seat + washer, beam_top, washer_top)
        solid.extrude(left, shank + gap + seat, washer_top, head_top)
        solid.extrude(left, shank, nut_bottom, washer_top)
        solid.extrude(right, seat + washer, washer_bottom, beam_bottom)
        solid.extrude(right, gap + seat, nut_bottom, washer_bottom)
        # The thread: nodes of the shank's surface within the nut, and the nut's beside them.
        rim = sorted({n for q in shank for n in q} & {n for q in gap for n in q})
        thread = [(n, level) for level in range(nut_bottom, washer_bottom + 1) for n in rim]
        sets[f"HEAD{b}"] = [solid.ids[left, n, level] for n, level in thread]
        sets[f"NUT{b}"] = [solid.ids[right, n, level] for n, level in thread]
        ties += [(s, n, direction) for s, n in zip(sets[f"HEAD{b}"], sets[f"NUT{b}"]) for direction in (1, 2)]
    contact = sorted({n for q in lap for n in q})
    sets["CT"] = [solid.ids[left, n, middle] for n in contact]
    sets["CB"] = [solid.ids[right, n, middle] for n in contact]
    x_end = max(x for x, _ in plan.values())
    sets["END"] = [i for k, i in solid.ids.items()
                   if abs(solid.position(k)[0] - x_end) < 1e-6 and abs(solid.position(k)[1]) < 1e-6 and k[2] == middle]
    # The axis of each half, for pictures of mode shapes: nodes some 15 mm apart, and those at the ends.
    for name, part, region in (("AXIS_LEFT", left, quads["left"] + lap), ("AXIS_RIGHT", right, quads["right"] + lap)):
        axis = sorted((plan[n][0], n) for n in {n for q in region for n in q} if abs(plan[n][1]) < 1e-6)
        kept = axis[:1]
        for x, n in axis[1:-1]:
            if x - kept[-1][0] >= 15 and axis[-1][0] - x >= 7.5:
                kept.append((x, n))
        sets[name] = [solid.ids[part, n, middle] for _, n in kept + axis[-1:]]

    with open(out_path, "w") as out:
        out.write("*HEADING\nBrake-Reuss beam, SI units, free\n*NODE, NSET=NALL\n")
        for key, number in solid.ids.items():
            out.write("%d, %.12g, %.12g, %.12g\n" % (number, *(1e-3 * v for v in solid.position(key))))
        out.write("*ELEMENT, TYPE=C3D8I, ELSET=EALL\n")
        for number, corners in enumerate(solid.elements, 1):
            out.write(f"{number}, {', '.join(map(str, corners))}\n")
        for name, members in sets.items():
            out.write(f"*NSET, NSET={name}\n")
            for i in range(0, len(members), 12):
                out.write(", ".join(map(str, members[i:i + 12])) + "\n")
        out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n192.85e9, 0.29\n*DENSITY\n7857.8\n"
                  "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n")
        # The shank is tied to the nut in all directions but its axis.
        for s, n, direction in ties:
            out.write(f"*EQUATION\n2\n{s}, {direction}, 1.0, {n}, {direction}, -1.0\n")
        out.write("*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n6\n*END STEP\n")
    print(f"{len(solid.ids)} nodes, {len(solid.elements)} elements, {len(contact)} contact pairs")


if __name__ == "__main__":
    main(*sys.argv[1:])
