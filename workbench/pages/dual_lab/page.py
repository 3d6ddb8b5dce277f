"""The Dual lab as a Panel page: controls, cards, figures; the work is the player's."""

import html

import panel as pn

from workbench.pages import parts
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import elapsed, said
from workbench.pages.dual_lab.cards import TITLES, badge, keys, statistics
from workbench.pages.dual_lab.certainty import Certainty
from workbench.pages.dual_lab.controls import PROBLEM, SECOND, SOLVER, Controls
from workbench.pages.dual_lab.explain import explain
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.leave_out import LeaveOut
from workbench.pages.dual_lab.plane_card import PlaneCard
from workbench.pages.dual_lab.player import DualLabPlayer
from workbench.pages.dual_lab.predict_card import Predict
from workbench.pages.dual_lab.served import Lent
from workbench.pages.lent import LentPage
from workbench.pages.paced import dim
from workbench.pages.plane import HANDS
from workbench.pages.player_page import PlayerPage
from workbench.pages.shell import Visit, take_upload
from workbench.pages.theme import stroke

# What the page is about; the other figures are folded.
FIRST = ("gap", "objective")


class DualLabPage(LentPage, PlayerPage):
    """Binds one model to its widgets; every session makes its own.

    Parameters
    ----------
    model : DualLab
    """

    title = "Dual lab"
    names = (*PROBLEM, *SOLVER, *SECOND, "question", "points")
    timed, ghosts = FIRST, {"gap": None}
    help = PlayerPage.help | {
        "Ctrl Z": "undo the last change of points in the plane",
        "Shift drag": "paint a cloud of points in the plane",
    }  # fmt: skip

    def __init__(self, model):
        gone = take_upload(model)
        super().__init__(model, Visit(model, self.names))
        self.visit.refusals += gone
        self.figures = DualLabFigures(self.look)
        self.lent = Lent(self)
        self.player.lent = self.lent
        self.controls = Controls(model, self.visit, self._changed, self.refuse)
        self.predict = Predict(self.controls)
        duals = self.figures.figures["duals"]
        self.leave_out = LeaveOut(self.look, duals, lambda: self.player.lab, self.locked)
        self.plane = PlaneCard(self)
        self._make_panes()

    @property
    def actions(self):
        return super().actions | {"undo": self.plane.editor.undo}

    def make_player(self):
        return DualLabPlayer(self.model, self.show, self.tell)

    def _changed(self, names):
        self.plane.follow(names)
        if not set(names) <= HANDS:
            self.player.restart()

    @property
    def plots(self):
        return self.figures.figures

    def sidebar(self):
        return self.controls.sidebar()

    def _make_panes(self):
        look = self.visit.look
        self.stats = parts.pane(statistics(None), look, margin=(0, 0, 10, 0))
        self.certainty = Certainty(look)
        self.captions, self.cards = {name: parts.pane("", look) for name in TITLES}, {}
        self.step = parts.pane("", look, margin=(2, 14, 4, 14))
        self.formula, self.numbers = (parts.formulas("", look, margin=(0, 0, 6, 0)) for _ in range(2))
        self.badge = parts.pane("", look, margin=(0, 14, 12, 14))
        self.code_card, self.code = parts.code_card(look)

    def main(self):
        look, legend = self.visit.look, keys(self.visit.look)
        self.cards = {
            name: parts.card(
                title, pn.pane.Bokeh(self.figures.figures[name], sizing_mode="stretch_width", margin=(0, 4)),
                self.captions[name], key=legend[name], figure=name, look=look,
            )
            for name, title in TITLES.items()
        }  # fmt: skip
        shown = parts.folded(self.cards, FIRST, TITLES, self.visit)
        self.plane.grid = parts.grid(*self.plane.cards(), *shown, least=round(300 * look.scale))
        return [self.stats, self.buttons, self.certainty, self.plane.grid, self.lent.part]

    def aside(self):
        formulas = pn.Column(self.formula, self.numbers, margin=(0, 14), sizing_mode="stretch_width")
        why = parts.card("Why this update?", self.step, formulas, self.badge, look=self.visit.look)
        return [why, self.predict.card(), self.leave_out.card, self.code_card]

    def end(self):
        self.leave_out.end()
        super().end()

    # What the player calls

    def draw(self, lab, frame):
        self._dim(False)
        self.redraw()
        self.plane.show(frame["plane"])
        if not self.plane.is_alone_due():
            self.sentences = self.figures.show(frame)

    def write(self, lab, frame):
        self.rewrite()
        for name, text in self.sentences.items():
            parts.put(self.captions[name], parts.line(text))
        self._write_keys(compared=frame["other"] is not None)
        self.plane.write()
        parts.put(self.stats, statistics(frame))
        if self.player.playing:
            self.say(said("running", elapsed=elapsed(frame["row"])))
        self.write_cards(lab, frame)

    def _write_keys(self, compared):
        legend = keys(self.look, compared=compared)
        ghost = self.marks.key("gap")
        if ghost:
            legend["gap"] = (legend["gap"] or stroke("solid", self.look.blue, "now")) + ghost
        for name, card in self.cards.items():
            parts.put_key(card, TITLES[name], legend[name], name)

    def write_cards(self, lab, frame):
        """What stands beside the figures and the numbers."""
        self.certainty.show(frame)
        self.write_code()
        self._explain(lab.run)
        self.leave_out.follow(lab)

    # What the browser plays

    @property
    def shared(self):
        return self.figures.filled

    def prepare(self):
        self.plane.show(None)
        self.figures.lend()
        self._write_keys(compared=False)

    def write_code(self):
        parts.put(self.code, parts.code(dual_lab.code(self.player.lab.settings, self.model.tolerance)))

    def ask(self):
        """Put the chosen question, unanswered."""
        self.predict.ask()

    def settled(self, lab):
        self.predict.settle(lab)

    def refused(self):
        self.predict.guess = None
        self._dim(True)

    def _dim(self, dimmed):
        dim((*self.figures.figures.values(), *self.plane.drawing.figures.values()), dimmed)

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
