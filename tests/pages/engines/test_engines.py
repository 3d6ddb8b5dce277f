"""The engines behind a page whose browser cannot compute, whatever the messages hold."""

import asyncio
import threading

import pytest

from tests.helpers import coroutines
from workbench._support.errors import InputError
from workbench.kernels import compilation
from workbench.pages import engines
from workbench.pages.bias import model as bias
from workbench.pages.engines import MAX_ENGINES, MAX_EPOCHS, Engines

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
    found = []

    async def send(message):
        if "engine" in message:
            found.append((message["engine"], message["answer"]))

    async def talk():
        all = Engines(problem, send)
        for id, message in enumerate(messages):
            name = names[id] if names else "one"
            given = {"version": 1, "id": id, **message} if isinstance(message, dict) else message
            await all.take(name, given)

    coroutines.run(talk())
    return found


def test_the_page_says_which_kernel_compiles_before_an_answer(monkeypatch):
    monkeypatch.setattr(engines, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(compilation, "progress", {"current": "epoch", "done": 3})
    found, told = [], threading.Event()

    async def send(message):
        found.append(message)
        told.set()

    def made(names):
        assert told.wait(60)
        return problem(names)

    coroutines.run(Engines(made, send).take("one", {"version": 1, "id": 0, **DATA}))
    assert found[0] == {"compiling": "Compiling kernels, once after an installation: epoch (3 done)."}
    assert found[-1]["answer"]["type"] == "ready"


def test_a_run_is_answered_until_it_ends():
    found = [each for _, each in answers(DATA, PROBLEM, {"type": "run", "gap": 0.1})]
    assert [each["type"] for each in found[:2]] == ["ready", "frame"]
    assert found[-1]["type"] == "ended"
    assert found[-1]["status"] == "converged"
    assert found[-2]["relative_gap"] <= 0.1


def test_a_message_that_comes_meanwhile_is_answered_within_the_run():
    found = []

    async def send(message):
        # A connection that is slow with what was asked for first.
        await asyncio.sleep(0.3 if message["answer"]["id"] == 2 else 0.0)
        found.append(message["answer"])

    async def talk():
        all = Engines(problem, send)
        for id, message in enumerate((DATA, PROBLEM)):
            await all.take("one", {"version": 1, "id": id, **message})
        run = asyncio.create_task(
            all.take("one", {"version": 1, "id": 2, "type": "run", "gap": 0.0, "max_epochs": 10**9})
        )
        while not any(each["id"] == 2 for each in found):
            await asyncio.sleep(0.01)
        await all.take("one", {"version": 1, "id": 3, "type": "pause"})
        await run

    coroutines.run(talk())
    assert {"ended", "frame"} <= {each["type"] for each in found if each["id"] in (2, 3)}
    assert [each["id"] for each in found if each["type"] == "frame"][-1] == 3
    assert next(each for each in found if each["type"] == "ended")["status"] == "paused"


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
    found = answers(DATA, PROBLEM | changed, PROBLEM)
    assert [each["type"] for _, each in found] == ["ready", "error", "frame"]


@pytest.mark.parametrize("message", [None, 3, [], {"type": "run", "max_epochs": "many"}, {"type": None}, {}])
def test_no_message_ends_the_page(message):
    found = answers(DATA, PROBLEM, message, {"type": "frame"})
    assert found[-1][1]["type"] == "frame"


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
    found = answers(DATA, PROBLEM, message, {"type": "epoch", "count": 2}, {"type": "seek", "step": 3})
    assert [each["type"] for _, each in found] == ["ready", "frame", "error", "frame", "frame"]
    assert "at once" in found[2][1]["text"]
    assert found[-1][1]["step"] == 3


def test_there_are_so_many_engines_and_epochs_and_no_more():
    names = [str(k) for k in range(MAX_ENGINES + 1)]
    found = answers(*[DATA] * len(names), names=names)
    assert [each["type"] for _, each in found] == ["ready"] * MAX_ENGINES + ["error"]
    assert MAX_EPOCHS >= 1000
