"""On-demand compilation with numba, cached on disk under a digest of the package.

A function's key would not change with a helper elsewhere that it calls, and stale machine code stay behind;
a cache folder named by a digest of all sources that kernels can come from cannot hold any.
"""

import functools
import hashlib
import os
import shutil
import sys
import threading
from pathlib import Path

import llvmlite
import numba
from numba import types
from numba.core.registry import CPUDispatcher

from workbench.compiled.kernel_cache import KernelCache
from workbench.system import storage

PACKAGE = Path(__file__).resolve().parents[1]

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

OPTIONS = {"error_model": "numpy", "nogil": True}

# What is being compiled now and how many are done, for a page or a progress line to show.
progress = {"current": None, "done": 0}


# Old versions' folders that stay, so that two checkouts in turn do not compile everything each time.
KEPT_FOLDERS = 4

# They use kernels and hold none, and nothing that does imports them.
WITHOUT_KERNELS = ("cli", "data", "experiments", "pages", "race", "server", "tabular", "teaching")

_lock = threading.RLock()


def cache_folder():
    """The folder of this version's machine code; ``WORKBENCH_CACHE`` moves its parent."""
    return _opened(storage.cache("kernels"))


@functools.cache
def _opened(parent):
    folder = parent / _digest()
    folder.mkdir(exist_ok=True)
    os.utime(folder)
    others = sorted(parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in others[KEPT_FOLDERS:]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


@functools.cache
def _digest():
    versions = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag)
    digest = hashlib.sha256(repr(versions).encode())
    for source in sorted(PACKAGE.rglob("*.py")):
        if source.relative_to(PACKAGE).parts[0] not in WITHOUT_KERNELS:
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def jit(function, signature=None, **options):
    """Compile a module-level function; with a signature at once, without one when first called."""
    with _lock:
        progress["current"] = function.__name__
        try:
            compiled = numba.njit(**{**OPTIONS, **options})(function)
            compiled._cache = KernelCache(function, cache_folder)
            if signature is not None:
                compiled.compile(signature)
                compiled.disable_compile()
        finally:
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
    compiled.__class__ = _Argument


class _Argument(CPUDispatcher):
    """A compiled function that keeps its type, which numba makes anew at every call that it is passed to."""

    @functools.cached_property
    def _numba_type_(self):
        return super()._numba_type_


@functools.cache
def formula(name, signature):
    """A generated function of `workbench.compiled.formulas`, compiled for a signature of this module."""
    from workbench.compiled import formulas

    return jit(getattr(formulas, name), signature)
