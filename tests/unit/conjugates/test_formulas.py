"""The generated module is up to date, and the compiled losses agree with 50 digits everywhere."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.helpers.amounts import some
from tests.helpers.derived_terms import LOSSES
from tests.helpers.digits import (
    DIGITS,
    TOLERANCE,
    between,
    close,
    compiled,
    number,
    one_sided,
    places,
    reference,
    theta,
)
from workbench.conjugates.codegen import TARGET
from workbench.conjugates.terms.losses import LINEAR, QUADRATIC, START, U, V
from workbench.kernels import compilation, formulas

each_loss = pytest.mark.parametrize("term", LOSSES, ids=lambda term: term.name)
# ln b - ln(1-b) near b = 1/2 and 1 + v near v = -1 are differences of numbers of size 1.
DIFFERENCE = {"logistic": TOLERANCE, "hinge-p": 2 * TOLERANCE}


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(DIGITS):
        yield


def test_the_generated_module_imports_math_alone():
    imports = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if "import" in line]
    assert imports == ["import math"]


@each_loss
def test_the_table_of_losses_repeats_the_terms(term):
    entry = formulas.LOSSES[term.name]
    assert entry["kind"] == term.kind
    assert list(entry["parameters"]) == [symbol.name for symbol in term.symbols]
    assert entry["steep"] == term.steep
    assert entry["start"] == float(term.start)
    facts = getattr(formulas, f"{term.name.replace('-', '_')}_facts")(theta(term))
    assert (facts["lower"], facts["upper"]) == (bound(term, term.lower), bound(term, term.upper))
    at_zero = [after - before for place, before, after in facts["conjugate_kinks"] if place == 0.0]
    assert at_zero == ([] if term.kink is None else [2.0 * bound(term, term.kink)])


def bound(term, end):
    """An end of the domain of the conjugate at the parameters of `digits`."""
    return float(end.subs(dict(zip(term.symbols, theta(term), strict=True))))


def inside(term):
    """The places where p is finite; -ln u is for u > 0 alone."""
    return [u for u in places() if u > 0.0 or term.name != "negative-log"]


@each_loss
def test_value(term):
    function, expected = compiled(term, "value"), reference(term, term.value, U)
    for u in inside(term):
        assert close(function(u, theta(term)), expected(u)), u
    for u in set(places()) - set(inside(term)):
        assert function(u, theta(term)) == np.inf, u


@each_loss
def test_slope_is_a_subgradient_of_the_value(term):
    function, value = compiled(term, "slope"), reference(term, term.value, U)
    for u in inside(term):
        assert between(function(u, theta(term)), one_sided(value, u)), u


@each_loss
def test_slope_stays_in_the_domain_of_the_conjugate(term):
    """So that the dual point it gives is feasible at any argument, the infinite ones included."""
    function = compiled(term, "slope")
    lower, upper = (bound(term, end) for end in (term.lower, term.upper))
    slopes = [function(u, theta(term)) for u in (-np.inf, *places(), np.inf)]
    assert (slopes[0], slopes[-1]) == (lower, upper)
    assert min(slopes) >= lower
    assert max(slopes) <= upper


@each_loss
def test_conjugate(term):
    function, expected = compiled(term, "conjugate"), reference(term, term.conjugate, V)
    seen = set()
    for v in places():
        inside = bound(term, term.lower) <= v <= bound(term, term.upper)
        seen.add(inside)
        value = function(v, theta(term))
        if not inside:
            assert value == np.inf, v
        elif term.steep and v in (bound(term, term.lower), bound(term, term.upper)):
            # Since x ln x tends to 0, and -ln x to infinity.
            assert value == (np.inf if term.name == "negative-log" else 0.0), v
        else:
            assert close(value, expected(v), DIFFERENCE.get(term.name, 0.0)), v
    assert seen == ({True} if term.lower == -sp.oo and term.upper == sp.oo else {True, False})


@each_loss
def test_conjugate_slope(term):
    function, conjugate = compiled(term, "conjugate_slope"), reference(term, term.conjugate, V)
    for v in places():
        if bound(term, term.lower) < v < bound(term, term.upper):
            slack = DIFFERENCE.get(term.name, 0.0)
            assert between(function(v, theta(term)), one_sided(conjugate, v), slack), v


def test_the_slope_of_the_logistic_conjugate_is_infinite_at_the_ends():
    (term,) = (term for term in LOSSES if term.name == "logistic")
    function = compiled(term, "conjugate_slope")
    assert function(-1.0, theta(term)) == -np.inf
    assert function(0.0, theta(term)) == np.inf


STEPS = [
    (start, linear, quadratic)
    for start in (0.0, -1e-8, -0.3, -1.0 + 1e-12)
    for linear in (-1e6, -700.0, -1.3, -0.3, 0.0, 1e-9, 0.3, 1.0, 2.5, 700.0, 1e6)
    for quadratic in (1e-8, 1e-3, 0.7, 40.0, 1e6, 1e18)
]


@pytest.mark.parametrize("term", [t for t in LOSSES if t.coordinate is not None], ids=lambda t: t.name)
def test_coordinate(term):
    function = compiled(term, "coordinate", compilation.COORDINATE)
    arguments = (START, LINEAR, QUADRATIC)
    expected = reference(term, term.coordinate, *arguments)
    # Change of the result when an argument is rounded by a unit.
    moves = [reference(term, sp.diff(term.coordinate, a), *arguments) for a in arguments]
    for step in STEPS:
        slack = TOLERANCE * sum(abs(number(x) * move(*step)) for x, move in zip(step, moves, strict=True))
        assert close(function(*step, theta(term)), expected(*step), slack), step


def root(start, linear, quadratic):
    """The y of nu = p'(y), y = linear - quadratic (nu - start), for the logistic loss, by bisection."""
    start, linear, quadratic = map(number, (start, linear, quadratic))
    low, high = linear - 2 * quadratic, linear + 2 * quadratic
    for _ in range(400):
        y = (low + high) / 2
        low, high = (low, y) if y > linear + quadratic * (1 / (1 + mpmath.exp(y)) + start) else (y, high)
    return y


def test_the_logistic_coordinate_to_the_last_place():
    (term,) = (term for term in LOSSES if term.name == "logistic")
    function = compiled(term, "coordinate", compilation.COORDINATE)
    for start, linear, quadratic in [*some(STEPS, 60), (-5e-67, -0.07, 2.7e18), (-0.5, 3e80, 1e90)]:
        with mpmath.workdps(150):
            y = root(start, linear, quadratic)
        nu = -1 / (1 + mpmath.exp(y))
        curvature = -nu * (1 + nu)
        # An error in y, linear, quadratic (nu - start) moves nu by curvature / (1 + quadratic curvature).
        size = abs(y) + abs(linear) + quadratic * (abs(start) + abs(nu - start))
        slack = TOLERANCE * size * curvature / (1 + quadratic * curvature) + TOLERANCE * abs(nu * y)
        assert close(function(start, linear, quadratic, theta(term)), nu, slack), (start, linear, quadratic)
