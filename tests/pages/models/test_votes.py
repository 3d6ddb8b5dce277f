"""Votes of a class: bounded in number and time, one count an answer, nothing else kept."""

import copy
import html
import random

import pytest

from workbench._support.errors import InputError
from workbench.pages import votes
from workbench.pages.shell import Visit

ASKED = ("Does the gap fall?", ("yes", "no"))


@pytest.fixture
def polls():
    found = votes.Polls()
    yield found
    found.end()


def test_answers_are_counted_by_all_processes(polls):
    polls.share()
    token = polls.open("Does it fall?", ("yes", "no"))
    # Each process of a server has an object of its own, on the folder of the first.
    other = copy.copy(polls)
    polls.find(token).cast("yes", "one")
    other.find(token).cast("no", "two")
    other.find(token).cast("yes", "three")
    assert polls.find(token).counts() == other.find(token).counts() == {"yes": 2, "no": 1}
    with pytest.raises(InputError, match="is no answer; choose yes, no"):
        polls.find(token).cast("<b>maybe</b>", "four")
    # A browser has one answer in a round, whichever process it asks.
    with pytest.raises(InputError, match="has an answer in this round already: no"):
        polls.find(token).cast("yes", "two")
    # Beside an answer nothing is kept but a digest, which is another one in another vote.
    kept = polls.find(token).answers_file(1).read_bytes()
    assert len(kept) == 3 * (1 + votes.DIGEST)
    again = polls.open("Does it fall?", ("yes", "no"))
    assert polls.find(again).digest("one") not in kept
    for wrong in ("../../etc", "a" * votes.LENGTH, ""):
        with pytest.raises(InputError, match="This vote is over"):
            polls.find(wrong)


def test_a_second_round_begins_anew_and_leaves_the_first(polls):
    token = polls.open(*ASKED)
    polls.find(token).cast("yes", "one")
    polls.turn(token, 1, False)
    with pytest.raises(InputError, match="This round is closed"):
        polls.find(token).cast("no", "two")
    polls.turn(token, 2, True)
    polls.find(token).cast("no", "one")
    poll = polls.find(token)
    assert [poll.counts(number) for number in (1, 2)] == [{"yes": 1, "no": 0}, {"yes": 0, "no": 1}]
    polls.close(token)
    assert list(poll.path.parent.glob(f"{token}*")) == []


def test_a_link_leads_to_this_machine_or_says_why_not(monkeypatch):
    assert votes.link("lab.example.org", "/bias", "abcdefg", True) == (
        "https://lab.example.org/bias?vote=abcdefg",
        "",
    )
    address, why = votes.link("localhost:5006", "/bias", "abcdefg")
    assert (address, why) == ("http://localhost:5006/bias?vote=abcdefg", votes.LOCAL)
    monkeypatch.setattr(votes, "reached_at", "192.0.2.7")
    assert votes.link("127.0.0.1:5006", "/bias", "abcdefg") == ("http://192.0.2.7:5006/bias?vote=abcdefg", "")


@pytest.mark.parametrize("text", ["", "A", "A; A", "A;B;C;D;E;F;G", "A; " + "b" * 81])
def test_answers_that_cannot_be_voted_on_are_refused(text):
    assert votes.typed_options(" yes ; no;") == ["yes", "no"]
    with pytest.raises(InputError, match="type 2 to 6 different ones"):
        votes.typed_options(text)


def test_a_poll_ends_when_it_is_closed_or_old(polls, monkeypatch):
    token, other = polls.open(*ASKED), polls.open(*ASKED)
    polls.close(token)
    with pytest.raises(InputError, match="This vote is over"):
        polls.find(token)
    later = votes.time.time() + votes.SECONDS + 1
    monkeypatch.setattr(votes.time, "time", lambda: later)
    with pytest.raises(InputError, match="ask for a new link"):
        polls.find(other)


def test_polls_and_answers_are_bounded(polls, monkeypatch):
    monkeypatch.setattr(votes, "MAX_POLLS", 3)
    monkeypatch.setattr(votes, "MAX_VOTES", 2)
    tokens = [polls.open(*ASKED) for _ in range(3)]
    assert len(set(tokens)) == 3
    with pytest.raises(InputError, match="holds 3 votes already"):
        polls.open(*ASKED)
    for voter in ("one", "two"):
        polls.find(tokens[0]).cast("yes", voter)
    with pytest.raises(InputError, match="takes no more"):
        polls.find(tokens[0]).cast("yes", "three")
    # What is over makes room.
    later = votes.time.time() + votes.SECONDS + 1
    monkeypatch.setattr(votes.time, "time", lambda: later)
    assert polls.open(*ASKED) not in tokens


@pytest.mark.parametrize(
    "question",
    [
        "",
        "{",
        "[" * 100_000,
        "3",
        "[]",
        '["a"]',
        '["a", "bc"]',
        '[1, ["yes"]]',
        '["a", [1]]',
        '["a", null]',
        '["a", ["b"], 1]',
        '{"a": 1, "b": 2}',
        '["a", ["b"], 3, true]',
        '["a", ["b"], 1, 2]',
        b"\xff\xfe",
    ],
)
def test_a_damaged_question_is_refused(polls, question):
    token = polls.open(*ASKED)
    path = polls._question(token)
    path.write_bytes(question if isinstance(question, bytes) else question.encode())
    with pytest.raises(InputError, match="open another one"):
        polls.find(token)


def test_damaged_answers_are_counted_as_far_as_they_are_some(polls):
    token, draw = polls.open(*ASKED), random.Random(5)
    poll = polls.find(token)
    for size in (0, 1, 50, 10 * votes.MAX_VOTES * (1 + votes.DIGEST)):
        poll.answers_file(1).write_bytes(bytes(size) if size > 50 else draw.randbytes(size))
        assert 0 <= sum(poll.counts().values()) <= votes.MAX_VOTES


def test_the_address_takes_a_token_and_nothing_else():
    assert Visit(query="?vote=abcdefg").fixed["vote"] == "abcdefg"
    for wrong in ("a" * (votes.LENGTH + 1), "ABC", "<script>"):
        visit = Visit(query=f"?vote={wrong}")
        assert visit.fixed["vote"] == ""
        assert "vote" in visit.refusals[0]


def test_a_ballot_counts_one_answer_of_a_browser_in_each_round():
    token = votes.polls.open("Is 1 < 2?", ("yes", "no"))
    try:
        ballot, other = (votes.Ballot(token, Visit(query="").look) for _ in range(2))
        assert html.escape("Is 1 < 2?") in ballot.box[1].object
        ballot.cast(0, "one")
        other.cast(1, "one")  # another window of the same browser
        assert "Counted: yes" in ballot.pane.object
        assert "already: yes" in other.pane.object
        other.cast(7, "two")
        assert "is no answer" in other.pane.object
        assert votes.polls.find(token).counts() == {"yes": 1, "no": 0}
        votes.polls.turn(token, 1, False)
        votes.polls.turn(token, 2, True)
        ballot.look_again()
        assert ballot.pane.object.count("data-option") == 2
    finally:
        votes.polls.close(token)
    ballot.look_again()
    assert "This vote is over" in ballot.pane.object
