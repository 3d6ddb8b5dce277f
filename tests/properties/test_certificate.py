"""Certificates on data that Hypothesis draws: never negative, never wrong, never short of the truth."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers import naive
from tests.helpers.amounts import amount
from tests.helpers.cases import ENTROPIES, LOSSES, REGULARIZERS, problem
from workbench.certificates import certify, subgradients
from workbench.kernels.fenchel_young import ROUNDING_UNITS
from workbench.problems import Problem

# The gap is a sum of terms, primal - dual a difference of sums: they agree to the rounding of the parts.
ROUNDING = 1e-13
# Against 50 digits, where predictions and v carry the rounding of their own sums as well.
AGREEMENT = 1e-11

POWERS_OF_TEN = st.integers(-6, 6).map(lambda k: 10.0**k)
ENTRIES = st.one_of(st.just(0.0), st.floats(-3.0, 3.0).filter(lambda x: abs(x) > 1e-3))

# What maps v to w where the dual variables of samples at a kink are chosen: factors, a threshold, norms.
AT_KINKS = {
    "squared-l2": "squared-l2",
    "weights": wb.regularizers.SquaredL2(K=(0.02, 0.5, 1.0, 2.0, 30.0)),
    "elastic-net": "elastic-net:epsilon=0.2",
    "l1": "l1",
    "linf": "linf",
}


def vectors(size, scale=1.0):
    return arrays(float, size, elements=ENTRIES).map(lambda x: scale * x)


LAMBDA_DECADES = st.floats(-4, 1)


@st.composite
def problems(draw, scales=POWERS_OF_TEN, lams=LAMBDA_DECADES):
    n, d = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    X = draw(arrays(float, (n, d), elements=ENTRIES)) * draw(scales)
    if draw(st.booleans()):
        X[draw(st.integers(0, n - 1))] = 0.0
    if draw(st.booleans()):
        X[:, draw(st.integers(0, d - 1))] = X[:, 0]
    loss = draw(st.sampled_from(LOSSES))
    margin = "hinge" in loss or loss == "logistic"
    y = draw(arrays(float, n, elements=st.sampled_from([-1.0, 1.0]) if margin else ENTRIES))
    weight = draw(st.none() | arrays(float, n, elements=st.floats(0.01, 100.0)))
    return Problem(
        X,
        y,
        loss,
        draw(st.sampled_from(REGULARIZERS)),
        lam=10.0 ** draw(lams),
        bias=draw(st.sampled_from([False, "constant"])),
        embed=draw(st.sampled_from([None, "balanced"])),
        sample_weight=weight,
    )


MODEST = problems(scales=st.just(1.0), lams=st.floats(-2, 1))


def feasible(p, nu):
    """The dual variables of a point brought into the domain."""
    return p.alpha(np.clip(nu, p.loss.entry["lower"], p.loss.entry["upper"]))


def size_of(p, c):
    """The sum of the sizes of all parts of the gap, which bounds its rounding."""
    v = p.dual_vector(c.alpha)
    h, _ = p.transfer.map(v)
    u, nu = p.argument(c.z), p.nu(c.alpha)
    with np.errstate(over="ignore", invalid="ignore"):
        g = p.transfer.bracket(c.w, v, h).value
        parts = [abs(c.primal), abs(c.dual), p.lam * (abs(g) + abs(h) + np.abs(c.w) @ np.abs(v))]
        products = p.weight * (np.abs(u * nu) + np.abs(p.shift * nu) + np.abs(c.z * nu))
        return sum(parts) + products.mean() + p.lam * np.abs(c.w).sum()


def assert_sound(p, c):
    assert c.rounding_units <= ROUNDING_UNITS == 8.0
    assert (c.sample_terms >= 0.0).all()
    assert c.regularizer_term >= 0.0
    assert c.gap >= 0.0
    assert c.relative_gap >= 0.0
    assert np.isfinite(c.gap) == (np.isfinite(c.primal) and np.isfinite(c.dual))
    if np.isfinite(c.gap):
        assert abs(c.gap - (c.primal - c.dual)) <= ROUNDING * size_of(p, c)
        assert c.gap == pytest.approx(c.sample_terms.sum() + c.regularizer_term, rel=ROUNDING)


@settings(max_examples=amount(60, 250))
@given(st.data())
def test_any_point_has_a_sound_certificate(data):
    p = data.draw(problems())
    scale = data.draw(POWERS_OF_TEN)
    w, nu = data.draw(vectors(p.n_features, scale)), data.draw(vectors(p.n_samples, scale))
    b = data.draw(st.floats(-2, 2)) if p.bias else 0.0
    alpha = feasible(p, nu)
    for point in ({"w": w, "b": b}, {"alpha": alpha}, {"w": w, "b": b, "alpha": alpha}):
        c = wb.certificate(p, **point)
        assert_sound(p, c)
        # The domain of the conjugate is closed, and scaling by a sample's weight may round across its end.
        assert all("by at most 2.22e-16" in repair or "by at most 1.11e-16" in repair for repair in c.repairs)


@settings(max_examples=amount(40, 100))
@given(st.data())
def test_no_primal_value_lies_below_a_dual_value(data):
    p = data.draw(problems())
    points = []
    for _ in range(3):
        w = data.draw(vectors(p.n_features, data.draw(POWERS_OF_TEN)))
        alpha = feasible(p, data.draw(vectors(p.n_samples)))
        points += [wb.certificate(p, w=w), wb.certificate(p, alpha=alpha)]
    for one in points:
        for other in points:
            rounding = ROUNDING * (size_of(p, one) + size_of(p, other))
            if np.isfinite(rounding):
                assert one.primal >= other.dual - rounding


@settings(max_examples=amount(25, 60))
@given(st.data())
def test_the_fields_against_the_papers_formulas(data):
    p = data.draw(MODEST)
    w, alpha = data.draw(vectors(p.n_features)), feasible(p, data.draw(vectors(p.n_samples)))
    weights = p.join(w, 0.5 if p.bias else 0.0)
    if p.regularizer.name == "normalized-entropy":
        weights = np.abs(weights) + 0.1
        weights *= p.transfer.theta[1] / weights.sum()
    else:
        entry = p.regularizer.entry
        weights = np.clip(weights, entry["lower"], entry["upper"])
    c = certify(p, w=weights, alpha=alpha)
    loss, regularizer = spelled(p)
    exact = naive.objectives(loss, regularizer, p.lam, p.rows.toarray(), p.y, p.weight, c.w, c.alpha)
    primal, dual = (float(value) for value in exact)
    scale = AGREEMENT * (size_of(p, c) + p.zero_value)
    if np.isfinite(dual):
        assert abs(c.primal - primal) <= scale
        assert abs(c.dual + dual) <= scale
        assert abs(c.gap - float(exact[0] + exact[1])) <= scale
        size = max(abs(c.primal), abs(c.dual), 1e-12 * p.zero_value)
        assert c.relative_gap == (pytest.approx(c.gap / size) if size > 0.0 else 0.0)
    np.testing.assert_allclose(c.z, p.rows.toarray() @ weights, atol=1e-12)


def spelled(p):
    """The names of `cases` that the problem was made from."""
    loss = next(name for name in LOSSES if wb.losses.get(name) == p.loss)
    return loss, next(name for name in REGULARIZERS if wb.regularizers.get(name) == p.regularizer)


@settings(max_examples=amount(40, 100))
@given(st.data())
def test_the_missing_side_is_the_image_of_the_given_one(data):
    p = data.draw(MODEST)
    _, regularizer = spelled(p)
    alpha = feasible(p, data.draw(vectors(p.n_samples)))
    c = wb.certificate(p, alpha=alpha)
    v = [float(x) for x in p.rows.toarray().T @ alpha / (p.lam * p.n_samples)]
    expected = np.array([float(x) for x in naive.transfer(regularizer, naive.exact(v))])
    assume(np.isfinite(expected).all())
    np.testing.assert_allclose(c.w, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max() + 1e-14)
    # (9) holds, so the regularizer holds nothing of the gap open.
    assert c.regularizer_term <= ROUNDING * size_of(p, c)
    c = wb.certificate(p, w=data.draw(vectors(p.n_features)))
    # A prediction next to a kink counts as being at it, for a smaller gap than that of map (10).
    away = np.abs(np.subtract.outer(p.argument(c.z), p.loss.kinks[:, 0]))
    spread = 1.0 if p.loss.kind == "margin" else float(np.std(p.y))
    assume(not np.any((away > 0.0) & (away <= 1.1 * subgradients.NEAR * spread)))
    # (10) holds, so the samples hold nothing open.
    parts = p.weight * (1.0 + np.abs(p.argument(c.z) * p.nu(c.alpha)))
    assert c.sample_terms.sum() <= ROUNDING * parts.mean()


# Repairs


@pytest.mark.parametrize("loss", LOSSES)
def test_an_infeasible_dual_point_is_moved_and_named(loss):
    p = problem(loss, "squared-l2", sample_weight=np.linspace(0.5, 2.0, 12))
    lower, upper = p.loss.entry["lower"], p.loss.entry["upper"]
    nu = np.full(12, -0.25)
    nu[3], nu[7] = 4.5, -3.25
    c = wb.certificate(p, alpha=p.alpha(nu))
    outside = [x for x in (4.5, -3.25) if not lower <= x <= upper]
    np.testing.assert_allclose(p.nu(c.alpha), np.clip(nu, lower, upper), rtol=1e-15)
    assert np.isfinite(c.gap)
    if not outside:
        assert c.repairs == ()
        return
    farthest = max(max(x - upper, lower - x) for x in outside)
    (text,) = c.repairs
    assert text.startswith(f"{len(outside)} of 12 dual variables moved into the domain of the conjugate")
    assert text.endswith(f"by at most {farthest:.3g}")
    assert_sound(p, c)


def test_weights_outside_the_domain_of_the_regularizer_have_no_finite_value():
    for name in ENTROPIES:
        c = wb.certificate(problem("hinge", name), w=np.array([-0.1, 0.4, 0.4, 0.4, 0.4]))
        assert (c.primal, c.gap, c.relative_gap) == (np.inf, np.inf, np.inf)
        assert np.isfinite(c.dual)
    c = wb.certificate(problem("hinge", "normalized-entropy:mu=0.3"), w=np.full(5, 0.31))
    assert c.gap == np.inf


def test_a_problem_that_zero_solves_has_gap_zero():
    X = np.eye(3)
    for loss, y in (
        ("squared", np.zeros(3)),
        ("huber", np.zeros(3)),
        ("epsilon-insensitive", np.full(3, 0.05)),
    ):
        c = wb.certificate(Problem(X, y, loss), w=np.zeros(3), alpha=np.zeros(3))
        assert (c.primal, c.dual, c.gap, c.relative_gap) == (0.0, 0.0, 0.0, 0.0)
        assert wb.solve(Problem(X, y, loss)).status == "converged"


# The violation of the maps


def test_kkt_is_the_larger_violation():
    p = problem("hinge", "squared-l2")
    alpha = feasible(p, np.linspace(-1.5, 0.5, 12))
    w = np.linspace(-1.0, 1.0, 5)
    c = wb.certificate(p, w=w, alpha=alpha)
    nu, u = p.nu(alpha), p.argument(p.rows @ w)
    # The proximal point of nu + u for the hinge's conjugate nu on [-1, 0].
    proximal = np.clip(nu + u - 1.0, -1.0, 0.0)
    violation = max(np.abs(proximal - nu).max(), np.abs(w - p.dual_vector(alpha)).max())
    assert c.kkt == pytest.approx(violation, rel=1e-12)


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", LOSSES)
def test_kkt_vanishes_at_the_optimum_alone(loss, regularizer):
    p = problem(loss, regularizer, embed="balanced")
    solution = wb.solve(p, tol=1e-12, max_epochs=5000)
    optimal = wb.certificate(p, alpha=solution.alpha)
    # kkt is of the order of the square root of the gap.
    assert optimal.kkt <= 1e-4
    assert wb.certificate(p, alpha=0.5 * solution.alpha).kkt > 1e-2


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("text", ["huber", "max(0.3*u, -0.7*u)"])
def test_weights_round_no_dual_variable_out_of_the_domain(text, bias):
    """(c nu) / c may lie beyond nu by rounding, and beyond an end of the domain the conjugate is infinite."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 4)), 5.0 * rng.normal(size=60)
    own = None if text == "huber" else wb.losses.custom(text, kind="residual")
    for delta in (0.1, 0.7, 1.3):
        loss = own or wb.losses.Huber(delta)
        problem = wb.Problem(X, y, loss, lam=0.1, bias=bias, sample_weight=rng.uniform(0.1, 4.0, size=60))
        outside = np.where(rng.random(60) < 0.5, -100.0, 100.0)
        for point in ({"w": rng.normal(size=4)}, {"alpha": outside}):
            certificate = wb.certificate(problem, **point)
            assert np.isfinite(certificate.gap)
            nu = problem.nu(certificate.alpha)
            assert problem.loss.entry["lower"] <= nu.min() <= nu.max() <= problem.loss.entry["upper"]


