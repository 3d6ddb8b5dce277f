"""The estimators under scikit-learn's own checks, and against its own estimators."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from cases import samples
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import workbench as wb

# The peers' own tolerances, run as far as they go.
AGREEMENT = 1e-4


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        wb.DualClassifier(),
        wb.DualRegressor(),
    ]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        wb.KernelSVC(),
        wb.PrimalGradientClassifier(),
        wb.MultinomialClassifier(),
        wb.DualClassifier(loss="logistic", regularizer="elastic-net"),
        wb.PrimalGradientClassifier(loss="logistic", p=1.8, output="last"),
        wb.MultinomialClassifier(solver="lbfgs"),
        wb.DualClassifier(loss="logistic", regularizer="l1", solver="proximal-gradient"),
        wb.DualClassifier(solver="primal-gradient"),
        wb.DualRegressor(solver="coordinate-descent", max_epochs=5000),
        wb.DualRegressor(solver="conjugate-gradient"),
    ]
)
def test_scikit_learns_checks_of_the_others(estimator, check):
    check(estimator)


def test_an_online_rule_fits_nothing():
    X, labels, _ = samples(n=20)
    with pytest.raises(ValueError, match="perceptron is an online rule that solves nothing to fit; use"):
        wb.DualClassifier(solver="perceptron").fit(X, labels)


def test_the_linear_classifier_is_liblinears():
    X, labels, _ = samples(n=80)
    weight = np.linspace(0.5, 2.0, 80)
    ours = wb.DualClassifier(lam=0.05, fit_intercept=False, tol=1e-9, class_weight={-1: 2.0, 1: 1.0})
    ours.fit(sp.csr_array(X), labels, weight)
    total = (weight * np.where(labels < 0, 2.0, 1.0)).sum()
    theirs = LinearSVC(
        C=1 / (0.05 * total), loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6, random_state=0,
        class_weight={-1: 2.0, 1: 1.0},
    ).fit(X, labels, weight)  # fmt: skip
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=AGREEMENT)
    assert ours.solution_.relative_gap <= 1e-9


def test_the_regressor_is_ridge():
    X, _, targets = samples(n=80)
    ours = wb.DualRegressor(lam=0.1, fit_intercept=False, tol=1e-10).fit(X, targets)
    theirs = Ridge(alpha=80 * 0.1 / 2, fit_intercept=False).fit(X, targets)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=AGREEMENT)


@pytest.mark.parametrize(("p", "ball"), [(2.0, None), (1.5, 0.3)])
def test_the_primal_gradient_classifier_nears_the_dual_one(p, ball):
    X, labels, _ = samples(n=80)
    names, weight = np.where(labels > 0, "yes", "no"), np.linspace(0.5, 2.0, 80)
    regularizer = wb.regularizers.get(f"p-norm:p={p}" + ("" if ball is None else f",ball={ball}"))
    shared = {"loss": "logistic", "lam": 0.05, "class_weight": "balanced", "bias": "constant"}
    theirs = wb.DualClassifier(regularizer=regularizer, tol=1e-8, **shared).fit(X, names, weight)
    for batch in ("auto", 1):
        ours = wb.PrimalGradientClassifier(p=p, ball=ball, batch=batch, tol=1e-3, max_epochs=20_000, **shared)
        ours.fit(X, names, weight)
        distance = ours.solution_.primal - theirs.solution_.primal
        assert distance <= ours.solution_.gap <= 1e-3 * ours.solution_.primal
        assert (ours.predict(X) == theirs.predict(X)).mean() > 0.95


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_the_kernel_machine_is_libsvms(class_weight):
    X, labels, _ = samples(n=80)
    names = np.where(labels > 0, "yes", "no")
    ours = wb.KernelSVC("rbf:gamma=0.4", lam=0.01, tol=1e-8, class_weight=class_weight).fit(X, names)
    total = 80.0
    theirs = SVC(C=1 / (0.01 * total), gamma=0.4, tol=1e-8, class_weight=class_weight).fit(X, names)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=10 * AGREEMENT)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_a_precomputed_kernel_with_samples_left_out():
    X, labels, _ = samples(n=60)
    K, weight = rbf_kernel(X, gamma=0.4), np.where(np.arange(60) % 5 == 0, 0.0, 1.0)
    ours = wb.KernelSVC("precomputed", lam=0.01, tol=1e-8).fit(K, labels, weight)
    kept = weight > 0
    same = wb.KernelSVC("rbf:gamma=0.4", lam=0.01, tol=1e-8).fit(X[kept], labels[kept])
    np.testing.assert_allclose(ours.decision_function(K), same.decision_function(X), atol=AGREEMENT)
    assert set(ours.support_) <= set(np.flatnonzero(kept))


ANY = (wb.DualClassifier("logistic"), wb.MultinomialClassifier(), wb.KernelSVC())


@pytest.mark.parametrize("estimator", ANY)
def test_data_frames_with_categories_through_a_pipeline(estimator):
    X, labels, _ = samples(n=60)
    colour = np.where(labels > 0, "red", "blue")
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(colour=colour)
    y = np.where(labels > 0, "yes", "no")
    columns = make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include="number")),
        (OneHotEncoder(sparse_output=False), ["colour"]),
    )
    fitted = make_pipeline(columns.set_output(transform="pandas"), clone(estimator)).fit(frame, y)
    assert (fitted.predict(frame) == y).all()
    names = fitted[-1].feature_names_in_.tolist()
    assert names[-2:] == ["onehotencoder__colour_blue", "onehotencoder__colour_red"]
    alone = clone(estimator).fit(frame.drop(columns="colour"), y)
    with pytest.raises(ValueError, match="feature names should match"):
        alone.predict(frame.drop(columns="colour").rename(columns={"x0": "other"}))


def test_an_end_without_convergence_warns():
    X, labels, _ = samples(n=80)
    with pytest.warns(ConvergenceWarning, match="raise max_epochs or tol"):
        wb.DualClassifier(loss="logistic", lam=1e-6, tol=1e-12, max_epochs=2).fit(X, labels)


def test_classes_that_cannot_be_told_apart():
    X, labels, _ = samples()
    with pytest.raises(ValueError, match="one class only"):
        wb.DualClassifier().fit(X, np.ones(12))
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        wb.KernelSVC().fit(X, np.arange(12) % 3)
    with pytest.raises(ValueError, match="at least one non-zero"):
        wb.DualClassifier().fit(X, labels, np.zeros(12))
