"""Work on a visitor's file in a process of its own, with limits of memory and processor time.

    answer = await run(function, *arguments, visitor=ADDRESS, **READING)

The process is a copy of one that has imported what the function needs, so it begins at once, and it ends with
its answer: the result, or the sentence that refuses.
"""

import asyncio
import os
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import processes, resources
from workbench._support.system.workers import Workers

STDERR = 2  # the descriptor, which compiled libraries write to
# Megabytes that a job may take above what the imports took, and how long: reading a file, or fitting it too.
READING = {"memory": 512, "seconds": 8}
FITTING = {"memory": 1536, "seconds": 90}
WARM = (
    "workbench._support.system.workers",
    "workbench.data.tables.uploads",
    "workbench.data.tables.fitting",
    "pandas",
    "sklearn.datasets",
    "pyarrow.parquet",
)
# One thread each: the machine's others belong to other visitors. Other pools of memory than the system's
# reserve more address space than they use.
ALONE = {**resources.ONE_THREAD, "ARROW_DEFAULT_MEMORY_POOL": "system"}
# A server has other visitors.
NICENESS = 5
_context, reserve = processes.starter(WARM, ALONE)


PART = "take a part of its rows or columns."


SENTENCES = {
    "start": "The machine has no memory for another file; try again in a minute.",
    "memory": f"The file takes more than {{memory:g}} MB of memory here; {PART}",
    "time": f"The file takes more than {{timeout:g}} s here; {PART}",
    "deep": f"The file is nested too deep; {PART}",
    "broken": "The file ended the process that read it; take a part of its rows, or save it anew.",
}


class _Readers(Workers):
    error, sentences = InputError, SENTENCES


# No process sees two files.
_readers = _Readers(
    _context, (), FITTING["memory"] * 2**20, places=max(2, os.cpu_count() or 1), niceness=NICENESS, calls=1
)


def start(function, *arguments, memory, seconds, visitor=None):
    """Return the future of a call in a process of its own, with limits such as `READING`.

    The function is one of a module, and its arguments travel pickled. A visitor has one job at a time; others
    of the same one wait. The future raises the function's `InputError`, or one that names the limit that was
    reached.
    """
    limits = {"timeout": seconds, "memory": memory * 2**20}
    return _readers.submit(_quiet, function, *arguments, visitor=visitor, **limits)


def _quiet(function, *arguments):
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    return function(*arguments)


async def run(function, *arguments, **limits):
    """Return the result of `start`, with its parameters; cancelled with the task that awaits it."""
    return await asyncio.wrap_future(start(function, *arguments, **limits))
