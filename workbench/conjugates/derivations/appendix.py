"""`wb.appendix_e()`: Zhang's table as in `convex.appendix_e`, with a word while a line is derived."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workbench._support.display.progress import waiting
from workbench.conjugates.convex import appendix_e as table


class Entry(table.Entry):
    """A line of the table; deriving it takes seconds, of which a terminal says what is being done."""

    @cached_property
    def cases(self) -> Any:
        with waiting(f"Appendix E, {self.number}: deriving {self.title}"):
            return self.derive()

    @cached_property
    def verification(self) -> Any:
        with waiting(f"Appendix E, {self.number}: proving {self.title}"):
            return super().verification


def appendix_e() -> tuple[Entry, ...]:
    """Return the ten entries and the closing rule of Appendix E; nothing is derived before it is asked for.

    Examples
    --------
    >>> import workbench as wb
    >>> [entry.title for entry in wb.appendix_e()][:3]
    ['Quadratic form', 'Power of a norm', 'Unnormalized entropy']
    """
    return tuple(Entry(*line) for line in table.LINES)
