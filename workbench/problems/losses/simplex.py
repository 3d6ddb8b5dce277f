"""Losses of r classes whose conjugate lives on the simplex: predictions z (n, r), dual variables (n, r).

    k(-alpha_i) = Omega(p_i) - Omega(e_y)    with    p_i = e_(y_i) - alpha_i / c_i

finite for p_i in the simplex, so that each row of alpha sums to zero; with unregularized biases each column
does, too. A projection of the columns one by one, as in SPAMS, leaves the simplex; rounding a transport plan
does not. With Omega(p) = sum_j phi(p_j) the prediction p = grad Omega*(z) changes with z by
diag(s) - s s' / sum s, s_j = 1 / phi''(p_j), or 0 where p_j is at an end.

Source       docs/mathematics.md, sections 2 and 6; rounded as Altschuler, Weed and Rigollet (2017) do
"""

from __future__ import annotations

import abc
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_integer
from workbench.problems.losses.base import Loss

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench._support.annotations import Bias, Floats, Integers, Repairs
    from workbench.problems.losses.base import LossFacts


# Newton's method for the biases ends when each class's mass is right to this share of all mass.
MASS = 4e-15
FIRST_STEPS, NEWTON_LIMIT = 40, 200
# The factor from one temperature to the next.
COOLING = 0.5
# Where all probabilities are 0 or 1 the Hessian vanishes; this share of all mass keeps it regular.
REGULAR = 1e-13
# No step is good any more once the damping has grown to this.
STUCK = 1e20


class Local(NamedTuple):
    """The losses at a point."""

    values: Floats  # (n,) f(z_i)
    p: Floats  # (n, r) the predictions
    bend: Floats  # (n, r) s, see the module


