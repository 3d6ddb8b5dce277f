"""The race where scales and sizes decide, against scikit-learn, libsvm and Clarabel.

Features of many scales or far from zero, tiny lam, many samples of few features, several classes. The
solver is the one that "auto" chooses, and building the problem is in our seconds.
"""

import contextlib

import numpy as np

from workbench import data as datasets
from workbench.studies.race.contest import MAX_EPOCHS, Contestant, cell, peer

MARKS = (1e-4, 1e-6)
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
    ("raw", 1e-3, False),
    ("raw", 1e-3, True),
    ("standardized", 1e-9, False),
    ("standardized", 1e-4, True),
)
# With more epochs liblinear's closest fits would take hours.
DENSE, DENSE_EPOCHS = (10**6, 20), 1000
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
    options = {"C": 1.0 / (lam * y.size), "fit_intercept": bias, "max_iter": MAX_EPOCHS}
    peers = _regressions(X, y, ("newton-cholesky", *others), options)
    return cell(task, MARKS, X, y, {"loss": "logistic", "lam": lam, "bias": bias}, peers)


def _regressions(X, y, solvers, options):
    for name in solvers:
        yield from peer(name, "sklearn.linear_model.LogisticRegression", X, y, solver=name, **options)


def _classes():
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    X, lam = X / 16.0, 1e-4
    options = {"C": 1.0 / (lam * y.size), "fit_intercept": False, "max_iter": MAX_EPOCHS}
    peers = _regressions(X, y, ("newton-cholesky", "newton-cg", "lbfgs"), options)
    yield cell("multinomial digits", MARKS, X, y, {"loss": "multinomial", "lam": lam}, peers)


def _kinks():
    for shape, lam, bias in KINKED:
        X, y = _breast_cancer(shape)
        peers = []
        if bias and shape != "raw":  # where libsvm ends within minutes
            options = {"kernel": "linear", "C": 1.0 / (lam * y.size)}
            peers += peer("libsvm", "sklearn.svm.SVC", X, y, **options)
        with contextlib.suppress(ImportError):
            peers.append(Contestant("clarabel", _of_clarabel(X, y, lam, bias)))
        task = f"hinge breast-cancer {shape} lam={lam:g}{' free bias' * bias}"
        yield cell(task, MARKS, X, y, {"loss": "hinge", "lam": lam, "bias": bias}, peers)


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
    n, d = DENSE
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + 2.0 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    options = {"loss": "hinge", "dual": True, "fit_intercept": False, "max_iter": DENSE_EPOCHS}
    for lam in (1e-4, 1e-6):
        peers = peer("liblinear", "sklearn.svm.LinearSVC", X, y, C=1.0 / (lam * n), **options)
        terms, task = {"loss": "hinge", "lam": lam}, f"hinge dense {n}x{d} lam={lam:g}"
        yield cell(task, (1e-3,), X, y, terms, peers, tight=1e-5)


def _breast_cancer(shape):
    from sklearn.datasets import load_breast_cancer

    raw, y = load_breast_cancer(return_X_y=True)
    standard = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    return SHAPES[shape](raw, standard), np.where(y == 1, 1.0, -1.0)
