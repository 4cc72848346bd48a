"""How bolted, riveted and lapped structures really vibrate.

Every friction law is a class: ``microslip.Iwan4(slip_force=504, stiffness=7.1e5, chi=-0.5, beta=1)``; ``models()``
lists them. NumPy arrays go in and come out; units are SI unless stated.
"""
from . import _microslip
from ._microslip import *  # noqa: F403
from ._microslip import __version__
from .results import DescribingFunction, History, Loop

__all__ = [name for name in vars(_microslip) if not name.startswith("_")]
__all__ += ["DescribingFunction", "History", "Loop", "__version__"]
for _name in __all__:
    if getattr(globals()[_name], "__module__", None) == "microslip._microslip":
        globals()[_name].__module__ = "microslip"  # where users find it
del _name, _microslip
