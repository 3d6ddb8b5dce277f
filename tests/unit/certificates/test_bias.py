"""An unregularized bias: the best one, dual points that sum to zero, and certificates with it."""

import math

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers.amounts import amount
from tests.helpers.cases import LOSSES, REGULARIZERS, samples
from tests.helpers.naive_mvp import maximal_violating_pair
from workbench._support.errors import InputError
from workbench.certificates import loss_terms as sides
from workbench.kernels import bias_loops
from workbench.kernels.fenchel_young import BALANCED
from workbench.problems import Problem

X, LABELS, TARGETS = samples(n=30, d=4, seed=2)
WEIGHT = np.random.default_rng(0).uniform(0.2, 3.0, size=30)
CLARABEL = 1e-6
ROUNDING = 1e-12


def problem(loss, regularizer="squared-l2", lam=0.05, weight=None, **options):
    margin = "hinge" in loss or loss == "logistic"
    y = LABELS if margin else TARGETS
    return Problem(X, y, loss, regularizer, lam=lam, bias=True, sample_weight=weight, **options)


def loss_sum(p, z):
    return sides.loss_side(p).loss(z)


# The best bias


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@given(seed=st.integers(0, 10**6), scale=st.integers(-6, 6))
def test_no_bias_is_better(loss, weighted, seed, scale):
    p = problem(loss, weight=WEIGHT if weighted else None)
    rng = np.random.default_rng(seed)
    z = 10.0**scale * rng.normal(size=30) + rng.normal() * 10.0 ** rng.integers(-3, 4)
    side = sides.loss_side(p)
    b = side.best_bias(z)
    best = loss_sum(p, z + b)
    rounding = ROUNDING * (best + p.weight.sum() * np.abs(z + b).max() ** (2 if "p=2" in loss else 1))
    for step in (1e-6, 1e-3, 1.0, 30.0):
        for side_of in (-1.0, 1.0):
            assert loss_sum(p, z + b + side_of * step * 10.0**scale) >= best - rounding
    # Where Newton's method begins changes the result by rounding alone.
    assert loss_sum(p, z + side.best_bias(z, b + 3.0)) <= best + rounding


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@given(seed=st.integers(0, 10**6))
def test_the_dual_point_at_the_best_bias_sums_to_zero(loss, weighted, seed):
    p = problem(loss, weight=WEIGHT if weighted else None)
    rng = np.random.default_rng(seed)
    z = rng.normal(size=30)
    # Equal predictions make several samples sit at one kink.
    z[rng.integers(0, 30, size=8)] = z[0]
    side = sides.loss_side(p)
    b = side.best_bias(z)
    alpha = side.alpha_at(z, b)
    assert abs(alpha.sum()) <= 1e-9 * np.abs(alpha).sum() + 1e-300
    # It is a slope at every sample, so no term holds the gap open.
    bracket, _ = side.bracket(z + b, alpha)
    assert bracket.sum <= ROUNDING * (1.0 + np.abs(z + b).max()) ** 2 * p.weight.sum()


def test_the_bias_of_the_squared_loss_is_the_mean_and_of_the_absolute_one_the_median():
    z = np.linspace(-1.0, 2.0, 30) ** 3
    p = problem("squared", weight=WEIGHT)
    assert sides.loss_side(p).best_bias(z) == pytest.approx(
        np.average(TARGETS - z, weights=WEIGHT), rel=1e-12
    )
    p = problem("epsilon-insensitive:epsilon=0")
    assert sides.loss_side(p).best_bias(z) == pytest.approx(np.median(TARGETS - z), rel=1e-14)
    y = TARGETS[:29]
    p = Problem(X[:29], y, "epsilon-insensitive:epsilon=0", bias=True)
    assert sides.loss_side(p).best_bias(z[:29]) == np.median(y - z[:29])


# The projection onto a box and the plane of sum zero


