"""The race of the page Compare: `python -m workbench.studies.race` reads a course and prints events.

It runs in a process of its own, so that it has one thread, can be killed in the middle of a fit, and
disturbs nobody. A course is a JSON object on standard input: data, loss, regularizer, lam and seconds.

Every point is one fit from scratch to one setting of a ladder; the next is of the contestant with the least
time. Its weights, a peer's as well, are then certified by us, off the clock: P(w) less the best lower bound
that a long solve of ours has proved, as a share of P(w).
"""

import importlib
import importlib.util
import json
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench import data as datasets
from workbench import solvers
from workbench._support.errors import InputError
from workbench.certificates import certificate
from workbench.data import store
from workbench.kernels import compilation
from workbench.problems import Problem, losses, regularizers
from workbench.solvers.solution import attempt

MARKS = (1e-2, 1e-3, 1e-5)
MAX_EPOCHS = 100_000
# Tolerances, the loosest first.
LADDER = tuple(10.0 ** (-k / 2) for k in range(25))
# The reference's lower bound is to be this much better than the last mark, or as good as it gets in time.
REFERENCE = {"tol": 1e-8, "max_epochs": 3000}
# A contestant has arrived where it is this much below the last mark.
ARRIVED = 0.3
# The loosest setting of ours, of which no curve needs more.
OUR_LADDER = LADDER[2:19]
# Number of runs of each contestant, if time allows; the fastest counts, since noise only adds.
ROUNDS = 3
EPOCHS = tuple(2**k for k in range(12))
# The losses that others take, and those of the others that may be missing, by the terms that they race on.
PEERED = ("hinge", "squared-hinge", "logistic", "squared")
OPTIONAL = {("squared", "elastic-net"): ("celer", "skglm")}


@dataclass(frozen=True)
class Contestant:
    """A solver with everything but its setting, for which `run` returns the weights."""

    name: str
    run: Callable
    ladder: tuple = LADDER


def ours(loss, regularizer):
    """Return the names of our solvers that take these terms; nothing is compiled to find out."""
    loss, regularizer = losses.get(loss), regularizers.get(regularizer)
    return [name for name, solver in solvers.REGISTRY.items() if solver.takes(loss, regularizer)]


def absent(loss, regularizer):
    """Return the peers that would race but are not installed."""
    names = OPTIONAL.get((loss, _kind(regularizer)), ())
    return [name for name in names if importlib.util.find_spec(name) is None]


def contestants(X, y, loss, regularizer, lam):
    """Everyone who starts, ours first."""
    terms = {"loss": loss, "regularizer": regularizer, "lam": lam}

    def fit(name):
        return lambda tol: attempt(Problem(X, y, **terms), name, tol=tol, max_epochs=MAX_EPOCHS).w

    mine = [Contestant(f"workbench {name}", fit(name), OUR_LADDER) for name in ours(loss, regularizer)]
    return [*mine, *_peers(X, y, loss, regularizer, lam)]


def _peer(name, path, X, y, setting="tol", ladder=LADDER, **options):
    """Yield an estimator with scikit-learn's interface, if the package of its path is installed."""
    module, _, kind = path.rpartition(".")
    try:
        estimator = getattr(importlib.import_module(module), kind)
    except ImportError:
        return

    def fit(value):
        return np.ravel(estimator(**{setting: value}, fit_intercept=False, **options).fit(X, y).coef_)

    yield Contestant(name, fit, ladder)


def _kind(regularizer):
    return regularizer.partition(":")[0]


def _peers(X, y, loss, regularizer, lam):
    """Yield the installed peers on the objective of these terms."""
    if loss not in PEERED or _kind(regularizer) not in ("squared-l2", "elastic-net"):
        return
    epsilon, n = float(regularizer.partition("=")[2] or 0.0), len(y)
    plain = _kind(regularizer) == "squared-l2"
    # The weight of a classifier, and of what is half of our objective with the squared loss.
    most: dict[str, object] = {"max_iter": MAX_EPOCHS}
    C = 1.0 / (lam * (1 + epsilon) * n)
    mixed = {"l1_ratio": epsilon / (1 + epsilon)}
    if loss == "squared" and not plain:
        options = {"alpha": lam * (1 + epsilon) / 2, **mixed}
        yield from _peer("scikit-learn", "sklearn.linear_model.ElasticNet", X, y, **options, **most)
        yield from _peer("celer", "celer.ElasticNet", X, y, **options, **most)
        yield from _peer("skglm", "skglm.ElasticNet", X, y, max_iter=1000, **options)
    elif loss == "squared":
        for solver in ("cholesky", "sparse_cg", "lsqr"):
            # A factorization knows no tolerance.
            ladder, most["solver"] = (0.0,) if solver == "cholesky" else LADDER, solver
            name, path = f"ridge, {solver}", "sklearn.linear_model.Ridge"
            yield from _peer(name, path, X, y, ladder=ladder, alpha=0.5 * lam * n, **most)
    elif loss == "logistic":
        options = {"C": C, **most} | ({} if plain else {"penalty": "elasticnet", **mixed})
        for solver in ("liblinear", "lbfgs", "newton-cg") if plain else ("saga",):
            path = "sklearn.linear_model.LogisticRegression"
            yield from _peer(solver, path, X, y, solver=solver, **options)
    elif plain:
        # scikit-learn's squared hinge is twice ours.
        weight = C / 2 if loss == "squared-hinge" else C
        options = {"loss": loss.replace("-", "_"), "C": weight, "dual": True, **most}
        yield from _peer("liblinear", "sklearn.svm.LinearSVC", X, y, **options)
    # On the squared hinge, whose slope is unbounded, the steps of SGDClassifier run away.
    if loss in ("hinge", "logistic"):
        options = {
            "loss": "hinge" if loss == "hinge" else "log_loss",
            "penalty": "elasticnet",
            "tol": None,
            "alpha": lam * (1 + epsilon),
            "random_state": 0,
            **mixed,
        }
        path = "sklearn.linear_model.SGDClassifier"
        yield from _peer("SGDClassifier", path, X, y, "max_iter", EPOCHS, **options)


