"""The type stub says what the package has: names, arguments, parameters of each law."""
import ast
import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

import microslip

FOLDER = pathlib.Path(microslip.__file__).parent
TREE = ast.parse((FOLDER / "__init__.pyi").read_text())
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}


def methods(node):
    return {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}


def arguments(function):
    return [a.arg for a in function.args.args + function.args.kwonlyargs if a.arg != "self"]


def real_arguments(callable_):
    """From the signature that pybind11 writes into the first line of the docstring."""
    signature = callable_.__doc__.splitlines()[0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    while (flat := re.sub(r"\[[^\[\]]*\]", "", inside)) != inside:
        inside = flat
    names = [part.split(":")[0].strip() for part in inside.split(",") if ":" in part]
    return [name for name in names if name not in ("self", "arg0")]


def test_the_package_is_marked_as_typed():
    assert (FOLDER / "py.typed").exists()


def test_public_names_are_those_of_the_stub():
    imported = {alias.asname for node in TREE.body if isinstance(node, ast.ImportFrom) for alias in node.names} - {None}
    stub = set(CLASSES) | set(FUNCTIONS) | imported | {"__version__"}
    assert stub == set(microslip.__all__)


def test_functions_and_methods_take_the_arguments_of_the_stub():
    for name, node in FUNCTIONS.items():
        assert arguments(node) == real_arguments(getattr(microslip, name))
    stub = methods(CLASSES["Law"])
    real = {name for name in vars(microslip.Law) if not name.startswith("_")}
    assert {name for name in stub if not name.startswith("_")} == real
    for name in real:
        member = getattr(microslip.Law, name)
        if isinstance(member, property):
            assert [d.id for d in stub[name].decorator_list] == ["property"]
        else:
            assert arguments(stub[name]) == real_arguments(member), name


@pytest.mark.parametrize("entry", microslip.models(), ids=lambda entry: entry["name"])
def test_a_law_takes_the_keywords_of_the_stub(entry):
    init = methods(CLASSES[entry["class"]])["__init__"]
    stub = [a.arg.rstrip("_") for a in init.args.kwonlyargs]
    assert stub == [p["name"] for p in entry["parameters"] + entry["alternatives"]]
    for keyword, default in zip(stub, init.args.kw_defaults):
        required = {p["name"]: p["required"] for p in entry["parameters"]}.get(keyword, False)
        if default is None:  # no default in the stub: leaving it out must be refused
            assert required
            given = {p["name"]: p["default"] for p in entry["parameters"] if p["name"] != keyword}
            with pytest.raises(ValueError, match=keyword):
                microslip.law(entry["name"], **given)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed (python3-mypy)")
def test_a_type_checker_accepts_right_calls_and_refuses_wrong_ones(tmp_path):
    script = tmp_path / "use.py"
    script.write_text(
        "import microslip\n"
        "law = microslip.Iwan4(slip_force=504.0, stiffness=7.1e5, chi=-0.5, beta=1.0)\n"
        "a: float = law.dissipation(1e-4)\n"
        "b: float = law.loop(1e-4, points=50).dissipation\n"
        "law.force([0.0, 1e-4]).sum()\n"
        "law.phi_max = 1.0\n"
        "microslip.Iwan4(slip_force=504.0, stiffness=7.1e5, chi=-0.5)\n"
        "microslip.Iwan4(slip_force='504', stiffness=7.1e5, chi=-0.5, beta=1.0)\n"
        "law.loop('1e-4')\n"
    )
    line = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "--no-error-summary",
            "--follow-imports=silent", "--ignore-missing-imports", str(script)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300)
    refused = sorted({int(text.split(":")[1]) for text in done.stdout.splitlines() if ": error:" in text})
    assert refused == [6, 7, 8, 9], done.stdout + done.stderr
