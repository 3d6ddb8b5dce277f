"""q as parts from left to right: from each curved piece of p, each kink and each end of its domain."""

import sympy as sp

from workbench._support.errors import UndecidedError
from workbench.conjugates.convex.function import ConvexFunction, Inverse, Knot, Part
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.limits import one_sided
from workbench.conjugates.convex.piece_conjugate import conjugate_piece


def conjugate_pieces_of(shape, v, setting):
    """(parts, knots) of q: the lower end of the domain of p, pieces and kinks in turn, the upper end."""
    u, pieces = shape.u, shape.pieces
    leave, knots = setting.leave, []
    parts: list[Part] = []
    # Before the closed forms, which take what time is left.
    ends = end_values(shape, v, setting)

    def add(low, high, place, value, **fields):
        """Add a part of slopes and, where it begins, the value of q at the slope `low`."""
        if parts or ends[0] is not None:
            at_low = sp.expand(place * low - value) if parts else ends[0]
            knots.append(Knot(leave(low), leave(at_low)))
        parts.append(Part(leave(low), leave(high), **fields))

    def add_place(low, high, a, value):
        if setting.order(low, high) > 0:
            add(low, high, a, value, expr=leave(sp.expand(a * v - value)), root=leave(a))

    first, last = pieces[0], pieces[-1]
    if first.values[0].is_finite and first.low.is_finite is not False:
        add_place(-sp.oo, first.slopes[0], first.low, first.values[0])
    for k, piece in enumerate(pieces):
        if setting.order(*piece.slopes) > 0:
            for part, solved in _solve(piece, u, v, setting):
                inverse = Inverse(leave(part.expr), u, leave(part.low), leave(part.high))
                if solved:
                    fields = {"expr": leave(solved.value), "root": leave(solved.root)}
                else:
                    root = sp.Function(f"{u}_star", real=True)(v)
                    fields = {"expr": root * v - leave(part.expr).subs(u, root), "implicit": True}
                low, high = part.slopes
                add(low, high, part.low, part.values[0], inverse=inverse, piece_index=k, **fields)
        if k + 1 < len(pieces):
            add_place(piece.slopes[1], pieces[k + 1].slopes[0], piece.high, piece.values[1])
    if last.values[1].is_finite and last.high.is_finite is not False:
        add_place(last.slopes[1], sp.oo, last.high, last.values[1])
    if not parts:
        # p is affine on the whole line: q is finite at its slope alone.
        knots.append(Knot(leave(first.slopes[0]), leave(ends[0])))
    elif ends[1] is not None:
        knots.append(Knot(parts[-1].high, leave(ends[1])))
    return parts, knots


def _solve(piece, u, v, setting):
    """[(part of the piece, its conjugate or None)]: one, or two cut at u = 0.

    A root such as v^(1/3) has two spellings.
    """
    solved = conjugate_piece(piece, u, v, setting)
    if solved is None and _straddles(piece, setting):
        middle = one_sided(sp.diff(piece.expr, u), u, sp.S.Zero, 1, setting)
        if middle is not None and middle.is_finite:
            (low, high), (before, after), value = piece.values, piece.slopes, piece.expr.subs(u, 0)
            halves = (
                piece._replace(high=sp.S.Zero, values=(low, value), slopes=(before, middle)),
                piece._replace(low=sp.S.Zero, values=(value, high), slopes=(middle, after)),
            )
            pairs = [(half, conjugate_piece(half, u, v, setting, limit=1.0)) for half in halves]
            if all(ok for _, ok in pairs):
                return pairs
    return [(piece, solved)]


def _straddles(piece, setting):
    """Return whether u = 0 lies inside the piece all over the region; no region is split to decide it."""
    return all(
        end.is_infinite or setting.peek(side * end) == 1 for end, side in ((piece.low, -1), (piece.high, 1))
    )


def end_values(shape, v, setting):
    """Return (lower, upper), the values of q at the ends of its domain; None for an open end."""
    u, pieces = shape.u, shape.pieces
    ends: list[sp.Expr | None] = []
    for k, (piece, point, side) in enumerate(((pieces[0], shape.low, 1), (pieces[-1], shape.high, -1))):
        # At an end of the domain of p with a value the slopes go on.
        if piece.slopes[k].is_infinite or (point.is_finite is not False and piece.values[k].is_finite):
            ends.append(None)
            continue
        slope = piece.slopes[k]
        limit = one_sided(u * slope - piece.expr, u, sp.sympify(point), side, setting)
        if limit is None:
            raise UndecidedError(
                f"whether {v} = {setting.leave(slope)} belongs to the domain of the conjugate was not found; "
                "write the formula in another way"
            )
        ends.append(None if limit.is_infinite else limit)
    return tuple(ends)


def joined(v, parts, knots):
    """(parts, knots) with neighbours of the same formula as one part, if it has a value where they meet."""
    joined = parts[:1]
    for part in parts[1:]:
        last = joined[-1]
        closed = not (part.implicit or last.implicit)
        same = closed and attempt(sp.simplify, part.expr - last.expr) == 0
        middle = attempt(last.expr.subs, v, part.low) if same else sp.nan
        if middle is not None and not middle.has(sp.nan, sp.zoo, sp.oo):
            joined[-1] = Part(last.low, part.high, last.expr)
            knots = [knot for knot in knots if knot.place != part.low]
        else:
            joined.append(part)
    return joined, knots


def primal(shape, setting):
    """Return the `ConvexFunction` of a shape, in the parameters."""
    leave = setting.leave
    parts = [Part(leave(piece.low), leave(piece.high), leave(piece.expr)) for piece in shape.pieces]
    knots = []
    ends = [(piece.low, piece.values[0]) for piece in shape.pieces]
    for place, value in (*ends, (shape.high, shape.pieces[-1].values[1])):
        if sp.sympify(place).is_finite is not False and value.is_finite:
            knots.append(Knot(leave(place), leave(value)))
    return ConvexFunction(shape.u, parts, knots, setting)
