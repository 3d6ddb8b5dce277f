"""A closed convex function as the conjugation sees it: pieces, with the limits of p and p' at their ends."""

from itertools import pairwise
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench._support.errors import ConvexityError, UndecidedError
from workbench.conjugates.convex.curvature import refuse_bent_down
from workbench.conjugates.convex.evaluation import number, value_at
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.limits import one_sided
from workbench.conjugates.convex.pieces import NowhereFiniteError, pieces_of
from workbench.conjugates.convex.witness import FAULT, NotConvex, refusal


class Shape(NamedTuple):
    """A closed convex function in the symbols of the setting, as `Part`s with their limits.

    `is_decided` tells whether p'' is known not to be negative on any piece.
    """

    u: sp.Symbol
    pieces: tuple
    is_decided: bool = True

    @property
    def low(self):
        return self.pieces[0].low

    @property
    def high(self):
        return self.pieces[-1].high

    @property
    def slopes(self):
        return tuple(piece.slopes for piece in self.pieces)


def closed_shape(p, u, low, high, setting, needs=()):
    """Return the `Shape`; refuses what is not a closed convex function, and splits where that depends."""
    if setting.order(low, high) <= 0:
        raise NowhereFiniteError(f"the domain from {setting.leave(low)} to {setting.leave(high)} is empty")
    pieces = pieces_of(p, u, low, high, setting, needs)
    try:
        pieces = [piece._replace(values=_limits(piece, piece.expr, u, setting)) for piece in pieces]
    except UndecidedError as error:
        # Two points and the midpoint say more than that sin u lacks a limit.
        witness = refusal(p, u, setting, {}, None, (pieces[0].low, pieces[-1].high))
        raise (witness if isinstance(witness, NotConvex) else error) from None
    _refuse_gaps(pieces)
    _refuse_jumps(p, u, pieces, setting)
    pieces = _merged(pieces, u)
    decided = [refuse_bent_down(piece, p, u, setting) for piece in pieces]
    for point, value in ((low, pieces[0].values[0]), (high, pieces[-1].values[1])):
        if value == -sp.oo and point.is_finite is not False:
            raise ConvexityError(
                f"the function falls to -oo at {u} = {setting.leave(point)}; fix the formula"
            )
    pieces = [piece._replace(slopes=_limits(piece, sp.diff(piece.expr, u), u, setting)) for piece in pieces]
    for piece in pieces:
        before, after = piece.slopes
        if setting.order(before, after) < 0 or (before == after and before.is_infinite):
            raise refusal(p, u, setting, setting.sample(), None, (piece.low, piece.high))
    for left, right in pairwise(pieces):
        if setting.order(left.slopes[1], right.slopes[0]) < 0:
            raise _falling_slope(p, u, left, right, setting)
    return Shape(u, tuple(pieces), all(decided))


def _falling_slope(p, u, left, right, setting):
    values = setting.sample()
    place = right.low.xreplace({t: form.xreplace(values) for t, form in setting.backward.items()})
    center = place if place.is_Rational else sp.Rational(str(sp.N(place, 12)))
    return refusal(p, u, setting, values, center, (left.low, right.high))


def _merged(pieces, u):
    """Neighbours with one formula as one piece, in a spelling that has a value where they meet."""
    merged = pieces[:1]
    for piece in pieces[1:]:
        last = merged[-1]
        same = sp.expand(last.expr - piece.expr) == 0
        whole = _without_hole(piece.expr, u, piece.low) if same else None
        if whole is not None:
            values = last.values[0], piece.values[1]
            merged[-1] = piece._replace(low=last.low, values=values, expr=whole)
        else:
            merged.append(piece)
    return merged


def _without_hole(expression, u, place):
    """Return a spelling of the expression with a value at a place; None without one, as for u/tanh(u)."""
    for spell in (lambda e: e, sp.cancel, sp.simplify):
        form = attempt(spell, expression, limit=1.0)
        value = None if form is None else attempt(form.subs, u, place)
        if value is not None and not value.has(sp.nan, sp.zoo, sp.oo, sp.AccumBounds):
            return form
    return None


def _limits(piece, expression, u, setting):
    ends = []
    for point, side in ((piece.low, 1), (piece.high, -1)):
        limit = one_sided(expression, u, sp.sympify(point), side, setting)
        if limit is None:
            raise UndecidedError(
                f"the limit of {setting.leave(expression)} as {u} tends to {setting.leave(point)} was not "
                "found; write the formula in another way or restrict the domain"
            )
        ends.append(limit)
    return tuple(ends)


def _refuse_gaps(pieces):
    """Refuse a function that is finite on several intervals."""
    for left, right in pairwise(pieces):
        # SymPy leaves open whether a/(2 - a) is finite, where that is settled by the region.
        if left.high != right.low or left.values[1].is_infinite or right.values[0].is_infinite:
            raise ConvexityError(
                f"the function is finite on ({left.low}, {left.high}) and ({right.low}, {right.high}) but "
                "not between them, so it is not convex; name one of them as the domain"
            )


def _refuse_jumps(expression, u, pieces, setting):
    """Raise where two pieces do not meet, or where the function's own value at a place differs from both."""
    for left, right in pairwise(pieces):
        before, after = left.values[1], right.values[0]
        if before != after and setting.sign(after - before) != 0:
            raise ConvexityError(
                f"the function is not convex: it jumps from {setting.leave(before)} to "
                f"{setting.leave(after)} at {u} = {setting.leave(right.low)}; "
                "fix the formula or restrict the domain"
            )
        for draw in setting.draws:
            a = value_at(before, draw)
            value = _value(expression, u, right.low, draw)
            if value is not None and abs(value - a) > FAULT * (1 + abs(a)):
                raise ConvexityError(
                    f"the function is not convex: at {u} = {setting.leave(right.low)} alone it is "
                    f"{mpmath.nstr(value, 6)}, and {setting.leave(before)} on both sides; "
                    "fix the formula or restrict the domain"
                )


def _value(expression, u, place, draw):
    """Return the function's own value at an isolated place, or None where the formula gives none."""
    if not expression.has(sp.Piecewise):
        return None
    value = attempt(lambda: expression.subs(draw).subs(u, sp.sympify(place).subs(draw)))
    if value is None or value.has(sp.nan, sp.zoo) or not value.is_number:
        return None
    return mpmath.inf if value.is_infinite else number(value)
