"""Extreme data, the ways a run may end, refusals, and how often the kernel is compiled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.helpers.amounts import amount
from tests.helpers.cases import LOSSES, REGULARIZERS, problem, samples, solver
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import GaussSeidel

# D is a difference of sums whose rounding is that of v, of the loss and of h.
ROUNDING = 1e-11
EXTREME = (*REGULARIZERS, "q-norm:q=1.01", "q-norm:q=1.1", "q-norm:q=2,power=4")


def assert_monotone(p, run, steps):
    """D never rises, and the event tells its change."""
    before = run.certificate().dual
    for _ in range(steps):
        assert run.step() == 1
        after = run.certificate().dual
        h = p.transfer.map(run.state.v)[0]
        total = p.lam * p.transfer.theta[1] if p.regularizer.name == "normalized-entropy" else 0.0
        rounding = ROUNDING * (abs(before) + abs(after) + p.lam * abs(h) + p.zero_value + total)
        if np.isfinite(before):
            assert after >= before - rounding
            assert run.last_event.dual_change == pytest.approx(before - after, rel=1e-7, abs=rounding)
        before = after


@settings(max_examples=amount(40, 120))
@given(st.data())
def test_the_dual_never_rises_on_extreme_data(data):
    draw = data.draw
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    X = rng.normal(size=(n, d)) * 10.0 ** draw(st.integers(-6, 6))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    p = Problem(
        X,
        y,
        draw(st.sampled_from(LOSSES)),
        draw(st.sampled_from(EXTREME)),
        lam=10.0 ** draw(st.floats(-6, 2)),
        embed=draw(st.sampled_from([None, "balanced"])),
        sample_weight=draw(st.none() | st.just(10.0 ** rng.uniform(-2, 2, size=n))),
    )
    updates = ["exact", "newton"] if p.curvature_bound is None else ["exact", "newton", "bounded"]
    assert_monotone(p, wb.Run(p, GaussSeidel(update=draw(st.sampled_from(updates)))), 3 * n)


@pytest.mark.parametrize("update", ["exact", "newton"])
def test_the_sum_of_exponentials_may_cancel_within_a_step(update):
    """With lam n = 1e-4 one step moves v by thousands: S loses all digits, or leaves the floats, midway."""
    X, labels, _ = samples(n=10, d=6, seed=4)
    for loss in ("hinge", "squared-hinge", "logistic", "squared"):
        p = Problem(X, labels, loss, "normalized-entropy:mu=0.3", lam=1e-5, embed="balanced")
        assert_monotone(p, wb.Run(p, GaussSeidel(update=update)), 40)


@pytest.mark.parametrize("size", [1e-6, 1e-4, 1.0, 1e4])
@pytest.mark.parametrize("update", ["exact", "newton", "bounded"])
def test_powers_of_a_hundred_neither_vanish_nor_overflow(update, size):
    """q = 1.01 has the dual exponent 101; the optimum scales with the data, so every size must reach it."""
    X, labels, _ = samples(n=10, d=3)
    p = Problem(size * X, labels, "hinge", "q-norm:q=1.01", lam=0.1 * size**2)
    solution = wb.solve(
        p, GaussSeidel(update=update), tol=1e-3 if update == "bounded" else 1e-6, max_epochs=4000
    )
    assert solution.status == "converged"
    reference = wb.solve(Problem(X, labels, "hinge", "q-norm:q=1.01", lam=0.1), tol=1e-8, max_epochs=4000)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-3 if update == "bounded" else 2e-6)
    # An empty row has no curvature, every other row has some.
    assert ((p.curvature_bound > 0.0) == (np.abs(X).sum(axis=1) > 0.0)).all()
    assert np.isfinite(p.curvature_bound).all()


def test_a_sum_near_the_square_root_of_the_largest_float_has_the_right_curvature():
    """If S^2 overflowed, the curvature of ln S would be lost, and Newton's steps would creep."""
    X = np.array([[4.0, 3.9], [-3.0, 3.0]])
    p = Problem(X, [1.0, 1.0], "smoothed-hinge", "normalized-entropy:mu=0.1", lam=0.001)
    run = wb.Run(p, GaussSeidel(order="cyclic"))
    # In the first step w.x is 0.8 at the most, so alpha is 0.2 and v some (400, 390): S = e^400.
    run.step()
    assert run.state.v.min() > 350.0
    assert 1e160 < run.state.sums[0] < 1e190
    run.step()
    # The second is at its minimizer, where p*'(nu) = 1 + nu is the margin.
    w = p.transfer.map(run.state.v)[1]
    assert 1.0 + p.nu(run.state.alpha)[1] == pytest.approx(w @ X[1], abs=ROUNDING)


