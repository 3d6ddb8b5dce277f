"""The judge: decides what a submission's answers are worth, in a process in which none of its lines runs.

    python -I -m workbench.teaching.grading     a request as JSON on its input, verdicts on its output

The submission runs in a child of this process (see `submission`), which has neither the checks nor the seeds
and, where the system can confine it (see `confinement`), cannot open the files that hold them. Back comes
data. The checks are those of the folder in the request, the lecturer's own copy; the notebooks' own `check`
compares. The verdicts carry the request's nonce, so that nobody else can give them.
"""

import contextlib
import ctypes
import inspect
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil

from workbench._support.system import resources, storage
from workbench.teaching import checking, confinement
from workbench.teaching.checking import NotYet, check
from workbench.teaching.exchange import MAX_TEXT, Ended, Line, error_of, plain, restored
from workbench.teaching.hidden import cases_from

# In the lecturer's pack: what the judge reads, and what it writes for the lecturer.
SEEDS, CHECKS, FLAGGED = Path("grading/seeds.json"), Path("grading/checks"), "flagged"
# Seconds by the clock: of a cell, of a submission.
PATIENCE, WHOLE = 300, 1800
MAX_SENTENCE = 2000
NOT_DUMPABLE, SUBREAPER = (4, 0), (36, 1)
# What a submission that ends, waits or says nonsense makes of a question.
BROKEN = (Ended, OSError, KeyError, TypeError, ValueError, AttributeError)
SUBMISSION = "workbench.teaching.submission"
# What a submission's environment has of this one, and what the judge's has too, for a container's client.
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "WORKBENCH_DATA")
JUDGES = ("HOME", storage.CACHE, "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG")
# Checks that were compiled where they once lay.
LEFT = Path(__file__).with_name("__pycache__")
ELSEWHERE = "right at the notebook's cases, and wrong at others. Does it hold for any data?"


class Session:
    """A submission's process, begun anew without the cell at which it ended.

    Parameters
    ----------
    hidden : list of path
        What it must not read.
    container : list of str
        The command that runs another one in a container; where it is empty, this system confines.
    """

    def __init__(self, hidden, container=()):
        self.hidden, self.container, self.process = hidden, container, None
        self.ran, self.busy = [], False
        # What to tell of the exercise that comes next.
        self.flags, self.end = [], time.monotonic() + WHOLE

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="submission-"))
        # Machine code that is there already; a copy, so that no submission leaves any to the next.
        with contextlib.suppress(OSError, shutil.Error):
            shutil.copytree(storage.cache("kernels"), self.folder / "cache" / "kernels")
        self._begin()
        return self

    def __exit__(self, *_):
        self._kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def late(self):
        return time.monotonic() > self.end

    def run(self, source):
        """Run a cell; one that ends the process is left out from then on."""
        if self.late:
            return
        try:
            self.line.ask(do="cell", source=source)
            self.ran.append(source)
        except BROKEN as error:
            self.flags.append(f"A cell above {self.ended(error)} and was left out.")
            self.again()

    def answer(self, name):
        """What stands for a name of the submission: its value, or an `Answer` to call."""
        reply = self.line.ask(do="answer", name=name)
        return restored(reply["value"]) if "value" in reply else Answer(self, name, reply)

    def ended(self, error=None):
        """How the process ended, or why it had to, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        code = self.process.returncode
        if code is None:
            return "spoke out of turn" if isinstance(error, Ended) else "took far too long"
        if code == -signal.SIGXCPU:
            return "took far too long"
        return f"ended its process ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"

    def again(self):
        """Begin anew, with all cells that have run."""
        cells, self.ran = self.ran, []
        self._kill()
        self._begin()
        for source in cells:
            self.run(source)

    def _begin(self):
        ours, theirs = socket.socketpair()
        ours.settimeout(PATIENCE)
        place = str(self.folder)
        command = [*self.container, "python", "-I", "-m", SUBMISSION]
        if not self.container:
            command = confinement.command(SUBMISSION, [place], self.hidden)
        environment = (
            clean()
            | resources.ONE_THREAD
            | {
                "HOME": place,
                "TMPDIR": place,
                "MPLBACKEND": "agg",
                storage.CACHE: str(self.folder / "cache"),
            }
        )
        self.process = subprocess.Popen(
            command,
            cwd=place,
            env=os.environ if self.container else environment,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self.line, self.busy = Line(ours.makefile("rb"), ours.makefile("wb")), False
        self.line.hear()

    def _kill(self):
        # All that descends from it: whoever leaves the family is given to this process by the system.
        for each in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        self.process.wait()


class Answer:
    """A function of the submission: called over there, with numbers here."""

    def __init__(self, session, name, reply):
        self.session, self.name, self.ready = session, name, list(map(str, reply["ready"]))
        self.__name__ = str(reply["name"])[:MAX_TEXT]
        names = [each for each in map(str, reply["parameters"]) if each.isidentifier()]
        with contextlib.suppress(ValueError):
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            self.__signature__ = inspect.Signature([inspect.Parameter(each, kind) for each in names])

    def __call__(self, *arguments):
        callbacks, line = [], self.session.line

        def number(function):
            callbacks.append(function)
            return len(callbacks) - 1

        self.session.busy = True
        reply = line.ask(do="call", name=self.name, arguments=[plain(each, number) for each in arguments])
        while "callback" in reply:
            reply = line.ask(**_called_back(callbacks, reply))
        self.session.busy = False
        if "raised" in reply:
            raise error_of(*reply["raised"])
        for mine, theirs in zip(arguments, reply["changed"], strict=True):
            if theirs is not None:
                np.copyto(mine, restored(theirs))
        return restored(reply["value"])


def _called_back(callbacks, reply):
    try:
        return {"value": plain(callbacks[reply["callback"]](*map(restored, reply["arguments"])))}
    except Exception as error:
        return {"raised": [type(error).__name__, str(error)]}


def clean(names=KEPT):
    """An environment of few names, of which none moves Python's imports."""
    return {name: os.environ[name] for name in names if name in os.environ}


