"""The same walk over a SymPy expression: every node of a known kind, every symbol replaced by a real one."""

import numbers

import sympy as sp

from workbench.convex.primitives import PRIMITIVES
from workbench.convex.syntax.bounds import bounds_of
from workbench.convex.syntax.build import Builder
from workbench.convex.syntax.sizes import FLOATS, INFINITE, Unfit, as_rational
from workbench.convex.syntax.vocabulary import name_fault
from workbench.errors import ExpressionError

PARTS, DEPTH = 1000, 100  # of a SymPy expression, which writes u - 1 with three parts more than text
OPERATORS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}


def parts_of(what, expression):
    """Every node of an expression, or an error where it is too large; nothing is evaluated."""
    if not isinstance(expression, sp.Basic):
        kind = type(expression).__name__
        raise ExpressionError(f"{what}: {kind} is no SymPy expression; write text such as 'u**2/2'")
    stack, found = [(expression, 1)], []
    while stack:
        node, depth = stack.pop()
        found.append(node)
        if len(found) > PARTS or depth > DEPTH:
            raise ExpressionError(
                f"{what}: the expression has more than {PARTS} parts or {DEPTH} levels; write a smaller one"
            )
        stack += [(part, depth + 1) for part in node.args if isinstance(part, sp.Basic)]
    return found


def symbol_names(what, expression):
    """The names of the symbols in an expression, in alphabetical order."""
    found = {}
    for node in parts_of(what, expression):
        if isinstance(node, sp.Symbol):
            fault = name_fault(node.name)
            if not fault and found.setdefault(node.name, node) != node:
                fault = f"two symbols are both named {node.name}; use one symbol"
            if fault:
                raise ExpressionError(f"{what}: {fault}")
    return sorted(found)


class Rebuild:
    """Builds an expression anew with the given symbols in place of those that have their names."""

    def __init__(self, what, symbols, build=None):
        self.what = what
        self.symbols = symbols
        self.build = build or Builder()
        self._made = {}

    def expression(self, expression):
        """The value of a whole expression, or of a Python number; errors name the part."""
        if isinstance(expression, numbers.Real) and not isinstance(expression, bool | sp.Basic):
            expression = self._number(expression)
        parts_of(self.what, expression)
        return self._value(expression)

    def bounds(self, condition, symbol):
        """The bounds of a symbol that a relational, or an `And` of them, sets."""
        parts_of(self.what, condition)
        if isinstance(condition, sp.And):
            return [bound for part in condition.args for bound in self.bounds(part, symbol)]
        if type(condition) not in OPERATORS:
            raise ExpressionError(
                f"{self.what}: {type(condition).__name__} is no comparison; write it as in u > 0"
            )
        left, right = (self._value(side) for side in condition.args)
        try:
            return bounds_of(self.build, [(left, OPERATORS[type(condition)], right)], symbol)
        except Unfit as fault:
            raise ExpressionError(f"{self.what}: {fault}") from None

    def _number(self, number):
        if number != number:
            raise ExpressionError(f"{self.what}: nan is no number; write a number")
        if number in (float("inf"), -float("inf")):
            return sp.oo if number > 0 else -sp.oo
        return as_rational(number)

    def _value(self, node):
        if node not in self._made:
            try:
                self._made[node] = self._make(node)
            except Unfit as fault:
                raise ExpressionError(f"{self.what}, in a {type(node).__name__}: {fault}") from None
        return self._made[node]

    def _make(self, node):
        if isinstance(node, sp.Symbol):
            if node.name not in self.symbols:
                known = ", ".join(self.symbols) or "none"
                raise Unfit(f"the symbol {node.name} is not known; known are {known}")
            return self.symbols[node.name]
        if isinstance(node, sp.Float):
            return self.build.checked(as_rational(node))
        if node in INFINITE:
            return node
        if isinstance(node, sp.Rational) or node in (sp.E, sp.pi):
            return self.build.checked(node)
        if isinstance(node, sp.Piecewise):
            return self.build.pieces([(self._value(e), self._condition(c)) for e, c in node.args])
        return self._compound(node)

    def _compound(self, node):
        build = self.build
        if not isinstance(node, (sp.Add, sp.Mul, sp.Pow, *FLOATS, *PRIMITIVES)):
            raise Unfit(f"{type(node).__name__} is no part of a formula here; write it with known functions")
        args = [self._value(part) for part in node.args]
        if all(new is old for new, old in zip(args, node.args, strict=True)):
            return build.checked(node)
        if isinstance(node, sp.Add):
            return build.add(*args)
        if isinstance(node, sp.Mul):
            build.multiply(*args)
            return build.checked(sp.Mul(*args))
        if isinstance(node, sp.Pow):
            return build.power(*args)
        if isinstance(node, sp.Max | sp.Min):
            return build.extreme(type(node), *args)
        special = {sp.exp: build.exponential, sp.Abs: build.absolute, sp.sign: build.sign}.get(type(node))
        return special(*args) if special else build.call(type(node), *args)

    def _condition(self, node):
        if node in (sp.true, sp.false):
            return node
        if isinstance(node, sp.And | sp.Or | sp.Not):
            return self.build.combine(type(node), *(self._condition(part) for part in node.args))
        if type(node) not in OPERATORS:
            raise Unfit(f"{type(node).__name__} is no condition; write a comparison such as u > 0")
        left, right = (self._value(side) for side in node.args)
        return self.build.compare(left, OPERATORS[type(node)], right)
