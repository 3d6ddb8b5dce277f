"""The model of the page of inverse time: choices, data of any size, goals, and one PGS run. No widget.

The loss is the logistic one throughout: of two Gaussians with one covariance it is the true model, so the
best predictor w0 of the population is known. Zhu's sigma is lam here, his k the batch.

Source       Zhu et al. (2009), Theorems 1 and 2 with the errata of `wb.errata()`, section V
"""

import functools
import time
from typing import NamedTuple

import numpy as np
import param
import scipy.optimize

from workbench import data
from workbench.certificates import certify
from workbench.data.examples.gaussians import CANCER, FEATURES, SOURCES, draw, means, two_gaussians
from workbench.pages.kept_run import KeptRun
from workbench.problem import Problem
from workbench.solution import attempt
from workbench.solvers import PrimalGradient

MEASURES = ("Test loss", "Test accuracy", "Direction", "Suboptimality")
SIZES = tuple(200 * 2**k for k in range(8))
FEW = (60, 120, 240, 455)
TESTED = 4000
MOST_STEPS = 1 << 17
# A run is certified when it has gone on by this share.
GROWTH = 16
INPUTS = ("source", "p", "lam", "batch", "order", "samples", "seed")
SWEPT = ("source", "p", "lam", "batch", "order", "measure", "target", "seeds")


