"""The JavaScript forms give the numbers of the compiled Python ones, nan and infinities included."""

import itertools
import math

import mpmath
import numba
import numpy as np
import pytest
import sympy as sp

from tests.helpers.derived_terms import LOSSES, REGULARIZERS
from tests.helpers.digits import TOLERANCE, UNDERFLOW, compiled, places, theta
from workbench._support.errors import InputError
from workbench.conjugates.codegen.forms import FORMS, HELPERS, call, helper_names, python_helpers
from workbench.conjugates.codegen.javascript import ScriptPrinter, javascript_function, javascript_module
from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.terms import regularizers as reg
from workbench.conjugates.terms.losses import LINEAR, QUADRATIC, START, U, V
from workbench.kernels import compilation

# Formulas that are a difference, and the size of its parts where they cancel.
PARTS = {
    "logistic_conjugate_slope": lambda v: 1.0,
    "Logit": lambda b: 1.0,
    "hinge_p_conjugate": abs,
    "hinge_p_conjugate_slope": lambda v: 1.0,
}
# JavaScript has no erf of its own; the conjugates of erf need no more than this.
SERIES = {"erf": 1e-15, "erfc": 4e-15, "erfinv": 2e-15}
LAMBERT = 1e-14


def slack(name, x):
    return TOLERANCE * PARTS[name](x) if name in PARTS and math.isfinite(x) else 0.0


def same(value, expected, tolerance=TOLERANCE, slack=0.0):
    if math.isnan(expected) or math.isinf(expected):
        return value == expected or (math.isnan(value) and math.isnan(expected))
    return abs(value - expected) <= tolerance * abs(expected) + slack + UNDERFLOW


# The built-in terms

EXTREMES = (-np.inf, *places(), np.inf, np.nan)
SIZES = [x for x in EXTREMES if not x < 0]
CALLS = {
    "u": [(x,) for x in EXTREMES],
    "v": [(x,) for x in EXTREMES],
    "S": [(x,) for x in SIZES],
    "w": list(itertools.product(EXTREMES, (0.3, 1.0, 2.5e-9))),
    "start": list(itertools.product((0.0, -1e-8, -0.3), (-1e6, -0.3, 0.0, 2.5, np.inf), (1e-8, 0.7, 1e18))),
}


def loss_formulas(term):
    name, domain = term.name.replace("-", "_"), sp.Interval(term.lower, term.upper)
    # -ln u is for u > 0 alone.
    inside = sp.Interval.open(0, sp.oo) if term.name == "negative-log" else None
    yield f"{name}_value", (U,), term.value, inside
    yield f"{name}_slope", (U,), derivative(term.value, U), None
    yield f"{name}_conjugate", (V,), term.conjugate, domain
    yield f"{name}_conjugate_slope", (V,), derivative(term.conjugate, V), None
    if term.coordinate is not None:
        yield f"{name}_coordinate", (START, LINEAR, QUADRATIC), term.coordinate, None


def regularizer_formulas(term):
    name, domain = term.name.replace("-", "_"), term.domain
    yield f"{name}_inner", (reg.V,), term.inner, None
    for suffix, order in (("outer", 0), ("outer_slope", 1), ("outer_curvature", 2)):
        yield f"{name}_{suffix}", (reg.S,), derivative(term.outer, reg.S, order), None
    yield f"{name}_primal", (reg.W, reg.C), term.primal, domain
    yield f"{name}_primal_outer", (reg.S,), term.primal_outer, None


def signature(arguments):
    return {1: compilation.SCALAR, 2: compilation.PRIMAL, 3: compilation.COORDINATE}[len(arguments)]


def scale_of(term):
    return (
        None if not hasattr(term, "scaling") else {None: 0.0, "shift": 650.0, "divisor": 47.0}[term.scaling]
    )


def parameters_of(term):
    if not hasattr(term, "scaling"):
        return term.symbols
    return (reg.DIVISOR if term.scaling == "divisor" else reg.SCALE, *term.symbols)


@pytest.mark.parametrize("term", [*LOSSES, *REGULARIZERS], ids=lambda term: term.name)
def test_every_scalar_formula_gives_the_compiled_numbers(javascript, term):
    formulas = list((regularizer_formulas if hasattr(term, "scaling") else loss_formulas)(term))
    values = theta(term, scale_of(term))
    source = javascript_module(
        javascript_function(name, expression, arguments, domain, parameters_of(term))
        for name, arguments, expression, domain in formulas
    )
    for name, arguments, _, _ in formulas:
        calls = CALLS[arguments[0].name]
        if name == "negative_log_slope":
            calls = [call for call in calls if call[0] > 0.0]
        function = compilation.formula(name, signature(arguments))
        numbers = javascript(source, [(name, *call, values) for call in calls])
        for inputs, number in zip(calls, numbers, strict=True):
            expected = function(*inputs, values)
            assert same(number, expected, slack=slack(name, inputs[0])), (name, inputs, number, expected)


