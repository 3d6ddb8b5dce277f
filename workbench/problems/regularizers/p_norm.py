"""The regularizer of the Primal Gradient Solver: half the squared p-norm over p - 1, also on a ball.

    g(w) = |w|_p^2 / (2 (p - 1)),  |w|_p <= ball        1 < p <= 2,  1/p + 1/q = 1,  N = |v|_q
    h(v) = (p - 1) N^2 / 2 where (p - 1) N <= ball, else ball N - ball^2 / (2 (p - 1))

g is 1-strongly convex in the p-norm. Its sum S is that of the q-norm regularizer with the power 2, whose
generated row functions serve here too; what is outside of the sum differs.

Source       Zhu et al. (2009), (3), Example 1 and Corollary 2; docs/mathematics.md, section 3
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_number
from workbench.problems.regularizers.base import Regularizer, Transfer
from workbench.problems.regularizers.smooth import QNorm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import scipy.sparse as sp

    from workbench._support.annotations import Floats, Number, Scalar
    from workbench.problems.regularizers.base import RegularizerFacts, RegularizerRow


# Steps of Newton's method for a proximal point, which fall without end but for rounding; Brent's precision.
NEWTON_LIMIT, ROUNDED = 100, 4.0 * 2.0**-52


@dataclass(frozen=True)
class PNorm(Regularizer):
    """|w|_p^2 / (2 (p - 1)) with p in (1, 2], on all of space or on the ball |w|_p <= ball.

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.PNorm(p=2).at(2).map(np.array([0.3, -2.0]))
    >>> w
    array([ 0.3, -2. ])
    """

    p: float = 1.8
    ball: float | None = None
    name: ClassVar[str] = "p-norm"
    inequality: ClassVar[str] = "Hölder's and Young's inequalities"

    def __post_init__(self) -> None:
        validate_number(self, "p", above=1.0)
        if self.p > 2.0:
            raise InputError(
                f"{self.name}: p = {self.p:g} must lie in (1, 2], since above 2 the squared p-norm is not "
                "strongly convex; use p = 2, or the regularizer q-norm"
            )
        if self.ball is not None:
            validate_number(self, "ball", above=0.0)

    @property
    def row(self) -> RegularizerRow:
        return self._sum.row | {"source": "Zhu et al. (2009), (3) and Corollary 2"}

    def facts(self) -> RegularizerFacts:
        return self._sum.facts()

    @property
    def has_prox(self) -> bool:
        return True

    @property
    def has_gradient(self) -> bool:
        return self.ball is None

    @property
    def is_legendre(self) -> bool:
        return self.ball is None

    @property
    def squared_norm(self) -> tuple[float, float, float]:
        return float(self.p), float(self.p) - 1.0, np.inf if self.ball is None else float(self.ball)

    @property
    def _sum(self) -> QNorm:
        """The regularizer with the same S."""
        return QNorm(q=self.p, power=2.0)

    @property
    def formula_names(self) -> tuple[str, str]:
        return self._sum.formula_names[0], super().formula_names[1]

    def parameters(self, size: int, number: Number = float) -> list[Any]:
        ball = np.inf if self.ball is None else float(self.ball)
        return [*self._sum.parameters(size, number), number(ball)]

    def at(self, size: int, columns: int = 1) -> Transfer:
        return PNormTransfer(self, size * columns)

    def formula(self, part: str) -> Scalar:
        own = {"primal_outer": _primal_outer} | OUTER
        return own[part] if part in own else self._sum.formula(part)

    def function(self, part: str) -> Scalar:
        return _compiled(part) if part in OUTER else self._sum.function(part)

    def curvature_bound(self, rows: sp.csr_array, lam_n: float) -> Floats | None:
        # h of all space is that of the q-norm times p - 1; on a ball it bends no more.
        bound = self._sum.curvature_bound(rows, lam_n)
        return None if bound is None else (self.p - 1.0) * bound


def _outer(S: float, theta: Sequence[float]) -> float:
    scale, p, _, ball = theta
    size: float = scale * S ** (1.0 - 1.0 / p)
    if (p - 1.0) * size <= ball:
        return 0.5 * (p - 1.0) * size * size
    return ball * size - ball * ball / (2.0 * (p - 1.0))


def _outer_slope(S: float, theta: Sequence[float]) -> float:
    # N = scale S^(1/q) has the slope (N / q) / S.
    scale, p, _, ball = theta
    size: float = scale * S ** (1.0 - 1.0 / p)
    return min((p - 1.0) * size, ball) * size * (1.0 - 1.0 / p) / S


def _outer_curvature(S: float, theta: Sequence[float]) -> float:
    scale, p, _, ball = theta
    share: float = 1.0 - 1.0 / p
    size: float = scale * S**share
    if (p - 1.0) * size <= ball:
        return (p - 1.0) * size * size * share * (2.0 * share - 1.0) / (S * S)
    return ball * size * share * (share - 1.0) / (S * S)


def _primal_outer(S: float, theta: Sequence[float]) -> float:
    p = theta[1]
    value: float = S ** (2.0 / p) / (2.0 * (p - 1.0))
    return value


OUTER = {"outer": _outer, "outer_slope": _outer_slope, "outer_curvature": _outer_curvature}


def _magnitudes(a: Floats, c: float, power: float) -> Floats:
    """Solve t + c t^power = a for t >= 0, power in (0, 1], by Newton's method for u = t^power from above."""
    m = 1.0 / power
    u = np.minimum(a**power, a / c) if c > 0.0 else a**power
    for _ in range(NEWTON_LIMIT):
        lower = u - (u**m + c * u - a) / np.maximum(m * u ** (m - 1.0) + c, np.finfo(float).tiny)
        if not (lower < u).any():  # rounding has stopped the descent
            break
        u = np.clip(lower, 0.0, u)
    magnitudes: Floats = u**m
    return magnitudes


