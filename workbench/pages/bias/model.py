"""The model of the page on biases and multipliers: Zhang's Algorithms 2 and 3, traced epoch by epoch."""

import functools
from typing import NamedTuple

import numpy as np
import param

from workbench import solvers
from workbench.pages import datasets, terms
from workbench.pages.wording import content
from workbench.problems import Problem

LOSSES = terms.LOSSES
# Those whose weights are a smooth map of v without a copy of each feature.
REGULARIZERS = {name: terms.REGULARIZERS[name] for name in ("Squared ℓ2", "Elastic net", "q-norm")}
BIAS, SUM = "a bias without a penalty", "a shift of all weights without a penalty"
ZERO = "weights that sum to zero"
FULL, SMALL = "Algorithm 2", "Algorithm 3"
PARTS = {FULL: "full", SMALL: "small"}
SHOWN = {"both": (FULL, SMALL), FULL: (FULL,), SMALL: (SMALL,)}
# The primal over the bias is drawn at `count` places, and this far beyond s and the best bias.
PROFILE = {"count": 41, "beyond": 0.6}

CONTENT = content("bias")
PRESETS = CONTENT["presets"]


class Question(NamedTuple):
    """A question to guess, the runs that it needs, and the measure of both runs that answers it."""

    text: str
    options: tuple
    change: dict  # parameters of the model to their values
    measure: str  # of both runs, a name in `frame.js`: it gives the place of the option that is true
    why: str


QUESTIONS = {name: Question(**entry) for name, entry in CONTENT["questions"].items()}


class BiasLab(param.Parameterized):
    source = param.Selector(objects=list(datasets.SOURCES), default="Breast cancer", doc="the data")
    loss = param.Selector(objects=list(LOSSES), default="Hinge")
    regularizer = param.Selector(objects=list(REGULARIZERS), default="Squared ℓ2")
    lam = param.Number(1e-2, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.0, 1.0), doc="sparsity of the elastic net")
    tube = param.Number(0.1, bounds=(0.0, 1.0), doc="half width of the insensitive tube")
    q = param.Number(1.5, bounds=(1.1, 4.0), doc="exponent of the q-norm")
    constraint = param.Selector(objects=[BIAS, SUM, ZERO], doc="what the multiplier is for")
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
        self.param.source.objects = datasets.available()


def solver(settings, algorithm):
    """The solver that the settings stand for."""
    shared = {name: settings[name] for name in ("mu", "update", "order", "scale", "rate")}
    if algorithm == FULL:
        return solvers.AugmentedLagrangian(**shared)
    return solvers.ModifiedAugmentedLagrangian(**shared, eta=settings["eta"], passes=settings["passes"])


@functools.lru_cache(maxsize=4)
def problem(source, constraint):
    """The problem of a data set and a constraint, whose loss, regularizer and lambda the page chooses."""
    dataset = datasets.load(source)
    loss, regularizer = next(iter(LOSSES.values())), next(iter(REGULARIZERS.values()))
    return Problem(dataset.X, dataset.y, loss, regularizer, 1.0, **options(constraint, dataset.X.shape[1]))


def options(constraint, n_features):
    """Return the arguments that give a problem a multiplier."""
    if constraint == BIAS:
        return {"bias": True}
    return {"constraints" if constraint == SUM else "weight_constraints": (np.ones((1, n_features)), [0.0])}
