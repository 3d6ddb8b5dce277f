"""A race on one problem: `python -m workbench.studies.race.live` reads a course and prints events.

It runs in a process of its own, so that it has one thread, can be killed in the middle of a fit, and
disturbs nobody. A course is a JSON object on standard input: data, loss, regularizer, lam and seconds.

Every point is one fit from scratch to one setting of a ladder; the next is of whoever has used the least
time. Its weights, a peer's as
well, are then certified by us, off the clock: P(w) less the best lower bound that a long solve of ours has
proved, as a share of P(w).
"""

import importlib.util
import json
import sys
import time
import warnings

from workbench import data as datasets
from workbench import solvers
from workbench._support.errors import InputError
from workbench.certificates import certificate
from workbench.data import store
from workbench.problems import Problem, losses, regularizers
from workbench.solvers.solution import attempt
from workbench.studies import race
from workbench.studies.race import contest
from workbench.studies.race.contest import LADDER, MAX_EPOCHS, peer

MARKS = (1e-2, 1e-3, 1e-5)
# The reference's lower bound is to be this much better than the last mark, or as good as it gets in time.
REFERENCE = {"tol": 1e-8, "max_epochs": 3000}
# A contestant has arrived where it is this much below the last mark.
ARRIVED = 0.3
# The loosest setting of ours, of which no curve needs more.
OUR_LADDER = LADDER[2:19]
# How often everyone runs, where time allows; the fastest fit counts, since noise only adds.
ROUNDS = 3
EPOCHS = tuple(2**k for k in range(12))
# The losses that others take, and those of the others that may be missing, by the terms that they race on.
PEERED = ("hinge", "squared-hinge", "logistic", "squared")
OPTIONAL = {("squared", "elastic-net"): ("celer", "skglm")}


def ours(loss, regularizer):
    """The names of our solvers that take these terms; nothing is compiled to find out."""
    loss, regularizer = losses.get(loss), regularizers.get(regularizer)
    return [name for name, solver in solvers.REGISTRY.items() if solver.takes(loss, regularizer)]


def absent(loss, regularizer):
    """The peers that would race but are not installed."""
    names = OPTIONAL.get((loss, _kind(regularizer)), ())
    return [name for name in names if importlib.util.find_spec(name) is None]


def entrants(loss, regularizer):
    """The names of ours and of the peers that would start."""
    return ours(loss, regularizer), [each.name for each in _peers(None, [1.0, -1.0], loss, regularizer, 1.0)]


def contestants(X, y, loss, regularizer, lam):
    """Everyone who starts, ours first."""
    terms = {"loss": loss, "regularizer": regularizer, "lam": lam}
    mine = [
        contest.ours(X, y, terms, name, f"workbench {name}", OUR_LADDER) for name in ours(loss, regularizer)
    ]
    return [*mine, *_peers(X, y, loss, regularizer, lam)]


def _kind(regularizer):
    return regularizer.partition(":")[0]


def _peers(X, y, loss, regularizer, lam):
    """The installed peers on the objective of these terms."""
    if loss not in PEERED or _kind(regularizer) not in ("squared-l2", "elastic-net"):
        return
    epsilon, n = float(regularizer.partition("=")[2] or 0.0), len(y)
    plain = _kind(regularizer) == "squared-l2"
    most = {"fit_intercept": False, "max_iter": MAX_EPOCHS}
    if loss == "squared" and not plain:
        yield from race.elastic_peers(X, y, lam, epsilon)
    elif loss == "squared":
        for solver in ("cholesky", "sparse_cg", "lsqr"):
            # A factorization knows no tolerance.
            ladder, most["solver"] = (0.0,) if solver == "cholesky" else LADDER, solver
            name, path = f"ridge, {solver}", "sklearn.linear_model.Ridge"
            yield from peer(name, path, X, y, ladder=ladder, alpha=0.5 * lam * n, **most)
    elif plain:
        yield from race.linear_peers(X, y, loss, lam)
    elif loss == "logistic":
        options = {"C": 1.0 / (lam * (1 + epsilon) * n), "l1_ratio": epsilon / (1 + epsilon), **most}
        options |= {"penalty": "elasticnet", "solver": "saga"}
        yield from peer("saga", "sklearn.linear_model.LogisticRegression", X, y, **options)
    # On the squared hinge, whose slope has no bound, the steps of SGDClassifier run away.
    if loss in ("hinge", "logistic"):
        options = {
            "loss": "hinge" if loss == "hinge" else "log_loss",
            "penalty": "elasticnet",
            "tol": None,
            "alpha": lam * (1 + epsilon),
            "l1_ratio": epsilon / (1 + epsilon),
            "fit_intercept": False,
            "random_state": 0,
        }
        path = "sklearn.linear_model.SGDClassifier"
        yield from peer("SGDClassifier", path, X, y, "max_iter", EPOCHS, **options)


def _from_store(folder, token):
    return store.Store(folder).get(token, content=False).dataset


def run(data, options, loss, regularizer, lam, seconds, kept=None):
    """The events of a race as dicts, the first of which says who starts.

    Parameters
    ----------
    data, options : str, dict
        As for `workbench.data.load`.
    loss, regularizer : str
    lam : float
    seconds : float
        After which no further fit begins.
    kept : (str, str), optional
        The folder and the token of an upload in a `workbench.data.store.Store`, taken instead of loading.

    Yields
    ------
    dict
        kind "start" with names, absent, n, d and the lower bound; "fit" with name, setting, seconds, primal,
        relative (the certified suboptimality) and gap (that of its own certificate, from the weights alone);
        "end" with why: "arrived" or "time".
    """
    task = datasets.load(data, **options) if kept is None else _from_store(*kept)
    field = contestants(task.X, task.y, loss, regularizer, lam)
    problem = Problem(task.X, task.y, loss, regularizer, lam)
    bound = attempt(problem, **REFERENCE).dual
    for contestant in field:
        contestant.run(contestant.ladder[0])  # compiles and imports, off the clock
    yield {
        "kind": "start",
        "names": [each.name for each in field],
        "absent": absent(loss, regularizer),
        "n": task.X.shape[0],
        "d": task.X.shape[1],
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


def _round(field, problem, bound):
    """The fits of everyone, each on its ladder until it has arrived."""
    waiting = {each.name: (each, iter(each.ladder)) for each in field}
    seconds = dict.fromkeys(waiting, 0.0)
    while waiting:
        # Whose fits are slow gets fewer of them, not more of the time.
        name = min(waiting, key=seconds.get)
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
    w, _ = contestant.run(setting)
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