def verdict(session, name, answer, seed=None):
    """Whether an answer is right, what is wrong with it, and what happened meanwhile."""
    if session.late:
        text = f"The submission took more than {WHOLE} s."
        return False, f"Exercise {name}: not yet. {text}", [text]
    right, failed = False, None
    try:
        right, text = _check(name, session.answer(answer), seed)
    except BROKEN as error:
        failed = error
    flags, session.flags = session.flags, []
    if failed or session.busy:
        right, how = False, f"The answer {session.ended(failed)}."
        text = f"Exercise {name}: not yet."
        session.again()
        flags, session.flags = [*flags, how, *session.flags], []
    return right, text, flags


def _check(name, answer, seed):
    try:
        with cases_from(seed):
            check(name, answer)
    except NotYet as error:
        return False, str(error)
    except Exception as error:
        return False, f"Exercise {name}: not yet. The answer cannot be read ({type(error).__name__})."
    return True, f"Exercise {name}: right."


def _verdicts(request, seeds, places):
    """(right, said, flags) by the place of a locked cell, for those that are asked."""
    verdicts = {}
    course = [path for path in resources.folder().iterdir() if path.name != "figures"]
    hidden = [*course, LEFT, *request["hidden"]]
    with Session(hidden, request["container"]) as session:
        for place, cell in enumerate(request["cells"]):
            if isinstance(cell, str):
                session.run(cell)
            elif place in places:
                verdicts[place] = verdict(session, *cell, seeds.get(cell[0]))
    return verdicts


def graded(request):
    """The verdicts on a submission.

    Parameters
    ----------
    request : dict
        `nonce`; `checks`, a folder; `seeds`, by the names of exercises; `hidden` and `container`, as for
        `Session`; `cells`, each the source of one, or the name of an exercise and that of its answer.

    Returns
    -------
    dict
        `nonce`; `confined`, whether this system holds a submission to its folder; `verdicts` in the order of
        the exercises.
    """
    checking.CHECKS[:] = [Path(request["checks"])]
    checks = {place: cell[0] for place, cell in enumerate(request["cells"]) if not isinstance(cell, str)}
    results = _verdicts(request, request["seeds"], checks)
    wrong = [place for place in checks if not results[place][0]]
    # What their author reads comes from a process that has seen the notebook's own cases alone.
    practised = _verdicts(request, {}, wrong) if wrong else {}
    verdicts = []
    for place, name in checks.items():
        right, text, flags = results[place]
        if not right:
            elsewhere, sentence, others = practised[place]
            text = " ".join([f"Exercise {name}: {ELSEWHERE}" if elsewhere else sentence, *others])
        verdicts.append({"right": right, "said": text[:MAX_SENTENCE], "flags": flags})
    confined = bool(request["container"]) or confinement.version() >= confinement.CONFINES
    return {"nonce": request["nonce"], "confined": confined, "verdicts": verdicts}


def judge(request):
    """`graded` by a process of its own; None where what answers is not the judge."""
    command = [sys.executable, "-I", "-m", __name__]
    process = subprocess.run(
        command, input=json.dumps(request), env=clean(KEPT + JUDGES), capture_output=True, text=True
    )
    with contextlib.suppress(ValueError, KeyError, TypeError):
        answer = json.loads(process.stdout)
        return answer if answer["nonce"] == request["nonce"] else None
    return None


def main():
    request, answers = json.load(sys.stdin), sys.stdout
    if sys.platform.startswith("linux"):
        for option in (NOT_DUMPABLE, SUBREAPER):
            ctypes.CDLL(None).prctl(*option, 0, 0, 0)
    with contextlib.redirect_stdout(sys.stderr):
        result = graded(request)
    json.dump(result, answers)


if __name__ == "__main__":
    main()
