#!/usr/bin/env python3
"""Writes dissipation data of published parameter sets: exact values of Segalman's Eqs. 31 and 34, 17 digits."""
import math
import pathlib

SETS = {
    # name: (slip force, phi_max, chi, beta, what)
    "aff_manual": (504.0, 7.29e-4, -0.58, 10.0, "AFF leg, manual fit [Segalman2002, Fig. 7]"),
    "stepped": (400.0, 4.92e-5, -0.6, 0.1, "stepped specimen [Segalman2002, Fig. 9]"),
}

for name, (slip_force, phi_max, chi, beta, what) in SETS.items():
    b = beta + (chi + 1) / (chi + 2)
    lines = [
        f"# SYNTHETIC: made from the published parameters of the {what}, not measured.",
        f"# slip_force {slip_force:g}, phi_max {phi_max:g}, chi {chi:g}, beta {beta:g}; exact to 17 digits.",
        "force,dissipation",
    ]
    for i in range(12):
        r = 0.04 * (0.95 / 0.04) ** (i / 11)
        force = slip_force * r * (beta + 1 - r ** (chi + 1) / (chi + 2)) / b
        dissipation = 4 * slip_force * phi_max * r ** (chi + 3) / (chi + 3) * ((chi + 1) / (chi + 2)) / b
        lines.append(f"{force!r},{dissipation!r}")
    pathlib.Path(__file__).with_name(f"{name}_synthetic.csv").write_text("\n".join(lines) + "\n")
