"""The server's end of the page of inverse time whose runs the visitor's browser does."""

import json

import numpy as np

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import lent
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.captions import WORDING

ROW = ("step", "epoch", "primal", "dual", "gap", "relative_gap", "test_score")
LAST = ("last", "last_gap")


class ServedPaced(lent.LentRun):
    """The engine in the browser, and the figures that it draws into."""

    _esm = lent.script(
        ("kept_rows", "inverse_time/figures", "inverse_time/run", "inverse_time/served"),
        f"const OWN_WORKER = {json.dumps(training_sets.worker())};",
    )


class Lent(lent.Lent):
    """What a page of inverse time lends to the browser: its one run.

    The sweep stays here: it compares the times of PGS with those of L-BFGS, which is not printed, and times
    compare on one machine alone.

    Parameters
    ----------
    page : InverseTimePage
    """

    slider = "lam"

    def __init__(self, page):
        super().__init__(page, ServedPaced(None, ids=page.shared.ids(), texts=WORDING.texts))

    def suits(self, lab):
        return True

    def key(self, lab):
        return lab.settings["source"]

    def data(self, lab):
        return data(lab)

    def terms(self, lab):
        return training_sets.terms(lab.settings["source"], lab.settings["p"])

    def message(self, lab, terms):
        return begin(lab, terms, self.page.model.tolerance)

    def frame(self, lab):
        return None


def data(lab):
    """The message with what the training sets of a source are drawn from; the browser draws them itself."""
    source = lab.settings["source"]
    return {
        "do": "data", "key": source, "people": bundle.binary(training_sets.people(source)),
        "problem": bundle.facts(training_sets.small_problem(source)),
    }  # fmt: skip


def begin(lab, terms, tolerance):
    """The message that hands a lab over, from its present step on."""
    run, settings = lab.run, lab.settings
    source, seed, m = (settings[name] for name in ("source", "seed", "samples"))
    certified = np.array([[row[name] for name in ROW] for row in run.along()], dtype=float)
    return {
        "do": "begin", "key": source, **bundle.binary(terms), "lam": run.problem.lam, "seed": seed, "m": m,
        "sets": training_sets.drawn(source, [(seed, m)]), "L": lab.constants.L, "epoch": run.epoch_steps,
        "solver": bundle.binary(bundle.solver_facts(run.solver)), "tolerance": tolerance,
        "at": run.steps, "rows": np.column_stack([certified, run.along("lasts")]).ravel(),
    }  # fmt: skip


def take_back(lab, report, tolerance):
    """Put a lab where the browser's has come to rest, and certify both of its iterates here.

    Parameters
    ----------
    lab : Lab
    report : dict
        Of the browser, see `lent.read`; its "point" is the averaged iterate (D,), the last one (D,) and the
        dual variables (n,).
    tolerance : float
        The relative gap at which the run was to end.

    Raises
    ------
    InputError
        It is no report of this run, or its numbers are not those of the certificates made here.
    """
    run, (n, D) = lab.run, lab.run.problem.rows.shape
    most = inverse_time.MOST_STEPS
    step, point, _, rows = lent.read(run, report, (*ROW, *LAST), most, "point", 2 * D + n)
    if not np.isfinite(point).all():
        raise InputError(lent.NO_REPORT)
    reported = rows.pop()
    run.rows = [{name: row[name] for name in ROW} for row in rows]
    run.lasts = [tuple(row[name] for name in LAST) for row in rows]
    run.status = report["status"]
    found, last = run.arrive(step, *np.split(point, [D, 2 * D]))
    size = max(run.problem.zero_value, abs(found.primal), abs(found.dual), abs(last.primal))
    early = run.status == "converged" and found.relative_gap > tolerance * (1.0 + 1e-6)
    lent.check(step, found, reported, size, early)
    theirs = {"primal": reported["last"], "dual": reported["dual"], "gap": reported["last_gap"]}
    lent.check(step, last, theirs, size, early=False)
