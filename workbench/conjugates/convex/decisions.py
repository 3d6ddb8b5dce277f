"""Which signs an expression in the parameters can have, decided for all values at once in exact forms.

A formula becomes a quotient of polynomials in atoms, as in `checker.forms`, which state of exponentials and
logarithms only what bounds them: so "no value" is a proof, and "some value" is confirmed in numbers. Work is
limited by z3's own count of steps, so no answer depends on the clock.
"""

from fractions import Fraction
from typing import NamedTuple

import mpmath
import sympy as sp
import z3

from workbench.conjugates.convex.checker import grammar
from workbench.conjugates.convex.checker.forms import BUDGET, NAMED, Face, Refine, Undecided, Undefined
from workbench.conjugates.convex.evaluation import value_at
from workbench.conjugates.convex.primitives import formula

STEPS, SPLITS, TRIES = 2_000_000, 3, 12
RELATIONS = {1: sp.StrictGreaterThan, -1: sp.StrictLessThan, 0: sp.Equality}
TRIED = (0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, -2, -3, -5, -10)


class Answer(NamedTuple):
    """`verdict` "yes", "no" or "unknown"; the values of a yes, rational where they can be."""

    verdict: str
    values: dict


class Solver:
    """One conversation with z3 about real numbers."""

    def __init__(self, conditions=()):
        self.conditions, self._cache = tuple(map(sp.sympify, conditions)), {}

    def possible(self, *extra):
        """Return whether some values meet the conditions and the extra ones."""
        return self._cached(extra, False)

    def example(self, *extra):
        """Return the `Answer` with values that meet the conditions, as plain as they can be."""
        return self._cached(extra, True)

    def excludes(self, *extra):
        """Return whether it is proved that no values meet them."""
        return self.possible(*extra).verdict == "no"

    def _cached(self, extra, needs_values):
        key = frozenset(extra), needs_values
        if key not in self._cache:
            self._cache[key] = self._ask((*self.conditions, *map(sp.sympify, extra)), needs_values)
        return self._cache[key]

    def _ask(self, conditions, needs_values):
        symbols = sorted(set().union(*(condition.free_symbols for condition in conditions)), key=str)
        names = {symbol: sp.Symbol(f"s{k}", real=True) for k, symbol in enumerate(symbols)}
        trees, complete = list(_signs(names)), True
        for condition in conditions:
            try:
                trees.append(_tree(condition, names))
            except grammar.GrammarError:
                # One condition less allows more values: a "no" stays right.
                complete = False
        verdict, sure, values = _decided(trees, names, needs_values or not complete)
        if verdict == "yes" and not ((complete and sure) or all(holds(c, values) for c in conditions)):
            verdict = "unknown"
        return Answer(verdict, values if verdict == "yes" else {})


def _signs(names):
    """SymPy drops a > 0 where the symbol knows it."""
    for symbol, name in names.items():
        signs = (
            (symbol.is_positive, ">"),
            (symbol.is_negative, "<"),
            (symbol.is_nonnegative, ">="),
            (symbol.is_nonpositive, "<="),
        )
        yield from ((kind, ("name", str(name)), grammar.ZERO) for holds, kind in signs if holds)


def _tree(condition, names):
    if condition in (sp.true, sp.false):
        return grammar.TRUE if condition else ("not", grammar.TRUE)
    if isinstance(condition, (sp.And, sp.Or, sp.Not)):
        return (type(condition).__name__.lower(), *(_tree(part, names) for part in condition.args))
    sides = (grammar.parse(formula(side.xreplace(names))) for side in (condition.lhs, condition.rhs))
    return (condition.rel_op, *sides)


