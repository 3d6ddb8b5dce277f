"""Every loss, regularizer, bias, kernel and solver in one table: what is solved, what is refused, what fails.

A cell is solved where its certified gap tends to zero, refused where an `InputError` names what would work;
everything else is a fault.

    python tests/long/combinations.py            the whole table
    python tests/long/combinations.py 0.1        a tenth of it, the same in every run
"""

import itertools
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass

import numpy as np

import workbench as wb
from tests.corpora import table
from tests.helpers.amounts import covering
from workbench import solvers
from workbench._support.errors import InputError

N, D, SEED = 14, 3, 5
# The relative gap that counts as solved.
TOLERANCE = 1e-3
# Epochs of the first attempt and of the second. A method whose error falls like 1 / t is judged by how far
# its gap falls from the first to the second.
FIRST, SECOND = 200, 6000
FALLEN = 0.7
POWERS = (1.05, 1.2, 1.5, 1.8, 3.0, 4.5, 7.5, 20.0)

TABLE = table("combinations")
NAMED = (
    *TABLE["losses"],
    *(f"hinge:p={p:g}" for p in POWERS),
    *(f"epsilon-insensitive:epsilon=0.2,p={p:g}" for p in POWERS),
)
OWN = TABLE["own"]
REGULARIZERS = TABLE["regularizers"]
CUSTOM_REGULARIZERS = (
    ("cosh(u) - 1", None),
    ("u**4/4 + u**2/2", None),
    ("u*log(u) - u", "u >= 0"),
    ("abs(u) + u**2/2", None),
    ("abs(u)**(3/2)", None),
)
BIASES = (False, "constant", True)
KERNELS = (None, "linear", "rbf:gamma=0.5", "polynomial:degree=2,coef0=1", "precomputed")
# What a refusal says before it names what would work.
ALTERNATIVES = ("use ", "needs ", "give ", "add ", "leave ", "make ", "pass ", "change ")
# Rules that head for no optimum: what they promise is an honest certificate.
ONLINE = tuple(name for name, solver in solvers.REGISTRY.items() if not solver.converges)


@dataclass(frozen=True)
class Cell:
    """One combination, as text."""

    loss: str
    regularizer: str
    bias: object
    kernel: str | None
    solver: str


def losses(few=False):
    """The losses as text; of the own ones, whose derivation takes time, a few of each kind."""
    own = (f"{kind}: {text}" for kind, texts in OWN.items() for text in (texts[:3] if few else texts))
    return (*NAMED, *own)


def cells(few=False):
    """All of them; a kernel goes with squared l2, and with one more that has to be refused."""
    own = [f"own: {text}" for text, _ in CUSTOM_REGULARIZERS]
    regularizers = (*REGULARIZERS, *(own[:2] if few else own))
    for loss, regularizer, kernel in itertools.product(losses(few), regularizers, KERNELS):
        if kernel is not None and regularizer not in ("squared-l2", "elastic-net:epsilon=0.1"):
            continue
        for bias, solver in itertools.product(BIASES, solvers.REGISTRY):
            yield Cell(loss, regularizer, bias, kernel, solver)


def sample(share, few=False, seed=0):
    """A share of the table, and whatever it takes that every pair with a solver or a loss has its turn."""
    every = list(cells(few))
    first = np.random.default_rng(seed).permutation(len(every))[: int(share * len(every))]
    others = covering([(cell,) for cell in every], _met, seed)
    return [every[k] for k in dict.fromkeys([*first, *others])]


def _met(cell):
    """The pairs that a cell stands for."""
    return {
        (cell.loss, cell.solver),
        (cell.regularizer, cell.solver),
        (cell.kernel, cell.bias, cell.solver),
        (cell.loss, cell.bias),
    }


def data(loss):
    rng = np.random.default_rng(SEED)
    X = np.round(rng.normal(size=(N, D)), 3)
    score = X @ np.array([1.0, -0.5, 0.3]) + 0.4 * rng.normal(size=N)
    if loss == "negative-log":
        return np.exp(-(X**2)), np.zeros(N)
    if loss == "multinomial":
        return X, (np.digitize(score, (-0.4, 0.4))).astype(float)
    if "hinge" in loss or loss == "logistic" or loss.startswith("margin"):
        return X, np.where(score > 0, 1.0, -1.0)
    return X, np.round(score, 2)


def built_loss(text):
    kind, separator, formula = text.partition(": ")
    return wb.losses.custom(formula, kind=kind) if separator else text


def built_regularizer(text, features, size):
    if text == "weighted-l2":
        return wb.regularizers.SquaredL2(K=tuple(1.0 + np.arange(size)))
    if text == "tree":
        return wb.regularizers.get(wb.norms.Tree(groups=((0,), (1, 2), tuple(range(features)))))
    if text.startswith("own: "):
        formula = text.removeprefix("own: ")
        return wb.regularizers.custom(formula, domain=dict(CUSTOM_REGULARIZERS)[formula])
    return text


def problem(cell, lam=0.1):
    X, y = data(cell.loss)
    if cell.kernel == "precomputed":
        X = X @ X.T
    features = X.shape[1] + (cell.bias == "constant")
    size = features * (3 if cell.loss == "multinomial" else 1)
    regularizer = built_regularizer(cell.regularizer, features, size)
    return wb.Problem(X, y, built_loss(cell.loss), regularizer, lam=lam, bias=cell.bias, kernel=cell.kernel)


def outcome(cell, lam=0.1):
    """("solved" | "certified" | "refused" | "fault", what there is to say)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run = wb.Run(problem(cell, lam), solvers.get(cell.solver))
            status = run.until(TOLERANCE, max_epochs=FIRST)
            first = run.best.relative_gap
            if cell.solver in ONLINE:
                honest = np.isfinite(run.last.gap) and run.last.gap >= 0.0 and status != "diverged"
                return ("certified", "") if honest else ("fault", f"{status} at {first:.2g}")
            if status == "max_epochs":
                status = run.until(TOLERANCE, max_epochs=SECOND)
    except InputError as error:
        named = any(word in str(error) for word in ALTERNATIVES)
        return ("refused", str(error)) if named else ("fault", f"refused without an alternative: {error}")
    except Exception as error:
        return "fault", f"{type(error).__name__}: {error}"
    gap = run.best.relative_gap
    if status == "converged" and run.last.relative_gap <= TOLERANCE:
        return "solved", f"{gap:.2g}"
    if status == "max_epochs" and gap <= FALLEN * first:
        return "solved", f"slowly, {first:.2g} to {gap:.2g}"
    return "fault", f"{status} at {gap:.2g}, after {FIRST} epochs {first:.2g}; {run.reason or ''}"


def main(share):
    started, counts = time.process_time(), Counter()
    for cell in sample(share) if share < 1.0 else cells():
        kind, text = outcome(cell)
        counts[kind] += 1
        if kind == "fault":
            print(cell, "|", text.replace("\n", " ")[:300], flush=True)
    print(f"{summary(counts)} in {time.process_time() - started:.0f} s of processor time", flush=True)


def summary(counts):
    """The counts as a line."""
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in ("solved", "certified", "refused", "fault"))
    return f"{sum(counts.values())} cells: {kinds}"


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
