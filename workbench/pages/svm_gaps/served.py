"""The server's end of the page on SVM gaps whose runs the visitor's browser does."""

import numpy as np

from workbench.browser import bundle
from workbench.data.examples.plane import MOST_POINTS
from workbench.errors import InputError
from workbench.pages import lent
from workbench.pages.ranges import thinned
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.solvers import MaximalViolatingPair

ROW = svm_gaps.Row._fields
# What one problem has in common with all others.
KEY = "points"


class ServedPairs(lent.LentRun):
    """The engine in the browser, and the figures that it draws into."""

    _esm = lent.script(
        ("plane_hand", "svm_gaps/gap", "svm_gaps/figures", "svm_gaps/run", "svm_gaps/served"),
    )


class Lent(lent.Lent):
    """What a page on SVM gaps lends to the browser; the points are edited there, too.

    Parameters
    ----------
    page : SvmGapsPage
    """

    def __init__(self, page):
        ids, texts = page.shared.ids(), svm_gaps.WORDING.texts
        super().__init__(page, ServedPairs(None, ids=ids, texts=texts))

    def hear(self, message):
        if isinstance(message.get("points"), str):
            self.page.edited(message["points"], message.get("full") is True)
        else:
            super().hear(message)

    def hands(self):
        """Tell the browser what a hand in the plane does now."""
        self.part.send({"do": "take_hands", "hands": hands(self.page.model)})

    def suits(self, lab):
        """Whether the points stand still: a point that is held here is followed here."""
        return not lab.settings["moving"]

    def key(self, lab):
        return KEY

    def data(self, lab):
        drawing = self.page.drawing
        return data(lab) | {"plane": drawing.figures["plane"].id, "looks": drawing.looks()}

    def terms(self, lab):
        return {}

    def message(self, lab, terms):
        return begin(lab, self.page.model)

    def frame(self, lab):
        return None


def hands(model):
    """What a hand in the plane does."""
    return {"adds": model.adds, "brush": model.brush}


def data(lab):
    """The message with what all problems have in common."""
    solver = bundle.solver_facts(MaximalViolatingPair(tol=0.0, shrinking=False))
    return {
        "do": "data", "key": KEY, "problem": bundle.facts(lab.run.problem), "solver": bundle.binary(solver),
        "grid": svm_gaps.GRID, "most": MOST_POINTS,
    }  # fmt: skip


def begin(lab, model):
    """The message that hands a lab over, from its present step on."""
    X, y, kernel = lab.X, lab.y, svm_gaps.kernel(lab.settings)[0]
    facts = {"code": kernel.code, "parameters": kernel.parameters(X.shape[1])}
    return {
        "do": "begin", "key": KEY, "X": X.ravel(), "y": y, "C": lab.settings["cost"],
        "kernel": bundle.binary(facts), "selection": lab.settings["selection"], "hands": hands(model),
        "tolerance": model.tolerance, "rows": np.array(lab.rows, dtype=float)[thinned(len(lab.rows))].ravel(),
    }  # fmt: skip


def take_back(lab, report, tolerance):
    """Put a lab where the browser's has come to rest, and certify it here.

    Parameters
    ----------
    lab : Lab
    report : dict
        Of the browser, see `lent.read`.
    tolerance : float
        The violation at which the run was to end.

    Raises
    ------
    InputError
        It is no report of this run, or its numbers are not those of the gap computed here.
    """
    step, alpha, event, rows = lent.read(lab.run, report, ROW, svm_gaps.MOST_STEPS)
    if not np.isfinite(alpha).all():
        raise InputError(lent.NO_REPORT)
    lent.put(lab.run, step, alpha, event)
    reported = rows.pop()
    lab.rows[:] = [svm_gaps.Row(**row) for row in rows]
    lab.run.status = report["status"]
    found, size = svm_gaps.record(lab), lab.settings["cost"] * lab.y.size
    early = lab.run.status == "converged" and lab.rows[-1].violation > tolerance + lent.AGREES
    lent.check(step, found, reported, size, early)
