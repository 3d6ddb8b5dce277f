"""Mistake bounds: never crossed on random streams, met with equality where they can be, refused elsewhere."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.solvers import Perceptron, PNorm, Winnow

# Relative rounding of a bound; no mistake lies within it.
ROUNDING = 1.0 + 1e-12
STREAMS = amount(150, 10_000)


def draw(rng):
    """A random stream with comparators: X, u in the simplex, u with signs, flipped labels, the order."""
    n, d = int(rng.integers(1, 40)), int(rng.integers(1, 12))
    kind = rng.integers(4)
    X = rng.normal(size=(n, d)) if kind == 0 else rng.choice([-1.0, 0.0, 1.0], size=(n, d))
    if kind == 2:
        X *= rng.random((n, d)) < 0.3
    if kind == 3:
        X = np.eye(max(n, d))[:n, :d] * rng.choice([-1.0, 1.0], size=(n, 1))
    u = rng.dirichlet(np.full(d, 0.3))
    signed = u * rng.choice([-1.0, 1.0], size=d)
    flipped = rng.random(n) < rng.choice([0.0, 0.2])
    order = rng.integers(n, size=int(rng.integers(1, 120)))
    return X, u, signed, flipped, order


def checked(rng):
    """(rule, mistakes / bound) of each bound on one random stream."""
    X, u, signed, flipped, order = draw(rng)
    for name in ("perceptron", "p_norm", "winnow"):
        comparator = u if name == "winnow" else signed
        rows = X / max(1.0, np.abs(X).max()) if name == "winnow" else X
        z = rows @ comparator
        y = np.where(flipped, -1.0, 1.0) * np.where(z < 0.0, -1.0, 1.0)
        reached = (y * z)[order]
        options = {"order": order}
        if not reached.min() > 0.0:
            options["margin"] = float(rng.uniform(0.05, 0.6))
        if name == "p_norm":
            options["p"] = float(rng.choice([2.0, 2.5, 4.0, 10.0]))
        if name == "winnow":
            options["mu"] = rng.uniform(0.1, 2.0, size=u.size)
            gamma = options.get("margin", reached.min())
            options["eta"] = float(np.arctanh(min(gamma, 0.99)) * rng.uniform(0.2, 1.5))
            if not options["eta"] * gamma > np.log(np.cosh(options["eta"])):
                continue
        result = getattr(wb.bounds, name)(rows, y, comparator, **options)
        yield name, result.mistakes, result.bound


def crossings(count, seed=0):
    """The streams, the crossings and how near each rule came to its bound."""
    nearest, seen, crossed = {}, 0, []
    for k in range(count):
        for name, mistakes, bound in checked(np.random.default_rng([seed, k])):
            seen += 1
            nearest[name] = max(nearest.get(name, 0.0), mistakes / bound if bound > 0.0 else 0.0)
            if mistakes > bound * ROUNDING:
                crossed.append((k, name, mistakes, bound))
    return seen, crossed, nearest


def test_bounds_hold_on_random_streams():
    seen, crossed, nearest = crossings(STREAMS)
    assert not crossed
    assert seen > 2 * STREAMS
    assert set(nearest) == {"perceptron", "p_norm", "winnow"}
    assert min(nearest.values()) > 0.05


def test_a_tiny_margin_has_its_bound_and_a_large_rate_overflows_nothing():
    """eta gamma - ln cosh eta is gamma^2 / 2 at eta = gamma, for a margin of 1e-11 too."""
    X = np.array([[1e-11, 1e-11], [1e-11, 1e-11]])
    result = wb.bounds.winnow(X, np.ones(2), [0.75, 0.25], 1e-11)
    divergence = np.log(2.0) + 0.75 * np.log(0.75) + 0.25 * np.log(0.25)
    assert result.bound == pytest.approx(divergence / 0.5e-22, rel=1e-9)
    assert wb.bounds.winnow(np.eye(2)[:1], [1.0], [1.0, 0.0], 1000.0).bound == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("T", [1, 3, 10])
def test_the_perceptron_meets_its_bound_on_orthonormal_streams(T):
    y = np.where(np.arange(T) % 3, 1.0, -1.0)
    result = wb.bounds.perceptron(np.eye(T), y, y)
    assert result.mistakes == T == result.bound
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(T, T)))[0]
    exact = wb.bounds.p_norm(np.eye(T), y, y, p=2)
    assert exact.bound == pytest.approx(T, rel=1e-14)
    # Rotated, a tie may round to a right answer, and no more than the bound is ever made.
    result = wb.bounds.perceptron(turned, y, turned.T @ y)
    assert result.mistakes <= result.bound * ROUNDING
    assert result.bound == pytest.approx(T, rel=1e-12)


def loop(transfer, X, y, order, eta):
    v, mistakes, total = np.zeros(X.shape[1]), 0, np.zeros(X.shape[1])
    for i in order:
        w = transfer(v)
        total += w
        if y[i] * (w @ X[i]) <= 0.0:
            v, mistakes = v + eta * y[i] * X[i], mistakes + 1
    return mistakes, transfer(v), total / len(order)


def test_mistakes_weights_and_averages_are_those_of_a_loop():
    rng = np.random.default_rng(1)
    X, order = rng.choice([-1.0, 0.0, 0.5, 1.0], size=(30, 6)), rng.integers(30, size=200)
    u = np.array([0.5, 0.25, 0.25, 0.0, 0.0, 0.0])
    y = np.where(X @ u > 0.0, 1.0, -1.0)

    def entropic(v):
        shares = np.exp(v)
        return 6.0 * shares / shares.sum()

    def quartic(v):
        norm = np.sum(v**4) ** 0.25
        return v**3 * norm**-2.0 if norm else v

    # The power of the regularizer is not 2 by itself; only signs count, and the direction.
    cases = (
        (wb.bounds.perceptron(X, y, u, order, margin=0.5), lambda v: v, 1.0),
        (wb.bounds.winnow(X, y, u, 0.2, order=order, margin=0.5), entropic, 0.2),
        (wb.bounds.p_norm(X, y, u, 4.0, order, margin=0.5), quartic, 1.0),
    )
    for result, transfer, eta in cases:
        mistakes, w, average = loop(transfer, X, y, order, eta)
        assert result.mistakes == mistakes == result.by_sample.sum() > 3
        scale = (result.w @ w) / (w @ w)
        np.testing.assert_allclose(result.w, scale * w, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(result.average, scale * average, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("solver", "regularizer"),
    [(Perceptron, "squared-l2"), (Winnow, "normalized-entropy"), (PNorm, "q-norm:q=1.5")],
)
def test_an_averaged_solver_is_the_mean_of_the_weights_that_predicted(solver, regularizer):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20, 4))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=20) > 0.0, 1.0, -1.0)
    p = wb.Problem(X, y, "hinge", regularizer, lam=0.1)
    last, mean = (wb.Run(p, solver(output=output)) for output in ("last", "average"))
    seen = []
    for _ in range(70):
        seen.append(last.state.w.copy())
        last.step()
    mean.step(70)
    np.testing.assert_allclose(mean.solver.weights(mean.state), np.mean(seen, axis=0), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(mean.state.w, last.state.w)
    with pytest.raises(InputError, match="output = 'best' is not known; use last or average"):
        solver(output="best")


def test_a_margin_that_some_samples_miss_counts_their_shortfall():
    X, y, u = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]]), np.ones(3), np.array([1.0, 1.0])
    result = wb.bounds.perceptron(X, y, u, margin=1.0)
    assert result.shortfall == 1.5
    # gamma M - L = R |u| M^(1/2) at the bound.
    assert result.bound - 1.5 == pytest.approx(np.sqrt(1.25 * 2.0 * result.bound), rel=1e-14)
    assert result.mistakes <= result.bound


EYE, ONES = np.eye(2), np.ones(2)
REFUSED = {
    "no margin": (
        lambda: wb.bounds.perceptron(EYE, ONES, [1.0, -1.0]),
        "sample 1 has y w.x = -1.*give margin=1",
    ),
    "zero": (lambda: wb.bounds.perceptron(EYE, ONES, [0.0, 0.0]), "w is zero"),
    "small p": (lambda: wb.bounds.p_norm(EYE, ONES, ONES, p=1.5), "p = 1.5 is below 2.*use p >= 2"),
    "large entries": (
        lambda: wb.bounds.winnow(3.0 * EYE, ONES, [0.5, 0.5], 0.1),
        "divide X by 3 and multiply eta by it",
    ),
    "no simplex": (lambda: wb.bounds.winnow(EYE, ONES, ONES, 0.1), "w has the sum 2.*divide w by its sum"),
    "negative": (
        lambda: wb.bounds.winnow(EYE, -ONES, [-0.5, 1.5], 0.1, margin=0.1),
        r"w\[0\] = -0.5.*use \[x, -x\]",
    ),
    "large eta": (
        lambda: wb.bounds.winnow(EYE, ONES, [0.5, 0.5], 5.0),
        r"eta = 5 is too large .*artanh\(gamma\) = 0.549",
    ),
    "prior": (lambda: wb.bounds.winnow(EYE, ONES, [0.5, 0.5], 0.1, mu=[1.0, 0.0]), r"mu\[1\] = 0; .*above 0"),
    "order": (
        lambda: wb.bounds.perceptron(EYE, ONES, ONES, order=[0, 2]),
        "order holds 2, which is not",
    ),
    "no order": (lambda: wb.bounds.perceptron(EYE, ONES, ONES, order=[]), "not a list of rows"),
    "labels": (lambda: wb.bounds.perceptron(EYE, [0.0, 1.0], ONES), "y"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_streams_without_a_bound_are_refused_with_the_condition(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_dividing_the_entries_and_multiplying_eta_leaves_the_rule_as_it_is():
    rng = np.random.default_rng(4)
    X = rng.choice([-1.0, 0.0, 1.0], size=(40, 5))
    y = np.where(X[:, 0] + X[:, 1] > 0.0, 1.0, -1.0)
    p, scaled = (wb.Problem(rows, y, "hinge", "normalized-entropy") for rows in (4.0 * X, X))
    one, other = (wb.Run(q, Winnow(eta=eta)) for q, eta in ((p, 0.125), (scaled, 0.5)))
    one.step(200)
    other.step(200)
    np.testing.assert_array_equal(one.state.mistakes, other.state.mistakes)
