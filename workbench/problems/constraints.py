"""Equality constraints C v = b on the dual, and points that meet them.

The dual (8) over v with C v = b belongs to the primal

    min over w_0 and s of  (1/n) sum_i c_i f(w.x_i, y_i) + lam [ g(w_0) + s.b ],   w = w_0 + C's,

whose multiplier s is free. Since C v = (1/(lam n)) sum_i alpha_i C x_i, all that samples know of it are the
ties C x_i. An unregularized bias is the tie 1 with b = 0.

Source       Zhang (2002), Appendices C and D, (36) to (38)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench._support.errors import InputError
from workbench.problems.design import check_targets

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from workbench._support.annotations import Ends, Floats
    from workbench.problems.design import Design
    from workbench.problems.problem import Problem


# The least squares misfit of constraints, relative to their size, above which they contradict each other.
INCONSISTENT = 1e-9
# How near a projected point meets the constraints, relative to the size of the sums.
MET = 1e-13
NEARLY = 1e-11
NEWTON_STEPS = 100


@dataclass(frozen=True, eq=False)
class Constraints:
    """C v = b.

    Attributes
    ----------
    C : ndarray (r, D) or None
        None for the constant feature that a bias stands for, which is not a column of the design.
    b : ndarray (r,)
    ties : ndarray (n, r)
        C x_i for each sample.
    """

    C: Floats | None
    b: Floats
    ties: Floats

    def __post_init__(self) -> None:
        for array in (self.C, self.b, self.ties):
            if array is not None:
                array.setflags(write=False)

    def __reduce__(self) -> tuple[type[Constraints], tuple[Floats | None, Floats, Floats]]:
        return Constraints, (self.C, self.b, self.ties)

    @classmethod
    def of(cls, pair: tuple[ArrayLike, ArrayLike], design: Design) -> Constraints:
        """Check the constraints (C, b) that a caller gives against the design."""
        try:
            C, b = pair
        except (TypeError, ValueError):
            raise InputError("constraints is not a pair; give (C, b) with C (r, D) and b (r,)") from None
        b = np.atleast_1d(np.asarray(b, dtype=float))
        C = check_targets("constraints: C", C, b.shape[0], (design.shape[1],))
        b = check_targets("constraints: b", b, b.shape[0])
        ties = np.ascontiguousarray(np.column_stack([design @ row for row in C]))
        return cls(C, b, ties)

    @classmethod
    def for_bias(cls, n_samples: int) -> Constraints:
        """Build the constraint sum alpha = 0 of an unregularized bias."""
        return cls(None, np.zeros(1), np.ones((n_samples, 1)))

    @functools.cached_property
    def scale(self) -> Floats:
        """The largest tie of each constraint, 1 where all are zero."""
        largest = np.abs(self.ties).max(axis=0)
        return np.where(largest > 0.0, largest, 1.0)

    def residual(self, problem: Problem, alpha: Floats) -> Floats:
        """C v - b, (r,)."""
        residual: Floats = self.ties.T @ alpha / problem.lam_n - self.b
        return residual

    def check(self, problem: Problem, ends: Ends) -> None:
        """Refuse constraints that no dual variables between `ends` meet."""
        target = self.b * problem.lam_n
        solution, *_ = np.linalg.lstsq(self.ties.T, target, rcond=None)
        misfit = np.abs(self.ties.T @ solution - target).max()
        if misfit > INCONSISTENT * max(np.abs(target).max(), 1e-300):
            raise InputError(
                f"constraints: C v = b contradict each other or the data: every v = X'alpha / (lam n) misses "
                f"one by {misfit / problem.lam_n:.3g} or more; change b, or leave a constraint out"
            )
        from scipy.optimize import linprog

        lower, upper = ends
        bounds = np.column_stack([lower, upper])
        scaled = self.ties.T / self.scale[:, None]
        answer = linprog(np.zeros(problem.n_samples), A_eq=scaled, b_eq=target / self.scale, bounds=bounds)
        if answer.status == 2:
            raise InputError(
                f"constraints: no dual variables in the domain of the {problem.loss.name} loss meet C v = b "
                f"with b = {np.array2string(self.b, precision=4)}; move b towards 0, or lower lam"
            )

    def project(self, problem: Problem, alpha: Floats, ends: Ends) -> Floats:
        """Project alpha (n,) onto the dual points within `ends` that meet the constraints.

        That point is clip(alpha - ties m) for the multipliers m where it meets them: Newton's method on
        a piecewise linear map, damped by halving.
        """
        lower, upper = ends
        target = self.b * problem.lam_n

        def at(m: Floats) -> tuple[Floats, Floats]:
            point = np.clip(alpha - self.ties @ m, lower, upper)
            return point, self.ties.T @ point - target

        m = np.zeros(self.b.shape[0])
        point, miss = at(m)
        for _ in range(NEWTON_STEPS):
            size = np.abs(miss / self.scale).max()
            if size <= MET * (np.abs(point).sum() + np.abs(target / self.scale).max()):
                break
            free = (point > lower) & (point < upper)
            slope = self.ties[free].T @ self.ties[free]
            step, *_ = np.linalg.lstsq(slope + 1e-14 * np.trace(slope) * np.eye(m.size), miss, rcond=None)
            for fraction in 0.5 ** np.arange(40):
                tried, left = at(m + fraction * step)
                if np.abs(left / self.scale).max() < size:
                    m, point, miss = m + fraction * step, tried, left
                    break
            else:
                break
        return point

    def is_met(self, problem: Problem, alpha: Floats) -> bool:
        """Check if C v = b holds up to rounding, so that the dual bound is valid."""
        target = self.b * problem.lam_n / self.scale
        miss = np.abs(self.ties.T @ alpha / self.scale - target)
        return bool((miss <= NEARLY * (np.abs(alpha).sum() + np.abs(target))).all())
