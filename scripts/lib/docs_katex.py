"""mkdocs hook: puts Debian's KaTeX into the site, so that formulas are drawn without the network."""
import pathlib
import shutil

from mkdocs.exceptions import PluginError

KATEX = pathlib.Path("/usr/share/javascript/katex")


def on_post_build(config, **_):
    if not KATEX.is_dir():
        raise PluginError(f"{KATEX} is missing: install the package libjs-katex")
    shutil.copytree(KATEX, pathlib.Path(config["site_dir"]) / "katex", dirs_exist_ok=True)
