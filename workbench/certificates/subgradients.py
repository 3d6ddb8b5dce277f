"""Which subgradient at a kink: the dual point that given weights deserve under a piecewise linear loss.

Map (10) leaves alpha_i free between two ends where the loss has its kink at z_i, and at an optimum of the
hinge loss a good part of the support vectors sits there. The free ones are chosen to make the dual
objective small, by accelerated projected gradient steps over them alone. With a norm, whose conjugate has
no gradient, its proximal smoothing at w serves: at an optimal w both have the same minimizers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.certificates import bias
from workbench.kernels import sample_loops
from workbench.problems.design import Design
from workbench.problems.regularizers.base import soft

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp

    from workbench._support.annotations import Ends, Floats, Integers
    from workbench.problems.problem import Problem


# A prediction this near to its kink counts as being there, in units of the margin or of the targets' spread.
NEAR = 1e-2
STEPS = 1000
# The steps read at most READ numbers, or half as many as the data hold: more gains little.
READ = 2**24
# Steps end when no dual variable moves by this share of its range any more.
STILL = 1e-11
# The largest singular value is computed of a matrix with at most SMALL rows or columns and LITTLE work, and
# bounded of a larger one.
SMALL, LITTLE = 400, 2**24


def chosen_at_kinks(
    problem: Problem, z: Floats, w: Floats, alpha: Floats, v: Floats
) -> tuple[Integers, Floats, Floats]:
    """Compute the dual point of map (10) at predictions z, with new slopes for the samples at a kink.

    Returns
    -------
    chosen : ndarray of int (k,)
        The samples at a kink; empty without a kink, or without a bound of the curvature of h.
    alpha, v : ndarray (n,), (D,)
        The dual point, and X'alpha / (lam n), which is that of the given one but for the chosen samples.
    """
    unchanged = np.zeros(0, dtype=np.int64), alpha, v
    curvature = _curvature(problem) if problem.loss.kinks.size else None
    if curvature is None:
        return unchanged
    spread = 1.0 if problem.loss.kind == "margin" else float(np.std(problem.y))
    chosen, distances, lower, upper = _near(problem, z, NEAR * spread)
    if chosen.size == 0:
        return unchanged
    before = alpha[chosen]
    rest = -float(alpha.sum() - before.sum()) if problem.free_bias else None
    start = _into(np.clip(before, lower, upper), lower, upper, rest)
    target = z[chosen] + distances
    rows, columns, image = _seen(problem, problem.design.part(chosen), w)
    size = curvature * _square(rows) / problem.lam_n
    if not 0.0 < size < np.inf:
        return unchanged
    part = Design(rows, copied=False)
    base = v[columns] - part.transposed(before) / problem.lam_n

    def slope(x: Floats) -> Floats:
        return part @ image(base + part.transposed(x) / problem.lam_n) - target

    budget = max(READ, problem.design.size // 2) // (2 * part.size)
    alpha, v = alpha.copy(), v.copy()
    alpha[chosen] = _descend(start, slope, 1.0 / size, (lower, upper), rest, min(STEPS, 1 + budget))
    v[columns] += part.transposed(alpha[chosen] - before) / problem.lam_n
    return chosen, alpha, v


def _seen(
    problem: Problem, rows: Floats | sp.csr_array, w: Floats
) -> tuple[Any, Integers, Callable[[Floats], Floats]]:
    """Return the rows at the columns that they use, these columns, and the map v -> w on them."""
    regularizer, transfer = problem.regularizer, problem.transfer
    if regularizer.separable_parts is None:
        columns = np.arange(rows.shape[1])
        if regularizer.is_norm:
            return rows, columns, lambda v: transfer.prox(w + v, 1.0)
        return rows, columns, lambda v: transfer.map(v)[1]
    columns = np.arange(rows.shape[1]) if isinstance(rows, np.ndarray) else np.unique(rows.indices)
    threshold, ridge = regularizer.separable_parts
    if regularizer.is_norm:
        shift = w[columns]
        return rows[:, columns], columns, lambda v: soft(shift + v, threshold)
    scale = transfer.weights[columns] / ridge
    if threshold == 0.0:
        return rows[:, columns], columns, lambda v: scale * v
    return rows[:, columns], columns, lambda v: scale * soft(v, threshold)


def _near(problem: Problem, z: Floats, near: float) -> tuple[Integers, Floats, Floats, Floats]:
    """Find the samples near a kink, their distances to it, and the lower and upper ends of alpha_i there."""
    places = np.ascontiguousarray(problem.loss.kinks[:, 0])
    n, kernel = problem.n_samples, sample_loops.near_kinks()
    samples, distances, which = np.empty(n, dtype=np.int64), np.empty(n), np.empty(n, dtype=np.int64)
    count = kernel(problem.samples, places, np.ascontiguousarray(z), float(near), samples, distances, which)
    chosen, which = samples[:count].copy(), which[:count]
    factor = problem.weight[chosen] * problem.sign[chosen]
    before, after = (0.0 - factor * problem.loss.kinks[which, side] for side in (1, 2))
    lower, upper = problem.dual_ends(chosen)
    lower, upper = np.maximum(np.minimum(before, after), lower), np.minimum(np.maximum(before, after), upper)
    return chosen, distances[:count].copy(), lower, upper


def _descend(
    x: Floats, slope: Callable[[Floats], Floats], step: float, ends: Ends, total: float | None, steps: int
) -> Floats:
    """Accelerated projected gradient steps, with restarts."""
    point, t = x, 1.0
    width = float(np.max(ends[1] - ends[0]))
    for _ in range(steps):
        moved = _into(point - step * slope(point), *ends, total)
        change = moved - x
        if np.abs(change).max() <= STILL * width and np.abs(point - x).max() <= STILL * width:
            break
        following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
        uphill = (point - moved) @ change > 0.0
        point = moved if uphill else moved + (t - 1.0) / following * change
        x, t = moved, 1.0 if uphill else following
    return x


def _into(x: Floats, lower: Floats, upper: Floats, total: float | None) -> Floats:
    """Project x onto the box, with sum `total` if there is one."""
    if total is None:
        return np.clip(x, lower, upper)
    share = total / x.shape[0]
    # Adding the share rounds, and a dual variable past its end has no finite value.
    into: Floats = np.clip(bias.project(x - share, lower - share, upper - share) + share, lower, upper)
    return into


def _curvature(problem: Problem) -> float | None:
    """Bound the curvature of h, or of its surrogate for a norm, or return None."""
    if problem.regularizer.is_norm:
        return 1.0
    bound = problem.regularizer.curvature
    return bound * float(problem.transfer.weights.max()) if bound < np.inf else None


def _square(rows: Any) -> float:
    """Bound the square of the largest singular value from above."""
    small = min(rows.shape)
    if small == 0:
        return 0.0
    if small <= SMALL and small * rows.size <= LITTLE:
        square = rows @ rows.T if rows.shape[0] == small else rows.T @ rows
        return float(np.linalg.eigvalsh(square if isinstance(square, np.ndarray) else square.toarray())[-1])
    size = abs(rows)
    return float(min((size * size).sum(), size.sum(axis=0).max() * size.sum(axis=1).max()))
