"""The sign of p'' on a piece: a split, a refusal with a witness, or whether the sign is known.

Places are sought by z3 for a function with parameters, by intervals without them, then among sample
values. Where p'' is negative for some values of the parameters, the values at which that may begin (zeros of
its leading coefficient and discriminant, of its limits at the ends and at its extrema) split the region.
"""

import mpmath
import sympy as sp
from flint import arb

from workbench._support.errors import UndecidedError
from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import BUDGET
from workbench.conjugates.convex.evaluation import DIGITS, compiled, number
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.primitives import formula
from workbench.conjugates.convex.samples import places
from workbench.conjugates.convex.witness import refusal

BOXES, FEW, SEEK_SECONDS = 3000, 300, 3.0
DEGREE = 8
# The highest order of a derivative of a factor whose sign is tried.
DEPTH = 4
# The distance of a cut from the centre of a part of the formula, in units of the part.
AROUND, MOST_CUTS = (0, 1, -1, 8, -8), 60
# The largest number in an exponential that SymPy factors.
STEEP = 64


def refuse_bent_down(piece, expression, u, setting):
    """Refuse a piece on which p'' is negative; `expression` is the whole function, for a witness.

    Returns
    -------
    bool
        True if it is decided that p'' is not negative: for all values, or where there are parameters and z3
        does not know, at the sample values.

    Raises
    ------
    Split
        It depends on the parameters.
    ConvexityError
        It is negative, with two points and the midpoint.
    """
    second, ends = sp.diff(piece.expr, u, 2), (piece.low, piece.high)
    if second == 0 or _is_plainly_nonnegative(second, u, *ends):
        return True
    if set().union(*(form.free_symbols for form in (second, *ends))) <= {u}:
        with BUDGET.limited_to(SEEK_SECONDS):
            minimum = least(second, u, *ends, arb(0), True, BOXES)
        if minimum is not None and minimum.upper < 0:
            raise refusal(expression, u, setting, {}, _plain(second, u, minimum.place), ends)
        is_decided, values = minimum is not None and minimum.lower >= 0, {}
        is_decided = is_decided or _sign_between(second, u, *ends) == 1
    else:
        verdict, values = _negative_values(second, u, *ends, setting)
        is_decided = verdict == "no"
    sample = None if is_decided else values or _negative_sample(second, u, piece, setting)
    if sample is None:
        return is_decided or (bool(setting.inner) and _is_nonnegative_at_samples(second, piece, u, setting))
    if setting.inner:
        for border in _borders(second, u, piece, setting):
            # Raises Split where the sign depends on the parameters.
            setting.sign(border)
        _refuse_everywhere(second, piece, u, setting, sample)
    raise refusal(expression, u, setting, sample, sample.get(u), ends)


def _is_plainly_nonnegative(function, u, low, high):
    """Return whether SymPy sees it from the signs of its symbols, which is quick."""
    X = sp.Dummy("X", positive=True)
    if low.is_infinite and high.is_infinite:
        place = sp.Dummy("x", real=True)
    elif low.is_infinite or high.is_infinite:
        place = low + X if high.is_infinite else high - X
    else:
        place = (low + high * X) / (1 + X)
    form = function.xreplace({u: place})
    return bool(form.is_nonnegative or _factored(form).is_nonnegative)


def _factored(form):
    """Return the form in factors; an exponential with large numbers counts as a name."""
    steep = {
        node: sp.Dummy(positive=True)
        for node in form.atoms(sp.exp)
        if any(abs(number) > STEEP for number in sp.expand(node.exp).atoms(sp.Rational))
    }
    named = form.xreplace(steep)
    back = {name: node for node, name in steep.items()}
    return attempt(lambda: sp.factor(sp.together(named)), limit=1.0, default=named).xreplace(back)


# --- intervals


def least(function, u, low, high, *more):
    """Return the `balls.Least` on an interval; None for a function that the checker does not know."""
    try:
        tree, *ends = (
            grammar.parse(formula(expression)) for expression in (_spelled(function, u), low, high)
        )
    except grammar.GrammarError:
        return None
    return balls.least(tree, u.name, *ends, *more, cuts=_centres(function, u))


