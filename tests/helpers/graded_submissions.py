"""Submissions of lesson 1 through `nbgrader autograde`: what earns points.

Each earns what its answers are worth. Those that attack the grading itself are not among them: they share its
kernel, and docs/in-class.md says so.
"""

import copy
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

LESSON = "01_conjugates"
# The answers' names, and the points of a right one.
ASKED = {
    "1.1": ("conjugate_on", 1),
    "1.2": ("hinge_conjugate", 1),
    "1.3": ("young", 2),
    "1.4": ("changed", 2),
    "1.5": ("conjugate", 4),
}
ALL = sum(points for _, points in ASKED.values())
MEMORY = 4 * 2**30
EMPTY = "def {name}(*given):\n    return None"
# Cells in place of the answers of a submission that is right otherwise; what it loses by them.
BROKEN = {
    "a cell is not valid Python": ("1.2", "def hinge_conjugate(v:\n    return"),
    "an answer is deleted": ("1.3", None),
    "an answer never ends": ("1.2", "def hinge_conjugate(v):\n    while True:\n        pass"),
    "an answer is not to be stopped": (
        "1.2",
        """
import signal, time
signal.signal(signal.SIGXCPU, lambda *given: None)

def hinge_conjugate(v):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
""",
    ),
    "an answer ends the kernel": ("1.2", "import os\ndef hinge_conjugate(v):\n    os._exit(0)"),
    "a cell kills the kernel": ("1.2", "import os\nos.kill(os.getpid(), 9)"),
    "an answer takes all memory": (
        "1.2",
        """
def hinge_conjugate(v):
    kept = []
    while True:
        kept.append(bytearray(2**28))
""",
    ),
    "a segmentation fault": ("1.1", "import ctypes\ndef conjugate_on(*given):\n    ctypes.string_at(0)"),
    "an answer is known by heart": (
        "1.2",
        """
KNOWN = dict.fromkeys((-1.5, 0.5), np.inf) | {v: v for v in (-1.0, -0.75, -0.25, 0.0)}

def hinge_conjugate(v):
    return KNOWN.get(v, 0.5)
""",
    ),
    "an answer equals everything": (
        "1.2",
        """
class Equal(float):
    __eq__ = __le__ = __ge__ = lambda *arguments: True
    __hash__ = float.__hash__

def hinge_conjugate(v):
    return Equal(3)
""",
    ),
    "an answer shows points of its own": ("1.2", "def hinge_conjugate(v):\n    display(10)\n    return 10.0"),
    "an answer is a string": ("1.4", "changed = 'b'"),
    "an answer raises": ("1.1", "def conjugate_on(p, v, grid):\n    return grid[len(grid)]"),
    "an answer has the wrong sign": (
        "1.2",
        "hinge_conjugate = lambda v: -v if -1 <= v <= 0 else np.inf",
    ),
    "an answer's cell raises": (
        "1.2",
        "print(missing)\n\ndef hinge_conjugate(v):\n    return v if -1 <= v <= 0 else np.inf",
    ),
}
# Cells in place of right answers that change nothing of what they are worth.
HARMLESS = {
    "an answer warns": """
import sys, warnings

def hinge_conjugate(v):
    warnings.warn("slow")
    print("working", file=sys.stderr)
    return v if -1 <= v <= 0 else np.inf
""",
    "an answer prints": "def hinge_conjugate(v):\n    print(v)\n    return v if -1 <= v <= 0 else np.inf",
    "a check of its own": """
check = lambda *arguments: None

def hinge_conjugate(v):
    return v if -1 <= v <= 0 else np.inf
""",
    "an answer by NumPy": "def hinge_conjugate(v):\n    return np.array([v if -1 <= v <= 0 else np.inf])",
}
FLAGGED = {
    "an answer ends the kernel",
    "a cell kills the kernel",
    "a segmentation fault",
    "an answer's cell is copied",
}


