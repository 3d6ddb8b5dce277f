"""Uploads of visitors: a private folder that all processes of a server share.

An upload is one .npz file without pickles, named by an unguessable token; a page that has the token has the
upload. Uploads that were not asked for lately go; all together have a cap, and a visitor has a share of it.
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
from typing import Any, NamedTuple

from workbench._support.errors import InputError
from workbench._support.system import files, storage
from workbench.data.dataset import Dataset, NumberedNames
from workbench.data.tables import limits

TOKEN = re.compile("[0-9a-f]{32}")
# The key under which pages know an upload among their data sets.
PREFIX = "upload-"
MEGABYTES = 512
# A visitor has this part of them; the visitor's oldest uploads make room for the next.
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
        The largest upload.
    megabytes : int
        The size of all uploads together.
    seconds : float
        The age at which an upload that was not asked for goes.
    """

    def __init__(self, folder, caps=limits.UPLOAD, megabytes=MEGABYTES, seconds=SECONDS):
        self.folder, self.caps = Path(folder), caps
        self.most = megabytes * limits.MEGABYTE
        self.seconds = seconds

    def put(self, dataset, content, choices, visitor=""):
        """Keep a data set with the text it came from; returns its token.

        The upload takes the share of its visitor, an address on the network. With None it is everybody's,
        such as an example, and kept once. An `InputError` says that there is no room.
        """
        # The name of the folder is random, so a token does not tell the address of the visitor.
        owner = f"{self.folder.name} {'everybody' if visitor is None else f'visitor {visitor}'}"
        tag = hashlib.sha256(owner.encode()).hexdigest()[:VISITOR_DIGITS]
        secret = secrets.token_hex(16)
        if visitor is None:
            secret = hashlib.sha256(json.dumps(choices, sort_keys=True).encode() + content).hexdigest()
        path = self._path((tag + secret)[:32])
        if not path.exists():
            raw = _pack(dataset, content, choices)
            self._make_room(len(raw), tag)
            try:
                storage.write(path, raw, sync=False)
            except OSError as error:
                raise InputError(
                    f"This server could not keep the upload ({error.strerror}); its operator can make room "
                    "on its disk."
                ) from None
        os.utime(path)
        return path.stem

    def _make_room(self, size, tag):
        """Take the visitor's oldest uploads away where this one would exceed the share."""
        files, share = self._clean(), self.most * SHARE
        own = sorted((path for path in files if path.name.startswith(tag)), key=lambda p: files[p].st_mtime)
        usage, total = (sum(files[path].st_size for path in paths) for paths in (own, files))
        removed = []
        while own and usage + size > share:
            removed.append(own.pop(0))
            usage -= files[removed[-1]].st_size
            total -= files[removed[-1]].st_size
        if usage + size > share or total + size > self.most:
            raise InputError(
                f"This upload of {size / limits.MEGABYTE:.1f} MB has no room on this server, which holds "
                f"{self.most // limits.MEGABYTE} MB of uploads and {share / limits.MEGABYTE:g} MB a visitor; "
                "upload fewer rows, or wait."
            )
        for path in removed:
            path.unlink(missing_ok=True)

    def get(self, token, content=True):
        """Return the upload of a token, as a `Kept`; its text only where asked for. A lost one is refused."""
        path = self._path(token)
        try:
            os.utime(path)  # so that it does not expire
            return _unpack(*files.load(path), content)
        except Exception:  # whatever lies there is not trusted
            raise InputError(GONE) from None

    def drop(self, token):
        """Take an upload away."""
        self._path(token).unlink(missing_ok=True)

    def _clean(self):
        # A service that clears up temporary files may have taken the folder.
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


PARTS, SPARSE = ("X", "y", "X_test", "y_test"), ("data", "indices", "indptr")


def _pack(dataset, content, choices):
    """Return the bytes of a file of `files.save`."""
    import numpy as np

    arrays, names = {"content": np.frombuffer(content, dtype=np.uint8)}, dataset.feature_names
    for part in PARTS:
        value = getattr(dataset, part)
        if hasattr(value, "indptr"):
            arrays |= {f"{part}_{name}": getattr(value, name) for name in SPARSE}
        elif value is not None:
            arrays[part] = value
    is_numbered = isinstance(names, NumberedNames)
    names = [len(names), names.first] if is_numbered else list(names)
    meta = {"choices": choices, "name": dataset.name, "description": dataset.description}
    file = io.BytesIO()
    files.save(file, meta | {"names": names, "is_numbered": is_numbered}, arrays)
    return file.getvalue()


def _unpack(meta, arrays, with_content):
    """Return the `Kept` of a file."""
    from scipy import sparse

    meta, arrays = meta.entries, arrays.entries
    parts: dict[str, Any] = {}
    names = NumberedNames(*meta["names"]) if meta["is_numbered"] else tuple(meta["names"])
    for part in PARTS:
        if f"{part}_data" in arrays:
            entries = tuple(arrays[f"{part}_{name}"] for name in SPARSE)
            parts[part] = sparse.csr_array(entries, shape=(len(entries[2]) - 1, len(names)))
        else:
            parts[part] = arrays.get(part)
    dataset = Dataset(meta["name"], **parts, feature_names=names, description=meta["description"])
    return Kept(dataset, arrays["content"].tobytes() if with_content else b"", meta["choices"])


_opened: list[Any] = []


def open_store(**options):
    """Make the process's store in a new private folder, before a server divides into several.

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
    """Return the process's store, which opens at its first use."""
    return _opened[0] if _opened else open_store()


def is_upload(source):
    """Return True for a page's data set that is an upload."""
    return source.startswith(PREFIX)


def label(source):
    """Return the name of a data set on a page: that of the file for an upload."""
    return f"Your data: {upload_of(source).choices['name']}" if is_upload(source) else source


@functools.lru_cache(maxsize=4)
def upload_of(source):
    """Return the upload of "upload-TOKEN" without its text."""
    return store().get(source.removeprefix(PREFIX), content=False)
