"""Certificates of other packages' estimators: against CVXPY's optimum and each objective as documented."""

import fractions
import itertools

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import linear_model as lm
from sklearn.base import is_classifier
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC

import workbench as wb
from tests.helpers.amounts import product
from tests.properties.test_interval import eliminated
from workbench.estimators.external import ModelCertificate

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
rational = np.vectorize(lambda x: fractions.Fraction(float(x)), otypes=[object])
# Clarabel's own tolerance, relative to the objective.
SOLVED = 1e-6


def made(X, seed):
    """X with numbers, numbers in three columns, labels of two and of three classes, and weights."""
    rng = np.random.default_rng(seed)
    signal = StandardScaler().fit_transform(X) @ rng.normal(size=X.shape[1])
    t = signal / signal.std() + 2.0 + 0.4 * rng.normal(size=len(X))
    return {
        "X": X,
        "t": t,
        "T": np.c_[t, t**2 / 5, rng.normal(size=len(X))],
        "y": np.where(t > np.median(t), "yes", "no"),
        "c": np.digitize(t, np.quantile(t, [0.3, 0.7])),
        "weight": rng.integers(0, 4, size=len(X)).astype(float),
    }


def gaussian(n, d):
    return np.random.default_rng(n).normal(size=(n, d)) @ (np.eye(d) + 0.3)


DATA = {
    "tall": lambda: made(gaussian(90, 6), 0),
    "wide": lambda: made(gaussian(40, 55), 1),
    "scales": lambda: made(gaussian(70, 5) * [1.0, 10.0, 0.1, 30.0, 1.0] + [0.0, 5.0, 0.0, 0.0, 1.0], 2),
    "binary": lambda: made((gaussian(80, 12) > 0.8).astype(float), 3),
    "diabetes": lambda: made(20.0 * load_diabetes().data[:100], 4),
}


def squares(z, t, c):
    return cp.sum(cp.multiply(c, cp.square(t - z)))


def logistic(z, s, c):
    return cp.sum(cp.multiply(c, cp.logistic(-cp.multiply(s, z))))


def hinges(z, s, c, power=1):
    return cp.sum(cp.multiply(c, cp.power(cp.pos(1 - cp.multiply(s, z)), power)))


def insensitive(z, t, c, epsilon, power=1):
    return cp.sum(cp.multiply(c, cp.power(cp.pos(cp.abs(t - z) - epsilon), power)))


def squared(w):
    return 0.5 * cp.sum_squares(w)


def l1(w):
    return cp.sum(cp.abs(w))


