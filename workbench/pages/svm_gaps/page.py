"""The page on SVM gaps: points that one drags, pair steps, and the bounds that hold."""

import html

import panel as pn

from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch
from workbench.pages.formulas import lit
from workbench.pages.hand_notes import BRUSH, hand_notes
from workbench.pages.lent import LentPage
from workbench.pages.lent_player import LentPlayer
from workbench.pages.paced import PacedPage, numbers
from workbench.pages.plane import FULL, HANDS, MOST_POINTS, Editor
from workbench.pages.reveal_card import RevealCard
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps import served
from workbench.pages.svm_gaps.figures import CURVES, SvmDrawing
from workbench.pages.time_marks import curve

TABLE = {
    "Problem": {
        "source": select("Data"),
        "adds": group("A click adds a point of class"),
        "brush": switch(BRUSH),
        "cost": logarithmic("C weight of a slack"),
        "kernel": group("Kernel"),
        "gamma": logarithmic("γ of the Gaussian kernel"),
        "degree": linear("Degree of the polynomial", 1),
    },
    "Maximal violating pair": {
        "selection": group("Selection"),
        "tolerance": select("Stop at t̂ − b̂ of"),
    },
}
PRESETS = {
    "Overlapping classes": {},
    "A margin without errors": {"source": "Separable", "cost": 1000.0},
    "Crossed classes, a Gaussian kernel": {"source": "Crossed", "kernel": "Gaussian", "cost": 10.0},
    "One outlier against a hard margin": {"source": "An outlier", "cost": 1000.0},
    "Few against many": {"source": "Imbalanced"},
    "Lemma 8 far above the truth": {"cost": 100.0, "tolerance": 1.0},
    "Second-order selection": {"selection": "second-order", "kernel": "Polynomial"},
}
QUESTIONS = (
    (
        "Move a point with a = 0 slightly. Does the boundary move?",
        "No: f is the sum over the support vectors, and a point beyond the margin keeps a = 0.",
    ),
    (
        "Raise C tenfold. Which of the four bounds rises at once?",
        "Lemma 8 and Remark 1, C n (t̂ − b̂) and C times the count: a tolerance on t̂ − b̂ guarantees less.",
    ),
    (
        "Stop at t̂ − b̂ = 1. Is the solution within 1 of the optimum?",
        "Not necessarily: the violation is in units of a prediction, the gap in units of the objective.",
    ),
)
STEPS_AT_ONCE = 10


class SvmPlayer(LentPlayer):
    """Plays pair steps."""

    def take_back(self, report):
        served.take_back(self.lab, report, self.model.tolerance)

    def construct(self, settings):
        return svm_gaps.build(settings, self.lab)

    def picture(self):
        return svm_gaps.frame(self.lab)

    def play(self, seconds):
        return svm_gaps.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        self.lab.run.status = None
        svm_gaps.step(self.lab, 1 if request == "step" else STEPS_AT_ONCE)

    def sentence(self):
        run, row = self.lab.run, self.lab.rows[-1]
        status = run.status if run.status in svm_gaps.WORDING.texts else "paused"
        return svm_gaps.said(status, violation=row.violation, steps=run.steps, gap=row.gap)


