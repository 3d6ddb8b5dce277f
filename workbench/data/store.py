"""Uploads kept for their visitor: a private folder that all processes of a server share.

An upload is one .npz file without pickles, named by an unguessable token; whoever has the token has the
upload. Files that nobody has asked for lately go; all together have a cap, and a visitor has a share of it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import re
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from workbench._support.errors import InputError
from workbench._support.system import storage
from workbench.data.dataset import Dataset, NumberedNames
from workbench.data.tables import limits

TOKEN_DIGITS = 32
TOKEN = re.compile(f"[0-9a-f]{{{TOKEN_DIGITS}}}")
# The key under which pages know an upload among their data sets.
PREFIX = "upload-"
MEGABYTES = 512
# One visitor has this part of them; the oldest uploads make room for the next.
SHARE = 1 / 4
# A token begins with what stands for its visitor, and ends with what nobody can guess.
VISITOR_DIGITS = 8
SECONDS = 4 * 3600
GONE = "This upload is no longer on the server; open Your data and give the file again."


class Kept(NamedTuple):
    """An upload as it was used."""

    dataset: Dataset
    content: bytes
    choices: dict  # "name" of the file, "task", and the "options" of `workbench.data.load`


class Store:
    """A folder of uploads; every process of a server may have its own object for it.

    Parameters
    ----------
    folder : path
    caps : limits.Limits
        What one upload may be.
    megabytes : int
        What all uploads together may take.
    seconds : float
        After which an upload that nobody asked for goes.
    """

    def __init__(self, folder, caps=limits.UPLOAD, megabytes=MEGABYTES, seconds=SECONDS):
        self.folder, self.caps = Path(folder), caps
        self.most = megabytes * limits.MEGABYTE
        self.seconds = seconds

    def put(self, dataset, content, choices, visitor=""):
        """Keep a data set with the text it came from; returns its token.

        Parameters
        ----------
        dataset : Dataset
        content : bytes
        choices : dict
        visitor : str or None
            Whose share it takes: an address on the network. None is everybody's, such as an example: it is
            kept once, whoever asks for it.

        Raises
        ------
        InputError
            There is no room for it.
        """
        tag = self._tag("everybody" if visitor is None else f"visitor {visitor}")
        token = tag + (_digest(content, choices) if visitor is None else secrets.token_hex(16))
        token = token[:TOKEN_DIGITS]
        with contextlib.suppress(FileNotFoundError):
            os.utime(self._path(token))
            return token
        buffer = io.BytesIO()
        _write(buffer, dataset, content, choices)
        self._make_room(buffer.getbuffer().nbytes, tag)
        try:
            storage.write(self._path(token), buffer.getbuffer(), sync=False)
        except OSError as error:
            raise InputError(
                f"This server could not keep the upload ({error.strerror}); whoever runs it can make room on "
                "its disk."
            ) from None
        return token

    def _make_room(self, size, tag):
        """Take the visitor's oldest uploads away where this one would exceed the share."""
        files, share = self._clean(), self.most * SHARE
        own = [path for path in files if path.name.startswith(tag)]
        own.sort(key=lambda path: files[path].st_mtime)
        sizes = {path: status.st_size for path, status in files.items()}
        usage, total, going = sum(sizes[path] for path in own), sum(sizes.values()), []
        while own and usage + size > share:
            going.append(own.pop(0))
            usage -= sizes[going[-1]]
            total -= sizes[going[-1]]
        if usage + size > share or total + size > self.most:
            raise InputError(
                f"This server holds {self.most // limits.MEGABYTE} MB of uploads, of which a visitor has "
                f"{share / limits.MEGABYTE:g}, and this one of {size / limits.MEGABYTE:.1f} MB has no "
                "room; take a part of its rows, or wait."
            )
        for path in going:
            path.unlink(missing_ok=True)

    def _tag(self, visitor):
        # The folder's name is random, so a token does not tell the visitor's address.
        return hashlib.sha256(f"{self.folder.name} {visitor}".encode()).hexdigest()[:VISITOR_DIGITS]

    def get(self, token, content=True):
        """The upload of a token, as a `Kept`; its text only where asked for.

        Raises
        ------
        InputError
            The token is none, or its upload is gone.
        """
        path = self._path(token)
        try:
            os.utime(path)  # still wanted
            with open(path, "rb") as file:
                return _read(file, content)
        except Exception:  # whatever lies there is not trusted
            raise InputError(GONE) from None

    def drop(self, token):
        """Take an upload away."""
        self._path(token).unlink(missing_ok=True)

    def clean(self):
        """Take away what has expired; returns the bytes that stay."""
        return sum(status.st_size for status in self._clean().values())

    def _clean(self):
        # What clears up a machine's temporary files may have taken the folder.
        self.folder.mkdir(mode=0o700, exist_ok=True)
        files, now = {}, time.time()
        for path in self.folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process was faster
                status = path.stat()
                if now - status.st_mtime <= self.seconds:
                    files[path] = status
                elif path.name != storage.OWNER:
                    path.unlink()
        return files

    def _path(self, token):
        if not (isinstance(token, str) and TOKEN.fullmatch(token)):
            raise InputError("This upload is not on this server; open Your data and give the file.")
        return self.folder / f"{token}.npz"


