"""Facts from the pieces of a function: its kinks, its curvature, its simple form.

A fact that no argument settles is left open: the bound of the curvature is then infinite, and a solver
finds its steps by trying. All are expressions in the symbols of the term.
"""

import math

import sympy as sp

from workbench.conjugates.convex.curvature import least
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.primitives import elementary

# The tolerance of a sum of two probabilities in numbers, before a proof is tried.
TOLERANCE = 1e-9


def _leave(pair, expression):
    """Return an expression of the shape of a pair in its parameters.

    A shape is written in the symbols of the region in which it was derived: of the first, where several
    became one.
    """
    return pair.cases[0].pair.setting.leave(expression)


def kinks(pair, back):
    """(place, slope before, slope after) wherever the slope of p jumps, in the symbols of the term."""
    shape = pair.shape
    return tuple(
        tuple(_leave(pair, value).xreplace(back) for value in (piece.high, before[1], after[0]))
        for piece, before, after in zip(shape.pieces, shape.slopes, shape.slopes[1:], strict=False)
        if sp.simplify(before[1] - after[0]) != 0
    )


def is_likelihood(term):
    """Return whether e^-p(u) + e^-p(-u) = 1 at every u, so that e^-p(y z) is the probability of y at z.

    False where that was not proved, and for losses of another kind than margins.
    """
    if term.kind != "margin" or term.domain is not None:
        return False
    value = elementary(term.value)
    (u,) = value.free_symbols - set(term.symbols)
    # The sum is the same at u and -u.
    above = sp.Symbol("above", positive=True)
    total = sp.exp(-value.xreplace({u: above})) + sp.exp(-value.xreplace({u: -above}))
    sample = total.xreplace({above: sp.Rational(7, 5), **dict.fromkeys(term.symbols, sp.Rational(3, 2))})
    if abs(sp.N(sample) - 1) > TOLERANCE:
        return False
    return attempt(lambda: sp.simplify((total - 1).rewrite(sp.exp)) == 0, default=False)


def is_steep(pair):
    """Return whether the slope of p is infinite at both ends of its domain; p* then bends at its ends."""
    slopes = pair.shape.slopes
    return slopes[0][0] == -sp.oo and slopes[-1][1] == sp.oo


def smoothness(pair, back):
    """Return the exponent of Hölder continuity of p' around places where p'' is infinite; 1 without one.

    Where p'' grows like |u - s|^(nu - 1), (u - s) p'''/p'' tends to nu - 1. In the symbols of the term.
    """
    u, candidates = pair.shape.u, [sp.S.One]
    for piece in pair.shape.pieces:
        second = attempt(sp.simplify, sp.diff(piece.expr, u, 2), limit=2.0, default=sp.diff(piece.expr, u, 2))
        for place, side in ((piece.low, "+"), (piece.high, "-")):
            if second != 0 and place.is_finite:
                ratio = (u - place) * sp.diff(second, u) / second
                growth = attempt(lambda r=ratio, s=place, d=side: sp.limit(sp.simplify(r), u, s, d))
                # At -1 and below the slope itself is infinite, at an end of the domain.
                if growth is not None and growth.is_finite and not (1 + growth).is_nonpositive:
                    candidates.append(_leave(pair, 1 + growth).xreplace(back))
    return sp.Min(*candidates)


def conjugate_kinks(pair, back):
    """(place, slope before, slope after) wherever the slope of p* jumps: the straight pieces of p."""
    shape = pair.shape
    return tuple(
        tuple(_leave(pair, value).xreplace(back) for value in (slopes[0], piece.low, piece.high))
        for piece, slopes in zip(shape.pieces, shape.slopes, strict=True)
        if piece.low.is_finite
        and piece.high.is_finite
        and piece.low != piece.high
        and sp.simplify(slopes[0] - slopes[1]) == 0
    )


def conjugate_form(pair, back):
    """Return (a, b, e) where p*(nu) = a nu^2 / 2 + b nu + e |nu| on its domain; () for every other p*."""
    q = pair.q
    if q.implicit or [part.high for part in q.parts[:-1]] not in ([], [0]):
        return ()
    quadratics = []
    for part in q.parts:
        coefficients = _parabola(part.expr, q.variable)
        if not coefficients or coefficients[2] != 0:
            return ()
        quadratics.append(coefficients)
    (second, left, _), (other, right, _) = quadratics[0], quadratics[-1]
    if sp.simplify(second - other) != 0:
        return ()
    form = second, (left + right) / 2, (right - left) / 2
    return tuple(sp.simplify(coefficient).xreplace(back) for coefficient in form)


