"""Compiled pair steps of the maximal violating pair method, with shrinking and a cache of kernel rows.

With g_i = f_i - y_i, f = K alpha / (lam n), moving alpha_i down and alpha_j up by the same amount keeps
sum alpha = 0 and changes D at the rate (g_j - g_i) / n. The top set holds what may go down, the bottom
set what may go up. One mask stands for both: 0 for what may do either, 1e300 for what may only go down
and -1e300 for what may only go up; added to g where it is negative or positive, it takes a sample out of
the search without a branch.

Arrays in *positions*: the active set comes first, `order` names the samples. Rows are cached for
these positions only, so that late steps run over short arrays that lie close together.
"""

from typing import NamedTuple

import numpy as np

from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INTEGER,
    INTEGERS,
    QUEUE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
    overwrite,
)
from workbench.kernels.extremes import larger, smaller
from workbench.kernels.kernel_rows import KernelRows, collect, whole_row
from workbench.solvers.contract import STEPS, solver_state

OUTSIDE = 1e300
# The search goes block by block: the maximum of one without its place, then the place in one block only.
BLOCK = 512
# A curvature below this part of the diagonal is rounding; one as far below zero is not.
FLAT, NEGATIVE = 1e-12, -1e-8
# Samples are tested for shrinking this often, and taken out when a tenth of them can go.
PERIOD, WORTHWHILE = 1000, 0.9
# All samples are tested again once the violation is this share of what it was when they were tested last,
# and once the steps, an epoch or more, have doubled since: a limit on steps leaves none of them out.
LEVEL_SHARE = 0.1

RUNNING, SATISFIED, STUCK, NOT_POSITIVE = range(4)
# The places of State.sizes.
ACTIVE, SINCE_TEST, ALL_TESTED, ENDED = range(4)
# The places of the cache's own counters.
STRIDE, USED, CLOCK = range(3)


class RowCache(NamedTuple):
    """Rows of the kernel matrix, as many as there is memory for."""

    readable: VECTOR  # the rows one after the other, to read
    memory: WRITABLE  # the same to write
    slot_of: INTEGERS  # (n,) the slot of each sample, or -1
    owner: INTEGERS  # the sample of each slot
    stamp: INTEGERS  # when it was last asked for
    counters: INTEGERS  # (3,) the length of a row, slots in use, the clock


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps; a copy of these arrays brings the run back to it."""

    alpha: WRITABLE  # (n,) dual variables, their sum is zero
    gradient: WRITABLE  # (n,) f_i - y_i without the bias, in positions; current in the active set
    order: QUEUE  # (n,) the sample at each position; the active set comes first
    # (4,) active samples, steps since the last test, steps when all were tested last, how it ended
    sizes: INTEGERS
    violation: WRITABLE  # (1,) t_hat - b_hat when all samples were tested last
    counters: INTEGERS  # (2,) pair steps done, seed (unused)
    event: WRITABLE  # (10,) the fields of Event


class Settings(NamedTuple):
    """The numbers of the steps."""

    tol: FLOAT
    lam_n: FLOAT
    lam: FLOAT
    largest: FLOAT  # of the kernel's diagonal
    second_order: FLAG
    shrinking: FLAG


@inline
def move(g, row_i, row_j, di, dj, mask):
    """Add di row_i + dj row_j to g; return the extremes of g in top and bottom set, and their blocks."""
    high, low = -10.0 * OUTSIDE, 10.0 * OUTSIDE
    high_block = low_block = 0
    n = g.shape[0]
    for start in range(0, n, BLOCK):
        end = min(start + BLOCK, n)
        part, first, second, outside = g[start:end], row_i[start:end], row_j[start:end], mask[start:end]
        most, least = -10.0 * OUTSIDE, 10.0 * OUTSIDE
        for k in range(part.shape[0]):
            value = part[k] + (di * first[k] + dj * second[k])
            part[k] = value
            most = larger(most, value + smaller(outside[k], 0.0))
            least = smaller(least, value + larger(outside[k], 0.0))
        if most > high:
            high, high_block = most, start
        if least < low:
            low, low_block = least, start
    return high, high_block, low, low_block


@inline
def gain(g, outside, diagonal, value, level, own, flat):
    """Twice what a step with this partner gains for D over lam, were the box not there."""
    short = larger(level - (g + larger(outside, 0.0)), 0.0)
    return short * short / larger(own + diagonal - 2.0 * value, flat)


@inline
def best_partner(g, row, mask, diagonal, level, own, flat):
    """Return the position that gains most together with a first one of g = `level`."""
    best, best_block = -1.0, 0
    n = g.shape[0]
    for start in range(0, n, BLOCK):
        end = min(start + BLOCK, n)
        part, values, outside, others = g[start:end], row[start:end], mask[start:end], diagonal[start:end]
        most = 0.0
        for k in range(part.shape[0]):
            most = larger(most, gain(part[k], outside[k], others[k], values[k], level, own, flat))
        if most > best:
            best, best_block = most, start
    best, place = -1.0, best_block
    for k in range(best_block, min(best_block + BLOCK, n)):
        value = gain(g[k], mask[k], diagonal[k], row[k], level, own, flat)
        if value > best:
            best, place = value, k
    return place


@inline
def place_of(g, mask, value, excluded, start):
    """Return the first position from `start` on with this g whose mask has not this sign."""
    k = start
    while k < g.shape[0] - 1 and (g[k] != value or mask[k] * excluded > 0.0):
        k += 1
    return k


@inline
def ends(y, c):
    """Return the ends of the box of alpha."""
    return (0.0, c) if y > 0.0 else (-c, 0.0)


@inline
def mask_of(a, y, c):
    """Which ways alpha may go."""
    lower, upper = ends(y, c)
    if a <= lower:
        return -OUTSIDE
    return OUTSIDE if a >= upper else 0.0


@inline
def lay_out(alpha, y, box, order, kernel_diagonal, mask, diagonal):
    for p in range(order.shape[0]):
        k = order[p]
        mask[p] = mask_of(alpha[k], y[k], box[k])
        diagonal[p] = kernel_diagonal[k]


@inline
def drop_rows(cache, stride):
    cache.slot_of[:] = -1
    cache.counters[STRIDE], cache.counters[USED] = stride, 0


@inline
def cached_row(rows, cache, sample, columns):
    """Return the row of this sample at these columns; a new row replaces the least recently used one."""
    readable, memory, slot_of, owner, stamp, counters = cache
    stride = counters[STRIDE]
    counters[CLOCK] += 1
    slot = slot_of[sample]
    if slot < 0:
        if counters[USED] < min(owner.shape[0], memory.shape[0] // stride):
            slot = counters[USED]
            counters[USED] += 1
        else:
            slot = np.argmin(stamp[: counters[USED]])
            slot_of[owner[slot]] = -1
        collect(rows, sample, columns, memory[slot * stride : slot * stride + columns.shape[0]])
        slot_of[sample], owner[slot] = slot, sample
    stamp[slot] = counters[CLOCK]
    return readable[slot * stride : slot * stride + columns.shape[0]]


@inline
def row_of(rows, cache, sample, columns):
    """Return the row of this sample at these columns; the matrix's own if all samples are active."""
    if rows.is_whole and columns.shape[0] == rows.everyone.shape[0]:
        return whole_row(rows, sample)
    return cached_row(rows, cache, sample, columns)


