"""The server's end of the page on biases whose runs the visitor's browser does."""

import json
from types import SimpleNamespace

import numpy as np

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import lent
from workbench.pages.bias import model as bias
from workbench.pages.bias.captions import SPOKEN
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.served import MOST_BYTES
from workbench.solvers.augmented_lagrangian import MU
from workbench.stopping import growing, is_growing

ROW = (
    "step", "epoch", "primal", "dual", "gap", "relative_gap", "fixed", "feasibility", "multiplier", "seen",
    "residual", "mu", "best", "outer",
)  # fmt: skip
# What the server computes itself of a state that is reported.
NUMBERS = (*lent.NUMBERS, "fixed")
CONSTANTS = {
    "MOST_EPOCHS": dual_lab.MOST_EPOCHS, "PROFILE": bias.PROFILE, "PARTS": bias.PARTS, "ROW": ROW,
    "MESSAGES": (lent.HERE / "bias" / "worker.js").read_text("utf-8"),
}  # fmt: skip


class ServedTracks(lent.LentRun):
    """The engines in the browser, and the figures that they draw into."""

    _esm = lent.script(
        ("bias/figures", "bias/run", "bias/served"),
        "".join(f"const {name} = {json.dumps(value)};\n" for name, value in CONSTANTS.items()),
    )


class Lent(lent.Lent):
    """What a page on biases lends to the browser.

    Parameters
    ----------
    page : BiasPage
    """

    def __init__(self, page):
        super().__init__(page, ServedTracks(None, ids=page.shared.ids(), texts=SPOKEN))

    def suits(self, lab):
        """Whether the constraint is that of a bias: no other has an engine in the browser."""
        is_quick = all(each.run.seconds <= lent.MOST_SECONDS for each in lab.pair)
        return lab.settings["constraint"] == bias.BIAS and is_quick

    def key(self, lab):
        return lab.settings["source"]

    def data(self, lab):
        return data(lab)

    def terms(self, lab):
        return lent.printed_terms(lab.run.problem)

    def message(self, lab, terms):
        return begin(lab, terms, self.page.model.tolerance)

    def frame(self, lab):
        return bias.snapshot(lab)


def data(lab):
    """The message with the data of a lab; None where they are too large."""
    samples = bundle.data(lab.run.problem)
    if sum(value.nbytes for value in samples.values() if isinstance(value, np.ndarray)) > MOST_BYTES:
        return None
    return {"do": "data", "key": lab.settings["source"], "data": lent.binary(samples)}


def begin(lab, facts, tolerance):
    """The message that hands a lab over, from its present step on."""
    run = lab.run
    return {
        "do": "begin", "key": lab.settings["source"], **facts, "lam": run.problem.lam, "seed": run.seed,
        "tolerance": tolerance, "runs": [_begun(each) for each in lab.pair],
    }  # fmt: skip


def _begun(lab):
    run = lab.run
    rows = np.array([[row[name] for name in ROW] for row in run.along()], dtype=float)
    end = run.status and {"step": run.steps, "status": run.status, "reason": bias.reason(run)}
    solver = lent.binary(bundle.solver_facts(run.solver))
    return {"algorithm": lab.algorithm, "solver": solver, "at": run.steps, "end": end, "rows": rows.ravel()}


def take_back(lab, report, tolerance):
    """Put the runs of a lab where the browser's have come to rest, and certify them here.

    Parameters
    ----------
    lab : Lab
    report : dict
        Of the browser: "runs", for each of the lab's what `lent.read` takes and "multiplier" (11,): s, its
        last step and the state's numbers.
    tolerance : float
        The relative gap at which the runs were to end.

    Raises
    ------
    InputError
        It is no report of these runs, or its numbers are not those of the certificates made here.
    """
    told = report.get("runs")
    fits = isinstance(told, list) and len(told) == len(lab.pair)
    if not (fits and all(isinstance(each, dict) for each in told)):
        raise InputError(lent.NO_REPORT)
    for each, one in zip(lab.pair, told, strict=True):
        _take_back(each.run, one, tolerance)


def _take_back(run, report, tolerance):
    step, alpha, event, rows = lent.read(run, report, ROW, dual_lab.MOST_EPOCHS * run.epoch_steps)
    multiplier = lent.floats(report, "multiplier")
    reported, first = rows.pop(), run.rows[0]["dual"]
    if multiplier.size != 2 + run.state.numbers.size or not np.isfinite([*alpha, reported["outer"]]).all():
        raise InputError(lent.NO_REPORT)
    s, moved, numbers = multiplier[0], multiplier[1], multiplier[2:]
    lent.put(run, step, alpha, event, s=s, moved=moved, numbers=numbers)
    residual = run.problem.equalities.residual(run.problem, run.state.alpha)
    np.copyto(run.state.pull, run.state.s + run.problem.lam_n / numbers[MU] * residual)
    run.rows, run.outer, run.status = rows, int(reported["outer"]), report["status"]
    certificate = run.record()
    run.reason = _reason(run, first, certificate) if run.status == "diverged" else None
    found = SimpleNamespace(**run.rows[-1])
    values = np.array([run.problem.zero_value, *(getattr(found, name) for name in NUMBERS)])
    size = float(np.abs(values[np.isfinite(values)]).max())
    early = run.status == "converged" and certificate.relative_gap > tolerance * (1.0 + 1e-6)
    lent.check(step, found, reported, size, early, NUMBERS)


def _reason(run, first, certificate):
    """Why a run diverged whose dual objective was `first`; raises an `InputError` where it did not."""
    if is_growing(run, first, certificate):
        return growing(run.solver)
    reason = run.solver.trouble(run.state)
    if reason is None:
        raise InputError(lent.NO_REPORT)
    return reason
