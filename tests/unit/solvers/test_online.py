"""Perceptron, Winnow and p-norm against loops of five lines, bit for bit; what they certify; refusals."""

import math

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import Perceptron, PNorm, Winnow

STEPS = 10_000
# A noisy concept, so that mistakes never end; 64ths and a power of two of features, so that at v = 0 the
# tie between x and -x is exact, whatever the order of a sum.
X, LABELS, _ = samples(n=150, d=8, seed=3)
X = np.round(64.0 * X) / 64.0
LABELS = np.where(np.random.default_rng(1).random(150) < 0.1, -LABELS, LABELS)
MU = 0.125
MARGINS = (0.0, 0.3)


def problem(regularizer, X=X, y=LABELS, lam=1e-2, **options):
    return Problem(X, y, "hinge", regularizer, lam=lam, **options)


def loop(transfer, rows, eta, margin, steps=STEPS):
    """(24) as it is printed, with w = transfer(v)."""
    v, mistakes = np.zeros(rows.shape[1]), 0
    for step in range(steps):
        x, y = rows[step % len(rows)], LABELS[step % len(rows)]
        if y * (transfer(v) @ x) <= margin:
            v, mistakes = v + (eta * y) * x, mistakes + 1
    return v, mistakes


def winnow(v):
    return MU * np.exp(v)


def normalized(v):
    shares = np.exp(v - v.max())
    return MU * v.size * shares / shares.sum()


def q_norm(v, q=1.5):
    p = q / (q - 1.0)
    norm = np.sum(np.abs(v) ** p) ** (1.0 / p)
    return np.sign(v) * np.abs(v) ** (p - 1.0) * norm ** (2.0 - p) if norm else v


CASES = {
    "perceptron": (Perceptron, 1.0, "squared-l2", lambda v: v),
    "winnow": (Winnow, 0.01, f"entropy:mu={MU}", winnow),
    "winnow-normalized": (Winnow, 0.01, f"normalized-entropy:mu={MU}", normalized),
    "p-norm": (PNorm, 1.0, "q-norm:q=1.5", q_norm),
}


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("embed", [None, "balanced"])
@pytest.mark.parametrize("case", CASES)
def test_ten_thousand_steps_are_those_of_the_loop_bit_for_bit(case, embed, margin):
    make, eta, regularizer, transfer = CASES[case]
    p = problem(regularizer, embed=embed)
    v, mistakes = loop(transfer, p.rows.toarray(), eta, margin)
    run = wb.Run(p, make(eta=eta, margin=margin))
    assert run.step(STEPS) == STEPS
    np.testing.assert_array_equal(run.state.v, v)
    assert run.state.mistakes.sum() == mistakes > STEPS / 100
    # alpha counts the mistakes, so it gives v as well, but for rounding.
    np.testing.assert_allclose(p.dual_vector(run.state.alpha), v, atol=1e-9 * mistakes)
    np.testing.assert_allclose(run.state.w, transfer(v), rtol=1e-10, atol=1e-12)


def test_an_event_tells_of_the_mistake():
    run = wb.Run(problem("squared-l2"), Perceptron())
    assert run.last_event is None
    run.step()
    index, prediction, mistake, before, after = run.last_event
    assert (index, prediction, mistake, before) == (0, 0.0, True, 0.0)
    assert after == run.problem.lam_n * LABELS[0]


def test_a_run_ends_where_no_mistake_is_left():
    """Novikoff: at most (R / margin)^2 mistakes where the classes can be told apart."""
    rng = np.random.default_rng(0)
    direction = np.array([0.6, 0.8, 0.0])
    rows = rng.normal(size=(200, 3))
    rows = rows[np.abs(rows @ direction) > 0.2]
    y = np.sign(rows @ direction)
    run = wb.Run(problem("squared-l2", rows, y), Perceptron())
    assert run.until(gap=0.0, max_epochs=2000) == "stalled"
    bound = (rows**2).sum(axis=1).max() / np.abs(rows @ direction).min() ** 2
    assert run.state.mistakes.sum() <= bound
    assert (y * (rows @ run.state.w) > 0.0).all()


@pytest.mark.parametrize("lam", [1e-6, 1e-2])
@pytest.mark.parametrize("case", CASES)
def test_the_certificate_is_honest_and_the_status_too(case, lam):
    make, _, regularizer, _ = CASES[case]
    p = problem(regularizer, lam=lam)
    run = wb.Run(p, make())
    assert run.until(gap=1e-9, max_epochs=20) == "max_epochs"
    best = wb.solve(p, tol=1e-3, max_epochs=3000)
    assert run.history["dual"].max() <= best.primal
    assert (run.history["primal"] - run.history["gap"] <= best.primal * (1 + 1e-12)).all()
    assert run.certificate().primal == pytest.approx(
        np.maximum(0.0, 1.0 - LABELS * (p.rows @ run.state.w)).mean() + lam * _value(p, run.state.w)
    )


def _value(p, w):
    name = p.regularizer.name
    if name == "squared-l2":
        return 0.5 * w @ w
    if name == "q-norm":
        return 0.5 * np.sum(np.abs(w) ** 1.5) ** (2.0 / 1.5)
    # The sum of w ln(w / mu), less that of w where the entropy is not normalized.
    terms = [x * math.log(x / p.regularizer.mu) if x > 0.0 else 0.0 for x in w]
    return math.fsum(terms) - (w.sum() if name == "entropy" else 0.0)


def test_weights_that_overflow_are_divergence_and_the_best_point_is_kept():
    p = problem("entropy", lam=1e-2)
    solution = wb.solve(p, Winnow(eta=2000.0), max_epochs=50)
    assert solution.status == "diverged"
    assert np.isfinite(solution.w).all()
    assert np.isfinite(solution.gap)
    assert solution.gap == solution.history["gap"].min()


def test_sample_weights_multiply_the_learning_rate():
    c = np.where(np.arange(150) % 2 == 0, 1.0, 3.0)
    run = wb.Run(problem("squared-l2", sample_weight=c), Perceptron())
    run.step(300)
    v = (c * LABELS * run.state.mistakes) @ X
    np.testing.assert_allclose(run.state.v, v, atol=1e-9)


def test_bad_parameters():
    with pytest.raises(InputError, match=r"winnow: eta = 0.0 must be a finite number above 0"):
        Winnow(eta=0.0)
    with pytest.raises(InputError, match="perceptron: margin = -1 must be"):
        Perceptron(margin=-1)
    with pytest.raises(InputError, match="p-norm: order = 'random' is not known; use cyclic or shuffled"):
        PNorm(order="random")
