"""Intervals of certificates hold the value in 50 digits, whatever the scales and offsets of the data."""

import collections
import fractions
import warnings

import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers import naive
from workbench._support.errors import ConvergenceWarning, InputError, WorkbenchWarning
from workbench.certificates import certify, exact_duals

PROBLEMS, ALL_PROBLEMS = 120, 2000
TARGETS = (
    "squared",
    "huber:delta=0.7",
    "epsilon-insensitive:epsilon=0.1",
    "epsilon-insensitive:epsilon=0.1,p=2",
)
LABELS = ("hinge", "squared-hinge", "hinge:p=1.5", "smoothed-hinge", "logistic")
LOSSES = (*TARGETS, *LABELS, "multinomial")
REGULARIZERS = (
    "squared-l2",
    "elastic-net:epsilon=0.1",
    "q-norm:q=1.5",
    "p-norm:p=1.5",
    "entropy:mu=0.3",
    "normalized-entropy:mu=0.3",
    "l1",
    "l2",
    "linf",
    "group-l1l2:size=2",
    "trace",
)
DEGENERATE = ("none", "zero", "one sample", "one feature", "equal labels", "duplicates", "rank 0")


def regularizer_of(name, w):
    """g(w) in mpmath; w is an array of mpf, (d,) or (d, r)."""
    if name == "trace":
        matrix = mpmath.matrix(w.tolist()) if w.ndim == 2 else mpmath.matrix(list(w))
        return mpmath.fsum(mpmath.svd_r(matrix, compute_uv=False))
    if w.ndim == 2 and name.startswith("group"):
        name = f"group-l1l2:size={2 * w.shape[1]}"
    return naive.regularizer_value(name, list(w.ravel()))


def exact_value(p, loss, regularizer, w, b):
    """P(w, b) of the floats as they are stored, in 50 digits."""
    with mpmath.workdps(50):
        to = np.vectorize(mpmath.mpf, otypes=[object])
        X, w = to(p.rows.toarray()), to(np.asarray(w))
        if regularizer.startswith("normalized"):
            w = w * (mpmath.mpf(0.3) * w.size / mpmath.fsum(w.ravel()))
        z = X.dot(w) + (to(np.asarray(b)) if p.columns else mpmath.mpf(float(b)))
        total = mpmath.fsum(
            mpmath.mpf(float(c))
            * naive.loss_value(loss, list(row) if p.columns else row, mpmath.mpf(float(y)))
            for row, y, c in zip(z, p.y, p.weight, strict=True)
        )
        return total / p.n_samples + mpmath.mpf(p.lam) * regularizer_of(regularizer, w)


def drawn(rng):
    """A problem with its names, or None for a combination that is refused."""
    loss, regularizer = rng.choice(LOSSES), rng.choice(REGULARIZERS)
    case, bias = rng.choice(DEGENERATE), (False, True)[rng.integers(2)]
    n, d = int(rng.integers(2, 14)), int(rng.choice([2, 4]))
    n, d = 1 if case == "one sample" else n, 1 if case == "one feature" else d
    X = rng.normal(size=(n, d))
    if case == "duplicates":
        X = np.vstack([X, X])[:, [0] * d]
    if case == "rank 0":
        X = np.zeros((n, d))
    if rng.integers(2):
        X = X + 10.0 ** rng.uniform(0.0, 14.0) * rng.choice([-1.0, 1.0])
    X *= 10.0 ** rng.uniform(-12.0, 12.0) if rng.integers(3) == 0 else 1.0
    y = rng.integers(0, 3, X.shape[0]).astype(float) if loss == "multinomial" else rng.normal(size=X.shape[0])
    if loss in TARGETS and rng.integers(2):
        y += 10.0 ** rng.uniform(0.0, 12.0)
    if loss in LABELS:
        y = np.where(y > 0.0, 1.0, -1.0)
    y = np.full_like(y, y[0]) if case == "equal labels" else y
    weight = rng.uniform(0.5, 2.0, X.shape[0]) if rng.integers(3) == 0 else None
    lam = 10.0 ** rng.uniform(-6.0, 1.0)
    lam = 1e6 * lam if case == "zero" else lam
    return loss, regularizer, wb.Problem(X, y, loss, regularizer, lam, bias=bias, sample_weight=weight)


