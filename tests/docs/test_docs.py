"""The site builds without a warning, and the examples on its pages print what the pages say.

A fenced block after the line `<!-- run -->` is run: `console` blocks line by line after each `$ `, `python` blocks as a
script whose output is the `text` block that follows. Numbers may differ by rounding. Files named in a block that starts with `<!-- file NAME -->` are
written first.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / "README.md"]
BLOCK = r"```(\w+)\n(.*?)```"
CHECKED = [page for page in PAGES if "<!-- run -->" in page.read_text(encoding="utf-8")]


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def assert_same(printed, expected, where):
    """The same words, and numbers that agree to nine digits."""
    assert NUMBER.sub("#", printed).split() == NUMBER.sub("#", expected).split(), where + "\n" + printed
    for a, b in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
        assert float(a) == pytest.approx(float(b), rel=1e-9), f"{where}: {a} for {b}"


def run_console(block, folder, where):
    for chunk in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, expected = chunk.partition("\n")
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=300)
        assert_same(done.stdout + done.stderr, expected, f"{where}: $ {line}\n")


def run_python(script, expected, folder, where):
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=300)
    assert_same(done.stdout, expected, f"{where}: {done.stderr}")


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["MICROSLIP_BIN"] + os.pathsep + os.environ["PATH"])
    text = page.read_text(encoding="utf-8")
    for name, _, content in re.findall(r"<!-- file (\S+) -->\n+" + BLOCK, text, flags=re.S):
        (tmp_path / name).write_text(content)
    examples = re.findall(r"<!-- run -->\n+" + BLOCK + r"(?:\n+```text\n(.*?)```)?", text, flags=re.S)
    assert examples
    for language, block, output in examples:
        if language == "console":
            run_console(block, tmp_path, page.name)
        else:
            run_python(block, output, tmp_path, page.name)


def test_every_page_can_be_found():
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("nav:", 1)[1]
    names = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [name for name in names if f" {name}\n" not in listed + "\n"] == []


def test_every_picture_of_the_gallery_is_made_by_a_command_on_it(tmp_path):
    name = str(ROOT / "scripts" / "make-gallery")
    make = importlib.util.module_from_spec(importlib.util.spec_from_loader("gallery", importlib.machinery.SourceFileLoader("gallery", name)))
    make.__spec__.loader.exec_module(make)
    for picture in make.make(os.environ["MICROSLIP_BIN"], tmp_path):
        assert (ROOT / "docs" / "figures" / "gallery" / picture).is_file(), f"run scripts/make-gallery for {picture}"
        assert (tmp_path / picture).read_text().startswith("<svg")


def test_the_site_builds_without_a_warning(tmp_path):
    line = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "theory" / "iwan4" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)', page), "the site must work offline"
    for asset in re.findall(r'(?:src|href)="([^":]+\.(?:js|css))"', page):
        assert (tmp_path / "site" / "theory" / "iwan4" / asset).resolve().is_file(), asset
