"""p -> q, q(v) = sup over u of u v - p(u), with its domain, for a convex function of one variable.

A closed convex p is smooth on pieces. Each piece gives q where v is one of its slopes (solve p'(u) = v);
each kink, and each end of the domain, gives a straight piece q(v) = a v - p(a) for the slopes between
the one-sided ones; the range of all slopes is the domain of q, and an end v0 of it belongs to the
domain exactly where u v0 - p(u) has a finite limit, which then is q(v0).
"""

from itertools import pairwise
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.convex import steps
from workbench.convex.convexity import refuse_jumps, refuse_nonconvex
from workbench.convex.function import ConvexFunction, Inverse, Knot, Part
from workbench.convex.limits import attempt, one_sided, sign_at
from workbench.convex.parse import domain_of, from_sympy, parse_domain, parse_expression
from workbench.convex.piece_conjugate import conjugate_piece
from workbench.convex.pieces import Piece, check_connected, continues, pieces_of
from workbench.convex.setting import DIGITS, Setting, at
from workbench.errors import ConvexityError, ExpressionError


class Shape(NamedTuple):
    """A closed convex function as the conjugation sees it, in the symbols of the setting.

    `values` are the limits of p at both ends of every piece, `slopes` those of p'.
    """

    u: sp.Symbol
    pieces: tuple
    values: tuple
    slopes: tuple

    @property
    def low(self):
        return self.pieces[0].low

    @property
    def high(self):
        return self.pieces[-1].high


class Span(NamedTuple):
    """q on the slopes between `low` and `high`: from piece k (kind "piece") or a place u = a ("place")."""

    low: sp.Expr
    high: sp.Expr
    kind: str
    index: int
    expr: sp.Expr | None
    root: sp.Expr | None = None


class Pair:
    """A convex function and its conjugate.

    Attributes
    ----------
    p, q : ConvexFunction
    steps : list of Step
        The derivation, to be read.
    """

    def __init__(self, p, q, shape, spans, ends, setting, notes):
        self.p, self.q, self.shape, self.spans, self.ends = p, q, shape, spans, ends
        self.setting = setting
        self.steps = steps.derivation(self, notes)

    def verify(self):
        """`Verification`: what was proved of this pair, and what was only checked in numbers."""
        from workbench.convex.verify import verify_pair

        return verify_pair(self)

    def __repr__(self):
        return f"Pair(p={self.p}, q={self.q})"


@mpmath.workdps(DIGITS)
def conjugate(expression, domain=None, parameters=None, variable=None):
    """The conjugate of a convex function of one variable, with its domain.

    Parameters
    ----------
    expression : str or sympy.Expr
        "log(1 + exp(u))", "max(0, 1 - u)**2 / 2", "abs(u)**p / p"; one free symbol besides the parameters.
    domain : str, sympy.Set or pair, optional
        "u > 0", "0 <= u < 1", Interval(0, 1), (0, 1); by default all u where the formula is real and finite.
    parameters : dict, optional
        Name -> assumption, {"p": "p > 1", "epsilon": "positive"}.
    variable : str, optional
        The argument's name, where the formula does not show it.

    Raises
    ------
    ExpressionError
        The text is no formula, or its domain is empty.
    ConvexityError
        The function is not convex; the sentence gives two points and the midpoint.
    """
    parsed, wanted = _read(expression, domain, parameters, variable)
    setting = Setting(parsed.parameters)
    u = parsed.variable
    v = sp.Symbol("v" if u.name != "v" and "v" not in parsed.parameters else "s", real=True)
    p = setting.enter(parsed.expr)
    if isinstance(wanted, sp.FiniteSet):
        return _of_a_point(p, u, v, setting.enter(wanted.args[0]), setting)
    low, high = (-sp.oo, sp.oo) if wanted is None else (setting.enter(wanted.inf), setting.enter(wanted.sup))
    shape = closed_shape(p, u, low, high, setting)
    spans = _spans(shape, v, setting)
    ends = _end_values(shape, spans, v, setting)
    q = _assemble(shape, spans, ends, v, setting)
    primal = _primal(shape, setting)
    notes = {"natural": wanted is None, "given": parsed.expr}
    pair = Pair(primal, q, shape, spans, ends, setting, notes)
    from workbench.convex.verify import refuse_wrong

    refuse_wrong(pair, p)
    return pair


def _read(expression, domain, parameters, variable):
    if isinstance(expression, str):
        if variable is None and isinstance(domain, str):
            # A constant shows no variable; its domain may.
            variable = _variable_of(expression, domain, parameters)
        parsed = parse_expression(expression, parameters, variable)
    else:
        parsed = from_sympy(expression, parameters, variable)
    return parsed, domain_of(domain, parsed.variable, parsed.parameters)


def _variable_of(expression, domain, parameters):
    try:
        parse_expression(expression, parameters, None)
        return parse_domain(domain, None, parameters)[1]
    except ExpressionError:
        return None


def _of_a_point(p, u, v, a, setting):
    """sup over the one point a: q(v) = a v - p(a) on the whole line."""
    value = attempt(p.subs, u, a)
    if value is None or not value.is_finite:
        raise ExpressionError(f"{setting.leave(p)}: it has no finite value at {u} = {setting.leave(a)}")
    a, value = setting.leave(a), setting.leave(value)
    primal = ConvexFunction(u, (), (Knot(a, value),), setting)
    dual = ConvexFunction(v, (Part(-sp.oo, sp.oo, a * v - value),), (), setting)
    return Pair(primal, dual, None, (), (), setting, {"natural": False, "given": setting.leave(p)})


