"""numba's cache on disk with a file for each compiled signature, whose digest shows that it is whole.

numba's own has an index that two processes which compile at once may garble, and believes what it reads: a
damaged file ends in an error, or in machine code that nobody wrote.
"""

import contextlib
import hashlib
import pickle
import warnings

from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

from workbench._support.errors import InputError, WorkbenchWarning
from workbench._support.system import storage

DIGEST_SIZE = hashlib.sha256().digest_size


class _Parts(CompileResultCacheImpl):
    """What numba does with a compiled function; it would look for a folder of its own."""

    def __init__(self):
        pass


class KernelCache(FunctionCache):
    """The compiled signatures of one function.

    Parameters
    ----------
    function : function
    folder : callable
        Gives the folder, which another one may replace where it fails.
    digest : str
        Of what the function is made of.
    """

    def __init__(self, function, folder, digest):
        self._py_func, self._name = function, repr(function)
        self._digest = digest
        self._impl = _Parts()
        self._folder = folder
        self.enable()

    @property
    def cache_path(self):
        return str(self._folder())

    def flush(self):
        for path in self._folder().glob(f"{self._prefix()}-*.nbc"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig, target_context):
        """The compiled function of a signature, or None where there is none that is whole."""
        target_context.refresh()
        path = self._path(self._index_key(sig, target_context.codegen()))
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            return _discard(path, error.strerror)
        data = content[DIGEST_SIZE:]
        if hashlib.sha256(data).digest() != content[:DIGEST_SIZE]:
            return _discard(path, "it is damaged")
        try:
            return self._impl.rebuild(target_context, pickle.loads(data))
        except Exception as error:  # whole, but of another numba or LLVM than its folder's name says
            return _discard(path, f"{type(error).__name__}: {error}")

    def save_overload(self, sig, data):
        """Keep a compiled function; where the folder takes no more, in a temporary one."""
        if not self._impl.check_cachable(data):
            return
        key = self._index_key(sig, data.codegen)
        content = dumps(self._impl.reduce(data))
        content = hashlib.sha256(content).digest() + content
        try:
            self._write(key, content)
        except OSError as error:
            # It is compiled, so nothing but time is lost where that one is full as well.
            with contextlib.suppress(OSError):
                storage.give_up_cache(error)
                self._write(key, content)

    def _write(self, key, content):
        path = self._path(key)
        try:
            storage.write(path, content, sync=False)
        except InputError:  # a process that clears up old versions was faster
            path.parent.mkdir(mode=0o700)
            storage.write(path, content, sync=False)

    def _prefix(self):
        # No name is too long for a file then.
        return f"{self._py_func.__module__.rpartition('.')[2]}.{self._py_func.__name__}"[:80]

    def _path(self, key):
        text = repr((self._py_func.__module__, self._py_func.__qualname__, self._digest, key))
        return self._folder() / f"{self._prefix()}-{hashlib.sha256(text.encode()).hexdigest()[:24]}.nbc"


_told = set()


def _discard(path, reason):
    """Take a file away that is of no use; told once for a folder, since files are seldom damaged alone."""
    with contextlib.suppress(OSError):
        path.unlink()
    if path.parent not in _told:
        _told.add(path.parent)
        warnings.warn(
            f"{path} cannot be used ({reason}); it is discarded, like others that cannot, and compiled anew",
            WorkbenchWarning,
            stacklevel=2,
        )
