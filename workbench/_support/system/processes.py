"""Start of processes with limits: without the program's main module, with given modules imported.

Python's process starters import the main module of the program into each new process, so a script that asks
for one at its top level would run itself again in it. Nothing that is done in these processes needs it.
"""

import io
import math
import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing import context, reduction, spawn, util

FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()

if FORKSERVER:
    from multiprocessing import forkserver, popen_forkserver

    def _close(*descriptors):
        for descriptor in descriptors:
            os.close(descriptor)

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
            fds = self._fds  # type: ignore[attr-defined]  # CPython's, not in typeshed
            self.sentinel, writer = process_obj.server().connect_to_new_process(fds)
            # A duplicate of the pipe's end tells the child whether its parent lives.
            copy = os.dup(writer)
            self.finalizer = util.Finalize(self, _close, (copy, self.sentinel))
            with open(writer, "wb", closefd=True) as file:  # noqa: PTH123, a descriptor
                file.write(buffer.getbuffer())
            self.pid = forkserver.read_signed(self.sentinel)

    class _Process(context.ForkServerProcess):
        server: Callable[[], forkserver.ForkServer]

        @staticmethod
        def _Popen(process_obj):
            return _Popen(process_obj)

        def __getstate__(self):
            return {name: value for name, value in vars(self).items() if name != "server"}


def starter(modules, environment=()):
    """Return a context whose processes have modules imported; Windows lacks a fork server and spawns.

    Parameters
    ----------
    modules : sequence of str
        One that is not there is passed over.
    environment : dict
        Variables that are set in the processes before anything is imported.

    Returns
    -------
    context : multiprocessing.context.BaseContext
    begin : callable
        Starts the imports, where they have not begun.
    """
    if not FORKSERVER:
        return multiprocessing.get_context("spawn"), lambda: None
    server = forkserver.ForkServer()
    server.set_forkserver_preload(list(modules))
    one = threading.Lock()

    def begin():
        with one:
            before = dict(os.environ)
            os.environ.update(environment)
            try:
                server.ensure_running()
                return server
            finally:
                for name in environment:
                    del os.environ[name]
                os.environ.update({name: before[name] for name in environment if name in before})

    def process(**options):
        child = _Process(**options)
        child.server = begin
        return child

    methods = context.ForkServerContext()
    methods.Process = process  # type: ignore[misc, assignment]  # the method reads it from the instance
    return methods, begin


def limit(name, value):
    """Set a resource limit of this process, where the platform has it; ``math.inf`` lifts it again."""
    try:
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        highest = math.inf if hard == resource.RLIM_INFINITY else hard
        resource.setrlimit(kind, (hard if value >= highest else value, hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # Windows lacks such limits, and macOS refuses some