class SimplexLoss(Loss):
    """A loss whose slopes are p - e_y, for labels y in 0, 1, ..., r - 1; `classes` is r or None."""

    classes: float | None

    # What compiled steps of one sample's dual variables read of it, besides `scalar("shares")`.
    parts: ClassVar[tuple[str, ...]] = ("conjugate", "conjugate_slope")

    def __post_init__(self) -> None:
        if self.classes is not None:
            validate_integer(self, "classes", 2)

    def simplex_facts(self, curvature: float, smoothness: float) -> LossFacts:
        """Return the facts of a loss of r predictions, whose slopes p - e_y have entries from -1 to 1."""
        return {
            "curvature": curvature,
            "smoothness": smoothness,
            "lower": -1.0,
            "upper": 1.0,
            "kinks": (),
            "conjugate_kinks": (),
            "conjugate_form": (),
            "parabolas": (),
            "powers": (),
            "domain": (-np.inf, np.inf),
        }

    @property
    def theta(self) -> Floats:
        return np.array([0.0 if self.classes is None else float(self.classes)])

    @abc.abstractmethod
    def zero_value(self, classes: int) -> float:
        """f(0) for r classes."""

    @abc.abstractmethod
    def local(self, z: Floats, labels: Integers) -> Local:
        """Compute the losses at predictions z (n, r), as a `Local`."""

    @abc.abstractmethod
    def probabilities_and_curvature(self, z: Floats) -> tuple[Floats, Floats]:
        """Return the predictions p (n, r) at z and the curvatures s (n, r) of the module's docstring."""

    def probabilities(self, z: Floats) -> Floats:
        """Return the probability of each class at predictions z, (n, r)."""
        return self.probabilities_and_curvature(z)[0]

    def with_classes(self, r: int) -> Self:
        """Return the loss of r classes."""
        return replace(self, classes=r)  # type: ignore[call-arg]  # the field is its subclasses'

    @abc.abstractmethod
    def young(self, z: Floats, p: Floats) -> tuple[Floats, float]:
        """Omega*(z) + Omega(p) - z.p, the Fenchel-Young terms (n,), and their rounding below 0 in units."""

    @abc.abstractmethod
    def entropies(self, p: Floats) -> Floats:
        """Omega(p) - Omega(e_y), (n,); infinite outside the simplex."""

    def values(self, z: Floats, labels: Integers) -> Floats:
        """f(z_i), (n,)."""
        return self.local(z, labels).values

    def alpha_at(self, z: Floats, labels: Integers, weight: Floats) -> Floats:
        """Compute the dual point of map (10): c_i (e_y - p(z_i)), (n, r)."""
        return weight[:, None] * (hot(labels, z.shape[1]) - self.probabilities(z))

    def slopes(self, p: Floats, direction: Floats) -> Floats:
        """phi'(p_j), (n, r), 0 where nothing moves."""
        from workbench.kernels import simplex_loops

        result = np.zeros_like(p)
        simplex_loops.slopes()(self.scalar("conjugate_slope"), self.theta, p, direction, result)
        return result

    def nearest(self, z: Floats, alpha: Floats, labels: Integers, weight: Floats, stiffness: float) -> Floats:
        """Minimize k(-a) + a.z_i + (stiffness / 2 c_i) |a - alpha_i|^2 over a for each sample, (n, r)."""
        from workbench.kernels import simplex_loops

        p = probabilities(alpha, labels, weight)
        linear, point = np.ascontiguousarray(z + stiffness * p), np.empty_like(p)
        simplex_loops.nearest()(self.scalar("shares"), self.theta, linear, float(stiffness), point)
        return weight[:, None] * (hot(labels, p.shape[1]) - point)

    def outputs(self, y: Floats) -> int:
        """Return the number of classes after a check of the labels."""
        bad = np.flatnonzero((y != np.floor(y)) | (y < 0.0))
        if bad.size:
            raise InputError(
                f"y[{bad[0]}] is {y[bad[0]]:g}; the {self.name} loss needs labels 0, 1, ..., r - 1: pass "
                "np.unique(y, return_inverse=True)[1]"
            )
        classes = max(2, int(y.max()) + 1) if self.classes is None else int(self.classes)
        if y.max() >= classes:
            raise InputError(f"y holds the label {y.max():g} where classes = {classes}; raise classes")
        return classes

    def best_bias(self, z: Floats, labels: Integers, weight: Floats, start: Bias | None) -> Floats:
        """Minimize sum_i c_i f(z_i + b) over the biases (r,) of sum zero, by Newton's method.

        Where predictions are so large that the sum is almost piecewise linear, Newton's method gets lost on
        its flat faces; then z and b are first taken over a large temperature, which is lowered step by step.
        """
        if not np.isfinite(z).all():
            return np.zeros(z.shape[1])
        masses = class_masses(labels, weight, z.shape[1])
        first: Floats = np.zeros(z.shape[1]) + (0.0 if start is None else start)
        b, converged = _newton(self.probabilities_and_curvature, z, weight, masses, first, FIRST_STEPS)
        if not converged:
            hot_end = max(1.0, float(np.abs(z).max()))
            b, temperature = np.zeros(z.shape[1]), hot_end
            while temperature > 1.0:
                cooled = b / temperature
                b = (
                    temperature
                    * _newton(
                        self.probabilities_and_curvature,
                        z / temperature,
                        weight,
                        masses,
                        cooled,
                        NEWTON_LIMIT,
                    )[0]
                )
                temperature *= COOLING
            b, _ = _newton(self.probabilities_and_curvature, z, weight, masses, b, NEWTON_LIMIT)
        centred: Floats = b - b.mean()
        return centred


def hot(labels: Integers, classes: int) -> Floats:
    """e_(y_i) as rows, (n, r)."""
    rows = np.zeros((labels.shape[0], classes))
    rows[np.arange(labels.shape[0]), labels] = 1.0
    return rows


def class_masses(labels: Integers, weight: Floats, classes: int) -> Floats:
    """Sum the weights of each class, (r,)."""
    return np.bincount(labels, weights=weight, minlength=classes).astype(float)


def probabilities(alpha: Floats, labels: Integers, weight: Floats) -> Floats:
    """p_i = e_y - alpha_i / c_i, (n, r)."""
    return hot(labels, alpha.shape[1]) - alpha / weight[:, None]


def feasible(alpha: Floats, labels: Integers, weight: Floats) -> tuple[Floats, Repairs]:
    """Move each p_i of a dual point to the nearest point of the simplex, and describe the move."""
    p = probabilities(alpha, labels, weight)
    bad = (p < 0.0).any(axis=1) | (np.abs(p.sum(axis=1) - 1.0) > 1e-12)
    if not bad.any():
        return alpha, ()
    projection = p.copy()
    projection[bad] = _simplex(p[bad])
    farthest = float(np.abs(projection - p).max())
    text = f"{int(bad.sum())} of {bad.size} rows of dual variables moved into the domain of the conjugate"
    return weight[:, None] * (hot(labels, p.shape[1]) - projection), (f"{text}, by at most {farthest:.3g}",)


