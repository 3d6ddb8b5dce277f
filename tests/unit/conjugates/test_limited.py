"""Limits of processor time on single calls: they stop, give what a slow processor needs, and nest."""

import time

import pytest

from workbench.conjugates.convex import limited


@pytest.fixture(autouse=True)
def interruptible(monkeypatch):
    monkeypatch.setattr(limited, "INTERRUPTIBLE", (__name__.partition(".")[0],))


def spin(seconds):
    """Use so much processor time, and say how much it was."""
    started = time.process_time()
    while time.process_time() - started < seconds:
        pass
    return time.process_time() - started


@pytest.mark.parametrize("slowness", [1.0, 3.0])
def test_a_slow_processor_has_as_many_times_as_long(monkeypatch, slowness):
    monkeypatch.setattr(limited, "_slowness", lambda: slowness)
    started = time.process_time()
    assert limited.attempt(spin, 5.0, limit=0.1, default="stopped") == "stopped"
    assert 0.095 * slowness <= time.process_time() - started < 5.0
    # Within what a slow one has, and beyond the limit as it stands, by more than the clock ticks late.
    assert (limited.attempt(spin, 0.5, limit=0.25, default=0.0) >= 0.5) == (slowness == 3.0)


def test_a_call_inside_another_leaves_the_outer_limit(monkeypatch):
    monkeypatch.setattr(limited, "_slowness", lambda: 1.0)
    found = []

    def outer():
        found.append(limited.attempt(spin, 5.0, limit=0.05, default="inner"))
        spin(5.0)

    started = time.process_time()
    assert limited.attempt(outer, limit=0.2, default="outer") == "outer"
    assert found == ["inner"]
    assert time.process_time() - started < 5.0


def test_the_measurement_of_slowness_is_not_interrupted(monkeypatch):
    """A finalizer that happens to run when a limit is reached must not be left by an exception."""
    inside = {"__name__": "workbench.conjugates.convex.slow"}
    exec("def slowness():\n    burn(5)\n    return 1.0\n", inside)
    inside["burn"] = eval("lambda ticks: sum(k * k for k in range(200_000 * ticks))", inside)
    monkeypatch.setattr(limited, "_slowness", inside["slowness"])
    monkeypatch.setattr(limited, "INTERRUPTIBLE", ("workbench",))
    finished = []

    def finalizer():  # in this module, which no limit interrupts now
        spin(0.3)
        finished.append(True)

    limited.attempt(finalizer, limit=0.02)
    assert finished


def test_errors_and_results_pass_through():
    assert limited.attempt(lambda x, y: x + y, 1, y=2) == 3
    assert limited.attempt(lambda: 1 / 0, default="none") == "none"
    with pytest.raises(ZeroDivisionError), limited.seconds(1.0):
        _ = 1 / 0


def test_slowness_is_a_factor_from_one_up():
    assert 1.0 <= limited._slowness() <= limited.SLOWEST