@functools.cache
def _compiled(part: str) -> Scalar:
    from workbench.kernels import compilation

    compiled: Scalar = compilation.jit(OUTER[part], compilation.SCALAR)
    return compiled


class PNormTransfer(Transfer):
    """g, h and w = grad h(v), which lies in the ball; proximal points; without a ball g with its gradient."""

    regularizer: PNorm

    @property
    def penalty(self) -> None:
        """No arrays: its proximal point is searched for in `prox`."""
        return

    def prox(self, x: Floats, tau: float) -> Floats:
        """argmin_w |w - x|^2 / 2 + tau g(w).

        Its magnitudes solve t + c t^(p - 1) = |x_j| for a number c: (tau / (p - 1)) |w|_p^(2 - p), or the one
        at which w lies on the sphere.
        """
        import scipy.optimize

        largest = float(np.abs(x).max(initial=0.0))
        if largest == 0.0:
            return np.zeros_like(x)
        p, kappa, ball = self.regularizer.squared_norm
        a, radius = np.abs(x) / largest, ball / largest

        def size(c: float) -> float:
            return float(np.sum(_magnitudes(a, c, kappa) ** p) ** (1.0 / p))

        def root(function: Callable[[float], float], low: float, high: float) -> float:
            if not function(low) < 0.0 < function(high):  # the two agree but for rounding
                return high
            return float(scipy.optimize.brentq(function, low, high, xtol=2.0**-1000, rtol=ROUNDED))

        c = tau / kappa * size(0.0) ** (2.0 - p)
        c = root(lambda c: c - tau / kappa * size(c) ** (2.0 - p), tau / kappa * size(c) ** (2.0 - p), c)
        w = _magnitudes(a, c, kappa)
        if size(c) > radius:
            high = max(c, 1.0)
            while size(high) > radius:
                high *= 4.0
            w = _magnitudes(a, root(lambda c: radius - size(c), c, high), kappa)
            w *= radius / float((w**p).sum()) ** (1.0 / p)
        return np.sign(x) * largest * w

    def value_and_gradient(self, w: Floats) -> tuple[float, Floats]:
        from workbench.kernels import term_loops

        p, kappa, _ = self.regularizer.squared_norm
        norm = term_loops.norm_of()(np.ascontiguousarray(w, dtype=float), p)
        if norm == 0.0:
            return 0.0, np.zeros_like(w)
        return 0.5 * norm**2 / kappa, norm / kappa * np.sign(w) * (np.abs(w) / norm) ** (p - 1.0)

    def _of_norm(self, norm: float) -> float:
        return norm * norm / (2.0 * float(self.theta[1] - 1.0))

    def _norm_bracket(self, w: Floats, v: Floats, h: float) -> tuple[float, float, float]:
        from workbench.kernels import term_loops

        _, p, _, ball = self.theta
        sums: tuple[float, float, float] = term_loops.ball_sum()(w, v, p, ball)
        return sums
