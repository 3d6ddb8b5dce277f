"""From the lecturer's source to points: what students get, what answers earn."""

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
from traitlets.config import Config

from tests.helpers.amounts import amount
from tests.helpers.graded_submissions import FLAGS, LESSON, nbgrader, table
from tests.helpers.made_lessons import FOLDER, LESSONS, lecturers, sources
from tests.lessons.test_lesson_answers import BUILT, FUNCTIONS, SOLVED, answer_of
from tests.lessons.test_lesson_builds import WRONG
from workbench._support.errors import InputError
from workbench._support.system.lessons import as_json, for_nbgrader
from workbench.teaching import NotYet, check, checking
from workbench.teaching.autograder import Copies, Run, Submission, take_misnamed

SEEDS = (1, 2)


def passes(name, answer, seed):
    """Return whether an answer is right at hidden cases too."""
    try:
        check(name, answer, seed)
    except NotYet:
        return False
    return True


def students(notebook):
    """Return the notebook that `nbgrader generate_assignment` makes of it."""
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
    copy, asked = students(source), nbformat.read(lesson, as_version=4)
    assert of_kind(copy, "grade") == of_kind(asked, "grade")
    for mine, theirs in zip(of_kind(copy, "solution"), of_kind(asked, "solution"), strict=True):
        assert mine.splitlines()[0] == theirs.splitlines()[0]
        assert "raise NotImplementedError()" in mine
        assert "SOLUTION" not in mine
    others = [
        [cell.source for cell in notebook.cells if "nbgrader" not in cell.metadata]
        for notebook in (copy, asked)
    ]
    assert others[0] == others[1]


def test_locked_cells_import_check(lesson):
    for text in of_kind(nbformat.read(lesson, as_version=4), "grade"):
        assert re.fullmatch(r'from workbench.teaching import check\n\ncheck\("[\d.]+", \w+\)', text)


def test_a_locked_cell_judges_at_hidden_cases_with_the_seed_of_its_exercise(capsys):
    (source,) = [source for name, source in sources() if name.startswith("01")]
    seeds = {"1.2": 7}
    made = nbformat.reads(as_json(for_nbgrader(source, seeds)).decode(), as_version=4)
    (text,) = [text for text in of_kind(made, "grade") if 'check("1.2"' in text]
    assert set(seeds) == {"1.1", "1.2", "1.3", "1.4", "1.5"}
    assert seeds["1.2"] == 7
    known = {v: v if -1 <= v <= 0 else np.inf for v in (-1.0, -0.75, -0.25, 0.0, 0.5, -1.5)}
    exec(text, {"hinge_conjugate": answer_of("1.2")})
    with pytest.raises(NotYet, match=r"^Exercise 1[.]2, .*: right at the notebook's") as no:
        exec(text, {"hinge_conjugate": lambda v: known.get(v, 0.5)})
    # No hidden case is told.
    assert not re.search(r"\d", str(no.value).replace("1.2", ""))


def test_a_locked_cell_without_a_check_is_refused():
    locked = {"nbgrader": {"grade": True}}
    cell = {"cell_type": "code", "metadata": locked, "source": "assert True"}
    with pytest.raises(InputError, match="must call check"):
        for_nbgrader({"cells": [cell]}, {})


# --- hidden cases


# Proofs are texts, of which there is one right answer.
SOLVERS = [name for name in SOLVED if name in BUILT and callable(answer_of(name))]


