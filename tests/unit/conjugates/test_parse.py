"""From text and from SymPy to an expression: what a formula means, and which name is its variable."""

import pytest
import sympy as sp
from sympy import Abs, Max, Min, Piecewise, Rational, exp, log, oo, pi, sin, sqrt

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.parse import Parsed, from_sympy, parse_expression
from workbench.conjugates.convex.primitives import PRIMITIVES, Log1pExp, RelativeEntropy

U = sp.Symbol("u", real=True)
X = sp.Symbol("x", real=True)
A = sp.Symbol("a", positive=True)
P = sp.Symbol("p", positive=True)
PARAMETERS = {"a": "a > 0", "p": "p > 1"}

MEANINGS = {
    # numbers are exact
    "0.1": Rational(1, 10),
    "1e-3*u": U / 1000,
    "1.5e2": sp.Integer(150),
    ".5 + 2.": Rational(5, 2),
    "123456789012345678901234567890": sp.Integer(123456789012345678901234567890),
    "1/3": Rational(1, 3),
    "10**100": sp.Integer(10) ** 100,
    "0*log(u)": sp.S.Zero,
    "e": sp.E,
    "E*pi": sp.E * pi,
    # operators, as Python ranks them, with ^ for powers
    "u^2/2": U**2 / 2,
    "-u^2": -(U**2),
    "(-u)^2": U**2,
    "2^3^2": sp.Integer(512),
    "2**-u": 2**-U,
    "2*u^2*3": 6 * U**2,
    "u - 1 - 2": U - 3,
    "u/2/3": U / 6,
    "u/(2/3)": U * Rational(3, 2),
    "--u": U,
    "+u": U,
    "1 - -u": 1 + U,
    " \tu\t ": U,
    "u**u": U**U,
    "e**u": exp(U),
    "x*x": X**2,
    # functions
    "exp(u)": exp(U),
    "expm1(u)": exp(U) - 1,
    "log(u)": log(U),
    "ln(u)": log(U),
    "log(u, 3)": log(U) / log(3),
    "log2(u)": log(U) / log(2),
    "log10(1000)": sp.Integer(3),
    "log1p(u)": log(1 + U),
    "sqrt(u)": sqrt(U),
    "sqrt(u^2)": Abs(U),
    "cbrt(u)": sp.sign(U) * Abs(U) ** Rational(1, 3),
    "cbrt(-8)": sp.Integer(-2),
    "square(u + 1)": (U + 1) ** 2,
    "abs(1 - u)": Abs(1 - U),
    "Abs(u)": Abs(U),
    "max(0, 1 - u)": Max(0, 1 - U),
    "max(u, 1, 2, -u)": Max(2, U, -U),
    "Max(u, u)": U,
    "min(u, 1, 2, sqrt(2))": Min(1, U),
    "max(1, 2)": sp.Integer(2),
    "max(0, max(u, -1))": Max(0, U),
    "sign(u)": sp.sign(U),
    "sign(1 - sqrt(2))": sp.Integer(-1),
    "relu(u)": Max(0, U),
    "pos(u)": Max(0, U),
    "softplus(u)": log(1 + exp(U)),
    "logistic(u)": 1 / (1 + exp(-U)),
    "sigmoid(u)": 1 / (1 + exp(-U)),
    "expit(u)": 1 / (1 + exp(-U)),
    "xlogx(u)": U * log(U),
    "xlogx(0)": sp.S.Zero,
    "sin(u)**2 + cos(pi)": sin(U) ** 2 - 1,
    "tan(u)*cot(u)/sec(u)/csc(u)": sp.tan(U) * sp.cot(U) / sp.sec(U) / sp.csc(U),
    "asin(u) + acos(u) + atan(u)": sp.asin(U) + sp.acos(U) + sp.atan(U),
    "arcsin(u) + arccos(u) + arctan(u)": sp.asin(U) + sp.acos(U) + sp.atan(U),
    "sinh(u) + cosh(u) + tanh(u)": sp.sinh(U) + sp.cosh(U) + sp.tanh(U),
    "coth(u) + sech(u) + csch(u)": sp.coth(U) + sp.sech(U) + sp.csch(U),
    "arcsinh(u) + arccosh(u) + atanh(u)": sp.asinh(U) + sp.acosh(U) + sp.atanh(U),
    "asinh(u) + acosh(u) + arctanh(u)": sp.asinh(U) + sp.acosh(U) + sp.atanh(U),
    "lambertw(u) + LambertW(1) + erf(u)": sp.LambertW(U) + sp.LambertW(1) + sp.erf(U),
    # pieces
    "u if u > 0 else 0": Piecewise((U, U > 0), (0, True)),
    "u if u > 0 else 1 if u > -1 else 2": Piecewise((U, U > 0), (1, U > -1), (2, True)),
    "where(0 <= u < 1, u, 0)": Piecewise((U, (U >= 0) & (U < 1)), (0, True)),
    "where(not u > 0 or u == 2, 1, u)": Piecewise((1, (U <= 0) | sp.Eq(U, 2)), (U, True)),
    "where(u != 1, u, 0)": Piecewise((U, sp.Ne(U, 1)), (0, True)),
    "where(u > 0 and u < 1 or u > 3, u, 0)": Piecewise((U, ((U > 0) & (U < 1)) | (U > 3)), (0, True)),
    "piecewise((u, u > 0), (-u, u < -1), (3, True))": Piecewise((U, U > 0), (-U, U < -1), (3, True)),
    "Piecewise((u, u > 0), (0, True))": Piecewise((U, U > 0), (0, True)),
    "piecewise((u, False), (1, True))": sp.S.One,
    "indicator(u >= 0)": Piecewise((0, U >= 0), (oo, True)),
    "u + indicator(abs(u) <= 1)": U + Piecewise((0, Abs(U) <= 1), (oo, True)),
    "u^2 if u >= 0 else oo": Piecewise((U**2, U >= 0), (oo, True)),
    "1 if 1 < sqrt(2) < 1.5 else u": sp.S.One,
    # parameters
    "a*abs(u)^p/p": A * Abs(U) ** P / P,
    "u**(p/(p - 1))": U ** (P / (P - 1)),
    "max(a, -1)*u": A * U,
    "abs(a)*u": A * U,
}


