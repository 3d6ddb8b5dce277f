"""Interval arithmetic on the extended real line: SymPy expressions as functions of intervals.

An interval is a pair of exact Arb numbers (low, high), either of which may be infinite. Every operation
rounds outward, so the image of an interval holds every value that the expression takes on it. What stands
outside the natural domain of a logarithm or a root is left out: the expression is asked about where it is
real. Arb's balls alone know no half lines, which the tails of a function need.
"""

import flint
import sympy as sp
from flint import arb

from workbench.convex.primitives import elementary

DIGITS = 50
INF = arb("inf")
ZERO, ONE = arb(0), arb(1)
REALS = (-INF, INF)


class Unbounded(Exception):
    """An expression holds a function that no interval rule is known for, or it is real nowhere on a box."""


def precise(function):
    """The function at a working precision of `DIGITS`, whatever the caller's."""

    def call(*arguments, **options):
        with flint.ctx.workdps(DIGITS):
            return function(*arguments, **options)

    call.__doc__, call.__name__ = function.__doc__, function.__name__
    return call


def exact(value):
    """The interval of a SymPy number."""
    value = sp.sympify(value)
    if value.is_Rational:
        ball = arb(flint.fmpq(int(value.p), int(value.q)))
    elif value is sp.oo or value == -sp.oo:
        return (INF, INF) if value is sp.oo else (-INF, -INF)
    elif value.is_Float:
        return exact(sp.Rational(str(value)))
    else:
        return compiled(value, ())()
    return ball.lower(), ball.upper()


# --- operations


def add(x, y):
    return (x[0] + y[0]).lower(), (x[1] + y[1]).upper()


def _times(a, b):
    return ZERO if a == 0 or b == 0 else a * b


def multiply(x, y):
    products = [_times(a, b) for a in x for b in y]
    return min(p.lower() for p in products), max(p.upper() for p in products)


def reciprocal(x):
    low, high = x
    if low < 0 < high:
        return REALS
    if low == 0 == high:
        raise Unbounded("1/0")
    bottom = -INF if high == 0 else (ZERO if high == INF else (ONE / high).lower())
    top = INF if low == 0 else (ZERO if low == -INF else (ONE / low).upper())
    return bottom, top


def _whole_power(x, n):
    if n < 0:
        return reciprocal(_whole_power(x, -n))
    low, high = (_end_power(end, n) for end in x)
    if n % 2 == 1:
        return low.lower(), high.upper()
    if x[0] < 0 < x[1]:
        return ZERO, max(low.upper(), high.upper())
    return min(low.lower(), high.lower()), max(low.upper(), high.upper())


def _end_power(end, n):
    if abs(end) == INF:
        return INF if end > 0 or n % 2 == 0 else -INF
    return end**n


def _rising(function, low=-INF, high=INF, at_low=-INF, at_high=INF):
    """A function that rises on its domain from `at_low` to `at_high`, which may be its limits."""

    def image(x):
        if x[1] < low or x[0] > high:
            raise Unbounded("outside the domain")
        bottom = at_low if x[0] <= low else function(x[0]).lower()
        top = at_high if x[1] >= high else function(x[1]).upper()
        return (at_low if bottom.is_nan() else bottom), (at_high if top.is_nan() else top)

    return image


def _falling(function):
    def image(x):
        low, high = function((-x[1], -x[0]))
        return low, high

    return image


def _ball(x):
    if not (x[0].is_finite() and x[1].is_finite()):
        return arb("nan")
    return x[0].union(x[1])


def _bounded(function, low, high):
    """A function by Arb's own ball arithmetic, within limits that always hold."""

    def image(x):
        value = function(_ball(x))
        if not value.is_finite():
            return low, high
        return max(value.lower(), low), min(value.upper(), high)

    return image


def absolute(x):
    if x[0] >= 0:
        return x
    return (-x[1], -x[0]) if x[1] <= 0 else (ZERO, max(-x[0], x[1]))


def _sign(x):
    return tuple(ONE if end > 0 else ZERO if end == 0 else -ONE for end in x)


def _step(x):
    return (ONE if x[0] > 0 else ZERO), (ZERO if x[1] < 0 else ONE)


def _even(rising):
    return lambda x: rising(absolute(x))


EXP = _rising(arb.exp, at_low=ZERO)
LOG = _rising(arb.log, low=ZERO)
SQRT = _rising(arb.sqrt, low=ZERO, at_low=ZERO)
TANH = _rising(arb.tanh, at_low=-ONE, at_high=ONE)
COSH = _even(_rising(arb.cosh, low=ZERO, at_low=ONE))
SINH = _rising(arb.sinh)
LEAST = (-arb(-1).exp()).lower()  # -1/e, where the two branches of Lambert's W meet


def _lambert(x):
    return _rising(arb.lambertw, low=LEAST, at_low=-ONE)(x)


