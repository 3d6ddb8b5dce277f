"""A convex function with its conjugate, in one case or in one for each region of the parameters.

pair.conditions     a SymPy condition on the parameters under which the result holds: `true` where it
                    holds for all that were declared, else the range in which the function is convex
pair.cases          (Case(condition, pair), ...): one for each region whose formula differs; a pair
                    without regions is its own single case, with the condition `true`
pair.case(a=3)      the `Case` for these values; `InputError` or `ConvexityError` outside the range
pair.witness        None, or the `NotConvex` error outside: .values, .points (left, middle, right)
"""

from typing import NamedTuple

import sympy as sp

from workbench._support.errors import InputError
from workbench._support.names import Public
from workbench.conjugates.convex import steps
from workbench.conjugates.convex.decisions import holds
from workbench.conjugates.convex.evaluation import value_at
from workbench.conjugates.convex.function import ConvexFunction
from workbench.conjugates.convex.proof import Step, Verification
from workbench.conjugates.convex.witness import Graph, NotConvex, chord, sentence
from workbench.conjugates.convex.wording import typed, words


class Case(NamedTuple):
    """The pair that holds under a condition on the parameters."""

    condition: sp.Basic
    pair: "Pair"


class AnyPair(Public):
    """The shared part of pairs with one case and with several."""

    cases: "tuple[Case, ...]"
    q: "ConvexFunction | CasedFunction"
    _verified: tuple[object, Verification] | None = None

    def verify(self):
        """`Verification`: what was proved of all cases, as they are evaluated, and what was only checked."""
        from workbench.conjugates.convex.verify import verify

        if self._verified is None or self._verified[0] is not self.q:
            self._verified = self.q, verify(self)
        return self._verified[1]

    def _repr_latex_(self):
        from workbench._support.display import cards

        return cards.pair(self, self.verify())

    def proof(self):
        """Return the proof as plain data, for `workbench check`; see `convex.checker.claims`."""
        from workbench.conjugates.convex.proposal import completed, proposal

        return completed(proposal(self))

    def why(self):
        """Why p(u) + q(v) - u v is never negative, face by face, and where it is 0."""
        from workbench.conjugates.convex.why import Why, why

        return Why(face for case in self.cases for face in why(case.pair))

    def plot(self, **parameters):
        """Return p and q for values of the parameters, as an Overlay of HoloViews."""
        from workbench._support.display import elements

        return elements.pair(self, parameters)


class Pair(AnyPair):
    """A convex function and its conjugate, derived for one region.

    Attributes
    ----------
    p, q : ConvexFunction
    steps : list of Step
        The derivation, to be read.
    conditions, cases, witness
        See the module.
    """

    conditions, witness = sp.true, None

    def __init__(self, p, q, shape, conjugate_pieces, setting, notes):
        self.p, self.q, self.shape, self.conjugate_pieces = p, q, shape, conjugate_pieces
        self.setting, self.notes, self.expression = setting, notes, notes["given"]
        self.text, self.units = notes["text"], notes["units"]
        self.cases = (Case(sp.true, self),)
        self.steps = steps.derivation(self, notes)

    def case(self, **parameters):
        """Return the `Case` for values of the parameters."""
        self.setting.values(parameters)
        return self.cases[0]

    def __repr__(self):
        return f"Pair(p={self.p}, q={self.q})"


