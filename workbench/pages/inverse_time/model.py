"""The model of the page of inverse time: choices, data of any size, and goals. No widget.

The losses are the three of Zhu et al. Of two Gaussians with one covariance the best predictor w0 of the
population is known for each of them: a multiple of Sigma^-1 mean. Zhu's sigma is lam here, his k the batch.

Source       Zhu et al. (2009), Theorems 1 and 2 with the errata of `wb.errata()`, sections IV and V
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np
import param
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from workbench import data
from workbench.certificates import certify
from workbench.data.examples.gaussians import CANCER, FEATURES, SOURCES, draw, means, two_gaussians
from workbench.pages import terms
from workbench.pages.wording import Wording, content
from workbench.problems import Problem
from workbench.solvers import PrimalGradient
from workbench.solvers.solution import attempt

CONTENT = content("inverse_time")
PRESETS = CONTENT["presets"]
QUESTIONS = CONTENT["questions"]
TEXTS = Wording("inverse_time").texts
# The three losses of Zhu et al. (2009), section IV.
LOSSES = {name: terms.LOSSES[name] for name in ("Logistic", "Hinge", "Squared")}
MEASURES = ("Test loss", "Test accuracy", "Direction", "Suboptimality")
SIZES = tuple(200 * 2**k for k in range(8))
FEW = (60, 120, 240, 455)
TESTED = 4000
MAX_STEPS = 1 << 17
# Standard deviations beyond which a normal density is zero in double precision.
BEYOND = 38.0


class InverseTime(param.Parameterized):
    source = param.Selector(objects=list(SOURCES), doc="the data")
    loss = param.Selector(objects=list(LOSSES), default="Logistic", doc="the loss")
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
    question = param.Selector(objects=list(QUESTIONS), doc="the question to guess")


class Population(NamedTuple):
    """The distribution of the training sets: test samples, and the predictor to be matched."""

    X_test: np.ndarray
    y_test: np.ndarray
    reference: np.ndarray  # w0, with the weight of the constant feature where there is one


@functools.lru_cache(maxsize=len(SOURCES) * len(LOSSES))
def population(source, loss):
    """Return the test samples of a source, and its best predictor by a loss; sessions share them."""
    if source == CANCER:
        d = data.load("breast-cancer")
        problem = Problem(d.X, d.y, LOSSES[loss], "squared-l2", 1e-3, bias=bias_of(source))
        best = attempt(problem, tol=1e-6)
        return Population(d.X_test, d.y_test, np.append(best.w, best.b))
    mean, deviation = means(FEATURES[source])
    X, y = two_gaussians(FEATURES[source], TESTED, np.random.default_rng(0))
    direction = mean / deviation**2
    return Population(X, y, best_multiple(LOSSES[loss], float(mean @ direction)) * direction)


def best_multiple(loss, spread):
    """Return c such that the expected loss of the predictor c Sigma^-1 mean is least.

    Its margin is c z with z normal, of mean and variance `spread` = mean' Sigma^-1 mean; of another direction
    the margin varies more at the same mean. For the logistic loss c is 2, as in ln P(y | x) / P(-y | x).
    """
    # One positive sample, for the sign and the shift by which the loss takes its prediction.
    problem = Problem(np.ones((1, 1)), [1.0], loss)
    sign, shift, slope = problem.sign[0], problem.shift[0], problem.loss.scalar("slope")
    deviation = np.sqrt(spread)

    def derivative(c):
        def density(z):
            return sign * z * slope(sign * c * z + shift, problem.loss.theta) * norm.pdf(z, spread, deviation)

        low, high = spread - BEYOND * deviation, spread + BEYOND * deviation
        kinks = [(kink - shift) / (sign * c) for kink, *_ in problem.loss.kinks]
        places = sorted({low, spread, high, *(place for place in kinks if low < place < high)})
        return sum(quad(density, *ends, epsabs=1e-13, limit=200)[0] for ends in itertools.pairwise(places))

    return brentq(derivative, 1e-3, 1e3, xtol=1e-14, rtol=1e-14)


def bias_of(source):
    """The problem's option: the Gaussians' best plane goes through the origin."""
    return "constant" if source == CANCER else False


def sizes(source):
    """The sizes of training sets of a sweep."""
    return FEW if source == CANCER else SIZES


def make_problem(settings, m, seed):
    """The problem of the settings on m samples."""
    X, y = draw(settings["source"], m, seed)
    regularizer, bias = f"p-norm:p={settings['p']:g}", bias_of(settings["source"])
    return Problem(X, y, LOSSES[settings["loss"]], regularizer, settings["lam"], bias=bias)


def make_solver(settings, m):
    """PGS with the batch and the order of the settings."""
    return PrimalGradient(batch=min(settings["batch"], m), order=settings["order"])


class Goal:
    """The distance of weights from the best value of one of `MEASURES`.

    Parameters
    ----------
    settings : dict
    problem : Problem
        For the suboptimality.
    lower : float
        A certified lower bound of the problem, for the suboptimality.
    """

    def __init__(self, settings, problem, lower=0.0):
        self.population, self.measure = population(settings["source"], settings["loss"]), settings["measure"]
        self.problem, self.lower = problem, lower
        self.tested = tested(settings["source"], settings["loss"])
        self.best = 0.0 if self.measure == "Suboptimality" else self._raw(self.population.reference)

    def distance(self, w):
        """Return how far weights on the columns of the design are from the best value."""
        if self.measure == "Suboptimality":
            return float(certify(self.problem, w=w).primal) - self.lower
        value = self._raw(w)
        return self.best - value if self.measure == "Test accuracy" else value - self.best

    def _raw(self, w):
        X, y, reference = self.population
        if self.measure == "Direction":
            size = np.linalg.norm(w)
            return float(np.linalg.norm(w / (size or 1.0) - reference / np.linalg.norm(reference)))
        d = X.shape[1]
        predictions = np.asarray(X @ w[:d] + (w[d] if w.size > d else 0.0))
        if self.measure == "Test accuracy":
            return float(np.mean(y * predictions > 0.0))
        return self.tested.loss_sum(predictions) / y.size


@functools.lru_cache(maxsize=len(SOURCES) * len(LOSSES))
def tested(source, loss):
    """Return the test samples of a source as a problem, for the sum of their losses."""
    X, y, _ = population(source, loss)
    return Problem(X, y, LOSSES[loss])


def length(problem):
    """Return the largest dual norm of a sample, by which slopes of the loss bound the subgradients."""
    p = problem.regularizer.p
    return float(np.linalg.norm(problem.rows.toarray(), p / (p - 1.0), axis=1).max())


def regularized_reference(settings):
    """Return G of Theorem 2, the regularizer at the best weights of the population."""
    p, reference = settings["p"], population(settings["source"], settings["loss"]).reference
    return float(np.linalg.norm(reference, p) ** 2 / (2.0 * (p - 1.0)))
