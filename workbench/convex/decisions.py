"""Which signs an expression in the parameters can have, decided for all values at once by z3.

Sums, products, quotients and rational powers are stated exactly, as polynomial equations of further
unknowns. Exponentials, logarithms and powers with symbols in the exponent stand for unknowns of which
only a few true facts are stated, so that "no value" stays a proof while "some value" is confirmed in
numbers. Work is limited by z3's own count of steps, so no answer depends on the clock.
"""

import itertools
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.convex.evaluation import at

STEPS = 2_000_000
RELATIONS = {1: sp.StrictGreaterThan, -1: sp.StrictLessThan, 0: sp.Equality}
TRIED = (0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, -2, -3, -5, -10)


class Answer(NamedTuple):
    """`verdict` "yes", "no" or "unknown"; the values of a yes, rational where they can be."""

    verdict: str
    values: dict


class Untranslated(Exception):
    """A node that has no counterpart."""


class Solver:
    """One conversation with z3 about real numbers."""

    def __init__(self, conditions=()):
        import z3

        self.z3, self.context = z3, z3.Context()
        self.conditions = tuple(conditions)
        self._cache = {}

    def possible(self, *extra):
        """Whether some values meet the conditions and the extra ones."""
        return self._known(extra, False)

    def example(self, *extra):
        """The same with such values, as plain as they can be."""
        return self._known(extra, True)

    def excludes(self, *extra):
        """Whether it is proved that no values meet them."""
        return self.possible(*extra).verdict == "no"

    def _known(self, extra, wanted):
        key = frozenset(extra), wanted
        if key not in self._cache:
            self._cache[key] = self._ask(extra, wanted)
        return self._cache[key]

    def _ask(self, extra, wanted):
        stated = _Statement(self.z3, self.context)
        known = True
        for condition in (*self.conditions, *extra):
            try:
                stated.add(condition)
            except Untranslated:
                # One condition less allows more values: a "no" stays right.
                known = False
        solver = self.z3.SolverFor("QF_NRA", ctx=self.context)
        solver.set("rlimit", STEPS)
        solver.add(*stated.assertions())
        found = solver.check()
        if found == self.z3.unsat:
            return Answer("no", {})
        if found != self.z3.sat:
            return Answer("unknown", {})
        sure = known and not stated.abstract
        values = self._simple_values(solver, stated) if wanted or not sure else {}
        if sure or all(holds(c, values) for c in (*self.conditions, *extra)):
            return Answer("yes", values)
        return Answer("unknown", {})

    def _simple_values(self, solver, stated):
        """A model with one plain number after the other, as far as that goes."""
        values = {}
        for symbol, unknown in sorted(stated.symbols.items(), key=lambda item: str(item[0])):
            model = solver.model()
            number = self._number(model.eval(unknown, model_completion=True))
            for guess in (*TRIED, *sorted({sp.floor(number), sp.ceiling(number)})):
                solver.push()
                solver.add(unknown == int(guess))
                if solver.check() == self.z3.sat:
                    number = sp.Integer(guess)
                    break
                solver.pop()
            else:
                solver.check()
            values[symbol] = number
        return values

    def _number(self, value):
        if self.z3.is_algebraic_value(value):
            value = value.approx(12)
        return sp.Rational(value.numerator_as_long(), value.denominator_as_long())


