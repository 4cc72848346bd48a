"""fit dissipation on the bundled data: docs/fit-dissipation.md."""
import math
import pathlib

import pytest

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "segalman"
AFF = DATA / "aff1_1.csv"
POINTS = [(42.42640687, 4.25e-05), (84.85281374, 2.13e-04), (127.2792206, 5.84e-04), (169.7056275, 1.23e-03), (226.27417, 2.56e-03)]


def fit(microslip, *arguments):
    return microslip.json("fit", "dissipation", *arguments)


def test_a_file_given_twice_is_no_repeat(microslip, tmp_path):
    (tmp_path / "one.csv").write_text("force,dissipation\n100,1e-4\n200,6e-4\n300,1.8e-3\n")
    (tmp_path / "link.csv").symlink_to("one.csv")
    line = microslip.refused("fit", "dissipation", "one.csv", "link.csv", "--slip-force", "1000")
    assert line == "microslip: link.csv is given twice: it would count as two tests"


def test_segalman_reproduces_the_paper(microslip):
    found = fit(microslip, AFF, "--slip-force", "504", "--method", "segalman")
    assert abs(found["parameters"]["chi"] + 0.5751) < 0.001
    assert abs(found["parameters"]["beta"] - 10) < 0.01
    assert abs(found["derived"]["phi_max"] / 7.586e-4 - 1) < 0.003
    assert abs(found["parameters"]["stiffness"] / 7.093e5 - 1) < 0.003
    assert any("power law" in note for note in found["notes"])


def test_default_fits_closer_and_says_what_it_cannot_tell(microslip):
    best = fit(microslip, AFF, "--slip-force", "504")
    paper = fit(microslip, AFF, "--slip-force", "504", "--method", "segalman")
    assert best["residual"] < paper["residual"]
    assert best["identifiable"]["beta"] is False and best["intervals"]["beta"] == [None, None]
    assert len(best["points"]) == 5 and best["model"] == "iwan4"


@pytest.mark.parametrize("name, slip_force, chi, beta, phi_max", [
    ("aff_manual_synthetic.csv", 504, -0.58, 10, 7.29e-4),
    ("stepped_synthetic.csv", 400, -0.6, 0.1, 4.92e-5),
])
def test_published_parameters_come_back(microslip, name, slip_force, chi, beta, phi_max):
    found = fit(microslip, DATA / name, "--slip-force", slip_force)
    assert abs(found["parameters"]["chi"] - chi) < 1e-6
    assert abs(found["parameters"]["beta"] / beta - 1) < 1e-6
    assert abs(found["derived"]["phi_max"] / phi_max - 1) < 1e-6


def test_the_rig_turns_forces_and_sets_the_stiffness(microslip):
    turned = fit(microslip, AFF, "--slip-force", "504", "--angle", "45", "--method", "segalman",
                 "--jointed-stiffness", "1.56e6", "--monolithic-stiffness", "2.67e6")
    assert math.isclose(turned["parameters"]["slip_force"], 504 * math.sqrt(2), rel_tol=1e-12)
    assert math.isclose(turned["points"][0]["force"], 42.42640687 * math.sqrt(2), rel_tol=1e-12)
    assert abs(turned["parameters"]["stiffness"] / (1 / (1 / 1.56e6 - 1 / 2.67e6)) - 1) < 0.02


def test_a_given_stiffness_has_no_interval(microslip):
    done = microslip("fit", "dissipation", AFF, "--slip-force", "504", "--stiffness", "3.75e6")
    assert any(line.split() == ["stiffness", "3.75e+06", "given"] for line in done.stdout.splitlines())


def test_several_sets_give_variability_and_point_out_the_odd_one(microslip, tmp_path):
    for k, factor in enumerate([1.0, 1.03, 0.97, 1.02, 0.45]):
        rows = "\n".join(f"{f},{factor * d}" for f, d in POINTS)
        (tmp_path / f"set{k}.csv").write_text("force,dissipation\n" + rows + "\n")
    found = fit(microslip, *[f"set{k}.csv" for k in range(5)], "--slip-force", "504")
    assert len(found["sets"]) == 5
    for key in ["experimental", "model", "leave_one_out"]:
        assert len(found["variability"][key]) == 5
    assert found["variability"]["outliers"] == ["set4"]
    mean = sum(s["parameters"]["chi"] for s in found["sets"]) / 5
    assert math.isclose(found["parameters"]["chi"], mean, rel_tol=1e-12)


def test_manual_method_goes_through_the_chosen_point(microslip):
    found = fit(microslip, AFF, "--slip-force", "504", "--method", "manual", "--chi", "-0.58", "--beta", "10", "--point", "3")
    assert math.isclose(found["points"][2]["model"], 5.84e-4, rel_tol=1e-12)
    assert len(found["curve"]["slope"]) == len(found["curve"]["force_ratio"]) == 101


def write(tmp_path, text):
    (tmp_path / "data.csv").write_text(text)
    return "data.csv"


