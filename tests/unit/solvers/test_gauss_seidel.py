"""The contract of dual Gauss-Seidel over every loss, regularizer, update and order."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import amount, pairs, product
from tests.helpers.cases import LOSSES, REGULARIZERS, UPDATES, applies, bits, problem, solver

STEPS = 30
# D and its change are differences of sums; this is their rounding relative to the parts.
ROUNDING = 1e-12
# v is kept by additions, here by a few dozen of them.
DRIFT = 1e-13
TOLERANCE = 1e-6
# What a slow rule reaches in a thousand epochs of these small problems.
SLOW = 0.1

WEIGHTS = np.linspace(0.2, 3.0, 12)
# Options of the problem and of the solver.
VARIANTS = {
    "cyclic": ({}, {"order": "cyclic"}),
    "shuffled": ({"lam": 0.01}, {"order": "shuffled"}),
    "embedded": ({"bias": "constant", "embed": "balanced"}, {}),
    "weighted": ({"sample_weight": WEIGHTS}, {"order": "cyclic"}),
    "scaled": ({"bias": "constant"}, {"scale": 0.1}),
}
MATRIX = [
    pytest.param(loss, regularizer, update, id=f"{loss}-{regularizer}-{update}")
    for loss in LOSSES
    for regularizer in REGULARIZERS
    for update in UPDATES
    if applies(update, regularizer)
]
matrix = pytest.mark.parametrize(("loss", "regularizer", "update"), product(MATRIX))
# Every combination with variants in turn, so that each variant meets every loss, regularizer and update.
SPREAD = [
    pytest.param(*entry.values, *VARIANTS[name], id=f"{entry.id}-{name}")
    for place, entry in enumerate(MATRIX)
    for name in [list(VARIANTS)[(place + turn) % 5] for turn in range(amount(1, 5))]
]


def varied(loss, regularizer, update, options, parameters):
    """Every pair of these, where the options of the problem and of the solver are one."""
    return pairs(loss, regularizer, update, str((options, parameters)))


spread = pytest.mark.parametrize(
    ("loss", "regularizer", "update", "options", "parameters"), product(SPREAD, varied)
)


def start(loss, regularizer, update, options, parameters, seed=5):
    return wb.Run(problem(loss, regularizer, **options), solver(update, **parameters), seed=seed)


def size_of(p, c, h):
    """Return the size to which the rounding of D is relative."""
    return abs(c.dual) + p.lam * abs(h) + p.zero_value + p.lam * (p.regularizer.name == "normalized-entropy")


@spread
def test_every_step_is_feasible_mirrored_and_explained(loss, regularizer, update, options, parameters):
    run = start(loss, regularizer, update, options, parameters)
    p, state = run.problem, run.state
    lower, upper = p.loss.entry["lower"], p.loss.entry["upper"]
    before = run.certificate()
    for _ in range(STEPS):
        alpha = state.alpha.copy()
        run.step()
        nu = p.nu(state.alpha)
        # Scaling by a sample's weight and back may round by one unit.
        assert nu.min() >= np.nextafter(lower, -np.inf)
        assert nu.max() <= np.nextafter(upper, np.inf)
        np.testing.assert_allclose(
            state.v, p.dual_vector(state.alpha), atol=DRIFT * np.abs(state.v).max() + DRIFT
        )
        h, w = p.transfer.map(state.v)
        first = (
            1.0
            if p.regularizer.entry["linear"]
            else p.regularizer.function("outer_slope")(state.sums[0], state.theta)
        )
        np.testing.assert_allclose(first * state.slopes if state.v.any() else w, w, rtol=1e-9, atol=1e-12)
        after, event = run.certificate(), run.last_event
        rounding = ROUNDING * (size_of(p, before, h) + size_of(p, after, h))
        changed = np.flatnonzero(state.alpha != alpha)
        assert set(changed) <= {event.index}
        assert event.alpha_before == alpha[event.index]
        assert event.alpha_after == state.alpha[event.index]
        assert event.dual_change == pytest.approx(before.dual - after.dual, abs=rounding)
        if run.solver.monotone:
            assert after.dual >= before.dual - rounding
        before = after


@matrix
def test_the_gap_falls_below_the_tolerance(loss, regularizer, update):
    for name in ("embedded", "weighted", "scaled") if update in ("exact", "newton") else ("weighted",):
        run = start(loss, regularizer, update, *VARIANTS[name])
        first = run.certificate().relative_gap
        if update in ("exact", "newton"):
            assert run.until(gap=TOLERANCE, max_epochs=20_000) == "converged"
            assert run.certificate().relative_gap <= TOLERANCE
        else:
            # A small learning rate or a loose bound is slow, but it goes the same way.
            run.until(gap=SLOW, max_epochs=1000)
            assert run.certificate().relative_gap <= SLOW < 0.5 * first


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_an_epoch_visits_every_sample_once(order):
    run = wb.Run(problem("hinge", "squared-l2"), solver("exact", order=order), seed=1)
    epochs = []
    for _ in range(3):
        visits = []
        for _ in range(12):
            run.step()
            visits.append(run.last_event.index)
        assert sorted(visits) == list(range(12))
        epochs.append(visits)
    assert (epochs[0] == epochs[1]) == (order == "cyclic")


def test_the_seed_fixes_the_order():
    runs = [wb.Run(problem("hinge", "squared-l2"), seed=seed) for seed in (7, 7, 8)]
    for run in runs:
        run.step(20)
    assert bits(runs[0].state) == bits(runs[1].state)
    assert (runs[0].state.alpha != runs[2].state.alpha).any()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_warm_start_goes_on_from_a_given_point(loss):
    p = problem(loss, "elastic-net:epsilon=0.2", sample_weight=WEIGHTS)
    solution = wb.solve(p, tol=1e-8, max_epochs=5000)
    run = wb.Run(p, warm_start=solution.alpha)
    np.testing.assert_allclose(run.state.alpha, solution.alpha, rtol=1e-15)
    assert run.until(gap=1e-6) == "converged"
    assert run.steps == 0
    outside = wb.Run(p, warm_start=np.full(12, 1e3))
    lower, upper = p.loss.interval
    assert ((p.nu(outside.state.alpha) >= lower) & (p.nu(outside.state.alpha) <= upper)).all()
