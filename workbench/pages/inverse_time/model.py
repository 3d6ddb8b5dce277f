"""The model of the page of inverse time: choices, data of any size, and goals. No widget.

The loss is the logistic one throughout: of two Gaussians with one covariance it is the true model, so the
best predictor w0 of the population is known. Zhu's sigma is lam here, his k the batch.

Source       Zhu et al. (2009), Theorems 1 and 2 with the errata of `wb.errata()`, section V
"""

import functools
from typing import NamedTuple

import numpy as np
import param

from workbench import data
from workbench.certificates import certify
from workbench.data.examples.gaussians import CANCER, FEATURES, SOURCES, draw, means, two_gaussians
from workbench.pages.choices import Choices
from workbench.problems import Problem
from workbench.solvers import PrimalGradient
from workbench.solvers.solution import attempt

MEASURES = ("Test loss", "Test accuracy", "Direction", "Suboptimality")
SIZES = tuple(200 * 2**k for k in range(8))
FEW = (60, 120, 240, 455)
TESTED = 4000
MAX_STEPS = 1 << 17
INPUTS = ("source", "p", "lam", "batch", "order", "samples", "seed")
SWEPT = ("source", "p", "lam", "batch", "order", "measure", "target", "seeds")


class InverseTime(Choices):
    inputs = (*dict.fromkeys((*INPUTS, *SWEPT)),)
    source = param.Selector(objects=list(SOURCES), doc="the data")
    p = param.Number(2.0, bounds=(1.1, 2.0), doc="norm of the regularizer")
    lam = param.Number(0.002, bounds=(1e-5, 1.0), doc="weight of the regularizer, Zhu's sigma")
    batch = param.Integer(1, bounds=(1, 50), doc="samples of a step, Zhu's k")
    order = param.Selector(objects=["independent", "shuffled"])
    measure = param.Selector(objects=list(MEASURES), doc="what is to come within the target")
    target = param.Number(0.03, bounds=(1e-3, 0.5), doc="the distance to come within")
    seeds = param.Integer(7, bounds=(3, 30), doc="training sets for each size")
    c = param.Number(0.003, bounds=(1e-4, 1.0), doc="constant of the samples' term in Theorem 2")
    samples = param.Selector(objects=sorted({*SIZES, *FEW}), default=1600, doc="of the run that is played")
    seed = param.Integer(0, bounds=(0, 9999), doc="of the run that is played")
    tolerance = param.Selector(objects=[1e-1, 1e-2, 1e-3], default=1e-2)


class Population(NamedTuple):
    """What training sets are drawn from: test samples, and the predictor to be matched."""

    X_test: np.ndarray
    y_test: np.ndarray
    reference: np.ndarray  # w0, with the weight of the constant feature where there is one


@functools.lru_cache(maxsize=len(SOURCES))
def population(source):
    """The test samples of a source and its w0; sessions share them."""
    if source == CANCER:
        d = data.load("breast-cancer")
        best = attempt(Problem(d.X, d.y, "logistic", "squared-l2", 1e-3, bias=bias_of(source)), tol=1e-6)
        return Population(d.X_test, d.y_test, np.append(best.w, best.b))
    mean, deviation = means(FEATURES[source])
    X, y = two_gaussians(FEATURES[source], TESTED, np.random.default_rng(0))
    # ln P(y | x) / P(-y | x) = 2 y mean' Sigma^-1 x: the logistic model itself.
    return Population(X, y, 2.0 * mean / deviation**2)


def bias_of(source):
    """The problem's option: the Gaussians' best plane goes through the origin."""
    return "constant" if source == CANCER else False


def sizes(source):
    """The sizes of training sets of a sweep."""
    return FEW if source == CANCER else SIZES


def make_problem(settings, m, seed):
    """The problem of the settings on m samples."""
    X, y = draw(settings["source"], m, seed)
    regularizer = f"p-norm:p={settings['p']:g}"
    return Problem(X, y, "logistic", regularizer, settings["lam"], bias=bias_of(settings["source"]))


def make_solver(settings, m):
    """PGS with the batch and the order of the settings."""
    return PrimalGradient(batch=min(settings["batch"], m), order=settings["order"])


class Goal:
    """The distance of weights from a target, by one of `MEASURES`; reached where it is the target at most.

    Parameters
    ----------
    settings : dict
    problem : Problem
        For the suboptimality.
    lower : float
        A certified lower bound of the problem, for the suboptimality.
    """

    def __init__(self, settings, problem, lower=0.0):
        self.people, self.measure = population(settings["source"]), settings["measure"]
        self.target, self.problem, self.lower = settings["target"], problem, lower
        self.best = 0.0 if self.measure == "Suboptimality" else self._raw(self.people.reference)

    def distance(self, w):
        """How far weights on the columns of the design are from the goal's best value."""
        if self.measure == "Suboptimality":
            return float(certify(self.problem, w=w).primal) - self.lower
        value = self._raw(w)
        return self.best - value if self.measure == "Test accuracy" else value - self.best

    def reached(self, w):
        return self.distance(w) <= self.target

    def _raw(self, w):
        people = self.people
        if self.measure == "Direction":
            size, whole = np.linalg.norm(w), people.reference
            return float(np.linalg.norm(w / (size or 1.0) - whole / np.linalg.norm(whole)))
        d = people.X_test.shape[1]
        margins = people.y_test * (people.X_test @ w[:d] + (w[d] if w.size > d else 0.0))
        if self.measure == "Test accuracy":
            return float(np.mean(margins > 0.0))
        return float(np.mean(np.logaddexp(0.0, -margins)))


class Constants(NamedTuple):
    """L and G of the theorems for one training set."""

    L: float  # the largest q-norm of a sample: the slopes of the logistic loss are below 1
    G: float  # g(w0)


def constants(problem, reference):
    """The constants of a problem with a p-norm."""
    p = problem.regularizer.p
    lengths = np.linalg.norm(problem.rows.toarray(), p / (p - 1.0), axis=1)
    # G, the regularizer at the best weights of the population.
    return Constants(float(lengths.max()), float(np.linalg.norm(reference, p) ** 2 / (2.0 * (p - 1.0))))
