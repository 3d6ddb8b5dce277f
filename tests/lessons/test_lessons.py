"""Every lesson and every solution runs from a clean kernel, and every check tells wrong answers apart."""

import importlib
import re

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbgrader.nbgraderformat import MetadataValidator, ValidationError
from nbgrader.utils import determine_grade, is_grade

from tests.helpers.made_lessons import FOLDER, LESSONS, SOURCES, refusal, solutions_of
from workbench._support.errors import InputError
from workbench.teaching import answers, check, checking

EXECUTED = (7,)
MOST_LINES = 300
LEAST_EXERCISES = 3
MOST_BYTES = 10_000_000  # of a notebook with its outputs, of which the scripts of Bokeh and Panel are six
SECONDS = 1800  # for one cell on a busy machine that compiles kernels
EMPTY = (None, ...)
# Cells that a student runs too early or mistypes; they stand behind the last cell of the first lesson.
MISHAPS = ("print(solved)", "wb.data.load('no-such-data')")


def stem(path):
    return f"{path.parent.name if path in SOURCES else 'lessons'}-{path.stem}"


def executed(paths):
    """Notebooks to run: all of them in the long run, else the one with a bias."""
    return [
        path if number(path) in EXECUTED else pytest.param(path, marks=pytest.mark.long) for path in paths
    ]


def read(path):
    """A lesson, or the solutions that are made from a source."""
    return solutions_of(path) if path in SOURCES else nbformat.read(path, as_version=4)


def number(path):
    return int(path.stem[:2])


def names_checked(cells):
    return [name for cell in cells for name in re.findall(r'check\(\s*"(\d+\.\d+)"', cell.source)]


def grading(cells):
    return [cell for cell in cells if "nbgrader" in cell.metadata]


def run(path, place, *mishaps):
    """The notebook after a run from a clean kernel in an empty folder, with cells that fail at its end."""
    notebook = read(path)
    tags = {"tags": ["raises-exception"]}
    notebook.cells += [nbformat.v4.new_code_cell(source, metadata=tags) for source in mishaps]
    resources = {"metadata": {"path": place}}
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    return notebook


@pytest.fixture(scope="module")
def first_lesson(tmp_path_factory):
    return run(LESSONS[0], tmp_path_factory.mktemp("lesson"), *MISHAPS)


def points(notebook):
    """Return the points of nbgrader for the graded cells of a notebook that has run, and the most points."""
    return np.sum([determine_grade(cell) for cell in grading(notebook.cells) if is_grade(cell)], axis=0)


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_lessons_are_numbered_without_a_hole():
    assert [number(path) for path in LESSONS] == [*range(len(LESSONS))]


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "docs/index.md", "paper/paper.md"])
def test_documents_count_the_lessons_and_not_the_appendix(name):
    text = (FOLDER.parent / name).read_text(encoding="utf-8")
    assert re.findall(r"(\d+) (?:notebooks|Jupyter lessons)", text) == [str(len(LESSONS) - 1)]


def test_the_syllabus_names_every_lesson():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == [path.stem for path in LESSONS]


