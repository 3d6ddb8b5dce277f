"""Random expressions have one structure in Python and in JavaScript.

Every elementary function is replaced by one that both languages compute to the last bit, so that the
structure must agree exactly; the functions themselves are compared in test_javascript.
"""

import math
import operator
import re

import numpy as np
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.conjugates.codegen.forms import FORMS, HELPERS
from workbench.conjugates.codegen.javascript import javascript_text
from workbench.conjugates.codegen.printer import python_text
from workbench.conjugates.convex.primitives import PRIMITIVES

x, y = sp.symbols("x y", real=True)


def factors(name):
    """Two dyadic numbers that tell the functions apart."""
    digest = sum(ord(letter) * 7**place for place, letter in enumerate(name))
    return 0.25 + (digest % 13) / 16, (digest % 17) / 32 - 0.25


class Number(float):
    """A float with the arithmetic of IEEE 754, and a stand-in for its power."""

    def __pow__(self, other):
        return Number(np.float64(self) * 0.375 + np.float64(other) * 0.625)

    def __neg__(self):
        return Number(-np.float64(self))

    def __abs__(self):
        return Number(np.abs(np.float64(self)))


def _operation(name):
    plain = getattr(np.float64, name)
    return lambda self, other: Number(plain(np.float64(self), np.float64(other)))


for _name in (
    "__add__",
    "__sub__",
    "__mul__",
    "__truediv__",
    "__radd__",
    "__rsub__",
    "__rmul__",
    "__rtruediv__",
):
    setattr(Number, _name, _operation(_name))

LANGUAGE_NAMES = re.compile(r"\b(?:math|Math)\.(\w+)")
OWN = ("copysign", "sqrt", "inf", "nan", "pi", "e", "abs", "max", "min", "PI", "E", "pow")
STUBS = sorted(
    {name for form in FORMS.values() for text in form for name in LANGUAGE_NAMES.findall(text)} - set(OWN)
)
CALLED = ("erf", "erfc", "inverse_erf", "lambertw", "lambertw_exp")
NUMERAL = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?")


class PlainMath:
    pi, e, inf, nan = Number(math.pi), Number(math.e), Number(math.inf), Number(math.nan)

    @staticmethod
    def sqrt(x):
        return Number(np.sqrt(np.float64(x)))

    @staticmethod
    def copysign(size, x):
        return Number(size if math.isnan(x) else math.copysign(size, x))


def _stub(name):
    a, b = factors(name)
    return lambda first, second=0.0: Number(a) * first + Number(b) - Number(0.125) * Number(second)


for _name in (*STUBS, "erf", "erfc"):
    setattr(PlainMath, _name, staticmethod(_stub(_name)))


def _script_stub(name):
    a, b = factors(name)
    return f"(first, second = 0) => {a} * first + {b} - 0.125 * second"


POWER = "(x, y) => x * 0.375 + y * 0.625"
SCRIPT = "\n".join(
    [
        "const RealMath = globalThis.Math;",
        "const Math = {",
        *(f"  {name}: RealMath.{name}," for name in ("PI", "E", "sqrt", "abs", "max", "min")),
        *(f"  {name}: {_script_stub(name)}," for name in STUBS),
        f"  pow: {POWER},",
        "};",
        f"const power = {POWER};",
        *(f"const {name} = {_script_stub(name)};" for name in CALLED),
        *(HELPERS[name].javascript for name in ("copysign", "larger", "smaller")),
    ]
)
PYTHON = {"math": PlainMath, "Number": Number, **{name: _stub(name) for name in CALLED}}

UNARY = [
    *(form for form in PRIMITIVES if form.nargs == sp.FiniteSet(1)),
    *(
        sp.exp,
        sp.log,
        sp.sin,
        sp.cos,
        sp.tan,
        sp.atan,
        sp.sinh,
        sp.cosh,
        sp.tanh,
        sp.asinh,
        sp.acosh,
        sp.atanh,
    ),
    *(sp.sec, sp.csc, sp.cot, sp.sech, sp.csch, sp.coth, sp.acot, sp.acoth, sp.erf, sp.erfc, sp.erfinv),
    *(
        sp.Abs,
        sp.sign,
        sp.sqrt,
        sp.Heaviside,
        lambda t: sp.Max(t, 0),
        sp.LambertW,
        lambda t: sp.LambertW(t, -1),
    ),
]
LEAVES = st.one_of(
    st.sampled_from([x, y]),
    st.sampled_from([x, y, sp.pi, sp.E]),
    st.fractions(-4, 4, max_denominator=7).map(lambda f: sp.Rational(f.numerator, f.denominator)),
    st.floats(-1e3, 1e3).map(sp.Float),
)
EXPONENTS = st.sampled_from(
    [2, 3, 4, 5, -1, -2, -3, sp.S.Half, -sp.S.Half, sp.Rational(1, 3), sp.Rational(-5, 3), y]
)
BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, sp.Min, sp.Max)
RELATIONS = (sp.Lt, sp.Le, sp.Gt, sp.Ge, sp.Ne)
CONDITIONS = (lambda c, d: c, sp.And, sp.Or, lambda c, d: sp.Not(sp.And(c, d)))


@st.composite
def trees(draw, depth=3):
    """An expression in x and y."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(LEAVES)
    a, b = draw(trees(depth - 1)), draw(trees(depth - 1))
    kind = draw(st.sampled_from(("unary", "power", "binary", "cases", "partial")))
    if kind in ("cases", "partial"):
        first, second = (draw(st.sampled_from(RELATIONS))(x, draw(trees(0))) for _ in range(2))
        condition = draw(st.sampled_from(CONDITIONS))(first, second)
        return sp.Piecewise((a, condition), (b, kind == "cases" or second))
    function, exponent = draw(st.sampled_from(UNARY)), draw(EXPONENTS)
    operation = draw(st.sampled_from(BINARY))
    try:
        return {"unary": lambda: function(a), "power": lambda: a**exponent}.get(
            kind, lambda: operation(a, b)
        )()
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        # SymPy builds no Max of a complex number, no quotient by the float 0, ...
        return a


@settings(max_examples=amount(50, 200))
@given(tree=trees(), at=st.tuples(*[st.sampled_from((0.3, -1.7, 0.0, 5.0))] * 2))
def test_random_trees_have_one_structure_in_both_languages(javascript, tree, at):
    try:
        python, script = python_text(tree), javascript_text(tree)
    except InputError:
        return
    text = LANGUAGE_NAMES.sub(r"math.\1", NUMERAL.sub(r"Number(\g<0>)", python))
    with np.errstate(all="ignore"):
        expected = eval(text, {**PYTHON, "x": Number(at[0]), "y": Number(at[1])})
    (value,) = javascript(f"{SCRIPT}\nfunction f(x, y) {{ return {script}; }}", [("f", *at)])
    assert value == expected or (math.isnan(value) and math.isnan(expected)), (python, script)
