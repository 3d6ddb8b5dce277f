"""The model of the page of screening: choices in, certified runs and what they discard out. No widget."""

import time
from typing import NamedTuple

import numpy as np
import param

from workbench._support.errors import InputError
from workbench.certificates import certificate
from workbench.certificates.gaps.norm_gap import largest_lam
from workbench.certificates.screening import Screening, screening
from workbench.data.examples.correlated import SOURCES, Samples, load
from workbench.pages import parts
from workbench.pages.choices import Choices
from workbench.problems import Problem, losses
from workbench.problems.regularizers import ElasticNet, norms
from workbench.solvers import CoordinateDescent
from workbench.solvers.run import Run
from workbench.solvers.solution import attempt

# The hinge, which has no ball, is refused: it comes last.
LOSSES = {
    "Logistic": "logistic",
    "Squared": "squared",
    "Squared hinge": "squared-hinge",
    "Hinge": "hinge",
}
NORMS = ("ℓ1", "Elastic net", "Group ℓ1/ℓ2")
ZERO, BEFORE = "w = 0", "the λ before"
# What a change of these parameters restarts; the others choose what is looked at.
INPUTS = ("source", "loss", "norm", "epsilon", "intercept", "ratio", "start")
VIEWS = ("first", "second", "window")
LINES, BALL = "both lines", "the ball"
BOUNDS = {"ratio": (0.01, 1.0)}
# A path goes down by this factor, ten to a decade, as the slider does.
PER_DECADE = 10
FACTOR = 10.0 ** (1.0 / PER_DECADE)
# Coordinate visits between two certificates: a pass, within these bounds; most epochs of one press of "run".
MIN_BEAT, MAX_BEAT, MAX_EPOCHS = 20, 120, 300
# So many blocks are drawn and listed: those that pull most where all weights are zero.
DRAWN, LISTED = 240, 60
SOLVED, NEAR = 1e-6, 1e-10
# What a block is: discarded for good, undecided with a weight of zero or another, or certain to be kept.
KINDS = ("discarded", "open", "nonzero", "kept")


class ScreeningModel(Choices):
    inputs = INPUTS
    source = param.Selector(objects=list(SOURCES), doc="the data")
    loss = param.Selector(objects=list(LOSSES), default="Squared")
    norm = param.Selector(objects=list(NORMS))
    epsilon = param.Number(0.5, bounds=(0.05, 2.0), doc="sparsity of the elastic net")
    intercept = param.Boolean(True, doc="whether an unregularized bias is free")
    ratio = param.Number(0.2, bounds=BOUNDS["ratio"], doc="lambda over the least one with w = 0")
    start = param.Selector(objects=[ZERO, BEFORE], doc="where the solvers start")
    tolerance = param.Selector(objects=[1e-2, 1e-4, 1e-6, 1e-9], default=1e-6)
    first = param.Integer(0, bounds=(0, LISTED - 1), doc="feature of the plane, by its pull at lambda max")
    second = param.Integer(30, bounds=(0, LISTED - 1), doc="the other feature of the plane")
    window = param.Selector(objects=[LINES, BALL], doc="what fills the picture of the plane")
    question = param.Selector(
        objects=["Before the solve", "After 10 epochs", "Before the solve, from the λ before"]
    )


def regularizer(settings):
    """The regularizer that the settings stand for, and the Python that makes it of `d`."""
    if settings["norm"] == "ℓ1":
        return norms.L1(), "wb.norms.L1()"
    if settings["norm"] == "Elastic net":
        epsilon = settings["epsilon"]
        return ElasticNet(epsilon=epsilon), f"wb.regularizers.ElasticNet(\n  epsilon={epsilon!r})"
    return norms.GroupL1L2(groups=load(settings["source"]).groups), "wb.norms.GroupL1L2(groups=d.groups)"


def takes_labels(settings):
    """Whether the loss is one of labels -1 and +1."""
    return losses.get(LOSSES[settings["loss"]]).kind == "margin"


