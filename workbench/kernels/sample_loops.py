"""Compiled loops over the samples: dual points of map (10), Fenchel-Young terms, sums, repairs.

Each takes a range of samples and sums in runs of `CHUNK`, so that ranges may be done at once and their sums
added in turn. `each_piece` does that where there are many samples.
"""

import math
from collections.abc import Callable

from workbench.kernels import threads
from workbench.kernels.arrays import Samples
from workbench.kernels.compilation import (
    COORDINATE_TYPE,
    FLOAT,
    INTEGER,
    INTEGERS,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.term_loops import CHUNK, young

# The fewest samples that make a piece of work of their own.
PIECE = 2**15
MOST_PIECES = 8
# The float below 1: times it, any float becomes the next one towards zero.
INWARD = 1.0 - 2.0**-53


@inline
def dual_of(alpha, sign, weight):
    """Return the loss's own dual coordinate nu = -alpha / (c s)."""
    return -alpha / (weight * sign)


@inline
def alpha_of(nu, sign, weight, lower, upper):
    """Return the dual variable of nu in the domain of p*; subtraction from zero avoids -0.

    Rounding does not take it out of the domain: (c nu) / c may lie beyond nu.
    """
    alpha = 0.0 - (weight * sign) * nu
    back = dual_of(alpha, sign, weight)
    return alpha * INWARD if back < lower or back > upper else alpha


def _dual_points(
    slope: SCALAR_TYPE, samples: Samples, z: VECTOR, b: FLOAT, first: INTEGER, last: INTEGER, alpha: WRITABLE
) -> None:
    """alpha_i of map (10) at the prediction z_i + b: nu_i = p'(u_i), within the domain of p*."""
    sign, shift, weight, theta, lower, upper = samples
    for i in range(first, last):
        s = sign[i]
        nu = min(max(slope(s * (z[i] + b) + shift[i], theta), lower), upper)
        alpha[i] = alpha_of(nu, s, weight[i], lower, upper)


def _value_sum(
    value: SCALAR_TYPE, samples: Samples, z: VECTOR, b: FLOAT, first: INTEGER, last: INTEGER
) -> FLOAT:
    """Sum the losses at the predictions z_i + b."""
    sign, shift, weight, theta, _, _ = samples
    total = 0.0
    for lo in range(first, last, CHUNK):
        part = 0.0
        for i in range(lo, min(lo + CHUNK, last)):
            part += weight[i] * value(sign[i] * (z[i] + b) + shift[i], theta)
        total += part
    return total


@inline
def sum_conjugates(conjugate, samples, alpha, scale, first, last):
    """Sum k(-scale alpha_i)."""
    sign, shift, weight, theta, _, _ = samples
    total = 0.0
    for lo in range(first, last, CHUNK):
        part = 0.0
        for i in range(lo, min(lo + CHUNK, last)):
            nu = dual_of(scale * alpha[i], sign[i], weight[i])
            part += weight[i] * (conjugate(nu, theta) - shift[i] * nu)
        total += part
    return total


def _conjugate_sum(
    conjugate: SCALAR_TYPE, samples: Samples, alpha: VECTOR, scale: FLOAT, first: INTEGER, last: INTEGER
) -> FLOAT:
    return sum_conjugates(conjugate, samples, alpha, scale, first, last)


def _terms(
    value: SCALAR_TYPE,
    conjugate: SCALAR_TYPE,
    samples: Samples,
    z: VECTOR,
    alpha: VECTOR,
    offset: VECTOR,
    first: INTEGER,
    last: INTEGER,
    terms: WRITABLE,
) -> tuple[FLOAT, FLOAT, FLOAT]:
    """Fill in the Fenchel-Young terms.

    Returns the sums of f(z_i) and of k(-alpha_i) + alpha_i b_i, and the worst rounding; `offset` holds b_i,
    or one number for all.
    """
    sign, shift, weight, theta, _, _ = samples
    varies = offset.shape[0] > 1
    b = offset[0]
    values = duals = worst = 0.0
    for lo in range(first, last, CHUNK):
        f = k = 0.0
        for i in range(lo, min(lo + CHUNK, last)):
            s, t, c = sign[i], shift[i], weight[i]
            u, nu = s * z[i] + t, dual_of(alpha[i], s, c)
            primal, dual = c * value(u, theta), conjugate(nu, theta)
            terms[i], units = young(primal, c * dual, c * (u * nu))
            f += primal
            if varies:
                b = offset[i]
            # k(-alpha) = c (p*(nu) - t nu), see workbench.conjugates.terms.losses.
            k += c * (dual - (t + s * b) * nu)
            worst = max(worst, units)
        values += f
        duals += k
    return values, duals, worst


def _feasible(
    samples: Samples, alpha: VECTOR, first: INTEGER, last: INTEGER, out: WRITABLE
) -> tuple[FLOAT, FLOAT]:
    """Move alpha to where every k(-alpha_i) is finite; return how many moved, and how far at most."""
    sign, _, weight, _, lower, upper = samples
    moved = farthest = 0.0
    for i in range(first, last):
        s, c = sign[i], weight[i]
        nu = dual_of(alpha[i], s, c)
        inside = nu
        if nu < lower:
            inside = lower
        elif nu > upper:
            inside = upper
        out[i] = alpha_of(inside, s, c, lower, upper)
        if inside != nu:
            moved += 1.0
            farthest = max(farthest, abs(inside - nu))
    return moved, farthest


def _room(samples: Samples, alpha: VECTOR, first: INTEGER, last: INTEGER) -> FLOAT:
    """Return the largest s for which s alpha stays in the domain of p*."""
    sign, _, weight, _, lower, upper = samples
    least = most = 0.0
    for i in range(first, last):
        nu = dual_of(alpha[i], sign[i], weight[i])
        least, most = min(least, nu), max(most, nu)
    room = math.inf
    if least < 0.0 and lower > -math.inf:
        room = lower / least
    if most > 0.0 and upper < math.inf:
        room = min(room, upper / most)
    return room


def _distances(
    coordinate: COORDINATE_TYPE,
    samples: Samples,
    z: VECTOR,
    alpha: VECTOR,
    first: INTEGER,
    last: INTEGER,
    out: WRITABLE,
) -> None:
    sign, shift, weight, theta, lower, upper = samples
    for i in range(first, last):
        s = sign[i]
        nu, u = dual_of(alpha[i], s, weight[i]), s * z[i] + shift[i]
        # The distance to the proximal point is zero exactly where nu is a slope of p at u, Zhang (10).
        out[i] = abs(min(max(coordinate(nu, u, 1.0, theta), lower), upper) - nu)


def _dual_prox(
    coordinate: COORDINATE_TYPE,
    samples: Samples,
    z: VECTOR,
    alpha: VECTOR,
    stiffness: FLOAT,
    first: INTEGER,
    last: INTEGER,
    out: WRITABLE,
) -> None:
    """Minimize k(-a) + a z_i + (stiffness / 2 c_i) (a - alpha_i)^2 over a, each sample by itself."""
    sign, shift, weight, theta, lower, upper = samples
    for i in range(first, last):
        s = sign[i]
        nu = coordinate(dual_of(alpha[i], s, weight[i]), s * z[i] + shift[i], stiffness, theta)
        out[i] = 0.0 - weight[i] * s * min(max(nu, lower), upper)


def _conjugate_slope(
    conjugate_slope: SCALAR_TYPE,
    samples: Samples,
    alpha: VECTOR,
    direction: VECTOR,
    first: INTEGER,
    last: INTEGER,
) -> FLOAT:
    sign, shift, weight, theta, lower, upper = samples
    total = 0.0
    for i in range(first, last):
        if direction[i] != 0.0:
            # k(-alpha) = c p*(nu) + alpha t / s with nu = -alpha / (c s), and s is 1 or -1.
            nu = min(max(dual_of(alpha[i], sign[i], weight[i]), lower), upper)
            total += direction[i] * sign[i] * (shift[i] - conjugate_slope(nu, theta))
    return total


def _near_kinks(
    samples: Samples,
    places: VECTOR,
    z: VECTOR,
    near: FLOAT,
    chosen: INTEGERS,
    distances: WRITABLE,
    which: INTEGERS,
) -> INTEGER:
    """Find the samples within `near` of a kink, their distances and kinks; return their number."""
    sign, shift = samples.sign, samples.shift
    count = 0
    for i in range(z.shape[0]):
        best, at = math.inf, 0
        for k in range(places.shape[0]):
            # u = s z + t with s = +-1, so z = s (kink - t).
            distance = sign[i] * (places[k] - shift[i]) - z[i]
            if abs(distance) < abs(best):
                best, at = distance, k
        if abs(best) <= near:
            chosen[count], distances[count], which[count] = i, best, at
            count += 1
    return count


def each_piece(size, function):
    """[function(first, last)] over fixed ranges of n samples, shared out among the cores."""
    if size < 2 * PIECE:
        return [function(0, size)]
    pieces = threads.pieces(size, min(size // PIECE, MOST_PIECES))
    return threads.mapped(lambda piece: function(*piece), pieces)


DUAL_POINTS = Callable[[SCALAR_TYPE, Samples, VECTOR, FLOAT, INTEGER, INTEGER, WRITABLE], None]
VALUE_SUM = Callable[[SCALAR_TYPE, Samples, VECTOR, FLOAT, INTEGER, INTEGER], FLOAT]

dual_points = lazy_jit(_dual_points)
value_sum = lazy_jit(_value_sum)
conjugate_sum = lazy_jit(_conjugate_sum)
sample_terms = lazy_jit(_terms)
feasible = lazy_jit(_feasible)
room = lazy_jit(_room)
# How far each nu is from (10).
distances = lazy_jit(_distances)
# The slope of the sum of k(-alpha_i) along a direction.
conjugate_slope = lazy_jit(_conjugate_slope)
dual_prox = lazy_jit(_dual_prox)
near_kinks = lazy_jit(_near_kinks)
