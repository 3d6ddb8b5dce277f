"""Compiled block coordinate descent on a quadratic model: groups of weights, and several outputs a sample.

With r outputs the model of n P has slopes R (n, r) and, for each sample, the curvature

    H_i = diag(C_i) - C_i C_i' / sum_k C_ik + t c_i I

of which one output has the first term alone. A block of weights takes the proximal step of its slopes with a
curvature A, which grows until it bounds the model's along the step; alone in its block, a weight takes the
exact one. A bias that is not regularized takes a step of its own at the end of each pass.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INTEGER,
    LABELS,
    TABLE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.solvers.algorithms._columns import (
    EXTRAPOLATED,
    LEFT,
    LENGTH,
    MEMORY,
    PASS,
    PASSES,
    PLACE,
    ROWS,
    SIZE,
    SPREAD,
    TOTAL,
    WORST,
    Walk,
    begin_pass,
    extrapolated,
)
from workbench.solvers.algorithms._linear import soft

# How far above the curvature met along a step the next one is tried, and what rounding may add.
GROWTH, SLACK = 1.2, 1.0 + 1e-9
TRIES = 60


class Blocks(NamedTuple):
    """The blocks of the weights."""

    order: LABELS  # the entries of the first block, then of the second, and so on
    starts: LABELS  # where each block begins in `order`
    weights: VECTOR  # lam n times those of the norm


class Model(NamedTuple):
    """The quadratic model, as the state has it, and what does not change."""

    curvature: WRITABLE
    share: WRITABLE
    ridge: WRITABLE
    bend: TABLE  # (n, r)
    residual: TABLE
    shift: WRITABLE
    weight: VECTOR  # (n,) of the samples
    damping: FLOAT  # added to the curvature of several outputs, as a share of `weight`
    top: FLOAT  # a bound of the curvature along the biases; 0 where none is free


@inline
def bounds(indptr, n, j):
    """Return where the entries of column j begin and end; those of column -1, of ones, are the samples."""
    if j < 0:
        return 0, n
    if indptr.shape[0] == 0:
        return j * n, (j + 1) * n
    return np.int64(indptr[j]), np.int64(indptr[j + 1])


@inline
def entry(indptr, indices, data, n, j, k):
    """Return the sample and the value of the k-th stored entry of the design's column j."""
    if j < 0:
        return k, 1.0
    if indptr.shape[0] == 0:
        return k - j * n, data[k]
    return np.int64(indices[k]), data[k]


@inline
def slope(indptr, indices, data, j, output, residual):
    """sum_i x_ij R_ik."""
    n, total = residual.shape[0], 0.0
    lo, hi = bounds(indptr, n, j)
    for k in range(lo, hi):
        i, x = entry(indptr, indices, data, n, j, k)
        total += x * residual[i, output]
    return total


@inline
def share_of(i, shared, bend):
    """Divide a sum over the outputs of sample i by the sum of its curvatures; 0 if that is 0."""
    total = 0.0
    for output in range(bend.shape[1]):
        total += bend[i, output]
    return shared / total if total > 0.0 else 0.0


@inline
def apply(indptr, indices, data, j, move, bend, weight, damping, residual):
    """R += H x_j move, `move` (r,) a step of each output."""
    n, r = residual.shape
    lo, hi = bounds(indptr, n, j)
    for k in range(lo, hi):
        i, x = entry(indptr, indices, data, n, j, k)
        shared = 0.0
        if r > 1:
            for output in range(r):
                shared += bend[i, output] * move[output]
            shared = share_of(i, shared, bend)
        for output in range(r):
            bent = bend[i, output] * (move[output] - shared) + damping * weight[i] * move[output]
            residual[i, output] += x * bent


