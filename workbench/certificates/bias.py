"""An unregularized bias: the best one for given predictions, and dual points that sum to zero.

With b free, the dual is finite only where sum alpha = 0. The primal is convex in b alone: its breakpoints
are sorted where the loss is piecewise linear, else Newton's method finds the zero of its slope. There the
dual point of map (10) sums to zero by itself; any other dual point is projected.

Source       docs/mathematics.md, section 6; the projection is a continuous quadratic knapsack (Brucker 1984)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels import sample_loops
from workbench.kernels.fenchel_young import BALANCED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench._support.annotations import Floats, Repairs
    from workbench.problems.losses.base import Loss
    from workbench.problems.problem import Problem


# Bisection of a bias: where no end is near it reaches this many times as far as predictions and targets.
HALVINGS, FAR = 100, 1e3
# The sum of dual variables is zero below this share of their magnitudes.
FLAT = 2.0**-51


def best(problem: Problem, z: Floats, start: float = 0.0) -> float:
    """Compute the bias that minimizes the primal for predictions z (n,), the middle one if there are several.

    `start` is where Newton's method begins; it changes no more than the rounding of the result.
    """
    from workbench.kernels import bias_loops

    loss, z = problem.loss, np.ascontiguousarray(z, dtype=float)
    if problem.jumps and problem.prediction_ends is not None:
        return _within(problem, z, *problem.prediction_ends)
    if not loss.is_straight:
        arrays = (z, problem.sign, problem.shift, problem.weight, problem.samples.theta)
        return float(bias_loops.newton()(loss.scalar("slope"), float(start), *arrays))
    kinks = _kinks(loss)
    points, jumps = np.empty((2, kinks[0].shape[0] * z.shape[0]))
    return float(bias_loops.straight()(problem.samples, *kinks, z, points, jumps))


def _within(problem: Problem, z: Floats, lower: Floats, upper: Floats) -> float:
    """Bisect for the best bias with all predictions between their ends; else that of the least violation."""
    low, high = float((lower - z).max()), float((upper - z).min())
    far = FAR * (1.0 + float(np.abs(z).max()) + float(np.abs(problem.shift).max()))
    low, high = max(low, min(-far, high - far)), min(high, max(far, low + far))
    left, right = low, high
    slope, kernel, alpha = problem.loss.scalar("slope"), sample_loops.dual_points(), np.empty(z.shape[0])
    for _ in range(HALVINGS if low < high else 0):
        middle = 0.5 * (left + right)
        kernel(slope, problem.samples, z, middle, 0, z.shape[0], alpha)
        pull = float(alpha.sum())
        if abs(pull) <= FLAT * np.abs(alpha).sum():
            break
        left, right = (middle, right) if pull > 0.0 else (left, middle)
    return 0.5 * (left + right)


def _kinks(loss: Loss) -> tuple[Floats, ...]:
    """Return the positions of the kinks of p, and the slopes of p before and after each."""
    return tuple(np.ascontiguousarray(column) for column in loss.kinks.T)


def subgradients_at(problem: Problem, z: Floats, b: float) -> Floats:
    """Compute the dual point (n,) of map (10) at the best b for predictions z, of a piecewise linear loss.

    At a kink every slope between the two sides is a subgradient; one share of the way serves all samples
    there, and makes alpha sum to zero.
    """
    from workbench.kernels import bias_loops

    alpha, z = np.empty(z.shape[0]), np.ascontiguousarray(z, dtype=float)
    bias_loops.subgradients()(problem.samples, *_kinks(problem.loss), z, float(b), alpha)
    return np.clip(alpha, *problem.dual_ends(), out=alpha)


def balance(problem: Problem, alpha: Floats) -> tuple[Floats, Repairs]:
    """Project alpha (n,) onto the dual points of the box with sum zero, and describe how far it moved."""
    from workbench.kernels import bias_loops

    moved, spare, balanced = np.empty_like(alpha), np.empty(alpha.shape[0]), bias_loops.balanced()
    total = balanced(problem.samples, alpha, BALANCED, spare, moved)
    if total == 0.0:
        return moved, ()
    bias_loops.knapsack()(alpha, *problem.dual_ends(), *_spaces(alpha.shape[0]), moved)
    balanced(problem.samples, moved, np.inf, spare, moved)
    farthest = float(np.abs(moved - alpha).max())
    text = f"dual variables moved by at most {farthest:.3g}, so that they sum to zero and not {total:.3g}"
    return moved, (text,)


def project(x: Floats, lower: Floats, upper: Floats) -> Floats:
    """Project x (n,) onto the points between lower and upper with sum zero, in O(n); one must exist."""
    from workbench.kernels import bias_loops

    moved = np.empty_like(x)
    bias_loops.knapsack()(x, lower, upper, *_spaces(x.shape[0]), moved)
    return moved


def _spaces(n: int) -> tuple[NDArray[Any], ...]:
    return np.empty(n, dtype=np.int64), np.empty(2 * n), np.empty(2 * n, dtype=np.uint8)
