"""Compiled steps of the Primal Gradient Solver on a kernel, for p = 2: theta = sum_i duals_i phi(x_i).

What is kept of theta is its products with the samples, (K duals)_i, and with a ball S = |theta|^2. A step
costs a row of the kernel for each sample of the batch whose loss has a slope, and O(1) for the others.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Samples
from workbench.kernels.compilation import FLAG, FLOAT, INTEGER, SCALAR_TYPE, WRITABLE, lazy_jit, overwrite
from workbench.kernels.kernel_rows import KernelRows, add_row, compute, whole_row
from workbench.solvers.algorithms._primal_draws import NEXT, choose_iterate, draw
from workbench.solvers.algorithms._primal_steps import (
    FACTOR,
    RATE,
    SPREAD,
    SUM,
    TOTAL,
    State,
    factor,
    flush,
    write,
)
from workbench.solvers.contract import SEED, STEPS


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam: FLOAT
    ball: FLOAT  # the radius that the iterates keep
    shuffled: FLAG
    averages: FLAG


def _steps(
    n_steps: INTEGER,
    rows: KernelRows,
    samples: Samples,
    slope: SCALAR_TYPE,
    settings: Settings,
    batch: WRITABLE,
    state: State,
) -> INTEGER:
    """Do n steps; returns how many were done."""
    sign, shift, weight, loss_theta, _, _ = samples
    lam, ball, shuffled, averages = settings
    f, _, duals, averaged, chosen, pool, numbers, counters, event = state
    fresh = np.empty(0 if rows.is_whole else f.shape[0])
    size, spread = batch.shape[0], max(SPREAD, f.shape[0])
    for done in range(n_steps):
        step, scale, moved = counters[STEPS], numbers[FACTOR], False
        if chosen.shape[0] and step == counters[NEXT]:
            overwrite(chosen, scale * duals)
            choose_iterate(counters, step)
        place = draw(pool, step, counters[SEED], size, shuffled)
        for m in range(size):
            i = np.int64(pool[place + m])
            z = scale * f[i]
            batch[m] = -weight[i] * sign[i] * slope(sign[i] * z + shift[i], loss_theta) / size
            if not (abs(batch[m]) < math.inf and abs(z) < math.inf):
                numbers[FACTOR] = math.inf
                return done
        if averages:
            numbers[TOTAL] += scale
        for m in range(size):
            i, g = np.int64(pool[place + m]), batch[m]
            if g == 0.0:
                continue
            if averages:
                averaged[i, 0] += duals[i] * (numbers[TOTAL] - averaged[i, 1])
                averaged[i, 1] = numbers[TOTAL]
            if rows.is_whole:
                add_row(f, whole_row(rows, i), g)
            else:
                compute(rows, i, rows.everyone, fresh)
                add_row(f, fresh, g)
            duals[i] += g
            moved = True
        if moved and ball < math.inf:
            # As costly as the row that was added.
            numbers[SUM] = np.sum(duals * f)
        numbers[RATE] = 1.0 / ((step + 2) * lam)
        numbers[FACTOR], radius = factor(numbers, 2.0, 1.0, ball, ball < math.inf)
        counters[STEPS] = step + 1
        if averages and numbers[TOTAL] > spread * numbers[FACTOR]:
            flush(numbers, duals, averaged)
        write(event, pool[place + size - 1], batch, numbers[RATE], radius)
    return n_steps


steps = lazy_jit(_steps)
