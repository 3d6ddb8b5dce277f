"""Pace control: runs a lab in slices in a thread, and drops requests that newer ones overtook."""

import abc
import asyncio
import contextlib
import logging
import time
from typing import NamedTuple

from workbench.compiled import compilation
from workbench.errors import InputError
from workbench.pages.turns import turns

# Long enough that a frame's drawing does not dominate, short enough that a pause feels immediate: so many
# times what the last frame took to get into the document, which grows with the visits of a server.
SLICES, SLICE_SECONDS = 4.0, (0.02, 1.0)
# Other visitors wait no longer than this for their turn, nor does what is asked of this one.
PIECE_SECONDS = 0.02
POLL_SECONDS = 0.2
# A changed problem with few samples is shown after its first epochs; one with more at once, from zero.
FIRST_SECONDS, FEW_SAMPLES = 0.01, 5_000
# A slow run shows a place, and the next one after this time.
SLOW_SECONDS = 0.6

logger = logging.getLogger(__name__)


class Seek(NamedTuple):
    """The request to stand at a place of a run."""

    place: int


class Player(abc.ABC):
    """Plays one model.

    Parameters
    ----------
    model : param.Parameterized
        With `settings()`.
    show : coroutine function
        Called on the session's loop with (lab, frame) after every slice.
    tell : coroutine function
        Called with (sentence, is_error) when the status changes.

    Attributes
    ----------
    wait : coroutine function, optional
        Called once where the first lab waits for kernels that compile; returns a sentence, or "".

    Notes
    -----
    There is one slot: `restart` and `ask` overwrite what was asked before, so a slider that is
    dragged never queues work. Compiled kernels release the GIL, so the thread does not hold up the
    server; the run is touched by one thread at a time.
    """

    def __init__(self, model, show, tell):
        self.model, self.show, self.tell = model, show, tell
        self.lab = None
        self.lag = 0.0  # seconds that the last frame took to get into the document
        self.request = None
        self.requests = 0  # how often something was asked for
        self.playing = self.slow = False
        self.stale = False
        self.closed = False
        self._wake = asyncio.Event()

    def restart(self, play=True):
        """Begin again from zero with the model's present choices."""
        self.stale, self.playing, self.request = True, play, None
        self.requests += 1
        self._wake.set()

    def ask(self, what):
        """Ask for "step", "epoch", "run" or "pause"; the last request counts."""
        self.playing = what == "run"
        self.requests += 1
        self.request = what if what in ("step", "epoch") else None
        self._wake.set()

    def seek(self, place):
        """Stand at a place of the run; the last one that is asked for counts."""
        self.playing, self.request = False, Seek(place)
        self.requests += 1
        self._wake.set()

    def look(self):
        """Show the present state another way; `do` is asked for a "look" and does nothing then."""
        if self.lab is not None and not self.playing and not self.stale:
            self.request = "look"
            self._wake.set()

    def close(self):
        """End with the session."""
        self.closed = True
        self._wake.set()

    # What each page's player does its own way; all but the last are called in a thread.

    @abc.abstractmethod
    def construct(self, settings):
        """A new lab for these settings; its `run` is the one that the page is about."""

    @abc.abstractmethod
    def play(self, seconds):
        """Go on for so many seconds; returns whether the run has ended."""

    @abc.abstractmethod
    def do(self, request):
        """Do a "step" or an "epoch"."""

    @abc.abstractmethod
    def picture(self):
        """The frame to show of the present lab."""

    @abc.abstractmethod
    def sentence(self):
        """How far the run has come and why it rests."""

    @property
    def runs(self):
        """The runs of the lab, which stand at the same place."""
        return [each.run for each in self.lab.pair]

    async def serve(self):
        """Serve requests until the session ends."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self.closed:
                return
            try:
                await self._work()
            except InputError as error:
                await self._give_up(str(error))
            except Exception as error:
                # A bug must not freeze the page; the log has the traceback, the page a sentence.
                logger.exception("a player failed")
                text = (
                    f"Internal error ({type(error).__name__}: {error}); change a setting or press reset to "
                    "continue"
                )
                await self._give_up(text)

    async def _give_up(self, sentence):
        """Say why; the lab that was there stays, and what was asked of the refused one is dropped."""
        self.playing, self.request = False, None
        self._wake.clear()
        await self.tell(sentence, True)

    async def _work(self):
        while not self.closed and (self.stale or self.playing or self.request):
            first = self.stale
            if first:
                self.stale = False
                self.lab = await self._build(self.model.settings())
            if first and not (self.playing and self.lab.run.problem.n_samples <= FEW_SAMPLES):
                await self._show(first)
                continue
            request, self.request = self.request, None
            least, most = SLICE_SECONDS
            slice_seconds = min(max(SLICES * self.lag, least), most)
            await self._advance(request, FIRST_SECONDS if first else slice_seconds, first)
            if self.slow and self.playing and not self.stale:
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), SLOW_SECONDS)
        if not self.closed:
            await self.tell(self.sentence(), False)

    async def _advance(self, request, seconds, first):
        """Do what was asked, or play for so many seconds unless something newer is asked for meanwhile."""
        deadline, asked = time.monotonic() + seconds, self.requests
        ended, goes_on = False, True
        while goes_on:
            async with turns.take(hurried=first):
                if request is not None:
                    await asyncio.to_thread(self._do, request)
                else:
                    piece = 0.0 if self.slow else min(PIECE_SECONDS, seconds)
                    ended = await asyncio.to_thread(self.play, piece)
            done = ended or request is not None or self.slow
            overtaken = self.requests != asked or self.closed
            goes_on = not (done or overtaken) and time.monotonic() < deadline
        if not self.stale:
            if ended:
                self.playing = False
            await self._show(first)

    def _do(self, request):
        if isinstance(request, Seek):
            for run in self.runs:
                run.seek(request.place)
        else:
            self.do(request)

    async def _build(self, settings):
        """A new lab, with progress while kernels compile."""
        task = asyncio.ensure_future(asyncio.to_thread(self.construct, settings))
        while True:
            done, _ = await asyncio.wait({task}, timeout=POLL_SECONDS)
            if done:
                return task.result()
            compiling = compilation.progress["current"]
            if compiling:
                count = f"{compiling} ({compilation.progress['done']} done)"
                text = f"Compiling kernels, once after an installation: {count}."
            else:
                text = f"Loading {settings['source']}"
            await self.tell(text, False)

    async def _show(self, first=False):
        if not self.closed:
            async with turns.take(hurried=first):
                frame = await asyncio.to_thread(self.picture)
            await self.show(self.lab, frame)
