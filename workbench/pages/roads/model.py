"""The model of the page of roads: choices in, certified runs of several solvers out. No widget."""

import dataclasses
import time
from typing import NamedTuple

import numpy as np
import param

from workbench._support.errors import InputError
from workbench.certificates import Certificate, certificate
from workbench.data.bundled import breast_cancer
from workbench.data.examples import plane
from workbench.pages import saddle
from workbench.pages.choices import Choices
from workbench.problems import Problem
from workbench.problems.regularizers import ElasticNet, SquaredL2, norms
from workbench.solvers import (
    LBFGS,
    PDHG,
    SDCA,
    AugmentedLagrangian,
    CoCoA,
    ConjugateGradient,
    FrankWolfe,
    GaussSeidel,
    PrimalGradient,
    ProximalGradient,
)
from workbench.solvers.run import Run
from workbench.solvers.solution import attempt

ROADS = {
    "Gauss-Seidel": GaussSeidel(),
    "SDCA": SDCA(),
    "Frank-Wolfe": FrankWolfe(),
    "PDHG": PDHG(),
    "PDHG, no restarts": PDHG(restart=False),
    "Proximal gradient": ProximalGradient(),
    "Augmented Lagrangian": AugmentedLagrangian(),
    "PGS": PrimalGradient(order="shuffled"),
    "L-BFGS": LBFGS(),
    "Conjugate gradients": ConjugateGradient(),
}
# The parts of the samples, between which CoCoA+ goes.
PARTS = {"1 part": 1} | {f"{count} parts": count for count in (2, 4, 8, 16, 32)}
NAMES = (*ROADS, *PARTS)


class Compared(NamedTuple):
    """The words for what runs beside each other."""

    one: str
    many: str
    unit: str  # in which its time is counted
    units: str
    axis: str


METHODS, IN_PARTS = "methods", "parts"
COMPARED = {
    METHODS: Compared("method", "methods", "pass", "passes", "passes over the data"),
    IN_PARTS: Compared("number of parts", "runs", "round", "rounds", "rounds, an exchange each"),
}
TOGETHER, APART, ONE = "Two samples, one weight", "Two samples that disagree", "One sample, one weight"
CANCER = "Breast cancer"
# Those that are typed: features and labels.
TYPED = {
    TOGETHER: ([[-1.0], [0.7]], [-1.0, 1.0]),
    APART: ([[1.0], [0.6]], [1.0, -1.0]),
    ONE: ([[1.0]], [1.0]),
}
SOURCES = (*TYPED, "Overlapping", CANCER)
LOSSES = {
    "Hinge": "hinge",
    "Logistic": "logistic",
    "Squared": "squared",
    "Smoothed hinge": "smoothed-hinge",
}
REGULARIZERS = {
    "Squared ℓ2": lambda settings: (SquaredL2(), "'squared-l2'"),
    "Elastic net": lambda settings: (
        ElasticNet(epsilon=settings["epsilon"]),
        f"wb.regularizers.ElasticNet(\n    epsilon={settings['epsilon']!r})",
    ),
    "ℓ1": lambda settings: (norms.L1(), "wb.norms.L1()"),
}
# What a change of these parameters restarts; the zoom chooses what is looked at.
INPUTS = ("source", "loss", "regularizer", "lam", "epsilon", "intercept", "compare", "passes", "seed")
BOUNDS = {"lam": (1e-3, 1.0)}
MARKS = (1e-2, 1e-4, 1e-6)
# Most passes, or rounds, of one press of "run".
MAX_PASSES = 300
NO_LIMIT = 10**9
# So many values of each axis of the saddle.
CELLS = 101
# The bracket around the optimum comes from a solve of its own, which ends here where it is a hard one.
NEAR, MAX_EPOCHS = 1e-12, 3000


