"""Certificates of problems with constraints C v = b on the dual.

With w = w_0 + C's and a dual point that meets the constraints, the gap is that of the samples at the
predictions of w and that of the regularizer at w_0: the multipliers' terms cancel, since
(1/n) sum_i alpha_i s.(C x_i) = lam s.b. A dual point is first moved into the domain and to C v = b; where
none is found there, nothing is promised and the gap is infinite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.certificates import loss_terms
from workbench.certificates.assembly import Point, assemble

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats
    from workbench.certificates.assembly import Certificate
    from workbench.problems.constraints import Constraints
    from workbench.problems.problem import Problem


def certify(
    problem: Problem,
    constraints: Constraints,
    w: Floats | None,
    alpha: Floats | None,
    multipliers: Bias | None,
) -> Certificate:
    """Certify weights w_0, dual variables and multipliers s, zero where they are not given."""
    side = loss_terms.loss_side(problem)
    s = np.zeros(constraints.b.shape[0]) if multipliers is None else np.atleast_1d(multipliers)
    offset = constraints.ties @ s
    if alpha is None:
        if w is None:
            raise ValueError("certify: neither w nor alpha is given")
        alpha = side.alpha_at(problem.design @ w + offset, 0.0)
    alpha, repairs = side.feasible(alpha)
    if not constraints.is_met(problem, alpha):
        moved = constraints.project(problem, alpha, problem.dual_ends)
        farthest = float(np.abs(moved - alpha).max())
        alpha, repairs = moved, (*repairs, f"dual variables moved by at most {farthest:.3g} to meet C v = b")
    v = problem.dual_vector(alpha)
    h, mapped = problem.transfer.map(v)
    w = mapped if w is None else w
    z = problem.design @ w + offset
    multiplied = float(s @ constraints.b)
    losses, conjugate = side.bracket(z, alpha, offset)
    conjugate -= problem.lam_n * multiplied
    bracket = problem.transfer.bracket(w, v, h)
    if not constraints.is_met(problem, alpha):
        conjugate, repairs = np.inf, (*repairs, "no dual point that meets C v = b was found")
    point = Point(w, s, alpha, v, z)
    return assemble(problem, point, losses, conjugate, bracket, h, repairs, multiplied)
