"""Any text at all: a formula that means what Python means by it, or an `ExpressionError`; nothing runs."""

import sys
import time
import warnings

import mpmath
import pytest
import sympy as sp
from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from tests.helpers.amounts import amount
from tests.helpers.formula_trees import trees
from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.parse import (
    domain_of,
    from_sympy,
    parse_domain,
    parse_expression,
    parse_parameters,
)

EXAMPLES = amount(40, 200)
DIGITS = 40  # to compute with; a dozen of them are compared
PATIENCE = 3.0  # seconds of processor time; a formula takes milliseconds
PARAMETERS = parse_parameters({"a": "a > 0", "p": "p > 1", "b": "b > a"})

LINES = (
    "u a p b uu x e pi oo 0 1 2 3 0.5 1e-3 1e5 10 99 123456789 .5 2. 1e400 007 1_0 0x1 1j",
    "+ - * / ** ^ ( ) ( ) ( ) , , < <= > >= == != and or not if else True False",
    "exp log sqrt abs max min sign cbrt sin tan asin erf lambertw where piecewise indicator relu",
    "lambda for in is None import def class yield await __import__ __class__ eval exec open os",
    ". .. : := ; ' \" f' \\ # [ ] { } @ ! ~ | & % $ ? ` = => _ __ ... -> \n \r \t \0 \x0c \x1b",
    "− × ² ≤ ∞ π ε а λ ½ 𝑢 ｕ \u2028 \ud800 \u00a0 \u202e",
)
WORDS = [word for line in LINES for word in line.split(" ")]
# What Python raises to an audit hook when it runs, opens or starts something.
DEEDS = ("open", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pickle.", "builtins.input")
deeds = []
watching = False


def watch(name, arguments):
    if watching and (name.startswith(DEEDS) or (name == "exec" and arguments[0].co_filename.startswith("<"))):
        deeds.append((name, arguments))


sys.addaudithook(watch)


def tried(function, *args):
    """The result of a call, or None where it is an `ExpressionError`; any deed is a failure."""
    global watching
    start = time.process_time()
    watching = True
    try:
        return function(*args)
    except ExpressionError as error:
        text = str(error)
        assert "\n" not in text
        assert len(text) < 1000
        text.encode()
        return None
    finally:
        watching = False
        assert deeds == []
        assert time.process_time() - start < PATIENCE


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """SymPy imports some modules when they are first needed; the formula did not ask for it."""
    for text in ("log(1 + exp(u)) + 1/u", "where(u > 0 and u < 1, abs(u), max(u, 1, u**3))", "lambertw(u)"):
        parse_expression(text)
    parse_domain("[0, 1)")


def test_the_watch_notices_side_effects():
    with pytest.raises(AssertionError):
        tried(eval, "1 + 1")
    assert [name for name, _ in deeds] == ["exec"]
    deeds.clear()


texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="u()+-*/^.,e0123456789 <>=", max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
)


@settings(max_examples=4 * EXAMPLES)
@given(text=texts)
@example(text="().__class__.__bases__[0].__subclasses__()")
@example(text="(u" * 200)
@example(text="-" * 999 + "u")
@example(text="u**" * 300 + "u")
@example(text="not " * 240 + "u")
@example(text="u if u else " * 80 + "u")
def test_any_text_is_a_formula_or_an_expression_error(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for reader in (parse_expression, parse_domain):
            tried(reader, text)
            tried(reader, text, PARAMETERS if reader is parse_expression else "u")
        tried(parse_parameters, {"p": text})
        tried(parse_parameters, {text: "real"})
        tried(parse_expression, "u", None, text)
        tried(domain_of, (text, 1))


FIXED = {"a": mpmath.mpf("0.75"), "p": mpmath.mpf("2.25")}
POINTS = [{"u": mpmath.mpf(u)} | FIXED for u in ("0.3", "1.7", "-1.3", "5.1")]


def evaluated(parsed, point):
    """The value of a parsed expression at a point, in floating point: exact powers could fill the memory."""
    symbols = sorted(parsed.expr.free_symbols, key=str)
    try:
        return sp.lambdify(symbols, parsed.expr, "mpmath")(*(point[symbol.name] for symbol in symbols))
    except TypeError:
        # A power of a negative number may be complex without an imaginary part, which mpmath does not order.
        values = {symbol: sp.Float(point[symbol.name], DIGITS) for symbol in symbols}
        return mpmath.mpf(parsed.expr.xreplace(values).evalf(DIGITS))


@settings(max_examples=2 * EXAMPLES)
@given(tree=trees)
def test_a_formula_means_what_python_means_by_it(tree):
    with mpmath.workdps(DIGITS):
        points, values = [], []
        for point in POINTS:
            try:
                values.append(tree.value(point))
                points.append(point)
            except (ValueError, ArithmeticError, TypeError):
                pass
        assume(values)
        parsed = tried(parse_expression, tree.text, PARAMETERS, "u")
        event("refused" if parsed is None else "read")
        assume(parsed is not None)
        for point, value in zip(points, values, strict=True):
            number = evaluated(parsed, point)
            assert abs(number - value) <= 1e-12 * max(1, abs(value)), tree.text
        again = tried(from_sympy, parsed.expr, PARAMETERS, "u")
        assert again is not None
        assert again.variable == parsed.variable == sp.Symbol("u", real=True)