@pytest.mark.parametrize("term", REGULARIZERS, ids=lambda term: term.name)
def test_regularizer_slope_and_curvature_match_its_row_function(javascript, term):
    unit = reg.DIVISOR if term.scaling == "divisor" else sp.S.One
    values, one = theta(term, scale_of(term)), np.ones(1)
    row_probe = compiled(term, "row_probe", compilation.ROW_PROBE)
    source = javascript_module(
        javascript_function(
            name, derivative(term.inner, reg.V, order, unit), (reg.V,), parameters=parameters_of(term)
        )
        for order, name in ((1, "slope"), (2, "curvature"))
    )
    points = [v for v in places() if v != 0.0]
    slopes = javascript(source, [("slope", v, values) for v in points])
    curvatures = javascript(source, [("curvature", v, values) for v in points])
    for v, slope, curvature in zip(points, slopes, curvatures, strict=True):
        _, product, square = row_probe(np.zeros(1, np.uint32), one, 0, 1, 0.0, one, np.array([v]), values)
        assert same(slope, product), v
        assert same(curvature, square), v


def test_theta_may_be_an_object_by_name(javascript):
    source = javascript_module(
        [javascript_function("f", reg.EPSILON * U + reg.Q, (U,), parameters=(reg.EPSILON, reg.Q))]
    )
    assert javascript(source, [("f", 2.0, {"epsilon": 3.0, "q": 1.0}), ("f", 2.0, [3.0, 1.0])]) == [7.0, 7.0]


# The table

x, y = sp.symbols("x y", real=True)


def form_calls():
    """(name, Python text, JavaScript text) of every function of the table, of x or of x and y."""
    for name in FORMS:
        two = name in ("RelativeEntropy", "Max", "Min", "atan2", "Heaviside", "LambertW")
        arguments = ("x", "y" if name != "LambertW" else "0.0") if two else ("x",)
        yield name, call(name, "python", arguments), call(name, "javascript", arguments)
    yield (
        "LambertW_1",
        call("LambertW", "python", ("x", "-1.0")),
        call("LambertW", "javascript", ("x", "-1.0")),
    )
    yield "lambertw_exp", "lambertw_exp(x)", "lambertw_exp(x)"
    yield "power", "x**y", "power(x, y)"
    yield "cube_root", python_text(x ** sp.Rational(1, 3)), ScriptPrinter().text(x ** sp.Rational(1, 3))


FORM_CALLS = list(form_calls())


def python_function(arguments, body):
    """A function and the helpers that it calls, compiled as a generated module compiles them."""
    known = {"math": math, "inline": numba.njit(error_model="numpy")}
    exec(f"{python_helpers(body, '@inline')}\n\n@inline\ndef f({arguments}):\n{body}", known)
    return known["f"]


@pytest.fixture(scope="module")
def every_form():
    """x, y -> the values of all forms, compiled at once."""
    lines = [f"    out[{k}] = {python}\n" for k, (_, python, _) in enumerate(FORM_CALLS)]
    function = python_function("x, y, out", "".join(lines))

    def values(x, y):
        out = np.empty(len(FORM_CALLS))
        function(x, y, out)
        return out

    return values


def test_every_function_of_the_table_gives_the_compiled_numbers(javascript, every_form):
    names = [name for name, _, _ in FORM_CALLS]
    source = javascript_module(
        f"function {name}_at(x, y) {{ return {text}; }}\n" for name, _, text in FORM_CALLS
    )
    pairs = list(itertools.product(EXTREMES, (0.3, -2.0, 1.0 / 3.0, np.inf, np.nan)))
    expected = [every_form(*pair) for pair in pairs]
    for position, name in enumerate(names):
        numbers = javascript(source, [(f"{name}_at", *pair) for pair in pairs])
        tolerance = SERIES.get(name, TOLERANCE)
        for pair, number, row in zip(pairs, numbers, expected, strict=True):
            assert same(number, row[position], tolerance, slack(name, pair[0])), (
                name,
                pair,
                number,
                row[position],
            )


def test_a_root_of_a_negative_number_is_nan_as_in_python(javascript, every_form):
    position = [name for name, _, _ in FORM_CALLS].index("cube_root")
    assert math.isnan(every_form(-8.0, 0.0)[position])
    (root,) = javascript(
        f"function f(x) {{ return {ScriptPrinter().text(x ** sp.Rational(1, 3))}; }}", [("f", -8.0)]
    )
    assert math.isnan(root)


