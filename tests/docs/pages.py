"""Examples on the pages: finding them, running them, and holding what they print against what the page says."""
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / "README.md"]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")
PROGRESS = re.compile(r"^ *\d+ % .*\n", flags=re.M)  # of work that takes more than a second here
FENCE = r"```(?P<language>\w+)\n(?P<block>.*?)```"
RUN = r"<!-- run(?: to (?P<share>\S+))?(?: needs (?P<programs>[^>]*?))? -->\n+" + FENCE + r"(?:\n+```text\n(?P<output>.*?)```)?"


def blocks(text, marker):
    """Fenced blocks after the line `<!-- MARKER -->`, which may end in a name: (name, content)."""
    found = re.finditer(rf"<!-- {marker}(?: (?P<name>\S+))? -->\n+" + FENCE, text, flags=re.S)
    return [(match["name"], match["block"]) for match in found]


def assert_same(printed, expected, where, share=1e-9):
    """The same words, and numbers that agree to nine digits, or to the share given."""
    assert NUMBER.sub("#", printed).split() == NUMBER.sub("#", expected).split(), where + "\n" + printed
    for a, b in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
        assert math.isclose(float(a), float(b), rel_tol=share), f"{where}: {a} for {b}"


def run_console(block, folder, where, share=1e-9, timeout=300):
    for chunk in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, expected = chunk.partition("\n")
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=timeout)
        assert_same(done.stdout + PROGRESS.sub("", done.stderr), expected, f"{where}: $ {line}\n", share)


def run_python(script, expected, folder, where):
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=300)
    assert_same(done.stdout, expected, f"{where}: {done.stderr}")
