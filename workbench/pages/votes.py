"""Votes of a class: a question with a few answers, counted through a link, and nothing about who chose what.

All is in the memory of the process: `polls` holds so many, each for so long, and forgets a poll when the page
that opened it is left.
"""

import html
import secrets
import time

import panel as pn
import panel_material_ui as pmui

from workbench.errors import InputError
from workbench.pages import parts

MOST_POLLS, MOST_VOTES, SECONDS = 100, 2000, 2 * 3600
# Of a token: to be typed from a wall, so without letters that look alike.
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 7
OPEN, END = "Let the class vote", "End the vote"
OPINIONS = ("agree", "disagree", "not sure")
OVER = "This vote is over, or its address is mistyped; ask for a new link."


class Poll:
    """A question that can be answered for a while.

    Attributes
    ----------
    text : str
    counts : dict of str to int
        By answer.
    """

    def __init__(self, text, options, changed):
        self.text, self.changed = text, changed
        self.counts = dict.fromkeys(options, 0)
        self.until = time.monotonic() + SECONDS

    def cast(self, option):
        """Count an answer.

        Raises
        ------
        InputError
            The poll is full, or has no such answer.
        """
        if option not in self.counts:
            raise InputError(f"vote = {option[:60]!r} is no answer; choose {', '.join(self.counts)}")
        if sum(self.counts.values()) >= MOST_VOTES:
            raise InputError(f"This vote has {MOST_VOTES:,} answers and takes no more; open another one.")
        self.counts[option] += 1
        self.changed()


class Polls:
    """The polls of a process by their tokens."""

    def __init__(self):
        self._held = {}

    def open(self, text, options, changed):
        """Open a poll, of which `changed` is called after each answer; returns its token.

        Raises
        ------
        InputError
            There are too many.
        """
        now = time.monotonic()
        self._held = {token: poll for token, poll in self._held.items() if poll.until > now}
        if len(self._held) >= MOST_POLLS:
            raise InputError(f"This server holds {MOST_POLLS} votes already; try again when some have ended.")
        token = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._held[token] = Poll(text, options, changed)
        return token

    def find(self, token):
        """The poll of a token.

        Raises
        ------
        InputError
            There is none, or its time is over.
        """
        poll = self._held.get(token)
        if poll is None or poll.until <= time.monotonic():
            raise InputError(OVER)
        return poll

    def close(self, token):
        """Forget a poll, if it is still there."""
        self._held.pop(token, None)


polls = Polls()


class ClassVote:
    """What opens a vote on the question of a card, and shows its counts as they come.

    Parameters
    ----------
    look : theme.Look

    Attributes
    ----------
    content : tuple of panes
    """

    def __init__(self, look):
        self.token, self.asked, self.ends = None, None, False
        self.button = pmui.Button(name=OPEN, variant="text", size="small", margin=(0, 12, 4, 12))
        self.button.on_click(lambda event: self._press())
        self.shown = parts.pane("", look, margin=(0, 12, 10, 12))
        self.content = (self.button, self.shown)

    def about(self, text, options):
        """Take a question; a vote on another one ends."""
        if self.asked != (text, tuple(options)):
            self.close()
            self.asked = text, tuple(options)

    def show(self, visible):
        """Offer a vote, or not yet."""
        self.button.visible = self.shown.visible = visible

    def close(self):
        """End the vote, if there is one."""
        if self.token is not None:
            polls.close(self.token)
            self.token, self.button.label, self.shown.object = None, OPEN, ""

    def _press(self):
        if self.token is not None:
            self.close()
            return
        document = pn.state.curdoc
        try:
            self.token = polls.open(*self.asked, lambda: document.add_next_tick_callback(self._count))
        except InputError as error:
            self.shown.object = parts.status(str(error), True)
            return
        if not self.ends:
            self.ends = True
            pn.state.on_session_destroyed(lambda context: self.close())
        self.button.label = END
        self._count()

    def _count(self):
        if self.token is None:
            return
        counts = polls.find(self.token).counts
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(option)}</th><td>{count}</td></tr>"
            for option, count in counts.items()
        )
        link = f"?vote={self.token}"
        self.shown.object = (
            f"<div class='wb-note'><p>The class answers at this page’s address with <b>{link}</b> "
            f"<button type='button' class='wb-more' data-do='share' data-vote='{self.token}'>Copy link"
            f"</button></p><div role='status'><table class='wb-table'>{rows}</table></div></div>"
        )


def ballot(token, look):
    """The card of a visitor who followed the link of a vote: one answer in a session.

    Raises
    ------
    InputError
        There is no such vote.
    """
    poll = polls.find(token)
    said = parts.pane(f"<div class='wb-note'><b>{html.escape(poll.text)}</b></div>", look, margin=(6, 14))
    status = parts.pane("", look, margin=(0, 14, 8, 14))
    row = pn.FlexBox(margin=(0, 12), sizing_mode="stretch_width")

    def chosen(option):
        if not row.objects:
            return  # a second press before the buttons went
        row[:] = []
        try:
            polls.find(token).cast(option)
        except InputError as error:
            status.object = parts.status(str(error), True)
        else:
            status.object = parts.status(f"Counted: {option}. Nobody sees who chose what.")

    for option in poll.counts:
        button = pmui.Button(name=option, variant="outlined", size="small", margin=(0, 6, 6, 0))
        button.on_click(lambda event, option=option: chosen(option))
        row.append(button)
    box = parts.card("Vote", said, row, status, look=look)
    box.margin = (0, 0, 12, 0)
    return box
