"""A file that a solve which was killed goes on from, written now and then."""

import os
import time

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.solvers.run import Run

# Seconds between two writings at least, and times what the last one took: they cost a fiftieth of a solve.
MIN_SECONDS, MULTIPLE = 1.0, 50.0


class Checkpoint:
    """The state of a run in a file, each time whole or not at all.

    The file holds numbers of the run and fingerprints of the problem, not the data. A run that takes it up
    does the same steps, and certifies at the same ones, as if it had not stopped.

    Parameters
    ----------
    path : path
        A file that is there has to be a saved run; it is never replaced by one of another problem.

    Raises
    ------
    InputError
        The file is there, and no saved run.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = path
        self.written, self.cost = -float("inf"), 0.0
        if os.path.exists(path):
            self._naming_errors(files.load, path, "run")

    def begin(self, run: Run) -> bool:
        """Take up what the file holds; returns whether there was any."""
        exists = os.path.exists(self.path)
        if exists:
            self._naming_errors(run.resume, self.path)
        return exists

    def keep(self, run: Run, at_once: bool = False) -> None:
        """Write the state where that is due, or at once."""
        start = time.monotonic()
        if at_once or start - self.written >= max(MIN_SECONDS, MULTIPLE * self.cost):
            run.save(self.path)
            self.written = time.monotonic()
            self.cost = self.written - start

    def end(self, run: Run) -> None:
        """Take the file away where the run has converged; else it stays, to go on with more epochs."""
        if run.status == "converged" and os.path.exists(self.path):
            os.unlink(self.path)

    def _naming_errors(self, function, *arguments):
        try:
            return function(*arguments)
        except InputError as error:
            raise InputError(f"checkpoint: {error}; or name another file") from None