def _decided(trees, names, needs_values, splits=SPLITS):
    """(verdict, whether a "yes" is certain, values) for conditions of the checker; open signs both ways."""
    units: dict[tuple, Fraction] = {}
    if BUDGET.is_over:
        return "unknown", False, {}
    for _ in range(TRIES):
        face, question, waiting = Face(units=units), None, list(trees)
        rest: list[tuple] = []
        try:
            while waiting:
                count, rest = len(waiting), []
                for tree in waiting:
                    try:
                        face.facts.append(face.sentence(tree))
                        face.questions = {}
                    except Undecided as error:
                        rest.append(tree)
                        question = error.question or question
                waiting = rest if len(rest) < count else []
            break
        except Refine as refine:
            units[refine.key] = refine.unit
        except Undefined:
            # Where a formula lacks a value a comparison does not hold; another side of "or" may.
            return ("unknown" if tree[0] == "or" else "no"), False, {}
    else:
        return "unknown", False, {}
    if rest and question and splits:
        sides = [_decided([side, *trees], names, True, splits - 1) for side in (question, ("not", question))]
        return next(answer for kind in ("yes", "unknown", "no") for answer in sides if answer[0] == kind)
    facts = [*face.facts, *face.lemmas, *face.in_order()]
    status, model = _asked(facts, STEPS)
    sure = not rest and all(key[0] in (NAMED, "root") for key in face.atoms)
    if model is None:
        return ("no" if status == z3.unsat else "unknown"), False, {}
    return "yes", sure, _simple_values(facts, model, face, names) if needs_values or not sure else {}


def _asked(facts, steps):
    """(answer of z3, its model or None) within a number of its steps, which an incremental z3 may exceed."""
    solver = z3.SolverFor("QF_NRA")
    solver.set("rlimit", steps)
    solver.add(*facts)
    status = solver.check()
    return status, solver.model() if status == z3.sat else None


def _simple_values(facts, model, face, names):
    """Numbers that fulfil the facts, one plain number after the other, as far as that goes.

    All guesses together take about as many steps as one question.
    """
    facts, values = list(facts), {}
    steps = STEPS // (len(TRIED) * len(names) or 1)
    for symbol, name in names.items():
        unknown = z3.Real(f"x{face.indices.get((NAMED, str(name)), -1)}")
        number = _number(model.eval(unknown, model_completion=True))
        for guess in (*TRIED, *sorted({sp.floor(number), sp.ceiling(number)})):
            if BUDGET.is_over:
                break
            other = _asked([*facts, unknown == int(guess)], steps)[1]
            if other is not None:
                model, number = other, sp.Integer(guess)
                facts.append(unknown == int(guess))
                break
        values[symbol] = number
    return values


def _number(value):
    if z3.is_algebraic_value(value):
        value = value.approx(12)
    return sp.Rational(value.numerator_as_long(), value.denominator_as_long())


def holds(condition, values):
    """Return whether a condition holds in numbers, for values of its symbols; equality within rounding."""
    if condition in (True, False, sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [holds(part, values) for part in condition.args]
        return all(parts) if isinstance(condition, sp.And) else any(parts)
    if isinstance(condition, sp.Not):
        return not holds(condition.args[0], values)
    if not condition.free_symbols <= set(values):
        return False
    left, right = value_at(condition.lhs, values), value_at(condition.rhs, values)
    if mpmath.isnan(left) or mpmath.isnan(right):
        return False
    close = mpmath.mpf(10) ** -32 * (1 + abs(left))
    same = abs(left - right) <= close if mpmath.isfinite(left) else left == right
    order = 0 if same else (1 if left > right else -1)
    return {
        sp.StrictGreaterThan: order > 0,
        sp.StrictLessThan: order < 0,
        sp.GreaterThan: order >= 0,
        sp.LessThan: order <= 0,
        sp.Equality: order == 0,
        sp.Unequality: order != 0,
    }[condition.func]


def declared(parameters):
    """Return the declared ranges as conditions."""
    conditions = []
    for parameter in parameters.values():
        for low, low_open, high, high_open in parameter.bounds:
            conditions.append((sp.Lt if low_open else sp.Le)(low, parameter.symbol))
            conditions.append((sp.Lt if high_open else sp.Le)(parameter.symbol, high))
    return [one for one in conditions if one not in (True, sp.true)]
