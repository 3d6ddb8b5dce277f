"""The server's end of a Dual lab that the visitor's browser solves: what it is handed and hands back."""

import math

import numpy as np

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import lent
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import TEXTS
from workbench.pages.dual_lab.snapshot import snapshot

# Larger data are solved here: they would keep the network busy for longer than a visitor waits.
MOST_BYTES = 8e6
ROW = ("step", "epoch", "primal", "dual", "gap", "relative_gap")


class ServedRun(lent.LentRun):
    """The engine in the browser, and the figures that it draws into."""

    _esm = lent.script(
        ("dual_lab/frame", "dual_lab/figures", "dual_lab/served"),
        f"const MOST_EPOCHS = {dual_lab.MOST_EPOCHS};",
    )


class Lent(lent.Lent):
    """What a Dual lab lends to the browser.

    Parameters
    ----------
    page : DualLabPage
    """

    slider = "lam"

    def __init__(self, page):
        super().__init__(page, ServedRun(None, ids=page.shared.ids(), texts=TEXTS))

    def suits(self, lab):
        """Whether a lab is one configuration of data that stay.

        Points that are moved by hand begin where those before them stood, and two configurations are drawn
        together: both stay with the server.
        """
        return not lab.settings["compare"] and lab.settings["source"] != dual_lab.PLANE

    def key(self, lab):
        return key(lab)

    def data(self, lab):
        return data(lab)

    def terms(self, lab):
        return lent.printed_terms(lab.run.problem)

    def message(self, lab, terms):
        return begin(lab, terms, self.page.model.tolerance)

    def frame(self, lab):
        return snapshot(lab)


def key(lab):
    """What tells the data of one lab from those of another."""
    return f"{lab.settings['source']} {lab.run.problem.embed}"


def data(lab):
    """The message with the data of a lab; None where they do not run in the browser, or are too large."""
    settings, problem = lab.settings, lab.run.problem
    try:
        samples = bundle.data(problem)
    except InputError:
        return None
    test = dual_lab.held_out(dual_lab.dataset(settings))
    arrays = [value for part in (samples, test or {}) for value in part.values() if hasattr(value, "nbytes")]
    if sum(array.nbytes for array in arrays) > MOST_BYTES:
        return None
    names = [str(name) for name in lab.names]
    constant = dual_lab.entry(settings["source"])[2] == "constant"
    return {
        "do": "data", "key": key(lab), "data": bundle.binary(samples), "test": bundle.binary(test),
        "names": names,
        "constant": constant, "embedded": bool(problem.embed),
    }  # fmt: skip


def begin(lab, facts, tolerance):
    """The message that hands a lab over, from its present step on."""
    run = lab.run
    rows = np.array([[row[name] for name in ROW] for row in run.along()], dtype=float)
    return {
        "do": "begin", "key": key(lab), **facts, "lam": run.problem.lam, "seed": run.seed,
        "solver": bundle.binary(bundle.solver_facts(run.solver)), "tolerance": tolerance, "at": run.steps,
        "rows": rows.ravel(),
    }  # fmt: skip


def take_back(run, report, tolerance):
    """Put a run where the browser's has come to rest, and certify it here.

    Parameters
    ----------
    run : Run
    report : dict
        Of the browser, see `lent.read`.
    tolerance : float
        The relative gap at which the run was to end.

    Raises
    ------
    InputError
        It is no report of this run, or its numbers are not those of the certificate made here.
    """
    step, alpha, event, rows = lent.read(run, report, ROW, dual_lab.MOST_EPOCHS * run.epoch_steps)
    if np.isfinite(alpha).all():
        lent.put(run, step, alpha, event)
    else:
        # An iterate that overflowed does so here after the same steps.
        run.state = run.solver.init(run.problem, seed=run.seed)
        run.step(min(step, dual_lab.MOST_EPOCHS * run.epoch_steps))
    reported = rows.pop()
    run.rows, run.status = rows, report["status"]
    found = run.record()
    size = max(run.problem.zero_value, *(abs(x) for x in (found.primal, found.dual) if math.isfinite(x)))
    early = run.status == "converged" and found.relative_gap > tolerance * (1.0 + 1e-6)
    lent.check(step, found, reported, size, early)
