"""Compiled loops over samples whose dual variables are a point of the simplex."""

import functools
import math
from collections.abc import Callable

import numpy as np

from workbench.kernels import compilation
from workbench.kernels.compilation import (
    FLOAT,
    READABLE_TABLE,
    SCALAR,
    SCALAR_TYPE,
    TABLE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.term_loops import young

# The multiplier, with the shares in p, of linear, q, p, theta.
SHARES_TYPE = Callable[[VECTOR, VECTOR, WRITABLE, VECTOR], FLOAT]
SHARES = compilation.type_of(SHARES_TYPE).signature
# Newton's steps for ln p and for the multiplier; both converge from one side in a few.
NEWTON_LIMIT = 60


@inline
def log_share(s, q):
    """Solve l + q e^l = s for l, by Newton's method on the convex function of l + ln q."""
    if q < 1e-300:
        return s
    log_q = math.log(q)
    k = s + log_q
    u = math.log(k - math.log(k)) if k > 2.0 else k - math.exp(k) / (1.0 + math.exp(k))
    for _ in range(NEWTON_LIMIT):
        power = math.exp(u)
        move = (u + power - k) / (1.0 + power)
        u -= move
        if abs(move) <= 4e-16 * (1.0 + abs(u)):
            break
    return u - log_q


def _entropic_shares(linear: VECTOR, q: VECTOR, p: WRITABLE, _theta: VECTOR) -> FLOAT:
    """Fill p with the minimizer over the simplex of sum_j p_j ln p_j - linear_j p_j + q_j p_j^2 / 2."""
    multiplier = -math.inf
    for j in range(p.shape[0]):
        # Here one entry alone makes up the sum, so the root lies to the right: Newton's method from the left.
        multiplier = max(multiplier, linear[j] - q[j])
    total = 1.0
    for _ in range(NEWTON_LIMIT):
        total = slope = 0.0
        for j in range(p.shape[0]):
            p[j] = math.exp(log_share(linear[j] - multiplier, q[j]))
            total += p[j]
            slope += p[j] / (1.0 + q[j] * p[j])
        if total - 1.0 <= 4e-16 * p.shape[0]:
            break
        multiplier += (total - 1.0) / slope
    for j in range(p.shape[0]):
        p[j] /= total
    return multiplier


def _entropic_term(p, _theta):
    """Return p ln p; 0 at p = 0."""
    return p * math.log(p) if p > 0.0 else (0.0 if p == 0.0 else math.inf)


def _entropic_slope(p, _theta):
    """Return ln p, the slope of p ln p without its constant 1, which is the same for all classes."""
    return math.log(p)


def _look(
    shares: SHARES_TYPE,
    curvature: SCALAR_TYPE,
    theta: VECTOR,
    z: READABLE_TABLE,
    flat: VECTOR,
    p: TABLE,
    arguments: TABLE,
    bend: TABLE,
) -> None:
    """For each row of z its point of the simplex, the arguments z_j - m, and phi*'' there."""
    for i in range(z.shape[0]):
        top = -math.inf
        for j in range(z.shape[1]):
            top = max(top, z[i, j])
        for j in range(z.shape[1]):
            arguments[i, j] = z[i, j] - top
        multiplier = shares(arguments[i], flat, p[i], theta)
        for j in range(z.shape[1]):
            arguments[i, j] -= multiplier
            bend[i, j] = curvature(arguments[i, j], theta)


def _nearest(shares: SHARES_TYPE, theta: VECTOR, linear: READABLE_TABLE, stiffness: FLOAT, p: TABLE) -> None:
    """Each row of p becomes the minimizer over the simplex of sum phi(p) - linear p + stiffness p^2 / 2."""
    flat = np.full(p.shape[1], stiffness)
    for i in range(p.shape[0]):
        shares(linear[i], flat, p[i], theta)


def _terms(
    value: SCALAR_TYPE,
    conjugate: SCALAR_TYPE,
    theta: VECTOR,
    arguments: READABLE_TABLE,
    p: READABLE_TABLE,
    out: WRITABLE,
) -> FLOAT:
    """sum_j phi*(a_j) + phi(p_j) - a_j p_j of each row, and the worst rounding below zero."""
    worst = 0.0
    for i in range(p.shape[0]):
        total = 0.0
        for j in range(p.shape[1]):
            a, share = arguments[i, j], min(max(p[i, j], 0.0), 1.0)
            term, units = young(conjugate(share, theta), value(a, theta), a * share)
            total += term
            worst = max(worst, units)
        out[i] = total
    return worst


def _sums(conjugate: SCALAR_TYPE, theta: VECTOR, p: READABLE_TABLE, out: WRITABLE) -> None:
    """sum_j phi(p_j) of each row."""
    for i in range(p.shape[0]):
        total = 0.0
        for j in range(p.shape[1]):
            total += conjugate(p[i, j], theta)
        out[i] = total


@functools.cache
def entropic(part):
    """Compile "shares", "conjugate" or "conjugate_slope" of phi(p) = p ln p."""
    functions = {"shares": _entropic_shares, "conjugate": _entropic_term, "conjugate_slope": _entropic_slope}
    return compilation.jit(functions[part], SHARES if part == "shares" else SCALAR)


look = lazy_jit(_look)


def _slopes(
    conjugate_slope: SCALAR_TYPE, theta: VECTOR, p: READABLE_TABLE, direction: READABLE_TABLE, out: TABLE
) -> None:
    for i in range(p.shape[0]):
        for j in range(p.shape[1]):
            if direction[i, j] != 0.0:
                out[i, j] = conjugate_slope(p[i, j], theta)


slopes = lazy_jit(_slopes)
nearest = lazy_jit(_nearest)
terms = lazy_jit(_terms)
sums = lazy_jit(_sums)
