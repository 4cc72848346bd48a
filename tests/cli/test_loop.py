"""models and loop: docs/joints.md."""
import json
import math
import pathlib

import pytest

IWAN = ["iwan4", "slip_force=504", "stiffness=7.1e5", "chi=-0.5", "beta=1"]


def test_models_lists_every_law_with_its_table(microslip):
    table = json.loads(microslip("models", "--json").stdout)
    names = [law["name"] for law in table]
    for name in ["iwan4", "iwan5", "bouc_wen", "bouc_wen_1", "bouc_wen_2", "valanis", "jenkins", "elastic_dry_friction", "prager", "jenkins_prager"]:
        assert name in names
    for law in table:
        for parameter in law["parameters"]:
            assert {"name", "symbol", "unit", "lower", "upper", "default", "meaning"} <= parameter.keys()


def test_loop_has_the_closed_form_dissipation(microslip):
    loop = microslip.json("loop", *IWAN, "--amplitude", "4e-4")
    chi, beta, kt, fs, a = -0.5, 1.0, 7.1e5, 504.0, 4e-4
    phi_max = fs * (1 + beta) / (kt * (beta + (chi + 1) / (chi + 2)))
    R = fs * (chi + 1) / (phi_max ** (chi + 2) * (beta + (chi + 1) / (chi + 2)))
    assert math.isclose(loop["dissipation"], 4 * R * a ** (chi + 3) / ((chi + 2) * (chi + 3)), rel_tol=1e-12)
    assert loop["displacement"][0] == a and min(loop["displacement"]) == -a
    assert math.isclose(loop["secant_stiffness"], max(loop["force"]) / a, rel_tol=1e-12)


def test_loop_follows_a_history_and_closes_the_last_outermost_cycle(microslip, tmp_path):
    (tmp_path / "history.csv").write_text("# two cycles\ndisplacement\n0\n4e-4\n-4e-4\n4e-4\n1e-4\n2e-4\n")
    followed = microslip.json("loop", *IWAN, "--history", "history.csv")
    steady = microslip.json("loop", *IWAN, "--amplitude", "4e-4")
    assert math.isclose(followed["dissipation"], steady["dissipation"], rel_tol=1e-12)
    assert len(followed["force"]) == len(followed["dissipated"]) == 6


def test_a_minor_loop_at_an_end_is_not_the_outermost_cycle(microslip, tmp_path):
    steady = microslip.json("loop", *IWAN, "--amplitude", "4e-4")["dissipation"]
    for after in ["1e-4\n4e-4", "1e-4\n4e-4\n4e-4\n0\n4e-4", "-3.9e-4\n4e-4"]:
        (tmp_path / "history.csv").write_text(f"displacement\n0\n4e-4\n-4e-4\n4e-4\n{after}\n")
        assert math.isclose(microslip.json("loop", *IWAN, "--history", "history.csv")["dissipation"], steady, rel_tol=1e-12)
    # The last of equals, at either end: a first cycle from rest loses less where the law does not obey Masing's rules.
    law = ["bouc_wen", "stiffness=1e6", "n=1.5", "eta=300"]
    (tmp_path / "history.csv").write_text("displacement\n0\n4e-4\n-4e-4\n4e-4\n-4e-4\n")
    followed = microslip.json("loop", *law, "--history", "history.csv")
    assert followed["dissipation"] == followed["dissipated"][4] - followed["dissipated"][2]
    # Where a minor loop is all that closes, it is the outermost.
    (tmp_path / "history.csv").write_text("displacement\n0\n1e-3\n2e-4\n1e-3\n")
    followed = microslip.json("loop", *IWAN, "--history", "history.csv")
    assert followed["dissipation"] == followed["dissipated"][3] - followed["dissipated"][1] > 0


@pytest.mark.parametrize("call, option", [
    (["--history", "path.csv", "--framework", "masing"], "--framework"),
    (["--history", "path.csv", "--points", "50"], "--points"),
    (["--history", "path.csv", "--normal-stiffness", "1e7"], "--normal-stiffness"),
    (["--history", "bare.csv", "--normal-stiffness", "1e7"], "--normal-stiffness"),
    (["--amplitude", "1e-4", "--normal-stiffness", "1e7"], "--normal-stiffness"),
])
def test_what_would_not_be_used_is_refused(microslip, tmp_path, call, option):
    (tmp_path / "path.csv").write_text("displacement\n0\n1e-4\n")
    (tmp_path / "bare.csv").write_text("0\n1e-4\n")
    assert f"{option} goes with" in microslip.refused("loop", *IWAN, *call)


