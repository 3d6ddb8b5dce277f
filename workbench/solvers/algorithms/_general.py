"""Compiled Gauss-Seidel steps for any regularizer, and with constraints on the dual.

The state mirrors c_j phi'(v_j) and S = sum_j c_j phi(v_j), so that a step costs O(nnz(x_i)) whatever Phi is.
A constraint adds its pull to the prediction and its stiffness to the curvature, see `augmented_lagrangian`.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed, LossFunctions, RegularizerFunctions, Samples, frozen
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INDICES,
    INTEGER,
    READABLE_TABLE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.solvers.algorithms import _coordinate as rules
from workbench.solvers.algorithms import _records
from workbench.solvers.algorithms._coordinate import CLOSED_FORM, GRADIENT, NEWTON, Fixed, Visit

# What a change of v adds to the rounding gathered in S even where it is too small to show in S.
UNDERFLOW = 1e-290


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam_n: FLOAT
    lam: FLOAT
    eta: FLOAT  # the learning rate of the gradient rule
    scale: FLOAT  # of a step before it is clipped
    lower: FLOAT  # the ends of the domain of p*
    upper: FLOAT
    middle: FLOAT  # of the slopes of p* at zero, and how far they reach from it
    kink: FLOAT
    rule: INTEGER  # see `_coordinate`
    linear: FLAG  # whether Phi(S) is S


class Tied(NamedTuple):
    """The part of constraints in the steps: sample i has the row i of `ties`."""

    ties: READABLE_TABLE  # (n, r)
    pull: WRITABLE  # (r,) what a unit of the ties adds to a prediction
    stiffness: FLOAT  # by which pull moves for each unit of ties that a dual variable moves


class Iterate(NamedTuple):
    """The arrays of a state that a step changes."""

    alpha: WRITABLE
    v: WRITABLE
    slopes: WRITABLE
    sums: WRITABLE
    theta: WRITABLE
    event: WRITABLE


def runner(solver, problem, state, tied=None):
    """Return the function of (count, order) that runs the compiled steps, also with constraints."""
    loss, regularizer = problem.loss, problem.regularizer
    rule, bound = solver.rule(problem)
    numbers = problem.lam_n, problem.lam, solver.eta, solver.scale, *loss.interval, *loss.kink
    flags = rule, regularizer.entry["linear"]
    arguments = (
        _records.compressed(problem.row_arrays),
        problem.samples,
        _records.loss_functions(loss),
        _records.regularizer_functions(regularizer),
        problem.transfer.weights,
        bound,
        Settings._make((*map(float, numbers), *flags)),
        tied or Tied(frozen(np.zeros((problem.n_samples, 0))), np.zeros(0), 0.0),
        Iterate(state.alpha, state.v, state.slopes, state.sums, state.theta, state.event),
    )
    compiled = steps()
    return lambda count, order: compiled(order, *arguments)


@inline
def _point(fixed, visit, asked, loss_theta, indices, data, weights, v, slopes, theta):
    """Return the prediction z of a row, the curvature that the rule uses, and the target of nu."""
    bound, eta, kink, middle, rule = asked
    nu, c, lam_n = visit.nu, visit.c, fixed.lam_n
    if rule in (CLOSED_FORM, GRADIENT):
        z = rules.row_product(indices, data, visit.lo, visit.hi, slopes)
        z *= rules.first_slope(visit.total, fixed.linear, fixed.regularizer.outer_slope, theta)
        u = visit.s * z + visit.t
        if rule == GRADIENT:
            slope = fixed.loss.conjugate_slope(nu, loss_theta)
            return z, math.nan, rules.gradient_target(nu, u, lam_n * eta / c, slope, kink, middle)
        curvature = c * bound + visit.penalty
        free = rules.free_target(nu, u, curvature, fixed.loss.coordinate, fixed.loss.slope, loss_theta)
        return z, curvature, free
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


@inline
def _rise(fixed, before, change, weights, v, slopes, sums, theta):
    """By how much the last step changed h."""
    if fixed.linear:
        # Where h = S, the sum is not made afresh, and may have lost what the change has.
        return change
    total = sums[0]
    h = fixed.regularizer.outer(before, theta)
    if sums[1] > 0.0 and not rules.reliable(total, sums[1]):
        # As the next step will do; on copies, so that one run of n steps agrees with n runs of one.
        slopes, theta = slopes.copy(), theta.copy()
        total = fixed.regularizer.refresh(weights, v, slopes, theta)
    return fixed.regularizer.outer(total, theta) - h


@inline
def _tied(ties, pull, i):
    """Return the addition of the constraints to the prediction of sample i, and its squared norm in them."""
    product = squares = 0.0
    for k in range(ties.shape[1]):
        product += ties[i, k] * pull[k]
        squares += ties[i, k] * ties[i, k]
    return product, squares


def _steps(
    order: INDICES,
    rows: Compressed,
    samples: Samples,
    loss: LossFunctions,
    regularizer: RegularizerFunctions,
    weights: VECTOR,
    bound: VECTOR,
    settings: Settings,
    tied: Tied,
    state: Iterate,
) -> INTEGER:
    """Visit the samples in this order; returns how many steps were done."""
    indptr, indices, data = rows
    sign, shift, weight, loss_theta, _, _ = samples
    conjugate, row_add, refresh = loss.conjugate, regularizer.row_add, regularizer.refresh
    lam_n, lam, eta, scale, lower, upper, middle, kink, rule, linear = settings
    ties, pull, stiffness = tied
    alpha, v, slopes, sums, theta, event = state
    fixed = Fixed(lam_n, lower, upper, linear, loss, regularizer)
    i, s, t, c = order[0], 1.0, 0.0, 1.0
    nu = free = new = z = curvature = before = added = old = offset = squares = 0.0
    done = 0
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
    charged = move * (offset + 0.5 * stiffness * squares * move)
    event[6] = lam / lam_n * (c * change + charged) + lam * rise
    return done


steps = lazy_jit(_steps)
