"""The tasks of Zhang's Table 2: one algorithm on one category of Reuters-21578."""

import math
import time

import numpy as np

from workbench.solvers.run import Run
from workbench.studies.scores import break_even
from workbench.studies.zhang_methods import ITERATIONS, ONLINE, iterate, problem, solver

FOLDS = 3


def cross_validation(rule, category, algorithm, lams, tol, iterations, corpora):
    """Break-even points of a category on the training part, each document scored by a fit without it.

    Parameters
    ----------
    rule : str
        What counts as a word: the corpus to take.
    category, algorithm : str
    lams : list of float
    tol, iterations : float, int
        A run ends at this relative gap or after this number of iterations.
    corpora : dict of str to Corpus

    Returns
    -------
    dict
        documents, those of the category in the training part; points (percent), one a lambda.
    """
    from sklearn.model_selection import StratifiedKFold

    start = time.process_time()
    X, y, _, _ = _category(corpora[rule], category)
    scores = np.empty((len(lams), y.size))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        base = problem(algorithm, X[train], y[train], bias=False)
        for row, lam in zip(scores, lams, strict=True):
            row[test] = X[test] @ _fit(base.replace(lam=lam), algorithm, tol, iterations)[0]
    return {
        "documents": int((y > 0.0).sum()),
        "points": [break_even(y, z) for z in scores],
        "cpu_seconds": time.process_time() - start,
    }


def test_point(rule, category, algorithm, lam, tol, corpora):
    """The break-even point of a category on the test part.

    Parameters
    ----------
    lam : float or None
        None for an online rule, which knows none.

    Returns
    -------
    dict
        documents, those of the category in the test part; point (percent, None if undefined); nonzeros
        of the weights; relative_gap (None for an online rule); iterations.
    """
    start = time.process_time()
    X, y, X_test, y_test = _category(corpora[rule], category)
    base = problem(algorithm, X, y, lam=lam or 1.0, bias=False)
    w, run = _fit(base, algorithm, tol, ITERATIONS)
    point = break_even(y_test, X_test @ w)
    return {
        "documents": int(y_test.sum()),
        "point": None if math.isnan(point) else point,
        "nonzeros": int(np.count_nonzero(w)),
        "relative_gap": None if algorithm in ONLINE else float(run.last.relative_gap),
        "iterations": run.epochs,
        "cpu_seconds": time.process_time() - start,
    }


def _category(corpus, category):
    """X, y of the training part, X and whether a document belongs to the category of the test part."""
    column = corpus.topics.index(category)
    return (
        corpus.X,
        np.where(corpus.labels[:, column], 1.0, -1.0),
        corpus.X_test,
        corpus.labels_test[:, column],
    )


def _fit(base, algorithm, tol, iterations):
    """Return the weights in the corpus's features, and the run."""
    run = Run(base, solver(algorithm))
    iterate(run, iterations, tol)
    w, _ = run.solver.finish(base, run.state)
    return base.split(w)[0], run
