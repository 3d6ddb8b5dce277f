"""A regularizer on weights that meet linear constraints, and its conjugate.

    g_A(w) = g(w) where A w <= c, else infinity;    h_A(v) = min over s >= 0 of  h(v - A's) + s.c

with s_k free where A w = c is asked for. The minimum is attained where w = grad h(v - A's) meets the
constraints, and where s_k > 0 it meets them with equality: that w is the map (9) of g_A. So s is the price
of c: the least of the primal falls by lam s_k for each unit that c_k rises.

Source       Zhang (2002), Appendix C: primal constraints c_j(w) <= 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

import numpy as np

from workbench.kernels.fenchel_young import Bracket
from workbench.problems.regularizers.base import Transfer

if TYPE_CHECKING:
    from workbench._support.annotations import Floats
    from workbench.problems.constraints import Constraints
    from workbench.problems.regularizers.norm_transfers import NormTransfer

NEWTON_STEPS, HALVINGS = 60, 40
# The residual at which Newton's method ends, as a share of the sizes in it; what a step gains of its slope.
SOLVED, PROMISED = 1e-15, 1e-4


class Constrained(Transfer):
    """g_A, h_A and the map w = grad h_A(v).

    Attributes
    ----------
    base : Transfer
        That of g and h.
    constraints : Constraints
    """

    penalty, blocks, cones = None, None, None

    def __init__(self, base: Transfer | NormTransfer, constraints: Constraints) -> None:
        assert isinstance(base, Transfer)  # norms are refused before
        self.base, self.constraints = base, constraints
        self.regularizer, self.weights, self.theta = base.regularizer, base.weights, base.theta
        self.is_identity = False
        self._known: tuple[Floats, Floats] | None = None

    def mirror(self, v: Floats) -> Never:
        """Refuse what holds for sums over coordinates alone."""
        raise NotImplementedError("constraints tie the weights, so h is not a sum over them; use `base`")

    def map(self, v: Floats) -> tuple[float, Floats]:
        """h_A(v) and w = grad h_A(v), (d,)."""
        s = self.multipliers(v)
        h, w = self.base.map(self.pulled(v, s))
        return h + float(s @ self.constraints.b), w

    def bracket(self, w: Floats, v: Floats, h: float) -> Bracket:
        """g_A(w) + h_A(v) - w.v: that of g and h at v - A's, and s.(c - A w)."""
        constraints, s = self.constraints, self.multipliers(v)
        inner = self.base.bracket(w, self.pulled(v, s), h - float(s @ constraints.b))
        slack = np.where(constraints.bounds, s * np.maximum(-constraints.residual(1.0, w), 0.0), 0.0)
        value = inner.value if constraints.is_met(1.0, w) else np.inf
        terms = np.append(inner.terms, slack)
        return Bracket(terms if value < np.inf else np.full_like(terms, np.inf), value, inner.units)

    def pulled(self, v: Floats, s: Floats) -> Floats:
        """Return v - A's."""
        pulled: Floats = v - self.constraints.ties @ s
        return pulled

    def multipliers(self, v: Floats, start: Floats | None = None) -> Floats:
        """Find the s (r,) of h_A(v): a projected Newton method, after L-BFGS where it stands still."""
        if self._known is not None and np.array_equal(self._known[0], v):
            return self._known[1]
        zeros = np.zeros(self.constraints.b.shape[0])
        s, done = self._newton(v, zeros if start is None else start)
        if not done:
            s = self._newton(v, self._gradient_steps(v, s))[0]
        s.setflags(write=False)
        self._known = v.copy(), s
        return s

    def _at(self, v: Floats, s: Floats) -> tuple[float, Floats, Floats]:
        """Return what s minimizes, its gradient c - A w, and w."""
        h, w = self.base.map(self.pulled(v, s))
        return h + float(s @ self.constraints.b), -self.constraints.residual(1.0, w), w

    def _newton(self, v: Floats, s: Floats) -> tuple[Floats, bool]:
        """Return better multipliers, and True if only rounding is left."""
        A, bounds, project = self.constraints.ties.T, self.constraints.bounds, self.constraints.projected
        value, slope, w = self._at(v, s)
        for _ in range(NEWTON_STEPS):
            free = ~(bounds & (s <= 0.0) & (slope >= 0.0))
            size = np.abs(A) @ np.abs(w) + np.abs(self.constraints.b)
            if (np.abs(slope) <= SOLVED * size)[free].all():
                return s, True
            diagonal, direction, bend = self.base.bending(self.pulled(v, s))
            rows = A[free]
            along = rows @ direction
            matrix = (rows * diagonal) @ rows.T + bend * np.outer(along, along)
            step = np.zeros_like(s)
            ridge = 1e-14 * np.trace(matrix) * np.eye(along.size)
            step[free] = np.linalg.lstsq(matrix + ridge, -slope[free], rcond=None)[0]
            for fraction in 0.5 ** np.arange(HALVINGS):
                trial = project(s + fraction * step)
                at = self._at(v, trial)
                promised = PROMISED * float(slope @ (trial - s))
                if at[0] < value and at[0] <= value + promised:
                    break
            else:
                return s, bool((np.abs(slope) <= 1e4 * SOLVED * size)[free].all())
            s, (value, slope, w) = trial, at
        return s, False

    def _gradient_steps(self, v: Floats, s: Floats) -> Floats:
        from scipy.optimize import minimize

        limits = [(0.0 if bound else None, None) for bound in self.constraints.bounds]
        options = {"maxiter": 1000, "ftol": 1e-16, "gtol": 1e-13}
        with np.errstate(all="ignore"):
            result = minimize(
                lambda at: self._at(v, at)[:2], s, jac=True, method="L-BFGS-B", bounds=limits, options=options
            )
        better = np.isfinite(result.x).all() and result.fun <= self._at(v, s)[0]
        return self.constraints.projected(result.x) if better else s
