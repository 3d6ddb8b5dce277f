"""Home: a card a page, with a picture that the page's own code draws."""

import asyncio
import html

import panel as pn

from workbench.system import resources
from workbench.views import home, parts, shell

INTRODUCTION = (
    "Pick a loss, a regularizer and real data; watch the primal, the dual and the gap between them close. "
    "Every gap is a certificate: the objective exceeds its optimum by at most that much."
)


class HomePage:
    """The cards of the pages that this server has."""

    def __init__(self):
        self.visit = shell.Visit()
        self.cards = home.cards(shell.served or resources.pages())
        self.pictures = {card.page: self._pane(_FRAME) for card, _ in self.cards}
        look = self.visit.look
        introduction = parts.pane(
            f"<h1>Duality Workbench</h1><p>{INTRODUCTION}</p>", look, stylesheets=[_css(look)]
        )
        grid = parts.grid(
            *(self._card(card, lesson) for card, lesson in self.cards), least=round(300 * look.scale)
        )
        self.template = shell.shell("Home", self.visit, main=[introduction, grid])

    def servable(self):
        """Add the page to the session's document; the pictures follow when it stands."""
        pn.state.onload(self._draw)
        self.template.servable()
        return self

    def _pane(self, content):
        return parts.pane(content, stylesheets=[_css(self.visit.look)])

    def _card(self, card, lesson):
        name = html.escape(shell.PAGES[card.page])
        target = html.escape(self.visit.link(card.page), quote=True)
        told = "" if lesson is None else f"<p class='lesson'>Lesson: lessons/{html.escape(lesson.name)}</p>"
        text = self._pane(f"<a href='{target}'><h2>{name}</h2></a><p>{html.escape(card.sentence)}</p>{told}")
        look = self.visit.look
        return pn.Column(
            self.pictures[card.page], text, margin=0, sizing_mode="stretch_width",
            styles={"background": look.paper, "border": f"1px solid {look.rule}", "border-radius": "8px"},
        )  # fmt: skip

    async def _draw(self):
        look = self.visit.look
        for card, _ in self.cards:
            curves = await asyncio.to_thread(home.picture, card.page)
            title = f"Curves of the page {shell.PAGES[card.page]}"
            self.pictures[card.page].object = home.svg(
                curves, (look.blue, look.vermillion), html.escape(title)
            )


# Holds the place of a picture, so that nothing moves when it comes.
_FRAME = f"<svg viewBox='0 0 {home.WIDTH} {home.HEIGHT}'></svg>"


def _css(look):
    return f"""
:host {{ color: {look.ink}; font-size: {look.px(14)}; line-height: 1.45; padding: 0 16px; }}
svg {{ display: block; width: 100%; margin-top: 12px; }}
h1 {{ font-size: {look.px(22)}; margin: 10px 0 4px; }}
h2 {{ font-size: {look.px(17)}; margin: 4px 0; color: {look.blue}; }}
a {{ text-decoration: none; }}
a:hover h2, a:focus-visible h2 {{ text-decoration: underline; }}
p {{ margin: 0 0 12px; color: {look.muted}; max-width: 46rem; }}
.lesson {{ font-size: {look.px(12)}; }}
"""
