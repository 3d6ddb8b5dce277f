"""Compiled loops over columns of a design, dense (one behind the other) or compressed."""

import numpy as np

from workbench.kernels.compilation import FLOAT, INDICES, OFFSETS, VECTOR, WRITABLE, inline, lazy_jit
from workbench.kernels.lanes import dot

ONE, TWO, THREE, FOUR = map(np.uint64, range(1, 5))
# Entries of a column that are weighed at a time.
BLOCK = 256


@inline
def dense_product(data, lo, r):
    """x.r for the column that begins at `lo`."""
    return dot(data, np.uint64(lo), r, np.uint64(0), np.uint64(r.shape[0]))


@inline
def bent_square(data, lo, bend, scratch):
    """sum_i h_i x_i^2 for the column that begins at `lo`."""
    total = 0.0
    for begin in range(0, bend.shape[0], BLOCK):
        h = bend[begin : begin + BLOCK]
        x = data[lo + begin : lo + begin + h.shape[0]]
        for i in range(h.shape[0]):
            scratch[i] = h[i] * x[i]
        total += dot(scratch, np.uint64(0), x, np.uint64(0), np.uint64(h.shape[0]))
    return total


@inline
def sparse_product(indices, data, lo, hi, r):
    """sum_i x_i r_i over the entries of a compressed column, as four sums that do not wait for each other."""
    a = b = c = d = 0.0
    while lo + FOUR <= hi:
        a += data[lo] * r[indices[lo]]
        b += data[lo + ONE] * r[indices[lo + ONE]]
        c += data[lo + TWO] * r[indices[lo + TWO]]
        d += data[lo + THREE] * r[indices[lo + THREE]]
        lo += FOUR
    total = (a + b) + (c + d)
    while lo < hi:
        total += data[lo] * r[indices[lo]]
        lo += ONE
    return total


@inline
def column_product(indptr, indices, data, j, r):
    """Return x_j.r."""
    if indptr.shape[0] == 0:
        return dense_product(data, j * r.shape[0], r)
    return sparse_product(indices, data, indptr[j], indptr[j + 1], r)


@inline
def add_column(indptr, indices, data, j, step, r):
    """Add step x_j to r."""
    if indptr.shape[0] == 0:
        n = r.shape[0]
        x = data[j * n : (j + 1) * n]
        for i in range(n):
            r[i] += step * x[i]
    else:
        for k in range(indptr[j], indptr[j + 1]):
            r[indices[k]] += step * data[k]


@inline
def add_bent_column(indptr, indices, data, j, step, bend, r):
    """r_i += step h_i x_ij."""
    if indptr.shape[0] == 0:
        n = r.shape[0]
        x = data[j * n : (j + 1) * n]
        for i in range(n):
            r[i] += step * bend[i] * x[i]
    else:
        for k in range(indptr[j], indptr[j + 1]):
            r[indices[k]] += step * bend[indices[k]] * data[k]


def _products(
    queue: INDICES, indptr: OFFSETS, indices: INDICES, data: VECTOR, r: VECTOR, out: WRITABLE
) -> None:
    for k in range(queue.shape[0]):
        out[queue[k]] = column_product(indptr, indices, data, np.int64(queue[k]), r)


def _predictions(
    queue: INDICES, indptr: OFFSETS, indices: INDICES, data: VECTOR, w: VECTOR, out: WRITABLE
) -> None:
    out[:] = 0.0
    for k in range(queue.shape[0]):
        if w[queue[k]] != 0.0:
            add_column(indptr, indices, data, np.int64(queue[k]), w[queue[k]], out)


def _squares(
    queue: INDICES,
    indptr: OFFSETS,
    indices: INDICES,
    data: VECTOR,
    bend: VECTOR,
    mass: FLOAT,
    squares: WRITABLE,
    means: WRITABLE,
) -> None:
    scratch = np.empty(BLOCK)
    for k in range(queue.shape[0]):
        j = np.int64(queue[k])
        square = first = 0.0
        if indptr.shape[0] == 0:
            lo = j * bend.shape[0]
            square = bent_square(data, lo, bend, scratch)
            first = dense_product(data, lo, bend) if mass > 0.0 else 0.0
        else:
            for i in range(indptr[j], indptr[j + 1]):
                square += bend[indices[i]] * data[i] * data[i]
                first += bend[indices[i]] * data[i]
        means[j] = first / mass if mass > 0.0 else 0.0
        squares[j] = max(square - means[j] * first, 0.0)


# x_j.r into `out` (D,) for the columns of a queue.
products = lazy_jit(_products)
# X w into `out` (n,), for the columns of a queue.
predictions = lazy_jit(_predictions)
# sum_i h_i (x_ij - m_j)^2 and m_j into (D,) for the columns of a queue; m_j is the mean under h where sum h
# is given as `mass`, and 0 where that is 0.
squares = lazy_jit(_squares)
