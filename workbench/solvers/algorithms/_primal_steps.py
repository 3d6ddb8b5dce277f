"""Compiled steps of the Primal Gradient Solver where w is a number times a mirror of theta.

For the p-norms, with s a scale of theta, m_j = (|theta_j| / s)^(q-1) sgn theta_j, S = sum_j |m_j|^p and
N = s S^(1/q) = |theta|_q,

    w = f m,    f = R S^(-1/p),    R = |w|_p = min(ball, kappa N / ((t + 1) lam)),

which is Figure 2 of Zhu et al. with line 6 built in. A step changes m and S in the columns of its batch
and f everywhere, in one number. For p = 2 the mirror is theta itself.

The sum of the iterates is kept by sum_j m_j (A - A_j), with A the sum of all f and A_j its value when m_j
changed last. A difference of the A loses what A / f has digits, so all A_j are brought up to date once
A exceeds f by a factor, at least the number of columns: then this costs O(1) a step.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.kernels.arrays import Compressed, Samples
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INTEGER,
    INTEGERS,
    QUEUE,
    SCALAR_TYPE,
    TABLE,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.kernel_rows import power as whole_power
from workbench.kernels.products import add_ones, add_row, row_product, row_sum
from workbench.solvers.algorithms._coordinate import LARGEST_SUM, SMALLEST_SUM
from workbench.solvers.algorithms._primal_draws import NEXT, choose_iterate, draw
from workbench.solvers.contract import SEED, STEPS, solver_state

# The places of State.numbers: w = FACTOR m, the sum A of the factors, S, what S lost to rounding, the scale
# s, how often S was summed afresh and the A_j brought up to date, and the step size 1 / ((t + 1) lam).
FACTOR, TOTAL, SUM, LOST, SCALE, REFRESHES, FLUSHES, RATE = range(8)
# A may exceed the factor this many times, or by the number of columns.
SPREAD = 1e4
# Beyond this many quarters, p = 1.2, the rounding of the square roots grows.
MOST_QUARTERS = 20
# Below it a power of theta / s may underflow.
SMALLEST_SCALE = 1e-150


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    theta: WRITABLE  # (D,) minus the sum of the subgradients; with a kernel (n,) its products with samples
    mirror: WRITABLE  # (D,) w without its factor; `theta` itself for p = 2, `duals` with a kernel
    duals: WRITABLE  # (n,) theta = sum_i duals_i x_i
    averaged: TABLE  # (D, 2) the sum of the iterates, and of the factors, when the mirror changed last
    chosen: WRITABLE  # (D,) for the random iterate: what it is
    pool: QUEUE  # (n,) the samples in the order of the draws
    numbers: WRITABLE  # (8,) see above
    counters: INTEGERS  # (4,) steps done, seed, the random iterate, the one that replaces it
    event: WRITABLE  # (5,) the fields of Event


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam: FLOAT
    p: FLOAT
    kappa: FLOAT  # the factor of h
    ball: FLOAT  # the radius that the iterates keep
    shuffled: FLAG
    averages: FLAG


@inline
def flush(numbers, mirror, averaged):
    """Bring the sum of the iterates up to date in every column, and begin A anew."""
    total = numbers[TOTAL]
    for j in range(mirror.shape[0]):
        averaged[j, 0] += mirror[j] * (total - averaged[j, 1])
        averaged[j, 1] = 0.0
    numbers[TOTAL] = 0.0
    numbers[FLUSHES] += 1.0


@inline
def raised(x, power, quarters):
    """Raise x to a power; by two square roots if that is a small number of quarters, 5 for p = 1.8."""
    if quarters > 0:
        return whole_power(math.sqrt(math.sqrt(x)), quarters)
    return x**power


@inline
def quarters_of(power):
    """Four times the power where that is whole and small, else 0."""
    nearest = round(4.0 * power)
    return np.int64(nearest) if nearest <= MOST_QUARTERS and abs(4.0 * power - nearest) < 1e-12 else 0


@inline
def gather(total, lost, term):
    """Add `term` to `total`, and the exact rounding error of the sum to `lost`."""
    after = total + term
    back = after - total
    return after, lost + ((total - (after - back)) + (term - back))


@inline
def refresh(numbers, theta, mirror, power, quarters):
    """Recompute the mirror and S at the scale of the largest entry of theta; for p = 2 the scale is 1."""
    scale = 0.0
    for j in range(theta.shape[0]):
        scale = max(scale, abs(theta[j]))
    if power == 1.0 or scale < SMALLEST_SCALE:
        scale = 1.0
    total = lost = 0.0
    for j in range(theta.shape[0]):
        if theta[j] != 0.0:
            x = abs(theta[j]) / scale
            m = x if power == 1.0 else raised(x, power, quarters)
            # For p = 2 the mirror is theta itself.
            mirror[j] = math.copysign(m, theta[j])
            total, lost = gather(total, lost, x * m)
    numbers[SUM], numbers[LOST], numbers[SCALE] = total, lost, scale
    numbers[REFRESHES] += 1.0


@inline
def update_averages(indices, lo, hi, total, mirror, averaged):
    """Bring the sum of the iterates up to date in the columns of a row that is about to move them."""
    for k in range(lo, hi):
        j = indices[k]
        averaged[j, 0] += mirror[j] * (total - averaged[j, 1])
        averaged[j, 1] = total


@inline
def move(indices, data, lo, hi, step, power, quarters, theta, mirror, numbers):
    """Add step x_i to theta, and update the mirror and S.

    A term leaves S as it came, to the bit, so that S keeps the accuracy of its terms over any run.
    """
    total, lost, scale = numbers[SUM], numbers[LOST], numbers[SCALE]
    for k in range(lo, hi):
        j = indices[k]
        total, lost = gather(total, lost, -(abs(theta[j]) / scale * abs(mirror[j])))
        theta[j] += step * data[k] if data.shape[0] else step
        x = abs(theta[j]) / scale
        m = x if power == 1.0 else raised(x, power, quarters)
        mirror[j] = math.copysign(m, theta[j])
        total, lost = gather(total, lost, x * m)
    numbers[SUM], numbers[LOST] = total, lost


@inline
def factor(numbers, p, kappa, ball, needs_sum):
    """Compute f and the norm R of the iterate at the step size 1 / ((t + 1) lam)."""
    rate = numbers[RATE]
    if not needs_sum:
        return kappa * rate, math.nan
    total = numbers[SUM] + numbers[LOST]
    if total <= 0.0:
        return 0.0, 0.0
    radius = min(ball, kappa * rate * numbers[SCALE] * total ** (1.0 - 1.0 / p))
    return radius * total ** (-1.0 / p), radius


@inline
def subgradients(batch, pool, place, rows, samples, f, slope, mirror):
    """-c_i s_i p'(u_i) / k at the present iterate, for each of the batch; False where one overflows."""
    (indptr, indices, data), (sign, shift, weight, loss_theta, _, _) = rows, samples
    n_batch = batch.shape[0]
    for m in range(n_batch):
        i = pool[place + m]
        lo, hi = indptr[i], indptr[i + 1]
        if data.shape[0] == 0:
            z = f * row_sum(indices, lo, hi, mirror)
        else:
            z = f * row_product(indices, data, lo, hi, mirror)
        batch[m] = -weight[i] * sign[i] * slope(sign[i] * z + shift[i], loss_theta) / n_batch
        if not (abs(batch[m]) < math.inf and abs(z) < math.inf):
            return False
    return True


