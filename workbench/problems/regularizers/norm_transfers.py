"""Norms on a fixed number of coordinates: value, dual norm, proximal point, Fenchel-Young terms.

For g = |w| the conjugate h is 0 where |v|_* <= 1 and +inf elsewhere; g(w) - w.v is made up of terms that
are never negative for every v in that ball.

Source       docs/mathematics.md, section 6
"""

from __future__ import annotations

import abc
import functools
import math
from typing import TYPE_CHECKING, Never

import numpy as np

from workbench._support.errors import InputError
from workbench.kernels.fenchel_young import Bracket
from workbench.problems.regularizers.base import UNIT
from workbench.problems.regularizers.blocks import Blocks, Cones

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from numpy.typing import ArrayLike

    from workbench._support.annotations import Floats, PenaltyArrays
    from workbench.problems.regularizers.base import Regularizer
    from workbench.problems.regularizers.group_sets import Groups


# A dual norm this little above 1 is rounding.
BALL = 1.0 + 1e-12
# What a scaling stays below the largest one by, so that the scaled point is in the ball for certain.
INSIDE = 1.0 - 2.0**-50


class NormTransfer:
    """A norm on a fixed number of coordinates; where it is available, `reason` is empty.

    Attributes
    ----------
    weights, theta : ndarray
        The norm's structure as numbers, for a problem's digest.
    """

    reason = ""

    def __init__(self, regularizer: Regularizer, structure: Iterable[ArrayLike]) -> None:
        self.regularizer = regularizer
        self.weights: Floats = np.zeros(0)
        self.theta: Floats = np.concatenate([np.asarray(part, dtype=float).ravel() for part in structure])
        for array in (self.weights, self.theta):
            array.setflags(write=False)

    @property
    def penalty(self) -> PenaltyArrays | None:
        """Arrays of a compiled proximal point, see `workbench.kernels.arrays`; None where it needs more."""
        return None

    @property
    def blocks(self) -> Blocks | None:
        """The `Blocks` that g is a sum over; None for every other g."""
        return None

    @property
    def cones(self) -> Cones | None:
        """The `Cones` that g is made of; None for every other g."""
        return None

    @abc.abstractmethod
    def dual_norm(self, v: Floats) -> float:
        """Return the largest w.v with g(w) <= 1."""

    def map(self, v: Floats) -> tuple[float, Floats]:
        """h(v), which is 0 or +inf, and w = 0: the dual point of a norm determines no other weights."""
        return (0.0 if self.dual_norm(v) <= BALL else np.inf), np.zeros_like(v)

    def reach(self, v: Floats) -> float:
        """Return the largest s for which h(s v) is finite; +inf for v = 0."""
        size = self.dual_norm(v)
        return INSIDE / size if size > 0.0 else np.inf

    def violation(self, w: Floats, v: Floats) -> float:
        """Return the distance of w from the proximal point of w + v: zero for a subgradient v at w."""
        return float(np.abs(self.prox(w + v, 1.0) - w).max(initial=0.0))

    def bracket(self, w: Floats, v: Floats, h: float) -> Bracket:
        """g(w) - w.v for v in the ball, as a sum of terms that are never negative."""
        total, value = self.terms(w, v)
        return Bracket(np.array([total if np.isfinite(h) else np.inf]), value)

    def terms(self, w: Floats, v: Floats) -> tuple[float, float]:
        """Return g(w) - w.v for v in the dual ball, a sum of terms that are never negative, and g(w)."""
        w, v, penalty = _floats(w), _floats(v), self.penalty
        if penalty is None:
            raise NotImplementedError("a norm without a penalty has terms of its own")
        space = (np.empty(size) for size in (*[penalty.order.shape[0]] * 2, w.shape[0]))
        total, value = _norms().terms()(penalty, w, v, *space)
        return total, value

    def value_above(self, w: Floats) -> tuple[float, float]:
        """Bound g from above at weights as they are stored, rounding included; the share of w is 0."""
        return self.value(w) * (1.0 + _rounding(w)), 0.0

    def dual_norm_above(self, v: Floats, error: Floats) -> float:
        """Bound the dual norm from above, if no entry of v is off by more than its error.

        The norms depend on magnitudes alone and grow with each of them.
        """
        return self.dual_norm(np.abs(v) + error) * (1.0 + _rounding(v))

    def prox(self, x: Floats, tau: float) -> Floats:
        """argmin_w |w - x|^2 / 2 + tau g(w)."""
        from workbench.kernels import proximal

        point: Floats = proximal.find(self.penalty, x, tau)
        return point

    def value(self, w: Floats) -> float:
        """g(w)."""
        return self.terms(w, np.zeros(w.shape[0]))[1]


