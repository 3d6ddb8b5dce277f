"""The card of the Dual lab with points in the plane, which one adds, moves and deletes by hand."""

import time

import panel as pn

from workbench.pages import parts
from workbench.pages.dual_lab.captions import said
from workbench.pages.dual_lab.model import PLANE
from workbench.pages.dual_lab.plane import PlaneFigure
from workbench.pages.hand_notes import hand_notes
from workbench.pages.plane import Editor, placed

# While a point is dragged the other figures are drawn so often.
REST_SECONDS = 0.25


class PlaneCard:
    """The card with the plane, of one session; it stands first in the grid where the samples are points.

    Parameters
    ----------
    page : DualLabPage
    """

    def __init__(self, page):
        look, self.page, self.text = page.look, page, ""
        self._pictured = 0.0
        self.grid = pn.Column()  # until a page has its cards
        self.drawing = PlaneFigure(look, page.figures)
        plot, model = self.drawing.figures["plane"], page.model
        self.caption = parts.pane("", look)
        notes = hand_notes(said, lambda: self.editor.undo(), look)
        title, key = self.drawing.titles["plane"]
        self.card = parts.card(
            title, pn.pane.Bokeh(plot, sizing_mode="stretch_width", margin=(0, 4)), self.caption, *notes,
            key=key, figure="plane", look=look,
        )  # fmt: skip
        # Beside it there is room for two others.
        self.card.styles = self.card.styles | {"grid-row": "span 2"}
        self.editor = Editor(
            plot, model, lambda: placed(model.points, model.cloud), self._edited, self._refuse, self._released
        )

    def cards(self):
        """The card where it is shown from the beginning: a browser that builds the page loses changes."""
        return [self.card] if self.page.model.source == PLANE else []

    def follow(self, names):
        """Controls moved: other points to begin with forget the edits."""
        if {"source", "cloud"} & set(names):
            self.page.model.points = ""
            self.editor.forget()

    def show(self, shown):
        """Draw a picture, or take the card away where there is none."""
        cards = [each for each in self.grid if each is not self.card]
        if (shown is not None) != (len(cards) < len(self.grid)):
            self.grid[:] = [self.card, *cards] if shown is not None else cards
        self.text = "" if shown is None else self.drawing.show(shown)

    def write(self):
        """Put the sentence below the figure."""
        parts.put(self.caption, parts.line(self.text))

    def is_alone_due(self):
        """Whether a picture can do with the plane alone: a drag is followed, the rest now and then."""
        now = time.monotonic()
        if self.page.model.moving and now - self._pictured < REST_SECONDS:
            return True
        self._pictured = now
        return False

    def _edited(self):
        self.page.player.restart()

    def _released(self):
        self.page.player.look()

    def _refuse(self, sentence):
        self.page.refused()
        self.page.refuse(sentence)
