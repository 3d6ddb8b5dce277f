"""The race where scales and sizes decide, against scikit-learn, libsvm and Clarabel.

Features of many scales or far from zero, tiny lam, many samples of few features, several classes. The
solver is the one that "auto" chooses, and building the problem is in our seconds.
"""

import contextlib

import numpy as np

from workbench import data as datasets
from workbench.problem import Problem
from workbench.race.contest import Contestant
from workbench.solution import attempt

MARKS = (1e-4, 1e-6)
MOST = 100_000
MANY = 16_000
LAMS = (1e-3, 1e-4, 1e-5)
# Each shape of the breast-cancer data, as a function of its raw and its standardized features.
SHAPES = {
    "raw": lambda raw, standard: raw,
    "scaled": lambda raw, standard: standard * np.logspace(-3, 3, standard.shape[1]),
    "shifted": lambda raw, standard: standard + 1000.0,
    "standardized": lambda raw, standard: standard,
}
# The shape, lam and whether the bias is free, for the hinge.
KINKED = (
    ("raw", 1e-3, False), ("raw", 1e-3, True), ("standardized", 1e-9, False), ("standardized", 1e-4, True),
)  # fmt: skip
DENSE = (10**6, 20)
NAMES = ("many-samples", "classes", "scales", "kinks", "dense")


def cells(name):
    """(task, marks, value, contestants, reference) of each cell, as the race takes them."""
    makers = (_many_samples, _classes, _scales, _kinks, _dense)
    yield from dict(zip(NAMES, makers, strict=True))[name]()


def _many_samples():
    task = datasets.load("a9a")
    X, y = task.X[:MANY], task.y[:MANY]
    for lam in LAMS:
        yield _logistic(f"logistic a9a {MANY} lam={lam:g}", X, y, lam, False, ("liblinear", "sag", "lbfgs"))


def _scales():
    for shape in ("raw", "scaled", "shifted"):
        for bias in (False, True):
            task = f"logistic breast-cancer {shape}{' free bias' * bias}"
            yield _logistic(task, *_breast_cancer(shape), 1e-4, bias, ())


def _logistic(task, X, y, lam, bias, others):
    from sklearn.linear_model import LogisticRegression

    def value(point):
        w, b = point
        return float(np.logaddexp(0.0, -y * (X @ w + b)).mean() + 0.5 * lam * w @ w)

    def peer(name):
        options = {"C": 1.0 / (lam * y.size), "fit_intercept": bias, "max_iter": MOST, "solver": name}

        def go(tol):
            model = LogisticRegression(tol=tol, **options).fit(X, y)
            return model.coef_[0], model.intercept_[0] if bias else 0.0

        return Contestant(name, go)

    problem = {"loss": "logistic", "lam": lam, "bias": bias}
    peers = [peer(name) for name in ("newton-cholesky", *others)]
    return task, MARKS, value, [_ours(X, y, problem), *peers], _reference(X, y, problem)


def _classes():
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression

    X, y = load_digits(return_X_y=True)
    X, lam, rows = X / 16.0, 1e-4, np.arange(y.size)

    def value(point):
        z = X @ point[0]
        top = z.max(axis=1, keepdims=True)
        logs = np.log(np.exp(z - top).sum(axis=1)) + top[:, 0]
        return float((logs - z[rows, y]).mean() + 0.5 * lam * (point[0] ** 2).sum())

    def peer(name):
        options = {"C": 1.0 / (lam * y.size), "fit_intercept": False, "max_iter": MOST, "solver": name}
        return Contestant(name, lambda tol: (LogisticRegression(tol=tol, **options).fit(X, y).coef_.T, 0.0))

    problem = {"loss": "multinomial", "lam": lam}
    peers = [peer(name) for name in ("newton-cholesky", "newton-cg", "lbfgs")]
    yield "multinomial digits", MARKS, value, [_ours(X, y, problem), *peers], _reference(X, y, problem)


def _kinks():
    for shape, lam, bias in KINKED:
        X, y = _breast_cancer(shape)
        problem = {"loss": "hinge", "lam": lam, "bias": bias}
        contestants = [_ours(X, y, problem), *_kinked_peers(X, y, lam, bias, libsvm=shape != "raw")]
        task = f"hinge breast-cancer {shape} lam={lam:g}{' free bias' * bias}"
        yield task, MARKS, _hinge_value(X, y, lam), contestants, _reference(X, y, problem)


def _kinked_peers(X, y, lam, bias, libsvm):
    """libsvm where it ends within minutes, and Clarabel where it is installed."""
    from sklearn.svm import SVC

    def of_libsvm(tol):
        model = SVC(kernel="linear", C=1.0 / (lam * y.size), tol=tol).fit(X, y)
        return model.coef_[0], model.intercept_[0]

    found = [Contestant("libsvm", of_libsvm)] if bias and libsvm else []
    with contextlib.suppress(ImportError):
        found.append(Contestant("clarabel", _of_clarabel(X, y, lam, bias)))
    return found


def _of_clarabel(X, y, lam, bias):
    """The hinge loss as a quadratic program in w, b and the slacks, for an interior-point method."""
    import clarabel
    import scipy.sparse as sp

    (n, d), free = X.shape, int(bias)
    quadratic = sp.diags_array(np.concatenate([np.full(d, lam), np.zeros(free + n)])).tocsc()
    linear = np.concatenate([np.zeros(d + free), np.full(n, 1.0 / n)])
    margins = sp.csc_array(-y[:, None] * np.hstack([X, np.ones((n, free))]))
    slack = -sp.eye_array(n)
    matrix = sp.block_array([[margins, slack], [sp.csc_array((n, d + free)), slack]]).tocsc()
    bounds = np.concatenate([-np.ones(n), np.zeros(n)])

    def go(tol):
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = max(tol, 1e-11)
        cones = [clarabel.NonnegativeConeT(2 * n)]
        x = np.array(clarabel.DefaultSolver(quadratic, linear, matrix, bounds, cones, settings).solve().x)
        return x[:d], float(x[d]) if free else 0.0

    return go


def _dense():
    from sklearn.svm import LinearSVC

    n, d = DENSE
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + 2.0 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    for lam in (1e-4, 1e-6):
        options = {"loss": "hinge", "C": 1.0 / (lam * n), "dual": True, "max_iter": MOST}

        def liblinear(tol, options=options):
            return LinearSVC(tol=tol, fit_intercept=False, **options).fit(X, y).coef_[0], 0.0

        problem = {"loss": "hinge", "lam": lam}
        contestants = [_ours(X, y, problem), Contestant("liblinear", liblinear)]
        task = f"hinge dense {n}x{d} lam={lam:g}"
        yield task, (1e-3,), _hinge_value(X, y, lam), contestants, _reference(X, y, problem)


def _hinge_value(X, y, lam):
    def value(point):
        w, b = point
        return float(np.maximum(0.0, 1.0 - y * (X @ w + b)).mean() + 0.5 * lam * w @ w)

    return value


def _ours(X, y, options):
    def go(tol):
        found = attempt(Problem(X, y, **options), tol=tol, max_epochs=MOST)
        return found.w, found.b

    return Contestant("workbench", go)


def _reference(X, y, options):
    return lambda: attempt(Problem(X, y, **options), tol=1e-9, max_epochs=MOST).primal


def _breast_cancer(shape):
    from sklearn.datasets import load_breast_cancer

    raw, y = load_breast_cancer(return_X_y=True)
    standard = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    return SHAPES[shape](raw, standard), np.where(y == 1, 1.0, -1.0)
