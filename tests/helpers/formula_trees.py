"""Random formulas: each with its text, of as few parentheses as Python needs, and its value at a point."""

import mpmath
from hypothesis import strategies as st

UNARY = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "abs": abs,
    "sign": mpmath.sign,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "sin": mpmath.sin,
    "tanh": mpmath.tanh,
    "atan": mpmath.atan,
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "xlogx": lambda x: x * mpmath.log(x) if x else x,
    "relu": lambda x: max(x, 0),
    "square": lambda x: x * x,
    "log1p": lambda x: mpmath.log(1 + x),
    "expm1": lambda x: mpmath.exp(x) - 1,
    "log10": lambda x: mpmath.log(x, 10),
    "erf": mpmath.erf,
    "lambertw": mpmath.lambertw,
    "cosh": mpmath.cosh,
    "acosh": mpmath.acosh,
    "sech": mpmath.sech,
}
BINARY = {
    "+": (1, lambda x, y: x + y),
    "-": (1, lambda x, y: x - y),
    "*": (2, lambda x, y: x * y),
    "/": (2, lambda x, y: x / y),
}
RELATIONS = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
SUM, PRODUCT, SIGN, POWER, ATOM = 1, 2, 3, 4, 5


def real(x):
    """The value, which leaves the reals where Python's own functions would raise."""
    if isinstance(x, mpmath.mpc) or mpmath.isnan(x) or mpmath.isinf(x) or abs(x) > 1e60:
        raise ValueError("not real")
    return mpmath.mpf(x)


class Tree:
    """A formula with its text, how strongly its text binds, and its value at a point."""

    def __init__(self, text, strength, value):
        self.text, self.strength = text, strength
        self.value = lambda point: real(value(point))

    def within(self, strength):
        return self.text if self.strength >= strength else f"({self.text})"


def leaf(text):
    if text in ("u", "a", "p"):
        return Tree(text, ATOM, lambda point: point[text])
    constants = {"pi": lambda: +mpmath.pi, "e": lambda: +mpmath.e}
    return Tree(text, ATOM, lambda point: constants[text]() if text in constants else mpmath.mpf(text))


def binary(symbol, left, right):
    strength, compute = BINARY[symbol]
    text = f"{left.within(strength)} {symbol} {right.within(strength + 1)}"
    return Tree(text, strength, lambda point: compute(left.value(point), right.value(point)))


def power(star, left, right):
    text = f"{left.within(ATOM)}{star}{right.within(SIGN)}"
    return Tree(text, POWER, lambda point: left.value(point) ** right.value(point))


def negative(child):
    return Tree(f"-{child.within(SIGN)}", SIGN, lambda point: -child.value(point))


def call(name, child):
    return Tree(f"{name}({child.text})", ATOM, lambda point: UNARY[name](child.value(point)))


def extreme(name, children):
    chosen = {"max": max, "min": min}[name]
    text = f"{name}({', '.join(child.text for child in children)})"
    return Tree(text, ATOM, lambda point: chosen(child.value(point) for child in children))


def choice(form, relation, left, right, yes, no):
    text = {
        "where": f"where({left.text} {relation} {right.text}, {yes.text}, {no.text})",
        "if": f"({yes.text} if {left.text} {relation} {right.text} else {no.text})",
        "piecewise": f"piecewise(({yes.text}, {left.text} {relation} {right.text}), ({no.text}, True))",
    }[form]

    def value(point):
        holds = RELATIONS[relation](left.value(point), right.value(point))
        return (yes if holds else no).value(point)

    return Tree(text, ATOM, value)


LEAVES = ("u", "u", "u", "a", "p", "1", "2", "3", "0.1", "1.5", "7", "2e-3", "pi", "e")
leaves = st.sampled_from(LEAVES).map(leaf)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(binary, st.sampled_from(list(BINARY)), inner, inner),
        st.builds(power, st.sampled_from(["**", "^", " ** ", " ^ "]), inner, inner),
        st.builds(negative, inner),
        st.builds(call, st.sampled_from(list(UNARY)), inner),
        st.builds(extreme, st.sampled_from(["max", "min"]), st.lists(inner, min_size=2, max_size=4)),
        st.builds(
            choice,
            st.sampled_from(["where", "if", "piecewise"]),
            st.sampled_from(list(RELATIONS)),
            inner,
            inner,
            inner,
            inner,
        ),
    ),
    max_leaves=14,
)
