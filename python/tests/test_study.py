"""A study from Python gives what the command prints."""
import pathlib

import numpy as np
import pytest

import microslip

DATA = pathlib.Path(__file__).parents[2] / "data" / "brb"
STUDY = f"""
[structure]
file = "{DATA}/brb-whole-joint.h5"
preload = 12845.0
[measured]
mode = {{ 1 = "{DATA}/truth-1.csv", 3 = "{DATA}/truth-2.csv" }}
fit = [1]
[budget]
members = 8
generations = 2
[[combination]]
name = "Jenkins (WJ, Masing)"
method = "nsga2"
"""


def test_area_fraction_of_the_papers_experimental_point():
    area = microslip.area_fraction([[3.55e-3, 1.29e-1]], (7.12e-4, 1.98e-2), (0.17, 0.5))
    assert area == pytest.approx(0.2406, abs=3e-4)  # section 4.5
    with pytest.raises(ValueError, match="rows of two"):
        microslip.area_fraction([1, 2, 3], (0, 0), (1, 1))


def test_front():
    assert microslip.non_dominated(np.array([[3, 1], [1, 3], [2, 2], [3, 3]])) == [1, 2, 0]


def test_study_and_resume(tmp_path):
    (tmp_path / "s.toml").write_text(STUDY)
    first = microslip.study(tmp_path / "s.toml", threads=1, checkpoint=tmp_path / "kept")
    again = microslip.study(tmp_path / "s.toml", threads=2, checkpoint=tmp_path / "kept", resume=True)
    assert first == again
    assert first["combinations"][0]["name"] == "Jenkins (WJ, Masing)"
    assert len(first["ranking"]) == 1
    with pytest.raises(ValueError, match="checkpoint"):
        microslip.study(tmp_path / "s.toml", resume=True)
