"""What a norm does on a fixed number of coordinates: value, dual norm, proximal point, Fenchel-Young terms.

For g = |w| the conjugate h is 0 where |v|_* <= 1 and +inf elsewhere; g(w) - w.v is made up of terms that
are never negative for every v in that ball.

Source       docs/mathematics.md, section 6
"""

import functools

import numpy as np

from workbench._support.errors import InputError
from workbench.kernels.fenchel_young import Bracket
from workbench.problems.regularizers.base import UNIT
from workbench.problems.regularizers.blocks import Blocks, Cones

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
    # What a compiled proximal point takes, see `workbench.kernels.arrays`; None where it needs more.
    penalty = None
    blocks = None
    cones = None

    def __init__(self, regularizer, structure):
        self.regularizer = regularizer
        self.weights = np.zeros(0)
        self.theta = np.concatenate([np.asarray(part, dtype=float).ravel() for part in structure])
        for array in (self.weights, self.theta):
            array.setflags(write=False)

    def map(self, v):
        """h(v), which is 0 or +inf, and w = 0: the dual point of a norm determines no other weights."""
        return (0.0 if self.dual_norm(v) <= BALL else np.inf), np.zeros_like(v)

    def reach(self, v):
        """The largest s for which h(s v) is finite; +inf for v = 0."""
        size = self.dual_norm(v)
        return INSIDE / size if size > 0.0 else np.inf

    def violation(self, w, v):
        """How far w is from the proximal point of w + v: zero where v is a subgradient of the norm at w."""
        return float(np.abs(self.prox(w + v, 1.0) - w).max(initial=0.0))

    def bracket(self, w, v, h):
        """g(w) - w.v for v in the ball, as a sum of terms that are never negative."""
        total, value = self.terms(w, v)
        return Bracket(np.array([total if np.isfinite(h) else np.inf]), value)

    def terms(self, w, v):
        """What makes up g(w) - w.v for v in the dual ball, summed, and g(w)."""
        w, v = (np.ascontiguousarray(part, dtype=float) for part in (w, v))
        space = (np.empty(size) for size in (*[self.penalty.order.shape[0]] * 2, w.shape[0]))
        return _norms().terms()(self.penalty, w, v, *space)

    def value_above(self, w):
        """An upper bound of g at weights as they are stored, rounding included, and the share 0 of w."""
        return self.value(w) * (1.0 + _rounding(w)), 0.0

    def dual_norm_above(self, v, error):
        """An upper bound of the dual norm where no entry of v is off by more than its error.

        The norms depend on magnitudes alone and grow with each of them.
        """
        return self.dual_norm(np.abs(v) + error) * (1.0 + _rounding(v))

    def prox(self, x, tau):
        """argmin_w |w - x|^2 / 2 + tau g(w)."""
        from workbench.kernels import proximal

        return proximal.find(self.penalty, x, tau)

    def value(self, w):
        """g(w)."""
        return self.terms(w, np.zeros(w.shape[0]))[1]


class Grouped(NormTransfer):
    """share |w|_1 + sum_g weight_g |w_g| over disjoint groups, with lengths or largest magnitudes."""

    def __init__(self, regularizer, size, groups=None, share=0.0, largest=False):
        parts = ([float(largest), share, size],)
        if groups is not None:
            parts += (groups.order, groups.starts, groups.weights)
        super().__init__(regularizer, parts)
        self.size, self.groups, self.share, self.largest = size, groups, share, largest

    @functools.cached_property
    def blocks(self):
        """The `Blocks` that g is a sum over; None with largest magnitudes."""
        return None if self.largest else Blocks.of(*self.cones[:3])

    @property
    def cones(self):
        """The `Cones` that it is made of."""
        return Cones(np.full(self.size, self.share), np.zeros(self.size), self.groups, self.largest)

    @functools.cached_property
    def penalty(self):
        from workbench.kernels import arrays

        if self.groups is None:
            return arrays.penalty(arrays.SOFT, self.share)
        return arrays.penalty(arrays.GROUPS, self.share, groups=self.groups, largest=int(self.largest))

    def dual_norm(self, v):
        """The largest w.v with g(w) <= 1."""
        v, penalty = np.ascontiguousarray(v, dtype=float), self.penalty
        space = np.empty(penalty.order.shape[0]), np.empty(penalty.group_weights.shape[0])
        return _norms().dual_norm()(penalty, v, *space)


