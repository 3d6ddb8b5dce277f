"""SymPy expressions as Python text that numba compiles."""

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

# One line a primitive. Each form is finite wherever the function is, and keeps its relative
# precision in the tails; numba's "numpy" error model turns log(0) and 1/0 into infinities.
PYTHON_FORMS = {
    "Log1pExp": "(max({0}, 0.0) + math.log1p(math.exp(-abs({0}))))",
    "Expit": "(math.exp(min({0}, 0.0)) / (1.0 + math.exp(-abs({0}))))",
    "BinaryEntropy": "(({0} * math.log({0}) if {0} > 0.0 else 0.0)"
    " + ((1.0 - {0}) * math.log1p(-{0}) if {0} < 1.0 else 0.0))",
    "Logit": "(math.log({0}) - math.log1p(-{0}))",
    # The ratio and not w is tested, since it may underflow where w does not.
    "RelativeEntropy": "({0} * math.log({0} / {1}) if {0} / {1} > 0.0 else 0.0)",
    "sign": "math.copysign(1.0, {0})",
}


class ScalarPrinter(PythonCodePrinter):
    """Prints one real expression; a primitive prints as the stable form of the table above."""

    def _print_form(self, expression):
        arguments = [
            self._print(argument) if argument.is_Symbol else f"({self._print(argument)})"
            for argument in expression.args
        ]
        return PYTHON_FORMS[type(expression).__name__].format(*arguments)

    _print_Log1pExp = _print_Expit = _print_BinaryEntropy = _print_form
    _print_Logit = _print_RelativeEntropy = _print_sign = _print_form

    def _print_Integer(self, expression):
        # An integer literal would make numba infer int64 for a constant branch.
        return f"{expression.p}.0"

    def _print_Rational(self, expression):
        dyadic = expression.q & (expression.q - 1) == 0
        return repr(float(expression)) if dyadic else f"({expression.p}.0 / {expression.q}.0)"

    def _print_Pow(self, expression, rational=False):
        base, exponent = expression.as_base_exp()
        if exponent.is_Integer and 1 < exponent <= 4:
            text = self._print(base)
            text = text if base.is_Symbol else f"({text})"
            return f"({'*'.join([text] * int(exponent))})"
        return super()._print_Pow(expression, rational=rational)


def python_text(expression):
    """The expression as one line of Python."""
    return ScalarPrinter({"fully_qualified_modules": True}).doprint(sp.sympify(expression))


def derivative(expression, variable, order=1, unit=sp.S.One):
    """A derivative without 0/0, also where the expression is a function of r = |variable| / unit.

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