def test_input_in_many_shapes_reads_the_same(microslip, tmp_path):
    expected = fit(microslip, AFF, "--slip-force", "504")["parameters"]
    rows = POINTS[::-1]
    shapes = {
        "swapped columns": "dissipation,force\n" + "\n".join(f"{d},{f}" for f, d in rows),
        "semicolons, decimal commas": "force;dissipation\n" + "\n".join(f"{f};{d}".replace(".", ",") for f, d in rows),
        "tabs, comments, blanks": "# test\n\nforce\tdissipation\n" + "\n\n".join(f"{f}\t{d}" for f, d in rows) + "\n\n",
    }
    for what, text in shapes.items():
        found = fit(microslip, write(tmp_path, text), "--slip-force", "504")["parameters"]
        assert all(math.isclose(found[key], expected[key], rel_tol=1e-6) for key in expected), what


@pytest.mark.parametrize("text, wanted", [
    ("force,dissipation\n1,1e-3\n2,-1e-3\n", ["data.csv:3", "dissipation", "> 0"]),
    ("force,dissipation\n1,1e-3\n2,0\n", ["data.csv:3", "> 0"]),
    ("force,dissipation\n1,1e-3\n2,abc\n", ["data.csv:3", "abc"]),
    ("force,dissipation\n1,1e-3\n", ["2 are needed"]),
    ("force,dissipation\n1,1e-3\n1,2e-3\n", ["data.csv:3", "line 2"]),
    ("force,disipation\n1,1e-3\n2,2e-3\n", ["dissipation"]),
    ("", ["data.csv"]),
])
def test_bad_files_are_refused_with_place_and_reason(microslip, tmp_path, text, wanted):
    line = microslip.refused("fit", "dissipation", write(tmp_path, text), "--slip-force", "504")
    assert all(word in line for word in wanted), line


def test_bad_calls_are_refused(microslip):
    assert "226.27417" in microslip.refused("fit", "dissipation", AFF, "--slip-force", "200")
    assert "slip" in microslip.refused("fit", "dissipation", AFF)
    assert "segalman" in microslip.refused("fit", "dissipation", AFF, "--slip-force", "504", "--method", "segalmann")
    assert "monolithic" in microslip.refused("fit", "dissipation", AFF, "--slip-force", "504", "--jointed-stiffness", "2e6",
                                             "--monolithic-stiffness", "1e6")
    microslip.refused("fit")
    microslip.refused("fit", "dissipation", "no-such.csv", "--slip-force", "504")


MANUAL = ["--method", "manual", "--chi", "-0.58", "--beta", "10"]


@pytest.mark.parametrize("arguments, said", [
    (["--method", "segalman", "--chi-bounds", "-0.5", "0"], "--chi-bounds goes with method best, not with segalman"),
    (["--method", "segalman", "--beta-bounds", "0.1", "1"], "--beta-bounds goes with method best, not with segalman"),
    ([*MANUAL, "--noise", "0.1"], "--noise goes with method best, not with manual"),
    (["--chi", "-0.5"], "--chi goes with method manual, not with best"),
    (["--method", "segalman", "--beta", "1"], "--beta goes with method manual, not with segalman"),
    (["--point", "2"], "--point goes with method manual, not with best"),
    ([*MANUAL, "--stiffness", "1e6"], "takes none"),
    ([*MANUAL, "--jointed-stiffness", "1.56e6", "--monolithic-stiffness", "2.67e6"], "takes none"),
])
def test_what_a_method_has_no_use_for_is_refused(microslip, arguments, said):
    assert said in microslip.refused("fit", "dissipation", AFF, "--slip-force", "504", *arguments)


def test_weights_that_a_method_does_not_take_are_noted(microslip, tmp_path):
    file = write(tmp_path, "force,dissipation,weight\n" + "".join(f"{f},{d},{k + 1}\n" for k, (f, d) in enumerate(POINTS)))
    for method, noted in (["--method", "best"], False), (["--method", "segalman"], True), (MANUAL, True):
        notes = fit(microslip, file, "--slip-force", "504", *method)["notes"]
        assert any("weight has no effect" in note for note in notes) == noted


def test_report_is_written(microslip, tmp_path):
    microslip("fit", "dissipation", AFF, "--slip-force", "504", "--report", "fit.html")
    assert "Joint model from dissipation data" in (tmp_path / "fit.html").read_text()


@pytest.mark.parametrize("n_points, method, said", [
    (3, ["--method", "best"], "too few points to tell"),
    (5, ["--method", "segalman"], "not told by this method"),
])
def test_a_report_says_why_there_are_no_intervals(microslip, tmp_path, n_points, method, said):
    file = write(tmp_path, "force,dissipation\n" + "".join(f"{f},{d}\n" for f, d in POINTS[:n_points]))
    microslip("fit", "dissipation", file, "--slip-force", "504", *method, "--report", "fit.html")
    page = (tmp_path / "fit.html").read_text()
    assert said in page and ("bounds of chi" in page) == ("best" in method)
