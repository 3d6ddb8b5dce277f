"""An independent check of each thing that the papers have: CVXPY, retrained models, hand formulas."""

import cvxpy as cp
import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.certificates.gaps import svm

# Clarabel stops at 1e-8 of its own scaling.
CLARABEL = 1e-6
rng = np.random.default_rng(65)
X = rng.normal(size=(24, 4))
Y = np.where(X[:, 0] + 0.5 * rng.normal(size=24) + 0.4 > 0.0, 1.0, -1.0)
T = X @ [1.0, -2.0, 0.5, 0.0] + 0.2 * rng.normal(size=24)
ONES = np.ones((1, 4))


def least(value, *constraints):
    return cp.Problem(cp.Minimize(value), list(constraints)).solve(solver=cp.CLARABEL)


def hinge(z):
    return cp.sum(cp.pos(1 - cp.multiply(Y, z))) / 24


def solved(*terms, tol=1e-9, solver="auto", **options):
    problem = wb.Problem(*terms, **options)
    solution = wb.solve(problem, solver, tol=tol, max_epochs=20_000)
    assert solution.status in ("converged", "precision")
    return problem, solution


def a_sum_of_weights_or_of_v():
    """1. Σv = 0 frees a common shift; Σw = 0 is another problem."""
    w, s = cp.Variable(4), cp.Variable()
    shifted = least(hinge(X @ (w + s)) + 0.1 * cp.sum_squares(w) / 2)
    zero = least(hinge(X @ w) + 0.1 * cp.sum_squares(w) / 2, cp.sum(w) == 0)
    _, one = solved(X, Y, "hinge", lam=0.1, constraints=(ONES, [0.0]))
    _, other = solved(X, Y, "hinge", lam=0.1, weight_constraints=(ONES, [0.0]))
    assert one.primal == pytest.approx(shifted, rel=CLARABEL)
    assert other.primal == pytest.approx(zero, rel=CLARABEL)
    assert abs(one.w.sum()) > 0.1 > 1e-10 > abs(other.w.sum())


def a_solution_keeps_its_multipliers():
    """2. Weights, dual variables and multipliers of a solution are one certificate."""
    C = (np.eye(4)[:2], [0.1, -0.1])
    problem, solution = solved(X, Y, "logistic", lam=0.1, constraints=C)
    own = wb.certificate(problem, w=solution.w, alpha=solution.alpha, multipliers=solution.multipliers)
    assert own.relative_gap <= 1e-8
    assert wb.solve(problem, "augmented-lagrangian", tol=1e-8, warm_start=solution).epochs == 0.0


def bounded_weights():
    """3. h of the box is the Huber function: w = clip(v)."""
    w = cp.Variable(4)
    best = least(cp.sum_squares(X @ w - T) / 24 + 0.1 * cp.sum_squares(w) / 2, cp.abs(w) <= 0.5)
    _, solution = solved(X, T, "squared", "bounded:radius=0.5", lam=0.1)
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    v = np.array([0.2, -3.0])
    h, mapped = wb.regularizers.get("bounded:radius=0.5").at(2).map(v)
    assert h == pytest.approx(0.5 * 0.04 + 0.5 * 3.0 - 0.125)
    np.testing.assert_array_equal(mapped, np.clip(v, -0.5, 0.5))


def a_matrix_K():
    """4. w'Kw / 2 by whitening: ridge regression in closed form."""
    root = rng.normal(size=(4, 4))
    K = root @ root.T + np.eye(4)
    _, solution = solved(X, T, "squared", wb.regularizers.SquaredL2(K=K), lam=0.1, tol=1e-12)
    np.testing.assert_allclose(solution.w, np.linalg.solve(2 * X.T @ X / 24 + 0.1 * K, 2 * X.T @ T / 24))


def losses_that_are_infinite():
    """5. Interpolation with l1 is a linear program, basis pursuit."""
    fat, target = rng.normal(size=(4, 10)), rng.normal(size=4)
    w = cp.Variable(10)
    best = least(cp.norm1(w), fat @ w == target)
    loss = wb.losses.custom("0", kind="residual", domain="u == 0")
    _, solution = solved(fat, target, loss, "l1", lam=1.0, tol=1e-6)
    assert solution.primal == pytest.approx(best, rel=1e-5)
    infeasible = wb.solve(wb.Problem([[1.0], [1.0]], [0.0, 1.0], loss, lam=1.0))
    assert infeasible.status == "infeasible"
    assert infeasible.ray @ [1.0, 1.0] == pytest.approx(0.0)


def inequalities():
    """6. A w <= c, and C v <= b with s >= 0 and s (b - Cv) = 0."""
    A, c = np.vstack([ONES, np.eye(4)[0]]), np.array([-0.2, 0.3])
    w, s = cp.Variable(4), cp.Variable(2)
    best = least(hinge(X @ w) + 0.1 * cp.sum_squares(w) / 2, c >= A @ w)
    _, solution = solved(X, Y, "hinge", lam=0.1, weight_constraints=(A, c, "<="))
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    best = least(hinge(X @ (w + A.T @ s)) + 0.1 * (cp.sum_squares(w) / 2 + s @ (c + 1.0)), s >= 0)
    problem, solution = solved(X, Y, "hinge", lam=0.1, constraints=(A, c + 1.0, "<="))
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    assert solution.multipliers @ (c + 1.0 - A @ problem.dual_vector(solution.alpha)) <= 1e-7


