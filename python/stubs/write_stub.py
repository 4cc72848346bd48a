"""Writes the package's type stub: the common part, then one class per law from the library's own table."""
import keyword
import sys

import microslip


def spelt(name):
    """A parameter's name in Python: lambda is reserved."""
    return name + "_" if keyword.iskeyword(name) else name


def law_stub(law):
    """The stub of one law: a keyword per parameter, without a default where the law requires it."""
    other = {p["name"] for p in law["alternatives"]}
    replaced = {"alpha", "beta"} if "eta" in other else set()  # eta stands for both
    arguments = [
        f"{spelt(p['name'])}: float" + ("" if p["required"] and p["name"] not in replaced else " = ...")
        for p in law["parameters"] + law["alternatives"]
    ]
    cls = getattr(microslip, law["class"])
    own = [name for name, member in vars(cls).items() if isinstance(member, property)]
    lines = [f"class {law['class']}(Law):", f"    def __init__(self, *, {', '.join(arguments)}) -> None: ..."]
    for name in own:
        lines += ["    @property", f"    def {name}(self) -> float: ..."]
    return "\n".join(lines)


def main():
    common, stub = sys.argv[1:]
    text = open(common, encoding="utf-8").read()
    text += "".join(f"\n{law_stub(law)}\n" for law in microslip.models())
    with open(stub, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
