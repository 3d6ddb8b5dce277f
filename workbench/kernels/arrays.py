"""The records in which compiled functions take a problem: typed arrays, numbers and compiled functions.

`Design.matrix`, `Problem.samples` and the transfer's `penalty` make the first ones. A field's annotation is
its numba type, from which the signatures of kernels and the table of the WebAssembly follow. The arrays of a
problem are read-only and lie in one piece. So a kernel runs wherever typed arrays can be laid out.
"""

from typing import NamedTuple

import numpy as np

from workbench.kernels.compilation import (
    COORDINATE_TYPE,
    FLOAT,
    INDICES,
    INTEGER,
    LABELS,
    OFFSETS,
    REFRESH_TYPE,
    ROW_ADD_TYPE,
    ROW_PROBE_TYPE,
    SCALAR_TYPE,
    VECTOR,
    functions,
)

# What `Matrix.layout` may be.
SPARSE, BY_ROWS, BY_COLUMNS = range(3)
# What `Penalty.kind` may be: thresholds alone, a sum of formulas, disjoint groups, groups in a tree.
SOFT, SUMMANDS, GROUPS, TREE = range(4)


class Matrix(NamedTuple):
    """The samples as a matrix (n, D)."""

    offsets: OFFSETS  # (n + 1,) uint64, where each row begins; empty where the matrix is dense
    indices: INDICES  # (nnz,) uint32, the columns; empty where it is dense
    values: VECTOR  # (nnz,), empty where all are 1; (n D,) by rows or by columns where it is dense
    rows: INTEGER  # n
    columns: INTEGER  # D
    layout: INTEGER  # SPARSE, BY_ROWS or BY_COLUMNS


class Compressed(NamedTuple):
    """The matrix (n, D) by rows or by columns; offsets and indices are empty where it is dense."""

    offsets: OFFSETS  # (n + 1,) where each row begins
    indices: INDICES  # the columns
    values: VECTOR  # empty where all are 1


class Samples(NamedTuple):
    """The loss at each sample, f(z_i) = c_i p(s_i z_i + t_i)."""

    sign: VECTOR  # (n,) s
    shift: VECTOR  # (n,) t
    weight: VECTOR  # (n,) c
    theta: VECTOR  # the parameters of the formulas
    lower: FLOAT  # the ends of the domain of p*
    upper: FLOAT


class Penalty(NamedTuple):
    """The regularizer on the D columns, as its proximal point asks for it."""

    kind: INTEGER  # SOFT, SUMMANDS, GROUPS or TREE
    weights: VECTOR  # (D,) the c of h(v) = Phi(S), S = sum_j c_j phi(v_j); empty for a norm
    theta: VECTOR  # the neutral scale, then the parameters of the formulas
    threshold: FLOAT  # e and k of g = sum_j e |w_j| + k w_j^2 / (2 c_j), as far as it has such a part
    ridge: FLOAT
    order: LABELS  # int64, the coordinates of the first group, then of the second, and so on
    starts: LABELS  # (m + 1,) int64, where each group begins in `order`
    group_weights: VECTOR  # (m,)
    largest: INTEGER  # 1 where a group counts by its largest magnitude, 0 where by its length


@functions
class LossFunctions(NamedTuple):
    """The compiled functions of a loss with one prediction a sample."""

    value: SCALAR_TYPE
    slope: SCALAR_TYPE
    conjugate: SCALAR_TYPE
    conjugate_slope: SCALAR_TYPE
    coordinate: COORDINATE_TYPE


@functions
class RegularizerFunctions(NamedTuple):
    """The compiled functions of a regularizer with a smooth conjugate h = Phi(S), S = sum_j c_j phi(v_j)."""

    row_add: ROW_ADD_TYPE
    row_probe: ROW_PROBE_TYPE
    refresh: REFRESH_TYPE
    outer: SCALAR_TYPE
    outer_slope: SCALAR_TYPE
    outer_curvature: SCALAR_TYPE


def penalty(kind, threshold=0.0, ridge=0.0, weights=None, theta=None, groups=None, largest=0):
    """Build a `Penalty`; `groups` has the attributes order, starts and weights."""
    none, no_labels = np.empty(0), np.empty(0, np.int64)
    return Penalty(
        kind,
        frozen(none if weights is None else weights),
        frozen(none if theta is None else theta),
        float(threshold),
        float(ridge),
        frozen(no_labels if groups is None else groups.order),
        frozen(no_labels if groups is None else groups.starts),
        frozen(none if groups is None else groups.weights),
        largest,
    )


def frozen(array):
    """Return a read-only view of an array that lies in one piece, a copy where it does not."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view
