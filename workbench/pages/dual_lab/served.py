"""The server's end of a Dual lab that the visitor's browser solves: what it is handed and hands back.

The engine in the browser does the steps and draws them (`served.js`); when a run rests it reports the dual
variables once, and the server certifies them itself. Settings, data and every other card stay the server's.
"""

import asyncio
import math
from pathlib import Path

import numpy as np
import panel as pn
import param
from panel.io.state import set_curdoc

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import shell
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import TEXTS, said
from workbench.pages.dual_lab.snapshot import snapshot

HERE = Path(__file__).parent
SCRIPTS = (
    HERE.parent / "wording.js", HERE.parent / "numerals.js", HERE.parent / "live_figures.js",
    HERE / "frame.js", HERE / "figures.js", HERE / "served.js",
)  # fmt: skip
# Larger data are solved here: they would keep the network busy for longer than a visitor waits.
MOST_BYTES = 8e6
# A run that was begun here is done again in the browser up to its present step, unless that took longer.
MOST_SECONDS = 1.0
ROW = ("step", "epoch", "primal", "dual", "gap", "relative_gap")
STATUSES = (None, "converged", "max_epochs", "stalled", "diverged")
# Of what a report says beside a certificate of its dual variables, as a share of P(0).
AGREES = 1e-10
MOST_ROWS, MOST_STEPS = 10**6, 2**53


class ServedRun(pn.custom.JSComponent):
    """The engine in the browser, and the figures that it draws into.

    Parameters
    ----------
    figures : DualLabFigures
    heard : callable
        Called with each message of the browser, a dict; a new one may have come before it is looked at.
    """

    engine = param.String(doc="the address of the engine; empty where there is none")
    ids = param.Dict({}, doc="of the models that a frame fills")
    texts = param.Dict({}, doc="the sentences")
    _esm = "\n".join(
        [bundle.script(), f"const MOST_EPOCHS = {dual_lab.MOST_EPOCHS};"]
        + [path.read_text("utf-8") for path in SCRIPTS]
    )

    def __init__(self, figures, heard, **params):
        address = bundle.address() if shell.served else ""
        super().__init__(engine=address, ids=figures.ids(), texts=TEXTS, **params)
        self.heard = heard

    def _handle_msg(self, message):
        if isinstance(message, dict):
            self.heard(message)

    def _process_bokeh_event(self, doc, event):
        # As `shell.Browser`: Panel would count itself busy and idle again.
        with set_curdoc(doc):
            self._process_event(event)

    def send(self, message):
        """Send a message to the browser."""
        self._send_msg(message)


class Lent:
    """What a page lends to the browser: its present problem, until another one stays here.

    Parameters
    ----------
    page : DualLabPage
    """

    def __init__(self, page):
        self.page = page
        self.part = ServedRun(page.figures, self._hear)
        self.usable = True
        self.ready, self.turn = False, 0
        self.sent = self.held = None  # the key of the data that the browser was sent, and that it has
        self._terms = None

    def _hear(self, message):
        """A message of the browser; what it says is looked at where it is used."""
        if message.get("ready") is True:
            self.ready = True
        elif isinstance(message.get("has"), str):
            self.held = message["has"]
        elif "turn" in message:
            self.page.player.hear(message)

    async def takes(self, lab):
        """Whether the browser can go on with a lab; data that it has not got yet are on their way then."""
        if not (self.usable and self.ready) or lab.run.seconds > MOST_SECONDS or not _is_alone(lab):
            return False
        name = key(lab)
        if name != self.sent:
            found = await asyncio.to_thread(data, lab)
            self.sent, self.held = name, None
            if found is not None:
                await self.page.locked(lambda: self.part.send(found))
        if name != self.held:
            return False
        problem = lab.run.problem
        asked = name, repr(problem.loss), repr(problem.regularizer)
        # A change of lambda asks for those of the last ones.
        if self._terms is None or self._terms[0] != asked:
            self._terms = asked, await asyncio.to_thread(terms, lab)
        return self._terms[1] is not None

    async def begin(self, lab, order):
        """Hand a lab over, to be run, to do a step or an epoch, or to be shown."""
        message = begin(lab, self._terms[1], self.page.model.tolerance)
        await self.page.locked(lambda: self._begin(message, order))
        self.page.lent_out()

    def _begin(self, message, order):
        self._say(message | {"order": order, "panes": self.page.lend()})

    async def send(self, order):
        """Hand an order on: "run", "pause", "step", "epoch" or, with nothing shown, "halt"."""
        await self.page.locked(lambda: self._order(order))

    def _order(self, order):
        if order != "halt":
            self.page.lend()
        self._say({"do": "order", "order": order})

    def _say(self, message):
        self.turn += 1
        self.part.send(message | {"turn": self.turn})

    async def leave(self):
        """Have the browser draw no more."""
        await self.page.locked(lambda: self.part.send({"do": "leave"}))

    async def settle(self, lab):
        """Show what the server says of a lab that rests."""
        frame = await asyncio.to_thread(snapshot, lab)
        await self.page.locked(lambda: self.page.rest(lab, frame))

    def refuse(self, sentence):
        """Say why the server goes on by itself, for the rest of the visit."""
        self.usable = False
        self.page.refuse(sentence)


