"""A proof, in SymPy, that q is the conjugate of a convex function p of one variable given by pieces.

For a closed convex p that is finite on the whole line, q = p* on [lower, upper] follows from

    convexity    p'' >= 0 on every piece, p continuous, slopes in order where two pieces meet
    pieces       q(p'(u)) = u p'(u) - p(u) identically in u on every piece
    kinks        q(v) = a v - p(a) identically in v between the one-sided slopes at every meeting point a
    domain       the slopes of p run from `lower` at -oo to `upper` at +oo
    ends         at a finite end v, q(v) = lim (u v - p(u))

since the slopes of the pieces and the jumps at the kinks cover the domain without a gap. Symbols for
parameters stay symbols; a number stands for them only to order the meeting points.
"""

import itertools

import sympy as sp

from workbench.convex.primitives import elementary

T = sp.Symbol("t", positive=True)
# Any value serves: the order of -epsilon, 0, 1 and epsilon < 1 is what picks a piece.
SAMPLE = sp.Rational(1, 3)


class ProofError(AssertionError):
    """A step of the proof does not hold."""


def require(truth, step):
    if truth is not True and truth is not sp.true:
        raise ProofError(step)


def vanishes(expression, variable):
    """Whether the expression is zero for every value of the variable."""
    if sp.simplify(sp.powsimp(sp.expand(sp.powdenest(expression)), force=False)) == 0:
        return True
    # Zero everywhere if its derivative is and one value is.
    constant = sp.simplify(sp.diff(expression, variable)) == 0
    return constant and sp.simplify(expression.subs(variable, 1)) == 0


def meeting_points(expression, variable):
    """Where pieces meet, in order: the roots of every condition and of every absolute value."""
    roots = set()
    for node in sp.preorder_traversal(expression):
        if isinstance(node, sp.Abs) and node.has(variable):
            roots |= set(sp.solve(node.args[0], variable))
        elif isinstance(node, sp.core.relational.Relational) and node.has(variable):
            free = node.lhs - node.rhs
            height = sp.expand(sp.Abs(variable) - free * free.coeff(sp.Abs(variable)))
            roots |= set(sp.solve(free, variable)) if height.has(variable) else {-height, height}
    return sorted(roots, key=sampled)


def sampled(expression):
    """The expression with a number for every parameter."""
    expression = sp.sympify(expression)
    return expression.subs(dict.fromkeys(expression.free_symbols, SAMPLE))


def piece(expression, variable, low, high):
    """The expression on (low, high), free of conditions and absolute values of the variable."""
    if low == -sp.oo:
        place = sampled(high) - 1 if high != sp.oo else sp.S.Zero
    else:
        place = sampled(low) + 1 if high == sp.oo else (sampled(low) + sampled(high)) / 2

    def decided(node):
        holds = sampled(node.subs(variable, place))
        require(holds in (sp.true, sp.false), f"{node} is not decided on ({low}, {high})")
        return holds

    fixed = expression.replace(lambda node: isinstance(node, sp.core.relational.Relational), decided)
    return fixed.replace(
        lambda node: isinstance(node, sp.Abs) and node.has(variable),
        lambda node: node.args[0] if sampled(node.args[0].subs(variable, place)) > 0 else -node.args[0],
    )


def inside(variable, low, high):
    """The variable on (low, high) by a positive number T: all of a half line, an open set of an interval."""
    if low == -sp.oo:
        return {variable: high - T} if high != sp.oo else {}
    return {variable: low + T}


def prove_pair(p, u, q, v, lower, upper):
    """Raise `ProofError` at the first step that fails."""
    p, q = elementary(sp.sympify(p)), elementary(sp.sympify(q))
    points = [-sp.oo, *meeting_points(p, u), sp.oo]
    pieces = [(piece(p, u, low, high), low, high) for low, high in itertools.pairwise(points)]
    for part, low, high in pieces:
        _prove_piece(part, u, q, v, low, high)
    for (left, _, point), (right, _, _) in itertools.pairwise(pieces):
        _prove_kink(left, right, u, q, v, point)
    _prove_end(pieces[0][0], u, q, v, lower, -1)
    _prove_end(pieces[-1][0], u, q, v, upper, +1)


def _prove_piece(part, u, q, v, low, high):
    place = inside(u, low, high)
    slope, curvature = (sp.simplify(sp.diff(part, u, order).subs(place)) for order in (1, 2))
    require(curvature.is_nonnegative, f"p'' = {curvature} is 0 or more on ({low}, {high})")
    if not slope.has(T) and not slope.has(u):
        return
    ends = [sp.limit(sp.diff(part, u), u, low, "+"), sp.limit(sp.diff(part, u), u, high, "-")]
    smooth = not any(sampled(ends[0]) < sampled(a) < sampled(ends[1]) for a in meeting_points(q, v))
    require(smooth, f"q is given by one formula for the slopes {ends} of one piece")
    difference = piece(q, v, *ends).subs(v, slope) - (u * slope).subs(place) + part.subs(place)
    require(vanishes(difference, T if place else u), f"q(p'(u)) = u p'(u) - p(u) on ({low}, {high})")


def _prove_kink(left, right, u, q, v, point):
    value = left.subs(u, point)
    require(sp.simplify(value - right.subs(u, point)) == 0, f"p is continuous at {point}")
    before, after = (sp.simplify(sp.limit(sp.diff(part, u), u, point)) for part in (left, right))
    require((after - before).is_nonnegative, f"the slopes {before}, {after} at {point} are in order")
    if after == before:
        return
    between = [a for a in meeting_points(q, v) if sampled(before) < sampled(a) < sampled(after)]
    for low, high in itertools.pairwise([before, *between, after]):
        difference = piece(q, v, low, high) - (point * v - value)
        require(vanishes(difference, v), f"q(v) = {point} v - p({point}) on ({low}, {high})")


def _prove_end(part, u, q, v, end, direction):
    slope = sp.limit(sp.diff(part, u), u, direction * sp.oo)
    agree = sp.simplify(slope - end) == 0 if end.is_finite else slope == end
    require(agree, f"the slopes end at {end}, not {slope}")
    if not end.is_finite:
        return
    supremum = sp.limit(sp.expand_log(sp.expand(u * end - part), force=True), u, direction * sp.oo)
    if supremum in (sp.oo, sp.nan):
        raise ProofError(f"{end} does not belong to the domain")
    value = sp.limit(q, v, end, "-" if direction > 0 else "+")
    require(sp.simplify(value - supremum) == 0, f"q({end}) = {supremum}, not {value}")
