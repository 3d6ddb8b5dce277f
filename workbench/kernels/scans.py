"""One pass over a matrix that is given: are its entries finite, how many are not zero, and a copy."""

import math

from workbench.kernels import threads
from workbench.kernels.compilation import INTEGER, OFFSET, VECTOR, WRITABLE, lazy_jit


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


scan = lazy_jit(_scan)
look = lazy_jit(_look)
