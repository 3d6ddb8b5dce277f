"""Is p'' negative anywhere on a piece? A split, or a refusal with a witness; that it is not the checker says.

Places are sought by z3 where there are parameters, by intervals where there are none, then among sample
values. Where p'' is negative for some values of the parameters, the values at which that may begin (zeros of
its leading coefficient and discriminant, of its limits at the ends and at its extrema) split the region.
"""

import mpmath
import sympy as sp
from flint import arb

from workbench.convex.checker import balls, grammar
from workbench.convex.checker.forms import BUDGET
from workbench.convex.evaluation import DIGITS, compiled, number
from workbench.convex.evidence import formula
from workbench.convex.limited import attempt
from workbench.convex.samples import places
from workbench.convex.witness import refusal
from workbench.errors import ExpressionError

BOXES, FEW, SEEK_SECONDS = 3000, 300, 2.0
DEGREE = 8


def refuse_bent_down(piece, expression, u, setting):
    """Refuse a piece on which p'' is negative; `expression` is the whole function, for a witness.

    Raises
    ------
    Split
        It depends on the parameters.
    ConvexityError
        It is negative, with two points and the midpoint.
    """
    second, ends = sp.diff(piece.expr, u, 2), (piece.low, piece.high)
    if second == 0 or _is_plainly_nonnegative(second, u, *ends):
        return
    if set().union(*(form.free_symbols for form in (second, *ends))) <= {u}:
        with BUDGET.of(SEEK_SECONDS):
            minimum = least(second, u, *ends, arb(0), True, BOXES)
        if minimum is not None and minimum.upper < 0:
            raise refusal(expression, u, setting, {}, _plain(second, u, minimum.place), ends)
        is_decided, values = minimum is not None and minimum.lower >= 0, {}
    else:
        verdict, values = _negative_values(second, u, *ends, setting)
        is_decided = verdict == "no"
    values = None if is_decided else values or _negative_sample(second, u, piece, setting)
    if values is None:
        return
    if setting.inner:
        for border in _borders(second, u, piece, setting):
            # Raises Split where the sign depends on the parameters.
            setting.sign(border)
        _refuse_everywhere(second, piece, u, setting, values)
    raise refusal(expression, u, setting, values, values.get(u), ends)


def _is_plainly_nonnegative(function, u, low, high):
    """Whether SymPy sees it from the signs of its symbols, which is quick."""
    X = sp.Dummy("X", positive=True)
    if low.is_infinite and high.is_infinite:
        place = sp.Dummy("x", real=True)
    elif low.is_infinite or high.is_infinite:
        place = low + X if high.is_infinite else high - X
    else:
        place = (low + high * X) / (1 + X)
    form = function.xreplace({u: place})
    return bool(form.is_nonnegative or attempt(sp.factor, form, limit=1.0, default=form).is_nonnegative)


# --- intervals


def least(function, u, low, high, *more):
    """The `balls.Least` on an interval; None for a function that the checker has no rules for."""
    try:
        tree, *ends = (grammar.read(formula(each)) for each in (_spelled(function, u), low, high))
    except grammar.GrammarError:
        return None
    return balls.least(tree, u.name, *ends, *more)


def _spelled(function, u):
    """The same as products of few factors, which intervals enclose narrowly.

    Powers stay by themselves, and so does what an exponential makes small at both ends.
    """
    groups = {}
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
    slow = attempt(lambda: sp.factor(sp.together(slow)), limit=1.0, default=slow)
    return sp.Add(slow, *(fast * sp.Add(*terms) for (fast, _), terms in groups.items()))


def _plain(second, u, place):
    """The number of fewest digits near a place where p'' is negative, at which it is half as low at least."""
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
    yield from _limits_and_extrema(second, u, piece, setting)


def _limits_and_extrema(second, u, piece, setting):
    from workbench.convex import invert
    from workbench.convex.limits import one_sided

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
    """An error of its own where the function is convex for some values in a region that nothing splits."""
    for draw in setting.draws:
        form, low, high = (e.xreplace(draw) for e in (second, piece.low, piece.high))
        if not form.free_symbols <= {u} or low == high:
            continue
        minimum = least(form, u, low, high, arb(0), True, FEW)
        if minimum is None or not minimum.upper < 0:
            text = ", ".join(f"{s} = {v}" for s, v in values.items() if s != u)
            raise ExpressionError(
                f"the function is convex for some values of the parameters only, and not for {text}; "
                "narrow their ranges to where it is convex"
            )
