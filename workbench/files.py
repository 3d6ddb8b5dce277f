"""Saved runs and solutions: one .npz file, arrays and a JSON header, never a pickle."""

import json
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from workbench.errors import InputError

FORMAT = "duality-workbench/1"


def save(path, meta, arrays):
    """Write a file whole or not at all."""
    path = Path(path)
    header = np.array(json.dumps({"format": FORMAT, **meta}))
    handle, temporary = tempfile.mkstemp(dir=path.parent or ".", prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, header=header, **arrays)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load(path, kind):
    """The header and the arrays of a saved "run" or "solution"."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = json.loads(str(arrays.pop("header")))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is not a file that the workbench saved ({error}); save it anew") from None
    if meta.get("format") != FORMAT or meta.get("kind") != kind:
        raise InputError(f"{path} holds a {meta.get('kind')} ({meta.get('format')}), not a {kind} ({FORMAT})")
    return meta, arrays
