"""One pass over a matrix: are its entries finite, how many are not zero, a copy, and a fingerprint."""

import math

import numpy as np

from workbench.kernels import threads
from workbench.kernels.arrays import BY_ROWS, SPARSE, Matrix
from workbench.kernels.compilation import INTEGER, OFFSET, OFFSETS, VECTOR, WRITABLE, inline, lazy_jit

# Steele, Lea and Flood (2014): the increment and the multipliers of SplitMix64.
GOLDEN, ROUNDS = np.uint64(0x9E3779B97F4A7C15), (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
ONE, ONE_BITS = np.uint64(1), np.float64(1.0).view(np.uint64)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def _scan(values: VECTOR, first: OFFSET, last: OFFSET, out: WRITABLE) -> tuple[INTEGER, INTEGER]:
    strange = nonzeros = 0
    for k in range(first, last):
        x = values[k]
        strange += not abs(x) < math.inf
        nonzeros += x != 0.0
        out[k] = x
    return strange, nonzeros


def _look(values: VECTOR, first: OFFSET, last: OFFSET) -> tuple[INTEGER, INTEGER]:
    strange = nonzeros = 0
    for k in range(first, last):
        strange += not abs(values[k]) < math.inf
        nonzeros += values[k] != 0.0
    return strange, nonzeros


def copied(values, out):
    """Copy values (m,) to another `out`; return the numbers of those not finite and not zero."""
    pieces = threads.pieces(values.shape[0], values.shape[0] // threads.PIECE)
    if out.__array_interface__["data"] == values.__array_interface__["data"]:
        counts = threads.mapped(lambda piece: look()(values, *piece), pieces)
    else:
        counts = threads.mapped(lambda piece: scan()(values, *piece, out), pieces)
    return tuple(map(sum, zip(*counts, strict=True)))


@inline
def _mixed(bits, place):
    """Mix the bits of an entry with its place; 0 for an entry of 0."""
    if bits << ONE == np.uint64(0):
        return np.uint64(0)
    x = bits ^ ((place + ONE) * GOLDEN)
    x = (x ^ (x >> SHIFTS[0])) * ROUNDS[0]
    x = (x ^ (x >> SHIFTS[1])) * ROUNDS[1]
    return x ^ (x >> SHIFTS[2])


def _fingerprint(matrix: Matrix, bits: OFFSETS) -> tuple[OFFSET, OFFSET]:
    """Two sums over the entries, whose values have these bits: the same by rows, by columns and sparse."""
    first = second = np.uint64(0)
    n, d = np.uint64(matrix.rows), np.uint64(matrix.columns)
    if matrix.layout != SPARSE:
        lines, size, across, along = (n, d, d, ONE) if matrix.layout == BY_ROWS else (d, n, ONE, d)
        for i in range(lines):
            for k in range(size):
                x = _mixed(bits[i * size + k], i * across + k * along)
                first += x
                second += (x >> SHIFTS[2]) * x
    else:
        for i in range(n):
            for k in range(matrix.offsets[i], matrix.offsets[i + ONE]):
                x = _mixed(bits[k] if bits.shape[0] else ONE_BITS, i * d + np.uint64(matrix.indices[k]))
                first += x
                second += (x >> SHIFTS[2]) * x
    return first, second  # type: ignore[return-value]  # numbers of NumPy in Python alone


scan = lazy_jit(_scan)
look = lazy_jit(_look)
fingerprint = lazy_jit(_fingerprint)