def _is_alone(lab):
    """Whether a lab is one configuration of data that stay.

    Points that are moved by hand begin where those before them stood, and two configurations are drawn
    together: both stay with the server.
    """
    return not lab.settings["compare"] and lab.settings["source"] != dual_lab.PLANE


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
        "do": "data", "key": key(lab), "data": binary(samples), "test": binary(test), "names": names,
        "constant": constant, "embedded": bool(problem.embed),
    }  # fmt: skip


def terms(lab):
    """The facts of a lab's loss and regularizer for the engine; None where they are not printed."""
    problem = lab.run.problem
    try:
        loss = bundle.loss_facts(problem.loss)
        regularizer = bundle.regularizer_facts(problem.regularizer, problem)
    except InputError:
        return None
    return {"loss": binary(loss), "regularizer": binary(regularizer)}


def begin(lab, facts, tolerance):
    """The message that hands a lab over, from its present step on."""
    run = lab.run
    rows = np.array([[row[name] for name in ROW] for row in run.rows], dtype=float)
    return {
        "do": "begin", "key": key(lab), **facts, "lam": run.problem.lam, "seed": run.seed,
        "solver": binary(bundle.solver_facts(run.solver)), "tolerance": tolerance, "at": run.steps,
        "rows": rows.ravel(),
    }  # fmt: skip


def binary(value):
    """The value as Bokeh sends it, arrays as bytes of the types that JavaScript has."""
    if isinstance(value, np.ndarray):
        # Nothing is no buffer.
        return np.ascontiguousarray(value, dtype=bundle.ARRAYS[value.dtype.kind][1]) if value.size else []
    if isinstance(value, dict):
        return {name: binary(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [binary(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def take_back(run, report, tolerance):
    """Put a run where the browser's has come to rest, and certify it here.

    Parameters
    ----------
    run : Run
    report : dict
        Of the browser, which may say anything: "step", "status", "alpha" (n,), "event" and "rows".
    tolerance : float
        The relative gap at which the run was to end.

    Raises
    ------
    InputError
        It is no report of this run, or its numbers are not those of the certificate made here.
    """
    n, fields = run.problem.n_samples, run.solver.event_type._fields
    step, status = report.get("step"), report.get("status")
    alpha, event, rows = (_floats(report, name) for name in ("alpha", "event", "rows"))
    is_whole = isinstance(step, int) and not isinstance(step, bool) and 0 <= step < MOST_STEPS
    sizes_fit = alpha.size == n and event.size in (0, len(fields)) and not rows.size % len(ROW)
    if not (is_whole and sizes_fit and 0 < rows.size <= MOST_ROWS) or status not in STATUSES:
        raise InputError(said("no_report"))
    rows = [dict(zip(ROW, row, strict=True)) for row in rows.reshape(-1, len(ROW)).tolist()]
    reported = rows.pop()
    _put(run, step, alpha, event)
    run.rows, run.status = rows, status
    found = run.record()
    size = max(run.problem.zero_value, *(abs(x) for x in (found.primal, found.dual) if math.isfinite(x)))
    difference = max(_apart(getattr(found, name), reported[name]) for name in ("primal", "dual", "gap"))
    early = status == "converged" and found.relative_gap > tolerance * (1.0 + 1e-6)
    if not difference <= AGREES * size or early:
        raise InputError(said("disagree", step=step, difference=difference))


def _put(run, step, alpha, event):
    """Bring a run to a state of the same run elsewhere."""
    if not np.isfinite(alpha).all():
        # An iterate that overflowed does so here after the same steps.
        run.state = run.solver.init(run.problem, seed=run.seed)
        run.step(min(step, dual_lab.MOST_EPOCHS * run.epoch_steps))
        return
    run.state = run.solver.init(run.problem, warm_start={"alpha": alpha}, seed=run.seed)
    run.state.counters[0] = step
    if event.size:
        np.copyto(run.state.event, event)


def _floats(report, name):
    try:
        return np.asarray(report.get(name), dtype=float).ravel()
    except (TypeError, ValueError):
        return np.empty(0)


def _apart(ours, theirs):
    """How far two numbers are from each other, which may be infinite; infinite where one alone is none."""
    if ours == theirs or (math.isnan(ours) and math.isnan(theirs)):
        return 0.0
    distance = abs(ours - theirs)
    return math.inf if math.isnan(distance) else distance
