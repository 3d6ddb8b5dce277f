"""Optima against CVXPY with Clarabel, on small data."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.linear_model import QuantileRegressor
from sklearn.metrics import mean_pinball_loss

import workbench as wb
from tests.helpers.amounts import amount, latin
from tests.helpers.cases import LOSSES, REGULARIZERS, problem
from workbench.certificates import certify

# Clarabel stops at 1e-8 of its own scaling, so the objectives agree to two digits less.
CLARABEL = 1e-6
OURS = 1e-9
LAM = 0.1


def cvxpy_loss(name, z, y):
    r, m = z - y, cp.multiply(y, z)
    short = cp.pos(1 - m)
    excess = cp.pos(cp.abs(r) - 0.3)
    return {
        "squared": lambda: cp.sum_squares(r),
        "epsilon-insensitive:epsilon=0.3": lambda: cp.sum(excess),
        "epsilon-insensitive:epsilon=0.3,p=2": lambda: cp.sum_squares(excess) / 2,
        "huber": lambda: cp.sum(cp.huber(r, 1)) / 2,
        "hinge": lambda: cp.sum(short),
        "squared-hinge": lambda: cp.sum_squares(short) / 2,
        # The corner rounded by a parabola is half of Huber's function on the positive side.
        "smoothed-hinge": lambda: cp.sum(cp.huber(short, 1)) / 2,
        "logistic": lambda: cp.sum(cp.logistic(-m)),
    }[name]()


def cvxpy_regularizer(name, w, size):
    """g(w) and its constraints."""
    mu = 0.3 * np.ones(size)
    return {
        "squared-l2": lambda: (cp.sum_squares(w) / 2, []),
        "elastic-net:epsilon=0.2": lambda: (0.2 * cp.norm1(w) + cp.sum_squares(w) / 2, []),
        "bounded:radius=0.2": lambda: (cp.sum_squares(w) / 2, [cp.abs(w) <= 0.2]),
        "nonnegative:epsilon=0.1": lambda: (0.1 * cp.sum(w) + cp.sum_squares(w) / 2, [w >= 0.0]),
        # kl_div(w, mu) = w ln(w / mu) - w + mu.
        "entropy:mu=0.3": lambda: (cp.sum(cp.kl_div(w, mu)) - mu.sum(), []),
        "normalized-entropy:mu=0.3": lambda: (cp.sum(cp.kl_div(w, mu)), [cp.sum(w) == mu.sum()]),
        "q-norm:q=1.5": lambda: (cp.square(cp.pnorm(w, 1.5)) / 2, []),
        "q-norm:q=3,power=1.5": lambda: (cp.power(cp.pnorm(w, 3), 1.5) / 1.5, []),
    }[name]()


# Clarabel warns where it stopped short of its own tolerance; the agreement is still asserted.
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize(("loss", "regularizer"), latin(LOSSES, (*REGULARIZERS, "nonnegative:epsilon=0.1")))
def test_optimum_agrees_with_cvxpy(loss, regularizer):
    embed = "balanced" if "entropy" in regularizer else None
    p = problem(loss, regularizer, lam=LAM, bias="constant", embed=embed)
    w = cp.Variable(p.rows.shape[1])
    g, constraints = cvxpy_regularizer(regularizer, w, p.rows.shape[1])
    objective = cvxpy_loss(loss, p.rows.toarray() @ w, p.y) / p.n_samples + LAM * g
    model = cp.Problem(cp.Minimize(objective), constraints)
    model.solve(solver=cp.CLARABEL)
    ours = wb.solve(p, wb.solvers.GaussSeidel(update="exact"), tol=OURS, max_epochs=20_000)
    assert ours.status == "converged"
    assert ours.primal == pytest.approx(model.value, rel=CLARABEL, abs=CLARABEL * p.zero_value)
    # The other's weights, certified by us: the same objective value, and no better than our bound.
    entry = p.regularizer.entry
    theirs = np.clip(w.value, entry["lower"], entry["upper"])
    if "normalized" in regularizer:
        theirs *= p.transfer.theta[1] / theirs.sum()
    certified = certify(p, w=theirs)
    assert certified.primal == pytest.approx(model.value, rel=CLARABEL, abs=CLARABEL * p.zero_value)
    assert certified.primal >= ours.dual * (1.0 - 1e-12)


@pytest.mark.parametrize("tau", [0.1, 0.5, 0.9])
def test_quantile_agrees_with_scikit_learn(tau):
    """Its linear program has no quadratic term, which bounds how far apart both may be."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.standard_t(3, size=80)
    theirs = QuantileRegressor(quantile=tau, alpha=0.0).fit(X, y)
    p = wb.Problem(X, y, f"quantile:tau={tau}", lam=1e-4, bias="constant")
    ours = wb.solve(p, tol=1e-6)
    z, best = ours.decision_function(X), mean_pinball_loss(y, theirs.predict(X), alpha=tau)
    weight = p.lam * np.sum(np.append(theirs.coef_, theirs.intercept_) ** 2) / 2
    assert ours.status == "converged"
    assert best - 1e-12 <= mean_pinball_loss(y, z, alpha=tau) <= ours.primal
    assert max(ours.primal - ours.gap, ours.dual) <= best + weight + 1e-12
    # About that share of the rows lies below the predictions.
    assert abs(np.mean(y < z) - tau) <= 0.05


# Random problems: any loss and regularizer, tall or wide, weighted, with and without shrinking


def random_problem(rng):
    """A problem, and its optimal value by Clarabel; infinite where Clarabel gives up on it."""
    n, d = int(rng.integers(1, 25)), int(rng.integers(2, 12))
    loss, regularizer = str(rng.choice(LOSSES)), str(rng.choice(REGULARIZERS))
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)
    y = rng.normal(size=n)
    if "hinge" in loss or loss == "logistic":
        y = np.where(y > 0.0, 1.0, -1.0)
    weight = rng.uniform(0.2, 3.0, size=n)
    p = wb.Problem(X, y, loss, regularizer, lam=float(10.0 ** rng.uniform(-2, 0)), sample_weight=weight)
    w = cp.Variable(d)
    g, constraints = cvxpy_regularizer(regularizer, w, d)
    losses = (cvxpy_loss(loss, x[None, :] @ w, np.array([target])) for x, target in zip(X, y, strict=True))
    total = sum(c * term for c, term in zip(weight, losses, strict=True))
    model = cp.Problem(cp.Minimize(total / n + p.lam * g), constraints)
    model.solve(solver=cp.CLARABEL)
    return p, model.value


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize("seed", range(amount(10, 200)))
def test_random_problems_agree_with_cvxpy_with_and_without_shrinking(seed):
    rng = np.random.default_rng([7, seed])
    p, value = random_problem(rng)
    while not np.isfinite(value):
        p, value = random_problem(rng)
    for shrinking in (False, True):
        ours = wb.solve(p, wb.solvers.GaussSeidel(shrinking=shrinking), tol=OURS, max_epochs=50_000)
        assert ours.status == "converged"
        assert ours.primal == pytest.approx(value, rel=CLARABEL, abs=CLARABEL * p.zero_value)
