"""Certified intervals of problems on the bundled data: python tests/corpora/golden_certified.py --record

The record has a line for each problem, "solver: data loss regularizer option=value ...", and what became of
it, or the sentence that refuses it; to add one, write its line with null and record. The options are those of
`Problem` and lam, tol, epochs. Bias is "free" or "constant"; with weights=graded later samples weigh more.

The interval holds the optimum, which neither the solver nor the machine decides: it is what the solver and
"auto", with a smaller tolerance, bound it by together.
"""

import json
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

import workbench as wb
from workbench._support.errors import InputError

RECORD = Path(__file__).parent / "golden" / "certified.json"
# What a sum of some hundred terms in another order may change, as a share of the objective.
ROUNDING = 1e-10
# Entries below this share of the largest count as zero, where none lies within a factor of ten of it.
ZERO = 1e-3
CUSTOM_LOSSES = {
    "cubed-hinge": ("max(0, 1 - u)**3 / 3", "margin"),
    "log-cosh": ("log(cosh(u))", "residual"),
    "two-corners": ("max(0, 1 - u) + max(0, -u)", "margin"),
}
CUSTOM_REGULARIZERS = {"cosh": "cosh(u) - 1", "own-elastic": "abs(u) + u**2/2"}
# Solvers with other settings than the ones by name.
SET = {
    "bounded": wb.solvers.GaussSeidel(update="bounded", order="cyclic"),
    "gradient": wb.solvers.GaussSeidel(update="gradient", eta=0.002),
    "steep": wb.solvers.GaussSeidel(update="gradient", eta=1e3),
    "first-order": wb.solvers.MaximalViolatingPair(tol=1e-8, selection="first-order"),
}


@cache
def data(name):
    """X and y of a task."""
    if name in ("bits", "csr", "wide"):
        d, n = (150, 60) if name == "wide" else (40, 120)
        dataset = wb.data.load("zhang-artificial", d=d, n=n)
        return (sparse.csr_array(dataset.X) if name == "csr" else dataset.X), dataset.y
    if name == "classes":
        X, y = load_digits(n_class=4, return_X_y=True)
        return X[:120] / 16.0, y[:120]
    if name == "digits":
        dataset = wb.data.load("digits")
        return dataset.X[:150], dataset.y[:150]
    dataset = wb.data.load("breast-cancer")
    X, y = dataset.X[:150], dataset.y[:150]
    # One measurement by 29 or 28 others, which groups divide; densities; the matrix of a kernel.
    return {
        "cancer": (X, y),
        "radius": (X[:, 1:], X[:, 0]),
        "radius1": (X[:, 2:], X[:, 0]),
        "densities": (np.exp(-(X[:60, :6] ** 2)), y[:60]),
        "gram": ((1.0 + X @ X.T / 30) ** 2, y),
    }[name]


def loss_of(text):
    return (
        wb.losses.custom(CUSTOM_LOSSES[text][0], kind=CUSTOM_LOSSES[text][1])
        if text in CUSTOM_LOSSES
        else text
    )


def regularizer_of(text, size):
    if text in CUSTOM_REGULARIZERS:
        return wb.regularizers.custom(CUSTOM_REGULARIZERS[text])
    if text == "weighted-l2":
        return wb.regularizers.SquaredL2(K=tuple(np.linspace(0.5, 2.0, size)))
    if text == "tree":
        return wb.norms.Tree(groups=((0,), (1, 2), (0, 1, 2, 3), tuple(range(size))))
    return text


class Solved(NamedTuple):
    """A problem, its data, and the solution to a relative gap."""

    X: object
    y: np.ndarray
    problem: wb.Problem
    tol: float
    solution: wb.Solution


def solved(line):
    """Solve the problem of a line, by one thread, which makes small products quicker."""
    solver, _, rest = line.partition(": ")
    name, loss, regularizer, *options = rest.split()
    settings = {"lam": "0.01", "tol": "1e-6", "epochs": "5000"} | dict(
        option.split("=", 1) for option in options
    )
    lam, tol, epochs = (float(settings.pop(key)) for key in ("lam", "tol", "epochs"))
    X, y = data(name)
    if settings.pop("weights", None):
        settings["sample_weight"] = np.linspace(0.5, 1.5, len(y))
    settings["bias"] = {"free": True}.get(settings.get("bias"), settings.get("bias", False))
    regularizer = regularizer_of(regularizer, X.shape[1] + (settings["bias"] == "constant"))
    problem = wb.Problem(X, y, loss_of(loss), regularizer, lam, **settings)
    with threadpool_limits(1):
        solution = wb.solve(problem, SET.get(solver, solver), tol, epochs)
    return Solved(X, y, problem, tol, solution)


def counts(solution):
    """Count the weights and the samples' dual variables that are not zero; None where that is in doubt."""
    rows = np.abs(solution.alpha.reshape(len(solution.alpha), -1)).max(axis=1)
    parts = {"support": rows} if solution.w is None else {"nonzeros": np.abs(solution.w), "support": rows}
    counts = {}
    for name, part in parts.items():
        share = part / max(part.max(), np.finfo(float).tiny)
        doubt = np.any((share > 0.1 * ZERO) & (share < 10.0 * ZERO))
        counts[name] = None if doubt else int(np.sum(share > ZERO))
    return counts


def shapes(solution):
    """Those of w, which a kernel does not have, and of alpha."""
    return [None if part is None else list(part.shape) for part in (solution.w, solution.alpha)]


def agreement(X, y, solution):
    """The correlation of predictions and targets, which a turned sign turns and rounding leaves."""
    z = solution.decision_function(X)
    labels = y if z.ndim == 1 else np.eye(z.shape[1])[y]
    return round(float(np.corrcoef(z.ravel(), labels.ravel())[0, 1]), 2)


def entry(line):
    """Return the record of a problem, with counts only where two solvers agree and some are zero."""
    try:
        X, y, problem, _, solution = solved(line)
    except InputError as error:
        return str(error)
    with threadpool_limits(1):
        close = wb.solve(problem, tol=1e-10, max_epochs=20_000)
    one, other = counts(solution), counts(close)
    sizes = {"nonzeros": np.size(solution.w), "support": len(solution.alpha)}
    return {
        "dual": float(f"{max(solution.dual, close.dual):.12g}"),
        "primal": float(f"{min(solution.primal, close.primal):.12g}"),
        "status": solution.status,
        "solver": solution.solver,
        "shapes": shapes(solution),
        "agreement": agreement(X, y, close),
    } | {name: n for name, n in one.items() if n is not None and n == other[name] < sizes[name]}


def recorded():
    """{line: what became of the problem}."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def record():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = [f"{json.dumps(line)}: {json.dumps(entry(line))}" for line in recorded()]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    record()
