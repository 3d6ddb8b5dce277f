"""Symbols and sample values under which one derivation runs, and evaluation to many digits.

SymPy decides signs best for symbols that are positive and nothing else. So a parameter p > 1 enters a
derivation as 1 + t, one in (0, 1) as t/(1 + t), and one above another parameter as that one + t, each
with a positive t of its own; the result is written back in the parameters at the end. Beside these a
setting keeps a few sets of rational sample values, for the questions that only numbers answer: which
of several roots is the right one, which of two ends comes first.
"""

import itertools

import mpmath
import sympy as sp

from workbench.convex.primitives import elementary
from workbench.errors import InputError

DIGITS = 40
# Sample values of the positive symbols, unlike enough that a coincidence in one set shows in another.
_DRAWS = (
    tuple(sp.Rational(*pair) for pair in ((2, 3), (9, 5), (3, 11), (7, 4))),
    tuple(sp.Rational(*pair) for pair in ((7, 5), (4, 9), (5, 2), (8, 13))),
    tuple(sp.Rational(*pair) for pair in ((3, 1), (5, 7), (11, 6), (1, 5))),
)


class Setting:
    """How the declared parameters enter a derivation.

    Attributes
    ----------
    forward : dict
        From the symbol of a parameter to its expression in the positive symbols.
    backward : dict
        From a positive symbol to its expression in the parameters.
    draws : list of dict
        Rational sample values for the positive symbols.
    unproved : list of str
        Steps of the derivation that only numbers speak for.
    """

    def __init__(self, parameters=None):
        self.parameters = dict(parameters or {})
        self.unproved = []
        self.forward, self.backward, inner = {}, {}, []
        # Of two parameters that bound each other, the first enters freely and the second relative to it.
        for parameter in self.parameters.values():
            inner.append(self._enter(parameter))
        self.inner = tuple(inner)
        self.draws = (
            [dict(zip(self.inner, itertools.cycle(values), strict=False)) for values in _DRAWS]
            if self.inner
            else [{}]
        )

    def _range(self, parameter):
        """Lower end, is it open, upper end, is it open: the range of numbers or a relation entered before."""
        lower, lower_open, upper, upper_open = parameter.bounds[0]
        for bound in parameter.bounds[1:]:
            if not bound.lower.is_infinite and bound.lower.free_symbols <= set(self.forward):
                lower, lower_open = bound.lower, bound.lower_open
            elif not bound.upper.is_infinite and bound.upper.free_symbols <= set(self.forward):
                upper, upper_open = bound.upper, bound.upper_open
        # a < b declared at a, which came before, is a < b for b as well.
        for other in self.parameters.values():
            for bound in other.bounds[1:] if other.symbol in self.forward else ():
                if bound.upper == parameter.symbol:
                    lower, lower_open = other.symbol, bound.upper_open
                elif bound.lower == parameter.symbol:
                    upper, upper_open = other.symbol, bound.lower_open
        return lower, lower_open, upper, upper_open

    def _enter(self, parameter):
        low, lower_open, high, upper_open = self._range(parameter)
        lower, upper, symbol = low.xreplace(self.forward), high.xreplace(self.forward), parameter.symbol
        if lower.is_infinite and upper.is_infinite:
            t = sp.Symbol(f"t_{parameter.name}", real=True)
            self.forward[symbol], self.backward[t] = t, symbol
            return t
        closed = not (upper_open if lower.is_infinite else lower_open)
        t = sp.Symbol(f"t_{parameter.name}", **{"nonnegative" if closed else "positive": True})
        if upper.is_infinite:
            self.forward[symbol], self.backward[t] = lower + t, symbol - low
        elif lower.is_infinite:
            self.forward[symbol], self.backward[t] = upper - t, high - symbol
        else:
            self.forward[symbol] = (lower + upper * t) / (1 + t)
            self.backward[t] = (symbol - low) / (high - symbol)
        return t

    def enter(self, expression):
        """The expression in the positive symbols."""
        expression = sp.sympify(expression)
        return (
            tidy(expression.xreplace(self.forward))
            if expression.free_symbols & set(self.forward)
            else expression
        )

    def leave(self, expression):
        """The expression in the parameters, with exponents and coefficients in lowest terms."""
        expression = sp.sympify(expression)
        if not self.inner or not expression.free_symbols & set(self.inner):
            return expression
        return tidy(expression.xreplace(self.backward))

    def values(self, given):
        """The numbers of the parameters, {symbol: mpf}; `InputError` names what is missing or outside."""
        unknown = sorted(set(given) - set(self.parameters))
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise InputError(f"parameter {unknown[0]!r} does not occur; the parameters are: {known}")
        missing = sorted(set(self.parameters) - set(given))
        if missing:
            raise InputError(f"parameter {missing[0]} has no value; call with {missing[0]}=...")
        numbers = {self.parameters[name].symbol: number(value) for name, value in given.items()}
        for name, parameter in self.parameters.items():
            self._check(name, parameter, numbers)
        return numbers

    def _check(self, name, parameter, numbers):
        value = numbers[parameter.symbol]
        for bound in parameter.bounds:
            lower, upper = at(bound.lower, numbers), at(bound.upper, numbers)
            low = value > lower or (value == lower and not bound.lower_open)
            high = value < upper or (value == upper and not bound.upper_open)
            if not (low and high):
                raise InputError(
                    f"parameter {name} = {mpmath.nstr(value, 8)} is outside {_bounds_text(name, bound)}"
                )


