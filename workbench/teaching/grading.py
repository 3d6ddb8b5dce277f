"""Points that a submission cannot give itself: its answers are recorded, and judged by another process.

In a notebook whatever a check uses can be exchanged before it is called: `check`, the checkers, NumPy's
functions, even `print`. So the hidden lines of a locked cell (see `source`) only let the answer work out
hidden cases, and send what it returned to

    python -P -m workbench.teaching.grading 5.1 SEED

where no line of the submission has run. There the checker is given the recorded values.
"""

import contextlib
import io
import json
import re
import subprocess
import sys

import numpy as np

from workbench.teaching.checking import NotYet, check
from workbench.teaching.hidden import cases_from

# No answer is an array as large; it would take minutes to write down.
MOST_ENTRIES = 100_000
# Where the right answers are: no submission may call what is in there.
CHECKERS = re.compile(r"workbench[/\\]teaching[/\\](lesson_\d\d|answers)\.py$")
BORROWED = "It calls functions of the checkers; write one of your own."


def recorded(name, answer, seed):
    """What an answer is, or what it returns for the cases of its checker, as JSON.

    Parameters
    ----------
    name : str
        The number of the exercise, such as "3.1".
    answer : object
    seed : int
        Of the hidden cases.
    """
    if not callable(answer):
        return json.dumps({"value": plain(answer)})
    recorder = _Recorder(answer)
    # What is said here is forgotten: the other process judges.
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception), cases_from(seed):
        check(name, recorder)
    return json.dumps({"returned": recorder.returned, "borrowed": recorder.borrowed})


class _Recorder:
    """Calls an answer, keeps what it returns, and sees whether it calls a checker's functions."""

    def __init__(self, answer):
        self.answer, self.returned, self.borrowed = answer, [], False

    def __call__(self, *arguments):
        # What the answer is given to call, it may.
        lent = {getattr(each, "__code__", None) for each in arguments}

        def watch(frame, event, _):
            if event == "call" and CHECKERS.search(frame.f_code.co_filename):
                self.borrowed |= not any(each.f_code in lent for each in _stack(frame))

        sys.setprofile(watch)
        try:
            value = self.answer(*arguments)
        finally:
            sys.setprofile(None)
        self.returned.append(plain(value))
        return value


def _stack(frame):
    while frame is not None:
        yield frame
        frame = frame.f_back


def plain(value):
    """A value as JSON has it: numbers, texts, arrays and what is made of them; None for anything else."""
    if isinstance(value, np.ndarray) or hasattr(value, "todense"):
        value = np.asarray(value.todense() if hasattr(value, "todense") else value)
        known = value.dtype.kind in "biufU" and value.size <= MOST_ENTRIES
        return {"array": value.tolist()} if known else None
    if type(value) in (tuple, list):
        return {type(value).__name__: [plain(each) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(each)] for key, each in value.items()]}
    if issubclass(type(value), str):
        return str.strip(value)
    for kinds in ((bool, np.bool_), (int, np.integer), (float, np.floating)):
        if isinstance(value, kinds):
            return kinds[0](value)
    return None


def _restored(plain):
    if not isinstance(plain, dict):
        return plain
    ((kind, values),) = plain.items()
    if kind == "array":
        return np.array(values)
    if kind == "dict":
        return {_restored(key): _restored(each) for key, each in values}
    return {"tuple": tuple, "list": list}[kind](map(_restored, values))


def replayed(record):
    """The answer that a record stands for."""
    if "value" in record:
        return _restored(record["value"])
    return _Replay(record["returned"])


class _Replay:
    """Returns what was recorded, in turn; no function, since there is no code to look at."""

    def __init__(self, returned):
        self.values = iter(returned)

    def __call__(self, *arguments):
        return _restored(next(self.values))


def passes(name, answer, seed=None):
    """Return nothing for a right answer, as tests of otter ask; with a seed, hidden cases count.

    Raises
    ------
    NotYet
    """
    with contextlib.redirect_stdout(io.StringIO()):
        check(name, answer)
    if seed is None:
        return
    judge = [sys.executable, "-P", "-m", __name__, name, str(seed)]
    done = subprocess.run(judge, input=recorded(name, answer, seed), capture_output=True, text=True)
    if done.returncode:
        raise NotYet(done.stdout.strip() or done.stderr.strip())


def main(name, seed, record):
    """Print what is wrong and return 1, or return 0."""
    try:
        record = json.loads(record)
        if record.get("borrowed"):
            raise NotYet(BORROWED)
        with cases_from(int(seed)):
            check(name, replayed(record))
    except Exception as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3], sys.stdin.read()))
