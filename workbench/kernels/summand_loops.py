"""Compiled loops over the summands of a regularizer: proximal points, values and gradients."""

import math

from workbench.kernels.compilation import FLOAT, PRIMAL_TYPE, SCALAR_TYPE, VECTOR, WRITABLE, inline, lazy_jit

# Newton's method with a bracket ends sooner; a bracket of 1e300 takes ten halvings to come down to 1.
LIMIT = 200


@inline
def summands_prox(slope, curvature, x, tau, weights, theta, out):
    """out_j = argmin over w of (w - x_j)^2 / 2 + tau psi_j(w): c_j phi'(v) where c_j phi'(v) + tau v = x_j.

    The left side rises with v, by tau at least: so one value of it brackets the root.
    """
    for j in range(x.shape[0]):
        c = weights[j]
        v, w = 0.0, c * slope(0.0, theta)
        miss = w - x[j]
        low, high = min(0.0, -miss / tau), max(0.0, -miss / tau)
        last = math.inf
        for _ in range(LIMIT):
            if miss == 0.0:
                break
            bent = c * curvature(v, theta)
            move = -miss / (bent + tau)
            # Newton's steps creep down an exponential: one that is not half of the last gives way to halving,
            # on the scale of asinh, for brackets of many orders of magnitude.
            if not (low <= v + move <= high and abs(move) <= 0.5 * last) or bent - bent != 0.0:
                move = math.sinh(0.5 * (math.asinh(low) + math.asinh(high))) - v
            before, last = v, abs(move)
            v += move
            w = c * slope(v, theta)
            miss = w + tau * v - x[j]
            if miss > 0.0:
                high = v
            else:
                low = v
            if v == before or abs(move) <= 2e-16 * abs(v):
                break
        out[j] = w


def _values(
    primal: PRIMAL_TYPE,
    primal_slope: PRIMAL_TYPE,
    w: VECTOR,
    weights: VECTOR,
    theta: VECTOR,
    gradient: WRITABLE,
) -> FLOAT:
    """Fill in the slopes of the summands, and return the sum of their values."""
    total = 0.0
    for j in range(w.shape[0]):
        total += primal(w[j], weights[j], theta)
        gradient[j] = primal_slope(w[j], weights[j], theta)
    return total


def _curvatures(curvature: SCALAR_TYPE, v: VECTOR, weights: VECTOR, theta: VECTOR, out: WRITABLE) -> None:
    """out_j = c_j phi''(v_j)."""
    for j in range(v.shape[0]):
        out[j] = weights[j] * curvature(v[j], theta)


curvatures = lazy_jit(_curvatures)
values = lazy_jit(_values)
