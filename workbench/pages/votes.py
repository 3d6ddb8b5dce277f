"""Votes of a class as peer instruction: vote, discuss, vote again, then the answer.

A question with a few answers is counted through a link, and nothing is kept about who chose what: an answer
lies beside a digest of a random number that the browser keeps for itself, so that each browser has one answer
a round. All processes of a server know a poll: a file has its question and its round, another one the answers
of each round.
`polls` holds so many, each for so long, and forgets a poll when the page that opened it is left.
"""

import hashlib
import html
import json
import secrets
import time

import panel as pn
import panel_material_ui as pmui
import segno

from workbench._support.errors import InputError
from workbench._support.system import storage
from workbench.pages import parts

MAX_POLLS, MAX_VOTES, SECONDS, ROUNDS = 100, 2000, 2 * 3600, 2
# So often the page that opened a vote counts, and a ballot looks whether there is another round.
COUNT_MS = 500
# Of a token: to be typed from a screen, so without letters that look alike.
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 7
# Bytes of an answer: its place among the options, and the digest of who gave it.
DIGEST = 8
OPEN, CLOSE, AGAIN, END = "Let the class vote", "Close the vote", "Vote again", "End the vote"
# Of a question that has none of its own: the lecturer says or types what they stand for.
OPTIONS = ("A", "B", "C", "D")
MAX_OPTIONS, LONGEST = 6, 80
DAMAGED = "The question of this vote is not what was written; end it and open another one."
OVER = "This vote is over, or its address is mistyped; ask for a new link."
LOCAL = "localhost leads to this computer alone; for a class, start the server with --address 0.0.0.0."


class Poll:
    """A question that can be answered for a while, in one round or two.

    Attributes
    ----------
    text : str
    options : sequence of str
        The answers.
    round : int
        The present one, from 1.
    is_open : bool
        Whether it takes answers.
    """

    def __init__(self, text, options, number, is_open, path):
        self.text, self.options, self.path = text, tuple(options), path
        self.round, self.is_open = number, is_open

    def answers_file(self, number):
        """The file of a round: nine bytes for each answer that was given."""
        return self.path.with_suffix(f".answers{number}")

    def answers(self, number):
        """The answers of a round by the digests of who gave them; the first one counts."""
        votes = {}
        try:
            with open(self.answers_file(number), "rb") as file:
                text = file.read(MAX_VOTES * (1 + DIGEST))
        except FileNotFoundError:
            return votes
        for k in range(0, len(text) - DIGEST, 1 + DIGEST):
            if text[k] < len(self.options):
                votes.setdefault(text[k + 1 : k + 1 + DIGEST], text[k])
        return votes

    def counts(self, number=None):
        """How often each answer was given in a round, the present one by default: answer -> int."""
        votes = list(self.answers(number or self.round).values())
        return {option: votes.count(k) for k, option in enumerate(self.options)}

    def cast(self, option, voter):
        """Count the answer of a browser, which says by `voter`, a random text, that it is the same one.

        Raises
        ------
        InputError
            The round is closed or full, there is no such answer, or this browser has given one.
        """
        if option not in self.options:
            raise InputError(f"vote = {option[:60]!r} is no answer; choose {', '.join(self.options)}")
        if not self.is_open:
            raise InputError("This round is closed; wait for the next one.")
        votes, digest = self.answers(self.round), self.digest(voter)
        if digest in votes:
            vote = self.options[votes[digest]]
            raise InputError(f"This browser has an answer in this round already: {vote}.")
        if len(votes) >= MAX_VOTES:
            raise InputError(f"This vote has {MAX_VOTES:,} answers and takes no more; open another one.")
        # One write at the end of the file, so that none is lost between processes.
        with open(self.answers_file(self.round), "ab", buffering=0) as file:
            file.write(bytes([self.options.index(option)]) + digest)

    def digest(self, voter):
        """What is kept of a browser: it says nothing about it in another round or vote."""
        return hashlib.sha256(f"{self.path.stem} {self.round} {voter}".encode()).digest()[:DIGEST]


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
        if len(list(self._folder.glob("*.poll"))) >= MAX_POLLS:
            raise InputError(f"This server holds {MAX_POLLS} votes already; try again when some have ended.")
        token = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._write(Poll(text, options, 1, True, self._question(token)))
        return token

    def turn(self, token, number, is_open):
        """Close a round, or open another one."""
        poll = self.find(token)
        self._write(Poll(poll.text, poll.options, number, is_open, poll.path))

    def _write(self, poll):
        record = [poll.text, list(poll.options), poll.round, poll.is_open]
        storage.write(poll.path, json.dumps(record), sync=False)

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
            text, options, number, is_open = json.loads(path.read_text("utf-8"))
        except (ValueError, TypeError, RecursionError):
            raise InputError(DAMAGED) from None
        texts = isinstance(options, list) and all(isinstance(each, str) for each in (text, *options))
        if not texts or number not in range(1, ROUNDS + 1) or not isinstance(is_open, bool):
            raise InputError(DAMAGED)
        return Poll(text, options, number, is_open, path)

    def close(self, token):
        """Forget a poll, if it is still there."""
        path = self._question(token)
        if path is not None:
            path.unlink(missing_ok=True)
            for number in range(1, ROUNDS + 1):
                path.with_suffix(f".answers{number}").unlink(missing_ok=True)

    def _question(self, token):
        """The file of a poll; None where there can be none."""
        if self._folder is None or len(token) != LENGTH or not set(token) <= set(LETTERS):
            return None
        return self._folder / f"{token}.poll"


