"""SymPy expressions as Python text that numba compiles."""

import sympy as sp
from sympy.core.function import Application, AppliedUndef
from sympy.printing.codeprinter import CodePrinter
from sympy.printing.pycode import PythonCodePrinter

from workbench._support.errors import InputError
from workbench.conjugates.codegen.forms import FORMS, call

# Kinds of nodes in a formula, besides the functions of the table.
_ARITHMETIC = (sp.Add, sp.Mul, sp.Pow, sp.Rational, sp.Float, sp.Symbol, sp.core.numbers.NumberSymbol)
_ENDS = (sp.core.numbers.Infinity, sp.core.numbers.NegativeInfinity, sp.core.numbers.NaN)
_CONDITIONS = (sp.core.relational.Relational, sp.And, sp.Or, sp.Not, type(sp.true), type(sp.false))
_PIECES = (sp.Piecewise, sp.functions.elementary.piecewise.ExprCondPair)
_KNOWN = (*_ARITHMETIC, *_ENDS, *_CONDITIONS, *_PIECES)
# A larger integer is not exact as a float, and the quotient of two exact ones may not be the nearest float.
_EXACT = 2**53


class FormPrinter(CodePrinter):
    """The shared part of both printers: the functions of the table, numbers and small powers."""

    form_language: str

    def text(self, expression):
        """Return the expression as one line of code; raise `InputError` for a node without a form."""
        expression = sp.sympify(expression)
        for node in sp.preorder_traversal(expression):
            if not (isinstance(node, _KNOWN) or _is_form(node) or hasattr(node, self.printmethod)):
                self._refuse(
                    f"{node.func.__name__ if node.args else node} cannot be printed in {self.language}"
                )
        return self.doprint(expression)

    def _refuse(self, fault):
        raise InputError(f"formula: {fault}; use elementary functions, erf, erfinv or lambertw")

    def _print_form(self, expression):
        return self._print_call(type(expression).__name__, *expression.args)

    def _print_call(self, name, *arguments):
        bare = "{" not in getattr(FORMS[name], self.form_language)
        texts = [self._print(argument) for argument in arguments]
        return call(
            name,
            self.form_language,
            [
                text if bare or argument.is_Symbol else f"({text})"
                for text, argument in zip(texts, arguments, strict=True)
            ],
        )

    def _print_extreme(self, expression):
        # Python's max keeps its first argument where that is nan, so a number comes last.
        arguments = sorted(sp.ordered(expression.args), key=lambda argument: argument.is_number)
        return self._print_call(type(expression).__name__, *arguments)

    def _print_Heaviside(self, expression):
        return self._print_call("Heaviside", expression.args[0], expression.args[1])

    def _print_LambertW(self, expression):
        x, branch = (*expression.args, sp.S.Zero)[:2]
        if branch not in (0, -1):
            self._refuse(f"LambertW on branch {branch} is not real")
        exponents = [factor.exp for factor in sp.Mul.make_args(x) if isinstance(factor, sp.exp)]
        rest = sp.Mul(*(factor for factor in sp.Mul.make_args(x) if not isinstance(factor, sp.exp)))
        if branch == 0 and exponents and rest.is_positive:
            return f"lambertw_exp({self._print(sp.Add(*exponents, sp.log(rest)))})"
        return self._print_call("LambertW", x, branch)

    def _print_Integer(self, expression):
        # An integer literal would make numba infer int64 for a constant branch.
        return f"{expression.p}.0" if abs(expression.p) <= _EXACT else self._print_Float(expression)

    def _print_Rational(self, expression):
        if max(abs(expression.p), expression.q) > _EXACT:
            return self._print_Float(expression)
        dyadic = expression.q & (expression.q - 1) == 0
        return repr(float(expression)) if dyadic else f"({expression.p}.0 / {expression.q}.0)"

    def _print_Float(self, expression):
        value = float(expression)
        return repr(value) if abs(value) < float("inf") else self._print(sp.oo if value > 0 else -sp.oo)

    def _print_NumberSymbol(self, expression):
        return repr(float(expression))

    def _print_Piecewise(self, expression):
        # Nothing is known off the cases, and infinity would claim that the place is outside a domain.
        if expression.args[-1].cond != True:  # noqa: E712
            expression = sp.Piecewise(*expression.args, (sp.nan, True), evaluate=False)
        return self._print_cases([(self._print(expr), self._print(cond)) for expr, cond in expression.args])

    def _small_power(self, base, exponent):
        """Return a small power as a product, with the same bits in all languages; None for other powers."""
        if not (exponent.is_Integer and 1 < exponent <= 4):
            return None
        text = self._print(base)
        text = text if base.is_Symbol else f"({text})"
        return f"({'*'.join([text] * int(exponent))})"


for _name in FORMS:
    if f"_print_{_name}" not in vars(FormPrinter):
        setattr(FormPrinter, f"_print_{_name}", FormPrinter._print_form)
FormPrinter._print_Max = FormPrinter._print_Min = FormPrinter._print_extreme


class ScalarPrinter(FormPrinter, PythonCodePrinter):
    """Prints one real expression; a function prints as its stable form of the table."""

    form_language = "python"

    def _print_Pow(self, expression, rational=False):
        base, exponent = expression.as_base_exp()
        return self._small_power(base, exponent) or super()._print_Pow(expression, rational=rational)

    def _print_NegativeInfinity(self, expression):
        return "(-math.inf)"

    def _print_cases(self, cases):
        *others, (last, _) = cases
        return f"({''.join(f'({text}) if {cond} else ' for text, cond in others)}({last}))"


def _is_form(node):
    function = isinstance(node, Application) and not isinstance(node, AppliedUndef)
    return function and type(node).__name__ in FORMS


def python_text(expression):
    """Return the expression as one line of Python; `forms.python_helpers` has the source of what it calls."""
    return ScalarPrinter({"fully_qualified_modules": True}).text(expression)


def derivative(expression, variable, order=1, unit=sp.S.One):
    """Return a derivative without 0/0, also where the expression is a function of r = |variable| / unit.

    Such an expression is differentiated in r, where r^a / r merges into r^(a-1), and gets back the
    sign of the variable for an odd order.
    """
    if order == 0:
        return expression
    r = sp.Dummy("r", positive=True)
    even = expression.has(sp.Abs(variable)) and not variable.is_nonnegative
    if even:
        folded = expression.xreplace({sp.Abs(variable): r * unit}).replace(
            lambda node: node.is_Pow and node.base == variable and node.exp.is_even,
            lambda node: (r * unit) ** node.exp,
        )
        if folded.has(variable):
            raise ValueError(f"{expression} mixes {variable} and |{variable}|; write it with one of them")
        back, parity = sp.Abs(variable) / unit, sp.sign(variable) ** (order % 2)
    else:
        folded = expression.xreplace({variable: r}) if variable.is_nonnegative else expression
        back, parity, unit = variable, sp.S.One, sp.S.One
    result = sp.diff(folded, r if folded.has(r) else variable, order) / unit**order
    return _merge_powers(result).xreplace({r: back}) * parity


def _merge_powers(expression):
    """x^a / x becomes x^(a-1), with the exponent in lowest terms."""
    merged = sp.powsimp(expression, deep=True, combine="exp")
    return merged.replace(lambda node: node.is_Pow, lambda node: node.base ** sp.factor(node.exp))
