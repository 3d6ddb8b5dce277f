"""Checks that a problem has a best point: finite losses at some weights, a best unregularized bias."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats
    from workbench.problems.problem import Problem


# What rounding may hide of a slope, as a share of its parts.
ROUNDING = 1e-9
# Slopes without a bound compare as if they were as steep as this.
STEEP = 1e9
# A linear program's predictions above this are positive, those of its rows' largest entries being 1.
FEASIBLE = 1e-6


class Solved(Protocol):
    """The weights, the bias and the predictions of a certified point."""

    @property
    def w(self) -> Floats | None: ...

    @property
    def b(self) -> Bias: ...

    @property
    def z(self) -> Floats: ...


def check(problem: Problem) -> None:
    """Refuse what r predictions a sample cannot have, and data for which no unregularized bias is best."""
    y, kind = problem.y, problem.loss.kind
    if kind == "classes" and problem.embed:
        name = problem.loss.name
        raise InputError(f"embed = {problem.embed!r} does not go with the {name} loss; leave it out")
    _check_finite(problem)
    if not problem.free_bias or problem.tasks:  # each task was checked when it was made
        return
    if kind == "classes":
        _check_classes(problem)
        return
    entry = problem.loss.entry
    if entry["lower"] < 0.0 < entry["upper"]:
        return
    # p rises or falls everywhere, and only with samples of both signs is some bias the best; one that is
    # constant somewhere has a best bias in any case.
    if kind != "margin" and (entry["steep"] or not entry["lower"] <= 0.0 <= entry["upper"]):
        raise InputError(f"the {problem.loss.name} loss has no best bias; use bias=False or 'constant'")
    if kind == "margin" and np.all(y == y[0]):
        raise InputError(f"y holds only labels {y[0]:+g}; a bias that is not regularized needs both classes")
    for b in (1.0, -1.0):
        rise = _rise(problem, np.full(y.size, b))
        if rise < 0.0 or (rise == 0.0 and entry["steep"]):
            raise InputError(
                f"the {problem.loss.name} loss falls without end for {'larger' if b > 0.0 else 'smaller'} "
                "biases, since one class outweighs the other; use bias=False or 'constant'"
            )


def is_endless(problem: Problem, certificate: Solved) -> bool:
    """Check if the objective falls without end along a point: by its recession function, where g is a norm.

    Any other g here rises faster than every loss falls, and `check` looks at the bias alone.
    """
    lower, upper = problem.loss.entry["lower"], problem.loss.entry["upper"]
    if lower <= 0.0 <= upper or not problem.regularizer.is_norm or certificate.w is None:
        return False
    z = certificate.z - certificate.b + _farthest_bias(problem, certificate)
    losses, w = _rise(problem, z) / problem.n_samples, certificate.w.ravel()
    size = problem.lam * problem.transfer.bracket(w, np.zeros_like(w), 0.0).value
    return bool(losses + size < -ROUNDING * size)


def endless(problem: Problem, certificate: Solved) -> str:
    """Return the message for such a point."""
    assert certificate.w is not None  # a norm goes with no kernel
    w, b = problem.split(certificate.w, _farthest_bias(problem, certificate))
    scale = max(float(np.abs(w).max()), abs(float(b)))
    shown = np.array2string(w / scale, precision=3, threshold=6)
    return (
        f"the objective has no minimum: it falls without end along w = {shown}, b = {float(b) / scale:.3g}; "
        "use a larger lam, or a loss that is bounded below"
    )


def _farthest_bias(problem: Problem, certificate: Solved) -> Bias:
    """Find the unregularized bias that makes the losses rise least far out along the weights; 0 without one.

    The best one for the weights themselves is another, unless they are far out. The rise is convex in the
    bias, and straight but where a prediction is zero.
    """
    if not problem.free_bias:
        return certificate.b
    z = certificate.z - certificate.b
    places, low, high = np.sort(-z), 0, z.size - 1
    while low < high:
        middle = (low + high) // 2
        here, ahead = (_rise(problem, z + places[k], STEEP) for k in (middle, middle + 1))
        low, high = (low, middle) if here <= ahead else (middle + 1, high)
    return float(places[low])


def _rise(problem: Problem, z: Floats, most: float = np.inf) -> float:
    """Sum the weighted slopes of the losses far out along predictions z, each clipped at `most`."""
    u = problem.sign * z
    lower, upper = max(problem.loss.entry["lower"], -most), min(problem.loss.entry["upper"], most)
    ahead = np.multiply(np.where(u > 0.0, upper, lower), u, out=np.zeros(u.shape), where=u != 0.0)
    return float(problem.weight @ ahead)


def _check_classes(problem: Problem) -> None:
    """Refuse classes without a sample, whose best bias is minus infinity."""
    missing = np.flatnonzero(np.bincount(problem.labels, minlength=problem.columns[0]) == 0)
    if missing.size:
        raise InputError(
            f"y holds no label {missing[0]}; a bias that is not regularized needs samples of every class"
        )


def _check_finite(problem: Problem) -> None:
    """Refuse data at which a loss that wants positive predictions is infinite for all weights."""
    if problem.loss.finite_on != (0.0, np.inf) or problem.loss.kind != "prediction" or problem.jumps:
        return
    if problem.kernel is not None:
        raise InputError(
            f"kernel: the {problem.loss.name} loss asks for densities in X; leave the kernel out"
        )
    rows, entry = problem.rows, problem.regularizer.entry
    low, high = entry["lower"], entry["upper"]
    # The most that w.x can be: infinite where an entry that is not zero meets an end that is.
    at_ends = np.maximum(low * rows.data, high * rows.data, where=rows.data != 0.0, out=np.zeros(rows.nnz))
    largest = sp.csr_array((at_ends, rows.indices, rows.indptr), shape=rows.shape).sum(axis=1)
    row = int(largest.argmin())
    if largest[row] <= 0.0:
        limits = " >= 0" if (low, high) == (0.0, np.inf) else f" in [{low:g}, {high:g}]"
        raise InputError(
            f"X[{row}] has no entry {'other than' if low < 0.0 < high else 'above'} 0, so that -ln(w.x) is "
            f"infinite for all w{'' if low == -high == -np.inf else limits}; give the density of each "
            "component at each sample, or leave the sample out"
        )
    if rows.data.min(initial=0.0) < 0.0 and not _some_weights(rows, low, high):
        raise InputError(
            f"X: no weights make all predictions positive, so that the {problem.loss.name} loss is infinite "
            "for all of them; give the density of each component at each sample, or use bias='constant'"
        )


def _some_weights(rows: sp.csr_array, low: float, high: float) -> bool:
    """Check by a linear program if some w with entries in [low, high] has w.x > 0 for all samples."""
    from scipy.optimize import linprog

    scaled = sp.diags_array(1.0 / np.maximum(abs(rows).max(axis=1).toarray().ravel(), 1e-300)) @ rows
    if low <= 0.0 <= high:  # w counts as its multiples do
        low, high = (-np.inf if low < 0.0 else 0.0), (np.inf if high > 0.0 else 0.0)
    # The largest t <= 1 with w.x >= t.
    n, d = rows.shape
    answer = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=sp.hstack([-scaled, np.ones((n, 1))], format="csr"),
        b_ub=np.zeros(n),
        bounds=[(low, high)] * d + [(None, 1.0)],
    )
    return bool(-answer.fun > FEASIBLE)
