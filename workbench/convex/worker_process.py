"""What runs in a worker process, and how the process starts: without the program's main module.

Python's process starters import the main module of the program into each new process, so a script that
derives something at its top level would run itself again in its own worker. Derivations need nothing
of it.
"""

import importlib
import io
import math
import multiprocessing
import os
import pickle
import signal
import time
import traceback
from multiprocessing import context, reduction, spawn, util

from workbench.errors import DerivationTimeout, InputError

WARM_LIMIT = 60.0  # seconds to start a process and import SymPy, which takes about one
WARM_MODULES = ("sympy", "workbench.convex.parse")
OUT_OF_MEMORY = 81  # exit code; any number that nothing else uses
OUT_OF_TIME = -getattr(signal, "SIGXCPU", 0)  # the exit code where the kernel was first
CPU_MARGIN = 2  # seconds that the parent has to stop a derivation before the kernel does
FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()

if FORKSERVER:
    from multiprocessing import forkserver, popen_forkserver

    class _Popen(popen_forkserver.Popen):
        def _launch(self, process_obj):
            """As in the standard library, except that the main module is left out."""
            preparation = spawn.get_preparation_data(process_obj._name)
            preparation.pop("init_main_from_name", None)
            preparation.pop("init_main_from_path", None)
            buffer = io.BytesIO()
            context.set_spawning_popen(self)
            try:
                reduction.dump(preparation, buffer)
                reduction.dump(process_obj, buffer)
            finally:
                context.set_spawning_popen(None)
            self.sentinel, writer = forkserver.connect_to_new_process(self._fds)
            # A duplicate of the pipe's end tells the child whether its parent lives.
            kept = os.dup(writer)
            self.finalizer = util.Finalize(self, util.close_fds, (kept, self.sentinel))
            with open(writer, "wb", closefd=True) as file:
                file.write(buffer.getbuffer())
            self.pid = forkserver.read_signed(self.sentinel)

    class _Process(context.ForkServerProcess):
        @staticmethod
        def _Popen(process_obj):
            return _Popen(process_obj)

    class _Context(context.ForkServerContext):
        Process = _Process


def start_context():
    """A context whose processes have SymPy imported; Windows has no fork server, so it spawns."""
    if not FORKSERVER:
        return multiprocessing.get_context("spawn")
    made = _Context()
    # Without effect where the program runs a fork server already: then each worker imports for itself.
    made.set_forkserver_preload(list(WARM_MODULES))
    return made


def warm(memory):
    """Import what derivations need and take on the limits of memory; runs once in each worker."""
    # Pebble stops a worker by SIGTERM and handles that in Python, which a hanging call of C never
    # reaches; by default the signal kills at once.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    alarm = getattr(signal, "alarm", lambda seconds: None)
    alarm(math.ceil(WARM_LIMIT))
    for module in WARM_MODULES:
        importlib.import_module(module)
    alarm(0)
    _limit("RLIMIT_AS", memory)
    _limit("RLIMIT_CORE", 0)


def _limit(name, value):
    """Lower a resource limit of this process, where the platform has it."""
    try:
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # Windows has no such limits, and macOS refuses some


def ready():
    """Nothing: its end says that a worker is warm."""


def work(payload, timeout):
    """One derivation. Its outcome is pickled here, within the limits, and not by the pool."""
    # Should the parent die, nobody else would stop a derivation that hangs.
    _limit("RLIMIT_CPU", math.ceil(time.process_time() + timeout + CPU_MARGIN))
    try:
        function, args = pickle.loads(payload)
        return _packed(True, function(*args))
    except MemoryError:
        # A process that ran out of memory keeps what filled it; a fresh one is certain to have room.
        os._exit(OUT_OF_MEMORY)
    except RecursionError:
        text = "the derivation went deeper than Python's stack; try a simpler formula"
        return _packed(False, DerivationTimeout(text))
    except InputError as error:
        return _packed(False, error)
    except BaseException as error:
        return _failure(error)


def _packed(succeeded, outcome):
    """An outcome as bytes, read once: SymPy evaluates as it reads, and that too must fit the limits."""
    packed = pickle.dumps((succeeded, outcome))
    pickle.loads(packed)
    return packed


def _failure(error):
    """An unexpected error, or where it cannot travel or would end the parent, a RuntimeError like it."""
    error.add_note("in the worker:\n" + traceback.format_exc())
    if isinstance(error, Exception):
        try:
            return _packed(False, error)
        except Exception:
            pass
    return _packed(False, RuntimeError(f"{type(error).__name__}: {error}"))
