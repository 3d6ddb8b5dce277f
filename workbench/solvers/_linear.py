"""Compiled Gauss-Seidel steps for squared l2 with K = I, where w = v, with shrinking.

Where p*(nu) = a nu^2 / 2 + b nu + e |nu|, as for every loss but the logistic one, the step is written
out here: a visit has time for few calls. No mirror of slopes and no sum S are kept: a step is a product
over the row and, where alpha moves, an addition over it.

Sleep. A sample falls asleep when its step moves w by less than a small share of the farthest move of the
pass before: at an end of the domain of nu, on a kink, or wherever it has nothing to gain for now. Once the
farthest move of a pass is well below that of the last roll call, all are woken for one pass, the next roll
call: so the samples that sleep are tested again and again, whoever asks for certificates.
"""

import functools
import math

import numpy as np
from numba import njit, types

from workbench.compiled import compilation
from workbench.compiled.compilation import COORDINATE, INDICES, OFFSETS, SCALAR, VECTOR, WRITABLE
from workbench.solvers._coordinate import INLINE, clip, gradient_target

# The places of State.queue_counters: awake samples, place in the pass, passes, whether it is a roll call.
AWAKE, PLACE, PASSES, ROLL_CALL = range(4)
# The places of State.watch; moves are squared. The move below which a sample falls asleep, the farthest of
# this pass, the one that calls the roll; the gap and the loss gathered in this roll call; the gap that the
# last one met and what it should have left of it, the loss that it met.
SMALL, FARTHEST, LEVEL, GATHERED, GATHERED_LOSS, MET, GAP, LOSS = range(8)
# What is small beside the farthest move of the pass before, and well below the last roll call's.
SMALL_SHARE, LEVEL_SHARE = 0.003**2, 0.3**2
# A roll call leaves at most about this of the gap that it met: less where the one before has left much less.
LEFT = 0.4
ONE, TWO, THREE, FOUR = (np.uint64(k) for k in (1, 2, 3, 4))


def watch():
    """`State.watch` before the first pass."""
    return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, np.inf, 0.0])


@njit(**INLINE)
def row_sum(indices, lo, hi, v):
    """`row_product` of a row of ones, to the bit."""
    a = b = c = d = 0.0
    k = lo
    while k + FOUR <= hi:
        a += v[indices[k]]
        b += v[indices[k + ONE]]
        c += v[indices[k + TWO]]
        d += v[indices[k + THREE]]
        k += FOUR
    while k < hi:
        a += v[indices[k]]
        k += ONE
    return (a + b) + (c + d)


@njit(**INLINE)
def row_product(indices, data, lo, hi, v):
    """sum_j v_j x_ij in four chains, since one would wait for every addition."""
    a = b = c = d = 0.0
    k = lo
    while k + FOUR <= hi:
        a += v[indices[k]] * data[k]
        b += v[indices[k + ONE]] * data[k + ONE]
        c += v[indices[k + TWO]] * data[k + TWO]
        d += v[indices[k + THREE]] * data[k + THREE]
        k += FOUR
    while k < hi:
        a += v[indices[k]] * data[k]
        k += ONE
    return (a + b) + (c + d)


@njit(**INLINE)
def add_ones(indices, lo, hi, step, v):
    """`add_row` of a row of ones, to the bit."""
    k = lo
    while k + FOUR <= hi:
        p, q, r, s = indices[k], indices[k + ONE], indices[k + TWO], indices[k + THREE]
        a, b, c, d = v[p] + step, v[q] + step, v[r] + step, v[s] + step
        v[p], v[q], v[r], v[s] = a, b, c, d
        k += FOUR
    while k < hi:
        v[indices[k]] += step
        k += ONE


