"""Stability: bounds against refits, leave-one-out from one solve, the counterexample with a free bias."""

import itertools

import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import amount
from workbench._support.errors import InputError

LOSSES = ("hinge", "logistic", "squared")
REGULARIZERS = ("squared-l2", "elastic-net:epsilon=0.2", "normalized-entropy:mu=0.5")
REFITS = amount(18, 500)
# The gap of a refit, and of the solve that the bounds come from: 0 stands for the best that there is.
EXACT, TOLERANCES = 1e-12, (1e-12, 1e-6, 1e-2)
# The multiples of a sample that the bound of its prediction is the best of.
T = np.geomspace(1e-4, 1e3, 701)


def problem(loss, regularizer, rng, n=25, d=4):
    X = rng.normal(size=(n, d))
    score = X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)
    y = score if loss == "squared" else np.where(score > 0.0, 1.0, -1.0)
    embed = "balanced" if "entropy" in regularizer else None
    return wb.Problem(X, y, loss, regularizer, lam=float(10.0 ** rng.uniform(-2.0, 0.0)), embed=embed)


def without(p, i):
    """The problem without sample i, with the same lam n."""
    others = np.arange(p.n_samples) != i
    X = p.rows.toarray()[:, : p.n_features]
    lam = p.lam * p.n_samples / (p.n_samples - 1)
    return wb.Problem(X[others], p.y[others], p.loss, p.regularizer, lam=lam, embed=p.embed)


def bregman(p, a, b):
    """D(a, b) of the regularizer, from its values alone: b is inside the domain."""
    g = {
        "squared-l2": lambda w: 0.5 * w @ w,
        "elastic-net": lambda w: 0.2 * np.abs(w).sum() + 0.5 * w @ w,
        "normalized-entropy": lambda w: float(np.sum(w * np.log(np.maximum(w, 1e-300) / 0.5))),
    }[p.regularizer.name]
    slope = {
        "squared-l2": lambda w: w,
        "elastic-net": lambda w: 0.2 * np.sign(w) + w,
        "normalized-entropy": lambda w: np.log(np.maximum(w, 1e-300) / 0.5) + 1.0,
    }[p.regularizer.name]
    return g(a) - g(b) - slope(b) @ (a - b)


def refit(seed):
    """One refit: shares of the bounds that the change of a refit takes up, at most 1 each."""
    rng = np.random.default_rng(seed)
    loss, regularizer = list(itertools.product(LOSSES, REGULARIZERS))[seed % 9]
    p = problem(loss, regularizer, rng)
    i = int(rng.integers(p.n_samples))
    tol = TOLERANCES[seed % 3] if seed % 2 else EXACT
    solution = wb.solve(p, "gauss-seidel", tol=tol, max_epochs=200_000)
    bounds = wb.stability(p, alpha=solution.alpha, w=None if p.embed else solution.w, samples=[i])
    reduced = without(p, i)
    again = wb.solve(reduced, "gauss-seidel", tol=EXACT, max_epochs=200_000)
    # How far the refit may be from its optimum, in the same divergence.
    missed = again.gap / reduced.lam
    w, new = bounds.certificate.w, again.w_embedded
    x = p.rows[[i]].toarray().ravel()
    slack = np.sqrt(2.0 * missed * max(x @ x, 1.0))
    if p.embed:
        slack = slack * np.sqrt(4.0 * np.abs(w).sum())
    low, high = bounds.prediction[0]
    shares = [(x @ new - 0.5 * (low + high)) / (0.5 * (high - low) + slack)]
    if np.isfinite(bounds.distance[0]):
        shares.append(np.linalg.norm(w - new) / (bounds.distance[0] + slack))
    else:
        shares.append(bregman(p, w, new) / (bounds.divergence[0] + slack * (1.0 + np.abs(np.log(new)).max())))
    return np.abs(shares)


@pytest.mark.parametrize("seed", range(REFITS))
def test_every_refit_stays_within_its_bounds(seed):
    assert (refit(seed) <= 1.0 + 1e-9).all()


