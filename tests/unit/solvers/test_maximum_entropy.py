"""Maximum entropy: constraints met to 1e-8, Clarabel's weights, proofs that nothing meets them."""

import itertools

import cvxpy
import numpy as np
import pytest
import scipy.optimize

import workbench as wb
from workbench._support.errors import InfeasibleError, InputError
from workbench.solvers.maximum_entropy import iterates

# What is promised of the constraints, and what Clarabel's own tolerance allows.
MET, AGREEMENT = 1e-8, 1e-6


def constraints(seed, n=4, d=30, feasible=True):
    """Moments of a random distribution, or moments beyond all that one can have."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    w = rng.dirichlet(np.full(d, 0.3))
    direction = rng.normal(size=n)
    farthest = X[:, np.argmax(direction @ X)]
    return X, X @ w if feasible else farthest + 0.1 * direction / np.linalg.norm(direction)


def exists(X, y, total=1.0):
    """Return whether HiGHS finds weights."""
    d = X.shape[1]
    rows, right = np.vstack([X, np.ones(d)]), np.append(y, total)
    return scipy.optimize.linprog(np.zeros(d), A_eq=rows, b_eq=right).status == 0


@pytest.mark.parametrize("prior", ["uniform", "skewed"])
@pytest.mark.parametrize("seed", range(10))
def test_the_weights_are_clarabels_and_meet_the_constraints(seed, prior):
    X, y = constraints(seed)
    mu = None if prior == "uniform" else np.random.default_rng(seed).dirichlet(np.ones(30)) + 1e-3
    total = 1.0 if mu is None else mu.sum()
    y = y * total
    solution = wb.maximum_entropy(X, y, mu)
    assert np.abs(X @ solution.w - y).max() <= MET
    assert solution.residual == np.abs(X @ solution.w - y).max()
    assert solution.w.sum() == pytest.approx(total, rel=1e-12)
    reference = np.full(30, 1 / 30) if mu is None else mu
    w = cvxpy.Variable(30)
    theirs = cvxpy.Problem(
        cvxpy.Minimize(cvxpy.sum(cvxpy.kl_div(w, reference))), [X @ w == y, cvxpy.sum(w) == total]
    )
    theirs.solve(solver=cvxpy.CLARABEL)
    assert solution.value == pytest.approx(theirs.value, abs=AGREEMENT)
    np.testing.assert_allclose(solution.w, w.value, atol=1e-4)
    # The value itself, and the bound that the multipliers give below it.
    assert solution.value == pytest.approx(np.sum(solution.w * np.log(solution.w / reference)), abs=1e-10)
    assert abs(solution.value - solution.bound) <= np.abs(solution.alpha).sum() * solution.residual + 1e-12


def test_a_die_with_a_mean_of_four_and_a_half():
    """Jaynes's die: the probabilities rise geometrically."""
    w = wb.maximum_entropy(np.arange(1.0, 7.0)[None, :], [4.5]).w
    np.testing.assert_allclose(w[1:] / w[:-1], w[1] / w[0], rtol=1e-9)
    assert w @ np.arange(1, 7) == pytest.approx(4.5, abs=MET)
    np.testing.assert_allclose(w, [0.05435, 0.07877, 0.11416, 0.16545, 0.23977, 0.34749], atol=1e-5)


def test_the_soft_form_tends_to_the_hard_one():
    """Problem with the squared loss: its weights approach the constrained ones as lambda falls."""
    X, y = constraints(3)
    hard = wb.maximum_entropy(X, y).w
    distances = []
    for lam in (1e-1, 1e-3, 1e-5):
        regularizer = wb.regularizers.NormalizedEntropy(1 / 30)
        soft = wb.solve(wb.Problem(X, y, "squared", regularizer, lam=lam), tol=1e-8, max_epochs=20_000)
        assert soft.status == "converged"
        distances.append(np.abs(soft.w - hard).max())
    assert distances[0] > 5 * distances[1] > 25 * distances[2]
    assert distances[2] < 1e-3


@pytest.mark.parametrize("seed", range(20))
def test_infeasible_constraints_come_with_a_proof(seed):
    X, y = constraints(seed, feasible=False)
    assert not exists(X, y)
    with pytest.raises(InfeasibleError, match="no w >= 0 of sum 1 meets the constraints") as caught:
        wb.maximum_entropy(X, y)
    alpha, margin = caught.value.multipliers, caught.value.margin
    assert margin > 0.0
    assert alpha @ y - (X.T @ alpha).max() == pytest.approx(margin, rel=1e-9)


def test_contradictory_constraints():
    X = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    with pytest.raises(InfeasibleError):
        wb.maximum_entropy(X, [1.5, 2.5])
    # The same constraint twice is consistent, though the Hessian is singular.
    assert wb.maximum_entropy(X, [1.5, 1.5]).residual <= MET


def test_moments_at_the_edge_of_what_there_is():
    """Only weights on a face meet them; the entropy's are positive and meet them to the tolerance."""
    X = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 2.0]])
    solution = wb.maximum_entropy(X, [1.0, 1.0])
    np.testing.assert_allclose(solution.w, [0.0, 0.5, 0.5], atol=10 * MET)


def test_the_iterates_are_the_run():
    X, y = constraints(5)
    solution = wb.maximum_entropy(X, y)
    points = list(itertools.islice(iterates(X, y), solution.steps + 1))
    np.testing.assert_array_equal(points[-1].w, solution.w)
    bounds = [point.bound for point in points]
    assert (np.diff(bounds) >= -1e-14).all()
    assert points[0].steps == 0
    np.testing.assert_allclose(points[0].w, 1 / 30)


REFUSED = {
    "prior": (np.eye(2), [0.5, 0.5], [0.5, -0.1], r"mu\[1\] = -0\.1 must be a finite number above 0"),
    "zero": (np.eye(2), [0.5, 0.5], [0.0, 1.0], r"mu\[0\] = 0\.0 must be a finite number above 0"),
    "sizes": (np.eye(2), [0.5, 0.5], [0.5, 0.1, 0.2], "mu has 3 entries for 2 coordinates"),
    "entry": ([[1.0, np.nan]], [0.5], None, r"X\[0, 1\] is nan"),
    "targets": (np.eye(2), [0.5], None, r"y has shape \(1,\) where \(2,\) is needed"),
    "shape": ([1.0, 2.0], [0.5], None, r"X has shape \(2,\); give a matrix"),
}


@pytest.mark.parametrize(("X", "y", "mu", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_by_name(X, y, mu, message):
    with pytest.raises(InputError, match=message):
        wb.maximum_entropy(X, y, mu)


def test_too_few_steps_are_said():
    X, y = constraints(1)
    with pytest.raises(InputError, match=r"a constraint is missed by .* after 1 steps; raise max_steps = 1"):
        wb.maximum_entropy(X, y, max_steps=1)
