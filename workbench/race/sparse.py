"""The race on sparse weights: lasso and l1 logistic regression against scikit-learn, celer and skglm.

Each lambda is a share of the least one at which all weights are zero. The marks are on the value alone; the
best value is that of anyone at any tolerance.
"""

import numpy as np

from workbench import data as datasets
from workbench.problem import Problem
from workbench.race.contest import Contestant
from workbench.solution import attempt

MARKS = (1e-4, 1e-8)
SHAPES = {"lasso-500x2000": (500, 2000), "lasso-300x20000": (300, 20_000)}
SHARES = (10, 100)
# l1 logistic regression: the data, and the shares of each.
LOGISTIC = {
    "l1-logistic-breast-cancer": (10, 100, 1000),
    "l1-logistic-reuters-acq": (10, 100),
    "l1-logistic-digits": (10, 100),
}
NAMES = (*SHAPES, *LOGISTIC)
MOST = 100_000


def cells(name):
    """(task, marks, value, contestants, reference) of each cell, as the race takes them."""
    yield from (_lasso if name in SHAPES else _logistic)(name)


def _lasso(name):
    n, d = SHAPES[name]
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.normal(size=(n, d)))
    y = X[:, :20] @ rng.normal(size=20) + 0.5 * rng.normal(size=n)
    highest = 2.0 * float(np.abs(X.T @ y).max()) / n
    for share in SHARES:
        lam = highest / share

        def value(w, lam=lam):
            return float(np.mean((X @ w - y) ** 2) + lam * np.abs(w).sum())

        contestants = [_ours(X, y, "squared", lam), *_lasso_peers(X, y, lam / 2)]
        yield f"{name} lam_max/{share}", MARKS, value, contestants, _reference(X, y, "squared", lam)


def _logistic(name):
    X, y = _labelled(name.removeprefix("l1-logistic-"))
    highest = float(np.abs(X.T @ y).max()) / (2 * y.size)
    for share in LOGISTIC[name]:
        lam = highest / share

        def value(w, lam=lam):
            return float(np.logaddexp(0.0, -y * (X @ w)).mean() + lam * np.abs(w).sum())

        contestants = [_ours(X, y, "logistic", lam), *_logistic_peers(X, y, 1.0 / (lam * y.size))]
        yield f"{name} lam_max/{share}", MARKS, value, contestants, _reference(X, y, "logistic", lam)


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


def _solved(X, y, loss, lam, tol):
    return attempt(Problem(X, y, loss, "l1", lam), "coordinate-descent", tol=tol, max_epochs=MOST)


def _ours(X, y, loss, lam):
    return Contestant("workbench", lambda tol: _solved(X, y, loss, lam, tol).w)


def _reference(X, y, loss, lam):
    return lambda: _solved(X, y, loss, lam, 1e-11).primal


def _lasso_peers(X, y, alpha):
    """The peers that are installed; their objective is half of ours."""
    from sklearn.linear_model import Lasso

    options = {"alpha": alpha, "fit_intercept": False, "max_iter": MOST}
    found = [Contestant("scikit-learn", lambda tol: Lasso(tol=tol, **options).fit(X, y).coef_)]
    try:
        from celer import Lasso as Celer

        found.append(Contestant("celer", lambda tol: Celer(tol=tol, **options).fit(X, y).coef_))
    except ImportError:
        pass
    try:
        from skglm import Lasso as Skglm

        found.append(Contestant("skglm", lambda tol: Skglm(tol=tol, **options).fit(X, y).coef_))
    except ImportError:
        pass
    return found


def _logistic_peers(X, y, cost):
    from sklearn.linear_model import LogisticRegression

    options = {"penalty": "l1", "C": cost, "fit_intercept": False, "max_iter": MOST}

    def liblinear(tol):
        return LogisticRegression(solver="liblinear", tol=tol, **options).fit(X, y).coef_[0]

    found = [Contestant("liblinear", liblinear)]
    try:
        from celer import LogisticRegression as Celer

        made = {"C": cost, "fit_intercept": False}
        found.append(Contestant("celer", lambda tol: Celer(tol=tol, **made).fit(X, y).coef_[0]))
    except ImportError:
        pass
    return found