class RoadsModel(Choices):
    inputs = INPUTS
    source = param.Selector(objects=list(SOURCES), doc="the data")
    loss = param.Selector(objects=list(LOSSES))
    regularizer = param.Selector(objects=list(REGULARIZERS))
    lam = param.Number(0.1, bounds=BOUNDS["lam"], doc="weight of the regularizer")
    epsilon = param.Number(0.2, bounds=(0.05, 2.0), doc="sparsity of the elastic net")
    intercept = param.Boolean(False, doc="whether an unregularized bias is free")
    compare = param.Selector(objects=list(COMPARED), doc="what runs beside each other")
    passes = param.Selector(objects=[1, 2, 5, 10], doc="of each part over its samples in a round")
    seed = param.Integer(1, bounds=(0, 9999), doc="of the samples that are drawn")
    tolerance = param.Selector(objects=[*MARKS, 1e-9], default=1e-6)
    zoom = param.Selector(objects=[1, 3, 10, 100], doc="how close the saddle is looked at")


def load(source):
    """The features (n, d), the labels, and the Python that gives them, of a name in `SOURCES`."""
    if source in TYPED:
        X, y = TYPED[source]
        return np.array(X), np.array(y), f"X, y = {X!r}, {y!r}"
    if source == CANCER:
        data = breast_cancer()
        return data.X, data.y, "d = wb.data.load('breast-cancer')\nX, y = d.X, d.y"
    X, y = plane(source)
    return X, y, f"X, y = wb.data.examples.plane(\n  {source!r})"


def solvers(settings):
    """The solvers that are compared, by name."""
    if settings["compare"] == METHODS:
        return ROADS
    return {name: CoCoA(parts=count, passes=settings["passes"]) for name, count in PARTS.items()}


class Road(Run):
    """A run that keeps where it has been in the plane of one weight and one dual variable.

    An epoch is a pass, and of a solver whose passes make rounds a round.

    Attributes
    ----------
    path : list of (float, float)
        The weight and the dual variable of each certificate.
    """

    def __init__(self, problem, solver, seed, seen):
        super().__init__(problem, solver, seed=seed)
        self.plane, self.path = seen, []
        self.epoch_steps *= getattr(solver, "passes", 1)

    def record(self):
        """Certify the present state, and note where it lies."""
        point, (sample, feature) = super().record(), self.plane
        self.path.append((float(point.w[feature]), float(point.alpha[sample])))
        return point

    def at(self, place):
        """The place of its own that a place of the longest road stands for; its last one of None."""
        last = len(self.rows) - 1
        return last if place is None else min(place, last)

    def first(self, mark, place=None):
        """The passes after which the certified relative gap was at most this; None where it is not yet."""
        rows = self.rows[: self.at(place) + 1]
        return next((row["epoch"] for row in rows if row["relative_gap"] <= mark), None)

    @property
    def holds(self):
        """What the solver's state gives to the certificate, which builds the other side."""
        point = self.solver.point(self.state)
        return tuple(name for name in ("w", "alpha") if name in point)


class Lab(NamedTuple):
    """The roads on one problem with what the page needs beside them."""

    roads: dict  # of name to Road
    refused: dict  # of name to the sentence that says why
    settings: dict
    optimum: Certificate  # of a close solve: it brackets the optimum, and the saddle is drawn around it
    plane: tuple  # the sample and the feature that are looked at

    @property
    def run(self):
        """The first road there is."""
        return next(iter(self.roads.values()))

    @property
    def words(self):
        """Of `COMPARED`."""
        return COMPARED[self.settings["compare"]]

    @property
    def longest(self):
        """The road with the most places."""
        return max(self.roads.values(), key=lambda road: len(road.rows))

    @property
    def passes(self):
        """How many passes over the data, or rounds, the longest road has made."""
        return max(road.epochs for road in self.roads.values())