@inline
def shorten_rows(cache, positions, stays):
    """Move the rows of active samples to the front, at the kept positions; no target passes its source."""
    _, memory, slot_of, owner, stamp, counters = cache
    stride, used, count = counters[STRIDE], 0, positions.shape[0]
    for slot in range(counters[USED]):
        sample = owner[slot]
        slot_of[sample] = -1
        if stays[sample]:
            for p in range(count):
                memory[used * count + p] = memory[slot * stride + positions[p]]
            owner[used], stamp[used], slot_of[sample] = sample, stamp[slot], used
            used += 1
    counters[STRIDE], counters[USED] = count, used


@inline
def shrink(high, low, g, order, mask, diagonal, active, cache):
    """Take out what is at an end of its box and in no violating pair; returns how many stay."""
    positions, out = np.empty(active, dtype=np.int64), np.empty(active, dtype=np.int64)
    count = gone = 0
    for p in range(active):
        if (mask[p] > 0.0 and g[p] < low) or (mask[p] < 0.0 and g[p] > high):
            out[gone] = p
            gone += 1
        else:
            positions[count] = p
            count += 1
    if count > WORTHWHILE * active:
        return active
    overwrite(positions[count:], out)
    for array in (g, mask, diagonal):
        overwrite(array[:active], array[positions])
    overwrite(order[:active], order[positions])
    stays = np.zeros(order.shape[0], dtype=np.uint8)
    for p in range(count):
        stays[order[p]] = 1
    shorten_rows(cache, positions[:count], stays)
    return count


@inline
def bring_back(rows, lam_n, alpha, y, g, order, active):
    """Compute g afresh where it was left alone, and put all positions in the order of the samples."""
    n = alpha.shape[0]
    fresh, factors, values = np.zeros(n), alpha / lam_n, np.empty(n - active)
    for k in range(n):
        if factors[k] != 0.0:
            collect(rows, k, order[active:], values)
            for p in range(n - active):
                fresh[order[active + p]] += factors[k] * values[p]
    for i in range(n):
        fresh[i] -= y[i]
    for p in range(active):
        fresh[order[p]] = g[p]
    overwrite(g, fresh)
    overwrite(order, rows.everyone)