class ScreeningRun(Run):
    """A run that keeps its best primal and dual points, and what they discard.

    Attributes
    ----------
    tightest : Screening
        Of the best weights and the best dual point so far.
    since : ndarray (count,)
        The epoch at which each block was first discarded, which holds for good; nan where it is not.
    counts : list of int
        How many blocks were discarded, one entry a certificate.
    undecided : list of int
        How many blocks the solver itself had not left out, one entry a certificate.
    gaps : list of float
    views : list of View
        What each certificate shows.
    """

    def __init__(self, problem, solver, blocks, warm_start=None):
        super().__init__(problem, solver, warm_start=warm_start)
        self.tightest, self.since, self.blocks = None, None, blocks
        self.counts, self.undecided, self.gaps, self.views = [], [], [], []
        self._weights = self._dual = None
        self._looks = -1

    def record(self):
        """Certify the present state and screen with the best points so far."""
        row = super().record()
        self._take(row)
        looks = 0 if self.last_event is None else self.last_event.looks
        if looks != self._looks:
            # The solver's own dual point may be an extrapolated one.
            self._looks = looks
            w, b = self._point(row)
            self._take(certificate(self.problem, w=w, b=b, alpha=self.state.alpha))
        w, b = self._point(self._weights)
        result = screening(self.problem, w=w, b=b, alpha=self._dual.alpha)
        # Points that are better by a rounding of P or D can have a gap that is larger by one.
        if self.tightest is None or result.certificate.gap <= self.tightest.certificate.gap:
            self.tightest = result
        out = self.tightest.status == "discarded"
        if self.since is None:
            self.since = np.full(out.size, np.nan)
        self.since[out & np.isnan(self.since)] = self.epochs
        self.counts.append(int(np.count_nonzero(~np.isnan(self.since))))
        self.undecided.append(int(np.count_nonzero(self.state.candidates)))
        self.gaps.append(self.tightest.certificate.gap)
        self.views.append(self._view())
        return row

    def _view(self):
        result, certificate = self.tightest, self.tightest.certificate
        nonzero = self.problem.transfer.blocks.nonzero(certificate.w.reshape(-1))
        kinds = np.where(nonzero, KINDS.index("nonzero"), KINDS.index("open")).astype(np.int8)
        kinds[result.status == "kept"] = KINDS.index("kept")
        kinds[~np.isnan(self.since)] = KINDS.index("discarded")
        count = int(np.count_nonzero(kinds == KINDS.index("kept")))
        return View(
            certificate.alpha,
            result.radius,
            certificate.relative_gap,
            result.bound[self.blocks],
            kinds[self.blocks],
            count,
            int(np.count_nonzero(nonzero)),
        )

    def at(self, place):
        """The place of its own that a place of the longest run stands for."""
        return min(place, len(self.rows) - 1)

    def _take(self, point):
        if self._weights is None or point.primal < self._weights.primal:
            self._weights = point
        if self._dual is None or point.dual > self._dual.dual:
            self._dual = point

    def _point(self, point):
        w, b = self.problem.split(point.w, point.b)
        return w, b if self.problem.free_bias else None

    def count_at(self, epochs):
        """How many blocks were discarded after so many epochs, or at the end of a run that ended before."""
        record = [row["epoch"] for row in self.rows]
        return self.counts[max(0, int(np.searchsorted(record, epochs + 1e-9)) - 1)]


class View(NamedTuple):
    """What a run shows of one certificate; the blocks are those that are drawn."""

    alpha: np.ndarray
    radius: float
    relative_gap: float
    bound: np.ndarray
    kinds: np.ndarray  # places in KINDS
    kept: int  # of all blocks
    nonzero: int


class Mark(NamedTuple):
    """One lambda of the path: how many blocks are discarded, and how many carry the solution."""

    ratio: float
    zero: int  # by w = 0
    before: int  # by the solution at the lambda before
    solved: int  # by its own solution
    nonzero: int


class Lab(NamedTuple):
    """Three runs on one problem with what the page needs beside them."""

    runs: dict  # "both", "unscreened" and "plain", which does not extrapolate
    settings: dict
    data: Samples
    largest: float  # the least lambda with w = 0
    at_largest: Screening
    order: np.ndarray  # the blocks, by their pull there
    solved: dict  # of this problem at other lambdas: ratio to (Mark, Solution), kept from lab to lab
    optimum: list  # the dual optimum, once it is known

    @property
    def run(self):
        """The run with screening and extrapolation."""
        return self.runs["both"]

    @property
    def longest(self):
        """The run with the most places."""
        return max(self.runs.values(), key=lambda run: len(run.rows))

    @property
    def names(self):
        """What each block is called."""
        return self.data.names if self.at_largest.groups is None else self.data.group_names


SOLVERS = {
    "both": CoordinateDescent(),
    "unscreened": CoordinateDescent(screening=False),
    "plain": CoordinateDescent(extrapolation=False),
}


def build(settings, previous=None):
    """A fresh lab for these settings; what a previous one knows of the same problem is used again.

    Raises
    ------
    InputError
        A loss without a bounded curvature.
    """
    data = load(settings["source"], takes_labels(settings))
    is_same = _same(settings, previous)
    if is_same:
        problem, largest = previous.run.problem, previous.largest
        at_largest, order, solved = previous.at_largest, previous.order, previous.solved
    else:
        problem = Problem(
            data.X,
            data.y,
            LOSSES[settings["loss"]],
            regularizer(settings)[0],
            1.0,
            bias=settings["intercept"],
        )
        # Refused before anything is computed: a loss without a ball.
        screening(problem)
        largest = largest_lam(problem)
        if not largest > 0.0:
            raise InputError("lam: w = 0 is optimal for every lambda here; choose other data or another loss")
        at_largest = screening(problem.replace(lam=largest))
        order, solved = np.argsort(-at_largest.bound, kind="stable"), {}
    problem = problem.replace(lam=settings["ratio"] * largest)
    warm = None
    if settings["start"] == BEFORE:
        warm = attempt(problem.replace(lam=FACTOR * problem.lam), SOLVERS["both"], tol=SOLVED)
    runs = {name: ScreeningRun(problem, solver, order[:DRAWN], warm) for name, solver in SOLVERS.items()}
    for run in runs.values():
        run.record()
    return Lab(runs, settings, data, largest, at_largest, order, solved, [])


