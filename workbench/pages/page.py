"""What every page around one model has: a place in the shell, a beginning and an end."""

from typing import ClassVar

import panel as pn

from workbench.pages import parts
from workbench.pages.shell import shell


class Page:
    """Binds one model to its widgets; every session makes its own.

    A page of its own kind gives `title`, `help` (what its keys do), `actions` (what they call), `sidebar`,
    `main`, `aside`, `begin` and `end`, which leaves nothing running.

    Parameters
    ----------
    model : param.Parameterized
    visit : shell.Visit
    """

    title: ClassVar[str] = ""
    help: ClassVar[dict[str, str]] = {}

    def __init__(self, model, visit):
        self.model, self.visit, self.look = model, visit, visit.look
        self.document = None
        self.status = parts.pane("", self.look, margin=(0, 0, 8, 2))

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.on_session_destroyed(lambda context: self.end())
        shell(
            self.title, self.visit, sidebar=self.sidebar(), main=self.main(), aside=self.aside(),
            actions=self.actions, help=self.help, restore=self.restore,
        ).servable()  # fmt: skip
        self.document = pn.state.curdoc
        self.opened()
        return self

    def opened(self):
        """Begin once the page stands in the browser."""
        pn.state.onload(self.begin)

    def restore(self, settings):
        """Take the settings of an address to which the visitor has gone back."""
        self.controls.update(settings)

    def say(self, sentence, is_error=False):
        """Write the status."""
        parts.put(self.status, parts.status(sentence, is_error))
