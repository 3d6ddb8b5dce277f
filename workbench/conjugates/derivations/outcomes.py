"""Outcomes of derivations that stay: those that come with the package, and those kept on disk.

An outcome is plain data, a file of it JSON, and each belongs to the sources it follows from: where these have
changed it is never used. Pages run the JavaScript that an outcome holds, so a folder that others than its
owner can write is not used either, and nothing is ever unpickled. Importing this module loads no SymPy.
"""

import contextlib
import functools
import hashlib
import json
import os
import stat
from importlib import metadata
from pathlib import Path

from workbench._support.system import sources, storage

PACKAGE = Path(__file__).resolve().parents[2]
# The functions whose outcomes are kept.
SKETCHES = PACKAGE / "conjugates" / "derivations" / "sketches.py"
# How results show themselves and where errors are explained, of which an outcome has nothing.
OUTSIDE = (PACKAGE / "_support" / "display", PACKAGE / "_support" / "errors" / "explained.py")
LIBRARIES = ("sympy", "mpmath", "numpy")
SHIPPED = Path(__file__).with_name("outcomes.json")
MAX_BYTES = 32 * 2**20
# Other versions' folders that stay, so that two checkouts in turn do not derive everything each time.
KEPT_FOLDERS = 4


def key(function, *arguments):
    """A text for a request, the same for equal ones."""
    return json.dumps([function, *arguments])


@functools.cache
def digest(function):
    """A fingerprint of a function of `sketches` and of all that it derives with."""
    return sources.digest((SKETCHES, function), without=OUTSIDE)


def versions():
    """The libraries that derive, as a text."""
    return " ".join(metadata.version(name) for name in LIBRARIES)


# --- those of the package


@functools.cache
def shipped():
    """The outcomes that come with the package, by key; those that are stale or damaged are left out."""
    try:
        record = json.loads(SHIPPED.read_text(encoding="utf-8"))
        # Another SymPy may write a formula in another way, and this one is as true.
        fresh = {name for name, made_of in record["digests"].items() if made_of == digest(name)}
        return {name: each for name, each in record["outcomes"].items() if json.loads(name)[0] in fresh}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def ship(outcomes):
    """Write the file of `shipped`, an outcome a line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(outcome)}" for name, outcome in outcomes.items())
    digests = json.dumps({name: digest(name) for name in sorted({json.loads(key)[0] for key in outcomes})})
    SHIPPED.write_text(f'{{"digests": {digests}, "outcomes": {{\n{lines}\n}}}}\n', encoding="utf-8")
    shipped.cache_clear()


# --- those on disk


class Shelf:
    """A folder of outcomes, which all processes of a server share; without a usable one nothing is kept.

    Parameters
    ----------
    folder : path
        Made where it is missing, for its owner alone.
    most : int
        Bytes that all files may take; those that nobody asked for go first.
    """

    def __init__(self, folder, most=MAX_BYTES):
        self.folder, self.most = Path(folder), most

    def read(self, key):
        """The outcome of a key, or None; a file that is damaged goes."""
        path = self._path(key)
        try:
            with self._opened(path) as file:
                check, _, text = file.read().partition(b"\n")
            os.utime(path)  # still wanted
        except OSError:
            return None
        try:
            if hashlib.sha256(text).hexdigest().encode() == check:
                record = json.loads(text)
                if record["key"] == key:
                    return record["outcome"]
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def write(self, key, outcome):
        """Keep an outcome, whole or not at all."""
        text = json.dumps({"key": key, "outcome": outcome}).encode()
        with contextlib.suppress(OSError):
            if not self._is_private():
                return
            check = hashlib.sha256(text).hexdigest().encode()
            storage.write(self._path(key), check + b"\n" + text, sync=False)
            storage.keep_bytes(self.folder, "*.json", self.most)

    def claim(self, key):
        """A context in which this process derives the key; None where another one is at it.

        It ends with the process, whatever becomes of that.
        """
        try:
            import fcntl
        except ImportError:  # Windows, where one process serves
            return contextlib.nullcontext()
        path = self._path(key).with_suffix(".claim")
        file = None
        try:
            if not self._is_private():
                return contextlib.nullcontext()
            file = open(path, "ab")  # noqa: SIM115
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                return _Claim(file, path)
        except BlockingIOError:
            pass
        except FileNotFoundError:  # given back between the two
            pass
        except OSError:
            return contextlib.nullcontext()
        if file is not None:
            file.close()
        return None

    def _path(self, key):
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"

    def _opened(self, path):
        if not self._is_private():
            raise PermissionError(f"{self.folder} can be written by others")
        return open(path, "rb")

    def _is_private(self):
        """Whether only this user writes in the folder, which is made."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = self.folder.lstat()
        mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        closed = os.name == "nt" or not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return stat.S_ISDIR(status.st_mode) and mine and closed


class _Claim:
    """A file that is locked, and goes when the claim is given back."""

    def __init__(self, file, path):
        self._file, self._path = file, path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._file.close()


@functools.cache
def shelf():
    """The shelf of this version of the package and of the libraries that derive."""
    parent = storage.cache("derivations")
    state = sources.digest((SKETCHES, sources.WHOLE), without=OUTSIDE, state=versions())
    candidate = Shelf(parent / state)
    with contextlib.suppress(OSError):
        if candidate._is_private():
            storage.keep_newest(parent, KEPT_FOLDERS, newest=candidate.folder)
    return candidate