class Grouped(NormTransfer):
    """share |w|_1 + sum_g weight_g |w_g| over disjoint groups, with lengths or largest magnitudes."""

    def __init__(
        self,
        regularizer: Regularizer,
        size: int,
        groups: Groups | None = None,
        share: float = 0.0,
        largest: bool = False,
    ) -> None:
        parts: list[ArrayLike] = [[float(largest), share, size]]
        if groups is not None:
            parts += [groups.order, groups.starts, groups.weights]
        super().__init__(regularizer, parts)
        self.size, self.groups, self.share, self.largest = size, groups, share, largest

    @functools.cached_property
    def blocks(self) -> Blocks | None:
        """The `Blocks` that g is a sum over; None with largest magnitudes."""
        return None if self.largest else Blocks.of(self.cones.share, self.cones.ridge, self.groups)

    @property
    def cones(self) -> Cones:
        """The `Cones` that it is made of."""
        return Cones(np.full(self.size, self.share), np.zeros(self.size), self.groups, self.largest)

    @functools.cached_property
    def penalty(self) -> PenaltyArrays:
        from workbench.kernels import arrays

        kind = arrays.SOFT if self.groups is None else arrays.GROUPS
        penalty: PenaltyArrays = arrays.penalty(
            kind, self.share, groups=self.groups, largest=int(self.largest)
        )
        return penalty

    def dual_norm(self, v: Floats) -> float:
        """Return the dual norm of v: the largest w.v with g(w) <= 1."""
        v, penalty = _floats(v), self.penalty
        space = np.empty(penalty.order.shape[0]), np.empty(penalty.group_weights.shape[0])
        return float(_norms().dual_norm()(penalty, v, *space))


class Nested(NormTransfer):
    """Groups that form a tree, from the leaves to the root: the prox is one pass over them.

    The dual norm is the least tau with prox_{tau g}(v) = 0, found by bisection; the upper end is kept.
    """

    def __init__(self, regularizer: Regularizer, size: int, groups: Groups) -> None:
        super().__init__(regularizer, ([size], groups.order, groups.starts, groups.weights))
        self.size, self.groups = size, groups

    @property
    def cones(self) -> Cones:
        """The `Cones` that it is made of."""
        return Cones(np.zeros(self.size), np.zeros(self.size), self.groups)

    @functools.cached_property
    def penalty(self) -> PenaltyArrays:
        from workbench.kernels import arrays

        penalty: PenaltyArrays = arrays.penalty(arrays.TREE, groups=self.groups)
        return penalty

    def dual_norm(self, v: Floats) -> float:
        groups, v = self.groups, _floats(v)
        loop = _loops().tree_dual()
        scratch = np.empty_like(v), np.empty(groups.order.shape[0])
        return float(loop(v, groups.order, groups.starts, groups.weights, *scratch))


