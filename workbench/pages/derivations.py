"""Derivations for pages: in workers, within a limit, each made once for all visitors, and one a visitor.

What the package brings or some visitor asked for before is there at once; what is under way is waited for,
also where another process of the server is at it.
"""

import asyncio
import collections
import contextlib
import json

from workbench.conjugates.convex.worker import shared
from workbench.conjugates.derivations import outcomes, sketches

TIMEOUT = 20.0  # seconds of processor time
# Seconds between two looks at whether another process has finished.
LOOK = 0.1
# Outcomes of some 20 kB each.
MAX_OUTCOMES = 128
_cache = collections.OrderedDict()
_claims = {}  # what this process derives: key -> [claim, how many of its visitors wait]


def lookup(key):
    """An outcome that the package brings or that somebody asked for before, or None."""
    outcome = _cache.get(key)
    if outcome is None:
        outcome = outcomes.shipped().get(key)
    if outcome is None:
        outcome = outcomes.shelf().read(key)
    if outcome is not None:
        _remember(key, outcome)
    return outcome


def keep(key, outcome):
    """An outcome as plain data, which is kept."""
    plain = json.loads(json.dumps(outcome))  # as it will be read again
    _remember(key, plain)
    outcomes.shelf().write(key, plain)
    return plain


def _remember(key, outcome):
    _cache[key] = outcome
    _cache.move_to_end(key)
    while len(_cache) > MAX_OUTCOMES:
        _cache.popitem(last=False)


@contextlib.asynccontextmanager
async def _claimed(key):
    """Wait until this process may derive a key; gives the outcome where another has found it meanwhile."""
    while key not in _claims:
        claim = outcomes.shelf().claim(key)
        outcome = lookup(key)
        if claim is not None and outcome is None:
            claim.__enter__()
            _claims[key] = [claim, 0]
        elif outcome is not None:
            if claim is not None:
                with claim:
                    pass
            yield outcome
            return
        else:
            await asyncio.sleep(LOOK)
    entry = _claims[key]
    entry[1] += 1
    try:
        yield None
    finally:
        entry[1] -= 1
        if not entry[1]:
            del _claims[key]
            entry[0].__exit__(None, None, None)


class DerivationQueue:
    """Where one visitor's derivations are asked for; a new request cancels the one before."""

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
        async with _claimed(key) as outcome:
            if outcome is None:
                future = shared().submit(
                    getattr(sketches, function), *arguments, timeout=TIMEOUT, visitor=self, key=key
                )
                result = await asyncio.wrap_future(future)
                # Of several visitors the first keeps it.
                outcome = _cache.get(key) or keep(key, result)
        return outcome

    def cancel(self):
        """Stop what is under way; its process ends where nobody else waits for it."""
        running, self._running = self._running, None
        if running is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                running.cancel()
