"""Your data as a Panel page: a file, what its columns mean, and the Dual lab's run of it."""

import asyncio

import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import child, uploads
from workbench.pages import parts
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.hosts.panel import PanelHost
from workbench.pages.page import Page
from workbench.pages.reveal_card import RevealCard
from workbench.pages.shell import Visit
from workbench.pages.your_data import model as your_data
from workbench.pages.your_data import new_rows
from workbench.pages.your_data.preview import links, note, preview
from workbench.pages.your_data.solved import ModelCard
from workbench.pages.your_data.upload_card import Dropper

QUESTION = (
    "Lower λ, and solve to the end. Can the mean loss on the training rows rise? yes; no",
    "No: at the smaller λ the loss of w is at most that at the larger one, and its regularizer at least; add "
    "up what says that each w is the best at its λ. The loss on held-out rows may rise.",
)
FILE = ("example", "data", "target", "task", "positive", "holdout", "standardize")
PROBLEM = ("loss", "regularizer", "lam", "epsilon", "tube", "mu", "q", "tolerance", "seed")
# A label column out of more than these is chosen in the address.
MAX_LISTED = 200
# Of one visit; older ones make room.
MAX_KEPT = 3


class YourDataPage(Page):
    """A file, what its columns mean, and the Dual lab of it; every session makes its own."""

    title = "Your data"
    # A file is opened with its page.
    restore = None
    names = (*FILE, *PROBLEM)

    def __init__(self, model):
        super().__init__(model, Visit(model, self.names))
        # The Dual lab of the file in use, made anew for each.
        self.lab, self.place = None, pn.Column(sizing_mode="stretch_width", margin=0)
        self.upload, self.job, self.tokens, self.raw = None, None, [], None
        # The file whose samples the figures show, and what became of its empty cells when it was read.
        self.in_use = self.read_with = None
        self.visitor = _visitor()
        look = self.look
        self.examples = parts.preset_select({name: name for name in your_data.EXAMPLES}, self._example)
        self.dropper = Dropper(self._take, self._refuse, store.store().caps, look)
        self.reading = parts.pane("", look, margin=(0, 0, 8, 2))
        self.label = pmui.Select(name="Label column", options={}, size="small")
        self.task_choice = parts.choice("Task", uploads.TASKS, uploads.TASKS[0])
        self.positive = pmui.Select(name="Class that is +1", options=[], size="small")
        self.holdout = pmui.Switch(name="Set a quarter aside for testing", value=model.holdout)
        self.standardize = pmui.Switch(name="Scale every column", value=model.standardize)
        self.use = pmui.Button(name="Use it", variant="contained", size="small", icon="check")
        self.preview = parts.pane(note("Reading the file …"), look, margin=(4, 14, 12, 14))
        self.links = parts.pane("", look, margin=(4, 14, 12, 14))
        self.one_step = ModelCard(self, look)
        self.predict = RevealCard(look)
        self.predict.ask(*QUESTION)
        self.inputs = (self.label, self.task_choice, self.positive, self.holdout, self.standardize)
        parts.lay_out(self.examples, *self.inputs, self.use)
        self.label.param.watch(self._relabelled, "value")
        self.task_choice.param.watch(lambda event: self._show_choices(), "value")
        self.use.on_click(lambda event: self._press_use())

    @property
    def actions(self):
        return {}

    async def locked(self, change):
        """Change the document, once it is free."""
        done = asyncio.get_running_loop().create_future()

        def apply():
            with pn.io.hold(self.document):
                change()
            done.done() or done.set_result(None)

        self.document.add_next_tick_callback(apply)
        await done

    def begin(self):
        child.reserve()
        self._do(self._open_first())

    def end(self):
        self._cancel()
        self.one_step.end()

    def sidebar(self):
        look, shows = self.visit.look, self.visit.shows
        names = ("target", "task", "positive", "holdout", "standardize")
        return [
            *([self.examples] if shows("example") else []),
            *([self.dropper] if shows("data") else []),
            self.reading,
            parts.heading("What the file means", look),
            *(widget for name, widget in zip(names, self.inputs, strict=True) if shows(name)),
            self.use,
        ]

    def main(self):
        file = parts.card("The file", self.preview, look=self.look)
        file.margin = (0, 0, 12, 0)
        # A projector has room for one figure, and would show the title of this card over nothing.
        before = [] if self.visit.fixed["projector"] else [file]
        return [self.status, *before, self.place]

    def aside(self):
        look = self.visit.look
        return [
            self.one_step.card(),
            self.one_step.rows.card(),
            self.predict.card,
            parts.card("What to do next", self.links, look=look),
        ]

    def walk(self, settings, still=False):
        """A step of a story names an example and its problem; what its columns mean stays as it is."""
        names = set(PROBLEM) - {"loss"} | {"example"}
        if settings["loss"] in your_data.LOSSES[self.model.task]:
            names.add("loss")
        super().walk({name: settings[name] for name in names}, still)

    def take(self, settings):
        problem = dict(settings)
        example = problem.pop("example")
        if example != self.model.example:
            self._example(example)
        self.model.param.update(**problem)
        if self.lab is not None:
            self.lab.param.update(**problem)

    # What a visitor does; one job at a time, the newest wins

    def _do(self, job):
        self._cancel()
        self.job = asyncio.ensure_future(self._guarded(job))

    def _cancel(self):
        if self.job is not None:
            self.job.cancel()

    def _press_use(self):
        """Use the file as it is chosen; one that is still being read is not called off."""
        if self.upload is not None or self.job is None or self.job.done():
            self._do(self._use())

    async def _guarded(self, job):
        """What is refused leaves everything as it was."""
        try:
            await job
        except InputError as error:
            sentence = new_rows.for_the_page(str(error))
            await self.locked(lambda: self._refuse(sentence))

    def _example(self, name):
        self._another()
        self._do(self._open_example(name))

    def _take(self, name, content):
        self._another()
        self._report(f"Reading {name} …")
        self._do(self._read_dropped(content, name))

    def _another(self):
        """Columns that were left out are those of the former file."""
        self.read_with = self.one_step.cells[0], []
        self.one_step.leave_out.value = ""

    def read_again(self):
        """What becomes of empty cells has changed, or which columns are left out."""
        if self.raw is None or self.one_step.cells == self.read_with:
            return
        name, content = self.raw
        same = self.upload is not None and self.upload.content == content
        choice = (self.task_choice.value, self.positive.value) if same else ("guess", "")
        target = self.upload.target if same and self.upload.target is not None else -1
        self._do(self._read(content, name, target, choice))

    def fitted(self, target):
        """A model has been fitted; the figures show the same file."""
        if self.in_use != self.raw:
            self._do(self._read_and_use(*self.raw, target or -1))

    def _hold(self, name, content):
        """Keep the file at hand, for whoever fits it."""
        self.raw = name, content
        self.one_step.about(name)

    def _relabelled(self, event):
        if self.upload is not None and event.new is not None and event.new != self.upload.target:
            self._do(self._read(self.upload.content, self.upload.name, event.new))

    def _open_with(self, options):
        """What an address has kept of a file's empty cells and columns."""
        self.read_with = options.get("missing"), options.get("leave_out", [])
        self.one_step.take(*self.read_with)

    # The jobs

    async def _open_first(self):
        """The file that the address names, with the choices that it gives; an example where it is gone."""
        model = self.model
        try:
            name, content, options = await asyncio.to_thread(your_data.opened, model)
        except InputError as error:
            text = str(error)
            await self._open_example(model.example)
            await self.locked(lambda: self._refuse(text))
            return
        await self.locked(lambda: self._open_with(options))
        await self.locked(lambda: self._hold(name, content))
        await self._read(content, name, model.target, (model.task, model.positive))
        await self._use(model.data)

    async def _open_example(self, name):
        file, content = await asyncio.to_thread(your_data.example, name)
        await self.locked(lambda: self._hold(file, content))
        await self._read(content, file)
        await self._use()

    async def _read(self, content, name, target=-1, choice=("guess", "")):
        self.read_with = self.one_step.cells
        upload = await your_data.read(content, name, target, *self.read_with, visitor=self.visitor)
        await self.locked(lambda: self._show_upload(upload, *choice))

    async def _read_dropped(self, content, name):
        """What cannot be read changes nothing; what other options make usable is kept at hand."""
        try:
            await self._read(content, name)
        except uploads.Unusable:
            await self.locked(lambda: self._hold(name, content))
            self.upload = None
            raise
        await self.locked(lambda: self._hold(name, content))

    async def _read_and_use(self, name, content, target):
        await self._read(content, name, target)
        await self._use()

    async def _use(self, restored=""):
        if self.upload is None:
            raise InputError("There is no file to use yet; choose an example, or drop one.")
        upload = self.upload
        choices = your_data.choices(
            upload,
            self.task_choice.value,
            self.positive.value or "",
            self.holdout.value,
            self.standardize.value,
        )
        token = await asyncio.to_thread(your_data.use, upload, choices, restored, self.visitor)
        example = your_data.example_of(upload)
        if token != restored and not example:
            self.tokens.append(token)
        await self.locked(lambda: self._used(token, choices, example))

    def _used(self, token, choices, example):
        model, source = self.model, store.PREFIX + token
        model.offer(source)
        while len(self.tokens) > MAX_KEPT:
            store.store().drop(self.tokens.pop(0))
        self.in_use = self.upload.name, self.upload.content
        losses = your_data.LOSSES[choices["task"]]
        model.param.update(
            source=source,
            data="" if example else token,
            example=example or model.example,
            task=choices["task"],
            holdout=self.holdout.value,
            loss=model.loss if model.loss in losses else losses[0],
            standardize=self.standardize.value,
            target=-1 if self.upload.target is None else self.upload.target,
            positive=str(self.positive.value or "") if choices["task"] == "classification" else "",
        )
        self._report(f"{store.upload_of(source).dataset.summary}.")
        self._show_links()
        self._open_lab(losses)

    def _open_lab(self, losses):
        """Show the Dual lab of the file in use, with the losses that suit its labels."""
        model = self.model
        self.lab = DualLab()
        self.lab.takes_files = False
        self.lab.offer(model.source)
        for name in ("loss", "b_loss"):
            self.lab.param[name].objects = list(losses)
        settings = {name: getattr(model, name) for name in ("source", *PROBLEM)}
        self.lab.param.update(**settings, b_loss=losses[0])
        self.lab.param.watch(self._on_lab, list(PROBLEM))
        self.place[:] = [PanelHost(self.lab)]

    def _on_lab(self, *events):
        self.model.param.update(**{event.name: event.new for event in events})
        self._show_links()

    # What is shown

    def _show_upload(self, upload, task, positive):
        classes = list(upload.classes)
        self.upload = None  # the widgets are set, not moved
        columns = dict(zip(_distinct(upload.columns[:MAX_LISTED]), range(MAX_LISTED), strict=False))
        self.label.param.update(
            options=columns or {"first of each line": 0}, value=upload.target or 0, disabled=not columns
        )
        self.positive.param.update(options=classes, value=positive if positive in classes else classes[-1])
        self.task_choice.value = task if task in uploads.TASKS else upload.suggested
        self.upload = upload
        self._show_choices()
        parts.put(self.preview, preview(upload, your_data.facts(upload)))
        self._report(f"{upload.name} has been read. Check what its columns mean, then press “Use it”.")

    def _show_choices(self):
        self.positive.visible = self.task_choice.value == "classification"

    def _show_links(self):
        values = {
            "source": self.model.source,
            "loss": self.model.loss,
            "regularizer": self.model.regularizer,
        }
        parts.put(self.links, links(self.visit, values, self.upload))

    def _report(self, sentence, bad=False):
        parts.put(self.reading, parts.status(sentence, bad))

    def _refuse(self, sentence):
        self._report(sentence, bad=True)
        if self.upload is None:
            parts.put(self.preview, note("There is no file yet; choose an example, or drop one."))


def _visitor():
    """The visitor's address on the network, which is the same in all of their visits; "" without a server."""
    context = pn.state.curdoc and pn.state.curdoc.session_context
    return getattr(context and context.request, "remote_ip", None) or ""


def _distinct(columns):
    """The columns' names, those that stand twice with their place."""
    return [name if columns.count(name) == 1 else f"{name} ({j})" for j, name in enumerate(columns)]