def _samples(data, options, stored):
    """Return the samples (n, d) and the labels (n,) of a course."""
    if stored is None and not isinstance(data, str):
        return tuple(np.asarray(part, dtype=float) for part in data)
    if stored is None:
        task = datasets.load(data, **options)
    else:
        folder, token = stored
        task = store.Store(folder).get(token, content=False).dataset
    return task.X, task.y


def run(data, options, loss, regularizer, lam, seconds, stored=None):
    """Yield the events of a race as dicts, the first of which says who starts.

    Parameters
    ----------
    data : str or (array_like (n, d), array_like (n,))
        The name of a data set, as for `workbench.data.load`, or samples and labels.
    options : dict
        Of `workbench.data.load`.
    loss, regularizer : str
    lam : float
    seconds : float
        After which no further fit begins.
    stored : (str, str), optional
        The folder and the token of an upload in a `workbench.data.store.Store`, taken instead of loading.

    Yields
    ------
    dict
        kind "start" with names, absent, n, d and the lower bound; "fit" with name, setting, seconds, primal,
        relative (the certified suboptimality) and gap (that of its own certificate, from the weights alone);
        "end" with why: "arrived" or "time".
    """
    X, y = _samples(data, options, stored)
    # A first fit compiles and imports, off the clock; labels of one class are refused by some.
    with compilation.at_once():
        field = [one for one in contestants(X, y, loss, regularizer, lam) if _is_able(one)]
    problem = Problem(X, y, loss, regularizer, lam)
    bound = attempt(problem, **REFERENCE).dual
    yield {
        "kind": "start",
        "names": [contestant.name for contestant in field],
        "absent": absent(loss, regularizer),
        "n": X.shape[0],
        "d": X.shape[1],
        "bound": bound,
    }
    deadline = time.perf_counter() + seconds
    for _ in range(ROUNDS):
        for event in _round(field, problem, bound):
            yield event
            if time.perf_counter() >= deadline:
                yield {"kind": "end", "why": "time"}
                return
    yield {"kind": "end", "why": "arrived"}


def _is_able(contestant):
    """Fit once by the loosest setting; return False if a contestant's library refuses the problem."""
    try:
        contestant.run(contestant.ladder[0])
    except InputError:
        raise
    except ValueError:
        return False
    return True


def _round(field, problem, bound):
    """Yield the fits of everyone, each on its ladder until it has arrived."""
    waiting = {contestant.name: (contestant, iter(contestant.ladder)) for contestant in field}
    seconds = dict.fromkeys(waiting, 0.0)
    while waiting:
        # A contestant with slow fits gets fewer of them, not more of the time.
        name = min(waiting, key=seconds.__getitem__)
        contestant, ladder = waiting[name]
        setting = next(ladder, None)
        if setting is None:
            del waiting[name]
            continue
        event = _fit(contestant, setting, problem, bound)
        seconds[name] += event["seconds"]
        if event["relative"] <= ARRIVED * MARKS[-1]:
            del waiting[name]
        yield event


def _fit(contestant, setting, problem, bound):
    """One fit on the clock, and what its weights are worth."""
    start = time.perf_counter()
    w = contestant.run(setting)
    seconds = time.perf_counter() - start
    certified = certificate(problem, w=w)
    return {
        "kind": "fit",
        "name": contestant.name,
        "setting": setting,
        "seconds": seconds,
        "primal": certified.primal,
        "gap": certified.relative_gap,
        "relative": max(0.0, certified.primal - bound) / certified.primal,
    }


def main():
    """Read a course, print its events, one line each; a refusal is an event too."""
    course = json.load(sys.stdin)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for event in run(**course):
                print(json.dumps(event), flush=True)
    except InputError as error:
        print(json.dumps({"kind": "refused", "why": str(error)}), flush=True)


if __name__ == "__main__":
    main()
