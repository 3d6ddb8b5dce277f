"""Upper bounds of sums of convex functions, rounding included.

Of a convex function the larger value at the two ends of an interval bounds all between; how far the formula
of a value may be off is what `codegen.rounding` printed beside it. The bounds of the summands are added
with a second sum of what each addition rounds off, as if in twice the precision.

Source       Ogita, Rump and Oishi (2005), Sum2, for the sum of sums
"""

import math

import numpy as np

from workbench.kernels.compilation import (
    FLOAT,
    INTEGER,
    PRIMAL_TYPE,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.sample_loops import each_piece

UNIT = 2.0**-53
# The printed bounds are of first order, in units of the unit roundoff, and count a function of libm as 4 of
# them: four times as much holds for 4 units in the last place, and for what is of second order.
SAFE = 4.0
# What an operation may lose where its result leaves the normal floats; far above that, so that its products
# with other bounds stay among them, where processors are quick.
LOST = 1e-140
# A length whose square leaves the normal floats.
SMALLEST = 1e-140
# Up to this many parts are added exactly, without compiled code.
FEW = 1000


def raised(value, units=4.0):
    """Return an upper bound of the exact value of a result of `units` roundings."""
    return value + units * UNIT * abs(value) + LOST


def gamma(count):
    """Return the most that a sum of n products may round, as a share of the sum of their magnitudes."""
    share = (count + 2.0) * UNIT
    return share / (1.0 - share)


def total_above(parts):
    """Bound a sum from above; infinite if it overflows on its way."""
    parts = np.asarray(parts, dtype=float)
    if parts.size < FEW:
        return raised(math.fsum(parts.tolist())) if np.abs(parts).sum() < math.inf else math.inf
    total, magnitude = _compiled_total()(np.ascontiguousarray(parts))
    bound = raised(total) + raised((parts.size * UNIT) ** 2 * raised(magnitude, parts.size))
    return bound if magnitude < math.inf else math.inf


def _total(parts: VECTOR) -> tuple[FLOAT, FLOAT]:
    """Return a sum and that of magnitudes, of which n^2 u^2 and one rounding are the most it is off by."""
    total = lost = magnitude = 0.0
    for k in range(parts.shape[0]):
        before = total
        total += parts[k]
        back = total - before
        lost += (before - (total - back)) + (parts[k] - back)
        magnitude += abs(parts[k])
    return total + lost, magnitude


def product_above(x, y):
    """Bound x.y from above."""
    parts = x * y
    return total_above(parts) + raised(2.0 * UNIT * float(np.abs(parts).sum()), x.size) + x.size * LOST


@inline
def _above(value, rounding):
    bound = value + SAFE * UNIT * (rounding + abs(value)) + LOST
    return math.inf if math.isnan(bound) else bound


def _convex_parts(
    function: SCALAR_TYPE,
    rounding: SCALAR_TYPE,
    theta: VECTOR,
    at: VECTOR,
    error: VECTOR,
    weight: VECTOR,
    lower: FLOAT,
    upper: FLOAT,
    begin: INTEGER,
    end: INTEGER,
    out: WRITABLE,
) -> None:
    """Upper bounds of weight_i f(x_i), f convex, x_i within error_i of at_i and between the ends."""
    for i in range(begin, end):
        x, e = at[i], error[i]
        if e > 0.0:
            e += 4.0 * UNIT * (abs(x) + e)
        left, right = min(max(x - e, lower), upper), min(max(x + e, lower), upper)
        part = _above(function(left, theta), rounding(left, theta))
        if e > 0.0:
            part = max(part, _above(function(right, theta), rounding(right, theta)))
        # The product rounds as well.
        out[i] = weight[i] * part
        out[i] += 2.0 * UNIT * abs(out[i])


def convex_sum(function, rounding, theta, at, error, weight, lower=-math.inf, upper=math.inf):
    """Bound sum_i weight_i f(x_i) from above, f convex, x_i within error_i of at_i and between the ends."""
    arguments, out = (
        (function, rounding, theta, at, error, weight, float(lower), float(upper)),
        np.empty(at.size),
    )
    each_piece(at.size, lambda *piece: _compiled_parts()(*arguments, *piece, out))
    return total_above(out)


def _primal_parts(
    primal: PRIMAL_TYPE, rounding: PRIMAL_TYPE, w: VECTOR, weights: VECTOR, theta: VECTOR, out: WRITABLE
) -> None:
    for j in range(w.shape[0]):
        out[j] = _above(primal(w[j], weights[j], theta), rounding(w[j], weights[j], theta))


def primal_sum(primal, rounding, w, weights, theta):
    """Bound sum_j psi(w_j) from above at weights as they are stored."""
    out = np.empty(w.size)
    _compiled_primal()(primal, rounding, w, weights, theta, out)
    return total_above(out)


_compiled_total = lazy_jit(_total)
_compiled_parts = lazy_jit(_convex_parts)
_compiled_primal = lazy_jit(_primal_parts)
