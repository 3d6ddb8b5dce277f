"""Mutants of a conjugate: functions that differ from q in a value or in the domain, one change each.

Each comes with the places and the numbers of the parameters where the change shows. Whether it does show
is for the numeric supremum to say: a change that leaves q as it was is not a mutant.
"""

import math
from typing import NamedTuple

import sympy as sp

from workbench.conjugates.convex.function import ConvexFunction, Knot, Part
from workbench.conjugates.convex.pair import CasedFunction

SMALL, TINY = sp.Rational(1, 1000), sp.Rational(1, 10**6)
FAR = 1000
# Number of changed numbers of one formula.
NUMBERS = 4


class Mutant(NamedTuple):
    """A changed q, what was changed, and where: `places` are floats, `values` numbers of the parameters."""

    change: str
    q: ConvexFunction
    places: tuple[float, ...]
    values: dict[str, float]


def mutants_of(pair, values):
    """The mutants of a pair's q; where it has regions, those of the case that holds at these values."""
    if not hasattr(pair.q, "pair"):
        return Mutation(pair.q, values).mutants()
    index = pair.q.index(pair.setting.values(values))
    condition, function = pair.q.cases[index]
    mutants = []
    for mutant in Mutation(function, values).mutants():
        cases = [*pair.q.cases[:index], (condition, mutant.q), *pair.q.cases[index + 1 :]]
        mutants.append(mutant._replace(q=CasedFunction(cases, pair.setting, pair)))
    if len(pair.q.cases) > 1:
        swapped = [*pair.q.cases]
        other = index - 1
        swapped[index], swapped[other] = (condition, swapped[other][1]), (swapped[other][0], function)
        places = tuple(Mutation(function, values).number(function.parts[0].low) + k for k in (0.5, 1.25))
        places = places if all(map(math.isfinite, places)) else (0.5, 1.25, -0.75, 3.0)
        mutants.append(Mutant("cases swapped", CasedFunction(swapped, pair.setting, pair), places, values))
        others = [case for k, case in enumerate(pair.q.cases) if k != index]
        mutants.append(Mutant("case left out", CasedFunction(others, pair.setting, pair), places, values))
        mutants.append(Mutant("one case for all", function, places, values))
    return mutants


