"""The data sets that pages offer, and a visitor's upload in place of one."""

import contextlib
import functools

import numpy as np
import scipy.sparse as sp

from workbench import data
from workbench._support.errors import InputError
from workbench.data import store

# Name on the page -> data set, its options, and whether a constant feature is to be added.
SOURCES = {
    "Breast cancer": ("breast-cancer", {}, "constant"),
    "Reuters-21578 · acq": ("reuters21578", {"category": "acq"}, False),
    "Reuters-21578 · trade": ("reuters21578", {"category": "trade"}, False),
    "Digits · even or odd": ("digits", {}, "constant"),
    "Zhang's artificial data": ("zhang-artificial", {"d": 500}, "constant"),
}
# The source whose samples one moves by hand.
PLANE = "Points in the plane"
# Larger data are solved on the server: they would keep the network busy for longer than a visitor waits.
MAX_BYTES = 8e6


def entry(source):
    """The name, the options of `data.load` and the bias of a data set of the page or of an upload."""
    if source == PLANE:
        return "", {}, "constant"
    if not store.is_upload(source):
        return SOURCES[source]
    choices = store.upload_of(source).choices
    return choices["name"], choices["options"], choices.get("bias", "constant")


def available():
    """The data sets that can be opened here without a download."""
    reuters = data.locate("reuters21578") is not None
    return [name for name, (key, _, _) in SOURCES.items() if reuters or key != "reuters21578"]


def load(source):
    """A data set of the page; sessions share it, since nothing writes to it."""
    return store.upload_of(source).dataset if store.is_upload(source) else _load(source)


def held_out(table):
    """The test samples of a data set by rows, and their targets; None where there are none."""
    if table.X_test is None:
        return None
    X = sp.csr_array(table.X_test)
    return {
        "offsets": X.indptr.astype(np.uint32),
        "indices": X.indices.astype(np.uint32),
        "values": X.data,
        "y": np.asarray(table.y_test, dtype=float),
    }


@functools.lru_cache(maxsize=8)
def _load(source):
    name, options, _ = SOURCES[source]
    return data.load(name, **options)


class TakesUploads:
    """A model whose `source` may also be an upload."""

    def offer(self, source):
        """Let the page take an upload, "upload-TOKEN".

        Raises
        ------
        InputError
            The upload is gone.
        """
        store.upload_of(source)
        self.param.source.objects = [*self.param.source.objects, source]

    def open_address(self, arguments):
        """Offer the upload that an address names; one that is gone is refused with the other settings."""
        source = arguments.get("source", [b""])[0].decode("utf-8", "replace")
        with contextlib.suppress(InputError):
            if store.is_upload(source):
                self.offer(source)
