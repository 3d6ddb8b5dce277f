"""The places of a server: which visits hold them, in memory that all of its processes share."""

import contextlib
import hashlib
import mmap
import os
import tempfile

import numpy as np

NO_PLACE = (
    "This server holds {most} visits at the same time. Close a page that you do not need and wait half a "
    "minute; whoever runs the server can raise the number with --max-sessions."
)
NO_SHARE = (
    "This server holds {share} visits at the same time from one address. Close a page that you do not need "
    "and wait half a minute; whoever runs the server can raise the number with --max-per-address."
)


class Full(Exception):
    """There is no place; the text is the sentence for the visitor."""


class Places:
    """The places that visits hold.

    A visit is a session. It has one place, however many processes have rendered it: its page and its
    websocket may meet different ones. Each further websocket of a session takes another place.

    Parameters
    ----------
    most : int
        Places in all.
    share : int, optional
        Places for one address; all of them where not given.
    processes : int
        How many will be forked from this one and share the places.
    """

    def __init__(self, most, share=None, processes=1):
        self.most, self.share, self.processes = most, share, processes
        row = np.dtype(
            [("visit", "u8"), ("address", "u8"), ("held", "?", (processes,)), ("sockets", "u4", (processes,))]
        )
        # Anonymous memory that is mapped before a fork is the same in all processes.
        self._rows = np.frombuffer(mmap.mmap(-1, most * row.itemsize), row)
        self._turn = _unnamed_file() if processes > 1 else None
        self._key = os.urandom(16)
        self.process = 0

    def begin(self, process):
        """Count for this process from now on, which holds nothing yet: one before it may have been killed."""
        self.process = process
        with self._alone():
            self._rows["held"][:, process] = False
            self._rows["sockets"][:, process] = 0

    def hold(self, visit, address):
        """Have a place for a session that this process renders.

        Raises
        ------
        Full
        """
        with self._alone():
            self._rows["held"][self._row(visit, address), self.process] = True

    def connect(self, visit, address):
        """Have a place for a websocket of this process; `leave` gives it back.

        Raises
        ------
        Full
        """
        with self._alone():
            self._rows["sockets"][self._row(visit, address, sits=True), self.process] += 1

    def leave(self, visit):
        """Take the leave of a websocket."""
        with self._alone():
            rows = self._rows
            mask = (rows["visit"] == self._digest(visit)) & (rows["sockets"][:, self.process] > 0)
            rows["sockets"][mask, self.process] -= 1

    def keep(self, visits):
        """Give back what this process holds for other sessions than these."""
        present = np.array([self._digest(visit) for visit in visits], dtype="u8")
        with self._alone():
            rows = self._rows
            rows["held"][~np.isin(rows["visit"], present), self.process] = False

    def occupied(self):
        """Return the number of places that are taken, by all processes."""
        return int(self._weights().sum())

    def _weights(self):
        """The places of each row."""
        sockets = self._rows["sockets"].sum(axis=1)
        return np.where(self._rows["held"].any(axis=1), np.maximum(sockets, 1), sockets)

    def _row(self, visit, address, sits=False):
        """The row of a visit, or a free one; refused where that takes a place and there is none."""
        rows, weights = self._rows, self._weights()
        key, origin = self._digest(visit), self._digest(address)
        matches = np.flatnonzero((rows["visit"] == key) & (weights > 0))
        if matches.size and not (sits and rows["sockets"][matches[0]].any()):
            return matches[0]
        if weights.sum() >= self.most:
            raise Full(NO_PLACE.format(most=self.most))
        if self.share and weights[rows["address"] == origin].sum() >= self.share:
            raise Full(NO_SHARE.format(share=self.share))
        row = matches[0] if matches.size else np.flatnonzero(weights == 0)[0]
        rows["visit"][row], rows["address"][row] = key, origin
        return row

    def _digest(self, text):
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, key=self._key).digest(), "little")

    @contextlib.contextmanager
    def _alone(self):
        """Keep the other processes out; the system lets them in should this one be killed."""
        if self._turn is None:
            yield
            return
        import fcntl

        # Not `flock`, whose lock the processes would share with the file that they have inherited.
        fcntl.lockf(self._turn, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._turn, fcntl.LOCK_UN)


def _unnamed_file():
    descriptor, name = tempfile.mkstemp()
    os.unlink(name)
    return descriptor
