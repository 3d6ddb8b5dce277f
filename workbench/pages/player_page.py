"""What pages with a player share: its buttons and keys, the status, and changes under the document's lock."""

import asyncio
import functools
import time
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench.pages.page import Page
from workbench.pages.scrub_bar import ScrubBar
from workbench.pages.time_marks import TimeMarks, curve

BUTTONS = {
    "reset": "replay",
    "step": "arrow_right",
    "epoch": "skip_next",
    "run": "play_arrow",
    "pause": "pause",
}
# Nobody reads faster than this; in a run the pictures need not wait for sentences.
SENTENCE_SECONDS = 0.3
# A curve that has been seen for so long, or to its end, stays as a ghost when the settings change.
GHOST_SECONDS = 1.0


class PlayerPage(Page):
    """A page around one model and the player of its runs; every session makes its own.

    A page of its own kind gives `make_player`, `plots` (its figures by name), `captions` (the pane under
    each), `draw(lab, frame)`, which fills the figures, `write(lab, frame)`, which puts numbers and sentences
    beside them, `settled(lab)`, `leap`, what its button for many steps says, `unit`, what it counts time in,
    `timed`, the names of its figures over time, and `ghosts`, those of a gap with the column on their axis.
    """

    leap = "epoch"
    unit = "epoch"
    timed: ClassVar[tuple] = ()
    ghosts: ClassVar[dict] = {}
    help: ClassVar = {
        "space": "run or pause", "←": "one place back", "→": "one place on, at the end one step",
        "r": "reset",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.tasks = []
        # The picture whose numbers are due, and the moment of the first one that waits for them.
        self._due = self._since = None
        self._refused = None
        # The lab that is drawn, since when, and whether its run has come to rest.
        self._lab, self._begun, self._rested = None, 0.0, False
        self.marks = TimeMarks({}, (), {}, self.look)  # none, until all figures are there
        self.player = self.make_player()
        self.bar = ScrubBar(self.look, self.player.seek, lambda: self.press("step"), self.pace)
        self.status.margin, self.status.styles = (0, 0, 6, 0), {"flex": "1 1 260px", "width": "auto"}
        self.buttons = pn.Column(
            pn.FlexBox(
                *map(self._button, BUTTONS), self.status, align_items="center", margin=0,
                sizing_mode="stretch_width",
            ),
            self.bar, margin=(0, 0, 4, 0), sizing_mode="stretch_width",
        )  # fmt: skip

    def _button(self, name):
        variant = "contained" if name == "run" else "outlined"
        button = pmui.Button(
            name=self.leap if name == "epoch" else name, variant=variant, size="small", icon=BUTTONS[name],
            margin=(0, 8, 6, 0),
        )  # fmt: skip
        button.on_click(lambda event: self.press(name))
        return button

    @property
    def actions(self):
        return {"space": self._toggle, "right": lambda: self.press("step"), "r": lambda: self.press("reset")}

    def servable(self):
        """Add the page to the session's document, its figures with marks of time, and begin."""
        self.marks = TimeMarks(self.plots, self.timed, self.ghosts, self.look, self.unit)
        return super().servable()

    def opened(self):
        """Begin at once: the first picture is computed while the browser still loads its scripts."""
        self.begin()

    def begin(self):
        """Start the player."""
        self.tasks.append(asyncio.ensure_future(self.player.serve()))
        self.player.restart()

    def end(self):
        """Leave nothing behind that waits for a document which is gone."""
        self.player.close()
        for task in self.tasks:
            task.cancel()

    def settled(self, lab):
        """Called when a run stands still."""

    def ask(self):
        """Put the page's question anew, since after a reset an old verdict says nothing."""

    def refused(self):
        """Called when what was asked is refused."""

    def press(self, name):
        """Do what the button of this name does."""
        if name == "reset":
            self.ask()
            self.player.restart(play=False)
        else:
            self.player.ask(name)

    def pace(self, slow):
        """Go slowly from place to place, or as fast as pictures are drawn."""
        self.player.slow = slow
        if self.player.playing:
            self.player.ask("run")

    def _toggle(self):
        self.press("pause" if self.player.playing else "run")

    # What the player calls

    async def show(self, lab, frame):
        """Draw a frame; in a run its sentences follow now and then, else with what the player tells next."""
        await self.visit.browser.painted()
        started = time.monotonic()
        self._since = self._since or started
        # Not with every picture: a changed text has the browser lay the page out before it can draw.
        with_sentences = started - self._since > SENTENCE_SECONDS
        await self.locked(lambda: self._draw(lab, frame, with_sentences))
        self.player.lag = time.monotonic() - started

    async def tell(self, sentence, is_error):
        """Put a sentence into the status, and what is due beside the figures."""
        await self.visit.browser.painted()
        await self.locked(lambda: self._told(sentence, is_error))

    def _draw(self, lab, frame, with_sentences):
        self.visit.browser.frame += 1
        self._due = lab, frame
        self.turn_to(lab)
        self.draw(lab, frame)
        self.mark()
        if with_sentences:
            self._write()

    def _write(self):
        if self._due is None:
            return
        lab, frame = self._due
        self.forget_due()
        self.write(lab, frame)
        self.bar.stand(self.longest(), self.unit)

    def rests(self, lab):
        """A run stands still; one that is left by now settles nothing."""
        if self.player.stale:
            return
        self._rested = self._rested or lab is self._lab
        self.settled(lab)

    def turn_to(self, lab):
        """Another lab is drawn from here on; with other settings the last curve stays as a ghost."""
        old, now = self._lab, time.monotonic()
        if lab is old:
            return
        seen = self._rested or now - self._begun > GHOST_SECONDS
        if old is not None and old.settings != lab.settings and seen:
            self.marks.haunt(self.traces(old))
        self._lab, self._begun, self._rested = lab, now, False

    def traces(self, lab):
        """The curves of a lab that stay as ghosts, by figure."""
        return {name: curve(*[each.run for each in lab.pair]) for name in self.ghosts}

    def longest(self):
        """The run that tells how far the lab has come."""
        return max(self.player.runs, key=lambda run: run.places)

    def mark(self, anew=False):
        """Draw where the run stands, if it is not at its end."""
        run = self.longest()
        entries = run.along(run.traces[0])
        entry = None if run.at == len(entries) - 1 else entries[run.at]
        labels = [self.plots[name].xaxis[0].axis_label for name in self.timed]
        self.marks.stand([None if entry is None else self.time_of(run, entry, each) for each in labels], anew)

    def time_of(self, run, entry, label):
        """The place of an entry of a run on the time axis of this label."""
        return run.epochs_of(entry) if label == "epoch" else run.step_of(entry)

    def forget_due(self):
        """What was drawn last needs no more words."""
        self._due = self._since = None

    def _told(self, sentence, is_error):
        self._write()
        self.say(sentence, is_error)
        if is_error:
            self.refused()
        elif self.player.lab is not None:
            self.rests(self.player.lab)

    def refuse(self, sentence):
        """Say why a choice was refused; it stays until something else is asked for."""
        self._refused = self.player.requests
        self.say(sentence, True)

    def say(self, sentence, is_error=False):
        """Write the status, unless a refusal still stands there."""
        if is_error or self._refused != self.player.requests:
            super().say(sentence, is_error)

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
