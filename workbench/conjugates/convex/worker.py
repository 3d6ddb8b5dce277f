"""Derivations and checks in processes of their own: their limits, and what is said where one is reached."""

import atexit
import os
import threading

from workbench._support.errors import DerivationTimeout
from workbench._support.system import processes
from workbench._support.system.workers import Workers

MEMORY = 2 * 2**30
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


def _sentences(work):
    return {
        "start": f"the {work} found no process that starts, mostly for want of memory; try again",
        "time": f"the {work} took longer than {{timeout:g}} s and was stopped; try a simpler formula or a "
        "longer limit",
        "memory": f"the {work} needed more than {{memory:,}} MB of memory and was stopped; try a simpler "
        "formula",
        "deep": f"the {work} went deeper than Python's stack; try a simpler formula",
        "broken": f"the process of the {work} was killed or broke down, mostly for want of memory; try again "
        "or try a simpler formula",
    }


class Deriver(Workers):
    """`Workers` that have SymPy; a limit that is reached is a `DerivationTimeout`.

    Parameters
    ----------
    memory, places, niceness
        As for `Workers`.
    """

    error, sentences = DerivationTimeout, _sentences("derivation")
    context = CONTEXT
    modules: tuple[str, ...] = WARM_MODULES

    def __init__(self, memory=MEMORY, places=1, niceness=0):
        super().__init__(self.context, self.modules, memory, places, niceness)


class CheckRunner(Deriver):
    """Checks of proof files, in processes without SymPy."""

    sentences, context, modules = _sentences("check"), CHECK_CONTEXT, CHECK_MODULES


# --- the one that a server shares

_shared: dict[int, Deriver] = {}
_lock = threading.Lock()
_divided = [1]


def share(processes):
    """Divide the places between the processes of a server; before any of them serves."""
    _divided[:] = [processes]


def shared():
    """Return the one `Deriver` of this process, made at the first call and closed when Python ends."""
    with _lock:
        process = os.getpid()  # a fork of the program has threads of its own to start
        if process not in _shared or _shared[process].closed:
            _shared[process] = Deriver(places=max(2, PLACES // _divided[0]), niceness=NICENESS)
            atexit.register(close_shared)
        return _shared[process]


def close_shared():
    """Close this process's shared `Deriver`, where there is one."""
    with _lock:
        deriver = _shared.pop(os.getpid(), None)
    if deriver is not None:
        deriver.close()