def _bounds_text(name, bound):
    left, right = "<" if bound.lower_open else "<=", "<" if bound.upper_open else "<="
    return f"{bound.lower} {left} {name} {right} {bound.upper}"


def tidy(expression):
    """Exponents and rational coefficients in lowest terms."""

    def lowest(node):
        exponent = sp.factor(sp.together(node.exp)) if node.exp.free_symbols else node.exp
        return sp.Pow(node.base, exponent) if exponent != node.exp else node

    expression = expression.replace(lambda node: node.is_Pow, lowest)
    if isinstance(expression, sp.Add):
        return sp.Add(*(_factored(term) for term in expression.args))
    return _factored(expression)


def _factored(term):
    """A product whose factors without powers of symbols are brought together."""
    if not isinstance(term, sp.Mul):
        return term
    rational = [factor for factor in term.args if factor.is_rational_function() and factor.free_symbols]
    if not rational:
        return term
    rest = sp.Mul(*(factor for factor in term.args if factor not in rational))
    return sp.factor(sp.Mul(*rational)) * rest


def number(value):
    """A float, rational or SymPy number as an mpf; a float stands for the decimal it prints as."""
    with mpmath.workdps(DIGITS):
        if isinstance(value, mpmath.mpf):
            return +value
        if isinstance(value, (sp.Basic,)):
            return (
                mpmath.mpf(sp.N(value, DIGITS))
                if value.is_finite
                else mpmath.mpf(str(value).replace("oo", "inf"))
            )
        return mpmath.mpf(float(value))


def compiled(expression, *symbols, given=(), digits=DIGITS):
    """The expression as a function of mpf numbers that gives an mpf, or nan where it is not real.

    `given` are numbers for further symbols.
    """
    # Numbers enter as arguments: put into the formula, SymPy would look for exact roots of them.
    given = dict(given)
    text = sp.lambdify((*symbols, *given), elementary(sp.sympify(expression)), "mpmath")
    values = [number(value) for value in given.values()]

    def call(*arguments):
        with mpmath.workdps(digits):
            try:
                return _real(text(*arguments, *values))
            except (ZeroDivisionError, ValueError, OverflowError, ArithmeticError):
                return mpmath.nan

    return call


def _real(value):
    value = mpmath.mpmathify(value)
    if isinstance(value, mpmath.mpc):
        # Cardano's formulas pass through the complex plane and come back with a rounding beside them.
        small = abs(value.imag) <= mpmath.mpf(10) ** (8 - DIGITS) * (abs(value.real) + 1)
        return value.real if small else mpmath.nan
    return value


def at(expression, values):
    """The number that an expression is for the given values of its symbols."""
    expression = sp.sympify(expression)
    if expression.is_infinite:
        return mpmath.inf if expression is sp.oo else -mpmath.inf
    return compiled(expression, given={symbol: values[symbol] for symbol in expression.free_symbols})()
