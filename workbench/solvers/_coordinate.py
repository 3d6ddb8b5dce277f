"""Compiled coordinate updates: how far nu_i moves, for each rule of Zhang's Algorithm 1.

In the loss's own coordinate nu = -alpha / (c s), with u = s z + t, the objective (*) of Algorithm 1
over c is, up to a constant,

    F(nu) = p*(nu) - t nu + (lam n / c) h(v - c s (nu - nu_0) x_i / (lam n)),     F'(nu) = p*'(nu) - u(nu).
"""

import math

import numpy as np
from numba import njit

INLINE = {"error_model": "numpy", "nogil": True}

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


@njit(**INLINE)
def clip(nu, lower, upper):
    return min(max(nu, lower), upper)


@njit(**INLINE)
def row_product(indices, data, lo, hi, slopes):
    """sum_j slopes_j x_ij."""
    product = 0.0
    for k in range(lo, hi):
        product += slopes[indices[k]] * data[k]
    return product


@njit(**INLINE)
def gradient_target(nu, u, step, slope, kink, middle):
    """The gradient step (11) in nu, which lands on the kink at zero unless (10) asks to cross it.

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


@njit(**INLINE)
def proximal_target(nu, u, curvature, lower, upper, slope, coordinate, theta):
    """The minimizer of F with h replaced by a parabola; where that is no parabola, the point of (10)."""
    if curvature > 0.0 and curvature < math.inf:
        return clip(coordinate(nu, u, curvature, theta), lower, upper)
    return clip(slope(u, theta), lower, upper)


@njit(**INLINE)
def first_slope(total, linear, outer_slope, theta):
    """Phi'(S), with the convention that w = 0 where S = 0; a linear Phi needs no S at all."""
    if total <= 0.0 and not linear:
        return 0.0
    return outer_slope(total, theta)


@njit(**INLINE)
def reliable(total, rounding):
    """Whether S is precise and far from overflow and underflow, given the rounding gathered in it."""
    return rounding <= DRIFT_FRACTION * total and SMALLEST_SUM < total < LARGEST_SUM


@njit(**INLINE)
def point_along(
    indices,
    data,
    lo,
    hi,
    step,
    total,
    linear,
    outer,
    outer_slope,
    outer_curvature,
    row_add,
    row_probe,
    refresh,
    weights,
    v,
    theta,
):
    """At v + step x_i: h, the prediction z and the curvature x_i' h'' x_i."""
    change, product, curvature = row_probe(indices, data, lo, hi, step, weights, v, theta)
    total += change
    if linear:
        return outer(total, theta), product, curvature
    if step != 0.0 and not reliable(total, abs(change) * UNIT_ROUNDOFF):
        # S cancelled or left the range of floats at this scale: sum it afresh at a scale of its own.
        v, slopes, theta = v.copy(), np.empty_like(v), theta.copy()
        row_add(indices, data, lo, hi, step, weights, v, slopes, theta)
        total = refresh(weights, v, slopes, theta)
        _, product, curvature = row_probe(indices, data, lo, hi, 0.0, weights, v, theta)
    if total <= 0.0:
        return 0.0, 0.0, math.inf
    first = outer_slope(total, theta)
    second = outer_curvature(total, theta)
    return outer(total, theta), first * product, first * curvature + second * product * product


@njit(**INLINE)
def middle(low, high):
    """Halfway between; where that is far, on the scale of asinh, which takes ten steps from 1e300 to 1."""
    if high - low > WIDE:
        return math.sinh(0.5 * (math.asinh(low) + math.asinh(high)))
    return 0.5 * (low + high)


@njit(**INLINE)
def exact_target(
    nu0,
    u,
    curvature,
    penalty,
    c,
    s,
    t,
    lam_n,
    lower,
    upper,
    slope,
    coordinate,
    loss_theta,
    indices,
    data,
    lo,
    hi,
    total,
    linear,
    outer,
    outer_slope,
    outer_curvature,
    row_add,
    row_probe,
    refresh,
    weights,
    v,
    theta,
):
    """The minimizer of F + penalty (nu - nu0)^2 / 2 on [lower, upper].

    By Newton's method with a bracket, p* treated exactly.
    """
    nu = nu0
    low, high = lower, upper
    low_seen = high_seen = False
    for evaluation in range(SEARCH_LIMIT):
        if u - u == 0.0:
            target = proximal_target(nu, u, curvature, lower, upper, slope, coordinate, loss_theta)
        else:
            # h overflowed so far from nu0; F still falls towards it.
            target = nu0
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
        _, z, curvature = point_along(
            indices,
            data,
            lo,
            hi,
            -c * s * (nu - nu0) / lam_n,
            total,
            linear,
            outer,
            outer_slope,
            outer_curvature,
            row_add,
            row_probe,
            refresh,
            weights,
            v,
            theta,
        )
        u = s * z + t - penalty * (nu - nu0)
        curvature = curvature * c / lam_n + penalty
    return nu


@njit(**INLINE)
def newton_target(
    nu0,
    u0,
    curvature,
    c,
    s,
    t,
    lam_n,
    lower,
    upper,
    slope,
    coordinate,
    conjugate,
    conjugate_slope,
    loss_theta,
    indices,
    data,
    lo,
    hi,
    h0,
    total,
    linear,
    outer,
    outer_slope,
    outer_curvature,
    row_add,
    row_probe,
    refresh,
    weights,
    v,
    theta,
):
    """One Newton step, halved until F falls."""
    target = proximal_target(nu0, u0, curvature, lower, upper, slope, coordinate, loss_theta)
    move = target - nu0
    start = conjugate(nu0, loss_theta)
    predicted = conjugate(target, loss_theta) - start - u0 * move
    nu = target
    fraction = 1.0
    for _ in range(HALVINGS):
        if move == 0.0:
            break
        h, z, _ = point_along(
            indices,
            data,
            lo,
            hi,
            -c * s * (nu - nu0) / lam_n,
            total,
            linear,
            outer,
            outer_slope,
            outer_curvature,
            row_add,
            row_probe,
            refresh,
            weights,
            v,
            theta,
        )
        # Short of the minimizer a convex F has fallen for sure, and no rounding can hide it.
        if (conjugate_slope(nu, loss_theta) - s * z - t) * move <= 0.0:
            break
        change = conjugate(nu, loss_theta) - start - t * (nu - nu0) + lam_n / c * (h - h0)
        if change <= ARMIJO * fraction * predicted:
            break
        fraction *= 0.5
        nu = nu0 + fraction * move
    else:
        nu = nu0
    return nu
