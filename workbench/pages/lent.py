"""What pages share that lend their runs to the visitor's browser: the messages, the figures, the words.

The engine in the browser does the steps and draws them (`lent.js`); when a run rests it reports its dual
variables once, and the server certifies them itself. Settings, data and every other card stay the server's.
"""

import abc
import asyncio
import math
from pathlib import Path

import numpy as np
import param

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import parts, shell
from workbench.pages.component import Component
from workbench.pages.player import Seek
from workbench.solvers import fields

HERE = Path(__file__).parent
SCRIPTS = ("bundles/wording", "bundles/numerals", "deep", "live_figures", "painter", "session", "lent")
# A run that was begun here is done again in the browser up to its present step, unless that took longer.
MOST_SECONDS = 1.0
NUMBERS = ("primal", "dual", "gap")
# The code of a problem that the browser plays stands there after this time.
CODE_MILLISECONDS = 250
STATUSES = (None, "converged", "max_epochs", "stalled", "diverged")
MOST_ROWS = 10**6
# So often may one press "run" until what was played is more than the server would do again, to look back.
MOST_PRESSES = 32
# Of what a report says beside a certificate of its dual variables, as a share of P(0).
AGREES = 1e-10
SERVER = "The server computes from here on."
NO_REPORT = f"The browser's report does not fit this run. {SERVER}"
FAILED = f"The browser cannot go on: {{reason}}. {SERVER}"
DISAGREE = (
    "At step {step:,} the browser's numbers are {difference:.1e} away from the server's certificate of its "
    f"dual variables. {SERVER}"
)


def script(stems, constants=""):
    """The component's script: the engine's page, what the pages share, and a page's files by their stems."""
    files = ((HERE / f"{stem}.js").read_text("utf-8") for stem in (*SCRIPTS, *stems))
    return "\n".join([bundle.script(), constants, *files])


class LentRun(Component):
    """The engine in the browser, and the figures that it draws into; a page gives `_esm`, its `script`.

    Parameters
    ----------
    heard : callable
        Called with each message of the browser, a dict; a new one may have come before it is looked at.
    ids : dict
        Of `Filled.ids`.
    texts : dict
        The sentences.
    """

    engine = param.String(doc="the address of the engine; empty where there is none")
    ids = param.Dict({}, doc="of the models that a frame fills")
    texts = param.Dict({}, doc="the sentences")

    def __init__(self, heard, **params):
        super().__init__(engine=bundle.address() if shell.served else "", **params)
        self.heard = heard

    def _handle_msg(self, message):
        if isinstance(message, dict):
            self.heard(message)

    def send(self, message):
        """Send a message to the browser."""
        self._send_msg(message)


