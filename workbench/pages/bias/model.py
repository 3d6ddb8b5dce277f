"""The model of the page on biases and multipliers: Zhang's Algorithms 2 and 3, traced epoch by epoch."""

import math
from typing import NamedTuple

import numpy as np
import param

from workbench import solvers
from workbench.pages.bias.questions import QUESTIONS
from workbench.pages.bias.wording import said
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.kept_run import KeptRun
from workbench.problem import Problem
from workbench.solvers import augmented_lagrangian

LOSSES = dual_lab.LOSSES
# Those whose weights are a smooth map of v without a copy of each feature.
REGULARIZERS = {name: dual_lab.REGULARIZERS[name] for name in ("Squared ℓ2", "Elastic net", "q-norm")}
BIAS, SUM = "a bias without a penalty", "weights that sum to zero"
FULL, SMALL = "Algorithm 2", "Algorithm 3"
PARTS = {FULL: "full", SMALL: "small"}
SHOWN = {"both": (FULL, SMALL), FULL: (FULL,), SMALL: (SMALL,)}
# What a change of these parameters restarts.
INPUTS = (
    *("source", "loss", "regularizer", "lam", "epsilon", "tube", "q", "constraint", "algorithms"),
    *("mu", "eta", "passes", "update", "rate", "order", "scale", "seed"),
)
# The primal over the bias is drawn at so many places, this far beyond s and the best bias.
PROFILE = {"count": 41, "beyond": 0.6}

PRESETS = {
    "A bias by multipliers": {},
    "Zhang's Figure 7, on text": {"source": "Reuters-21578 · trade", "lam": 1e-3},
    "η too large: the multiplier oscillates": {"eta": 3.0},
    "Far too large: it diverges": {"eta": 10.0},
    "η too small: a slow multiplier": {"eta": 0.003},
    "A stiff penalty: μ = 0.01": {"mu": 0.01},
    "A soft one: μ = 100": {"mu": 100.0},
    "Ten epochs to a step of s": {"passes": 10, "eta": 1.0},
    "Weights that sum to zero": {"constraint": SUM, "lam": 0.1},
    "A smooth loss": {"loss": "Logistic"},
    "A regression with a bias": {"source": "Digits · even or odd", "loss": "Squared"},
}


class BiasLab(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    source = param.Selector(objects=list(dual_lab.SOURCES), default="Breast cancer", doc="the data")
    loss = param.Selector(objects=list(LOSSES), default="Hinge")
    regularizer = param.Selector(objects=list(REGULARIZERS), default="Squared ℓ2")
    lam = param.Number(1e-2, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.0, 1.0), doc="sparsity of the elastic net")
    tube = param.Number(0.1, bounds=(0.0, 1.0), doc="half width of the insensitive tube")
    q = param.Number(1.5, bounds=(1.1, 4.0), doc="exponent of the q-norm")
    constraint = param.Selector(objects=[BIAS, SUM], doc="what the dual has to meet")
    algorithms = param.Selector(objects=list(SHOWN), doc="which run")
    mu = param.Number(1.0, bounds=(1e-4, 1e3), doc="softness of the penalty on C v - b")
    eta = param.Number(0.1, bounds=(1e-4, 100.0), doc="learning rate of the multiplier, Algorithm 3")
    passes = param.Integer(1, bounds=(1, 50), doc="passes between two steps of s, Algorithm 3")
    update = param.Selector(objects=["exact", "bounded", "gradient"], doc="of alpha")
    rate = param.Number(0.01, bounds=(1e-4, 10.0), doc="learning rate of the gradient update of alpha")
    order = param.Selector(objects=["shuffled", "cyclic"])
    scale = param.Number(1.0, bounds=(0.01, 10.0), doc="factor t of every step of alpha")
    seed = param.Integer(0, bounds=(0, 9999))
    tolerance = param.Selector(objects=[1e-2, 1e-3, 1e-4, 1e-6], default=1e-4)

    question = param.Selector(objects=list(QUESTIONS), doc="what is to be predicted")

    def __init__(self, **values):
        super().__init__(**values)
        self.param.source.objects = dual_lab.sources()

    def settings(self):
        """The present choices, to build a run from elsewhere while the page goes on."""
        return {name: getattr(self, name) for name in INPUTS}


class TracedRun(KeptRun):
    """A run whose history holds the multiplier as well."""

    outer = 0  # steps of s or of mu

    def step(self, count=1):
        """Do `count` steps, counting those of the multiplier: there is at most one after each pass."""
        done, n, multiplier = 0, self.epoch_steps, self._multiplier()
        while done < count:
            asked = min(int(count) - done, n - self.steps % n)
            moved = super().step(asked)
            done += moved
            before, multiplier = multiplier, self._multiplier()
            self.outer += multiplier != before
            if moved < asked:
                break
        return done

    def sought(self):
        super().sought()
        self.outer = self.rows[-1]["outer"]

    def _multiplier(self):
        return self.state.s[0], self.state.numbers[augmented_lagrangian.MU]

    def _row(self, certificate):
        found = self.solver.multipliers(self.problem, self.state)
        return super()._row(certificate) | {
            "fixed": found.gap,
            "multiplier": float(found.s[0]),
            "seen": float(found.pull[0]),
            "residual": float(found.residual[0]),
            "mu": found.mu,
            "best": float(np.ravel(certificate.b)[0]),
            "outer": self.outer,
        }


