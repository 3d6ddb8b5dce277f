"""The model of the page of norms: choices in, a problem out. No widget."""

import functools

import param

from workbench.data.examples.grouped import SOURCES, load, tree_groups
from workbench.pages.choices import Choices
from workbench.problems import Problem
from workbench.problems.regularizers import ElasticNet, norms

LOSSES = {
    "Hinge": "hinge",
    "Logistic": "logistic",
    "Squared": "squared",
    "Smoothed hinge": "smoothed-hinge",
    "Huber": "huber",
}
NORMS = (
    "ℓ1",
    "ℓ2",
    "ℓ∞",
    "Elastic net",
    "Group ℓ1/ℓ2",
    "Group ℓ1/ℓ∞",
    "Sparse group",
    "Tree",
    "Crossing groups",
)
TREE = "Tree"
# The parameter of a regularizer that has one.
PARAMETERS = {"Elastic net": "epsilon", "Sparse group": "share", TREE: "decay"}
# What a change of these parameters restarts; the others choose what is looked at.
INPUTS = (
    *("source", "norm", "loss", "ratio", "intercept", "best", "epsilon", "share", "decay"),
    *("step", "restart"),
)
VIEWS = ("first", "second", "halving")
MAX_HALVINGS = 54
BOUNDS = {"ratio": (1e-3, 1.5)}


class Norms(Choices):
    inputs = INPUTS
    source = param.Selector(objects=list(SOURCES), doc="the data")
    norm = param.Selector(objects=list(NORMS), default="Group ℓ1/ℓ2")
    loss = param.Selector(objects=list(LOSSES), default="Squared")
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
    halving = param.Integer(6, bounds=(0, MAX_HALVINGS), doc="step of the bisection")


def regularizer(settings):
    """The regularizer that the settings stand for, and the Python that makes it of `d`."""
    data, name = load(settings["source"]), settings["norm"]
    plain = {"ℓ1": norms.L1, "ℓ2": norms.L2, "ℓ∞": norms.Linf}
    if name in plain:
        return plain[name](), f"wb.norms.{plain[name].__name__}()"
    if name == "Elastic net":
        epsilon = settings["epsilon"]
        return ElasticNet(epsilon=epsilon), f"wb.regularizers.ElasticNet(\n  epsilon={epsilon!r})"
    if name == TREE:
        groups, weights = tree_groups(data, settings["decay"])
        spelled = f"wb.norms.Tree(\n  *wb.data.examples.tree_groups(d, {settings['decay']!r}))"
        return norms.Tree(groups, weights), spelled
    if name == "Crossing groups":
        crossing = tuple((*group, (group[-1] + 1) % data.X.shape[1]) for group in data.groups)
        return norms.Tree(crossing), "wb.norms.Tree(groups)"
    if name == "Sparse group":
        share = settings["share"]
        norm = norms.SparseGroup(groups=data.groups, share=share)
        return norm, f"wb.norms.SparseGroup(\n  groups=d.groups, share={share!r})"
    norm = norms.GroupL1L2 if name == "Group ℓ1/ℓ2" else norms.GroupL1Linf
    return norm(groups=data.groups), f"wb.norms.{norm.__name__}(\n  groups=d.groups)"


def problem(settings):
    """The problem of these settings with lambda 1.

    Raises
    ------
    InputError
        Targets that the loss does not take, or groups that form no tree.
    """
    base = samples(settings["source"], settings["intercept"])
    return base.replace(LOSSES[settings["loss"]], regularizer(settings)[0], 1.0)


@functools.lru_cache(maxsize=2 * len(SOURCES))
def samples(source, intercept):
    """A problem of the samples, which is prepared once; sessions share it."""
    data = load(source)
    return Problem(data.X, data.y, "squared", "l1", 1.0, bias=intercept)