def _centres(function, u):
    """Numbers around which a part of the formula changes: where a polynomial in it, or its slope, is 0."""
    arguments = {
        part
        for node in sp.preorder_traversal(function)
        if isinstance(node, (sp.Pow, sp.Function)) and not node.is_polynomial(u)
        for part in node.args
        if part.has(u) and part.is_polynomial(u) and part.free_symbols == {u}
    }
    places: dict[sp.Expr, None] = {}
    for argument in sorted(arguments, key=sp.count_ops):
        polynomial = sp.Poly(argument, u)
        for form in (polynomial, polynomial.diff()):
            for root in attempt(form.nroots, limit=0.3, default=()) if form.degree() > 0 else ():
                if not root.is_real:
                    continue
                width = _width(polynomial, root)
                places |= dict.fromkeys(sp.Rational(root) + width * step for step in AROUND)
    return [arb(str(sp.N(place, DIGITS))) for place in places][:MOST_CUTS]


def _width(polynomial, root):
    """Return the length around a place in which a polynomial changes by about 1."""
    slopes, form, factor = [], polynomial, 1
    for k in range(1, polynomial.degree() + 1):
        form, factor = form.diff(), factor * k
        value = abs(float(form.eval(root)) / factor)
        slopes.append(value ** (1 / k))
    return sp.Rational(str(1 / max(slopes))) if max(slopes) else sp.S.One


def _sign_between(function, u, low, high, depth=DEPTH):
    """1 or -1 where a function is nowhere of the other sign between two places, None where that is open.

    A factor has the sign of a finite end's value where its slope leads away from 0, as u e^u - e^u + 1 has.
    """
    sign = 1
    for factor in sp.Mul.make_args(_factored(function.rewrite(sp.exp))):
        base, exponent = factor.as_base_exp() if factor.func != sp.exp else (sp.E, factor.exp)
        if base.is_positive or (exponent.is_Integer and exponent % 2 == 0):
            continue
        own = _factor_sign(base, u, low, high, depth)
        if own is None:
            return None
        sign *= own
    return sign


def _factor_sign(factor, u, low, high, depth):
    for sign in (1, -1):
        if _is_plainly_nonnegative(sign * factor, u, low, high):
            return sign
    slope = _sign_between(sp.diff(factor, u), u, low, high, depth - 1) if depth and factor.has(u) else None
    if not slope:
        return None
    for end, way in ((low, 1), (high, -1)):
        value = None if end.is_finite is False else attempt(factor.subs, u, end)
        if value is not None and value.is_number and (value == 0 or (value * slope * way).is_positive):
            return slope * way
    return None


def _is_nonnegative_at_samples(second, piece, u, setting):
    """Return whether intervals show p'' >= 0 at every set of sample values."""
    for draw in setting.draws:
        form, low, high = (part.xreplace(draw) for part in (second, piece.low, piece.high))
        if _is_plainly_nonnegative(form, u, low, high):
            continue
        minimum = least(form, u, low, high, arb(0), False, BOXES)
        if (minimum is None or not minimum.lower >= 0) and _sign_between(form, u, low, high) != 1:
            return False
    return True


def _spelled(function, u):
    """Return the function as products of few factors, which intervals enclose narrowly.

    Powers stay by themselves, and so does what an exponential makes small at both ends.
    """
    groups: dict[tuple, list[sp.Expr]] = {}
    for term in sp.Add.make_args(function):
        fast = [
            factor
            for factor in sp.Mul.make_args(term)
            if isinstance(factor, sp.exp)
            and not (factor.args[-1].is_polynomial(u) and sp.degree(factor.args[-1], u) < 2)
        ]
        rest = term / sp.Mul(*fast)
        groups.setdefault((sp.Mul(*fast), bool(fast) or rest.is_polynomial(u)), []).append(rest)
    slow = sp.Add(*groups.pop((sp.S.One, False), []))
    return sp.Add(_factored(slow), *(fast * sp.Add(*terms) for (fast, _), terms in groups.items()))