class Mutation:
    """The mutants of one q, at given numbers of the parameters."""

    def __init__(self, q, values):
        self.q, self.v, self.values = q, q.variable, values
        self.numbers = {
            parameter.symbol: sp.Rational(values[name]) for name, parameter in q.setting.parameters.items()
        }
        self.found = []

    def mutants(self):
        """All of them; parts without a formula stay as they are."""
        for index, part in enumerate(self.q.parts):
            if not part.implicit:
                self._formulas(index, part)
                self._intervals(index, part)
                self._cases(index, part)
        self._ends()
        self._meetings()
        self._knots()
        return self.found

    # --- helpers

    def number(self, expression):
        """A float of an expression in the parameters."""
        return float(sp.sympify(expression).subs(self.numbers))

    def inside(self, part, fraction=0.5):
        """A place of the part: a fraction of the way, or that far beyond its one finite end."""
        low, high = sp.sympify(part.low), sp.sympify(part.high)
        fraction = sp.Rational(fraction)
        if low.is_infinite and high.is_infinite:
            return 4 * fraction + sp.Rational(7, 10)
        if high.is_infinite:
            return low + 4 * fraction
        if low.is_infinite:
            return high - 4 * fraction
        return low + (high - low) * fraction

    def add(self, change, parts=None, knots=None, places=(), values=None):
        parts = self.q.parts if parts is None else parts
        knots = self.q.knots if knots is None else knots
        mutant = ConvexFunction(self.v, parts, knots, self.q.setting)
        floats = tuple(self.number(place) for place in places)
        self.found.append(Mutant(change, mutant, floats, values or self.values))

    def with_part(self, index, *parts):
        return (*self.q.parts[:index], *parts, *self.q.parts[index + 1 :])

    def with_formula(self, index, expr):
        return self.with_part(index, self.q.parts[index]._replace(expr=expr))

    # --- the kinds of change

    def _formulas(self, index, part):
        expr, v, middle = part.expr, self.v, self.inside(part)
        spots = [self.inside(part, step) for step in (0.125, 0.3125, 0.5, 0.75, 0.9375)]
        changes = {
            "a thousandth more": expr + SMALL,
            "one less": expr - 1,
            "a millionth more": expr + TINY,
            "a thousandth larger": expr * (1 + SMALL),
            "the sign": -expr,
            "moved": expr.subs(v, v + SMALL),
            "turned round": expr.subs(v, -v),
            "a little faster": expr.subs(v, v * (1 + SMALL)),
            "a slope": expr + (v - middle) * SMALL,
            "a curvature": expr + (v - middle) ** 2 * SMALL,
            "a kink": expr + sp.Abs(v - middle) * SMALL,
            "a wave": expr + sp.sin(v - middle) * SMALL,
            "a bump": expr + sp.exp(-(10**4) * (v - middle) ** 2) / 100,
            "a floor": sp.Max(expr, expr.subs(v, middle)) + TINY * sp.Heaviside(v - middle, 0),
        }
        for change, mutated in changes.items():
            self.add(f"part {index}: {change}", self.with_formula(index, mutated), places=spots)
        numbers = [node for node in sp.preorder_traversal(expr) if node.is_Number and node.is_finite]
        for number in list(dict.fromkeys(numbers))[:NUMBERS]:
            mutated = expr.xreplace({number: number + sp.Rational(1, 100)})
            self.add(f"part {index}: the number {number}", self.with_formula(index, mutated), places=spots)

    def _intervals(self, index, part):
        """Wrong between two places that stand close together, or at one."""
        lines = sp.sympify(part.low).is_infinite and sp.sympify(part.high).is_infinite
        short = [("a short interval", 0.5, 0.55, SMALL), ("a very short one", 0.3125, 0.3125 + 2**-20, 1)]
        if lines:
            short.append(("a short interval far off", 25, 25.25, SMALL))
        for change, start, end, step in short:
            low, high = sorted((self.inside(part, start), self.inside(part, end)), key=self.number)
            wrong = (part._replace(high=low), Part(low, high, part.expr + step), part._replace(low=high))
            knots = [Knot(place, part.expr.subs(self.v, place)) for place in (low, high)]
            self.add(
                f"part {index}: {change}",
                self.with_part(index, *wrong),
                self._sorted(knots),
                [(low + high) / 2],
            )
        place = self.inside(part, 0.625)
        knot = Knot(place, part.expr.subs(self.v, place) + 1)
        halves = (part._replace(high=place), part._replace(low=place))
        self.add(f"part {index}: one value", self.with_part(index, *halves), self._sorted([knot]), [place])
        self.add(f"part {index}: left out", self.with_part(index), places=[self.inside(part)])

    def _cases(self, index, part):
        """Wrong for some values of a parameter only, away from those in common use."""
        parameters = self.q.setting.parameters
        if any(len(parameter.bounds) > 1 for parameter in parameters.values()):
            return  # one parameter cannot move without another
        for name, parameter in parameters.items():
            lower, _, upper, _ = parameter.bounds[0]
            symbol = parameter.symbol
            if upper.is_infinite:
                border = 53 + (0 if lower.is_infinite else lower)
                case, value = symbol > border, border + 7
            elif lower.is_infinite:
                case, value = symbol < upper - 53, upper - 60
            else:
                case, value = symbol < lower + (upper - lower) / 64, lower + (upper - lower) / 128
            values = {**self.values, name: float(value)}
            wrong = sp.Piecewise((part.expr + SMALL, case), (part.expr, True))
            there = Mutation(self.q, values)
            spots = [there.number(self.inside(part, step)) for step in (0.125, 0.5, 0.75)]
            self.add(f"part {index}: {case}", self.with_formula(index, wrong), places=spots, values=values)
            moved = part.expr.subs(symbol, symbol + SMALL)
            spots = [self.inside(part, step) for step in (0.125, 0.5, 0.75)]
            self.add(f"part {index}: {name} moved", self.with_formula(index, moved), places=spots)

    def _ends(self):
        """The domain longer, shorter, open for closed and closed for open."""
        if not self.q.parts:
            return
        for index, name, sign in ((0, "low", -1), (len(self.q.parts) - 1, "high", 1)):
            part = self.q.parts[index]
            end = sp.sympify(getattr(part, name))
            knots = [knot for knot in self.q.knots if knot.place != end]
            if end.is_infinite:
                for far in (FAR, FAR**2):
                    cut = self.with_part(index, part._replace(**{name: sp.Integer(sign * far)}))
                    self.add(f"{name} end: cut at {sign * far}", cut, places=[sign * (far + 1)])
                continue
            for change, step in (("longer", sp.Rational(1, 100)), ("a little longer", TINY)):
                moved = self.with_part(index, part._replace(**{name: end + sign * step}))
                self.add(f"{name} end: {change}", moved, places=[end + sign * step / 2])
            inner = (end + self.inside(part, 2**-9 if sign < 0 else 1 - 2**-9)) / 2
            self.add(
                f"{name} end: shorter",
                self.with_part(index, part._replace(**{name: inner})),
                knots,
                [(inner + end) / 2],
            )
            if len(knots) < len(self.q.knots):
                self.add(f"{name} end: open for closed", knots=knots, places=[end])
            else:
                closed = self._sorted([Knot(end, sp.S.Zero)])
                self.add(f"{name} end: closed for open", knots=closed, places=[end])

    def _meetings(self):
        """Parts that swap their formulas, that take over their neighbour, that meet elsewhere."""
        for index in range(len(self.q.parts) - 1):
            left, right = self.q.parts[index : index + 2]
            spots = [self.inside(left), self.inside(right)]
            swapped = [left._replace(expr=right.expr), right._replace(expr=left.expr)]
            moved = left.high + sp.Rational(1, 100) * sp.Min(1, self.inside(right, 0.5) - left.high)
            elsewhere = [left._replace(high=moved), right._replace(low=moved)]
            for change, parts, places in (
                ("swapped", swapped, spots),
                ("the first goes on", [left._replace(high=right.high)], spots),
                ("the second began before", [right._replace(low=left.low)], spots),
                ("meet elsewhere", elsewhere, [(left.high + moved) / 2]),
            ):
                changed = (*self.q.parts[:index], *parts, *self.q.parts[index + 2 :])
                self.add(f"parts {index} and {index + 1}: {change}", changed, places=places)

    def _knots(self):
        for index, knot in enumerate(self.q.knots):
            for change, step in (("more", SMALL), ("less", -1)):
                wrong = list(self.q.knots)
                wrong[index] = Knot(knot.place, knot.value + step)
                self.add(f"value at {knot.place}: {change}", knots=wrong, places=[knot.place])
            if not self.q.parts:
                moved = (Knot(knot.place + SMALL, knot.value),)
                self.add("the one place moved", knots=moved, places=[knot.place, knot.place + SMALL])
                grown = Part(knot.place, knot.place + SMALL, knot.value)
                self.add("the one place grown", (grown,), places=[knot.place + SMALL / 2])

    def _sorted(self, added):
        return tuple(sorted((*self.q.knots, *added), key=lambda knot: self.number(knot.place)))
