"""Limits of processor time, which a busy machine does not shorten."""

import time

from workbench.errors import InputError

# What gets no processor time at all, or waits for ever, comes to an end too: by the clock, so many times
# as long.
BACKSTOP = 10


class Allowance:
    """The time that a search for a fault may take, counted from the first line that is looked at.

    Parameters
    ----------
    seconds : float
        Of this thread's processor time; by the clock it may be `BACKSTOP` times as many.
    """

    def __init__(self, seconds):
        self.seconds, self._start = seconds, None

    def check(self, where: str, line: int) -> None:
        """Raise an `InputError` once the time is over; line is how far the reading came."""
        processor, clock = time.thread_time(), time.monotonic()
        if self._start is None:
            self._start = processor, clock
        if processor - self._start[0] >= self.seconds:
            raise InputError(
                f"{where}, line {line}: reading took too long to go on from here; take a part of the rows."
            )
        if clock - self._start[1] >= BACKSTOP * self.seconds:
            raise InputError(
                f"{where}, line {line}: the machine is too busy to go on from here; try again in a minute."
            )
