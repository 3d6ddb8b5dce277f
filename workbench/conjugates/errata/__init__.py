"""Errors in the sources: places with the correction and a counterexample that runs.

Every formula of the four sources that the workbench builds on was derived again. What is listed here
failed, as a misprint of the source or as a slip of our own transcription, which is not a fault of its author;
each entry carries a check that computes the value by the formula as printed, the value by the
correction, and the true value by a road of its own (a supremum by search, a slope by differences, a
direct minimization), and its sentence is written from those numbers.
"""

from __future__ import annotations

import functools

from workbench._support.errors import InputError
from workbench.conjugates.errata.entry import CAUSES, Erratum

__all__ = ["CAUSES", "Erratum", "errata"]


def errata(cause: str | None = None) -> tuple[Erratum, ...]:
    """Return the errata, source by source; their checks run once, in about a quarter of a second.

    Parameters
    ----------
    cause : {"misprint", "transcription"}, optional
        Only the misprints of the sources, or only the slips of our transcription; by default both.

    Returns
    -------
    tuple of Erratum

    Raises
    ------
    InputError
        The cause is neither of the two.

    Examples
    --------
    >>> import workbench as wb
    >>> erratum = wb.errata()[0]
    >>> erratum.source, erratum.cause
    ('Zhang (2002)', 'misprint')
    """
    if cause is None:
        return _all()
    if cause not in CAUSES:
        raise InputError(f"cause: {cause!r} is unknown; expected one of {', '.join(CAUSES)}")
    return tuple(entry for entry in _all() if entry.cause == cause)


@functools.cache
def _all() -> tuple[Erratum, ...]:
    from workbench.conjugates.errata import list_gaps, spams, zhang, zhu_proofs, zhu_solver

    sheets = (zhang.SHEET, list_gaps.SHEET, zhu_solver.SHEET, zhu_proofs.SHEET, spams.SHEET)
    return tuple(entry for sheet in sheets for entry in sheet.entries())
