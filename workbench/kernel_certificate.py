"""Certificates of kernel problems: w lives in the kernel's own space and is known by its predictions.

With f = K alpha / (lam n) and w = grad h(v), the map (9) holds by itself and g = h = alpha'f / (2 lam n):
the gap is that of the samples alone. With an unregularized bias, D is finite only where sum alpha = 0,
and b is the best one for the predictions f.
"""

import numpy as np

from workbench.certificate import _assemble, _feasible, _loss_bracket
from workbench.fenchel_young import Bracket
from workbench.kernels import not_positive

# alpha'K alpha below this share of sum |alpha_i f_i| is no rounding.
NEGATIVE = -1e-8


def certify(problem, alpha):
    """The certificate of dual variables of a kernel problem."""
    nu, repairs = _feasible(problem, problem.nu(alpha))
    alpha = problem.alpha(nu) if repairs else alpha.copy()
    if problem.bias is True:
        alpha, moved = balanced(problem, alpha)
        if moved:
            nu, repairs = problem.nu(alpha), (*repairs, moved)
    f = problem.kernel_matrix.product(alpha / problem.lam_n)
    energy = alpha @ f
    if energy < NEGATIVE * (np.abs(alpha) @ np.abs(f)):
        raise not_positive(f"alpha' K alpha = {energy * problem.lam_n:.3g} at the point to certify")
    h = max(energy, 0.0) / (2.0 * problem.lam_n)
    b = hinge_bias(f, problem.y, problem.weight) if problem.bias is True else 0.0
    losses, conjugate, kkt = _loss_bracket(problem, f + b, nu)
    bracket = Bracket(np.zeros(1), h)
    return _assemble(problem, None, alpha, f + b, losses, conjugate, bracket, h, repairs, kkt=kkt, b=b)


def hinge_bias(f, y, weight):
    """The b that minimizes sum_i c_i max(0, 1 - y_i (f_i + b)), the middle one where several do.

    The sum is convex and piecewise linear with its breakpoints at y_i - f_i; its slope is minus the
    weight of the positive samples at the far left and rises by c_i at each. O(n log n).
    """
    order = np.argsort(y - f, kind="stable")
    points = (y - f)[order]
    slopes = np.cumsum(weight[order]) - weight[y > 0.0].sum()
    # Rounding of the sums may leave a flat piece with a slope that is not quite zero.
    small = 1e-12 * weight.sum()
    first = int(np.argmax(slopes >= -small))
    last = min(first + 1, points.size - 1) if abs(slopes[first]) <= small else first
    return float(0.5 * (points[first] + points[last]))


def balanced(problem, alpha):
    """alpha with sum zero, and what was moved where that was more than rounding."""
    total = float(np.sum(alpha))
    size = float(np.abs(alpha).sum())
    if abs(total) <= 1e-13 * size:
        return alpha, ""
    point = balance(alpha, problem.y, problem.weight)
    return point, f"dual variables moved to sum alpha = 0 from {total:.3g}"


def balance(alpha, y, weight):
    """The point with sum zero that is nearest to alpha in the box of a margin loss, (n,).

    That is alpha - t, clipped, for the t at which the sum vanishes: the sum falls as t grows, so halve.
    """
    lower, upper = np.where(y > 0.0, 0.0, -weight), np.where(y > 0.0, weight, 0.0)
    reach = float(np.abs(alpha).max()) + float(weight.max())
    low, high = -reach, reach
    while low < (middle := 0.5 * (low + high)) < high:
        if np.clip(alpha - middle, lower, upper).sum() > 0.0:
            low = middle
        else:
            high = middle
    point = np.clip(alpha - high, lower, upper)
    # What rounding left goes to the variable with most room.
    rest = float(np.sum(point))
    k = int(np.argmax(point - lower if rest > 0.0 else upper - point))
    point[k] = min(max(point[k] - rest, lower[k]), upper[k])
    return point
