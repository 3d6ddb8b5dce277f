"""The nbgrader round of every lesson: `python tests/long/score_grading.py [FIRST [LAST]]`.

Hands in right, empty and wrong answers in whole notebooks, grades them with `nbgrader autograde` and prints
the points of each and whether they are what they should be. Takes minutes. graded_submissions.py has broken
and odd ones of one lesson.

    python tests/long/score_grading.py class LESSON COUNT OTHERS

grades COUNT submissions of one lesson and OTHERS of every other one with the commands of the lecturer's
README: seconds, bytes, marks, and what 300 students would take. A quarter of an hour for 1 60 2.
"""

import copy
import csv
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient

from tests.helpers.graded_submissions import graded, nbgrader, written
from tests.helpers.made_lessons import LESSONS
from workbench._support.system.lessons import CHECK

SEED = 300
# A right function whose values are off, in whatever they consist.
WRONG = """
def _off(value):
    if isinstance(value, (tuple, list)):
        return type(value)([_off(value[0]), *value[1:]]) if len(value) else None
    return "none" if isinstance(value, str) else 2.5 * np.asarray(value, dtype=float) + 1.0

_right = {name}
{name} = (lambda *given: _off(_right(*given))) if callable(_right) else 12345.0
"""


def answers(notebook):
    """(answer cell, name of the answer) for each exercise."""
    cell = None
    for notebook_cell in notebook.cells:
        meta = notebook_cell.metadata.get("nbgrader", {})
        if meta.get("solution"):
            cell = notebook_cell
        elif meta.get("grade"):
            yield cell, CHECK.search(notebook_cell.source)[2]


def handed_in(released, source, wrong):
    """Return the notebook that a student hands in."""
    made = copy.deepcopy(released)
    for (mine, name), (due, _) in zip(answers(made), answers(source), strict=True):
        mine.source = due.source + (WRONG.format(name=name) if wrong else "")
    return made


def points(course, lesson):
    """The points of each submission and the most there are, in one lesson."""
    nbgrader(course, "generate_assignment", lesson, "--create", "--force")
    files = [course / kind / lesson / f"{lesson}.ipynb" for kind in ("release", "source")]
    released, source = (nbformat.read(file, as_version=4) for file in files)
    made = [
        ("right", handed_in(released, source, False)),
        ("empty", released),
        ("wrong", handed_in(released, source, True)),
    ]
    most = sum(
        cell.metadata.nbgrader.points
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    )
    return list(graded(course, lesson, made)), most


def of_a_class(released, source, count):
    """Yield (notebook, points due) of `count` students, who answer right, wrong, or not at all."""
    rng = random.Random(SEED)
    for _ in range(count):
        made, due = copy.deepcopy(released), 0
        cells = zip(answers(made), answers(source), graded_cells(source), strict=True)
        for (mine, name), (solved, _), locked in cells:
            kind = rng.choice(("right", "right", "wrong", "empty", "broken"))
            if kind == "right":
                mine.source, due = solved.source, due + locked.metadata.nbgrader.points
            elif kind == "wrong":
                mine.source = solved.source + WRONG.format(name=name)
            elif kind == "broken":
                mine.source = f"{solved.source}\n{name} = ("
        yield made, due


def graded_cells(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def ran(notebook, folder):
    """The notebook as a student hands it in who has run it, with its figures."""
    resources = {"metadata": {"path": folder}}
    return NotebookClient(notebook, timeout=1800, allow_errors=True, resources=resources).execute()


def size(*folders):
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())


def measured(folder, command):
    """(seconds by the clock, seconds of the processor) of an nbgrader command."""
    spent, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    nbgrader(folder, *command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime
    return np.array([time.monotonic() - begun, seconds])


def a_class(course, lesson, count, run=False):
    """Hand in for a class, grade it with the commands of the lecturer's README, and compare the marks."""
    nbgrader(course, "generate_assignment", lesson)
    released, source = (
        nbformat.read(course / kind / lesson / f"{lesson}.ipynb", as_version=4)
        for kind in ("release", "source")
    )
    released = ran(released, course / "release" / lesson) if run else released
    due = {}
    for number, (notebook, points) in enumerate(of_a_class(released, source, count)):
        place = course / "submitted" / f"s{number:03d}" / lesson
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{lesson}.ipynb")
        due[f"s{number:03d}"] = points
    spent = measured(course, ["autograde", lesson])
    pages = measured(course, ["generate_feedback", lesson])
    again = measured(course, ["autograde", lesson, "--student", "s000", "--force"])
    nbgrader(course, "export", "--to", "marks.csv", "--assignment", lesson)
    with (course / "marks.csv").open(newline="", encoding="utf-8") as file:
        marks = {row["student"]: float(row["sum"]) for row in csv.DictReader(file)}
    missing = [student for student in due if student not in marks]
    other = [
        f"{student}: {marks[student]:g} for {points:g}"
        for student, points in due.items()
        if student in marks and marks[student] != points
    ]
    kinds = ("submitted", "autograded", "feedback")
    sizes = [size(*(course / kind).glob(f"*/{lesson}")) / count for kind in kinds]
    print(
        f"{lesson:28}{count:4} submissions: {spent[0] / count:.2f} s each, {spent[1] / count:.2f} s of "
        f"processor; feedback {pages[0] / count:.2f} s; regrade of one {again[0]:.1f} s; "
        f"{', '.join(f'{kind} {size / 1e3:.0f} kB' for kind, size in zip(kinds, sizes, strict=True))}; "
        f"{len(missing)} missing, {len(other)} other marks {'; '.join(other)}",
        flush=True,
    )
    return spent / count, np.array(sizes), len(missing) + len(other)


def classes(lesson, count, others):
    """A class of one lesson, handed in with its figures, and some submissions of every lesson."""
    with tempfile.TemporaryDirectory() as folder:
        course = written(Path(folder))
        (path,) = [path for path in LESSONS if path.name.startswith(f"{int(lesson):02d}")]
        rows = [a_class(course, path.stem, int(count), run=True)]
        rows += [
            a_class(course, lesson.stem, int(others)) for lesson in LESSONS if lesson != path and int(others)
        ]
    seconds, sizes, bad = (sum(column) for column in zip(*rows, strict=True))
    hours, gigabytes = 300 * seconds / 3600, 300 * sizes.sum() / 1e9
    print(
        f"300 students and all lessons, extrapolated: {hours[0]:.1f} h ({hours[1]:.1f} h of processor), "
        f"{gigabytes:.2f} GB; {bad} failures"
    )
    return int(bad > 0)


def main(first=0, last=99):
    """Print a line for each lesson; 1 where points are not what they should be."""
    bad = 0
    print(f"{'lesson':28}{'most':>6}{'right':>8}{'empty':>8}{'wrong':>8}")
    with tempfile.TemporaryDirectory() as folder:
        course = written(Path(folder))
        for path in LESSONS:
            if not int(first) <= int(path.name[:2]) <= int(last):
                continue
            rows, most = points(course, path.stem)
            scores = [score for _, score, *_ in rows]
            bad += scores != [most, 0, 0] or any(flags for *_, flags, _ in rows)
            said = " ".join(flags.strip() for *_, flags, _ in rows)
            listed = "".join(f"{score:8g}" for score in scores)
            verdict = "as due" if scores == [most, 0, 0] else "NOT AS DUE"
            print(f"{path.stem:28}{most:6g}{listed}  {verdict} {said}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(classes(*sys.argv[2:5]) if sys.argv[1:2] == ["class"] else main(*sys.argv[1:3]))
