"""The words of a formula: what a name may be, which constants and functions there are."""

import difflib
import keyword
import re
from collections.abc import Callable
from typing import NamedTuple

import sympy as sp

from workbench._support.errors import ExpressionError

NAME_LENGTH = 20
CLOSE = 0.65  # difflib's likeness of a mistyped name; print and expit have 0.6
CONSTANTS = {"e": sp.E, "E": sp.E, "pi": sp.pi, "oo": sp.oo, "inf": sp.oo}
# Spellings of infinity and of "no number".
NUMBERS = frozenset(("nan", "NaN", "NAN", "oo", "zoo", "inf", "Inf", "INF", "infinity", "Infinity"))
# The only words of Python's grammar that a formula has a use for.
OPERATOR_WORDS = frozenset(("and", "or", "not", "if", "else"))
TRUTH = {"True": sp.true, "False": sp.false}
KEYWORD_FIXES = {
    "lambda": "write lam",
    "in": "write a condition such as 0 <= u and u <= 1",
    "is": "write ==",
    "None": "leave it out",
}
# A name in a text, but not the e5 of 1e5.
NAME = re.compile(r"(?<![\w.])[A-Za-z]\w*", re.ASCII)
ASCII_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


class Function(NamedTuple):
    """A function by its name in text: how many arguments, and what makes the expression of them.

    `make` gets the `Builder` and the arguments. `most` None means any number.
    """

    name: str
    least: int
    most: int | None
    make: Callable[..., sp.Expr]


def _simple(function):
    return lambda build, *args: build.call(function, *args)


def _cbrt(build, x):
    """Return the real cube root, odd in x; SymPy's own is complex for negative x."""
    return build.multiply(build.call(sp.sign, x), build.power(build.call(sp.Abs, x), sp.Rational(1, 3)))


def _logarithm(build, x, base=None):
    return build.call(sp.log, x) if base is None else build.logarithm(x, base)


_UNARY = {
    "exp": _simple(sp.exp),
    "expm1": lambda build, x: build.add(build.call(sp.exp, x), -1),
    "ln": _logarithm,
    "log2": lambda build, x: _logarithm(build, x, sp.Integer(2)),
    "log10": lambda build, x: _logarithm(build, x, sp.Integer(10)),
    "log1p": lambda build, x: _logarithm(build, build.add(1, x)),
    "sqrt": lambda build, x: build.power(x, sp.Rational(1, 2)),
    "cbrt": _cbrt,
    "square": lambda build, x: build.power(x, sp.Integer(2)),
    "abs": _simple(sp.Abs),
    "sign": _simple(sp.sign),
    "relu": lambda build, x: build.call(sp.Max, 0, x),
    "softplus": lambda build, x: _logarithm(build, build.add(1, build.call(sp.exp, x))),
    "logistic": lambda build, x: build.divide(1, build.add(1, build.call(sp.exp, build.negative(x)))),
    # 0 ln 0 is 0 by continuity, which is how a closed convex function is read at its end points.
    "xlogx": lambda build, x: sp.S.Zero if x == 0 else build.multiply(x, _logarithm(build, x)),
}
_PLAIN = (
    *(sp.sin, sp.cos, sp.tan, sp.sec, sp.csc, sp.cot, sp.asin, sp.acos, sp.atan),
    *(sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch, sp.asinh, sp.acosh, sp.atanh, sp.erf),
)
_UNARY |= {function.__name__: _simple(function) for function in _PLAIN}
_UNARY["lambertw"] = _simple(sp.LambertW)
_ALIASES = {
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "sigmoid": "logistic",
    "expit": "logistic",
    "pos": "relu",
    "Abs": "abs",
    "Max": "max",
    "Min": "min",
    "LambertW": "lambertw",
    "Piecewise": "piecewise",
}

FUNCTIONS = {name: Function(name, 1, 1, make) for name, make in _UNARY.items()}
FUNCTIONS["log"] = Function("log", 1, 2, _logarithm)
FUNCTIONS["max"] = Function("max", 2, None, _simple(sp.Max))
FUNCTIONS["min"] = Function("min", 2, None, _simple(sp.Min))
# These hold conditions, so the walk over the syntax tree builds them itself.
CONDITIONAL = ("piecewise", "where", "indicator")
MAIN_NAMES = sorted([*FUNCTIONS, *CONDITIONAL])
FUNCTIONS |= {alias: FUNCTIONS[name] for alias, name in _ALIASES.items() if name in FUNCTIONS}
FUNCTION_NAMES = frozenset((*FUNCTIONS, *CONDITIONAL, *_ALIASES))


def canonical(name):
    """Return the main name of a function that has several."""
    return _ALIASES.get(name, name)


def did_you_mean(name, names):
    """`did you mean "x"? `, or nothing where no known name is close."""
    spellings = (name[:NAME_LENGTH], name[:NAME_LENGTH].lower())
    close = [best for text in spellings for best in difflib.get_close_matches(text, names, 1, CLOSE)]
    return f"did you mean {close[0]}? " if close else ""


def quote(text):
    """User text in quotes, short enough for a sentence and safe to print anywhere."""
    short = text if len(text) <= 40 else text[:37] + "..."
    return ascii(short)


def name_fault(name):
    """Why a name cannot stand for a variable or a parameter, or None where it can."""
    if keyword.iskeyword(name):
        fix = KEYWORD_FIXES.get(name, "choose another name")
        return f"{quote(name)} is a keyword of Python and no name; {fix}"
    if not ASCII_NAME.fullmatch(name):
        return f"{quote(name)} is not a name; names are ASCII letters, digits and _, beginning with a letter"
    if len(name) > NAME_LENGTH:
        return f"the name {quote(name)} has {len(name)} characters; {NAME_LENGTH} is the most"
    if name in NUMBERS:
        return f"{name} stands for infinity or for no number and is not a name; choose another name"
    if name in CONSTANTS:
        meaning = ", Euler's number 2.71828...," if name in "eE" else ""
        return f"{name} is a constant{meaning} and cannot be given another meaning; choose another name"
    if name in FUNCTION_NAMES:
        return f"{name} is a function and cannot be given another meaning; choose another name"
    return None


def check_name(what, name):
    """Return the name of a variable or parameter, or an `ExpressionError`."""
    if not isinstance(name, str):
        raise ExpressionError(f"{what}: a name is text, not {type(name).__name__}")
    fault = name_fault(name)
    if fault:
        raise ExpressionError(f"{what}: {fault}")
    return name
