"""From text to SymPy, through an allow-list.

Nothing here evaluates text: not `eval`, and neither SymPy's `sympify` nor `parse_expr`, which do. A text
is cut into tokens of which each is known, Python's own parser makes a syntax tree of them, and a walk
over the tree builds SymPy objects for the nodes that a formula may hold. Length, nodes, depth, numbers
and exponents are bounded before anything is built, because SymPy evaluates constants as it builds; what
SymPy takes more than a second for is refused, too.

    text ── characters, tokens, size ── ast.parse ── walk ── checked construction ── SymPy
            syntax/characters, text                 walk      build, sizes

Every refusal is an `ExpressionError`: one sentence with the place, what stands there and the fix.
"""

import functools
from dataclasses import dataclass

import sympy as sp

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.limited import OutOfTime, seconds
from workbench.conjugates.convex.primitives import formula
from workbench.conjugates.convex.syntax import domains
from workbench.conjugates.convex.syntax import parameters as declarations
from workbench.conjugates.convex.syntax.build import RELATIONS
from workbench.conjugates.convex.syntax.names import choose, symbols_of, variable_name
from workbench.conjugates.convex.syntax.needs import all_needs
from workbench.conjugates.convex.syntax.parameters import Parameter
from workbench.conjugates.convex.syntax.rebuild import Rebuild, symbol_names
from workbench.conjugates.convex.syntax.sizes import INFINITE
from workbench.conjugates.convex.syntax.text import read_source
from workbench.conjugates.convex.syntax.vocabulary import NAME
from workbench.conjugates.convex.syntax.walk import Walk, undeclared

__all__ = [
    "Parameter",
    "Parsed",
    "domain_of",
    "from_sympy",
    "parse_domain",
    "parse_expression",
    "parse_parameters",
]
WHAT = "formula"
SECONDS = 1.0  # of processor time for one text, which takes milliseconds


def _in_time(what, reader):
    """Return a reader that refuses a text which SymPy takes too long for."""

    @functools.wraps(reader)
    def read(*args, **options):
        try:
            with seconds(SECONDS):
                return reader(*args, **options)
        except OutOfTime:
            raise ExpressionError(f"{what}: SymPy takes too long to evaluate it; write it shorter") from None

    return read


domain_of = _in_time("domain", domains.domain_of)
parse_domain = _in_time("domain", domains.parse_domain)
parse_parameters = _in_time("parameters", declarations.parse_parameters)


@dataclass(frozen=True)
class Parsed:
    """An expression over one real variable and the symbols of the declared parameters.

    Attributes
    ----------
    text : str
        The formula as it was typed, which is what a proof states.
    needs : tuple of Need
        What the parts of the formula need to be real, as typed: `expr` is simplified and may need less.
    """

    expr: sp.Expr
    variable: sp.Symbol
    parameters: dict[str, Parameter]
    text: str
    needs: tuple = ()

    @property
    def where_real(self):
        """The expression, infinite where it is defined but the formula as typed is not."""
        lost = [need for need in self.needs if need not in all_needs(self.expr)]
        if not lost:
            return self.expr
        inside = sp.And(*(RELATIONS[need.relation](need.function, 0) for need in lost))
        return sp.Piecewise((self.expr, inside), (sp.oo, True))

    def with_values(self, values, variable):
        """Return the formula with numbers {symbol: Rational} and another symbol for its variable."""
        symbols = {**values, self.variable: variable}
        texts = {str(symbol): f"({value})" for symbol, value in symbols.items()}

        def entered(expression):
            return expression.xreplace(symbols)

        return Parsed(
            entered(self.expr),
            variable,
            {},
            NAME.sub(lambda name: texts.get(name.group(), name.group()), self.text),
            tuple(need.map(entered) for need in self.needs),
        )


@functools.partial(_in_time, WHAT)
def parse_expression(text, parameters=None, variable=None):
    """Return the expression that a formula in text stands for.

    Parameters
    ----------
    text : str
        "log(1 + exp(u))", "max(0, 1 - u)^2/2", "u**2/2 if abs(u) <= 1 else abs(u) - 1/2"; a power is
        written ** or ^.
    parameters : dict, optional
        As `parse_parameters` reads it.
    variable : str or sympy.Symbol, optional
        By default the one name that is not declared; u for a formula without a name.
    """
    parameters = parse_parameters(parameters)
    name = variable_name(variable, parameters)
    source = read_source(WHAT, text)
    declared = {*parameters, name} if name else set(parameters)
    name = choose(WHAT, undeclared(source, declared), name, parameters, source)
    walk = Walk(source, symbols_of(name, parameters))
    expr = walk.value(source.tree)
    return _parsed(expr, name, walk.symbols, parameters, text.strip(" \t"), walk.build.needs)


def from_sympy(expr, parameters=None, variable=None):
    """Return the `Parsed` of a SymPy expression of known nodes; real symbols replace its symbols."""
    parameters = parse_parameters(parameters)
    name = variable_name(variable, parameters)
    if isinstance(expr, sp.Basic):
        if not isinstance(expr, sp.Expr):
            kind = type(expr).__name__
            raise ExpressionError(f"{WHAT}: {kind} is not a number; write an expression such as u**2/2")
        declared = {*parameters, name} if name else set(parameters)
        names = dict.fromkeys(other for other in symbol_names(WHAT, expr) if other not in declared)
    else:
        names = {}
    name = choose(WHAT, names, name, parameters)
    rebuild = Rebuild(WHAT, symbols_of(name, parameters))
    expr = rebuild.expression(expr)
    return _parsed(expr, name, rebuild.symbols, parameters, formula(expr), all_needs(expr))


def _parsed(expr, name, symbols, parameters, text, needs):
    if expr in INFINITE:
        raise ExpressionError(f"{WHAT}: it is infinite everywhere; give it a finite value somewhere")
    return Parsed(expr, symbols[name], parameters, text, tuple(needs))
