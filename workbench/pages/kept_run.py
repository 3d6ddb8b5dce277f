"""Runs of a page that one may look back at: the certificates are kept, and the states to go on from."""

from typing import ClassVar

from workbench.keyframes import Keyframes
from workbench.run import Run

# Of the states of one run; a server holds those of every visit.
STATE_BYTES = 2**23


class KeptRun(Run):
    """A run that stands at one of its certificates, its places, and may go back and on among them.

    What it holds of the present place and those before it, `rows` among it, is what a run of so many steps
    holds; `along` gives the whole of it. Steps from a place of the past are those that there were, and the
    certificates behind it stay.

    Attributes
    ----------
    traces : tuple of str
        The lists that hold an entry for each place.
    """

    traces: ClassVar[tuple] = ("rows",)

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.keyframes = Keyframes(self, super().step, STATE_BYTES)
        self._ahead, self._end = {name: [] for name in self.traces}, (None, None)

    def step(self, count=1):
        """Do `count` steps and keep states on the way; returns how many were done."""
        return self.keyframes.advance(int(count))

    @property
    def at(self):
        """The place where the run stands, counted from zero."""
        return len(getattr(self, self.traces[0])) - 1

    @property
    def places(self):
        """How many there are."""
        return len(self.along(self.traces[0]))

    def along(self, name="rows"):
        """The entries of a trace for all places."""
        passed = sum(self.step_of(entry) <= self.steps for entry in self._ahead[self.traces[0]])
        return getattr(self, name) + self._ahead[name][passed:]

    def step_of(self, entry):
        """The step of an entry of the first trace."""
        return entry["step"]

    def epochs_of(self, entry):
        """The epochs of an entry of the first trace."""
        return self.step_of(entry) / self.epoch_steps

    def seek(self, place):
        """Stand at a place, the last one where there are fewer."""
        whole = {name: self.along(name) for name in self.traces}
        places = whole[self.traces[0]]
        last = len(places) - 1
        place = min(place, last)
        if place == self.at:
            return
        if self.at == last:
            self._end = self.status, self.reason
        self.keyframes.seek(self.step_of(places[place]))
        for name, entries in whole.items():
            getattr(self, name)[:], self._ahead[name] = entries[: place + 1], entries[place + 1 :]
        self.status, self.reason = self._end if place == last else (None, None)
        self.stopping.begin(self)
        self.sought()

    def sought(self):
        """Restore what else belongs to the present place."""
        self.last = self.certificate()
