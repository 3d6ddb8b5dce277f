"""Runs of coordinate descent that discard features, and what each of their certificates discards."""

from typing import NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.certificates import certificate
from workbench.certificates.gaps.norm_gap import largest_lam
from workbench.certificates.screening import Screening, screening
from workbench.pages.norms import model as norms
from workbench.pages.norms.model import BEFORE
from workbench.pages.ranges import thinned
from workbench.pages.server.turns import Remembered
from workbench.solvers import CoordinateDescent
from workbench.solvers.run import Run
from workbench.solvers.solution import attempt

# A path goes down by this factor, ten to a decade.
LEAST, PER_DECADE = 0.01, 10
FACTOR = 10.0 ** (1.0 / PER_DECADE)
# Coordinate visits between two certificates: a pass, within these bounds; most epochs of a run.
MIN_BEAT, MAX_BEAT, MAX_EPOCHS = 20, 120, 300
# The blocks that are drawn: those that pull most where all weights are zero.
DRAWN = 240
SOLVED, NEAR = 1e-6, 1e-10
# The certificates of a run that are sent.
MOST_SENT = 300
# The state of a block: discarded for good, undecided with a weight of zero or another, or certain to stay.
KINDS = ("discarded", "open", "nonzero", "kept")


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

    def _take(self, point):
        if self._weights is None or point.primal < self._weights.primal:
            self._weights = point
        if self._dual is None or point.dual > self._dual.dual:
            self._dual = point

    def _point(self, point):
        w, b = self.problem.split(point.w, point.b)
        return w, b if self.problem.free_bias else None


class View(NamedTuple):
    """The picture of one certificate of a run; the blocks are those that are drawn."""

    alpha: np.ndarray
    radius: float
    relative_gap: float
    bound: np.ndarray
    kinds: np.ndarray  # places in KINDS
    certain: int  # of all blocks
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
    data: tuple  # the samples
    largest: float  # the least lambda with w = 0
    at_largest: Screening
    order: np.ndarray  # the blocks, by their pull there

    @property
    def run(self):
        """Return the run with screening and extrapolation."""
        return self.runs["both"]

    @property
    def longest(self):
        """Return the run with the most certificates."""
        return max(self.runs.values(), key=lambda run: len(run.rows))

    @property
    def names(self):
        """Return the name of each block."""
        return self.data.names if self.at_largest.groups is None else self.data.group_names


SOLVERS = {
    "both": CoordinateDescent(),
    "unscreened": CoordinateDescent(screening=False),
    "plain": CoordinateDescent(extrapolation=False),
}


def build(settings):
    """Return a lab of these settings, its runs at their start.

    Raises
    ------
    InputError
        A loss without a bounded curvature, or a norm whose gap discards nothing.
    """
    problem = norms.problem(settings)
    # Refused before anything is computed: a loss without a ball.
    screening(problem)
    largest = largest_lam(problem)
    if not largest > 0.0:
        raise InputError("lam: w = 0 is optimal for every lambda here; choose other data or another loss")
    at_largest = screening(problem.replace(lam=largest))
    order = np.argsort(-at_largest.bound, kind="stable")
    problem = problem.replace(lam=settings["ratio"] * largest)
    warm = None
    if settings["start"] == BEFORE:
        warm = attempt(problem.replace(lam=FACTOR * problem.lam), SOLVERS["both"], tol=SOLVED)
    runs = {name: ScreeningRun(problem, solver, order[:DRAWN], warm) for name, solver in SOLVERS.items()}
    for run in runs.values():
        run.record()
    return Lab(
        runs,
        settings,
        norms.load(settings["source"], norms.takes_labels(settings)),
        largest,
        at_largest,
        order,
    )


def move(lab, steps):
    """Visit this number of coordinates in each run that goes on, and certify it."""
    for run in lab.runs.values():
        if run.status is None:
            count = run.step(steps)
            run.record()
            if count < steps:
                run.status = "stalled"


def finish(lab, tolerance):
    """Go on until all runs have ended, as work in pieces."""
    beat = int(np.clip(lab.order.size, MIN_BEAT, MAX_BEAT))
    while any(run.status is None for run in lab.runs.values()):
        yield
        move(lab, beat)
        for run in lab.runs.values():
            if run.tightest.certificate.relative_gap <= tolerance:
                run.status = "converged"
            elif run.status is None and run.epochs >= MAX_EPOCHS:
                run.status = "max_epochs"


