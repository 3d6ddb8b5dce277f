"""The Primal Gradient Solver's promises: Theorem 1, certificates, optima of others, and its refusals."""

import cvxpy as cp
import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import latin
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import PrimalGradient

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
SEEDS = range(20)
# Clarabel's accuracy at its default settings, with room for the square of a norm.
CLARABEL = 1e-6


def theorem(problem, p, slope_bound, steps):
    """L^2 (1 + log T) / (2 sigma T) with L = max |x|_q times the largest slope: Corollary 1 as corrected."""
    q = p / (p - 1.0)
    lengths = np.sum(np.abs(problem.rows.toarray()) ** q, axis=1) ** (1.0 / q)
    lipschitz = slope_bound * (problem.weight * lengths).max()
    return lipschitz**2 * (1.0 + np.log(steps)) / (2.0 * problem.lam * steps)


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(["hinge", "logistic"], ["p-norm:p=2", "p-norm:p=1.8", "p-norm:p=1.2", "p-norm:p=1.5,ball=0.5"]),
)
def test_the_suboptimality_falls_under_theorem_1(loss, regularizer):
    """The theorem bounds expectations; the averaged iterate is under the bound for every seed here, and so
    is the mean of the random one."""
    p = Problem(X, LABELS, loss, regularizer, lam=0.02)
    best = wb.solve(p, tol=1e-6, max_epochs=20_000)
    assert best.status == "converged"
    runs = {
        output: [wb.Run(p, PrimalGradient(output=output), seed=seed) for seed in SEEDS]
        for output in ("average", "random")
    }
    for steps in (10, 100, 1000, 10_000):
        bound, excess = theorem(p, p.regularizer.p, 1.0, steps), {}
        for output, output_runs in runs.items():
            for run in output_runs:
                run.step(steps - run.steps)
            excess[output] = [run.certificate().primal - best.primal for run in output_runs]
        assert max(excess["average"]) <= bound
        assert np.mean(excess["random"]) <= bound
        assert min(excess["average"]) >= -best.gap


@pytest.mark.parametrize("ball", [None, 0.4, 1.5])
@pytest.mark.parametrize("p", [1.2, 1.5, 2.0])
def test_the_optimum_is_clarabels(p, ball):
    """The regularizer with and without its ball, its certificate and Gauss-Seidel on it."""
    text = f"p-norm:p={p}" + ("" if ball is None else f",ball={ball}")
    problem = Problem(X, LABELS, "logistic", text, lam=0.05)
    w = cp.Variable(6)
    value = cp.sum(cp.logistic(-cp.multiply(LABELS, X @ w))) / 40
    value += 0.05 * cp.square(cp.pnorm(w, p)) / (2 * (p - 1))
    reference = cp.Problem(cp.Minimize(value), [] if ball is None else [cp.pnorm(w, p) <= ball])
    reference.solve(solver=cp.CLARABEL)
    solution = wb.solve(problem, tol=1e-9, max_epochs=5000)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(reference.value, rel=CLARABEL)
    ours = wb.solve(problem, PrimalGradient(batch=40), tol=2e-3, max_epochs=20_000)
    assert ours.status == "converged"
    assert ours.primal - solution.primal <= ours.gap


@pytest.mark.parametrize("output", ["average", "last", "random"])
@pytest.mark.parametrize(
    ("loss", "regularizer", "bias"),
    [
        ("hinge", "squared-l2", "constant"),
        ("logistic", "p-norm:p=1.8", "constant"),
        ("squared", "p-norm:p=1.5", "constant"),
        ("squared", "squared-l2", False),
        ("logistic", "entropy:mu=0.3", False),
        ("logistic", "normalized-entropy:mu=0.3", False),
        ("epsilon-insensitive", "p-norm:p=1.8,ball=1", False),
        ("squared-hinge", "squared-l2", "constant"),
    ],
)
def test_the_gap_closes_and_no_lower_bound_lies_above_a_value(loss, regularizer, bias, output):
    y = TARGETS if loss in ("squared", "epsilon-insensitive") else LABELS
    p = Problem(X, y, loss, regularizer, lam=0.1, bias=bias)
    run = wb.Run(p, PrimalGradient(batch=5, order="shuffled", output=output))
    assert run.until(gap=1e-2, max_epochs=20_000) == "converged"
    history = run.history
    assert history["dual"].max() <= history["primal"].min() * (1 + 1e-12)
    assert (history["gap"] >= 0.0).all()


def test_a_kernel_problem_is_certified():
    p = Problem(X, LABELS, "hinge", lam=0.05, kernel="rbf:gamma=0.4")
    best = wb.solve(p, tol=1e-8)
    for output in ("average", "last"):
        ours = wb.solve(p, PrimalGradient(order="shuffled", output=output), tol=1e-2, max_epochs=5000)
        assert ours.status == "converged"
        assert ours.expansion is not None
        assert -1e-7 <= ours.primal - best.primal <= ours.gap