def test_a_history_without_a_closed_cycle_has_no_dissipation(microslip, tmp_path):
    (tmp_path / "history.csv").write_text("displacement\n0\n1e-4\n")
    followed = microslip.json("loop", *IWAN, "--history", "history.csv")
    assert followed["dissipation"] is None and "dissipation" in followed["not_finite"]


def test_csv_and_output_file(microslip, tmp_path):
    microslip("loop", *IWAN, "--amplitude", "1e-4", "--csv", "-o", "loop.csv")
    lines = (tmp_path / "loop.csv").read_text().splitlines()
    assert lines[0] == "displacement,force" and len(lines) == 402


def test_report_is_one_page(microslip, tmp_path):
    done = microslip("loop", *IWAN, "--amplitude", "1e-3", "--report", "loop.html")
    page = (tmp_path / "loop.html").read_text()
    assert "<html" in page and len(page) < 3_000_000 and "loop.html" in done.stderr


def test_non_masing_laws_can_be_forced_and_say_so(microslip):
    law = ["bouc_wen", "stiffness=1e6", "n=1.5", "eta=300"]
    natural = microslip.json("loop", *law, "--amplitude", "4e-4")
    assert natural["framework"] == "reversal"
    forced = microslip("loop", *law, "--amplitude", "4e-4", "--framework", "masing", "--json")
    assert "does not obey" in forced.stderr
    assert not math.isclose(json.loads(forced.stdout)["dissipation"], natural["dissipation"], rel_tol=1e-3)


def test_wrong_calls_are_refused_in_one_line(microslip, tmp_path):
    line = microslip.refused("loop", "iwan4", "slip_force=504", "stiffness=7.1e5", "chi=-1.2", "beta=1", "--amplitude", "1e-4")
    assert "iwan4.chi" in line and "-1.2" in line and "(-1, 2]" in line
    assert "slip_force" in microslip.refused("loop", "iwan4", "slip_froce=504", "--amplitude", "1e-4")
    assert "iwan4" in microslip.refused("loop", "iwan", "--amplitude", "1e-4")
    assert "beta is missing" in microslip.refused("loop", *IWAN[:-1], "--amplitude", "1e-4")
    assert "twice" in microslip.refused("loop", *IWAN, "beta=2", "--amplitude", "1e-4")
    assert "nan" in microslip.refused("loop", *IWAN[:-1], "beta=nan", "--amplitude", "1e-4")
    assert "not a number" in microslip.refused("loop", *IWAN[:-1], "beta=1x", "--amplitude", "1e-4")
    assert "name=value" in microslip.refused("loop", *IWAN, "beta", "--amplitude", "1e-4")
    assert "amplitude" in microslip.refused("loop", *IWAN, "--amplitude=-1")
    assert "either" in microslip.refused("loop", *IWAN)
    assert "eta" in microslip.refused("loop", "bouc_wen_1", "stiffness=1", "--amplitude", "1")
    assert "not eta and alpha" in microslip.refused("loop", "bouc_wen_1", "stiffness=1", "eta=1", "alpha=1", "--amplitude", "1")
    assert "energy" in microslip.refused("loop", "bouc_wen_1", "stiffness=1", "alpha=1", "beta=2", "--amplitude", "1")
    microslip.refused("frobnicate")
    microslip.refused("loop", *IWAN, "--amplitude", "1e-4", "--json", "--csv")


def test_a_bad_cell_in_a_history_names_its_line(microslip, tmp_path):
    (tmp_path / "bad.csv").write_text("displacement\n0\n1e-4\nabc\n")
    line = microslip.refused("loop", *IWAN, "--history", "bad.csv")
    assert "bad.csv:4" in line and "abc" in line
    (tmp_path / "empty.csv").write_text("")
    microslip.refused("loop", *IWAN, "--history", "empty.csv")
    microslip.refused("loop", *IWAN, "--history", "no-such-file.csv")


