"""Bounds on what may be built: SymPy evaluates constants at once, so a number is measured first.

Three things are kept true of every expression, from its first part to the whole:

- a rational number fits a float's range, numerator and denominator too;
- a coefficient in an exponent is at most `EXPONENT`, cancellation or not (`reach` bounds it, since a
  sum of absolute values bounds whatever is left), and so is that of a logarithm under exp, because
  exp(c log a) becomes a**c. One product of two such powers therefore stays small and is checked
  before the next;
- a constant has a finite real value which double precision tells from zero. SymPy's own evaluation
  is then quick, and never falls back on minimal polynomials.
"""

import math
import numbers
from fractions import Fraction

import mpmath
import sympy as sp

from workbench.conjugates.convex.primitives import BinaryEntropy, Expit, Log1pExp, Logit, RelativeEntropy

EXPONENT = 100
DEGREE = 1000  # of powers within powers, which multiply
LARGEST, SMALLEST = 1e300, 1e-300
BITS = 1000  # 2**1000 is about 1e301
CONDITION = 1e9  # a relative error of 1e-16 grows to 1e-7 at most
TURNS = 1e6  # beyond, an argument of sin in double precision says little
NOT_REAL = "this is not a real number; stay in a function's domain, and write cbrt for an odd root"


class Unfit(Exception):
    """A part that cannot be built, as the end of a sentence; whoever knows the place completes it."""


def _entropy(b):
    return sum(t * math.log(t) for t in (b, 1 - b) if t)


_SHARED = "exp log erf sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
FLOATS = {
    **{getattr(sp, name): getattr(math, name) for name in _SHARED.split()},
    sp.Abs: abs,
    sp.Max: max,
    sp.Min: min,
    sp.sec: lambda x: 1 / math.cos(x),
    sp.csc: lambda x: 1 / math.sin(x),
    sp.cot: lambda x: 1 / math.tan(x),
    sp.coth: lambda x: 1 / math.tanh(x),
    sp.sech: lambda x: 1 / math.cosh(x),
    sp.csch: lambda x: 1 / math.sinh(x),
    sp.sign: lambda x: math.copysign(1.0, x),
    sp.LambertW: mpmath.fp.lambertw,
    sp.Heaviside: lambda x, middle: 1.0 if x > 0 else 0.0 if x < 0 else middle,
    Log1pExp: lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))),
    Expit: lambda x: 1 / (1 + math.exp(-x)),
    Logit: lambda b: math.log(b / (1 - b)),
    BinaryEntropy: _entropy,
    RelativeEntropy: lambda w, c: w * math.log(w / c) if w else 0.0 * math.log(c),
}
PERIODIC = (sp.sin, sp.cos, sp.tan, sp.sec, sp.csc, sp.cot)
# What arithmetic may be made of; conditions stand only inside a Piecewise.
ARITHMETIC = (sp.Add, sp.Mul, sp.Pow, sp.Rational, sp.Symbol, type(sp.E), type(sp.pi))
CONDITIONS = (sp.core.relational.Relational, sp.And, sp.Or, sp.Not, type(sp.true), type(sp.false))
PIECES = (sp.Piecewise, sp.functions.elementary.piecewise.ExprCondPair)
KINDS = (*ARITHMETIC, *FLOATS, *CONDITIONS, *PIECES)
INFINITE = (sp.oo, -sp.oo)