def _same(settings, previous):
    """Whether a lab has the problem of these settings, lambda aside."""
    names = [name for name in INPUTS if name not in ("ratio", "start")]
    return previous is not None and all(previous.settings[name] == settings[name] for name in names)


def move(lab, steps):
    """So many coordinate visits of each run that goes on, and a certificate."""
    for run in lab.runs.values():
        if run.status is None:
            count = run.step(steps)
            run.record()
            if count < steps:
                run.status = "stalled"


def play(lab, seconds, tolerance):
    """Go on until the time is up or all is done: runs, dual optimum, the path to here."""
    deadline = time.perf_counter() + seconds
    # A further press of "run" goes on for as many epochs again.
    limit = MAX_EPOCHS * (int(lab.run.epochs) // MAX_EPOCHS + 1)
    beat = int(np.clip(lab.order.size, MIN_BEAT, MAX_BEAT))
    while True:
        if any(run.status is None for run in lab.runs.values()):
            move(lab, beat)
            _judge(lab, tolerance, limit)
            if len(lab.run.rows) == EARLY and not lab.optimum:
                find_optimum(lab)
        elif not lab.optimum:
            find_optimum(lab)
        elif not extend(lab):
            return True
        if time.perf_counter() >= deadline:
            return False


# The first pictures go before the optimum is looked for.
EARLY = 4


def _judge(lab, tolerance, limit):
    for run in lab.runs.values():
        if run.tightest.certificate.relative_gap <= tolerance:
            run.status = "converged"
        elif run.status is None and run.epochs >= limit:
            run.status = "max_epochs"


def find_optimum(lab):
    """Solve the problem closely, to show where the dual optimum lies."""
    lab.optimum.append(attempt(lab.run.problem, SOLVERS["both"], tol=NEAR, max_epochs=MAX_EPOCHS).alpha)


def marks(ratio):
    """The lambdas of the path down to a ratio, as shares of the largest: the marks of the slider."""
    options = parts.log_options(1.0, *BOUNDS["ratio"], PER_DECADE)
    return sorted((each for each in options.values() if each >= ratio), reverse=True)


def extend(lab):
    """Solve for the next lambda of the path; returns whether there was one."""
    ratio = next((each for each in marks(lab.settings["ratio"]) if each not in lab.solved), None)
    if ratio is None:
        return False
    problem = lab.run.problem.replace(lam=ratio * lab.largest)
    warm = lab.solved[min(lab.solved)][1] if lab.solved else None
    solution = attempt(problem, SOLVERS["both"], tol=SOLVED, max_epochs=MAX_EPOCHS, warm_start=warm)
    zero = screening(problem)
    before = zero if warm is None else screening(problem, **_point(problem, warm))
    after = screening(problem, **_point(problem, solution))
    alive = problem.transfer.blocks.nonzero(np.asarray(solution.w, dtype=float).reshape(-1))
    counts = (each.count("discarded") for each in (zero, before, after))
    lab.solved[ratio] = Mark(ratio, *counts, int(np.count_nonzero(alive))), solution
    return True


def _point(problem, solution):
    return {"w": solution.w, "b": solution.b if problem.free_bias else None, "alpha": solution.alpha}


def code(lab, tolerance):
    """The Python that gives the same in a notebook."""
    settings, lam = lab.settings, lab.run.problem.lam
    extra = ",\n  bias=True" if settings["intercept"] else ""
    labels = ",\n  labels=True" if takes_labels(settings) else ""
    text = (
        "import workbench as wb\n\n"
        f"d = wb.data.examples.correlated(\n  {settings['source']!r}{labels})\n"
        f"g = {regularizer(settings)[1]}\n"
        f"p = wb.Problem(\n  d.X, d.y,\n  loss={LOSSES[settings['loss']]!r},\n"
        f"  regularizer=g,\n  lam={lam!r}{extra})\n"
    )
    free = ", b={0}.b" if settings["intercept"] else ""
    point = f"p, w={{0}}.w{free},\n  alpha={{0}}.alpha"
    if settings["start"] == BEFORE:
        text += (
            f"q = wb.solve(\n  p.replace(lam={FACTOR * lam!r}),\n  'coordinate-descent', tol={SOLVED:g})\n"
            f"before = wb.screening(\n  {point.format('q')})\n"
        )
    else:
        text += "before = wb.screening(p)\n"
    warm = ",\n  warm_start=q" if settings["start"] == BEFORE else ""
    return text + (
        f"s = wb.solve(p, 'coordinate-descent',\n  tol={tolerance:g}{warm})\n"
        f"after = wb.screening(\n  {point.format('s')})\n"
        "print(before.count('discarded'),\n  after.count('discarded'), s.gap)"
    )
