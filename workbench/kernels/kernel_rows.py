"""Compiled rows of a kernel matrix: on CSR rows, or read from a given matrix.

A row is a function of its two samples alone, so a row that is kept, computed anew or computed for a
part of the samples holds the same bits; no state has to remember what a cache held.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed
from workbench.kernels.compilation import (
    FLAG,
    FLAGS,
    INDICES,
    INTEGER,
    OFFSETS,
    READABLE_TABLE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)

# Codes of the kernels; a kernel of its own would cost each solver a compilation.
GIVEN, LINEAR, RBF, POLYNOMIAL = range(4)
# What is known of a row of a matrix that is kept whole.
UNKNOWN, KNOWN = range(2)


class KernelRows(NamedTuple):
    """The rows of a kernel matrix, as compiled functions compute or read them."""

    kind: INTEGER  # the code of the kernel
    parameters: VECTOR
    offsets: OFFSETS  # the samples, row by row
    indices: INDICES
    values: VECTOR
    squares: VECTOR  # (n,) x.x
    dense: WRITABLE  # (D,) zeros, to scatter a row into
    source: VECTOR  # (n n,) the matrix to read, or empty
    store: WRITABLE  # the same to fill
    known: FLAGS  # (n,) what is known of its rows
    everyone: INDICES  # (n,) the numbers of all samples
    is_whole: FLAG  # whether the matrix is kept whole


@inline
def power(base, degree):
    """Raise `base` to a whole power, by squaring."""
    result = 1.0
    while degree > 0:
        if degree & 1:
            result *= base
        base *= base
        degree >>= 1
    return result


@inline
def transform(kind, parameters, own, squares, columns, out):
    """Turn the products x.x_k into kernel values, in place; `own` is x.x."""
    if kind == RBF:
        gamma = parameters[0]
        for p in range(columns.shape[0]):
            # A distance is never negative, though the rounding of this difference may be.
            out[p] = math.exp(-gamma * max(own + squares[columns[p]] - 2.0 * out[p], 0.0))
    elif kind == POLYNOMIAL:
        gamma, constant, degree = parameters[0], parameters[1], np.int64(parameters[2])
        for p in range(columns.shape[0]):
            out[p] = power(gamma * out[p] + constant, degree)


@inline
def compute(rows, i, columns, out):
    """K(x_i, x_k) for the samples k of `columns`."""
    kind, parameters, indptr, indices, data, squares, dense, _, _, _, _, _ = rows
    for k in range(indptr[i], indptr[i + 1]):
        dense[indices[k]] = data[k]
    for p in range(columns.shape[0]):
        sample = columns[p]
        product = 0.0
        for k in range(indptr[sample], indptr[sample + 1]):
            product += dense[indices[k]] * data[k]
        out[p] = product
    for k in range(indptr[i], indptr[i + 1]):
        dense[indices[k]] = 0.0
    transform(kind, parameters, squares[i], squares, columns, out)


@inline
def whole_row(rows, i):
    """Row i of a matrix that is kept whole; unless that was given, it is computed when first asked for."""
    n = rows.everyone.shape[0]
    row = rows.source[i * n : (i + 1) * n]
    if rows.kind != GIVEN and rows.known[i] == UNKNOWN:
        compute(rows, i, rows.everyone, rows.store[i * n : (i + 1) * n])
        rows.known[i] = KNOWN
    return row


@inline
def collect(rows, i, columns, out):
    """Row i at these columns: read where the matrix is kept whole, computed otherwise."""
    if rows.is_whole:
        row = whole_row(rows, i)
        for p in range(columns.shape[0]):
            out[p] = row[columns[p]]
    else:
        compute(rows, i, columns, out)


@inline
def add_row(out, row, factor):
    """Add factor row to `out`."""
    for k in range(out.shape[0]):
        out[k] += factor * row[k]


@inline
def add_four_rows(out, a, b, c, d, p, q, r, s):
    """Add p a + q b + r c + s d to `out`."""
    for k in range(out.shape[0]):
        out[k] += (p * a[k] + q * b[k]) + (r * c[k] + s * d[k])


@inline
def add_whole_rows(rows, factors, out):
    """Add K factors to `out` for a stored matrix: four rows at a time, since memory is the limit."""
    support, count = np.empty(factors.shape[0], dtype=np.int64), 0
    for i in range(factors.shape[0]):
        if factors[i] != 0.0:
            support[count] = i
            count += 1
    fours = count - count % 4
    for t in range(0, fours, 4):
        i, j, k, m = support[t], support[t + 1], support[t + 2], support[t + 3]
        add_four_rows(
            out,
            whole_row(rows, i),
            whole_row(rows, j),
            whole_row(rows, k),
            whole_row(rows, m),
            factors[i],
            factors[j],
            factors[k],
            factors[m],
        )
    for t in range(fours, count):
        add_row(out, whole_row(rows, support[t]), factors[support[t]])


def _product(rows: KernelRows, factors: VECTOR, out: WRITABLE) -> None:
    """Add K factors to `out`, over the rows whose factor is not zero."""
    n = rows.everyone.shape[0]
    if rows.is_whole:
        add_whole_rows(rows, factors, out)
        return
    fresh = np.empty(n)
    for i in range(n):
        if factors[i] != 0.0:
            compute(rows, i, rows.everyone, fresh)
            add_row(out, fresh, factors[i])


def _expansion(
    kind: INTEGER,
    parameters: VECTOR,
    new_rows: Compressed,
    rows: Compressed,
    squares: VECTOR,
    dense: WRITABLE,
    everyone: INDICES,
    factors: VECTOR,
    out: WRITABLE,
) -> None:
    """Fill in out_i = sum_k factors_k K(x_i, x_k) for new rows x_i and rows x_k."""
    (new_indptr, new_indices, new_data), (indptr, indices, data) = new_rows, rows
    values = np.empty(everyone.shape[0])
    for i in range(out.shape[0]):
        own = 0.0
        for k in range(new_indptr[i], new_indptr[i + 1]):
            dense[new_indices[k]] = new_data[k]
            own += new_data[k] * new_data[k]
        for p in range(everyone.shape[0]):
            product = 0.0
            for k in range(indptr[p], indptr[p + 1]):
                product += dense[indices[k]] * data[k]
            values[p] = product
        for k in range(new_indptr[i], new_indptr[i + 1]):
            dense[new_indices[k]] = 0.0
        transform(kind, parameters, own, squares, everyone, values)
        total = 0.0
        for p in range(everyone.shape[0]):
            total += factors[p] * values[p]
        out[i] = total


product, expansion = lazy_jit(_product), lazy_jit(_expansion)


def _contradiction(matrix: READABLE_TABLE, band: INTEGER) -> INTEGER:
    """Return i n + k of the first entry in a band beside the diagonal that differs from its mirror, or -1."""
    n = matrix.shape[0]
    for i in range(n):
        for k in range(i + 1, min(n, i + 1 + band)):
            # Written so that it does not hold for nan.
            size = 1e-10 * (abs(matrix[i, i]) + abs(matrix[k, k]))
            if abs(matrix[i, k] - matrix[k, i]) > size:
                return i * n + k
    return -1


contradiction = lazy_jit(_contradiction)
