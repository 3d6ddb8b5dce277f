"""SymPy expressions as JavaScript that a page evaluates while a slider moves.

The numbers are those of the Python form: the same operations in the same order, the functions of the
one table, nan and infinities included. Where SymPy's own printer differs (a cube root of a negative
number, a Piecewise without a default, quotients of exponentials) this one goes its own way.
"""

import re

import sympy as sp
from sympy.printing.jscode import JavascriptCodePrinter

from workbench._support.errors import InputError
from workbench.conjugates.codegen.forms import HELPERS, javascript_helpers
from workbench.conjugates.codegen.printer import FormPrinter

# A symbol of such a name is printed with an underscore behind it.
_KEYWORDS = """
    arguments await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function if implements import in instanceof interface let new null package
    private protected public return static super switch this throw true try typeof var void while with yield
    Array ArrayBuffer Infinity Math NaN theta undefined
"""
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class ScriptPrinter(FormPrinter, JavascriptCodePrinter):
    """Prints one real expression; a function prints as its stable form of the table."""

    form_language = "javascript"
    reserved_words = frozenset((*_KEYWORDS.split(), *HELPERS))

    def _print_Symbol(self, expression):
        if not _NAME.fullmatch(expression.name):
            raise InputError(
                f"formula: {expression.name!a} is not a name in JavaScript; use letters and digits"
            )
        return super()._print_Symbol(expression)

    def _print_Pow(self, expression):
        small = self._small_power(*expression.as_base_exp())
        if small:
            return small
        base, exponent = expression.args
        if exponent in (sp.S.Half, -sp.S.Half):
            root = f"Math.sqrt({self._print(base)})"
            return root if exponent == sp.S.Half else f"(1.0/{root})"
        if exponent == -1:
            return f"(1.0/({self._print(base)}))"
        # Never Math.cbrt, which is real below 0 where Python's power is nan.
        name = "Math.pow" if exponent.is_number else "power"
        return f"{name}({self._print(base)}, {self._print(exponent)})"

    def _print_cases(self, cases):
        *others, (last, _) = cases
        return f"({''.join(f'{cond} ? ({text}) : ' for text, cond in others)}({last}))"

    def _print_Relational(self, expression):
        return f"({self._print(expression.lhs)} {expression.rel_op} {self._print(expression.rhs)})"

    def _print_BooleanTrue(self, expression):
        return "true"

    def _print_BooleanFalse(self, expression):
        return "false"

    def _print_Infinity(self, expression):
        return "Infinity"

    def _print_NegativeInfinity(self, expression):
        return "(-Infinity)"

    def _print_NaN(self, expression):
        return "NaN"


def javascript_function(name, expression, arguments, domain=None, parameters=()):
    """Return the source of a JavaScript function of the arguments and of ``theta``.

    Parameters
    ----------
    name : str
        The function's name.
    expression : sympy.Expr
        What it returns.
    arguments : sequence of sympy.Symbol
        Its numbers, in order; a domain is one of the first.
    domain : sympy.Set or a condition, optional
        Where the expression holds; elsewhere, and for nan, the function returns Infinity.
    parameters : sequence of sympy.Symbol
        What ``theta`` holds: an array in this order, or an object by these names.
    """
    printer = ScriptPrinter()
    _check_names(name, expression, domain, arguments, parameters)
    body = printer.text(expression)
    inside = _inside(printer, domain, arguments[0])
    if inside is not None:
        body = f"{inside} ? {body} : Infinity"
    lines = [
        f'  const {printer._print(symbol)} = entry(theta, {position}, "{symbol.name}");\n'
        for position, symbol in enumerate(parameters)
        if re.search(rf"\b{printer._print(symbol)}\b", body)
    ]
    heads = ", ".join([*(printer._print(symbol) for symbol in arguments), "theta"])
    return f"function {name}({heads}) {{\n{''.join(lines)}  return {body};\n}}\n"


def javascript_module(functions):
    """Return the functions' sources as one script, the helpers that they call once before them."""
    text = "\n".join(functions)
    helpers = javascript_helpers(text)
    return f"{helpers}\n{text}" if helpers else text


def _inside(printer, domain, variable):
    """Return the condition that the variable lies in the domain, as text; None where it always does."""
    if domain is None:
        return None
    if isinstance(domain, sp.Set):
        # A real symbol drops the comparisons with infinity, which a formula may meet as a number.
        domain = domain.as_relational(sp.Symbol(variable.name, real=True))
    condition = sp.sympify(domain)
    return None if condition == True else printer.text(condition)  # noqa: E712


def _check_names(name, expression, domain, arguments, parameters):
    if not _NAME.fullmatch(name):
        raise InputError(f"function: {name!a} is not a name in JavaScript; use letters, digits and _")
    names = {symbol.name for symbol in (*arguments, *parameters)}
    parts = [sp.sympify(part) for part in (expression, domain) if part is not None]
    unknown = sorted({symbol.name for part in parts for symbol in part.free_symbols} - names)
    if unknown:
        raise InputError(f"function {name}: {unknown[0]} is neither an argument nor a parameter; list it")
