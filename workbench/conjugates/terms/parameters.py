"""A parameter of a loss or a regularizer: what it may be, and its default, in one place."""

from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class Parameter:
    """A symbol that knows its sign, a condition such as "p > 1" that adds to it, and a default.

    Without a default the parameter must be given.
    """

    symbol: sp.Symbol
    condition: str = ""
    default: float | None = None

    @property
    def assumptions(self):
        """The texts that declare the parameter to `wb.conjugate`: its sign, then the condition."""
        signs = {"positive": self.symbol.is_positive, "nonnegative": self.symbol.is_nonnegative}
        sign = next((word for word, holds in signs.items() if holds), "real")
        return [sign, self.condition] if self.condition else [sign]


class Parametrized:
    """A term with a field `parameters`, in the order in which they reach compiled code."""

    parameters: tuple[Parameter, ...]

    @property
    def symbols(self):
        """The symbols of the parameters."""
        return tuple(parameter.symbol for parameter in self.parameters)

    @property
    def assumptions(self):
        """The assumptions of each parameter by name."""
        return {parameter.symbol.name: parameter.assumptions for parameter in self.parameters}
