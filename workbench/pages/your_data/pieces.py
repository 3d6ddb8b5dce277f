"""A visitor's file that comes in pieces."""

import numpy as np

from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import limits, reading

DAMAGED = "{name} arrived damaged; send it again."


class Upload:
    """A file that comes in pieces, within the cap, whatever the browser says.

    Parameters
    ----------
    name : str
    size : int
        Bytes; a file that is too large is refused.
    """

    def __init__(self, name, size):
        most = store.store().caps.megabytes
        self.name, self.size, self.content = reading.plain_name(name), size, bytearray()
        if type(size) is not int or not 0 <= size <= most * limits.MEGABYTE:
            raise InputError(
                f"{self.name} has more than {most} MB; take a part of its rows, or pack it with gzip."
            )

    def add(self, start, piece):
        """Take the next piece, (bytes,) of uint8."""
        is_bytes = isinstance(piece, np.ndarray) and piece.dtype == np.uint8 and piece.ndim == 1
        if not is_bytes or start != len(self.content) or start + len(piece) > self.size:
            raise InputError(DAMAGED.format(name=self.name))
        self.content += piece.tobytes()

    @property
    def is_whole(self):
        """True if all bytes have come."""
        return len(self.content) == self.size
