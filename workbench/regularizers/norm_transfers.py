"""What a norm does on a fixed number of coordinates: value, dual norm, proximal point, Fenchel-Young terms.

For g = |w| the conjugate h is 0 where |v|_* <= 1 and +inf elsewhere; g(w) - w.v is made up of terms that
are never negative for every v in that ball.

Source       docs/mathematics.md, section 6
"""

import functools

import numpy as np

from workbench.compiled.fenchel_young import Bracket
from workbench.errors import InputError
from workbench.regularizers.base import soft
from workbench.regularizers.blocks import Blocks

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
    blocks = None

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
        if not np.isfinite(h):
            return Bracket(np.array([np.inf]), self.value(w))
        return Bracket(self.terms(w, v), self.value(w))


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
        if self.largest:
            return None
        return Blocks.of(np.full(self.size, self.share), np.zeros(self.size), self.groups)

    def value(self, w):
        """g(w)."""
        value = self.share * np.abs(w).sum()
        if self.groups is not None:
            value += self.groups.weights @ self._sizes(w[self.groups.order])
        return float(value)

    def _sizes(self, values):
        return self.groups.tops(np.abs(values)) if self.largest else self.groups.lengths(values)

    def dual_norm(self, v):
        """The largest w.v with g(w) <= 1."""
        if self.groups is None:
            return float(np.abs(v).max(initial=0.0)) / self.share
        groups, values = self.groups, v[self.groups.order]
        if self.share:
            sizes = np.empty(groups.count)
            _loops().sparse_dual()(values, groups.starts, groups.weights, self.share, sizes)
        elif self.largest:
            sizes = groups.sums(np.abs(values)) / groups.weights
        else:
            sizes = groups.lengths(values) / groups.weights
        return float(sizes.max())

    def prox(self, x, tau):
        """argmin_w |w - x|^2 / 2 + tau g(w)."""
        x = soft(x, tau * self.share) if self.share else x
        if self.groups is None:
            return x
        groups, values = self.groups, x[self.groups.order]
        radii = tau * groups.weights
        if self.largest:
            inside = np.empty_like(values)
            _loops().ball()(values, groups.starts, radii, inside)
            return groups.scattered(values - inside, self.size)
        lengths = groups.lengths(values)
        kept = np.divide(lengths - radii, lengths, out=np.zeros_like(lengths), where=lengths > radii)
        return groups.scattered(values * groups.spread(kept), self.size)

    def terms(self, w, v):
        """What makes up g(w) - w.v for v in the dual ball."""
        flat = np.clip(v, -self.share, self.share) if self.share else v
        # |w_j| share - w_j v_j, and what the l1 part does not take is left to the groups.
        l1 = np.abs(w) * (self.share - flat * np.sign(w)) if self.share else np.zeros(0)
        if self.groups is None:
            return l1
        rest = (v - flat if self.share else v)[self.groups.order]
        values = w[self.groups.order]
        parts = _largest_terms if self.largest else _length_terms
        return np.concatenate([l1, *parts(self.groups, values, rest)])


class Nested(NormTransfer):
    """Groups that form a tree, from the leaves to the root: the prox is one pass over them.

    The dual norm is the least tau with prox_{tau g}(v) = 0, found by bisection; the upper end is kept.
    """

    def __init__(self, regularizer, size, groups):
        super().__init__(regularizer, ([size], groups.order, groups.starts, groups.weights))
        self.size, self.groups = size, groups

    def value(self, w):
        return float(self.groups.weights @ self.groups.lengths(w[self.groups.order]))

    def _pass(self, x, tau):
        """The proximal point, and what each group took away."""
        out, parts = np.array(x, dtype=float), np.empty(self.groups.order.shape[0])
        groups = self.groups
        _loops().tree()(out, float(tau), groups.order, groups.starts, groups.weights, parts)
        return out, parts

    def dual_norm(self, v):
        groups, v = self.groups, np.ascontiguousarray(v, dtype=float)
        loop = _loops().tree_dual()
        scratch = np.empty_like(v), np.empty(groups.order.shape[0])
        return float(loop(v, groups.order, groups.starts, groups.weights, *scratch))

    def prox(self, x, tau):
        return self._pass(x, tau)[0]

    def terms(self, w, v):
        # The pass at tau = 1 splits v into one part a group, none longer than the group's weight.
        _, parts = self._pass(v, 1.0)
        return np.concatenate(_length_terms(self.groups, w[self.groups.order], parts))


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
    """The trace norm; its dual norm is the largest singular value."""

    def __init__(self, regularizer, shape):
        super().__init__(regularizer, (shape,))
        self.shape = shape

    def value(self, w):
        return float(np.linalg.svd(w.reshape(self.shape), compute_uv=False).sum())

    def dual_norm(self, v):
        if not np.isfinite(v).all():
            return np.inf
        return float(np.linalg.svd(v.reshape(self.shape), compute_uv=False).max())

    def prox(self, x, tau):
        left, values, right = np.linalg.svd(x.reshape(self.shape), full_matrices=False)
        return ((left * np.maximum(values - tau, 0.0)) @ right).ravel()

    def terms(self, w, v):
        left, values, right = np.linalg.svd(w.reshape(self.shape), full_matrices=False)
        along = np.einsum("ij,ij->j", left, v.reshape(self.shape) @ right.T)
        return values * np.maximum(1.0 - along, 0.0)


def _length_terms(groups, w, v):
    """weight |w| - w.v per group, |v| <= weight: |w| (weight - |v|) + |w| |v| |w/|w| - v/|v||^2 / 2."""
    size, dual = groups.lengths(w), groups.lengths(v)
    slack = size * np.maximum(groups.weights - dual, 0.0)
    both = (size > 0.0) & (dual > 0.0)
    scale_w = groups.spread(np.divide(1.0, size, out=np.zeros_like(size), where=both))
    scale_v = groups.spread(np.divide(1.0, dual, out=np.zeros_like(dual), where=both))
    angle = 0.5 * groups.sums((w * scale_w - v * scale_v) ** 2)
    return slack, size * dual * angle


def _largest_terms(groups, w, v):
    """weight max|w| - w.v per group, |v|_1 <= weight: max|w| (weight - |v|_1) + sum |v| (max|w| -+ w)."""
    top = groups.tops(np.abs(w))
    slack = top * np.maximum(groups.weights - groups.sums(np.abs(v)), 0.0)
    return slack, np.abs(v) * (groups.spread(top) - w * np.sign(v))


def _loops():
    from workbench.compiled import group_loops

    return group_loops
