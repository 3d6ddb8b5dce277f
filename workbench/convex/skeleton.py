"""The slopes of a closed convex function in order: which of them belong to which piece, kink or end."""

from typing import NamedTuple

import sympy as sp


class Slot(NamedTuple):
    """Slopes between `low` and `high`, from piece `index`, or where `index` is None from the place `at`.

    `value` is p at that place.
    """

    low: sp.Expr
    high: sp.Expr
    index: int | None
    at: sp.Expr | None = None
    value: sp.Expr | None = None


def skeleton(shape, setting):
    """The slots of a `Shape` from left to right; none for a line."""
    _, pieces, values, slopes, *_ = shape
    slots = []

    def add(slot):
        if setting.order(slot.low, slot.high) > 0:
            slots.append(slot)

    if values[0][0].is_finite and pieces[0].low.is_finite is not False:
        add(Slot(-sp.oo, slopes[0][0], None, pieces[0].low, values[0][0]))
    for k, piece in enumerate(pieces):
        add(Slot(*slopes[k], k))
        if k + 1 < len(pieces):
            add(Slot(slopes[k][1], slopes[k + 1][0], None, piece.high, values[k][1]))
    if values[-1][1].is_finite and pieces[-1].high.is_finite is not False:
        add(Slot(slopes[-1][1], sp.oo, None, pieces[-1].high, values[-1][1]))
    return tuple(slots)
