"""The estimators under scikit-learn's own checks, and against its own estimators."""

import logging

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import workbench as wb
from tests.helpers.cases import samples

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
        wb.MultinomialClassifier(solver="lbfgs", penalize_intercept=True),
        wb.DualClassifier(loss="logistic", regularizer="l1", solver="proximal-gradient"),
        wb.DualClassifier(solver="primal-gradient", penalize_intercept=True),
        wb.DualRegressor(solver="coordinate-descent", max_iter=5000),
        wb.DualRegressor(solver="conjugate-gradient", penalize_intercept=True),
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
        C=1 / (0.05 * total),
        loss="hinge",
        fit_intercept=False,
        tol=1e-10,
        max_iter=10**6,
        random_state=0,
        class_weight={-1: 2.0, 1: 1.0},
    ).fit(X, labels, weight)
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
    shared = {"loss": "logistic", "lam": 0.05, "class_weight": "balanced", "penalize_intercept": True}
    theirs = wb.DualClassifier(regularizer=regularizer, tol=1e-8, **shared).fit(X, names, weight)
    for batch in ("auto", 1):
        ours = wb.PrimalGradientClassifier(p=p, ball=ball, batch=batch, tol=1e-3, max_iter=20_000, **shared)
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
    weighted = weight > 0
    same = wb.KernelSVC("rbf:gamma=0.4", lam=0.01, tol=1e-8).fit(X[weighted], labels[weighted])
    np.testing.assert_allclose(ours.decision_function(K), same.decision_function(X), atol=AGREEMENT)
    assert set(ours.support_) <= set(np.flatnonzero(weighted))


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
    with pytest.warns(ConvergenceWarning, match="try max_iter=20") as caught:
        wb.DualClassifier(loss="logistic", lam=1e-6, tol=1e-12, max_iter=2).fit(X, labels)
    # Who filters by the class of the workbench is heard as well, and the line is the caller's.
    assert isinstance(caught[0].message, wb.ConvergenceWarning)
    assert caught[0].filename == __file__


