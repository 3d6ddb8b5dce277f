"""Weights at which losses that jump to infinity are finite: their predictions lie between ends.

A solver of the dual comes near the optimum from outside, so its weights are moved by as little as will do:
by least squares where the ends of a sample are one number, by a factor, or towards the weights of a linear
program.
A prediction that meets an end but for the rounding of its own sum counts as meeting it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from workbench._support.annotations import Floats
from workbench.problems.feasibility import weight_domain

if TYPE_CHECKING:
    from workbench._support.annotations import Booleans, Repairs
    from workbench.problems.constraints import Constraints
    from workbench.problems.problem import Problem

# Weights and an unregularized bias, 0 without one.
Primal: TypeAlias = tuple[Floats, float]

UNIT = 2.0**-52
# The operations of a prediction beside its products, with the shift of the target and the bias.
OTHERS = 8.0
REFINEMENTS = 3
# Rounding is never more than this share of the ends, or of the predictions where the ends are zero.
MOST = 1e-10


def inside(problem: Problem, w: Floats, b: float, z: Floats) -> Floats | None:
    """Return predictions z (n,), those beyond an end by rounding alone moved onto it; None if others are."""
    ends = problem.prediction_ends
    if ends is None or not problem.jumps:
        return z
    lengths, counts = problem.design.lengths(0)
    size = lengths * float(np.linalg.norm(w)) + abs(b) + np.abs(problem.shift)
    room = UNIT * (np.minimum(counts, np.count_nonzero(w)) + OTHERS) * size
    clipped = np.clip(z, *ends)
    # Where weights are so large that nothing is known of their predictions, no rounding excuses them.
    scale = max((float(np.abs(end).max(where=np.isfinite(end), initial=0.0)) for end in ends), default=0.0)
    room = np.minimum(room, MOST * (scale or float(np.abs(clipped).max())))
    return clipped if (np.abs(z - clipped) <= room).all() else None


def onto_ends(problem: Problem, w: Floats, b: float, z: Floats, alpha: Floats) -> tuple[Floats, Floats]:
    """Move predictions beyond an end by rounding onto it; return them and what that hides of each gap."""
    within = inside(problem, w, b, z)
    if within is None:
        return z, np.zeros_like(z)
    return within, np.maximum(alpha * (z - within), 0.0)


def feasible(problem: Problem, w: Floats, b: float) -> tuple[Floats, float, Repairs]:
    """Return weights (D,) and a bias with finite losses near those given, which stay where none are known."""
    z = problem.design @ w + b
    if not problem.jumps or inside(problem, w, b, z) is not None:
        return w, b, ()
    for move in (_projected, _scaled, _mixed):
        point = move(problem, w, b, z)
        if point is not None and inside(problem, *point, problem.design @ point[0] + point[1]) is not None:
            far = float(max(np.abs(point[0] - w).max(), abs(point[1] - b)))
            return *point, (f"weights moved by at most {far:.3g} to where the losses are finite",)
    return w, b, ()


def onto_constraints(problem: Problem, constraints: Constraints, w: Floats) -> tuple[Floats, Repairs]:
    """Move weights (D,) as little as will do to where constraints on them hold and g is finite."""
    if constraints.is_met(1.0, w):
        return w, ()
    (low, high), total = weight_domain(problem)
    if total is not None:
        constraints = constraints.with_sum(total)
    moved = constraints.project(1.0, w, (np.full_like(w, low), np.full_like(w, high)))
    if not constraints.is_met(1.0, moved):
        return w, ("no weights that meet the constraints were found",)
    far = float(np.abs(moved - w).max())
    return moved, (f"weights moved by at most {far:.3g} to meet the constraints",)


def _projected(problem: Problem, w: Floats, b: float, _z: Floats) -> Primal | None:
    """Move as little as will do onto the predictions that are one number, entries at zero or an end last."""
    lower, upper = problem.prediction_ends or (np.zeros(1), np.ones(1))
    tied = lower == upper
    if not tied.any():
        return None
    (low, high), total = weight_domain(problem)
    between = (w > low) & (w < high)
    for columns in (between & (w != 0.0), between):
        moved, bias = _onto(problem, w, b, tied, lower, columns, total)
        if inside(problem, moved, bias, problem.design @ moved + bias) is not None:
            return moved, bias
    return None


def _onto(
    problem: Problem,
    w: Floats,
    b: float,
    tied: Booleans,
    target: Floats,
    columns: Booleans,
    total: float | None,
) -> Primal:
    """Solve for the least move of some weights and the bias to the target, refined against rounding."""
    free, w = int(problem.free_bias), w.copy()
    rows = problem.rows[tied][:, np.flatnonzero(columns)].toarray()
    matrix = np.hstack([rows, np.ones((rows.shape[0], free))])
    if total is not None:
        matrix = np.vstack([matrix, np.append(np.ones(rows.shape[1]), np.zeros(free))])
    for _ in range(REFINEMENTS):
        missing = (target - (problem.design @ w + b))[tied]
        if total is not None:
            missing = np.append(missing, total - w.sum())
        step, *_ = np.linalg.lstsq(matrix, missing, rcond=None)
        w[columns] += step[: rows.shape[1]]
        b += float(step[rows.shape[1] :].sum()) if free else 0.0
    return w, b


def _scaled(problem: Problem, w: Floats, b: float, z: Floats) -> Primal | None:
    """Multiply by the factor nearest to 1, where the domain of g is a cone."""
    (low, high), total = weight_domain(problem)
    if total is not None or not (low in (0.0, -np.inf) and high in (0.0, np.inf)):
        return None
    ends = problem.prediction_ends or (z, z)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = [np.where(end == 0.0, 0.0, end / z) for end in ends]
    still = z == 0.0
    if (still & ((ends[0] > 0.0) | (ends[1] < 0.0))).any():
        return None
    least = float(np.max(np.minimum(*factors), where=~still, initial=0.0))
    most = float(np.min(np.maximum(*factors), where=~still, initial=np.inf))
    factor = min(max(1.0, least), most)
    return (factor * w, factor * b) if least <= most and np.isfinite(factor) else None


def _mixed(problem: Problem, w: Floats, b: float, z: Floats) -> Primal | None:
    """Move towards the weights of the linear program, as far as it takes."""
    known, ends = problem.feasibility, problem.prediction_ends
    if known.w is None or ends is None:
        return None
    beyond = z - np.clip(z, *ends)
    step = (problem.design @ known.w + known.b) - z
    shares = np.divide(-beyond, step, out=np.zeros_like(z), where=beyond != 0.0)
    share = min(max(float(shares.max()) * (1.0 + 4.0 * UNIT), 0.0), 1.0)
    return w + share * (known.w - w), b + share * (known.b - b)
