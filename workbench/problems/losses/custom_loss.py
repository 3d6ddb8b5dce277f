"""A custom loss: its text is parsed, derived and compiled when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench._support.errors import InputError
from workbench.problems.custom_term import CustomTerm
from workbench.problems.losses.base import Loss, LossRow, scalar_signature

if TYPE_CHECKING:
    from workbench._support.annotations import Scalar
    from workbench.problems.losses.base import LossFacts, LossRow


KINDS = ("margin", "residual", "prediction")


@dataclass(frozen=True)
class Custom(CustomTerm[LossRow], Loss):
    """A custom loss, see `custom`; it is its text and nothing else."""

    text: str
    argument: str
    domain: str | None = None
    values: tuple[tuple[str, float], ...] = ()
    term: ClassVar[str] = "loss"

    @property
    def identity(self) -> tuple[object, ...]:
        return self.text, self.argument, self.domain, self.values

    def facts(self) -> LossFacts:
        facts: LossFacts = self.module.custom_facts([])
        return facts

    def scalar(self, part: str) -> Scalar:
        return self.compiled(part, scalar_signature(part))


def custom(
    text: str,
    kind: str,
    domain: str | None = None,
    parameters: dict[str, float] | None = None,
    **values: float,
) -> Custom:
    """Define a loss by its formula: its conjugate is derived, checked and compiled for every solver.

    Parameters
    ----------
    text : str
        A convex function of one variable: "max(0, 1 - u)**3 / 3".
    kind : {"margin", "residual", "prediction"}
        What its variable is: y z, z - y or z.
    domain : str, optional
        Where it is finite, as in `workbench.conjugate`: "0" with "u >= 1" and the kind "margin" is the hard
        margin, with "u == 0" and "residual" interpolation. Weights with a finite loss may not exist: then
        `solve` ends as "infeasible" and gives `Solution.ray`, which proves it.
    parameters : dict of str to float, optional
        Numbers for the other names in the text.
    **values : float
        The same as keywords: t=0.5.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is not a formula, or the function is not convex.

    Examples
    --------
    >>> import workbench as wb
    >>> cubic = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
    >>> wb.solve(wb.Problem([[1.0], [-2.0]], [1, -1], cubic, lam=0.1), tol=1e-6).status
    'converged'
    """
    if kind not in KINDS:
        raise InputError(f"custom loss: kind = {kind!r} is not known; use one of {', '.join(KINDS)}")
    from workbench.kernels.custom_functions import made

    return made("custom loss", lambda numbers: Custom(text, str(kind), domain, numbers), parameters, values)
