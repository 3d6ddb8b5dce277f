"""Home: a card a page, with a picture that the page's own code draws."""

import asyncio
import html

import panel as pn

from workbench._support.system import resources
from workbench.pages import parts, registry, shell
from workbench.pages.home import lesson_text
from workbench.pages.home import model as home

INTRODUCTION = (
    "Pick a loss, a regularizer and real data; watch the primal, the dual and the gap between them close. "
    "Every gap is a certificate: the objective exceeds its optimum by at most that much."
)


class HomePage:
    """The cards of the pages that this server has."""

    names = ("lesson",)

    def __init__(self, model):
        self.model = model
        self.visit = shell.Visit(model, self.names)
        served, lessons = registry.served or registry.pages(), resources.lessons()
        self.cards = [
            (page, lessons.get(page.lesson))
            for name, page in registry.pages().items()
            if name in served and page.sentence
        ]
        if self.model.lesson:
            path = resources.lessons()[self.model.lesson]
            text = lesson_text.panes(path, self.visit.look)
            self.pictures, self.template = {}, shell.shell("Home", self.visit, main=text)
            return
        self.pictures = {page.name: self._pane(_FRAME) for page, _ in self.cards}
        look = self.visit.look
        introduction = parts.pane(
            f"<h1>Duality Workbench</h1><p>{INTRODUCTION}</p>{self._path()}",
            look,
            stylesheets=[look.sheet("home")],
        )
        grid = parts.grid(*(self._card(card, lesson) for card, lesson in self.cards), least=300)
        self.template = shell.shell("Home", self.visit, main=[introduction, grid])

    def servable(self):
        """Add the page to the session's document; the pictures follow when it stands."""
        pn.state.onload(self._draw)
        self.template.servable()
        return self

    def _path(self):
        """HTML of the way that a newcomer takes, over the pages that are here."""
        stops = [page for page, _ in self.cards if page.minutes]
        lines = "".join(
            f"<li><a href='{html.escape(self.visit.link(stop.name), quote=True)}'>"
            f"{html.escape(stop.title)}</a> <span>{stop.minutes} min</span><br>"
            f"{html.escape(stop.stop)}</li>"
            for stop in stops
        )
        minutes = sum(stop.minutes for stop in stops)
        return f"<h2 class='way'>Start here: {minutes} minutes</h2><ol>{lines}</ol>" if stops else ""

    def _pane(self, content):
        return parts.pane(content, stylesheets=[self.visit.look.sheet("home")])

    def _card(self, card, lesson):
        name = html.escape(card.title)
        target = html.escape(self.visit.link(card.name), quote=True)
        note = "" if lesson is None else self._lesson(lesson)
        text = self._pane(f"<a href='{target}'><h2>{name}</h2></a><p>{html.escape(card.sentence)}</p>{note}")
        look = self.visit.look
        return pn.Column(
            self.pictures[card.name],
            text,
            margin=0,
            sizing_mode="stretch_width",
            styles={"background": look.paper, "border": f"1px solid {look.rule}", "border-radius": "8px"},
        )

    def _lesson(self, path):
        target = html.escape(self.visit.link("home", lesson=path.stem), quote=True)
        return f"<p class='lesson'><a href='{target}'>{html.escape(lesson_text.title(path))}</a></p>"

    async def _draw(self):
        look = self.visit.look
        for card, _ in self.cards if self.pictures else ():
            curves = await asyncio.to_thread(card.picture) if card.picture else ()
            title = f"Curves of the page {card.title}"
            self.pictures[card.name].object = home.svg(
                curves, (look.blue, look.vermillion), html.escape(title)
            )


# Holds the place of a picture, so that nothing moves when it comes.
_FRAME = f"<svg viewBox='0 0 {home.WIDTH} {home.HEIGHT}'></svg>"
