"""The law that the researcher's tutorial adds: its changes fit the sources, it compiles, and it has the properties.

Alone in AllLaws, so that it takes seconds. `scripts/check-law` walks the whole page, study included.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess

import law
from pages import ROOT

BUILD = pathlib.Path(os.environ["MICROSLIP_BIN"]).parent
TEST = "tests/verification/joints/friction_law_test.cpp"
LAWS = "tests/support/laws.hpp"


def test_the_law_of_the_tutorial_has_the_properties_of_a_law(tmp_path):
    for name in ("src/microslip/joints/any_law.hpp", LAWS, TEST):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    law.add_to(tmp_path)
    laws = (tmp_path / LAWS).read_text()
    alone, changed = re.subn(r"::testing::Types<.*?>;", "::testing::Types<Hyperbolic<double>>;", laws, count=1, flags=re.S)
    assert changed == 1 and "Hyperbolic<double>" in laws
    (tmp_path / LAWS).write_text(alone)
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    command = next(entry for entry in commands if entry["file"] == str(ROOT / TEST))
    words = [word for word in shlex.split(command["command"]) if not re.fullmatch(r"-O\d|-M[DTF]|\S+\.o\.d|-c", word)]
    words = words[:words.index("-o")] if "-o" in words else words
    start = next(i for i, word in enumerate(words) if word.endswith("c++"))
    program = tmp_path / "test_law"
    libraries = [str(BUILD / "src" / "microslip" / name / f"libmicroslip_{name}.a") for name in ("joints", "core")]
    subprocess.run([words[start], f"-I{tmp_path}/src", f"-I{tmp_path}/tests", *words[start + 1:], "-O1", str(tmp_path / TEST), "-o", str(program),
                    *libraries, "-lgtest_main", "-lgtest", "-lfmt", "-pthread"], cwd=BUILD, check=True, timeout=600)
    done = subprocess.run([program, "--gtest_brief=1"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stdout