@njit(**INLINE)
def add_row(indices, data, lo, hi, step, v):
    """v += step x_i; the columns of a row differ, so four may be read before any is written."""
    k = lo
    while k + FOUR <= hi:
        p, q, r, s = indices[k], indices[k + ONE], indices[k + TWO], indices[k + THREE]
        a, b = v[p] + step * data[k], v[q] + step * data[k + ONE]
        c, d = v[r] + step * data[k + TWO], v[s] + step * data[k + THREE]
        v[p], v[q], v[r], v[s] = a, b, c, d
        k += FOUR
    while k < hi:
        v[indices[k]] += step * data[k]
        k += ONE


@njit(**INLINE)
def mix(bits):
    """The output of splitmix64 but for its last shift, which the high half does not need."""
    mixed = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)


@njit(**INLINE)
def shuffle(queue, count, seed, passes):
    """Fisher and Yates with splitmix64, as a function of the seed and the number of the pass alone."""
    bits = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(passes) * np.uint64(0x9E3779B97F4A7C15)
    for k in range(count - 1, 0, -1):
        bits += np.uint64(0x9E3779B97F4A7C15)
        mixed = mix(bits)
        # The high half scaled to 0..k: the bias is below k / 2^32.
        other = np.int64((mixed >> np.uint64(32)) * np.uint64(k + 1) >> np.uint64(32))
        queue[k], queue[other] = queue[other], queue[k]


@njit(**INLINE)
def begin_pass(queue, queue_counters, watch, seed, shuffled):
    """Set what is small by the pass before, and wake all where its moves have become small themselves."""
    farthest = watch[FARTHEST]
    if queue_counters[ROLL_CALL]:
        watch[LEVEL] = LEVEL_SHARE * farthest
        met = watch[GATHERED]
        watch[GAP] = met * (min(LEFT, math.sqrt(met / watch[MET])) if watch[MET] > 0.0 else LEFT)
        watch[MET], watch[LOSS] = met, watch[GATHERED_LOSS]
    everyone = queue_counters[PASSES] == 0 or farthest <= watch[LEVEL] or queue_counters[AWAKE] == 0
    watch[SMALL] = SMALL_SHARE * farthest
    watch[FARTHEST] = watch[GATHERED] = watch[GATHERED_LOSS] = 0.0
    queue_counters[ROLL_CALL] = everyone
    if everyone:
        queue_counters[AWAKE] = queue.shape[0]
    queue_counters[PLACE] = 0
    queue_counters[PASSES] += 1
    if shuffled:
        shuffle(queue, queue_counters[AWAKE], seed, queue_counters[PASSES])


@njit(**INLINE)
def moved(move, queue, queue_counters, watch):
    """Have the present sample sleep from now on where the squared move of its step is small."""
    watch[FARTHEST] = max(watch[FARTHEST], move)
    place = queue_counters[PLACE]
    if move < watch[SMALL]:
        queue_counters[AWAKE] -= 1
        last = queue_counters[AWAKE]
        queue[place], queue[last] = queue[last], queue[place]
    else:
        queue_counters[PLACE] += 1


@njit(**INLINE)
def soft(x, e):
    """x moved towards zero by e, and no farther than zero."""
    return x - e if x > e else (x + e if x < -e else 0.0)


@njit(**INLINE)
def written_out(u, second, first, kink, lower, upper):
    """p(u) as the largest u nu - p*(nu), where p*(nu) = second nu^2 / 2 + first nu + kink |nu|."""
    slope = soft(u - first, kink)
    if second > 0.0:
        nu = clip(slope / second, lower, upper)
    else:
        nu = upper if slope > 0.0 else (lower if slope < 0.0 else 0.0)
    # An infinite end with a slope means an infinite value; no loss here has one.
    return slope * nu - 0.5 * second * nu * nu


