"""Where the sources are wrong: each place with the correction and a counterexample that runs.

Every formula of the four sources that the workbench builds on was derived again. What is listed here
failed; each entry carries a check that computes the value by the formula as printed, the value by the
correction, and the true value by a road of its own (a supremum by search, a slope by differences, a
direct minimization), and its sentence is written from those numbers.
"""

import functools

from workbench.convex.errata.entry import Erratum

__all__ = ["Erratum", "errata"]


@functools.cache
def errata():
    """All errata, source by source; their checks run once, in about a quarter of a second.

    Returns
    -------
    tuple of Erratum
    """
    from workbench.convex.errata import list_gaps, spams, zhang, zhu_proofs, zhu_solver

    sheets = (zhang.SHEET, list_gaps.SHEET, zhu_solver.SHEET, zhu_proofs.SHEET, spams.SHEET)
    return tuple(entry for sheet in sheets for entry in sheet.entries())
