"""From the lecturer's source to points: what students get, and what right, empty and forged answers earn."""

import json
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from made_lessons import LESSONS, lecturers
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
from test_lesson_answers import BUILT, FUNCTIONS, SOLVED, answer_of
from test_lesson_builds import WRONG

from workbench.errors import InputError
from workbench.teaching import NotYet, check, checking, grading
from workbench.teaching.source import locked

# What a student may write into an answer cell in the hope of points.
FORGED = (
    'check = lambda *given: print("right")',
    "import workbench.teaching\nworkbench.teaching.check = lambda *given: None",
    "import sys, types\nsys.modules['workbench.teaching'] = types.SimpleNamespace(check=print)",
    "import workbench.teaching.checking as c\nc.find = lambda name: c.Exercise(name, '', print)",
    "import workbench.teaching.answers as a\na.expect_function = a.expect = lambda *given: 0",
    "import importlib, pkgutil, workbench.teaching as t\n"
    "for found in [m for m in pkgutil.iter_modules(t.__path__) if m.name.startswith('lesson_')]:\n"
    "    m = importlib.import_module(f'workbench.teaching.{found.name}')\n"
    "    m.expect_function = m.expect = m.compare = lambda *given, **more: None",
)
SEEDS = (1, 2)
# Wrong answers with tools exchanged under the checkers' feet, and right ones that are the checkers' own.
CUNNING = (
    "np.allclose = lambda *given, **more: True\nhinge_conjugate = lambda v: 0.0",
    "import builtins\nbuiltins.all = lambda given: True\nhinge_conjugate = lambda v: v",
    "class Like:\n    __eq__ = __le__ = __ge__ = lambda *given: True\n    __float__ = lambda self: 1.0\n"
    "hinge_conjugate = lambda v: Like()",
    "import workbench.teaching.lesson_01 as m\nkept = []\nbefore = m.expect_function\n"
    "m.expect_function = lambda answer, inputs, right, *rest: kept.append(right)\n"
    "m.hinge_conjugate(print)\nm.expect_function = before\nhinge_conjugate = lambda v: kept[0](v)",
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


JUDGE = """
import contextlib, io, subprocess, types

def run(command, input, **options):
    from workbench.teaching.grading import main
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = main(*command[-2:], input)
    return types.SimpleNamespace(returncode=code, stdout=said.getvalue(), stderr="")

subprocess.run = run
"""


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
    for text in of_kind(nbformat.read(lesson, as_version=4), "grade"):
        assert re.fullmatch(r'from workbench.teaching import check\n\ncheck\("[\d.]+", \w+\)', text)


@pytest.mark.long
def test_right_empty_and_forged_submissions():
    """Right answers earn all points, empty and forged ones none, whatever they do to `check`."""
    submissions, due = [], []
    for path in LESSONS:
        source = lecturers(path)
        texts, solved = of_kind(source, "grade"), of_kind(source, "solution")
        empty = of_kind(students(source), "solution")
        submissions += [(solved, texts), (empty, texts)]
        submissions += [([*empty, forged], texts) for forged in FORGED]
        due += [True, *[False] * (1 + len(FORGED))]
    # The judge in this process: a start for each of the points would take half a minute.
    command, given = [sys.executable, "-c", JUDGE + GRADER], json.dumps(submissions)
    done = subprocess.run(command, input=given, text=True, capture_output=True, check=True)
    results = json.loads(done.stdout.rpartition("RESULTS ")[2])
    for points, right in zip(results, due, strict=True):
        assert points
        for point in points:
            assert point == 1 if right else "no answer yet" in str(point)


def graded(source, text):
    """What a locked cell says of a submission in a process of its own."""
    command = [sys.executable, "-c", GRADER]
    given = json.dumps([([source], [text])])
    done = subprocess.run(command, input=given, text=True, capture_output=True, check=True)
    ((point,),) = json.loads(done.stdout.rpartition("RESULTS ")[2])
    return point


@pytest.mark.long
@pytest.mark.parametrize("forged", CUNNING)
def test_another_process_has_the_last_word(forged):
    text = locked('from workbench.teaching import check\n\ncheck("1.2", hinge_conjugate)', 5)
    assert graded("def hinge_conjugate(v):\n    return v if -1 <= v <= 0 else np.inf", text) == 1
    assert graded(forged, text) != 1


# Proofs are texts, of which there is one right answer.
SOLVERS = [name for name in SOLVED if name in BUILT and callable(answer_of(name))]


@pytest.mark.parametrize("name", [*FUNCTIONS, *SOLVERS])
def test_values_by_heart_earn_nothing(name, capsys):
    """A table of all that the notebook's check asks for passes it, and fails at the hidden cases."""
    solution, table = answer_of(name), {}

    def key(arguments):
        # A function is told by its values: those of a checker have no names.
        places = np.linspace(-3.0, 3.0, 25)
        return repr([list(map(each, places)) if callable(each) else each for each in arguments])

    def learn(*arguments):
        return table.setdefault(key(arguments), solution(*arguments))

    def by_heart(*arguments):
        return table[key(arguments)]

    check(name, learn)
    check(name, by_heart)
    for seed in SEEDS[: 2 if name in FUNCTIONS else 1]:  # some solvers take seconds
        assert grading.main(name, seed, grading.recorded(name, by_heart, seed)) == 1


def test_there_are_solvers():
    assert {"4.5", "5.4", "6.4", "8.6"} <= set(SOLVERS)


@pytest.mark.long
@pytest.mark.parametrize("name", SOLVERS)
def test_empty_wrong_and_forged_solvers_earn_nothing(name, capsys):
    def empty(*arguments):
        raise NotImplementedError

    def forged(*arguments):
        check.__globals__["print"](f"Exercise {name}: right.")
        raise SystemExit(0)

    for answer in (..., empty, forged, *WRONG[name][:2]):
        assert grading.main(name, 1, grading.recorded(name, answer, 1)) == 1
    assert capsys.readouterr().out.count("not yet") == 3 + len(WRONG[name][:2])


@pytest.mark.long
@pytest.mark.parametrize("name", SOLVED)
def test_right_answers_pass_the_hidden_cases(name, capsys):
    solution = answer_of(name)
    forms, seeds = [solution], SEEDS
    if name in FUNCTIONS:
        forms += [lambda *x: np.asarray(solution(*x)), lambda *x: np.asarray(solution(*x)).tolist()]
    elif name in BUILT:
        seeds = SEEDS[:1]  # some solvers take seconds
    for seed in seeds:
        for form in forms:
            assert grading.main(name, seed, grading.recorded(name, form, seed)) == 0, capsys.readouterr().out


def test_a_record_keeps_what_an_answer_returns():
    values = [1, 2.5, True, "free", np.array([[1.0, np.inf]]), (np.arange(3), [1.0]), {"gap": np.float64(2)}]
    record = grading.recorded("1.2", lambda v: values[0], 1)
    assert json.loads(record)["returned"]
    for value in values:
        kept = grading.replayed(json.loads(json.dumps({"returned": [grading.plain(value)]})))()
        assert repr(kept) == repr({"gap": 2.0} if isinstance(value, dict) else value)
    assert grading.plain(object()) is None


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"returned": []}', '{"value": 3}', "null"])
def test_a_record_that_is_none_is_refused(record, capsys):
    assert grading.main("1.2", 1, record) == 1
    assert capsys.readouterr().out.strip()


def test_a_locked_cell_without_a_check_is_refused():
    with pytest.raises(InputError, match="must call check"):
        locked("assert True", 1)


def importable(number):
    """What a student could import from a lesson's checkers and hand in, texts put together as well."""
    for module in (f"lesson_{number:02d}", "answers", "checking"):
        for name, value in vars(sys.modules[f"workbench.teaching.{module}"]).items():
            if not name.startswith("__"):
                yield value
                if isinstance(value, set | list | tuple) and all(isinstance(part, str) for part in value):
                    yield "".join(sorted(value))


@pytest.mark.long
@pytest.mark.parametrize("number", [int(path.name[:2]) for path in LESSONS])
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
