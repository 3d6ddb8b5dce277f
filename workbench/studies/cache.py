"""Records of finished tasks on disk: one JSON file each, named by code, parameters and shared data.

The code is every source that can change a number: the package without its pages, lessons, derivations and
command line, the module of the task's function, the experiments, and the versions of the libraries that
compute.
"""

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import json
import platform
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import sources, storage

# Everything that computes a number; the rest shows or derives. Derivations leave `formulas` behind.
COMPUTING = (
    "__init__.py",
    "_support/*.py",
    "_support/display",
    "_support/errors",
    "kernels",
    "problems",
    "certificates",
    "solvers",
    "data",
    "estimators",
    "studies/distributed",
)
LIBRARIES = ("numba", "numpy", "scikit-learn", "scipy")


def default_folder():
    """Return the folder of finished tasks; ``WORKBENCH_CACHE`` moves its parent."""
    return storage.cache("experiments")


@functools.cache
def versions():
    """Return the versions that a number depends on, by name; workers must have the same."""
    import workbench

    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES}
    python = ".".join(platform.python_version_tuple()[:2])
    package = f"{workbench.__version__} ({sources.digest(*COMPUTING)[:12]})"
    return {"workbench": package, "Python": python, **libraries}


@functools.cache
def code_digest(module):
    """Return a fingerprint of a task's module, of the experiments and of `versions`."""
    file = getattr(importlib.import_module(module), "__file__", None)
    text = Path(file).read_text(encoding="utf-8") if file else ""
    return sources.digest("studies/*.py", state=json.dumps([versions(), text]))


def fingerprint(value):
    """Return a text that stands for a shared object: its own digest, or a hash of all that it holds."""
    import joblib

    digest = getattr(value, "digest", None)
    return digest if isinstance(digest, str) else joblib.hash(value, hash_name="sha1")


def key(task, shared):
    """Return the name of a task's file.

    Parameters
    ----------
    task : Task
    shared : dict of str to str
        The fingerprints of the shared objects.
    """
    state = (task.name, task.parameters, code_digest(task.function.__module__), shared)
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:32]


def read_record(path):
    """Return the record of a finished task; None for a missing or damaged file, which costs a task."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))["record"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def make(folder):
    """Make the folder of records, so that one that cannot be written to is refused before any task runs."""
    with _refusal(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write(path, task, record):
    """Write the record of a finished task, whole or not at all.

    Raises
    ------
    InputError
        A full disk, or a folder that cannot be written to; earlier records stay.
    """
    content = {"task": task.name, "parameters": task.parameters, "record": record}
    with _refusal(path.parent):
        storage.write(path, json.dumps(content))


@contextlib.contextmanager
def _refusal(folder):
    """Raise an OSError of the folder as a sentence."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{folder}: records of finished tasks cannot be written here ({error.strerror or error}); "
            "make room, or set WORKBENCH_CACHE to another folder, and run the same command again: earlier "
            "records are kept"
        ) from error
