"""q as spans from left to right: from each curved piece of p, each kink and each end of its domain."""

from typing import NamedTuple

import sympy as sp

from workbench.convex.function import ConvexFunction, Inverse, Knot, Part
from workbench.convex.limited import attempt
from workbench.convex.limits import one_sided
from workbench.convex.piece_conjugate import conjugate_piece
from workbench.convex.pieces import Piece
from workbench.errors import ExpressionError


class Span(NamedTuple):
    """q on the slopes between `low` and `high`: from piece k (kind "piece") or a place u = a ("place")."""

    low: sp.Expr
    high: sp.Expr
    kind: str
    index: int
    expr: sp.Expr | None
    root: sp.Expr | None = None


def spans_of(shape, v, setting):
    """q from left to right: the lower end of the domain, pieces and kinks in turn, the upper end."""
    _, pieces, values, slopes = shape
    spans = []
    if values[0][0].is_finite and pieces[0].low.is_finite is not False:
        _add_place(spans, -sp.oo, slopes[0][0], pieces[0].low, values[0][0], 0, v, setting)
    for k, piece in enumerate(pieces):
        if setting.order(*slopes[k]) > 0:
            spans += _solve(shape, k, v, setting)
        if k + 1 < len(pieces):
            _add_place(spans, slopes[k][1], slopes[k + 1][0], piece.high, values[k][1], k + 1, v, setting)
    if values[-1][1].is_finite and pieces[-1].high.is_finite is not False:
        _add_place(spans, slopes[-1][1], sp.oo, pieces[-1].high, values[-1][1], len(pieces), v, setting)
    return tuple(spans)


def _solve(shape, k, v, setting):
    """Piece k as one span, or as two cut at u = 0, where a root such as v^(1/3) has two spellings."""
    piece, slopes = shape.pieces[k], shape.slopes[k]
    solved = conjugate_piece(piece, shape.u, v, slopes, setting)
    if solved is None and _straddles(piece, setting):
        middle = one_sided(sp.diff(piece.expr, shape.u), shape.u, sp.S.Zero, 1, setting)
        halves = ((piece.low, sp.S.Zero, slopes[0], middle), (sp.S.Zero, piece.high, middle, slopes[1]))
        spans = []
        for low, high, *ends in halves if middle is not None and middle.is_finite else ():
            part = conjugate_piece(Piece(low, high, piece.expr), shape.u, v, tuple(ends), setting, limit=1.0)
            spans += [Span(*ends, "piece", k, part.value, part.root)] if part else []
        if len(spans) == 2:
            return spans
    expr, root = (solved.value, solved.root) if solved else (None, None)
    return [Span(*slopes, "piece", k, expr, root)]


def reach(shape, span):
    """The ends of the part of its piece that a span's slopes come from: half of one that was cut at u = 0."""
    piece, slopes = shape.pieces[span.index], shape.slopes[span.index]
    if (span.low, span.high) == tuple(slopes):
        return piece.low, piece.high
    return (piece.low, sp.S.Zero) if span.low == slopes[0] else (sp.S.Zero, piece.high)


def known_order(setting, low, high):
    """Whether low < high is proved all over the region; nothing is split for the sake of it."""
    low, high = sp.sympify(low), sp.sympify(high)
    if low == -sp.oo or high == sp.oo:
        return low != high
    return low != sp.oo and high != -sp.oo and setting.peek(high - low) == 1


def _straddles(piece, setting):
    """Whether u = 0 is proved to lie inside the piece."""
    return known_order(setting, piece.low, sp.S.Zero) and known_order(setting, sp.S.Zero, piece.high)


def _add_place(spans, low, high, a, value, index, v, setting):
    if setting.order(low, high) > 0:
        spans.append(Span(low, high, "place", index, sp.expand(a * v - value), a))


