import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .results import DescribingFunction as DescribingFunction
from .results import History as History
from .results import Loop as Loop

Array = NDArray[np.float64]
__version__: str

class NotConverged(RuntimeError): ...

class Law:
    @property
    def name(self) -> str: ...
    @property
    def masing(self) -> bool: ...
    @property
    def parameters(self) -> Dict[str, float]: ...
    def force(self, history: ArrayLike) -> Array: ...
    def tangent(self, history: ArrayLike) -> Array: ...
    def dissipated(self, history: ArrayLike) -> Array: ...
    def follow(self, history: ArrayLike) -> History: ...
    def derivatives(self, history: ArrayLike) -> Dict[str, Array]: ...
    @overload
    def monotonic(self, u: float) -> float: ...
    @overload
    def monotonic(self, u: ArrayLike) -> Array: ...
    def loop(self, amplitude: float, points: int = ..., framework: Optional[str] = ...) -> Loop: ...
    @overload
    def dissipation(self, amplitude: float, framework: Optional[str] = ...) -> float: ...
    @overload
    def dissipation(self, amplitude: ArrayLike, framework: Optional[str] = ...) -> Array: ...
    @overload
    def secant_stiffness(self, amplitude: float, framework: Optional[str] = ...) -> float: ...
    @overload
    def secant_stiffness(self, amplitude: ArrayLike, framework: Optional[str] = ...) -> Array: ...
    def describing_function(self, amplitude: ArrayLike, framework: Optional[str] = ...) -> DescribingFunction: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def models() -> List[Dict[str, Any]]: ...
def law(name: str, **parameters: float) -> Law: ...

def beam_frequencies(model: Dict[str, Dict[str, float]], count: int = ...) -> Array: ...
def beam_pressure(model: Dict[str, Dict[str, float]], points: int = ...) -> Dict[str, Any]: ...
def beam_backbone(model: Dict[str, Dict[str, float]], force: ArrayLike, dynamic_pressure: bool = ...) -> Dict[str, Any]: ...
def beam_marched_loop(
    model: Dict[str, Dict[str, float]], force: float, steps: int = ..., dynamic_pressure: bool = ..., cycles: int = ...
) -> Dict[str, Any]: ...
def harmonic_loop(
    force: ArrayLike,
    acceleration: ArrayLike,
    sampling_rate_hz: float,
    frequency_hz: float,
    harmonics: int = ...,
    points: int = ...,
) -> Dict[str, Any]: ...
def fit_normal_stiffness(
    model: Dict[str, Dict[str, float]], frequencies_hz: ArrayLike, uncertainty: float = ...
) -> Dict[str, Any]: ...
def fit_tangential_stiffness(
    model: Dict[str, Dict[str, float]], elastic_slope: float, uncertainty: float = ...
) -> Dict[str, Any]: ...
def beam_loop(model: Dict[str, Dict[str, float]], force: float, points: int = ...) -> Dict[str, Any]: ...
def backbone(
    file: Union[str, "os.PathLike[str]"],
    amplitudes: ArrayLike,
    mode: int = ...,
    framework: Optional[str] = ...,
    combination: Optional[str] = ...,
    loops: Optional[int] = ...,
    dissipation: Optional[str] = ...,
    quadrature_points: Optional[int] = ...,
) -> Dict[str, Any]: ...
def combinations() -> List[Dict[str, Any]]: ...
def read_records(
    path: Union[str, "os.PathLike[str]"],
    fs: Optional[float] = ...,
    time: str = ...,
    unit: str = ...,
    quantity: Optional[str] = ...,
) -> List[List[Dict[str, Any]]]: ...
def ringdown(
    signals: List[Dict[str, Any]],
    mode: Union[float, Sequence[float]],
    band: Union[None, Tuple[float, float], Sequence[Tuple[float, float]]] = ...,
    quantity: Optional[str] = ...,
    method: str = ...,
    channels: Sequence[str] = ...,
    degree: Optional[int] = ...,
) -> List[Dict[str, Any]]: ...
def fit_dissipation(
    force: ArrayLike,
    dissipation: ArrayLike,
    *,
    slip_force: float,
    stiffness: Optional[float] = ...,
    method: str = ...,
    noise: Optional[float] = ...,
) -> Dict[str, Any]: ...

def fit_modal(
    measured: Any,
    *,
    objective: str = ...,
    forms: str = ...,
    viscous: bool = ...,
    macro_slip: bool = ...,
    use_flagged: bool = ...,
    replicas: int = ...,
    seed: int = ...,
) -> Dict[str, Any]: ...
def simulate(
    file: Any,
    method: str = ...,
    properties: Optional[str] = ...,
    steps_per_period: Optional[float] = ...,
    end: Optional[float] = ...,
    every: Optional[int] = ...,
    accuracy: Optional[float] = ...,
) -> Dict[str, Any]: ...
def study(
    file: Any,
    *,
    threads: int = ...,
    checkpoint: Optional[Any] = ...,
    resume: bool = ...,
    times: bool = ...,
) -> Dict[str, Any]: ...
def area_fraction(errors: ArrayLike, lower: Tuple[float, float], upper: Tuple[float, float]) -> float: ...
def non_dominated(points: ArrayLike) -> List[int]: ...

def respond(
    model: Any,
    force: Optional[float] = ...,
    amplitude: Optional[float] = ...,
    frequency_hz: Optional[ArrayLike] = ...,
    mode: int = ...,
) -> Dict[str, Any]: ...
def predict(
    model: Any,
    record: Any,
    shapes: Any = ...,
    hit: str = ...,
    band: Optional[Tuple[float, float]] = ...,
    channel: str = ...,
    times: Sequence[float] = ...,
    whole_force: bool = ...,
) -> Dict[str, Any]: ...