polls = Polls()


def link(host, path, token, is_secure=False):
    """The address of a vote that others can open, and why they cannot where that is so.

    Parameters
    ----------
    host, path : str
        As the browser of the lecturer asks for the page.
    token : str
    """
    name, _, port = host.rpartition(":") if host.rpartition(":")[2].isdigit() else (host, "", "")
    why = ""
    if name in ("localhost", "127.0.0.1", "[::1]"):
        name, why = (reached_at, "") if reached_at else (name, LOCAL)
    return f"http{'s' * is_secure}://{name}{':' * bool(port)}{port}{path}?vote={token}", why


# Where others reach a server that answers at all addresses of its machine; set where it begins.
reached_at = ""


class ClassVote:
    """What opens a vote on the question of a card, repeats it, and shows the counts of closed rounds.

    Parameters
    ----------
    look : theme.Look

    Attributes
    ----------
    content : tuple of panes
    """

    def __init__(self, look):
        self.look, self.token, self.question, self.ends, self.counting = look, None, None, False, None
        self.options = pmui.TextInput(
            name="Answers, with semicolons between them",
            value="; ".join(OPTIONS),
            size="small",
            margin=(4, 12),
            sizing_mode="stretch_width",
            visible=False,
        )
        self.button, self.over = (
            pmui.Button(name=name, variant="text", size="small", margin=(0, 12, 4, 12))
            for name in (OPEN, END)
        )
        self.over.visible = False
        self.button.on_click(lambda event: self._press())
        self.over.on_click(lambda event: self.close())
        self.pane = parts.pane("", look, margin=(0, 12, 10, 12))
        self.content = (self.options, pn.Row(self.button, self.over, margin=0), self.pane)

    def about(self, text, options=()):
        """Take a question; a vote on another one ends. Without options the lecturer types them."""
        if self.question != (text, tuple(options)):
            self.close()
            self.question = text, tuple(options)
            self.options.visible = not options

    def close(self):
        """End the vote, if there is one."""
        if self.token is not None:
            polls.close(self.token)
            self.counting.stop()
            self.token, self.button.label, self.pane.object = None, OPEN, ""
            self.button.visible, self.over.visible, self.options.visible = True, False, not self.question[1]

    def _press(self):
        try:
            if self.token is None:
                self._open()
            else:
                poll = polls.find(self.token)
                polls.turn(self.token, *((poll.round, False) if poll.is_open else (poll.round + 1, True)))
        except InputError as error:
            self.close()
            self.pane.object = parts.status(str(error), True)
            return
        self._count()

    def _open(self):
        text, options = self.question
        self.token = polls.open(text, options or typed_options(parts.typed(self.options)))
        if not self.ends:
            self.ends = True
            pn.state.on_session_destroyed(lambda context: self.close())
        self.options.visible, self.over.visible = False, True
        self.counting = pn.state.add_periodic_callback(self._count, COUNT_MS)

    def _count(self):
        if self.token is None:
            return
        try:
            poll = polls.find(self.token)
        except InputError:  # its time is over
            self.close()
            return
        self.button.label = CLOSE if poll.is_open else AGAIN
        self.button.visible = poll.is_open or poll.round < ROUNDS
        parts.put(self.pane, self._html(poll))

    def _html(self, poll):
        """HTML: how to take part while a round is open, and the bars of those that are closed."""
        closed = [number for number in range(1, poll.round + 1) if number < poll.round or not poll.is_open]
        bars = _bars(poll, closed, self.look) if closed else ""
        if not poll.is_open:
            return bars
        headers = pn.state.headers or {}
        path = (pn.state.app_url or "/").split("?")[0]
        address, why = link(headers.get("Host", "localhost"), path, poll.path.stem)
        code = segno.make(address, error="m")
        picture = code.svg_inline(border=2, light="#fff", dark="#000", omitsize=True)
        warning = f"<p class='wb-status bad'>{html.escape(why)}</p>" if why else ""
        number = len(poll.answers(poll.round))
        answers = f"{number} answer{'s' * (number != 1)}"
        return (
            "<div class='wb-note wb-vote'>"
            f"<div role='img' aria-label='QR code of the address'>{picture}</div>"
            f"<div><p><b>{html.escape(address)}</b> <button type='button' class='wb-more' data-do='share' "
            f"data-vote='{poll.path.stem}' data-address='{html.escape(address)}'>Copy link</button></p>"
            f"{warning}<p role='status'>Round {poll.round}: {answers}. The counts are shown when it is "
            f"closed.</p></div></div>{bars}"
        )


