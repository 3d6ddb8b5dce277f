"""A custom regularizer: its text is parsed, derived and compiled when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from workbench.problems.custom_term import CustomTerm
from workbench.problems.regularizers.base import Regularizer, RegularizerRow

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Scalar
    from workbench.problems.regularizers.base import RegularizerFacts, RegularizerRow

# Halvings of a bracket, to the rounding of its middle.
HALVINGS = 100


@dataclass(frozen=True)
class Custom(CustomTerm[RegularizerRow], Regularizer):
    """A custom regularizer, summed over the coordinates, see `custom`; it is its text alone."""

    text: str
    domain: str | None = None
    values: tuple[tuple[str, float], ...] = ()
    term: ClassVar[str] = "regularizer"

    @property
    def identity(self) -> tuple[object, ...]:
        return self.text, self.domain, self.values

    def facts(self) -> RegularizerFacts:
        facts: RegularizerFacts = self.module.custom_facts([self.row["neutral_scale"]])
        return facts

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
        low, high = self.entry["lower"], self.entry["upper"]
        # w+ lies between a and b: g(w+) + g(w+ - w) is convex, and least where its slope changes sign.
        a, b = np.maximum(low, low + w), np.minimum(high, high + w)
        middle, reach = np.clip(0.5 * w, a, b), np.ones_like(w)
        while (open_ends := np.isinf(a) | np.isinf(b)).any():
            for end, side in ((a, -1.0), (b, 1.0)):
                tried = middle + side * reach
                beyond = np.isinf(end) & ~(side * self._slope_of_halves(tried, w) < 0.0)
                end[beyond] = tried[beyond]
            reach[open_ends] *= 2.0
        for _ in range(HALVINGS):
            middle = 0.5 * (a + b)
            rises = self._slope_of_halves(middle, w) > 0.0
            a, b = np.where(rises, a, middle), np.where(rises, middle, b)
        minus = middle - w
        nearest = np.clip(minus, low, high)
        # The difference may round to beyond the end of the domain.
        return middle, np.where(np.abs(minus - nearest) <= 2.0**-52 * np.abs(w), nearest, minus)

    def _slope_of_halves(self, plus: Floats, w: Floats) -> Floats:
        from workbench.kernels import summand_loops

        scalars = self.function("primal"), self.function("primal_slope")
        transfer, (upper, lower) = self.at(w.shape[0]), np.empty((2, *w.shape))
        for half, slopes in ((plus, upper), (plus - w, lower)):
            summand_loops.values()(*scalars, half, transfer.weights, transfer.theta, slopes)
        slope: Floats = upper + lower
        return slope

    def function(self, part: str) -> Scalar:
        return self.compiled(part, self._signature(part))


def custom(
    text: str, domain: str | None = None, parameters: dict[str, float] | None = None, **values: float
) -> Custom:
    """Define a regularizer sum_j psi(w_j) by its formula: its conjugate is derived, checked and compiled.

    Parameters
    ----------
    text : str
        A strictly convex function of one variable whose conjugate is finite everywhere: "cosh(u) - 1".
    domain : str, optional
        As in `workbench.conjugate`: the whole line or "u >= 0".
    parameters : dict of str to float, optional
        Numbers for the other names in the text.
    **values : float
        The same as keywords: c=0.5.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is not a formula, or the function is not convex.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.custom("cosh(u) - 1").at(1).map(np.array([np.sinh(2.0)]))
    >>> w
    array([2.])
    """
    from workbench.kernels.custom_functions import made

    return made("custom regularizer", lambda numbers: Custom(text, domain, numbers), parameters, values)
