"""Mixture weights: -ln with the normalized entropy, certified, against Clarabel and the EM algorithm."""

import cvxpy
import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.problems.regularizers import NormalizedEntropy
from workbench.solvers import GaussSeidel

MEANS = np.array([-2.0, 0.0, 3.0, 6.0])
# Clarabel's own tolerance on the value.
AGREEMENT = 1e-6
MU = (0.1, 0.4, 0.3, 0.2)


def densities(n=80, seed=0):
    """The densities of four normal components at samples of two of them."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(-2.0, 1.0, n // 3), rng.normal(3.0, 1.0, n - n // 3)])
    return np.exp(-0.5 * (x[:, None] - MEANS) ** 2) / np.sqrt(2.0 * np.pi)


def problem(lam, X=None, **options):
    X = densities() if X is None else X
    return Problem(X, np.zeros(len(X)), "negative-log", NormalizedEntropy(MU), lam=lam, **options)


def by_em(X, steps=5000):
    w = np.full(X.shape[1], 1.0 / X.shape[1])
    for _ in range(steps):
        shares = X * w
        w = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
    return w


@pytest.mark.parametrize("update", ["exact", "newton", "bounded"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("lam", [0.5, 0.05])
def test_the_regularized_likelihood_is_clarabels(lam, weighted, update):
    X, c = densities(), np.linspace(0.3, 2.0, 80) if weighted else np.ones(80)
    solution = wb.solve(problem(lam, sample_weight=c), GaussSeidel(update), tol=1e-9, max_epochs=3000)
    w = cvxpy.Variable(4)
    # kl_div has an additional w - mu, which the constraint makes zero.
    value = -c @ cvxpy.log(X @ w) / 80 + lam * cvxpy.sum(cvxpy.kl_div(w, np.array(MU)))
    theirs = cvxpy.Problem(cvxpy.Minimize(value), [cvxpy.sum(w) == 1.0])
    theirs.solve(solver=cvxpy.CLARABEL)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(theirs.value, rel=AGREEMENT)
    assert solution.primal - solution.gap <= theirs.value + AGREEMENT
    np.testing.assert_allclose(solution.w, w.value, atol=1e-4)
    assert solution.w.sum() == pytest.approx(1.0, rel=1e-12)


def test_the_likelihood_alone_is_that_of_em():
    """With a small weight of the entropy the likelihood is EM's to within lam times the entropy's range."""
    X, lam = densities(), 1e-3
    solution = wb.solve(problem(lam), tol=1e-8, max_epochs=3000)
    best = by_em(X)
    value, reached = (-np.log(X @ w).mean() for w in (best, solution.w))
    assert value <= reached + 1e-12
    assert reached - value <= lam * np.log(1.0 / min(MU)) + solution.gap


def test_weights_from_em_are_certified():
    X, lam = densities(), 1e-4
    certificate = wb.certificate(problem(lam, X), w=by_em(X))
    assert certificate.primal == pytest.approx(-np.log(X @ certificate.w).mean(), abs=lam * 3.0)
    assert 0.0 <= certificate.gap <= 3.0 * lam
    poor = wb.certificate(problem(lam, X), w=np.full(4, 0.25))
    assert poor.gap > 100.0 * certificate.gap


def test_each_step_goes_down_and_stays_in_the_domain():
    run = wb.Run(problem(0.02), GaussSeidel())
    run.record()
    for _ in range(100):
        run.step()
        assert run.last_event.dual_change <= 1e-14
        assert (run.state.alpha > 0.0).all()
    run.record()
    assert run.rows[-1]["dual"] > run.rows[0]["dual"]


def test_the_maps_at_the_optimum():
    """alpha_i = 1 / z_i, and the responsibilities that EM averages."""
    solution = wb.solve(problem(0.05), tol=1e-12, max_epochs=3000)
    np.testing.assert_allclose(solution.alpha, 1.0 / (densities() @ solution.w), rtol=1e-4)


def test_refusals():
    with pytest.raises(InputError, match=r"X\[2\] has no entry above 0, so that -ln"):
        problem(0.1, np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0], [0.0, 0.0, -1.0, 0.0]]))
    with pytest.raises(InputError, match="the negative-log loss has no best bias"):
        problem(0.1, bias=True)
    with pytest.raises(
        InputError, match=r"normalized-entropy: mu\[1\] = -0.4 must be a finite number above 0"
    ):
        NormalizedEntropy((0.6, -0.4, 0.5, 0.3))
