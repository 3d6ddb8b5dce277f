"""Products with the matrix of samples: predictions z = Xw and X'alpha, without BLAS and in a fixed order.

A range of rows is a piece of work of its own, so that two may be done at once; neither the last bit of a
result nor what a kernel needs depends on who does them.
"""

from collections.abc import Callable

import numpy as np

from workbench.kernels.arrays import BY_COLUMNS, BY_ROWS, SPARSE, Matrix
from workbench.kernels.compilation import INTEGER, VECTOR, WRITABLE, inline, lazy_jit
from workbench.kernels.lanes import add_four, add_one, dot, dot_four

# Rows whose part of a dense product is done at a time where the matrix lies by columns: z stays in the cache.
BLOCK = 2048
# The chains in which `dot` adds up.
CHAINS = 16

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(k) for k in range(5))


@inline
def row_sum(indices, lo, hi, v):
    """`row_product` of a row of ones, to the bit."""
    a = b = c = d = 0.0
    k = lo
    while k + FOUR <= hi:
        a += v[indices[k]]
        b += v[indices[k + ONE]]
        c += v[indices[k + TWO]]
        d += v[indices[k + THREE]]
        k += FOUR
    while k < hi:
        a += v[indices[k]]
        k += ONE
    return (a + b) + (c + d)


@inline
def row_product(indices, data, lo, hi, v):
    """sum_j v_j x_ij in four chains, since one would wait for every addition."""
    a = b = c = d = 0.0
    k = lo
    while k + FOUR <= hi:
        a += v[indices[k]] * data[k]
        b += v[indices[k + ONE]] * data[k + ONE]
        c += v[indices[k + TWO]] * data[k + TWO]
        d += v[indices[k + THREE]] * data[k + THREE]
        k += FOUR
    while k < hi:
        a += v[indices[k]] * data[k]
        k += ONE
    return (a + b) + (c + d)


@inline
def add_ones(indices, lo, hi, step, v):
    """`add_row` of a row of ones, to the bit."""
    k = lo
    while k + FOUR <= hi:
        p, q, r, s = indices[k], indices[k + ONE], indices[k + TWO], indices[k + THREE]
        a, b, c, d = v[p] + step, v[q] + step, v[r] + step, v[s] + step
        v[p], v[q], v[r], v[s] = a, b, c, d
        k += FOUR
    while k < hi:
        v[indices[k]] += step
        k += ONE


@inline
def add_row(indices, data, lo, hi, step, v):
    """Add step x_i to v; the columns of a row differ, so four may be read before any is written."""
    k = lo
    while k + FOUR <= hi:
        p, q, r, s = indices[k], indices[k + ONE], indices[k + TWO], indices[k + THREE]
        a, b = v[p] + step * data[k], v[q] + step * data[k + ONE]
        c, d = v[r] + step * data[k + TWO], v[s] + step * data[k + THREE]
        v[p], v[q], v[r], v[s] = a, b, c, d
        k += FOUR
    while k < hi:
        v[indices[k]] += step * data[k]
        k += ONE


@inline
def _predict_dense(matrix, w, lo, hi, z):
    d, i = np.uint64(matrix.columns), lo
    while i + FOUR <= hi:
        dot_four(z, i, matrix.values, i * d, d, w, d)
        i += FOUR
    while i < hi:
        z[i] = dot(matrix.values, i * d, w, ZERO, d)
        i += ONE


@inline
def _add_columns(values, stride, count, factors, start, size, out):
    """Add `count` vectors of `values`, from `start` on and `stride` apart, times their factors to `out`."""
    j = ZERO
    while j + FOUR <= count:
        a, b, c, d = factors[j], factors[j + ONE], factors[j + TWO], factors[j + THREE]
        if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
            add_four(out, values, start + j * stride, stride, size, a, b, c, d)
        j += FOUR
    while j < count:
        if factors[j] != 0.0:
            add_one(out, values, start + j * stride, size, factors[j])
        j += ONE