def test_the_bound_of_an_exact_solve_is_the_dual_variable_times_the_length():
    rng = np.random.default_rng(0)
    p = problem("logistic", "squared-l2", rng)
    solution = wb.solve(p, "newton", tol=1e-15)
    bounds = wb.stability(p, w=solution.w, alpha=solution.alpha)
    lengths = np.linalg.norm(p.rows.toarray(), axis=1)
    np.testing.assert_allclose(bounds.distance, np.abs(solution.alpha) * lengths / p.lam_n, rtol=1e-6)
    # The divergences of both directions together, as a refit shows them.
    for i in (0, 7):
        new = wb.solve(without(p, i), "newton", tol=1e-15).w
        moved = solution.w - new
        assert p.lam * moved @ moved <= solution.alpha[i] / p.n_samples * (p.rows[[i]] @ moved)[0] * (
            1 + 1e-9
        )


def test_a_solve_that_stopped_early_pays_with_its_gap():
    """lam [D + D] <= (alpha_i / n) x_i.(w - w') + (1/n) sum of the other terms, at any point whatever."""
    rng = np.random.default_rng(3)
    p = problem("logistic", "squared-l2", rng)
    for _ in range(10):
        judged = wb.certificate(p, w=rng.normal(size=4), alpha=p.y * rng.uniform(0.01, 0.99, size=25))
        i = int(rng.integers(25))
        new = wb.solve(without(p, i), "newton", tol=1e-15).w
        v, w = p.dual_vector(judged.alpha), judged.w
        both = 0.5 * (new @ new - w @ w) - v @ (new - w) + 0.5 * (w - new) @ (w - new)
        others = judged.sample_terms.sum() - judged.sample_terms[i]
        limit = judged.alpha[i] / p.n_samples * (p.rows[[i]] @ (w - new))[0] + others
        assert p.lam * both <= limit * (1.0 + 1e-9)
        bounds = wb.stability(p, w=w, alpha=judged.alpha, samples=[i])
        assert np.linalg.norm(w - new) <= bounds.distance[0]
        low, high = bounds.prediction[0]
        assert low <= (p.rows[[i]] @ new)[0] <= high


@pytest.mark.parametrize("regularizer", REGULARIZERS[1:])
def test_a_prediction_is_bounded_by_the_best_of_all_t(regularizer):
    p = problem("logistic", regularizer, np.random.default_rng(4))
    solution = wb.solve(p, "gauss-seidel", tol=1e-6)
    bounds = wb.stability(p, alpha=solution.alpha)
    for i, room in enumerate(bounds.reduced_gap / p.lam):
        x = p.rows[[i]].toarray().ravel()
        v = p.dual_vector(solution.alpha) - solution.alpha[i] * x / p.lam_n
        for side, bound in zip((-1.0, 1.0), bounds.prediction[i], strict=True):
            rise = [p.transfer.map(v + side * t * x)[0] for t in T]
            best = np.min((room + np.array(rise) - p.transfer.map(v)[0]) / T)
            assert side * bound == pytest.approx(best, rel=1e-3, abs=1e-3)


def test_a_sample_without_a_dual_variable_leaves_the_certificate_as_it_is():
    p = problem("hinge", "squared-l2", np.random.default_rng(5))
    solution = wb.solve(p, "gauss-seidel", tol=1e-12, max_epochs=200_000)
    idle = np.flatnonzero(solution.alpha == 0.0)
    assert idle.size > 3
    bounds = wb.stability(p, w=solution.w, alpha=solution.alpha, samples=idle)
    for i, gap in zip(idle, bounds.reduced_gap, strict=True):
        others = np.arange(p.n_samples) != i
        reduced = wb.certificate(without(p, i), w=solution.w, alpha=solution.alpha[others])
        # The new objective is the old one over n - 1 in place of n.
        assert reduced.gap * (p.n_samples - 1) / p.n_samples == pytest.approx(gap, rel=1e-3, abs=1e-14)
        assert gap <= solution.gap + 1e-13


@pytest.mark.parametrize("loss", LOSSES)
def test_leave_one_out_from_one_solve_holds_the_refits_between(loss):
    rng = np.random.default_rng(6)
    p = problem(loss, "squared-l2", rng, n=12).replace(lam=2.0)
    solution = wb.solve(p, "auto", tol=1e-10, max_epochs=200_000)
    bounds = wb.stability(p, w=solution.w, alpha=solution.alpha)
    refits = [wb.solve(without(p, i), tol=1e-10, max_epochs=200_000) for i in range(12)]
    z = np.array([(p.rows[[i]] @ refits[i].w)[0] for i in range(12)])
    losses = [p.loss.scalar("value")(u, p.loss.theta) for u in p.argument(z)]
    low, high = bounds.loss
    assert low - 1e-5 <= np.mean(losses) <= high + 1e-5
    assert high - low < 2.0 * np.mean(losses)
    if loss == "squared":
        with pytest.raises(InputError, match="predicts no labels -1 and"):
            _ = bounds.errors
    else:
        sure, possible = bounds.errors
        assert sure <= np.sum(p.y * z <= 0.0) <= possible <= 12


