"""Compiled coordinate descent on the primal of least squares, with shrinking.

With r = y - Xw the residual, the loss in coordinate j is a parabola of curvature a_j = (a/n) sum_i x_ij^2
whose minimum lies g_j / a_j away, g_j = (a/n) sum_i r_i x_ij; lam (e |w| + k w^2 / 2) moves it by soft
thresholding. Since v_j = g_j / lam under map (10), a full pass also gathers the Fenchel-Young terms of the
gap, as they are when each coordinate is met.

The shrinking is that of `_shrinking`, where a move is that of the predictions.
"""

import functools
import math

import numpy as np
from numba import njit, types

from workbench.compiled import compilation
from workbench.compiled.compilation import INDICES, OFFSETS, VECTOR, WRITABLE
from workbench.solvers._coordinate import INLINE
from workbench.solvers._linear import add_row, row_product, soft
from workbench.solvers._shrinking import ACTIVE, FULL_PASS, GATHERED, PASSES, PLACE, begin_pass, end_visit


@njit(**(INLINE | {"fastmath": {"reassoc", "contract"}}))
def dense_product(x, r):
    """sum_i x_i r_i, in whatever order is fastest."""
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * r[i]
    return total


@njit(**INLINE)
def add_dense(x, step, r):
    """r += step x."""
    for i in range(x.shape[0]):
        r[i] += step * x[i]


@njit(**INLINE)
def gap_term(g, w, threshold, ridge):
    """The Fenchel-Young term of a coordinate, lam [g(w) + h(v) - w v] at v = g / lam."""
    value = threshold * abs(w) + 0.5 * ridge * w * w
    beyond = max(abs(g) - threshold, 0.0)
    return value + beyond * beyond / (2.0 * ridge) - w * g


def _steps(
    n_steps, queue, queue_counters, progress, seed, shuffled,
    indptr, indices, data, curvature, settings, w, residual, event,
):
    """Visit the queue; returns how many steps were done."""
    scale, threshold, ridge = settings
    dense, n = indptr.shape[0] == 0, np.uint64(residual.shape[0])
    done = j = 0
    g = old = 0.0
    if queue_counters[PASSES] == 0:
        begin_pass(queue, queue_counters, progress, seed, shuffled)
    while done < n_steps:
        j = np.int64(queue[queue_counters[PLACE]])
        if dense:
            lo, hi = np.uint64(j) * n, np.uint64(j + 1) * n
            g = scale * dense_product(data[lo:hi], residual)
        else:
            lo, hi = indptr[j], indptr[j + 1]
            g = scale * row_product(indices, data, lo, hi, residual)
        old = w[j]
        bent = curvature[j] + ridge
        # A column of zeros without a ridge has any weight for a minimum; zero is the sparse one.
        new = soft(g + curvature[j] * old, threshold) / bent if bent > 0.0 else 0.0
        if not abs(new) < math.inf:
            return done
        w[j] = new
        done += 1
        if new != old and dense:
            add_dense(data[lo:hi], old - new, residual)
        elif new != old:
            add_row(indices, data, lo, hi, old - new, residual)
        end_visit((new - old) * (new - old) * curvature[j], queue, queue_counters, progress)
        if queue_counters[FULL_PASS] and ridge > 0.0:
            progress[GATHERED] += gap_term(g, old, threshold, ridge)
        if queue_counters[PLACE] >= queue_counters[ACTIVE]:
            begin_pass(queue, queue_counters, progress, seed, shuffled)
    if done:
        event[0], event[1], event[2], event[3], event[4] = j, old, w[j], g, curvature[j]
    return done


@functools.cache
def steps():
    """The compiled `_steps`."""
    flag, integer = types.boolean, types.int64
    return compilation.jit(
        _steps,
        integer(
            integer, types.Array(types.uint32, 1, "C"), types.Array(integer, 1, "C"), WRITABLE, integer, flag,
            OFFSETS, INDICES, VECTOR, VECTOR, VECTOR, WRITABLE, WRITABLE, WRITABLE,
        ),
    )  # fmt: skip
