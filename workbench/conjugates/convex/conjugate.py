"""p -> q, q(v) = sup over u of u v - p(u), with its domain, for a convex function of one variable.

A closed convex p is smooth on pieces. Each piece gives q where v is one of its slopes (solve p'(u) = v);
each kink, and each end of the domain, gives a straight piece q(v) = a v - p(a) for the slopes between
the one-sided ones; the range of all slopes is the domain of q, and an end v0 of it belongs to the
domain exactly where u v0 - p(u) has a finite limit, which then is q(v0).

Where any of this depends on the parameters, the derivation runs once for every region of their values.
"""

import contextlib
from collections.abc import Mapping

import mpmath
import sympy as sp

from workbench._support.errors import ConvexityError, ExpressionError, InputError, UndecidedError
from workbench.conjugates.convex.checker.forms import BUDGET
from workbench.conjugates.convex.conjugate_pieces import conjugate_pieces_of, joined, primal
from workbench.conjugates.convex.evaluation import DIGITS
from workbench.conjugates.convex.function import ConvexFunction, Knot, Part
from workbench.conjugates.convex.limited import OutOfTime, attempt, seconds
from workbench.conjugates.convex.pair import Pair
from workbench.conjugates.convex.parse import Parsed, domain_of, from_sympy, parse_domain, parse_expression
from workbench.conjugates.convex.pieces import NowhereFiniteError, is_real_at, without_switches_of_parameters
from workbench.conjugates.convex.regions import explored
from workbench.conjugates.convex.setting import Split
from workbench.conjugates.convex.shape import closed_shape
from workbench.conjugates.convex.tidy import with_short_powers
from workbench.conjugates.convex.units import recounted, units_of
from workbench.conjugates.convex.witness import refuted

# Seconds of processor time: for the search, and for a derivation with its verification. After the first,
# no further step is tried, and the step under way gets PATIENCE seconds to end.
SEARCH_SECONDS, SECONDS, PATIENCE = 11.0, 16.0, 2.0


def conjugate(
    expression: str | sp.Expr | Parsed,
    domain: str | sp.Set | tuple | None = None,
    parameters: Mapping[str, str | list[str]] | None = None,
    variable: str | None = None,
) -> Pair:
    """Return the conjugate of a convex function of one variable, with its domain.

    Parameters
    ----------
    expression : str, sympy.Expr or Parsed
        "log(1 + exp(u))", "max(0, 1 - u)**2 / 2", "abs(u)**p / p"; one free symbol besides the parameters.
    domain : str, sympy.Set or pair, optional
        "u > 0", "0 <= u < 1", Interval(0, 1), (0, 1). By default all u where every part of the formula is
        real and finite as it was typed, before it is simplified: sqrt(u)**2 lives on u >= 0. An end of the
        domain, and a hole with the same finite limit on both sides, gets the limit, which leaves the
        conjugate alone.
    parameters : dict, optional
        Name -> assumption, {"p": "p > 1", "epsilon": "positive"}.
    variable : str, optional
        The argument's name, where the formula does not show it.

    Returns
    -------
    Pair
        With a case for each region of the parameters in which the formula differs; `pair.conditions` says
        for which values the function is convex, where that is not all that were declared.

    Raises
    ------
    ExpressionError
        The text is not a formula, or its domain is empty.
    ConvexityError
        The function is not convex for any declared values; the sentence gives two points and the midpoint.
    UndecidedError
        Neither the checker nor a search in intervals decided whether it is convex, or numbers did not show
        that what was derived is its conjugate.

    Examples
    --------
    >>> import workbench as wb
    >>> pair = wb.conjugate("log(1 + exp(u))")
    >>> pair.q.expr
    v*log(v) + (1 - v)*log(1 - v)
    >>> pair.q(0.25)
    -0.5623351446188084
    >>> pair.verify().status
    'proved'
    """
    with mpmath.workdps(DIGITS), BUDGET.limited_to(SECONDS):
        parsed, region = _read(expression, domain, parameters, variable)
        try:
            with BUDGET.limited_to(SEARCH_SECONDS), seconds(SEARCH_SECONDS + PATIENCE):
                pair = explored(parsed, lambda setting: _searched(parsed, region, setting))
        except OutOfTime:
            raise UndecidedError(
                f"{parsed.expr}: its conjugate was not found within {SEARCH_SECONDS + PATIENCE:.0f} seconds "
                "of processor time; write the function in another way, or narrow its domain and the ranges "
                "of its parameters"
            ) from None
        if pair.verify().status == "failed":
            raise refuted(pair)
        _refuse_undecided(pair)
    return pair


