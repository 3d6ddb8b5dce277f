"""A race on one problem, told as it goes: `python -m workbench.race.live` reads a course, prints events.

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
from workbench import losses, race, regularizers, solvers
from workbench.certificates import certificate
from workbench.data import store
from workbench.errors import InputError
from workbench.problem import Problem
from workbench.race.contest import LADDER, Contestant
from workbench.solution import attempt

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
    peers = _peers([[0.0], [1.0]], [1.0, -1.0], loss, regularizer, 1.0, n=2)
    return ours(loss, regularizer), [peer.name for peer in peers]


def contestants(X, y, loss, regularizer, lam):
    """Everyone who starts, ours first."""
    mine = [
        Contestant(f"workbench {name}", _solver(X, y, loss, regularizer, lam, name), OUR_LADDER)
        for name in ours(loss, regularizer)
    ]
    return mine + _peers(X, y, loss, regularizer, lam, X.shape[0])


def _solver(X, y, loss, regularizer, lam, name):
    def go(tol):
        return attempt(Problem(X, y, loss, regularizer, lam), name, tol=tol, max_epochs=20_000).w

    return go


def _kind(regularizer):
    return regularizer.partition(":")[0]


def _peers(X, y, loss, regularizer, lam, n):
    """The installed peers on the objective of these terms."""
    if loss not in PEERED or _kind(regularizer) not in ("squared-l2", "elastic-net"):
        return []
    epsilon = float(regularizer.partition("=")[2] or 0.0)
    plain = _kind(regularizer) == "squared-l2"
    if loss == "squared":
        if not plain:
            return race._elastic_peers(X, y, lam * (1 + epsilon) / 2, epsilon / (1 + epsilon))
        return [_ridge(X, y, 0.5 * lam * n, solver) for solver in ("cholesky", "sparse_cg", "lsqr")]
    # On the squared hinge, whose slope has no bound, the steps of SGDClassifier run away.
    found = [] if loss == "squared-hinge" else [_descent(X, y, loss, lam, epsilon)]
    if plain:
        shape = X if hasattr(X, "shape") else type("Empty", (), {"shape": (n, 1)})()
        return race._linear_peers(shape, y, loss, lam) + found
    return [_saga(X, y, lam, epsilon, n), *found] if loss == "logistic" else found


def _ridge(X, y, alpha, solver):
    from sklearn.linear_model import Ridge

    def go(tol):
        machine = Ridge(alpha=alpha, fit_intercept=False, solver=solver, tol=tol, max_iter=100_000)
        return machine.fit(X, y).coef_

    # A factorization knows no tolerance.
    return Contestant(f"ridge, {solver}", go, (0.0,) if solver == "cholesky" else LADDER)


def _saga(X, y, lam, epsilon, n):
    from sklearn.linear_model import LogisticRegression

    options = {"C": 1.0 / (lam * (1 + epsilon) * n), "l1_ratio": epsilon / (1 + epsilon)}

    def go(tol):
        machine = LogisticRegression(
            penalty="elasticnet", solver="saga", tol=tol, fit_intercept=False, max_iter=100_000, **options
        )
        return machine.fit(X, y).coef_[0]

    return Contestant("saga", go)


def _descent(X, y, loss, lam, epsilon):
    """Stochastic gradients of so many epochs."""
    from sklearn.linear_model import SGDClassifier

    names = {"hinge": "hinge", "logistic": "log_loss"}

    def go(epochs):
        machine = SGDClassifier(
            loss=names[loss], penalty="elasticnet", alpha=lam * (1 + epsilon),
            l1_ratio=epsilon / (1 + epsilon), fit_intercept=False, max_iter=epochs, tol=None, random_state=0,
        )  # fmt: skip
        return machine.fit(X, y).coef_[0]

    return Contestant("SGDClassifier", go, EPOCHS)


def _kept(folder, token):
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
    task = datasets.load(data, **options) if kept is None else _kept(*kept)
    field = contestants(task.X, task.y, loss, regularizer, lam)
    problem = Problem(task.X, task.y, loss, regularizer, lam)
    bound = attempt(problem, **REFERENCE).dual
    for contestant in field:
        contestant.run(contestant.ladder[0])  # compiles and imports, off the clock
    yield {
        "kind": "start", "names": [each.name for each in field], "absent": absent(loss, regularizer),
        "n": task.X.shape[0], "d": task.X.shape[1], "bound": bound,
    }  # fmt: skip
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
    spent = dict.fromkeys(waiting, 0.0)
    while waiting:
        # Whose fits are slow gets fewer of them, not more of the time.
        name = min(waiting, key=spent.get)
        contestant, ladder = waiting[name]
        setting = next(ladder, None)
        if setting is None:
            del waiting[name]
            continue
        event = _fit(contestant, setting, problem, bound)
        spent[name] += event["seconds"]
        if event["relative"] <= ARRIVED * MARKS[-1]:
            del waiting[name]
        yield event


def _fit(contestant, setting, problem, bound):
    """One fit on the clock, and what its weights are worth."""
    started = time.perf_counter()
    w = contestant.run(setting)
    spent = time.perf_counter() - started
    certified = certificate(problem, w=w)
    return {
        "kind": "fit", "name": contestant.name, "setting": setting, "seconds": spent,
        "primal": certified.primal, "gap": certified.relative_gap,
        "relative": max(0.0, certified.primal - bound) / certified.primal,
    }  # fmt: skip


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
