"""The one format in which compiled functions take a problem: typed arrays, and the facts that they need.

`Design.matrix`, `Problem.samples` and the transfer's `penalty` make it. All arrays are read-only and lie in
one piece, all numbers are floats or integers as stated; whatever evaluates a formula comes beside it as a
compiled function. So a kernel runs wherever typed arrays can be laid out.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from workbench.kernels.compilation import FLOAT, INDICES, OFFSETS, VECTOR

# What `Matrix.layout` may be.
SPARSE, BY_ROWS, BY_COLUMNS = range(3)
# What `Penalty.kind` may be: thresholds alone, a sum of formulas, disjoint groups, groups in a tree.
SOFT, SUMMANDS, GROUPS, TREE = range(4)


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
    """The regularizer on the D columns, as its proximal point asks for it."""

    kind: int  # SOFT, SUMMANDS, GROUPS or TREE
    weights: np.ndarray  # (D,) the c of h(v) = Phi(S), S = sum_j c_j phi(v_j); empty for a norm
    theta: np.ndarray  # the neutral scale, then the parameters of the formulas
    threshold: float  # e and k of g = sum_j e |w_j| + k w_j^2 / (2 c_j), as far as it has such a part
    ridge: float
    order: np.ndarray  # int64, the coordinates of the first group, then of the second, and so on
    starts: np.ndarray  # (m + 1,) int64, where each group begins in `order`
    group_weights: np.ndarray  # (m,)
    largest: int  # 1 where a group counts by its largest magnitude, 0 where by its length


def penalty(kind, threshold=0.0, ridge=0.0, weights=None, theta=None, groups=None, largest=0):
    """A `Penalty`; `groups` has the attributes order, starts and weights."""
    floats = [np.empty(0) if part is None else part for part in (weights, theta, groups and groups.weights)]
    integers = [np.empty(0, np.int64)] * 2 if groups is None else [groups.order, groups.starts]
    floats, integers = (list(map(_frozen, parts)) for parts in (floats, integers))
    numbers = float(threshold), float(ridge)
    return Penalty(kind, *floats[:2], *numbers, *integers, floats[2], largest)


def _frozen(array):
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


INTEGER = types.int64
MATRIX = types.NamedTuple((OFFSETS, INDICES, VECTOR, INTEGER, INTEGER, INTEGER), Matrix)
SAMPLES = types.NamedTuple((VECTOR, VECTOR, VECTOR, VECTOR, FLOAT, FLOAT), Samples)
INTEGERS = types.Array(types.int64, 1, "C", readonly=True)
PENALTY = types.NamedTuple(
    (INTEGER, VECTOR, VECTOR, FLOAT, FLOAT, INTEGERS, INTEGERS, VECTOR, INTEGER), Penalty
)
