"""Certificates of kernel problems: w lives in the kernel's own space and is known by its predictions.

With f = K alpha / (lam n) and w = grad h(v), the map (9) holds by itself and g = h = alpha'f / (2 lam n):
the gap is that of the samples alone. With an unregularized bias, D is finite only where sum alpha = 0,
and b is the best one for the predictions f.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.certificates import loss_terms
from workbench.certificates.assembly import Point, assemble
from workbench.kernels.fenchel_young import Bracket
from workbench.problems.definiteness import not_positive

if TYPE_CHECKING:
    from workbench._support.annotations import Floats
    from workbench.certificates.assembly import Certificate
    from workbench.problems.problem import Problem


# alpha'K alpha below this share of sum |alpha_i f_i| is more than rounding.
NEGATIVE = -1e-8
# Where f itself cancels, alpha'K alpha is rounding up to this share of (sum |alpha_i| sqrt K_ii)^2.
ROUNDING = 64.0 * 2.0**-52


def certify(problem: Problem, alpha: Floats) -> Certificate:
    """Certify dual variables (n,) of a kernel problem."""
    side = loss_terms.loss_side(problem)
    alpha, repairs = side.feasible(alpha)
    if problem.free_bias:
        alpha, moved = side.balance(alpha)
        repairs += moved
    matrix = problem.kernel_matrix
    f = matrix.product(alpha / problem.lam_n)
    energy = float(alpha @ f)
    reach = float(np.abs(alpha) @ np.sqrt(np.maximum(matrix.diagonal, 0.0)))
    if energy < NEGATIVE * (np.abs(alpha) @ np.abs(f)) - ROUNDING * reach**2 / problem.lam_n:
        raise not_positive(f"alpha' K alpha = {energy * problem.lam_n:.3g} at the point to certify")
    h = max(energy, 0.0) / (2.0 * problem.lam_n)
    b = side.best_bias(f) if problem.free_bias else None
    z = f if b is None else f + b
    losses, conjugate = side.bracket(z, alpha, 0.0 if b is None else b)
    bracket = Bracket(np.zeros(1), h)
    return assemble(problem, Point(None, b, alpha, None, z), losses, conjugate, bracket, h, repairs)
