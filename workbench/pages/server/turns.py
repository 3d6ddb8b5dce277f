"""Turns at computing for the visitors of one process, the first picture of a change before any run."""

import asyncio
import contextlib
import os
from collections import deque


class Turns:
    """Limit the computations at the same time; those that wait have their turn in the order of asking.

    Small problems compute in Python for the most part, so more threads than cores would only take the
    interpreter from the server's loop.
    """

    def __init__(self, most):
        self.free = most
        self.urgent, self.waiting = deque(), deque()

    @contextlib.asynccontextmanager
    async def take(self, urgent=False):
        """Have a turn for as long as the block lasts; an urgent one comes before those that are not."""
        if self.free:
            self.free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            (self.urgent if urgent else self.waiting).append(turn)
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
        for queue in (self.urgent, self.waiting):
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
