"""The card "Predict first": a question with a few options, and the answer once it is known."""

import html

import panel as pn
import panel_material_ui as pmui

from workbench.pages import parts


class GuessCard:
    """A question, a guess and an answer.

    Parameters
    ----------
    look : theme.Look
    guessed : callable
        Told the option that was chosen.
    above : pane, optional
        What stands above the question.

    Attributes
    ----------
    guess : str or None
        What was chosen, until `reveal`.
    """

    def __init__(self, look, guessed, above=()):
        self.guess, self.guessed, self.options = None, guessed, ()
        self.text = parts.pane(look=look, margin=(8, 12, 4, 12))
        self.row = pn.FlexBox(margin=(2, 12), sizing_mode="stretch_width", css_classes=["wb-options"])
        self.answer = parts.pane(look=look, margin=(4, 12, 10, 12))
        self.card = parts.card("Predict first", *above, self.text, self.row, self.answer, look=look)

    def ask(self, text, options, hint):
        """Put a question, unanswered."""
        self.guess = None
        self.text.object = f"<div class='wb-note'><b>{html.escape(text)}</b></div>"
        if tuple(options) != self.options:
            # Buttons that stay keep a press that was under way.
            self.options = tuple(options)
            self.row[:] = [self._button(option) for option in options]
        self.say(hint)

    def _button(self, option):
        button = pmui.Button(name=option, variant="outlined", size="small", margin=(0, 6, 4, 0))
        button.on_click(lambda event: self._choose(option))
        return button

    def _choose(self, option):
        self.guess = option
        self.say(f"Your guess: {option}.")
        self.guessed(option)

    def reveal(self, came, why, right=None):
        """Compare a guess with what came out; `right` is the option where `came` is not worded as one."""
        if self.guess is not None:
            verdict = "You were right" if self.guess == (right or came) else f"You said “{self.guess}”"
            self.guess = None
            self.say(f"{verdict}: {came}. {why}")

    def say(self, sentence):
        """Write below the options."""
        self.answer.object = f"<div class='wb-note' role='status'>{html.escape(sentence)}</div>"
