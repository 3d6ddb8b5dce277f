"""Submissions of lesson 1 through `nbgrader autograde`: what earns points, and what is said of it.

Each earns what its answers are worth; one of which nothing can be marked has no points, and not 0. Those that
attack the grading itself are not among them: they share its kernel, and docs/in-class.md says so.
"""

import copy
import csv
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
# Seconds for a cell, in place of the pack's 300.
CELL_SECONDS = 120
EMPTY = "def {name}(*given):\n    return None"
# Cells in place of the answers of a submission that is right otherwise; what it loses by them.
BROKEN = {
    "a cell is not valid Python": ("1.2", "def hinge_conjugate(v:\n    return"),
    "a cell imports what is not there": (
        "1.2",
        "from scipy.minimizers import minimize\n\ndef hinge_conjugate(v):\n    return v",
    ),
    "a cell imports a name that is not there": (
        "1.2",
        "from numpy import infinite\n\ndef hinge_conjugate(v):\n    return v",
    ),
    "an answer imports what is not there": (
        "1.2",
        "def hinge_conjugate(v):\n    import scipy.minimizers\n    return v",
    ),
    "an answer is renamed": ("1.2", "def hinge_conj(v):\n    return v if -1 <= v <= 0 else np.inf"),
    "a value is renamed": ("1.3", 'prof = "d g a c f"'),
    "an answer is deleted": ("1.3", None),
    "a cell never ends": ("1.2", "while True:\n    pass\n\ndef hinge_conjugate(v):\n    return v"),
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
    "an answer prints without end": """
def hinge_conjugate(v):
    for k in range(100_000):
        print(k, "of many lines")
    return v if -1 <= v <= 0 else np.inf
""",
    "a cell prints a flood": """
for k in range(100_000):
    print(k, "of many lines")

def hinge_conjugate(v):
    return v if -1 <= v <= 0 else np.inf
""",
    "a check of its own": """
check = lambda *arguments: None

def hinge_conjugate(v):
    return v if -1 <= v <= 0 else np.inf
""",
    "an answer by NumPy": "def hinge_conjugate(v):\n    return np.array([v if -1 <= v <= 0 else np.inf])",
}
STOPS = "answer-1-2: The cell that defines 'hinge_conjugate' stops with"
# What marks.csv says of a submission that needs a look; nothing of any other.
FLAGS = {
    "an answer's cell is copied": "answer-1-2: This cell is in the notebook more than once",
    "an answer ends the kernel": "check-1-2: This cell ended the kernel",
    "a cell kills the kernel": "answer-1-2: This cell ended the kernel",
    "a segmentation fault": "check-1-1: This cell ended the kernel",
    "a cell is not valid Python": f"{STOPS} SyntaxError: '(' was never closed, line 1. Mend it",
    "a cell imports what is not there": f"{STOPS} ModuleNotFoundError: No module named 'scipy.minimizers'.",
    "a cell imports a name that is not there": f"{STOPS} ImportError: cannot import name 'infinite'",
    "an answer's cell raises": f"{STOPS} NameError: name 'missing' is not defined.",
    "a cell never ends": "The cell that defines 'hinge_conjugate' was stopped before its end.",
    "an answer is renamed": "'hinge_conjugate' is not defined; the cell above defines 'hinge_conj'.",
    "a value is renamed": "'proof' is not defined; the cell above defines 'prof'.",
    "an answer is deleted": "answer-1-3: This cell is missing",
    "a check is deleted": "check-1-2: This cell is missing",
    "the checks are deleted": "check-1-1: This cell is missing",
    "a check lost its version": "check-1-2: This cell is missing",
    "the file is empty": "The file is empty, so nothing of it was marked",
    "the JSON is broken": "The file is not a notebook (Expecting ',' delimiter: line",
    "the file is another JSON": "The file is not a notebook",
    "the file is not text": "The file is not a notebook",
    "the notebook has no cells": "The file is not a notebook (it has no cells of code)",
    "the file is misnamed": "handed in as '01_conjugates (1).ipynb'; it was marked as this lesson",
    "there are two files": "another notebook, 'old.ipynb', which was not marked",
    "the folder is misnamed": "lesson1 has no notebook of a lesson",
    "the file is a picture": f"{LESSON} has no notebook of a lesson",
    "the id is unknown": "This id is not in the list of students",
}
# What the check of the answer says to its student, beside the flags of a name.
SAID = {
    "an answer imports what is not there": "stops with ModuleNotFoundError: No module named 'scipy.mini",
    "an answer never ends": "does not come to an end",
    "an answer is not to be stopped": "does not come to an end",
    "an answer is known by heart": "right at the notebook's cases, and wrong at others",
    "an answer raises": "stops with IndexError",
    "an answer has the wrong sign": "not yet. The sign: at the kink",
    "an answer is a string": "is of type str; a function is asked for",
    "an answer is renamed": "'hinge_conjugate' is not defined; the cell above defines 'hinge_conj'.",
    "a cell is not valid Python": "SyntaxError: '(' was never closed, line 1.",
    "a cell imports what is not there": "No module named 'scipy.minimizers'.",
}
UNKNOWN = "the id is unknown"


