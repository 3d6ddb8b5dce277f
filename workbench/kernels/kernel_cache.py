"""numba's own cache on disk, in a folder under the digest of all kernels and generated scalars.

numba's key is a function and its own file: a helper that changes in another file would leave stale machine
code behind. So the folder's name covers every file that kernels are made of, and numba, llvmlite and Python.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import sys
import warnings
from pathlib import Path

import llvmlite
import numba
from numba import config
from numba.core.caching import FunctionCache

from workbench._support.display.progress import CompilationNotice
from workbench._support.errors import WorkbenchWarning
from workbench._support.system import sources, storage

# Every file of a function that numba compiles, or with a constant in one; formulas.py are the scalars.
KERNELS = (
    "kernels/*.py",
    "problems/regularizers/p_norm.py",
    "solvers/algorithms/_*.py",
    "solvers/algorithms/conjugate_gradient.py",
    "solvers/contract.py",
    "solvers/algorithms/orders.py",
)
# Begins where machine code is missing; the compilation ends it.
notice = CompilationNotice()
# Other versions' folders that stay, and bytes that the files of one folder may take.
KEPT_FOLDERS = 8
MAX_BYTES = 256 * 2**20


class KernelCache(FunctionCache):
    """The machine code of one function; a file that cannot be read or written costs a compilation."""

    def exists(self):
        """Return True if there may be machine code; numba's own look takes half a second the first time."""
        return Path(self._cache_file._index_path).exists()

    def load_overload(self, sig, target_context):
        code = self._read(sig, target_context)
        if code is None:
            notice.begin()
        return code

    def _read(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # a damaged file, of which pickle says anything
            with contextlib.suppress(OSError):
                self.flush()
            _warn(self.cache_path, f"is damaged ({type(error).__name__}), so what it holds is compiled anew")
            return None

    def save_overload(self, sig, data):
        try:
            folder = Path(self.cache_path)
            folder.mkdir(parents=True, exist_ok=True)  # another process may have cleared up old versions
            with storage.locked(folder / "lock"):  # numba numbers files by its index
                super().save_overload(sig, data)
        except OSError as error:
            _warn(self.cache_path, f"takes no machine code ({error.strerror or error}); it is compiled anew")


@functools.cache
def _warn(folder, sentence):
    """Warn once of a folder."""
    warnings.warn(
        f"{folder} {sentence}; set {storage.CACHE} to another folder", WorkbenchWarning, stacklevel=3
    )


def folder():
    """Return the folder of these kernels' machine code; ``WORKBENCH_CACHE`` moves its parent."""
    return _trimmed(storage.cache("kernels", _digest(), keep=KEPT_FOLDERS))


@functools.cache
def _trimmed(folder):
    storage.keep_bytes(folder, "**/*.nb?", MAX_BYTES)
    return folder


@functools.cache
def _digest():
    versions = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag
    return sources.digest(*KERNELS, state=repr(versions))


def cache_of(function):
    """Return the cache of a function; None where it has no file."""
    path = Path(inspect.getfile(function))
    try:
        content = path.read_bytes()
    except OSError:
        return None
    # numba's index does not know an earlier text of the file before it is written anew.
    state = hashlib.sha256(content).hexdigest()[:16]
    settings = vars(config)
    before, settings["CACHE_DIR"] = settings["CACHE_DIR"], os.fspath(folder() / state)
    try:
        return KernelCache(function)
    except RuntimeError:  # the disk takes no folder
        return None
    finally:
        settings["CACHE_DIR"] = before
