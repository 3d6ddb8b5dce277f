"""Trees of typed formulas: read through an allow-list, with numbers that stay exact.

A tree is a tuple: ("number", Fraction), ("name", text), ("+", a, b, ...), ("*", a, b, ...), ("power", a, b),
("exp" | "log" | "abs" | "sign", a), ("max" | "min", a, b, ...), ("cases", (value, condition), ...),
("call", name, a) for a function with nothing but its slope, ("infinity",). A condition is (relation, a, b),
("and" | "or", ...), ("not", a) or ("true",).
"""

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction

ZERO, ONE, INFINITY, TRUE = ("number", Fraction(0)), ("number", Fraction(1)), ("infinity",), ("true",)
MINUS, HALF = ("number", Fraction(-1)), ("number", Fraction(1, 2))
E = ("exp", ONE)
LONGEST, DEEPEST, LARGEST_EXPONENT = 20_000, 200, 4_000
CONSTANTS = {"pi": ("pi",), "E": E, "e": E, "oo": INFINITY, "inf": INFINITY}
CONDITIONAL, EQUALITIES = ("piecewise", "where", "indicator"), {"Eq": "==", "Ne": "!="}
RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ALIASES = {
    "Abs": "abs",
    "Max": "max",
    "Min": "min",
    "Piecewise": "piecewise",
    "ln": "log",
    "sigmoid": "logistic",
    "expit": "logistic",
    "pos": "relu",
    "LambertW": "lambertw",
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}


def compare_with_zero(value, kind):
    """Return whether a value, of whatever kind compares with 0, stands in a relation to 0."""
    return COMPARISONS[kind](value, 0)


class GrammarError(Exception):
    """A text that is not a formula."""


def number(value):
    """Return the tree of a number."""
    return ("number", Fraction(value))


def add(*terms):
    """Return the tree of a sum."""
    return ("+", *terms)


def times(*factors):
    """Return the tree of a product."""
    return ("*", *factors)


def power(base, exponent):
    """Return the tree of a power."""
    return ("power", base, exponent)


def negative(x):
    """Return the tree of -x."""
    return times(MINUS, x)


MINUS_INFINITY = negative(INFINITY)


def compare_infinite(kind, left, right):
    """Return whether a comparison with an infinite side holds; None where both sides are finite numbers.

    The other side is a number, or infinite: as 0 lies between -1 and 1, so do all numbers between the ends.
    """
    a, b = ({INFINITY: 1, MINUS_INFINITY: -1}.get(side, 0) for side in (left, right))
    return COMPARISONS[kind](a, b) if a or b else None


def quotient(a, b):
    """Return the tree of a/b."""
    return times(a, power(b, MINUS))


def _exponentials(x):
    return ("exp", x), ("exp", negative(x))


def _sinh(x):
    up, down = _exponentials(x)
    return times(HALF, add(up, negative(down)))


def _cosh(x):
    return times(HALF, add(*_exponentials(x)))


def _root(x):
    return power(x, HALF)


