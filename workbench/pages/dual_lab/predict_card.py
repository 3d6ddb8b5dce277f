"""The card "Predict first": a guess before the second configuration runs, the answer after it."""

import html

import panel as pn
import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.dual_lab.predictions import QUESTIONS, changes, reveal
from workbench.pages.votes import ClassVote


class Predict:
    """The card "Predict first": a question, a guess, and after both runs the answer.

    Parameters
    ----------
    controls : Controls
    """

    def __init__(self, controls):
        self.controls, self.model = controls, controls.model
        self.guess = None
        look = controls.visit.look
        self.question = pmui.Select(
            name="Question", options=list(QUESTIONS), value=self.model.question, margin=(10, 12, 2, 12),
            sizing_mode="stretch_width",
        )  # fmt: skip
        self.text = parts.pane(look=look, margin=(4, 12))
        self.answer = parts.pane(look=look, margin=(4, 12, 10, 12))
        self.options = [
            pmui.Button(name=option, variant="outlined", size="small", margin=(0, 6, 4, 0))
            for option in QUESTIONS[self.model.question].options
        ]
        for button in self.options:
            button.on_click(lambda event, button=button: self._guessed(button.name))
        self.vote = ClassVote(look)
        self.question.param.watch(self._asked, "value")
        self.model.param.watch(lambda event: setattr(self.question, "value", event.new), "question")
        self.ask()

    def card(self):
        """The card."""
        row = pn.FlexBox(*self.options, margin=(2, 12), sizing_mode="stretch_width")
        return parts.card(
            "Predict first", self.question, self.text, row, self.answer, *self.vote.content,
            look=self.controls.visit.look,
        )  # fmt: skip

    def _asked(self, event):
        self.model.question = event.new
        self.ask()

    def ask(self):
        """Show the chosen question, unanswered."""
        self.guess = None
        text = QUESTIONS[self.model.question].text
        self.vote.about(text, QUESTIONS[self.model.question].options)
        self.text.object = f"<div class='wb-note'><b>{text}</b></div>"
        self.say("Guess; then A runs as it is, B runs with the change, and the answer appears.")

    def say(self, sentence):
        """Write below the options."""
        self.answer.object = f"<div class='wb-note' role='status'>{html.escape(sentence)}</div>"

    def _guessed(self, option):
        self.guess = option
        self.say(f"Your guess: {option}. Running both …")
        self.controls.update({"compare": True} | changes(self.model.question, self.model.settings()))

    def settle(self, lab):
        """Show the answer once both runs have ended."""
        sentence = None if self.guess is None else reveal(self.model.question, self.guess, lab)
        if sentence is not None:
            self.guess = None
            self.say(sentence)
