"""The server's end of the page of norms whose runs the visitor's browser does."""

import json
from pathlib import Path

import numpy as np

from workbench.browser import bundle
from workbench.pages import lent
from workbench.pages.norms import model as norms
from workbench.pages.norms.captions import WORDING

# What the worker does beyond the messages of every page.
WORKER = (Path(__file__).parent / "worker.js").read_text(encoding="utf-8")
CERTIFIED = ("step", "primal", "dual", "gap", "relative_gap")
GAPS = ("raw", "repaired", "better", "dual_norm", "scaling")
ROW = CERTIFIED + GAPS
# What a run goes on from, in the order of the solver's state.
STATE = ("w", "before", "extrapolated", "b", "numbers")


class ServedNorms(lent.LentRun):
    """The engine in the browser, and the figures that it draws into."""

    _esm = lent.script(
        ("kept_rows", "norms/figures", "norms/run", "norms/served"),
        f"const WORKER = {json.dumps(chr(10) + WORKER)};",
    )


class Lent(lent.Lent):
    """What a page of norms lends to the browser.

    Parameters
    ----------
    page : NormsPage
    """

    def __init__(self, page):
        super().__init__(page, ServedNorms(None, ids=page.shared.ids(), texts=WORDING.texts))

    def look(self):
        """Tell the browser what is looked at now."""
        self.part.send({"do": "look", "looked": looked(self.page.model)})

    def suits(self, lab):
        """Whether the browser can play it; `terms` says of which regularizers it cannot."""
        return True

    def key(self, lab):
        return key(lab)

    def data(self, lab):
        return data(lab) | {"colours": self.page.drawing.colours}

    def terms(self, lab):
        return terms(lab)

    def message(self, lab, terms):
        return begin(lab, terms, self.page.model)

    def frame(self, lab):
        return None


def looked(model):
    """What of a run is looked at."""
    return {name: getattr(model, name) for name in norms.VIEWS}


def key(lab):
    """What tells the data of one lab from those of another."""
    return f"{lab.settings['source']} {lab.settings['intercept']}"


def data(lab):
    """The message with the data of a lab."""
    found = lab.found
    return {
        "do": "data", "key": key(lab), "data": bundle.binary(bundle.data(lab.run.problem, spectrum=True)),
        "names": [str(name) for name in found.names], "groups": found.groups,
        "group_names": [str(name) for name in found.group_names],
    }  # fmt: skip


def terms(lab):
    """The facts of a lab's loss and regularizer for the engine; None where they are not printed."""
    found = lent.printed_terms(lab.run.problem)
    if found is None:
        return None
    # Proximal gradient steps ask for no bound of the curvature.
    return found | {"regularizer": found["regularizer"] | {"curvature": None}}


def begin(lab, facts, model):
    """The message that hands a lab over, from its present step on."""
    run, settings = lab.run, lab.settings
    rows = [
        [row[name] for name in CERTIFIED] + [getattr(gaps, name) for name in GAPS]
        for row, gaps in zip(run.along(), run.along("gaps"), strict=True)
    ]
    return {
        "do": "begin", "key": key(lab), **facts, "lam": run.problem.lam, "largest": lab.largest,
        "solver": bundle.binary(bundle.solver_facts(run.solver)), "tolerance": model.tolerance,
        "at": run.steps, "rows": np.array(rows, dtype=float).ravel(), "free": settings["intercept"],
        "looked": looked(model) | {name: settings[name] for name in ("intercept", "best")},
    }  # fmt: skip


def take_back(run, report, tolerance):
    """Put a run where the browser's has come to rest, and certify its weights here.

    Parameters
    ----------
    run : GapRun
    report : dict
        Of the browser, see `lent.read`; its point is the state that the run goes on from.
    tolerance : float
        The relative gap at which the run was to end.

    Raises
    ------
    InputError
        It is no report of this run, or its numbers are not those of the certificate made here.
    """
    parts = [getattr(run.state, name) for name in STATE]
    ends = np.cumsum([part.size for part in parts])
    step, state, event, rows = lent.read(run, report, ROW, norms.MOST_STEPS, "state", int(ends[-1]))
    lent.place(run, step, event, **dict(zip(STATE, np.split(state, ends[:-1]), strict=True)))
    reported = rows.pop()
    run.rows = [{name: row[name] for name in CERTIFIED} for row in rows]
    run.gaps = [norms.Gaps(**{name: row[name] for name in GAPS}, reason="") for row in rows]
    run.status = report["status"]
    found = run.record()
    run.stopping.begin(run)
    size = max(run.problem.zero_value, found.primal)
    early = run.status == "converged" and found.relative_gap > tolerance * (1.0 + 1e-6)
    lent.check(step, found, reported, size, early)
    # The raw gap is infinite or not by a unit in the last place, where a dual point lies on the edge.
    lent.check(step, run.gaps[-1], reported, size, early, ("repaired", "better"))