DEFINED: dict[str, Callable[..., tuple]] = {
    "exp": lambda x: ("exp", x),
    "log": lambda x, base=None: ("log", x) if base is None else quotient(("log", x), ("log", base)),
    "abs": lambda x: ("abs", x),
    "sign": lambda x: ("sign", x),
    "max": lambda *xs: ("max", *xs),
    "min": lambda *xs: ("min", *xs),
    "expm1": lambda x: add(("exp", x), MINUS),
    "log2": lambda x: quotient(("log", x), ("log", number(2))),
    "log10": lambda x: quotient(("log", x), ("log", number(10))),
    "log1p": lambda x: ("log", add(ONE, x)),
    "sqrt": _root,
    "cbrt": lambda x: times(("sign", x), power(("abs", x), number(Fraction(1, 3)))),
    "square": lambda x: power(x, number(2)),
    "relu": lambda x: ("max", ZERO, x),
    "softplus": lambda x: ("log", add(ONE, ("exp", x))),
    "logistic": lambda x: power(add(ONE, ("exp", negative(x))), MINUS),
    # 0 log 0 is 0, as a closed convex function is read.
    "xlogx": lambda x: ("cases", (ZERO, ("==", x, ZERO)), (times(x, ("log", x)), TRUE)),
    "sinh": _sinh,
    "cosh": _cosh,
    # In these x stands once, so that intervals stay narrow.
    "tanh": lambda x: add(ONE, quotient(number(-2), add(("exp", times(number(2), x)), ONE))),
    "coth": lambda x: add(ONE, quotient(number(2), add(("exp", times(number(2), x)), MINUS))),
    "sech": lambda x: power(_cosh(x), MINUS),
    "csch": lambda x: power(_sinh(x), MINUS),
    "asinh": lambda x: ("log", add(x, _root(add(power(x, number(2)), ONE)))),
    "acosh": lambda x: ("log", add(x, times(_root(add(x, MINUS)), _root(add(x, ONE))))),
    "atanh": lambda x: times(HALF, add(("log", add(ONE, x)), negative(("log", add(ONE, negative(x)))))),
    "acoth": lambda x: times(HALF, ("log", quotient(add(x, ONE), add(x, MINUS)))),
    "tan": lambda x: quotient(("call", "sin", x), ("call", "cos", x)),
    "cot": lambda x: quotient(("call", "cos", x), ("call", "sin", x)),
    "sec": lambda x: power(("call", "cos", x), MINUS),
    "csc": lambda x: power(("call", "sin", x), MINUS),
}
# Functions that stay as they stand, with their slopes.
SLOPES = {
    "sin": lambda x: ("call", "cos", x),
    "cos": lambda x: negative(("call", "sin", x)),
    "atan": lambda x: power(add(ONE, power(x, number(2))), MINUS),
    "asin": lambda x: power(add(ONE, negative(power(x, number(2)))), number(Fraction(-1, 2))),
    "acos": lambda x: negative(power(add(ONE, negative(power(x, number(2)))), number(Fraction(-1, 2)))),
    "erf": lambda x: times(
        number(2), power(("pi",), number(Fraction(-1, 2))), ("exp", negative(power(x, number(2))))
    ),
    "lambertw": lambda x: quotient(
        ONE, times(("exp", ("call", "lambertw", x)), add(ONE, ("call", "lambertw", x)))
    ),
}


RESERVED = {*CONSTANTS, *CONDITIONAL, *EQUALITIES, *ALIASES, *DEFINED, *SLOPES}


def parse(text):
    """Return the tree of a formula."""
    return _Reader(text).value(_parsed(text))


def parse_condition(text):
    """Return the tree of a condition."""
    return _Reader(text).condition(_parsed(text))


def _parsed(text):
    if not isinstance(text, str) or len(text) > LONGEST:
        raise GrammarError(f"a formula is text of at most {LONGEST} characters")
    try:
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise GrammarError(f"{text[:60]!r} is not a formula: {error}") from None