def build(settings, previous=None):
    """A fresh lab for these settings; a problem that a previous one has prepared is used again.

    Raises
    ------
    InputError
        The problem is none, or no road leads to its optimum.
    """
    loss, regularizer = LOSSES[settings["loss"]], REGULARIZERS[settings["regularizer"]](settings)[0]
    shared = ("source", "intercept")
    if previous is not None and all(previous.settings[name] == settings[name] for name in shared):
        problem = previous.run.problem.replace(loss, regularizer, settings["lam"])
    else:
        X, y, _ = load(settings["source"])
        problem = Problem(X, y, loss, regularizer, settings["lam"], bias=settings["intercept"])
    solution = attempt(problem, "auto", tol=NEAR, max_epochs=MAX_EPOCHS)
    b = solution.b if problem.free_bias else None
    optimum = certificate(problem, w=solution.w, b=b, alpha=solution.alpha)
    axes = _plane(problem, optimum)
    roads, refused = {}, {}
    for name, solver in solvers(settings).items():
        try:
            roads[name] = Road(problem, solver, settings["seed"], axes)
        except InputError as error:
            refused[name] = str(error)
    if not roads:
        raise InputError(next(iter(refused.values())))
    for road in roads.values():
        road.record()
    return Lab(roads, refused, settings, optimum, axes)


def _plane(problem, optimum):
    """The sample and the feature to look at: a free dual variable, and the weight that pulls it most."""
    entry, nu = problem.loss.entry, problem.nu(optimum.alpha)
    # Far from the ends of the domain both lines are seen to cross.
    room = np.clip(np.minimum(nu - entry["lower"], entry["upper"] - nu), 0.0, 1.0)
    rows = problem.rows
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    sample = int(np.argmax(room * lengths))
    row = rows[[sample]].toarray().ravel()
    return sample, int(np.argmax(np.abs(row) * (1e-12 + np.abs(optimum.w))))


def move(lab, tolerance, limit=NO_LIMIT):
    """One pass of each road that goes on, a certificate, and its status where it is at its end."""
    for road in lab.roads.values():
        if road.status is None:
            road.stopping.aim(tolerance, limit)
            road.epoch()
            road.record()
            road.judge()


