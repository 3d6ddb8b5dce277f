"""Problems, losses and regularizers that several test files run through."""

import functools

import numpy as np
import scipy.sparse as sp

from workbench import solvers
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import GaussSeidel
from workbench.solvers.run import Run

LOSSES = (
    "squared",
    "epsilon-insensitive:epsilon=0.3",
    "epsilon-insensitive:epsilon=0.3,p=2",
    "huber",
    "hinge",
    "squared-hinge",
    "smoothed-hinge",
    "logistic",
)
REGULARIZERS = (
    "squared-l2",
    "elastic-net:epsilon=0.2",
    "bounded:radius=0.2",
    "entropy:mu=0.3",
    "normalized-entropy:mu=0.3",
    "q-norm:q=1.5",
    "q-norm:q=3,power=1.5",
)
ENTROPIES = ("entropy:mu=0.3", "normalized-entropy:mu=0.3")
UPDATES = ("exact", "bounded", "gradient", "newton")
# Regularizers whose conjugate has no bounded curvature.
UNBOUNDED = ("entropy:mu=0.3", "q-norm:q=3,power=1.5")


# Loss, regularizer and bias; a test of every solver takes the first that a solver accepts.
TERMS = (
    ("logistic", "squared-l2", True),
    ("squared", "elastic-net", "constant"),
    ("hinge", "squared-l2", True),
    ("hinge", "elastic-net", "constant"),
    ("squared", "squared-l2", False),
    ("hinge", "squared-l2", False),
    ("hinge", "normalized-entropy", False),
    ("hinge", "q-norm:q=1.5", False),
)


@functools.cache
def terms_for(name):
    """The first of `TERMS` that the solver of that name takes."""
    X, labels, targets = samples()
    for loss, regularizer, bias in TERMS:
        y = targets if loss == "squared" else labels
        try:
            solvers.get(name).init(Problem(X, y, loss, regularizer, lam=0.1, bias=bias))
        except InputError:
            continue
        return loss, regularizer, bias
    raise LookupError(f"{name} takes none of cases.TERMS; add a row that it takes")


def samples(n=12, d=5, seed=0, density=0.7):
    """A dense matrix with zeros, an empty row and a doubled column, labels and targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < density)
    X[1] = 0.0
    X[:, -1] = X[:, 0]
    labels = np.where(X @ rng.normal(size=d) + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, labels, labels * rng.uniform(0.2, 2.0, size=n)


def problem(loss, regularizer, lam=0.1, sparse=False, **options):
    """A small problem of that loss: real targets for a residual loss, labels for a margin loss."""
    X, labels, targets = samples()
    margin = "hinge" in loss or loss == "logistic"
    X = sp.csr_array(X) if sparse else X
    return Problem(X, labels if margin else targets, loss, regularizer, lam=lam, **options)


def solver(update, order="shuffled", **parameters):
    """Gauss-Seidel with a learning rate that converges on `problem`, with the steep logistic loss too."""
    return GaussSeidel(update=update, order=order, eta=0.005, **parameters)


def applies(update, regularizer):
    """Return True if that regularizer offers the update."""
    return update != "bounded" or regularizer not in UNBOUNDED


def bits(state):
    """A state's arrays, to the bit."""
    return {name: array.tobytes() for name, array in state._asdict().items()}


def in_parts(p, solver, most, first):
    """A run of many steps, which single ones give to the bit, as does a copy of the state after `first`."""
    whole, single, before, copied = (Run(p, solver, seed=3) for _ in range(4))
    count = whole.step(most)
    assert sum(single.step() for _ in range(count)) == count
    assert before.step(first) == first
    for into, array in zip(copied.state, before.state, strict=True):
        np.copyto(into, array)
    assert copied.step(count - first) == count - first
    # And one step more, if there is one: a run that has ended tells of its end with the step after it.
    assert single.step() == copied.step() == whole.step()
    assert bits(single.state) == bits(whole.state) == bits(copied.state)
    return whole