def submissions(released, solved):
    """(name, notebook, points due) of all, from the notebook as students get it, and with its answers."""
    right = {cell.metadata.nbgrader.grade_id: cell.source for cell in solved.cells if _is(cell, "solution")}

    def made(answers, first=()):
        """Only what is graded, so that it takes seconds."""
        notebook = copy.deepcopy(released)
        notebook.cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
        for cell in [cell for cell in notebook.cells if _is(cell, "solution")]:
            name = cell.metadata.nbgrader.grade_id.removeprefix("answer-").replace("-", ".")
            if name in answers and answers[name] is None:
                notebook.cells.remove(cell)
            else:
                cell.source = answers.get(name, cell.source)
        first = ["import numpy as np", *first]
        notebook.cells[:0] = [nbformat.v4.new_code_cell(source) for source in first]
        return notebook

    due = {name: right[f"answer-{name.replace('.', '-')}"] for name in ASKED}
    half = {name: due[name] for name in ("1.1", "1.2")}
    yield "all is right", made(due), ALL
    copied = made(due | {"1.2": EMPTY.format(name="hinge_conjugate")})
    place = next(k for k, cell in enumerate(copied.cells) if cell.source.startswith("def hinge_conjugate"))
    copied.cells.insert(place + 1, copy.deepcopy(copied.cells[place]))
    copied.cells[place + 1].update(id="copied", source=due["1.2"])
    yield "an answer's cell is copied", copied, ALL
    yield "half is right", made(half), 2
    yield "nothing is answered", made({}), 0
    for name, (number, source) in BROKEN.items():
        yield name, made(due | {number: source}), ALL - ASKED[number][1]
    for name, source in HARMLESS.items():
        yield name, made(due | {"1.2": source}), ALL
    changed = made(half)
    for cell in changed.cells:
        if _is(cell, "grade"):
            cell.source, cell.metadata.nbgrader.points = "pass", 100
            cell.metadata.nbgrader.locked = False
    yield "the points are changed", changed, 2
    without = made(half)
    without.cells = [cell for cell in without.cells if not _is(cell, "grade")]
    yield "the checks are deleted", without, 0


def _is(cell, kind):
    return cell.metadata.get("nbgrader", {}).get(kind)


def _limit_memory():
    """Hold nbgrader and its kernels to the memory that the pack's container has."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def nbgrader(folder, *command):
    # nbgrader looks for its own tools on the path.
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        text=True,
        env=os.environ | {"PATH": tools},
        capture_output=True,
        preexec_fn=_limit_memory,
    )
    if done.returncode:
        raise RuntimeError(f"nbgrader {' '.join(command)} failed:\n{done.stderr[-3000:]}")
    return done.stderr


def written(folder):
    """A course as `workbench lessons --nbgrader` writes it, with its first assignment made."""
    command = [sys.executable, "-m", "workbench", "lessons", str(folder), "--nbgrader", "--no-open"]
    subprocess.run(command, check=True, capture_output=True)
    nbgrader(folder, "generate_assignment", LESSON, "--create")
    return folder


def graded(folder, lesson, made):
    """Hand in and grade: (name, points, flags, sentences by cell) of each submission.

    Parameters
    ----------
    folder : path
        A course as `written`.
    lesson : str
    made : list of (name, notebook)
    """
    students = {f"s{number:02d}": name for number, (name, _) in enumerate(made)}
    for student, (_, notebook) in zip(students, made, strict=True):
        place = folder / "submitted" / student / lesson
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{lesson}.ipynb")
    nbgrader(folder, "autograde", lesson, "--create", "--force")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        for student, name in students.items():
            flags = folder / "flagged" / lesson / f"{student}.txt"
            after = nbformat.read(folder / "autograded" / student / lesson / f"{lesson}.ipynb", as_version=4)
            locked = [cell for cell in after.cells if _is(cell, "grade")]
            said = {cell.metadata.nbgrader.grade_id: json.dumps(cell.outputs) for cell in locked}
            score = book.find_submission(lesson, student).score
            yield name, score, flags.read_text() if flags.exists() else "", said


def table(folder):
    """(name, points, points due, flags, sentences) of all submissions."""
    course = written(Path(folder))
    released = nbformat.read(course / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    solved = nbformat.read(course / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    made = list(submissions(released, solved))
    rows = graded(course, LESSON, [(name, notebook) for name, notebook, _ in made])
    for (name, points, flags, said), (_, _, due) in zip(rows, made, strict=True):
        yield name, points, due, flags, said
