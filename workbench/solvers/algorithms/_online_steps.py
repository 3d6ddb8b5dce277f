"""Compiled steps of Zhang's online rule (24): on a mistake v moves by eta y x, else nothing does.

The prediction is that of w = grad h(v) = Phi'(S) slopes, whatever the regularizer; only its sign counts
unless there is a margin.
"""

import math

from workbench.kernels import signatures
from workbench.kernels.compilation import WRITABLE
from workbench.solvers.algorithms import _coordinate as rules

# The places of State.sums: S, its rounding, how often it was summed afresh.
TOTAL, ROUNDING, FRESH = range(3)


def _steps(
    order,
    indptr,
    indices,
    data,
    y,
    weight,
    lam_n,
    eta,
    margin,
    linear,
    row_add,
    refresh,
    outer_slope,
    weights,
    alpha,
    mistakes,
    v,
    slopes,
    sums,
    theta,
    averages,
    total: WRITABLE,
    survived,
    event,
):
    """Visit the samples in this order; returns how many steps were done, fewer where w overflowed."""
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


steps = signatures.late(_steps)