def _digest(content, choices):
    return hashlib.sha256(json.dumps(choices, sort_keys=True).encode() + b"\0" + content).hexdigest()


def _write(file, dataset, content, choices):
    import numpy as np
    from scipy import sparse

    arrays = {"y": dataset.y, "content": np.frombuffer(content, dtype=np.uint8)}
    for part, X in (("X", dataset.X), ("X_test", dataset.X_test)):
        if X is None:
            continue
        if sparse.issparse(X):
            arrays |= {f"{part}_{name}": getattr(X, name) for name in ("data", "indices", "indptr")}
        else:
            arrays[part] = X
    if dataset.y_test is not None:
        arrays["y_test"] = dataset.y_test
    names = dataset.feature_names
    numbered = isinstance(names, NumberedNames)
    meta = {
        "choices": choices,
        "dataset": dataset.name,
        "description": dataset.description,
        "columns": len(names),
        "first": int(names[0].removeprefix("feature ")) if numbered else None,
        "names": None if numbered else list(names),
    }
    np.savez(file, meta=np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8), **arrays)


def _read(file, content):
    import numpy as np
    from scipy import sparse

    with np.load(file, allow_pickle=False) as arrays:
        meta = json.loads(arrays["meta"].tobytes())

        def matrix(part):
            if part in arrays:
                return arrays[part]
            if f"{part}_data" not in arrays:
                return None
            entries = tuple(arrays[f"{part}_{name}"] for name in ("data", "indices", "indptr"))
            return sparse.csr_array(entries, shape=(len(entries[2]) - 1, meta["columns"]))

        names, first = meta["names"], meta["first"]
        dataset = Dataset(
            meta["dataset"],
            matrix("X"),
            arrays["y"],
            matrix("X_test"),
            arrays.get("y_test"),
            tuple(names) if first is None else NumberedNames(meta["columns"], first),
            meta["description"],
        )
        return Kept(dataset, arrays["content"].tobytes() if content else b"", meta["choices"])


_opened = []


def open_store(**options):
    """Make the process's store in a new private folder, before a server divides into several.

    Returns
    -------
    Store
        `close_store` takes the folder away, and so does the end of the process that made it.
    """
    _opened[:] = [Store(storage.temporary("uploads"), **options)]
    return _opened[0]


def close_store():
    """Take the store and all uploads away."""
    while _opened:
        storage.discard(_opened.pop().folder)
    upload_of.cache_clear()


def store():
    """The process's store, opened where nothing has opened it yet."""
    if not _opened:
        open_store()
    return _opened[0]


def is_upload(source):
    """Whether a page's data set is an upload."""
    return source.startswith(PREFIX)


def label(source):
    """How a page names a data set: an upload by its file."""
    return f"Your data: {upload_of(source).choices['name']}" if is_upload(source) else source


@functools.lru_cache(maxsize=4)
def upload_of(source):
    """The upload of "upload-TOKEN" without its text; read anew only where others were asked for since."""
    return store().get(source.removeprefix(PREFIX), content=False)
