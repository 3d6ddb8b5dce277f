"""A SymPy expression as a formula: nodes of known kinds only, real symbols, exact numbers."""

import numbers

import sympy as sp

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.syntax.bounds import bounds_of
from workbench.conjugates.convex.syntax.build import OPEN, Builder
from workbench.conjugates.convex.syntax.sizes import INFINITE, KINDS, Unfit, as_rational
from workbench.conjugates.convex.syntax.vocabulary import name_fault

PARTS, DEPTH = 1000, 100  # of a SymPy expression, which writes u - 1 with three parts more than text
SECONDS = 5.0  # SymPy evaluates anew what a real symbol enters
OPERATORS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}


def parts_of(what, expression):
    """Every node of an expression, or an error where it is too large; nothing is evaluated."""
    if not isinstance(expression, sp.Basic):
        kind = type(expression).__name__
        raise ExpressionError(f"{what}: {kind} is not a SymPy expression; write text such as 'u**2/2'")
    stack, nodes = [(expression, 1)], []
    while stack:
        node, depth = stack.pop()
        nodes.append(node)
        if len(nodes) > PARTS or depth > DEPTH:
            raise ExpressionError(
                f"{what}: the expression has more than {PARTS} parts or {DEPTH} levels; write a smaller one"
            )
        stack += [(part, depth + 1) for part in node.args if isinstance(part, sp.Basic)]
    return nodes


def symbol_names(what, expression):
    """Return the names of the symbols in an expression, in alphabetical order."""
    symbols: dict[str, sp.Symbol] = {}
    for node in parts_of(what, expression):
        if isinstance(node, sp.Symbol):
            fault = name_fault(node.name)
            if not fault and symbols.setdefault(node.name, node) != node:
                fault = f"two symbols are both named {node.name}; use one symbol"
            if fault:
                raise ExpressionError(f"{what}: {fault}")
    return sorted(symbols)


class Rebuild:
    """Puts the given symbols in place of those that have their names."""

    def __init__(self, what, symbols, build=None):
        self.what = what
        self.symbols = symbols
        self.build = build or Builder()

    def expression(self, expression):
        """Return the expression in the given symbols, or the exact value of a Python number."""
        if isinstance(expression, numbers.Real) and not isinstance(expression, bool | sp.Basic):
            expression = self._number(expression)
        parts = parts_of(self.what, expression)
        for node in parts:
            fault = _fault(node)
            if fault:
                raise ExpressionError(f"{self.what}, in a {type(node).__name__}: {fault}")
        try:
            entered = {node: self._entered(node) for node in parts if isinstance(node, sp.Symbol | sp.Float)}
            result = attempt(expression.xreplace, entered, limit=SECONDS)
            if result is None:
                raise Unfit("SymPy takes too long to evaluate it for real numbers; write it as text")
            return result if result in INFINITE else self.build.sizes.check(result)
        except Unfit as fault:
            raise ExpressionError(f"{self.what}: {fault}") from None

    def bounds(self, condition, symbol):
        """Return the bounds of a symbol that a relational, or an `And` of them, sets."""
        parts_of(self.what, condition)
        if isinstance(condition, sp.And):
            return [bound for part in condition.args for bound in self.bounds(part, symbol)]
        if type(condition) not in OPERATORS:
            raise ExpressionError(
                f"{self.what}: {type(condition).__name__} is not a comparison; write it as in u > 0"
            )
        left, right = (self.expression(side) for side in condition.args)
        try:
            return bounds_of(self.build, [(left, OPERATORS[type(condition)], right)], symbol)
        except Unfit as fault:
            raise ExpressionError(f"{self.what}: {fault}") from None

    def _number(self, number):
        if number != number:
            raise ExpressionError(f"{self.what}: nan is not a number; write a number")
        if number in (float("inf"), -float("inf")):
            return sp.oo if number > 0 else -sp.oo
        try:
            return as_rational(number)
        except Unfit as fault:
            raise ExpressionError(f"{self.what}: {fault}") from None

    def _entered(self, node):
        if isinstance(node, sp.Float):
            return as_rational(node)
        if node.name not in self.symbols:
            raise Unfit(f"the symbol {node.name} is not known; known are {', '.join(self.symbols) or 'none'}")
        return self.symbols[node.name]


def _fault(node):
    """Return the fault of a node that cannot stand in a formula, or None."""
    if not isinstance(node, (*KINDS, sp.Float)) and node not in INFINITE:
        return f"{type(node).__name__} cannot be part of a formula here; write it with known functions"
    if isinstance(node, sp.Piecewise) and node.args[-1].cond != sp.true:
        return OPEN
    return None
