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

import functools
import math

from numba import njit, types

from workbench import _compile
from workbench._compile import INDICES, OFFSETS, SCALAR, VECTOR, WRITABLE
from workbench.solvers._coordinate import INLINE, UNIT_ROUNDOFF, reliable
from workbench.solvers._linear import add_row, row_product
from workbench.solvers._primal_draws import NEXT, SEED, STEPS, choose, draw

COUNTERS = types.Array(types.int64, 1, "C")
POOL = types.Array(types.uint32, 1, "C")
# The places of State.numbers: w = FACTOR m, the sum A of the factors, S, its rounding, the scale s, how
# often S was summed afresh and the A_j brought up to date, and the step size 1 / ((t + 1) lam).
FACTOR, TOTAL, SUM, ROUNDING, SCALE, REFRESHES, FLUSHES, RATE = range(8)
# A may exceed the factor by so much, or by the number of columns.
SPREAD = 1e4
# Below it a power of theta / s may underflow.
SMALLEST_SCALE = 1e-150


@njit(**INLINE)
def flush(numbers, mirror, averaged, seen):
    """Bring the sum of the iterates up to date in every column, and begin A anew."""
    total = numbers[TOTAL]
    for j in range(mirror.shape[0]):
        averaged[j] += mirror[j] * (total - seen[j])
        seen[j] = 0.0
    numbers[TOTAL] = 0.0
    numbers[FLUSHES] += 1.0


@njit(**INLINE)
def square(theta):
    """sum_j theta_j^2."""
    total = 0.0
    for j in range(theta.shape[0]):
        total += theta[j] * theta[j]
    return total


@njit(**INLINE)
def refresh(numbers, theta, mirror, power):
    """The mirror and S afresh, at the scale of the largest entry of theta; for p = 2 the scale is 1."""
    if power == 1.0:
        numbers[SUM], numbers[ROUNDING] = square(theta), 0.0
        numbers[REFRESHES] += 1.0
        return
    scale = 0.0
    for j in range(theta.shape[0]):
        scale = max(scale, abs(theta[j]))
    if scale < SMALLEST_SCALE:
        scale = 1.0
    total = 0.0
    for j in range(theta.shape[0]):
        x = abs(theta[j]) / scale
        m = x**power
        mirror[j] = math.copysign(m, theta[j])
        total += x * m
    numbers[SUM], numbers[ROUNDING], numbers[SCALE] = total, 0.0, scale
    numbers[REFRESHES] += 1.0


@njit(**INLINE)
def settle(indices, lo, hi, total, mirror, averaged, seen):
    """Bring the sum of the iterates up to date in the columns of a row that is about to move them."""
    for k in range(lo, hi):
        j = indices[k]
        averaged[j] += mirror[j] * (total - seen[j])
        seen[j] = total


@njit(**INLINE)
def move(indices, data, lo, hi, step, scale, power, theta, mirror):
    """theta += step x_i; returns the change of S and the size of its terms."""
    change = size = 0.0
    for k in range(lo, hi):
        j = indices[k]
        before = theta[j] / scale * mirror[j]
        theta[j] += step * data[k]
        x = abs(theta[j]) / scale
        m = x**power
        mirror[j] = math.copysign(m, theta[j])
        change += x * m - before
        size += x * m + before
    return change, size


@njit(**INLINE)
def move_square(indices, data, lo, hi, step, theta):
    """`move` for p = 2, where S is a sum of squares."""
    change = size = 0.0
    for k in range(lo, hi):
        j = indices[k]
        before = theta[j] * theta[j]
        theta[j] += step * data[k]
        after = theta[j] * theta[j]
        change += after - before
        size += after + before
    return change, size


@njit(**INLINE)
def add(numbers, moved):
    """Add what `move` returned to S and to its rounding."""
    change, size = moved
    numbers[SUM] += change
    numbers[ROUNDING] += UNIT_ROUNDOFF * (size + numbers[SUM])