def parabolas(pair, back):
    """(low, high, a, b, c) of each piece where all are p(u) = a u^2 / 2 + b u + c; () for every other p."""
    pieces = [(piece.low, piece.high, *_parabola(piece.expr, pair.shape.u)) for piece in pair.shape.pieces]
    if any(len(piece) == 2 for piece in pieces):
        return ()
    return tuple(tuple(_leave(pair, entry).xreplace(back) for entry in piece) for piece in pieces)


def _parabola(expr, u):
    """Return (a, b, c) of a u^2 / 2 + b u + c; () for every other expression."""
    # SymPy would take minutes to simplify the second derivative of Cardano's formulas.
    second = attempt(sp.simplify, sp.diff(expr, u, 2), limit=2.0)
    if second is None or second.has(u):
        return ()
    rest = sp.expand(sp.simplify(expr - second * u**2 / 2))
    return second, rest.coeff(u, 1), sp.simplify(rest.coeff(u, 0))


def separable_parts(pair, back):
    """(e, k) where p(w) = e |w| + k w^2 / 2 on the whole line; () for every other p."""
    pieces, u = pair.shape.pieces, pair.shape.u
    if pair.p.domain != sp.S.Reals or [piece.high for piece in pieces[:-1]] not in ([], [0]):
        return ()
    quadratics = [_parabola(piece.expr, u) for piece in pieces]
    if not all(quadratics):
        return ()
    (second, left, low), (other, right, high) = quadratics[0], quadratics[-1]
    if any(sp.simplify(difference) != 0 for difference in (second - other, left + right, low, high)):
        return ()
    return tuple(_leave(pair, sp.simplify(expression)).xreplace(back) for expression in (right, second))


def curvature(pair, back):
    """Return an upper bound of p'' between the kinks, infinite where none was proved for all parameters."""
    u = pair.shape.u
    bounds = [_second(piece.expr, piece.low, piece.high, u, upper=True) for piece in pair.shape.pieces]
    return sp.Max(*(_leave(pair, bound).xreplace(back) for bound in bounds))


def modulus(pair, fixed):
    """Return a lower bound of p'', 0 where none was proved; `fixed` has numbers for parameters by name."""
    numbers = {
        parameter.symbol: fixed[name] for name, parameter in pair.setting.parameters.items() if name in fixed
    }
    pieces = (
        [_leave(pair, expression).xreplace(numbers) for expression in (piece.expr, piece.low, piece.high)]
        for piece in pair.shape.pieces
    )
    return float(min(_second(expr, low, high, pair.shape.u, upper=False) for expr, low, high in pieces))


def _second(expr, low, high, u, upper):
    """Return a proved bound of the second derivative on an interval; else infinity above, or 0 below."""
    derived = sp.diff(expr, u, 2)
    second = attempt(sp.simplify, derived, limit=2.0, default=derived)
    if not second.has(u):
        return second if upper or second.is_number else sp.S.Zero
    as_derived = [derived] * (derived.free_symbols == {u})
    factor, second, low, high = _unit(second, low, high, u)
    if second.free_symbols != {u} or low.free_symbols or high.free_symbols:
        return sp.oo if upper else sp.S.Zero
    bounds = [_bound(-form if upper else form, u, low, high) for form in (second, *as_derived)]
    bound = max(bounds, default=-math.inf)
    if upper:
        return factor * sp.Float(-bound) if bound > -math.inf else sp.oo
    return factor * sp.Float(bound) if 0.0 < bound < math.inf else sp.S.Zero


def _bound(function, u, low, high):
    """Return a float below an infimum."""
    minimum = least(function, u, low, high)
    return -math.inf if minimum is None else math.nextafter(float(minimum.lower), -math.inf)


def _unit(second, low, high, u):
    """Return (factor, f, its ends) if second is factor f(u / s); else (1, second, ...)."""
    for scale in sorted(second.free_symbols - {u}, key=str):
        if scale.is_positive:
            factor, rest = sp.simplify(second.subs(u, scale * u)).as_independent(u)
            ends = low / scale, high / scale
            if rest.free_symbols == {u} and factor.is_positive and not any(end.free_symbols for end in ends):
                return factor, rest, *ends
    return sp.S.One, second, low, high