class _Statement:
    """SymPy conditions as formulas of z3, with the unknowns that they bring in."""

    def __init__(self, z3, context):
        self.z3, self.context = z3, context
        self.symbols, self.known, self.facts, self.stated = {}, {}, [], []
        self.abstract = False
        self._count = itertools.count()

    def assertions(self):
        return [*self.stated, *self.facts]

    def add(self, condition):
        if condition in (True, sp.true):
            return
        if condition in (False, sp.false):
            self.stated.append(self.z3.BoolVal(False, self.context))
            return
        if isinstance(condition, sp.And):
            for part in condition.args:
                self.add(part)
            return
        if isinstance(condition, sp.Or):
            outer, parts = self.stated, []
            for part in condition.args:
                self.stated = []
                self.add(part)
                parts.append(self.z3.And(*self.stated, self.z3.BoolVal(True, self.context)))
            self.stated = [*outer, self.z3.Or(*parts)]
            return
        left, right = self.term(condition.lhs), self.term(condition.rhs)
        made = {
            sp.StrictGreaterThan: lambda: left > right, sp.StrictLessThan: lambda: left < right,
            sp.GreaterThan: lambda: left >= right, sp.LessThan: lambda: left <= right,
            sp.Equality: lambda: left == right, sp.Unequality: lambda: left != right,
        }  # fmt: skip
        self.stated.append(made[condition.func]())

    def _new(self):
        return self.z3.Real(f"x{next(self._count)}", self.context)

    def term(self, node):
        if node not in self.known:
            self.known[node] = self._term(node)
        return self.known[node]

    def _term(self, node):
        if node.is_Rational:
            return self.z3.Q(int(node.p), int(node.q), self.context)
        if node.is_Float:
            return self.term(sp.Rational(str(node)))
        if node.is_Symbol:
            x = self.symbols[node] = self.z3.Real(f"{node.name}_{len(self.symbols)}", self.context)
            # SymPy has dropped a > 0 where the symbol knows it.
            signs = ((node.is_positive, x > 0), (node.is_negative, x < 0),
                     (node.is_nonnegative, x >= 0), (node.is_nonpositive, x <= 0))  # fmt: skip
            self.facts += [fact for known, fact in signs if known]
            return x
        if node.is_infinite or node.has(sp.nan, sp.zoo, sp.I):
            raise Untranslated(str(node))
        if isinstance(node, sp.Add):
            return self.z3.Sum([self.term(arg) for arg in node.args])
        if isinstance(node, sp.Mul):
            return self.z3.Product([self.term(arg) for arg in node.args])
        if isinstance(node, sp.Abs):
            x = self.term(node.args[0])
            return self.z3.If(x >= 0, x, -x)
        if isinstance(node, (sp.Max, sp.Min)):
            return self._extreme(node)
        if isinstance(node, sp.exp):
            return self._exponential_of(sp.expand(node.args[-1]))
        if isinstance(node, (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)):
            return self.term(node.rewrite(sp.exp))
        if isinstance(node, (sp.sin, sp.cos)):
            return self._circular(node)
        if isinstance(node, sp.Pow):
            return self._power(node)
        if isinstance(node, sp.log):
            return self._logarithm(self.term(node.args[0]))
        if node.is_number and node.is_real:
            return self._constant(node)
        raise Untranslated(str(node))

    def _extreme(self, node):
        first, *rest = [self.term(arg) for arg in node.args]
        for other in rest:
            first = self.z3.If(first > other if isinstance(node, sp.Max) else first < other, first, other)
        return first

    def _power(self, node):
        base, exponent = node.base, node.exp
        if exponent.is_Integer:
            n = abs(int(exponent))
            if n > 24:
                raise Untranslated(str(node))
            power = self.z3.Product([self.term(base)] * n) if n > 1 else self.term(base)
            if exponent > 0:
                return power
            inverse = self._new()
            self.facts.append(inverse * power == 1)
            return inverse
        if exponent.is_Rational and exponent.q <= 12 and abs(exponent.p) <= 24:
            root = self._new()
            self.facts += [root >= 0, self.z3.Product([root] * int(exponent.q)) == self.term(base)]
            self.known[base ** sp.Rational(1, exponent.q)] = root
            power = self.z3.Product([root] * abs(int(exponent.p))) if abs(exponent.p) > 1 else root
            if exponent > 0:
                return power
            inverse = self._new()
            self.facts.append(inverse * power == 1)
            return inverse
        return self._free_power(self.term(base), self.term(exponent))

    def _free_power(self, base, exponent):
        """base^exponent for base >= 0: above or below 1 as the two say."""
        self.abstract = True
        x, z3 = self._new(), self.z3
        self.facts += [
            base >= 0, x >= 0, z3.Implies(base > 0, x > 0),
            z3.Implies(z3.Or(base == 1, z3.And(exponent == 0, base > 0)), x == 1),
            z3.Implies(z3.And(base > 1, exponent > 0), x > 1),
            z3.Implies(z3.And(base > 1, exponent < 0), x < 1),
            z3.Implies(z3.And(base < 1, exponent > 0), x < 1),
            z3.Implies(z3.And(base > 0, base < 1, exponent < 0), x > 1),
        ]  # fmt: skip
        return x

    def _exponential_of(self, argument):
        """e^(k b + c) as (e^b)^k e^c, so that the exponentials of one quantity know each other."""
        if argument.is_Add:
            return self.z3.Product([self.term(sp.exp(term)) for term in argument.args])
        factor, base = argument.as_coeff_Mul()
        if factor.is_Rational and factor != 1 and base != 1:
            unit = sp.Rational(1, factor.q)
            if (base, unit) not in self.known:
                self.known[base, unit] = self._exponential(self.term(base * unit))
                if unit != 1:
                    self._root_of(self.known[base, unit], sp.exp(base), int(factor.q))
                else:
                    self.known[sp.exp(base)] = self.known[base, unit]
            power = self.z3.Product([self.known[base, unit]] * abs(int(factor.p)))
            if factor > 0:
                return power
            inverse = self._new()
            self.facts.append(inverse * power == 1)
            return inverse
        if (argument, sp.S.One) not in self.known:
            self.known[argument, sp.S.One] = self._exponential(self.term(argument))
        return self.known[argument, sp.S.One]

    def _root_of(self, root, whole, degree):
        self.facts.append(self.z3.Product([root] * degree) == self.term(whole))

    def _circular(self, node):
        """sin and cos of one angle on the unit circle."""
        self.abstract = True
        angle = node.args[0]
        if (sp.sin, angle) not in self.known:
            s, c = self._new(), self._new()
            self.known[sp.sin, angle], self.known[sp.cos, angle] = s, c
            self.facts.append(s * s + c * c == 1)
        return self.known[type(node), angle]

    def _exponential(self, argument):
        self.abstract = True
        x, z3 = self._new(), self.z3
        self.facts += [
            x > 0, x >= 1 + argument, z3.Implies(argument < 0, x < 1), z3.Implies(argument == 0, x == 1),
            z3.Implies(argument != 0, x > 1 + argument),
            *(z3.And(z3.Implies(argument < a, x < e), z3.Implies(argument == a, x == e),
                     z3.Implies(argument > a, x > e)) for a, e in self._pairs("exp")),
        ]  # fmt: skip
        self._pairs("exp").append((argument, x))
        return x

    def _logarithm(self, argument):
        self.abstract = True
        x, z3 = self._new(), self.z3
        self.facts += [
            argument > 0, x <= argument - 1, z3.Implies(argument > 1, x > 0),
            z3.Implies(argument == 1, x == 0), z3.Implies(argument < 1, x < 0),
            *(z3.And(z3.Implies(argument < a, x < e), z3.Implies(argument == a, x == e),
                     z3.Implies(argument > a, x > e)) for a, e in self._pairs("log")),
        ]  # fmt: skip
        self._pairs("log").append((argument, x))
        return x

    def _pairs(self, name):
        if not hasattr(self, "_monotone"):
            self._monotone = {"exp": [], "log": []}
        return self._monotone[name]

    def _constant(self, node):
        """pi, e and the like between two rationals of thirty digits."""
        self.abstract = True
        with mpmath.workdps(40):
            value, step = mpmath.mpf(sp.N(node, 40)), mpmath.mpf(10) ** -30
            low, high = (sp.Rational(mpmath.nstr(value + k * step, 36)) for k in (-1, 1))
        x = self._new()
        self.facts += [self.term(low) < x, x < self.term(high)]
        return x


