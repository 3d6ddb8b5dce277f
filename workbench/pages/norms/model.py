"""The model of the page of norms and screening: choices in, a problem out. No widget."""

import functools

import param

from workbench.data.examples.correlated import SOURCES as CORRELATED
from workbench.data.examples.correlated import load as load_correlated
from workbench.data.examples.grouped import SOURCES as GROUPED
from workbench.data.examples.grouped import load as load_grouped
from workbench.data.examples.grouped import tree_groups
from workbench.pages import terms
from workbench.pages.wording import content
from workbench.problems import Problem, losses
from workbench.problems.regularizers import ElasticNet, norms

SOURCES = tuple(dict.fromkeys((*GROUPED, *CORRELATED)))
QUESTIONS = content("norms")["questions"]
OFFERED = ("Hinge", "Logistic", "Squared", "Smoothed hinge", "Huber", "Squared hinge")
LOSSES = {label: terms.LOSSES[label] for label in OFFERED}
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
# Where the solvers begin whose runs screen, and what fills the picture of their ball.
ZERO, BEFORE = "w = 0", "the λ before"
LINES, BALL = "both lines", "the ball"
MAX_HALVINGS = 54
BOUNDS = {"ratio": (1e-3, 1.5)}


class Norms(param.Parameterized):
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
    first = param.Integer(0, bounds=(0, 63), doc="feature along the section, and its rank by pull")
    second = param.Integer(1, bounds=(0, 63), doc="feature across the section, and its rank by pull")
    start = param.Selector(objects=[ZERO, BEFORE], doc="where the runs that screen begin")
    window = param.Selector(objects=[LINES, BALL], doc="what fills the picture of the dual optimum's ball")
    question = param.Selector(objects=list(QUESTIONS), default="Group ℓ1/ℓ2", doc="what is to be predicted")
    halving = param.Integer(6, bounds=(0, MAX_HALVINGS), doc="step of the bisection")


def takes_labels(settings):
    """Return True if the loss is one of labels -1 and +1."""
    return losses.get(LOSSES[settings["loss"]]).kind == "margin"


def load(source, labels=False):
    """Load the samples of a source; with `labels` the target of a set for screening becomes labels."""
    return load_grouped(source) if source in GROUPED else load_correlated(source, labels)


def template(name):
    """Return the Python that makes a regularizer of `d`, with its parameter in braces."""
    plain = {"ℓ1": "L1", "ℓ2": "L2", "ℓ∞": "Linf"}
    if name in plain:
        return f"wb.norms.{plain[name]}()"
    return {
        "Elastic net": "wb.regularizers.ElasticNet(\n  epsilon={epsilon})",
        TREE: "wb.norms.Tree(\n  *wb.data.examples.tree_groups(d, {decay}))",
        "Crossing groups": "wb.norms.Tree(groups)",
        "Sparse group": "wb.norms.SparseGroup(\n  groups=d.groups, share={share})",
        "Group ℓ1/ℓ2": "wb.norms.GroupL1L2(\n  groups=d.groups)",
        "Group ℓ1/ℓ∞": "wb.norms.GroupL1Linf(\n  groups=d.groups)",
    }[name]


def regularizer(settings):
    """Return the regularizer that the settings stand for."""
    data, name = load(settings["source"]), settings["norm"]
    plain = {"ℓ1": norms.L1, "ℓ2": norms.L2, "ℓ∞": norms.Linf}
    if name in plain:
        return plain[name]()
    if name == "Elastic net":
        return ElasticNet(epsilon=settings["epsilon"])
    if name == TREE:
        return norms.Tree(*tree_groups(data, settings["decay"]))
    if name == "Crossing groups":
        return norms.Tree(tuple((*group, (group[-1] + 1) % data.X.shape[1]) for group in data.groups))
    if name == "Sparse group":
        return norms.SparseGroup(groups=data.groups, share=settings["share"])
    norm = norms.GroupL1L2 if name == "Group ℓ1/ℓ2" else norms.GroupL1Linf
    return norm(groups=data.groups)


def problem(settings):
    """Return the problem of these settings with lambda 1.

    Raises
    ------
    InputError
        Targets that the loss does not take, or groups that form no tree.
    """
    base = samples(settings["source"], settings["intercept"], takes_labels(settings))
    return base.replace(LOSSES[settings["loss"]], regularizer(settings), 1.0)


@functools.lru_cache(maxsize=2 * len(SOURCES))
def samples(source, intercept, labels=False):
    """Return a problem of the samples, which is prepared once; sessions share it."""
    data = load(source, labels)
    return Problem(data.X, data.y, "squared", "l1", 1.0, bias=intercept)
