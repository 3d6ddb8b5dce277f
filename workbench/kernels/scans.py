"""One pass over a matrix: are its entries finite, how many are not zero, a copy, and a fingerprint."""

import numpy as np

from workbench.kernels import threads
from workbench.kernels.arrays import Matrix
from workbench.kernels.compilation import BITS, FLAG, OFFSET, OFFSETS, inline, lazy_jit

# Steele, Lea and Flood (2014): what a place is multiplied by, 2^64 over the golden ratio.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ZERO, ONE, ONE_BITS = np.uint64(0), np.uint64(1), np.float64(1.0).view(np.uint64)
# All bits but the sign. STEP added to the bits of a magnitude sets the sign bit of infinities and nan alone.
SIZE, STEP = np.uint64(2**63 - 1), np.uint64(2**52)
LOW, SHIFT, HALF, SIGN = np.uint64(2**32 - 1), np.uint64(29), np.uint64(32), np.uint64(63)


@inline
def _mixed(bits, key):
    """Mix an entry's bits with the key of its place by a product of 32 bits, of which vectors have many."""
    x = bits ^ key
    x ^= x >> SHIFT
    y = (x & LOW) * (x >> HALF) + x
    return y, ((y >> HALF) | (y << HALF)) ^ x


def _dense(
    bits: OFFSETS,
    out: BITS,
    copied: FLAG,
    size: OFFSET,
    across: OFFSET,
    along: OFFSET,
    begin: OFFSET,
    end: OFFSET,
) -> tuple[OFFSET, OFFSET, OFFSET, OFFSET]:
    """Read entries `begin` to `end` of lines of `size`; entry k of line i has place i across + k along."""
    strange = nonzeros = first = second = ZERO
    while begin < end:
        i = begin // size
        stop: int = min(size * (i + ONE), end)  # type: ignore[assignment]
        key, step = (i * across + (begin - i * size) * along + ONE) * GOLDEN, along * GOLDEN
        for k in range(begin, stop):
            if copied:
                out[k] = bits[k]
            # Without a branch, which would leave the loop without vectors.
            magnitude = bits[k] & SIZE
            strange |= magnitude + STEP
            nonzero = (magnitude + SIZE) >> SIGN
            nonzeros += nonzero
            x, y = _mixed(bits[k], key)
            first += x & (ZERO - nonzero)
            second += y & (ZERO - nonzero)
            key += step
        begin = stop
    # Numbers of NumPy in Python alone.
    return strange >> SIGN, nonzeros, first, second  # type: ignore[return-value]


def _sparse(matrix: Matrix, bits: OFFSETS) -> tuple[OFFSET, OFFSET]:
    first = second = ZERO
    d = np.uint64(matrix.columns)
    for i in range(np.uint64(matrix.rows)):
        for k in range(matrix.offsets[i], matrix.offsets[i + ONE]):
            entry = bits[k] if bits.shape[0] else ONE_BITS
            if entry & SIZE != ZERO:
                x, y = _mixed(entry, (i * d + np.uint64(matrix.indices[k]) + ONE) * GOLDEN)
                first += x
                second += y
    return first, second  # type: ignore[return-value]


def read(values, out=None):
    """Read a dense matrix (n, d) that lies by rows or by columns, and copy it to `out`, which lies alike.

    Returns
    -------
    tuple of int
        1 if an entry is not finite, the number of entries that are not zero, and the `fingerprint`.
    """
    n, d = values.shape
    order = (n * d, 0, 1) if values.flags.c_contiguous else (n, 1, d)
    bits = values.ravel(order="K").view(np.uint64)
    to = np.empty(0, np.uint64) if out is None else out.ravel(order="K").view(np.uint64)
    pieces, loop = threads.pieces(bits.size, bits.size // threads.PIECE), dense()
    parts = threads.mapped(lambda piece: loop(bits, to, out is not None, *order, *piece), pieces)
    strange, nonzeros, first, second = zip(*parts, strict=True)
    return max(strange), sum(nonzeros), (sum(first) % 2**64, sum(second) % 2**64)


def fingerprint(matrix):
    """Return two sums over the entries of a sparse `Matrix`, as `read` has them of the same matrix dense."""
    return sparse()(matrix, matrix.values.view(np.uint64))


dense = lazy_jit(_dense)
sparse = lazy_jit(_sparse)
