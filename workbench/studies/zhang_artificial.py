"""The tasks of Zhang's Table 1 and Figure 1: test accuracy on one draw of the artificial data."""

import functools
import time

from workbench.data import load
from workbench.solvers.run import Run
from workbench.studies.zhang_methods import ITERATIONS, ONLINE, iterate, problem, solver


def accuracies(d, draw, algorithm, lams, tol):
    """Return the test accuracy of an algorithm on one draw, for each lambda.

    Parameters
    ----------
    d, draw : int
        Dimension and seed of the data.
    algorithm : str
        Of `zhang_methods`.
    lams : list of float
        One entry, which means nothing, for an online rule.
    tol : float
        The relative gap that ends a regularized run before its 200 iterations.

    Returns
    -------
    dict
        Lists with an entry a lambda: accuracy (percent), relative_gap (None for an online rule), iterations.
    """
    data = _load(d, draw)
    start = time.process_time()
    base = problem(algorithm, data.X, data.y)
    runs = [Run(base.replace(lam=lam), solver(algorithm), test=(data.X_test, data.y_test)) for lam in lams]
    for run in runs:
        iterate(run, ITERATIONS, tol)
        if run.last is None:
            run.record()
    return {
        "accuracy": [100.0 * run.rows[-1]["test_score"] for run in runs],
        "relative_gap": [None if algorithm in ONLINE else float(run.present().relative_gap) for run in runs],
        "iterations": [run.epochs for run in runs],
        "cpu_seconds": time.process_time() - start,
    }


@functools.lru_cache(maxsize=1)
def _load(d, draw):
    return load("zhang-artificial", d=d, seed=draw)
