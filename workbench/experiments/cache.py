"""Finished tasks on disk: one JSON file each, keyed by the code, the parameters and the shared data.

A file that is missing or damaged costs a task, never a run: each has a checksum of its key and its record,
which tells of damage, not of forgery. The key's code is every source that can change a number: the package
without its pages, lessons, derivations and command line, what the module of the task's function is made of,
and the versions of the libraries that compute.
"""

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import json
import platform
from pathlib import Path

from workbench.errors import InputError
from workbench.system import sources, storage

PACKAGE = Path(__file__).resolve().parents[1]
# They show or derive, and compute nothing that a record holds; derivations leave `compiled.formulas` behind.
OUTSIDE = (
    "cli",
    "codegen",
    "convex",
    "derivations",
    "experiments",
    "pages",
    "race",
    "server",
    "system",
    "teaching",
    "terms",
    "_share",
    "__main__",
)
LIBRARIES = ("numba", "numpy", "scikit-learn", "scipy")


def default_folder():
    """Where finished tasks lie; ``WORKBENCH_CACHE`` moves its parent."""
    return storage.cache("experiments")


@functools.cache
def versions():
    """The versions that a number depends on, by name; workers must have the same."""
    import workbench

    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"workbench": f"{workbench.__version__} ({_package_digest()})", "Python": python, **libraries}


@functools.cache
def _package_digest():
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        if name.with_suffix("").parts[0] not in OUTSIDE:
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def code_digest(module):
    """A fingerprint of a task's module, of all that it is made of, and of `versions`."""
    state, file = json.dumps(versions()), getattr(importlib.import_module(module), "__file__", None)
    return sources.digest((Path(file), sources.WHOLE), state=state) if file else state


def fingerprint(value):
    """A text that stands for a shared object: its own digest, or a hash of all that it holds."""
    import joblib

    digest = getattr(value, "digest", None)
    return digest if isinstance(digest, str) else joblib.hash(value, hash_name="sha1")


class Cache:
    """A folder of finished tasks.

    Parameters
    ----------
    folder : path or None
        Made where it is missing; None keeps nothing.
    shared : dict of str to str
        The fingerprints of the shared objects.
    """

    def __init__(self, folder, shared):
        self.folder = None if folder is None else Path(folder)
        self.shared = shared
        self.written = 0
        if self.folder is not None:
            with self._refusal():
                self.folder.mkdir(parents=True, exist_ok=True)

    def key(self, task):
        """The name of a task's file."""
        state = (task.name, task.parameters, code_digest(task.function.__module__), self.shared)
        return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:32]

    def read(self, key):
        """The record of a finished task, or None."""
        if self.folder is None:
            return None
        try:
            entry = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            return entry["record"] if entry["checksum"] == _checksum(key, entry["record"]) else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def write(self, key, task, record):
        """Keep a record, whole or not at all."""
        if self.folder is None:
            return
        about = {"task": task.name, "parameters": task.parameters, "checksum": _checksum(key, record)}
        with self._refusal():
            storage.write(self.folder / f"{key}.json", json.dumps({**about, "record": record}))
        self.written += 1

    @contextlib.contextmanager
    def _refusal(self):
        """Raise an OSError of the folder as a sentence: a full disk, a place that cannot be written."""
        try:
            yield
        except OSError as error:
            raise InputError(
                f"{self.folder}: finished tasks cannot be kept here ({error.strerror or error}); those "
                f"written before are kept ({self.written} in this run): make room, or set WORKBENCH_CACHE "
                "to another folder, and run the same command again"
            ) from error


def _checksum(key, record):
    return hashlib.sha256(json.dumps([key, record], sort_keys=True).encode()).hexdigest()