class Nested(NormTransfer):
    """Groups that form a tree, from the leaves to the root: the prox is one pass over them.

    The dual norm is the least tau with prox_{tau g}(v) = 0, found by bisection; the upper end is kept.
    """

    def __init__(self, regularizer, size, groups):
        super().__init__(regularizer, ([size], groups.order, groups.starts, groups.weights))
        self.size, self.groups = size, groups

    @property
    def cones(self):
        """The `Cones` that it is made of."""
        return Cones(np.zeros(self.size), np.zeros(self.size), self.groups)

    @functools.cached_property
    def penalty(self):
        from workbench.kernels import arrays

        return arrays.penalty(arrays.TREE, groups=self.groups)

    def dual_norm(self, v):
        groups, v = self.groups, np.ascontiguousarray(v, dtype=float)
        loop = _loops().tree_dual()
        scratch = np.empty_like(v), np.empty(groups.order.shape[0])
        return float(loop(v, groups.order, groups.starts, groups.weights, *scratch))


class Crossing(Nested):
    """Groups that overlap without being nested: a value, but neither a dual norm nor a proximal point."""

    def __init__(self, regularizer, size, groups, pair):
        super().__init__(regularizer, size, groups)
        self.reason = (
            f"not available: groups {pair[0]} and {pair[1]} overlap and neither holds the other, so they "
            "form no tree"
        )

    def dual_norm(self, v):
        raise InputError(f"tree: the dual norm is {self.reason}; nest or separate the groups")

    def prox(self, x, tau):
        raise InputError(f"tree: the proximal point is {self.reason}; nest or separate the groups")


class Singular(NormTransfer):
    """The trace norm; its dual norm is the largest singular value.

    A singular value decomposition is LAPACK's, so this one has no compiled proximal point.
    """

    def __init__(self, regularizer, shape):
        super().__init__(regularizer, (shape,))
        self.shape = shape

    def value(self, w):
        return float(np.linalg.svd(w.reshape(self.shape), compute_uv=False).sum())

    def dual_norm(self, v):
        if not np.isfinite(v).all():
            return np.inf
        return float(np.linalg.svd(v.reshape(self.shape), compute_uv=False).max())

    def value_above(self, w):
        # With W = U S V' + R the trace norm is at most sum(S) |U| |V| + sqrt(rank) |R|_F.
        values, stretch, rest = self._decomposed(w.reshape(self.shape))
        return (float(values.sum()) * stretch + np.sqrt(min(self.shape)) * rest) * (1.0 + _rounding(w)), 0.0

    def dual_norm_above(self, v, error):
        if not (np.isfinite(v).all() and np.isfinite(error).all()):
            return np.inf
        values, stretch, rest = self._decomposed(v.reshape(self.shape))
        rest += float(np.sqrt(np.sum(error * error)))
        return (float(values.max()) * stretch + rest) * (1.0 + _rounding(v))

    @staticmethod
    def _decomposed(matrix):
        """The singular values as computed, a bound of |U| |V|, and one of the matrix without U S V'."""
        left, values, right = np.linalg.svd(matrix, full_matrices=False)
        share = 8.0 * (max(matrix.shape) + 8.0) * UNIT
        stretch = 1.0
        for each in (left.T @ left, right @ right.T):
            off = np.linalg.norm(each - np.eye(each.shape[0])) + share * each.shape[0]
            stretch *= np.sqrt(1.0 + off)
        rest = np.linalg.norm(matrix - (left * values) @ right)
        return values, stretch, rest + share * np.sqrt(matrix.size) * float(np.linalg.norm(matrix))

    def prox(self, x, tau):
        if not np.isfinite(x).all():
            return np.full_like(x, np.nan)
        left, values, right = np.linalg.svd(x.reshape(self.shape), full_matrices=False)
        return ((left * np.maximum(values - tau, 0.0)) @ right).ravel()

    def terms(self, w, v):
        left, values, right = np.linalg.svd(w.reshape(self.shape), full_matrices=False)
        along = np.einsum("ij,ij->j", left, v.reshape(self.shape) @ right.T)
        return float((values * np.maximum(1.0 - along, 0.0)).sum()), self.value(w)


def _rounding(v):
    """What a norm, or a dual norm, of so many entries rounds by, as a share of it."""
    return (v.size + 64.0) * 8.0 * UNIT


def _loops():
    from workbench.kernels import group_loops

    return group_loops


def _norms():
    from workbench.kernels import norm_loops

    return norm_loops
