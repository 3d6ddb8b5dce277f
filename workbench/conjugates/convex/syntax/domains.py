"""The domain of a function: a condition or an interval in text, or what SymPy has for it."""

import sympy as sp

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.syntax.bounds import WHOLE_LINE, Bound, intersect
from workbench.conjugates.convex.syntax.build import Builder
from workbench.conjugates.convex.syntax.conditions import bounds_in
from workbench.conjugates.convex.syntax.names import choose, refuse_unknown, symbols_of, variable_name
from workbench.conjugates.convex.syntax.parameters import parse_parameters
from workbench.conjugates.convex.syntax.rebuild import Rebuild, symbol_names
from workbench.conjugates.convex.syntax.sizes import INFINITE, Unfit
from workbench.conjugates.convex.syntax.text import clean, read_source
from workbench.conjugates.convex.syntax.walk import Walk, undeclared

WHAT = "domain"
WORDS = ("real", "reals", "all", "R")
UNION = "a union is not the domain of a convex function, which lives on one interval; name one interval"


def parse_domain(text, variable=None, parameters=None):
    """Return the set that a text names, and the variable (None if neither the text nor the caller names one).

    Read are conditions ("u > 0", "0 <= u < 1", "abs(u) <= r", "u == 0"), intervals ("[0, 1)",
    "(0, oo)", "{0}") and "real".
    """
    text = clean(WHAT, text)
    parameters = parse_parameters(parameters)
    name = variable_name(variable, parameters)
    stripped = text.strip(" \t")
    if stripped in WORDS:
        return sp.S.Reals, sp.Symbol(name, real=True) if name else None
    build = Builder()
    middle = _comma(text) if stripped[0] in "[({]" else None
    if middle is not None or stripped[0] in "[{]":
        bound = _notation(build, text, middle, parameters)
    else:
        source = read_source(WHAT, text)
        declared = {*parameters, name} if name else set(parameters)
        name = choose(WHAT, undeclared(source, declared), name, parameters, source)
        walk = Walk(source, symbols_of(name, parameters), build)
        bound = _merged(build, bounds_in(walk, source.tree, walk.symbols[name]))
    return _as_set(build, bound, parameters), sp.Symbol(name, real=True) if name else None


def domain_of(domain, variable=None, parameters=None):
    """Return the set that any way of naming a domain stands for; None stays None.

    Parameters
    ----------
    domain : None, str, sympy.Set, sympy relational or And of them, or tuple
        A tuple (low, high) is a closed interval.
    """
    if domain is None:
        return None
    if isinstance(domain, str):
        return parse_domain(domain, variable, parameters)[0]
    parameters = parse_parameters(parameters)
    name = variable_name(variable, parameters)
    build = Builder()
    rebuild = Rebuild(WHAT, {key: value.symbol for key, value in parameters.items()}, build)
    if isinstance(domain, tuple | list):
        if len(domain) != 2:
            raise ExpressionError(f"{WHAT}: a tuple holds two ends, (low, high), not {len(domain)}")
        low, high = (_end(build, end, parameters, rebuild) for end in domain)
        return _as_set(build, Bound(low, low in INFINITE, high, high in INFINITE), parameters)
    if isinstance(domain, sp.Set):
        return _as_set(build, _from_set(domain, rebuild), parameters)
    if isinstance(domain, sp.logic.boolalg.Boolean):
        return _as_set(build, _from_condition(build, domain, name, parameters), parameters)
    kind = type(domain).__name__
    raise ExpressionError(f"{WHAT}: {kind} is not a domain; write text such as 'u > 0' or '[0, 1)'")


def _end(build, end, parameters, rebuild):
    if isinstance(end, str):
        return _value(build, read_source(WHAT, end), parameters)
    return rebuild.expression(end)


def _value(build, source, parameters):
    """Return an end of an interval, in which parameters alone may stand."""
    refuse_unknown(undeclared(source, parameters), parameters, source)
    return Walk(source, symbols_of(None, parameters), build).value(source.tree)


def _comma(text):
    """Return the position of the comma between the two ends of an interval, or None."""
    depth, place = 0, None
    start, stop = len(text) - len(text.lstrip(" \t")), len(text.rstrip(" \t"))
    for index in range(start, stop):
        depth += (text[index] in "[({") - (text[index] in "])}")
        if text[index] == "," and depth == 1 and place is None:
            place = index
        if depth == 0 and index < stop - 1:
            return None  # the first parenthesis closes before the end: "(u + 1) > 0"
    return place if text[stop - 1] in "])}" else None


