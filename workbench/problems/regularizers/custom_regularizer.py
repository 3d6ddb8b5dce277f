"""A custom regularizer: its text is parsed, derived and compiled when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench.problems.custom_term import CustomTerm
from workbench.problems.regularizers.base import Regularizer, RegularizerRow

if TYPE_CHECKING:
    from workbench._support.annotations import Scalar
    from workbench.problems.regularizers.base import RegularizerFacts, RegularizerRow


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
