"""Every lesson and every solution runs from a clean kernel, and every check tells wrong answers apart."""

import importlib
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from workbench.errors import InputError
from workbench.teaching import NotYet, answers, check, checking

FOLDER = Path(__file__).resolve().parents[1] / "lessons"
LESSONS = sorted(FOLDER.glob("[0-9]*.ipynb"))
SOLUTIONS = sorted(FOLDER.glob("solutions/[0-9]*.ipynb"))
MOST_LINES = 300
LEAST_EXERCISES = 3
SECONDS = 300  # for one cell on a busy machine that compiles kernels
EMPTY = (None, ...)
# The keys that nbgrader's schema of version 3 knows, and those that it asks for.
NBGRADER_KEYS = {
    "schema_version", "grade", "solution", "locked", "task", "grade_id", "points", "checksum", "cell_type",
}  # fmt: skip
NBGRADER_REQUIRED = {"schema_version", "grade", "solution", "locked"}


def stem(path):
    return f"{path.parent.name}-{path.stem}"


def read(path):
    return nbformat.read(path, as_version=4)


def number(path):
    return int(path.stem[:2])


def names_checked(cells):
    return [name for cell in cells for name in re.findall(r'check\(\s*"(\d+\.\d+)"', cell.source)]


def grading(cells):
    return [cell for cell in cells if "nbgrader" in cell.metadata]


def run(path, place):
    """The notebook after a run from a clean kernel in an empty folder."""
    notebook = read(path)
    resources = {"metadata": {"path": place}}
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    return notebook


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_there_are_lessons():
    assert LESSONS
    assert [path.name for path in SOLUTIONS] == [path.name for path in LESSONS]


def test_the_syllabus_names_every_lesson():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in LESSONS if f"`{path.stem}`" not in text] == []


