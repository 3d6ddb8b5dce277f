"""Runs a submission for a judge: its cells as they stand, then its answers at what the judge asks.

    python -I -m workbench.teaching.submission      the judge is at the other end of its input and output

No check, no seed and no right answer is in this process; what a submission changes here changes its own
values alone. A function that the judge lends is called over there.
"""

import contextlib
import copy
import inspect
import os
import sys

from workbench.teaching import checking, own_work
from workbench.teaching.answers import differ
from workbench.teaching.exchange import Line, error_of, plain, restored

# Seconds of processor time: of a cell, of a call. Bytes: of memory, of a file.
CELL, CALL, MEMORY, FILE = 120, 10, 4 * 2**30, 2**27


def limit(seconds):
    """Hold this process to so much more processor time; the system ends it after that."""
    with contextlib.suppress(ImportError, ValueError):  # Windows has no such limits
        import resource

        usage = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        due = {
            resource.RLIMIT_CPU: int(usage + seconds) + 1,
            resource.RLIMIT_AS: MEMORY,
            resource.RLIMIT_FSIZE: FILE,
            resource.RLIMIT_CORE: 0,
        }
        for kind, most in due.items():
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


class Submission:
    """A notebook's names, and the line to the judge."""

    def __init__(self, line):
        from IPython.core.interactiveshell import InteractiveShell

        self.line = line
        InteractiveShell.history_load_length = 0
        self.shell = InteractiveShell.instance(colors="NoColor")
        self.shell.history_manager.enabled = False

    def cell(self, source):
        limit(CELL)
        result = self.shell.run_cell(source, store_history=False)
        return {"ran": bool(result.success)}

    def answer(self, name):
        value = self.shell.user_ns.get(name)
        if not callable(value):
            return {"value": plain(value)}
        try:
            parameters = [each.name for each in inspect.signature(value).parameters.values()]
        except (TypeError, ValueError):
            parameters = []
        with contextlib.suppress(Exception):
            return {
                "name": str(getattr(value, "__name__", "")),
                "parameters": parameters,
                "ready": own_work.library_solvers(value),
            }
        return {"name": "", "parameters": parameters, "ready": []}

    def call(self, name, arguments):
        limit(CALL)
        values = [restored(each, self._callback) for each in arguments]
        before = copy.deepcopy(values)
        try:
            value = plain(self.shell.user_ns[name](*values))
        except BaseException as error:
            return {"raised": [type(error).__name__, str(error)]}
        changed = [plain(now) if differ(was, now) else None for was, now in zip(before, values, strict=True)]
        return {"value": value, "changed": changed}

    def _callback(self, number):
        def callback(*arguments):
            reply = self.line.ask(callback=number, arguments=[plain(each) for each in arguments])
            if "raised" in reply:
                raise error_of(*reply["raised"])
            return restored(reply["value"])

        return callback


def main():
    checking.load = lambda lesson: {}  # the judge's; `begin` asks for their names
    writer, reader = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    with open(os.devnull, "r+b") as nothing:
        for number in (0, 1):
            os.dup2(nothing.fileno(), number)
    line = Line(reader, writer)
    here = Submission(line)
    line.say(ready=True)
    while True:
        request = line.hear()
        line.say(**getattr(here, request.pop("do"))(**request))


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())  # as a notebook's folder is
    main()
