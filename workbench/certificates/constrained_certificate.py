"""Certificates of problems with constraints C v = b on the dual.

With w = w_0 + C's and a dual point that meets the constraints, the gap is that of the samples at the
predictions of w and that of the regularizer at w_0: the multipliers' terms cancel, since
(1/n) sum_i alpha_i s.(C x_i) = lam s.b. A dual point is first moved into the domain and to C v = b; where
none is found there, nothing is promised and the gap is infinite.
"""

import numpy as np

from workbench.certificates import loss_terms
from workbench.certificates.assembly import Point, assemble


def certify(problem, w, alpha, s):
    """The certificate of weights w_0, dual variables and multipliers s; zero for multipliers not given."""
    side, constraints = loss_terms.of(problem), problem.constraints
    s = np.zeros(constraints.b.shape[0]) if s is None else s
    offset = constraints.ties @ s
    if alpha is None:
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
