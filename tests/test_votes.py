"""Votes of a class: bounded in number and time, one count an answer, nothing else kept."""

import copy
import html
import random

import pytest

from workbench.errors import InputError
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
    polls.find(token).cast("yes")
    other.find(token).cast("no")
    other.find(token).cast("yes")
    assert polls.find(token).counts == other.find(token).counts == {"yes": 2, "no": 1}
    with pytest.raises(InputError, match="is no answer; choose yes, no"):
        polls.find(token).cast("<b>maybe</b>")
    # Counts are all that is kept of those who voted.
    assert polls.find(token).answers.read_bytes() == bytes([0, 1, 0])
    for wrong in ("../../etc", "a" * votes.LENGTH, ""):
        with pytest.raises(InputError, match="This vote is over"):
            polls.find(wrong)


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
    monkeypatch.setattr(votes, "MOST_POLLS", 3)
    monkeypatch.setattr(votes, "MOST_VOTES", 2)
    tokens = [polls.open(*ASKED) for _ in range(3)]
    assert len(set(tokens)) == 3
    with pytest.raises(InputError, match="holds 3 votes already"):
        polls.open(*ASKED)
    for _ in range(2):
        polls.find(tokens[0]).cast("yes")
    with pytest.raises(InputError, match="takes no more"):
        polls.find(tokens[0]).cast("yes")
    # What is over makes room.
    later = votes.time.time() + votes.SECONDS + 1
    monkeypatch.setattr(votes.time, "time", lambda: later)
    assert polls.open(*ASKED) not in tokens


@pytest.mark.parametrize(
    "question",
    ["", "{", "[" * 100_000, "3", "[]", '["a"]', '["a", "bc"]', '[1, ["yes"]]', '["a", [1]]', '["a", null]',
     '["a", ["b"], 1]', '{"a": 1, "b": 2}', b"\xff\xfe"],
)  # fmt: skip
def test_a_damaged_question_is_refused(polls, question):
    token = polls.open(*ASKED)
    path = polls._question(token)
    path.write_bytes(question if isinstance(question, bytes) else question.encode())
    with pytest.raises(InputError, match="open another one"):
        polls.find(token)


def test_damaged_answers_are_counted_as_far_as_they_are_some(polls):
    token, draw = polls.open(*ASKED), random.Random(5)
    poll = polls.find(token)
    for size in (0, 1, 50, votes.MOST_VOTES, 10 * votes.MOST_VOTES):
        poll.answers.write_bytes(draw.randbytes(size))
        assert 0 <= sum(poll.counts.values()) <= size
        if size < votes.MOST_VOTES:
            before = poll.counts["no"]
            poll.cast("no")
            assert poll.counts["no"] == before + 1
        else:
            # What is no answer takes its place, so that the file grows no further.
            with pytest.raises(InputError, match="takes no more"):
                poll.cast("no")
    poll.answers.write_bytes(bytes(10 * votes.MOST_VOTES))
    assert poll.counts == {"yes": votes.MOST_VOTES, "no": 0}


def test_the_address_takes_a_token_and_nothing_else():
    assert Visit(query="?vote=abcdefg").fixed["vote"] == "abcdefg"
    for wrong in ("a" * (votes.LENGTH + 1), "ABC", "<script>"):
        visit = Visit(query=f"?vote={wrong}")
        assert visit.fixed["vote"] == ""
        assert "vote" in visit.refusals[0]


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_ballot_counts_one_answer_of_a_session():
    token = votes.polls.open("Is 1 < 2?", ("yes", "no"))
    try:
        card = votes.ballot(token, Visit(query="").look)
        said, row = card[1], card[2]
        assert html.escape("Is 1 < 2?") in said.object
        yes, no = row.objects
        yes.param.trigger("clicks")
        assert list(row.objects) == []
        no.param.trigger("clicks")
        assert votes.polls.find(token).counts == {"yes": 1, "no": 0}
    finally:
        votes.polls.close(token)