def parted(question):
    """A question and its answers, which stand after its question mark with semicolons between them."""
    text, mark, options = question.rpartition("?")
    return text + mark, tuple(part.strip() for part in options.split(";") if part.strip())


def typed_options(text):
    """The answers that a lecturer typed.

    Raises
    ------
    InputError
        There are too few or too many, one is too long or there twice.
    """
    options = [part.strip() for part in text.split(";") if part.strip()]
    if not 2 <= len(set(options)) == len(options) <= MAX_OPTIONS or max(map(len, options)) > LONGEST:
        raise InputError(
            f"answers = {text[:60]!r} are refused; type 2 to {MAX_OPTIONS} different ones of up to "
            f"{LONGEST} letters, with semicolons between them"
        )
    return options


def _bars(poll, rounds, look):
    """HTML of the counts of rounds side by side, as a table with bars."""
    counts = {number: poll.counts(number) for number in rounds}
    most = max((count for each in counts.values() for count in each.values()), default=0) or 1
    head = "".join(f"<th scope='col'>Round {number}</th>" for number in rounds)
    colours = dict(zip(range(1, ROUNDS + 1), (look.blue, look.green), strict=True))

    def cell(number, option):
        share = 100 * counts[number][option] / most
        bar = f"<i style='width: {share:.0f}%; background: {colours[number]}'></i>"
        return f"<td>{counts[number][option]}{bar}</td>"

    rows = "".join(
        f"<tr><th scope='row'>{html.escape(each)}</th>{''.join(cell(number, each) for number in rounds)}</tr>"
        for each in poll.options
    )
    return (
        f"<div class='wb-note' role='status'><table class='wb-table wb-bars'><thead><tr><td></td>{head}</tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


class Ballot:
    """The card of a visitor who followed the link of a vote: one answer of a browser in each round.

    Parameters
    ----------
    token : str
    look : theme.Look

    Raises
    ------
    InputError
        There is no such vote.
    """

    def __init__(self, token, look):
        self.token, self.round, self.note = token, 0, ""
        poll = polls.find(token)
        text = parts.pane(f"<div class='wb-note'><b>{html.escape(poll.text)}</b></div>", look, margin=(6, 14))
        self.pane = parts.pane("", look, margin=(0, 14, 8, 14))
        self.box = parts.card("Vote", text, self.pane, look=look)
        self.box.margin = (0, 0, 12, 0)
        self.look_again()

    def follow(self):
        """Look for another round as long as the page stands."""
        pn.state.add_periodic_callback(self.look_again, 2 * COUNT_MS)

    def look_again(self):
        """Show the answers while a round is open that has none of this page."""
        try:
            poll = polls.find(self.token)
        except InputError as error:
            parts.put(self.pane, parts.status(str(error), True))
            return
        if poll.round != self.round:
            self.round, self.note = poll.round, ""
        if self.note or not poll.is_open:
            parts.put(self.pane, self.note or parts.status("This round is closed; wait for the next one."))
            return
        button = "<button type='button' class='wb-answer' data-do='vote' data-option='{}'>{}</button>"
        buttons = "".join(button.format(k, html.escape(each)) for k, each in enumerate(poll.options))
        parts.put(self.pane, f"<div class='wb-note'><p>Round {poll.round}</p>{buttons}</div>")

    def cast(self, place, voter):
        """Take the answer of a browser."""
        try:
            poll = polls.find(self.token)
            option = poll.options[place] if 0 <= place < len(poll.options) else str(place)
            poll.cast(option, voter[:64])
        except InputError as error:
            self.note = parts.status(str(error), True)
        else:
            self.note = parts.status(f"Counted: {option}. Nobody sees who chose what.")
        parts.put(self.pane, self.note)
