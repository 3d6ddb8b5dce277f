"""The maximal violating pair method: the contract, libsvm and CVXPY as oracles, shrinking and the cache."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

import workbench as wb
from tests.helpers.cases import in_parts, samples
from workbench._support.errors import InputError
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.algorithms import _pairs

ROUNDING = 1e-12
# Objectives of two solvers that both stop at their tightest.
AGREEMENT = 1e-6
SELECTIONS = ("first-order", "second-order")
KERNELS = ("linear", "rbf:gamma=0.3", "polynomial:degree=2,coef0=1", "precomputed")


def svm(kernel, n=60, d=4, lam=0.01, seed=0, **options):
    """A noisy problem, so that some variables end inside, some at both ends of their box."""
    X, labels, _ = samples(n=n, d=d, seed=seed)
    labels = labels * np.where(np.random.default_rng(seed).random(n) < 0.15, -1.0, 1.0)
    X = rbf_kernel(X, gamma=0.3) if kernel == "precomputed" else X
    return wb.Problem(X, labels, "hinge", lam=lam, bias=True, kernel=kernel, **options)


@pytest.mark.parametrize("shrinking", [True, False])
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_single_steps_equal_one_run_and_a_copied_one(kernel, selection, shrinking):
    p = svm(kernel)
    # The smallest cache that is allowed: two rows, so that rows come and go.
    solver = MaximalViolatingPair(1e-9, selection, shrinking, cache_bytes=40 * 60)
    whole = in_parts(p, solver, 400, 101)
    roomy = wb.Run(p, MaximalViolatingPair(1e-9, selection, shrinking))
    roomy.step(401)
    assert roomy.state.alpha.tobytes() == whole.state.alpha.tobytes()


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_step_is_feasible_monotone_and_explained(kernel, selection):
    weight = np.linspace(0.3, 2.0, 60)
    run = wb.Run(svm(kernel, sample_weight=weight), MaximalViolatingPair(1e-6, selection))
    p, state = run.problem, run.state
    assert run.last_event is None
    before = run.certificate()
    for _ in range(150):
        alpha, f = state.alpha.copy(), p.kernel_matrix.product(state.alpha / p.lam_n)
        if not run.step():
            break
        event, after = run.last_event, run.certificate()
        beta = state.alpha * p.y
        assert beta.min() >= 0.0
        assert (beta <= weight).all()
        assert abs(state.alpha.sum()) <= ROUNDING * 60
        assert set(np.flatnonzero(alpha != state.alpha)) <= {event.index, event.partner}
        assert event.alpha_before == alpha[event.index]
        assert event.partner_after == state.alpha[event.partner]
        g, beta = f - p.y, alpha * p.y
        top = np.where(p.y > 0, beta > 0, beta < weight)
        bottom = np.where(p.y > 0, beta < weight, beta > 0)
        assert event.violation == pytest.approx(g[top].max() - g[bottom].min(), abs=1e-9)
        assert g[event.index] == pytest.approx(g[top].max(), abs=1e-9)
        if selection == "first-order":
            assert g[event.partner] == pytest.approx(g[bottom].min(), abs=1e-9)
        assert event.dual_change == pytest.approx(before.dual - after.dual, abs=ROUNDING)
        assert event.dual_change <= 0.0
        # Lemma 8 in our units.
        assert before.gap <= event.violation * weight.mean() + ROUNDING
        before = after


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("lam", [0.1, 1e-3])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_optimum_is_libsvms(kernel, lam, selection):
    p = svm(kernel, n=120, lam=lam)
    ours = wb.solve(p, MaximalViolatingPair(1e-8, selection), tol=1e-9)
    assert ours.status == "converged"
    options = {
        "linear": {"kernel": "linear"},
        "rbf:gamma=0.3": {"gamma": 0.3},
        "polynomial:degree=2,coef0=1": {"kernel": "poly", "degree": 2, "coef0": 1, "gamma": 0.25},
        "precomputed": {"kernel": "precomputed"},
    }[kernel]
    X = p.gram if kernel == "precomputed" else p.rows.toarray()
    peer = SVC(C=1 / p.lam_n, tol=1e-9, **options).fit(X, p.y)
    alpha = np.zeros(120)
    alpha[peer.support_] = peer.dual_coef_[0] * p.lam_n
    theirs = wb.certificate(p, alpha=alpha)
    assert theirs.dual == pytest.approx(ours.dual, rel=AGREEMENT)
    assert theirs.primal == pytest.approx(ours.primal, rel=AGREEMENT)
    assert ours.gap <= 1e-8
    # libsvm keeps its kernel rows in single precision.
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-4)
    assert (ours.predict(X) == peer.predict(X)).mean() > 0.99


@pytest.mark.parametrize("selection", SELECTIONS)
def test_shrinking_changes_no_optimum_and_does_happen(selection):
    p = svm("rbf:gamma=0.3", n=300, lam=1e-4)
    on = wb.Run(p, MaximalViolatingPair(1e-8, selection))
    least = 300
    while on.step(100) == 100:
        least = min(least, on.state.sizes[_pairs.ACTIVE])
    assert least < 200
    assert on.state.sizes[_pairs.ACTIVE] == 300
    off = wb.Run(p, MaximalViolatingPair(1e-8, selection, shrinking=False))
    while off.step(1000):
        assert off.state.sizes[_pairs.ACTIVE] == 300
    assert on.certificate().dual == pytest.approx(off.certificate().dual, rel=1e-9)
    # The gradient that the last stretch ran on is that of alpha.
    f = p.kernel_matrix.product(on.state.alpha / p.lam_n)
    np.testing.assert_allclose(on.state.gradient, f - p.y, atol=1e-9)


@pytest.mark.parametrize("C", [1e4, 1e5])
def test_shrinking_without_a_tolerance_reaches_the_optimum_of_libsvm(C):
    X, y = make_moons(300, noise=0.2, random_state=0)
    model = wb.KernelSVC(kernel="rbf:gamma=1", lam=1 / (C * 300)).fit(X, y)
    peer = SVC(C=C, gamma=1.0, tol=1e-6).fit(X, y)
    run = wb.Run(model.solution_.problem(X, 2.0 * y - 1.0), MaximalViolatingPair(0.0))
    alpha = np.zeros(300)
    alpha[peer.support_] = peer.dual_coef_[0] * run.problem.lam_n
    theirs = wb.certificate(run.problem, alpha=alpha)
    assert model.solution_.status == "converged"
    assert model.solution_.dual == pytest.approx(theirs.dual, rel=1e-4)
    # Some samples are left out, and no two tests of all of them lie further apart than the steps before.
    tests, least = [0], 300
    while run.step(300) == 300 and run.epochs < 100:
        least = min(least, run.state.sizes[_pairs.ACTIVE])
        tests.append(int(run.state.sizes[_pairs.ALL_TESTED]))
    assert least < 250
    late = np.array(tests[10:])
    assert (late >= 300 * np.arange(10, len(tests)) / 3).all()


def test_an_end_by_the_solvers_own_tolerance_keeps_its_promise_and_claims_no_more():
    p = svm("rbf:gamma=0.3", n=120, lam=1e-3)
    solution = wb.solve(p, MaximalViolatingPair(tol=0.05), tol=1e-12)
    assert solution.status == "stalled"
    assert "tol = 0.05" in solution.notice
    assert 1e-9 < solution.gap <= 0.05
    assert wb.solve(p, MaximalViolatingPair(tol=0.05), tol=1.01 * solution.relative_gap).status == "converged"
    named = wb.solve(p, "maximal-violating-pair", tol=1e-6)
    assert named.status == "converged"
    assert named.relative_gap <= 1e-6


def test_a_run_without_a_tolerance_goes_as_far_as_floats_do():
    run = wb.Run(svm("rbf:gamma=0.3"), MaximalViolatingPair(tol=0.0))
    assert run.until(gap=0.0, max_epochs=64) in ("stalled", "converged", "max_epochs")
    assert run.certificate().relative_gap < 1e-12


def test_a_warm_start_is_balanced_and_goes_on():
    p = svm("rbf:gamma=0.3")
    solution = wb.solve(p, "maximal-violating-pair", tol=1e-9)
    again = wb.Run(p, MaximalViolatingPair(), warm_start=solution.alpha)
    assert again.until(gap=1e-6) == "converged"
    assert again.steps == 0
    far = wb.Run(p, MaximalViolatingPair(1e-7), warm_start=np.full(60, 1e3))
    assert abs(far.state.alpha.sum()) <= ROUNDING * 60
    assert far.until(gap=1e-6) == "converged"


# The edges


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_one_class_is_refused_since_no_bias_is_best(kernel):
    with pytest.raises(InputError, match=r"y holds only labels \+1.*needs both classes"):
        wb.Problem(np.ones((2, 1)), np.ones(2), "hinge", lam=0.1, bias=True, kernel=kernel)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_one_sample_of_each_class(kernel):
    p = wb.Problem([[-1.0], [1.0]], [-1.0, 1.0], "hinge", lam=0.1, bias=True, kernel=kernel)
    solution = wb.solve(p, MaximalViolatingPair(tol=1e-10))
    assert solution.status == "converged"
    assert solution.b == pytest.approx(0.0, abs=1e-9)


def test_duplicates_with_both_labels():
    p = wb.Problem(np.ones((4, 2)), [1.0, -1.0, 1.0, 1.0], "hinge", lam=0.1, bias=True, kernel="linear")
    solution = wb.solve(p, MaximalViolatingPair())
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(0.5)


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_ill_scaled_features_converge(size):
    X, labels, _ = samples(n=40)
    p = wb.Problem(size * X, labels, "hinge", lam=0.01 * size**2, bias=True, kernel="linear")
    reference = wb.Problem(X, labels, "hinge", lam=0.01, bias=True, kernel="linear")
    ours, theirs = (wb.solve(q, "maximal-violating-pair", tol=1e-8) for q in (p, reference))
    assert ours.status == "converged"
    assert ours.primal == pytest.approx(theirs.primal, rel=1e-7)


def test_a_kernel_that_is_not_positive_semi_definite_is_reported(monkeypatch):
    K = np.ones((4, 4)) - 0.5 * np.eye(4)
    with pytest.raises(InputError, match=r"not positive semi-definite \(its least eigenvalue is -0.5\)"):
        wb.Problem(K, [1.0, -1.0, 1.0, -1.0], "hinge", lam=0.01, bias=True, kernel="precomputed")
    # What the test of a large matrix misses, the solver and the certificate see.
    monkeypatch.setattr("workbench.problems.kernels.refuse_indefinite", lambda *arguments: None)
    p = wb.Problem(K, [1.0, -1.0, 1.0, -1.0], "hinge", lam=0.01, bias=True, kernel="precomputed")
    with pytest.raises(InputError, match=r"not positive semi-definite \(K\[.*\] = -1\)"):
        wb.solve(p, MaximalViolatingPair())
    with pytest.raises(InputError, match=r"not positive semi-definite .*alpha' K alpha"):
        wb.certificate(p, alpha=[1.0, -1.0, 0.0, 0.0])


def test_a_cache_for_less_than_two_rows_is_refused():
    with pytest.raises(InputError, match=r"cache_bytes = 2399 is too small for two rows .*2400 or more"):
        wb.Run(svm("rbf"), MaximalViolatingPair(cache_bytes=2399))
    with pytest.raises(InputError, match="cache_bytes = 0 must be"):
        MaximalViolatingPair(cache_bytes=0)


# The certificate's parts


def test_an_unbalanced_point_is_moved_and_the_certificate_says_so():
    p = svm("rbf:gamma=0.3")
    certificate = wb.certificate(p, alpha=0.3 * p.y * (p.y > 0))
    assert "so that they sum to zero" in certificate.repairs[0]
    assert abs(certificate.alpha.sum()) <= ROUNDING
    assert 0.0 <= certificate.gap < np.inf