def projection(x, lower, upper):
    u = cp.Variable(x.shape[0])
    constraints = [cp.sum(u) == 0.0]
    for i in range(x.shape[0]):
        constraints += [u[i] >= lower[i]] if np.isfinite(lower[i]) else []
        constraints += [u[i] <= upper[i]] if np.isfinite(upper[i]) else []
    cp.Problem(cp.Minimize(cp.sum_squares(u - x)), constraints).solve(
        solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    return u.value


BOXES = {
    "box": lambda rng, n: (-rng.uniform(0, 2, n), rng.uniform(0, 2, n)),
    "half": lambda rng, n: (np.where(rng.random(n) < 0.5, 0.0, -np.inf), np.full(n, 1.0)),
    "labels": lambda rng, n: (lambda y: (np.minimum(y, 0.0), np.maximum(y, 0.0)))(rng.choice([-1.0, 1.0], n)),
    "free": lambda rng, n: (np.full(n, -np.inf), np.full(n, np.inf)),
    "points": lambda rng, n: (-1.0 * (rng.random(n) < 0.5), 1.0 * (rng.random(n) < 0.7)),
}


def knapsack(x, lower, upper, out):
    n = x.shape[0]
    space = np.empty(n, dtype=np.int64), np.empty(2 * n), np.empty(2 * n, dtype=np.uint8)
    return bias_loops.knapsack()(x, lower, upper, *space, out)


@pytest.mark.parametrize("box", BOXES)
def test_the_projection_is_the_nearest_point(box):
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 7, 40):
        x = rng.normal(size=n) * 2.0
        lower, upper = BOXES[box](rng, n)
        upper = np.maximum(upper, 0.0)
        out = np.empty(n)
        knapsack(x, lower, upper, out)
        assert abs(out.sum()) <= 1e-13 * n
        np.testing.assert_allclose(out, projection(x, lower, upper), atol=1e-6)


@given(arrays(float, st.integers(1, 40), elements=st.floats(-1e3, 1e3)), st.integers(0, 10**6))
def test_the_projection_stays_in_the_box_and_sums_to_zero(x, seed):
    rng = np.random.default_rng(seed)
    n = x.shape[0]
    lower, upper = -rng.choice([0.0, 1.0, 5.0], n), rng.choice([0.0, 1.0, np.inf], n)
    out = np.empty(n)
    t = knapsack(x, lower, upper, out)
    assert ((out >= lower) & (out <= upper)).all()
    assert abs(out.sum()) <= 1e-12 * np.abs(x).sum() + 1e-12
    np.testing.assert_array_equal(out, np.clip(x - t, lower, upper))


# Certificates


def optimum(p, g):
    """The optimal value with an unregularized bias, by Clarabel."""
    w, b = cp.Variable(p.n_features), cp.Variable()
    z = p.rows.toarray() @ w + b
    margins, residuals = cp.multiply(p.y, z), z - p.y
    if p.loss.name == "smoothed-hinge":
        s = cp.Variable(p.n_samples, nonneg=True)
        loss = 0.5 * cp.square(s) + cp.pos(1.0 - margins - s)
    else:
        loss = {
            "squared": lambda: cp.square(residuals),
            "huber": lambda: cp.huber(residuals) / 2.0,
            "hinge-1": lambda: cp.pos(1.0 - margins),
            "hinge-2": lambda: cp.square(cp.pos(1.0 - margins)) / 2.0,
            "logistic": lambda: cp.logistic(-margins),
            "epsilon-insensitive-1": lambda: cp.pos(cp.abs(residuals) - 0.3),
            "epsilon-insensitive-2": lambda: cp.square(cp.pos(cp.abs(residuals) - 0.3)) / 2.0,
        }[p.loss.key]()
    model = cp.Problem(cp.Minimize(p.weight @ loss / p.n_samples + p.lam * g(w)))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return model.value, w.value, float(b.value)


NORM_VALUES = {
    "squared-l2": lambda w: 0.5 * cp.sum_squares(w),
    "elastic-net:epsilon=0.2": lambda w: 0.2 * cp.norm1(w) + 0.5 * cp.sum_squares(w),
    "l1": cp.norm1,
}


@pytest.mark.parametrize("regularizer", NORM_VALUES)
@pytest.mark.parametrize("loss", LOSSES)
def test_certificates_bound_the_true_suboptimality(loss, regularizer):
    p = problem(loss, regularizer, weight=WEIGHT)
    best, w_best, b_best = optimum(p, NORM_VALUES[regularizer])
    rng = np.random.default_rng(1)
    slack = CLARABEL * max(1.0, best)
    for scale in (0.0, 0.1, 1.0):
        w, b = w_best + scale * rng.normal(size=4), b_best + scale * rng.normal()
        alpha = rng.normal(size=30)
        for point in ({"w": w}, {"w": w, "b": b}, {"alpha": alpha}, {"w": w, "alpha": alpha}):
            c = wb.certificate(p, **point)
            assert c.gap >= 0.0
            assert np.isfinite(c.gap)
            assert c.primal >= best - slack
            assert c.dual <= best + slack
            assert c.gap >= c.primal - best - slack
            assert abs(c.alpha.sum()) <= 1e-10 * (np.abs(c.alpha).sum() + 1.0)
            np.testing.assert_allclose(c.z, p.rows @ c.w + c.b, atol=1e-12)
        if "b" in point:
            assert wb.certificate(p, w=w).primal <= wb.certificate(p, w=w, b=b).primal
    assert wb.certificate(p, w=w_best).gap <= 2e-3 * max(1.0, best)