@njit(**INLINE)
def factor(numbers, p, kappa, ball, needs_sum):
    """f and the norm R of the iterate at the step size 1 / ((t + 1) lam)."""
    rate = numbers[RATE]
    if not needs_sum:
        return kappa * rate, math.nan
    total = numbers[SUM]
    if total <= 0.0:
        return 0.0, 0.0
    radius = min(ball, kappa * rate * numbers[SCALE] * total ** (1.0 - 1.0 / p))
    return radius * total ** (-1.0 / p), radius


@njit(**INLINE)
def subgradients(
    batch, n_batch, pool, place, indptr, indices, data, sign, shift, weight, f, slope, loss_theta, mirror
):
    """-c_i s_i p'(u_i) / k at the present iterate, for each of the batch; False where one overflows."""
    for m in range(n_batch):
        i = pool[place + m]
        z = f * row_product(indices, data, indptr[i], indptr[i + 1], mirror)
        batch[m] = -weight[i] * sign[i] * slope(sign[i] * z + shift[i], loss_theta) / n_batch
        if not (abs(batch[m]) < math.inf and abs(z) < math.inf):
            return False
    return True


@njit(**INLINE)
def write(event, i, batch, rate, radius):
    """The fields of `Event`."""
    active = 0
    for m in range(batch.shape[0]):
        active += batch[m] != 0.0
    event[0], event[1], event[2], event[3], event[4] = i, batch[-1], active, rate, radius


def _steps(
    n_steps,
    pool,
    counters,
    shuffled,
    averages,
    indptr,
    indices,
    data,
    sign,
    shift,
    weight,
    settings,
    slope,
    loss_theta,
    theta,
    mirror,
    duals,
    batch,
    averaged,
    seen,
    chosen,
    numbers,
    event,
):
    """Do so many steps; returns how many were done."""
    lam, p, kappa, ball = settings
    power, needs_sum = 1.0 / (p - 1.0), p != 2.0 or ball < math.inf
    spread = max(SPREAD, theta.shape[0])
    size = batch.shape[0]
    for done in range(n_steps):
        step = counters[STEPS]
        f = numbers[FACTOR]
        if chosen.shape[0] and step == counters[NEXT]:
            for j in range(chosen.shape[0]):
                chosen[j] = f * mirror[j]
            choose(counters, step)
        place = draw(pool, step, counters[SEED], size, shuffled)
        if not subgradients(
            batch, size, pool, place, indptr, indices, data, sign, shift, weight, f, slope, loss_theta, mirror
        ):
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
                settle(indices, lo, hi, numbers[TOTAL], mirror, averaged, seen)
            if not needs_sum:
                add_row(indices, data, lo, hi, g, theta)
            elif p == 2.0:
                add(numbers, move_square(indices, data, lo, hi, g, theta))
            else:
                add(numbers, move(indices, data, lo, hi, g, numbers[SCALE], power, theta, mirror))
        if numbers[ROUNDING] > 0.0 and not reliable(numbers[SUM], numbers[ROUNDING]):
            if averages:
                flush(numbers, mirror, averaged, seen)
            refresh(numbers, theta, mirror, power)
        numbers[RATE] = 1.0 / ((step + 2) * lam)
        numbers[FACTOR], radius = factor(numbers, p, kappa, ball, needs_sum)
        counters[STEPS] = step + 1
        if averages and numbers[TOTAL] > spread * numbers[FACTOR]:
            flush(numbers, mirror, averaged, seen)
        write(event, pool[place + size - 1], batch, numbers[RATE], radius)
    return n_steps


@functools.cache
def steps():
    """The compiled `_steps`."""
    flag, integer = types.boolean, types.int64
    return _compile.jit(
        _steps,
        integer(
            integer, POOL, COUNTERS, flag, flag, OFFSETS, INDICES, VECTOR, VECTOR, VECTOR, VECTOR,
            VECTOR, types.FunctionType(SCALAR), VECTOR, WRITABLE, WRITABLE, WRITABLE, WRITABLE,
            WRITABLE, WRITABLE, WRITABLE, WRITABLE, WRITABLE,
        ),
    )  # fmt: skip