def _simplex(rows: Floats) -> Floats:
    """Each row's projection onto the simplex, by sorting."""
    ordered = -np.sort(-rows, axis=1)
    sums = np.cumsum(ordered, axis=1) - 1.0
    count = np.arange(1, rows.shape[1] + 1)
    last = (ordered - sums / count > 0.0).sum(axis=1)
    threshold = sums[np.arange(rows.shape[0]), last - 1] / last
    simplex: Floats = np.maximum(rows - threshold[:, None], 0.0)
    return simplex


def _newton(
    curved: Callable[[Floats], tuple[Floats, Floats]],
    z: Floats,
    weight: Floats,
    masses: Floats,
    b: Floats,
    limit: int,
) -> tuple[Floats, bool]:
    """Minimize over the biases, and check if the slope vanishes there to within rounding.

    The damping is in proportion to the slope, and allows longer steps after each good one: one after which
    the slope along it has not turned upwards by nine tenths of what it was. Slopes tell a decrease that
    the rounding of the values would hide.
    """
    slope, hessian = _slope_and_hessian(curved, z + b, weight, masses)
    # Large predictions round to probabilities of less precision.
    enough = MASS * masses.sum() * max(1.0, 0.01 * np.abs(z).max())
    damping, size = 0.05, np.abs(slope).max()
    for _ in range(limit):
        if size <= enough or damping > STUCK:
            break
        ridge = max(damping * size, REGULAR * masses.sum())
        step = np.linalg.solve(hessian + ridge * np.eye(b.shape[0]), -slope)
        ahead, bent = _slope_and_hessian(curved, z + (b + step), weight, masses)
        if ahead @ step > 0.9 * abs(slope @ step):
            damping *= 4.0
        else:
            b, slope, hessian, damping = b + step, ahead, bent, 0.25 * damping
            size = np.abs(slope).max()
    return b, size <= enough


def _slope_and_hessian(
    curved: Callable[[Floats], tuple[Floats, Floats]], z: Floats, weight: Floats, masses: Floats
) -> tuple[Floats, Floats]:
    """Return slope and Hessian of the losses' sum in the biases, lifted along (1, ..., 1)."""
    p, bend = curved(z)
    sums = weight @ p
    bent = weight[:, None] * bend
    hessian = np.diag(bent.sum(axis=0)) - bent.T @ shared(bend)
    return sums - masses, hessian + masses.sum() / masses.shape[0] ** 2


def shared(bend: Floats) -> Floats:
    """Return s / sum_j s_j by rows; zero for a row of zeros."""
    total = bend.sum(axis=1, keepdims=True)
    shared: Floats = np.divide(bend, total, out=np.zeros_like(bend), where=total > 0.0)
    return shared


def balance(alpha: Floats, labels: Integers, weight: Floats) -> tuple[Floats, Repairs]:
    """Make the columns of a dual point sum to zero, too, by rounding a transport plan.

    The masses c_i p_ij have row sums c_i and shall have the classes' masses as column sums: columns too
    heavy are scaled down, and what the rows lack then is dealt out in proportion to what the columns lack.
    """
    plan = weight[:, None] * probabilities(alpha, labels, weight)
    masses = class_masses(labels, weight, plan.shape[1])
    sums = plan.sum(axis=0)
    rounded = plan * np.minimum(1.0, np.divide(masses, sums, out=np.ones_like(sums), where=sums > 0.0))
    short = np.maximum(weight - rounded.sum(axis=1), 0.0)
    missing = np.maximum(masses - rounded.sum(axis=0), 0.0)
    total = missing.sum()
    if total > 0.0:
        rounded = rounded + short[:, None] * (missing / total)
    farthest = float(np.abs(rounded - plan).max())
    text = f"dual variables moved by at most {farthest:.3g}, so that each class's sum to zero"
    return weight[:, None] * hot(labels, plan.shape[1]) - rounded, (text,)
