"""The base of the losses of one prediction a sample: run-time objects over the generated scalars; no SymPy.

A loss is one univariate convex function p; `workbench.conjugates.terms.losses` says how p, the sign s and the
shift t of a sample make f(z) = c p(s z + t).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NotRequired, TypedDict, cast

import numpy as np

from workbench._support.names import Public
from workbench.kernels import claims, formulas
from workbench.kernels.formulas import LOSSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench._support.annotations import Floats, LossKind, Ranges, Scalar


ROWS = cast("Mapping[str, LossRow]", LOSSES)
# The least nu that a solver looks at where its domain is unbounded: beyond, squares overflow.
FARTHEST = 1e100


class LossRow(TypedDict):
    """A row of the generated table: a loss whatever its parameters are."""

    kind: LossKind
    parameters: Ranges
    steep: bool
    likelihood: bool
    source: str
    start: NotRequired[float]
    domain: NotRequired[tuple[float, float]]
    corners: NotRequired[tuple[float, float]]
    slopes: NotRequired[tuple[float, float]]


class LossFacts(TypedDict):
    """The facts that the parameters decide: the domain of p* and the pieces of p and p*."""

    lower: float
    upper: float
    curvature: float
    smoothness: float
    kinks: tuple[tuple[float, float, float], ...]
    conjugate_kinks: tuple[tuple[float, float, float], ...]
    conjugate_form: tuple[()] | tuple[float, float, float]
    parabolas: tuple[tuple[float, float, float, float, float], ...]
    powers: tuple[tuple[float, float, float, float], ...]
    domain: NotRequired[tuple[float, float]]


class LossEntry(LossRow, LossFacts):
    """A row with the facts."""


@dataclass(frozen=True)
class Loss(Public):
    """A loss with its parameters fixed.

    Attributes
    ----------
    key : str
        Its entry in the table of generated formulas.
    theta : ndarray (k,)
        The parameters in the order of that entry.
    kind : {"margin", "residual", "prediction"}
        What u = s z + t is: y z, z - y or z.

    Examples
    --------
    >>> import workbench as wb
    >>> isinstance(wb.losses.get("hinge:p=2"), wb.losses.Loss)
    True
    """

    name: ClassVar[str]
    # The rows of the generated table that it reads, where these are not the one of its name.
    keys: ClassVar[tuple[str, ...]] = ()
    # The inequality that bounds the gap of a loss of several variables.
    inequality: ClassVar[str] = ""

    @property
    def key(self) -> str:
        return self.name

    @property
    def row(self) -> LossRow:
        """The row of the generated table, which does not depend on the parameters."""
        return ROWS[self.key]

    @property
    def proof_status(self) -> dict[str, str]:
        """{claim: "proved" or "checked"} of its pair; a gap needs "bound"."""
        return claims.of(self)

    @property
    def entry(self) -> LossEntry:
        """That row with the facts that the parameters decide; not to be changed."""
        return _entry(self)

    @property
    def kind(self) -> LossKind:
        return self.row["kind"]

    @property
    def theta(self) -> Floats:
        return np.array([float(getattr(self, name)) for name in self.row["parameters"]])

    @property
    def kink(self) -> tuple[float, float]:
        """(m, e) where the slope of the conjugate jumps at zero from m - e to m + e, else (0, 0)."""
        at_zero = self.conjugate_kinks[self.conjugate_kinks[:, 0] == 0.0, 1:]
        return (float(at_zero.mean()), 0.5 * float(np.diff(at_zero)[0, 0])) if at_zero.size else (0.0, 0.0)

    @property
    def conjugate_kinks(self) -> Floats:
        """(place, slope before, slope after) of each kink of p*, (k, 3)."""
        return np.array(self.entry["conjugate_kinks"], dtype=float).reshape(-1, 3)

    @property
    def conjugate_form(self) -> tuple[float, float, float] | None:
        """(a, b, e) where p*(nu) = a nu^2 / 2 + b nu + e |nu| on its domain; None for every other p*."""
        return self.entry["conjugate_form"] or None

    @property
    def parabola(self) -> tuple[float, float, float] | None:
        """(a, b, c) where p(u) = a u^2 / 2 + b u + c, a above 0: least squares; None for every other p."""
        pieces = self.parabolas
        whole = len(pieces) == 1 and (pieces[0, :2] == (-np.inf, np.inf)).all() and pieces[0, 2] > 0.0
        a, b, c = pieces[0, 2:].tolist() if whole else (0.0, 0.0, 0.0)
        return (a, b, c) if whole else None

    @property
    def parabolas(self) -> Floats:
        """(low, high, a, b, c) of each piece of p, a u^2 / 2 + b u + c, (k, 5); (0, 5) for every other p."""
        return np.array(self.entry["parabolas"], dtype=float).reshape(-1, 5)

    @property
    def powers(self) -> Floats:
        """(side, at, factor, exponent) where the slope of p* is at + side factor |nu|^exponent, (k, 4).

        With a row for each side of zero that is in the domain, where side nu > 0; (0, 4) for every other p.
        """
        return np.array(self.entry["powers"], dtype=float).reshape(-1, 4)

    @property
    def hinge(self) -> tuple[float, float] | None:
        """(s, b) where p(u) = s max(0, b - u), so that p* is linear on a bounded interval; None elsewhere."""
        form, (lower, upper) = self.conjugate_form, (self.entry["lower"], self.entry["upper"])
        if form is None or form[0] or form[2] or upper != 0.0 or not np.isfinite(lower):
            return None
        return -lower, form[1]

    @property
    def lipschitz(self) -> float:
        """The least upper bound of |p'|, maybe infinite: the slopes of p are where p* is finite."""
        return max(abs(self.entry["lower"]), abs(self.entry["upper"]))

    @property
    def monotone(self) -> int:
        """-1 where p nowhere rises, 1 where it nowhere falls, else 0."""
        return int(self.entry["lower"] >= 0.0) - int(self.entry["upper"] <= 0.0)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends between which a solver keeps nu: of the domain, or just inside where it is steep."""
        return _interval(self)

    @property
    def start(self) -> float:
        """The nu at which a solver starts: zero, or inside the domain where the conjugate is steep."""
        return self.entry["start"]

    @property
    def is_likelihood(self) -> bool:
        """True if e^-f(z, y), summed over the labels y, is 1 at every z: then these are probabilities."""
        return self.row["likelihood"]

    def log_probabilities(self, z: Floats) -> Floats:
        """Return ln of the probabilities of -1 and +1 at predictions z (n,), as (n, 2), of a likelihood."""
        from workbench.kernels import summand_loops

        losses, ones = np.empty((2, z.shape[0])), np.ones(z.shape[0])
        for u, out in zip((-z, z), losses, strict=True):
            summand_loops.curvatures()(self.scalar("value"), u, ones, self.theta, out)
        return -losses.T

    def rounding(self, u: Floats, nu: Floats) -> float:
        """Return the most that terms p(u) + p*(nu) - u nu lie below zero, in units of their rounding."""
        from workbench.kernels import term_loops

        parts = ("value", "conjugate", "value_rounding", "conjugate_rounding")
        beyond = term_loops.samples_beyond()
        return float(beyond(*(self.scalar(part) for part in parts), u, nu, self.theta))

    @property
    def is_straight(self) -> bool:
        """True if p consists of straight pieces."""
        return bool(self.parabolas.size) and not self.parabolas[:, 2].any()

    @property
    def curvature(self) -> float:
        """An upper bound of p'' between the kinks; infinite where none is known."""
        return self.entry["curvature"]

    @property
    def smoothness(self) -> float:
        """The Hölder exponent of p' between the kinks: below 1 where p'' is infinite at some place."""
        return self.entry["smoothness"]

    @property
    def finite_on(self) -> tuple[float, float]:
        """The ends between which p is finite."""
        return self.entry["domain"]

    @property
    def jumps(self) -> tuple[bool, bool]:
        """True for each end of the domain of p at which p has a value, so that it jumps to infinity."""
        return _jumps(self)

    @property
    def kinks(self) -> Floats:
        """(place, slope before, slope after) of each kink of p, (k, 3)."""
        return np.array(self.entry["kinks"], dtype=float).reshape(-1, 3)

    def facts(self) -> LossFacts:
        """Return the facts that these parameters decide, from the generated module."""
        facts: LossFacts = getattr(formulas, f"{self.key.replace('-', '_')}_facts")(self.theta.tolist())
        return facts

    def formula(self, part: str) -> Scalar:
        """Return the generated function "value", "slope", ... in Python, not compiled."""
        formula: Scalar = getattr(formulas, f"{self.key.replace('-', '_')}_{part}")
        return formula

    def scalar(self, part: str) -> Scalar:
        """Compile the generated function "value", "slope", "conjugate", "conjugate_slope" or "coordinate"."""
        return _scalar(self.key, part)