class InverseTime(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

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

    def settings(self):
        """The present choices, to build a run or a sweep from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in {*INPUTS, *SWEPT}}


class Population(NamedTuple):
    """What training sets are drawn from: test samples, and the predictor to be matched."""

    X_test: np.ndarray
    y_test: np.ndarray
    reference: np.ndarray  # w0, with the weight of the constant feature where there is one
    bias: object  # the problem's option


@functools.lru_cache(maxsize=len(SOURCES))
def population(source):
    """The test samples of a source and its w0; sessions share them."""
    if source == CANCER:
        d = data.load("breast-cancer")
        best = attempt(Problem(d.X, d.y, "logistic", "squared-l2", 1e-3, bias="constant"), tol=1e-6)
        return Population(d.X_test, d.y_test, np.append(best.w, best.b), "constant")
    mean, deviation = means(FEATURES[source])
    X, y = two_gaussians(FEATURES[source], TESTED, np.random.default_rng(0))
    # ln P(y | x) / P(-y | x) = 2 y mean' Sigma^-1 x: the logistic model itself.
    return Population(X, y, 2.0 * mean / deviation**2, False)


def sizes(source):
    """The sizes of training sets of a sweep."""
    return FEW if source == CANCER else SIZES


def make_problem(settings, m, seed):
    """The problem of the settings on m samples."""
    X, y = draw(settings["source"], m, seed)
    regularizer = f"p-norm:p={settings['p']:g}"
    bias = population(settings["source"]).bias
    return Problem(X, y, "logistic", regularizer, settings["lam"], bias=bias)


def make_solver(settings, m, output="average"):
    """PGS with the batch and the order of the settings."""
    return PrimalGradient(batch=min(settings["batch"], m), order=settings["order"], output=output)


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
    return Constants(float(lengths.max()), bound_of_best(reference, p))


def bound_of_best(reference, p):
    """G, the regularizer at the best weights of the population."""
    return float(np.linalg.norm(reference, p) ** 2 / (2.0 * (p - 1.0)))


def theorem_1(L, lam, steps):
    """The bound of the mean excess after so many steps: L^2 (1 + ln T) / (2 lam T)."""
    return L**2 * (1.0 + np.log(steps)) / (2.0 * lam * steps)


def theorem_1_steps(L, lam, epsilon):
    """The least T for which Theorem 1 promises an excess of epsilon; +inf where that is too many."""
    if theorem_1(L, lam, 1e15) > epsilon:
        return np.inf
    if theorem_1(L, lam, 1.0) <= epsilon:
        return 1.0
    found = scipy.optimize.brentq(lambda x: theorem_1(L, lam, np.exp(x)) - epsilon, 0.0, np.log(1e15))
    return float(np.exp(found))


def theorem_2(constants, lam, epsilon, c, m):
    """The least T with lam G + c L^2 / (lam m) + L^2 / (2 lam T) <= epsilon; +inf where none is.

    Theorem 1 without its logarithm, c from the theory of generalization: (20) of Zhu et al. for one lam.
    """
    L, G = constants
    left = lam * epsilon - lam**2 * G - c * L**2 / np.asarray(m, dtype=float)
    with np.errstate(divide="ignore"):
        return np.where(left > 0.0, L**2 / (2.0 * left), np.inf)


def best_lam(constants, epsilon):
    """The lam for which Theorem 2 asks for the fewest steps."""
    return epsilon / (2.0 * constants.G)


class PacedRun(KeptRun):
    """A PGS run that keeps the last iterate's primal value and gap beside the averaged one's."""

    traces = ("rows", "lasts")

    def __init__(self, problem, solver, seed, test):
        super().__init__(problem, solver, seed=seed, test=test)
        self.lasts = []
        self.last_output = PrimalGradient(batch=solver.batch, order=solver.order, output="last")

    def step(self, count=1):
        if self.rows and self.steps < self.rows[-1]["step"]:
            self.keyframes.seek(self.rows[-1]["step"])
        return super().step(count)

    def arrive(self, step, average, last, alpha):
        """Stand where the same run stands elsewhere, certified here by its iterates and dual variables.

        Its steps are done here when the run goes on here.

        Parameters
        ----------
        step : int
        average, last : ndarray of shape (D,)
        alpha : ndarray of shape (n,)

        Returns
        -------
        (Certificate, Certificate)
            Of both iterates.
        """
        found, last = (certify(self.problem, w=w, alpha=alpha) for w in (average, last))
        row = {"step": step, "epoch": step / self.epoch_steps}
        row |= {name: getattr(found, name) for name in ("primal", "dual", "gap", "relative_gap")}
        self.last = found
        self.rows.append(row | {"test_score": self.test.score(*self.problem.split(found.w, found.b))})
        self.lasts.append((last.primal, last.gap))
        return found, last

    def record(self):
        """Certify both outputs of the present state; the averaged one stands in the history."""
        point = self.last_output.point(self.state)
        found = certify(self.problem, **point)
        self.lasts.append((found.primal, found.gap))
        return super().record()


class Lab(NamedTuple):
    """A run with what the page needs beside it."""

    run: PacedRun
    settings: dict
    constants: Constants

    @property
    def pair(self):
        """This lab alone, as the player wants it."""
        return (self,)


def build(settings, previous=None):
    """A fresh run for these settings.

    Raises
    ------
    InputError
        What the problem or PGS refuses.
    """
    people = population(settings["source"])
    problem = make_problem(settings, settings["samples"], settings["seed"])
    solver = make_solver(settings, problem.n_samples)
    run = PacedRun(problem, solver, settings["seed"], (people.X_test, people.y_test))
    run.record()
    return Lab(run, settings, constants(problem, people.reference))


def play(lab, seconds, tolerance):
    """Steps, certified when they have grown by a share, until the time is up or the run has ended."""
    deadline, run = time.perf_counter() + seconds, lab.run
    # A further press of "run" goes on for as many steps again.
    limit = MOST_STEPS * (run.steps // MOST_STEPS + 1)
    while True:
        run.step(min(max(1, run.steps // GROWTH), limit - run.steps))
        certificate = run.record()
        if certificate.relative_gap <= tolerance:
            run.status = "converged"
        elif run.steps >= limit:
            run.status = "max_epochs"
        if run.status is not None:
            return True
        if time.perf_counter() >= deadline:
            return False


def code(settings, tolerance):
    """The Python that gives the same run in a notebook."""
    return (
        "import workbench as wb\n\n"
        f"X, y = wb.data.examples.gaussians(\n  {settings['source']!r},\n"
        f"  {settings['samples']}, {settings['seed']})\n"
        f"p = wb.Problem(\n  X, y, loss='logistic',\n  regularizer='p-norm:p={settings['p']!r}',\n"
        f"  lam={settings['lam']!r},\n  bias={population(settings['source']).bias!r})\n"
        f"pgs = wb.solvers.PrimalGradient(\n  batch={settings['batch']}, order={settings['order']!r})\n"
        f"s = wb.solve(p, pgs, tol={tolerance:g},\n  seed={settings['seed']})\n"
        "print(s.primal, s.dual, s.gap)"
    )
