"""From comparisons to the interval of a name: "0 < p", "p <= 2" and "abs(u) < r" solved for p and u."""

from typing import NamedTuple

import sympy as sp

from workbench.conjugates.convex.syntax.sizes import INFINITE, Unfit, is_constant

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Bound(NamedTuple):
    """lower < x < upper, where an end that is not open belongs to the interval."""

    lower: sp.Expr = -sp.oo
    lower_open: bool = True
    upper: sp.Expr = sp.oo
    upper_open: bool = True

    @property
    def numeric(self):
        """True if no end depends on a symbol."""
        return not (self.lower.free_symbols or self.upper.free_symbols)

    @property
    def interval(self):
        """The interval of the real line; it is empty where the ends show it."""
        try:
            return sp.Interval(self.lower, self.upper, self.lower_open, self.upper_open)
        except ValueError:  # SymPy's word for ends that are not real
            raise Unfit("an end is not a real number; stay in a function's domain") from None

    def replace(self, mapping):
        """Return the bound with symbols replaced."""
        lower, upper = (end.xreplace(mapping) for end in (self.lower, self.upper))
        return Bound(lower, self.lower_open, upper, self.upper_open)


WHOLE_LINE = Bound()


def bounds_of(build, triples, symbol):
    """One `Bound` for each comparison (left, relation, right) that is linear in a symbol."""
    bounds = []
    for left, relation, right in triples:
        bounds += _bounds(build, left, relation, right, symbol)
    return bounds


def _bounds(build, left, relation, right, symbol):
    if relation == "!=":
        raise Unfit(f"!= cuts the line of {symbol} into two parts; name one interval, as in {symbol} > 0")
    if not left.has(symbol):
        left, relation, right = right, FLIPPED[relation], left
    if not left.has(symbol):
        raise Unfit(f"a comparison says nothing about {symbol}; write it as in {symbol} > 0")
    if right in INFINITE:
        return [_beside_infinity(relation, right, symbol)]
    coefficient, rest = left.as_coeff_Mul()
    if isinstance(rest, sp.Abs) and rest.has(symbol) and not right.has(symbol):
        if build.sizes.value(coefficient) < 0:
            relation = FLIPPED[relation]
        return _inside(build, rest.args[0], relation, build.divide(right, coefficient), symbol)
    return [_linear(build, build.add(left, build.negative(right)), relation, symbol)]


def _beside_infinity(relation, infinite, symbol):
    holds = relation in (("<", "<=") if infinite is sp.oo else (">", ">="))
    if not holds:
        raise Unfit(f"no number {symbol} is {relation} {infinite}; the range is empty")
    return WHOLE_LINE


def _inside(build, inner, relation, radius, symbol):
    """abs(inner) < radius, which is two comparisons."""
    if relation not in ("<", "<="):
        if is_constant(radius) and radius == 0 and relation == "==":
            return [_linear(build, inner, "==", symbol)]
        raise Unfit(f"abs(...) {relation} ... leaves two parts of the line; name one interval")
    return [
        _linear(build, build.add(inner, build.negative(radius)), relation, symbol),
        _linear(build, build.add(inner, radius), FLIPPED[relation], symbol),
    ]


def _linear(build, difference, relation, symbol):
    """Return the bound that `slope * symbol + rest (relation) 0` sets."""
    rest, part = difference.as_independent(symbol, as_Add=True)
    slope = part.as_coefficient(symbol)
    if slope is None or slope.has(symbol):
        raise Unfit(f"{symbol} must stand alone or in abs(...); write 0 <= {symbol} or abs({symbol}) <= 1")
    positive = build.sizes.value(slope) > 0 if is_constant(slope) else slope.is_positive
    if positive is None or (not positive and not slope.is_negative):
        raise Unfit(f"the sign of a factor of {symbol} is not known; divide by it on both sides")
    end = build.divide(build.negative(rest), slope)
    relation = relation if positive else FLIPPED[relation]
    if relation == "==":
        return Bound(end, False, end, False)
    strict = relation in ("<", ">")
    if relation in ("<", "<="):
        return Bound(upper=end, upper_open=strict)
    return Bound(lower=end, lower_open=strict)


def intersect(build, bounds):
    """Return the one `Bound` that several make; ends that cannot be compared become a Max or a Min."""
    lower = _tightest(build, [(bound.lower, bound.lower_open) for bound in bounds], sp.Max)
    upper = _tightest(build, [(bound.upper, bound.upper_open) for bound in bounds], sp.Min)
    return Bound(*lower, *upper)


def _tightest(build, ends, kind):
    best = None
    for end, is_open in ends:
        if end in INFINITE:
            continue
        if best is None:
            best = end, is_open
            continue
        winner = build.call(kind, best[0], end)
        if best[0] == end:
            best = end, is_open or best[1]
        elif winner in (end, best[0]):
            best = (end, is_open) if winner == end else best
        elif is_open == best[1]:
            best = winner, is_open
        else:
            raise Unfit("it is not known which of two ends comes first; write one comparison on each side")
    return best or ((-sp.oo, True) if kind is sp.Max else (sp.oo, True))