def _predictions(matrix: Matrix, w: VECTOR, first: INTEGER, last: INTEGER, z: WRITABLE) -> None:
    """z_i = x_i.w for first <= i < last."""
    lo, hi = np.uint64(first), np.uint64(last)
    if matrix.layout == BY_ROWS:
        _predict_dense(matrix, w, lo, hi, z)
    elif matrix.layout == BY_COLUMNS:
        n, d = np.uint64(matrix.rows), np.uint64(matrix.columns)
        while lo < hi:
            size = min(np.uint64(BLOCK), hi - lo)
            part = z[lo : lo + size]
            part[:] = 0.0
            _add_columns(matrix.values, n, d, w, lo, size, part)
            lo += size
    elif matrix.values.shape[0] == 0:
        for i in range(lo, hi):
            z[i] = row_sum(matrix.indices, matrix.offsets[i], matrix.offsets[i + ONE], w)
    else:
        for i in range(lo, hi):
            # One chain: the rows are independent, and a processor works at several at once.
            total = 0.0
            for k in range(matrix.offsets[i], matrix.offsets[i + ONE]):
                total += w[matrix.indices[k]] * matrix.values[k]
            z[i] = total


@inline
def _add_rows(matrix, alpha, lo, hi, v):
    """Add the sum of alpha_i x_i over lo <= i < hi to v, unless the matrix lies by columns."""
    d = np.uint64(matrix.columns)
    if matrix.layout == BY_ROWS:
        _add_columns(matrix.values, d, hi - lo, alpha[lo:hi], lo * d, d, v)
        return
    ones = matrix.values.shape[0] == 0
    for i in range(lo, hi):
        if alpha[i] == 0.0:
            continue
        begin, end = matrix.offsets[i], matrix.offsets[i + ONE]
        if ones:
            add_ones(matrix.indices, begin, end, alpha[i], v)
        else:
            add_row(matrix.indices, matrix.values, begin, end, alpha[i], v)


def _transposed(matrix: Matrix, alpha: VECTOR, first: INTEGER, last: INTEGER, v: WRITABLE) -> None:
    """Add the sum of alpha_i x_i over first <= i < last to v."""
    lo, hi = np.uint64(first), np.uint64(last)
    if matrix.layout != BY_COLUMNS:
        _add_rows(matrix, alpha, lo, hi, v)
        return
    n, d = np.uint64(matrix.rows), np.uint64(matrix.columns)
    while lo < hi:
        size = min(np.uint64(BLOCK), hi - lo)
        for j in range(d):
            v[j] += dot(matrix.values, j * n + lo, alpha, lo, size)
        lo += size


@inline
def _add_squares(values, begin, along):
    """Add the squares of a line of a dense matrix to those of the lines before; returns their sum."""
    total, size = 0.0, np.uint64(along.shape[0])
    lo = np.uint64(0)
    while lo < size:
        hi = min(lo + np.uint64(BLOCK), size)
        for k in range(lo, hi):
            along[k] += values[begin + k] * values[begin + k]
        total += dot(values, begin + lo, values, begin + lo, hi - lo)
        lo = hi
    return total


def _squares(matrix: Matrix, rows: WRITABLE, columns: WRITABLE) -> None:
    if matrix.layout != SPARSE:
        along, across = (columns, rows) if matrix.layout == BY_ROWS else (rows, columns)
        for k in range(across.shape[0]):
            across[k] = _add_squares(matrix.values, np.uint64(k * along.shape[0]), along)
        return
    for i in range(np.uint64(rows.shape[0])):
        # In a local, since the compiler cannot tell rows from columns.
        total = 0.0
        for k in range(matrix.offsets[i], matrix.offsets[i + ONE]):
            x = matrix.values[k] if matrix.values.shape[0] else 1.0
            total += x * x
            columns[matrix.indices[k]] += x * x
        rows[i] = total


# Both take a matrix, a vector, the first row and the one behind the last, and what they fill in.
PRODUCT = Callable[[Matrix, VECTOR, INTEGER, INTEGER, WRITABLE], None]

predictions = lazy_jit(_predictions)
transposed = lazy_jit(_transposed)
# The sums of squares of rows and columns, in one pass, into (n,) and (D,) of zeros.
squares = lazy_jit(_squares)
