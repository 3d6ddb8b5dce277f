"""The one format in which compiled functions take a problem: typed arrays, and the facts that they need.

`Problem.matrix`, `Problem.samples` and `Problem.penalty` make it. All arrays are read-only and contiguous, all
numbers of a tuple are floats or integers as stated, and nothing in it is a Python object; whatever evaluates a
formula comes beside it as a compiled function. So a kernel runs wherever typed arrays can be laid out.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from workbench.compiled.compilation import FLOAT, INDICES, OFFSETS, VECTOR

# What `Matrix.layout` may be.
SPARSE, BY_ROWS, BY_COLUMNS = range(3)


class Matrix(NamedTuple):
    """The samples as a matrix (n, D)."""

    offsets: np.ndarray  # (n + 1,) uint64, where each row begins; empty where the matrix is dense
    indices: np.ndarray  # (nnz,) uint32, the columns; empty where it is dense
    values: np.ndarray  # (nnz,), empty where all are 1; (n D,) by rows or by columns where it is dense
    rows: int  # n
    columns: int  # D
    layout: int  # SPARSE, BY_ROWS or BY_COLUMNS


class Samples(NamedTuple):
    """The loss at each sample, f(z_i) = c_i p(s_i z_i + t_i)."""

    sign: np.ndarray  # (n,) s
    shift: np.ndarray  # (n,) t
    weight: np.ndarray  # (n,) c
    theta: np.ndarray  # the parameters of the formulas
    lower: float  # the ends of the domain of p*
    upper: float


class Penalty(NamedTuple):
    """The regularizer on the D columns, h(v) = Phi(S), S = sum_j c_j phi(v_j)."""

    weights: np.ndarray  # (D,) c; empty for a norm
    theta: np.ndarray  # the neutral scale, then the parameters of the formulas
    threshold: float  # e and k where g = sum_j e |w_j| + k w_j^2 / (2 c_j), else nan
    ridge: float


INTEGER = types.int64
MATRIX = types.NamedTuple((OFFSETS, INDICES, VECTOR, INTEGER, INTEGER, INTEGER), Matrix)
SAMPLES = types.NamedTuple((VECTOR, VECTOR, VECTOR, VECTOR, FLOAT, FLOAT), Samples)
PENALTY = types.NamedTuple((VECTOR, VECTOR, FLOAT, FLOAT), Penalty)