def test_a_power_with_a_variable_exponent_is_that_of_c(javascript):
    source = javascript_module([javascript_function("f", x**y, (x, y))])
    calls = [("f", 1.0, np.nan), ("f", -1.0, np.inf), ("f", -1.0, -np.inf), ("f", 2.0, 3.0)]
    assert javascript(source, calls) == [1.0, 1.0, 1.0, 8.0]


BRANCH_POINT = -0.36787944117144233


def lambert_arguments(branch):
    """From the branch point on, at distances from one unit in the last place, to the extreme numbers."""
    near = [BRANCH_POINT + 2.0**-k for k in range(2, 55)]
    small = [-(10.0**-k) for k in range(1, 324)] + [
        -0.3,
        -0.25,
        np.nextafter(-0.3, 0),
        np.nextafter(-0.3, -1),
    ]
    large = [10.0**k for k in range(-323, 309)] + [0.5, 2.0, math.e, 3.0, np.nextafter(3.0, 4), 1.7e308]
    arguments = {
        x for x in [*near, *small, *([] if branch else large)] if x > BRANCH_POINT and (not branch or x < 0)
    }
    return sorted(arguments)


@pytest.fixture(scope="module")
def lambertw():
    return python_function("x, branch", "    return lambertw(x, branch)\n")


@pytest.mark.parametrize("branch", [0, -1])
def test_lambertw_in_both_languages(javascript, lambertw, branch):
    arguments = lambert_arguments(branch)
    source = javascript_module(["function w(x, branch) { return lambertw(x, branch); }"])
    numbers = javascript(source, [("w", x, branch) for x in arguments])
    with mpmath.workdps(60):
        for x, number in zip(arguments, numbers, strict=True):
            expected = mpmath.lambertw(mpmath.mpf(x), branch).real
            for value in (number, lambertw(x, float(branch))):
                assert abs(value - expected) <= LAMBERT * abs(expected), x


def test_lambertw_at_its_ends(javascript, lambertw):
    source = javascript_module(["function w(x, branch) { return lambertw(x, branch); }"])
    below = np.nextafter(BRANCH_POINT, -1.0)
    cases = {
        (BRANCH_POINT, 0): -1.0,
        (BRANCH_POINT, -1): -1.0,
        (below, 0): np.nan,
        (below, -1): np.nan,
        (0.0, 0): 0.0,
        (0.0, -1): -np.inf,
        (1.0, -1): np.nan,
        (np.inf, 0): np.inf,
        (-np.inf, 0): np.nan,
        (np.nan, 0): np.nan,
        (np.nan, -1): np.nan,
    }
    numbers = javascript(source, [("w", *case) for case in cases])
    for (x, branch), number, expected in zip(cases, numbers, cases.values(), strict=True):
        assert same(number, expected), (x, branch)
        assert same(lambertw(x, float(branch)), expected), (x, branch)


def test_lambertw_of_an_exponential_does_not_overflow(javascript):
    function = python_function("x", f"    return {python_text(sp.LambertW(sp.exp(x) / 3))}\n")
    source = javascript_module([javascript_function("f", sp.LambertW(sp.exp(x) / 3), (x,))])
    points = [-700.0, -3.0, 0.0, 1.0, 2.0, 30.0, 709.0, 1e4, 1e300]
    for point, number in zip(points, javascript(source, [("f", point) for point in points]), strict=True):
        with mpmath.workdps(40):
            level = mpmath.mpf(point) - mpmath.log(3)
            expected = mpmath.lambertw(mpmath.exp(level)).real if point < 1e6 else level - mpmath.log(level)
        # The argument of an exponential rounds by its own unit.
        for value in (number, function(point)):
            assert abs(value - expected) <= LAMBERT * abs(expected) + 1e-16 * abs(point) * abs(expected)


@pytest.mark.parametrize("name", ["erf", "erfc", "erfinv"])
def test_the_error_function_and_its_inverse(javascript, every_form, name):
    points = [k / 64 for k in range(-63, 64)] if name == "erfinv" else [k / 8 for k in range(-60, 200)]
    points += [1e-300, 1e-9, 0.5 + 1e-9, 1 - 1e-9, 1 - 2.0**-53] + ([1.0, -1.0] if name == "erfinv" else [])
    source = javascript_module([f"function f(x) {{ return {call(name, 'javascript', ('x',))}; }}"])
    position = [form for form, _, _ in FORM_CALLS].index(name)
    for point, number in zip(points, javascript(source, [("f", point) for point in points]), strict=True):
        with mpmath.workdps(40):
            expected = getattr(mpmath, name)(mpmath.mpf(point))
            for value in (number, every_form(point, 0.0)[position]):
                assert (
                    value == expected or abs(value - expected) <= SERIES[name] * abs(expected) + UNDERFLOW
                ), point


