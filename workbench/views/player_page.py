"""What pages with a player share: its buttons and keys, the status, and changes under the document's lock."""

import asyncio
import functools
import time

import panel as pn
import panel_material_ui as pmui

from workbench.views import parts
from workbench.views.shell import shell

HELP = {"space": "run or pause", "→": "one step", "r": "reset"}
BUTTONS = {
    "reset": "replay",
    "step": "arrow_right",
    "epoch": "skip_next",
    "run": "play_arrow",
    "pause": "pause",
}
# Nobody reads faster than this; in a run the pictures need not wait for sentences.
SENTENCE_SECONDS = 0.3


class PlayerPage:
    """A page around one model and the player of its runs; every session makes its own.

    A page of its own kind gives `title`, `make_player`, `sidebar`, `main`, `aside`, `draw(lab, frame)`, which
    fills the figures, `write(lab, frame)`, which puts numbers and sentences beside them, `settled(lab)`, and
    `leap`, what its button for many steps says.

    Parameters
    ----------
    model : param.Parameterized
    visit : shell.Visit
    """

    title, leap = "", "epoch"

    def __init__(self, model, visit):
        self.model, self.visit, self.look = model, visit, visit.look
        self.document, self.tasks = None, []
        # The picture whose numbers are due, and the moment of the first one that waits for them.
        self._due = self._since = None
        self._refused = None
        self.player = self.make_player()
        self.status = parts.pane("", self.look, margin=(0, 0, 8, 2))
        self.buttons = pn.FlexBox(
            *map(self._button, BUTTONS), margin=(0, 0, 4, 0), sizing_mode="stretch_width"
        )

    def _button(self, name):
        variant = "contained" if name == "run" else "outlined"
        button = pmui.Button(
            name=self.leap if name == "epoch" else name, variant=variant, size="small", icon=BUTTONS[name],
            margin=(0, 8, 6, 0),
        )  # fmt: skip
        button.on_click(lambda event: self.press(name))
        return button

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.on_session_destroyed(lambda context: self.end())
        keys = {"space": self._toggle, "right": lambda: self.press("step"), "r": lambda: self.press("reset")}
        shell(
            self.title, self.visit, sidebar=self.sidebar(), main=self.main(), aside=self.aside(),
            actions=keys, help=HELP,
        ).servable()  # fmt: skip
        # The first picture is computed while the browser still loads its scripts.
        self.begin()
        return self

    def begin(self):
        """Start the player."""
        self.document = pn.state.curdoc
        self.tasks.append(asyncio.ensure_future(self.player.serve()))
        self.player.restart()

    def end(self):
        """Leave nothing behind that waits for a document which is gone."""
        self.player.close()
        for task in self.tasks:
            task.cancel()

    def settled(self, lab):
        """Called when a run stands still."""

    def refused(self):
        """Called when what was asked is refused."""

    def press(self, name):
        """Do what the button of this name does."""
        if name == "reset":
            self.player.restart(play=False)
        else:
            self.player.ask(name)

    def _toggle(self):
        self.press("pause" if self.player.playing else "run")

    # What the player calls

    async def show(self, lab, frame):
        """Draw a frame; in a run its sentences follow now and then, else with what the player tells next."""
        await self.visit.browser.painted()
        started = time.monotonic()
        self._since = self._since or started
        # Not with every picture: a changed text has the browser lay the page out before it can draw.
        with_sentences = self.player.playing and started - self._since > SENTENCE_SECONDS
        await self.locked(lambda: self._draw(lab, frame, with_sentences))
        self.player.lag = time.monotonic() - started

    async def tell(self, sentence, is_error):
        """Put a sentence into the status, and what is due beside the figures."""
        await self.visit.browser.painted()
        await self.locked(lambda: self._told(sentence, is_error))

    def _draw(self, lab, frame, with_sentences):
        self.visit.browser.frame += 1
        self._due = lab, frame
        self.draw(lab, frame)
        if with_sentences:
            self._write()

    def _write(self):
        if self._due is None:
            return
        (lab, frame), self._due, self._since = self._due, None, None
        self.write(lab, frame)

    def _told(self, sentence, is_error):
        self._write()
        self.say(sentence, is_error)
        if is_error:
            self.refused()
        elif self.player.lab is not None:
            self.settled(self.player.lab)

    def refuse(self, sentence):
        """Say why a choice was refused; it stays until something else is asked for."""
        self._refused = self.player.requests
        self.say(sentence, True)

    def say(self, sentence, is_error=False):
        """Write the status, unless a refusal still stands there."""
        if self._refused == self.player.requests and not is_error:
            return
        parts.put(self.status, parts.status(sentence, is_error))

    async def locked(self, change):
        """Change the document under its lock, and wait until that has happened."""
        browser = self.visit.browser
        while not self.player.closed:  # then the document went with its session
            await browser.settled(self.document)
            done = asyncio.get_running_loop().create_future()
            self.document.add_next_tick_callback(functools.partial(self._change, change, done))
            if await done:
                return

    def _change(self, change, done):
        """Make a change, unless a browser has just begun to build the page."""
        settled = self.visit.browser.is_settled(self.document)
        try:
            if settled:
                with pn.io.hold(self.document):
                    change()
        finally:
            if not done.done():
                done.set_result(settled)