@inline
def write(event, i, batch, rate, radius):
    """Write the fields of `Event`."""
    active = 0
    for m in range(batch.shape[0]):
        active += batch[m] != 0.0
    event[0], event[1], event[2], event[3], event[4] = i, batch[-1], active, rate, radius


def _steps(
    n_steps: INTEGER,
    rows: Compressed,
    samples: Samples,
    slope: SCALAR_TYPE,
    settings: Settings,
    batch: WRITABLE,
    state: State,
) -> INTEGER:
    """Do n steps; returns how many were done."""
    indptr, indices, data = rows
    lam, p, kappa, ball, shuffled, averages = settings
    theta, mirror, duals, averaged, chosen, pool, numbers, counters, event = state
    power, needs_sum = 1.0 / (p - 1.0), p != 2.0 or ball < math.inf
    quarters = quarters_of(power)
    spread = max(SPREAD, theta.shape[0])
    size = batch.shape[0]
    for done in range(n_steps):
        step = counters[STEPS]
        f, moved = numbers[FACTOR], False
        if chosen.shape[0] and step == counters[NEXT]:
            for j in range(chosen.shape[0]):
                chosen[j] = f * mirror[j]
            choose_iterate(counters, step)
        place = draw(pool, step, counters[SEED], size, shuffled)
        if not subgradients(batch, pool, place, rows, samples, f, slope, mirror):
            numbers[FACTOR] = math.inf
            return done
        if averages:
            numbers[TOTAL] += f
        for m in range(size):
            i, g = pool[place + m], batch[m]
            if g == 0.0:
                continue
            duals[i] += g
            lo, hi = indptr[i], indptr[i + 1]
            if averages:
                update_averages(indices, lo, hi, numbers[TOTAL], mirror, averaged)
            if not needs_sum and data.shape[0] == 0:
                add_ones(indices, lo, hi, g, theta)
            elif not needs_sum:
                add_row(indices, data, lo, hi, g, theta)
            else:
                move(indices, data, lo, hi, g, power, quarters, theta, mirror, numbers)
                moved = True
        if moved and not SMALLEST_SUM < numbers[SUM] < LARGEST_SUM:
            if averages:
                flush(numbers, mirror, averaged)
            refresh(numbers, theta, mirror, power, quarters)
        numbers[RATE] = 1.0 / ((step + 2) * lam)
        numbers[FACTOR], radius = factor(numbers, p, kappa, ball, needs_sum)
        counters[STEPS] = step + 1
        if averages and numbers[TOTAL] > spread * numbers[FACTOR]:
            flush(numbers, mirror, averaged)
        write(event, pool[place + size - 1], batch, numbers[RATE], radius)
    return n_steps


steps = lazy_jit(_steps)
