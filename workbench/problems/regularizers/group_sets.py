"""Sets of coordinates: disjoint groups and trees, read from what a user gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from workbench._support.errors import InputError, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Entry, Floats, Integers


# The features of each group.
Sets: TypeAlias = Sequence[Sequence[int]]


class Groups:
    """Sets of coordinates laid out one behind the other, each with a weight.

    Attributes
    ----------
    order : ndarray of int (k,)
        The coordinates of the first group, then of the second, and so on.
    starts : ndarray of int (m + 1,)
        Where each group begins in `order`.
    weights : ndarray (m,)
    """

    def __init__(self, sets: Sequence[Sequence[int] | Integers], weights: ArrayLike) -> None:
        self.order = np.concatenate([np.asarray(part, dtype=np.int64) for part in sets])
        self.starts = np.concatenate([[0], np.cumsum([len(part) for part in sets])]).astype(np.int64)
        self.weights = np.asarray(weights, dtype=float)

    @property
    def count(self) -> int:
        return int(self.weights.shape[0])

    def spread(self, values: NDArray[Entry]) -> NDArray[Entry]:
        """One number a group, repeated for each of its coordinates, (k,)."""
        return np.repeat(values, np.diff(self.starts))

    def sums(self, values: Floats) -> Floats:
        """Sum values, laid out like `order`, over each group, (m,)."""
        return np.add.reduceat(values, self.starts[:-1])

    def tops(self, values: NDArray[Entry]) -> NDArray[Entry]:
        """Return the largest of the values, laid out like `order`, of each group, (m,)."""
        return np.maximum.reduceat(values, self.starts[:-1])

    def lengths(self, values: Floats) -> Floats:
        """Compute the Euclidean norm over each group, (m,); squares that overflow or underflow do no harm."""
        largest = np.abs(values).max(initial=0.0)
        if largest == 0.0 or not np.isfinite(largest):
            return np.full(self.count, largest)
        lengths: Floats = largest * np.sqrt(self.sums((values / largest) ** 2))
        return lengths

    def scattered(self, values: ArrayLike, size: int) -> Floats:
        """Values laid out like `order` at their coordinates, (size,), for disjoint groups."""
        out = np.zeros(size)
        out[self.order] = values
        return out


def read(
    owner: str, groups: Iterable[ArrayLike] | None, size: float | None, weights: Iterable[float] | None
) -> tuple[Sets | None, tuple[float, ...] | None]:
    """Check the caller's groups; return tuples of distinct coordinates, and one weight for each group.

    `size` makes groups of that many neighbours where no groups are given; they are filled in by `fitted`.
    """
    if (groups is None) == (size is None):
        raise InputError(f"{owner}: give either groups=[[0, 1], [2, 3]] or size=2 (groups of neighbours)")
    if groups is not None:
        groups = tuple(_members(owner, g, members) for g, members in enumerate(groups))
        if not groups:
            raise InputError(f"{owner}: groups is empty; give at least one group")
    if weights is not None:
        weights = tuple(_weight(owner, g, value) for g, value in enumerate(weights))
        if groups is not None and len(weights) != len(groups):
            raise InputError(
                f"{owner}: weights has {len(weights)} entries for {len(groups)} groups; give one a group"
            )
    return groups, weights


def _members(owner: str, g: int, members: ArrayLike) -> tuple[int, ...]:
    members = list(np.atleast_1d(np.asarray(members)).tolist())
    if not members:
        raise InputError(f"{owner}: groups[{g}] is empty; leave it out")
    for j in members:
        if not isinstance(j, int) or j < 0:
            raise InputError(
                f"{owner}: groups[{g}] holds {shown(j)}, which is not the index of a feature (0, 1, ...)"
            )
    if len(set(members)) < len(members):
        raise InputError(f"{owner}: groups[{g}] names a feature twice; name it once")
    return tuple(sorted(members))


def _weight(owner: str, g: int, value: float) -> float:
    number = float(value)
    if not 0.0 < number < np.inf:
        raise InputError(f"{owner}: weights[{g}] = {shown(value)} must be a finite number above 0")
    return number


def fitted(
    owner: str,
    groups: Sets | None,
    size: float | None,
    weights: Sequence[float] | None,
    features: int,
    columns: int,
) -> Groups:
    """Build the `Groups` of the entries of a (features, columns) matrix; each row belongs to one group."""
    if groups is None:
        step = features if size is None else int(size)
        groups = tuple(tuple(range(j, min(j + step, features))) for j in range(0, features, step))
    if weights is not None and len(weights) != len(groups):
        raise InputError(
            f"{owner}: weights has {len(weights)} entries for {len(groups)} groups; give one a group"
        )
    covered = np.zeros(features, dtype=bool)
    for g, members in enumerate(groups):
        if members[-1] >= features:
            raise InputError(
                f"{owner}: groups[{g}] names feature {members[-1]} of {features}; count from 0, and count "
                "the constant feature of a bias"
            )
        covered[list(members)] = True
    if not covered.all():
        raise InputError(
            f"{owner}: feature {int(np.argmin(covered))} is in no group, so nothing would regularize it; "
            "add it as a group of its own"
        )
    row = np.arange(columns)
    sets = [(np.array(members)[:, None] * columns + row).ravel() for members in groups]
    return Groups(sets, np.ones(len(groups)) if weights is None else weights)


def overlap(groups: Sets | None) -> tuple[int, int, int] | None:
    """Find a feature that two groups share, as (feature, group, group); None if the groups are disjoint."""
    owner: dict[int, int] = {}
    for g, members in enumerate(groups or ()):
        for j in members:
            if j in owner:
                return j, owner[j], g
            owner[j] = g
    return None


def leaves_first(groups: Sets) -> tuple[list[int], tuple[int, int] | None]:
    """Order the groups from the leaves to the root, or find a pair that overlaps and is not nested.

    Returns
    -------
    order : list of int
        Empty where a pair overlaps.
    crossing : (int, int) or None
    """
    order = sorted(range(len(groups)), key=lambda g: len(groups[g]))
    top: dict[int, int] = {}
    for g in order:
        counts: dict[int, int] = {}
        for j in groups[g]:
            if j in top:
                counts[top[j]] = counts.get(top[j], 0) + 1
        for other, count in counts.items():
            if count < len(groups[other]):
                return [], (min(g, other), max(g, other))
        top.update(dict.fromkeys(groups[g], g))
    return order, None
