"""Compiled coordinate descent on a quadratic model of the loss, one weight at a time over a working set.

The model of n P at predictions z has the slope R and the curvature H of the losses, one number a sample:

    q(d) = sum_i R_i (Xd)_i + H_i (Xd)_i^2 / 2 + lam n g(w + d)

For least squares it is n P itself, and R is kept from one model to the next. With an unregularized bias q is
the least over b, which centres the columns: with S = sum R and m_j = sum H_i x_ij / sum H, a column's slope
is x_j.R - m_j S and its curvature sum H_i x_ij^2 - m_j^2 sum H. A visit either reads the column, or the row
of the working set's Gram matrix X'HX, whose entries then update all slopes.

Source       Friedman, Hastie and Tibshirani (2010); the extrapolation is Anderson's as Bertrand and Massias
             (2021) use it, kept where the model falls
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed
from workbench.kernels.column_loops import add_bent_column, add_column, column_product
from workbench.kernels.compilation import FLAG, INTEGER, INTEGERS, QUEUE, TABLE, WRITABLE, inline, lazy_jit
from workbench.solvers.algorithms._linear import soft
from workbench.solvers.algorithms._shuffling import shuffle

# The places of State.counters behind the steps and the seed: the size of the working set, the place in this
# pass, the passes of this model, the visits that are left until the next look, whether the Gram matrix is
# used, the rows of the history, whether its last row holds an extrapolated point
# that was not taken.
SIZE, PLACE, PASSES, LEFT, GRAM, ROWS, EXTRAPOLATED = range(2, 9)
# The places of State.numbers: how much this pass and the one before lowered the model, and all since it was
# made; S, sum H with a free bias (else 0), the one H of all samples (else 0); of this pass the farthest that
# a slope was from what its weight asks for, the sum of their squares over twice the ridges, and |w|_1.
PASS, BEFORE, TOTAL, SUM, MASS, FLAT, WORST, SPREAD, LENGTH = range(9)
# This many passes are extrapolated at once; the history holds one more iterate, and the point they lead to.
MEMORY = 5
# Differences whose normal equations have a pivot below this share of the largest are dependent.
DEPENDENT = 1e-15
# What is added to the normal equations, as a share of the largest of their diagonal.
REGULAR = 1e-12


class Walk(NamedTuple):
    """The place of a run in its working set, as the state has it."""

    counters: INTEGERS
    numbers: WRITABLE
    queue: QUEUE
    places: QUEUE
    trial: WRITABLE
    history: TABLE
    event: WRITABLE


class Model(NamedTuple):
    """The quadratic model, as the state has it."""

    curvature: WRITABLE
    means: WRITABLE
    threshold: WRITABLE
    ridge: WRITABLE
    bend: WRITABLE
    residual: WRITABLE
    gram: TABLE
    slopes: WRITABLE


@inline
def solved(matrix):
    """Gaussian elimination on (m, m + 1): the solution in the last column, False where singular."""
    m = matrix.shape[0]
    largest = 0.0
    for k in range(m):
        largest = max(largest, abs(matrix[k, k]))
    for k in range(m):
        p = k
        for i in range(k + 1, m):
            if abs(matrix[i, k]) > abs(matrix[p, k]):
                p = i
        if not abs(matrix[p, k]) > DEPENDENT * largest:
            return False
        for c in range(m + 1):
            matrix[k, c], matrix[p, c] = matrix[p, c], matrix[k, c]
        for i in range(m):
            if i != k:
                factor = matrix[i, k] / matrix[k, k]
                for c in range(k, m + 1):
                    matrix[i, c] -= factor * matrix[k, c]
    for k in range(m):
        matrix[k, m] /= matrix[k, k]
    return True


@inline
def extrapolated(history, size, small):
    """Extrapolate the history into its last row; return False if its differences do not determine a point."""
    for a in range(MEMORY):
        for b in range(a + 1):
            total = 0.0
            for k in range(size):
                total += (history[a + 1, k] - history[a, k]) * (history[b + 1, k] - history[b, k])
            small[a, b] = small[b, a] = total
        small[a, MEMORY] = 1.0
    largest = 0.0
    for a in range(MEMORY):
        largest = max(largest, small[a, a])
    for a in range(MEMORY):
        # Few weights that move give dependent differences.
        small[a, a] += REGULAR * largest
    if not solved(small):
        return False
    total = 0.0
    for a in range(MEMORY):
        total += small[a, MEMORY]
    if not abs(total) > 0.0:
        return False
    for k in range(size):
        history[MEMORY + 1, k] = 0.0
    for a in range(MEMORY):
        share = small[a, MEMORY] / total
        for k in range(size):
            history[MEMORY + 1, k] += share * history[a + 1, k]
    return True


@inline
def penalty_change(j, old, new, threshold, ridge):
    """Return the change of the regularizer in n P where weight j moves."""
    return threshold[j] * (abs(new) - abs(old)) + 0.5 * ridge[j] * (new - old) * (new + old)


@inline
def take_extrapolated(counters, numbers, queue, columns, model, gram, slopes, history, trial, scratch):
    """Move to the extrapolated point where the model is lower there; whether it was."""
    (indptr, indices, data), (threshold, ridge, bend, residual) = columns, model
    size, row = counters[SIZE], MEMORY + 1
    change = moved = 0.0
    if counters[GRAM]:
        scratch[:size] = 0.0
        for k in range(size):
            j = queue[k]
            step = history[row, k] - trial[j]
            if step != 0.0:
                change += penalty_change(j, trial[j], history[row, k], threshold, ridge) + step * slopes[k]
                for m in range(size):
                    scratch[m] += step * gram[k, m]
        for k in range(size):
            change += 0.5 * (history[row, k] - trial[queue[k]]) * scratch[k]
    else:
        scratch[: residual.shape[0]] = 0.0
        u = scratch[: residual.shape[0]]
        for k in range(size):
            j = queue[k]
            step = history[row, k] - trial[j]
            if step != 0.0:
                change += penalty_change(j, trial[j], history[row, k], threshold, ridge)
                add_column(indptr, indices, data, np.int64(j), step, u)
        square = 0.0
        for i in range(u.shape[0]):
            h = bend[i]
            change += residual[i] * u[i]
            square += h * u[i] * u[i]
            moved += h * u[i]
        if numbers[MASS] > 0.0:
            change -= moved / numbers[MASS] * numbers[SUM]
            square -= moved / numbers[MASS] * moved
        change += 0.5 * square
    if not change < 0.0:
        return False
    if counters[GRAM]:
        for k in range(size):
            slopes[k] += scratch[k]
    else:
        for i in range(residual.shape[0]):
            residual[i] += bend[i] * scratch[i]
        numbers[SUM] += moved
    for k in range(size):
        trial[queue[k]] = history[row, k]
    numbers[PASS] -= change
    return True


@inline
def begin_pass(counters, numbers, places, shuffled, done):
    numbers[BEFORE], numbers[PASS] = numbers[PASS], 0.0
    numbers[WORST] = numbers[SPREAD] = numbers[LENGTH] = 0.0
    if shuffled:
        shuffle(places, counters[SIZE], counters[1], counters[0] + done)


@inline
def record(counters, queue, history, trial):
    """Keep the iterate in the history."""
    for k in range(counters[SIZE]):
        history[counters[ROWS], k] = trial[queue[k]]
    counters[ROWS] += 1


def _visits(
    n_steps: INTEGER,
    columns: Compressed,
    model: Model,
    walk: Walk,
    shuffled: FLAG,
    extrapolates: FLAG,
    scratch: WRITABLE,
    small: TABLE,
) -> INTEGER:
    """Visit weights until the next look or an overflow, at most n; returns how many steps were done."""
    indptr, indices, data = columns
    curvature, means, threshold, ridge, bend, residual, gram, slopes = model
    counters, numbers, queue, places, trial, history, event = walk
    size, n = counters[SIZE], residual.shape[0]
    done, j = 0, np.int64(0)
    g = old = 0.0
    while done < n_steps and counters[LEFT] > 0:
        if counters[PLACE] == 0:
            begin_pass(counters, numbers, places, shuffled, done)
            if counters[ROWS] == 0:
                record(counters, queue, history, trial)
        k = np.int64(places[counters[PLACE]])
        j = np.int64(queue[k])
        if counters[GRAM]:
            g = slopes[k]
        else:
            g = column_product(indptr, indices, data, j, residual) - means[j] * numbers[SUM]
        old = trial[j]
        bent = curvature[j] + ridge[j]
        # A column of zeros without a ridge has any weight for a minimum; zero is the sparse one.
        new = soft(curvature[j] * old - g, threshold[j]) / bent if bent > 0.0 else 0.0
        if not abs(new) < math.inf:
            return done
        step = new - old
        if step != 0.0:
            trial[j] = new
            if counters[GRAM]:
                for m in range(size):
                    slopes[m] += step * gram[k, m]
            else:
                if numbers[FLAT] != 0.0:
                    add_column(indptr, indices, data, j, step * numbers[FLAT], residual)
                else:
                    add_bent_column(indptr, indices, data, j, step, bend, residual)
                numbers[SUM] += step * means[j] * numbers[MASS]
            numbers[PASS] += 0.5 * bent * step * step
            numbers[WORST] = max(numbers[WORST], bent * abs(step))
            numbers[SPREAD] += 0.5 * (bent * step) * (bent * step) / ridge[j] if ridge[j] > 0.0 else math.inf
        numbers[LENGTH] += abs(new)
        done += 1
        counters[LEFT] -= 1
        counters[PLACE] += 1
        if counters[PLACE] == size:
            counters[PLACE] = 0
            counters[PASSES] += 1
            record(counters, queue, history, trial)
            if counters[ROWS] == MEMORY + 1:
                counters[ROWS] = 0
                counters[EXTRAPOLATED] = extrapolates and extrapolated(history, size, small)
                if counters[EXTRAPOLATED]:
                    arrays, terms = (indptr, indices, data), (threshold, ridge, bend, residual)
                    counters[EXTRAPOLATED] = not take_extrapolated(
                        counters, numbers, queue, arrays, terms, gram, slopes, history, trial, scratch
                    )
            numbers[TOTAL] += numbers[PASS]
    if done:
        event[0], event[1], event[2], event[3], event[4] = j, old, trial[j], -g / n, curvature[j] / n
    return done


visits = lazy_jit(_visits)
