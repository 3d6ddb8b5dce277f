"""The model of the page on SVM gaps: points in the plane, pair steps, and four bounds. No widget."""

import functools
import time
from typing import NamedTuple

import numpy as np
import param
from contourpy import contour_generator
from sklearn.metrics.pairwise import pairwise_kernels

from workbench import gaps
from workbench.data.examples.plane import HALF_WIDTH, SOURCES
from workbench.pages.kept_run import KeptRun
from workbench.pages.plane import FULL, TOO_FEW, HasPoints, carried, placed
from workbench.pages.wording import Wording
from workbench.problem import Problem, kernels
from workbench.run import Run
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.maximal_violating_pair import SELECTIONS

MOST_STEPS = 20_000
# The reference ends at this violation, 1e-3 of the least tolerance that the page offers.
REFERENCE = 1e-9
REFERENCE_STEPS = 200_000
GRID = 61
BOUND_SHARE = 1e-9
WORDING = Wording("svm_gaps")
# For the browser, which edits points by itself.
WORDING.texts |= {"too_few": TOO_FEW, "full": FULL}
said = WORDING.said

KERNELS = ("Linear", "Gaussian", "Polynomial")
INPUTS = ("source", "points", "kernel", "gamma", "degree", "cost", "selection")


class SvmGaps(HasPoints):
    """Choices of the page, with the bounds that its controls and its address share."""

    source = param.Selector(objects=list(SOURCES), default="Overlapping")
    kernel = param.Selector(objects=list(KERNELS))
    gamma = param.Number(1.0, bounds=(0.01, 100.0), doc="of exp(-gamma |x - x'|^2)")
    degree = param.Integer(3, bounds=(2, 6), doc="of (x.x' + 1)^degree")
    cost = param.Number(1.0, bounds=(0.001, 1000.0), doc="C, the weight of a slack")
    selection = param.Selector(objects=list(SELECTIONS), default="first-order")
    tolerance = param.Selector(objects=[1.0, 1e-1, 1e-2, 1e-3, 1e-6], default=1e-3)

    def settings(self):
        """The present choices, to build a run from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in (*INPUTS, "moving")}

    def data(self):
        """The present points (n, 2) and labels (n,)."""
        return placed(self.points, self.source)


def kernel(settings):
    """The kernel as the solver's object, as scikit-learn's keywords, and as Python."""
    if settings["kernel"] == "Gaussian":
        gamma = settings["gamma"]
        return kernels.RBF(gamma), {"metric": "rbf", "gamma": gamma}, f"wb.kernels.RBF(gamma={gamma:g})"
    if settings["kernel"] == "Polynomial":
        degree = settings["degree"]
        options = {"metric": "polynomial", "degree": degree, "gamma": 1.0, "coef0": 1.0}
        text = f"wb.kernels.Polynomial(\n    {degree}, gamma=1.0, coef0=1.0)"
        return kernels.Polynomial(degree, gamma=1.0, coef0=1.0), options, text
    return kernels.Linear(), {"metric": "linear"}, "wb.kernels.Linear()"


class Row(NamedTuple):
    """One recorded point of a run, in the units of 1/2 |f|^2 + C sum xi."""

    step: int
    gap: float
    remark_1: float
    lemma_8: float
    violation: float  # t_hat - b_hat, what the solver watches
    primal: float
    dual: float


class Posed:
    """A problem with what pictures need of it, each part made when it is first asked for.

    Attributes
    ----------
    K : ndarray of shape (n, n)
    optimum : SvmGap
        At the end of a run to a violation of 1e-9: what true distances are measured from.
    surface : tuple
        The grid's axis, and the kernel between the grid and the points.
    """

    def __init__(self, problem, X, y, C, options):
        self.problem, self.X, self.y, self.C, self.options = problem, X, y, C, options

    def _values(self, points):
        return pairwise_kernels(points, self.X, filter_params=True, **self.options)

    @functools.cached_property
    def K(self):
        return self._values(self.X)

    @functools.cached_property
    def surface(self):
        axis = np.linspace(-HALF_WIDTH, HALF_WIDTH, GRID)
        return axis, self._values(np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2))

    @functools.cached_property
    def optimum(self):
        run = Run(self.problem, MaximalViolatingPair(tol=REFERENCE, shrinking=False))
        run.step(REFERENCE_STEPS)
        return gaps.svm(self.K, self.y, self.C, dual_variables(run, self.y, self.C))


class PairRun(KeptRun):
    """A run with a `Row` for each of its pair steps, which it has in place of certificates."""

    traces = ("bounds",)

    def __init__(self, problem, solver, warm_start):
        super().__init__(problem, solver, warm_start=warm_start)
        self.bounds = []

    def step_of(self, entry):
        return entry.step

    def sought(self):
        pass


class Lab(NamedTuple):
    """A run with what the page needs beside it."""

    run: PairRun
    settings: dict
    posed: Posed

    @property
    def X(self):
        return self.posed.X

    @property
    def y(self):
        return self.posed.y

    @property
    def K(self):
        return self.posed.K

    @property
    def optimum(self):
        return self.posed.optimum

    @property
    def rows(self):
        """The rows so far."""
        return self.run.bounds

    @property
    def pair(self):
        """This lab alone, as the player wants it."""
        return (self,)


def build(settings, previous=None):
    """A lab for these settings; the optimum of an unchanged problem is kept.

    It begins at zero, while a point is dragged where the run before it stood.

    Raises
    ------
    InputError
        Points of one class.
    """
    X, y = placed(settings["points"], settings["source"])
    same = ("source", "points", "kernel", "gamma", "degree", "cost")
    known = previous is not None and all(previous.settings[name] == settings[name] for name in same)
    if known:
        posed = previous.posed
    else:
        C = settings["cost"]
        made, options, _ = kernel(settings)
        problem = Problem(X, y, "hinge", "squared-l2", 1.0 / (C * y.size), bias=True, kernel=made)
        posed = Posed(problem, X, y, C, options)
    solver = MaximalViolatingPair(tol=0.0, selection=settings["selection"], shrinking=False)
    run = PairRun(posed.problem, solver, warm_start=_start(settings, previous, X, y))
    lab = Lab(run, settings, posed)
    record(lab)
    return lab


def _start(settings, previous, X, y):
    """Dual variables of the run before where a point moves and all else is as it was; None elsewhere."""
    if previous is None or not settings["moving"]:
        return None
    if any(settings[name] != previous.settings[name] for name in INPUTS if name != "points"):
        return None
    return carried((previous.X, previous.y), (X, y), previous.run.state.alpha)


def dual_variables(run, y, C):
    """a of List et al., in [0, C]; rounding may carry alpha past its end by a unit in the last place."""
    return np.clip(C * y * run.state.alpha, 0.0, C)


def present(lab):
    """The gap of the present dual point."""
    C = lab.settings["cost"]
    return gaps.svm(lab.K, lab.y, C, dual_variables(lab.run, lab.y, C))


def record(lab):
    """Certify the present state and keep its row; returns the gap."""
    found = present(lab)
    violation = max(0.0, found.t_hat - found.b_hat)
    bounds = found.gap, found.remark_1, found.lemma_8
    lab.rows.append(Row(lab.run.steps, *bounds, violation, found.primal, found.dual))
    return found


def distances(lab):
    """The rows (k, 7), with how far the primal and the dual are from the optimum at most in place of both.

    Measured against the far end of the optimum's bracket: an upper bound of the distance itself.
    """
    rows, optimum = np.array(lab.run.along("bounds")), lab.optimum
    primal, dual = Row._fields.index("primal"), Row._fields.index("dual")
    rows[:, primal] = np.maximum(0.0, rows[:, primal] - optimum.dual)
    rows[:, dual] = np.maximum(0.0, optimum.primal - rows[:, dual])
    return rows


def step(lab, count=1):
    """Pair steps, each recorded; returns whether the run has ended: no pair violates any more."""
    for _ in range(count):
        if lab.rows[-1].violation <= 0.0 or not lab.run.step():
            lab.run.status = "stalled"
            return True
        record(lab)
    return False


def play(lab, seconds, tolerance):
    """Steps, at least one, until the time is up or the tolerance is met; returns whether it has ended."""
    deadline = time.perf_counter() + seconds
    limit = MOST_STEPS * (lab.run.steps // MOST_STEPS + 1)
    lab.run.status = None
    while True:
        if lab.rows[-1].violation <= tolerance:
            lab.run.status = "converged"
            return True
        if step(lab):
            return True
        if lab.run.steps >= limit:
            lab.run.status = "max_epochs"
            return True
        if time.perf_counter() >= deadline:
            return False


def frame(lab):
    """Everything that one picture shows, as arrays and numbers."""
    found, C = present(lab), lab.settings["cost"]
    a = dual_variables(lab.run, lab.y, C)
    kind = np.where(a <= BOUND_SHARE * C, "zero", np.where(a >= C * (1.0 - BOUND_SHARE), "bound", "free"))
    axis, K = lab.posed.surface
    values = (K @ (lab.y * a) + found.bias).reshape(GRID, GRID)
    lines = contour_generator(axis, axis, values).multi_lines([-1.0, 0.0, 1.0])
    return {
        "X": lab.X, "y": lab.y, "a": a, "kind": kind, "slack": found.slacks, "found": found,
        "event": lab.run.last_event, "next": found.violating_pair, "lines": lines, "surface": values,
        "rows": distances(lab), "at": lab.run.at, "bias": _curve(found), "C": C, "optimum": lab.optimum,
    }  # fmt: skip


def _curve(found):
    """G over the bias around its minimum and both thresholds, with every breakpoint in the window."""
    ends = [each for each in (-found.t_hat, -found.b_hat, found.bias) if np.isfinite(each)]
    margin = 0.5 * max(max(ends) - min(ends), 0.5)
    low, high = min(ends) - margin, max(ends) + margin
    breaks = found.breakpoints[(found.breakpoints > low) & (found.breakpoints < high)]
    b = np.unique(np.concatenate([np.linspace(low, high, 101), breaks]))
    return {"b": b, "value": found.at(b), "breaks": breaks, "at_breaks": found.at(breaks)}


def explain(lab):
    """The last step in LaTeX lines: which pair, how far, and what stopped it; None before the first."""
    event = lab.run.last_event
    if event is None:
        return None
    C, y = lab.settings["cost"], lab.y
    i, j = event.index, event.partner
    # The pair moves so far along (e_i, -e_j) in alpha, in units of predictions over lam n = 1 / C.
    free, moved = abs(event.free), abs(event.alpha_after - event.alpha_before)
    clipped = moved < free * (1.0 - BOUND_SHARE)
    a = [C * y[i] * event.alpha_before, C * y[i] * event.alpha_after]
    partner = [C * y[j] * event.partner_before, C * y[j] * event.partner_after]
    lines = [
        said("difference", violation=event.violation), said("curvature", curvature=event.curvature),
        said("free_step", free=C * free), said("moved", sample=i, before=a[0], after=a[1]),
        said("moved", sample=j, before=partner[0], after=partner[1]),
    ]  # fmt: skip
    return {
        "title": said("pair", i=i, j=j, violation=event.violation),
        "numbers": lines, "clipped": clipped, "badge": said("clipped" if clipped else "reached"),
    }  # fmt: skip


def code(lab, tolerance):
    """The Python that gives the same run in a notebook."""
    settings = lab.settings
    points = f"wb.data.examples.plane(\n  {settings['source']!r})"
    if settings["points"]:
        points = f"wb.data.examples.read_points(\n  {settings['points']!r})"
    C = settings["cost"]
    return (
        "import numpy as np\nimport workbench as wb\n\n"
        f"X, y = {points}\nC = {C!r}\n"
        'p = wb.Problem(\n  X, y, "hinge", "squared-l2",\n  lam=1 / (C * y.size), bias=True,\n'
        f"  kernel={kernel(settings)[2]})\n"
        f"m = wb.solvers.MaximalViolatingPair(\n  tol={tolerance:g}, shrinking=False,\n"
        f"  selection={settings['selection']!r})\n"
        "s = wb.solve(p, m, tol=1e-12)\nprint(s.steps, s.gap / p.lam, s.b)"
    )
