"""The walk over a syntax tree: each kind of node that a formula may hold builds one expression."""

import ast

import sympy as sp

from workbench.conjugates.convex.syntax.build import Builder
from workbench.conjugates.convex.syntax.needs import within
from workbench.conjugates.convex.syntax.sizes import Unfit
from workbench.conjugates.convex.syntax.text import Source, exact
from workbench.conjugates.convex.syntax.vocabulary import (
    CONDITIONAL,
    CONSTANTS,
    FUNCTION_NAMES,
    FUNCTIONS,
    MAIN_NAMES,
    TRUTH,
    canonical,
    did_you_mean,
    name_fault,
    quote,
)

COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
CONNECTIVES = {ast.And: sp.And, ast.Or: sp.Or}


def undeclared(source, declared):
    """Return the names of a formula that are neither declared nor a word of the language, in their order.

    A wrong name (too long, of a function) is refused here, where it first stands.
    """
    nodes: dict[str, ast.Name] = {}
    called = {id(node.func) for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and id(node) not in called]
    for node in sorted(names, key=lambda node: node.col_offset):
        if node.id in FUNCTION_NAMES:
            source.refuse(node, f"{node.id} is a function; write {node.id}(...)")
        if node.id not in CONSTANTS and node.id not in declared:
            fault = name_fault(node.id)
            if fault:
                source.refuse(node, fault)
            nodes.setdefault(node.id, node)
    return nodes