def play(lab, seconds, tolerance):
    """Passes until the time is up or all roads are at their end; returns whether they are."""
    deadline = time.perf_counter() + seconds
    # A further press of "run" goes on for as many passes again.
    limit = MAX_PASSES * (int(lab.passes) // MAX_PASSES + 1)
    for road in lab.roads.values():
        if road.status == "max_epochs" and road.epochs < limit:
            road.status = None
    while True:
        move(lab, tolerance, limit)
        if all(road.status is not None for road in lab.roads.values()):
            return True
        if time.perf_counter() >= deadline:
            return False


def frame(lab, zoom, place=None):
    """What is drawn of a lab, as plain arrays.

    Parameters
    ----------
    lab : Lab
    zoom : float
        How many times closer than the whole way the saddle is looked at.
    place : int, optional
        Of the longest road; its last one where not given.
    """
    best, (low, high) = lab.optimum, bracket(lab)
    curves = {}
    for name, road in lab.roads.items():
        columns = {
            key: np.array([row[key] for row in road.rows], dtype=float)
            for key in ("epoch", "primal", "dual", "gap", "relative_gap")
        }
        # At most so far from the optimum, since that lies within the bracket.
        columns |= {"above": columns["primal"] - low, "below": high - columns["dual"]}
        curves[name] = columns
    sample, feature = lab.plane
    star = float(best.w[feature]), float(best.alpha[sample])
    at = {name: road.at(place) for name, road in lab.roads.items()}
    whole = {name: np.array(road.path) for name, road in lab.roads.items()}
    return {
        "passes": max(road.rows[at[name]]["epoch"] for name, road in lab.roads.items()),
        "curves": curves,
        "paths": {name: path[: at[name] + 1] for name, path in whole.items()},
        "star": star,
        "at": at,
        "bracket": (low, high),
        "plane": lab.plane,
        "zoom": zoom,
        "saddle": _surface(lab, _window(whole, star, zoom)),
        "table": table(lab, place),
        "words": lab.words,
        "cost": cost(lab),
    }


def cost(lab):
    """What a round of parts takes, in a sentence; nothing of methods."""
    if lab.settings["compare"] == METHODS:
        return ""
    passes, d = lab.settings["passes"], lab.run.problem.n_features
    many = "one pass" if passes == 1 else f"{passes} passes"
    return (
        f" A round is {many} of each part over its samples and one exchange: a part sends {d} "
        f"number{'s' * (d != 1)} and is told as many, however many samples it has."
    )


def bracket(lab):
    """The best certified bounds of the optimum, whoever found them."""
    rows = [row for road in lab.roads.values() for row in road.rows]
    low = max(lab.optimum.dual, *(row["dual"] for row in rows))
    return low, min(lab.optimum.primal, *(row["primal"] for row in rows))


def _window(paths, star, zoom):
    """Low and high ends of both axes: around all paths, drawn together towards the saddle point."""
    points = np.vstack([*paths.values(), [star]])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    spread = np.maximum(high - low, 0.1 * np.maximum(np.abs(star), 0.1))
    star = np.array(star)
    return star + (low - 0.08 * spread - star) / zoom, star + (high + 0.08 * spread - star) / zoom


def _surface(lab, window):
    """R around the saddle point, less its value there; nothing outside the domain of the conjugate."""
    problem, (sample, _) = lab.run.problem, lab.plane
    weight, dual = (np.linspace(low, high, CELLS) for low, high in zip(*window, strict=True))
    grid = saddle.over(problem, lab.optimum, lab.plane, weight, dual)
    entry, scale = problem.loss.entry, problem.weight[sample] * problem.sign[sample]
    nu = -dual / scale
    rounding = 1e-12 * (1.0 + np.abs(nu))
    outside = (nu < entry["lower"] - rounding) | (nu > entry["upper"] + rounding)
    surface = np.where(outside[:, None], np.nan, grid["surface"])
    # A lowest value at the edge of the window is none of the valley's.
    least = np.argmin(grid["surface"], axis=1)
    mask = outside | (least == 0) | (least == CELLS - 1)
    return (
        grid
        | {"surface": surface}
        | {name: np.where(mask, np.nan, grid[name]) for name in ("valley", "least")}
    )


class Row(NamedTuple):
    """One road in the table: the passes to each mark, and where it is."""

    name: str
    holds: tuple
    first: tuple  # of the passes to each of MARKS, None where it is not there yet
    relative_gap: float


def table(lab, place=None):
    """The rows of the table of who certifies what when."""
    return [
        Row(
            name,
            road.holds,
            tuple(road.first(mark, place) for mark in MARKS),
            road.rows[road.at(place)]["relative_gap"],
        )
        for name, road in lab.roads.items()
    ]


def winners(lab, mark):
    """The roads that certified this first, and after how many passes; ((), None) where none has."""
    first = {name: road.first(mark) for name, road in lab.roads.items()}
    reached = {name: passes for name, passes in first.items() if passes is not None}
    least = min(reached.values(), default=None)
    return tuple(name for name, passes in reached.items() if passes == least), least


def _spelled(solver):
    """A solver as Python, without the parameters that it has anyway."""
    fields = [field for field in dataclasses.fields(solver) if getattr(solver, field.name) != field.default]
    arguments = ", ".join(f"{field.name}={getattr(solver, field.name)!r}" for field in fields)
    return f"{type(solver).__name__}({arguments})"


def code(lab, tolerance):
    """The Python that gives the same passes in a notebook."""
    settings, label, count, most = lab.settings, "solver.name", "", MAX_PASSES
    if settings["compare"] == IN_PARTS:
        label, count, most = "solver.parts", "solver.passes", f"{MAX_PASSES} * solver.passes"
    roads = "".join(f"  wb.solvers.{_spelled(road.solver)},\n" for road in lab.roads.values())
    extra = ", bias=True" if settings["intercept"] else ""
    spelled = REGULARIZERS[settings["regularizer"]](settings)[1]
    return (
        f"import workbench as wb\n\n{load(settings['source'])[2]}\n"
        f"p = wb.Problem(\n  X, y, loss={LOSSES[settings['loss']]!r},\n  regularizer={spelled},\n"
        f"  lam={settings['lam']!r}{extra})\nfor solver in (\n{roads}):\n"
        f"  run = wb.Run(p, solver, seed={settings['seed']})\n  c = run.record()\n"
        f"  while (c.relative_gap > {tolerance:g}\n         and run.epochs < {most}):\n"
        f"    run.epoch({count})\n    c = run.record()\n"
        f"  print({label}, run.epochs, c.gap)"
    )
