"""Compiled loops over groups of coordinates: projections onto balls, a tree's pass, dual norms."""

import numpy as np

from workbench.kernels.compilation import FLOAT, LABELS, VECTOR, WRITABLE, inline, lazy_jit, overwrite

# Bisection of a dual norm ends when the bracket is this narrow; the upper end is kept.
NARROW = 2.0**-52
NEWTON_LIMIT = 100


@inline
def inside_balls(values, starts, radii, scale, out):
    """Each group's projection onto the l1 ball of its radius times the scale, by Newton on the threshold."""
    for g in range(radii.shape[0]):
        lo, hi, radius = starts[g], starts[g + 1], scale * radii[g]
        total, count, threshold = 0.0, 0, 0.0
        for k in range(lo, hi):
            total += abs(values[k])
        if total > radius:
            # The sum of (|x| - t)_+ is convex and falls in t: Newton from below ends in finitely many steps.
            threshold = 0.0
            for _ in range(hi - lo + 1):
                total, count = 0.0, 0
                for k in range(lo, hi):
                    if abs(values[k]) > threshold:
                        total += abs(values[k])
                        count += 1
                if count == 0 or (total - radius) / count <= threshold:
                    break
                threshold = (total - radius) / count
        for k in range(lo, hi):
            size = max(abs(values[k]) - threshold, 0.0)
            out[k] = size if values[k] > 0.0 else -size


@inline
def sparse_sizes(values, starts, weights, share, out):
    """Per group the least t with |soft(v, share t)|_2 <= weight t: Newton from below on a convex function."""
    for g in range(weights.shape[0]):
        lo, hi = starts[g], starts[g + 1]
        largest = 0.0
        for k in range(lo, hi):
            largest = max(largest, abs(values[k]))
        out[g] = 0.0
        if largest == 0.0:
            continue
        t = 0.0
        for _ in range(NEWTON_LIMIT):
            square, first = 0.0, 0.0
            for k in range(lo, hi):
                part = max(abs(values[k]) / largest - share * t, 0.0)
                square += part * part
                first += part
            length = np.sqrt(square)
            excess = length - weights[g] * t
            if excess <= 0.0 or length == 0.0:
                break
            move = excess / (share * first / length + weights[g])
            if t + move == t:
                break
            t += move
        # Newton from below ends under the root by a rounding or two.
        out[g] = largest * t * (1.0 + 4.0 * NARROW)


@inline
def tree_pass(x, tau, order, starts, weights, parts):
    """Apply the prox of tau times the tree's norm to x in place, from the leaves to the root.

    `parts` (k,), laid out like `order`, becomes what each group took away: its projection onto the ball of
    radius tau weight. Returns whether nothing is left of x.
    """
    for g in range(weights.shape[0]):
        lo, hi = starts[g], starts[g + 1]
        largest = 0.0
        for k in range(lo, hi):
            largest = max(largest, abs(x[order[k]]))
        radius, square = tau * weights[g], 0.0
        if largest > 0.0:
            for k in range(lo, hi):
                share = x[order[k]] / largest
                square += share * share
        length = largest * np.sqrt(square)
        if length <= radius:
            for k in range(lo, hi):
                parts[k] = x[order[k]]
                x[order[k]] = 0.0
        else:
            for k in range(lo, hi):
                parts[k] = x[order[k]] * (radius / length)
                x[order[k]] -= parts[k]
    left = 0.0
    for j in range(x.shape[0]):
        left = max(left, abs(x[j]))
    return left == 0.0


def _tree_dual(
    v: VECTOR, order: LABELS, starts: LABELS, weights: VECTOR, x: WRITABLE, parts: WRITABLE
) -> FLOAT:
    """Bisect for the least tau for which the tree's prox of v is zero; return the upper end."""
    high = 0.0
    for j in range(v.shape[0]):
        high = max(high, abs(v[j]))
    if high == 0.0 or not np.isfinite(high):
        return high
    low = 0.0
    while True:
        overwrite(x, v)
        if tree_pass(x, high, order, starts, weights, parts):
            break
        low, high = high, 2.0 * high
    while high - low > NARROW * high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        overwrite(x, v)
        if tree_pass(x, middle, order, starts, weights, parts):
            high = middle
        else:
            low = middle
    return high


tree_dual = lazy_jit(_tree_dual)
