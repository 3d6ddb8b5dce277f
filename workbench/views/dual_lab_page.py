"""The Dual lab as a Panel page: controls, cards, figures; the work is the player's."""

import asyncio
import html
import time

import panel as pn
import panel_material_ui as pmui

from workbench.data import store
from workbench.errors import InputError
from workbench.views import dual_lab, parts
from workbench.views.captions import elapsed
from workbench.views.cards import TITLES, badge, keys, statistics
from workbench.views.dual_lab_controls import PROBLEM, SECOND, SOLVER, Controls
from workbench.views.explain import explain
from workbench.views.figures import DualLabFigures
from workbench.views.player import Player
from workbench.views.predict_card import Predict
from workbench.views.shell import Visit, asked, shell

NOTHING_YET = "Nothing has moved yet. Press step to see one coordinate change, and which formula moves it."
# Nobody reads faster than this; in a run the pictures need not wait for sentences.
SENTENCE_SECONDS = 0.2
HELP = {"space": "run or pause", "→": "one step", "r": "reset"}
BUTTONS = (
    ("reset", "outlined", "replay"),
    ("step", "outlined", "arrow_right"),
    ("epoch", "outlined", "skip_next"),
    ("run", "contained", "play_arrow"),
    ("pause", "outlined", "pause"),
)


