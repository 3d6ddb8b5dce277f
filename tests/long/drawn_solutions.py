"""Check that `solve` states the objective of the weights that it returns, over drawn problems.

    python tests/long/drawn_solutions.py             3,000 problems
    python tests/long/drawn_solutions.py 200 --first 1000

Each has a drawn loss, regularizer, solver, scale and offset of the features, lambda, bias and tolerance from
1e-6 to 1e-14. The objective of the returned arrays is computed anew in NumPy's long double. It has to be the
stated value to 1e-9, beyond what rounding costs, and not below the stated lower bound. An
exception, a warning of NumPy's and a "converged" without a finite value are faults, too.
"""

import argparse
import sys
import warnings
from collections import Counter
from typing import NamedTuple

import numpy as np

import workbench as wb
from tests.properties.test_certificate_truth import LONG, LOSSES, REGULARIZERS, ROUNDING, STEP
from workbench._support.errors import InputError, WorkbenchWarning
from workbench.certificates.assembly import TINY

AGREEMENT = 1e-9
COUNT, EPOCHS = 3000, 200


def _relative_entropies(w):
    return np.where(w > 0, w * np.log(np.where(w > 0, w, 1) / LONG(0.3)), 0)


def _relative_entropy(w):
    return np.sum(_relative_entropies(w))


VALUES = {name: value for name, value in REGULARIZERS.items() if not name.startswith("own")} | {
    "entropy:mu=0.3": lambda w: _relative_entropy(w) - np.sum(w),
    "normalized-entropy:mu=0.3": _relative_entropy,
    "linf": lambda w: np.max(np.abs(w)),
    "group-l1l2:size=2": lambda w: sum(np.sqrt(np.sum(w[k : k + 2] ** 2)) for k in range(0, w.size, 2)),
}
FORMULAS = {name: value for name, value in LOSSES.items() if not name.startswith("own")}
# What cancels in the sum of an entropy, beyond the size of its value.
CANCELLED = dict.fromkeys(
    ("entropy:mu=0.3", "normalized-entropy:mu=0.3"),
    lambda w: np.sum(np.abs(w) + np.abs(_relative_entropies(w))),
)
SCALES, OFFSETS = (1e-6, 1e-3, 1.0, 1.0, 1e3, 1e6), (0.0, 0.0, 1.0, 1e4, 3e7)


class Draw(NamedTuple):
    """A problem and how to solve it."""

    loss: str
    regularizer: str
    solver: str
    tol: float
    options: dict
    X: np.ndarray
    y: np.ndarray

    def __str__(self):
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items() if name != "lam")
        n, d = self.X.shape
        sizes = f"{n} x {d} up to {np.abs(self.X).max():.1g}, lam={self.options['lam']:.3g}"
        return f"{self.loss} {self.regularizer} {sizes} {options} {self.solver} tol={self.tol:.0e}"


def draw(seed):
    """The problem of a seed."""
    rng = np.random.default_rng([58, seed])
    n, d = int(rng.integers(4, 41)), int(rng.integers(1, 8))
    X = rng.normal(size=(n, d)) * rng.choice(SCALES, size=d) ** rng.integers(0, 2)
    score = (X / np.abs(X).max(axis=0)) @ rng.normal(size=d) + 0.3 * rng.normal(size=n)
    X[:, rng.integers(d)] += rng.choice(OFFSETS)
    loss, regularizer = str(rng.choice(list(FORMULAS))), str(rng.choice(list(VALUES)))
    is_margin = loss.startswith(("hinge", "log"))
    y = np.where(score > np.median(score), 1.0, -1.0) if is_margin else score * rng.choice(SCALES[1:5])
    names = [name for name, solver in wb.solvers.REGISTRY.items() if solver.converges]
    solver = "auto" if rng.random() < 0.7 else str(rng.choice(names))
    options = {"lam": 10.0 ** rng.uniform(-11.0, 1.0), "bias": (False, "constant", True)[rng.integers(3)]}
    if "entropy" in regularizer and rng.random() < 0.5:
        options["embed"] = "balanced"
    return Draw(loss, regularizer, solver, 10.0 ** -rng.uniform(6.0, 14.0), options, X, y)


def objective(drawn, solution):
    """P at the returned w, b in long double, and what a unit of relative rounding costs."""
    X, y, w = (array.astype(LONG) for array in (drawn.X, drawn.y, solution.w))
    # The columns x and -x of an embedding are summed one by one, and so is a constant feature.
    sizes = np.abs(solution.w_embedded)
    sizes = sizes.reshape(2, -1).sum(axis=0) if "embed" in drawn.options else sizes
    size = np.abs(X) @ sizes[: w.size] + (
        sizes[-1] if drawn.options["bias"] == "constant" else abs(solution.b)
    )
    z = X @ w + LONG(solution.b)
    is_margin = drawn.loss.startswith(("hinge", "log"))
    u, size = (y * z, size) if is_margin else (z - y, size + np.abs(y))
    loss = FORMULAS[drawn.loss]
    moved = np.abs(loss(u + STEP * size) - loss(u - STEP * size)) / (2 * STEP)
    lam, w = LONG(drawn.options["lam"]), solution.w_embedded.astype(LONG)
    cancelled = CANCELLED.get(drawn.regularizer, lambda _: 0)(w)
    return loss(u).mean() + lam * VALUES[drawn.regularizer](w), float(moved.mean() + lam * cancelled)


def fault(drawn, solution, zero_value):
    """Return what is wrong with a solution, as a sentence; empty where it is right."""
    if not np.isfinite(solution.primal):
        return "converged without a finite value" if solution.status == "converged" else ""
    value, cost = objective(drawn, solution)
    size = max(abs(float(value)), abs(solution.primal), TINY * zero_value)
    slack = ROUNDING * (size + cost)
    if not abs(value - LONG(solution.primal)) <= AGREEMENT * size + slack:
        return f"{solution.status}: stated {solution.primal:.12g}, true {float(value):.12g}, {cost=:.1e}"
    if not solution.dual <= value + slack:
        return f"{solution.status}: lower bound {solution.dual:.17g} above the objective {float(value):.17g}"
    # Long double rounds, too.
    slack = 16.0 * float(np.finfo(LONG).eps) * (size + cost)
    interval = solution.interval
    if interval is not None and not interval[0] - slack <= value <= interval[1] + slack:
        return f"{solution.status}: objective {float(value):.17g} outside of {interval}"
    return ""


def outcome(seed):
    """("status" or "fault" or "refused", what there is to say) of one problem."""
    drawn = draw(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", WorkbenchWarning)
            problem = wb.Problem(drawn.X, drawn.y, drawn.loss, drawn.regularizer, **drawn.options)
            try:
                wb.Run(problem, drawn.solver)
            except InputError as error:
                return "refused", f"{drawn}: {error}"
            solution = wb.solve(problem, drawn.solver, tol=drawn.tol, max_epochs=EPOCHS)
            text = fault(drawn, solution, problem.zero_value)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return ("fault", f"{seed}: {drawn}: {text}") if text else (solution.status, "")


def main(arguments=None):
    """Print the faults as they come and the count of each outcome; returns 1 if there are faults."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=COUNT)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args(arguments)
    counts = Counter()
    for seed in range(options.first, options.first + options.count):
        status, text = outcome(seed)
        counts[status] += 1
        if status == "fault":
            print(text, flush=True)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return 1 if counts["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
