"""The nbgrader round of every lesson: `python tests/score_grading.py [FIRST [LAST]]`.

Generates the assignment, hands in right, empty, wrong and forged answers, grades them with `nbgrader
autograde` and prints the points of each and whether they are what they should be. Takes a minute or two a
lesson. The cells between the exercises are left out: tests/test_lessons.py runs those.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from test_lesson_grading import FORGED, LESSONS, lecturers

from workbench.teaching.source import CHECK

CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "course"
c.ExecutePreprocessor.timeout = 600
"""
# A right function whose values are off, in whatever they consist.
WRONG = """
def _off(value):
    if isinstance(value, (tuple, list)):
        return type(value)([_off(value[0]), *value[1:]]) if len(value) else None
    return "none" if isinstance(value, str) else 2.5 * np.asarray(value, dtype=float) + 1.0

_right = {name}
{name} = (lambda *given: _off(_right(*given))) if callable(_right) else 12345.0
"""
STUDENTS = ("right", "empty", "wrong", "forged")


def kept(notebook):
    """A submission as short as it may be: NumPy, the answers and the locked cells."""
    short = copy.deepcopy(notebook)
    graded = [cell for cell in short.cells if "nbgrader" in cell.metadata]
    short.cells = [nbformat.v4.new_code_cell("import numpy as np"), *graded]
    return short


def answers(notebook):
    """(answer cell, name of the answer) for each exercise."""
    cell = None
    for each in notebook.cells:
        meta = each.metadata.get("nbgrader", {})
        if meta.get("solution"):
            cell = each
        elif meta.get("grade"):
            yield cell, CHECK.search(each.source)[2]


def handed_in(released, source, student):
    """What a student hands in of the notebook that was given out."""
    made = kept(released)
    if student in ("right", "wrong"):
        for (mine, name), (due, _) in zip(answers(made), answers(source), strict=True):
            mine.source = due.source + (WRONG.format(name=name) if student == "wrong" else "")
    if student == "forged":
        made.cells[1:1] = [nbformat.v4.new_code_cell(text) for text in FORGED]
    return made


def run(folder, *command):
    # nbgrader looks for its own tools on the path.
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1]), "PATH": tools}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"nbgrader {' '.join(command)} failed:\n{done.stderr[-3000:]}")


def points(path, folder):
    """The points of each student and the most there are, in one lesson."""
    lesson, source = path.stem, lecturers(path)
    (folder / "source" / lesson).mkdir(parents=True)
    nbformat.write(source, folder / "source" / lesson / path.name)
    (folder / "nbgrader_config.py").write_text(CONFIG)
    run(folder, "generate_assignment", lesson, "--create", "--force")
    released = nbformat.read(folder / "release" / lesson / path.name, as_version=4)
    for student in STUDENTS:
        place = folder / "submitted" / student / lesson
        place.mkdir(parents=True)
        nbformat.write(handed_in(released, source, student), place / path.name)
    run(folder, "autograde", lesson, "--create", "--force")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        most = book.find_assignment(lesson).max_score
        return {student: book.find_submission(lesson, student).score for student in STUDENTS}, most


def main(first=0, last=99):
    """Print a line for each lesson; 1 where points are not what they should be."""
    wrong = 0
    print(f"{'lesson':28}{'most':>6}" + "".join(f"{student:>8}" for student in STUDENTS))
    for path in LESSONS:
        if not int(first) <= int(path.name[:2]) <= int(last):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, most = points(path, Path(folder))
        due = {student: most if student == "right" else 0 for student in STUDENTS}
        wrong += found != due
        listed = "".join(f"{found[student]:8g}" for student in STUDENTS)
        print(f"{path.stem:28}{most:6g}{listed}  {'as due' if found == due else json.dumps(due)}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
