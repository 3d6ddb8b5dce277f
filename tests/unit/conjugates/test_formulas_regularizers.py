"""The compiled regularizers agree with 50 digits, and their row functions with plain NumPy."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.helpers import naive
from tests.helpers.derived_terms import REGULARIZERS
from tests.helpers.digits import (
    DIGITS,
    TOLERANCE,
    close,
    compiled,
    number,
    places,
    reference,
    theta,
    values_of,
)
from workbench import regularizers
from workbench.conjugates.codegen import printer
from workbench.conjugates.convex.primitives import elementary
from workbench.conjugates.terms import regularizers as reg
from workbench.kernels import compilation, formulas

each_term = pytest.mark.parametrize("term", REGULARIZERS, ids=lambda term: term.name)
# Sums S and scales at which Phi is evaluated: ordinary ones, and where a solver sums S afresh at the latest.
SUMS = (1e-100, 1e-20, 0.3, 1.0, 2.5, 1e4, 1e100)
# Neutral, small and large.
SCALES = {None: (0.0,), "shift": (0.0, -3.3, 650.0), "divisor": (1.0, 0.03, 47.0)}


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(DIGITS):
        yield


def scales(term):
    return SCALES[term.scaling]


def exponential_slack(value):
    """A float argument of an exponential, or exponent of a power, rounds by its size: |ln| of the result."""
    size = abs(value)
    return TOLERANCE * size * abs(mpmath.log(size)) if mpmath.isfinite(size) and size > 0 else 0


def ends(term):
    """The ends of the domain of g in a coordinate."""
    known = {symbol: values_of(term)[symbol.name] for symbol in term.symbols}
    return tuple(float(end.xreplace(known)) for end in (term.domain.inf, term.domain.sup))


@each_term
def test_the_table_repeats_the_terms(term):
    entry = formulas.REGULARIZERS[term.name]
    assert list(entry["parameters"]) == [symbol.name for symbol in term.symbols]
    assert entry["structure"] == term.structure
    assert entry["linear"] == (term.outer == reg.S)
    facts = getattr(formulas, f"{term.name.replace('-', '_')}_facts")(theta(term, scales(term)[0]))
    assert (facts["lower"], facts["upper"]) == ends(term)
    assert entry["neutral_scale"] == scales(term)[0]


@each_term
def test_inner(term):
    function = compiled(term, "inner")
    for scale in scales(term):
        expected = reference(term, term.inner, reg.V, scale=scale)
        for v in places():
            exact = expected(v)
            assert close(function(v, theta(term, scale)), exact, exponential_slack(exact)), (v, scale)


@each_term
@pytest.mark.parametrize("part", ["outer", "outer_slope", "outer_curvature"])
def test_outer(term, part):
    function, order = compiled(term, part), ("outer", "outer_slope", "outer_curvature").index(part)
    for scale in scales(term):
        outer = reference(term, term.outer, reg.S, scale=scale)
        for total in SUMS:
            expected = derivative(outer, total, order)
            # ln S + scale is a difference where S has a scale.
            difference = order == 0 and term.scaling == "shift"
            slack = TOLERANCE * 700 * values_of(term)["total"] if difference else 0
            value = function(total, theta(term, scale))
            assert close(value, expected, slack + exponential_slack(expected)), (total, scale)


def derivative(function, x, order):
    """The derivative of that order to some 20 digits, by central differences."""
    x = number(x)
    step = x * mpmath.mpf(10) ** -25
    below, here, above = (function(x + k * step) for k in (-1, 0, 1))
    return (here, (above - below) / (2 * step), (above - 2 * here + below) / step**2)[order]


@each_term
def test_primal(term):
    function = compiled(term, "primal", compilation.PRIMAL)
    expected = reference(term, term.primal, reg.W, reg.C)
    low, high = ends(term)
    for w in places():
        for c in (1.0,) if not term.primal.has(reg.C) else (0.3, 1.0, 40.0):
            value = function(w, c, theta(term, 1.0))
            if not low <= w <= high:
                assert value == np.inf, w
            elif w == 0.0:
                assert value == 0.0
            else:
                # w ln(w/c) - w has parts that cancel near w = e c.
                slack = TOLERANCE * abs(w) * (1 + abs(np.log(abs(w)))) if "entropy" in term.name else 0
                exact = expected(w, c)
                slack += exponential_slack(exact) if term.name == "q-norm" else 0
                assert close(value, exact, slack), (w, c)


@each_term
def test_primal_outer(term):
    function, expected = compiled(term, "primal_outer"), reference(term, term.primal_outer, reg.S)
    for total in (0.0, *SUMS):
        exact = expected(total)
        assert close(function(total, theta(term, 1.0)), exact, exponential_slack(exact)), total


# Row functions


def expected(term, scale, weights, v, order):
    """The weighted derivatives of phi at v, by what SymPy makes of its formula for NumPy."""
    unit = reg.DIVISOR if term.scaling == "divisor" else sp.S.One
    known = {reg.SCALE: scale, reg.DIVISOR: scale} | {
        symbol: values_of(term)[symbol.name] for symbol in term.symbols
    }
    formula = elementary(printer.derivative(term.inner, reg.V, order, unit)).subs(known)
    return weights * sp.lambdify(reg.V, formula, "numpy")(v)


# The map (9) where powers and exponentials leave the range of floats


@pytest.mark.parametrize("size", [1e-140, 1e-30, 1e-4, 1.0, 1e4, 1e100])
@pytest.mark.parametrize("q", [1.01, 1.2, 2.0, 3.0])
def test_the_q_norm_map_at_any_size(q, size):
    """At power 2 the map is of degree 1, so w is of the size of v: 1e-4 to the 101 must not make it 0."""
    v = size * np.array([1.0, -0.97, 0.5, 0.0])
    h, w = regularizers.QNorm(q=q).at(4).map(v)
    with mpmath.workdps(60):
        name, exact = f"q-norm:q={q!r}", naive.exact(v)
        expected = [float(x) for x in naive.transfer(name, exact)]
        assert h == pytest.approx(float(naive.regularizer_conjugate(name, exact)), rel=1e-11)
    np.testing.assert_allclose(w, expected, rtol=1e-11)
    assert w[0] != 0.0


def test_the_q_norm_map_below_the_smallest_scale_is_zero_or_the_truth():
    for size in (1e-155, 1e-308, 5e-324):
        h, w = regularizers.QNorm(q=1.01).at(2).map(np.array([size, -size]))
        assert h == 0.0
        assert (np.abs(w) <= size).all()


def test_the_entropy_map_at_any_size():
    for shift in (-1e6, -700.0, 0.0, 700.0, 1e6):
        v = shift + np.array([0.0, -1.0, -800.0])
        h, w = regularizers.NormalizedEntropy(mu=0.3).at(3).map(v)
        with mpmath.workdps(60):
            expected = naive.transfer("normalized-entropy:mu=0.3", naive.exact(v))
        # The rounding of v itself moves w by as much.
        np.testing.assert_allclose(w, [float(x) for x in expected], rtol=1e-9, atol=1e-300)
        assert w.sum() == pytest.approx(0.9, rel=1e-14)
        assert h == pytest.approx(0.9 * (shift + np.log((1 + np.exp(-1.0)) / 3)), rel=1e-12)


def test_w_is_zero_where_nothing_has_moved():
    for name in ("q-norm:q=1.5", "squared-l2", "elastic-net"):
        h, w = regularizers.get(name).at(3).map(np.zeros(3))
        assert h == 0.0
        assert not w.any()