def closed_shape(p, u, low, high, setting):
    """Pieces with the limits of p and p' at their ends; refuses what is not a closed convex function."""
    if low == high or any(
        sign_at(high - low, draw) == -1 for draw in setting.draws if low.is_finite and high.is_finite
    ):
        raise ExpressionError(f"the domain from {setting.leave(low)} to {setting.leave(high)} is empty")
    pieces = pieces_of(p, u, low, high, setting)
    try:
        values = [_limits(piece, piece.expr, u, setting) for piece in pieces]
    except ExpressionError:
        # That sin u has no limit is no news where two points and the midpoint say more.
        refuse_nonconvex(p, u, pieces, setting)
        raise

    def gap(left, right):
        k = pieces.index(left)
        return left.high != right.low or not (values[k][1].is_finite and values[k + 1][0].is_finite)

    check_connected(pieces, gap)
    refuse_jumps(p, u, pieces, [(a[1], b[0]) for a, b in pairwise(values)], setting)
    refuse_nonconvex(p, u, pieces, setting)
    for point, value in ((low, values[0][0]), (high, values[-1][1])):
        if value == -sp.oo and point.is_finite is not False:
            raise ConvexityError(
                f"the function falls to -oo at {u} = {setting.leave(point)}; mend the formula"
            )
    pieces, values = _merged(pieces, values)
    slopes = [_limits(piece, sp.diff(piece.expr, u), u, setting) for piece in pieces]
    return Shape(u, tuple(pieces), tuple(values), tuple(slopes))


def _merged(pieces, values):
    """Neighbours with one formula as one piece."""
    joined, ends = pieces[:1], values[:1]
    for piece, limits in zip(pieces[1:], values[1:], strict=True):
        if continues(joined[-1], piece):
            joined[-1], ends[-1] = Piece(joined[-1].low, piece.high, piece.expr), (ends[-1][0], limits[1])
        else:
            joined.append(piece)
            ends.append(limits)
    return joined, ends


def _limits(piece, expression, u, setting):
    ends = []
    for point, side in ((piece.low, 1), (piece.high, -1)):
        limit = one_sided(expression, u, sp.sympify(point), side, setting)
        if limit is None:
            raise ExpressionError(
                f"the limit of {setting.leave(expression)} as {u} tends to {setting.leave(point)} was not "
                "found; write the formula in another way or restrict the domain"
            )
        ends.append(limit)
    return tuple(ends)


def _spans(shape, v, setting):
    """q from left to right: the lower end of the domain, pieces and kinks in turn, the upper end."""
    _, pieces, values, slopes = shape
    spans = []
    if values[0][0].is_finite and pieces[0].low.is_finite is not False:
        _add_place(spans, -sp.oo, slopes[0][0], pieces[0].low, values[0][0], 0, v, setting)
    for k, piece in enumerate(pieces):
        if _less(slopes[k][0], slopes[k][1], setting):
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


def _straddles(piece, setting):
    return all(at(piece.low, draw) < 0 < at(piece.high, draw) for draw in setting.draws)


def _add_place(spans, low, high, a, value, index, v, setting):
    if _less(low, high, setting):
        spans.append(Span(low, high, "place", index, sp.expand(a * v - value), a))


def _less(low, high, setting):
    """Whether low < high; they are equal where they agree for all sample values."""
    if low == high:
        return False
    if low == -sp.oo or high == sp.oo:
        return True
    if high == -sp.oo or low == sp.oo:
        return False
    signs = {sign_at(high - low, draw) for draw in setting.draws}
    if signs == {0}:
        return False
    if signs == {1}:
        return True
    raise ConvexityError(
        f"the slopes {setting.leave(low)} and {setting.leave(high)} are in the wrong order for some values "
        "of the parameters, so the function is not convex; narrow their ranges"
    )


def _end_values(shape, spans, v, setting):
    """The values of q at the ends of its domain: (lower, upper), None for an end that does not belong."""
    u, pieces, _, slopes = shape
    lower = spans[0].low if spans else slopes[0][0]
    upper = spans[-1].high if spans else slopes[-1][1]
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


def _assemble(shape, spans, ends, v, setting):
    leave = setting.leave
    if not spans:
        # p is affine on the whole line: q is finite at its slope alone.
        return ConvexFunction(v, (), (Knot(leave(shape.slopes[0][0]), leave(ends[0])),), setting)
    parts, knots = [], []
    for span in spans:
        if ends[0] is not None and span is spans[0]:
            knots.append(Knot(leave(span.low), leave(ends[0])))
        elif span is not spans[0]:
            knots.append(Knot(leave(span.low), leave(_meeting(shape, span))))
        parts.append(_part(shape, span, v, setting))
    if ends[1] is not None:
        knots.append(Knot(leave(spans[-1].high), leave(ends[1])))
    parts, knots = _joined(parts, knots)
    return ConvexFunction(v, parts, knots, setting)


def _meeting(shape, span):
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


def _primal(shape, setting):
    leave = setting.leave
    parts = [Part(leave(piece.low), leave(piece.high), leave(piece.expr)) for piece in shape.pieces]
    knots = []
    for k, piece in enumerate(shape.pieces):
        if sp.sympify(piece.low).is_finite is not False and shape.values[k][0].is_finite:
            knots.append(Knot(leave(piece.low), leave(shape.values[k][0])))
    if sp.sympify(shape.high).is_finite is not False and shape.values[-1][1].is_finite:
        knots.append(Knot(leave(shape.high), leave(shape.values[-1][1])))
    return ConvexFunction(shape.u, parts, knots, setting)