@pytest.mark.parametrize("path", LESSONS + SOURCES, ids=stem)
def test_notebook_is_short_and_has_no_outputs(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert sum(len(cell.source.splitlines()) for cell in notebook.cells) <= MOST_LINES
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_lesson_has_its_parts(path):
    cells = read(path).cells
    first, last = cells[0].source, cells[-1].source
    assert [part for part in ("**Goals.**", "**Prerequisites.**", "Change Kernel") if part not in first] == []
    assert "**Further reading.**" in last
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "**Predict" in text
    assert "**Explain.**" in text
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert f"begin({number(path)})" in code[0]
    assert any(re.search(r"^live\(", source, re.MULTILINE) for source in code)
    assert "certified" in code[-1]
    names = names_checked(cells)
    assert len(names) >= LEAST_EXERCISES
    assert names == sorted(set(names), key=lambda name: [int(part) for part in name.split(".")])
    assert set(names) == set(checking.load(number(path)))


@pytest.mark.parametrize("path", LESSONS + SOURCES, ids=stem)
def test_nbgrader_metadata(path):
    """The cells of nbgrader and the course: a cell to answer in, a locked one with the points."""
    notebook = read(path)
    MetadataValidator().validate_nb(notebook)
    cells = grading(notebook.cells)
    for cell in cells:
        meta = cell.metadata["nbgrader"]
        assert cell.cell_type == "code"
        assert meta["grade"] != meta["solution"]
        assert meta["locked"] == meta["grade"]
        assert not meta["grade"] or meta["points"] > 0
    graded = [cell for cell in cells if cell.metadata["nbgrader"]["grade"]]
    assert names_checked(graded) == names_checked(notebook.cells)


def test_nbgrader_refuses_what_is_not_valid():
    notebook = read(LESSONS[0])
    first, second, *_ = grading(notebook.cells)
    second.metadata["nbgrader"]["grade_id"] = first.metadata["nbgrader"]["grade_id"]
    with pytest.raises(ValidationError, match="Duplicate grade id"):
        MetadataValidator().validate_nb(notebook)


@pytest.mark.parametrize("path", executed(LESSONS), ids=stem)
def test_lesson_runs(path, tmp_path, request):
    is_first = path == LESSONS[0]
    notebook = request.getfixturevalue("first_lesson") if is_first else run(path, tmp_path)
    for cell in notebook.cells[: len(read(path).cells)]:
        errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
        graded = cell.metadata.get("nbgrader", {}).get("grade", False)
        assert [output.ename for output in errors] == (["NotYet"] if graded else [])
        assert all("answer is still missing" in output.evalue for output in errors)
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []
    assert any("certified" in output.get("text", "") for output in outputs(notebook))
    assert points(notebook)[0] == 0
    assert any(
        "application/vnd.holoviews_exec.v0+json" in output.get("data", {}) for output in outputs(notebook)
    )
    assert len(nbformat.writes(notebook).encode()) < MOST_BYTES


@pytest.mark.parametrize("path", executed(SOURCES), ids=stem)
def test_solution_runs(path, tmp_path):
    notebook = run(path, tmp_path)
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []
    said = "".join(output.get("text", "") for output in outputs(notebook))
    assert said.count(": right.") == len(names_checked(notebook.cells))
    score, most = points(notebook)
    assert score == most > 0


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_checks_tell_wrong_answers_apart(path, capsys):
    wrong = importlib.import_module(f"tests.corpora.lesson_answers.lesson_{number(path):02d}").WRONG
    exercises = checking.load(number(path))
    assert set(wrong) == set(exercises)
    for name in exercises:
        sentences = [refusal(name, answer) for answer in wrong[name]]
        assert len(sentences) >= 2
        empty = {refusal(name, answer) for answer in EMPTY}
        assert len(empty) == 1
        assert len({*sentences, *empty}) == len(sentences) + 1, f"{name} says the same of two wrong answers"
        # A second call says the same as the first.
        assert sentences[0] == refusal(name, wrong[name][0])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["0.99", "99.1", "lambda", "0", 3.1, None, ""])
def test_unknown_exercises(name):
    with pytest.raises(InputError, match=r"exercise"):
        check(name, 1.0)


def test_a_right_answer_is_not_changed_and_may_be_checked_twice(capsys):
    def lam(C, n):
        return 1 / (C * n)

    check("0.1", lam)
    check("0.1", lam)
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert "right" in first


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("3", "without quotes"),
        (True, "a number is asked for"),
        ([1.0, 2.0], "one number"),
        (lambda: 3.0, "call it"),
        (np.nan, "nan"),
        (-3.0, "sign"),
        (6.0, "factor"),
        (2.5, "too small"),
    ],
)
def test_sentences_about_numbers(answer, said):
    with pytest.raises(answers.Wrong, match=said):
        answers.expect(answer, 3.0)


def test_a_factor_is_named_only_where_it_explains_every_wrong_value():
    """6 is three times 2, but 5 is not a multiple of 3: an addition, and no factor to look for."""
    inputs = [(1.0,), (2.0,)]
    with pytest.raises(answers.Wrong, match="too large"):
        answers.expect_function(lambda x: {1.0: 6.0, 2.0: 5.0}[x], inputs, lambda x: x + 1)
    with pytest.raises(answers.Wrong, match="3 times the right value: look for a factor"):
        answers.expect_function(lambda x: 3 * (x + 1), inputs, lambda x: x + 1)
    with pytest.raises(answers.Wrong, match="sign"):
        answers.expect_function(lambda x: -x - 1, inputs, lambda x: x + 1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.ones((2, 3)), "transposed"),
        (np.ones(6), "reshape"),
        ("x", "string"),
        ([[1], [1, 2]], "numbers"),
        (np.full((3, 2), np.nan), "nan at entry 0, 0"),
        (np.eye(3, 2), "4 of 6 entries"),
    ],
)
def test_sentences_about_arrays(answer, said):
    with pytest.raises(answers.Wrong, match=said):
        answers.expect(answer, np.ones((3, 2)))


def test_a_function_may_change_what_it_is_given():
    def greedy(x):
        x += 1.0
        return x - 1.0

    argument = np.arange(3.0)
    answers.expect_function(greedy, [(argument,)], lambda x: x)
    assert argument.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.long
def test_a_notebook_run_out_of_order_says_so(first_lesson):
    missing, absent = first_lesson.cells[-2:]
    assert missing.outputs[0].traceback == [
        "'solved' does not exist in this kernel. Is it spelled right? Cells build on those above: choose "
        "Run > Run All Above Selected Cell, then run this cell again."
    ]
    assert len(absent.outputs[0].traceback) == 1
    assert "no-such-data" in absent.outputs[0].traceback[0]