class Sizes:
    """The measures of the parts of one formula, each part measured once."""

    def __init__(self):
        self._values = {}
        self._reaches = {}
        self._constants = {}
        self._degrees = {}

    def check(self, expression):
        """The expression itself, or `Unfit` where one of the three bounds does not hold."""
        if expression in INFINITE:
            raise Unfit("the result is infinite; oo stands only as a piece's value or as an end of a domain")
        self.constant(expression)
        return expression

    def constant(self, node):
        """Whether a part holds no symbol; every part of it is checked on the way."""
        if node not in self._constants:
            constants = [self.constant(part) for part in node.args]
            self._check_node(node)
            self._constants[node] = all(constants) and not node.is_Symbol
            if self._constants[node] and isinstance(node, sp.Expr) and node not in INFINITE:
                self.value(node)
        return self._constants[node]

    def _check_node(self, node):
        if node in (sp.nan, sp.zoo):
            raise Unfit("this is not a finite number; leave the division by zero or log(0) out")
        if node is sp.I:
            raise Unfit(NOT_REAL)
        if node in INFINITE:
            return
        if not isinstance(node, KINDS):
            raise Unfit(f"{type(node).__name__} is no part of a formula here")
        if not isinstance(node, (*PIECES, *CONDITIONS)) and any(part in INFINITE for part in node.args):
            raise Unfit("oo stands only as the value of a piece or as an end of a domain; leave it out here")
        if node.is_Rational:
            _check_rational(node)
        elif node.is_Pow:
            self.check_power(*node.args)
        elif isinstance(node, sp.exp):
            self.check_exponential(node.args[0])
        if self.degree(node) > DEGREE:
            raise Unfit(f"powers of powers go beyond {DEGREE}; use smaller exponents")

    def check_power(self, base, exponent):
        """That a power may be built of a base and an exponent."""
        if base is sp.E:
            self.check_exponential(exponent)
        elif self.reach(exponent) > EXPONENT:
            raise Unfit(f"an exponent goes beyond {EXPONENT}; {EXPONENT} is the most, or write exp(...)")
        if self.constant(base) and not self.constant(exponent) and self.value(base) <= 0:
            raise Unfit("a base that is not positive has no real power for every exponent; make it positive")

    def check_exponential(self, exponent):
        """That exp of an exponent may be built: exp(c log a) turns into a**c."""
        for term in sp.Add.make_args(exponent):
            factors = sp.Mul.make_args(term)
            logarithms = [factor for factor in factors if isinstance(factor, sp.log)]
            if logarithms:
                others = math.prod(self.reach(factor) for factor in factors if factor is not logarithms[0])
                if others > EXPONENT:
                    raise Unfit(f"a power goes beyond {EXPONENT}; {EXPONENT} is the largest exponent")
        if self.constant(exponent):
            _within(lambda: math.exp(self.value(exponent)))

    def reach(self, node):
        """A bound on every number that an exponent can leave when other exponents are added to it."""
        if node not in self._reaches:
            if node.is_Rational:
                _check_rational(node)
                size = abs(node.p / node.q)
            elif node.is_Add:
                size = math.fsum(self.reach(part) for part in node.args)
            elif node.is_Mul:
                size = math.prod(self.reach(part) for part in node.args)
            else:
                size = max(1.0, abs(self.value(node))) if self.constant(node) else 1.0
            self._reaches[node] = size
        return self._reaches[node]

    def degree(self, node):
        """The degree of a polynomial; through functions too, as the square of abs(x**50) has x**100."""
        if node not in self._degrees:
            below = [self.degree(part) for part in node.args]
            if node.is_Pow:
                degree = max(1.0, self.reach(node.exp)) * below[0]
            else:
                degree = math.fsum(below) if node.is_Mul else max(below, default=1.0)
            self._degrees[node] = degree
        return self._degrees[node]

    def value(self, node):
        """The value of a constant, or `Unfit` where it has none that double precision can tell."""
        return self._measured(node)[0]

    def _measured(self, node):
        """A constant's value and its condition: how many times a relative error grows in it."""
        if node not in self._values:
            if node.is_Rational:
                _check_rational(node)
                result = node.p / node.q, 1.0
            elif node in (sp.pi, sp.E):
                result = math.pi if node is sp.pi else math.e, 1.0
            else:
                result = self._compound(node, [self._measured(part) for part in node.args])
            if (result[0] == 0 and node != 0) or not result[1] < CONDITION:
                raise Unfit("a constant here cannot be told from zero, or is too small; simplify it by hand")
            self._values[node] = result
        return self._values[node]

    def _compound(self, node, parts):
        values = [value for value, _ in parts]
        if node.is_Add:
            total = _within(lambda: math.fsum(values))
            spread = math.fsum(abs(value) * condition for value, condition in parts)
            return total, spread / abs(total) if total else math.inf
        if node.is_Mul:
            return _within(lambda: math.prod(values)), math.fsum(condition for _, condition in parts)
        if isinstance(node, PERIODIC) and abs(values[0]) > TURNS:
            raise Unfit(f"an angle goes beyond {TURNS:g}, where it says little; take whole turns out")
        function = math.pow if node.is_Pow else FLOATS.get(type(node))
        if function is None:
            raise Unfit(f"{type(node).__name__} of a constant is not read here; write the number")
        result = _within(lambda: function(*values))
        return result, 1.0 + _growth(function, result, parts)


def _growth(function, result, parts):
    """How much a function enlarges the relative errors of its arguments, by a small change of each."""
    total, change = 0.0, 1e-8
    for index, (_, condition) in enumerate(parts):
        for factor in (1 + change, 1 - change):  # at an end of the domain one side alone exists
            shifted = [v * factor if k == index else v for k, (v, _) in enumerate(parts)]
            try:
                slope = abs(float(function(*shifted)) - result) / (change * abs(result)) if result else 0.0
            except (ValueError, ArithmeticError, TypeError):
                continue
            total += slope * condition
            break
    return total


def _check_rational(number):
    if max(number.p.bit_length(), number.q.bit_length()) > BITS:
        raise Unfit(f"a number here goes beyond {LARGEST:g} or below {SMALLEST:g}; use smaller powers")


def _within(compute):
    """A float from a computation, or `Unfit` where that is complex, infinite or too large."""
    try:
        result = compute()
        result = float(result.real) if isinstance(result, complex) and not result.imag else float(result)
    except OverflowError:
        raise Unfit(f"a number here goes beyond {LARGEST:g}; use smaller constants") from None
    except ZeroDivisionError:
        raise Unfit("there is a division by zero here; leave it out") from None
    except (TypeError, ValueError):
        raise Unfit(NOT_REAL) from None
    if math.isnan(result) or abs(result) > LARGEST:
        raise Unfit(f"a number here goes beyond {LARGEST:g}; use smaller constants")
    return result


def as_rational(number):
    """A Python or SymPy number as an exact `Rational`; a float by the shortest text that reads as it."""
    if isinstance(number, sp.Rational):
        return number
    if isinstance(number, numbers.Rational):
        return sp.Rational(int(number.numerator), int(number.denominator))
    fraction = Fraction(repr(_within(lambda: float(number))))
    if fraction == 0 and number != 0:
        raise Unfit(f"a number here goes below {SMALLEST:g}; use larger constants")
    return sp.Rational(fraction.numerator, fraction.denominator)
