"""Derivations for pages: in workers, within a limit, each made once for all visitors, and one a visitor.

What the package brings or some visitor asked for before, in any process of the server, is there at once; what
is under way in this process is waited for.
"""

import asyncio
import collections
import contextlib
import json

from workbench.conjugates.convex.worker import shared
from workbench.conjugates.derivations import outcomes, sketches

# Seconds of processor time after which no further step is tried, and after which a derivation is stopped.
BUDGET, TIMEOUT = 6.0, 7.0
# Outcomes of some 20 kB each.
MAX_OUTCOMES = 128
_cache = collections.OrderedDict()
_running = {}  # key -> [future of a worker, number of visitors who wait]


def lookup(key):
    """An outcome that the package brings or that somebody asked for before, or None."""
    outcome = _cache.get(key)
    if outcome is None:
        outcome = outcomes.shipped().get(key)
    if outcome is None:
        outcome = outcomes.read_outcome(key)
    if outcome is not None:
        _remember(key, outcome)
    return outcome


def keep(key, outcome):
    """An outcome as plain data, which is kept."""
    plain = json.loads(json.dumps(outcome))  # as it will be read again
    _remember(key, plain)
    outcomes.write(key, plain)
    return plain


def _remember(key, outcome):
    _cache[key] = outcome
    _cache.move_to_end(key)
    while len(_cache) > MAX_OUTCOMES:
        _cache.popitem(last=False)


class DerivationQueue:
    """The queue of one visitor's derivations; a new request cancels the one before."""

    def __init__(self):
        self._running = None

    async def ask(self, function, *arguments):
        """The outcome of a function of `workbench.conjugates.derivations.sketches`, as JSON gives it back.

        Raises
        ------
        InputError
            As the function raises it; `DerivationTimeout` at the limit.
        asyncio.CancelledError
            The visitor cancelled, asked anew or left.
        """
        key = outcomes.key(function, *arguments)
        outcome = lookup(key)
        if outcome is None:
            self.cancel()
            self._running = running = asyncio.ensure_future(self._derive(key, function, arguments))
            try:
                outcome = await running
            finally:
                running.cancel()
                if self._running is running:
                    self._running = None
        return outcome

    async def _derive(self, key, function, arguments):
        if key not in _running:
            call = sketches.within, BUDGET, getattr(sketches, function), *arguments
            _running[key] = [shared().submit(*call, timeout=TIMEOUT), 0]
        entry = _running[key]
        entry[1] += 1
        try:
            result = await asyncio.shield(asyncio.wrap_future(entry[0]))
        finally:
            entry[1] -= 1
            if not entry[1]:
                _running.pop(key, None)
                entry[0].cancel()  # ends its process where nobody else waits for it
        # Of several visitors the first keeps it.
        return _cache.get(key) or keep(key, result)

    def cancel(self):
        """Stop what is under way; its process ends where nobody else waits for it."""
        running, self._running = self._running, None
        if running is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                running.cancel()
