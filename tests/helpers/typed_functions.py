"""Functions as they are typed, and suprema to 50 digits by an oracle that is independent of the workbench.

The text is evaluated as it stands, part by part, in mpmath: a part without a real value makes p infinite. The
supremum of u v - p(u), which has one peak where p is convex, is found by ternary search between ends that
the case names, on a scale of logarithms.
"""

import ast
import itertools
import random
from dataclasses import dataclass

import mpmath

DIGITS, CLOSE = 50, 1e-9
INFINITE = float("inf")
# Of the search, which goes out to u = exp(330), some 1e143, in the unit of the function.
STEPS, REACH = 200, 330


@dataclass(frozen=True)
class TypedFunction:
    """A formula, whether it is convex, and the ends and units of its domain.

    `unit` and `scale` are the sizes of u and p where they bend; `domain` is typed as well, where it is named.
    """

    text: str
    low: float = -INFINITE
    high: float = INFINITE
    convex: bool = True
    domain: str | None = None
    unit: str = "1"
    scale: str = "1"


class _NotReal(Exception):
    pass


def _real(function, inside=lambda *xs: True):
    def call(*arguments):
        if not inside(*arguments):
            raise _NotReal
        return function(*arguments)

    return call


def _power(base, exponent):
    whole = exponent == int(exponent)
    if (base < 0 and not whole) or (base == 0 and exponent < 0):
        raise _NotReal
    return base ** (int(exponent) if whole else exponent)


FUNCTIONS = {
    "sqrt": _real(mpmath.sqrt, lambda x: x >= 0),
    "log": _real(mpmath.log, lambda x: x > 0),
    "asin": _real(mpmath.asin, lambda x: abs(x) <= 1),
    "acos": _real(mpmath.acos, lambda x: abs(x) <= 1),
    "acosh": _real(mpmath.acosh, lambda x: x >= 1),
    "atanh": _real(mpmath.atanh, lambda x: abs(x) < 1),
    **{
        name: getattr(mpmath, name) for name in ("exp", "sin", "cos", "cosh", "sinh", "tanh", "asinh", "atan")
    },
    "abs": abs,
    "max": max,
}


def value(tree, u):
    """The value of a syntax tree at u; `_NotReal` where a part of it has none."""
    if isinstance(tree, ast.Constant):
        return mpmath.mpf(str(tree.value))
    if isinstance(tree, ast.Name):
        return u
    if isinstance(tree, ast.UnaryOp):
        return -value(tree.operand, u)
    if isinstance(tree, ast.Call):
        return FUNCTIONS[tree.func.id](*(value(argument, u) for argument in tree.args))
    left, right = value(tree.left, u), value(tree.right, u)
    if isinstance(tree.op, ast.Pow):
        return _power(left, right)
    if isinstance(tree.op, ast.Div):
        if right == 0:
            raise _NotReal
        return left / right
    kinds = {ast.Add: lambda: left + right, ast.Sub: lambda: left - right, ast.Mult: lambda: left * right}
    return kinds[type(tree.op)]()


def supremum(case, v):
    """(sup of u v - p(u), whether it has no bound) by ternary search."""
    with mpmath.workdps(DIGITS + 40):
        tree, v = ast.parse(case.text, mode="eval").body, mpmath.mpf(v)
        unit, low, high = mpmath.mpf(case.unit), mpmath.mpf(case.low), mpmath.mpf(case.high)

        def place(t):
            size = unit * (mpmath.sinh(t) if low == -high else mpmath.exp(t))
            if mpmath.isinf(low) and mpmath.isinf(high):
                return size
            if mpmath.isinf(high):
                return low + size
            if mpmath.isinf(low):
                return high - unit * mpmath.exp(-t)
            return low + (high - low) / (1 + mpmath.exp(-t))

        def height(t):
            u = place(t)
            try:
                return u * v - value(tree, u)
            except _NotReal:
                return -mpmath.inf

        first, last = -mpmath.mpf(REACH), mpmath.mpf(REACH)
        left, right = first, last
        for _ in range(STEPS):
            a, b = left + (right - left) / 3, right - (right - left) / 3
            ha, hb = height(a), height(b)
            if ha == hb == -mpmath.inf:
                # Both overflow or are not numbers: the middle of the scale is inside.
                left, right = (left, a) if a > 0 else (b, right) if b < 0 else (a, b)
            elif ha < hb:
                left = a
            else:
                right = b
        best = max(height((left + right) / 2), *(height(t) for t in (first, last)))
        endless = best > mpmath.mpf(case.scale) * mpmath.mpf(10) ** 40 * (1 + abs(v / mpmath.mpf(case.scale)))
        return best, bool(endless)


# --- the functions