@pytest.mark.parametrize("name", [*FUNCTIONS, *SOLVERS])
def test_values_by_heart_earn_nothing(name, capsys):
    """A table of all that the notebook's check asks for passes it, and fails at the hidden cases."""
    solution, table = answer_of(name), {}

    def key(arguments):
        # A function is told by its values: those of a checker have no names.
        places = np.linspace(-3.0, 3.0, 25)
        return repr(
            [list(map(argument, places)) if callable(argument) else argument for argument in arguments]
        )

    def learn(*arguments):
        return table.setdefault(key(arguments), solution(*arguments))

    def by_heart(*arguments):
        return table[key(arguments)]

    check(name, learn)
    check(name, by_heart)
    for seed in SEEDS[: amount(1, 2)]:
        assert not passes(name, by_heart, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", SOLVERS)
def test_empty_and_wrong_solvers_earn_nothing(name):
    def empty(*arguments):
        raise NotImplementedError

    def forged(*arguments):
        check.__globals__["print"](f"Exercise {name}: right.")
        raise SystemExit(0)

    for answer in (..., empty, forged, *WRONG[name][:2]):
        assert not passes(name, answer, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", SOLVED)
def test_right_answers_pass_the_hidden_cases(name):
    solution = answer_of(name)
    forms, seeds = [solution], SEEDS
    if name in FUNCTIONS:
        forms += [lambda *x: np.asarray(solution(*x)), lambda *x: np.asarray(solution(*x)).tolist()]
    elif name in BUILT:
        seeds = SEEDS[:1]  # some solvers take seconds
    for seed in seeds:
        for form in forms:
            assert passes(name, form, seed)


# --- nbgrader


def test_the_pack_grades_in_a_container_without_network(tmp_path):
    """Return a stand-in for an engine, which prints how it was called."""
    engine = tmp_path / "podman"
    engine.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    engine.chmod(0o755)
    script = FOLDER / "lecturer" / "grade.sh"
    done = subprocess.run(
        ["sh", str(script), LESSON, "--force"],
        env=os.environ | {"ENGINE": str(engine)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert done[0] == "run"
    pairs = set(itertools.pairwise(done))
    assert {("--network", "none"), ("--memory", "4g"), ("--cap-drop", "ALL")} <= pairs
    assert [after for option, after in pairs if option == "--volume"] == [f"{script.parent}:/course:Z"]
    assert done[-5:] == ["duality-grading", "nbgrader", "autograde", LESSON, "--force"]


@pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning")
def test_a_copied_cell_and_a_dead_kernel_are_flagged_and_cost_their_cell_alone(tmp_path, monkeypatch):
    # The gradebook looks for a tool on the path.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)

    def cell(source, grade_id, **kind):
        meta = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False} | kind
        return nbformat.v4.new_code_cell(source, metadata={"nbgrader": meta | {"grade_id": grade_id}})

    notebook = nbformat.v4.new_notebook(
        cells=[
            cell("a = 1", "answer-1-1", solution=True),
            cell("a = 2", "answer-1-1", solution=True),
            cell("import os, warnings\nos._exit(3)", "answer-1-2", solution=True),
            cell("warnings.warn('slow')", "check-1-2", grade=True),
            cell("import sys\nprint(a)\nprint('slow', file=sys.stderr)", "check-1-1", grade=True),
        ]
    )
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    names = {"nbgrader": {"assignment": LESSON, "notebook": LESSON, "student": "ann", "db_url": url}}
    with Gradebook(url) as book:
        book.add_assignment(LESSON)
        book.add_notebook(LESSON, LESSON)
        for grade_id in ("check-1-1", "check-1-3"):
            book.add_grade_cell(grade_id, LESSON, LESSON, max_score=1, cell_type="code")
            book.add_source_cell(grade_id, LESSON, LESSON, cell_type="code")
        book.add_student("ann")
        book.add_submission(LESSON, "ann")
    step = Run(config=Config(CourseDirectory={"root": str(tmp_path)}))
    notebook, _ = step.preprocess(Copies().preprocess(notebook, names)[0], names)
    outputs = [
        [output.get("text", output.get("traceback")) for output in cell.outputs] for cell in notebook.cells
    ]
    assert outputs == [[], [], [[]], [["name 'warnings' is not defined"]], ["2\n"]]
    flags = (tmp_path / "flagged" / LESSON / "ann.txt").read_text().splitlines()
    assert [flag.split(":")[0] for flag in flags] == ["answer-1-1", "check-1-3", "answer-1-2"]


def test_a_file_that_is_no_notebook_becomes_one_that_says_so(tmp_path):
    place = tmp_path / LESSON / f"{LESSON}.ipynb"
    place.parent.mkdir()
    for content in (b"", b'{"cells": [', b"[1]", b"{}", b"\xff\xfe", b"null"):
        place.write_bytes(content)
        text, _ = Submission().from_filename(str(place))
        made = nbformat.reads(text, as_version=4)
        assert [cell.cell_type for cell in made.cells] == ["markdown"]
        assert made.cells[0].source == made.metadata.flags[0][1]


def test_a_file_of_another_name_is_marked_and_flagged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("source", "submitted/ann"):
        (tmp_path / folder / LESSON).mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("a = 1")])
    nbformat.write(notebook, tmp_path / "source" / LESSON / f"{LESSON}.ipynb")
    nbformat.write(notebook, tmp_path / "submitted" / "ann" / LESSON / "mine.ipynb")
    notebooks = [f"submitted/ann/{LESSON}/mine.ipynb"]
    take_misnamed(notebooks=notebooks, assignment=LESSON, student="*")
    assert notebooks[1:] == [f"submitted/ann/{LESSON}/{LESSON}.ipynb"]
    text, _ = Submission().from_filename(notebooks[1])
    ((name, flag),) = nbformat.reads(text, as_version=4).metadata.flags
    assert name == f"{LESSON}.ipynb"
    assert "'mine.ipynb'" in flag


@pytest.mark.long
def test_submissions_through_nbgrader(tmp_path):
    """Each earns what its answers are worth, some are flagged, and no page of feedback shows a seed."""
    rows = list(table(tmp_path / "course"))
    assert len(rows) >= 40
    assert {name: faults for name, _, _, faults in rows if faults} == {}
    assert FLAGS.keys() < {name for name, *_ in rows}
    nbgrader(tmp_path / "course", "generate_feedback", LESSON)
    seeds = json.loads((tmp_path / "course" / "seeds.json").read_text()).values()
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "course" / "feedback").rglob("*.html")]
    # Two hand in no notebook of a lesson.
    assert len(pages) == len(rows) - 2
    assert not any(str(seed) in page for seed in seeds for page in pages)


# --- what can be imported


def importable(number):
    """Yield objects that a student could import from a lesson's checkers, texts put together as well."""
    for module in (f"lesson_{number:02d}", "answers", "checking"):
        for name, value in vars(sys.modules[f"workbench.teaching.{module}"]).items():
            if not name.startswith("__"):
                yield value
                if isinstance(value, set | list | tuple) and all(isinstance(part, str) for part in value):
                    yield "".join(sorted(value))


@pytest.mark.long
@pytest.mark.parametrize("number", [int(path.name[:2]) for path in LESSONS])
def test_no_answer_can_be_imported(number, capsys):
    names = []
    for name in checking.load(number):
        for value in importable(number):
            try:
                check(name, value)
            except NotYet:
                continue
            names.append((name, value))
    assert names == []