def points(p, rng):
    """Points to certify: where a solver ends, and somewhere else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WorkbenchWarning)
        solution = wb.solve(p, tol=1e-10, max_epochs=60)
    b = solution.b if p.free_bias else None
    yield solution.w, b, solution.alpha
    if p.regularizer.name not in ("normalized-entropy",):
        yield solution.w * rng.uniform(0.5, 1.5, np.shape(solution.w)), b, None


def judged(count, seed=0):
    """Certify `count` problems; return the intervals, the false ones and the reasons for missing ones."""
    rng, seen, false, reasons = np.random.default_rng(seed), 0, [], collections.Counter()
    while seen < count:
        try:
            loss, regularizer, p = drawn(rng)
            certified = [wb.certificate(p, w=w, b=b, alpha=alpha) for w, b, alpha in points(p, rng)]
        except InputError:
            continue
        values = [exact_value(p, loss, regularizer, at.w, at.b) for at in certified]
        for certificate, value in zip(certified, values, strict=True):
            seen += 1
            if certificate.interval is None:
                reasons[certificate.interval_reason] += 1
                continue
            lower, upper = certificate.interval
            if not (value <= upper and lower <= min(values)):
                false.append((loss, regularizer, p, certificate))
    return seen, false, reasons


def test_intervals_hold_the_value_in_fifty_digits():
    seen, false, reasons = judged(PROBLEMS)
    assert false == []
    assert sum(reasons.values()) <= 0.1 * seen, reasons


@pytest.mark.long
def test_intervals_of_2000_problems_hold():
    assert judged(ALL_PROBLEMS, seed=1)[1] == []


def ridge(p):
    """inf P of a squared loss with squared l2, in rationals."""
    rational = np.vectorize(lambda x: fractions.Fraction(float(x)), otypes=[object])
    X, y, lam = rational(p.rows.toarray()), rational(p.y), fractions.Fraction(p.lam)
    n, d = X.shape
    if p.free_bias:
        X = np.hstack([X, rational(np.ones((n, 1)))])
    A = X.T.dot(X) * 2 / n
    for j in range(d):
        A[j, j] += lam
    w = eliminated(A, X.T.dot(y) * 2 / n)
    r = X.dot(w) - y
    return r.dot(r) / n + lam * w[:d].dot(w[:d]) / 2


def eliminated(A, b):
    """The solution of A x = b in rationals."""
    A, b = A.copy(), b.copy()
    for k in range(len(b)):
        pivot = next(i for i in range(k, len(b)) if A[i, k])
        A[[k, pivot]], b[[k, pivot]] = A[[pivot, k]], b[[pivot, k]]
        for i in range(len(b)):
            if i != k:
                factor = A[i, k] / A[k, k]
                A[i], b[i] = A[i] - factor * A[k], b[i] - factor * b[k]
    return b / A.diagonal()


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("offset", [1e6, 1e8, 1e10, 1e11, 1e12, 1e13, 1e14])
def test_the_optimum_of_a_ridge_with_an_offset_is_between(bias, offset):
    rng = np.random.default_rng(int(np.log10(offset)))
    X, y = rng.normal(size=(8, 3)) + offset, rng.normal(size=8)
    p = wb.Problem(X, y, "squared", "squared-l2", lam=1e-3, bias=bias)
    solution = wb.solve(p, tol=1e-8, max_epochs=200)
    lower, upper = solution.interval
    assert lower <= ridge(p) <= upper
    if solution.status == "converged":
        assert upper - lower <= 1e-8 * max(abs(solution.primal), abs(solution.dual))


def test_cancellation_in_a_prediction_widens_the_interval():
    p = wb.Problem([[1e16, 1.0, -1e16]], [0.0], "squared", "squared-l2", lam=1e-3)
    certificate = wb.certificate(p, w=[1.0, 1.0, 1.0])
    assert certificate.primal == pytest.approx(0.0015)
    assert certificate.interval[0] <= 0.0
    assert certificate.interval[1] >= 1.0015
    lower, upper = wb.certificate(p, w=[1.0, 1.0, 1.0], rigorous=True).interval
    assert lower <= 0.0
    assert 1.0015 <= upper <= 1.0015001


@pytest.mark.parametrize(("regularizer", "says"), [("squared-l2", True), ("trace", False)])
def test_a_gap_within_rounding_names_the_balls_where_there_are_some(regularizer, says):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    p = wb.Problem(X, y, "squared", regularizer, lam=1e-2)
    with pytest.warns(ConvergenceWarning) as caught:
        solution = wb.solve(p, "conjugate-gradient" if says else "proximal-gradient", tol=1e-15)
    sentence = str(caught[0].message)
    assert solution.status == "precision"
    assert solution.relative_gap <= 1e-15
    assert ("rigorous=True" in sentence, "rigorous=True" in solution.notice) == (says, says)
    if says:
        certificate = wb.certificate(p, w=solution.w, alpha=solution.alpha)
        closer = wb.certificate(p, w=solution.w, alpha=solution.alpha, rigorous=True)
        assert closer.relative_interval <= 0.1 * certificate.relative_interval


def test_a_run_that_rounding_ends_says_so():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    p = wb.Problem(X, y, "squared", "squared-l2", lam=1e-2)
    solution = wb.solve(p, tol=1e-17)
    assert solution.status in ("precision", "stalled", "max_epochs")
    assert solution.status != "precision" or "standardize" in solution.notice
    run = wb.Run(p, "conjugate-gradient")
    assert run.until(gap=1e-10) == "converged"
    assert run.last.relative_interval <= 1e-10


@pytest.mark.parametrize("part", [7, 60])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared", "multinomial"])
def test_dual_points_are_feasible_as_they_are_stored(loss, bias, part, monkeypatch):
    monkeypatch.setattr(exact_duals, "PART", part)
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    y = rng.integers(0, 3, 60).astype(float) if loss == "multinomial" else y
    y = np.where(y > 0.0, 1.0, -1.0) if loss in LABELS else y
    p = wb.Problem(X, y, loss, lam=0.01, bias=bias, sample_weight=rng.uniform(0.5, 2.0, 60))
    solution = wb.solve(p, tol=1e-4)
    monkeypatch.setattr(exact_duals, "PART", 60)
    whole = wb.certificate(p, solution.w, solution.b if bias else None, solution.alpha)
    np.testing.assert_allclose(solution.interval, whole.interval, rtol=1e-13)
    monkeypatch.setattr(exact_duals, "PART", part)
    alpha = exact_duals.exact(p, solution.alpha)
    assert np.abs(alpha - solution.alpha).max() <= 1e-11 * np.abs(alpha).max()
    exact = np.vectorize(fractions.Fraction, otypes=[object])(alpha)
    if bias:
        assert not np.any(exact.sum(axis=0))
    if loss == "multinomial":
        assert not np.any(exact.sum(axis=1))
        shares = -exact / np.vectorize(fractions.Fraction)(p.weight)[:, None]
        shares[np.arange(60), p.labels] += 1
        assert min(shares.ravel()) >= 0
    elif loss in LABELS:
        shares = exact * np.vectorize(fractions.Fraction)(p.y) / np.vectorize(fractions.Fraction)(p.weight)
        assert min(shares) >= 0
        assert max(shares) <= 1


@pytest.mark.parametrize(
    "regularizer", ["squared-l2", "elastic-net", "l1", "q-norm:q=1.5", "sparse-group:size=2"]
)
@pytest.mark.parametrize("loss", ["hinge", "logistic", "multinomial"])
def test_balls_give_a_narrower_interval_within(loss, regularizer):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(20, 4)), rng.integers(0, 2, 20).astype(float)
    y = y if loss == "multinomial" else 2.0 * y - 1.0
    p = wb.Problem(X, y, loss, regularizer, lam=0.05, bias=True)
    solution = wb.solve(p, tol=1e-8, max_epochs=200)
    point = {"w": solution.w, "b": solution.b, "alpha": solution.alpha}
    wide = wb.certificate(p, **point).interval
    lower, upper = wb.certificate(p, **point, rigorous=True).interval
    assert wide[0] <= lower <= upper <= wide[1]


@pytest.mark.parametrize("rigorous", [False, True])
def test_weights_beside_their_set_count_with_columns_far_from_zero(rigorous):
    X, y = np.full((8, 4), 2.2970032274e11), np.where(np.arange(8) % 2, 1.0, -1.0)
    p = wb.Problem(X, y, "hinge:p=1.5", "normalized-entropy:mu=0.3", lam=8e-6, bias=True)
    w = np.array([0.0, 0.37739005, 0.66423699, 0.15837296]) * (1.0 + 1e-14)
    b = -275640387972.3185
    certificate = wb.certificate(p, w=w, b=b, rigorous=rigorous)
    assert certificate.interval[1] >= exact_value(p, "hinge:p=1.5", "normalized-entropy:mu=0.3", w, b)


def test_a_missing_interval_has_a_reason():
    X, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    p = wb.Problem(X, y, "squared", lam=0.1, constraints=(np.ones((1, 3)), [0.0]))
    certificate = wb.certificate(p, w=[0.0, 0.0, 0.0])
    assert certificate.interval is None
    assert "constraints" in certificate.interval_reason
    kernel = wb.Problem(X, y, "hinge", lam=0.1, kernel="rbf")
    assert wb.certificate(kernel, alpha=[0.1, 0.0, 0.0]).interval is not None
    certificate = wb.certificate(kernel, alpha=[0.1, 0.0, 0.0], rigorous=True)
    assert certificate.interval is None
    assert "kernels" in certificate.interval_reason


def test_columns_of_many_classes_are_balanced():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(400, 5)), rng.integers(0, 7, 400).astype(float)
    p = wb.Problem(X, y, "multinomial", lam=0.01, bias=True)
    # Shares as small as these leave a column more room than a whole number of 64 bits holds in all.
    alpha = wb.certificate(p, w=np.zeros((5, 7))).alpha * 1e-9
    exact = np.vectorize(fractions.Fraction, otypes=[object])(exact_duals.exact(p, alpha))
    assert not np.any(exact.sum(axis=0))
    assert not np.any(exact.sum(axis=1))


@pytest.mark.parametrize("bias", [False, True])
def test_a_given_kernel_matrix_has_its_interval(bias):
    rng = np.random.default_rng(8)
    A = rng.normal(size=(12, 5))
    K, y = A @ A.T, np.where(A[:, 0] > 0.0, 1.0, -1.0)
    p = wb.Problem(K, y, "hinge", lam=0.05, bias=bias, kernel="precomputed")
    solution = wb.solve(p, tol=1e-9, max_epochs=5000)
    linear = wb.Problem(A, y, "hinge", lam=0.05, bias=bias)
    value = certify(
        linear,
        linear.transfer.map(linear.dual_vector(solution.alpha))[1],
        solution.alpha,
        solution.b if bias else None,
    )
    lower, upper = solution.interval
    # K rounds once more than the products of A.
    assert lower - 1e-12 <= value.dual
    assert value.primal <= upper + 1e-12
    assert upper - lower <= 1e-8
