"""`check(name, answer)`: the checkers of all lessons by the name of their exercise."""

import importlib.util
import re
import sys
import warnings
from typing import Any, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import resources
from workbench.teaching import problems
from workbench.teaching.answers import Wrong, require_answer
from workbench.teaching.hidden import cases_from

ELSEWHERE = "right at the notebook's cases, and wrong at others. Does it hold for any data?"
# "3.1" -> its Exercise, for the lessons whose checkers have been imported.
EXERCISES: dict[str, Any] = {}


class Exercise(NamedTuple):
    """One exercise: what the student reads of it, and the checker."""

    name: str
    title: str
    judge: object


class NotYet(AssertionError):
    """An answer that is missing or wrong. A notebook shows its sentence and no traceback."""

    def _render_traceback_(self):
        return [str(self)]


def exercise(name, title):
    """Register a checker, a function of the answer that raises `Wrong` or returns a remark, as "3.1"."""

    def register(judge):
        EXERCISES[name] = Exercise(name, title, judge)
        return judge

    return register


def load(lesson):
    """Import the checkers of one lesson and return its exercises by name.

    Raises
    ------
    InputError
        The lesson does not exist.
    """
    module = f"{__package__}.lesson_{lesson:02d}"
    if module not in sys.modules:
        path = resources.folder() / "checks" / f"lesson_{lesson:02d}.py"
        if not path.is_file():
            raise InputError(f"lesson {lesson} has no exercises; the name of one reads like '3.1'")
        spec = importlib.util.spec_from_file_location(module, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is not a module")
        sys.modules[module] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[module])
        except BaseException:
            del sys.modules[module]
            raise
    return {name: entry for name, entry in EXERCISES.items() if int(name.split(".")[0]) == lesson}


def find(name):
    """Return the exercise or problem of that name, or an `InputError` with those that there are."""
    if isinstance(name, str) and ".p" in name:
        return problems.find(name)
    parts = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", name) if isinstance(name, str) else None
    if parts is None:
        raise InputError(f"check: {name!r} names no exercise; write its number as text, such as '3.1'")
    exercises = load(int(parts[1]))
    if name not in exercises:
        raise InputError(f"check: unknown exercise {name}; this lesson has {', '.join(exercises)}")
    return exercises[name]


def judge(exercise, answer):
    """Return the remark on a right answer, and raise `Wrong` for any other."""
    # A wrong value is reported; warnings on the way to it are not.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        require_answer(answer)
        return exercise.judge(answer)


def check(name, answer=None, seed=None):
    """Judge an answer: print that it is right, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The number of the exercise, such as "3.1", or of a problem to practise, such as "3.p1a".
    answer : object
        A number, an array or a function, as the exercise asks. It is never changed, and a second call
        says the same.
    seed : int, optional
        Judge at cases drawn from it too, and say nothing of them: for the locked cells of a course of
        nbgrader, below a check at the notebook's own cases.

    Raises
    ------
    NotYet
        With one sentence that names the error; nbgrader counts it as no points.
    InputError
        No exercise has that name.
    """
    entry = find(name)
    try:
        with cases_from(seed):
            remark = judge(entry, answer)
    except Wrong as wrong:
        sentence = f"not yet. {wrong}" if seed is None else ELSEWHERE
        raise NotYet(f"Exercise {name}, {entry.title}: {sentence}") from None
    if seed is None:
        print(f"Exercise {name}, {entry.title}: right. {remark or ''}".rstrip())