class SvmGapsPage(LentPage, PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names, leap = "SVM gaps", (*svm_gaps.INPUTS, "tolerance", "adds"), "10 steps"
    unit, timed, ghosts = "step", ("bounds",), {"bounds": "step"}
    help = PacedPage.help | {
        "Ctrl Z": "undo the last change of points",
        "Shift drag": "paint a cloud of points in the plane",
    }  # fmt: skip

    def make(self):
        look = self.visit.look
        self.drawing = SvmDrawing(look)
        self.player = SvmPlayer(self.model, self.show, self.tell)
        self.lent = self.player.lent = served.Lent(self)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS, _visible
        )
        restart = self.player.restart
        self.editor = Editor(
            self.drawing.figures["plane"], self.model, self.model.data, restart, self.refuse_edit, restart
        )
        self.step = parts.pane("", look, margin=(2, 14, 4, 14))
        self.formula = parts.formulas("", look, margin=0)
        self.badge = parts.pane("", look, margin=(0, 14, 12, 14))
        self.place = 0
        source = parts.pane(
            "<div class='wb-source'>List et al. (2007), Corollary 3, Lemma 8, Remark 1</div>",
            look, margin=(0, 14, 10, 14),
        )  # fmt: skip
        self.predict = RevealCard(look, source, following=self._next_question)
        self.ask()

    def aside(self):
        look = self.visit.look
        formula = pn.Column(self.formula, margin=(0, 14, 6, 14), sizing_mode="stretch_width")
        why = parts.card("Why this pair?", self.step, formula, self.badge, look=look)
        return [why, self.predict.card, self.code_card]

    def main(self):
        """The figures, and below the plane what a hand can do in it."""
        self.cards["plane"].extend(hand_notes(svm_gaps.said, self.editor.undo, self.look))
        return [*super().main(), self.lent.part]

    def changed(self, names):
        """A control moved: another problem begins anew; a class for clicks and a tolerance change nothing."""
        if "source" in names:
            self.model.points = ""
            self.editor.forget()
        if set(names) <= HANDS:
            self.lent.hands()
            return
        if set(names) <= {"tolerance"}:
            self.player.ask("run")
        else:
            self.player.restart()

    @property
    def actions(self):
        return super().actions | {"undo": self.editor.undo}

    def refuse_edit(self, sentence):
        """Say why an edit was refused; the picture is not of what was asked for."""
        self.refused()
        self.refuse(sentence)

    def edited(self, points, is_full):
        """Take points that were edited in the browser, which has drawn them already."""
        self.player.restart()
        self.editor.take(points)
        if is_full:
            self.refuse(FULL.format(most=MOST_POINTS))

    # What the browser plays

    @property
    def shared(self):
        return self.drawing.shared

    def prepare(self):
        self.shared.blank(svm_gaps.GRID)
        self.put_keys()

    def write_cards(self, lab, frame):
        """The reason of the last step, and the code."""
        self._explain(lab)
        self.write_code()

    def ask(self):
        """Put the present question, unanswered."""
        self.predict.ask(*QUESTIONS[self.place])

    def traces(self, lab):
        return {"bounds": curve(lab.run, gap=lambda row: row.gap)}

    def _next_question(self):
        self.place = (self.place + 1) % len(QUESTIONS)
        self.ask()

    def filled(self, lab, frame):
        """The numbers, the reason of the last step and the code."""
        parts.put(self.stats, statistics(frame))
        if self.player.playing:
            self.say(svm_gaps.said("running", steps=lab.run.steps))
        self.write_code()
        self._explain(lab)

    def write_code(self):
        parts.put(self.code, parts.code(svm_gaps.code(self.player.lab, self.model.tolerance)))

    def _explain(self, lab):
        step = svm_gaps.explain(lab)
        if step is None:
            parts.put(self.step, f"<div class='wb-note'>{svm_gaps.said('nothing_yet')}</div>")
            parts.put(self.formula, "")
            parts.put(self.badge, "")
            return
        style = "wb-badge clip" if step["clipped"] else "wb-badge"
        parts.put(self.step, f"<div class='wb-note'>{html.escape(step['title'])}</div>")
        parts.put(self.formula, "\n".join(f"${lit(line, CURVES)}$" for line in step["numbers"]))
        parts.put(self.badge, f"<span class='{style}'>{html.escape(step['badge'])}</span>")


def statistics(frame):
    """The row of numbers in HTML."""
    found = frame["found"]
    violation, relative = max(0.0, found.t_hat - found.b_hat), found.gap / max(found.primal, 1e-300)
    return numbers((
        ("primal", f"{found.primal:.6g}", ""),
        ("lower bound", f"{found.dual:.6g}", ""),
        ("gap G(a)", f"{found.gap:.2e}", svm_gaps.said("relative", relative=relative)),
        ("t̂ − b̂", f"{violation:.2e}", svm_gaps.said("between", count=found.count)),
        ("bias", f"{found.bias:.4g}", ""),
        ("support", f"{int((frame['kind'] != 'zero').sum())}", svm_gaps.said("of", n=frame["y"].size)),
    ))  # fmt: skip


def _visible(model):
    return {"gamma": model.kernel == "Gaussian", "degree": model.kernel == "Polynomial"}