class Lab(NamedTuple):
    """The run of one algorithm, and that of the other."""

    run: TracedRun
    settings: dict
    algorithm: str
    other: object = None

    @property
    def pair(self):
        """This lab, and the second where there is one."""
        return (self,) if self.other is None else (self, self.other)


def solver(settings, algorithm):
    """The solver that the settings stand for."""
    shared = {name: settings[name] for name in ("mu", "update", "order", "scale", "rate")}
    if algorithm == FULL:
        return solvers.AugmentedLagrangian(**shared)
    return solvers.ModifiedAugmentedLagrangian(**shared, eta=settings["eta"], passes=settings["passes"])


def build(settings, previous=None):
    """A fresh lab for these settings; data that a previous one has prepared are used again.

    Raises
    ------
    InputError
        The regularizer does not offer the update, or no dual variables meet the constraint.
    """
    loss, regularizer, _, _ = dual_lab.specification(settings)
    same = ("source", "constraint")
    if previous is not None and all(previous.settings[name] == settings[name] for name in same):
        problem = previous.run.problem.replace(loss, regularizer, settings["lam"])
    else:
        dataset = dual_lab.load(settings["source"])
        problem = Problem(
            dataset.X, dataset.y, loss, regularizer, settings["lam"],
            **options(settings, dataset.X.shape[1]),
        )  # fmt: skip
    lab = None
    for algorithm in reversed(SHOWN[settings["algorithms"]]):
        run = TracedRun(problem, solver(settings, algorithm), seed=settings["seed"])
        run.record()
        lab = Lab(run, settings, algorithm, lab)
    return lab


def play(lab, seconds, tolerance):
    """As that of the Dual lab, but each epoch is certified: the browser counts the steps of s by them."""
    return dual_lab.play(lab, seconds, tolerance, each_epoch=math.inf)


def options(settings, n_features):
    """What makes the problem one with a multiplier."""
    if settings["constraint"] == BIAS:
        return {"bias": True}
    return {"constraints": (np.ones((1, n_features)), [0.0])}


def reason(run):
    """Why a run diverged, without the solver's name; "" where it did not."""
    return run.reason.partition(": ")[2] if run.reason else ""


def profile(run):
    """The primal over the multiplier at the present weights, as `augmented_lagrangian.profile` gives it."""
    best = run.rows[-1]["best"]
    return augmented_lagrangian.profile(run.problem, run.state, best, **PROFILE)


def snapshot(lab):
    """What the page shows of the present state: the trace and the profile of each algorithm."""
    is_past = any(each.run.at < each.run.places - 1 for each in lab.pair)
    unit = "step" if lab.run.along()[-1]["epoch"] < 1.0 else "epoch"
    frame = {"unit": unit, "is_past": is_past, "runs": {}}
    for each in lab.pair:
        rows = each.run.along()
        names = ("step", "epoch", "fixed", "gap", "feasibility", "multiplier", "best", "residual", "outer")
        frame["runs"][each.algorithm] = {
            "row": each.run.rows[-1],
            "moved": each.run.state.moved[0],
            "curves": {name: np.array([row[name] for row in rows], dtype=float) for name in names},
            "profile": profile(each.run),
            "reason": reason(each.run),
        }
    return frame


def code(settings, tolerance):
    """The Python that gives the same runs in a notebook."""
    loss, regularizer, _, _ = dual_lab.specification(settings)
    name, load_options, _ = dual_lab.SOURCES[settings["source"]]
    load = "".join(f", {key}={value!r}" for key, value in load_options.items())
    extra = "bias=True"
    if settings["constraint"] == SUM:
        extra = "constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])"
    return said(
        "code", data=repr(name), load=load, loss=repr(loss), regularizer=repr(regularizer),
        lam=repr(settings["lam"]), extra=extra, seed=settings["seed"], tolerance=tolerance,
        epochs=dual_lab.MOST_EPOCHS,
        solvers="\n".join(_spelled(settings, each) for each in SHOWN[settings["algorithms"]]),
    )  # fmt: skip


def _spelled(settings, algorithm):
    chosen = solver(settings, algorithm)
    plain = type(chosen)()
    given = [
        f"{name}={getattr(chosen, name)!r}"
        for name in chosen.__dataclass_fields__
        if name in ("mu", "eta") or getattr(chosen, name) != getattr(plain, name)
    ]
    return said("code_solver", solver=type(chosen).__name__, given=", ".join(given))
