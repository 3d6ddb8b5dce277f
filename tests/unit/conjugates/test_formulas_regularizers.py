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
    between,
    close,
    compiled,
    number,
    one_sided,
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
SCALED = [term for term in REGULARIZERS if term.scaling]
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


def row_case(term, scale, seed=0):
    """Indices, data, bounds and a step of one row within a longer store, and the vectors it meets."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=9) + (scale if term.scaling == "shift" else 0.0)
    indices = rng.permutation(9).astype(np.uint32)
    weights = np.ones(9) if not term.primal.has(reg.C) else rng.uniform(0.1, 2.0, size=9)
    return indices, rng.normal(size=9), np.uint64(2), np.uint64(7), 0.37, weights, v


def expected(term, scale, weights, v, order):
    """The weighted derivatives of phi at v, by what SymPy makes of its formula for NumPy."""
    unit = reg.DIVISOR if term.scaling == "divisor" else sp.S.One
    known = {reg.SCALE: scale, reg.DIVISOR: scale} | {
        symbol: values_of(term)[symbol.name] for symbol in term.symbols
    }
    formula = elementary(printer.derivative(term.inner, reg.V, order, unit)).subs(known)
    return weights * sp.lambdify(reg.V, formula, "numpy")(v)


@each_term
def test_row_add(term):
    function = compiled(term, "row_add", compilation.ROW_ADD)
    for scale in scales(term):
        indices, data, lo, hi, step, weights, v = row_case(term, scale)
        after = v.copy()
        after[indices[2:7]] += step * data[2:7]
        dual, slopes = v.copy(), np.full(9, np.nan)
        change = function(indices, data, lo, hi, step, weights, dual, slopes, theta(term, scale))
        np.testing.assert_array_equal(dual, after)
        touched = np.sort(indices[2:7])
        row_slopes = expected(term, scale, weights, after, 1)
        np.testing.assert_allclose(slopes[touched], row_slopes[touched], rtol=1e-12)
        assert np.isnan(np.delete(slopes, touched)).all()
        sums = [expected(term, scale, weights, vector, 0).sum() for vector in (v, after)]
        assert change == pytest.approx(sums[1] - sums[0], rel=1e-11)


@each_term
def test_row_probe_moves_nothing(term):
    function = compiled(term, "row_probe", compilation.ROW_PROBE)
    for scale in scales(term):
        indices, data, lo, hi, step, weights, v = row_case(term, scale, seed=1)
        x = np.zeros(9)
        x[indices[2:7]] = data[2:7]
        for vector in (v, weights):
            vector.setflags(write=False)
        change, product, curvature = function(indices, data, lo, hi, step, weights, v, theta(term, scale))
        moved, before = v + step * x, expected(term, scale, weights, v, 0)
        values, slopes, curvatures = (expected(term, scale, weights, moved, order) for order in range(3))
        assert change == pytest.approx((values - before).sum(), rel=1e-11)
        assert product == pytest.approx(slopes @ x, rel=1e-11)
        assert curvature == pytest.approx(curvatures @ x**2, rel=1e-11)


@each_term
def test_refresh(term):
    function = compiled(term, "refresh", compilation.REFRESH)
    for scale in scales(term):
        *_, weights, v = row_case(term, scale, seed=2)
        slopes, parameters = np.empty(9), theta(term, scale)
        total = function(weights, v, slopes, parameters)
        new = {None: scale, "shift": v.max(), "divisor": np.abs(v).max()}[term.scaling]
        assert parameters[0] == new
        assert total == pytest.approx(expected(term, new, weights, v, 0).sum(), rel=1e-13)
        np.testing.assert_allclose(slopes, expected(term, new, weights, v, 1), rtol=1e-13)


@pytest.mark.parametrize("term", SCALED, ids=lambda term: term.name)
def test_a_new_scale_leaves_h_and_w_as_they_were(term):
    refresh = compiled(term, "refresh", compilation.REFRESH)
    outer, outer_slope = compiled(term, "outer"), compiled(term, "outer_slope")
    for scale in scales(term):
        *_, weights, v = row_case(term, scale, seed=3)
        total = expected(term, scale, weights, v, 0).sum()
        w = outer_slope(total, theta(term, scale)) * expected(term, scale, weights, v, 1)
        slopes, parameters = np.empty(9), theta(term, scale)
        new = refresh(weights, v, slopes, parameters)
        assert outer(new, parameters) == pytest.approx(outer(total, theta(term, scale)), rel=1e-12)
        np.testing.assert_allclose(outer_slope(new, parameters) * slopes, w, rtol=1e-11)


@each_term
def test_the_slope_in_a_row_is_a_subgradient_of_the_inner_function(term):
    refresh, scale = compiled(term, "refresh", compilation.REFRESH), 1.0 if term.scaling == "divisor" else 0.0
    inner = reference(term, term.inner, reg.V, scale=scale)
    for v in (x for x in places() if abs(x) < 1e3):
        # A shift or divisor of its own would hide the exponential, so a second entry fixes the scale.
        vector = np.array([v, 1.0 if term.scaling == "divisor" else 0.0])
        if term.scaling and abs(v) > 1.0:
            continue
        slopes, parameters = np.empty(2), theta(term, scale)
        refresh(np.ones(2), vector, slopes, parameters)
        shift = mpmath.exp(number(parameters[0])) if term.scaling == "shift" else 1
        ends = [end / shift for end in one_sided(inner, v)]
        assert between(slopes[0], ends, sum(exponential_slack(end) for end in ends)), v


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
