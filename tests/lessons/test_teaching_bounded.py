"""A check comes to an end, and says one sentence, whatever an answer does."""

import contextlib
import sys
import threading
import time

import numpy as np
import pytest

from workbench.teaching import NotYet, bounded, check
from workbench.teaching.bounded import Endless


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """None of the answers here ever ends, so that the limits decide nothing but how long the tests take."""
    monkeypatch.setattr(bounded, "PROCESSOR_SECONDS", 0.2)
    monkeypatch.setattr(bounded, "CLOCK_SECONDS", 0.5)
    monkeypatch.setattr(bounded, "PAUSE", 0.02)


def looping(v):
    while True:
        pass


def sleeping(v):
    while True:
        time.sleep(0.01)


def catching(v):
    while True:
        with contextlib.suppress(Exception):
            sum(range(100))


def printing(v):
    while True:
        print("spam", v)


def waiting(v):
    """As a sleep that nothing interrupts; the test lets it go."""
    waiting.over.wait()


def refusal(answer, name="1.2"):
    with pytest.raises(NotYet) as refused:
        check(name, answer)
    said = str(refused.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize("answer", [looping, sleeping, catching, printing])
def test_an_answer_that_never_returns(answer, capsys):
    before = threading.active_count()
    said = refusal(answer)
    assert "does not come to an end" in said
    assert "restart" not in said
    assert threading.active_count() == before
    assert len(capsys.readouterr().out) < 2 * bounded.MAX_PRINTED


def test_one_that_cannot_be_stopped_says_so(monkeypatch):
    monkeypatch.setattr(bounded, "FAREWELL", 0.1)
    waiting.over = threading.Event()
    try:
        assert "restart the kernel" in refusal(waiting)
    finally:
        waiting.over.set()


def test_the_text_answers_of_lesson_3_are_bounded():
    assert "does not come to an end" in refusal(lambda z, y, epsilon: looping(z), "3.3")


def test_an_answer_that_calls_itself_forever():
    def again(v):
        return again(v)

    assert "RecursionError" in refusal(again)


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, ValueError])
def test_whatever_stops_an_answer_is_named(error):
    def stops(v):
        raise error("first line\nsecond line")

    assert f"stops with {error.__name__}: first line second line." in refusal(stops)


@pytest.mark.parametrize(
    "value",
    [
        "0.5",
        b"0.5",
        {0.5},
        {"q": 0.5},
        [0.5, 0.5],
        np.zeros((2, 2)),
        1j,
        object(),
        print,
        (k for k in "ab"),
        [[1], [1, 2]],
        np.array(["a"]),
        NotImplemented,
        ...,
        None,
        float,
    ],
)
def test_whatever_an_answer_returns_gets_a_sentence(value):
    assert refusal(lambda v: value).startswith("Exercise 1.2")


def test_a_long_print_is_cut_and_does_no_harm(capsys):
    def chatty(v):
        print("x" * 10 * bounded.MAX_PRINTED)
        return v if -1 <= v <= 0 else np.inf

    check("1.2", chatty)
    assert "right" in capsys.readouterr().out


def test_numpys_error_state_is_the_callers():
    with np.errstate(divide="raise"):
        _, error = bounded.bounded(lambda: np.array([1.0]) / 0.0)
    assert isinstance(error, FloatingPointError)


def test_an_interrupt_reaches_the_caller_and_ends_the_call(monkeypatch):
    def interrupted(thread):
        raise KeyboardInterrupt

    before, out = threading.active_count(), sys.stdout
    monkeypatch.setattr(bounded, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bounded.bounded(looping, 1.0)
    assert threading.active_count() == before
    assert sys.stdout is out


def test_what_returns_is_not_endless():
    assert bounded.bounded(divmod, 7, 2) == ((3, 1), None)
    with pytest.raises(Endless):
        bounded.bounded(looping, 1.0)
