"""Derivations for pages: in the worker, with a limit, one cache for all visitors, one request a visitor."""

import asyncio
import collections
import contextlib

from workbench import sketches
from workbench.convex.worker import shared

TIMEOUT = 20.0
# Outcomes of some 20 kB each.
MOST = 128
_cache = collections.OrderedDict()


def known(key):
    """An outcome that some visitor asked for before, or None."""
    outcome = _cache.get(key)
    if outcome is not None:
        _cache.move_to_end(key)
    return outcome


def keep(key, outcome):
    _cache[key] = outcome
    while len(_cache) > MOST:
        _cache.popitem(last=False)


class Desk:
    """Where one visitor's derivations are asked for; a new request cancels the one before."""

    def __init__(self):
        self._running = None

    async def ask(self, function, *arguments):
        """The outcome of a function of `workbench.sketches`.

        Raises
        ------
        InputError
            As the function raises it; `DerivationTimeout` at the limit.
        asyncio.CancelledError
            The visitor cancelled, asked anew or left.
        """
        key = function, *arguments
        outcome = known(key)
        if outcome is None:
            self.cancel()
            future = shared().submit(getattr(sketches, function), *arguments, timeout=TIMEOUT)
            self._running = future
            try:
                outcome = await asyncio.wrap_future(future)
            finally:
                if self._running is future:
                    self._running = None
            keep(key, outcome)
        return outcome

    def cancel(self):
        """Stop what is under way; its process ends."""
        running, self._running = self._running, None
        if running is not None:
            with contextlib.suppress(RuntimeError):
                running.cancel()