def submissions(released, solved):
    """(name, notebook, points due) of all, from the notebook as students get it, and with its answers.

    In place of a notebook some have the contents of each file, by its path in the student's folder.
    """
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
    yield "the checks are deleted", without, None
    lost, old = made(due), made(due)
    place = next(k for k, cell in enumerate(lost.cells) if 'check("1.2"' in cell.source)
    del lost.cells[place], old.cells[place].metadata.nbgrader["schema_version"]
    yield "a check is deleted", lost, ALL - ASKED["1.2"][1]
    yield "a check lost its version", old, ALL - ASKED["1.2"][1]
    file, text = f"{LESSON}/{LESSON}.ipynb", nbformat.writes(made(due))
    yield "the file is empty", {file: ""}, None
    yield "the JSON is broken", {file: text[:-1]}, None
    yield "the file is another JSON", {file: "[1, 2]"}, None
    yield "the file is not text", {file: b"%PDF-1.7\n\xe2\xe3\xcf\xd3"}, None
    yield "the notebook has no cells", nbformat.v4.new_notebook(), None
    yield "the file is misnamed", {f"{LESSON}/{LESSON} (1).ipynb": text}, ALL
    yield "there are two files", {file: text, f"{LESSON}/old.ipynb": nbformat.writes(made(half))}, ALL
    yield "the folder is misnamed", {f"lesson1/{LESSON}.ipynb": text}, None
    yield "the file is a picture", {f"{LESSON}/answers.png": b"\x89PNG\r\n"}, None
    yield UNKNOWN, made(due), ALL


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
    """Hand in and grade: (name, points, flags, sentences by cell) of each submission, as marks.csv has them.

    Parameters
    ----------
    folder : path
        A course as `written`.
    lesson : str
    made : list of (name, notebook)
        As `submissions` has them.
    """
    students = {f"s{number:02d}": name for number, (name, _) in enumerate(made)}
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        for student, name in students.items():
            if name != UNKNOWN:
                book.update_or_create_student(student, last_name=name)
    for student, (_, files) in zip(students, made, strict=True):
        if isinstance(files, nbformat.NotebookNode):
            files = {f"{lesson}/{lesson}.ipynb": nbformat.writes(files)}
        for path, content in files.items():
            place = folder / "submitted" / student / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
    nbgrader(folder, "autograde", lesson, "--create", "--force", f"--Run.timeout={CELL_SECONDS}")
    nbgrader(folder, "export", "--to", "marks.csv", f"--assignment={lesson}")
    with (folder / "marks.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    for student, name in students.items():
        file = folder / "autograded" / student / lesson / f"{lesson}.ipynb"
        cells = nbformat.read(file, as_version=4).cells if file.exists() else []
        said = {
            cell.metadata.nbgrader.grade_id: json.dumps(cell.outputs) for cell in cells if _is(cell, "grade")
        }
        total = rows[student][f"{lesson} total"]
        yield name, float(total) if total else None, rows[student]["look at"], said


def table(folder):
    """(name, points, points due, what is not as it should be) of all submissions."""
    course = written(Path(folder))
    released = nbformat.read(course / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    solved = nbformat.read(course / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    made = list(submissions(released, solved))
    rows = graded(course, LESSON, [(name, notebook) for name, notebook, _ in made])
    for (name, points, flags, said), (_, _, due) in zip(rows, made, strict=True):
        bad = [] if points == due else [f"{points} points in place of {due}: {said}"]
        if bool(flags) != (name in FLAGS) or FLAGS.get(name, "") not in flags:
            bad.append(f"flags: {flags}")
        if name in SAID and not any(SAID[name] in text for text in said.values()):
            bad.append(f"said: {said}")
        yield name, points, due, bad