def holds(condition, values):
    """Whether a condition holds in numbers, for values of its symbols; equality within rounding."""
    if condition in (True, False, sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [holds(part, values) for part in condition.args]
        return all(parts) if isinstance(condition, sp.And) else any(parts)
    if isinstance(condition, sp.Not):
        return not holds(condition.args[0], values)
    if not condition.free_symbols <= set(values):
        return False
    left, right = at(condition.lhs, values), at(condition.rhs, values)
    if mpmath.isnan(left) or mpmath.isnan(right):
        return False
    close = mpmath.mpf(10) ** -32 * (1 + abs(left))
    same = abs(left - right) <= close if mpmath.isfinite(left) else left == right
    order = 0 if same else (1 if left > right else -1)
    return {
        sp.StrictGreaterThan: order > 0, sp.StrictLessThan: order < 0, sp.GreaterThan: order >= 0,
        sp.LessThan: order <= 0, sp.Equality: order == 0, sp.Unequality: order != 0,
    }[condition.func]  # fmt: skip


def declared(parameters):
    """The declared ranges as conditions."""
    found = []
    for parameter in parameters.values():
        for low, low_open, high, high_open in parameter.bounds:
            found.append((sp.Lt if low_open else sp.Le)(low, parameter.symbol))
            found.append((sp.Lt if high_open else sp.Le)(parameter.symbol, high))
    return [one for one in found if one not in (True, sp.true)]