# An estimator, and its objective as its documentation states it, of w, b, predictions, target and weights.
MEAN = lambda c: 1.0 / (2.0 * c.sum())  # noqa: E731
LINEAR = {
    "Lasso": (lm.Lasso(alpha=0.1), lambda w, b, z, t, c: MEAN(c) * squares(z, t, c) + 0.1 * l1(w)),
    "ElasticNet": (
        lm.ElasticNet(alpha=0.2, l1_ratio=0.3),
        lambda w, b, z, t, c: MEAN(c) * squares(z, t, c) + 0.06 * l1(w) + 0.14 * squared(w),
    ),
    "Ridge": (
        lm.Ridge(alpha=3.0, solver="sag", random_state=0),
        lambda w, b, z, t, c: squares(z, t, c) + 3.0 * cp.sum_squares(w),
    ),
    "RidgeClassifier": (
        lm.RidgeClassifier(alpha=2.0),
        lambda w, b, z, s, c: squares(z, s, c) + 2.0 * cp.sum_squares(w),
    ),
    "LogisticRegression l2": (
        lm.LogisticRegression(C=0.7),
        lambda w, b, z, s, c: 0.7 * logistic(z, s, c) + squared(w),
    ),
    "LogisticRegression elastic net": (
        lm.LogisticRegression(C=0.7, l1_ratio=0.5, solver="saga", max_iter=300, random_state=0),
        lambda w, b, z, s, c: 0.7 * logistic(z, s, c) + 0.5 * l1(w) + 0.5 * squared(w),
    ),
    "LogisticRegression liblinear": (
        lm.LogisticRegression(C=2.0, l1_ratio=1.0, solver="liblinear", intercept_scaling=4.0),
        lambda w, b, z, s, c: 2.0 * logistic(z, s, c) + l1(w) + cp.abs(b / 4.0),
    ),
    "LinearSVC hinge": (
        LinearSVC(loss="hinge", C=0.5, random_state=0),
        lambda w, b, z, s, c: 0.5 * hinges(z, s, c) + squared(w) + squared(b),
    ),
    "LinearSVC squared hinge": (
        LinearSVC(C=0.5, intercept_scaling=2.0, random_state=0),
        lambda w, b, z, s, c: 0.5 * hinges(z, s, c, 2) + squared(w) + squared(b / 2.0),
    ),
    "LinearSVC l1": (
        LinearSVC(C=0.5, penalty="l1", dual=False, fit_intercept=False, random_state=0),
        lambda w, b, z, s, c: 0.5 * hinges(z, s, c, 2) + l1(w),
    ),
    "LinearSVR": (
        LinearSVR(C=0.3, epsilon=0.2, random_state=0),
        lambda w, b, z, t, c: 0.3 * insensitive(z, t, c, 0.2) + squared(w) + squared(b),
    ),
    "LinearSVR squared": (
        LinearSVR(C=0.3, loss="squared_epsilon_insensitive", random_state=0),
        lambda w, b, z, t, c: 0.3 * insensitive(z, t, c, 0.0, 2) + squared(w) + squared(b),
    ),
    "SGDClassifier": (
        lm.SGDClassifier(loss="log_loss", alpha=0.05, penalty="elasticnet", l1_ratio=0.4, random_state=0),
        lambda w, b, z, s, c: logistic(z, s, c) / len(c) + 0.02 * l1(w) + 0.03 * squared(w),
    ),
    "SGDClassifier modified Huber": (
        lm.SGDClassifier(loss="modified_huber", alpha=0.05, random_state=0),
        lambda w, b, z, s, c: (
            cp.sum(cp.multiply(c, cp.huber(cp.pos(1 - cp.multiply(s, z)), 2.0))) / len(c) + 0.05 * squared(w)
        ),
    ),
    "SGDRegressor Huber": (
        lm.SGDRegressor(loss="huber", epsilon=0.3, alpha=0.05, random_state=0),
        lambda w, b, z, t, c: 0.5 * cp.sum(cp.multiply(c, cp.huber(t - z, 0.3))) / len(c) + 0.05 * squared(w),
    ),
}


def numeric(target):
    return np.where(target == "yes", 1.0, -1.0) if target.dtype.kind == "U" else target


def linear(name, data, c):
    """The fitted estimator, its objective and the variables with the fitted values."""
    model, objective = LINEAR[name]
    key = "y" if is_classifier(model) else "t"
    model.fit(data["X"], data[key], **({} if c is None else {"sample_weight": c}))
    w, b = cp.Variable(data["X"].shape[1]), cp.Variable()
    w.value, b.value = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
    weights = np.ones(len(data["X"])) if c is None else c
    z = data["X"] @ w + (b if getattr(model, "fit_intercept", True) else 0.0)
    return model, key, objective(w, b, z, numeric(data[key]), weights)


def tasks(model, data, c):
    model.fit(data["X"], data["T"])
    W, b = cp.Variable(model.coef_.T.shape), cp.Variable((1, 3))
    W.value, b.value = model.coef_.T, model.intercept_[None, :]
    strength, ratio = model.alpha, getattr(model, "l1_ratio", 1.0)
    lengths = cp.sum(cp.norm(W, 2, axis=1))
    residuals = data["T"] - data["X"] @ W - np.ones((len(data["X"]), 1)) @ b
    fit = cp.sum_squares(residuals) / (2.0 * len(data["X"]))
    return model, "T", fit + strength * (ratio * lengths + (1.0 - ratio) * squared(cp.vec(W, order="F")))


def multinomial(model, data, c):
    model.fit(data["X"], data["c"], sample_weight=c)
    c = (np.ones(len(data["X"])) if c is None else c) * np.array([1.0, 2.0, 0.5])[data["c"]]
    W, b = cp.Variable(model.coef_.T.shape), cp.Variable((1, 3))
    W.value, b.value = model.coef_.T, model.intercept_[None, :]
    z = data["X"] @ W + np.ones((len(data["X"]), 1)) @ b
    own = cp.sum(cp.multiply(z, np.eye(3)[data["c"]]), axis=1)
    losses = cp.multiply(c, cp.log_sum_exp(z, axis=1) - own)
    return model, "c", model.C * cp.sum(losses) + squared(cp.vec(W, order="F"))


