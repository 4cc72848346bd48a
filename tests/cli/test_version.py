"""Every result says which version made it: the JSON of every verb, and every report."""
import json
import math
import pathlib
import re
import shlex

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
IWAN = ("slip_force=504", "stiffness=7.1e5", "chi=-0.5", "beta=1")
STUDY = f"""
[structure]
file = "{DATA}/brb/brb-whole-joint.h5"
preload = 12845.0
[measured]
mode = {{ 1 = "{DATA}/brb/truth-1-short.csv" }}
fit = [1]
[budget]
members = 8
generations = 1
[[combination]]
name = "Jenkins (WJ, Masing)"
method = "nsga2"
"""
CALLS = {
    "backbone": (ROOT / "examples/brb-whole-joint.toml", "--mode", "1", "--amplitudes", "1e-7:1e-5:3"),
    "beam": (ROOT / "examples/asadi.toml",),
    "curves": ("iwan4", *IWAN, "--from", "1e-6", "--to", "1e-3"),
    "fit dissipation": (DATA / "segalman/aff1_1.csv", "--slip-force", "504"),
    "fit modal": ("ringdown.json",),
    "info": (DATA / "segalman/aff1_1.csv",),
    "loop": ("iwan4", *IWAN, "--amplitude", "5e-4"),
    "predict": (DATA / "two-beam/table-6.toml", DATA / "two-beam/level-3.h5", "--shapes", DATA / "two-beam/shapes.json",
                "--hit", "p25"),
    "respond": (DATA / "two-beam/table-6.toml", "--mode", "1", "--force", "0.1", "--frequencies", "115:125:11"),
    "ringdown": ("decay.csv", "--mode", "50"),
    "simulate": (ROOT / "examples/hit.toml",),
    "study": ("study.toml",),
    "zefft": ("decay.csv", "--times", "0.2"),
}
ELSEWHERE = {"fit", "models", "reduce", "serve"}  # a group; an array of laws; a file; a server
WITHOUT_REPORT = {"info"}


@pytest.fixture
def files(microslip, tmp_path):
    rows = [f"{t / 1000},{math.exp(-3 * t / 1000) * math.sin(0.1 * math.pi * t) if t > 100 else 0}" for t in range(3000)]
    (tmp_path / "decay.csv").write_text("time [s],acceleration [m/s^2]\n" + "\n".join(rows) + "\n")
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def test_every_verb_is_looked_at(microslip):
    said = microslip("--help").stdout
    verbs = set(re.findall(r"^  (\w+) {2,}", said.split("Subcommands:")[1], flags=re.M))
    assert verbs == {name.split()[0] for name in CALLS} | ELSEWHERE


@pytest.mark.parametrize("verb", CALLS)
def test_json_and_report_carry_the_version(microslip, files, verb):
    version = microslip("--version").stdout.strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    if verb == "fit modal":
        microslip("ringdown", *CALLS["ringdown"], "--json", "-o", "ringdown.json")
    report = () if verb in WITHOUT_REPORT else ("--report", "page.html")
    result = json.loads(microslip(*verb.split(), *CALLS[verb], "--json", *report).stdout)
    assert result["microslip"] == version and result["verb"] == verb
    if report:
        assert f'"version":"{version}"' in (files / "page.html").read_text().replace('": "', '":"')


@pytest.mark.parametrize("verb", [*CALLS, "models", "reduce", "serve"])
def test_the_help_lists_a_report_where_one_is_drawn(microslip, verb):
    said = microslip(*verb.split(), "--help").stdout
    draws = verb in CALLS and verb not in WITHOUT_REPORT
    assert ("--report" in said, "--svg" in said) == (draws, draws)


@pytest.mark.parametrize("call", [("info", DATA / "segalman/aff1_1.csv"), ("models",), ("reduce", "model.toml"), ("serve",)])
@pytest.mark.parametrize("given", [("--report", "page"), ("--report=page",), ("--svg", "page")])
def test_a_report_of_a_verb_that_draws_none_is_refused(microslip, tmp_path, call, given):
    assert microslip.refused(*call, *given) == (
        f"microslip: {call[0]} draws no figures and has no {given[0].split('=')[0]} "
        f"(microslip {call[0]} --help tells how to call it)")
    assert not (tmp_path / "page").exists()


def test_the_command_in_a_report_can_be_pasted(microslip, tmp_path):
    name = "it's my history.csv"
    (tmp_path / name).write_text("displacement\n0\n1e-4\n-1e-4\n1e-4\n")
    microslip("loop", "jenkins", "slip_force=1", "stiffness=1e6", "--history", name, "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    command = json.loads(re.search(r'"command":\s*("(?:[^"\\]|\\.)*")', page).group(1))
    assert shlex.split(command)[1:] == ["loop", "jenkins", "slip_force=1", "stiffness=1e6", "--history", name, "--report", "page.html"]
    assert "slip_force=1 stiffness=1e6" in command  # what needs no quotes has none


def test_models_are_an_array_and_the_command_tells_its_version(microslip):
    assert isinstance(microslip.json("models"), list)
    assert microslip("--version").stdout.count("\n") == 1


def test_a_reduced_model_says_what_made_it(microslip):
    assert "microslip" in microslip("info", DATA / "brb/brb-whole-joint.h5").stdout


def test_a_simulation_as_hdf5_says_what_made_it(microslip, tmp_path):
    version = microslip("--version").stdout.strip()
    text = (ROOT / "examples/hit.toml").read_text()
    noise = '[load]\nkind = "noise"\namplitude = 1.0\nrate_hz = 1000.0\nduration = 0.1\nseed = 7\n'
    (tmp_path / "noise.toml").write_text(re.sub(r"\[load\].*?(?=\n\[|\Z)", noise, text, flags=re.S))
    call = ["noise.toml", "--method", "hybrid", "--properties", "paper", "--end", 0.05, "--accuracy", 1e-4]
    microslip("simulate", *call, "-o", "run.h5")
    told = {entry["name"]: entry["summary"] for entry in microslip.json("info", "run.h5")["data_sets"]}
    run = microslip.json("simulate", *call)
    texts = {"microslip": version, "verb": "simulate", "file": "noise.toml", "method": "hybrid", "properties": "paper", "seed": "7"}
    assert {key: told[key] for key in texts} == {key: f"'{text}'" for key, text in texts.items()}
    assert told["notes"].startswith("'hybrid: ") and told["notes"].strip("'") in run["notes"][0]  # a long text is cut
    for key in ["n_steps", "step", "newton_iterations", "halved_steps", "accuracy", "refined_steps"]:
        assert float(told[key]) == run[key], key
    ends = {"envelopes_of", "not_finite"}  # told by the arrays
    assert run.keys() - ends <= {name.split(".")[0] for name in told}