@settings(max_examples=amount(30, 100))
@given(st.data())
def test_no_certificate_with_a_free_bias_is_negative(data):
    loss = data.draw(st.sampled_from(LOSSES))
    p = problem(loss, data.draw(st.sampled_from(REGULARIZERS)), lam=10.0 ** data.draw(st.floats(-4, 1)))
    scale = 10.0 ** data.draw(st.integers(-4, 4))
    w = scale * data.draw(arrays(float, 4, elements=st.floats(-3, 3)))
    alpha = scale * data.draw(arrays(float, 30, elements=st.floats(-3, 3)))
    b = data.draw(st.none() | st.floats(-100, 100))
    points = {"w": w, "b": b}, {"alpha": alpha}, {"w": w, "alpha": alpha}
    certificates = [wb.certificate(p, **point) for point in points]
    for one in certificates:
        assert one.gap >= 0.0
        assert (one.sample_terms >= 0.0).all()
        for other in certificates:
            assume(np.isfinite(one.primal) and np.isfinite(other.dual))
            size = abs(one.primal) + abs(other.dual) + np.abs(other.alpha).max() * (1 + np.abs(one.z).max())
            assert one.primal >= other.dual - 1e-9 * size


@given(st.integers(0, 10**6), st.integers(2, 40))
def test_the_sum_is_zero_as_far_as_the_smallest_variable_allows(seed, n):
    """A bias may be 1e16 times everything else and multiplies the sum, which is that of `math.fsum`."""
    rng = np.random.default_rng(seed)
    alpha = rng.uniform(-1, 1, n) * 10.0 ** rng.uniform(-12, 6, n)
    alpha[0] = -math.fsum(alpha[1:]) * (1 + 2.0**-50)
    free, moved = Problem(np.ones((n, 1)), np.zeros(n), "squared").samples, np.empty(n)
    assert bias_loops.balanced()(free, alpha, BALANCED, np.empty(n), moved) == 0.0
    assert abs(math.fsum(moved)) <= np.spacing(np.abs(moved[moved != 0.0]).min())
    exact = rng.integers(-(2**20), 2**20, n) * 2.0 ** rng.integers(-120, 120, n)
    assert bias_loops.exact_sum(exact, np.empty(n)) == math.fsum(exact)
    # Half a unit above an even number, and a little more or less below it.
    for tail in (2.0**-120, -(2.0**-120)):
        half = np.array([1.0, 2.0**-53, tail])
        assert bias_loops.exact_sum(half, np.empty(3)) == math.fsum(half)


def test_repairs_are_told():
    p = problem("hinge")
    assert wb.certificate(p, w=np.ones(4)).repairs == ()
    (text,) = wb.certificate(p, w=np.ones(4), b=5.0).repairs
    assert text == "dual point taken at the best bias for w, where it sums to zero"
    domain, total = wb.certificate(p, alpha=2.0 * LABELS).repairs
    assert domain.startswith("30 of 30 dual variables moved into the domain")
    assert total.startswith("dual variables moved by at most")
    assert total.endswith(f"so that they sum to zero and not {LABELS.sum():.3g}")
    balanced = wb.certificate(p, alpha=2.0 * LABELS).alpha
    assert wb.certificate(p, alpha=balanced).repairs == ()


def test_the_gap_of_the_svm_is_the_general_certificate():
    """G(a) = gap / lam at every step of a run, with a = C y alpha and C = 1 / (lam n)."""
    p = problem("hinge", lam=0.02)
    C, K = 1.0 / p.lam_n, X @ X.T
    steps = 0
    for a, _ in maximal_violating_pair(K, LABELS, C, tol=1e-6):
        g = wb.gaps.svm(K, LABELS, C, a)
        c = wb.certificate(p, alpha=LABELS * a / C)
        assert g.gap == pytest.approx(c.gap / p.lam, rel=1e-9, abs=1e-9)
        assert g.primal == pytest.approx(c.primal / p.lam, rel=1e-9)
        assert g.dual == pytest.approx(c.dual / p.lam, rel=1e-9, abs=1e-9)
        assert c.b == pytest.approx(g.bias, abs=1e-9)
        steps += 1
    assert steps > 20
    assert c.gap <= 1e-6


def test_what_cannot_have_a_free_bias_is_refused():
    with pytest.raises(InputError, match=r"y holds only labels \+1; a bias that is not"):
        Problem(X, np.ones(30), "logistic", bias=True)
    with pytest.raises(InputError, match="gauss-seidel: bias = True asks for sum alpha = 0"):
        wb.solve(problem("hinge"), "gauss-seidel")
    with pytest.raises(InputError, match="certificate: b = nan must be a finite number"):
        wb.certificate(problem("hinge"), w=np.zeros(4), b=np.nan)
    with pytest.raises(InputError, match=r"b = 1\.0 belongs to weights"):
        wb.certificate(Problem(X, LABELS), alpha=LABELS, b=1.0)
