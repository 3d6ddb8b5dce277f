"""The page on SVM gaps: points that one drags, pair steps, and the bounds that hold."""

import html

import panel as pn

from workbench.errors import InputError
from workbench.views import parts, svm_gaps
from workbench.views.controls import Controls, group, linear, logarithmic, select
from workbench.views.paced import PacedPage, numbers
from workbench.views.player import Player
from workbench.views.reveal_card import RevealCard
from workbench.views.svm_gaps_document import SvmDrawing

TABLE = {
    "Problem": {
        "source": select("Data"),
        "adds": group("A click adds a point of class"),
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
        "Move a point whose a is zero a little. Does the boundary move?",
        "No: f is the sum over the support vectors, and a point beyond the margin stays without a share.",
    ),
    (
        "Raise C tenfold. Which of the four bounds rises at once?",
        "Lemma 8 and Remark 1, C n (t̂ − b̂) and C times the count: a tolerance on t̂ − b̂ promises less.",
    ),
    (
        "Stop at t̂ − b̂ = 1. Is the solution within 1 of the optimum?",
        "Not by that: the violation is in units of a prediction, the gap in units of the objective.",
    ),
)
STEPS_AT_ONCE = 10


class SvmPlayer(Player):
    """Plays pair steps."""

    def construct(self, settings):
        return svm_gaps.build(settings, self.lab)

    def picture(self):
        return svm_gaps.frame(self.lab)

    def play(self, seconds):
        return svm_gaps.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        self.lab.run.status = None
        svm_gaps.step(self.lab, 1 if request == "step" else STEPS_AT_ONCE)

    def _sentence(self):
        run, row = self.lab.run, self.lab.rows[-1]
        if run.status == "converged":
            return f"Reached t̂ − b̂ = {row.violation:.1e} after {run.steps:,} steps; the gap is {row.gap:.2e}."
        if run.status == "stalled":
            return f"Stands still after {run.steps:,} steps: no pair violates any more."
        if run.status is None:
            return f"Paused after {run.steps:,} steps."
        return f"Stopped after {run.steps:,} steps; press run to go on."


class SvmGapsPage(PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names, leap = "SVM gaps", (*svm_gaps.INPUTS, "tolerance", "adds"), "10 steps"

    def make(self):
        look = self.visit.look
        self.drawing = SvmDrawing(look)
        self.player = SvmPlayer(self.model, self.show, self.tell)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS, _visible
        )
        self._filling = False
        self.drawing.sources["points"].on_change("data", self._edited)
        self.step = parts.pane("", look, margin=(2, 14, 4, 14))
        self.formula = pn.pane.LaTeX(
            "", renderer="katex", margin=0, sizing_mode="stretch_width",
            styles={
                "font-size": look.px(14), "color": look.ink, "line-height": "1.7", "white-space": "pre-line",
            },
        )  # fmt: skip
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

    def changed(self, names):
        """A control moved: another problem begins anew; a class for clicks and a tolerance change nothing."""
        if "source" in names:
            self.model.points = ""
        if set(names) <= {"adds"}:
            return
        if set(names) <= {"tolerance"}:
            self.player.ask("run")
        else:
            self.player.restart()

    def _edited(self, attribute, old, new):
        """Points were added, moved or removed: a refused edit is drawn back."""
        if self._filling:
            return
        X = [list(pair) for pair in zip(new["x"], new["y"], strict=False)]
        adds = 1.0 if self.model.adds == "+1" else -1.0
        labels = [float(label) if label in (-1.0, 1.0) else adds for label in new["label"][: len(X)]]
        labels += [adds] * (len(X) - len(labels))
        try:
            self.model.edit(X, labels)
        except (InputError, ValueError) as error:
            self.refuse(str(error))
            self._filling = True
            try:
                self.drawing.sources["points"].data = dict(old)
            finally:
                self._filling = False
            return
        self.player.restart()

    def draw(self, lab, frame):
        self._filling = True
        try:
            super().draw(lab, frame)
        finally:
            self._filling = False

    def ask(self):
        """Put the present question, unanswered."""
        self.predict.ask(*QUESTIONS[self.place])

    def _next_question(self):
        self.place = (self.place + 1) % len(QUESTIONS)
        self.ask()

    def filled(self, lab, frame):
        """The numbers, the reason of the last step and the code."""
        parts.put(self.stats, statistics(frame))
        if self.player.playing:
            self.say(f"Running: {lab.run.steps:,} steps")
        parts.put(self.code, parts.code(svm_gaps.code(lab, self.model.tolerance)))
        self._explain(lab)

    def _explain(self, lab):
        step = svm_gaps.explain(lab)
        if step is None:
            note = "Nothing has moved yet. Press step: the pair with the rings will move."
            parts.put(self.step, f"<div class='wb-note'>{note}</div>")
            parts.put(self.formula, "")
            parts.put(self.badge, "")
            return
        style = "wb-badge clip" if step["clipped"] else "wb-badge"
        parts.put(self.step, f"<div class='wb-note'>{html.escape(step['title'])}</div>")
        parts.put(self.formula, "\n".join(f"${line}$" for line in step["numbers"]))
        parts.put(self.badge, f"<span class='{style}'>{html.escape(step['badge'])}</span>")


def statistics(frame):
    """The row of numbers in HTML."""
    found = frame["found"]
    violation = max(0.0, found.t_hat - found.b_hat)
    return numbers((
        ("primal", f"{found.primal:.6g}", ""),
        ("lower bound", f"{found.dual:.6g}", ""),
        ("gap G(a)", f"{found.gap:.2e}", f"{found.gap / max(found.primal, 1e-300):.0e} relative"),
        ("t̂ − b̂", f"{violation:.2e}", f"{found.count} in between"),
        ("bias", f"{found.bias:.4g}", ""),
        ("support", f"{int((frame['kind'] != 'zero').sum())}", f"of {frame['y'].size}"),
    ))  # fmt: skip


def _visible(model):
    return {"gamma": model.kernel == "Gaussian", "degree": model.kernel == "Polynomial"}
