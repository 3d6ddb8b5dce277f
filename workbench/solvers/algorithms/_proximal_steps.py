"""Compiled proximal gradient steps: gradient, best bias, proximal point, backtracking and restarts.

Without a free bias a gradient is one pass over the data: the rows of a block are still in the cache when
their dual variables are known.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from workbench.kernels import bias_loops, products, proximal, sample_loops
from workbench.kernels.arrays import BY_ROWS, SUMMANDS, Matrix, Penalty, Samples
from workbench.kernels.bias_loops import NEWTON
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INTEGER,
    SCALAR_TYPE,
    WRITABLE,
    checked,
    functions,
    inline,
    lazy_jit,
)
from workbench.kernels.products import PRODUCT
from workbench.kernels.proximal import POINT
from workbench.kernels.sample_loops import DUAL_POINTS, VALUE_SUM

# How the constant L is found: given, searched upwards, or searched both ways.
LIPSCHITZ, UPWARDS, BOTH_WAYS = range(3)
# Backtracking multiplies L by it until the parabola lies above, up to this share of the loss in rounding.
GROWTH = 2.0
# Where the curvature of the loss has no bound, L first falls by this factor at every step.
DECAY = 0.8
# This many doublings take L beyond all floats, where w rests.
TRIES = 1100
ROUNDING = 1e-13
# The rows of a block, and how many numbers a block of a dense matrix holds.
ROWS, NUMBERS = 256, 2**15


@functions
class Maps(NamedTuple):
    """Compiled functions of the problem."""

    predict: PRODUCT
    transpose: PRODUCT
    map_duals: DUAL_POINTS
    sum_values: VALUE_SUM
    newton_bias: NEWTON
    proximal_point: POINT
    value: SCALAR_TYPE
    slope: SCALAR_TYPE
    prox_slope: SCALAR_TYPE  # phi' and phi'' where the penalty is a sum of formulas
    prox_curvature: SCALAR_TYPE


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam: FLOAT
    rule: INTEGER  # LIPSCHITZ, UPWARDS or BOTH_WAYS
    restart: FLAG
    free: FLAG  # whether the bias is free


class Iterate(NamedTuple):
    """The arrays of a state that a step changes."""

    w: WRITABLE
    before: WRITABLE
    extrapolated: WRITABLE
    b: WRITABLE  # (1,)
    numbers: WRITABLE
    event: WRITABLE


class Space(NamedTuple):
    """Space to work in."""

    z: WRITABLE  # (n,)
    alpha: WRITABLE
    direction: WRITABLE  # (D,)
    ahead: WRITABLE
    tried: WRITABLE
    values: WRITABLE  # of the size of the penalty's order
    parts: WRITABLE


@inline
def _downhill(maps, matrix, samples, free, valued, point, start, z, alpha, direction):
    """Minus the gradient of the loss at a point; returns the best bias and, where asked for, the loss."""
    n, b, total = matrix.rows, 0.0, 0.0
    direction[:] = 0.0
    if free:
        maps.predict(matrix, point, 0, n, z)
        b = maps.newton_bias(maps.slope, start, z, samples.sign, samples.shift, samples.weight, samples.theta)
        maps.map_duals(maps.slope, samples, z, b, 0, n, alpha)
        maps.transpose(matrix, alpha, 0, n, direction)
        if valued:
            total = maps.sum_values(maps.value, samples, z, b, 0, n)
    else:
        rows = max(4, NUMBERS // matrix.columns // 4 * 4) if matrix.layout == BY_ROWS else ROWS
        for lo in range(0, n, rows):
            hi = min(lo + rows, n)
            maps.predict(matrix, point, lo, hi, z)
            maps.map_duals(maps.slope, samples, z, 0.0, lo, hi, alpha)
            maps.transpose(matrix, alpha, lo, hi, direction)
            if valued:
                total += maps.sum_values(maps.value, samples, z, 0.0, lo, hi)
    for j in range(direction.shape[0]):
        direction[j] /= n
    return b, total / n


@inline
def _is_below(maps, matrix, samples, w, point, b, here, direction, constant, z):
    """Return whether the loss at w lies below the parabola of that curvature that touches it at a point."""
    maps.predict(matrix, w, 0, matrix.rows, z)
    # At the bias of the extrapolated point the loss is at least that at the best one.
    there = maps.sum_values(maps.value, samples, z, b, 0, matrix.rows) / matrix.rows
    along = square = 0.0
    for j in range(w.shape[0]):
        move = w[j] - point[j]
        along += direction[j] * move
        square += move * move
    return there <= here - along + 0.5 * constant * square + ROUNDING * here


@inline
def _accept(restart, w, before, extrapolated, numbers, tried, constant, tries, event):
    """Take the step to `tried`, and extrapolate from it."""
    t, uphill, change = numbers[0], 0.0, 0.0
    for j in range(w.shape[0]):
        move = tried[j] - w[j]
        uphill += (extrapolated[j] - tried[j]) * move
        change = max(change, abs(move))
    restarted = restart and uphill > 0.0
    following = 1.0 if restarted else 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
    momentum = 0.0 if restarted else (t - 1.0) / following
    for j in range(w.shape[0]):
        before[j] = w[j]
        w[j] = tried[j]
        extrapolated[j] = tried[j] + momentum * (tried[j] - before[j])
    numbers[0], numbers[1] = following, constant
    event[0], event[1], event[2], event[3], event[4] = 1.0 / constant, momentum, change, tries, restarted


def _steps(
    n_steps: INTEGER,
    settings: Settings,
    maps: Maps,
    matrix: Matrix,
    samples: Samples,
    penalty: Penalty,
    state: Iterate,
    space: Space,
) -> INTEGER:
    """Do n steps in place; returns how many were done, fewer where an iterate overflowed."""
    lam, rule, restart, free = settings
    w, before, extrapolated, b, numbers, event = state
    z, alpha, direction, ahead, tried, values, parts = space
    proximal_point, prox_slope, prox_curvature = maps.proximal_point, maps.prox_slope, maps.prox_curvature
    d = matrix.columns
    for done in range(n_steps):
        t, last = numbers[0], numbers[1]
        constant = DECAY * last if rule == BOTH_WAYS else last
        tries, best, here, fresh = 0, 0.0, 0.0, False
        while True:
            if rule == BOTH_WAYS:
                # With L falling from L_k to L, t_(k+1) (t_(k+1) - 1) / L takes the place of t_k^2 / L_k.
                following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t * constant / last))
                for j in range(d):
                    extrapolated[j] = w[j] + (t - 1.0) / following * (w[j] - before[j])
                fresh = False
            if not fresh:
                best, here = _downhill(
                    maps, matrix, samples, free, rule != LIPSCHITZ, extrapolated, b[0], z, alpha, direction
                )
                fresh = True
            for j in range(d):
                ahead[j] = extrapolated[j] + direction[j] / constant
            proximal_point(penalty, prox_slope, prox_curvature, ahead, lam / constant, values, parts, tried)
            if rule == LIPSCHITZ or tries == TRIES:
                break
            if _is_below(maps, matrix, samples, tried, extrapolated, best, here, direction, constant, z):
                break
            constant *= GROWTH
            tries += 1
        for j in range(d):
            if not abs(tried[j]) < math.inf:
                return done
        _accept(restart, w, before, extrapolated, numbers, tried, constant, tries, event)
        b[0] = best
    return n_steps


def runner(problem, state, rule, restart):
    """Return the function of a count that runs the steps; None if the proximal point is not compiled."""
    penalty = problem.transfer.penalty
    if penalty is None or problem.columns:
        return None
    slope = problem.loss.scalar("slope")
    scalars = problem.transfer.prox_scalars() if penalty.kind == SUMMANDS else (slope, slope)
    n, d = problem.design.shape
    groups = penalty.order.shape[0]
    space = Space(*(np.empty(size) for size in (n, n, d, d, d, groups, groups)))
    iterate = Iterate(
        state.w, state.before, state.extrapolated, state.b.reshape(1), state.numbers, state.event
    )
    settings = Settings(float(problem.lam), rule, restart, problem.free_bias)
    maps = _maps(problem.loss.scalar("value"), slope, *scalars)
    arguments = settings, maps, problem.design.matrix, problem.samples, penalty, iterate, space
    compiled = steps()
    return lambda count: compiled(count, *arguments)


@functools.lru_cache(maxsize=1000)
def _maps(*scalars):
    """Return the `Maps` of the value and the slope of a loss and of phi' and phi''."""
    return checked(
        Maps(
            products.predictions(),
            products.transposed(),
            sample_loops.dual_points(),
            sample_loops.value_sum(),
            bias_loops.newton(),
            proximal.point(),
            *scalars,
        )
    )


steps = lazy_jit(_steps)