def _plain(second, u, place):
    """Return the number with the fewest digits near a place at which p'' is at most half its value there."""
    value, exact = compiled(second, u), sp.Rational(place.str(DIGITS, radius=False))
    guesses = (sp.Rational(place.str(digits, radius=False)) for digits in range(1, DIGITS))
    lowest = value(number(exact)) / 2
    return next((guess for guess in guesses if value(number(guess)) <= lowest), exact)


# --- z3


def _negative_values(function, u, low, high, setting):
    function, low, high = (setting.leave(form) for form in (function, low, high))
    ends = [sp.Lt(low, u)] * (low.is_finite is not False) + [sp.Lt(u, high)] * (high.is_finite is not False)
    return setting.solver.example(sp.Lt(sp.factor(function), 0), *ends)


def _negative_sample(second, u, piece, setting):
    """Sample values, of the variable too, at which the expression is negative, or None."""
    for draw in (*setting.draws, *setting.far):
        value = compiled(second, u, numbers=draw)
        for place in places(piece.low, piece.high, draw, 24):
            height = value(place)
            if mpmath.isfinite(height) and height < -(mpmath.mpf(10) ** -20):
                numbers = {symbol: form.xreplace(draw) for symbol, form in setting.forward.items()}
                return {**numbers, u: sp.Rational(mpmath.nstr(place, 6))}
    return None


def _borders(second, u, piece, setting):
    """Expressions in the parameters, one of which vanishes where p'' begins to be negative."""
    form = attempt(sp.factor, sp.together(second), limit=1.0, default=second)
    for factor in sp.Mul.make_args(form):
        if not factor.has(u):
            yield factor.as_base_exp()[0]
    numerator = sp.Mul(
        *(factor for factor in sp.Mul.make_args(sp.fraction(form)[0]) if not factor.is_positive)
    )
    for node in second.atoms(sp.Pow):
        if node.base.has(u) and node.exp.free_symbols and not node.exp.has(u):
            yield node.exp
    if numerator.is_polynomial(u):
        polynomial = sp.Poly(numerator, u)
        yield polynomial.LC()
        ends = [end for end in (piece.low, piece.high) if end.is_finite is not False]
        yield from (polynomial.as_expr().subs(u, end) for end in ends)
        if 1 < polynomial.degree() <= DEGREE:
            yield sp.discriminant(polynomial)
        return
    for factor in sp.Mul.make_args(numerator):
        for logarithm in factor.atoms(sp.log):
            if logarithm.has(u) and factor.is_polynomial(logarithm):
                leading = sp.Poly(factor, logarithm).LC()
                yield from [] if leading.has(u) else [leading]
    yield from _limits_and_extrema(second, u, piece, setting)


def _limits_and_extrema(second, u, piece, setting):
    from workbench.conjugates.convex import invert
    from workbench.conjugates.convex.limits import one_sided

    for point, side in ((piece.low, 1), (piece.high, -1)):
        limit = one_sided(second, u, point, side, setting)
        if limit is not None:
            yield limit
    third = sp.diff(second, u)
    for root in attempt(lambda: list(invert.solve(third, u, sp.S.Zero)), limit=2.0, default=()):
        value = attempt(second.subs, u, root)
        if value is not None and not value.has(u, sp.nan, sp.zoo, sp.oo, sp.I):
            yield value


def _refuse_everywhere(second, piece, u, setting, values):
    """Raise if the function is convex for some values only of a region that no border splits."""
    for draw in setting.draws:
        form, low, high = (e.xreplace(draw) for e in (second, piece.low, piece.high))
        if not form.free_symbols <= {u} or low == high:
            continue
        minimum = least(form, u, low, high, arb(0), True, FEW)
        if minimum is None or not minimum.upper < 0:
            text = ", ".join(f"{s} = {v}" for s, v in values.items() if s != u)
            raise UndecidedError(
                f"the function is convex for some values of the parameters only, and not for {text}; "
                "narrow their ranges to where it is convex"
            )