class CasedPair(AnyPair):
    """A convex function and its conjugate whose formula depends on the region of the parameters.

    Attributes
    ----------
    p, q : CasedFunction
    """

    q: "CasedFunction"

    def __init__(self, cases, excluded, parsed, setting):
        self.cases, self.excluded, self.setting, self.parsed = tuple(cases), tuple(excluded), setting, parsed
        self.conditions = sp.Or(*(case.condition for case in self.cases)) if self.excluded else sp.true
        if self.excluded:
            self.conditions = _simplified(self.conditions)
        self.witness = next((error for _, error in self.excluded if isinstance(error, NotConvex)), None)
        self.p, self.q = (
            CasedFunction([(case.condition, getattr(case.pair, name)) for case in self.cases], setting, self)
            for name in "pq"
        )
        self.conjugate_pieces = tuple(part for case in self.cases for part in case.pair.conjugate_pieces)
        self.steps = self._steps()

    @property
    def shape(self):
        """That of the only case; None where there are several."""
        return self.cases[0].pair.shape if len(self.cases) == 1 else None

    def case(self, **parameters):
        """Return the `Case` for values of the parameters; an error with the condition outside their range."""
        return self.case_at(self.setting.values(parameters))

    def case_at(self, numbers):
        return self.cases[self.q.index(numbers)]

    def refusal(self, numbers):
        """Return the error for values of the parameters outside the range of the result."""
        point = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in numbers.items())
        text = f"parameter {point} is outside {typed(self.conditions)}"
        for condition, error in self.excluded:
            if holds(condition, numbers):
                if not isinstance(error, NotConvex):
                    return type(error)(f"{text}: {error}")
                p = Graph(self.parsed.expr, self.parsed.variable, numbers, self.parsed.text)
                points = chord(p, -sp.oo, sp.oo, error.points and error.points[1])
                if points is None:
                    return NotConvex(f"{text}: {error}", error.values, error.points)
                return NotConvex(f"{text}: {sentence(p, self.parsed.variable, points, {})}", numbers, points)
        return InputError(text)

    def _steps(self):
        result = []
        for case in self.cases:
            title = f"The case {words(case.condition)}"
            if len(self.cases) > 1:
                reason = "The formula is another for other values of the parameters."
                result.append(Step(title, sp.latex(case.condition), reason))
            result += case.pair.steps
        for condition, error in self.excluded:
            result.append(Step("Values without a conjugate", sp.latex(condition), f"{error}."))
        return result

    def __repr__(self):
        return f"CasedPair(p={self.p}, q={self.q}, conditions={self.conditions})"


class CasedFunction:
    """A function with a formula for each region of the parameters; read and called like a `ConvexFunction`.

    Attributes
    ----------
    cases : tuple of (condition, ConvexFunction)
    """

    def __init__(self, cases, setting, pair):
        self.cases, self.setting, self.pair = tuple(cases), setting, pair
        self.variable = self.cases[0][1].variable
        self.implicit = any(function.implicit for _, function in self.cases)

    def index(self, numbers):
        """Which case holds."""
        for k, (condition, _) in enumerate(self.cases):
            if holds(condition, numbers):
                return k
        raise self.pair.refusal(numbers)

    def evaluator(self, numbers):
        """Return a function from a float or mpf to an mpf, for the given numbers of the parameters."""
        return self.cases[self.index(numbers)][1].evaluator(numbers)

    __call__ = ConvexFunction.__call__

    @property
    def expr(self):
        if len(self.cases) == 1:
            return self.cases[0][1].expr
        return sp.Piecewise(*((function.expr, condition) for condition, function in self.cases))

    @property
    def domain(self):
        """The interval, where it is the same for all regions; else the set of what is in one of them."""
        domains = [function.domain for _, function in self.cases]
        if all(domain == domains[0] for domain in domains):
            return domains[0]
        inside = [
            sp.And(condition, domain.as_relational(self.variable))
            for (condition, _), domain in zip(self.cases, domains, strict=True)
        ]
        return sp.ConditionSet(self.variable, sp.Or(*inside), sp.S.Reals)

    @property
    def parts(self):
        """Those of the only case; for several, ask each of `cases`."""
        return self.cases[0][1].parts if len(self.cases) == 1 else ()

    @property
    def knots(self):
        return self.cases[0][1].knots if len(self.cases) == 1 else ()

    @property
    def latex(self):
        if len(self.cases) == 1:
            return self.cases[0][1].latex
        rows = [rf"{function.latex} & \text{{for }} {sp.latex(where)}" for where, function in self.cases]
        return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"

    def __repr__(self):
        inside = "; ".join(f"{condition}: {function!r}" for condition, function in self.cases)
        return f"CasedFunction({inside})"


def _simplified(condition):
    try:
        simpler = sp.simplify(condition)
    except Exception:  # SymPy gives up on conditions of several symbols in many ways
        return condition
    return condition if simpler in (sp.true, sp.false) else simpler


def _short(value):
    import mpmath

    return mpmath.nstr(value_at(value, {}), 8)