class Crossing(Nested):
    """Groups that overlap without being nested: a value, but neither a dual norm nor a proximal point."""

    def __init__(self, regularizer: Regularizer, size: int, groups: Groups, pair: tuple[int, int]) -> None:
        super().__init__(regularizer, size, groups)
        self.reason = (
            f"not available: groups {pair[0]} and {pair[1]} overlap and neither holds the other, so they "
            "form no tree"
        )

    def dual_norm(self, v: Floats) -> Never:
        raise InputError(f"tree: the dual norm is {self.reason}; nest or separate the groups")

    def prox(self, x: Floats, tau: float) -> Never:
        raise InputError(f"tree: the proximal point is {self.reason}; nest or separate the groups")


class Singular(NormTransfer):
    """The trace norm; its dual norm is the largest singular value.

    A singular value decomposition is LAPACK's, so its proximal point is not compiled.
    """

    def __init__(self, regularizer: Regularizer, shape: tuple[int, int]) -> None:
        super().__init__(regularizer, (shape,))
        self.shape = shape

    @property
    def cones(self) -> Cones:
        """The `Cones` that it is made of."""
        none = np.zeros(math.prod(self.shape))
        return Cones(none, none, matrix=self.shape)

    def value(self, w: Floats) -> float:
        return float(np.linalg.svd(w.reshape(self.shape), compute_uv=False).sum())

    def dual_norm(self, v: Floats) -> float:
        if not np.isfinite(v).all():
            return np.inf
        return float(np.linalg.svd(v.reshape(self.shape), compute_uv=False).max())

    def value_above(self, w: Floats) -> tuple[float, float]:
        # With W = U S V' + R the trace norm is at most sum(S) |U| |V| + sqrt(rank) |R|_F.
        values, stretch, rest = self._decomposed(w.reshape(self.shape))
        return (float(values.sum()) * stretch + math.sqrt(min(self.shape)) * rest) * (1.0 + _rounding(w)), 0.0

    def dual_norm_above(self, v: Floats, error: Floats) -> float:
        if not (np.isfinite(v).all() and np.isfinite(error).all()):
            return np.inf
        values, stretch, rest = self._decomposed(v.reshape(self.shape))
        rest += float(np.sqrt(np.sum(error * error)))
        return (float(values.max()) * stretch + rest) * (1.0 + _rounding(v))

    @staticmethod
    def _decomposed(matrix: Floats) -> tuple[Floats, float, float]:
        """Compute the singular values, and bounds of |U| |V| and of the norm of the matrix minus U S V'."""
        left, values, right = np.linalg.svd(matrix, full_matrices=False)
        share = 8.0 * (max(matrix.shape) + 8.0) * UNIT
        stretch = 1.0
        for product in (left.T @ left, right @ right.T):
            size = product.shape[0]
            off = float(np.linalg.norm(product - np.eye(size))) + share * size
            stretch *= math.sqrt(1.0 + off)
        rest = float(np.linalg.norm(matrix - (left * values) @ right))
        return values, stretch, rest + share * math.sqrt(matrix.size) * float(np.linalg.norm(matrix))

    def prox(self, x: Floats, tau: float) -> Floats:
        if not np.isfinite(x).all():
            return np.full_like(x, np.nan)
        left, values, right = np.linalg.svd(x.reshape(self.shape), full_matrices=False)
        point: Floats = ((left * np.maximum(values - tau, 0.0)) @ right).ravel()
        return point

    def terms(self, w: Floats, v: Floats) -> tuple[float, float]:
        left, values, right = np.linalg.svd(w.reshape(self.shape), full_matrices=False)
        along = np.einsum("ij,ij->j", left, v.reshape(self.shape) @ right.T)
        return float((values * np.maximum(1.0 - along, 0.0)).sum()), self.value(w)


def _floats(values: Floats) -> Floats:
    return np.ascontiguousarray(values, dtype=float)


def _rounding(v: Floats) -> float:
    """Bound the rounding of a norm, or a dual norm, of v, as a share of it."""
    return (v.size + 64.0) * 8.0 * UNIT


def _loops() -> ModuleType:
    from workbench.kernels import group_loops

    return group_loops


def _norms() -> ModuleType:
    from workbench.kernels import norm_loops

    return norm_loops
