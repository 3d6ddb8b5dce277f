"""Votes of a class: a question with a few answers, counted through a link, and nothing about who chose what.

All processes of a server know a poll: a file has its question, another one a byte for each answer. `polls`
holds so many, each for so long, and forgets a poll when the page that opened it is left.
"""

import html
import json
import secrets
import time

import panel as pn
import panel_material_ui as pmui

from workbench.errors import InputError
from workbench.pages import parts
from workbench.system import storage

MOST_POLLS, MOST_VOTES, SECONDS = 100, 2000, 2 * 3600
# So often the page that opened a vote counts.
COUNT_MS = 500
# Of a token: to be typed from a wall, so without letters that look alike.
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 7
OPEN, END = "Let the class vote", "End the vote"
OPINIONS = ("agree", "disagree", "not sure")
DAMAGED = "The question of this vote is not what was written; end it and open another one."
OVER = "This vote is over, or its address is mistyped; ask for a new link."


class Poll:
    """A question that can be answered for a while.

    Attributes
    ----------
    text : str
    options : sequence of str
        The answers.
    answers : path
        A byte for each answer that was given, its place among the options.
    """

    def __init__(self, text, options, answers):
        self.text, self.options, self.answers = text, tuple(options), answers

    @property
    def counts(self):
        """How often each answer was given: answer -> int."""
        given = self._given()
        return {option: given.count(k) for k, option in enumerate(self.options)}

    def _given(self):
        """The answers, no more than there may be."""
        try:
            with open(self.answers, "rb") as file:
                return file.read(MOST_VOTES)
        except FileNotFoundError:
            return b""

    def cast(self, option):
        """Count an answer.

        Raises
        ------
        InputError
            The poll is full, or has no such answer.
        """
        if option not in self.options:
            raise InputError(f"vote = {option[:60]!r} is no answer; choose {', '.join(self.options)}")
        if len(self._given()) >= MOST_VOTES:
            raise InputError(f"This vote has {MOST_VOTES:,} answers and takes no more; open another one.")
        # One write at the end of the file, so that none is lost between processes.
        with open(self.answers, "ab", buffering=0) as file:
            file.write(bytes([self.options.index(option)]))


class Polls:
    """The polls of a server by their tokens, in a private folder that all of its processes share."""

    def __init__(self):
        self._folder = None

    def share(self):
        """Make the folder, before a server divides into several processes."""
        self._folder = storage.temporary("votes")

    def end(self):
        """Take the folder and all polls away."""
        if self._folder is not None:
            storage.discard(self._folder)
            self._folder = None

    def open(self, text, options):
        """Open a poll; returns its token.

        Raises
        ------
        InputError
            There are too many.
        """
        if self._folder is None:
            self.share()
        for path in self._folder.glob("*.poll"):
            if time.time() - path.stat().st_mtime > SECONDS:
                self.close(path.stem)
        if len(list(self._folder.glob("*.poll"))) >= MOST_POLLS:
            raise InputError(f"This server holds {MOST_POLLS} votes already; try again when some have ended.")
        token = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        storage.write(self._question(token), json.dumps([text, list(options)]), sync=False)
        return token

    def find(self, token):
        """The poll of a token.

        Raises
        ------
        InputError
            There is none, or its time is over, or its file is no question.
        """
        path = self._question(token)
        if path is None or not path.exists() or time.time() - path.stat().st_mtime > SECONDS:
            raise InputError(OVER)
        try:
            text, options = json.loads(path.read_text("utf-8"))
        except (ValueError, TypeError, RecursionError):
            raise InputError(DAMAGED) from None
        if not isinstance(options, list) or not all(isinstance(each, str) for each in (text, *options)):
            raise InputError(DAMAGED)
        return Poll(text, options, path.with_suffix(".answers"))

    def close(self, token):
        """Forget a poll, if it is still there."""
        path = self._question(token)
        if path is not None:
            path.unlink(missing_ok=True)
            path.with_suffix(".answers").unlink(missing_ok=True)

    def _question(self, token):
        """The file of a poll; None where there can be none."""
        if self._folder is None or len(token) != LENGTH or not set(token) <= set(LETTERS):
            return None
        return self._folder / f"{token}.poll"


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
        self.token, self.asked, self.ends, self.counting = None, None, False, None
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
            self.counting.stop()
            self.token, self.button.label, self.shown.object = None, OPEN, ""

    def _press(self):
        if self.token is not None:
            self.close()
            return
        try:
            self.token = polls.open(*self.asked)
        except InputError as error:
            self.shown.object = parts.status(str(error), True)
            return
        if not self.ends:
            self.ends = True
            pn.state.on_session_destroyed(lambda context: self.close())
        self.button.label = END
        self._count()
        self.counting = pn.state.add_periodic_callback(self._count, COUNT_MS)

    def _count(self):
        if self.token is None:
            return
        try:
            counts = polls.find(self.token).counts
        except InputError:  # its time is over
            self.close()
            return
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(option)}</th><td>{count}</td></tr>"
            for option, count in counts.items()
        )
        link = f"?vote={self.token}"
        told = (
            f"<div class='wb-note'><p>The class answers at this page’s address with <b>{link}</b> "
            f"<button type='button' class='wb-more' data-do='share' data-vote='{self.token}'>Copy link"
            f"</button></p><div role='status'><table class='wb-table'>{rows}</table></div></div>"
        )
        parts.put(self.shown, told)


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

    for option in poll.options:
        button = pmui.Button(name=option, variant="outlined", size="small", margin=(0, 6, 6, 0))
        button.on_click(lambda event, option=option: chosen(option))
        row.append(button)
    box = parts.card("Vote", said, row, status, look=look)
    box.margin = (0, 0, 12, 0)
    return box
