"""The allow-list of nodes of a formula, and the caps on its numbers.

SymPy evaluates constants and adds up exponents while it builds, so that a power is checked before it is
built, and every part of the result after: the kinds of nodes, the bits of a rational number, the coefficients
in an exponent (also that of a logarithm under exp, because exp(c log a) becomes a**c), and that a constant is
a real number in a float's range which SymPy tells from zero by a few digits, and not by minimal polynomials.
"""

import math
import numbers
from fractions import Fraction

import sympy as sp
from sympy.core.evalf import PrecisionExhausted

from workbench.conjugates.convex.primitives import BinaryEntropy, Expit, Log1pExp, Logit, RelativeEntropy

EXPONENT = 100
LARGEST, SMALLEST = 1e300, 1e-300
BITS = 1000  # 2**1000 is about 1e301
TURNS = 1e6  # beyond, an argument of sin in double precision says little
DIGITS = 15  # within which SymPy has to tell a constant from zero
NOT_REAL = "this is not a real number; stay in a function's domain, and write cbrt for an odd root"
BEYOND = f"a number here goes beyond {LARGEST:g}; use smaller constants"
NO_PLACE = "oo stands only as the value of a piece or as an end of a domain; leave it out here"

PRIMITIVES = (Log1pExp, Expit, Logit, BinaryEntropy, RelativeEntropy)
PERIODIC = (sp.sin, sp.cos, sp.tan, sp.sec, sp.csc, sp.cot)
FUNCTIONS = (
    *(sp.exp, sp.log, sp.erf, sp.Abs, sp.Max, sp.Min, sp.sign, sp.LambertW, sp.Heaviside, *PERIODIC),
    *(sp.asin, sp.acos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch),
    *(sp.asinh, sp.acosh, sp.atanh, *PRIMITIVES),
)
# The nodes of arithmetic; conditions stand only inside a Piecewise.
ARITHMETIC = (sp.Add, sp.Mul, sp.Pow, sp.Rational, sp.Symbol, type(sp.E), type(sp.pi))
CONDITIONS = (sp.core.relational.Relational, sp.And, sp.Or, sp.Not, type(sp.true), type(sp.false))
PIECES = (sp.Piecewise, sp.functions.elementary.piecewise.ExprCondPair)
KINDS = (*ARITHMETIC, *FUNCTIONS, *CONDITIONS, *PIECES)
INFINITE = (sp.oo, -sp.oo)


class Unfit(Exception):
    """A part that cannot be built, as the end of a sentence; the caller adds the position."""


class Sizes:
    """The checks of the parts of one formula, each part checked once."""

    def __init__(self):
        self._values, self._checked = {}, set()

    def check(self, expression):
        """Return the expression itself, or `Unfit` where a part of it may not stand in a formula."""
        if expression in INFINITE:
            raise Unfit("the result is infinite; oo stands only as a piece's value or as an end of a domain")
        for node in sp.postorder_traversal(expression):
            if node not in self._checked:
                self._check_node(node)
                if isinstance(node, sp.Expr) and is_constant(node) and node not in INFINITE:
                    self.value(node)
                self._checked.add(node)
        return expression

    def _check_node(self, node):
        if node in (sp.nan, sp.zoo):
            raise Unfit("this is not a finite number; leave the division by zero or log(0) out")
        if node is sp.I:
            raise Unfit(NOT_REAL)
        if node in INFINITE:
            return
        if not isinstance(node, KINDS):
            raise Unfit(f"{type(node).__name__} cannot be part of a formula here")
        if not isinstance(node, (*PIECES, *CONDITIONS)) and any(part in INFINITE for part in node.args):
            raise Unfit(NO_PLACE)
        if node.is_Rational:
            _check_rational(node)
        elif node.is_Pow or isinstance(node, sp.exp):
            self.check_power(*node.as_base_exp())

    def check_power(self, base, exponent):
        """Refuse a power that may not be built of a base and an exponent."""
        if base is sp.E:
            self._check_exponential(exponent)
        elif largest(exponent) > EXPONENT or (is_constant(exponent) and abs(self.value(exponent)) > EXPONENT):
            raise Unfit(f"an exponent goes beyond {EXPONENT}; {EXPONENT} is the most, or write exp(...)")
        elif is_constant(base) and not is_constant(exponent) and self.value(base) <= 0:
            raise Unfit("a base that is not positive lacks a real power for some exponents; make it positive")

    def _check_exponential(self, exponent):
        if any(term.has(sp.log) and largest(term) > EXPONENT for term in sp.Add.make_args(exponent)):
            raise Unfit(f"a power goes beyond {EXPONENT}; {EXPONENT} is the largest exponent")
        if is_constant(exponent) and self.value(exponent) > math.log(LARGEST):
            raise Unfit(BEYOND)

    def value(self, node):
        """Return the value of a constant; raise `Unfit` if a few digits cannot tell it from zero."""
        if node not in self._values:
            self._values[node] = self._measured(node)
        return self._values[node]

    def _measured(self, node):
        if node.is_Rational:
            _check_rational(node)
            return node.p / node.q
        if isinstance(node, PERIODIC) and abs(self.value(node.args[0])) > TURNS:
            raise Unfit(f"an angle goes beyond {TURNS:g}, where it says little; take whole turns out")
        try:
            plain = node.rewrite(sp.exp) if node.has(*PRIMITIVES) else node
            plain.evalf(2, maxn=DIGITS, strict=True)
            number = complex(plain.evalf(DIGITS))
        except PrecisionExhausted:
            number = 0.0
        except OverflowError:
            raise Unfit(BEYOND) from None
        except (TypeError, ValueError):
            raise Unfit(NOT_REAL) from None
        if number.imag or math.isnan(number.real):
            raise Unfit(NOT_REAL)
        if not SMALLEST <= abs(number) <= LARGEST:
            small = "a constant here cannot be told from zero, or is too small; simplify it by hand"
            raise Unfit(BEYOND if abs(number) > 1.0 else small)
        return number.real


def is_constant(node):
    """Return whether an expression holds no symbol."""
    return not node.free_symbols


def largest(node):
    """Return the largest magnitude of the rational numbers in an expression."""
    return max((abs(number) for number in node.atoms(sp.Rational)), default=0)


def _check_rational(number):
    if max(number.p.bit_length(), number.q.bit_length()) > BITS:
        raise Unfit(f"a number here goes beyond {LARGEST:g} or below {SMALLEST:g}; use smaller powers")


def as_rational(number):
    """Return a Python or SymPy number as an exact `Rational`; a float as its shortest text."""
    if isinstance(number, sp.Rational):
        return number
    if isinstance(number, numbers.Rational):
        return sp.Rational(int(number.numerator), int(number.denominator))
    try:
        value = float(number)
    except (TypeError, ValueError, OverflowError):
        raise Unfit(NOT_REAL) from None
    if not abs(value) <= LARGEST:
        raise Unfit(BEYOND)
    if value == 0.0 and number != 0:
        raise Unfit(f"a number here goes below {SMALLEST:g}; use larger constants")
    fraction = Fraction(repr(value))
    return sp.Rational(fraction.numerator, fraction.denominator)
