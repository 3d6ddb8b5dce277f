"""What every page around one model has: a place in the shell, a beginning and an end."""

import asyncio
import math
from typing import ClassVar

import panel as pn
import param

from workbench.pages import parts
from workbench.pages.shell import shell

# How a number goes to where a step of a story has it.
STEPS, STEP_SECONDS = 16, 0.04


class Page:
    """Binds one model to its widgets; every session makes its own.

    A page of its own kind gives `title`, `help` (what its keys do), `actions` (what they call), `sidebar`,
    `main`, `aside`, `begin` and `end`, which leaves nothing running.
    """

    title: ClassVar[str] = ""
    help: ClassVar[dict[str, str]] = {}

    def __init__(self, model, visit):
        self.model, self.visit, self.look = model, visit, visit.look
        self.document, self.way = None, None
        self.status = parts.pane("", self.look, margin=(0, 0, 8, 2))

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.on_session_destroyed(lambda context: self._on_leave())
        shell(
            self.title,
            self.visit,
            sidebar=self.sidebar(),
            main=self.main(),
            aside=self.aside(),
            actions=self.actions,
            help=self.help,
            restore=self.restore,
            walk=self.walk,
        ).servable()
        self.document = pn.state.curdoc
        self.opened()
        return self

    def _on_leave(self):
        if self.way is not None:
            self.way.cancel()
        self.end()

    def opened(self):
        """Begin once the page stands in the browser."""
        pn.state.onload(self.begin)

    def restore(self, settings):
        """Take the settings of an address to which the visitor has gone back."""
        self.controls.update(settings)

    def take(self, settings):
        """Take the settings of a story's step, or of one on the way there."""
        self.restore(settings)

    def walk(self, settings, still=False):
        """Take the settings of a story's step: numbers go there from where they are."""
        if self.way is not None:
            self.way.cancel()
        # Where a step has none, the page chooses; what it has chosen for this picture stays.
        values = {name: value for name, value in settings.items() if value is not None}
        moves = {name: value for name, value in values.items() if value != getattr(self.model, name)}
        numbers = {} if still else {name: value for name, value in moves.items() if self._moves(name, value)}
        others = {name: value for name, value in moves.items() if name not in numbers}
        if others:  # another picture: its numbers come with it
            self.take(settings)
        elif numbers:
            self.way = asyncio.ensure_future(self._go(values, numbers))

    def _moves(self, name, value):
        """Whether a setting is a number that can be anywhere between where it is and this value."""
        ends = self.model.param[name], getattr(self.model, name), value
        return isinstance(ends[0], param.Number) and None not in ends and not isinstance(value, int | bool)

    async def _go(self, settings, numbers):
        start = {name: getattr(self.model, name) for name in numbers}
        for k in range(1, STEPS + 1):
            share = 0.5 - 0.5 * math.cos(math.pi * k / STEPS)
            between = {name: _between(start[name], end, share) for name, end in numbers.items()}
            with pn.io.hold(self.document):
                self.take(settings | between)
            await asyncio.sleep(STEP_SECONDS)

    def say(self, sentence, is_error=False):
        """Write the status."""
        parts.put(self.status, parts.status(sentence, is_error))


def _between(start, end, share):
    """A number on the way; on a logarithmic one where both ends are positive and far apart."""
    if share >= 1:
        return end
    if min(start, end) > 0 and max(start, end) > 10 * min(start, end):
        return start * (end / start) ** share
    return start + share * (end - start)
