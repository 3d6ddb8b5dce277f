"""An unregularized bias: the best one for given predictions, and dual points that sum to zero.

With b free, the dual is finite only where sum alpha = 0. The primal is convex in b alone: its breakpoints
are sorted where the loss is piecewise linear, else Newton's method finds the zero of its slope. There the
dual point of map (10) sums to zero by itself; any other dual point is projected.

Source       docs/mathematics.md, section 6; the projection is a continuous quadratic knapsack (Brucker 1984)
"""

import math

import numpy as np

# A sum of dual variables below this share of their size is zero but for rounding.
BALANCED = 1e-12


def best(problem, z, start=0.0):
    """The bias that minimizes the primal for given predictions z (n,), in the middle where many do.

    `start` is where Newton's method begins; it changes no more than the rounding of the result.
    """
    loss = problem.loss
    if loss.is_straight:
        return _weighted_median(*breakpoints(problem, z), _pull(problem))
    from workbench.compiled import bias_loops

    arrays = (z, problem.sign, problem.shift, problem.weight, loss.theta)
    return bias_loops.newton()(loss.scalar("slope"), float(start), *arrays)


def _weighted_median(points, jumps, pull):
    """Where a slope of -pull that jumps up by `jumps` at `points` crosses zero; the middle where it rests."""
    jump = jumps[0]
    k = round(pull / jump)
    if np.all(jumps == jump) and abs(pull - k * jump) <= BALANCED * pull and 0 < k < points.shape[0]:
        # After k breakpoints the slope is k jumps less the pull, which is zero.
        low, high = np.partition(points, (k - 1, k))[k - 1 : k + 1]
        return float(0.5 * (low + high))
    order = np.argsort(points, kind="stable")
    slopes = np.cumsum(jumps[order]) - pull
    tolerance = BALANCED * jumps.sum()
    at = min(int(np.searchsorted(slopes, -tolerance)), slopes.shape[0] - 1)
    if abs(slopes[at]) <= tolerance and at + 1 < slopes.shape[0]:
        return float(0.5 * (points[order[at]] + points[order[at + 1]]))
    return float(points[order[at]])


def breakpoints(problem, z):
    """Where the primal bends as a function of b, and by how much its slope jumps there."""
    kinks = problem.loss.kinks
    # u = s (z + b) + t with s = +-1, so b = s (kink - t) - z.
    points = [problem.sign * (kink - problem.shift) - z for kink, _, _ in kinks]
    return np.concatenate(points), np.concatenate([(b - a) * problem.weight for _, a, b in kinks])


def _first_slopes(problem):
    """Each nu_i = p'(u_i) for b at minus infinity, (n,)."""
    entry = problem.loss.entry
    return np.where(problem.sign > 0.0, entry["lower"], entry["upper"])


def _pull(problem):
    """Minus the slope of the primal for b at minus infinity."""
    return -float((problem.weight * problem.sign) @ _first_slopes(problem))


def subgradients_at(problem, z, b):
    """The dual coordinates nu of map (10) at the best b for predictions z, of a piecewise linear loss.

    At a kink every slope between the two sides is a subgradient; one share of the way serves all samples
    there, and makes alpha sum to zero. Sides are told by the breakpoints, not by rounded margins.
    """
    points = breakpoints(problem, z)[0].reshape(-1, z.shape[0])
    jumps = np.diff(problem.loss.kinks[:, 1:])
    base = _first_slopes(problem)
    low = base + problem.sign * np.sum(jumps * (points < b), axis=0)
    high = base + problem.sign * np.sum(jumps * (points <= b), axis=0)
    pull = problem.weight * problem.sign
    first, last = float(pull @ low), float(pull @ high)
    share = first / (first - last) if first != last else 0.0
    return low + min(max(share, 0.0), 1.0) * (high - low)


def balance(problem, alpha):
    """The nearest dual point of the box with sum zero, and how far that moved the variables."""
    total = float(alpha.sum())
    if abs(total) <= BALANCED * float(np.abs(alpha).sum()):
        return _exactly(alpha, *problem.dual_ends), ()
    moved = _exactly(project(alpha, *problem.dual_ends), *problem.dual_ends)
    farthest = float(np.abs(moved - alpha).max())
    text = f"dual variables moved by at most {farthest:.3g}, so that they sum to zero and not {total:.3g}"
    return moved, (text,)


def _exactly(alpha, lower, upper):
    """The same with a sum that is zero to the last digit of the smallest variable that can make it so.

    A bias may be larger than everything else by many powers of ten, and multiplies what is left.
    """
    for _ in range(2):
        total = math.fsum(alpha)
        if total == 0.0:
            break
        moved = alpha - total
        free = np.flatnonzero((moved >= lower) & (moved <= upper) & (alpha != 0.0))
        if free.size == 0:
            break
        i = free[np.abs(alpha[free]).argmin()]
        alpha = alpha.copy()
        alpha[i] = moved[i]
    return alpha


def project(x, lower, upper):
    """The nearest point (n,) to x between lower and upper with sum zero, in O(n); one has to exist."""
    from workbench.compiled import bias_loops

    moved = np.empty_like(x)
    bias_loops.knapsack()(x, lower, upper, moved)
    return moved