@pytest.mark.parametrize("regularizer", ["normalized-entropy:mu=1.0", "entropy:mu=0.1", "q-norm:q=1.5"])
def test_the_best_solve_there_is_leaves_room_for_rounding(regularizer):
    """With a gap of 1e-15 the interval of a prediction is as narrow as numbers are, and holds it still."""
    d = wb.data.load("breast-cancer")
    embed = "balanced" if "entropy" in regularizer else None
    p = wb.Problem(d.X, d.y, "hinge", regularizer, lam=0.1, bias="constant", embed=embed)
    solution = wb.solve(p, "gauss-seidel", tol=1e-14, max_epochs=2000)
    idle = np.flatnonzero(solution.alpha == 0.0)[:40]
    bounds = wb.stability(p, alpha=solution.alpha, samples=idle)
    low, high = bounds.prediction.T
    assert (low <= bounds.z).all()
    assert (bounds.z <= high).all()
    assert (high - low <= 1e-3 * (1.0 + np.abs(bounds.z))).all()


def test_kernels_and_classes_have_their_bounds():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(15, 3))
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    linear, kernel = (wb.Problem(X, y, "hinge", lam=0.05, kernel=name) for name in (None, "linear"))
    solution = wb.solve(linear, "gauss-seidel", tol=1e-10, max_epochs=10_000)
    one, other = wb.stability(linear, alpha=solution.alpha), wb.stability(kernel, alpha=solution.alpha)
    # Their intervals round differently, which shows where nothing else is left.
    np.testing.assert_allclose(one.distance, other.distance, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(one.prediction, other.prediction, rtol=1e-4, atol=1e-8)
    classes = np.arange(15) % 3
    for regularizer in ("squared-l2", "elastic-net:epsilon=0.1"):
        p = wb.Problem(X, classes, "multinomial", regularizer, lam=0.05)
        solution = wb.solve(p, tol=1e-10)
        bounds = wb.stability(p, w=solution.w, alpha=solution.alpha, samples=[2, 9])
        assert bounds.prediction.shape == (2, 3, 2)
        for k, i in enumerate((2, 9)):
            others = np.arange(15) != i
            loss, lam = "multinomial:classes=3", 0.05 * 15 / 14
            reduced = wb.Problem(X[others], classes[others], loss, regularizer, lam=lam)
            new = wb.solve(reduced, tol=1e-10).w
            assert np.linalg.norm(solution.w - new) <= bounds.distance[k] + 1e-4
            z = X[i] @ new
            assert (bounds.prediction[k, :, 0] - 1e-4 <= z).all()
            assert (z <= bounds.prediction[k, :, 1] + 1e-4).all()


def test_with_a_free_bias_the_statement_is_false_and_refused():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([5.0, 0.0, 0.0])
    p = wb.Problem(X, y, "squared", lam=0.1, bias=True)
    solution = wb.solve(p, tol=1e-12)
    new = wb.solve(wb.Problem(X[1:], y[1:], "squared", lam=0.15, bias=True), tol=1e-12)
    # The bound |alpha_i| |x_i| / (lam n) is 0, since x_i is.
    assert abs(solution.w[0] - new.w[0]) > 1.0
    with pytest.raises(InputError, match=r"with a free bias the statement is false.*\(0, 5\), \(1, 0\)"):
        wb.stability(p, w=solution.w)


REFUSED = {
    "a norm": ({"regularizer": "l1"}, {}, "the norm l1 is not strictly convex"),
    "a sample": ({}, {"samples": [0, 6]}, "there is no sample 6; give some of 0 to 5"),
    "no numbers": ({}, {"samples": [0.5]}, "are not whole numbers"),
    "constraints": ({"constraints": (np.ones((1, 2)), [0.0])}, {}, "constraints are not taken"),
}


@pytest.mark.parametrize(("options", "arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_problems_without_a_stability_bound_are_refused(options, arguments, message):
    X = np.random.default_rng(0).normal(size=(6, 2))
    p = wb.Problem(X, np.ones(6), "squared", **options)
    with pytest.raises(InputError, match=message):
        wb.stability(p, w=np.zeros(2), **arguments)