class DualLabPage:
    """Binds one model to its widgets; every session makes its own.

    Parameters
    ----------
    model : DualLab
    """

    title = "Dual lab"
    names = (*PROBLEM, *SOLVER, *SECOND, "question")

    def __init__(self, model):
        self.model = model
        gone = self._take_upload(asked("source"))
        self.visit = Visit(model, self.names)
        self.visit.refusals += gone
        self.figures = DualLabFigures(self.visit.look)
        self.document = self.task = None
        self._unsaid, self._said = None, 0.0  # the picture whose numbers are due, and when the last were put
        self.player = Player(model, self._show, self._tell)
        self.controls = Controls(
            model, self.visit, self.player.restart, lambda text: self._status(text, True)
        )
        self.predict = Predict(self.controls)
        self._make_buttons()
        self._make_panes()
        self.template = shell(
            self.title, self.visit, sidebar=self._sidebar(), main=self._main(), aside=self._aside(),
            actions={
                "space": self._toggle,
                "right": lambda: self._pressed("step"),
                "r": lambda: self._pressed("reset"),
            },
            help=HELP,
        )  # fmt: skip

    def _take_upload(self, source):
        """Let the model have the upload that the address names; a sentence where it is gone."""
        try:
            if store.is_upload(source):
                self.model.offer(source)
        except InputError as error:
            return [str(error)]
        return []

    def _sidebar(self):
        return self.controls.sidebar()

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.onload(self._begin)
        pn.state.on_session_destroyed(lambda context: self._end())
        self.template.servable()
        return self

    def _begin(self):
        self.document = pn.state.curdoc
        self.task = asyncio.ensure_future(self.player.serve())
        self.player.restart()

    def _end(self):
        """Leave nothing behind that waits for a document which is gone."""
        self.player.close()
        if self.task is not None:  # a visit may end before its page stands
            self.task.cancel()

    def _make_buttons(self):
        self.buttons = {
            name: pmui.Button(name=name, variant=variant, size="small", icon=icon, margin=(0, 8, 6, 0))
            for name, variant, icon in BUTTONS
        }
        for name, button in self.buttons.items():
            button.on_click(lambda event, name=name: self._pressed(name))

    def _pressed(self, name):
        if name == "reset":
            self.player.restart(play=False)
        else:
            self.player.ask(name)

    def _toggle(self):
        self._pressed("pause" if self.player.playing else "run")

    def _make_panes(self):
        look = self.visit.look
        self.stats = parts.pane(statistics(None), look, margin=(0, 0, 10, 0))
        self.status = parts.pane("", look, margin=(0, 0, 8, 2))
        self.captions = {name: parts.pane("", look) for name in TITLES}
        self.step = parts.pane("", look, margin=(2, 14, 4, 14))
        self.formula, self.numbers = (
            pn.pane.LaTeX(
                "", renderer="katex", margin=(0, 0, 6, 0), sizing_mode="stretch_width",
                styles={"font-size": look.px(14), "color": look.ink, "overflow-x": "auto"} | style,
            )
            for style in ({}, {"line-height": "1.7", "white-space": "pre-line"})
        )  # fmt: skip
        self.badge = parts.pane("", look, margin=(0, 14, 12, 14))
        self.code_card, self.code = parts.code_card(look)

    def _main(self):
        look, legend = self.visit.look, keys(self.visit.look)
        cards = [
            parts.card(
                title, pn.pane.Bokeh(self.figures.figures[name], sizing_mode="stretch_width", margin=(0, 4)),
                self.captions[name], key=legend[name], figure=name, look=look,
            )
            for name, title in TITLES.items()
        ]  # fmt: skip
        pace = pn.FlexBox(*self.buttons.values(), margin=(0, 0, 4, 0), sizing_mode="stretch_width")
        return [self.stats, pace, self.status, parts.grid(*cards, least=round(300 * look.scale))]

    def _aside(self):
        formulas = pn.Column(self.formula, self.numbers, margin=(0, 14), sizing_mode="stretch_width")
        why = parts.card("Why this update?", self.step, formulas, self.badge, look=self.visit.look)
        return [why, self.predict.card(), self.code_card]

    # What the player calls

    async def _show(self, lab, frame):
        await self.visit.browser.painted()
        await self._locked(lambda: self._draw(lab, frame))
        if self.player.playing and time.monotonic() - self._said < SENTENCE_SECONDS:
            return
        # In a message of their own: a changed text has the browser lay the page out before it can draw.
        await self.visit.browser.painted()
        await self._locked(self._say)

    async def _tell(self, sentence, is_error):
        await self._locked(lambda: self._told(sentence, is_error))

    async def _locked(self, change):
        """Change the document under its lock, and wait until that has happened."""
        done = asyncio.get_running_loop().create_future()

        def callback():
            try:
                with pn.io.hold(self.document):
                    change()
            finally:
                if not done.done():
                    done.set_result(None)

        self.document.add_next_tick_callback(callback)
        await done

    def _told(self, sentence, is_error):
        self._say()
        self._status(sentence, is_error)
        if is_error:
            self.predict.guess = None
        elif self.player.lab is not None:
            self.predict.settle(self.player.lab)

    def _status(self, sentence, is_error=False):
        style = "wb-status bad" if is_error else "wb-status"
        self._put(self.status, f"<div class='{style}' role='status'>{html.escape(sentence)}</div>")

    def _put(self, pane, content):
        """Set a pane's content where it is another one: a pane that is set is drawn anew."""
        if pane.object != content:
            pane.object = content

    def _draw(self, lab, frame):
        self.visit.browser.frame += 1
        self._unsaid = lab, frame, self.figures.show(frame)

    def _say(self):
        """Put the sentences and numbers of the last picture beside it."""
        if self._unsaid is None:
            return
        (lab, frame, captions), self._unsaid, self._said = self._unsaid, None, time.monotonic()
        for name, text in captions.items():
            self._put(self.captions[name], parts.line(text))
        self._put(self.stats, statistics(frame))
        if self.player.playing:
            self._status(f"Running: {elapsed(frame['row'])}")
        self._put(self.code, parts.code(dual_lab.code(lab.settings, self.model.tolerance)))
        self._explain(lab.run)

    def _explain(self, run):
        step = explain(run)
        if step is None and self.player.playing:
            return  # the card keeps its height until the first slice is done
        if step is None:
            self._put(self.step, f"<div class='wb-note'>{NOTHING_YET}</div>")
            for pane in (self.formula, self.numbers, self.badge):
                self._put(pane, "")
            return
        self._put(self.step, f"<div class='wb-note'>{html.escape(step.title)}</div>")
        self._put(self.formula, f"$${step.formula}$$")
        self._put(self.numbers, "\n".join(f"${line}$" for line in step.numbers))
        self._put(self.badge, badge(step))