def _notation(build, text, middle, parameters):
    """Return the set of a text such as "[a, b)" or "{a}"."""
    start, stop = len(text) - len(text.lstrip(" \t")), len(text.rstrip(" \t")) - 1
    ends = text[start] + text[stop]
    column = f"{WHAT}, column {start + 1}"
    if text[start] == "{":
        if ends != "{}":
            raise ExpressionError(f"{column}: this {{ is never closed; write one point as in {{0}}")
        if middle is not None:
            raise ExpressionError(f"{column}: {UNION}, or one point as in {{0}}")
        point = _value(build, read_source(WHAT, text, start=start + 1, stop=stop), parameters)
        return Bound(point, False, point, False)
    if middle is None or ends[0] not in "[(" or ends[1] not in "])":
        raise ExpressionError(f"{column}: this is not an interval; write it as in [0, 1) or (0, oo)")
    low = _value(build, read_source(WHAT, text, start=start + 1, stop=middle), parameters)
    high = _value(build, read_source(WHAT, text, start=middle + 1, stop=stop), parameters)
    return Bound(low, ends[0] == "(" or low in INFINITE, high, ends[1] == ")" or high in INFINITE)


def _merged(build, bounds):
    try:
        return intersect(build, bounds)
    except Unfit as fault:
        raise ExpressionError(f"{WHAT}: {fault}") from None


def _from_condition(build, condition, name, parameters):
    if condition == sp.true:
        return WHOLE_LINE
    if condition == sp.false:
        raise ExpressionError(f"{WHAT}: it is empty, since the condition is never true; name an interval")
    if condition.has(sp.Or):
        raise ExpressionError(f"{WHAT}: {UNION}")
    declared = {*parameters, name} if name else set(parameters)
    names = dict.fromkeys(other for other in symbol_names(WHAT, condition) if other not in declared)
    name = choose(WHAT, names, name, parameters)
    rebuild = Rebuild(WHAT, symbols_of(name, parameters), build)
    return _merged(build, rebuild.bounds(condition, rebuild.symbols[name]))


def _from_set(domain, rebuild):
    if domain == sp.S.Reals:
        return WHOLE_LINE
    if domain is sp.S.EmptySet:
        raise ExpressionError(f"{WHAT}: it is empty; name an interval such as [0, 1)")
    if isinstance(domain, sp.Interval):
        low, high = rebuild.expression(domain.start), rebuild.expression(domain.end)
        return Bound(low, bool(domain.left_open), high, bool(domain.right_open))
    if isinstance(domain, sp.FiniteSet) and len(domain.args) == 1:
        point = rebuild.expression(domain.args[0])
        return Bound(point, False, point, False)
    if isinstance(domain, sp.Union | sp.FiniteSet):
        raise ExpressionError(f"{WHAT}: {UNION}")
    kind = type(domain).__name__
    raise ExpressionError(f"{WHAT}: {kind} is not read; write an Interval or text such as '[0, 1)'")


def _as_set(build, bound, parameters):
    """Return the SymPy set of a bound that is not empty."""
    low, low_open, high, high_open = bound
    text = f"{'(' if low_open else '['}{low}, {high}{')' if high_open else ']'}"
    try:
        interval = bound.interval
        empty = interval is sp.S.EmptySet or _is_empty(build, bound, parameters)
    except Unfit as fault:
        raise ExpressionError(f"{WHAT}: the ends of {text}: {fault}") from None
    if empty:
        raise ExpressionError(f"{WHAT}: {text} is empty; the lower end comes first, as in [0, 1)")
    return sp.S.Reals if interval == sp.S.Reals else interval


def _is_empty(build, bound, parameters):
    if bound.numeric or bound.lower in INFINITE or bound.upper in INFINITE:
        return False
    difference = build.add(bound.upper, build.negative(bound.lower))
    strict = bound.lower_open or bound.upper_open
    return any(
        case.is_negative or (strict and case.is_nonpositive) for case in _cases(difference, parameters)
    )


def _cases(difference, parameters):
    """Yield the difference, with each parameter as its bound plus or minus something of known sign.

    Where a > b is declared, b - a becomes -d with d > 0, which SymPy knows to be negative.
    """
    yield difference
    for side in ("lower", "upper"):
        case = difference
        for numeric in (False, True):  # relations first: they bring in other parameters
            for parameter in parameters.values():
                for bound in parameter.bounds[:1] if numeric else parameter.bounds[1:]:
                    end = getattr(bound, side)
                    if end not in INFINITE and case.has(parameter.symbol):
                        sign = "positive" if getattr(bound, f"{side}_open") else "nonnegative"
                        slack = sp.Dummy(real=True, **{sign: True})
                        inside = end + slack if side == "lower" else end - slack
                        case = case.xreplace({parameter.symbol: inside})
        yield case
