"""Every result that is a dictionary says which version made it, as the command's results do."""
import pathlib

import numpy as np
import pytest

import microslip

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
RIG = {"beam": {"length": 0.3, "width": 0.03, "height": 0.003, "youngs_modulus": 2e11, "density": 7850},
       "support": {"length": 0.05, "normal_stiffness": 1.7e9, "tangential_stiffness": 5.8e8, "friction_coefficient": 0.2},
       "bolt": {"position": 0.025, "mass": 0.052, "preload": 1e4, "head_diameter": 0.027},
       "load": {"position": 0.13, "frequency_hz": 31}}


def decay():
    t = np.arange(8192) / 4096 - 0.1
    x = np.where(t > 0, np.exp(-3 * t) * np.sin(600 * t), 0.0)
    return [{"name": "tip", "data": x, "unit_str": "m/s^2", "fs": 4096.0}]


CALLS = {
    "backbone": lambda: microslip.backbone(ROOT / "examples/brb-whole-joint.toml", [1e-7, 1e-6]),
    "beam_backbone": lambda: microslip.beam_backbone(RIG, [10.0]),
    "beam_loop": lambda: microslip.beam_loop(RIG, 10.0),
    "beam_pressure": lambda: microslip.beam_pressure(RIG),
    "fit_dissipation": lambda: microslip.fit_dissipation([42.4, 84.9, 127.3], [4.25e-5, 2.13e-4, 5.84e-4], slip_force=504),
    "fit_modal": lambda: microslip.fit_modal(microslip.ringdown(decay(), mode=95.5)),
    "fit_normal_stiffness": lambda: microslip.fit_normal_stiffness(RIG, [35.4, 220.8]),
    "predict": lambda: microslip.predict(DATA / "two-beam/table-6.toml", DATA / "two-beam/level-3.h5",
                                         shapes=DATA / "two-beam/shapes.json", hit="p25"),
    "respond": lambda: microslip.respond(DATA / "two-beam/table-6.toml", force=0.1, frequency_hz=[120.0, 121.0]),
    "ringdown": lambda: microslip.ringdown(decay(), mode=95.5)[0],
    "simulate": lambda: microslip.simulate(ROOT / "examples/hit.toml"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_result_carries_the_version(name):
    assert CALLS[name]()["microslip"] == microslip.__version__
