"""Compiled steps of Zhang's online rule (24): on a mistake v moves by eta y x, else nothing does.

The prediction is that of w = grad h(v) = Phi'(S) slopes, whatever the regularizer; only its sign counts
unless there is a margin.
"""

import math
from typing import NamedTuple

from workbench.kernels.arrays import Compressed, RegularizerFunctions
from workbench.kernels.compilation import (
    FLAG,
    FLOAT,
    INDICES,
    INTEGER,
    INTEGERS,
    VECTOR,
    WRITABLE,
    lazy_jit,
)
from workbench.solvers.algorithms import _coordinate as rules
from workbench.solvers.contract import solver_state

# The places of State.sums: S, its rounding, how often it was summed afresh.
TOTAL, ROUNDING, FRESH = range(3)


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    alpha: WRITABLE  # (n,) lam n eta y_i times the mistakes on sample i, beyond a warm start
    mistakes: INTEGERS  # (n,)
    v: WRITABLE  # (D,) the sum of eta y_i x_i over the mistakes
    slopes: WRITABLE  # (D,) c_j phi'(v_j), so that w = Phi'(S) slopes
    w: WRITABLE  # (D,) grad h(v)
    sums: WRITABLE  # (3,) S, its rounding, how often it was summed afresh
    theta: WRITABLE  # the regularizer's scale, then its parameters
    total: WRITABLE  # (D,) the sum of the weights that predicted, up to the last mistake
    survived: INTEGERS  # (1,) how often the weights since then have predicted
    counters: INTEGERS  # (2,) steps done, seed of the order
    event: WRITABLE  # (5,) the fields of Event


class Settings(NamedTuple):
    """The numbers of the steps."""

    lam_n: FLOAT
    eta: FLOAT
    margin: FLOAT
    linear: FLAG  # whether Phi(S) is S
    averages: FLAG


def _steps(
    order: INDICES,
    rows: Compressed,
    y: VECTOR,
    weight: VECTOR,
    regularizer: RegularizerFunctions,
    weights: VECTOR,
    settings: Settings,
    state: State,
) -> INTEGER:
    """Visit the samples in this order; returns how many steps were done, fewer where w overflowed."""
    indptr, indices, data = rows
    row_add, refresh, outer_slope = regularizer.row_add, regularizer.refresh, regularizer.outer_slope
    lam_n, eta, margin, linear, averages = settings
    alpha, mistakes, v, slopes, _, sums, theta, total, survived, _, event = state
    done = 0
    for i in order:
        # Before a step and not after it, so that S and the scale still agree when the loop ends.
        if not linear and sums[ROUNDING] > 0.0 and not rules.reliable(sums[TOTAL], sums[ROUNDING]):
            sums[TOTAL], sums[ROUNDING] = refresh(weights, v, slopes, theta), 0.0
            sums[FRESH] += 1.0
        lo, hi = indptr[i], indptr[i + 1]
        product = rules.row_product(indices, data, lo, hi, slopes)
        z = product * rules.first_slope(sums[TOTAL], linear, outer_slope, theta)
        if not abs(z) < math.inf:
            break
        before = alpha[i]
        wrong = y[i] * z <= margin
        survived[0] += averages
        if wrong and averages:
            factor = survived[0] * rules.first_slope(sums[TOTAL], linear, outer_slope, theta)
            for j in range(v.shape[0]):
                total[j] += factor * slopes[j]
            survived[0] = 0
        if wrong:
            step = (weight[i] * eta) * y[i]
            alpha[i] += lam_n * step
            mistakes[i] += 1
            change = row_add(indices, data, lo, hi, step, weights, v, slopes, theta)
            sums[TOTAL] += change
            sums[ROUNDING] += abs(change) * rules.UNIT_ROUNDOFF
        done += 1
        event[0], event[1], event[2], event[3], event[4] = i, z, wrong, before, alpha[i]
    return done


steps = lazy_jit(_steps)
