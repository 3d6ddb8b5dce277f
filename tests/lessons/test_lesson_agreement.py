"""Answers to the exercises of the lessons from 13 on agree with the package, to ten digits and more."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier

import workbench as wb
from tests.lessons.test_lesson_answers import answer_of
from workbench.solvers.algorithms import sdca
from workbench.teaching.drawings import (
    few_of_many,
    grouped_features,
    relevant_features,
    road_problem,
    two_rings,
)

CLOSE = {"rel": 1e-10, "abs": 1e-10}


def test_bounds_and_rules_of_lesson_15():
    X, y, u = relevant_features(40, 3, 150, seed=0)
    bound = wb.bounds.perceptron(X, y, u)
    assert answer_of("15.1")(X, y, u) == pytest.approx(bound.bound, **CLOSE)
    winnow = wb.bounds.winnow(X, y, u / 3, eta=np.arctanh(1 / 3))
    assert answer_of("15.2")(u / 3, 1 / 3) == pytest.approx(winnow.bound, **CLOSE)
    run = answer_of("15.5")
    order = np.tile(np.arange(150), 2)
    for rule, same in (
        (2, wb.bounds.perceptron(X, y, u, order=order)),
        ("winnow", wb.bounds.winnow(X, y, u / 3, eta=np.arctanh(1 / 3), order=order)),
    ):
        flags, average = run(X, y, rule, 1.0 if rule == 2 else np.arctanh(1 / 3), 2)
        assert np.bincount(order, flags).tolist() == same.by_sample.tolist()
        assert flags.sum() <= same.bound
        scale = average.sum() / same.average.sum() if rule == "winnow" else 1.0
        assert average == pytest.approx(same.average * scale, **CLOSE)
    flags, average = run(X, y, 2, 1.0, 1)
    assert answer_of("15.3")(flags, X, y) == pytest.approx(average, **CLOSE)


def test_samples_left_out_in_lesson_15():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 6))
    y = np.sign(X[:, 0] + 0.7 * rng.normal(size=80))
    problem = wb.Problem(X, y, "hinge", lam=0.05)
    solution = wb.solve(problem, tol=1e-14, max_epochs=20_000)
    shown = wb.stability(problem, w=solution.w, alpha=solution.alpha)
    squares = np.sum(X**2, axis=1)
    may_err = answer_of("15.4")(y, X @ solution.w, solution.alpha, squares, problem.lam_n)
    assert may_err.sum() == pytest.approx(shown.errors[1], abs=1)
    ends = solution.alpha * squares / problem.lam_n
    assert np.abs(shown.prediction - np.sort([shown.z - 2 * ends, shown.z], axis=0).T).max() < 1e-5


def test_kernels_of_lesson_13():
    X, y = two_rings(50, seed=1)
    squared = wb.Problem(X, y, "squared", lam=0.1, kernel="polynomial:degree=2,gamma=1,coef0=1")
    K = (1 + X @ X.T) ** 2
    Phi = answer_of("13.2")(X)
    assert np.abs(Phi @ Phi.T - K).max() < 1e-10
    alpha = answer_of("13.1")(K, y, 0.1)
    assert wb.certificate(squared, alpha=alpha).gap == pytest.approx(0, abs=1e-12)
    hinge = wb.Problem(X, y, "hinge", lam=0.1, bias=True, kernel=squared.kernel)
    alpha = answer_of("13.4")(K, y, 0.1, 1e-3)
    certificate = wb.certificate(hinge, alpha=alpha)
    assert certificate.gap <= 1e-3
    assert answer_of("13.3")(K, y, alpha, certificate.b, 0.1) == pytest.approx(certificate.gap, **CLOSE)


def test_sparsemax_of_lesson_14():
    rng = np.random.default_rng(4)
    loss = wb.losses.fenchel_young("sparsemax")
    for z in 2 * rng.normal(size=(30, 5)):
        p = answer_of("14.1")(z)
        assert p == pytest.approx(loss.predict(z), **CLOSE)
        for label in range(5):
            due = loss.values(z[None, :], np.array([label]))[0]
            assert answer_of("14.2")(z, p, label) == pytest.approx(due, **CLOSE)


def test_norms_of_lesson_14():
    rng = np.random.default_rng(5)
    U = rng.normal(size=(4, 3))
    trace = wb.norms.Trace(columns=3).at(12)
    assert answer_of("14.3")(U, 0.7).ravel() == pytest.approx(trace.prox(U.ravel(), 0.7), **CLOSE)
    X, y, groups, _ = grouped_features(60, seed=2)
    sets = [list(map(int, np.flatnonzero(groups == g))) for g in range(12)]
    problem = wb.Problem(X, y, "squared", wb.norms.GroupL1L2(groups=sets), lam=0.5)
    w, alpha = answer_of("14.4")(X, y, groups, 0.5, 1e-6)
    certificate = wb.certificate(problem, w=w, alpha=alpha)
    assert certificate.gap <= 1e-6 + 1e-10
    assert certificate.alpha == pytest.approx(alpha, **CLOSE)


def test_screening_of_lesson_16():
    X, y, _ = few_of_many(60, 100, seed=3)
    problem = wb.Problem(X, y, "squared", "l1", lam=0.5)
    for tol in (1e-1, 1e-3, 1e-6):
        w = wb.solve(problem, "proximal-gradient", tol=tol, max_epochs=5000).w
        result = wb.screening(problem, w=w)
        point = result.certificate
        screened = answer_of("16.1")(X, point.alpha, 0.5, point.gap)
        assert screened.tolist() == (result.status == "discarded").tolist()
        assert result.radius == pytest.approx(2 * np.sqrt(60 * point.gap), rel=1e-6)
    alpha = 0.97 * point.alpha
    enough = answer_of("16.2")(X, alpha, 0.5)
    below = np.abs(X.T @ alpha) < 0.5 * 60
    for gap, every in ((0.999 * enough, True), (1.001 * enough, False)):
        screened = answer_of("16.1")(X, alpha, 0.5, gap)
        assert np.array_equal(screened, below) == every


@pytest.fixture(scope="module")
def rows():
    """Samples (60, 3) that no line separates, and their labels."""
    rng = np.random.default_rng(21)
    X = rng.normal(size=(60, 3))
    return X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=60) > 0, 1.0, -1.0)


@pytest.mark.parametrize("batch_size", [60, 20, 500])
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer", "ignore:Got `batch_size`")
def test_lambda_of_a_network_in_lesson_21(rows, batch_size):
    """With steps of no length, the loss of a pass is the mean of the objectives of its batches."""
    X, y = rows
    network = MLPClassifier(
        4, alpha=0.7, batch_size=batch_size, learning_rate_init=1e-12, max_iter=1, random_state=0
    ).fit(X, y)
    (V, w), (c, b) = network.coefs_, network.intercepts_
    lam = answer_of("21.2")(0.7, len(y), batch_size)
    problem = wb.Problem(answer_of("21.1")(X, V, c), y, "logistic", lam=lam, bias=True)
    last = wb.certificate(problem, w=w[:, 0], b=b[0]).primal
    assert last + lam / 2 * np.sum(V**2) == pytest.approx(network.loss_, rel=1e-7)


def test_gap_of_a_last_layer_in_lesson_21(rows):
    X, y = rows
    problem = wb.Problem(np.maximum(X, 0), y, "logistic", lam=0.05, bias=True)
    w = np.array([0.3, -0.2, 1.0])
    certificate = wb.certificate(problem, w=w)
    gap, radius = answer_of("21.3")(np.maximum(X, 0), y, w, certificate.b, 0.05)
    assert gap == pytest.approx(certificate.gap, rel=1e-8)
    best = wb.solve(problem, tol=1e-12)
    assert certificate.primal - best.primal <= gap
    assert np.linalg.norm(w - best.w) <= radius


def test_roads_of_lesson_16():
    X, y = road_problem("of equal size")
    problem = wb.Problem(X, y, "logistic", lam=0.1)
    rate = sdca.rate(problem)
    steps = answer_of("16.3")(X, 0.1, 0.25, 0.5, 1e-4)
    assert rate.gap(steps, 0.5) == pytest.approx(1e-4, rel=1e-8)
    alpha, gaps = answer_of("16.4")(X, y, 0.1, 1e-6)
    certificate = wb.certificate(problem, w=X.T @ alpha / problem.lam_n, alpha=alpha)
    assert gaps[-1] == pytest.approx(certificate.gap, **CLOSE)
