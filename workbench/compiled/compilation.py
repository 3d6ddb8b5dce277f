"""On-demand compilation with numba, cached on disk under a digest of what the function is made of.

numba's own key does not change with a helper in another file, and stale machine code would stay behind. Here
the key covers a function and all that it calls, wherever that stands, and nothing else: an edit of anything
but these leaves the machine code as it is.
"""

import functools
import hashlib
import sys
import threading
from pathlib import Path

import llvmlite
import numba
from numba import types
from numba.core.registry import CPUDispatcher

from workbench.compiled.kernel_cache import KernelCache
from workbench.system import sources, storage

FLOAT = types.float64
# A read-only array type takes writable arrays as well; the writable one refuses read-only arrays.
VECTOR = types.Array(types.float64, 1, "C", readonly=True)
WRITABLE = types.Array(types.float64, 1, "C")
INDICES = types.Array(types.uint32, 1, "C", readonly=True)
# Unsigned offsets spare numba the test for negative indices at every access.
OFFSETS = types.Array(types.uint64, 1, "C", readonly=True)
OFFSET = types.uint64
FLAG, INTEGER = types.boolean, types.int64
INTEGERS, QUEUE = types.Array(INTEGER, 1, "C"), types.Array(types.uint32, 1, "C")

SCALAR = FLOAT(FLOAT, VECTOR)
COORDINATE = FLOAT(FLOAT, FLOAT, FLOAT, VECTOR)
PRIMAL = FLOAT(FLOAT, FLOAT, VECTOR)
ROW_ADD = FLOAT(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, WRITABLE, WRITABLE, VECTOR)
ROW_PROBE = types.UniTuple(FLOAT, 3)(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, VECTOR, VECTOR)
REFRESH = FLOAT(VECTOR, VECTOR, WRITABLE, WRITABLE)
# Such functions as arguments.
SCALAR_TYPE, COORDINATE_TYPE = types.FunctionType(SCALAR), types.FunctionType(COORDINATE)

OPTIONS = {"error_model": "numpy", "nogil": True}

# What is being compiled now and how many are done, for a page or a progress line to show.
progress = {"current": None, "done": 0}


# Folders of other versions of numba and Python that stay, and what the files of one folder may take.
KEPT_FOLDERS = 4
MOST_BYTES = 256 * 2**20

_lock = threading.RLock()


def cache_folder():
    """The folder of machine code for these versions; ``WORKBENCH_CACHE`` moves its parent."""
    return _opened(storage.cache("kernels", _versions()))


@functools.cache
def _opened(folder):
    storage.keep_newest(folder.parent, KEPT_FOLDERS, newest=folder)
    storage.keep_bytes(folder, "*.nbc", MOST_BYTES)
    return folder


@functools.cache
def _versions():
    versions = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag)
    return hashlib.sha256(repr(versions).encode()).hexdigest()[:16]


def made_of(function, options):
    """A digest of a module-level function and all that it calls; None where its source is nowhere.

    What this module does is no part of it: the options and the signature are all that machine code has of it.
    """
    plain = sorted((name, sorted(each) if isinstance(each, set) else each) for name, each in options.items())
    root = (Path(function.__code__.co_filename), function.__qualname__.partition(".")[0])
    try:
        return sources.digest(root, without=(__file__,), state=repr(plain))
    except LookupError:
        return None


def jit(function, signature=None, **options):
    """Compile a module-level function; with a signature at once, without one when first called."""
    with _lock:
        progress["current"] = function.__name__
        try:
            options = {**OPTIONS, **options}
            compiled = numba.njit(**options)(function)
            if digest := made_of(function, options):
                compiled._cache = KernelCache(function, cache_folder, digest)
            if signature is not None:
                compiled.compile(signature)
                compiled.disable_compile()
        finally:
            progress["current"] = None
            progress["done"] += 1
    if signature is not None:
        _keep_address(compiled)
    return compiled


def late(function, signature=None, **options):
    """What compiles a module-level function when it is called first, and gives it compiled: see `jit`."""
    return functools.cache(lambda: jit(function, signature, **options))


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