class Lent(abc.ABC):
    """What a page lends to the browser: its present problem, until another one stays here.

    Parameters
    ----------
    page : LentPage
    part : LentRun
    """

    # The control of lambda, if the browser is to begin a run at another one before it asks.
    slider = None

    def __init__(self, page, part):
        self.page, self.part = page, part
        part.heard = self.hear
        self.usable = True
        self.ready, self.turn = False, 0
        self.known = None  # what the terms of the last lab were asked for, and the terms
        self.sent = self.held = None  # the key of the data that the browser was sent, and that it has

    # What each page does its own way; the first is asked often, those after it in a thread.

    @abc.abstractmethod
    def suits(self, lab):
        """Whether a lab is of a kind that the browser can play."""

    @abc.abstractmethod
    def key(self, lab):
        """What tells the data of one lab from those of another."""

    @abc.abstractmethod
    def data(self, lab):
        """The message with the data of a lab; None where they stay here."""

    @abc.abstractmethod
    def terms(self, lab):
        """What else the message that begins a lab needs, as a dict; None where the lab stays here.

        Asked once for each loss and regularizer of the same data.
        """

    @abc.abstractmethod
    def message(self, lab, terms):
        """The message that hands a lab over, from its present step on."""

    @abc.abstractmethod
    def frame(self, lab):
        """What the page shows of a lab that rests."""

    def hear(self, message):
        """A message of the browser; what it says is looked at where it is used."""
        if message.get("ready") is True:
            self.ready = True
        elif isinstance(message.get("has"), str):
            self.held = message["has"]
        elif "turn" in message:
            self.page.player.hear(message)

    async def takes(self, lab):
        """Whether the browser can go on with a lab; data that it has not got yet are on their way then."""
        if not (self.usable and self.ready) or lab.run.seconds > MOST_SECONDS or not self.suits(lab):
            return False
        name = self.key(lab)
        if name != self.sent:
            found = await asyncio.to_thread(self.data, lab)
            self.sent, self.held = name, None
            if found is not None:
                await self.page.locked(lambda: self.part.send(found))
        if name != self.held:
            return False
        problem = lab.run.problem
        asked = name, repr(problem.loss), repr(problem.regularizer)
        # A move of lambda asks for those of the last ones.
        if self.known is None or self.known[0] != asked:
            self.known = asked, await asyncio.to_thread(self.terms, lab)
        return self.known[1] is not None

    async def begin(self, lab, order):
        """Hand a lab over, to be run, to do a step or an epoch, or to be shown."""
        message = self.message(lab, self.known[1])
        await self.page.locked(lambda: self._begin(message, order))
        self.page.lent_out()

    def _begin(self, message, order):
        slider = self.slider and parts.id_of(self.page.controls.widgets[self.slider])
        self._say(message | {"order": order, "panes": self.page.lend(), "slider": slider})

    async def send(self, order):
        """Hand an order on: "run", "pause", "step", "epoch", a `Seek` or, with nothing shown, "halt"."""
        await self.page.locked(lambda: self._order(order))

    def _order(self, order):
        shown = {} if order == "halt" else {"panes": self.page.lend()}
        sought = {"order": "seek", "place": order.place} if isinstance(order, Seek) else {"order": order}
        self._say({"do": "order", **sought, "tolerance": self.page.model.tolerance} | shown)

    def _say(self, message):
        self.turn += 1
        self.part.send(message | {"turn": self.turn, "slow": self.page.player.slow})

    async def leave(self):
        """Have the browser draw no more."""
        await self.page.locked(lambda: self.part.send({"do": "leave"}))

    async def settle(self, lab):
        """Show what the server says of a lab that rests."""
        frame = await asyncio.to_thread(self.frame, lab)
        await self.page.locked(lambda: self.page.rest(lab, frame))

    def refuse(self, sentence):
        """Say why the server goes on by itself, for the rest of the visit."""
        self.usable = False
        self.page.refuse(sentence)


class LentPage:
    """What a page does that lends its runs; before `PlayerPage` among its bases.

    A page has `shared` (a `Filled`), the panes `captions`, `stats` and `status`, which the browser writes
    into, and `write_code()`. Where it draws or writes by itself, it calls `redraw` or `rewrite` before.
    """

    # Whether the browser has drawn over the figures and over the sentences that stand here.
    overdrawn = overwritten = False

    def prepare(self):
        """Called before frames that the browser draws."""

    def draw(self, lab, frame):
        self.redraw()
        super().draw(lab, frame)

    def write(self, lab, frame):
        self.rewrite()
        super().write(lab, frame)

    def lent_out(self):
        """A lab was handed over. Its code follows its picture, since a changed text has the page laid out."""
        self.document.add_timeout_callback(self.write_code, CODE_MILLISECONDS)

    def rest(self, lab, frame):
        """A run that the browser played rests, and is certified here; it has drawn this picture itself."""
        self.write_cards(lab, frame)
        self.rests(lab)

    def write_cards(self, lab, frame):
        """Write what stands beside the figures and the numbers."""
        self.write_code()

    def panes(self):
        """The panes that the browser writes into, by name."""
        return self.captions | {"numbers": self.stats, "status": self.status}

    def lend(self):
        """Leave the figures, their sentences and the numbers to the browser; the ids of their panes."""
        self._dim(False)
        self.turn_to(self.player.lab)
        self.prepare()
        self.overdrawn = self.overwritten = True
        self.forget_due()
        refusal_stands = self._refused == self.player.requests
        shown = {
            name: parts.id_of(pane) for name, pane in self.panes().items()
            if not (name == "status" and refusal_stands)
        }  # fmt: skip
        return shown | {"here": self.marks.ids()}

    def redraw(self):
        """Set all there is with the next picture, where the browser has drawn."""
        if self.overdrawn:
            self.shared.forget()
            self.mark(anew=True)
            self.overdrawn = False

    def rewrite(self):
        """Set all sentences anew, where the browser has written."""
        if self.overwritten:
            for name, pane in self.panes().items():
                if name != "status":
                    parts.put(pane, "")
            self.overwritten = False

    def say(self, sentence, is_error=False):
        """Write the status, whatever the browser has written there."""
        if self.player.away:
            parts.put(self.status, "")
        super().say(sentence, is_error)


