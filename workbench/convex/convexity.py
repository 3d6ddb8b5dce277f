"""Is the function convex? A proof where SymPy finds one, numbers otherwise, and a witness against it."""

import itertools

import mpmath
import sympy as sp

from workbench.convex.limits import attempt
from workbench.convex.pieces import places
from workbench.convex.setting import DIGITS, at, compiled, number
from workbench.errors import ConvexityError

# A second difference below this, relative to the values, is a fault of the function and not of rounding.
FAULT = mpmath.mpf(10) ** -15


def curvature_is_nonnegative(piece, u):
    """True where p'' >= 0 on the piece is proved for all values of the parameters, else False."""
    second = sp.diff(piece.expr, u, 2)
    X = sp.Dummy("X", positive=True)
    for place in _charts(piece, X):
        curvature = second.xreplace({u: place})
        for way in (lambda e: e, sp.factor, sp.simplify, lambda e: sp.factor(sp.together(sp.expand(e)))):
            form = attempt(way, curvature, limit=2.0)
            if form is not None and form.is_nonnegative:
                return True
    return False


def _charts(piece, X):
    """The piece as an expression of a positive X."""
    low, high = piece.low, piece.high
    if low == 0 and high == sp.oo:
        return [X]
    if low.is_infinite and high.is_infinite:
        # An even curvature is decided by the half line; the other half is asked for as well.
        return [sp.Dummy("x", real=True)]
    if high.is_infinite:
        return [low + X] + ([X] if low.is_nonnegative else [])
    if low.is_infinite:
        return [high - X]
    return [(low + high * X) / (1 + X)]


def refuse_nonconvex(expression, u, pieces, setting):
    """Raise `ConvexityError` with two points and the midpoint where a chord lies below the function."""
    for draw in setting.draws:
        p = compiled(expression, u, given=draw)
        points = []
        for piece in pieces:
            points += places(piece.low, piece.high, draw, 24)
        witness = _witness(p, sorted(points))
        if witness:
            raise ConvexityError(_sentence(p, u, witness, draw, setting))


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


def _sentence(p, u, witness, draw, setting):
    def show(x):
        return mpmath.nstr(x, 6)

    left, middle, right = witness
    chord = (p(left) + p(right)) / 2
    values = p(middle)
    sample = "".join(
        f", {symbol} = {mpmath.nstr(at(setting.forward[symbol], draw), 4)}" for symbol in setting.forward
    )
    value = (
        "is not finite" if mpmath.isnan(values) else f"= {show(values)} lies above the chord's {show(chord)}"
    )
    return (
        f"the function is not convex: between {u} = {show(left)} and {u} = {show(right)}{sample}, its value "
        f"at the midpoint {show(middle)} {value}; restrict the domain to an interval where it is convex"
    )


def refuse_jumps(expression, u, pieces, limits, setting):
    """Raise where two pieces do not meet, or where the function's own value at a place differs from both."""
    for (_, right), (before, after) in zip(itertools.pairwise(pieces), limits, strict=True):
        for draw in setting.draws:
            a, b = (at(end, draw) for end in (before, after))
            if abs(a - b) > FAULT * (1 + abs(a)) or not mpmath.isfinite(a):
                raise ConvexityError(
                    f"the function is not convex: it jumps from {setting.leave(before)} to "
                    f"{setting.leave(after)} at {u} = {setting.leave(right.low)}; "
                    "mend the formula or restrict the domain"
                )
            value = _value(expression, u, right.low, draw)
            if value is not None and abs(value - a) > FAULT * (1 + abs(a)):
                raise ConvexityError(
                    f"the function is not convex: at {u} = {setting.leave(right.low)} alone it is "
                    f"{mpmath.nstr(value, 6)}, and {setting.leave(before)} on both sides; "
                    "mend the formula or restrict the domain"
                )


def _value(expression, u, place, draw):
    """The function's own value at an isolated place, or None where the formula gives none."""
    if not expression.has(sp.Piecewise):
        return None
    value = attempt(lambda: expression.subs(draw).subs(u, sp.sympify(place).subs(draw)))
    if value is None or value.has(sp.nan, sp.zoo) or not value.is_number:
        return None
    return mpmath.inf if value.is_infinite else number(value)
