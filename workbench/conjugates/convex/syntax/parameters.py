"""Declared parameters: a name, what it may be, and the symbol that knows its sign."""

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.syntax.bounds import WHOLE_LINE, Bound, intersect
from workbench.conjugates.convex.syntax.build import Builder
from workbench.conjugates.convex.syntax.conditions import bounds_in
from workbench.conjugates.convex.syntax.rebuild import Rebuild, symbol_names
from workbench.conjugates.convex.syntax.sizes import INFINITE, Unfit, is_constant
from workbench.conjugates.convex.syntax.text import read_source
from workbench.conjugates.convex.syntax.vocabulary import check_name, did_you_mean, quote
from workbench.conjugates.convex.syntax.walk import Walk, undeclared

COUNT = 10
WORDS = {
    "positive": Bound(lower=sp.S.Zero),
    "nonnegative": Bound(lower=sp.S.Zero, lower_open=False),
    "negative": Bound(upper=sp.S.Zero),
    "nonpositive": Bound(upper=sp.S.Zero, upper_open=False),
    "real": WHOLE_LINE,
}


@dataclass(frozen=True)
class Parameter:
    """A parameter and its bounds.

    The first bound is a range of numbers, with everything in it that the relations to other parameters
    imply; each further bound has an end that depends on another parameter.
    """

    name: str
    bounds: tuple[Bound, ...] = (WHOLE_LINE,)

    @property
    def symbol(self):
        """A real symbol that is known to be positive, nonnegative, ... where the range says so."""
        lower, lower_open, upper, upper_open = self.bounds[0]
        signs = {}
        if lower.is_nonnegative:
            signs["positive" if lower_open or lower.is_positive else "nonnegative"] = True
        if upper.is_nonpositive:
            signs["negative" if upper_open or upper.is_negative else "nonpositive"] = True
        return sp.Symbol(self.name, real=True, **signs)


def parse_parameters(parameters):
    """Return the declared parameters by name.

    Parameters
    ----------
    parameters : None or dict of str to str, list, sympy relational or Parameter
        "p > 1", "0 < p < 1", "b > a", "positive", "nonnegative", "negative", "nonpositive", "real";
        a list holds several that are all true.
    """
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        kind = type(parameters).__name__
        raise ExpressionError(f'parameters: {kind} is not a dict; write parameters={{"p": "p > 1"}}')
    if len(parameters) > COUNT:
        raise ExpressionError(f"parameters: {len(parameters)} are too many; {COUNT} are the most")
    plain = {check_name("parameters", name): sp.Symbol(name, real=True) for name in parameters}
    if all(isinstance(value, Parameter) and value.name == name for name, value in parameters.items()):
        return dict(parameters)
    build = Builder()
    ranges, relations = {}, {}
    for name, assumption in parameters.items():
        what = f"parameter {name}"
        try:
            bounds = _declared(build, what, assumption, plain[name], plain)
            numeric = [bound for bound in bounds if bound.numeric]
            ranges[name] = intersect(build, numeric or [WHOLE_LINE])
            relations[name] = tuple(bound for bound in bounds if not bound.numeric)
        except Unfit as fault:
            raise ExpressionError(f"{what}: {fault}") from None
        _refuse_empty(ranges, name)
    _spread(build, ranges, relations, plain)
    first = {name: Parameter(name, (ranges[name],)).symbol for name in plain}
    mapping = {plain[name]: first[name] for name in plain}
    return {
        name: Parameter(name, (ranges[name], *(bound.replace(mapping) for bound in relations[name])))
        for name in plain
    }


def _declared(build, what, assumption, symbol, plain):
    """Return the bounds that one declaration sets, in plain symbols."""
    if isinstance(assumption, Parameter):
        rebuild = Rebuild(what, plain, build)
        return [
            Bound(rebuild.expression(low), low_open, rebuild.expression(high), high_open)
            for low, low_open, high, high_open in assumption.bounds
        ]
    if isinstance(assumption, list | tuple):
        if not 0 < len(assumption) <= COUNT:
            raise ExpressionError(f"{what}: a list holds 1 to {COUNT} texts, not {len(assumption)}")
        return [b for part in assumption for b in _declared(build, what, part, symbol, plain)]
    if isinstance(assumption, str):
        return _from_text(build, what, assumption, symbol, plain)
    if isinstance(assumption, sp.Basic):
        if assumption == sp.false:
            raise ExpressionError(f"{what}: the assumption is never true; name a range such as {symbol} > 0")
        if assumption == sp.true:
            return [WHOLE_LINE]
        symbol_names(what, assumption)
        return Rebuild(what, plain, build).bounds(assumption, symbol)
    kind = type(assumption).__name__
    raise ExpressionError(
        f"{what}: {kind} is not an assumption; write text such as '{symbol} > 0' or 'positive'"
    )