def against_rest(model, data, c):
    """A machine for each class; the weight of a class counts where it is the positive one."""
    model.fit(data["X"], data["c"], sample_weight=c)
    total, n = 0.0, len(data["X"])
    for k, factor in enumerate([1.0, 2.0, 0.5]):
        w, b, mine = cp.Variable(data["X"].shape[1]), cp.Variable(), data["c"] == k
        w.value, b.value = model.coef_[k], model.intercept_[k]
        weights = (np.ones(n) if c is None else c) * np.where(mine, factor, 1.0)
        z, s = data["X"] @ w + b, np.where(mine, 1.0, -1.0)
        total = total + model.C * hinges(z, s, weights, 2) + squared(w) + squared(b)
    return model, "c", total


def gram(model, X):
    products = X @ X.T
    if model.kernel == "rbf":
        squares = np.diag(products)
        return np.exp(-model._gamma * (squares[:, None] + squares - 2.0 * products))
    return (model._gamma * products + model.coef0) ** model.degree if model.kernel == "poly" else products


def kernel(model, data, c):
    regression = isinstance(model, SVR)
    key = "t" if regression else "y"
    model.fit(data["X"], data[key], sample_weight=c)
    values, vectors = np.linalg.eigh(gram(model, data["X"]))
    features = vectors * np.sqrt(np.maximum(values, 0.0))
    present = np.arange(len(data["X"])) if c is None else np.flatnonzero(c)
    duals = np.zeros(len(data["X"]))
    duals[present[model.support_]] = model.dual_coef_[0]
    w, b = cp.Variable(features.shape[1]), cp.Variable()
    w.value, b.value = features.T @ duals, model.intercept_[0]
    weights = np.ones(len(duals)) if c is None else c
    target, z = numeric(data[key]), features @ w + b
    loss = insensitive(z, target, weights, model.epsilon) if regression else hinges(z, target, weights)
    return model, key, model.C * loss + squared(w)


OTHERS = {
    "MultiTaskLasso": (tasks, lm.MultiTaskLasso(alpha=0.1)),
    "MultiTaskElasticNet": (tasks, lm.MultiTaskElasticNet(alpha=0.1, l1_ratio=0.4)),
    "LogisticRegression multinomial": (
        multinomial,
        lm.LogisticRegression(C=0.6, class_weight={0: 1.0, 1: 2.0, 2: 0.5}),
    ),
    "LinearSVC against the rest": (
        against_rest,
        LinearSVC(C=0.4, class_weight={0: 1.0, 1: 2.0, 2: 0.5}, random_state=0),
    ),
    "SVC linear": (kernel, SVC(kernel="linear", C=0.5)),
    "SVC rbf": (kernel, SVC(C=2.0)),
    "SVC poly": (kernel, SVC(kernel="poly", degree=2, coef0=1.0, C=0.5)),
    "SVR rbf": (kernel, SVR(C=2.0, epsilon=0.2)),
    "SVR linear": (kernel, SVR(kernel="linear", C=0.5, epsilon=0.2)),
}
ESTIMATORS = (*LINEAR, *OTHERS)
UNWEIGHTED = ("MultiTaskLasso", "MultiTaskElasticNet")
ALL = [
    (name, data, weighted)
    for name in ESTIMATORS
    for data in DATA
    for weighted in (False, True)
    if not (weighted and name in UNWEIGHTED)
]
# One data set each, weighted and not in turn.
SOME = [(name, list(DATA)[k % 5], k % 2 == 1 and name not in UNWEIGHTED) for k, name in enumerate(ESTIMATORS)]


def check(name, data, weighted):
    data = DATA[data]()
    c = data["weight"] if weighted else None
    if name in LINEAR:
        model, key, objective = linear(name, data, c)
    else:
        make, model = OTHERS[name]
        model, key, objective = make(model, data, c)
    judged = wb.certificate(model, data["X"], data[key], sample_weight=c)
    assert judged.objective == pytest.approx(objective.value, rel=1e-9)
    assert judged.gap >= 0.0
    assert judged.at_least <= judged.gap * (1.0 + 1e-9) + 1e-12 * abs(judged.objective)
    optimum = cp.Problem(cp.Minimize(objective)).solve(solver=cp.CLARABEL)
    slack = SOLVED * abs(optimum)
    assert judged.lower_bound <= optimum + slack
    assert judged.objective - judged.at_least >= optimum - slack
    assert judged.lower_bound == pytest.approx(judged.objective - judged.gap, rel=1e-9)
    # The bound is not idle: it leaves the tolerance of 1e-4, and a little where that was missed.
    assert judged.gap <= judged.objective - optimum + 1.5e-4 * max(abs(optimum), abs(judged.objective))


