"""Derivations and checks in processes of their own: their limits, and what is said where one is reached."""

import atexit
import math
import os
import threading

from workbench._support.errors import DerivationTimeout
from workbench._support.system import processes
from workbench._support.system.workers import WARM_LIMIT, Workers

MEMORY = 2 * 2**30
QUICK = 0.5  # seconds of processor time after which a derivation makes place for a newcomer
# More processes than cores let a newcomer begin beside long derivations, which the system then slows down.
PLACES = min((os.cpu_count() or 1) + 2, 8)
# A server's pages come first; a machine with other things to do still lets derivations go on.
NICENESS = 5
WARM_MODULES = (
    "workbench._support.system.workers",
    "sympy",
    "workbench.conjugates.convex.conjugate",
    "workbench.conjugates.convex.verify",
    "workbench.conjugates.derivations.sketches",
)
CONTEXT, _ = processes.starter(WARM_MODULES)
CHECK_MODULES = ("workbench._support.system.workers", "workbench.conjugates.convex.checker.theorem")
CHECK_CONTEXT, _ = processes.starter(CHECK_MODULES)


class Deriver(Workers):
    """`Workers` that have SymPy; a limit that is reached is a `DerivationTimeout`.

    Parameters
    ----------
    memory, places, quick, niceness
        As for `Workers`.
    """

    work, context, modules = "derivation", CONTEXT, WARM_MODULES

    def __init__(self, memory=MEMORY, places=1, quick=math.inf, niceness=0):
        super().__init__(self.context, self.modules, memory, places, quick, niceness)

    def fault(self, kind, job, worker):
        if kind == "start":
            return DerivationTimeout(
                f"the {self.work} found no process that starts within {WARM_LIMIT:g} s of processor time"
            )
        messages = {
            "time": f"took longer than {job.timeout:g} s of processor time and was stopped; try a simpler "
            "formula or a longer limit",
            "clock": f"got {worker.used:.1f} s of processor time within {worker.elapsed:.0f} s and was "
            "stopped: the machine is busy, try again",
            "memory": f"needed more than {job.memory / 2**30:g} GiB of memory and was stopped; try a simpler "
            "formula or a larger limit",
            "deep": "went deeper than Python's stack; try a simpler formula",
            "broken": f"broke down (exit code {worker.code}), mostly for want of memory; try a simpler "
            "formula",
        }
        return DerivationTimeout(f"the {self.work} {messages[kind]}")


class CheckRunner(Deriver):
    """Checks of proof files, in processes without SymPy."""

    work, context, modules = "check", CHECK_CONTEXT, CHECK_MODULES


# --- the one that a server shares

_shared = {}
_lock = threading.Lock()
_divided = [1]


def share(processes):
    """Divide the places between so many processes of a server; before any of them serves."""
    _divided[:] = [processes]


def shared():
    """The one `Deriver` of this process, made at the first call and closed when Python ends."""
    with _lock:
        process = os.getpid()  # a fork of the program has threads of its own to start
        if process not in _shared or _shared[process].closed:
            places = max(2, PLACES // _divided[0])
            _shared[process] = Deriver(places=places, quick=QUICK, niceness=NICENESS)
            atexit.register(close_shared)
        return _shared[process]


def close_shared():
    """Close this process's shared `Deriver`, where there is one."""
    with _lock:
        deriver = _shared.pop(os.getpid(), None)
    if deriver is not None:
        deriver.close()
