"""From the lecturer's source to points: what students get, and what right, empty and forged answers earn."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from workbench.errors import InputError
from workbench.teaching import NotYet, check, checking
from workbench.teaching.source import BEGIN, marked, merged

FOLDER = Path(__file__).resolve().parents[1] / "lessons"
LESSONS = sorted(FOLDER.glob("[0-9]*.ipynb"))
# What a student may write into an answer cell in the hope of points.
FORGED = (
    'check = lambda *given: print("right")',
    "import workbench.teaching\nworkbench.teaching.check = lambda *given: None",
    "import sys, types\nsys.modules['workbench.teaching'] = types.SimpleNamespace(check=print)",
    "import workbench.teaching.checking as c\nc.find = lambda name: c.Exercise(name, '', print)",
    "import workbench.teaching.answers as a\na.expect_function = a.expect = lambda *given: 0",
    "import importlib\nfor k in range(13):\n"
    "    m = importlib.import_module(f'workbench.teaching.lesson_{k:02d}')\n"
    "    m.expect_function = m.expect = m.compare = lambda *given, **more: None",
)
# Grades submissions as an autograder does: answers first, then the locked cells, each point by itself.
GRADER = """
import json, sys, numpy as np
results = []
for answers, locked in json.load(sys.stdin):
    names, points = {"np": np}, []
    for source in answers:
        try:
            exec(source, names)
        except Exception:
            pass
    for source in locked:
        try:
            exec(source, names)
            points.append(1)
        except Exception as error:
            points.append(f"{type(error).__name__}: {error}")
    results.append(points)
print("RESULTS", json.dumps(results))
"""


def lecturers(path):
    pair = (path, path.parent / "solutions" / path.name)
    notebook = merged(*(json.loads(each.read_text(encoding="utf-8")) for each in pair))
    return nbformat.reads(json.dumps(notebook), as_version=4)


def students(notebook):
    """What `nbgrader generate_assignment` makes of it."""
    copied = nbformat.from_dict(notebook)
    for step in (ClearSolutions(), ClearHiddenTests()):
        copied, _ = step.preprocess(copied, {})
    return copied


def of_kind(notebook, kind):
    return [cell.source for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get(kind)]


@pytest.fixture(scope="module", params=LESSONS, ids=lambda path: path.stem)
def lesson(request):
    return request.param


def test_students_keep_text_and_signatures(lesson):
    source = lecturers(lesson)
    MetadataValidator().validate_nb(source)
    given, asked = students(source), nbformat.read(lesson, as_version=4)
    assert of_kind(given, "grade") == of_kind(asked, "grade")
    for mine, theirs in zip(of_kind(given, "solution"), of_kind(asked, "solution"), strict=True):
        assert mine.splitlines()[0] == theirs.splitlines()[0]
        assert "raise NotImplementedError()" in mine
        assert "SOLUTION" not in mine
    others = [
        [cell.source for cell in notebook.cells if "nbgrader" not in cell.metadata]
        for notebook in (given, asked)
    ]
    assert others[0] == others[1]


def test_locked_cells_import_check(lesson):
    for locked in of_kind(nbformat.read(lesson, as_version=4), "grade"):
        assert re.fullmatch(r'from workbench.teaching import check\n\ncheck\("[\d.]+", \w+\)', locked)


def test_right_empty_and_forged_submissions():
    """Right answers earn all points, empty and forged ones none, whatever they do to `check`."""
    submissions, due = [], []
    for path in LESSONS:
        source = lecturers(path)
        locked, solved = of_kind(source, "grade"), of_kind(source, "solution")
        empty = of_kind(students(source), "solution")
        submissions += [(solved, locked), (empty, locked)]
        submissions += [([*empty, forged], locked) for forged in FORGED]
        due += [True, *[False] * (1 + len(FORGED))]
    command, given = [sys.executable, "-c", GRADER], json.dumps(submissions)
    done = subprocess.run(command, input=given, text=True, capture_output=True, check=True)
    results = json.loads(done.stdout.rpartition("RESULTS ")[2])
    for points, right in zip(results, due, strict=True):
        assert points
        for point in points:
            assert point == 1 if right else "no answer yet" in str(point)


def importable(number):
    """What a student could import from a lesson's checkers and hand in, texts put together as well."""
    for module in (f"lesson_{number:02d}", "answers", "checking"):
        for name, value in vars(sys.modules[f"workbench.teaching.{module}"]).items():
            if not name.startswith("__"):
                yield value
                if isinstance(value, set | list | tuple) and all(isinstance(part, str) for part in value):
                    yield "".join(sorted(value))


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_no_answer_can_be_imported(number, capsys):
    found = []
    for name in checking.load(number):
        for value in importable(number):
            try:
                check(name, value)
            except NotYet:
                continue
            found.append((name, value))
    assert found == []


def test_helpers_of_a_solution_stand_inside_of_it():
    asked = "def f(x):\n    return ..."
    assert marked(asked, "def f(x):\n    return x").splitlines()[1].strip() == BEGIN
    with pytest.raises(InputError, match="must begin with 'def f"):
        marked(asked, "def g(x):\n    return x\n\n\ndef f(x):\n    return g(x)")


def test_an_exercise_without_a_solution_is_refused():
    lesson = json.loads(LESSONS[0].read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="answer-0-1"):
        merged(lesson, {"cells": []})
