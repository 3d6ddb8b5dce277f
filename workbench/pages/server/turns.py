"""Turns at computing for the visitors of one process, the first picture of a change before any run."""

import asyncio
import contextlib
import os
from collections import deque


class Turns:
    """As many computations at a time as there are places; those that wait go in the order of asking.

    Small problems compute in Python for the most part, so more threads than cores would only take the
    interpreter from the server's loop.
    """

    def __init__(self, places):
        self.free = places
        self.hurried, self.patient = deque(), deque()

    @contextlib.asynccontextmanager
    async def take(self, hurried=False):
        """One place for as long as the block lasts."""
        if self.free:
            self.free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            (self.hurried if hurried else self.patient).append(turn)
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
        """Give the place to the next who still waits."""
        for queue in (self.hurried, self.patient):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self.free += 1


CORES = os.cpu_count() or 1
# Of this process; `share` leaves each process of a server its part of the cores.
turns = Turns(CORES)


def share(processes):
    """Divide the cores between a number of processes, before any of them serves."""
    turns.free = max(1, CORES // processes)
