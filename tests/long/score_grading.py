"""The nbgrader round of every lesson: `python tests/long/score_grading.py [FIRST [LAST]]`.

First the broken and odd submissions of one lesson, which graded_submissions.py has with the points and
sentences that are due. Then hands in right, empty and wrong answers of each lesson in whole notebooks, grades
them with `nbgrader autograde` and prints the points of each and whether they are what they should be. Takes
minutes; FIRST 99 is the first part alone.
"""

import copy
import sys
import tempfile
from pathlib import Path

import nbformat

from tests.helpers.graded_submissions import graded, nbgrader, table, written
from tests.helpers.made_lessons import LESSONS
from workbench._support.system.lessons import CHECK

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


def odd_ones():
    """Print a line for each odd submission; return how many are not marked as they should be."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, score, due, faults in table(Path(folder, "course")):
            points = ["none" if value is None else f"{value:g}" for value in (due, score)]
            verdict = f"NOT AS DUE {'; '.join(faults)}" if faults else "as due"
            print(f"{name:52}{points[0]:>6}{points[1]:>6}  {verdict}", flush=True)
            bad += bool(faults)
    return bad


def main(first=0, last=99):
    """Print a line for each odd submission and each lesson; 1 where one is not marked as it should be."""
    bad = odd_ones()
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
    sys.exit(main(*sys.argv[1:3]))
