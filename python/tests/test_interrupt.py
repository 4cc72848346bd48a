"""Ctrl-C ends long work, soon and with what Python raises for it."""
import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest

import microslip

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "brb"


def interrupted(work):
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    # Each of them would take minutes; what is under way when Ctrl-C comes is a second or so.
    assert time.monotonic() - begun < 30


def test_backbone():
    interrupted(lambda: microslip.backbone(ROOT / "examples/brb-whole-joint.toml", np.geomspace(1e-7, 1e-5, 100_000)))


def test_study(tmp_path):
    (tmp_path / "s.toml").write_text(f"""
[structure]
file = "{DATA}/brb-whole-joint.h5"
preload = 12845.0
[measured]
mode = {{ 1 = "{DATA}/truth-1.csv" }}
fit = [1]
[budget]
members = 100
generations = 10000
[[combination]]
name = "Jenkins (WJ, Masing)"
method = "nsga2"
""")
    interrupted(lambda: microslip.study(tmp_path / "s.toml"))


def test_fit_modal():
    rate, n = 1000.0, 8192
    t = np.arange(n) / rate
    x = np.where(t > 0.2, np.exp(-1.5 * (t - 0.2)) * np.sin(2 * np.pi * 80 * (t - 0.2)), 0)
    x = x + 1e-3 * np.random.default_rng(1).standard_normal(n)
    modes = microslip.ringdown([dict(data=x, name="acc", fs=rate, unit_str="m/s^2")], mode=80)
    interrupted(lambda: microslip.fit_modal(modes, replicas=1000))
