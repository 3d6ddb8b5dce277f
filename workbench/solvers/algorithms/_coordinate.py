"""Compiled coordinate updates: how far nu_i moves, for each rule of Zhang's Algorithm 1.

In the loss's own coordinate nu = -alpha / (c s), with u = s z + t, the objective (*) of Algorithm 1
over c is, up to a constant,

    F(nu) = p*(nu) - t nu + (lam n / c) h(v - c s (nu - nu_0) x_i / (lam n)),     F'(nu) = p*'(nu) - u(nu).
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import LossFunctions, RegularizerFunctions
from workbench.kernels.compilation import inline

# The rules of the updates "exact" and "bounded" where the step is closed, "gradient", "newton", and "exact"
# where it is searched.
CLOSED_FORM, GRADIENT, NEWTON, SEARCH = range(4)

# An exact search stops when the next move would be this fraction of nu; Newton's last move before
# that is quadratically smaller than the one tested.
SEARCH_TOLERANCE = 1e-13
SEARCH_LIMIT = 100
# A bracket wider than this is halved in its orders of magnitude.
WIDE = 1e6
# Sufficient decrease and number of halvings of the backtracking.
ARMIJO = 1e-4
HALVINGS = 60

# S = sum c phi(v) is kept by adding differences; it is summed afresh when the rounding of these
# exceeds this fraction of it, or when it leaves the range whose squares are safe floats.
DRIFT_FRACTION = 2.0**-43
UNIT_ROUNDOFF = 2.0**-53
SMALLEST_SUM, LARGEST_SUM = 1e-100, 1e100


@inline
def clip(nu, lower, upper):
    return min(max(nu, lower), upper)


@inline
def row_product(indices, data, lo, hi, slopes):
    """sum_j slopes_j x_ij."""
    product = 0.0
    for k in range(lo, hi):
        product += slopes[indices[k]] * data[k]
    return product


@inline
def gradient_target(nu, u, step, slope, kink, middle):
    """Return the target of gradient step (11) in nu, which stops at the kink at zero unless (10) crosses it.

    There the slope of p* jumps from middle - kink to middle + kink.
    """
    if kink == 0.0:
        return nu - step * (slope - u)
    # One-sided slopes of p* - u nu at zero; zero is optimal where they have different signs.
    if nu == 0.0:
        if abs(u - middle) <= kink:
            return 0.0
        return step * (u - middle - math.copysign(kink, u - middle))
    target = nu - step * (slope - u)
    if target * nu < 0.0 and abs(u - middle) <= kink:
        return 0.0
    return target


@inline
def free_target(nu, u, curvature, coordinate, slope, theta):
    """Minimize F with h replaced by a parabola; use (10) alone if a row without entries gives no parabola."""
    return coordinate(nu, u, curvature, theta) if curvature > 0.0 else slope(u, theta)


@inline
def proximal_target(fixed, nu, u, curvature, loss_theta):
    """Minimize F with h replaced by a parabola on the domain of p*; infinite curvature gives no parabola."""
    curvature = curvature if curvature < math.inf else 0.0
    free = free_target(nu, u, curvature, fixed.loss.coordinate, fixed.loss.slope, loss_theta)
    return clip(free, fixed.lower, fixed.upper)


@inline
def first_slope(total, linear, outer_slope, theta):
    """Phi'(S), with the convention that w = 0 where S = 0; a linear Phi needs no S at all."""
    if total <= 0.0 and not linear:
        return 0.0
    return outer_slope(total, theta)


@inline
def reliable(total, rounding):
    """Return whether S is precise and far from overflow and underflow, given the rounding gathered in it."""
    return rounding <= DRIFT_FRACTION * total and SMALLEST_SUM < total < LARGEST_SUM


class Fixed(NamedTuple):
    """The same at every visit: numbers and functions. Arrays in it would be counted at each use."""

    lam_n: float
    lower: float  # the ends of the domain of p*
    upper: float
    linear: bool  # whether Phi(S) is S
    loss: LossFunctions
    regularizer: RegularizerFunctions


class Visit(NamedTuple):
    """A sample before its step."""

    lo: int  # where its row begins and ends
    hi: int
    s: float
    t: float
    c: float
    penalty: float  # the curvature that constraints add
    total: float  # S
    nu: float


@inline
def at_sum(fixed, theta, total, product, curvature):
    """h, the prediction and the curvature where S and what the row gives are these."""
    if total <= 0.0:
        return 0.0, 0.0, math.inf
    _, _, _, outer, outer_slope, outer_curvature = fixed.regularizer
    first, second = outer_slope(total, theta), outer_curvature(total, theta)
    return outer(total, theta), first * product, first * curvature + second * product * product


