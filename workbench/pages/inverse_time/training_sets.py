"""What the browser draws training sets from: a population's facts, and the states or rows of each set."""

import functools
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.browser import bundle
from workbench.data.bundled import breast_cancer
from workbench.data.examples.gaussians import CANCER, FEATURES, means, training_rows
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import normals
from workbench.regularizers import PNorm

HERE = Path(__file__).parent


def worker():
    """What the worker does beyond the messages of every page, to be appended to its script."""
    return "".join("\n" + (HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("draw", "worker"))


def people(source):
    """The population of a source as the worker takes it: means and a test state, or rows of samples."""
    data = inverse_time.population(source)
    if source == CANCER:
        d = breast_cancer()
        return {
            "reference": data.reference,
            "samples": _samples(d.X, d.y),
            "test": _samples(data.X_test, data.y_test),
            "strips": normals.strips(),
        }
    mean, deviation = means(FEATURES[source])
    return {
        "reference": data.reference,
        "mean": mean,
        "deviation": deviation,
        "tested": inverse_time.TESTED,
        "test_state": normals.state(0),
        "strips": normals.strips(),
    }


def contents(source, seeds, others=()):
    """What the browser draws the training sets of a source from: a small problem, and states or rows.

    Parameters
    ----------
    source : str
    seeds : int
        Of so many seeds the training sets of a sweep, of each size.
    others : sequence of (int, int)
        Further training sets, by seed and size.
    """
    sets = {(seed, m) for seed in range(seeds) for m in inverse_time.sizes(source)}
    record = people(source) | {"sets": sources(source, sorted(sets | {*others}))}
    return {"small": bundle.data(small_problem(source)), "people": record}


def sources(source, sets):
    """What each training set (seed, m) is drawn by: its rows, or a state of the generator."""
    of = training_rows if source == CANCER else lambda m, seed: normals.state([seed, m])
    return {f"{seed},{m}": np.asarray(of(m, seed)).tolist() for seed, m in sets}


@functools.lru_cache(maxsize=8)
def small_problem(source):
    """A problem of a source on its fewest samples, for its facts."""
    settings = inverse_time.InverseTime(source=source).settings()
    return inverse_time.make_problem(settings, inverse_time.FEW[0], 0)


@functools.lru_cache(maxsize=64)
def terms(source, p):
    """The facts of the loss and of the regularizer of a source."""
    problem, regularizer = small_problem(source), PNorm(p)
    facts = bundle.regularizer_facts(regularizer, problem.replace(regularizer=regularizer))
    # Steps of PGS ask for no bound of the curvature.
    return {"loss": bundle.loss_facts(problem.loss), "regularizer": facts | {"curvature": None}}


def _samples(X, y):
    X = X.toarray() if sp.issparse(X) else np.asarray(X)
    return {"values": X.ravel(), "d": X.shape[1], "y": y}
