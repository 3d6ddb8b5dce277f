"""Coefficients from scikit-learn, certified: never below the truth, small where the solver converged."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso

import workbench as wb

# Where a peer was run to 1e-10 of its own measure; those that measure violations reach less in the gap.
CONVERGED = 1e-6
ROUNDING = 1e-12
LOOSE, TIGHT = 0.1, 1e-10


def regression(n=80, d=10):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4)
    return X, X @ (rng.normal(size=d) * (rng.random(d) < 0.5)) + 3.0 + 0.5 * rng.normal(size=n)


def bias_of(peer, intercept):
    return float(np.ravel(peer.intercept_)[0]) if intercept else None


def check(problem, peer, best, tol, intercept, **more):
    """The certificate of a peer's point, against the least primal value that any run reached."""
    c = wb.certificate(problem, w=peer.coef_.ravel(), b=bias_of(peer, intercept), **more)
    rounding = ROUNDING * max(c.primal, problem.zero_value)
    assert c.gap >= 0.0
    assert c.dual <= best + rounding
    assert c.gap >= c.primal - best - rounding
    if tol == TIGHT:
        assert c.relative_gap <= CONVERGED
    return c


@pytest.mark.filterwarnings("ignore:Objective did not converge")
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("alpha", [0.5, 0.01])
def test_lasso_and_elastic_net(alpha, intercept):
    X, y = regression()
    options = {"fit_intercept": intercept, "max_iter": 100_000}
    # Their losses carry 1/(2n), ours 1/n: everything is doubled, and their gap with it.
    lasso = wb.Problem(X, y, "squared", "l1", lam=2.0 * alpha, bias=intercept)
    net = wb.Problem(X, y, "squared", wb.regularizers.ElasticNet(epsilon=1.0), lam=alpha, bias=intercept)
    for problem, make in (
        (lasso, lambda tol: Lasso(alpha=alpha, tol=tol, **options)),
        (net, lambda tol: ElasticNet(alpha=alpha, l1_ratio=0.5, tol=tol, **options)),
    ):
        exact = make(TIGHT).fit(X, y)
        best = wb.certificate(problem, w=exact.coef_, b=bias_of(exact, intercept)).primal
        for tol in (LOOSE, 1e-4, TIGHT):
            peer = make(tol).fit(X, y)
            c = check(problem, peer, best, tol, intercept)
            g = wb.gaps.norm_gap(problem, peer.coef_, bias_of(peer, intercept))
            theirs, scale = 2.0 * peer.dual_gap_, ROUNDING * problem.zero_value
            if problem is lasso:
                # The same dual point, so the same gap.
                assert g.repaired == pytest.approx(theirs, rel=1e-9, abs=scale)
            else:
                # Theirs takes the ridge for rows of data and scales its dual point: a weaker bound.
                assert g.better <= theirs * (1.0 + 1e-6) + scale
            assert g.better <= g.repaired
            assert c.gap >= 0.0