@inline
def at_fresh_sum(fixed, visit, step, indices, data, weights, v, theta):
    """Evaluate the point with S summed again at a new scale, after S has cancelled or overflowed."""
    v, slopes, theta = v.copy(), np.empty_like(v), theta.copy()
    row_add, row_probe, refresh, _, _, _ = fixed.regularizer
    row_add(indices, data, visit.lo, visit.hi, step, weights, v, slopes, theta)
    total = refresh(weights, v, slopes, theta)
    _, product, curvature = row_probe(indices, data, visit.lo, visit.hi, 0.0, weights, v, theta)
    return at_sum(fixed, theta, total, product, curvature)


@inline
def point_along(fixed, visit, step, indices, data, weights, v, theta):
    """At v + step x_i: h, the prediction z and the curvature x_i' h'' x_i."""
    lo, hi = visit.lo, visit.hi
    change, product, curvature = fixed.regularizer.row_probe(indices, data, lo, hi, step, weights, v, theta)
    total = visit.total + change
    if fixed.linear:
        return fixed.regularizer.outer(total, theta), product, curvature
    if step == 0.0 or reliable(total, abs(change) * UNIT_ROUNDOFF):
        return at_sum(fixed, theta, total, product, curvature)
    return at_fresh_sum(fixed, visit, step, indices, data, weights, v, theta)


@inline
def middle(low, high):
    """Halfway between; where that is far, on the scale of asinh, which takes ten steps from 1e300 to 1."""
    if high - low > WIDE:
        return math.sinh(0.5 * (math.asinh(low) + math.asinh(high)))
    return 0.5 * (low + high)


@inline
def exact_target(fixed, visit, u, curvature, loss_theta, indices, data, weights, v, theta):
    """Minimize F + penalty (nu - nu0)^2 / 2 on the domain of p*.

    By Newton's method with a bracket, p* treated exactly.
    """
    s, t, c, penalty, nu0 = visit.s, visit.t, visit.c, visit.penalty, visit.nu
    nu = nu0
    low, high = fixed.lower, fixed.upper
    low_seen = high_seen = False
    for evaluation in range(SEARCH_LIMIT):
        # Where h overflowed so far from nu0, F still falls towards it.
        target = proximal_target(fixed, nu, u, curvature, loss_theta) if u - u == 0.0 else nu0
        if target == nu:
            break
        if target > nu:
            low, low_seen = nu, True
        else:
            high, high_seen = nu, True
        outside = (low_seen and target <= low) or (high_seen and target >= high)
        # Newton from one side can creep (exponentials, flat pieces); every third move then halves.
        if outside or (low_seen and high_seen and evaluation % 3 == 2):
            target = middle(low, high)
        small = abs(target - nu) <= SEARCH_TOLERANCE * (abs(nu) + abs(nu0))
        nu = target
        if small:
            break
        step = -c * s * (nu - nu0) / fixed.lam_n
        _, z, curvature = point_along(fixed, visit, step, indices, data, weights, v, theta)
        u = s * z + t - penalty * (nu - nu0)
        curvature = curvature * c / fixed.lam_n + penalty
    return nu


@inline
def newton_target(fixed, visit, u0, curvature, h0, loss_theta, indices, data, weights, v, theta):
    """One Newton step, halved until F falls."""
    s, t, c, nu0 = visit.s, visit.t, visit.c, visit.nu
    nu = proximal_target(fixed, nu0, u0, curvature, loss_theta)
    move, start = nu - nu0, fixed.loss.conjugate(nu0, loss_theta)
    predicted = fixed.loss.conjugate(nu, loss_theta) - start - u0 * move
    fraction = 1.0
    for _ in range(HALVINGS):
        if move == 0.0:
            break
        step = -c * s * (nu - nu0) / fixed.lam_n
        h, z, _ = point_along(fixed, visit, step, indices, data, weights, v, theta)
        # Short of the minimizer a convex F has fallen for sure, and no rounding can hide it.
        if (fixed.loss.conjugate_slope(nu, loss_theta) - s * z - t) * move <= 0.0:
            break
        change = fixed.loss.conjugate(nu, loss_theta) - start - t * (nu - nu0) + fixed.lam_n / c * (h - h0)
        if change <= ARMIJO * fraction * predicted:
            break
        fraction *= 0.5
        nu = nu0 + fraction * move
    else:
        nu = nu0
    return nu
