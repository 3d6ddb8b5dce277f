"""What every race shares: who takes part, what is raced on, one cell of the result, and the timing."""

import importlib
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from workbench._support.display import Carded
from workbench.certificates import loss_terms
from workbench.problems import Problem
from workbench.solvers.solution import attempt

MAX_EPOCHS = 100_000
# Who has taken so many seconds for one fit is asked for no closer one; who has for some rounds, for no more.
MAX_SECONDS = 60.0
LADDER = tuple(10.0 ** (-k / 2) for k in range(25))


@dataclass(frozen=True)
class Contestant:
    """A solver with everything but its tolerance."""

    name: str
    run: Callable  # tolerance -> whatever the cell can evaluate
    ladder: tuple = LADDER


def ours(X, y, terms, solver="auto", name="workbench", ladder=LADDER):
    """One of our solvers on a `Problem` of these terms, which is built on the clock; it gives (w, b)."""

    def run(tol):
        result = attempt(Problem(X, y, **terms), solver, tol=tol, max_epochs=MAX_EPOCHS)
        return result.w, result.b

    return Contestant(name, run, ladder)


def peer(name, path, X, y, setting="tol", ladder=LADDER, **options):
    """An estimator with scikit-learn's interface, () where it is not installed; it gives (w, b).

    Parameters
    ----------
    path : str
        Of its class, such as "celer.Lasso".
    setting : str
        The parameter that the ladder is of.
    **options
        Its other parameters.
    """
    module, _, kind = path.rpartition(".")
    try:
        estimator = getattr(importlib.import_module(module), kind)
    except ImportError:
        return ()

    def run(value):
        model = estimator(**{setting: value}, **options).fit(X, y)
        coef = np.atleast_2d(model.coef_)
        return coef[0] if len(coef) == 1 else coef.T, float(np.ravel(model.intercept_)[0])

    return (Contestant(name, run, ladder),)


def primal(problem, w, b=0.0):
    """P(w, b) without a certificate."""
    w, zero = np.ascontiguousarray(w), np.zeros(w.size)
    losses = loss_terms.of(problem).loss(problem.design @ w + b)
    value = problem.transfer.bracket(w.ravel(), zero, problem.transfer.map(zero)[0]).value
    return losses / problem.n_samples + problem.lam * value


def cell(task, marks, X, y, terms, peers, solver="auto", tight=1e-9):
    """(task, marks, value, contestants, reference), as the race takes them, for a problem of these terms."""
    problem = Problem(X, y, **terms)

    def reference():
        return attempt(problem, tol=tight, max_epochs=MAX_EPOCHS).primal

    return task, marks, lambda point: primal(problem, *point), [ours(X, y, terms, solver), *peers], reference


@dataclass
class Row:
    """One cell of the race: seconds are medians, ratios theirs / ours."""

    task: str
    mark: float
    seconds: dict = field(default_factory=dict)
    tolerances: dict = field(default_factory=dict)
    ratio: float = float("nan")
    against: str = ""
    notes: dict = field(default_factory=dict)


class Result(Carded, list):
    """The rows of a race: ``Result(race.run(["a9a"]))``."""

    _card = "race"

    def plot(self):
        """Seconds of everyone, task by task, an Overlay of HoloViews."""
        from workbench._support.display import elements

        return elements.race(self)

    def __repr__(self):
        return f"Result({len(self)} rows)"


def timed(row, runs, repeats):
    """The processor seconds of everyone, in turn: on one thread they are the clock's where all is quiet.

    Parameters
    ----------
    row : Row
        Its seconds, its ratio and against whom are set.
    runs : dict of str to callable
        What each contestant does, by name; ours is "workbench".
    repeats : int
        Rounds; the median counts. Who has taken `MAX_SECONDS` in all is left out of the rest.
    """
    times = {name: [] for name in runs}
    for _ in range(repeats):
        for name, go in runs.items():
            if times[name] and sum(times[name]) > MAX_SECONDS:
                continue
            start = time.process_time()
            go()
            times[name].append(time.process_time() - start)
    row.seconds = {name: statistics.median(seconds) for name, seconds in times.items()}
    peers = {name: seconds for name, seconds in row.seconds.items() if name != "workbench"}
    if peers and "workbench" in row.seconds:
        row.against = min(peers, key=peers.get)
        row.ratio = peers[row.against] / row.seconds["workbench"]
