"""The model of the page of norms: choices in, a FISTA run with its raw and repaired gaps out. No widget."""

import time
from typing import NamedTuple

import numpy as np
import param

from workbench.certificates import loss_terms
from workbench.data.examples.grouped import SOURCES, Samples, load, tree_groups
from workbench.errors import InputError
from workbench.gaps.norm_gap import norm_gap
from workbench.pages.kept_run import KeptRun
from workbench.pages.norms.captions import said
from workbench.problem import Problem
from workbench.regularizers import ElasticNet, norms
from workbench.solvers import ProximalGradient

LOSSES = {
    "Squared": "squared", "Huber": "huber", "Logistic": "logistic", "Smoothed hinge": "smoothed-hinge",
    "Hinge": "hinge",
}  # fmt: skip
NORMS = (
    "ℓ1", "ℓ2", "ℓ∞", "Elastic net", "Group ℓ1/ℓ2", "Group ℓ1/ℓ∞", "Sparse group", "Tree", "Crossing groups",
)  # fmt: skip
TREE = "Tree"
# The parameter of a regularizer that has one.
PARAMETERS = {"Elastic net": "epsilon", "Sparse group": "share", TREE: "decay"}
# What a change of these parameters restarts; the others choose what is looked at.
INPUTS = (
    *("source", "norm", "loss", "ratio", "intercept", "best", "epsilon", "share", "decay"),
    *("step", "restart"),
)
VIEWS = ("first", "second", "halving")
MOST_STEPS = 2000
MOST_HALVINGS = 54
BOUNDS = {"ratio": (1e-3, 1.5)}


