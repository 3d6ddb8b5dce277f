"""Sums of Fenchel-Young terms: never negative, and honest about rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    from workbench._support.annotations import Floats


# p(u) + q(v) - uv is computed from three rounded parts by two rounded additions; eight units in the
# last place of the largest part leave room for elementary functions that are off by one or two.
ROUNDING_UNITS = 8.0
# A square that underflows and is multiplied by a weight has an absolute error; below this size its units
# say nothing.
SMALLEST_PART = 1e-280
# Weights are on a simplex or in a ball but for this share of its size.
ON_THE_SET = 1e-9
# A sum of dual variables below this share of their size is zero but for rounding.
BALANCED = 1e-12


@dataclass(frozen=True)
class Bracket:
    """A sum of Fenchel-Young terms.

    Attributes
    ----------
    terms : ndarray (m,)
        The terms, rounding below zero removed.
    value : float
        The primal part of the sum: f or g alone.
    units : float
        How far the most negative term lay below zero, in units in the last place of its largest part.
    """

    terms: Floats
    value: float
    units: float = 0.0

    @classmethod
    def checked(cls, terms: Floats, value: float, units: float) -> Self:
        """Build the bracket of terms whose rounding below zero, at most `units`, is removed already."""
        if units > ROUNDING_UNITS:
            raise ArithmeticError(
                f"a Fenchel-Young term is {units:.0f} units in the last place below zero: "
                "a formula or its conjugate is wrong"
            )
        return cls(terms, float(value), units)

    @property
    def sum(self) -> float:
        return float(self.terms.sum())
