"""Which subgradient at a kink: the dual point that given weights deserve under a piecewise linear loss.

Map (10) leaves alpha_i free between two ends where the loss has its kink at z_i, and at an optimum of the
hinge loss a good part of the support vectors sits there. The free ones are chosen to make the dual
objective small, by accelerated projected gradient steps over them alone. With a norm, whose conjugate has
no gradient, its proximal smoothing at w serves: at an optimal w both have the same minimizers.
"""

import numpy as np

from workbench.certificates import bias
from workbench.regularizers.base import soft

# A prediction this near to its kink counts as being there, in units of the margin or of the targets' spread.
NEAR = 1e-2
STEPS = 1000
# Steps end when no dual variable moves by this share of its range any more.
STILL = 1e-11
# Up to so many samples the largest singular value is computed, beyond it bounded.
SMALL = 400


def chosen_at_kinks(problem, z, w, alpha):
    """alpha (n,), given by map (10) at predictions z, with the samples at a kink chosen anew.

    Returns alpha itself where there is no kink, none near, or no bound of the curvature of h.
    """
    curvature = _curvature(problem) if problem.loss.kinks.size else None
    if curvature is None:
        return alpha
    distances, lower, upper = _kinks(problem, z)
    spread = 1.0 if problem.loss.kind == "margin" else float(np.std(problem.y))
    chosen = np.flatnonzero(np.abs(distances) <= NEAR * spread)
    if chosen.size == 0:
        return alpha
    rest = alpha.copy()
    rest[chosen] = 0.0
    total = -float(rest.sum()) if problem.free_bias else None
    rows = problem.rows[chosen]
    ends = lower[chosen], upper[chosen]
    start = _into(np.clip(alpha[chosen], *ends), *ends, total)
    target = (z + distances)[chosen]
    size = curvature * _square(rows) / problem.lam_n
    if not 0.0 < size < np.inf:
        return alpha
    rows, columns, image = _seen(problem, rows, w)
    base = problem.dual_vector(rest)[columns]

    def slope(part):
        return rows @ image(base + rows.T @ part / problem.lam_n) - target

    rest[chosen] = _descend(start, slope, 1.0 / size, ends, total)
    return rest


def _seen(problem, rows, w):
    """The rows, the columns that they see, and v -> w there: all columns where these do not stand apart."""
    regularizer, transfer = problem.regularizer, problem.transfer
    if regularizer.separable_parts is None:
        columns = np.arange(rows.shape[1])
        if regularizer.is_norm:
            return rows, columns, lambda v: transfer.prox(w + v, 1.0)
        return rows, columns, lambda v: transfer.map(v)[1]
    columns = np.unique(rows.indices)
    threshold, ridge = regularizer.separable_parts
    if regularizer.is_norm:
        shift = w[columns]
        return rows[:, columns], columns, lambda v: soft(shift + v, threshold)
    scale = transfer.weights[columns] / ridge
    if threshold == 0.0:
        return rows[:, columns], columns, lambda v: scale * v
    return rows[:, columns], columns, lambda v: scale * soft(v, threshold)


def _kinks(problem, z):
    """For each sample the way to its nearest kink, and the ends of alpha_i there."""
    points = bias.breakpoints(problem, z)[0].reshape(-1, problem.n_samples)
    nearest = np.abs(points).argmin(axis=0)
    ends = [problem.alpha(problem.loss.kinks[nearest, side]) for side in (1, 2)]
    return points[nearest, np.arange(problem.n_samples)], np.minimum(*ends), np.maximum(*ends)


def _descend(x, slope, step, ends, total):
    """Accelerated projected gradient steps, with restarts."""
    point, t = x, 1.0
    width = float(np.max(ends[1] - ends[0]))
    for _ in range(STEPS):
        moved = _into(point - step * slope(point), *ends, total)
        change = moved - x
        if np.abs(change).max() <= STILL * width and np.abs(point - x).max() <= STILL * width:
            break
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
        uphill = (point - moved) @ change > 0.0
        point = moved if uphill else moved + (t - 1.0) / following * change
        x, t = moved, 1.0 if uphill else following
    return x


def _into(x, lower, upper, total):
    """The nearest point of the box, with the given sum where there is one."""
    if total is None:
        return np.clip(x, lower, upper)
    share = total / x.shape[0]
    # Adding the share rounds, and a dual variable past its end has no finite value.
    return np.clip(bias.project(x - share, lower - share, upper - share) + share, lower, upper)


def _curvature(problem):
    """A bound of the curvature of h, or of what stands for it; None where none is known."""
    if problem.regularizer.is_norm:
        return 1.0
    bound = problem.regularizer.curvature
    return bound * float(problem.transfer.weights.max()) if bound < np.inf else None


def _square(rows):
    """The square of the largest singular value, or an upper bound of it."""
    if rows.shape[0] <= SMALL:
        return float(np.linalg.eigvalsh((rows @ rows.T).toarray())[-1])
    size = abs(rows)
    return float(min(rows.power(2).sum(), size.sum(axis=0).max() * size.sum(axis=1).max()))
