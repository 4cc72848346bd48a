"""What pages and comments name exists: tests in back-quotes (`Suite.Name`, `test_name`, a file of tests, or a folder of them),
references by their keys.

`…` and `*` stand for any text. A name that begins with `…` belongs to the suite named last before it, in the same table.
"""
import functools
import pathlib
import re
import tomllib

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


def test_every_measured_table_has_its_place_and_its_benchmarks():
    sections = tomllib.loads((ROOT / "bench/figures.toml").read_text(encoding="utf-8"))["section"]
    page = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    assert sorted(s["id"] for s in sections) == sorted(re.findall(r"<!-- figures: (\S+) -->", page))
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bench").glob("*.cpp"))
    named = [row["name"] for s in sections for row in s.get("row", []) + s.get("column", []) if row.get("name", "").startswith("BM_")]
    assert named and [name for name in named if not re.search(rf"\b{re.match(r'BM_[A-Za-z0-9]+', name)[0]}\b", sources)] == []


KEY = re.compile(r"\b[A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?\b")
SOURCES = [path for folder in ("src", "apps", "docs", "tests", "bench", "examples") for path in (ROOT / folder).rglob("*")
           if path.suffix in (".hpp", ".cpp", ".md", ".toml")]


def keys_in(text):
    """What is cited: words such as Name2000 in brackets, which may hold several and go on in the next line."""
    return {key for cited in re.findall(r"\[([^\[\]\n]*)", text) for key in KEY.findall(cited)}


def test_every_key_that_is_cited_is_a_reference():
    references = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(encoding="utf-8"), flags=re.M))
    listed = re.findall(r"^\| (\w+) \|", (ROOT / "docs/references.md").read_text(encoding="utf-8"), flags=re.M)
    assert sorted(references) == sorted(set(listed) - {"key"}), "references.bib and references.md"
    missing = {str(path.relative_to(ROOT)): unknown for path in SOURCES
               if (unknown := keys_in(path.read_text(encoding="utf-8")) - references)}
    assert missing == {}
    assert keys_in("[Porter2022, Eq. 1] and [see Deb2002; Nobody1999, p.\n3]") == {"Porter2022", "Deb2002", "Nobody1999"}


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.name)
def test_every_example_says_how_it_is_run(example):
    opening = re.match(r"(?:#.*\n)+", example.read_text(encoding="utf-8"))
    assert opening and re.search(rf"microslip \w+ examples/{re.escape(example.name)}", opening[0])


def test_every_status_of_a_papers_item_is_explained():
    page = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
    explained = re.findall(r"^- \*\*([\w ]+)\*\*:", page, flags=re.M)
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    statuses = [row[2] for row in rows if row[0] != "item"]
    assert len(explained) > 5 and len(statuses) > 50
    assert [status for status in statuses if not status.startswith(tuple(explained))] == []
    assert [name for name in explained if not any(status.startswith(name) for status in statuses)] == []


ITEMS = {"Segalman": ("Fig", 19, "Table", 0), "Deaner": ("Fig", 10, "Table", 6), "Asadi": ("Fig", 7, "Table", 0),
         "Shetty": ("Fig", 10, "Table", 2), "Porter": ("Fig", 20, "Table", 15)}


@pytest.mark.parametrize("paper", ITEMS)
def test_every_table_and_figure_of_a_paper_has_its_row(paper):
    page = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
    part = page.split(f"## {paper}", 1)[1].split("\n## ", 1)[0]
    listed = {"Fig": set(), "Table": set()}
    for cell in re.findall(r"^\| ([^|]*) \|", part, flags=re.M):
        for kind, numbers in re.findall(r"(Fig|Table)s?\.? ((?:\d+(?:–\d+)?(?:, (?=\d))?)+)", cell):
            for first, last in re.findall(r"(\d+)(?:–(\d+))?", numbers):
                listed[kind] |= set(range(int(first), int(last or first) + 1))
    figures, tables = ITEMS[paper][1], ITEMS[paper][3]
    assert listed == {"Fig": set(range(1, figures + 1)), "Table": set(range(1, tables + 1))}
