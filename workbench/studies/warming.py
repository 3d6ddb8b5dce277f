"""Compile what common problems need before they are asked for.

    count = warm(progress)

Every loss shares its solver's loop with the others, so the first problem takes most of the time.
"""

import warnings

import numpy as np

from workbench.estimators.models import DualClassifier, DualRegressor, KernelSVC, MultinomialClassifier
from workbench.kernels import compilation
from workbench.problems import Problem
from workbench.solvers.solution import solve

# Loss and regularizer, in the order in which a visitor is likely to ask for them.
COMMON = (
    ("hinge", "squared-l2"),
    ("logistic", "squared-l2"),
    ("squared", "squared-l2"),
    ("squared", "l1"),
    ("logistic", "l1"),
    ("squared-hinge", "squared-l2"),
    ("huber", "squared-l2"),
    ("squared", "elastic-net"),
    ("logistic", "elastic-net"),
)
ESTIMATORS = (DualClassifier, DualRegressor, KernelSVC, MultinomialClassifier)
SAMPLES, FEATURES, LAM = 24, 4, 0.1


def warm(progress=lambda count, total, text="": None):
    """Solve a small problem of each common kind, so that its kernels are in the cache.

    Parameters
    ----------
    progress : callable
        Takes (count, total, text) before each problem.

    Returns
    -------
    int
        Functions that this process loaded or compiled.
    """
    before = compilation.progress["done"]
    tasks = [(f"{loss} with {name}", _solving(loss, name)) for loss, name in COMMON]
    tasks += [(estimator.__name__, _fitting(estimator)) for estimator in ESTIMATORS]
    with warnings.catch_warnings(), compilation.at_once():
        warnings.simplefilter("ignore")  # an answer to random data is nobody's
        for count, (text, task) in enumerate(tasks):
            progress(count, len(tasks), text)
            task()
    return compilation.progress["done"] - before


def _solving(loss, regularizer):
    def task():
        X, y, _ = _samples()
        for bias in (False, True):
            solve(Problem(X, y, loss, regularizer, lam=LAM, bias=bias))

    return task


def _fitting(estimator):
    def task():
        X, y, classes = _samples()
        estimator().fit(X, classes if estimator is MultinomialClassifier else y)

    return task


def _samples():
    """Return features, labels -1 and 1, and three classes."""
    X = np.random.default_rng(0).normal(size=(SAMPLES, FEATURES))
    z = X @ np.arange(1.0, FEATURES + 1.0)
    return X, np.where(z > 0.0, 1.0, -1.0), np.digitize(z, [-1.0, 1.0])