class Walk:
    """Builds the expression of a `Source` in which the given names stand for the given symbols."""

    def __init__(self, source, symbols, build=None):
        self.source: Source = source
        self.symbols = symbols
        self.build = build or Builder()
        self._values = {
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Call: self._call,
            ast.Name: self._name,
            ast.Constant: self._constant,
            ast.IfExp: self._conditional,
        }

    def value(self, node):
        """Return the expression of a node that stands for a number."""
        handler = self._values.get(type(node))
        if handler is None or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            self._refuse_kind(node)
        return self.guarded(node, handler, node)

    def condition(self, node):
        """Return the condition of a node: comparisons joined by and, or, not."""
        if isinstance(node, ast.BoolOp):
            parts = [self.condition(part) for part in node.values]
            return self.guarded(node, CONNECTIVES[type(node.op)], *parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.guarded(node, sp.Not, self.condition(node.operand))
        if isinstance(node, ast.Compare):
            parts = [self.guarded(node, self.build.compare, *triple) for triple in self.comparisons(node)]
            return self.guarded(node, sp.And, *parts)
        if isinstance(node, ast.Constant) and self.source.segment(node) in TRUTH:
            return TRUTH[self.source.segment(node)]
        return self.source.refuse(node, "a condition is wanted here; write a comparison such as u > 0")

    def comparisons(self, node):
        """Return a chain a < b <= c as (a, "<", b), (b, "<=", c)."""
        sides = [self.value(side) for side in (node.left, *node.comparators)]
        if any(type(operator) not in COMPARISONS for operator in node.ops):
            self.source.refuse(node, "this comparison is not read; write <, <=, >, >=, == or !=")
        names = [COMPARISONS[type(operator)] for operator in node.ops]
        return list(zip(sides, names, sides[1:], strict=False))

    def guarded(self, node, make, *args):
        try:
            return make(*args)
        except Unfit as unfit:
            fault = str(unfit)
        except RecursionError:
            fault = "the formula is nested too deeply; write it in fewer levels"
        return self.source.refuse(node, fault)

    def _refuse_kind(self, node):
        if isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self.source.refuse(node, "a condition is not a number; write where(u > 0, a, b) with two values")
        if isinstance(node, ast.Tuple):
            self.source.refuse(node, "a comma belongs between the arguments of a function; write 0.5 for 0,5")
        self.source.refuse(node, f"{type(node).__name__} cannot be part of a formula; leave it out")

    def _binary(self, node):
        """Return a sum or product of many terms is taken at once, so that its length makes no depth."""
        if isinstance(node.op, ast.Pow):
            return self.build.power(self.value(node.left), self.value(node.right))
        group = (ast.Add, ast.Sub) if isinstance(node.op, ast.Add | ast.Sub) else (ast.Mult, ast.Div)
        if not isinstance(node.op, group):
            self._refuse_kind(node)
        parts = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, group):
            parts.append((node.op, node.right))
            node = node.left
        parts.append((group[0](), node))
        terms = []
        for operator, part in reversed(parts):
            term = self.value(part)
            reverse = {ast.Sub: self.build.negative, ast.Div: self.build.inverse}.get(type(operator))
            terms.append(self.guarded(part, reverse, term) if reverse else term)
        return self.build.add(*terms) if group[0] is ast.Add else self.build.multiply(*terms)

    def _unary(self, node):
        operand = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return self.build.negative(operand)
        if isinstance(node.op, ast.UAdd):
            return operand
        return self._refuse_kind(node)

    def _constant(self, node):
        text = self.source.segment(node)
        if text in TRUTH:
            self.source.refuse(node, f"{text} is a condition and no number; write 1 or 0")
        fraction = exact(text)
        return self.build.sizes.check(sp.Rational(fraction.numerator, fraction.denominator))

    def _name(self, node):
        if node.id in self.symbols:
            return self.symbols[node.id]
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        names = [*self.symbols, *CONSTANTS]
        fix = did_you_mean(node.id, names)
        return self.source.refuse(
            node, f"{quote(node.id)} is not known; {fix}known names are {', '.join(names)}"
        )

    def _conditional(self, node):
        pairs = []
        while isinstance(node, ast.IfExp):
            pairs.append((node.body, node.test))
            node = node.orelse
        return self._pieces([*pairs, (node, None)])

    def _pieces(self, nodes):
        """Return a `Piecewise` of (value, condition); a value needs to be real only where its case holds."""
        conditions = [sp.true if test is None else self.condition(test) for _, test in nodes]
        values = []
        for k, (node, _) in enumerate(nodes):
            before, self.build.needs = self.build.needs, []
            values.append(self.value(node))
            inner, self.build.needs = self.build.needs, before
            self.build.needs.extend(within(need, conditions[: k + 1]) for need in inner)
        return self.build.pieces(list(zip(values, conditions, strict=True)))

    def _call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name is None or node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            self.source.refuse(node, "only a function's name can stand before (; for a product write *")
        main = canonical(name)
        if main in CONDITIONAL:
            return getattr(self, f"_{main}")(node)
        if name not in FUNCTIONS:
            self._refuse_call(node, name)
        function = FUNCTIONS[name]
        count = len(node.args)
        if count < function.least or (function.most is not None and count > function.most):
            wants = {1: "1 argument", 2: "1 or 2 arguments"}.get(function.most or 0, "2 arguments or more")
            self.source.refuse(node, f"{name} takes {wants}, not {count}; separate arguments by commas")
        return function.make(self.build, *(self.value(arg) for arg in node.args))

    def _refuse_call(self, node, name):
        if name in self.symbols or name in CONSTANTS or len(name) == 1:
            self.source.refuse(node, f"{name}(...) is not a product; write {name}*(...)")
        fix = did_you_mean(name, sorted(FUNCTION_NAMES))
        self.source.refuse(
            node, f"the function {quote(name)} is not known; {fix}known are {', '.join(MAIN_NAMES)}"
        )

    def _piecewise(self, node):
        for arg in node.args:
            if not isinstance(arg, ast.Tuple) or len(arg.elts) != 2:
                self.source.refuse(arg, "a piece is a pair; write piecewise((u, u > 0), (0, True))")
        return self._pieces([arg.elts for arg in node.args])

    def _where(self, node):
        if len(node.args) != 3:
            self.source.refuse(
                node, f"where takes 3 arguments, not {len(node.args)}; write where(u > 0, a, b)"
            )
        condition, first, second = node.args
        return self._pieces([(first, condition), (second, None)])

    def _indicator(self, node):
        if len(node.args) != 1:
            self.source.refuse(node, "indicator takes one condition; write indicator(u > 0)")
        return self.build.pieces([(sp.S.Zero, self.condition(node.args[0])), (sp.oo, sp.true)])
