"""Turns at computing for the visitors of one process, the first picture of a change before any run."""

import asyncio
import contextlib
import os
import threading
import time
from collections import OrderedDict, deque

from workbench._support.errors import InputError
from workbench.pages.server import budgets

# Seconds of a turn at work that goes on in pieces, so that nobody waits long for the next one.
PIECE_SECONDS = 0.1
TOO_LONG = (
    "this takes more than {most:g} s of computing, as much as a page may ask for at once; "
    "choose less data, or compute it in Python"
)


class Turns:
    """Limit the computations at the same time; those that wait have their turn in the order of asking.

    Small problems compute in Python for the most part, so more threads than cores would only take the
    interpreter from the server's loop.
    """

    def __init__(self, most):
        self.free, self.lock = most, threading.Lock()  # files are made in loops of other threads
        self.urgent, self.waiting = deque(), deque()

    @contextlib.asynccontextmanager
    async def take(self, urgent=False):
        """Have a turn for as long as the block lasts; an urgent one comes before those that are not."""
        turn = asyncio.get_running_loop().create_future()
        with self.lock:
            is_free = self.free > 0
            if is_free:
                self.free -= 1
            else:
                (self.urgent if urgent else self.waiting).append(turn)
        if not is_free:
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._give()
                raise
        try:
            yield
        finally:
            self._give()

    def _give(self):
        """Give the turn to the next that still waits."""
        with self.lock:
            while queue := self.urgent or self.waiting:
                turn = queue.popleft()
                with contextlib.suppress(RuntimeError):  # its loop has ended
                    turn.get_loop().call_soon_threadsafe(self._grant, turn)
                    return
            self.free += 1

    def _grant(self, turn):
        if turn.done():  # it was cancelled
            self._give()
        else:
            turn.set_result(None)


CORES = os.cpu_count() or 1
# Of this process; `share` leaves each process of a server its part of the cores.
turns = Turns(CORES)


def share(processes):
    """Divide the cores between a number of processes, before any of them serves."""
    turns.free = max(1, CORES // processes)


# Work in pieces: a generator that yields where others may compute, and returns its value.


async def in_turns(steps):
    """Return the value of work in pieces, computed in threads in turns with all that computes.

    Raises
    ------
    InputError
        It takes more than the budget of an answer.
    """
    seconds = 0.0
    while True:
        async with turns.take():
            is_done, value, used = await asyncio.to_thread(_go_on, steps)
        if is_done:
            return value
        seconds += used
        if seconds > budgets.WORK_SECONDS.most:
            raise InputError(TOO_LONG.format(most=budgets.WORK_SECONDS.most))


def _go_on(steps):
    """Do a piece, and more for a while; returns whether the work is done, its value, and the seconds."""
    begin, ends = time.thread_time(), time.monotonic() + PIECE_SECONDS
    try:
        next(steps)
        while time.monotonic() < ends:
            next(steps)
    except StopIteration as stop:
        return True, stop.value, 0.0
    return False, None, time.thread_time() - begin


def result_of(steps):
    """Return the value of work in pieces, computed here."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def in_one(function, *arguments):
    """Return a call as work of one piece."""
    return function(*arguments)
    yield


class Remembered:
    """The values of the latest works by their keys, which the visits of a process share."""

    def __init__(self, most):
        self.values, self.most = OrderedDict(), most

    def steps(self, key, work):
        """Yield as the work does, unless its value is known; returns the value."""
        if key not in self.values:
            self.values[key] = yield from work
            while len(self.values) > self.most:
                self.values.popitem(last=False)
        return self.values[key]