def _refuse_undecided(pair):
    """Refuse a function of which neither the checker nor the search decided that it is convex."""
    members = [member for case in pair.cases for member in getattr(case.pair, "members", (case.pair,))]
    shapes = [member.shape for member in members if member.shape is not None]
    if pair.verify().statuses.get("convex") != "proved" and not all(shape.is_decided for shape in shapes):
        raise UndecidedError(
            f"could not decide whether {members[0].text} is convex: no place was found where its second "
            "derivative is negative, and a proof that it is nonnegative was not found in time; write the "
            "function in another way or restrict the domain"
        )


def _searched(parsed, region, setting):
    """Return the pair of `_derived`; the search only proposes, so its errors leave the question open."""
    try:
        return _derived(parsed, region, setting)
    except NowhereFiniteError as error:
        return _of_the_only_point(parsed, region, setting, error)
    except (InputError, Split):
        raise
    except Exception as error:
        raise UndecidedError(
            f"could not decide whether {setting.leave(parsed.expr)} is convex: the search met "
            f"{type(error).__name__} ({error}); write the function in another way"
        ) from error


def _of_the_only_point(parsed, region, setting, error):
    """Return the pair of a function that is finite at one point alone, an indicator; else raise the error."""
    pairs = []
    for place in error.places:
        with contextlib.suppress(ExpressionError):
            pairs.append(_derived(parsed, sp.FiniteSet(setting.leave(place)), setting))
    if len(pairs) != 1:
        raise error
    pairs[0].notes["wanted"] = region
    return pairs[0]


def _derived(parsed, region, setting):
    """Return the pair for the values of one region."""
    u = parsed.variable
    v = sp.Symbol("v" if u.name != "v" and "v" not in parsed.parameters else "s", real=True)
    p = setting.enter(parsed.expr)
    needs = [need.map(setting.enter) for need in parsed.needs]
    unit, scale = units_of(parsed.expr, u)
    notes = {"natural": region is None, "given": parsed.expr, "text": parsed.text, "wanted": region}
    notes["units"] = scale, unit * scale
    if isinstance(region, sp.FiniteSet):
        return _of_a_point(p, needs, u, v, setting.enter(region.args[0]), setting, notes)
    ends = (-sp.oo, sp.oo) if region is None else (region.inf, region.sup)
    low, high = (without_switches_of_parameters(setting.enter(end), u, setting) for end in ends)
    shape, conjugate_pieces, knots = _in_its_units(parsed.expr, needs, low, high, u, v, setting)
    conjugate_pieces = [part._replace(expr=with_short_powers(part.expr)) for part in conjugate_pieces]
    parts, knots = joined(v, conjugate_pieces, knots)
    q = ConvexFunction(v, parts, knots, setting)
    return Pair(primal(shape, setting), q, shape, tuple(conjugate_pieces), setting, notes)


def _in_its_units(expr, needs, low, high, u, v, setting):
    """Return the shape and the parts and knots of q, derived with u and p in the units of the formula."""

    def derive(unit, scale):
        counted = {u: u / unit}
        form = setting.enter(expr.xreplace(counted) / scale)
        shape = closed_shape(
            form,
            u,
            low * unit,
            high * unit,
            setting,
            [need.map(lambda part: part.xreplace(counted)) for need in needs],
        )
        parts, knots = conjugate_pieces_of(shape, v, setting)
        return recounted(shape, parts, knots, v, unit, scale)

    unit, scale = units_of(expr, u)
    if (unit, scale) != (1, 1):
        # The refusal is repeated in a sentence about u as it was typed.
        with contextlib.suppress(ConvexityError, ExpressionError, UndecidedError):
            return derive(unit, scale)
    return derive(sp.S.One, sp.S.One)


def _read(expression, domain, parameters, variable):
    if isinstance(expression, Parsed):
        parsed = expression
    elif isinstance(expression, str):
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


def _of_a_point(p, needs, u, v, a, setting, notes):
    """Return the pair of a function finite at a alone: q(v) = a v - p(a) on the whole line."""
    value = attempt(p.subs, u, a)
    if value is None or not value.is_finite or not is_real_at(needs, u, a, setting):
        raise ExpressionError(f"{setting.leave(p)}: it is not finite at {u} = {setting.leave(a)}")
    a, value = setting.leave(a), setting.leave(value)
    primal = ConvexFunction(u, (), (Knot(a, value),), setting)
    dual = ConvexFunction(v, (Part(-sp.oo, sp.oo, a * v - value),), (), setting)
    return Pair(primal, dual, None, (), setting, notes | {"natural": False})
