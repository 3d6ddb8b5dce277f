"""Gauss-Seidel on blocks of r dual variables: scikit-learn's optimum, monotone steps, refusals, estimator."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.special import xlogy
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_class_weight

import workbench as wb
from tests.helpers.cases import samples
from workbench.problems import Problem
from workbench.solvers import GaussSeidel

X, LABELS, _ = samples(n=60, d=6, seed=4)
CLASSES = np.arange(60) % 3
WEIGHT = np.linspace(0.3, 2.0, 60)
REGULARIZERS = ("squared-l2", "elastic-net:epsilon=0.05", "entropy:mu=0.3")
# What is promised of the agreement with scikit-learn, and what two solvers' gaps of 1e-10 allow.
AGREEMENT, VALUES = 1e-6, 1e-9
# A change of D below this share of D is rounding.
ROUNDING = 1e-15


def problem(regularizer="squared-l2", lam=0.02, X=X, y=CLASSES, **options):
    return Problem(X, y, "multinomial", regularizer, lam=lam, **options)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("lam", [0.3, 0.02, 1e-4])
def test_the_weights_are_scikit_learns(lam, weighted):
    weight = WEIGHT if weighted else np.ones(60)
    ours = wb.solve(problem(lam=lam, sample_weight=weight), tol=1e-13, max_epochs=20_000)
    theirs = LogisticRegression(
        C=1 / (lam * 60), fit_intercept=False, solver="newton-cg", tol=1e-13, max_iter=10**5
    ).fit(X, CLASSES, weight)
    # Both determine w up to a vector common to all classes, which squared l2 makes zero.
    np.testing.assert_allclose(ours.w.T, theirs.coef_, atol=AGREEMENT * max(1.0, np.abs(ours.w).max()))
    np.testing.assert_allclose(ours.w.sum(axis=1), 0.0, atol=1e-9)


def test_a_diagonal_of_its_own_for_every_entry():
    """K on the entries of w is the same as scaled features where it is equal for all classes."""
    K = np.linspace(0.5, 2.0, 6)
    ours = wb.solve(problem(wb.regularizers.SquaredL2(tuple(np.repeat(K, 3)))), tol=1e-12)
    scaled = wb.solve(problem(X=X / np.sqrt(K)), tol=1e-12)
    np.testing.assert_allclose(ours.w * np.sqrt(K)[:, None], scaled.w, atol=AGREEMENT)


@pytest.mark.parametrize("update", ["exact", "newton", "bounded"])
@pytest.mark.parametrize("regularizer", REGULARIZERS)
def test_no_step_increases_the_dual_objective(regularizer, update):
    if update == "bounded" and regularizer == "entropy:mu=0.3":
        pytest.skip("the entropy has no bounded curvature")
    run = wb.Run(problem(regularizer, lam=1e-3, sample_weight=WEIGHT), GaussSeidel(update=update))
    dual = run.certificate().dual
    for _ in range(90):
        run.step()
        event, after = run.last_event, run.certificate().dual
        assert event.dual_change <= ROUNDING
        assert after - dual == pytest.approx(-event.dual_change, abs=1e-12 * max(1.0, abs(after)))
        dual = after
    assert run.until(gap=1e-9, max_epochs=20_000) == "converged"


def test_an_exact_step_minimizes_over_its_block():
    """Against SciPy's minimum over the simplex, parametrized by a softmax."""
    for regularizer in REGULARIZERS:
        p = problem(regularizer, lam=0.05, sample_weight=WEIGHT)
        run = wb.Run(p, GaussSeidel(order="cyclic"))
        run.step(60)
        before = run.state.alpha.copy()
        run.step()
        i = run.last_event.index

        def dual(s, p=p, before=before, i=i):
            mass = np.exp(s - s.max())
            point = before.copy()
            point[i] = WEIGHT[i] * (np.eye(3)[CLASSES[i]] - mass / mass.sum())
            inside = np.eye(3)[CLASSES] - point / WEIGHT[:, None]
            h, _ = p.transfer.map(p.dual_vector(point).ravel())
            return WEIGHT @ xlogy(inside, inside).sum(axis=1) / 60 + p.lam * h

        best = minimize(dual, np.zeros(3), options={"gtol": 1e-11}).fun
        assert -run.certificate().dual <= best + 1e-13


def test_empty_rows_and_huge_rows():
    data = X.copy()
    data[1] = 0.0
    data[2] *= 1e6
    solution = wb.solve(problem(X=data), tol=1e-9, max_epochs=5000)
    assert solution.status == "converged"
    np.testing.assert_allclose(solution.alpha[1], np.eye(3)[1] - 1.0 / 3.0, atol=1e-12)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"a": 2.0, "b": 1.0, "c": 0.5}])
def test_the_estimator_is_scikit_learns(class_weight):
    names = np.array(["a", "b", "c"])[np.where(np.arange(60) < 40, 0, CLASSES)]
    ours = wb.MultinomialClassifier(lam=0.02, fit_intercept=False, tol=1e-12, class_weight=class_weight)
    ours.fit(sp.csr_array(X), names, WEIGHT)
    theirs = LogisticRegression(fit_intercept=False, solver="newton-cg", tol=1e-12, max_iter=10**5)
    total = WEIGHT.sum()
    if class_weight is not None:
        factors = compute_class_weight(class_weight, classes=ours.classes_, y=names, sample_weight=WEIGHT)
        total = (WEIGHT * factors[np.searchsorted(ours.classes_, names)]).sum()
    theirs.set_params(C=1 / (0.02 * total), class_weight=class_weight).fit(X, names, WEIGHT)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=AGREEMENT)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=AGREEMENT)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_two_classes_and_one():
    two = wb.MultinomialClassifier(lam=0.1, tol=1e-10).fit(X, LABELS)
    one = wb.DualClassifier(loss="logistic", lam=0.05, tol=1e-10).fit(X, LABELS)
    np.testing.assert_allclose(two.decision_function(X), one.decision_function(X), atol=1e-4)
    with pytest.raises(ValueError, match="one class only"):
        wb.MultinomialClassifier().fit(X, np.zeros(60))
