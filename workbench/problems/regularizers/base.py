"""The base of regularizers with a smooth conjugate: objects over the generated functions; no SymPy.

Each has the shape h(v) = Phi(S), S = sum_j c_j phi(v_j), of `workbench.conjugates.terms.regularizers`. A
`Regularizer` is chosen by its parameters alone; `at(d)` fixes the number of coordinates and gives
the `Transfer` that evaluates g, h and the map (9).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NotRequired, TypedDict, cast

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import Public
from workbench.kernels import claims, formulas
from workbench.kernels.fenchel_young import ON_THE_SET, ROUNDING_UNITS, Bracket
from workbench.kernels.formulas import REGULARIZERS
from workbench.problems.regularizers.blocks import Blocks, Cones

if TYPE_CHECKING:
    from collections.abc import Mapping

    import scipy.sparse as sp
    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Floats, Number, PenaltyArrays, Ranges, Scalar
    from workbench.problems.regularizers.norm_transfers import NormTransfer


ROWS = cast("Mapping[str, RegularizerRow]", REGULARIZERS)
# The unit roundoff.
UNIT = 2.0**-53


class RegularizerRow(TypedDict):
    """A row of the generated table: a regularizer whatever its parameters are."""

    parameters: Ranges
    structure: Literal["separable", "simplex", "norm"]
    linear: bool
    neutral_scale: float
    steep: bool
    source: NotRequired[str]


class RegularizerFacts(TypedDict):
    """The facts that the parameters decide."""

    lower: float  # the ends of the domain of g in a coordinate
    upper: float
    curvature: float
    smoothness: float
    parts: tuple[()] | tuple[float, float]
    kinks: tuple[tuple[float, float, float], ...]


class RegularizerEntry(RegularizerRow, RegularizerFacts):
    """A row with the facts."""


@dataclass(frozen=True)
class Regularizer(Public):
    """A regularizer with its parameters fixed, for any number of coordinates.

    >>> import workbench as wb
    >>> isinstance(wb.regularizers.get("elastic-net:epsilon=0.5"), wb.regularizers.Regularizer)
    True
    """

    name: ClassVar[str]
    # The rows of the generated table that it reads, where these are not the one of its name.
    keys: ClassVar[tuple[str, ...]] = ()
    is_norm: ClassVar[bool] = False
    # The inequality that bounds its gap, where that is not a sum over the coordinates.
    inequality: ClassVar[str] = ""
    # What g is, where names are easily taken for each other: a norm and its square.
    formula_text: ClassVar[str] = ""

    @property
    def is_unweighted(self) -> bool:
        """True if all weights c_j are 1."""
        return True

    @property
    def label(self) -> str:
        """The name, with what g is where that is easily mistaken, for messages."""
        return f"{self.name} ({self.formula_text})" if self.formula_text else self.name

    @property
    def row(self) -> RegularizerRow:
        """The row of the generated table, which does not depend on the parameters."""
        return ROWS[self.name]

    @property
    def proof_status(self) -> dict[str, str]:
        """{claim: "proved" or "checked"} of its pair; a gap needs "bound"."""
        return claims.of(self)

    @functools.cached_property  # solvers and certificates ask for it in every step
    def entry(self) -> RegularizerEntry:
        """That row with the facts that the parameters decide; not to be changed."""
        return cast("RegularizerEntry", {**self.row, **self.facts()})

    def facts(self) -> RegularizerFacts:
        """Return the facts that these parameters decide, from the generated module."""
        function = getattr(formulas, f"{self.name.replace('-', '_')}_facts")
        is_separable = self.row["structure"] == "separable"
        facts: RegularizerFacts = function(
            [self.row["neutral_scale"], *self.parameters(1)] if is_separable else ()
        )
        return facts

    @property
    def matrix(self) -> Floats | None:
        """K (D, D) where g is w'Kw / 2 and K is not diagonal: a problem whitens its data by it."""
        return None

    @property
    def is_separable(self) -> bool:
        """True if h is a sum over the coordinates."""
        return self.entry["linear"]

    @property
    def separable_parts(self) -> tuple[float, float] | None:
        """(e, k) where g = sum_j e |w_j| + k w_j^2 / (2 c_j); None for every other g."""
        return self.entry["parts"] or None

    @functools.cached_property
    def is_quadratic(self) -> bool:
        """True if g is a sum of weighted squares, so that the map (9) multiplies each v_j by a number."""
        return self.separable_parts is not None and self.separable_parts[0] == 0.0

    @property
    def is_identity(self) -> bool:
        """True if w = v: the map (9) does nothing."""
        return self.is_unweighted and self.separable_parts == (0.0, 1.0)

    @property
    def has_prox(self) -> bool:
        """True if its `Transfer` finds proximal points of g."""
        return self.entry["structure"] == "separable"

    @property
    def has_gradient(self) -> bool:
        """True if g has a gradient everywhere, which its `Transfer` computes."""
        entry = self.entry
        smooth = all(before == after for _, before, after in entry["kinks"])
        on_the_line = -entry["lower"] == entry["upper"] == np.inf
        return entry["structure"] == "separable" and on_the_line and smooth

    @property
    def is_legendre(self) -> bool:
        """True if g is of Legendre type, so that w = grad h(v) has one v for each w and is smooth."""
        entry = self.entry
        return entry["steep"] and all(before == after for _, before, after in entry["kinks"])

    @property
    def smoothness(self) -> float:
        """The Hölder exponent of the gradient of g: below 1 where its slope is infinite at some place."""
        return float(self.entry["smoothness"])

    @property
    def squared_norm(self) -> tuple[float, float, float] | None:
        """(p, kappa, ball) where g is |w|_p^2 / (2 kappa) on a ball of the p-norm, p in (1, 2]; else None."""
        return (2.0, 1.0, np.inf) if self.is_identity else None

    @property
    def curvature(self) -> float:
        """An upper bound of the curvature of h's summands where their weights are 1; infinite for none."""
        return self.entry["curvature"]

    def coefficients(self, size: int, number: Number = float) -> NDArray[Any]:
        """Return the weights c_j of the sum S, (size,), computed in a kind of number."""
        return full(size, 1.0, number)

    def parameters(self, size: int, number: Number = float) -> list[Any]:
        """Return the parameters of the formulas, in the order of the table, in a kind of number."""
        return [number(float(getattr(self, name))) for name in self.row["parameters"]]

    def curvature_bound(self, rows: sp.csr_array, lam_n: float) -> Floats | None:
        """Bound x_i' h'' x_i / (lam n) of each row from above, (n,), or return None."""
        bound = self.curvature
        if bound == np.inf:
            return None
        bounds: Floats = bound * (rows.power(2) @ self.coefficients(rows.shape[1])) / lam_n
        return bounds

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
        """Split w into (w+, w-) with w+ - w- = w and least g, for a balanced embedding."""
        return 0.5 * w, -0.5 * w

    def nonnegative(self) -> Regularizer:
        """Return g for weights that are 0 or more, and infinite for others.

        Raises
        ------
        InputError
            It is not available with such weights.
        """
        if self.entry["lower"] >= 0.0:
            return self
        raise InputError(
            f"{self.name}: positive = True is not available; use squared-l2, elastic-net, or 'nonnegative'"
        )

    @property
    def key(self) -> str:
        """The text that tells it from others of its name, beyond the numbers of its `Transfer`."""
        return self.name

    def rounding(self, w: Floats, v: Floats, weights: Floats, theta: Floats) -> float:
        """Return the most that terms psi(w) + c phi(v) - w v lie below zero, in units of their rounding."""
        from workbench.kernels import term_loops

        parts = ("primal", "inner", "primal_rounding", "inner_rounding")
        beyond = term_loops.separable_beyond()
        return float(beyond(*(self.function(part) for part in parts), w, v, weights, theta))

    def at(self, size: int, columns: int = 1) -> Transfer | NormTransfer:
        """Apply the regularizer to the entries of w, (size,) or (size, columns) in row order."""
        return Transfer(self, size * columns)

    @property
    def formula_names(self) -> tuple[str, str]:
        """The beginnings of its functions' names: those of the sum S and its rows, and those of Phi."""
        name = self.name.replace("-", "_")
        return name, name

    def formula(self, part: str) -> Scalar:
        """Return the generated function of a part in Python, not compiled."""
        formula: Scalar = getattr(formulas, f"{self.name.replace('-', '_')}_{part}")
        return formula

    def function(self, part: str) -> Scalar:
        """Compile the generated function of a part, see `workbench.conjugates.codegen.regularizers`."""
        return _function(self.name, part)

    @staticmethod
    def _signature(part: str) -> object:
        from workbench.kernels import compilation

        signatures = {
            "primal": compilation.PRIMAL,
            "primal_rounding": compilation.PRIMAL,
            "primal_slope": compilation.PRIMAL,
            "row_add": compilation.ROW_ADD,
            "row_probe": compilation.ROW_PROBE,
            "refresh": compilation.REFRESH,
        }
        return signatures.get(part, compilation.SCALAR)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _function(name: str, part: str) -> Scalar:
    from workbench.kernels import compilation

    name = name.replace("-", "_")
    compiled: Scalar = compilation.formula(f"{name}_{part}", Regularizer._signature(part))
    return compiled


