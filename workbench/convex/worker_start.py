"""How a worker process starts: from a fork server, and without the program's main module.

Python's process starters import the main module of the program into each new process, so a script that
derives something at its top level would run itself again in its own worker. Derivations need nothing
of it.
"""

import io
import multiprocessing
import os
from multiprocessing import context, reduction, spawn, util

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


def start_context(modules):
    """A context whose processes have the modules imported; Windows has no fork server, so it spawns."""
    if not FORKSERVER:
        return multiprocessing.get_context("spawn")
    made = _Context()
    # Without effect where the program runs a fork server already: then each worker imports for itself.
    made.set_forkserver_preload(list(modules))
    return made