class _Reader:
    def __init__(self, text):
        self.text, self.depth = text.strip().replace("^", "**"), 0

    def refuse(self, node):
        raise GrammarError(f"{ast.unparse(node)[:60]!r} cannot be part of a formula")

    def value(self, node):
        self.depth += 1
        if self.depth > DEEPEST:
            raise GrammarError("the formula is nested too deeply")
        try:
            return self._value(node)
        finally:
            self.depth -= 1

    def _value(self, node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return self._number(node)
        if isinstance(node, ast.Name):
            return CONSTANTS.get(node.id, ("name", node.id))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self.value(node.operand)
            return negative(inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.IfExp):
            return (
                "cases",
                (self.value(node.body), self.condition(node.test)),
                (self.value(node.orelse), TRUE),
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._call(node, ALIASES.get(node.func.id, node.func.id))
        return self.refuse(node)

    def _number(self, node):
        """Return an exact number; 1e9999999 alone would take a minute to write out."""
        text = ast.get_source_segment(self.text, node) or ""
        exponent = re.fullmatch(r"[\d_.]+(?:[eE]([+-]?\d+))?", text, re.ASCII)
        if exponent is None or len(exponent[1] or "") > 5 or abs(int(exponent[1] or 0)) > LARGEST_EXPONENT:
            raise GrammarError(f"{text[:60]!r} is not a decimal number within 1e{LARGEST_EXPONENT}")
        return number(Fraction(text))

    def _binary(self, node):
        a, b = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            return add(*(a[1:] if a[0] == "+" else (a,)), b)
        if isinstance(node.op, ast.Sub):
            return add(a, negative(b))
        if isinstance(node.op, ast.Mult):
            return times(a, b)
        if isinstance(node.op, ast.Div):
            return quotient(a, b)
        if isinstance(node.op, ast.Pow):
            return ("exp", b) if a == E else power(a, b)
        return self.refuse(node)

    def _call(self, node, name):
        if name in CONDITIONAL:
            return self._conditional(node, name)
        arguments = [self.value(argument) for argument in node.args]
        if not arguments:
            return self.refuse(node)
        if name in SLOPES and len(arguments) == 1:
            return ("call", name, *arguments)
        try:
            return DEFINED[name](*arguments)
        except (KeyError, TypeError):
            return self.refuse(node)

    def _conditional(self, node, name):
        if name == "piecewise" and all(isinstance(a, ast.Tuple) and len(a.elts) == 2 for a in node.args):
            return ("cases", *((self.value(a.elts[0]), self.condition(a.elts[1])) for a in node.args))
        if name == "where" and len(node.args) == 3:
            condition, first, second = node.args
            return ("cases", (self.value(first), self.condition(condition)), (self.value(second), TRUE))
        if name == "indicator" and len(node.args) == 1:
            return ("cases", (ZERO, self.condition(node.args[0])), (INFINITY, TRUE))
        return self.refuse(node)

    def condition(self, node):
        if isinstance(node, ast.BoolOp):
            kind = "and" if isinstance(node.op, ast.And) else "or"
            return (kind, *(self.condition(part) for part in node.values))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
            kind = "and" if isinstance(node.op, ast.BitAnd) else "or"
            return (kind, self.condition(node.left), self.condition(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            return ("not", self.condition(node.operand))
        if isinstance(node, ast.Compare) and all(type(op) in RELATIONS for op in node.ops):
            sides = [self.value(side) for side in (node.left, *node.comparators)]
            conditions = [
                (RELATIONS[type(op)], a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False)
            ]
            return ("and", *conditions) if len(conditions) > 1 else conditions[0]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
            relation = EQUALITIES.get(node.func.id)
            if relation:
                return (relation, *map(self.value, node.args))
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return TRUE if node.value else ("not", TRUE)
        return self.refuse(node)


def substitute(tree, name, by):
    """Return the tree with another in place of a name."""
    if tree == ("name", name):
        return by
    return tuple(substitute(part, name, by) if isinstance(part, tuple) else part for part in tree)


def names(tree):
    """Return the names that a tree holds."""
    if tree[0] == "name":
        return {tree[1]}
    return set().union(*(names(part) for part in tree if isinstance(part, tuple)))


def kinds(tree):
    """Return the kinds of nodes in a tree."""
    return {tree[0]}.union(*(kinds(part) for part in tree if isinstance(part, tuple)))


def derivative(tree, name):
    """Return the slope of a formula; raise `GrammarError` for a formula without one.

    ("branch", condition, a, b) is between a and b where it is open whether the condition holds.
    """
    if name not in names(tree):
        return ZERO
    kind, *parts = tree
    if kind == "name":
        return ONE
    if kind == "+":
        return add(*(derivative(part, name) for part in parts))
    if kind == "*":
        varying = [k for k, part in enumerate(parts) if name in names(part)]
        return add(*(times(*parts[:k], derivative(parts[k], name), *parts[k + 1 :]) for k in varying))
    if kind == "exp":
        return times(tree, derivative(parts[0], name))
    if kind == "log":
        return quotient(derivative(parts[0], name), parts[0])
    if kind == "abs":
        slope = derivative(parts[0], name)
        return ("branch", (">=", parts[0], ZERO), slope, negative(slope))
    if kind in ("max", "min"):
        first, *rest = parts
        other = rest[0] if len(rest) == 1 else (kind, *rest)
        return (
            "branch",
            (">=" if kind == "max" else "<=", first, other),
            derivative(first, name),
            derivative(other, name),
        )
    if kind == "cases":
        return ("cases", *((derivative(value, name), condition) for value, condition in parts))
    if kind == "call":
        return times(SLOPES[parts[0]](parts[1]), derivative(parts[1], name))
    if kind == "power":
        base, exponent = parts
        if name not in names(exponent):
            less = number(exponent[1] - 1) if exponent[0] == "number" else add(exponent, MINUS)
            factor = ONE if less == ZERO else base if less == ONE else power(base, less)
            return times(exponent, factor, derivative(base, name))
        return times(tree, derivative(times(exponent, ("log", base)), name))
    raise GrammarError(f"the slope of {kind} is not formed")