@pytest.mark.parametrize(("name", "data", "weighted"), SOME, ids=str)
def test_the_bound_holds_and_the_objective_is_the_estimators_own(name, data, weighted):
    check(name, data, weighted)


@pytest.mark.long
@pytest.mark.parametrize(("name", "data", "weighted"), [case for case in ALL if case not in SOME], ids=str)
def test_every_estimator_on_all_data(name, data, weighted):
    check(name, data, weighted)


def fitted(model, key="y", data="tall"):
    data = DATA[data]()
    return model.fit(data["X"], data[key]), data["X"], data[key]


def test_a_problem_still_takes_its_point():
    data = DATA["tall"]()
    problem = wb.Problem(data["X"], numeric(data["y"]), "hinge", lam=0.1)
    judged = wb.certificate(problem, np.zeros(6))
    assert judged.gap == wb.certificate(problem, w=np.zeros(6)).gap > judged.primal == 1.0


def test_pipelines_searches_and_transformed_targets_are_read_at_their_end():
    data = DATA["scales"]()
    X, y, t = data["X"], data["y"], data["t"]
    inner = StandardScaler().fit_transform(X)
    plain = wb.certificate(lm.LogisticRegression(C=0.1).fit(inner, y), inner, y)
    pipe = make_pipeline(StandardScaler(), lm.LogisticRegression(C=0.1)).fit(X, y)
    search = GridSearchCV(pipe, {"logisticregression__C": [0.1]}).fit(X, y)
    for model in (pipe, search):
        judged = wb.certificate(model, X, y)
        assert isinstance(judged, ModelCertificate)
        assert (judged.objective, judged.gap, judged.enough) == (plain.objective, plain.gap, True)
    scaled = MinMaxScaler().fit_transform(t[:, None]).ravel()
    ridge = TransformedTargetRegressor(lm.Ridge(), transformer=MinMaxScaler()).fit(X, t)
    direct = wb.certificate(lm.Ridge().fit(X, scaled), X, scaled)
    assert wb.certificate(ridge, X, t).objective == pytest.approx(direct.objective, rel=1e-9)


def test_sparse_rows_frames_and_labels_of_every_kind():
    pd = pytest.importorskip("pandas")
    data = DATA["binary"]()
    X, y = data["X"], data["y"]
    base = wb.certificate(lm.LogisticRegression().fit(X, y), X, y).objective
    for labels in (y == "yes", np.where(y == "yes", 7, 3), pd.Series(y), y.astype(object)):
        assert wb.certificate(lm.LogisticRegression().fit(X, labels), X, labels).objective == pytest.approx(
            base
        )
    rows, frame = sp.csr_array(X), pd.DataFrame(X, columns=[f"f{k}" for k in range(12)])
    for samples in (rows, frame):
        for model in (lm.LogisticRegression(), SVC(C=0.5), SVC(kernel="linear")):
            judged = wb.certificate(model.fit(samples, y), samples, y)
            assert judged.objective == pytest.approx(
                wb.certificate(model.fit(X, y), X, y).objective, rel=1e-6
            )
    model = lm.LogisticRegression().fit(frame, y)
    with pytest.raises(
        wb.InputError, match="the columns of X are not those that LogisticRegression was fitted to"
    ):
        wb.certificate(model, frame[frame.columns[::-1]], y)


def test_machines_of_several_classes_add_up():
    data = DATA["tall"]()
    X, c = data["X"], data["c"]
    for model in (SVC(tol=1e-8, class_weight="balanced"), SVC(kernel="linear", tol=1e-8)):
        judged = wb.certificate(model.fit(X, c), X, c)
        assert [part.name for part in judged.parts] == ["0 or 1", "0 or 2", "1 or 2"]
        assert judged.enough
        assert judged.relative_gap < 1e-6
        assert sum(part.objective for part in judged.parts) == pytest.approx(judged.objective)
        with pytest.raises(wb.InputError, match="solves 3 problems"):
            judged.problem  # noqa: B018
    ridge = lm.Ridge(alpha=[0.5, 1.0, 2.0]).fit(X, data["T"])
    assert [part.problem.lam for part in wb.certificate(ridge, X, data["T"]).parts] == pytest.approx(
        [2.0 * alpha / len(X) for alpha in (0.5, 1.0, 2.0)]
    )