def _lower_lambert(x):
    """The branch below -1, which falls on (-1/e, 0)."""
    if x[1] < LEAST or x[0] > 0:
        raise Unbounded("outside the domain")
    low = -INF if x[1] >= 0 else x[1].lambertw(-1).lower()
    high = -ONE if x[0] <= LEAST else x[0].lambertw(-1).upper()
    return (-INF if low.is_nan() else low), (-ONE if high.is_nan() else high)


def _half_pi():
    return (arb.pi() / 2).upper()


UNARY = {
    sp.exp: EXP,
    sp.log: LOG,
    sp.sinh: SINH,
    sp.cosh: COSH,
    sp.tanh: TANH,
    sp.coth: lambda x: reciprocal(TANH(x)),
    sp.sech: lambda x: reciprocal(COSH(x)),
    sp.csch: lambda x: reciprocal(SINH(x)),
    sp.asinh: _rising(arb.asinh),
    sp.acosh: _rising(arb.acosh, low=ONE, at_low=ZERO),
    sp.atanh: _rising(arb.atanh, low=-ONE, high=ONE),
    sp.erf: _rising(arb.erf, at_low=-ONE, at_high=ONE),
    sp.sin: _bounded(arb.sin, -ONE, ONE),
    sp.cos: _bounded(arb.cos, -ONE, ONE),
    sp.tan: _bounded(arb.tan, -INF, INF),
    sp.cot: _bounded(arb.cot, -INF, INF),
    sp.sec: lambda x: reciprocal(UNARY[sp.cos](x)),
    sp.csc: lambda x: reciprocal(UNARY[sp.sin](x)),
    sp.asin: lambda x: _rising(arb.asin, low=-ONE, high=ONE, at_low=-_half_pi(), at_high=_half_pi())(x),
    sp.acos: lambda x: add((_half_pi().lower(), _half_pi()), _falling(UNARY[sp.asin])(x)),
    sp.atan: lambda x: _rising(arb.atan, at_low=-_half_pi(), at_high=_half_pi())(x),
    sp.Abs: absolute,
    sp.sign: _sign,
    sp.Heaviside: _step,
}
CONSTANTS = {sp.pi: arb.pi, sp.E: lambda: arb(1).exp(), sp.EulerGamma: arb.const_euler}


# --- a whole expression


@precise
def compiled(expression, symbols):
    """The expression as a function from one interval per symbol to an interval.

    Raises
    ------
    Unbounded
        A function that no rule is known for, now; real nowhere on the intervals, when it is called.
    """
    expression = elementary(sp.sympify(expression))
    index, rules = {symbol: k for k, symbol in enumerate(symbols)}, []
    for node in sp.postorder_traversal(expression):
        if node not in index:
            rules.append(_rule(node, index))
            index[node] = len(symbols) + len(rules) - 1
    place = index[expression]

    @precise
    def image(*intervals):
        values = list(intervals)
        for operation, arguments in rules:
            value = operation(*(values[k] for k in arguments))
            values.append(REALS if value[0].is_nan() or value[1].is_nan() else value)
        return values[place]

    return image


def _rule(node, index):
    """(operation, places of its arguments) for one node."""
    if node.is_Rational:
        return _constant(exact(node))
    if node.is_Float:
        return _constant(exact(sp.Rational(str(node))))
    if node in CONSTANTS:
        ball = CONSTANTS[node]()
        return _constant((ball.lower(), ball.upper()))
    if node in (sp.oo, -sp.oo):
        return _constant((INF, INF) if node is sp.oo else (-INF, -INF))
    places = [index[argument] for argument in node.args]
    if isinstance(node, sp.exp):
        return EXP, places[-1:]
    if isinstance(node, sp.Pow):
        return _power_rule(node, places)
    if isinstance(node, sp.LambertW):
        return (_lower_lambert, places[:1]) if len(node.args) == 2 else (_lambert, places)
    many = {sp.Add: add, sp.Mul: multiply, sp.Max: _largest, sp.Min: _least}.get(node.func)
    if many:
        return _folded(many), places
    if node.func in UNARY:
        return UNARY[node.func], places[:1]
    raise Unbounded(f"no interval rule for {node.func.__name__}")


def _power_rule(node, places):
    exponent = node.exp
    if exponent.is_Integer:
        return (lambda x: _whole_power(x, int(exponent))), places[:1]
    if exponent == sp.Rational(1, 2):
        return SQRT, places[:1]
    return (lambda x, y: EXP(multiply(y, LOG(x)))), places


def _largest(x, y):
    return max(x[0], y[0]), max(x[1], y[1])


def _least(x, y):
    return min(x[0], y[0]), min(x[1], y[1])


def _constant(interval):
    return (lambda: interval), ()


def _folded(operation):
    def image(first, *rest):
        for other in rest:
            first = operation(first, other)
        return first

    return image