LINES = (
    ("u", 0.0, INFINITE),
    ("(-u)", -INFINITE, 0.0),
    ("(u - 3)", 3.0, INFINITE),
    ("(2*u + 1)", -0.5, INFINITE),
    ("(5 - u)", -INFINITE, 5.0),
)
LOST = (
    "sqrt({0})**2",
    "sqrt({0})**4",
    "exp(2*log({0}))",
    "exp(log({0}))",
    "{0}**0.5*{0}**1.5",
    "{0}**2.5/{0}**0.5",
    "log({0}) - log({0}) + u**2",
    "sqrt({0})*sqrt({0}) + u**2",
    "0*log({0}) + u",
    "0*sqrt({0}) + exp(u)",
    "sqrt({0}) - sqrt({0}) + abs(u - 1)",
    "u**2*log({0})/log({0})",
)
BOUNDED = (
    ("sin(asin(u))", -1.0, 1.0),
    ("asin(u) + acos(u) + u**2", -1.0, 1.0),
    ("tanh(atanh(u)) + u**2", -1.0, 1.0),
    ("cosh(acosh(u))", 1.0, INFINITE),
    ("sqrt(1 - u)**2 + sqrt(1 + u)**2 + u**2", -1.0, 1.0),
    ("u**2/u", -INFINITE, INFINITE),
    ("(u**2 - 1)/(u - 1)", -INFINITE, INFINITE),
    ("(u**3 - u)/(u - 1)", -INFINITE, INFINITE),
    ("u/tanh(u)", -INFINITE, INFINITE),
    ("u*sinh(u)/u", 0.0, INFINITE),
)
SCALES = ("1e-300", "1e-200", "1e-50", "1e-12", "1e-7", "1e9", "1e100", "1e300")
SCALED = (
    ("u*log(u)", 0.0),
    ("exp(u)", -INFINITE),
    ("u**2", -INFINITE),
    ("log(1 + exp(u))", -INFINITE),
    ("-log(u)", 0.0),
    ("sqrt(1 + u**2)", -INFINITE),
    ("max(0, 1 - u)", -INFINITE),
)
HALF_LINES = (
    ("exp(u)", 3.0, 1),
    ("u**2", -2.0, -1),
    ("u*log(u)", 2.0, 1),
    ("-log(u)", 7.0, 1),
    ("1/u", 0.0, 1),
    ("u**3", 1.0, 1),
    ("u**4 + u", -4.0, -1),
    ("sqrt(u**4 + 1)", 0.0, 1),
    ("-sqrt(u)", 1.0, 1),
    ("cosh(u)", 2.0, 1),
    ("exp(-u)", 10.0, 1),
    ("abs(u - 2)", 1.0, 1),
)


def lost(chance):
    for template, (line, low, high) in itertools.product(LOST, LINES):
        # On a half line to the left, exp and u are convex as they are on the right.
        yield TypedFunction(template.format(line), low, high)
    for text, low, high in BOUNDED:
        yield TypedFunction(text if text != "u*sinh(u)/u" else "u*sqrt(u)/sqrt(u) + u*log(u)", low, high)


def scaled(chance):
    for factor, (text, low) in itertools.product(SCALES, SCALED):
        yield TypedFunction(f"{factor}*({text})", low, scale=factor)


def dips(chance):
    """A term that bends down far out, deep enough to matter or not."""
    for k in range(44):
        center = (
            f"{chance.uniform(0.5, 60):.{chance.randrange(3)}f}" if k % 3 else f"{chance.randint(19, 25)}"
        )
        steep, deep = 10 ** chance.randint(2, 7), k % 2
        # p'' of exp(-c (u - m)^2) is from -2 c to 0.9 c.
        height = 3 if deep else 0.1
        bump = f"{height}*exp(-{steep}*(u - {center})**2)/{steep}"
        base = chance.choice(("u**2", "u**2 + sqrt(1 + u**2)", "u**2 + exp(-u)"))
        # The other terms bend by at most 2 more there.
        deep = deep and not (base.endswith("exp(-u)") and float(center) < 1)
        yield TypedFunction(f"{base} + {bump}", convex=not deep)
    for center in ("20", "21.7", "33", "0.123"):
        yield TypedFunction(f"u**2 + 1/(1 + 10000*(u - {center})**2)", convex=False)


def half_lines(chance):
    for text, end, side in HALF_LINES:
        low, high = (end, INFINITE) if side > 0 else (-INFINITE, end)
        relation = ">=" if text != "1/u" else ">"
        yield TypedFunction(text, low, high, domain=f"u {relation if side > 0 else '<='} {end:g}")
    for text in ("sin(u)", "-u**2", "log(u)", "u**3", "-exp(u)", "sqrt(u)", "tanh(u)", "-abs(u)"):
        yield TypedFunction(text, 1.0, INFINITE, convex=text in ("u**3", "-abs(u)"), domain="u >= 1")
    for end in (4, 9, 100):
        yield TypedFunction("u**3 - 9*u**2", float(end), INFINITE, domain=f"u >= {end}")
        yield TypedFunction("u**3 - 9*u**2", float(-end), INFINITE, convex=False, domain=f"u >= {-end}")


def all_functions():
    """The functions, always the same."""
    chance = random.Random(59)
    return [case for family in (lost, scaled, dips, half_lines) for case in family(chance)]


# --- verdicts


def judged(case):
    """(outcome, detail): right, refused, undecided, "wrongly refused", "wrong" or "not convex"."""
    import workbench as wb

    try:
        pair = wb.conjugate(case.text, case.domain)
    except wb.UndecidedError as error:
        return "undecided", str(error)
    except (wb.ConvexityError, wb.ExpressionError) as error:
        return ("wrongly refused" if case.convex else "refused"), str(error)
    if not case.convex:
        return "not convex", f"accepted with q = {pair.q}"
    return compared(case, pair.q)


def compared(case, q):
    """Compare q with the supremum at slopes of the size at which p bends."""
    scale = mpmath.mpf(case.scale) / mpmath.mpf(case.unit)
    for share in ("-37", "-3.3", "-0.7", "0.3", "1.9", "4.4"):
        v = float(mpmath.mpf(share) * scale)
        expected, endless = supremum(case, v)
        value = q(v)
        if endless or value == INFINITE:
            if not (endless and value == INFINITE):
                return "wrong", f"q({v:g}) = {value:g}, not {mpmath.nstr(expected, 12)}"
        elif not abs(value - expected) <= CLOSE * (mpmath.mpf(case.scale) + abs(expected)):
            return "wrong", f"q({v:g}) = {value:g}, not {mpmath.nstr(expected, 12)}"
    return "right", ""