LABS, OPTIMA, PATHS = Remembered(4), Remembered(4), Remembered(4)


def solved(tolerance, **settings):
    """Make a lab whose runs have ended, which pages share, as work in pieces."""

    def work():
        lab = build(settings)
        yield from finish(lab, tolerance)
        return lab

    return LABS.steps((tolerance, *settings.values()), work())


def optimum(**settings):
    """Find the dual optimum, of a run of its own that ends close to it, as work in pieces."""

    def work():
        problem = build(settings).run.problem
        yield
        return attempt(problem, SOLVERS["both"], tol=NEAR, max_epochs=MAX_EPOCHS).alpha

    return OPTIMA.steps(tuple(settings.values()), work())


def record(lab):
    """Return what every certificate of the runs shows, as arrays.

    Returns
    -------
    dict
        Of the run with both, by place and block: `bound`, `kinds`; by place: `epoch`, `radius`, `discarded`,
        `certain`, `nonzero`; by block: `names`, `since`; and of each run its `epoch`, `gap`,
        `left` in the solver and `radius`.
    """
    run, blocks, places = lab.run, lab.order[:DRAWN], certificates(lab)
    views = [view_at(run, k) for k in places]
    return {
        "names": [str(lab.names[j]) for j in blocks],
        "total": int(run.since.size),
        "is_grouped": run.tightest.groups is not None,
        "has_ridge": bool(np.any(run.problem.transfer.blocks.ridge)),
        "epoch": np.array([lab.longest.rows[k]["epoch"] for k in places]),
        "radius": np.array([view.radius for view in views]),
        "bound": np.concatenate([view.bound for view in views]),
        "kinds": np.concatenate([view.kinds for view in views]),
        "since": run.since[blocks],
        "discarded": [run.counts[min(k, len(run.counts) - 1)] for k in places],
        "certain": [view.certain for view in views],
        "nonzero": [view.nonzero for view in views],
        "runs": {name: _curves(one) for name, one in lab.runs.items()},
    }


def certificates(lab):
    """Return the places that are sent, among the certificates of the run with the most."""
    return thinned(len(lab.longest.rows), MOST_SENT).tolist()


def view_at(run, place):
    """Return what a run shows at a place, or at its end."""
    return run.views[min(place, len(run.views) - 1)]


def _curves(run):
    places = thinned(len(run.rows))
    return {
        "epoch": np.array([row["epoch"] for row in run.rows])[places],
        "left": np.array(run.undecided, dtype=float)[places],
        "gap": np.array(run.gaps)[places],
        "radius": np.array([view.radius for view in run.views])[places],
    }


def ratios(least):
    """Return the lambdas of the path down to a ratio, as shares of the largest."""
    grid = np.geomspace(LEAST, 1.0, round(-np.log10(LEAST) * PER_DECADE) + 1)
    marks = {float(f"{ratio:.2g}") for ratio in grid}
    return sorted((mark for mark in marks if mark >= min(least, 1.0)), reverse=True)


def path(**settings):
    """Count the blocks that are discarded at each lambda of the path down to the present one, in pieces.

    At each: by w = 0, by the solution at the lambda before, and by its own solution.
    """
    return PATHS.steps(tuple(settings.values()), _path(settings))


def _path(settings):
    lab = build(settings)
    warm, marks = None, []
    for ratio in ratios(settings["ratio"]):
        yield
        problem = lab.run.problem.replace(lam=ratio * lab.largest)
        solution = attempt(problem, SOLVERS["both"], tol=SOLVED, max_epochs=MAX_EPOCHS, warm_start=warm)
        zero = screening(problem)
        before = zero if warm is None else screening(problem, **_point(problem, warm))
        after = screening(problem, **_point(problem, solution))
        alive = problem.transfer.blocks.nonzero(np.asarray(solution.w, dtype=float).reshape(-1))
        counts = (rule.count("discarded") for rule in (zero, before, after))
        marks.append(Mark(ratio, *counts, int(np.count_nonzero(alive))))
        warm = solution
    columns = zip(Mark._fields, zip(*marks, strict=True), strict=True)
    return {name: np.array(column, dtype=float) for name, column in columns}


def _point(problem, solution):
    return {"w": solution.w, "b": solution.b if problem.free_bias else None, "alpha": solution.alpha}
