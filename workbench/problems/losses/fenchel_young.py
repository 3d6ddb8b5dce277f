"""Fenchel-Young losses: the loss of r classes that a convex function on the simplex makes.

    L(z; y) = Omega*(z) + Omega(e_y) - z_y,    Omega(p) = sum_j phi(p_j) on the simplex

The prediction is p = grad Omega*(z) and the slope p - e_y; the loss is the Fenchel-Young gap of e_y and z.
With phi* the conjugate of phi on [0, 1], every m bounds Omega*(z) <= m + sum_j phi*(z_j - m), with equality
at the multiplier m of sum p = 1: so a term is computed as a sum of scalar Fenchel-Young terms, and an m that
is off makes a certificate larger and never too small.

Source       Blondel, Martins and Niculae (2020), "Learning with Fenchel-Young losses", JMLR 21;
             docs/mathematics.md, section 9
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError, shown
from workbench._support.names import check_known, check_number, numbers
from workbench.problems.custom_term import CustomTerm
from workbench.problems.losses.base import LossRow, scalar_signature
from workbench.problems.losses.simplex import Local, SimplexLoss, hot

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Integers, Scalar
    from workbench.problems.losses.base import LossFacts, LossRow


# phi by the name of its prediction, and the numbers for its other names that are taken where none are given.
# Tsallis' entropies of exponent 1 and 2 are those of Shannon and Gini.
LISTED = {
    "softmax": ("u*log(u)", {}),
    "sparsemax": ("(u**2 - u)/2", {}),
    "entmax": ("(u**alpha - u)/(alpha*(alpha - 1))", {"alpha": 1.5}),
}
# The first distance at which the sum of the shares is tested against 1, as a share of the multiplier's size.
FIRST_TEST = 2.0**-50


class Multiplier(NamedTuple):
    """The m of sum_j p_j = 1 for a row of predictions: the sum is 1 or more at `low`, at most 1 at `high`."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class FenchelYoung(CustomTerm[LossRow], SimplexLoss):
    """The loss of a phi, see `fenchel_young`; it is its text and nothing else."""

    text: str
    values_of: tuple[tuple[str, float], ...] = ()
    classes: float | None = None
    name: ClassVar[str] = "fenchel-young"
    term: ClassVar[str] = "fenchel_young"

    @property
    def identity(self) -> tuple[object, ...]:
        return self.text, self.values_of

    @property
    def choice(self) -> tuple[str, dict[str, float]]:
        """The listed name of phi with the numbers that differ from its own; (`name`, {}) for another phi."""
        for name, (text, defaults) in LISTED.items():
            if text == self.text:
                return name, {key: x for key, x in self.values_of if x != defaults[key]}
        return self.name, {}

    def facts(self) -> LossFacts:
        """Those that were derived of phi."""
        own = self.module.custom_facts([])
        return self.simplex_facts(own["curvature"], own["smoothness"])

    def scalar(self, part: str) -> Scalar:
        from workbench.kernels import simplex_loops

        return self.compiled(part, simplex_loops.SHARES if part == "shares" else scalar_signature(part))

    def predict(self, z: Floats) -> Floats:
        """Return grad Omega*(z) (n, r), or (r,) for one row of predictions."""
        return self.probabilities_and_curvature(np.atleast_2d(z))[0].reshape(np.shape(z))

    def multiplier(self, z: Floats) -> Multiplier:
        """Bracket the multiplier of the simplex constraint for one row z (r,), by the sign of the sum."""
        _, arguments, _ = self._arguments(np.asarray(z, dtype=float)[None, :])
        # Of the largest of them, whose argument rounds least.
        top = int(np.argmax(z))
        m, width = float(z[top] - arguments[0, top]), FIRST_TEST * max(1.0, float(np.abs(z).max()))
        slope, theta = self.scalar("slope"), self.theta
        while True:
            low, high = m - width, m + width
            above, below = (
                sum(slope(float(prediction) - place, theta) for prediction in z) for place in (low, high)
            )
            if above >= 1.0 >= below:
                return Multiplier(m, low, high)
            width *= 2.0

    def zero_value(self, classes: int) -> float:
        """L(0; y)."""
        return float(self.values(np.zeros((1, classes)), np.zeros(1, dtype=np.int64))[0])

    def probabilities_and_curvature(self, z: Floats) -> tuple[Floats, Floats]:
        """Return the predictions p (n, r) at z and the curvatures s (n, r) of the module's docstring."""
        p, _, bend = self._arguments(z)
        return p, bend

    def local(self, z: Floats, labels: Integers) -> Local:
        """Compute the losses at predictions z (n, r)."""
        p, arguments, bend = self._arguments(z)
        return Local(self._terms(arguments, hot(labels, z.shape[1]))[0], p, bend)

    def young(self, z: Floats, p: Floats) -> tuple[Floats, float]:
        """Omega*(z) + Omega(p) - z.p, (n,), and its rounding below zero in units."""
        _, arguments, _ = self._arguments(z)
        terms, units = self._terms(arguments, p)
        if units > 0.0:
            units = min(units, self.rounding(arguments.ravel(), np.clip(p, 0.0, 1.0).ravel()))
        return terms, units

    def entropies(self, p: Floats) -> Floats:
        """Omega(p) - Omega(e_y), (n,); infinite outside the simplex."""
        from workbench.kernels import simplex_loops

        at_zero, at_one = self.row["corners"]
        # The rounding of e_y - alpha / c carries an entry past 1, by no more than this.
        inside = np.where(p <= 1.0 + 4e-16, np.minimum(p, 1.0), p)
        sums = np.empty(p.shape[0])
        simplex_loops.sums()(self.scalar("conjugate"), self.theta, np.ascontiguousarray(inside), sums)
        entropies: Floats = sums - (at_one + (p.shape[1] - 1) * at_zero)
        return entropies

    def _arguments(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """p, the arguments z_j - m of phi*, and phi*'' there, (n, r) each."""
        from workbench.kernels import simplex_loops

        z = np.ascontiguousarray(z, dtype=float)
        p, arguments, bend = np.empty((3, *z.shape))
        flat = np.zeros(z.shape[1])
        kernel, scalars = simplex_loops.look(), (self.scalar("shares"), self.scalar("curvature"))
        kernel(*scalars, self.theta, z, flat, p, arguments, bend)
        return p, arguments, bend

    def _terms(self, arguments: Floats, p: Floats) -> tuple[Floats, float]:
        from workbench.kernels import simplex_loops

        values = np.empty(p.shape[0])
        scalars = self.scalar("value"), self.scalar("conjugate")
        return values, simplex_loops.terms()(
            *scalars, self.theta, arguments, np.ascontiguousarray(p, dtype=float), values
        )


def fenchel_young(phi: str, classes: int | None = None, **values: float) -> FenchelYoung:
    """Define the loss of r classes that a convex function generates, derived, checked and compiled.

    Parameters
    ----------
    phi : str
        A strictly convex function of one variable, finite on [0, 1], as text: "u*log(u)"; or a name:
        "softmax", "sparsemax", or "entmax" with alpha = 1.5 or another positive number.
    classes : int, optional
        r; one more than the largest label where it is not given.
    **values : float
        Numbers for the other names in the text.

    Returns
    -------
    FenchelYoung
        As the loss of a `Problem` with labels 0, 1, ..., r - 1. `loss.predict(z)` is the prediction.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is not a formula, or the function is not convex on [0, 1].
    InputError
        The function is infinite somewhere on [0, 1], or a straight line in parts.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.losses.fenchel_young("sparsemax").predict(np.array([0.2, 0.9, -1.0]))
    array([0.15, 0.85, 0.  ])
    """
    if not isinstance(phi, str):
        raise InputError(f"fenchel_young: phi = {shown(phi)} is not text; write a formula such as 'u*log(u)'")
    text = phi.strip()
    if text.isidentifier() and len(text) > 1:
        check_known("fenchel_young: phi", LISTED, text)
    text, defaults = LISTED.get(text, (text, {}))
    theta = defaults | {name: check_number("fenchel_young", name, value) for name, value in values.items()}
    if text == LISTED["entmax"][0]:
        text, theta = _tsallis(theta)
    loss = FenchelYoung(text, tuple(sorted(theta.items())), classes)
    _ = loss.entry  # a fault of the text shows here and not in the middle of a solve
    return loss


def from_text(name: str, text: str) -> FenchelYoung:
    """Build the loss of a listed name with its parameters as text: "entmax", "alpha=1.2"."""
    return fenchel_young(name, None, **numbers("loss", name, list(LISTED[name][1]), text))


def _tsallis(parameters: dict[str, float]) -> tuple[str, dict[str, float]]:
    """Return the formula of Tsallis' entropy, which is Shannon's in the limit alpha = 1."""
    check_number("fenchel_young", "alpha", parameters["alpha"], above=0.0)
    return LISTED["softmax"] if parameters["alpha"] == 1.0 else (LISTED["entmax"][0], parameters)