def test_samples_at_a_kink_without_an_entry_are_certified():
    """A row of zeros at a kink sees no column, so that nothing can be chosen there."""
    X = sp.csr_array(np.array([[0.0, 0.0], [1.0, 2.0], [-1.0, 0.5]]))
    problem = wb.Problem(X, [0.1, 3.0, -2.0], "epsilon-insensitive:epsilon=0.1", lam=0.1)
    certificate = wb.certificate(problem, w=np.array([0.4, 0.3]))
    assert 0.0 <= certificate.gap < np.inf


@pytest.mark.parametrize("regularizer", AT_KINKS)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "epsilon-insensitive:epsilon=0.3"])
def test_weights_alone_are_certified_where_predictions_lie_at_kinks(loss, bias, regularizer):
    """The better of the two dual points there is taken."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(24, 5))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=24) > 0.0, 1.0, -1.0)
    p = wb.Problem(X, y, loss, AT_KINKS[regularizer], lam=0.1, bias=bias)
    best = wb.solve(p, tol=1e-9)
    assert wb.certificate(p, w=best.w, b=best.b if bias else None).relative_gap <= 1e-6


@pytest.mark.parametrize("shape", [(3, 7), (7, 3), (500, 500)])
def test_the_largest_singular_value_is_exact_where_that_is_cheap_and_bounded_elsewhere(shape):
    rng = np.random.default_rng(0)
    rows = rng.random(shape) * (rng.random(shape) < 0.5)
    exact = np.linalg.norm(rows, 2) ** 2
    for form in (rows, sp.csr_array(rows)):
        square = subgradients._square(form)
        if min(shape) <= subgradients.SMALL:
            assert square == pytest.approx(exact)
        else:
            assert 1.01 * exact < square <= np.sum(rows**2)