class Transfer(Public):
    """g, h and the transfer function w = grad h(v) on a fixed number of coordinates.

    Attributes
    ----------
    weights : ndarray (d,)
        The coefficients c_j of S.
    theta : ndarray
        The neutral scale, then the parameters of the formulas.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> transfer = wb.regularizers.get("elastic-net:epsilon=0.5").at(2)
    >>> transfer.prox(np.array([0.3, -2.0]), 1.0)
    array([ 0.  , -0.75])
    """

    def __init__(self, regularizer: Regularizer, size: int) -> None:
        self.regularizer = regularizer
        self.weights: Floats = np.ascontiguousarray(regularizer.coefficients(size), dtype=float)
        self.theta: Floats = np.array([regularizer.entry["neutral_scale"], *regularizer.parameters(size)])
        self.is_identity = regularizer.is_identity
        for array in (self.weights, self.theta):
            array.setflags(write=False)

    def mirror(self, v: Floats) -> tuple[Floats, Floats, float]:
        """Compute theta for S = sum_j c_j phi(v_j) at v, the slopes of S (d,), and S itself."""
        theta, slopes = self.theta.copy(), np.empty_like(v)
        return theta, slopes, self.regularizer.function("refresh")(self.weights, v, slopes, theta)

    def map(self, v: Floats) -> tuple[float, Floats]:
        """h(v) and w = grad h(v), (d,). Zhang (9)."""
        theta, slopes, total = self.mirror(v)
        h = self.regularizer.function("outer")(total, theta)
        if total <= 0.0 and not self.regularizer.entry["linear"]:
            return h, np.zeros_like(v)
        return h, self.regularizer.function("outer_slope")(total, theta) * slopes

    def bending(self, v: Floats) -> tuple[Floats, Floats, float]:
        """Compute the Hessian diag(D) + k s s' of h at v, as D (d,), s (d,) and the number k."""
        theta, slopes, total = self.mirror(v)
        function = self.regularizer.function
        if total <= 0.0 and not self.regularizer.entry["linear"]:
            return np.zeros_like(v), slopes, 0.0
        from workbench.kernels import summand_loops

        curvatures = np.empty_like(v)
        bend = summand_loops.curvatures()
        bend(function("inner_curvature"), v, self.weights, theta, curvatures)
        if np.isinf(curvatures).any():
            # |v_j|^p with p < 2 bends without bound at zero: as it does at the next number of v's size.
            near = np.where(v == 0.0, np.finfo(float).eps * np.abs(v).max(), v)
            bend(function("inner_curvature"), near, self.weights, theta, curvatures)
        curvatures *= function("outer_slope")(total, theta)
        return curvatures, slopes, function("outer_curvature")(total, theta)

    def prox(self, x: Floats, tau: float) -> Floats:
        """argmin_w |w - x|^2 / 2 + tau g(w), where the regularizer `has_prox`."""
        if self.penalty is None:
            raise InputError(
                f"{self.regularizer.label}: a proximal point is not available; use one that has_prox"
            )
        from workbench.kernels import proximal

        point: Floats = proximal.find(self.penalty, x, tau, self.prox_scalars())
        return point

    @functools.cached_property
    def penalty(self) -> PenaltyArrays | None:
        """Arrays that a compiled proximal point takes, see `workbench.kernels.arrays`, or None."""
        if not self.regularizer.has_prox:
            return None
        from workbench.kernels import arrays

        parts = self.regularizer.separable_parts
        kind, numbers = (arrays.SUMMANDS, (0.0, 0.0)) if parts is None else (arrays.SOFT, parts)
        penalty: PenaltyArrays = arrays.penalty(kind, *numbers, weights=self.weights, theta=self.theta)
        return penalty

    def prox_scalars(self) -> tuple[Scalar, ...]:
        """Return the compiled phi' and phi'' that `penalty` needs; nothing if thresholds are enough."""
        if self.regularizer.separable_parts is not None:
            return ()
        return tuple(self.regularizer.function(part) for part in ("inner_slope", "inner_curvature"))

    def value_and_gradient(self, w: Floats) -> tuple[float, Floats]:
        """g(w) and its gradient, (d,), where the regularizer `has_gradient`."""
        parts = self.regularizer.separable_parts
        if parts is not None and parts[0] == 0.0:  # a quadratic
            slope = parts[1] * w / self.weights
            return 0.5 * float(w @ slope), slope
        if not self.regularizer.has_gradient:
            raise InputError(
                f"{self.regularizer.label}: a gradient is not available; use one that has_gradient"
            )
        from workbench.kernels import summand_loops

        scalars = (self.regularizer.function(part) for part in ("primal", "primal_slope"))
        w, gradient = np.ascontiguousarray(w, dtype=float), np.empty(w.shape[0])
        return summand_loops.values()(*scalars, w, self.weights, self.theta, gradient), gradient

    @functools.cached_property
    def blocks(self) -> Blocks | None:
        """The `Blocks` that g is a sum over; None for every other g."""
        cones = self.cones if self.regularizer.separable_parts is not None else None
        return None if cones is None else Blocks.of(cones.share, cones.ridge)

    @property
    def cones(self) -> Cones | None:
        """The `Cones` that g is made of; None for every other g."""
        if self.regularizer.separable_parts is None:
            return None
        threshold, ridge = self.regularizer.separable_parts
        return Cones(np.full(self.weights.shape[0], threshold), ridge / self.weights)

    def reach(self, v: Floats) -> float:
        """Return the largest s for which h(s v) is finite."""
        return np.inf

    def violation(self, w: Floats, v: Floats) -> float:
        """Return the distance of w from the image of v under the map (9)."""
        return float(np.abs(w - self.map(v)[1]).max())

    def bracket(self, w: Floats, v: Floats, h: float) -> Bracket:
        """g(w) + h(v) - w.v as a sum of terms that are never negative."""
        total, value, units = getattr(self, f"_{self.regularizer.entry['structure']}_bracket")(w, v, h)
        return Bracket.checked(np.array([total]), value, units)

    def _separable_bracket(self, w: Floats, v: Floats, h: float) -> tuple[float, float, float]:
        from workbench.kernels import term_loops

        primal, inner = self.regularizer.function("primal"), self.regularizer.function("inner")
        total, value, units = term_loops.separable_sum()(primal, inner, w, v, self.weights, self.theta)
        if units > ROUNDING_UNITS:
            units = self.regularizer.rounding(w, v, self.weights, self.theta)
        return total, value, units

    def _simplex_bracket(self, w: Floats, v: Floats, h: float) -> tuple[float, float, float]:
        # With w* = grad h(v) the bracket is sum w ln(w/w*) - w + w*, since both sum to A.
        from workbench.kernels import term_loops

        sums: tuple[float, float, float] = term_loops.simplex_sum()(
            w, self.map(v)[1], v, self.weights, self.theta[1], h
        )
        return sums

    def _norm_bracket(self, w: Floats, v: Floats, h: float) -> tuple[float, float, float]:
        from workbench.kernels import term_loops

        sums: tuple[float, float, float] = term_loops.norm_sum()(w, v, *self.theta[1:])
        return sums

    def value_above(self, w: Floats) -> tuple[float, float]:
        """Bound g from above at weights as they are stored, rounding included; also return a share of w.

        Where g is infinite but for rounding, the bound is that of weights which differ by this share.
        """
        bound: tuple[float, float] = getattr(self, f"_{self.regularizer.entry['structure']}_above")(w)
        return bound

    def conjugate_above(self, v: Floats, error: Floats) -> float:
        """Bound h from above, if no entry of v is off by more than its error."""
        above = getattr(self, f"_{self.regularizer.entry['structure']}_conjugate_above")
        return float(above(v, error))

    def _separable_above(self, w: Floats) -> tuple[float, float]:
        from workbench.kernels import interval_loops

        primal, rounding = (self.regularizer.function(part) for part in ("primal", "primal_rounding"))
        return interval_loops.primal_sum(primal, rounding, w, self.weights, self.theta), 0.0

    def _separable_conjugate_above(self, v: Floats, error: Floats) -> float:
        from workbench.kernels import interval_loops

        inner, rounding = (self.regularizer.function(part) for part in ("inner", "inner_rounding"))
        return float(interval_loops.convex_sum(inner, rounding, self.theta, v, error, self.weights))

    def _simplex_above(self, w: Floats) -> tuple[float, float]:
        total, sum_w = self.theta[1], float(w.sum())
        if (w < 0.0).any() or not abs(sum_w - total) <= ON_THE_SET * total:
            return np.inf, 0.0
        share = abs(total / sum_w - 1.0) + (w.size + 8.0) * UNIT
        parts = w * np.log(np.where(w > 0.0, w, 1.0) / (self.weights * total))
        size = float(np.abs(parts).sum())
        # w ln(w / mu) over a multiple of w that sums to the total.
        slack = (w.size + 16.0) * 8.0 * UNIT * (size + total) + 2.0 * share * (size + total)
        return float(parts.sum()) + slack, share

    def _simplex_conjugate_above(self, v: Floats, error: Floats) -> float:
        total, parts = float(self.theta[1]), v + np.log(self.weights)
        error = error + 8.0 * UNIT * (np.abs(v) + np.abs(parts) + error)
        ends = parts + error
        top = float(ends.max())
        log_sum = top + float(np.log(np.exp(ends - top).sum()))
        return total * log_sum + total * (v.size + 16.0) * 8.0 * UNIT * (1.0 + abs(top))

    def _norm_above(self, w: Floats) -> tuple[float, float]:
        from workbench.kernels import term_loops

        *_, ball = self.regularizer.squared_norm or (np.inf,)
        q, power = self.theta[1:3]
        norm = term_loops.norm_of()(w, q) * (1.0 + self._norm_rounding(w))
        share = 0.0
        if norm > ball:
            if norm > ball * (1.0 + ON_THE_SET):
                return np.inf, 0.0
            share = norm / ball - 1.0 + 4.0 * UNIT
        return self._of_norm(norm) * (1.0 + 2.0 * power * self._norm_rounding(w)), share

    def _of_norm(self, norm: float) -> float:
        """Return g of weights whose norm is `norm`."""
        power = float(self.theta[2])
        return float(norm**power) / power

    def _norm_rounding(self, w: Floats) -> float:
        """Bound the rounding of a norm of w, as a share of it, the exponents' rounding included."""
        return (w.size + 64.0) * 8.0 * UNIT * max(1.0, 1.0 / float(self.theta[1] - 1.0))

    def _norm_conjugate_above(self, v: Floats, error: Floats) -> float:
        h = self.map(np.abs(v) + error)[0]
        power = float(max(self.theta[2], self.theta[2] / (self.theta[2] - 1.0)))
        return h + 4.0 * power * self._norm_rounding(v) * abs(h)


def full(size: int, values: ArrayLike, number: Number = float) -> NDArray[Any]:
    """Return one value, or one an entry, as an array (size,) of floats or of another kind of number."""
    array = np.broadcast_to(np.asarray(values, dtype=float), size).copy()
    return array if number is float else np.array([number(value) for value in array.tolist()], dtype=object)


def soft(x: Floats, threshold: float) -> Floats:
    """Each entry moved towards zero by the threshold, and not across it."""
    moved: Floats = np.sign(x) * np.maximum(np.abs(x) - threshold, 0.0)
    return moved