@pytest.mark.parametrize("text", MEANINGS)
def test_meaning(text):
    parsed = parse_expression(text, PARAMETERS)
    assert parsed.expr == MEANINGS[text]
    assert parsed.variable == (X if "x*x" in text else U)
    assert set(parsed.parameters) == {"a", "p"}


def test_the_variable_is_the_one_undeclared_name():
    assert parse_expression("epsilon + 1").variable == sp.Symbol("epsilon", real=True)
    assert parse_expression("3").variable == U
    assert parse_expression("3", variable="x") == Parsed(sp.Integer(3), X, {}, "3")
    assert parse_expression("x + a", PARAMETERS).variable == X
    assert parse_expression("a", PARAMETERS, sp.Symbol("x")).variable == X
    assert parse_expression("theta_1^2").variable == sp.Symbol("theta_1", real=True)
    with pytest.raises(
        ExpressionError, match=r'no name is left for the variable; name one, as in variable="x"'
    ):
        parse_expression("2*u", {"u": "u > 0"})


@pytest.mark.parametrize(
    ("variable", "fix"),
    [
        ("a", "a is a parameter too; give one of them another name"),
        ("exp", "exp is a function"),
        ("pi", "pi is a constant"),
        ("lambda", "'lambda' is a keyword of Python and no name; write lam"),
        ("_u", "'_u' is not a name"),
        ("u v", "'u v' is not a name"),
        ("", "'' is not a name"),
        ("é", r"'\\xe9' is not a name"),
        ("u" * 21, "has 21 characters; 20 is the most"),
        (5, "a name is text, not int"),
    ],
)
def test_a_variable_has_a_name(variable, fix):
    with pytest.raises(ExpressionError, match=fix):
        parse_expression("u", PARAMETERS, variable)


