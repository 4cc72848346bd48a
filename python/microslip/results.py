"""What the methods return: named tuples of arrays and numbers."""
from typing import NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Loop(NamedTuple):
    """The steady loop of a law; it starts at the upper end, goes down and comes back."""

    displacement: Array
    """[m]"""
    force: Array
    """[N]"""
    dissipation: float
    """energy lost per cycle [J]"""
    secant_stiffness: float
    """(F_max - F_min)/(u_max - u_min) [N/m]"""


class History(NamedTuple):
    """A law along a displacement history."""

    displacement: Array
    """[m]"""
    force: Array
    """[N]"""
    tangent: Array
    """[N/m]"""
    dissipated: Array
    """energy lost so far [J]"""


class DescribingFunction(NamedTuple):
    """First harmonic of the force for u = a cos(theta): f ~ a (stiffness cos(theta) - loss sin(theta))."""

    stiffness: Union[float, Array]
    """[N/m]"""
    loss: Union[float, Array]
    """D/(pi a^2) [N/m]"""