@pytest.mark.parametrize("kernel", ["precomputed", lambda A, B: (A @ B.T + 1.0) ** 2])
def test_kernels_that_are_given(kernel):
    data = DATA["tall"]()
    X = (data["X"] @ data["X"].T + 1.0) ** 2 if kernel == "precomputed" else data["X"]
    ours = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=1e-8).fit(data["X"], data["y"])
    expected = wb.certificate(ours, data["X"], data["y"]).objective
    judged = wb.certificate(SVC(kernel=kernel, tol=1e-8).fit(X, data["y"]), X, data["y"])
    assert judged.objective == pytest.approx(expected, rel=1e-6)
    assert judged.enough


def test_a_fit_that_stopped_early_is_told_and_its_advice_helps():
    data = DATA["scales"]()
    X, y = data["X"], data["y"]
    with pytest.warns(ConvergenceWarning):
        model = lm.LogisticRegression(C=10.0, max_iter=5).fit(X, y)
    judged = wb.certificate(model, X, y)
    assert judged.verdict == "not enough"
    assert 0.0 < judged.at_least <= judged.gap
    advice = "\n".join(judged.advice)
    for what in (
        "raise max_iter: the fit stopped at the 5",
        "standardize",
        "StandardScaler()",
        "newton-chol",
    ):
        assert what in advice
    assert "not enough for 0.0001" in str(judged)
    better = lm.LogisticRegression(C=10.0, solver="newton-cholesky").fit(X, y)
    again = wb.certificate(better, X, y)
    assert again.verdict == "enough"
    assert again.advice == ()
    assert "nothing; a ConvergenceWarning may be ignored" in str(again)
    assert judged.objective - again.objective == pytest.approx(judged.gap, rel=1e-3)
    # By its tolerance, on columns of one scale.
    model, X, y = fitted(LinearSVC(loss="hinge", C=50.0, tol=0.5, max_iter=10**6, random_state=0))
    judged = wb.certificate(model, X, y)
    assert judged.verdict == "not enough"
    assert judged.advice[0].startswith("lower tol, which is 0.5, to ")
    asked = float(judged.advice[0].split(" to ")[1].split(":")[0])
    assert wb.certificate(model.set_params(tol=asked).fit(X, y), X, y).enough


def test_a_warning_may_be_no_matter():
    """A fit that warns may still be within the tolerance, which no warning says."""
    data = DATA["tall"]()
    with pytest.warns(ConvergenceWarning):
        model = LinearSVC(loss="hinge", tol=1e-12, max_iter=3000, random_state=0).fit(data["X"], data["y"])
    assert wb.certificate(model, data["X"], data["y"]).verdict == "enough"


def test_without_epochs_the_bound_is_that_of_the_point():
    data = DATA["tall"]()
    model = LinearSVR(random_state=0, max_iter=10**5).fit(data["X"], data["t"])
    bare = wb.certificate(model, data["X"], data["t"], max_epochs=0)
    assert bare.parts[0].solution is None
    assert bare.verdict == "undecided"
    assert bare.lower_bound < wb.certificate(model, data["X"], data["t"]).lower_bound


def test_the_interval_holds_the_optimum_with_rounding():
    model, X, t = fitted(lm.Ridge(), "t")
    judged = wb.certificate(model, X, t)
    lower, upper = judged.interval
    assert lower <= judged.lower_bound
    assert judged.objective <= upper
    assert upper - lower <= 1e-9 * upper
    loose, X_loose, y = fitted(lm.LogisticRegression(tol=1e-1, max_iter=1), "y")
    judged = wb.certificate(loose, X_loose, y)
    assert judged.gap <= judged.interval[1] - judged.interval[0] <= 1.001 * judged.gap
    assert wb.certificate(*fitted(SVC())).interval is None
    assert wb.certificate(model, X, t, rigorous=True).interval[0] <= upper


