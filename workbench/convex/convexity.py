"""Witnesses against convexity from sample values, and pieces that do not meet."""

import itertools

import mpmath
import sympy as sp

from workbench.convex.evaluation import DIGITS, at, number
from workbench.convex.limited import attempt
from workbench.convex.samples import places
from workbench.convex.witness import FAULT, Graph, NotConvex, chord, sentence
from workbench.errors import ConvexityError


def refuse_sampled(expression, u, pieces, setting):
    """Raise `ConvexityError` with two points and the midpoint where a chord lies below the function."""
    for draw in setting.draws:
        p = Graph(expression, u, draw)
        points = []
        for piece in pieces:
            points += places(piece.low, piece.high, draw, 24)
        witness = _witness(p, sorted(points))
        if witness:
            values = {symbol: form.xreplace(draw) for symbol, form in setting.forward.items()}
            ends = (sp.sympify(end).xreplace(draw) for end in (pieces[0].low, pieces[-1].high))
            plain = chord(p, *ends, sp.Rational(mpmath.nstr(witness[1], 6)))
            points = plain or _rounded(p, witness)
            if points is None:
                continue
            raise NotConvex(sentence(p, u, points, values), values, points)


def _rounded(p, witness):
    """The witness in rationals, with the middle in the middle, if it still is one."""
    left, _, right = (sp.Rational(mpmath.nstr(x, 12)) for x in witness)
    points = left, (left + right) / 2, right
    return points if p.lies_above(*points) else None


def _witness(p, points):
    """Neighbouring points with p(middle) above the chord, or None."""
    values = {}

    def at(place):
        if place not in values:
            values[place] = p(place)
        return values[place]

    pairs = [pair for gap in (1, 2, 5) for pair in zip(points, points[gap:], strict=False)]
    for left, right in [*pairs, (points[0], points[-1])]:
        with mpmath.workdps(DIGITS):
            middle = (left + right) / 2
            a, b, m = at(left), at(right), at(middle)
            if not (mpmath.isfinite(a) and mpmath.isfinite(b)):
                continue
            if mpmath.isnan(m) or m - (a + b) / 2 > FAULT * (abs(a) + abs(b) + abs(m)):
                return left, middle, right
    return None


def refuse_jumps(expression, u, pieces, limits, setting):
    """Raise where two pieces do not meet, or where the function's own value at a place differs from both."""
    for (_, right), (before, after) in zip(itertools.pairwise(pieces), limits, strict=True):
        if before != after and setting.sign(after - before) != 0:
            raise ConvexityError(
                f"the function is not convex: it jumps from {setting.leave(before)} to "
                f"{setting.leave(after)} at {u} = {setting.leave(right.low)}; "
                "fix the formula or restrict the domain"
            )
        for draw in setting.draws:
            a = at(before, draw)
            value = _value(expression, u, right.low, draw)
            if value is not None and abs(value - a) > FAULT * (1 + abs(a)):
                raise ConvexityError(
                    f"the function is not convex: at {u} = {setting.leave(right.low)} alone it is "
                    f"{mpmath.nstr(value, 6)}, and {setting.leave(before)} on both sides; "
                    "fix the formula or restrict the domain"
                )


def _value(expression, u, place, draw):
    """The function's own value at an isolated place, or None where the formula gives none."""
    if not expression.has(sp.Piecewise):
        return None
    value = attempt(lambda: expression.subs(draw).subs(u, sp.sympify(place).subs(draw)))
    if value is None or value.has(sp.nan, sp.zoo) or not value.is_number:
        return None
    return mpmath.inf if value.is_infinite else number(value)


