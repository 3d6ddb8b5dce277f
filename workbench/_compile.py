"""On-demand compilation with numba, cached on disk under a digest of the package.

numba keys a cached function by its own file alone, so an edit of a helper elsewhere would leave
stale machine code behind; a cache folder named by a digest of all sources cannot.
"""

import functools
import hashlib
import os
import shutil
import threading
from pathlib import Path

import numba
import platformdirs
from numba import types

PACKAGE = Path(__file__).resolve().parent

FLOAT = types.float64
# A read-only array type takes writable arrays as well; the writable one refuses read-only arrays.
VECTOR = types.Array(types.float64, 1, "C", readonly=True)
WRITABLE = types.Array(types.float64, 1, "C")
INDICES = types.Array(types.uint32, 1, "C", readonly=True)
# Unsigned offsets spare numba the test for negative indices at every access.
OFFSETS = types.Array(types.uint64, 1, "C", readonly=True)
OFFSET = types.uint64

SCALAR = FLOAT(FLOAT, VECTOR)
COORDINATE = FLOAT(FLOAT, FLOAT, FLOAT, VECTOR)
PRIMAL = FLOAT(FLOAT, FLOAT, VECTOR)
ROW_ADD = FLOAT(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, WRITABLE, WRITABLE, VECTOR)
ROW_PROBE = types.UniTuple(FLOAT, 3)(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, VECTOR, VECTOR)
REFRESH = FLOAT(VECTOR, VECTOR, WRITABLE, WRITABLE)

OPTIONS = {"error_model": "numpy", "nogil": True, "cache": True}

# What is being compiled now and how many are done, for a page or a progress line to show.
progress = {"current": None, "done": 0}


# Old versions' folders that stay, so that two checkouts in turn do not compile everything each time.
KEPT_FOLDERS = 4

_lock = threading.RLock()


@functools.cache
def cache_folder():
    """The folder of this version's machine code; ``WORKBENCH_CACHE`` moves its parent."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(PACKAGE.rglob("*.py")):
        digest.update(source.read_bytes())
    parent = Path(os.environ.get("WORKBENCH_CACHE") or platformdirs.user_cache_path("duality-workbench"))
    folder = parent / "kernels" / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in others[KEPT_FOLDERS:]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def jit(function, signature=None, **options):
    """Compile a module-level function; with a signature at once, without one when first called."""
    # numba reads its cache folder from a global when it decorates, so that moment is guarded.
    with _lock:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder())
        progress["current"] = function.__name__
        try:
            compiled = numba.njit(signature, **{**OPTIONS, **options})(function)
        finally:
            numba.config.CACHE_DIR = before
            progress["current"] = None
            progress["done"] += 1
    if signature is not None:
        _keep_address(compiled)
    return compiled


def _keep_address(compiled):
    """Look up a function's address once, not at every call of a kernel that has it as an argument.

    With ten such arguments the lookups take longer than a short epoch's arithmetic.
    """
    (found,) = compiled.overloads.values()
    found.library.get_pointer_to_function = functools.cache(found.library.get_pointer_to_function)
    compiled.get_compile_result = lambda signature: found


@functools.cache
def formula(name, signature):
    """A generated function of `workbench._formulas`, compiled for a signature of this module."""
    from workbench import _formulas

    return jit(getattr(_formulas, name), signature)
