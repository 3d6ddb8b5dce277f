"""The card "Predict first" with one answer: a question, and a button that shows what happens."""

import html

import panel_material_ui as pmui

from workbench.pages import parts


class RevealCard:
    """A question whose answer is hidden until somebody asks for it.

    Parameters
    ----------
    look : theme.Look
    below : panes
        What stands below the answer.
    following : callable, optional
        Puts the next question, once the answer has been seen; without one the answer is hidden again.
    turned : callable, optional
        Told whether the answer is shown, whenever that changes.
    """

    def __init__(self, look, *below, following=None, turned=None):
        self.following, self.turned = following, turned or (lambda is_open: None)
        self.question = parts.pane("", look, margin=(4, 14))
        self.answer = parts.pane("", look, margin=(4, 14, 10, 14), visible=False)
        self.button = pmui.Button(name="Reveal", variant="outlined", size="small", margin=(0, 14, 10, 14))
        self.button.on_click(lambda event: self.turn())
        self.card = parts.card("Predict first", self.question, self.button, self.answer, *below, look=look)

    def ask(self, question, answer):
        """Put a question, unanswered; its options may stand after the question mark."""
        text, mark, options = question.rpartition("?")
        options = filter(None, map(str.strip, options.split(";")))
        items = "".join(f"<li>{html.escape(option)}</li>" for option in options)
        title = html.escape(text + mark)
        parts.put(self.question, f"<div class='wb-note'><b>{title}</b><ul>{items}</ul></div>")
        parts.put(self.answer, f"<div class='wb-note' role='status'>{html.escape(answer)}</div>")
        self.answer.visible, self.button.label = False, "Reveal"
        self.turned(False)

    def turn(self):
        """Show the answer, or what comes after it."""
        if self.answer.visible and self.following is not None:
            self.following()
            return
        self.answer.visible = not self.answer.visible
        after = "Hide" if self.following is None else "Next question"
        self.button.label = after if self.answer.visible else "Reveal"
        self.turned(self.answer.visible)
