"""A loss or regularizer that is its text: parsed, derived, printed and compiled when it is made."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from types import ModuleType

    from workbench._support.annotations import Scalar

Row = TypeVar("Row")


class CustomTerm(Generic[Row]):
    """The base of such terms; a subclass is a frozen dataclass of its text, and has `facts`."""

    name: ClassVar[str] = "custom"
    # The kind of term whose functions are printed, see `workbench.kernels.custom_functions.module`.
    term: ClassVar[str]

    @property
    @abc.abstractmethod
    def identity(self) -> tuple[object, ...]:
        """The text, and what else tells the term from others of its kind."""

    @property
    def key(self) -> str:
        return f"{self.name}:{self.identity!r}"

    @property
    def module(self) -> ModuleType:
        """The generated functions."""
        from workbench.kernels import custom_functions

        module: ModuleType = custom_functions.module(self.term, *self.identity)
        return module

    @property
    def row(self) -> Row:
        row: Row = self.module.ENTRY
        return row

    def formula(self, part: str) -> Scalar:
        formula: Scalar = getattr(self.module, f"custom_{part}")
        return formula

    def compiled(self, part: str, signature: object) -> Scalar:
        """Return one of the generated functions, compiled for a signature."""
        from workbench.kernels import custom_functions

        compiled: Scalar = custom_functions.compiled(self.module, part, signature)
        return compiled