@pytest.mark.parametrize("path", LESSONS + SOLUTIONS, ids=stem)
def test_notebook_is_short_and_has_no_outputs(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert sum(len(cell.source.splitlines()) for cell in notebook.cells) <= MOST_LINES
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_lesson_has_its_parts(path):
    cells = read(path).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    missing = [
        part
        for part in ("Goals", "Prerequisites", "minutes", "Predict", "Further reading")
        if part.lower() not in text.lower()
    ]
    assert missing == []
    assert any("live(" in cell.source for cell in cells)
    names = names_checked(cells)
    assert len(names) >= LEAST_EXERCISES
    assert names == sorted(set(names), key=lambda name: [int(part) for part in name.split(".")])
    assert set(names) == set(checking.load(number(path)))


@pytest.mark.parametrize("path", LESSONS + SOLUTIONS, ids=stem)
def test_nbgrader_metadata(path):
    """The rules of nbgrader's schema 3, written out here since nbgrader itself is not needed to read them."""
    cells = grading(read(path).cells)
    for cell in cells:
        meta = cell.metadata["nbgrader"]
        assert set(meta) >= NBGRADER_REQUIRED
        assert set(meta) <= NBGRADER_KEYS
        assert meta["schema_version"] == 3
        assert all(isinstance(meta[key], bool) for key in ("grade", "solution", "locked", "task"))
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", meta["grade_id"])
        assert cell.cell_type == "code"
        assert meta["grade"] != meta["solution"]
        assert meta["locked"] == meta["grade"]
        assert ("points" in meta) == meta["grade"]
        assert not meta["grade"] or meta["points"] > 0
    ids = [cell.metadata["nbgrader"]["grade_id"] for cell in cells]
    assert len(ids) == len(set(ids))
    graded = [cell for cell in cells if cell.metadata["nbgrader"]["grade"]]
    assert names_checked(graded) == names_checked(read(path).cells)


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_solutions_answer_every_exercise(path):
    solution = read(path.parent / "solutions" / path.name)
    ids, answered = (
        [cell.metadata["nbgrader"]["grade_id"] for cell in grading(cells)]
        for cells in (read(path).cells, solution.cells)
    )
    assert ids == answered


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_lesson_runs(path, tmp_path):
    notebook = run(path, tmp_path)
    for cell in notebook.cells:
        errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
        graded = cell.metadata.get("nbgrader", {}).get("grade", False)
        assert [output.ename for output in errors] == (["NotYet"] if graded else [])
        assert all("no answer yet" in output.evalue for output in errors)
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []
    assert any("certified" in output.get("text", "") for output in outputs(notebook))


@pytest.mark.parametrize("path", SOLUTIONS, ids=stem)
def test_solution_runs(path, tmp_path):
    notebook = run(path, tmp_path)
    assert [output.text for output in outputs(notebook) if output.get("name") == "stderr"] == []
    said = "".join(output.get("text", "") for output in outputs(notebook))
    assert said.count(": right.") == len(names_checked(notebook.cells))


@pytest.mark.parametrize("path", LESSONS, ids=stem)
def test_checks_tell_wrong_answers_apart(path, capsys):
    wrong = importlib.import_module(f"lesson_answers.lesson_{number(path):02d}").WRONG
    exercises = checking.load(number(path))
    assert set(wrong) == set(exercises)
    for name in exercises:
        sentences = [sentence(name, answer) for answer in wrong[name]]
        assert len(sentences) >= 2
        empty = {sentence(name, answer) for answer in EMPTY}
        assert len(empty) == 1
        assert len({*sentences, *empty}) == len(sentences) + 1, f"{name} says the same of two wrong answers"
        # A second call says the same as the first.
        assert sentences == [sentence(name, answer) for answer in wrong[name]]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("path", LESSONS, ids=stem)
@pytest.mark.parametrize(
    "answer",
    ["text", "", True, object(), [[1, 2], [3]], np.nan, [], {}, np.zeros((2, 3, 4)), print, lambda: None],
    ids=["text", "empty", "flag", "object", "ragged", "nan", "list", "dict", "array", "print", "lambda"],
)
def test_checks_refuse_any_type_in_one_sentence(path, answer):
    for name in checking.load(number(path)):
        said = sentence(name, answer)
        assert said.startswith(f"Exercise {name}")
        assert "\n" not in said


def sentence(name, answer):
    with pytest.raises(NotYet) as refused:
        check(name, answer)
    return str(refused.value)


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
        ("3", "without quotes"), (True, "a number is asked for"), ([1.0, 2.0], "one number"),
        (lambda: 3.0, "call it"), (np.nan, "nan"), (-3.0, "sign"), (6.0, "factor"), (2.5, "too small"),
    ],
)  # fmt: skip
def test_sentences_about_numbers(answer, said):
    with pytest.raises(answers.Wrong, match=said):
        answers.expect(answer, 3.0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.ones((2, 3)), "transposed"), (np.ones(6), "reshape"), ("x", "text"), ([[1], [1, 2]], "numbers"),
        (np.full((3, 2), np.nan), "nan at entry 0, 0"), (np.eye(3, 2), "4 of 6 entries"),
    ],
)  # fmt: skip
def test_sentences_about_arrays(answer, said):
    with pytest.raises(answers.Wrong, match=said):
        answers.expect(answer, np.ones((3, 2)))


def test_a_function_may_change_what_it_is_given():
    def greedy(x):
        x += 1.0
        return x - 1.0

    given = np.arange(3.0)
    answers.expect_function(greedy, [(given,)], lambda x: x)
    assert given.tolist() == [0.0, 1.0, 2.0]


def test_a_notebook_run_out_of_order_says_so(tmp_path):
    begin = nbformat.v4.new_code_cell("from workbench.teaching import begin\nbegin(0)")
    later = nbformat.v4.new_code_cell("print(problem)")
    later.metadata["tags"] = ["raises-exception"]
    wrong = nbformat.v4.new_code_cell("import workbench as wb\nwb.data.load('no-such-data')")
    wrong.metadata["tags"] = ["raises-exception"]
    path = tmp_path / "order.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[begin, later, wrong]), path)
    _, missing, absent = run(path, tmp_path).cells
    assert missing.outputs[0].traceback == [
        "'problem' does not exist in this kernel yet. Cells build on those above: choose "
        "Run > Run All Above Selected Cell, then run this cell again."
    ]
    assert len(absent.outputs[0].traceback) == 1
    assert "no-such-data" in absent.outputs[0].traceback[0]
