"""Pages that are drawn in the browser by the script that their exported files have.

The server keeps the settings, and the address. It gives the browser data and the facts of terms,
and, where the browser cannot compute, answers the messages of docs/browser.md by the engine in Python.
"""

import asyncio
import contextlib
import functools
import itertools
import json
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui
import param
from panel.models.esm import ESMEvent

from workbench._support.errors import InputError
from workbench.pages import browser, own_figures, parts, registry
from workbench.pages.controls import Controls
from workbench.pages.hosts.engines import UNUSABLE, Engines, usable_id
from workbench.pages.hosts.panel import Component
from workbench.pages.page import Page
from workbench.pages.scrub_bar import ScrubBar
from workbench.pages.theme import stroke
from workbench.pages.time_marks import WORDING
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine

BUTTONS = {
    "reset": "replay",
    "step": "arrow_right",
    "epoch": "skip_next",
    "run": "play_arrow",
    "pause": "pause",
}
# No figure has an axis that reaches farther.
FARTHEST = 1e12
# A browser that says nothing for so long has gone.
ANSWER_SECONDS = 10.0
FAILED = "The server could not do this; choose something else, or reload the page."


def press(name):
    """The JavaScript that has the page do what a button or a key says."""
    return f"document.dispatchEvent(new CustomEvent('wb-press', {{ detail: {json.dumps(name)} }}))"


class Stage(Component):
    """The page in the browser; a page of its own kind gives `_esm`, its bundle.

    Parameters
    ----------
    heard : callable
        Called with each message of the browser, a dict that may hold anything.
    page : dict
        What the page's script goes by, as in its exported file.
    """

    engine = param.String(doc="the address of the engine; empty where there is none")
    page = param.Dict({}, doc="what the page's script goes by")
    settings = param.Dict({}, doc="the values of the page's settings")
    refusal = param.String(doc="why a choice was refused; empty once another one is made")
    sliders = param.Dict({}, doc="the sliders that the browser need not ask the server about: id and values")
    panes = param.Dict({}, doc="the ids of the panes that the browser writes into, by name")
    data_names = param.List([], doc="the settings that tell one problem's data from another's")
    figures = param.String(doc="the page's figures, a Bokeh document as JSON")
    places = param.Dict({}, doc="the ids of the panes in which the figures stand, by the ids of the figures")
    hidden = param.List([], doc="the ids of what the figures do not show now")

    def __init__(self, callback, **params):
        super().__init__(engine=bundle.address() if registry.served else "", **params)
        self.callback = callback

    def _handle_msg(self, message):
        if isinstance(message, dict):
            self.callback(message)

    def send(self, message):
        """Send a message to the browser; the document's lock is held.

        Bokeh keeps what is sent under the lock in order. Panel's own queue, for what is sent without it, may
        keep a message back until the next one.
        """
        for model, _ in self._models.values():
            model.document.callbacks.send_event(ESMEvent(model=model, data=message))


