"""One erratum, and the sheet on which the errata of one source are collected."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Erratum:
    """A place where a source is wrong.

    Attributes
    ----------
    source, where : str
        The source and the place in it.
    printed, corrected : str
        LaTeX in math mode, words within ``\\text``.
    counterexample : str
        The instance, the value by the formula as printed and the true one, written from `check`.
    cause : str
        "print" or "transcription", whichever is likelier, and why.
    check : callable
        ``check()`` gives the value as printed, the value as corrected and the true value, the last
        computed without either formula.
    """

    source: str
    where: str
    printed: str
    corrected: str
    counterexample: str
    cause: str
    check: Callable[[], tuple[float, float, float]] = field(repr=False, compare=False)


def shown(value):
    """A number as a counterexample shows it: six digits, what is below 1e-9 as 0."""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return "0" if abs(value) < 1e-9 else f"{value:.6g}"


class Sheet:
    """The errata of one source, in the order in which they are written down."""

    def __init__(self, source):
        self.source = source
        self._lines = []

    def wrong(self, where, *, printed, corrected, says, cause):
        """Decorator that puts a check on the sheet.

        `says` has {printed}, {corrected} and {truth} to fill in.
        """

        def put_down(check):
            self._lines.append((where, printed, corrected, says, cause, check))
            return check

        return put_down

    def entries(self):
        """The errata, their sentences filled in with what the checks compute now."""
        return tuple(self._entry(*line) for line in self._lines)

    def _entry(self, where, printed, corrected, says, cause, check):
        names = ("printed", "corrected", "truth")
        numbers = {name: shown(value) for name, value in zip(names, check(), strict=True)}
        return Erratum(self.source, where, printed, corrected, says.format(**numbers), cause, check)
