"""A term with nbgrader by the commands of the lecturer's README: collected, late, graded again, exported."""

import csv
import datetime
import zipfile
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.api import Gradebook
from traitlets.config import Config

from tests.helpers.graded_submissions import ASKED, LESSON, nbgrader, submissions, written
from workbench.teaching.autograder import STRANGER, UNMARKED, LateDays, Marks

DAY, DUE = 86400, datetime.datetime(2026, 11, 2, 12)
PERSON = ["last name", "first name", "email"]
ALL = sum(points for _, points in ASKED.values())


@pytest.mark.parametrize(
    ("late", "penalty"),
    [
        (-DAY, None),
        (0, None),
        (1, None),
        (2 * DAY, None),
        (2 * DAY + 1, 2.5),
        (3 * DAY, 2.5),
        (4 * DAY, 5.0),
        (30 * DAY, 10.0),
    ],
)
def test_late_days(late, penalty):
    """Two days are free, each one begun after them costs a quarter, and no more is lost than there is."""
    assert LateDays(free=2, share=0.25).late_submission_penalty("ann", 10.0, late) == penalty


def test_marks_have_ids_and_a_total_for_each_lesson(tmp_path):
    def mark(name, score):
        return SimpleNamespace(name=name, score=score or 0.0, auto_score=score, manual_score=None)

    def grades(**points):
        return [SimpleNamespace(grades=[mark(name, score) for name, score in points.items()])]

    ann = SimpleNamespace(id="417", last_name="Lee", first_name="Ann", email="ann@example.org")
    bob = SimpleNamespace(id="418", last_name=None, first_name=None, email=None)
    submitted = {
        "01": [
            SimpleNamespace(
                student=ann, late_submission_penalty=None, notebooks=grades(**{"check-1-1": 3.0})
            ),
            SimpleNamespace(student=bob, late_submission_penalty=0.5, notebooks=grades(**{"check-1-1": 2.0})),
        ],
        "02": [
            SimpleNamespace(student=ann, late_submission_penalty=0.0, notebooks=grades(**{"check-2-1": 4.0})),
            SimpleNamespace(
                student=bob, late_submission_penalty=0.0, notebooks=grades(**{"check-2-1": None})
            ),
        ],
    }
    cells = {"01": "check-1-1", "02": "check-2-1"}
    book = SimpleNamespace(
        students=[ann, bob],
        assignments=[
            SimpleNamespace(name=name, notebooks=[SimpleNamespace(grade_cells=[SimpleNamespace(name=cell)])])
            for name, cell in cells.items()
        ],
        assignment_submissions=submitted.__getitem__,
    )
    file = tmp_path / "marks.csv"
    flags = tmp_path / "flagged" / "02" / "418.txt"
    flags.parent.mkdir(parents=True)
    flags.write_text("02.ipynb: The file is empty.\n")
    (tmp_path / "submitted" / "419" / "02").mkdir(parents=True)
    Marks(to=str(file), config=Config(CourseDirectory={"root": str(tmp_path)})).export(book)
    header, *rows = csv.reader(file.read_text(encoding="utf-8").splitlines())
    lessons = ["1.1", "01 late", "01 total", "2.1", "02 late", "02 total"]
    assert header == ["student", *PERSON, *lessons, "sum", "look at"]
    said = [row.pop() for row in rows]
    assert rows == [
        ["417", "Lee", "Ann", "ann@example.org", "3.0", "0.0", "3.0", "4.0", "0.0", "4.0", "7.0"],
        ["418", "", "", "", "2.0", "-0.5", "1.5", "", "", "", "1.5"],
        ["419", *[""] * 10],
    ]
    assert said[0] == ""
    assert said[1] == f"02, 02.ipynb: The file is empty. | {STRANGER}"
    assert said[2] == f"{UNMARKED.format('submitted/419/02')} | {STRANGER}"


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """The folder of a course whose first lesson is due, and notebooks with all and with half of it right."""
    course = written(tmp_path_factory.mktemp("term") / "course")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        book.update_or_create_assignment(LESSON, duedate=DUE)
    released, source = (
        nbformat.read(course / kind / LESSON / f"{LESSON}.ipynb", as_version=4)
        for kind in ("release", "source")
    )
    made = {name: notebook for name, notebook, _ in submissions(released, source)}
    return course, made["all is right"], made["half is right"]


def marks(course):
    nbgrader(course, "export", "--to", "marks.csv")
    with (course / "marks.csv").open(newline="", encoding="utf-8") as file:
        return {row.pop("student"): row for row in csv.DictReader(file)}


@pytest.mark.long
def test_a_term(term, tmp_path):
    course, right, half = term
    # A learning platform's archive: a file that bears the student's name, and a folder that does.
    archive = course / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "all.zip", "w") as packed:
        packed.writestr(f"ann_417_assignsubmission_{LESSON}.ipynb", nbformat.writes(right))
        packed.writestr(f"bob_418_assignsubmission_file_/{LESSON}.ipynb", nbformat.writes(half))
        packed.writestr(f"dan_419_assignsubmission_{LESSON} (1).ipynb", nbformat.writes(right))
        packed.writestr("eve_420_assignsubmission_file_/my first lesson.ipynb", nbformat.writes(right))
    nbgrader(course, "zip_collect", LESSON)
    # The exchange, with the lecturer as its student; and somebody who is late by four days.
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    root = f"--Exchange.root={exchange}"
    nbgrader(course, "release_assignment", LESSON, root)
    assert list(exchange.glob(f"duality/outbound/{LESSON}/{LESSON}.ipynb"))
    nbgrader(course, "collect", LESSON, root)
    late = course / "submitted" / "carol" / LESSON
    late.mkdir(parents=True)
    nbformat.write(right, late / f"{LESSON}.ipynb")
    (late / "timestamp.txt").write_text(f"{DUE + datetime.timedelta(days=4)} UTC")

    nbgrader(course, "autograde", LESSON)
    table = marks(course)
    assert set(table) == {"ann", "bob", "carol", "dan", "eve"}
    assert [table[student]["look at"] != "" for student in sorted(table)] == [
        False,
        False,
        False,
        False,
        True,
    ]
    assert [float(table[student]["sum"]) for student in ("dan", "eve")] == [ALL, ALL]
    assert list(table["ann"]) == [*PERSON, *ASKED, f"{LESSON} late", f"{LESSON} total", "sum", "look at"]
    assert [float(table[student]["sum"]) for student in ("ann", "bob", "carol")] == [ALL, 2, ALL / 2]
    assert [float(table["bob"][name]) for name in ASKED] == [1, 1, 0, 0, 0]
    assert float(table["carol"][f"{LESSON} late"]) == -ALL / 2

    # One submission again, with other answers: the others stay as they are.
    nbformat.write(right, course / "submitted" / "bob" / LESSON / f"{LESSON}.ipynb")
    nbgrader(course, "autograde", LESSON, "--student", "bob", "--force")
    again = marks(course)
    assert float(again.pop("bob")["sum"]) == ALL
    assert again == {student: row for student, row in table.items() if student != "bob"}

    nbgrader(course, "generate_feedback", LESSON)
    pages = [path.read_text("utf-8") for path in (course / "feedback").rglob("*.html")]
    assert len(pages) == len(table)
    for page in pages:
        assert "HIDDEN" not in page
        assert "seed=" not in page
        assert "not yet" in page or "right." in page