def combinations():
    """7. A kernel with a free bias, several columns of y, the multinomial loss with a p-norm."""
    w, b = cp.Variable(4), cp.Variable()
    best = least(cp.sum_squares(X @ w + b - T) / 24 + 0.1 * cp.sum_squares(w) / 2)
    _, solution = solved(X, T, "squared", lam=0.1, bias=True, kernel="linear")
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    W, two = cp.Variable((4, 2)), np.column_stack([T, -2.0 * T + 1.0])
    rows = cp.sum(cp.norm(W, 2, axis=1))
    best = least(cp.sum_squares(X @ W - two) / 24 + 0.1 * rows)
    _, solution = solved(X, two, "squared", "rows-l1l2", lam=0.1, tol=1e-8)
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    classes = np.arange(24) % 3
    V = cp.Variable((4, 3))
    z = X @ V
    value = (cp.sum(cp.log_sum_exp(z, axis=1)) - cp.sum(z[np.arange(24), classes])) / 24
    square = cp.square(cp.pnorm(cp.vec(V, order="C"), 1.5)) / (2 * 0.5)
    _, solution = solved(X, classes, "multinomial", "p-norm:p=1.5,ball=1", lam=0.01, tol=1e-6, solver="auto")
    best = least(value + 0.01 * square, cp.pnorm(cp.vec(V, order="C"), 1.5) <= 1.0)
    assert solution.primal == pytest.approx(best, rel=1e-4)


def densities():
    """8. A mixture without targets."""
    density = np.exp(-0.5 * (X[:, :1] - np.linspace(-2, 2, 5)) ** 2)
    w, mu = cp.Variable(5), np.full(5, 0.2)
    best = least(-cp.sum(cp.log(density @ w)) / 24 + 0.1 * cp.sum(cp.kl_div(w, mu)), cp.sum(w) == 1)
    _, solution = solved(density, None, "negative-log", "normalized-entropy:mu=0.2", lam=0.1)
    assert solution.primal == pytest.approx(best, rel=CLARABEL)


def computed_theory():
    """9. Vapnik's bound holds of all retrained models; a rate, a regret and a pair, each by hand."""
    problem, solution = solved(X, Y, "hinge", lam=0.1)
    shown = wb.stability(problem, w=solution.w, alpha=solution.alpha)
    wrong = 0
    for i in range(24):
        rest = np.arange(24) != i
        w = wb.solve(wb.Problem(X[rest], Y[rest], "hinge", lam=0.1 * 24 / 23), tol=1e-8).w
        wrong += Y[i] * (X[i] @ w) <= 0.0
    assert wrong <= shown.support <= np.count_nonzero(np.abs(solution.alpha) > 0.0)
    ridge, at = solved(X[:6], T[:6], "squared", lam=0.1)
    H = X[:6] @ X[:6].T / 0.6 + 0.5 * np.eye(6)
    sweep = np.eye(6) - np.linalg.solve(np.tril(H), H)
    assert wb.bounds.gauss_seidel_rate(ridge, at.alpha).alpha == pytest.approx(
        np.abs(np.linalg.eigvals(sweep)).max()
    )
    measured = wb.bounds.regret(problem, 300)
    lengths = np.linalg.norm(X, axis=1)
    assert measured.regret <= measured.bound <= measured.log_bound
    assert measured.log_bound <= lengths.max() ** 2 * (1.0 + np.log(300)) / 0.2 * (1.0 + 1e-12)
    assert measured.accuracy(0.5) == pytest.approx(measured.log_bound / 150)
    a = np.zeros(24)
    pair = svm(X @ X.T, Y, 1.0, a).rate_certifying_pair
    assert pair[2] >= 1.0 / 24**2


def primal_gradient_with_an_entropy():
    """10. Weights on a simplex bound slopes, so a loss of unbounded slope is taken."""
    w, mu = cp.Variable(4), np.full(4, 0.25)
    best = least(cp.sum_squares(X @ w - T) / 24 + 0.5 * cp.sum(cp.kl_div(w, mu)), cp.sum(w) == 1)
    problem = wb.Problem(X, T, "squared", "normalized-entropy:mu=0.25", lam=0.5)
    assert wb.solve(problem, tol=1e-9).primal == pytest.approx(best, rel=CLARABEL)
    stochastic = wb.solve(problem, wb.solvers.PrimalGradient(), tol=1e-2, max_epochs=2000)
    assert best * (1.0 - CLARABEL) <= stochastic.primal <= best * 1.02


def embeddings_and_refusals():
    """11. Halves of w certify an embedding; a certificate of no problem says what to write."""
    problem, solution = solved(X, T, "squared", "elastic-net:epsilon=0.2", lam=0.1, embed="balanced")
    w = cp.Variable(8)
    value = cp.sum_squares(np.hstack([X, -X]) @ w - T) / 24
    best = least(value + 0.1 * (cp.sum_squares(w) / 2 + 0.2 * cp.norm1(w)))
    assert solution.primal == pytest.approx(best, rel=CLARABEL)
    assert wb.certificate(problem, w=solution.w, alpha=solution.alpha).relative_gap <= 1e-8
    with pytest.raises(InputError, match="the first argument is a str"):
        wb.certificate("abc", alpha=[0.0])


def errata():
    """12. The misprints of SPAMS A.0.1 and of Zhang's section and appendix are listed."""
    places = " ".join(f"{erratum.source} {erratum.where} {erratum.printed}" for erratum in wb.errata())
    assert "A.0.1" in places
    assert "Appendix C" in places


ROWS = (
    a_sum_of_weights_or_of_v,
    a_solution_keeps_its_multipliers,
    bounded_weights,
    a_matrix_K,
    losses_that_are_infinite,
    inequalities,
    combinations,
    densities,
    computed_theory,
    primal_gradient_with_an_entropy,
    embeddings_and_refusals,
    errata,
)


@pytest.mark.parametrize("row", ROWS, ids=[f"{k + 1}-{row.__name__}" for k, row in enumerate(ROWS)])
def test_the_papers_say_so(row):
    row()