def drawn(n=90, classes=2, seed=3):
    """Samples (n, 4) and labels as texts, which overlap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    scores = X @ rng.normal(size=(4, classes)) + rng.gumbel(size=(n, classes))
    return X, np.array(["ash", "elm", "oak"])[scores.argmax(axis=1)]


PROBABLE = (
    wb.DualClassifier("logistic", lam=0.02, tol=1e-10),
    wb.DualClassifier(wb.losses.custom("log(1 + exp(-u))", kind="margin"), lam=0.02, tol=1e-10),
    wb.DualClassifier("logistic", lam=0.02, tol=1e-10, class_weight="balanced"),
    wb.DualClassifier("logistic", lam=0.02, tol=1e-10, fit_intercept=False),
)
# Losses of which e^-loss is not a probability.
IMPROBABLE = (
    wb.DualClassifier(),
    wb.DualClassifier("squared-hinge"),
    wb.DualClassifier("smoothed-hinge:width=0.5"),
    wb.DualClassifier(wb.losses.custom("log(1 + exp(1 - u))", kind="margin")),
    wb.KernelSVC(),
    wb.PrimalGradientClassifier(),
)


@pytest.mark.parametrize("estimator", PROBABLE, ids=str)
def test_probabilities_and_intercept_are_logistic_regressions(estimator):
    X, y = drawn()
    ours = clone(estimator).fit(X, y)
    peer = LogisticRegression(
        C=1 / (0.02 * len(y)),
        tol=1e-10,
        max_iter=10_000,
        class_weight=estimator.class_weight,
        fit_intercept=estimator.fit_intercept,
    ).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X).sum(axis=1), 1.0, rtol=1e-15)
    assert {"predict_proba", "predict_log_proba"} <= set(dir(ours))


def test_probabilities_of_several_classes_are_logistic_regressions():
    X, y = drawn(classes=3)
    ours = wb.MultinomialClassifier(lam=0.02, tol=1e-10).fit(X, y)
    peer = LogisticRegression(C=1 / (0.02 * len(y)), tol=1e-10, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.intercept_ - ours.intercept_.mean(), peer.intercept_, atol=1e-5)


def test_log_probabilities_far_out_are_finite():
    fitted = wb.DualClassifier("logistic", lam=0.1).fit(*drawn())
    far = 1e6 * np.sign(fitted.coef_)
    log_p = fitted.predict_log_proba(np.vstack([far, -far]))
    assert np.isfinite(log_p).all()
    assert (log_p.max(axis=1) > -1e-300).all()
    assert (log_p.min(axis=1) < -1e4).all()
    assert (fitted.predict_proba(np.vstack([far, -far])).sum(axis=1) == 1.0).all()


@pytest.mark.parametrize("estimator", IMPROBABLE, ids=str)
@pytest.mark.parametrize("name", ["predict_proba", "predict_log_proba"])
def test_a_loss_without_probabilities_has_no_method_for_them(estimator, name):
    assert not hasattr(estimator, name)
    assert name not in dir(estimator)
    with pytest.raises(AttributeError, match=f"{name}: .* has no probabilities, .*MultinomialClassifier, or"):
        getattr(estimator, name)


def test_what_is_named_instead_has_probabilities():
    with pytest.raises(AttributeError, match="use loss='logistic', ") as caught:
        _ = wb.DualClassifier().predict_proba
    instead = str(caught.value).partition("loss='")[2].partition("'")[0]
    assert hasattr(wb.DualClassifier(instead), "predict_proba")
    assert hasattr(wb.MultinomialClassifier(), "predict_proba")
    with pytest.raises(AttributeError, match="'nope' is not known"):
        _ = wb.DualClassifier("nope").predict_proba


@pytest.mark.parametrize("estimator", [wb.DualClassifier(), wb.DualClassifier("logistic"), wb.KernelSVC()])
def test_calibration(estimator):
    X, y = drawn()
    calibrated = CalibratedClassifierCV(clone(estimator), cv=3).fit(X, y)
    shares = calibrated.predict_proba(X)
    assert log_loss(y, shares) < log_loss(y, np.full_like(shares, 0.5))


def test_a_search_by_log_loss_finds_what_each_fit_says():
    X, y = drawn()
    grid = {"dualclassifier__lam": [1e-3, 3e-2, 1.0], "dualclassifier__penalize_intercept": [None, True]}
    pipe = make_pipeline(StandardScaler(), wb.DualClassifier("logistic", tol=1e-8))
    folds = StratifiedKFold(3)
    search = GridSearchCV(pipe, grid, scoring="neg_log_loss", cv=folds).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    alone = pipe.set_params(**search.best_params_)
    assert search.best_score_ == pytest.approx(
        cross_val_score(alone, X, y, scoring="neg_log_loss", cv=folds).mean(), abs=1e-9
    )


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("estimator", [*ANY, wb.DualRegressor()])
def test_frames_give_what_arrays_give_and_keep_their_names(kind, estimator):
    library = pytest.importorskip(kind)
    X, y = drawn()
    y = X[:, 0] if isinstance(estimator, wb.DualRegressor) else y
    names = ["height", "width", "age", "mass"]
    frame = library.DataFrame({name: X[:, j] for j, name in enumerate(names)})
    targets = library.Series(y)
    whole = make_pipeline(StandardScaler().set_output(transform=kind), clone(estimator)).fit(frame, targets)
    plain = make_pipeline(StandardScaler(), clone(estimator)).fit(X, y)
    assert whole[-1].feature_names_in_.tolist() == names
    if isinstance(estimator, wb.DualRegressor):
        np.testing.assert_allclose(whole.predict(frame), plain.predict(X), rtol=1e-9)
    else:
        assert (whole.predict(frame) == plain.predict(X)).all()
    if hasattr(whole, "predict_proba"):
        np.testing.assert_allclose(whole.predict_proba(frame), plain.predict_proba(X))
    with pytest.raises(ValueError, match="feature names should match"):
        clone(estimator).fit(frame, targets).predict(frame[names[::-1]])


MISUSED = {
    "no intercept": (
        {"fit_intercept": False, "penalize_intercept": True},
        "penalize_intercept = True needs an intercept, and fit_intercept = False leaves it out",
    ),
    "text": ({"fit_intercept": "yes"}, "fit_intercept = 'yes' is not known; use True, False or None"),
    "a kind": ({"penalize_intercept": "constant"}, "penalize_intercept = 'constant' is not known"),
    "a problem's name": ({"bias": True}, "unknown parameter 'bias'; expected loss"),
    "a solver's name": ({"max_epochs": 3}, "unknown parameter 'max_epochs'; expected .*max_iter"),
    "no iteration": ({"max_iter": 0}, "max_iter = 0 must be a finite number above 0"),
    "a random state": ({"random_state": "x"}, "random_state = 'x' is not a whole number"),
    "verbosity": ({"verbose": -1}, "verbose = -1 is not a whole number, 0 or more"),
    "an intercept that a solver cannot keep": ({"solver": "sdca"}, "sdca: .*use penalize_intercept=True"),
}


@pytest.mark.parametrize("case", MISUSED)
@pytest.mark.parametrize("cls", [wb.DualClassifier, wb.DualRegressor])
def test_misused_parameters_are_named_in_the_words_of_estimators(case, cls):
    parameters, said = MISUSED[case]
    X, labels, _ = samples(n=20)
    with pytest.raises(wb.InputError, match=said):
        cls(**parameters).fit(X, labels)


def test_the_two_kinds_of_intercept():
    X, y = drawn()

    def fitted(**parameters):
        return wb.DualClassifier("logistic", lam=0.5, tol=1e-10, **parameters).fit(X, y)

    free = [fitted(), fitted(fit_intercept=np.True_, penalize_intercept=False)]
    assert len({float(model.intercept_[0]) for model in free}) == 1
    assert fitted(fit_intercept=False).intercept_[0] == 0.0
    regularized = fitted(penalize_intercept=True)
    ones = np.hstack([X, np.ones((len(X), 1))])
    column = wb.DualClassifier("logistic", lam=0.5, tol=1e-10, fit_intercept=False).fit(ones, y)
    np.testing.assert_allclose(regularized.intercept_[0], column.coef_[0, -1], atol=1e-8)
    assert abs(regularized.intercept_[0]) < abs(free[0].intercept_[0])
    # Weights of an unregularized intercept sum to zero: so says its optimality.
    assert abs(free[0].solution_.alpha.sum()) < 1e-9


def test_every_kind_of_random_state():
    X, labels, _ = samples(n=20)
    states = (None, 3, np.int64(3), np.random.RandomState(3), np.random.default_rng(3))
    for state in states:
        wb.DualClassifier(random_state=state).fit(X, labels)
    same, other = (
        wb.PrimalGradientClassifier(batch=1, tol=0.1, random_state=np.random.default_rng(seed)).fit(X, labels)
        for seed in (3, 4)
    )
    again = wb.PrimalGradientClassifier(batch=1, tol=0.1, random_state=np.random.default_rng(3))
    assert (again.fit(X, labels).coef_ == same.coef_).all()
    assert (other.coef_ != same.coef_).any()


def test_iterations_are_whole_epochs_within_the_limit():
    X, labels, _ = samples(n=20)
    fitted = wb.DualClassifier(solver="gauss-seidel", penalize_intercept=True, max_iter=500).fit(X, labels)
    assert isinstance(fitted.n_iter_, int)
    assert 1 <= fitted.n_iter_ <= 500


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_positive_weights_are_scikit_learns(fit_intercept):
    X, _, targets = samples(n=80)
    n, shared = 80, {"positive": True, "fit_intercept": fit_intercept}
    ridge = Ridge(alpha=1.0, tol=1e-12, **shared).fit(X, targets)
    ours = wb.DualRegressor(lam=2 / n, tol=1e-10, **shared).fit(X, targets)
    np.testing.assert_allclose(ours.coef_, ridge.coef_, atol=1e-5)
    net = ElasticNet(alpha=0.1, l1_ratio=0.5, tol=1e-12, max_iter=10**5, **shared).fit(X, targets)
    ours = wb.DualRegressor(regularizer="elastic-net:epsilon=1", lam=0.1, tol=1e-10, **shared).fit(X, targets)
    np.testing.assert_allclose(ours.coef_, net.coef_, atol=1e-6)
    assert (ours.coef_ >= 0.0).all()
    assert (ours.coef_ == 0.0).any()
    with pytest.raises(wb.InputError, match="l1: positive = True is not available; use squared-l2"):
        wb.DualRegressor(regularizer="l1", positive=True).fit(X, targets)
    with pytest.raises(wb.InputError, match="leave penalize_intercept out"):
        wb.DualRegressor(penalize_intercept=True, positive=True).fit(X, targets)


def test_a_verbose_fit_reports_to_the_logger(caplog):
    caplog.set_level("WARNING")
    caplog.handler.setLevel("NOTSET")
    X, labels, _ = samples(n=20)
    for verbose, levels in ((0, set()), (1, {"INFO"}), (2, {"INFO", "DEBUG"})):
        caplog.clear()
        fitted = wb.DualClassifier(verbose=verbose).fit(X, labels)
        assert {record.levelname for record in caplog.records} == levels
        assert {record.name for record in caplog.records} <= {"workbench"}
    ends = [record.args for record in caplog.records if record.levelname == "INFO"]
    assert ends[0][:2] == (fitted.solution_.solver, "converged at")
    assert logging.getLogger("workbench").level == logging.NOTSET


def test_classes_that_cannot_be_told_apart():
    X, labels, _ = samples()
    with pytest.raises(ValueError, match="one class only"):
        wb.DualClassifier().fit(X, np.ones(12))
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        wb.KernelSVC().fit(X, np.arange(12) % 3)
    with pytest.raises(ValueError, match="at least one non-zero"):
        wb.DualClassifier().fit(X, labels, np.zeros(12))
