"""Constraints C v = b or C v <= b on the dual, A w = c or A w <= c on the weights; points that meet them.

The dual (8) over v that meets them belongs to the primal

    min over w_0 and s of  (1/n) sum_i c_i f(w.x_i, y_i) + lam [ g(w_0) + s.b ],   w = w_0 + C's,

whose multiplier s_k is free for an equation and at least 0 for an inequality; at the optimum
s_k (b - C v)_k = 0, Zhang's (34). Since C v = (1/(lam n)) sum_i alpha_i C x_i, all that samples know of it
are the ties C x_i. An unregularized bias is the tie 1 with b = 0. Of constraints on the weights C is A, b
is c, and the ties of a weight are its column of A; `regularizers.constrained` has their dual.

Source       Zhang (2002), Appendices C and D, (33) to (38)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench._support.errors import InputError, shown
from workbench.problems.design import check_targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench._support.annotations import Booleans, Ends, Floats
    from workbench.problems.design import Design
    from workbench.problems.problem import Problem


# The least squares misfit of constraints, relative to their size, above which they contradict each other.
INCONSISTENT = 1e-9
# How near a projected point meets the constraints, relative to the size of the sums.
MET = 1e-13
NEARLY = 1e-11
NEWTON_STEPS = 100
# An inequality is an equation of a projection or not: at most this many times as often as there are rows.
CHANGES = 4
SENSES = ("==", "<=")


@dataclass(frozen=True, eq=False)
class Constraints:
    """C v = b, or C v <= b in the rows with an upper bound; methods take lam n, by which sums of ties count.

    Attributes
    ----------
    C : ndarray (r, D) or None
        None for the constant feature that a bias stands for, which is not a column of the design.
    b : ndarray (r,)
    ties : ndarray (n, r)
        C x_i for each sample; C' for constraints on the weights, whose lam n is 1.
    bounds : ndarray of bool (r,)
        True for C v <= b, False for C v = b.
    """

    C: Floats | None
    b: Floats
    ties: Floats
    bounds: Booleans

    def __post_init__(self) -> None:
        for array in (self.C, self.b, self.ties, self.bounds):
            if array is not None:
                array.setflags(write=False)

    def __reduce__(self) -> tuple[type[Constraints], tuple[Floats | None, Floats, Floats, Booleans]]:
        return Constraints, (self.C, self.b, self.ties, self.bounds)

    @classmethod
    def of(cls, parts: Sequence[Any], design: Design) -> Constraints:
        """Check the constraints (C, b) or (C, b, senses) that a caller gives against the design."""
        C, b, bounds = _read("constraints", "C", "b", parts, design.shape[1])
        return cls(C, b, np.ascontiguousarray(np.column_stack([design @ row for row in C])), bounds)

    @classmethod
    def on_weights(cls, parts: Sequence[Any], n_features: int, constant: bool, mirrored: bool) -> Constraints:
        """Check the constraints (A, c) or (A, c, senses) on the caller's weights; make them the design's."""
        A, c, bounds = _read("weight_constraints", "A", "c", parts, n_features)
        A = np.hstack([A, np.zeros((A.shape[0], int(constant)))])
        A = np.hstack([A, -A]) if mirrored else A
        return cls(A, c, np.ascontiguousarray(A.T), bounds)

    @classmethod
    def for_bias(cls, n_samples: int) -> Constraints:
        """Build the constraint sum alpha = 0 of an unregularized bias."""
        return cls(None, np.zeros(1), np.ones((n_samples, 1)), np.zeros(1, dtype=bool))

    @functools.cached_property
    def scale(self) -> Floats:
        """The largest tie of each constraint, 1 where all are zero."""
        largest = np.abs(self.ties).max(axis=0, initial=0.0)
        return np.where(largest > 0.0, largest, 1.0)

    def residual(self, lam_n: float, alpha: Floats) -> Floats:
        """C v - b, (r,)."""
        residual: Floats = self.ties.T @ alpha / lam_n - self.b
        return residual

    def violation(self, residual: Floats) -> Floats:
        """|C v - b|, and the part of C v above b where that is a bound, (r,)."""
        return np.where(self.bounds, np.maximum(residual, 0.0), np.abs(residual))

    def projected(self, s: Floats) -> Floats:
        """Return the nearest multipliers that are allowed: at least 0 for a bound."""
        return np.where(self.bounds, np.maximum(s, 0.0), s)

    def only(self, rows: Booleans) -> Constraints:
        """Return some of the rows, all as equations."""
        C = None if self.C is None else self.C[rows]
        return Constraints(
            C, self.b[rows], np.ascontiguousarray(self.ties[:, rows]), np.zeros(rows.sum(), bool)
        )

    def with_sum(self, total: float) -> Constraints:
        """Return constraints on weights with one more row, that they sum to a total."""
        ties = np.column_stack([self.ties, np.ones(self.ties.shape[0])])
        return Constraints(ties.T.copy(), np.append(self.b, total), ties, np.append(self.bounds, False))

    def check(self, problem: Problem, ends: Ends) -> None:
        """Refuse constraints that no dual variables between `ends` meet."""
        target, equal = self.b * problem.lam_n, ~self.bounds
        solution, *_ = np.linalg.lstsq(self.ties.T[equal], target[equal], rcond=None)
        misfit = np.abs(self.ties.T[equal] @ solution - target[equal]).max(initial=0.0)
        if misfit > INCONSISTENT * max(np.abs(target).max(), 1e-300):
            raise InputError(
                f"constraints: C v = b contradict each other or the data: every v = X'alpha / (lam n) misses "
                f"one by {misfit / problem.lam_n:.3g} or more; change b, or leave a constraint out"
            )
        from scipy.optimize import linprog

        lower, upper = ends
        bounds = np.column_stack([lower, upper])
        scaled, sides = self.ties.T / self.scale[:, None], target / self.scale
        answer = linprog(
            np.zeros(problem.n_samples),
            A_ub=scaled[self.bounds],
            b_ub=sides[self.bounds],
            A_eq=scaled[equal],
            b_eq=sides[equal],
            bounds=bounds,
        )
        if answer.status == 2:
            meet = "C v = b" if equal.all() else "C v <= b"
            raise InputError(
                f"constraints: no dual variables in the domain of the {problem.loss.name} loss meet {meet} "
                f"with b = {np.array2string(self.b, precision=4)}; move b towards 0, or lower lam"
            )

    def project(self, lam_n: float, alpha: Floats, ends: Ends) -> Floats:
        """Project alpha (n,) onto the dual points within `ends` that meet the constraints.

        Bounds that the point leaves become equations, and bounds again where their multiplier is negative.
        """
        active = ~self.bounds
        for _ in range(CHANGES * active.size):
            point, m = self.only(active)._onto(lam_n, alpha, ends)
            multipliers = np.zeros(active.size)
            multipliers[active] = m
            wrong = self.bounds & active & (multipliers < 0.0)
            left = ~active & self._missed(lam_n, point)
            if not (wrong | left).any():
                break
            active = (active & ~wrong) | left
        return point

    def _onto(self, lam_n: float, alpha: Floats, ends: Ends) -> tuple[Floats, Floats]:
        """Project onto the dual points with C v = b, and return the multipliers too.

        That point is clip(alpha - ties m) for the multipliers m where it meets them: Newton's method on
        a piecewise linear map, damped by halving.
        """
        if not self.b.size:
            return np.clip(alpha, *ends), self.b
        lower, upper = ends
        target = self.b * lam_n

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
        return point, m

    def is_met(self, lam_n: float, alpha: Floats) -> bool:
        """Check if the constraints hold up to rounding, so that the dual bound is valid."""
        return not self._missed(lam_n, alpha).any()

    def _missed(self, lam_n: float, alpha: Floats) -> Booleans:
        """Return the rows that do not hold up to rounding, (r,)."""
        target = self.b * lam_n / self.scale
        miss = self.ties.T @ alpha / self.scale - target
        miss = np.where(self.bounds, miss, np.abs(miss))
        missed: Booleans = miss > NEARLY * (np.abs(alpha).sum() + np.abs(target))
        return missed


def _read(
    owner: str, matrix: str, side: str, parts: Sequence[Any], width: int
) -> tuple[Floats, Floats, Booleans]:
    """Check (matrix, side) or (matrix, side, senses), and return which rows are bounds for the senses."""
    try:
        C, b, *senses = parts
        (sense,) = senses or ["=="]
    except (TypeError, ValueError):
        raise InputError(
            f"{owner} is not a pair; give ({matrix}, {side}) with {matrix} (r, D) and {side} (r,), or "
            f"({matrix}, {side}, '<=')"
        ) from None
    b = np.atleast_1d(np.asarray(b, dtype=float))
    C = check_targets(f"{owner}: {matrix}", C, b.shape[0], (width,))
    b = check_targets(f"{owner}: {side}", b, b.shape[0])
    names = [sense] * b.shape[0] if isinstance(sense, str) else list(sense)
    unknown = next((shown(name) for name in names if name not in SENSES), None)
    if unknown is not None or len(names) != b.shape[0]:
        problem = f"unknown sense {unknown}" if unknown else f"{len(names)} senses for {b.shape[0]} rows"
        raise InputError(
            f"{owner}: {problem}; give '==' or '<=' for all rows of {matrix}, or a list with one a row"
        )
    return C, b, np.array([name == "<=" for name in names], dtype=bool)
