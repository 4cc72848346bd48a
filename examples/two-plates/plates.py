"""Writes the CalculiX model of two steel plates, lapped and held by one bolt, and a coarser mesh of their interface.

usage: plates.py plates.inp interface.msh

Each plate is 120 mm x 30 mm x 5 mm, the lap 40 mm long; SI units, free. The bolt is its preload: opposite forces on the
nodes under head and nut. Bricks of 5 mm x 5 mm x 2.5 mm that match across the lap.
"""
import sys

STEP, THICKNESS = 0.005, 0.005
PLATES = {"UPPER": (0.0, 0.12, 0.0), "LOWER": (0.08, 0.20, -THICKNESS)}  # from x, to x, from z
WIDTH = 0.03
BOLT, WASHER = (0.10, 0.0), 0.009


def write_interface(path, x_0, x_1, nx=8, ny=4):
    """A grid of quadrilaterals over the lap, in gmsh's format 2.2."""
    nodes = [(x_0 + (x_1 - x_0) * i / nx, WIDTH * (j / ny - 0.5)) for j in range(ny + 1) for i in range(nx + 1)]
    corners = [1 + i + (nx + 1) * j for j in range(ny) for i in range(nx)]
    with open(path, "w") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(nodes)}\n")
        for n, (x, y) in enumerate(nodes, 1):
            out.write(f"{n} {x:.9g} {y:.9g} 0\n")
        out.write(f"$EndNodes\n$Elements\n{len(corners)}\n")
        for n, a in enumerate(corners, 1):
            out.write(f"{n} 3 2 1 1 {a} {a + 1} {a + nx + 2} {a + nx + 1}\n")
        out.write("$EndElements\n")


def main(path, interface_path):
    nodes, elements = {}, []
    ny, nz = round(WIDTH / STEP), 2
    for plate, (x_0, x_1, z_0) in PLATES.items():
        nx = round((x_1 - x_0) / STEP)

        def node(i, j, k):
            at = (plate, round(x_0 + i * STEP, 9), round(j * STEP - WIDTH / 2, 9), round(z_0 + k * THICKNESS / nz, 9))
            return nodes.setdefault(at, len(nodes) + 1)

        for i in range(nx):
            for j in range(ny):
                for k in range(nz):
                    elements.append([node(i + a, j + b, k + c)
                                     for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))])
    lap_0, lap_1 = PLATES["LOWER"][0], PLATES["UPPER"][1]

    def chosen(plate, z, holds):
        return [n for (p, x, y, height), n in nodes.items() if p == plate and height == z and holds(x, y)]

    def under_washer(x, y):
        return (x - BOLT[0]) ** 2 + (y - BOLT[1]) ** 2 < WASHER**2

    sets = {
        "CT": chosen("UPPER", 0, lambda x, y: x >= lap_0),
        "CB": chosen("LOWER", 0, lambda x, y: x <= lap_1),
        "HEAD": chosen("UPPER", THICKNESS, under_washer),
        "NUT": chosen("LOWER", -THICKNESS, under_washer),
        "LEFT": chosen("UPPER", 0, lambda x, y: y == 0),
        "RIGHT": chosen("LOWER", 0, lambda x, y: y == 0),
        "TIP": chosen("LOWER", 0, lambda x, y: y == 0 and x == PLATES["LOWER"][1]),
    }
    with open(path, "w") as out:
        out.write("*NODE, NSET=NALL\n")
        for (_, x, y, z), n in nodes.items():
            out.write(f"{n}, {x:.9g}, {y:.9g}, {z:.9g}\n")
        out.write("*ELEMENT, TYPE=C3D8I, ELSET=EALL\n")
        for n, corners in enumerate(elements, 1):
            out.write(f"{n}, {', '.join(map(str, corners))}\n")
        for name, members in sets.items():
            out.write(f"*NSET, NSET={name}\n")
            for i in range(0, len(members), 12):
                out.write(", ".join(map(str, members[i:i + 12])) + "\n")
        out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.0e11, 0.3\n*DENSITY\n7850.\n"
                  "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n"
                  "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n6\n*END STEP\n")
    write_interface(interface_path, lap_0, lap_1)
    print(f"{len(nodes)} nodes, {len(elements)} elements, {len(sets['CT'])} contact pairs")


if __name__ == "__main__":
    main(*sys.argv[1:])
