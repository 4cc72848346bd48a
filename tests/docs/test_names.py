"""Every test that a page names in back-quotes exists: `Suite.Name`, `test_name`, a file of tests, or a folder of them.

`…` and `*` stand for any text. A name that begins with `…` belongs to the suite named last before it, in the same table.
"""
import functools
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TABLES = [ROOT / "docs" / "verification.md"]

CPP = r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)"
INSTANCE = r"INSTANTIATE_(?:TYPED_)?TEST_SUITE_P\((\w+),\s*(\w+)"
NAME = re.compile(r"(?:[A-Z]\w*/)?[A-Z]\w*[./][A-Z…*][\w…*]*|…[A-Z][\w…*]*|test_[\w…*]+|test_\w+\.py|\w+_test\.cpp|"
                  r"(?:python/)?tests/[\w/.-]+")


@functools.cache
def known():
    """Names of all tests, and of the files and folders that hold them."""
    names, files = set(), set()
    for source in [*(ROOT / "tests").rglob("*"), *(ROOT / "python" / "tests").rglob("*")]:
        path = source.relative_to(ROOT).as_posix()
        if "node_modules" in path or "__pycache__" in path:
            continue
        files |= {path, source.name}
        if source.suffix == ".cpp":
            text = source.read_text(encoding="utf-8")
            found = {f"{suite}.{name}" for suite, name in re.findall(CPP, text, flags=re.M)}
            found |= {f"{instance}/{name}" for instance, suite in re.findall(INSTANCE, text) for name in found
                      if name.startswith(suite + ".")}
            names |= found
        elif source.suffix == ".py":
            names |= set(re.findall(r"^def (test_\w+)", source.read_text(encoding="utf-8"), flags=re.M))
    return names, files


def matches(name):
    names, files = known()
    if name.rstrip("/") in files or name in names:
        return True
    pattern = re.compile("".join(r".*" if c in "…*" else re.escape(c) for c in name))
    return any(pattern.fullmatch(known_name) for known_name in names)


def whole(name, suite):
    return f"{suite}.{name}" if name.startswith("…") else name


def test_the_matching_itself_can_fail():
    assert matches("Shetty.…") and matches("Table6/RoundTrip.*") and matches("test_csv_is_a_record…")
    assert matches("tests/published/study") and matches("…TheMassOfTheBeam")
    assert not matches("Shetty.NeverWritten…") and not matches("tests/cli/test_nothing.py") and not matches("test_nothing")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_is_named_exists(page):
    suite, missing = "", []
    for line in page.read_text(encoding="utf-8").splitlines():
        for quoted in re.findall(r"`([^`]+)`", line):
            if not NAME.fullmatch(quoted):
                continue
            if re.match(r"[A-Z]", quoted):
                suite = re.split(r"[.](?=[A-Z…*])", quoted)[0]
            if not matches(whole(quoted, suite)):
                missing.append(quoted)
    assert missing == []


@pytest.mark.parametrize("page", TABLES, ids=lambda page: page.name)
def test_every_row_names_a_test_and_what_it_reached(page):
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    bare = [row[0] for row in rows if row[:4] != ["claim", "reference", "test", "achieved"]
            and (len(row) != 4 or not row[3] or not any(NAME.fullmatch(q) for q in re.findall(r"`([^`]+)`", row[2])))]
    assert len(rows) > 50 and bare == []
