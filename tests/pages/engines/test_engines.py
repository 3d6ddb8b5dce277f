"""The engines behind a page whose browser cannot compute, whatever the messages hold."""

import asyncio
import threading

import pytest

from tests.helpers import coroutines
from workbench._support.errors import InputError
from workbench.kernels import compilation
from workbench.pages.bias import model as bias
from workbench.pages.hosts import engines
from workbench.pages.hosts.engines import MAX_ENGINES, MAX_EPOCHS, Engines

PROBLEM = {
    "type": "problem",
    "loss": "hinge",
    "regularizer": "squared-l2",
    "lam": 0.01,
    "seed": 0,
    "solver": {"name": "augmented-lagrangian"},
}
DATA = {"type": "data", "source": "Breast cancer", "constraint": bias.BIAS}


def problem(names):
    if names["source"] == "nothing":
        raise InputError("source = 'nothing' is not here; choose another")
    return bias.problem(names["source"], names["constraint"])


def answers(*messages, names=()):
    """All answers to messages that come at once, by the number of their message."""
    replies = []

    async def send(message):
        if "engine" in message:
            replies.append((message["engine"], message["answer"]))

    async def talk():
        all = Engines(problem, send)
        for id, message in enumerate(messages):
            name = names[id] if names else "one"
            request = {"version": 1, "id": id, **message} if isinstance(message, dict) else message
            await all.take(name, request)

    coroutines.run(talk())
    return replies


def test_the_page_says_which_kernel_compiles_before_an_answer(monkeypatch):
    monkeypatch.setattr(engines, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(compilation, "progress", {"current": "epoch", "done": 3})
    replies, compiled = [], threading.Event()

    async def send(message):
        replies.append(message)
        compiled.set()

    def made(names):
        assert compiled.wait(60)
        return problem(names)

    coroutines.run(Engines(made, send).take("one", {"version": 1, "id": 0, **DATA}))
    assert replies[0] == {"compiling": "Compiling kernels, once after an installation: epoch (3 done)."}
    assert replies[-1]["answer"]["type"] == "ready"


def test_a_run_is_answered_until_it_ends():
    replies = [reply for _, reply in answers(DATA, PROBLEM, {"type": "run", "gap": 0.1})]
    assert [reply["type"] for reply in replies[:2]] == ["ready", "frame"]
    assert replies[-1]["type"] == "ended"
    assert replies[-1]["status"] == "converged"
    assert replies[-2]["relative_gap"] <= 0.1


def test_a_message_during_a_run_is_answered():
    replies = []

    async def send(message):
        # A connection that is slow with what was asked for first.
        await asyncio.sleep(0.3 if message["answer"]["id"] == 2 else 0.0)
        replies.append(message["answer"])

    async def talk():
        all = Engines(problem, send)
        for id, message in enumerate((DATA, PROBLEM)):
            await all.take("one", {"version": 1, "id": id, **message})
        run = asyncio.create_task(
            all.take("one", {"version": 1, "id": 2, "type": "run", "gap": 0.0, "max_epochs": 10**9})
        )
        while not any(reply["id"] == 2 for reply in replies):
            await asyncio.sleep(0.01)
        await all.take("one", {"version": 1, "id": 3, "type": "pause"})
        await run

    coroutines.run(talk())
    assert {"ended", "frame"} <= {reply["type"] for reply in replies if reply["id"] in (2, 3)}
    assert [reply["id"] for reply in replies if reply["type"] == "frame"][-1] == 3
    assert next(reply for reply in replies if reply["type"] == "ended")["status"] == "paused"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"type": "step"}, "send 'data' first"),
        ({"type": "data", "source": "nothing"}, "is not here"),
        ({"type": "data"}, "should not"),
        ({"type": "data", "source": ["Breast cancer"], "constraint": {}}, "should not"),
    ],
)
def test_what_cannot_be_done_is_said(message, said):
    ((_, answer),) = answers(message)
    assert answer["type"] == "error"
    assert said in answer["text"]


@pytest.mark.parametrize(
    "changed",
    [
        {"lam": "much"},
        {"lam": -1.0},
        {"loss": 7},
        {"loss": {"functions": "x"}},
        {"solver": {"name": []}},
        {"solver": {"name": "augmented-lagrangian", "mu": "soft"}},
        {"seed": -1.5},
        {"alpha": "x"},
        {"more": 1},
        {"regularizer": "nothing"},
    ],
)
def test_a_problem_may_hold_anything(changed):
    replies = answers(DATA, PROBLEM | changed, PROBLEM)
    assert [reply["type"] for _, reply in replies] == ["ready", "error", "frame"]


@pytest.mark.parametrize("message", [None, 3, [], {"type": "run", "max_epochs": "many"}, {"type": None}, {}])
def test_no_message_ends_the_page(message):
    replies = answers(DATA, PROBLEM, message, {"type": "frame"})
    assert replies[-1][1]["type"] == "frame"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "step", "count": 10**12},
        {"type": "epoch", "count": 10**9},
        {"type": "seek", "step": 10**15},
        {"type": "profile", "count": 10**9},
        {"type": "step", "count": float("inf")},
        {"type": "terms", "samples": [0] * 10**5},
    ],
)
def test_one_message_takes_no_more_than_it_may(message):
    replies = answers(DATA, PROBLEM, message, {"type": "epoch", "count": 2}, {"type": "seek", "step": 3})
    assert [reply["type"] for _, reply in replies] == ["ready", "frame", "error", "frame", "frame"]
    assert "at once" in replies[2][1]["text"]
    assert replies[-1][1]["step"] == 3


def test_engines_and_epochs_are_limited():
    names = [str(k) for k in range(MAX_ENGINES + 1)]
    replies = answers(*[DATA] * len(names), names=names)
    assert [reply["type"] for _, reply in replies] == ["ready"] * MAX_ENGINES + ["error"]
    assert MAX_EPOCHS >= 1000
