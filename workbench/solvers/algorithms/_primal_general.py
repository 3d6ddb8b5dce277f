"""Compiled steps of the Primal Gradient Solver for any regularizer with a smooth conjugate: w = grad h(v).

With v = theta / ((t + 1) lam), every step scales all of v. Where h is a sum over the coordinates, w_j is
evaluated at the non-zeros of the batch alone; otherwise, and where the iterates are averaged, the whole
of w is computed every step, in O(d).
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed, RegularizerFunctions, Samples
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INTEGER,
    QUEUE,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
    overwrite,
)
from workbench.kernels.products import add_row, row_product
from workbench.solvers.algorithms._coordinate import first_slope
from workbench.solvers.algorithms._primal_draws import NEXT, choose_iterate, draw
from workbench.solvers.algorithms._primal_steps import FACTOR, RATE, State, write
from workbench.solvers.contract import SEED, STEPS


@inline
def whole(rate, linear, refresh, outer_slope, weights, parameters, theta, vector, w):
    """Compute w = grad h(rate theta)."""
    for j in range(theta.shape[0]):
        vector[j] = rate * theta[j]
    f = first_slope(refresh(weights, vector, w, parameters), linear, outer_slope, parameters)
    for j in range(theta.shape[0]):
        w[j] *= f


@inline
def predict(rate, row_probe, indices, data, lo, hi, weights, parameters, theta, vector, local, shares):
    """w.x_i of a sum over the coordinates, from the entries of one row in a row of their own."""
    count = hi - lo
    for k in range(count):
        j = indices[lo + k]
        vector[k], shares[k] = rate * theta[j], weights[j]
    row = data[np.int64(lo) : np.int64(hi)]
    _, product, _ = row_probe(local, row, np.uint64(0), count, 0.0, shares, vector, parameters)
    return product


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam: FLOAT
    shuffled: FLAG
    averages: FLAG
    lazy: FLAG  # whether w is evaluated at the non-zeros of the batch alone
    linear: FLAG  # whether Phi(S) is S


class Space(NamedTuple):
    """Numbers to work on, and space of the size D."""

    parameters: WRITABLE  # the regularizer's scale, then its parameters
    vector: WRITABLE
    local: QUEUE  # 0, 1, ..., D - 1
    shares: WRITABLE


def _steps(
    n_steps: INTEGER,
    rows: Compressed,
    samples: Samples,
    slope: SCALAR_TYPE,
    regularizer: RegularizerFunctions,
    weights: VECTOR,
    settings: Settings,
    batch: WRITABLE,
    space: Space,
    state: State,
) -> INTEGER:
    """Do n steps; returns how many were done."""
    indptr, indices, data = rows
    sign, shift, weight, loss_theta, _, _ = samples
    _, row_probe, refresh, _, outer_slope, _ = regularizer
    lam, shuffled, averages, lazy, linear = settings
    parameters, vector, local, shares = space
    theta, w, duals, averaged, chosen, pool, numbers, counters, event = state
    size = batch.shape[0]
    for done in range(n_steps):
        step, rate = counters[STEPS], numbers[RATE]
        choosing = chosen.shape[0] > 0 and step == counters[NEXT]
        if choosing or not lazy:
            whole(rate, linear, refresh, outer_slope, weights, parameters, theta, vector, w)
        if choosing:
            overwrite(chosen, w)
            choose_iterate(counters, step)
        place = draw(pool, step, counters[SEED], size, shuffled)
        for m in range(size):
            i = pool[place + m]
            lo, hi = indptr[i], indptr[i + 1]
            if lazy:
                z = predict(
                    rate, row_probe, indices, data, lo, hi, weights, parameters, theta, vector, local, shares
                )
            else:
                z = row_product(indices, data, lo, hi, w)
            batch[m] = -weight[i] * sign[i] * slope(sign[i] * z + shift[i], loss_theta) / size
            if not (abs(batch[m]) < math.inf and abs(z) < math.inf):
                numbers[FACTOR] = math.inf
                return done
        if averages:
            averaged[:, 0] += w
        for m in range(size):
            i = pool[place + m]
            duals[i] += batch[m]
            add_row(indices, data, indptr[i], indptr[i + 1], batch[m], theta)
        numbers[RATE] = 1.0 / ((step + 2) * lam)
        counters[STEPS] = step + 1
        write(event, pool[place + size - 1], batch, numbers[RATE], math.nan)
    whole(numbers[RATE], linear, refresh, outer_slope, weights, parameters, theta, vector, w)
    return n_steps


steps = lazy_jit(_steps)
