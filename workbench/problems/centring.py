"""Columns far from zero, moved to lie about zero where an unregularized bias takes up the difference.

    w.x + b = w.(x - m) + (b + w.m)        for every m

The weights, the dual variables and the objective are the same, and a solver no longer loses the spread of a
column beside its mean. A column is moved only where x - m is exact for all of its entries: the problem is the
same to the last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from workbench.problems.design import Design

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats


# Veltkamp's splitting factor, 2^27 + 1.
SPLIT = 134217729.0
# A column is far from zero where its mean is as many standard deviations away. Nearly all entries of a sparse
# column that is are not zero, so that it loses nothing when it is moved.
FAR = 10.0
# Beyond, the products below overflow.
LARGEST = 1e100


@np.errstate(over="ignore", invalid="ignore")
def origin(design: Design, weight: Floats) -> Floats | None:
    """Return the means (D,) of the columns far from zero, weighted, and 0 for the others; None for none.

    A constant column is far from zero by the spread of the widest of all columns.
    """
    share = weight / weight.sum()
    if (weight == weight[0]).all():
        squares = design.squares[1] * share[0]
    else:
        X = design.dense
        squares = design.rows.power(2).T @ share if X is None else np.einsum("i,ij,ij->j", share, X, X)
    level = design.transposed(share) ** 2
    far = np.flatnonzero((squares < level * (1.0 + FAR**-2)) & (level < LARGEST**2))
    if not far.size:
        return None
    columns = design.rows[:, far].toarray() if design.dense is None else design.dense[:, far]
    beyond = columns - columns[0]
    mean = columns[0] + share @ beyond
    moves = beyond.any(axis=0) | (mean**2 > FAR**2 * (squares - level).max())
    moves &= (_sum(columns, -mean)[1] == 0.0).all(axis=0)
    means = np.zeros(design.shape[1])
    means[far] = np.where(moves, mean, 0.0)
    means.setflags(write=False)
    return means if means.any() else None


def centred(design: Design, origin: Floats) -> Design:
    """Return the design with its columns moved by the origin (D,)."""
    if design.dense is not None:
        return Design(design.dense - origin, copied=False)
    n, far = design.shape[0], np.flatnonzero(origin)
    entries = np.tile(origin[far], n), np.tile(far, n), far.size * np.arange(n + 1)
    return Design.own(sp.csr_array(design.rows - sp.csr_array(entries, shape=design.shape)))


def moved(b: Bias, w: Floats, origin: Floats) -> Bias:
    """Return b + w.m, rounded once; (r,) for w (D, r) and b (r,)."""
    if w.ndim > 1:
        b = np.broadcast_to(b, w.shape[1:])
        return np.array([moved(start, column, origin) for start, column in zip(b, w.T, strict=True)])
    far = np.flatnonzero(origin)
    parts = _product(w[far], origin[far])
    total = float(b) + float(parts[0].sum())
    return math.fsum([float(b), *parts[0].tolist(), *parts[1].tolist()]) if math.isfinite(total) else total


def _sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return a + b rounded, and its rounding error, exactly (Knuth)."""
    s = a + b
    other = s - a
    return s, (a - (s - other)) + (b - other)


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return a b rounded, and its rounding error, exactly but for underflow; nan on overflow (Dekker)."""
    product, big, wide = a * b, SPLIT * a, SPLIT * b
    head, lead = big - (big - a), wide - (wide - b)
    tail, trail = a - head, b - lead
    return product, ((head * lead - product) + head * trail + tail * lead) + tail * trail