def printed_terms(problem):
    """The facts of a problem's loss and regularizer for the engine; None where they are not printed."""
    try:
        loss = bundle.loss_facts(problem.loss)
        regularizer = bundle.regularizer_facts(problem.regularizer, problem)
    except InputError:
        return None
    return {"loss": bundle.binary(loss), "regularizer": bundle.binary(regularizer)}


def read(run, report, names, most, point="alpha", size=None):
    """The step, the point, the event and the rows of a report, which may say anything.

    Parameters
    ----------
    run : Run
    report : dict
        "step", "status", "event", "rows", each of which has the numbers `names`, and a point.
    names : tuple of str
        The first is "step".
    most : int
        The steps after which a run waits until one presses "run" again.
    point : str
        The name of the point that the certificate is made of: the dual variables, where not given.
    size : int, optional
        How many numbers it has; one a sample where not given.

    Raises
    ------
    InputError
        It is no report of this run.
    """
    n, places = run.problem.n_samples if size is None else size, run.solver.event_type._fields
    step = report.get("step")
    found, event, rows = (floats(report, name) for name in (point, "event", "rows"))
    is_whole = isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= MOST_PRESSES * most
    sizes_fit = found.size == n and event.size in (0, len(places)) and not rows.size % len(names)
    if not (is_whole and sizes_fit and 0 < rows.size <= MOST_ROWS) or report.get("status") not in STATUSES:
        raise InputError(NO_REPORT)
    steps = rows[:: len(names)]
    # The server goes back to them.
    are_steps = (steps == np.trunc(steps)) & (steps >= 0.0) & (steps <= step)
    if not are_steps.all() or (np.diff(steps) < 0.0).any() or steps[-1] != step:
        raise InputError(NO_REPORT)
    rows = [dict(zip(names, row, strict=True)) for row in rows.reshape(-1, len(names)).tolist()]
    return step, found, event, rows


def put(run, step, alpha, event, **parts):
    """Bring a run to a state of the same run elsewhere; `place` refuses what is none."""
    run.state = run.solver.init(run.problem, warm_start={"alpha": alpha}, seed=run.seed)
    place(run, step, event, **parts)


def place(run, step, event, **parts):
    """Put parts of a report into the state of a run.

    Raises
    ------
    InputError
        One of them holds what its declaration in the state does not allow.
    """
    state = run.state
    parts = {name: np.reshape(values, getattr(state, name).shape) for name, values in parts.items()}
    parts["counters"] = np.array([step, *state.counters[1:]])
    if event.size:
        parts["event"] = event

    def refusal(name, fault):
        return InputError(NO_REPORT)

    fields.check(state._replace(**parts), state, run.solver.event_type, refusal, parts)
    for name, values in parts.items():
        np.copyto(getattr(state, name), values)


def check(step, found, reported, size, early, names=NUMBERS):
    """Raise an `InputError` where numbers reported are not those found, or a run has ended too early."""
    difference = max(_apart(getattr(found, name), reported[name]) for name in names)
    if not difference <= AGREES * size or early:
        raise InputError(DISAGREE.format(step=step, difference=difference))


def floats(report, name):
    """The numbers under a name of a report, flat; none where they are no numbers."""
    try:
        return np.asarray(report.get(name), dtype=float).ravel()
    except (OverflowError, TypeError, ValueError):
        return np.empty(0)


def _apart(ours, theirs):
    """How far two numbers are from each other, which may be infinite; infinite where one alone is none."""
    if ours == theirs or (math.isnan(ours) and math.isnan(theirs)):
        return 0.0
    distance = abs(ours - theirs)
    return math.inf if math.isnan(distance) else distance
