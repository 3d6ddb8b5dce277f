"""A custom loss: its text is parsed, derived and compiled when it is made."""

from dataclasses import dataclass
from typing import ClassVar

from workbench._support.errors import InputError
from workbench.problems.losses.base import Loss

KINDS = ("margin", "residual", "prediction")


@dataclass(frozen=True)
class Custom(Loss):
    """A custom loss, see `custom`; it is its text and nothing else."""

    text: str
    argument: str
    domain: str | None = None
    values: tuple = ()
    name: ClassVar[str] = "custom"

    @property
    def key(self):
        return f"custom:{(self.text, self.argument, self.domain, self.values)!r}"

    @property
    def module(self):
        """The generated functions."""
        from workbench.kernels.custom_functions import module

        return module("loss", self.text, self.argument, self.domain, self.values)

    @property
    def row(self):
        return self.module.ENTRY

    def facts(self):
        return self.module.custom_facts([])

    def formula(self, part):
        return getattr(self.module, f"custom_{part}")

    def scalar(self, part):
        from workbench.kernels import compilation
        from workbench.kernels.custom_functions import compiled

        signature = compilation.COORDINATE if part == "coordinate" else compilation.SCALAR
        return compiled(self.module, part, signature)


def custom(
    text: str,
    kind: str,
    domain: str | None = None,
    parameters: dict[str, float] | None = None,
    **values: float,
) -> Custom:
    """A loss of your own: parsed, its conjugate derived and checked, compiled for every solver.

    Parameters
    ----------
    text : str
        A convex function of one variable, finite on the whole line: "max(0, 1 - u)**3 / 3".
    kind : {"margin", "residual", "prediction"}
        What its variable is: y z, z - y or z.
    domain : str, optional
        As in `workbench.conjugate`.
    parameters : dict of str to float, optional
        Numbers for the other names in the text.
    **values : float
        The same as keywords: t=0.5.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is no formula, or the function is not convex.

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