@inline
def move_pair(i, j, slope, curvature, flat, lam_n, alpha, y, box):
    """Move alpha_i down and alpha_j up to the best of both inside the box; the free and the real amount."""
    lower, _ = ends(y[i], box[i])
    _, upper = ends(y[j], box[j])
    free = lam_n * slope / max(curvature, flat)
    amount = min(free, alpha[i] - lower, upper - alpha[j])
    alpha[i] = lower if amount == alpha[i] - lower else alpha[i] - amount
    alpha[j] = upper if amount == upper - alpha[j] else alpha[j] + amount
    return free, amount


@inline
def shrink_when_due(high, low, steps, g, order, mask, diagonal, active, cache, sizes, violation):
    """Shrink the active set every n steps; return its size, or 0 to ask for all samples."""
    n = order.shape[0]
    if sizes[SINCE_TEST] < min(n, PERIOD):
        return active
    sizes[SINCE_TEST] = 0
    if active == n:
        sizes[ALL_TESTED], violation[0] = steps, high - low
    elif high - low <= LEVEL_SHARE * violation[0] or steps - sizes[ALL_TESTED] >= max(n, sizes[ALL_TESTED]):
        return 0
    return shrink(high, low, g, order, mask, diagonal, active, cache)


def _steps(
    n_steps: INTEGER,
    rows: KernelRows,
    cache: RowCache,
    kernel_diagonal: VECTOR,
    y: VECTOR,
    box: VECTOR,
    settings: Settings,
    state: State,
) -> INTEGER:
    """Do pair steps; returns how many, fewer where the method has ended: see `sizes[ENDED]`."""
    tol, lam_n, lam, largest, second_order, shrinking = settings
    alpha, g, order, sizes, violation, counters, event = state
    n, flat, done = alpha.shape[0], FLAT * largest, 0
    mask, diagonal = np.empty(n), np.empty(n)
    lay_out(alpha, y, box, order, kernel_diagonal, mask, diagonal)
    active = sizes[ACTIVE]
    if cache.counters[STRIDE] != active:
        drop_rows(cache, active)
    g_, mask_ = g[:active], mask[:active]
    high, high_block, low, low_block = move(g_, mask_, mask_, 0.0, 0.0, mask_)
    while done < n_steps:
        ended = RUNNING if high - low > tol else SATISFIED
        if shrinking and ended == RUNNING:
            steps = counters[STEPS] + done
            left = shrink_when_due(
                high, low, steps, g, order, mask, diagonal, active, cache, sizes, violation
            )
            if left == 0:
                ended = SATISFIED
            elif left != active:
                active, high_block, low_block = left, 0, 0
                g_, mask_ = g[:active], mask[:active]
        if ended == RUNNING:
            p = place_of(g_, mask_, high, -1.0, high_block)
            i = np.int64(order[p])
            row_i = row_of(rows, cache, i, order[:active])
            if second_order:
                q = best_partner(g_, row_i, mask_, diagonal[:active], high, diagonal[p], flat)
            else:
                q = place_of(g_, mask_, low, 1.0, low_block)
            j = np.int64(order[q])
            row_j = row_of(rows, cache, j, order[:active])
            before_i, before_j, slope = alpha[i], alpha[j], g[p] - g[q]
            curvature = diagonal[p] + diagonal[q] - 2.0 * row_i[q]
            if curvature < NEGATIVE * (diagonal[p] + diagonal[q]):
                event[0], event[1], event[7] = i, j, curvature
                sizes[ENDED] = NOT_POSITIVE
                break
            free, amount = move_pair(i, j, slope, curvature, flat, lam_n, alpha, y, box)
            if alpha[i] == before_i and alpha[j] == before_j:
                ended = STUCK
        if ended == RUNNING:
            gap, shift = high - low, amount / lam_n
            mask[p] = mask_of(alpha[i], y[i], box[i])
            mask[q] = mask_of(alpha[j], y[j], box[j])
            high, high_block, low, low_block = move(g_, row_i, row_j, -shift, shift, mask_)
            done += 1
            sizes[SINCE_TEST] += 1
            event[0], event[1], event[2], event[3] = i, j, before_i, alpha[i]
            event[4], event[5], event[6], event[7] = before_j, alpha[j], gap, curvature
            event[8], event[9] = free, lam * shift * (0.5 * shift * curvature - slope)
        elif active < n:
            bring_back(rows, lam_n, alpha, y, g, order, active)
            active = n
            lay_out(alpha, y, box, order, kernel_diagonal, mask, diagonal)
            drop_rows(cache, n)
            g_, mask_ = g[:], mask[:]
            high, high_block, low, low_block = move(g_, mask_, mask_, 0.0, 0.0, mask_)
        else:
            sizes[ENDED] = ended
            break
    sizes[ACTIVE] = active
    return done


steps = lazy_jit(_steps)
