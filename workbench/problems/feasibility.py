"""Losses that are infinite somewhere: weights at which all are finite, or a proof that there are none.

Where p is finite between lo and hi alone, predictions have ends too, lower <= Xw + b <= upper. A
linear program finds the weights with the most slack s <= 1,

    max s   with   lower + r s <= Xw + b <= upper - r s,   w where g is finite,

with r_i the size of row i. A negative maximum has multipliers kappa with

    sup over lower <= z <= upper of kappa.z  <  inf over w of kappa.Xw   and   sum kappa = 0 with a free bias:

no weights are feasible, and -D rises without end along the dual ray alpha = -kappa. Where g is finite
everywhere X'alpha = 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InfeasibleError

if TYPE_CHECKING:
    from workbench._support.annotations import Floats
    from workbench.problems.constraints import Constraints
    from workbench.problems.problem import Problem

# A ray counts where its terms add up to more than this share of their magnitudes, and X'alpha is zero but for
# this share.
DECIDED, ROUNDING = 1e-9, 1e-12
# Entries of a ray that a sentence lists.
LISTED = 4


class Feasibility(NamedTuple):
    """Weights (D,) and a free bias with finite losses, or the ray (n,) that excludes them, or neither."""

    w: Floats | None = None
    b: float = 0.0
    ray: Floats | None = None


def ends(problem: Problem) -> tuple[Floats, Floats] | None:
    """Return the least and the largest predictions (n,) with finite losses; None where all have."""
    if problem.columns or problem.loss.finite_on == (-np.inf, np.inf):
        return None
    places = [problem.sign * (place - problem.shift) for place in problem.loss.finite_on]
    return np.minimum(*places), np.maximum(*places)


def find(problem: Problem) -> Feasibility:
    """Solve the linear program of a problem whose predictions have ends."""
    from scipy.optimize import linprog

    known = problem.prediction_ends
    if known is None:
        return Feasibility()
    rows, free = problem.rows, int(problem.free_bias)
    if free:
        rows = sp.hstack([rows, np.ones((problem.n_samples, 1))], format="csr")
    sizes = np.maximum(abs(rows).max(axis=1).toarray().ravel(), np.finfo(float).tiny)
    blocks, limits, places = [], [], []
    for side, end in ((-1.0, known[0]), (1.0, known[1])):
        chosen = np.flatnonzero(np.isfinite(end))
        blocks.append(sp.hstack([side * rows[chosen], sizes[chosen][:, None]], format="csr"))
        limits.append(side * end[chosen])
        places.append(side * chosen)
    domain, total = weight_domain(problem)
    columns = rows.shape[1] + 1
    answer = linprog(
        np.append(np.zeros(columns - 1), -1.0),
        A_ub=sp.vstack(blocks, format="csr"),
        b_ub=np.concatenate(limits),
        A_eq=None if total is None else np.append(np.ones(columns - 1 - free), np.zeros(1 + free))[None, :],
        b_eq=None if total is None else [total],
        bounds=[domain] * (columns - 1 - free) + [(None, None)] * free + [(None, 1.0)],
        method="highs-ds",
    )
    if answer.x is None:
        return Feasibility()
    if answer.x[-1] >= -DECIDED:
        return Feasibility(answer.x[: problem.design.shape[1]], float(answer.x[-2]) if free else 0.0)
    lower, upper = np.split(answer.ineqlin.marginals, [blocks[0].shape[0]])
    ray = np.zeros(problem.n_samples)
    np.subtract.at(ray, np.flatnonzero(np.isfinite(known[0])), lower)
    np.add.at(ray, np.flatnonzero(np.isfinite(known[1])), upper)
    return Feasibility(ray=ray) if is_ray(problem, ray) else Feasibility()


def check_weights(problem: Problem, constraints: Constraints) -> None:
    """Refuse constraints A w = c or A w <= c that no weights meet where g is finite.

    Raises
    ------
    InfeasibleError
        With multipliers y, at least 0 for a bound, for which y.A w > y.c at all these weights.
    """
    from scipy.optimize import linprog

    (lower, upper), total = weight_domain(problem)
    size, r = problem.design.shape[1], constraints.b.shape[0]
    A, c = constraints.ties.T / constraints.scale[:, None], constraints.b / constraints.scale
    equal = ~constraints.bounds
    answer = linprog(
        np.append(np.zeros(size), 1.0),
        A_ub=np.column_stack([np.vstack([A, -A[equal]]), -np.ones(r + int(equal.sum()))]),
        b_ub=np.append(c, -c[equal]),
        A_eq=None if total is None else np.append(np.ones(size), 0.0)[None, :],
        b_eq=None if total is None else [total],
        bounds=[(lower, upper)] * size + [(0.0, None)],
        method="highs",
    )
    if answer.x is None or answer.fun <= DECIDED * max(1.0, float(np.abs(c).max(initial=0.0))):
        return
    y = -answer.ineqlin.marginals[:r]
    y[equal] += answer.ineqlin.marginals[r:]
    y = y / constraints.scale
    y /= np.abs(y).max()
    pulled = constraints.ties @ y
    pulled = np.where(np.abs(pulled) <= DECIDED * (np.abs(constraints.ties) @ np.abs(y)), 0.0, pulled)
    margin = float(_least(problem, pulled).sum() - y @ constraints.b)
    raise InfeasibleError(
        "weight_constraints: no weights meet them"
        f"{'' if (lower, upper) == (-np.inf, np.inf) else f' where {problem.regularizer.label} is finite'}: "
        f"weighted by the error's `multipliers` y, y.A w is above y.c by {margin:.3g} or more; change c, or "
        "leave a constraint out",
        y,
        margin,
    )


def _least(problem: Problem, pulled: Floats) -> Floats:
    """Return the terms of the least of pulled.w over the weights where g is finite."""
    (lower, upper), total = weight_domain(problem)
    if total is not None:
        return np.array([total * pulled.min()])
    at = np.where(pulled > 0.0, lower, upper)
    return np.multiply(pulled, at, out=np.zeros_like(pulled), where=pulled != 0.0)


def weight_domain(problem: Problem) -> tuple[tuple[float, float], float | None]:
    """Return the ends of an entry of w where g is finite, and the sum of all entries or None."""
    entry = problem.regularizer.entry
    is_simplex = entry["structure"] == "simplex"
    return (entry["lower"], entry["upper"]), float(problem.transfer.theta[1]) if is_simplex else None


def is_ray(problem: Problem, alpha: Floats) -> bool:
    """Check if no weights have finite losses, since -D rises without end along alpha (n,)."""
    if problem.prediction_ends is None:
        return False
    needed, reached = _sides(problem, alpha)
    sums = abs(float(alpha.sum())) <= ROUNDING * np.abs(alpha).sum()
    apart = float(needed.sum()) - float(reached.sum())
    clear = apart > DECIDED * (np.abs(needed).sum() + np.abs(reached).sum())
    return bool(clear and (sums or not problem.free_bias))


def _sides(problem: Problem, alpha: Floats) -> tuple[Floats, Floats]:
    """Return the terms of the least alpha.z with finite losses, and of the largest alpha.Xw of all w."""
    lower, upper = problem.prediction_ends or (alpha, alpha)
    ends = np.where(alpha < 0.0, upper, lower)
    needed = np.multiply(alpha, ends, out=np.zeros_like(alpha), where=alpha != 0.0)
    pulled, sizes = problem.design.transposed(alpha), abs(problem.rows).T @ np.abs(alpha)
    pulled = np.where(np.abs(pulled) <= ROUNDING * sizes, 0.0, pulled)
    return needed, 0.0 - _least(problem, 0.0 - pulled)


def sentence(problem: Problem, ray: Floats) -> str:
    """Say that no weights are feasible, how a dual ray (n,) proves it and what helps."""
    low, high = problem.loss.finite_on
    ends = {"u >= ": low, "u <= ": high} if low < high else {"u = ": low}
    domain = " and ".join(f"{side}{end:g}" for side, end in ends.items() if np.isfinite(end))
    meaning = {"margin": "u = y z", "residual": "u = z - y", "prediction": "u = z"}[problem.loss.kind]
    ray = ray / np.abs(ray).max()
    needed, reached = (float(side.sum()) for side in _sides(problem, ray))
    order = np.flatnonzero(ray)[np.argsort(-np.abs(ray[ray != 0.0]), kind="stable")]
    listed = ", ".join(f"{ray[i]:.3g} for sample {i}" for i in order[:LISTED])
    rest = f" and {order.size - LISTED} more" * (order.size > LISTED)
    return (
        f"no weights are feasible: the loss is finite only for {domain} with {meaning}, and a dual ray "
        f"(solution.ray) proves that every w leaves this for some sample: weighted by it ({listed}{rest}), "
        f"predictions sum to at most {reached:.3g} for every w, and finite losses need at least "
        f"{needed:.3g}; leave samples out, add features, or use a loss that is finite everywhere"
    )