v, a = sp.Symbol("v"), sp.Symbol("a")
V = sp.Symbol("v", real=True)
FROM_SYMPY = {
    v**2 / 2: V**2 / 2,
    log(1 + exp(v)): log(1 + exp(V)),
    sqrt(v**2): Abs(V),
    0.1 * v: V / 10,
    a * abs(v) + Max(v, 1, a): A * Abs(V) + Max(V, 1, A),
    Piecewise((v, v > 0), (oo, True)): Piecewise((V, V > 0), (oo, True)),
    Piecewise((v, (v > 0) & ~sp.Eq(v, 2)), (0, True)): Piecewise((V, (V > 0) & sp.Ne(V, 2)), (0, True)),
    sp.Heaviside(v): sp.Heaviside(V),
    sp.LambertW(v) + sp.LambertW(v, -1): sp.LambertW(V) + sp.LambertW(V, -1),
    Log1pExp(v) + RelativeEntropy(v, a): Log1pExp(V) + RelativeEntropy(V, A),
    2 * (v + 1) * exp(v): 2 * (V + 1) * exp(V),
    sp.Dummy("v") ** 2: V**2,
    5: sp.Integer(5),
    0.25: Rational(1, 4),
}


@pytest.mark.parametrize("expression", FROM_SYMPY, ids=str)
def test_from_sympy(expression):
    parsed = from_sympy(expression, PARAMETERS, None if expression in (5, 0.25) else "v")
    assert parsed.expr == FROM_SYMPY[expression]
    assert parsed.variable == (U if expression in (5, 0.25) else V)
    assert parsed.expr.free_symbols <= {V, A}
    assert from_sympy(parsed.expr, parsed.parameters, parsed.variable) == parsed


@pytest.mark.parametrize("primitive", PRIMITIVES)
def test_every_primitive_is_read(primitive):
    expression = primitive(*(v, a)[: primitive.nargs.args[0]])
    assert from_sympy(expression, PARAMETERS).expr == expression.subs({v: V, a: A})


UNREAD = {
    "Function": (sp.Function("f")(v), "in a f: f cannot be part of a formula here"),
    "Integral": (sp.Integral(v, v), "Integral cannot be part"),
    "Derivative": (sp.Derivative(sp.Function("f")(v), v), "Derivative cannot be part"),
    "imaginary": (sp.I * v, "ImaginaryUnit cannot be part"),
    "nan": (sp.nan, "NaN cannot be part"),
    "zoo": (v * sp.zoo, "cannot be part"),
    "oo": (sp.oo, "infinite everywhere"),
    "float nan": (float("nan"), "nan is not a number"),
    "gamma": (sp.gamma(v), "gamma cannot be part"),
    "open piece": (Piecewise((v, v > 0)), "do not cover every case"),
    "condition": (v > 0, "StrictGreaterThan is not a number"),
    "set": (sp.Interval(0, 1), "Interval is not a number"),
    "matrix": (sp.Matrix([v]), "is not a SymPy expression"),
    "text": ("v**2", "str is not a SymPy expression"),
    "None": (None, "NoneType is not a SymPy expression"),
    "complex": (1j, "complex is not a SymPy expression"),
    "two of a name": (v + V, "two symbols are both named v"),
    "two names": (v + sp.Symbol("w"), "the names v and w are undeclared"),
    "lambda": (sp.Symbol("lambda") * v, "keyword of Python and no name; write lam"),
    "dunder": (sp.Symbol("__class__"), "is not a name"),
    "blank": (sp.Symbol("v w"), "is not a name"),
    "tower": (sp.Pow(10, sp.Pow(10, 100, evaluate=False), evaluate=False), "an exponent goes beyond 100"),
    "exp": (exp(sp.Integer(10) ** 100), "goes beyond"),
    "huge": (sp.Integer(10) ** 5000, "goes beyond"),
    "huge Python": (10**5000, "goes beyond"),
    "huge Float": (sp.Float("1e400") * v, "goes beyond"),
    "tiny Float": (sp.Float("1e-400") * v, "goes below"),
    "1/0": (sp.Pow(0, -1, evaluate=False), "stay in a function's domain"),
    "large": (sp.Add(*(v**k for k in range(400)), evaluate=False), "more than 1000 parts"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_sympy_has_and_a_formula_has_not(name):
    expression, says = UNREAD[name]
    with pytest.raises(ExpressionError, match=says):
        from_sympy(expression)


def test_deep_sympy_is_refused():
    deep = v
    for _ in range(300):
        deep = sin(deep, evaluate=False)
    with pytest.raises(ExpressionError, match="100 levels"):
        from_sympy(deep)
