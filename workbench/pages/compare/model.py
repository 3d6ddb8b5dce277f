"""The runs of the page Compare: choices in, certified runs of several solvers out. No widget."""

import dataclasses
import time
from typing import NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.certificates import Certificate, certificate
from workbench.data.examples import plane
from workbench.pages import datasets, terms
from workbench.pages.compare import saddle
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

SOLVERS = {
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
# The parts of the samples, between which CoCoA+ exchanges.
PARTS = {"1 part": 1} | {f"{count} parts": count for count in (2, 4, 8, 16, 32)}
NAMES = (*SOLVERS, *PARTS)


class Words(NamedTuple):
    """The words for what runs beside each other."""

    one: str
    many: str
    unit: str  # in which its time is counted
    units: str
    axis: str


METHODS, IN_PARTS = "methods", "parts"
COMPARED = {
    METHODS: Words("method", "methods", "pass", "passes", "passes over the data"),
    IN_PARTS: Words("number of parts", "runs", "round", "rounds", "rounds, an exchange each"),
}
TOGETHER, APART, ONE = "Two samples, one weight", "Two samples that disagree", "One sample, one weight"
CLOUD, CANCER = "Overlapping", "Breast cancer"
# Those that are typed: features and labels.
TYPED = {
    TOGETHER: ([[-1.0], [0.7]], [-1.0, 1.0]),
    APART: ([[1.0], [0.6]], [1.0, -1.0]),
    ONE: ([[1.0]], [1.0]),
}
SOURCES = [*TYPED, CLOUD, CANCER, *(name for name in datasets.SOURCES if name != CANCER)]
OFFERED = ("Hinge", "Logistic", "Squared", "Smoothed hinge", "Squared hinge")
LOSSES = {label: terms.LOSSES[label] for label in OFFERED}
REGULARIZERS = {
    "Squared ℓ2": lambda settings: (SquaredL2(), "'squared-l2'"),
    "Elastic net": lambda settings: (
        ElasticNet(epsilon=settings["epsilon"]),
        f"wb.regularizers.ElasticNet(\n    epsilon={settings['epsilon']!r})",
    ),
    "ℓ1": lambda settings: (norms.L1(), "wb.norms.L1()"),
}
INPUTS = (
    *("source", "loss", "regularizer", "lam", "epsilon", "intercept", "compare", "passes", "seed"),
    "tolerance",
)
MARKS = (1e-2, 1e-4, 1e-6)
TOLERANCES = (*MARKS, 1e-9)
# The gap that decides who is first.
DECIDING = MARKS[1]
ZOOMS = (1, 3, 10, 100)
# Passes, or rounds, of a run, fewer where the runs together would visit more entries of the data than this.
MAX_PASSES, LEAST_PASSES, MAX_VISITS = 300, 10, 6e7
# The bracket around the optimum comes from a solve of its own, which ends here where it is a hard one.
NEAR, MAX_EPOCHS = 1e-12, 3000


def sources():
    """Return the names of the data that can be opened here without a download."""
    missing = {*datasets.SOURCES} - {*datasets.available()}
    return [name for name in SOURCES if name not in missing]


def load(source):
    """Return the features (n, d), the labels, and the Python that gives them."""
    if source in TYPED:
        X, y = TYPED[source]
        return np.array(X), np.array(y), f"X, y = {X!r}, {y!r}"
    if source == CLOUD:
        return *plane(source), f"X, y = wb.data.examples.plane(\n  {source!r})"
    table, (name, options, _) = datasets.load(source), datasets.entry(source)
    more = "".join(f", {key}={value!r}" for key, value in options.items())
    return table.X, table.y, f"d = wb.data.load({name!r}{more})\nX, y = d.X, d.y"


def solvers(settings):
    """Return the solvers that are compared, by name."""
    if settings["compare"] == METHODS:
        return SOLVERS
    return {name: CoCoA(parts=count, passes=settings["passes"]) for name, count in PARTS.items()}


class TracedRun(Run):
    """A run that keeps where it has been in the plane of one weight and one dual variable.

    An epoch is a pass, and of a solver whose passes make rounds a round.

    Attributes
    ----------
    path : list of (float, float)
        The weight and the dual variable of each certificate.
    """

    def __init__(self, problem, solver, seed, plane):
        super().__init__(problem, solver, seed=seed)
        self.plane, self.path = plane, []
        self.epoch_steps *= getattr(solver, "passes", 1)

    def record(self):
        """Certify the present state, and note where it lies."""
        point, (sample, feature) = super().record(), self.plane
        self.path.append((float(point.w[feature]), float(point.alpha[sample])))
        return point

    @property
    def holds(self):
        """The names of what the solver's state gives to the certificate, which builds the other side."""
        point = self.solver.point(self.state)
        return [name for name in ("w", "alpha") if name in point]


@dataclasses.dataclass
class Comparison:
    """The runs on one problem with what the page needs beside them.

    Attributes
    ----------
    runs : dict of str to TracedRun
    refused : dict of str to str
        The reason why a solver does not take the problem.
    settings : dict
    optimum : Certificate
        Of an accurate solve: it brackets the optimum, and the saddle is drawn around it.
    plane : (int, int)
        The sample and the feature that are looked at.
    limit : int
        Passes of a run.
    """

    runs: dict
    refused: dict
    settings: dict
    optimum: Certificate
    plane: tuple
    limit: int

    @property
    def problem(self):
        """The problem of all runs."""
        return next(iter(self.runs.values())).problem

    def move(self):
        """Make one pass of each run that goes on, a certificate, and its status where it has ended."""
        for run in self.runs.values():
            if run.status is None:
                run.stopping.aim(self.settings["tolerance"], self.limit)
                run.epoch()
                run.record()
                run.judge()

    def play(self, seconds):
        """Make passes until the time is over; return True once all runs have ended."""
        deadline = time.perf_counter() + seconds
        while any(run.status is None for run in self.runs.values()):
            if time.perf_counter() >= deadline:
                return False
            self.move()
        return True


def build(settings):
    """Return the comparison of these settings before its first pass.

    Raises
    ------
    InputError
        The problem is not valid, or no solver takes it.
    """
    X, y, _ = load(settings["source"])
    regularizer, _ = REGULARIZERS[settings["regularizer"]](settings)
    problem = Problem(
        X, y, LOSSES[settings["loss"]], regularizer, settings["lam"], bias=settings["intercept"]
    )
    visits = max(problem.rows.nnz, 1)
    solution = attempt(problem, "auto", tol=NEAR, max_epochs=_at_most(MAX_EPOCHS, visits))
    b = solution.b if problem.free_bias else None
    optimum = certificate(problem, w=solution.w, b=b, alpha=solution.alpha)
    plane = _plane(problem, optimum)
    runs, refused = {}, {}
    for name, solver in solvers(settings).items():
        try:
            runs[name] = TracedRun(problem, solver, settings["seed"], plane)
        except InputError as error:
            refused[name] = str(error)
    if not runs:
        raise InputError(next(iter(refused.values())))
    for run in runs.values():
        run.record()
    return Comparison(runs, refused, settings, optimum, plane, _at_most(MAX_PASSES, visits * len(runs)))


def _at_most(passes, visits):
    """Return a number of passes, less where one visits many entries."""
    return int(min(passes, max(LEAST_PASSES, MAX_VISITS // visits)))


def _plane(problem, optimum):
    """Return a sample with a free dual variable, and the feature whose weight pulls it most."""
    entry, nu = problem.loss.entry, problem.nu(optimum.alpha)
    # Far from the ends of the domain both lines are seen to cross.
    room = np.clip(np.minimum(nu - entry["lower"], entry["upper"] - nu), 0.0, 1.0)
    rows = problem.rows
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    sample = int(np.argmax(room * lengths))
    row = rows[[sample]].toarray().ravel()
    return sample, int(np.argmax(np.abs(row) * (1e-12 + np.abs(optimum.w))))


def answer(comparison):
    """Return what the page draws of a comparison, as plain values and arrays."""
    settings, best, (sample, feature) = comparison.settings, comparison.optimum, comparison.plane
    star = float(best.w[feature]), float(best.alpha[sample])
    paths = {name: np.array(run.path) for name, run in comparison.runs.items()}
    windows = [_window(paths, star, zoom) for zoom in ZOOMS]
    return {
        "runs": [_columns(name, run, paths[name]) for name, run in comparison.runs.items()],
        "refused": comparison.refused,
        "optimum": {"primal": float(best.primal), "dual": float(best.dual)},
        "star": list(star),
        "plane": list(comparison.plane),
        "features": comparison.problem.n_features,
        "lam": comparison.problem.lam,
        "saddles": [
            saddle.sections(comparison.problem, best, comparison.plane, window) for window in windows
        ],
        "code": code(settings, comparison.runs, comparison.limit),
    }


def _columns(name, run, path):
    names = ("epoch", "primal", "dual", "relative_gap")
    columns = {key: np.array([row[key] for row in run.rows], dtype=float) for key in names}
    return {"name": name, "holds": run.holds, "weight": path[:, 0], "alpha": path[:, 1]} | columns


def _window(paths, star, zoom):
    """Return the lower and the upper ends of both axes: around all paths, drawn towards the saddle point."""
    points = np.vstack([*paths.values(), [star]])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    spread = np.maximum(high - low, 0.1 * np.maximum(np.abs(star), 0.1))
    star = np.array(star)
    return star + (low - 0.08 * spread - star) / zoom, star + (high + 0.08 * spread - star) / zoom


def _spelled(solver):
    """Return a solver as Python, without the parameters that are its defaults."""
    fields = [field for field in dataclasses.fields(solver) if getattr(solver, field.name) != field.default]
    arguments = ", ".join(f"{field.name}={getattr(solver, field.name)!r}" for field in fields)
    return f"{type(solver).__name__}({arguments})"


def code(settings, runs, limit=MAX_PASSES):
    """Return the Python that gives the same passes in a notebook."""
    label, count, most = "solver.name", "", str(limit)
    if settings["compare"] == IN_PARTS:
        label, count, most = "solver.parts", "solver.passes", f"{limit} * solver.passes"
    listed = "".join(f"  wb.solvers.{_spelled(run.solver)},\n" for run in runs.values())
    extra = ", bias=True" if settings["intercept"] else ""
    spelled = REGULARIZERS[settings["regularizer"]](settings)[1]
    return (
        f"import workbench as wb\n\n{load(settings['source'])[2]}\n"
        f"p = wb.Problem(\n  X, y, loss={LOSSES[settings['loss']]!r},\n  regularizer={spelled},\n"
        f"  lam={settings['lam']!r}{extra})\nfor solver in (\n{listed}):\n"
        f"  run = wb.Run(p, solver, seed={settings['seed']})\n  c = run.record()\n"
        f"  while (c.relative_gap > {settings['tolerance']:g}\n         and run.epochs < {most}):\n"
        f"    run.epoch({count})\n    c = run.record()\n"
        f"  print({label}, run.epochs, c.gap)"
    )