@inline
def move_block(lo, hi, sign, order, columns, steps, move, model):
    """Apply the steps of a block's entries, feature by feature."""
    (indptr, indices, data), (_, _, bend, weight, damping, residual) = columns, model
    r = residual.shape[1]
    m = lo
    while m < hi:
        j = order[m] // r
        move[:] = 0.0
        while m < hi and order[m] // r == j:
            move[order[m] % r] += sign * steps[m - lo]
            m += 1
        apply(indptr, indices, data, j, move, bend, weight, damping, residual)


@inline
def step_block(block, blocks, columns, model, curvature, trial, slopes, steps, move, numbers):
    """Take the proximal step of a block; return False if it is not finite."""
    (order, starts, weights), (indptr, indices, data) = blocks, columns
    share, ridge, _, _, _, residual = model
    lo, hi = starts[block], starts[block + 1]
    r = residual.shape[1]
    for m in range(lo, hi):
        slopes[m - lo] = slope(indptr, indices, data, order[m] // r, order[m] % r, residual)
    bent, alone = curvature[block], hi - lo == 1
    for _ in range(TRIES):
        length = square = 0.0
        for m in range(lo, hi):
            e = order[m]
            steps[m - lo] = soft(bent * trial[e] - slopes[m - lo], share[e])
            length += steps[m - lo] ** 2
        length = math.sqrt(length)
        factor = max(1.0 - weights[block] / length, 0.0) if length > 0.0 else 0.0
        for m in range(lo, hi):
            e = order[m]
            whole = bent + ridge[e]
            steps[m - lo] = (factor * steps[m - lo] / whole if whole > 0.0 else 0.0) - trial[e]
            square += steps[m - lo] ** 2
        if not square < math.inf:
            return False
        if square == 0.0:
            break
        move_block(lo, hi, 1.0, order, columns, steps, move, model)
        if alone:
            break
        along = 0.0
        for m in range(lo, hi):
            now = slope(indptr, indices, data, order[m] // r, order[m] % r, residual)
            along += steps[m - lo] * (now - slopes[m - lo])
        if along <= bent * square * SLACK:
            break
        move_block(lo, hi, -1.0, order, columns, steps, move, model)
        bent = curvature[block] = GROWTH * along / square
        square = 0.0
    length = 0.0
    for m in range(lo, hi):
        if square > 0.0:
            trial[order[m]] += steps[m - lo]
        length += trial[order[m]] ** 2
    whole = bent + ridge[order[lo]]
    numbers[PASS] += 0.5 * whole * square
    numbers[WORST] = max(numbers[WORST], whole * math.sqrt(square))
    if square > 0.0:
        bend_of_g = ridge[order[lo]]
        numbers[SPREAD] += 0.5 * whole * whole * square / bend_of_g if bend_of_g > 0.0 else math.inf
    numbers[LENGTH] += math.sqrt(length)
    return True


@inline
def step_bias(shift, top, indptr, indices, data, bend, weight, damping, residual, move, numbers):
    """Take a step of the biases along their slopes; `top` is a bound of their curvature."""
    r = residual.shape[1]
    for output in range(r):
        total = 0.0
        for i in range(residual.shape[0]):
            total += residual[i, output]
        move[output] = -total / top
        shift[output] += move[output]
        numbers[PASS] += 0.5 * total * total / top
    apply(indptr, indices, data, -1, move, bend, weight, damping, residual)


@inline
def record(counters, queue, order, starts, history, trial):
    """Keep the iterate in the history; returns how many weights there are."""
    m = 0
    for k in range(counters[SIZE]):
        for e in range(starts[queue[k]], starts[queue[k] + 1]):
            history[counters[ROWS], m] = trial[order[e]]
            m += 1
    counters[ROWS] += 1
    return m


@inline
def take_extrapolated(counters, numbers, queue, blocks, columns, model, history, trial, scratch):
    """Move to the extrapolated point where the model is lower there; whether it was."""
    (order, starts, weights), (indptr, indices, data) = blocks, columns
    share, ridge, bend, weight, damping, residual = model
    n, r = residual.shape
    scratch[:, :] = 0.0
    change, m = 0.0, 0
    for k in range(counters[SIZE]):
        before = after = 0.0
        for place in range(starts[queue[k]], starts[queue[k] + 1]):
            e = order[place]
            old, new = trial[e], history[MEMORY + 1, m]
            m += 1
            before += old * old
            after += new * new
            change += share[e] * (abs(new) - abs(old)) + 0.5 * ridge[e] * (new - old) * (new + old)
            if new != old:
                lo, hi = bounds(indptr, n, e // r)
                for p in range(lo, hi):
                    i, x = entry(indptr, indices, data, n, e // r, p)
                    scratch[i, e % r] += x * (new - old)
        change += weights[queue[k]] * (math.sqrt(after) - math.sqrt(before))
    for i in range(n):
        shared = 0.0
        for output in range(r):
            u = scratch[i, output]
            change += residual[i, output] * u + 0.5 * (bend[i, output] + damping * weight[i]) * u * u
            shared += bend[i, output] * u
        if r > 1:
            change -= 0.5 * shared * share_of(i, shared, bend)
    if not change < 0.0:
        return False
    for i in range(n):
        shared = 0.0
        if r > 1:
            for output in range(r):
                shared += bend[i, output] * scratch[i, output]
            shared = share_of(i, shared, bend)
        for output in range(r):
            u = scratch[i, output]
            residual[i, output] += bend[i, output] * (u - shared) + damping * weight[i] * u
    m = 0
    for k in range(counters[SIZE]):
        for place in range(starts[queue[k]], starts[queue[k] + 1]):
            trial[order[place]] = history[MEMORY + 1, m]
            m += 1
    numbers[PASS] -= change
    return True


def _visits(
    n_steps: INTEGER,
    columns: Compressed,
    blocks: Blocks,
    model: Model,
    walk: Walk,
    shuffled: FLAG,
    extrapolates: FLAG,
    scratch: TABLE,
    buffers: TABLE,
    small: TABLE,
) -> INTEGER:
    """Visit blocks until the next look or an overflow, at most n; returns how many steps were done."""
    indptr, indices, data = columns
    order, starts, weights = blocks
    curvature, share, ridge, bend, residual, shift, weight, damping, top = model
    counters, numbers, queue, places, trial, history, event = walk
    size, n = counters[SIZE], residual.shape[0]
    layout, arrays = (order, starts, weights), (indptr, indices, data)
    terms = share, ridge, bend, weight, damping, residual
    slopes, steps, move = buffers[0], buffers[1], buffers[2][: residual.shape[1]]
    done, block = 0, np.int64(0)
    old = 0.0
    while done < n_steps and counters[LEFT] > 0:
        if counters[PLACE] == 0:
            begin_pass(counters, numbers, places, shuffled, done)
            if counters[ROWS] == 0:
                record(counters, queue, order, starts, history, trial)
        block = np.int64(queue[places[counters[PLACE]]])
        old = trial[order[starts[block]]]
        if not step_block(block, layout, arrays, terms, curvature, trial, slopes, steps, move, numbers):
            return done
        done += 1
        counters[LEFT] -= 1
        counters[PLACE] += 1
        if counters[PLACE] == size:
            counters[PLACE] = 0
            counters[PASSES] += 1
            if top > 0.0:
                step_bias(shift, top, indptr, indices, data, bend, weight, damping, residual, move, numbers)
            entries = record(counters, queue, order, starts, history, trial)
            if counters[ROWS] == MEMORY + 1:
                counters[ROWS] = 0
                counters[EXTRAPOLATED] = extrapolates and extrapolated(history, entries, small)
                if counters[EXTRAPOLATED]:
                    counters[EXTRAPOLATED] = not take_extrapolated(
                        counters, numbers, queue, layout, arrays, terms, history, trial, scratch
                    )
            numbers[TOTAL] += numbers[PASS]
    if done:
        event[0], event[1], event[2] = block, old, trial[order[starts[block]]]
        event[3], event[4] = -slopes[0] / n, curvature[block] / n
    return done


visits = lazy_jit(_visits)
