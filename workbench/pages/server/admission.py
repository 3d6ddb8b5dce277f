"""Admission of visits: how many are open at once, counted in memory that all processes share."""

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


class ServerFull(Exception):
    """The server has as many visits as it may; the text is the sentence for the visitor."""


class Admission:
    """The number of open visits, which is limited.

    A visit is a session. It counts once, however many processes have rendered it: its page and its websocket
    may meet different ones. Each further websocket of a session counts as one more.

    Parameters
    ----------
    most : int
        Visits at the same time.
    share : int, optional
        Visits at the same time from one address; by default as many as in all.
    processes : int
        Number of processes that will be forked from this one and share the count.
    """

    def __init__(self, most, share=None, processes=1):
        self.most, self.share, self.processes = most, share, processes
        row = np.dtype(
            [("visit", "u8"), ("address", "u8"), ("held", "?", (processes,)), ("sockets", "u4", (processes,))]
        )
        # Anonymous memory that is mapped before a fork is the same in all processes.
        self._rows = np.frombuffer(mmap.mmap(-1, most * row.itemsize), row)
        self._lock_file = _unnamed_file() if processes > 1 else None
        self._key = os.urandom(16)
        self.process = 0

    def begin(self, process):
        """Begin with no visit of this process: one before it with this number may have been killed."""
        self.process = process
        with self._alone():
            self._rows["held"][:, process] = False
            self._rows["sockets"][:, process] = 0

    def admit(self, visit, address):
        """Count a session that this process renders.

        Raises
        ------
        ServerFull
        """
        with self._alone():
            self._rows["held"][self._row(visit, address), self.process] = True

    def connect(self, visit, address):
        """Count a websocket of this process; `leave` takes it off again.

        Raises
        ------
        ServerFull
        """
        with self._alone():
            self._rows["sockets"][self._row(visit, address, as_socket=True), self.process] += 1

    def leave(self, visit):
        """Take a websocket of this process off the count."""
        with self._alone():
            rows = self._rows
            mask = (rows["visit"] == self._digest(visit)) & (rows["sockets"][:, self.process] > 0)
            rows["sockets"][mask, self.process] -= 1

    def release_others(self, visits):
        """Take the sessions of this process that are not among these off the count."""
        present = np.array([self._digest(visit) for visit in visits], dtype="u8")
        with self._alone():
            rows = self._rows
            rows["held"][~np.isin(rows["visit"], present), self.process] = False

    def _weights(self):
        """The count of each row."""
        sockets = self._rows["sockets"].sum(axis=1)
        return np.where(self._rows["held"].any(axis=1), np.maximum(sockets, 1), sockets)

    def _row(self, visit, address, as_socket=False):
        """Return the row of a visit, or a free one; refuse where the count would pass its limit."""
        rows, weights = self._rows, self._weights()
        key, origin = self._digest(visit), self._digest(address)
        matches = np.flatnonzero((rows["visit"] == key) & (weights > 0))
        if matches.size and not (as_socket and rows["sockets"][matches[0]].any()):
            return matches[0]
        if weights.sum() >= self.most:
            raise ServerFull(NO_PLACE.format(most=self.most))
        if self.share and weights[rows["address"] == origin].sum() >= self.share:
            raise ServerFull(NO_SHARE.format(share=self.share))
        row = matches[0] if matches.size else np.flatnonzero(weights == 0)[0]
        rows["visit"][row], rows["address"][row] = key, origin
        return row

    def _digest(self, text):
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, key=self._key).digest(), "little")

    @contextlib.contextmanager
    def _alone(self):
        """Keep the other processes out; the system lets them in should this one be killed."""
        if self._lock_file is None:
            yield
            return
        import fcntl

        # Not `flock`, whose lock the processes would share with the file that they have inherited.
        fcntl.lockf(self._lock_file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._lock_file, fcntl.LOCK_UN)


def _unnamed_file():
    descriptor, name = tempfile.mkstemp()
    os.unlink(name)
    return descriptor