def _steps(
    n_steps, queue, queue_counters, watch, seed, shuffled, shrinking,
    indptr, indices, data, sign, shift, weight, bound, settings, gradient,
    coordinate, slope, value, conjugate, conjugate_slope, loss_theta, alpha, v, event,
):
    """Visit the queue; returns how many steps were done."""
    lam_n, lam, eta, scale, lower, upper, kink, quadratic, second, first = settings
    ones = data.shape[0] == 0
    done = i = 0
    s, t, c = 1.0, 0.0, 1.0
    nu = free = new = z = curvature = old = slope_here = 0.0
    if shrinking and queue_counters[PASSES] == 0:
        begin_pass(queue, queue_counters, watch, seed, shuffled)
    while done < n_steps:
        i = np.int64(queue[queue_counters[PLACE] if shrinking else done])
        lo, hi = indptr[i], indptr[i + 1]
        s, t, c = sign[i], shift[i], weight[i]
        old = alpha[i]
        nu = -old / (c * s)
        z = row_sum(indices, lo, hi, v) if ones else row_product(indices, data, lo, hi, v)
        u = s * z + t
        if gradient:
            curvature = math.nan
            if quadratic == 1.0:
                slope_here = first + second * nu + (math.copysign(kink, nu) if kink > 0.0 else 0.0)
            else:
                slope_here = conjugate_slope(nu, loss_theta)
            free = gradient_target(nu, u, lam_n * eta / c, slope_here, kink, first)
        elif quadratic == 1.0 and bound[i] > 0.0:
            curvature = c * bound[i]
            free = soft(u - first + curvature * nu, kink) / (curvature + second)
        else:
            curvature = c * bound[i]
            # An empty row has no curvature; (10) alone then says where its dual variable belongs.
            free = coordinate(nu, u, curvature, loss_theta) if curvature > 0.0 else slope(u, loss_theta)
        free = nu + scale * (free - nu) if scale != 1.0 else free
        new = clip(free, lower, upper)
        if not abs(new) < math.inf:
            return done
        # Subtracted from zero, so that no dual variable is -0.
        alpha[i] = 0.0 - (c * s) * new
        done += 1
        step = (alpha[i] - old) / lam_n
        if step != 0.0:
            if ones:
                add_ones(indices, lo, hi, step, v)
            else:
                add_row(indices, data, lo, hi, step, v)
        if not shrinking:
            continue
        moved(step * step * bound[i], queue, queue_counters, watch)
        if queue_counters[ROLL_CALL]:
            # The Fenchel-Young terms of the points before each step.
            if quadratic == 1.0:
                loss = written_out(u, second, first, kink, lower, upper)
                dual = 0.5 * second * nu * nu + first * nu + kink * abs(nu)
            else:
                loss, dual = value(u, loss_theta), conjugate(nu, loss_theta)
            watch[GATHERED] += c * (loss + dual - u * nu)
            watch[GATHERED_LOSS] += c * loss
        if queue_counters[PLACE] >= queue_counters[AWAKE]:
            begin_pass(queue, queue_counters, watch, seed, shuffled)
    if done:
        event[0], event[1], event[2], event[3] = i, old, 0.0 - (c * s) * free, alpha[i]
        event[4], event[5] = z, curvature
        # D = (1/n) sum k(-alpha) + lam v.v / 2, with k(-alpha) = c (p*(nu) - t nu).
        change = conjugate(new, loss_theta) - conjugate(nu, loss_theta) - t * (new - nu)
        squares = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            squares += 1.0 if ones else data[k] * data[k]
        step = (alpha[i] - old) / lam_n
        event[6] = lam / lam_n * c * change + lam * step * (z + 0.5 * step * squares)
    return done


@functools.cache
def steps():
    """The compiled `_steps`."""
    function, flag, integer = types.FunctionType, types.boolean, types.int64
    scalar, integers = function(SCALAR), types.Array(types.int64, 1, "C")
    return compilation.jit(
        _steps,
        integer(
            integer, types.Array(types.uint32, 1, "C"), integers, WRITABLE, integer, flag, flag,
            OFFSETS, INDICES, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, flag,
            function(COORDINATE), scalar, scalar, scalar, scalar, VECTOR, WRITABLE, WRITABLE, WRITABLE,
        ),
    )  # fmt: skip
