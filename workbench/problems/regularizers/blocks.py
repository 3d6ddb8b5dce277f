"""Regularizers as sums over blocks of weights that a proximal step sets to zero together.

    g(w) = sum_e share_e |w_e| + ridge_e w_e^2 / 2 + sum_G weight_G |w_G|_2

over the entries e of w and disjoint groups G of them: l1, elastic net, squared l2 and the group norms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.problems.regularizers.group_sets import Groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench._support.annotations import Booleans, Entry, Floats, Integers


class Cones(NamedTuple):
    """The numbers of sum_e share_e |w_e| + ridge_e w_e^2 / 2 + sum_G weight_G |w_G|; groups may overlap.

    With a `norm` (q, power), |w|_q^power / power is added; with a `matrix` (rows, columns), the trace norm.
    """

    share: Floats  # (E,)
    ridge: Floats  # (E,)
    groups: Groups | None = None
    largest: bool = False  # whether |w_G| is the largest magnitude, and not the length
    norm: tuple[float, float] | None = None
    matrix: tuple[int, int] | None = None


@dataclass(frozen=True)
class Blocks:
    """The numbers of such a regularizer on the entries of w in row order.

    Attributes
    ----------
    share, ridge : ndarray (E,)
    groups : Groups or None
        None where each entry is a block of its own.
    """

    share: Floats
    ridge: Floats
    groups: Groups | None = None

    @classmethod
    def of(cls, share: Floats, ridge: Floats, groups: Groups | None = None) -> Blocks:
        """Build blocks; groups of one entry each are counted as shares."""
        if groups is not None and groups.count == groups.order.shape[0]:
            share = share + groups.scattered(groups.weights, share.shape[0])
            groups = None
        return cls(share, ridge, groups)

    @property
    def count(self) -> int:
        """The number of blocks."""
        return self.share.shape[0] if self.groups is None else self.groups.count

    @property
    def starts(self) -> Integers:
        """The beginning of each block in `order`, (count + 1,)."""
        return np.arange(self.count + 1) if self.groups is None else self.groups.starts

    @property
    def order(self) -> Integers:
        """The entries of the first block, then of the second, and so on."""
        return np.arange(self.count) if self.groups is None else self.groups.order

    @property
    def weights(self) -> Floats:
        """The weight of each block, (count,)."""
        return np.zeros(self.count) if self.groups is None else self.groups.weights

    def value(self, w: Floats) -> float:
        """g(w)."""
        value = float(self.share @ np.abs(w)) + 0.5 * float((self.ridge * w) @ w)
        if self.groups is not None:
            value += float(self.groups.weights @ self.groups.lengths(w[self.groups.order]))
        return value

    def derivatives(self, w: Floats, entries: Integers) -> tuple[Floats, Floats]:
        """Return the slopes (k,) and the Hessian (k, k) of g along entries of w; as if flat at those of 0."""
        at, ridge = w[entries], self.ridge[entries]
        slopes, hessian = self.share[entries] * np.sign(at) + ridge * at, np.diag(ridge)
        if self.groups is not None:
            lengths = self.groups.lengths(w[self.groups.order])
            pulls = np.divide(self.weights, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
            group = self.spread(np.arange(self.count))[entries]
            pull, share = pulls[group], at * (pulls**1.5 / self.weights)[group]
            slopes += pull * at
            hessian += np.diag(pull) - (group[:, None] == group) * np.outer(share, share)
        return slopes, hessian

    def pulls(self, v: Floats, scale: float) -> Floats:
        """Return the pull of each block away from zero, (count,): zero is its best below `limits`.

        `v` (E,) is a dual vector times `scale`.
        """
        if self.groups is None:
            return np.abs(v)
        rest = np.maximum(np.abs(v) - scale * self.share, 0.0)
        return self.groups.lengths(rest[self.groups.order])

    def limits(self, scale: float) -> Floats:
        """Return the pull beyond which a block leaves zero, (count,)."""
        return scale * (self.share if self.groups is None else self.groups.weights)

    def nonzero(self, w: Floats) -> Booleans:
        """Mark the blocks with a nonzero weight, (count,)."""
        flags = w != 0.0
        return flags if self.groups is None else self.groups.tops(flags[self.groups.order])

    def spread(self, flags: NDArray[Entry]) -> NDArray[Entry]:
        """Repeat a value of each block for its entries, (E,)."""
        if self.groups is None:
            return flags
        return self.groups.scattered(self.groups.spread(flags), self.share.shape[0]).astype(flags.dtype)

    def squares(self, squares: Floats, columns: int) -> Floats:
        """Bound each block's squared operator norm from the squared norms of its columns, (count,).

        Entry e of w belongs to column e // columns of the design and to output e % columns; the outputs
        stand apart, so the largest counts.
        """
        if self.groups is None:
            return np.repeat(squares, columns)
        order, count = self.groups.order, self.groups.count
        place = self.groups.spread(np.arange(count)) * columns + order % columns
        sums = np.bincount(place, weights=squares[order // columns], minlength=count * columns)
        largest: Floats = sums.reshape(count, columns).max(axis=1)
        return largest
