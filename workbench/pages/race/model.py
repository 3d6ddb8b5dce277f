"""The model of the race: the course, the process that runs it, and the standings that come of its events."""

import asyncio
import contextlib
import json
import os
import sys

import param

from workbench._support.system import resources
from workbench.data import store
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.wording import content
from workbench.studies import race

LOSSES = {"Hinge": "hinge", "Logistic": "logistic", "Squared": "squared", "Squared hinge": "squared-hinge"}
REGULARIZERS = ("Squared ℓ2", "Elastic net")
MARKS = race.MARKS
# The mark that the guess is about.
DECIDING = 1e-3
# A race that has not started, or not ended, so long after it should have is stopped.
START_SECONDS, GRACE_SECONDS = 90.0, 20.0
COURSE = ("source", "loss", "regularizer", "lam", "epsilon", "seconds")

PRESETS = content("race")["presets"]


class RaceModel(dual_lab.TakesUploads, param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    source = param.Selector(objects=list(dual_lab.SOURCES), default="Digits · even or odd", doc="the data")
    loss = param.Selector(objects=list(LOSSES), default="Logistic")
    regularizer = param.Selector(objects=list(REGULARIZERS))
    lam = param.Number(1e-2, bounds=(1e-5, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.01, 1.0), doc="sparsity of the elastic net")
    seconds = param.Selector(objects=[5, 10, 20, 60], default=10, doc="after which no further fit begins")

    def __init__(self, **values):
        super().__init__(**values)
        self.param.source.objects = dual_lab.sources()

    def course(self):
        """The arguments of `workbench.studies.race.run`."""
        data, options, _ = dual_lab.entry(self.source)
        return {
            "data": data,
            "options": options,
            "loss": LOSSES[self.loss],
            "regularizer": self.spelled(),
            "lam": self.lam,
            "seconds": float(self.seconds),
        }

    def message(self):
        """The same for another process, which has to find an upload."""
        if not store.is_upload(self.source):
            return self.course()
        return self.course() | {"stored": (str(store.store().folder), self.source.removeprefix(store.PREFIX))}

    def spelled(self):
        """The regularizer as the package spells it."""
        return "squared-l2" if self.regularizer == "Squared ℓ2" else f"elastic-net:epsilon={self.epsilon:g}"

    def entrants(self):
        """The names of everyone who would start, ours first, and of the peers that are not installed."""
        loss, regularizer = LOSSES[self.loss], self.spelled()
        ours, peers = race.entrants(loss, regularizer)
        return [f"workbench {name}" for name in ours] + peers, race.absent(loss, regularizer)


class Standings:
    """What the events of one race add up to.

    Attributes
    ----------
    start, end : dict or None
        The first and the last event.
    fits : dict of str to list of dict
        The "fit" events of each contestant.
    """

    def __init__(self):
        self.start, self.end, self.fits = None, None, {}

    def add(self, event):
        """Take in one event."""
        if event["kind"] == "start":
            self.start, self.fits = event, {name: [] for name in event["names"]}
        elif event["kind"] == "fit":
            self.fits[event["name"]].append(event)
        else:
            self.end = event

    def seconds_to(self, name, mark):
        """The seconds of the fastest fit certified to the mark; None where there is none."""
        enough = [fit["seconds"] for fit in self.fits[name] if fit["relative"] <= mark]
        return min(enough, default=None)

    def winner(self, mark):
        """Who reached the mark in the shortest fit; None where nobody did."""
        times = {name: self.seconds_to(name, mark) for name in self.fits}
        reached = {name: seconds for name, seconds in times.items() if seconds is not None}
        return min(reached, key=reached.get, default=None)

    def rows(self):
        """The table: name, seconds to each mark, the best certified fit or None."""
        for name, fits in self.fits.items():
            best = min(fits, key=lambda fit: fit["relative"], default=None)
            yield name, [self.seconds_to(name, mark) for mark in MARKS], best

    def caption(self):
        """The sentence under the figure."""
        if self.start is None:
            return "Each point is one fit from scratch; its height is certified here, for every solver."
        fits = sum(map(len, self.fits.values()))
        text = f"{fits} fits of {len(self.fits)} contestants on {self.start['n']:,} × {self.start['d']:,}"
        first = self.winner(DECIDING)
        if first is None:
            return f"{text}; no solver has reached {DECIDING:g} yet."
        return (
            f"{text}; first to {DECIDING:g}: {first} in {spelled_seconds(self.seconds_to(first, DECIDING))}."
        )


def spelled_seconds(seconds):
    """Seconds as a short text; a dash where there are none."""
    if seconds is None:
        return "–"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


class Racer:
    """Runs one race at a time in a process of its own, which dies with it.

    Attributes
    ----------
    running : bool
    """

    # Races of several visitors take turns: side by side they would measure each other.
    _turn = asyncio.Lock()

    def __init__(self):
        self.running, self._process, self._task = False, None, None

    def start(self, course, tell):
        """Begin; `tell` is awaited with each event. False where a race is running already."""
        if self.running:
            return False
        self.running = True
        self._task = asyncio.ensure_future(self._run(course, tell))
        return True

    def cancel(self):
        """Stop at once, in the middle of a fit; a race that is over is over."""
        if self.running:
            self._task.cancel()

    async def _run(self, course, tell):
        try:
            if self._turn.locked():
                await tell({"kind": "wait", "why": "Another visitor's race is running; this one is next."})
            async with self._turn:
                await self._race(course, tell)
        except asyncio.CancelledError:
            self.running = False
            await tell({"kind": "end", "why": "cancelled"})
        finally:
            self.running = False

    async def _race(self, course, tell):
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "workbench.studies.race",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=os.environ | resources.ONE_THREAD,
        )
        try:
            self._process.stdin.write(json.dumps(course).encode())
            self._process.stdin.write_eof()
            await self._listen(tell, START_SECONDS, course["seconds"] + GRACE_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _listen(self, tell, until_start, until_end):
        clock = asyncio.get_running_loop().time
        deadline = clock() + until_start
        while True:
            try:
                line = await asyncio.wait_for(self._process.stdout.readline(), max(0.0, deadline - clock()))
            except TimeoutError:
                self.running = False
                await tell({"kind": "end", "why": "stopped"})
                return
            event = json.loads(line) if line else {"kind": "refused", "why": "The race's process failed."}
            if event["kind"] == "start":
                deadline = clock() + until_end
            if event["kind"] in ("end", "refused"):
                self.running = False
            await tell(event)
            if not self.running:
                return


def ending(event):
    """The status after the last event, and whether it is a refusal."""
    if event["kind"] == "refused":
        return event["why"], True
    return {
        "arrived": "The race is over: every solver has arrived or has no finer setting left.",
        "time": "The race is over: its time is up.",
        "cancelled": "The race was cancelled; the results so far are kept.",
        "stopped": "The race was stopped: a single fit took longer than its time. Choose a larger λ.",
    }[event["why"]], False


def code(course):
    """The Python that gives the same race in a notebook."""
    arguments = ",\n  ".join(f"{name}={value!r}" for name, value in course.items())
    return (
        "from workbench import race\n\n"
        f"for event in race.run(\n  {arguments}):\n"
        '  if event["kind"] == "fit":\n'
        '    print(event["name"], event["seconds"],\n          event["relative"])'
    )