# What cannot be printed, and what SymPy prints otherwise


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        (sp.Function("f")(x), "f"),
        (sp.Function("exp")(x), "exp"),
        (sp.sqrt(-2) * x, "I"),
        (sp.I, "I"),
        (sp.zoo, "zoo"),
        (sp.rootof(sp.Symbol("z") ** 5 + sp.Symbol("z") + 1, 0), "ComplexRootOf"),
        (sp.Integral(sp.exp(x**2), x), "Integral"),
        (sp.Derivative(sp.Function("f")(x), x), "Derivative"),
        (sp.gamma(x), "gamma"),
        (sp.LambertW(x, 1), "LambertW"),
        (sp.LambertW(x, y), "LambertW"),
        (sp.Symbol("alert(1)"), "alert"),
    ],
    ids=str,
)
def test_a_form_that_cannot_be_printed_is_refused_by_name(expression, name):
    with pytest.raises(InputError, match=rf"\b{name}\b"):
        ScriptPrinter().text(expression)
    if expression.has(sp.Function("f"), sp.I, sp.zoo, sp.LambertW):
        with pytest.raises(InputError, match="formula: "):
            python_text(expression)


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="y is neither an argument nor a parameter"):
        javascript_function("f", x + y, (x,))
    with pytest.raises(InputError, match="is not a name in JavaScript"):
        javascript_function("f(){}", x, (x,))


def test_names_that_mean_something_in_javascript(javascript):
    names = sp.symbols("theta function Math power length lambertw", real=True)
    expression = sum(k * name for k, name in enumerate(names, 1)) + sp.Abs(x) ** names[3]
    source = javascript_module([javascript_function("f", expression, (x,), parameters=names)])
    assert javascript(source, [("f", -3.0, [1.0, 2.0, 3.0, 2.0, 5.0, 6.0])]) == [1 + 4 + 9 + 8 + 25 + 36 + 9]


def test_a_piecewise_without_a_default_is_nan_elsewhere(javascript):
    expression = sp.Piecewise((x, x > 1), (-x, x < 0))
    function = python_function("x", f"    return {python_text(expression)}\n")
    source = javascript_module([javascript_function("f", expression, (x,))])
    for point, number in zip(
        (2.0, -2.0, 0.5), javascript(source, [("f", 2.0), ("f", -2.0), ("f", 0.5)]), strict=True
    ):
        assert same(number, abs(point) if point != 0.5 else np.nan)
        assert same(function(point), number)


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [
        (sp.Interval(-1, 0), [-1.0, 0.0], [-1.1, 0.1, np.nan, np.inf]),
        (sp.Interval.Lopen(0, 1), [1.0, 0.5], [0.0, -1.0]),
        (sp.Interval.open(-sp.oo, 2), [-np.inf, 1.9], [2.0]),
        (sp.Interval(-(x**2), y), [-1.0], []),
        (sp.Union(sp.Interval(0, 1), sp.FiniteSet(3)), [0.5, 3.0], [2.0]),
        (sp.S.Reals, [-1.0, np.inf], []),
        (sp.EmptySet, [], [0.0]),
        ((x > 1) | (x < 0), [2.0, -1.0], [0.5]),
    ],
    ids=str,
)
def test_a_function_is_infinite_off_its_domain(javascript, domain, inside, outside):
    source = javascript_module([javascript_function("f", sp.S(7), (x, y), domain)])
    assert javascript(source, [("f", point, 1.0) for point in (*inside, *outside)]) == [
        *[7.0] * len(inside),
        *[np.inf] * len(outside),
    ]


def test_helpers_come_once_and_only_when_called():
    assert python_helpers(python_text(sp.exp(x) + sp.Max(x, 0))) == ""
    assert javascript_module([javascript_function("f", sp.exp(x), (x,))]).startswith("function f(")
    twice = javascript_module([javascript_function(name, sp.LambertW(x), (x,)) for name in "fg"])
    assert twice.count("function lambertw(") == 1
    assert helper_names("lambertw(x, 0.0)", "python") == ["w_plus_log", "w_near_branch", "lambertw"]
    assert set(helper_names("erf(1)", "javascript")) == {"erf", "erfc"}
    assert all(helper.javascript for helper in HELPERS.values())
