"""One erratum, and the sheet on which the errata of one source are collected.

The sources were read as text files made from the printed pages. What is wrong there is either a misprint,
which is the author's or the printer's, or a slip of that transcription, which is ours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

# The two causes, as a heading names them.
CAUSES = {"misprint": "Misprint", "transcription": "Slip in our transcription"}


@dataclass(frozen=True)
class Erratum:
    r"""A place where a source is wrong, or our transcription of it.

    Attributes
    ----------
    source, where : str
        The source and the place in it.
    printed, corrected : str
        LaTeX in math mode, words within ``\text``. Of a slip, `printed` is what our text has, and the
        printed page most likely has `corrected`.
    counterexample : str
        The instance, the value by the formula as printed and the true one, written from `check`.
    cause : str
        "misprint" or "transcription", whichever is likelier.
    reason : str
        What went wrong, and what speaks for that cause.
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
    reason: str
    check: Callable[[], tuple[float, float, float]] = field(repr=False, compare=False)

    def _repr_html_(self):
        from workbench._support.display import cards

        return cards.erratum(self)

    def __repr__(self):
        return f"Erratum({self.source!r}, {self.where!r}, {self.cause})"


def as_text(value):
    """Return a number as a counterexample shows it: six digits, what is below 1e-9 as 0."""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return "0" if abs(value) < 1e-9 else f"{value:.6g}"


class Sheet:
    """The errata of one source, in the order in which they are written down."""

    def __init__(self, source):
        self.source = source
        self._lines = []

    def wrong(self, where, *, printed, corrected, says, cause, reason):
        """Return a decorator that puts a check on the sheet.

        `says` has {printed}, {corrected} and {truth} to fill in; `cause` is a key of `CAUSES`.
        """
        if cause not in CAUSES:
            raise ValueError(f"cause: {cause!r} is unknown; expected one of {', '.join(CAUSES)}")

        def put_down(check):
            self._lines.append((where, printed, corrected, says, cause, reason, check))
            return check

        return put_down

    def entries(self) -> "tuple[Erratum, ...]":
        """Return the errata, their sentences filled in with what the checks compute now."""
        return tuple(self._entry(*line) for line in self._lines)

    def _entry(self, where, printed, corrected, says, cause, reason, check):
        names = ("printed", "corrected", "truth")
        numbers = {name: as_text(value) for name, value in zip(names, check(), strict=True)}
        says = says.format(**numbers)
        return Erratum(self.source, where, printed, corrected, says, cause, reason, check)