class Norms(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    source = param.Selector(objects=list(SOURCES), doc="the data")
    norm = param.Selector(objects=list(NORMS), default="Group ℓ1/ℓ2")
    loss = param.Selector(objects=list(LOSSES))
    ratio = param.Number(0.1, bounds=BOUNDS["ratio"], doc="lambda over the least one with w = 0")
    intercept = param.Boolean(True, doc="whether an unregularized bias is free")
    best = param.Boolean(False, doc="whether kappa is taken at the best bias for w")
    epsilon = param.Number(0.5, bounds=(0.05, 2.0), doc="sparsity of the elastic net")
    share = param.Number(0.5, bounds=(0.05, 5.0), doc="weight of the l1 part of the sparse group norm")
    decay = param.Number(0.5, bounds=(0.1, 2.0), doc="weight of a level of the tree over that below it")
    step = param.Selector(objects=["lipschitz", "backtracking"])
    restart = param.Boolean(True, doc="whether FISTA drops a momentum that points uphill")
    tolerance = param.Selector(objects=[1e-2, 1e-4, 1e-6, 1e-9], default=1e-6)
    first = param.Integer(0, bounds=(0, 63), doc="feature along the section")
    second = param.Integer(1, bounds=(0, 63), doc="feature across the section")
    halving = param.Integer(6, bounds=(0, MOST_HALVINGS), doc="step of the bisection")

    def settings(self):
        """The present choices, to build a run from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in INPUTS}


def regularizer(settings):
    """The regularizer that the settings stand for, and the Python that makes it of `d`."""
    found, name = load(settings["source"]), settings["norm"]
    plain = {"ℓ1": norms.L1, "ℓ2": norms.L2, "ℓ∞": norms.Linf}
    if name in plain:
        return plain[name](), f"wb.norms.{plain[name].__name__}()"
    if name == "Elastic net":
        epsilon = settings["epsilon"]
        return ElasticNet(epsilon=epsilon), f"wb.regularizers.ElasticNet(\n  epsilon={epsilon!r})"
    if name == TREE:
        groups, weights = tree_groups(found, settings["decay"])
        spelled = f"wb.norms.Tree(\n  *wb.data.examples.tree_groups(d, {settings['decay']!r}))"
        return norms.Tree(groups, weights), spelled
    if name == "Crossing groups":
        crossing = tuple((*group, (group[-1] + 1) % found.X.shape[1]) for group in found.groups)
        return norms.Tree(crossing), "wb.norms.Tree(groups)"
    if name == "Sparse group":
        share = settings["share"]
        made = norms.SparseGroup(groups=found.groups, share=share)
        return made, f"wb.norms.SparseGroup(\n  groups=d.groups, share={share!r})"
    made = norms.GroupL1L2 if name == "Group ℓ1/ℓ2" else norms.GroupL1Linf
    return made(groups=found.groups), f"wb.norms.{made.__name__}(\n  groups=d.groups)"


class Gaps(NamedTuple):
    """The gaps of one iterate, and what the repair of its dual point was."""

    raw: float
    repaired: float
    better: float
    dual_norm: float  # of v before the scaling, after the centring; nan where there is none
    scaling: float
    reason: str


class GapRun(KeptRun):
    """A run that keeps the gaps with and without repairs beside each certificate."""

    traces = ("rows", "gaps")

    def __init__(self, problem, solver, best=False):
        super().__init__(problem, solver)
        self.best_bias, self.gaps = best, []

    @property
    def given_bias(self):
        """The bias at which kappa is taken: that of the iterate, or None for the best one."""
        return float(self.state.b) if self.problem.free_bias and not self.best_bias else None

    def record(self):
        """Certify the present state, add a row to the history and return the certificate."""
        found = norm_gap(self.problem, self.problem.split(self.state.w)[0], self.given_bias)
        norm = self.problem.transfer.dual_norm if self.problem.regularizer.is_norm else None
        size = np.nan if norm is None else float(norm(duals(self).centred))
        self.gaps.append(
            Gaps(found.raw, found.repaired, found.better, size, float(found.scaling), found.reason)
        )
        return super().record()


class Duals(NamedTuple):
    """v = -X'kappa / lam of an iterate: of kappa as it is, of kappa with sum zero, and in the ball."""

    raw: np.ndarray
    centred: np.ndarray
    scaled: np.ndarray
    total: float  # the sum of kappa


def duals(run):
    """The dual points of the present iterate, by SPAMS, appendix A."""
    problem, side = run.problem, loss_terms.of(run.problem)
    z = problem.design @ run.state.w
    if problem.free_bias:
        z = z + (side.best_bias(z) if run.given_bias is None else run.given_bias)
    alpha = side.alpha_at(z, 0.0)
    moved = side.balance(alpha)[0] if problem.free_bias else alpha
    raw, centred = problem.dual_vector(alpha), problem.dual_vector(moved)
    scale = min(1.0, problem.transfer.reach(centred)) if problem.regularizer.is_norm else 1.0
    return Duals(raw, centred, scale * centred, -float(alpha.sum()) / problem.n_samples)


class Lab(NamedTuple):
    """A run with what the page needs beside it."""

    run: GapRun
    settings: dict
    found: Samples
    largest: float  # the least lambda with w = 0

    @property
    def pair(self):
        """This lab alone, as the player wants it."""
        return (self,)


def largest_lam(problem):
    """The least lambda for which w = 0 is optimal: the dual norm of X'kappa there."""
    side, z = loss_terms.of(problem), np.zeros(problem.n_samples)
    if problem.free_bias:
        z = z + side.best_bias(z)
    v = problem.lam * problem.dual_vector(side.alpha_at(z, 0.0))
    if problem.regularizer.is_norm:
        return float(problem.transfer.dual_norm(v))
    return float(np.abs(v).max() / problem.regularizer.epsilon)


def build(settings, previous=None):
    """A fresh lab for these settings; data that a previous one has prepared are used again.

    Raises
    ------
    InputError
        A loss without a gradient, one that does not take these targets, or groups that form no tree.
    """
    found = load(settings["source"])
    shared = ("source", "intercept")
    known = previous is not None and all(previous.settings[name] == settings[name] for name in shared)
    made, loss = regularizer(settings)[0], LOSSES[settings["loss"]]
    if known:
        problem = previous.run.problem.replace(loss, made, 1.0)
    else:
        problem = Problem(found.X, found.y, loss, made, 1.0, bias=settings["intercept"])
    solver = ProximalGradient(step=settings["step"], restart=settings["restart"])
    # Refused before anything is computed: a loss or groups without a step.
    solver.init(problem)
    largest = largest_lam(problem)
    if not largest > 0.0:
        raise InputError(said("no_lam"))
    problem = problem.replace(lam=settings["ratio"] * largest)
    run = GapRun(problem, solver, settings["best"])
    run.record()
    return Lab(run, settings, found, largest)


def play(lab, seconds, tolerance):
    """Steps, each certified, until the time is up or the run has ended; returns whether it has."""
    deadline, run = time.perf_counter() + seconds, lab.run
    while True:
        # A further press of "run" goes on for as many steps again.
        limit = MOST_STEPS * (run.steps // MOST_STEPS + 1)
        run.stopping.aim(tolerance, limit)
        run.step()
        run.record()
        if run.judge() is not None:
            return True
        if time.perf_counter() >= deadline:
            return False


def code(lab, tolerance):
    """The Python that gives the same run in a notebook."""
    settings, lam = lab.settings, lab.run.problem.lam
    extra = ",\n  bias=True" if settings["intercept"] else ""
    return (
        "import workbench as wb\n\n"
        f"d = wb.data.examples.grouped(\n  {settings['source']!r})\ng = {regularizer(settings)[1]}\n"
        f"p = wb.Problem(\n  d.X, d.y,\n  loss={LOSSES[settings['loss']]!r},\n"
        f"  regularizer=g,\n  lam={lam!r}{extra})\n"
        f"fista = wb.solvers.ProximalGradient(\n  step={settings['step']!r},\n"
        f"  restart={settings['restart']})\n"
        f"s = wb.solve(p, fista, tol={tolerance:g},\n  max_epochs={MOST_STEPS})\n"
        "print(s.primal, s.dual, s.gap)\nprint(wb.gaps.norm_gap(p, s.w, b=s.b))"
    )
