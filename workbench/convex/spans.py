"""q as parts from left to right: from each curved piece of p, each kink and each end of its domain."""

import sympy as sp

from workbench.convex.function import ConvexFunction, Inverse, Knot, Part
from workbench.convex.limited import attempt
from workbench.convex.limits import one_sided
from workbench.convex.piece_conjugate import conjugate_piece
from workbench.errors import ExpressionError


def spans_of(shape, v, setting):
    """(parts, knots) of q: the lower end of the domain of p, pieces and kinks in turn, the upper end."""
    u, pieces, values, slopes = shape
    leave, parts, knots = setting.leave, [], []
    # Before the closed forms, which take what time is left.
    ends = end_values(shape, v, setting)

    def add(low, high, place, value, **known):
        """A part of slopes, and where it begins q at the slope `low`, which p has at the place."""
        if parts or ends[0] is not None:
            at_low = sp.expand(place * low - value) if parts else ends[0]
            knots.append(Knot(leave(low), leave(at_low)))
        parts.append(Part(leave(low), leave(high), **known))

    def add_place(low, high, a, value):
        if setting.order(low, high) > 0:
            add(low, high, a, value, expr=leave(sp.expand(a * v - value)), root=leave(a))

    if values[0][0].is_finite and shape.low.is_finite is not False:
        add_place(-sp.oo, slopes[0][0], shape.low, values[0][0])
    for k, piece in enumerate(pieces):
        if setting.order(*slopes[k]) > 0:
            for part, value, rises, solved in _solve(shape, k, v, setting):
                inverse = Inverse(leave(part.expr), u, leave(part.low), leave(part.high))
                if solved:
                    known = {"expr": leave(solved.value), "root": leave(solved.root)}
                else:
                    root = sp.Function(f"{u}_star", real=True)(v)
                    known = {"expr": root * v - leave(part.expr).subs(u, root), "implicit": True}
                add(*rises, part.low, value, inverse=inverse, index=k, **known)
        if k + 1 < len(pieces):
            add_place(slopes[k][1], slopes[k + 1][0], piece.high, values[k][1])
    if values[-1][1].is_finite and shape.high.is_finite is not False:
        add_place(slopes[-1][1], sp.oo, shape.high, values[-1][1])
    if not parts:
        # p is affine on the whole line: q is finite at its slope alone.
        knots.append(Knot(leave(slopes[0][0]), leave(ends[0])))
    elif ends[1] is not None:
        knots.append(Knot(parts[-1].high, leave(ends[1])))
    return parts, knots


def _solve(shape, k, v, setting):
    """[(part of piece k, p where it begins, its slopes, its conjugate or None)]: one, or two cut at u = 0.

    A root such as v^(1/3) has two spellings.
    """
    u, piece, slopes = shape.u, shape.pieces[k], shape.slopes[k]
    solved = conjugate_piece(piece, u, v, slopes, setting)
    if solved is None and _straddles(piece, setting):
        middle = one_sided(sp.diff(piece.expr, u), u, sp.S.Zero, 1, setting)
        halves = (
            (piece._replace(high=sp.S.Zero), shape.values[k][0], (slopes[0], middle)),
            (piece._replace(low=sp.S.Zero), piece.expr.subs(u, 0), (middle, slopes[1])),
        )
        found = [
            (*half, conjugate_piece(half[0], u, v, half[2], setting, limit=1.0))
            for half in (halves if middle is not None and middle.is_finite else ())
        ]
        if found and all(part for *_, part in found):
            return found
    return [(piece, shape.values[k][0], slopes, solved)]


def _straddles(piece, setting):
    """Whether u = 0 lies inside the piece all over the region; nothing is split for the sake of it."""
    return all(
        end.is_infinite or setting.peek(side * end) == 1 for end, side in ((piece.low, -1), (piece.high, 1))
    )


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


def joined(parts, knots):
    """Neighbours with the same formula as one part."""
    joined = parts[:1]
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
