"""The race on sparse weights: lasso and l1 logistic regression against scikit-learn, celer and skglm.

Each lambda is a share of the least one at which all weights are zero. The marks are on the value alone; the
best value is that of anyone at any tolerance.
"""

import numpy as np

from workbench import data as datasets
from workbench.studies.race.contest import MAX_EPOCHS, cell, peer

MARKS = (1e-4, 1e-8)
SHAPES = {"lasso-500x2000": (500, 2000), "lasso-300x20000": (300, 20_000)}
SHARES = (10, 100)
# l1 logistic regression: the data, and the shares of each.
LOGISTIC = {
    "l1-logistic-breast-cancer": (10, 100, 1000),
    "l1-logistic-reuters-acq": (10, 100),
    "l1-logistic-digits": (10, 100),
}
LASSOS = {"scikit-learn": "sklearn.linear_model.Lasso", "celer": "celer.Lasso", "skglm": "skglm.Lasso"}
NAMES = (*SHAPES, *LOGISTIC)


def cells(name):
    """(task, marks, value, contestants, reference) of each cell, as the race takes them."""
    yield from (_lasso if name in SHAPES else _logistic)(name)


def _lasso(name):
    n, d = SHAPES[name]
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.normal(size=(n, d)))
    y = X[:, :20] @ rng.normal(size=20) + 0.5 * rng.normal(size=n)
    highest = 2.0 * float(np.abs(X.T @ y).max()) / n
    options = {"fit_intercept": False, "max_iter": MAX_EPOCHS}
    for share in SHARES:
        lam = highest / share
        peers = (  # their objective is half of ours
            each for who, path in LASSOS.items() for each in peer(who, path, X, y, alpha=lam / 2, **options)
        )
        yield _cell(f"{name} lam_max/{share}", X, y, "squared", lam, peers)


def _logistic(name):
    X, y = _labelled(name.removeprefix("l1-logistic-"))
    highest = float(np.abs(X.T @ y).max()) / (2 * y.size)
    for share in LOGISTIC[name]:
        lam = highest / share
        options = {"C": 1.0 / (lam * y.size), "fit_intercept": False}
        theirs = options | {"penalty": "l1", "solver": "liblinear", "max_iter": MAX_EPOCHS}
        peers = [
            *peer("liblinear", "sklearn.linear_model.LogisticRegression", X, y, **theirs),
            *peer("celer", "celer.LogisticRegression", X, y, **options),
        ]
        yield _cell(f"{name} lam_max/{share}", X, y, "logistic", lam, peers)


def _cell(task, X, y, loss, lam, peers):
    terms = {"loss": loss, "regularizer": "l1", "lam": lam}
    return cell(task, MARKS, X, y, terms, peers, "coordinate-descent", 1e-11)


def _labelled(name):
    """Samples and labels -1 and +1, dense features standardized."""
    if name == "reuters-acq":
        task = datasets.load("reuters21578", category="acq")
        return task.X, task.y
    from sklearn import datasets as theirs

    load = {"breast-cancer": theirs.load_breast_cancer, "digits": theirs.load_digits}[name]
    X, y = load(return_X_y=True)
    y = np.where(y % 2 == 1, 1.0, -1.0)
    spread = X.std(axis=0)
    return np.asfortranarray((X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)), y
