"""The eleventh law of docs/tutorials/researcher.md, as the page adds it to a tree of the sources."""
import os
import subprocess

from pages import ROOT, blocks

PAGE = ROOT / "docs" / "tutorials" / "researcher.md"


def add_to(tree):
    """Writes the files of the page into `tree` and applies its changes; they must fit without help."""
    text = PAGE.read_text(encoding="utf-8")
    for name, content in blocks(text, "law file"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(content)
    for _, content in blocks(text, "law diff"):
        alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}  # a tree, not a repository
        subprocess.run(["git", "apply", "-"], cwd=tree, env=alone, input=content, text=True, check=True)