REFUSED = {
    "not fitted": (lm.Lasso(), "t", "Lasso is not fitted; call fit"),
    "a forest": (RandomForestClassifier(n_estimators=2), "y", "RandomForestClassifier is not a linear model"),
    "no regularizer": (lm.LinearRegression(), "t", "LinearRegression has no regularizer; use Ridge"),
    "infinite C": (lm.LogisticRegression(C=np.inf), "y", "C = inf leaves no regularizer"),
    "alpha zero": (lm.Ridge(alpha=0.0), "t", "Ridge has no regularizer that bounds its optimum"),
    "positive": (lm.Lasso(alpha=0.1, positive=True), "t", "Lasso: positive = True"),
    "crammer": (LinearSVC(multi_class="crammer_singer"), "c", "multi_class = 'crammer_singer'"),
    "sigmoid": (SVC(kernel="sigmoid"), "y", "SVC: kernel = 'sigmoid' is not a positive semidefinite kernel"),
    "degree": (SVC(kernel="poly", coef0=-1.0), "y", "SVC: kernel polynomial: coef0 = -1.0 must be"),
    "nu": (NuSVC(nu=0.3), "y", "NuSVC has nu in place of C; use SVC"),
    "perceptron loss": (lm.SGDClassifier(loss="perceptron"), "y", "loss = 'perceptron' is not supported"),
    "no penalty": (
        lm.SGDClassifier(penalty=None),
        "y",
        "SGDClassifier: penalty = None leaves no regularizer",
    ),
    "perceptron": (lm.Perceptron(), "y", "Perceptron minimizes no regularized objective"),
    "Huber's scale": (lm.HuberRegressor(), "t", "HuberRegressor minimizes over a scale"),
    "counts": (lm.PoissonRegressor(), "t", "PoissonRegressor has a loss that is not supported"),
    "a pipeline's end": (
        make_pipeline(StandardScaler(), RandomForestClassifier(2)),
        "y",
        "Classifier is not",
    ),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")
@pytest.mark.parametrize(("model", "key", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_read_is_refused_with_what_works(model, key, message):
    data = DATA["tall"]()
    target = abs(data[key]) if key == "t" else data[key]
    if "is not fitted" not in message:
        model.fit(data["X"], target)
    with pytest.raises(wb.InputError) as error:
        wb.certificate(model, data["X"], target)
    assert message in str(error.value)


def test_what_does_not_belong_to_the_fit_is_refused():
    data = DATA["tall"]()
    X, y = data["X"], data["y"]
    model, machine = lm.LogisticRegression().fit(X, y), SVC().fit(X, y)
    weight = "sample_weight"
    cases = [
        ((model, X[:, :5], y), {}, r"X has shape \(90, 5\) where LogisticRegression was fitted to 6"),
        ((model, X, y[:80]), {}, r"y has shape \(80,\) for 90 rows"),
        ((model, X, np.where(y == "yes", 1, -1)), {}, r"y\[0\] is .* fitted to the classes no, yes"),
        ((machine, X + 1.0, y), {}, "X or sample_weight is not what SVC was fitted to"),
        ((machine, X, y), {weight: (y == "yes") * 1.0}, "sample_weight is not what SVC"),
        ((machine, X[:50], y[:50]), {}, "X or sample_weight is not what SVC was fitted to"),
        ((model, X, y), {weight: -np.ones(90)}, "sample_weight has negative entries"),
        ((model, X, y), {weight: np.ones(7)}, "sample_weight has shape"),
        ((model, np.where(X > 2, np.nan, X), y), {}, "is nan"),
        ((model, X, y), {"tol": 0.0}, "tol = 0.0 must be"),
        ((make_pipeline(StandardScaler(), lm.Ridge()), X, y), {}, "steps of the pipeline"),
        ((GridSearchCV(lm.Ridge(), {}), X, y), {}, "has no best_estimator_"),
        ((3.0, X, y), {}, "float is not a linear model"),
        ((model,), {}, "give X and y, the data that the estimator was fitted to"),
        ((wb.DualClassifier(), X, y), {}, "DualClassifier has its certificate already"),
        ((lm.Ridge().fit(X, data["t"]), X, y), {}, "y is not numeric"),
        ((model, X, np.c_[y, y]), {}, "one label per row"),
    ]
    for arguments, options, message in cases:
        with pytest.raises(wb.InputError, match=message):
            wb.certificate(*arguments, **options)


def test_a_subclass_of_ones_own_is_read_and_one_of_the_packages_is_not():
    class Mine(lm.Lasso):
        pass

    model, X, t = fitted(Mine(alpha=0.1), "t")
    assert wb.certificate(model, X, t).estimator == "Lasso"
    other = type("PoissonLasso", (lm.Lasso,), {"__module__": "sklearn.linear_model._other"})
    with pytest.raises(wb.InputError, match="PoissonLasso is not a linear model"):
        wb.certificate(fitted(other(alpha=0.1), "t")[0], X, t)


TIGHT = {
    "LogisticRegression": lm.LogisticRegression(tol=1e-10, max_iter=10_000),
    "liblinear": lm.LogisticRegression(solver="liblinear", tol=1e-12, max_iter=10_000, intercept_scaling=3.0),
    "LinearSVC": LinearSVC(tol=1e-12, max_iter=10**6, random_state=0),
    "RidgeClassifier": lm.RidgeClassifier(),
    "SVC": SVC(tol=1e-10),
    "SVC linear": SVC(kernel="linear", tol=1e-10),
}


@pytest.mark.parametrize(
    ("name", "key", "weighted", "balanced"),
    product(
        [
            pytest.param(*case)
            for case in itertools.product(TIGHT, ("y", "c"), (True, False), (True, False))
            if case[:2] != ("liblinear", "c")
        ]
    ),
)
def test_weights_of_classes_are_those_of_the_fit(name, key, weighted, balanced):
    """A fit to its last digits has no gap, unless its objective is read as another."""
    data = DATA["tall"]()
    X, y = data["X"], data[key]
    chosen = np.random.default_rng(1).random(90) < np.where(y == y[0], 0.9, 0.5)
    X, y, weight = X[chosen], y[chosen], data["weight"][chosen] if weighted else None
    class_weight = dict(zip(np.unique(y).tolist(), (2.0, 0.5, 1.5), strict=False))
    model = TIGHT[name].set_params(class_weight="balanced" if balanced else class_weight)
    judged = wb.certificate(model.fit(X, y, sample_weight=weight), X, y, sample_weight=weight, max_epochs=0)
    assert judged.relative_gap <= 1e-6
    plain = wb.certificate(model.set_params(class_weight=None).fit(X, y), X, y, max_epochs=0)
    assert plain.objective != pytest.approx(judged.objective, rel=1e-3)


def ridge_optimum(X, signs, weight, alpha):
    """The least sum of weighted squares with a free intercept, plus alpha |w|^2, in rationals."""
    A = rational(np.hstack([X, np.ones((len(X), 1))]))
    M, y = A.T.dot(weight[:, None] * A), rational(signs)
    for j in range(X.shape[1]):
        M[j, j] += fractions.Fraction(alpha)
    w = eliminated(M, A.T.dot(weight * y))
    r = A.dot(w) - y
    return (weight * r * r).sum() + fractions.Fraction(alpha) * (w[:-1] ** 2).sum()


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 36, 56, 67, 138])
def test_intervals_hold_the_optimum_of_balanced_weights_in_rationals(seed):
    rng = np.random.default_rng(seed)
    n, alpha = int(rng.integers(8, 20)), 10.0 ** rng.uniform(-2.0, 1.0)
    X, weight = rng.normal(size=(n, 2)), rng.uniform(0.1, 3.0, n)
    y = (X[:, 0] + rng.normal(size=n) > 0.5).astype(int)
    y[:2] = 0, 1
    # RidgeClassifier balances by the numbers of samples, whatever their weights are.
    shares = np.array([fractions.Fraction(n, 2 * int((y == label).sum())) for label in y])
    best = ridge_optimum(X, np.where(y == 1, 1.0, -1.0), rational(weight) * shares, alpha)
    model = lm.RidgeClassifier(alpha=alpha, class_weight="balanced").fit(X, y, sample_weight=weight)
    for rigorous in (False, True):
        judged = wb.certificate(model, X, y, sample_weight=weight, max_epochs=0, rigorous=rigorous)
        lower, upper = map(fractions.Fraction, judged.interval)
        assert lower <= best <= upper
        assert upper - lower <= fractions.Fraction(1e-11) * best


@pytest.mark.parametrize(
    ("model", "key"),
    [
        (lm.LogisticRegression(), "y"),
        (LinearSVC(), "y"),
        (SVC(), "y"),
        (lm.Ridge(), "t"),
        (lm.Lasso(0.1), "t"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_large_gap_of_a_fit_that_ended_first_asks_for_the_data(model, key):
    data = DATA["tall"]()
    X, y, weight = data["X"], data[key], np.random.default_rng(0).uniform(0.5, 2.0, 90)
    model.fit(X, y, sample_weight=weight)
    others = [(X, y, None), (X, np.roll(y, 1), weight)]
    for X_other, y_other, weight_other in others:
        judged = wb.certificate(model, X_other, y_other, sample_weight=weight_other, max_epochs=0)
        assert judged.advice[0].startswith("check that X, y and sample_weight are those of fit")
    same = wb.certificate(model, X, y, sample_weight=weight, max_epochs=0)
    assert not any("those of fit" in line for line in same.advice)


@pytest.mark.parametrize(
    ("model", "key"),
    [
        (lm.LassoCV(tol=1e-8), "t"),
        (lm.ElasticNetCV(l1_ratio=[0.2, 0.8], tol=1e-8), "t"),
        (lm.LassoLarsCV(), "t"),
        (lm.LassoLarsIC(), "t"),
        (lm.RidgeCV(), "t"),
        (lm.RidgeCV(alphas=[0.1, 10.0, 1e3], alpha_per_target=True), "T"),
        (lm.RidgeClassifierCV(), "c"),
        (lm.MultiTaskLassoCV(tol=1e-8), "T"),
        (lm.MultiTaskElasticNetCV(tol=1e-8), "T"),
        (
            lm.LogisticRegressionCV(
                Cs=3, cv=3, tol=1e-8, scoring="neg_log_loss", l1_ratios=(0,), use_legacy_attributes=False
            ),
            "c",
        ),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else value,
)
def test_strengths_that_were_chosen_are_read(model, key):
    data = DATA["diabetes"]()
    judged = wb.certificate(model.fit(data["X"], data[key]), data["X"], data[key], tol=1e-6)
    assert judged.enough


def test_packages_that_are_not_needed_are_read_by_their_names():
    """Stand-ins of celer's and skglm's classes: fitted by CVXPY, read by module and name."""
    data = DATA["tall"]()
    X, t = data["X"], data["t"]
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])
    w, b = cp.Variable(6), cp.Variable()
    fit = cp.sum_squares(t - X @ w - b) / 180.0
    groups = cp.norm(w[:2]) + 2.0 * cp.norm(w[2:])
    s = numeric(data["y"])
    celer, skglm, y = "celer.dropin_sklearn", "skglm.estimators", data["y"]
    weighted, alike = fit + 0.1 * cp.sum(cp.multiply(weights, cp.abs(w))), {"weights": [1.0, 2.0]}
    hinge, one = 0.5 * hinges(X @ w, s, np.ones(90)) + squared(w), logistic(X @ w, s, np.ones(90))
    mixed = logistic(X @ w + b, s, np.ones(90)) / 90.0 + 0.014 * l1(w) + 0.006 * squared(w)
    cases = [
        (celer, "Lasso", {"alpha": 0.1, "weights": weights}, t, weighted),
        (skglm, "WeightedLasso", {"alpha": 0.1, "weights": weights}, t, weighted),
        (celer, "GroupLasso", {"alpha": 0.1, "groups": [2, 4]} | alike, t, fit + 0.1 * groups),
        (
            skglm,
            "GroupLasso",
            {"alpha": 0.1, "groups": [[0, 1], [2, 3, 4, 5]]} | alike,
            t,
            fit + 0.1 * groups,
        ),
        (celer, "LogisticRegression", {"C": 2.0, "penalty": "l1"}, y, one + 0.5 * l1(w)),
        (skglm, "SparseLogisticRegression", {"alpha": 0.02, "l1_ratio": 0.7}, y, mixed),
        (skglm, "LinearSVC", {"C": 0.5}, y, hinge),
    ]
    for module, name, parameters, y, objective in cases:
        b.value = 0.0
        optimum = cp.Problem(cp.Minimize(objective)).solve(solver=cp.CLARABEL)
        model = type(name, (), {"__module__": module})()
        vars(model).update(parameters, coef_=w.value, intercept_=b.value, classes_=np.unique(y))
        judged = wb.certificate(model, X, y)
        assert judged.objective == pytest.approx(optimum, rel=1e-6), name
        assert judged.enough, name
