"""Compiled Gauss-Seidel steps for any regularizer, and with constraints on the dual.

The state mirrors c_j phi'(v_j) and S = sum_j c_j phi(v_j), so that a step costs O(nnz(x_i)) whatever Phi is.
A constraint adds its pull to the prediction and its stiffness to the curvature, see `augmented_lagrangian`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from workbench.kernels import signatures
from workbench.kernels.signatures import READABLE_TABLE
from workbench.solvers.algorithms import _arguments
from workbench.solvers.algorithms import _coordinate as rules
from workbench.solvers.algorithms._coordinate import CLOSED_FORM, GRADIENT, NEWTON, Fixed, Visit

# What a change of v adds to the rounding gathered in S even where it is too small to show in S.
UNDERFLOW = 1e-290


class Tied(NamedTuple):
    """What constraints add to the steps: sample i has the row i of `ties`."""

    ties: np.ndarray  # (n, r)
    pull: np.ndarray  # (r,) what a unit of the ties adds to a prediction
    stiffness: float  # by which pull moves for each unit of ties that a dual variable moves


def runner(solver, problem, state, rule, bound, tied):
    """The steps of a `GaussSeidel` as a function of how many and in which order."""
    loss = problem.loss
    settings = [problem.lam_n, problem.lam, solver.eta, solver.scale, *loss.interval, *loss.kink]
    settings.append(tied.stiffness)
    parts = {"ties": tied.ties, "pull": tied.pull, "bound": bound, "rule": rule}
    parts["settings"] = np.array(settings, dtype=float)
    compiled = _arguments.bound(steps, 1, problem, state, problem.row_arrays, **parts)
    return lambda count, order: compiled(order)


@njit(**rules.INLINE)
def _point(fixed, visit, asked, loss_theta, indices, data, weights, v, slopes, theta):
    """The prediction z of a row, the curvature that the rule uses, and the nu that it points to."""
    bound, eta, kink, middle, rule = asked
    nu, c, lam_n = visit.nu, visit.c, fixed.lam_n
    if rule in (CLOSED_FORM, GRADIENT):
        z = rules.row_product(indices, data, visit.lo, visit.hi, slopes)
        z *= rules.first_slope(visit.total, fixed.linear, fixed.outer_slope, theta)
        u = visit.s * z + visit.t
        if rule == GRADIENT:
            slope = fixed.conjugate_slope(nu, loss_theta)
            return z, math.nan, rules.gradient_target(nu, u, lam_n * eta / c, slope, kink, middle)
        curvature = c * bound + visit.penalty
        return z, curvature, rules.free_target(nu, u, curvature, fixed.coordinate, fixed.slope, loss_theta)
    h, z, curvature = rules.point_along(fixed, visit, 0.0, indices, data, weights, v, theta)
    u = visit.s * z + visit.t
    curvature = curvature * c / lam_n + visit.penalty
    if rule == NEWTON:
        target = rules.newton_target(
            fixed, visit, u, curvature, h, loss_theta, indices, data, weights, v, theta
        )
    else:
        target = rules.exact_target(fixed, visit, u, curvature, loss_theta, indices, data, weights, v, theta)
    return z, curvature, target


@njit(**rules.INLINE)
def _rise(fixed, before, change, weights, v, slopes, sums, theta):
    """By how much the last step changed h."""
    if fixed.linear:
        # Where h = S, the sum is not made afresh, and may have lost what the change has.
        return change
    total = sums[0]
    h = fixed.outer(before, theta)
    if sums[1] > 0.0 and not rules.reliable(total, sums[1]):
        # As the next step will do; on copies, so that one run of n steps agrees with n runs of one.
        slopes, theta = slopes.copy(), theta.copy()
        total = fixed.refresh(weights, v, slopes, theta)
    return fixed.outer(total, theta) - h


@njit(**rules.INLINE)
def _tied(ties, pull, i):
    """What the constraints add to the prediction of sample i, and its squared norm in them."""
    product = squares = 0.0
    for k in range(ties.shape[1]):
        product += ties[i, k] * pull[k]
        squares += ties[i, k] * ties[i, k]
    return product, squares


def _steps(
    order,
    indptr,
    indices,
    data,
    sign,
    shift,
    weight,
    bound,
    settings,
    rule,
    linear,
    ties: READABLE_TABLE,
    pull,
    coordinate,
    slope,
    conjugate,
    conjugate_slope,
    row_add,
    row_probe,
    refresh,
    outer,
    outer_slope,
    outer_curvature,
    loss_theta,
    weights,
    alpha,
    v,
    slopes,
    sums,
    theta,
    event,
):
    """Visit the samples in this order; returns how many steps were done."""
    lam_n, lam, eta, scale, lower, upper, middle, kink, stiffness = settings
    i, s, t, c = order[0], 1.0, 0.0, 1.0
    nu = free = new = z = curvature = before = added = old = offset = squares = 0.0
    done = 0
    fixed = Fixed(
        lam_n,
        lower,
        upper,
        slope,
        coordinate,
        conjugate,
        conjugate_slope,
        linear,
        outer,
        outer_slope,
        outer_curvature,
        row_add,
        row_probe,
        refresh,
    )
    for i in order:
        # Before a step and not after it, so that S and the scale still agree when the loop ends.
        if not linear and sums[1] > 0.0 and not rules.reliable(sums[0], sums[1]):
            sums[0], sums[1] = refresh(weights, v, slopes, theta), 0.0
            sums[2] += 1.0
        lo, hi = indptr[i], indptr[i + 1]
        s, t, c = sign[i], shift[i], weight[i]
        before, old = sums[0], alpha[i]
        nu = -old / (c * s)
        offset, squares = _tied(ties, pull, i)
        visit = Visit(lo, hi, s, t + s * offset, c, c * stiffness * squares, before, nu)
        asked = bound[i], eta, kink, middle, rule
        z, curvature, free = _point(fixed, visit, asked, loss_theta, indices, data, weights, v, slopes, theta)
        free = nu + scale * (free - nu) if scale != 1.0 else free
        new = rules.clip(free, lower, upper)
        if not abs(new) < math.inf:
            return done
        # Subtracted from zero, so that no dual variable is -0.
        alpha[i] = 0.0 - (c * s) * new
        done += 1
        added = 0.0
        if alpha[i] != old:
            for k in range(ties.shape[1]):
                pull[k] += stiffness * (alpha[i] - old) * ties[i, k]
            added = row_add(indices, data, lo, hi, (alpha[i] - old) / lam_n, weights, v, slopes, theta)
            sums[0] += added
            # Underflow may hide a change of v from S; the tiny term still asks for a fresh sum.
            sums[1] += abs(added) * rules.UNIT_ROUNDOFF + UNDERFLOW
    event[0], event[1], event[2], event[3] = i, old, 0.0 - (c * s) * free, alpha[i]
    event[4], event[5] = z + offset, curvature
    # The change of D = (1/n) sum k(-alpha) + lam h, with k(-alpha) = c (p*(nu) - t nu), or of (27).
    change = conjugate(new, loss_theta) - conjugate(nu, loss_theta) - t * (new - nu)
    rise = _rise(fixed, before, added, weights, v, slopes, sums, theta)
    move = alpha[i] - old
    tied = move * (offset + 0.5 * stiffness * squares * move)
    event[6] = lam / lam_n * (c * change + tied) + lam * rise
    return done


steps = signatures.late(_steps)
