"""The Primal Gradient Solver step by step: against Figure 1 in plain NumPy, runs, resumes and draws."""

import itertools

import numpy as np
import pytest

import workbench as wb
from tests.helpers import naive_primal
from tests.helpers.amounts import product
from tests.helpers.cases import samples
from workbench.problems import Problem
from workbench.solvers import PrimalGradient
from workbench.solvers.algorithms._primal_draws import CHOSEN
from workbench.solvers.algorithms._primal_steps import FLUSHES, REFRESHES

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
LOSSES = {"hinge": LABELS, "logistic": LABELS, "squared": TARGETS}
OUTPUTS = ("average", "last", "random")
LAM = 0.3
# The rounding of both sides, multiplied by the q - 1 = 50 of p = 1.02.
AGREEMENT = 1e-10
# More draws than this leave a difference of frequencies above five standard deviations unlikely.
DEVIATIONS = 5.0


def problem(loss="hinge", regularizer="p-norm:p=1.8", X=X, **options):
    return Problem(X, LOSSES[loss], loss, regularizer, lam=LAM, **options)


def batch_of(run):
    """The samples that the next step will see, found by doing it on a copy of the draws' own state."""
    size, n = run.solver.batch, run.problem.n_samples
    run.step()
    place = (run.steps - 1) % (n // size) * size if run.solver.order == "shuffled" else 0
    return run.state.pool[place : place + size].astype(int)


def output_of(run):
    return run.solver.point(run.state)["w"]


# The squared loss alone with regularizers whose ball is the solver's own, far outside here.
@pytest.mark.parametrize(
    ("regularizer", "loss", "order", "output"),
    # Slopes without bound are refused where the regularizer is not strongly convex.
    product(
        [
            pytest.param(*case)
            for case in itertools.product(
                naive_primal.TRANSFERS, LOSSES, ("independent", "shuffled"), OUTPUTS
            )
            if not (case[0].startswith("entropy") and case[1] == "squared")
        ]
    ),
)
def test_the_steps_are_those_of_the_figure(regularizer, loss, order, output):
    weight = np.linspace(0.3, 1.2, 40)
    scale = 0.3 if loss == "squared" else 1.0
    p = problem(loss, regularizer, X=scale * X, sample_weight=weight)
    ball = 1e6 if loss == "squared" and regularizer.startswith(("squared", "p-norm", "q-norm")) else None
    run = wb.Run(p, PrimalGradient(batch=3, order=order, output=output, ball=ball), seed=2)
    batches = [batch_of(run) for _ in range(300)]
    iterates = naive_primal.iterates(scale * X, LOSSES[loss], loss, regularizer, LAM, batches, weight)
    expected = {
        "average": iterates[:-1].mean(axis=0),
        "last": iterates[-1],
        "random": iterates[run.state.counters[CHOSEN]],
    }[output]
    np.testing.assert_allclose(output_of(run), expected, atol=AGREEMENT * np.abs(iterates).max())


@pytest.mark.parametrize("p", [1.02, 1.1, 1.5, 1.8, 2.0])
def test_the_average_is_the_naive_average_over_a_long_run(p):
    """Long enough for S to be summed afresh and for the sums of the factors to begin anew."""
    steps, regularizer = 12_000, f"p-norm:p={p!r}"
    run, last = (
        wb.Run(problem("logistic", regularizer), PrimalGradient(output=output))
        for output in ("average", "last")
    )
    total = np.zeros(6)
    for _ in range(steps):
        total += output_of(last)
        last.step()
    run.step(steps)
    np.testing.assert_allclose(output_of(run), total / steps, rtol=AGREEMENT)
    assert run.state.numbers[FLUSHES] >= 1.0
    assert p > 1.05 or run.state.numbers[REFRESHES] >= 1.0


@pytest.mark.parametrize("ball", [0.05, 0.7])
@pytest.mark.parametrize("p", [1.05, 1.5, 1.8, 2.0])
def test_the_ball_is_never_left(p, ball):
    touched = 0
    for output in OUTPUTS:
        run = wb.Run(problem("hinge", f"p-norm:p={p!r},ball={ball!r}"), PrimalGradient(output=output))
        for _ in range(500):
            run.step()
            norm = np.sum(np.abs(output_of(run)) ** p) ** (1.0 / p)
            assert norm <= ball * (1.0 + 1e-13)
            touched += norm >= ball * (1.0 - 1e-13)
        assert np.isfinite(run.certificate().gap)
    assert touched > 100 or ball > 0.05  # the smaller one binds all the way


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("ball", [None, 2.0])
def test_a_linear_kernel_takes_the_steps_of_weights(ball, output):
    solver = PrimalGradient(batch=2, output=output, ball=ball)
    weights, kernel = (
        wb.Run(problem("hinge", "squared-l2", kernel=kernel), solver, seed=3) for kernel in (None, "linear")
    )
    for run in (weights, kernel):
        run.step(500)
    alpha = kernel.solver.point(kernel.state)["alpha"]
    np.testing.assert_allclose(X.T @ alpha / (40 * LAM), output_of(weights), atol=AGREEMENT)


def test_a_given_kernel_matrix_is_that_of_the_kernel():
    precomputed = problem("logistic", "squared-l2", kernel="precomputed", X=X @ X.T)
    one, other = (wb.Run(p, PrimalGradient()) for p in (precomputed, problem("logistic", "squared-l2")))
    for run in (one, other):
        run.step(300)
    assert one.certificate().primal == pytest.approx(other.certificate().primal, rel=1e-6)


def test_batches_are_uniform_and_hold_different_samples():
    run = wb.Run(problem(), PrimalGradient(batch=8))
    seen, draws = np.zeros(40), 4000
    for _ in range(draws):
        batch = batch_of(run)
        assert np.unique(batch).size == 8
        seen[batch] += 1
    share = 8 / 40
    spread = np.sqrt(share * (1 - share) / draws)
    assert np.abs(seen / draws - share).max() <= DEVIATIONS * spread


def test_an_epoch_of_shuffled_batches_has_every_sample_once():
    run = wb.Run(problem(), PrimalGradient(batch=5, order="shuffled"))
    assert run.epoch_steps == 8
    orders = [np.concatenate([batch_of(run) for _ in range(8)]) for _ in range(3)]
    assert all(np.array_equal(np.sort(order), np.arange(40)) for order in orders)
    assert not np.array_equal(orders[0], orders[1])


@pytest.mark.parametrize("steps", [2, 7])
def test_the_random_iterate_is_uniform(steps):
    p, seeds = problem("hinge", "squared-l2"), 1500
    seen = np.zeros(steps)
    for seed in range(seeds):
        run = wb.Run(p, PrimalGradient(output="random"), seed=seed)
        run.step(steps)
        seen[run.state.counters[CHOSEN]] += 1
    share = 1 / steps
    assert np.abs(seen / seeds - share).max() <= DEVIATIONS * np.sqrt(share * (1 - share) / seeds)
