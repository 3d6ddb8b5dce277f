"""Dual points that are feasible as they are stored: inside the box, sums exactly zero where they must be.

On a grid of a power of two on which no entry needs more bits than a float has, sums are sums of whole
numbers: what is left over is dealt out, unit by unit, to entries that have room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench._support.annotations import Floats, Integers
    from workbench.problems.losses.base import Loss
    from workbench.problems.problem import Problem


# Ends of a domain are themselves rounded, and products with weights are; this share inside is safe.
INSIDE = 2.0**-51
# A grid as fine as a float of the largest entry. Below the smallest one nothing is repaired.
BITS, SMALLEST = 52, 2.0**-1000
# An entry is never moved by as many units as this.
LARGEST = 2.0**60
# The samples whose numbers are in memory at a time.
PART = 2**17


def exact(problem: Problem, alpha: Floats) -> Floats | None:
    """Find a dual point near alpha that is feasible without rounding, or return None."""
    if problem.tasks:
        duals = (exact(task, alpha[:, k]) for k, task in enumerate(problem.tasks))
        columns = [part for part in duals if part is not None]
        return np.stack(columns, axis=1) if len(columns) == len(problem.tasks) else None
    if problem.columns:
        return _classes(problem, alpha)
    inside = np.empty_like(alpha)
    for chosen in in_parts(alpha.shape[0]):
        lower, upper = _ends(problem, chosen)
        if not (lower <= upper).all():
            return None
        inside[chosen] = np.minimum(np.maximum(alpha[chosen], lower), upper)
    return _balanced(problem, inside) if problem.free_bias else inside


def in_parts(n: int) -> list[slice]:
    """Divide the samples into parts, whose numbers are few beside those of all rows."""
    return [slice(k, k + PART) for k in range(0, n, PART)]


def _ends(problem: Problem, chosen: slice) -> tuple[Floats, Floats]:
    """Return the ends of the box, moved inside as far as they may be rounded."""
    lower, upper = problem.dual_ends(chosen)
    if not (_is_exact(problem.loss) and problem.is_unweighted):
        lower, upper = lower + _rounding(lower), upper - _rounding(upper)
    return lower, upper


def _is_exact(loss: Loss) -> bool:
    """Check if the ends of the conjugate's domain are the printed floats: whole numbers, or parameters."""
    ends = [abs(loss.entry[end]) for end in ("lower", "upper")]
    return all(end == np.rint(end) or end in np.abs(loss.theta) for end in ends)


def _rounding(ends: Floats) -> Floats:
    return INSIDE * np.where(np.isfinite(ends), np.abs(ends), 0.0)


def _grid(alpha: Floats) -> float | None:
    """Compute the spacing of the grid for alpha; 0 for zeros, None if the entries are too small for it."""
    top = float(np.abs(alpha).max())
    if top == 0.0:
        return 0.0
    spacing = float(np.ldexp(1.0, int(np.frexp(top)[1]) - BITS))
    return spacing if spacing > SMALLEST else None


def _balanced(problem: Problem, alpha: Floats) -> Floats | None:
    """Round alpha, in place, to a grid on which it has sum zero, between the ends; None where none has."""
    spacing = _grid(alpha)
    if not spacing:
        return None if spacing is None else alpha
    left, parts = 0, in_parts(alpha.shape[0])
    for chosen in parts:
        low, high = _units(problem, chosen, spacing)
        if (low > high).any():
            return None
        units = np.clip(np.rint(alpha[chosen] / spacing).astype(np.int64), low, high)
        alpha[chosen], left = units * spacing, left + int(units.sum())
    # Entries that are neither zero nor at an end go first: the others say what the point is about.
    for first in (True, False):
        for chosen in parts if left else ():
            low, high = _units(problem, chosen, spacing)
            units = np.rint(alpha[chosen] / spacing).astype(np.int64)
            between = (units != 0) & (units != low) & (units != high)
            room = np.minimum(units - low if left > 0 else high - units, abs(left)) * (between == first)
            moved = _dealt(min(abs(left), int(room.sum())), room)
            if moved is None:  # the sum of the rooms went beyond 64 bits
                return None
            units -= np.sign(left) * moved
            alpha[chosen], left = units * spacing, left - int(np.sign(left) * moved.sum())
    return None if left else alpha


def _units(problem: Problem, chosen: slice, spacing: float) -> tuple[Integers, Integers]:
    """Return the ends of the box in whole units of the grid."""
    lower, upper = _ends(problem, chosen)
    low = np.ceil(np.maximum(lower / spacing, -LARGEST)).astype(np.int64)
    return low, np.floor(np.minimum(upper / spacing, LARGEST)).astype(np.int64)


def _dealt(amount: int, room: Integers) -> Integers | None:
    """Return the units of each entry, at most its room; None where the room is less than the amount."""
    before = np.concatenate([[0], np.cumsum(np.minimum(room, amount))])[:-1]
    units = np.clip(amount - before, 0, room)
    return units if int(units.sum()) == amount else None


def _classes(problem: Problem, alpha: Floats) -> Floats | None:
    """Rows of sum zero with shares between 0 and 1, and columns of sum zero where biases are free."""
    labels, n = problem.labels, problem.n_samples
    rows, spacing = np.arange(n), _grid(alpha)
    if not spacing:
        return None if spacing is None else alpha
    units = np.minimum(np.rint(alpha / spacing).astype(np.int64), 0)
    units[rows, labels] = 0
    most = np.floor(np.minimum(problem.weight * (1.0 - INSIDE) / spacing, LARGEST)).astype(np.int64)
    beyond = np.maximum(-units.sum(axis=1) - most, 0)
    farthest = units.argmin(axis=1)
    units[rows, farthest] = np.minimum(units[rows, farthest] + beyond, 0)
    own = -units.sum(axis=1)
    if (own > most).any():
        return None
    units[rows, labels] = own
    if problem.free_bias and not _columns_balanced(units, labels, most):
        return None
    return units * spacing


def _columns_balanced(units: Integers, labels: Integers, most: Integers) -> bool:
    """Move units from columns with too many to those with too few, in place; whether that came out."""
    for heavy in range(units.shape[1]):
        for light in range(units.shape[1]):
            sums = units.sum(axis=0)
            for room in _rooms(units, labels, most, heavy, light):
                amount = int(min(sums[heavy], -sums[light]))
                if amount <= 0:
                    break
                room = np.minimum(room, amount)
                dealt = _dealt(min(amount, int(room.sum())), room)
                if dealt is None:  # the sum of the rooms went beyond 64 bits
                    return False
                units[:, heavy] -= dealt
                units[:, light] += dealt
                sums[heavy] -= dealt.sum()
                sums[light] += dealt.sum()
    return not units.sum(axis=0).any()


def _rooms(units: Integers, labels: Integers, most: Integers, heavy: int, light: int) -> Iterator[Integers]:
    """Yield the units that samples can move from one column to another: light class, heavy class, others."""
    of_light, of_heavy = labels == light, labels == heavy
    yield np.where(of_light, most - units[:, light], 0)
    yield np.where(of_heavy, np.minimum(units[:, heavy], -units[:, light]), 0)
    yield np.where(of_light | of_heavy, 0, -units[:, light])
