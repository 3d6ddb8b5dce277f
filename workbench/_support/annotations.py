"""The types of arrays, formulas and points in annotations, by short names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

# What an array holds, where a function gives back the like.
Entry = TypeVar("Entry", bound=np.generic)

Floats: TypeAlias = NDArray[np.float64]
# Indices, whose kind NumPy names after the platform.
Integers: TypeAlias = NDArray[np.signedinteger]
Booleans: TypeAlias = NDArray[np.bool_]
# Offsets, indices and values of a compressed matrix, as loops read them.
Arrays: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint32], Floats]
# The lowest and the highest dual variables.
Ends: TypeAlias = tuple[Floats, Floats]
# One unregularized bias, or one of each class.
Bias: TypeAlias = float | Floats
# What moved a dual point to a feasible one, in words.
Repairs: TypeAlias = tuple[str, ...]
# A scalar formula of a loss or regularizer, printed or compiled.
Scalar: TypeAlias = Callable[..., float]
# The kind of number that a formula's parameters are computed in: floats or balls.
Number: TypeAlias = Callable[[float], Any]
# {term: {claim: status}}, with "by" where an inequality is trusted.
ProofStatus: TypeAlias = dict[str, dict[str, str]]
# Low end, whether it is left out, high end, whether it is left out, and the default of each parameter.
Ranges: TypeAlias = Mapping[str, tuple[float, bool, float, bool, float | None]]
LossKind: TypeAlias = Literal["margin", "residual", "prediction", "classes"]
BiasChoice: TypeAlias = bool | Literal["constant"]
# Samples in rows, dense or compressed.
Rows: TypeAlias = Floats | sp.csr_array


class PenaltyArrays(Protocol):
    """The arrays of a norm, as its compiled functions take them: `workbench.kernels.arrays.Penalty`."""

    @property
    def threshold(self) -> float: ...

    @property
    def largest(self) -> int: ...

    @property
    def order(self) -> Integers: ...

    @property
    def starts(self) -> Integers: ...

    @property
    def group_weights(self) -> Floats: ...
