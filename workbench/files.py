"""Saved runs and solutions: one .npz file, arrays and a JSON header, never a pickle."""

import json
import zipfile
import zlib

import numpy as np

from workbench.errors import InputError
from workbench.storage import whole

FORMAT = "duality-workbench/1"

# What NumPy, zipfile, zlib and json raise for a file that is damaged or of another kind.
UNREADABLE = (
    OSError, ValueError, TypeError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def save(path, meta, arrays):
    """Write a file whole or not at all."""
    header = np.array(json.dumps({"format": FORMAT, **meta}))
    with whole(path) as file:
        np.savez_compressed(file, header=header, **arrays)


def load(path, kind):
    """The header and the arrays of a saved "run" or "solution"."""
    try:
        # Opened here, since np.load leaves its own file open where the archive is broken.
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = dict(json.loads(str(arrays.pop("header"))))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except UNREADABLE as error:
        raise InputError(f"{path} is not a file that the workbench saved ({error}); save it anew") from None
    if meta.get("format") != FORMAT or meta.get("kind") != kind:
        raise InputError(f"{path} holds a {meta.get('kind')} ({meta.get('format')}), not a {kind} ({FORMAT})")
    return meta, arrays