def test_a_steep_loss_stays_inside_its_domain():
    """A gradient step too long for the logistic loss lands beside the ends, where the slopes are finite."""
    p = problem("logistic", "squared-l2")
    run = wb.Run(p, GaussSeidel(update="gradient", eta=10.0))
    ends = set()
    for _ in range(60):
        run.step()
        nu = p.nu(run.state.alpha)
        assert ((nu > -1.0) & (nu < 0.0)).all()
        assert np.isfinite([p.loss.scalar("conjugate_slope")(x, p.loss.theta) for x in nu]).all()
        ends |= {round(nu[run.last_event.index])}
    assert ends == {-1, 0}


# The ways a run may end


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", ["squared", "squared-hinge", "epsilon-insensitive:epsilon=0.3,p=2"])
@pytest.mark.parametrize("eta", [20.0, 1e300])
def test_a_learning_rate_that_diverges_is_named_and_the_best_point_kept(loss, regularizer, eta):
    p = problem(loss, regularizer)
    start = wb.Run(p).certificate()
    solution = wb.solve(p, GaussSeidel(update="gradient", eta=eta), max_epochs=2000)
    if solution.status != "diverged":
        # Bounded predictions may only make it bounce.
        assert regularizer in ("normalized-entropy:mu=0.3", "bounded:radius=0.2")
        return
    assert np.isfinite(solution.gap)
    assert solution.gap <= start.gap * (1.0 + ROUNDING)
    assert np.isfinite(solution.w).all()
    assert np.isfinite(solution.alpha).all()
    again = wb.certificate(p, alpha=solution.alpha)
    assert again.gap == pytest.approx(solution.gap, rel=1e-9)


def test_a_rule_that_moves_nothing_stalls():
    # lam n eta = 0.12 eta underflows.
    solution = wb.solve(problem("hinge", "squared-l2", lam=0.01), GaussSeidel(update="gradient", eta=5e-324))
    assert solution.status == "stalled"
    assert solution.epochs == 1
    assert solution.gap == pytest.approx(1.0)


def test_a_converged_run_stays_where_it_is():
    run = wb.Run(problem("hinge", "squared-l2"))
    assert run.until(gap=1e-6) == "converged"
    steps, rows = run.steps, len(run.rows)
    assert run.until(gap=1e-6) == "converged"
    assert (run.steps, len(run.rows)) == (steps, rows)


# Refusals


@pytest.mark.parametrize(
    ("regularizer", "name"),
    [("entropy:mu=0.3", "Entropy"), ("q-norm:q=3,power=1.5", "QNorm"), ("q-norm:q=3", "QNorm")],
)
def test_a_bounded_update_without_a_bound_is_refused_by_name(regularizer, name):
    p = problem("hinge", regularizer)
    with pytest.raises(InputError, match=rf"'bounded' needs a bound .*{name}\(.*; use 'exact', 'newton' or"):
        wb.Run(p, solver("bounded"))


# Compilation


@pytest.mark.parametrize("epsilon", [0.1, 3.0])
@pytest.mark.parametrize("lam", [1e-6, 0.1, 10.0])
def test_a_steep_loss_gets_over_a_threshold(epsilon, lam):
    """For w = 0 up to |v| = epsilon, -ln z is infinite and its slope points to the end of floats."""
    X = np.abs(np.random.default_rng(3).normal(size=(12, 3))) + 0.1
    p = wb.Problem(X, np.zeros(12), "negative-log", f"elastic-net:epsilon={epsilon}", lam=lam)
    assert wb.solve(p, "gauss-seidel", tol=1e-6, max_epochs=5000).status == "converged"
