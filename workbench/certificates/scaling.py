"""Multiples of a dual point: D(s alpha) is convex in s, so a search along the line only gains.

Source       docs/mathematics.md, section 6
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.optimize

from workbench.certificates.loss_terms import Univariate

if TYPE_CHECKING:
    from workbench._support.annotations import Floats
    from workbench.certificates.loss_terms import Side
    from workbench.problems.problem import Problem


# The search looks no farther than this multiple; where it ends there, the dual point was far too short.
FARTHEST = 64.0
# Brent's method on a convex function; a relative error of 1e-8 in s is one of 1e-16 in the value.
PRECISION = 1e-9


def published(problem: Problem, v: Floats) -> float:
    """min(1, 1 / |v|_*), the scaling of SPAMS: 1 for a regularizer that is not a norm."""
    return min(1.0, problem.transfer.reach(v.ravel()))


def best_multiple(problem: Problem, samples: Side, alpha: Floats, v: Floats) -> float:
    """Find the feasible multiple s of alpha that minimizes the dual objective D(s alpha).

    For least squares with a norm it is closed: s = clip(a sum alpha_i y_i / sum alpha_i^2 / c_i, ...) with
    the curvature a of the loss and its targets y.
    """
    flat = v.ravel()
    reach = problem.transfer.reach(flat)
    squares = problem.least_squares if problem.regularizer.is_norm else None
    if squares is not None:
        square = float(np.sum(alpha.T**2 / problem.weight))
        free = squares.curvature * float(np.vdot(alpha, squares.targets)) / square if square > 0.0 else 1.0
        return float(np.clip(free, -reach, reach))
    farthest = min(reach, samples.max_feasible_scale(alpha), FARTHEST)
    if not farthest > 0.0:
        return 0.0
    if problem.regularizer.is_norm and isinstance(samples, Univariate):
        return samples.best_multiple(alpha, farthest, PRECISION * farthest)
    n, lam = problem.n_samples, problem.lam

    def dual(s: float) -> float:
        return samples.conjugate(alpha, s) / n + (0.0 if smooth is None else lam * smooth.map(s * flat)[0])

    smooth = None if problem.regularizer.is_norm else problem.transfer
    result = scipy.optimize.minimize_scalar(
        dual, bounds=(0.0, farthest), method="bounded", options={"xatol": PRECISION * farthest}
    )
    # Brent's method never looks at the ends themselves.
    known = [s for s in (0.0, min(1.0, farthest), farthest) if np.isfinite(dual(s))]
    return float(min([float(result.x), *known], key=dual))
