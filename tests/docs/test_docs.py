"""The site builds without a warning, and the examples on its pages print what the pages say.

A fenced block after the line `<!-- run -->` is run: `console` blocks line by line after each `$ `, `python` blocks as a
script whose output is the `text` block that follows. Numbers may differ by rounding, or by a share given as in
`<!-- run to 1e-3 -->`; `<!-- run needs gmsh ccx -->` is run where these programs are. Files named in a block that starts
with `<!-- file NAME -->` are written first; `data` and `examples` are there. A block after `<!-- shows PATH -->` stands in
that file of the repository.
"""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest

from pages import PAGES, ROOT, RUN, blocks, run_console, run_python

CHECKED = [page for page in PAGES if re.search(RUN, page.read_text(encoding="utf-8"), flags=re.S)]


@pytest.mark.parametrize("page", CHECKED, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["MICROSLIP_BIN"] + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("MICROSLIP", os.environ["MICROSLIP_BIN"] + "/microslip")
    text = page.read_text(encoding="utf-8")
    for name, content in blocks(text, "file"):
        (tmp_path / name).write_text(content)
    for name in ("data", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    missing = set()
    for example in re.finditer(RUN, text, flags=re.S):
        absent = [program for program in (example["programs"] or "").split() if not shutil.which(program)]
        if absent:
            missing.update(absent)
            continue
        if example["language"] == "console":
            run_console(example["block"], tmp_path, page.name, float(example["share"] or 1e-9))
        else:
            run_python(example["block"], example["output"], tmp_path, page.name)
    if missing:
        pytest.skip(f"not all of {page.name} was run: {', '.join(sorted(missing))} missing")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_shows_are_what_it_shows(page):
    for name, content in blocks(page.read_text(encoding="utf-8"), "shows"):
        assert content in (ROOT / name).read_text(encoding="utf-8"), f"{page.name}: {name}"


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