@functools.lru_cache(maxsize=1000)  # solvers and certificates ask for it in every step
def _entry(loss: Loss) -> LossEntry:
    return cast("LossEntry", MappingProxyType({**loss.row, **loss.facts()}))


@functools.lru_cache(maxsize=1000)
def _jumps(loss: Loss) -> tuple[bool, bool]:
    low, high = (
        bool(np.isfinite(end) and np.isfinite(loss.formula("value")(end, loss.theta)))
        for end in loss.finite_on
    )
    return low, high


@functools.lru_cache(maxsize=1000)  # solvers ask for it in every step
def _interval(loss: Loss) -> tuple[float, float]:
    lower, upper = loss.entry["lower"], loss.entry["upper"]
    if loss.entry["steep"]:
        lower = max(np.nextafter(lower, 0.0), -FARTHEST)
        upper = -np.finfo(float).tiny if upper == 0.0 else upper
    return float(lower), float(upper)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _scalar(name: str, part: str) -> Scalar:
    from workbench.kernels import compilation

    compiled: Scalar = compilation.formula(f"{name.replace('-', '_')}_{part}", scalar_signature(part))
    return compiled


def scalar_signature(part: str) -> object:
    """Return numba's signature of one of a loss's functions."""
    from workbench.kernels import compilation

    return compilation.COORDINATE if part == "coordinate" else compilation.SCALAR