def end_values(shape, v, setting):
    """The values of q at the ends of its domain: (lower, upper), None for an end that does not belong."""
    u, pieces, values, slopes = shape
    lower = -sp.oo if shape.low.is_finite is not False and values[0][0].is_finite else slopes[0][0]
    upper = sp.oo if shape.high.is_finite is not False and values[-1][1].is_finite else slopes[-1][1]
    found = []
    for slope, piece, point, side in ((lower, pieces[0], shape.low, 1), (upper, pieces[-1], shape.high, -1)):
        if slope.is_infinite:
            found.append(None)
            continue
        limit = one_sided(u * slope - piece.expr, u, sp.sympify(point), side, setting)
        if limit is None:
            raise ExpressionError(
                f"whether {v} = {setting.leave(slope)} belongs to the domain of the conjugate was not found; "
                "write the formula in another way"
            )
        found.append(None if limit.is_infinite else limit)
    return tuple(found)


def assembled(shape, spans, ends, v, setting):
    leave = setting.leave
    if not spans:
        # p is affine on the whole line: q is finite at its slope alone.
        return ConvexFunction(v, (), (Knot(leave(shape.slopes[0][0]), leave(ends[0])),), setting)
    parts, knots = [], []
    for span in spans:
        if ends[0] is not None and span is spans[0]:
            knots.append(Knot(leave(span.low), leave(ends[0])))
        elif span is not spans[0]:
            knots.append(Knot(leave(span.low), leave(meeting(shape, span))))
        parts.append(_part(shape, span, v, setting))
    if ends[1] is not None:
        knots.append(Knot(leave(spans[-1].high), leave(ends[1])))
    parts, knots = _joined(parts, knots)
    return ConvexFunction(v, parts, knots, setting)


def meeting(shape, span):
    """q at the lower end s of a span: s u - p(u) at the place u where p has that slope."""
    if span.kind == "place":
        k = span.index
        place = shape.low if k == 0 else shape.pieces[k - 1].high
        value = shape.values[0][0] if k == 0 else shape.values[k - 1][1]
    elif span.low != shape.slopes[span.index][0]:
        # The upper half of a piece that was cut at u = 0.
        place, value = sp.S.Zero, shape.pieces[span.index].expr.subs(shape.u, 0)
    else:
        place, value = shape.pieces[span.index].low, shape.values[span.index][0]
    return sp.expand(place * span.low - value)


def _part(shape, span, v, setting):
    leave = setting.leave
    low, high = leave(span.low), leave(span.high)
    if span.kind == "place":
        return Part(low, high, leave(span.expr))
    piece = shape.pieces[span.index]
    inverse = Inverse(leave(piece.expr), shape.u, leave(piece.low), leave(piece.high))
    if span.expr is not None:
        return Part(low, high, leave(span.expr), inverse)
    root = sp.Function(f"{shape.u}_star", real=True)(v)
    return Part(low, high, root * v - leave(piece.expr).subs(shape.u, root), inverse, True)


def _joined(parts, knots):
    """Neighbours with the same formula as one part."""
    joined = [parts[0]]
    for part in parts[1:]:
        last = joined[-1]
        closed = not (part.implicit or last.implicit)
        if closed and attempt(sp.simplify, part.expr - last.expr) == 0:
            joined[-1] = Part(last.low, part.high, last.expr)
            knots = [knot for knot in knots if knot.place != part.low]
        else:
            joined.append(part)
    return joined, knots


def primal(shape, setting):
    leave = setting.leave
    parts = [Part(leave(piece.low), leave(piece.high), leave(piece.expr)) for piece in shape.pieces]
    knots = []
    for k, piece in enumerate(shape.pieces):
        if sp.sympify(piece.low).is_finite is not False and shape.values[k][0].is_finite:
            knots.append(Knot(leave(piece.low), leave(shape.values[k][0])))
    if sp.sympify(shape.high).is_finite is not False and shape.values[-1][1].is_finite:
        knots.append(Knot(leave(shape.high), leave(shape.values[-1][1])))
    return ConvexFunction(shape.u, parts, knots, setting)