def test_nothing_is_left_behind_where_it_cannot_write(microslip, tmp_path):
    microslip.refused("loop", *IWAN, "--amplitude", "1e-4", "-o", "no/such/folder/loop.csv")
    assert list(pathlib.Path(tmp_path).iterdir()) == []


def test_amplitudes_whose_square_is_no_number_are_refused(microslip):
    laws = [IWAN, ["jenkins", "slip_force=100", "stiffness=1e6"], ["bouc_wen_1", "stiffness=1e6", "alpha=2e4", "beta=1e4"],
            ["bouc_wen", "stiffness=1e6", "n=1.5", "alpha=2e3", "beta=1e3"],
            ["valanis", "stiffness=1e6", "lambda=1e4", "kappa=0.5", "post_slip_stiffness=0"]]
    for law in laws:
        for amplitude in ("1e300", "1e155", "1e-155", "1e-310"):
            assert "amplitude must lie between" in microslip.refused("loop", *law, "--amplitude", amplitude), (law, amplitude)
        for amplitude in ("1e153", "2e-154"):
            loop = microslip.json("loop", *law, "--points", 5, "--amplitude", amplitude)
            for stiffness in ("secant_stiffness", "equivalent_stiffness"):
                assert loop[stiffness] is not None and abs(loop[stiffness]) < 1.001e6, (law, amplitude, stiffness)


def test_dry_friction_takes_its_normal_force_from_the_call_or_the_history(microslip, tmp_path):
    law = ["elastic_dry_friction", "friction_coefficient=0.5", "stiffness=1e6"]
    constant = microslip.json("loop", *law, "normal_force=200", "--amplitude", "3e-4")
    jenkins = microslip.json("loop", "jenkins", "slip_force=100", "stiffness=1e6", "--amplitude", "3e-4")
    assert math.isclose(constant["dissipation"], jenkins["dissipation"], rel_tol=1e-12)
    (tmp_path / "path.csv").write_text("displacement,normal_displacement\n0,2e-5\n3e-4,2e-5\n3e-4,1e-5\n3e-4,-1e-5\n")
    followed = microslip.json("loop", *law, "--history", "path.csv", "--normal-stiffness", "1e7")
    assert all(math.isclose(f, wanted, rel_tol=1e-12) for f, wanted in zip(followed["force"], [0, 100, 50, 0]))
    assert "normal_force" in microslip.refused("loop", *law, "--amplitude", "3e-4")
    assert "normal_force" in microslip.refused("curves", *law, "--from", "1e-6", "--to", "1e-3")
    assert "normal stiffness must be > 0" in microslip.refused("loop", *law, "--history", "path.csv", "--normal-stiffness=-5")
    assert "--normal-stiffness" in microslip.refused("loop", *law, "--history", "path.csv")
    # What would not be used is refused.
    (tmp_path / "both.csv").write_text("displacement,normal_force,normal_displacement\n0,20,2e-5\n3e-4,20,2e-5\n")
    line = microslip.refused("loop", *law, "--history", "both.csv", "--normal-stiffness", "1e7")
    assert "both.csv" in line and "either normal_force or normal_displacement" in line
    line = microslip.refused("loop", "jenkins", "slip_force=1", "stiffness=1", "--history", "path.csv", "--normal-stiffness", "1e7")
    assert "path.csv" in line and "jenkins" in line
    line = microslip.refused("loop", *law, "normal_force=7", "--history", "path.csv", "--normal-stiffness", "1e7")
    assert line == "microslip: path.csv: the normal force comes with the history: leave out normal_force=7"


def test_a_history_without_motion_has_no_secant(microslip, tmp_path):
    (tmp_path / "still.csv").write_text("displacement\n1e-4\n1e-4\n")
    call = ("loop", *IWAN, "--history", "still.csv")
    assert f"{'secant stiffness':<22} none: the history does not move\n" in microslip(*call, "--report", "page.html").stdout
    assert '"label":"Secant stiffness","value":"none"' in (tmp_path / "page.html").read_text()
    result = microslip.json(*call)
    assert result["secant_stiffness"] is None and "secant_stiffness" in result["not_finite"]
