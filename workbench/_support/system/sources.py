"""Digests of source files, under which derived files are stored."""

import functools
import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]


def files(*patterns, without=()):
    """Return the Python files that patterns name in the package, less others; a folder stands for its files.

    Raises
    ------
    LookupError
        A pattern that names nothing.
    """
    paths: set[Path] = set()
    for pattern in patterns:
        matches = list(PACKAGE.glob(pattern))
        if not matches:
            raise LookupError(f"{PACKAGE}: nothing matches {pattern}")
        for path in matches:
            paths.update(path.rglob("*.py") if path.is_dir() else [path])
    return sorted(paths - {*files(*without)} if without else paths)


def digest(*patterns, without=(), state=""):
    """Return a fingerprint of the files of `files` and of a text: 32 digits, the same on every system."""
    hasher = hashlib.sha256(state.encode())
    for path in files(*patterns, without=without):
        status = path.stat()
        text = _digest_of(path, status.st_mtime_ns, status.st_size)
        hasher.update(f"\0{path.relative_to(PACKAGE).as_posix()}\0{text}".encode())
    return hasher.hexdigest()[:32]


@functools.lru_cache(maxsize=4096)
def _digest_of(path, _changed, _size):
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