class StagedPage(Page):
    """A page whose runs and pictures are the browser's; every session makes its own.

    A page of its own kind gives the class attributes below, `facts(model, drawing)`, and, called in a thread
    with what a browser asked for, `data(key)`, `terms(key)` and `problem(names)`. What else it draws into
    stands in `texts`, other panes by name.

    Attributes
    ----------
    model_type, drawing_type : type
        Of the settings, and of `Drawing`.
    script : str
        The name of its bundle.
    table, presets, used
        As `controls.Controls` takes them.
    sentences : dict of str to str
        What its script says.
    first : tuple of str
        The figures that the page is about; the others are folded. None is where it is empty.
    """

    model_type: ClassVar[type] = None
    drawing_type: ClassVar[type] = None
    engine_type: ClassVar[type] = Engine
    controls_type: ClassVar[type] = Controls
    script: ClassVar[str] = ""
    table: ClassVar[dict] = {}
    presets: ClassVar[dict] = {}
    used: ClassVar[dict] = {}
    sentences: ClassVar[dict] = {}
    first: ClassVar[tuple] = ()
    leap: ClassVar[str] = "epoch"  # what the button for many steps says
    sliders: ClassVar[tuple] = ()
    # What the browser may ask for, by the names of the methods that give it.
    needs: ClassVar[tuple] = ("data", "terms")
    data_names: ClassVar[tuple] = ("source",)
    changed_by_hand: ClassVar[tuple] = ()  # settings of the model that have no control
    timed: ClassVar[tuple] = ()
    ghosts: ClassVar[dict] = {}
    help: ClassVar = {
        "space": "run or pause",
        "←": "one place back",
        "→": "one place on, at the end one step",
        "r": "reset",
    }
    # The browser itself does what the keys say.
    actions: ClassVar[dict] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "script" in vars(cls):
            cls.stage_type = type(f"{cls.__name__}Stage", (Stage,), {"_esm": browser.bundle(cls.script)})

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.figures, self.places = own_figures.cached(type(self), self.look), {}
        self.stage = self.stage_type(self.hear, sliders={}, data_names=list(self.data_names))
        self.bar = self.transport()
        self.tasks, self.futures, self.numbers = set(), {}, itertools.count()
        self.engines = Engines(self.problem, self.send, self.engine_type)
        self.computed = parts.pane("", self.look)
        self.status.margin, self.status.styles = (0, 0, 6, 0), {"flex": "1 1 260px", "width": "auto"}
        self.buttons = pn.Column(
            *self.pace(),
            margin=(0, 0, 4, 0),
            sizing_mode="stretch_width",
        )
        self.stats = parts.pane("", self.look, margin=(0, 0, 10, 0))
        self.captions = {name: parts.pane("", self.look) for name in self.figures.titles}
        self.boxes = {name: self.card(name, *texts) for name, texts in self.figures.titles.items()}
        self.code_card, self.code = parts.code_card(self.look)
        self.texts = {"numbers": self.stats, "code": self.code}
        self.controls = self.controls_type(
            self.table, model, visit, self.changed, self.refuse, self.presets, self.used
        )

    def transport(self):
        """The scrub bar."""
        return ScrubBar(self.look)

    def pace(self):
        """The rows of buttons and the bar, with what is said of the run."""
        row = pn.FlexBox(
            *map(self._button, BUTTONS),
            self.status,
            align_items="center",
            margin=0,
            sizing_mode="stretch_width",
        )
        return [row, self.bar, self.computed]

    def _button(self, name):
        variant = "contained" if name == "run" else "outlined"
        button = pmui.Button(
            name=self.leap if name == "epoch" else name,
            variant=variant,
            size="small",
            icon=BUTTONS[name],
            margin=(0, 8, 6, 0),
        )
        button.js_on_click(code=press(name))
        return button

    def card(self, name, title, key, *more):
        """A card with the place of a figure and the sentence under it."""
        self.places[name] = place = parts.pane("", self.look, margin=(0, 4))
        return parts.card(title, place, self.captions[name], *more, key=key, figure=name, look=self.look)

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        cards = parts.grid(*self.layout(), least=300, two=bool(self.first))
        return [self.stats, self.buttons, cards, self.stage]

    def layout(self):
        """The cards of the figures in the order of their folding: the first, a button, the rest behind it.

        The projector shows one figure anyhow, and an address that names a figure opens the fold.
        """
        cards, fixed = self.boxes, self.visit.fixed
        rest = [name for name in cards if self.first and name not in self.first]
        if fixed["projector"] or not rest:
            return list(cards.values())
        titles = [self.figures.titles[name][0] for name in rest]
        button = parts.fold(titles, fixed["figure"] in rest, self.look)
        return [*(cards[name] for name in self.first), button, *(cards[name] for name in rest)]

    def question_list(self, questions):
        """A list of questions, bound to the model's `question`; another one is put at once."""
        select = pmui.Select(
            name="Question",
            options=list(questions),
            value=self.model.question,
            margin=(10, 12, 2, 12),
            sizing_mode="stretch_width",
        )

        def choose(event):
            self.model.question = event.new
            self.ask()

        select.param.watch(choose, "value")
        self.model.param.watch(lambda event: select.param.update(value=event.new), "question")
        self.question = select
        return select

    def servable(self):
        """Add the page to the session's document; the browser begins as soon as it has it."""
        self.stage.page = self.page_facts(self.model, self.figures) | self.served_facts()
        self.stage.figures = self.figures.text
        self.follow()
        super().servable()
        self.visit.browser.staged = True
        panes = {f"line-{name}": pane for name, pane in self.captions.items()}
        panes |= self.texts | {"status": self.status, "engine": self.computed}
        self.stage.panes = {name: parts.id_of(pane) for name, pane in panes.items()}
        self.stage.places = {
            self.figures.figures[name].id: parts.id_of(place) for name, place in self.places.items()
        }
        self._tell_sliders()
        for name in self.sliders:
            self.controls.widgets[name].param.watch(lambda event: self._tell_sliders(), "options")
        return self

    def _tell_sliders(self):
        """Tell the browser the sliders and the values at their places, of which they show few digits."""
        widgets = {name: self.controls.widgets[name] for name in self.sliders}
        self.stage.sliders = {
            name: {"id": parts.id_of(widget), "values": list(widget.options.values())}
            for name, widget in widgets.items()
        }

    @classmethod
    def page_facts(cls, model, drawing):
        """What the page's script goes by, served or in a file, but for data and terms.

        `drawing` is one that `own_figures.marked` has marked.
        """
        texts = WORDING.texts | cls.sentences | {"ghost": stroke("solid", drawing.look.ghost, "{}")}
        facts = {"name": registry.by_title(cls.title).name, "texts": texts, "used": cls.used}
        return facts | {"ids": drawing.facts["ids"]} | cls.facts(model, drawing)

    def served_facts(self):
        """What it goes by on a server alone: the page's sources."""
        return {"sources": [self.source(name) for name in self.model.param.source.objects]}

    @staticmethod
    def source(name):
        """What the script knows of a source of data."""
        return {"name": name}

    def settings(self):
        """The settings that the browser goes by, and what else it asks of them."""
        return {name: getattr(self.model, name) for name in self.names}

    def begin(self):
        """The browser begins by itself."""

    def end(self):
        """Leave nothing behind that waits for a document which is gone."""
        self.engines.close()
        for task in self.tasks:
            task.cancel()

    def follow(self):
        """Tell the browser what is chosen."""
        self.stage.param.update(settings=self.settings(), refusal="")

    def refuse(self, sentence):
        """Say why a choice was refused; it stays until something else is asked for."""
        self.stage.refusal = sentence

    # What the browser asks for

    def hear(self, message):
        """A message of the browser, which may hold anything."""
        if message.get("need") in self.needs:
            self._start(self._given(message["need"], usable_id(message.get("id")), message.get("key")))
        elif isinstance(message.get("engine"), str):
            self._start(self.engines.take(message["engine"], message.get("message")))
        elif isinstance(message.get("rests"), dict):
            self.rests(message["rests"])
        elif isinstance(message.get("given"), int) and message["given"] in self.futures:
            self.futures.pop(message["given"]).set_result(message.get("value"))
        elif isinstance(message.get("tap"), int | float):
            if abs(message["tap"]) <= FARTHEST:
                self.tapped(message["tap"])
        elif isinstance(message.get("change"), dict):
            self.change(message["change"])

    def change(self, settings):
        """Take settings that have no control; what the model refuses stays as it was."""
        with contextlib.suppress(ValueError):
            changes = {name: value for name, value in settings.items() if name in self.changed_by_hand}
            self.model.param.update(**changes)
        self.follow()

    def tapped(self, place):
        """A figure that says so was tapped at a place of its horizontal axis."""

    async def want(self, name):
        """What the page's script has under a name, which may be anything; None where it does not answer."""
        id, answer = next(self.numbers), asyncio.get_running_loop().create_future()
        self.futures[id] = answer
        await self.send({"want": name, "id": id})
        try:
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            return None
        finally:
            self.futures.pop(id, None)

    def rests(self, message):
        """A run stands still; `message` is what the page's script says of it, or anything else."""
        if message.get("reset") is True:  # an old answer says nothing
            self.ask()

    def ask(self):
        """Put the page's question, unanswered."""

    def changed(self, names):
        """Controls took new values."""
        self.follow()

    def _start(self, coroutine):
        task = asyncio.ensure_future(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _given(self, need, id, key):
        settings = key if isinstance(key, dict) else {}
        try:
            reply = {"answer": await asyncio.to_thread(getattr(self, need), settings)}
        except UNUSABLE as error:
            reply = {"failed": str(error) if isinstance(error, InputError) else FAILED}
        await self.send({"id": id, **reply})

    async def send(self, message):
        """Send a message under the document's lock."""
        await self._in_turn(lambda: self.stage.send(message))

    async def locked(self, change):
        """Change the document under its lock, and wait until that has happened."""

        def change_and_hold():
            with pn.io.hold(self.document):
                change()

        await self._in_turn(change_and_hold)

    async def _in_turn(self, act):
        await self.visit.browser.settled(self.document)
        future = asyncio.get_running_loop().create_future()
        self.document.add_next_tick_callback(functools.partial(self._act, act, future))
        await future

    def _act(self, act, future):
        try:
            act()
        finally:
            if not future.done():
                future.set_result(None)
