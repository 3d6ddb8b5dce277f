"""What every race shares: who takes part, one cell of the result, and the timing."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LADDER = tuple(10.0 ** (-k / 2) for k in range(25))


@dataclass(frozen=True)
class Contestant:
    """A solver with everything but its tolerance."""

    name: str
    run: Callable  # tolerance -> whatever the cell can evaluate
    ladder: tuple = LADDER


@dataclass
class Row:
    """One cell of the race: seconds are medians, ratios theirs / ours."""

    task: str
    mark: float
    seconds: dict = field(default_factory=dict)
    tolerances: dict = field(default_factory=dict)
    ratio: float = float("nan")
    against: str = ""
    notes: dict = field(default_factory=dict)


class Result(list):
    """The rows of a race: ``Result(race.run(["a9a"]))``."""

    def _repr_html_(self):
        from workbench.faces import cards

        return cards.race(self)

    def plot(self):
        """Seconds of everyone, task by task, an Overlay of HoloViews."""
        from workbench.faces import elements

        return elements.race(self)

    def __repr__(self):
        return f"Result({len(self)} rows)"


def timed(row, runs, repeats):
    """The seconds of everyone, in turn.

    Parameters
    ----------
    row : Row
        Its seconds, its ratio and against whom are set.
    runs : dict of str to callable
        What each contestant does, by name; ours is "workbench".
    repeats : int
        Rounds; the median counts.
    """
    times = {name: [] for name in runs}
    for _ in range(repeats):
        for name, go in runs.items():
            started = time.perf_counter()
            go()
            times[name].append(time.perf_counter() - started)
    row.seconds = {name: statistics.median(spent) for name, spent in times.items()}
    peers = {name: spent for name, spent in row.seconds.items() if name != "workbench"}
    if peers and "workbench" in row.seconds:
        row.against = min(peers, key=peers.get)
        row.ratio = peers[row.against] / row.seconds["workbench"]