def _from_text(build, what, text, symbol, plain):
    word = text.strip(" \t") if len(text) < 50 else text
    if word in WORDS:
        return [WORDS[word]]
    if word.isidentifier():
        fix = did_you_mean(word, list(WORDS))
        raise ExpressionError(
            f"{what}: {quote(word)} is not an assumption; {fix}write {', '.join(WORDS)} or '{symbol} > 0'"
        )
    source = read_source(what, text)
    for name, node in undeclared(source, plain).items():
        fix = did_you_mean(name, list(plain))
        source.refuse(node, f"{quote(name)} is not declared; {fix}declared are {', '.join(plain)}")
    return bounds_in(Walk(source, plain, build), source.tree, symbol)


def _refuse_empty(ranges, name):
    lower, lower_open, upper, upper_open = bound = ranges[name]
    if bound.interval is sp.S.EmptySet:
        left = f"{lower} {'<' if lower_open else '<='}"
        right = f"{'<' if upper_open else '<='} {upper}"
        raise ExpressionError(
            f"parameter {name}: no number has {left} {name} {right}; name a range that is not empty"
        )


def _spread(build, ranges, relations, plain):
    """Tighten the ranges by the relations: from a > 0 and b > a follows b > 0."""
    names = {symbol: name for name, symbol in plain.items()}
    arcs = []  # (smaller, larger, strict): both expressions
    for name, bounds in relations.items():
        for low, low_open, high, high_open in bounds:
            arcs += [(low, plain[name], low_open)] * (low not in INFINITE)
            arcs += [(plain[name], high, high_open)] * (high not in INFINITE)
    _refuse_circle([(names[a], names[b], strict) for a, b, strict in arcs if a in names and b in names])
    for _ in plain:
        for smaller, larger, strict in arcs:
            if larger in names:
                low, low_open, _, _ = _extent(build, smaller, ranges, names)
                _tighten(build, ranges, names[larger], Bound(lower=low, lower_open=low_open or strict))
            if smaller in names:
                _, _, high, high_open = _extent(build, larger, ranges, names)
                _tighten(build, ranges, names[smaller], Bound(upper=high, upper_open=high_open or strict))


def _tighten(build, ranges, name, bound):
    ranges[name] = intersect(build, [ranges[name], bound])
    _refuse_empty(ranges, name)


def _extent(build, expression, ranges, names):
    """Return a range that holds an expression: exact if linear in the parameters, else the whole line."""
    if expression in names:
        return ranges[names[expression]]
    if is_constant(expression):
        return Bound(expression, False, expression, False)
    if expression.is_Add:
        parts = [_extent(build, part, ranges, names) for part in expression.args]
        low = -sp.oo if any(p.lower == -sp.oo for p in parts) else build.add(*(p.lower for p in parts))
        high = sp.oo if any(p.upper == sp.oo for p in parts) else build.add(*(p.upper for p in parts))
        return Bound(low, any(p.lower_open for p in parts), high, any(p.upper_open for p in parts))
    factor, rest = expression.as_coeff_Mul()
    if rest in names:
        ends = [
            (end if end in INFINITE else build.multiply(abs(factor), end), is_open)
            for end, is_open in zip(ranges[names[rest]][::2], ranges[names[rest]][1::2], strict=True)
        ]
        if factor < 0:
            ends = [(build.negative(end), is_open) for end, is_open in ends[::-1]]
        return Bound(*ends[0], *ends[1])
    return WHOLE_LINE


def _refuse_circle(arcs):
    """Refuse a < b < ... < a: follow the relations from each name as far as they lead."""
    for start in {arc[0] for arc in arcs}:
        reached, grown = {start: False}, True
        while grown:
            grown = False
            for smaller, larger, strict in arcs:
                if smaller in reached and reached.get(larger) is not True:
                    now = strict or reached[smaller]
                    if larger not in reached or now:
                        grown = True
                        reached[larger] = now
        if reached[start]:
            raise ExpressionError(
                f"parameter {start}: the relations go in a circle, which no numbers do; leave one of them out"
            )
