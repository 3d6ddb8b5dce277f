"""Compiled Gauss-Seidel steps for squared l2 with K = I, where w = v, with shrinking.

Where p*(nu) = a nu^2 / 2 + b nu + e |nu|, as for every loss but the logistic one, the step is written
out here: a visit has time for few calls. No mirror of slopes and no sum S are kept: a step is a product
over the row and, where alpha moves, an addition over it. The shrinking is that of `_shrinking`, where a move
is that of w.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed, LossFunctions, Samples
from workbench.kernels.compilation import FLAG, FLOAT, INDICES, INTEGER, VECTOR, inline, lazy_jit
from workbench.kernels.lanes import add_one, dot
from workbench.kernels.products import ZERO, add_ones, add_row, row_product, row_sum
from workbench.solvers.algorithms import _records
from workbench.solvers.algorithms._coordinate import GRADIENT, clip, free_target, gradient_target
from workbench.solvers.algorithms._dual_state import State
from workbench.solvers.algorithms._shrinking import (
    ACTIVE,
    FULL_PASS,
    GATHERED,
    GATHERED_LOSS,
    PASSES,
    PLACE,
    begin_pass,
    end_visit,
)
from workbench.solvers.contract import SEED


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam_n: FLOAT
    lam: FLOAT
    eta: FLOAT  # the learning rate of the gradient rule
    scale: FLOAT  # of a step before it is clipped
    lower: FLOAT  # the ends of the domain of p*
    upper: FLOAT
    kink: FLOAT  # see `quadratic`
    is_quadratic: FLAG
    second: FLOAT
    first: FLOAT
    gradient: FLAG  # the gradient rule in place of the closed form
    shuffled: FLAG
    shrinking: FLAG


@inline
def soft(x, e):
    """Move x towards zero by e, and no farther than zero."""
    return x - e if x > e else (x + e if x < -e else 0.0)


@inline
def written_out(u, second, first, kink, lower, upper):
    """p(u) as the largest u nu - p*(nu), where p*(nu) = second nu^2 / 2 + first nu + kink |nu|."""
    slope = soft(u - first, kink)
    if second > 0.0:
        nu = clip(slope / second, lower, upper)
    else:
        nu = upper if slope > 0.0 else (lower if slope < 0.0 else 0.0)
    # An infinite end with a slope means an infinite value; no loss here has one.
    return slope * nu - 0.5 * second * nu * nu


def runner(solver, problem, state):
    """Return the function of (count, order) that runs the compiled steps of a `GaussSeidel`."""
    loss, shrinking = problem.loss, solver.shrinks(problem)
    rule, bound = solver.rule(problem)
    lower, upper = loss.interval
    kink, is_quadratic, second, first = quadratic(loss)
    settings = Settings(
        float(problem.lam_n),
        float(problem.lam),
        float(solver.eta),
        float(solver.scale),
        lower,
        upper,
        kink,
        is_quadratic,
        second,
        first,
        rule == GRADIENT,
        solver.order == "shuffled",
        shrinking,
    )
    rows, functions = _records.compressed(problem.design.step_arrays), _records.loss_functions(loss)
    compiled, arguments = steps(), (rows, problem.samples, functions, bound, settings, state)
    return lambda count, order: compiled(count, state.queue if shrinking else order, *arguments)


def quadratic(loss):
    """Return e, True, a, b where p*(nu) = a nu^2 / 2 + b nu + e |nu|; else e, False, 0, m with its `kink`."""
    if loss.conjugate_form is None:
        middle, kink = loss.kink
        return float(kink), False, 0.0, float(middle)
    second, first, kink = map(float, loss.conjugate_form)
    return kink, True, second, first


def _steps(
    n_steps: INTEGER,
    queue: INDICES,
    rows: Compressed,
    samples: Samples,
    loss: LossFunctions,
    bound: VECTOR,
    settings: Settings,
    state: State,
) -> INTEGER:
    """Visit the queue; returns how many steps were done."""
    indptr, indices, data = rows
    sign, shift, weight, loss_theta, _, _ = samples
    value, slope, conjugate, conjugate_slope, coordinate = loss
    lam_n, lam, eta, scale, lower, upper, kink, quadratic, second, first, gradient, _, shrinking = settings
    alpha, v, _, _, _, counters, event, active, queue_counters, progress = state
    ones, dense, d = data.shape[0] == 0, indptr.shape[0] == 0, np.uint64(v.shape[0])
    seed, shuffled = counters[SEED], settings.shuffled
    done, i = 0, np.int64(0)
    s, t, c = 1.0, 0.0, 1.0
    nu = free = new = z = curvature = old = slope_here = 0.0
    lo = hi = ZERO
    if shrinking and queue_counters[PASSES] == 0:
        begin_pass(active, queue_counters, progress, seed, shuffled)
    while done < n_steps:
        i = np.int64(queue[queue_counters[PLACE] if shrinking else done])
        s, t, c = sign[i], shift[i], weight[i]
        old = alpha[i]
        nu = -old / (c * s)
        if dense:
            lo = np.uint64(i) * d
            hi = lo + d
            z = dot(data, lo, v, ZERO, d)
        else:
            lo, hi = indptr[i], indptr[i + 1]
            z = row_sum(indices, lo, hi, v) if ones else row_product(indices, data, lo, hi, v)
        u = s * z + t
        if gradient:
            curvature = math.nan
            if quadratic:
                slope_here = first + second * nu + (math.copysign(kink, nu) if kink > 0.0 else 0.0)
            else:
                slope_here = conjugate_slope(nu, loss_theta)
            free = gradient_target(nu, u, lam_n * eta / c, slope_here, kink, first)
        elif quadratic and bound[i] > 0.0:
            curvature = c * bound[i]
            free = soft(u - first + curvature * nu, kink) / (curvature + second)
        else:
            curvature = c * bound[i]
            free = free_target(nu, u, curvature, coordinate, slope, loss_theta)
        free = nu + scale * (free - nu) if scale != 1.0 else free
        new = clip(free, lower, upper)
        if not abs(new) < math.inf:
            return done
        # Subtracted from zero, so that no dual variable is -0.
        alpha[i] = 0.0 - (c * s) * new
        done += 1
        step = (alpha[i] - old) / lam_n
        if step != 0.0:
            if dense:
                add_one(v, data, lo, d, step)
            elif ones:
                add_ones(indices, lo, hi, step, v)
            else:
                add_row(indices, data, lo, hi, step, v)
        if not shrinking:
            continue
        end_visit(step * step * bound[i], active, queue_counters, progress)
        if queue_counters[FULL_PASS]:
            # The Fenchel-Young terms of the points before each step.
            if quadratic:
                primal = written_out(u, second, first, kink, lower, upper)
                dual = 0.5 * second * nu * nu + first * nu + kink * abs(nu)
            else:
                primal, dual = value(u, loss_theta), conjugate(nu, loss_theta)
            progress[GATHERED] += c * (primal + dual - u * nu)
            progress[GATHERED_LOSS] += c * primal
        if queue_counters[PLACE] >= queue_counters[ACTIVE]:
            begin_pass(active, queue_counters, progress, seed, shuffled)
    if done:
        event[0], event[1], event[2], event[3] = i, old, 0.0 - (c * s) * free, alpha[i]
        event[4], event[5] = z, curvature
        # D = (1/n) sum k(-alpha) + lam v.v / 2, with k(-alpha) = c (p*(nu) - t nu).
        change = conjugate(new, loss_theta) - conjugate(nu, loss_theta) - t * (new - nu)
        squares = 0.0
        for k in range(lo, hi):
            squares += 1.0 if ones else data[k] * data[k]
        step = (alpha[i] - old) / lam_n
        event[6] = lam / lam_n * c * change + lam * step * (z + 0.5 * step * squares)
    return done


steps = lazy_jit(_steps)