def test_the_last_iterate_and_its_dual_variables_belong_together():
    """w_T = grad h(X'alpha / (lam n)): the regularizer holds no part of the gap open."""
    for regularizer in ("squared-l2", "p-norm:p=1.5", "p-norm:p=1.5,ball=0.3", "entropy:mu=0.3"):
        loss = "logistic" if regularizer.startswith("entropy") else "squared-hinge"
        p = Problem(X, LABELS, loss, regularizer, lam=0.1)
        run = wb.Run(p, PrimalGradient(output="last", batch=2))
        run.step(700)
        point = run.solver.point(run.state)
        _, w = p.transfer.map(p.dual_vector(point["alpha"]))
        np.testing.assert_allclose(point["w"], w, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("p", [1.2, 1.8, 2.0])
@pytest.mark.parametrize(("loss", "y"), [("hinge", LABELS), ("squared", TARGETS), ("logistic", LABELS)])
def test_the_known_ball_holds_the_optimum(loss, y, p):
    for lam in (1e-3, 0.1, 10.0):
        problem = Problem(X, y, loss, f"p-norm:p={p}", lam=lam)
        w = wb.solve(problem, tol=1e-6, max_epochs=20_000).w
        bound = np.sqrt((p - 1) * problem.zero_value / lam)
        assert np.sum(np.abs(w) ** p) ** (1 / p) <= bound * (1 + 1e-3)
        wb.Run(problem, PrimalGradient(ball=bound))
        one, other = (wb.Run(problem, PrimalGradient(ball=ball)) for ball in ("known", bound))
        one.step(30)
        other.step(30)
        np.testing.assert_array_equal(one.state.theta, other.state.theta)
        with pytest.raises(InputError, match="may not hold the optimum, which is known to lie within"):
            wb.Run(problem, PrimalGradient(ball=0.99 * bound))


def test_the_ball_of_pegasos_is_taken():
    """For the hinge loss and p = 2 the bound is 1 / sqrt(lam), the ball of Pegasos."""
    problem = Problem(X, LABELS, "hinge", lam=1e-4)
    run = wb.Run(problem, PrimalGradient(ball=100.0, output="last"))
    for _ in range(20):
        run.step()
        assert run.last_event.norm <= 100.0


def test_steep_losses_are_kept_in_the_ball_that_is_known():
    """Without it the first steps of least squares grow by e^(L / lam)."""
    problem = Problem(10.0 * X, TARGETS, "squared", lam=1e-3)
    run = wb.Run(problem, PrimalGradient())
    run.step(50)
    assert run.last_event.norm <= np.sqrt(problem.zero_value / 1e-3) * (1 + 1e-12)
    free = wb.Run(problem, PrimalGradient(ball=1e300))
    free.step(50)
    assert free.last_event.norm > 1e6 * run.last_event.norm


def test_overflow_ends_a_run_with_the_best_certified_point_kept():
    problem = Problem(1e150 * X, TARGETS, "squared", lam=1e-3)
    for output in ("average", "last", "random"):
        free = wb.Run(problem, PrimalGradient(output=output, ball=1e300))
        assert free.until(gap=1e-3) == "diverged"
        assert np.isfinite(free.best.primal)


@pytest.mark.parametrize("loss", ["squared", "huber", "epsilon-insensitive:epsilon=0.1,p=2"])
def test_weights_on_a_simplex_bound_the_slopes_of_every_loss(loss):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    y = X @ [0.2, 0.2, 0.0, 0.0] + 0.1 * rng.normal(size=40)
    problem = wb.Problem(X, y, loss, "normalized-entropy", lam=0.05)
    solution = wb.solve(problem, "primal-gradient", tol=1e-2)
    assert solution.status == "converged"
    assert solution.primal - wb.solve(problem, tol=1e-8).primal <= solution.gap


def test_first_steps_that_may_lead_anywhere_are_refused():
    problem = Problem(X, TARGETS, "squared", "entropy:mu=0.3", lam=1e-3)
    with pytest.raises(InputError, match=r"no bound.*Entropy.*may diverge; use the logistic loss"):
        wb.solve(problem, "primal-gradient")
    bounded = Problem(X, TARGETS, "huber", "entropy:mu=0.3", lam=0.3)
    assert wb.solve(bounded, "primal-gradient", max_epochs=20).status != "diverged"
    with pytest.raises(InputError, match=r"lam = 0.001 the first step may lead .*; use a larger lam"):
        wb.solve(bounded.replace(lam=1e-3), "primal-gradient")


REFUSED = {
    "order": (lambda: PrimalGradient(order="cyclic"), "order = 'cyclic' is not known; use independent or"),
    "output": (lambda: PrimalGradient(output="first"), "output = 'first' is not known; use average or"),
    "batch": (lambda: PrimalGradient(batch=0), "batch = 0 is not a whole number, 1 or more"),
    "half a batch": (lambda: PrimalGradient(batch=1.5), "batch = 1.5 is not a whole number"),
    "flat ball": (lambda: PrimalGradient(ball=0.0), "ball = 0.0 must be a finite number above 0"),
    "p of one": (lambda: wb.regularizers.get("p-norm:p=1"), "p-norm: p = 1.0 must be .* above 1"),
    "p above two": (lambda: wb.regularizers.get("p-norm:p=2.5"), r"p = 2.5 must lie in \(1, 2\], since"),
    "no ball": (lambda: wb.regularizers.get("p-norm:ball=-1"), "p-norm: ball = -1.0 must be .* above 0"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_choices_are_refused_by_name(make, message):
    with pytest.raises(InputError, match=message):
        make()
