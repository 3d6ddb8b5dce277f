"""The Dual lab as a Panel page: controls, cards, figures; the work is the player's."""

import html

import panel as pn

from workbench.views import dual_lab, parts
from workbench.views.captions import elapsed, said
from workbench.views.cards import TITLES, badge, keys, statistics
from workbench.views.dual_lab_controls import PROBLEM, SECOND, SOLVER, Controls
from workbench.views.explain import explain
from workbench.views.figures import DualLabFigures
from workbench.views.player import Player
from workbench.views.player_page import PlayerPage
from workbench.views.predict_card import Predict
from workbench.views.shell import Visit, take_upload


class DualLabPage(PlayerPage):
    """Binds one model to its widgets; every session makes its own.

    Parameters
    ----------
    model : DualLab
    """

    title = "Dual lab"
    names = (*PROBLEM, *SOLVER, *SECOND, "question")

    def __init__(self, model):
        gone = take_upload(model)
        super().__init__(model, Visit(model, self.names))
        self.visit.refusals += gone
        self.figures = DualLabFigures(self.look)
        self.controls = Controls(model, self.visit, self._changed, self.refuse)
        self.predict = Predict(self.controls)
        self._make_panes()

    def make_player(self):
        return Player(self.model, self.show, self.tell)

    def _changed(self, names):
        self.player.restart()

    def sidebar(self):
        return self.controls.sidebar()

    def _make_panes(self):
        look = self.visit.look
        self.stats = parts.pane(statistics(None), look, margin=(0, 0, 10, 0))
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

    def main(self):
        look, legend = self.visit.look, keys(self.visit.look)
        cards = [
            parts.card(
                title, pn.pane.Bokeh(self.figures.figures[name], sizing_mode="stretch_width", margin=(0, 4)),
                self.captions[name], key=legend[name], figure=name, look=look,
            )
            for name, title in TITLES.items()
        ]  # fmt: skip
        return [self.stats, self.buttons, self.status, parts.grid(*cards, least=round(300 * look.scale))]

    def aside(self):
        formulas = pn.Column(self.formula, self.numbers, margin=(0, 14), sizing_mode="stretch_width")
        why = parts.card("Why this update?", self.step, formulas, self.badge, look=self.visit.look)
        return [why, self.predict.card(), self.code_card]

    # What the player calls

    def draw(self, lab, frame):
        self.sentences = self.figures.show(frame)

    def write(self, lab, frame):
        for name, text in self.sentences.items():
            parts.put(self.captions[name], parts.line(text))
        parts.put(self.stats, statistics(frame))
        if self.player.playing:
            self.say(said("running", elapsed=elapsed(frame["row"])))
        parts.put(self.code, parts.code(dual_lab.code(lab.settings, self.model.tolerance)))
        self._explain(lab.run)

    def ask(self):
        """Put the chosen question, unanswered."""
        self.predict.ask()

    def settled(self, lab):
        self.predict.settle(lab)

    def refused(self):
        self.predict.guess = None

    def _explain(self, run):
        step = explain(run)
        if step is None and self.player.playing:
            return  # the card keeps its height until the first slice is done
        if step is None:
            parts.put(self.step, f"<div class='wb-note'>{said('nothing_yet')}</div>")
            for pane in (self.formula, self.numbers, self.badge):
                parts.put(pane, "")
            return
        parts.put(self.step, f"<div class='wb-note'>{html.escape(step.title)}</div>")
        parts.put(self.formula, f"$${step.formula}$$")
        parts.put(self.numbers, "\n".join(f"${line}$" for line in step.numbers))
        parts.put(self.badge, badge(step))
