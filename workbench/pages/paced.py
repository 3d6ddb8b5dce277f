"""A page with a run that is played: a card and a text line for each figure, the numbers, the code."""

import html
from typing import ClassVar

import panel as pn

from workbench.pages import parts
from workbench.pages.numerals import numerals
from workbench.pages.player_page import PlayerPage
from workbench.pages.shell import Visit

# The opacity of figures that show what is not chosen any more.
DIMMED = 0.35


class PacedPage(PlayerPage):
    """Binds one model to its widgets; every session makes its own.

    A page sets `title`, `names` (what the address holds) and `leap`, makes `drawing` (with `figures`,
    `titles` and `show(frame)`, which returns the sentence of each figure), `player` and `controls` in `make`,
    and fills the rest in `filled`.

    Parameters
    ----------
    model : param.Parameterized
    """

    names = ()
    cards: ClassVar[dict] = {}
    first: ClassVar[tuple] = ()  # the names of the figures that are not folded; all where it is empty

    def __init__(self, model):
        super().__init__(model, Visit(model, self.names))
        self.stats = parts.pane("", self.look, margin=(0, 0, 10, 0))
        self.code_card, self.code = parts.code_card(self.look)
        self.captions = {name: parts.pane("", self.look) for name in self.drawing.titles}
        self.cards = {name: self._card(name) for name in self.drawing.titles}

    def make(self):
        """Make the drawing, the player and the controls."""
        raise NotImplementedError

    def make_player(self):
        self.make()
        return self.player

    @property
    def plots(self):
        return self.drawing.figures

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        """The figures below the numbers and the buttons."""
        titles = {name: title for name, (title, _) in self.drawing.titles.items()}
        shown = parts.folded(self.cards, self.first or tuple(self.cards), titles, self.visit)
        return [self.stats, self.buttons, parts.grid(*shown, least=round(300 * self.look.scale))]

    def aside(self):
        """The column that explains."""
        return [self.code_card]

    def filled(self, lab, frame):
        """Fill what a frame changes beside the figures."""

    def _card(self, name):
        title, key = self.drawing.titles[name]
        plot = pn.pane.Bokeh(self.drawing.figures[name], sizing_mode="stretch_width", margin=(0, 4))
        return parts.card(title, plot, self.captions[name], key=key, figure=name, look=self.look)

    def refused(self):
        """What was computed before is not of what is chosen now."""
        self._dim(True)

    def draw(self, lab, frame):
        self._dim(False)
        self.sentences = self.drawing.show(frame)

    def _dim(self, dimmed):
        dim(self.drawing.figures.values(), dimmed)

    def write(self, lab, frame):
        for name, text in self.sentences.items():
            parts.put(self.captions[name], parts.line(text))
        self.put_keys()
        self.filled(lab, frame)

    def put_keys(self):
        """Show the keys of what the drawing draws now."""
        for name, card in self.cards.items():
            title, key = self.drawing.titles[name]
            parts.put_key(card, title, key + self.marks.key(name), name)


def dim(plots, dimmed):
    """Show whether what figures show is not what is chosen any more."""
    for plot in plots:
        styles = {name: value for name, value in plot.styles.items() if name != "opacity"}
        wanted = styles | ({"opacity": f"{DIMMED}"} if dimmed else {})
        if plot.styles != wanted:
            plot.styles = wanted


def numbers(entries):
    """The HTML of a row of numbers: triples of name, value and a note, which may be empty."""
    cards = "".join(
        f"<div class='wb-stat'><span>{html.escape(numerals(name))}</span>"
        f"<b>{html.escape(numerals(value))}</b>"
        f"{f'<em>{html.escape(numerals(note))}</em>' if note else ''}</div>"
        for name, value, note in entries
    )
    return f"<div class='wb-stats'>{cards}</div>"
