"""Outcomes of derivations as JSON: those that come with the package, and those kept on disk.

The key of an outcome is the request, and each belongs to the sources that derive it: where these have changed
it is not used. Pages run the JavaScript that an outcome holds, so the files lie in the user's own cache,
where nobody else writes, and nothing is ever unpickled. Importing this module loads no SymPy.
"""

import contextlib
import functools
import hashlib
import json
import os
from importlib import metadata
from pathlib import Path

from workbench._support.system import sources, storage

# Which sources derive; those that show results or run derivations are not among them.
DERIVING = ("conjugates", "_support/names.py", "_support/errors/__init__.py")
OUTSIDE = ("conjugates/convex/worker.py", "conjugates/derivations/outcomes.py")
LIBRARIES = ("sympy", "mpmath", "numpy")
SHIPPED = Path(__file__).with_name("outcomes.json")
MAX_BYTES = 32 * 2**20
# Folders of other versions that stay, so that two checkouts in turn do not derive everything each time.
KEPT_FOLDERS = 4


def key(function, *arguments):
    """Return a text for a request, the same for equal ones."""
    return json.dumps([function, *arguments])


@functools.cache
def digest():
    """Return a fingerprint of the sources that derive."""
    return sources.digest(*DERIVING, without=OUTSIDE)


def versions():
    """Return the libraries that derive, as a text."""
    return " ".join(metadata.version(name) for name in LIBRARIES)


# --- those of the package


@functools.cache
def shipped():
    """Return the outcomes that come with the package, by key; none where the file is stale or damaged."""
    try:
        record = json.loads(SHIPPED.read_text(encoding="utf-8"))
        # Another SymPy may write a formula in another way, and this one is as true.
        return record["outcomes"] if record["digest"] == digest() else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def ship(outcomes):
    """Write the file of `shipped`, an outcome a line."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(outcome)}" for name, outcome in outcomes.items())
    storage.write(SHIPPED, f'{{"digest": "{digest()}", "outcomes": {{\n{lines}\n}}}}\n')
    shipped.cache_clear()


# --- those on disk


def folder():
    """Return the folder of this version's outcomes, which all processes of a server share."""
    state = hashlib.sha256(f"{digest()} {versions()}".encode()).hexdigest()[:32]
    return storage.cache("derivations", state, keep=KEPT_FOLDERS)


def _path(key):
    return folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


def read_outcome(key):
    """Return the outcome of a key, or None; a damaged file counts as missing."""
    path = _path(key)
    try:
        record = json.loads(path.read_bytes())
        os.utime(path)  # still in use
        return record["outcome"] if record["key"] == key else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def write(key, outcome):
    """Keep an outcome, whole or not at all."""
    with contextlib.suppress(OSError):
        storage.write(_path(key), json.dumps({"key": key, "outcome": outcome}), sync=False)
        storage.keep_bytes(folder(), "*.json", MAX_BYTES)
