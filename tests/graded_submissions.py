"""Submissions of lesson 1 through `nbgrader autograde`: `python tests/graded_submissions.py` lists points.

Honest ones earn what their answers are worth; forged ones, which do all but answer, nothing for what they
forge.
"""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

LESSON = "01_conjugates"
# The answers' names, and the points of a right one.
ASKED = {"1.1": ("conjugate_on", 1), "1.2": ("hinge_conjugate", 1), "1.3": ("young", 2),
         "1.4": ("changed", 2), "1.5": ("conjugate", 4)}  # fmt: skip
ALL = sum(points for _, points in ASKED.values())
EMPTY = "def {name}(*given):\n    return None"
# A notebook that forges prepares with a cell, and then hands in what it found for all that is asked.
FOUND = "found = globals().get('found', {})\n"

FORGED = {
    "its own check": """
import workbench.teaching as t, workbench.teaching.checking as c
check = t.check = lambda *given: print("right")
c.find = lambda name: c.Exercise(name, "", print)
""",
    "sitecustomize": """
import os, pathlib, site
for name in ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONUSERBASE"):
    os.environ[name] = os.getcwd()
for place in (".", site.getusersitepackages(), *site.getsitepackages(), "COURSE"):
    for name in ("sitecustomize.py", "usercustomize.py"):
        try:
            pathlib.Path(place).mkdir(parents=True, exist_ok=True)
            pathlib.Path(place, name).write_text("import os; os._exit(0)")
        except OSError:
            pass
""",
    "reads the source": """
import json, pathlib
for root in ("COURSE", "CLONE/lessons"):
    for path in pathlib.Path(root).rglob("*01*.ipynb"):
        try:
            cells = json.loads(path.read_text())["cells"]
        except (OSError, ValueError):
            continue
        for text in map("".join, (cell["source"] for cell in cells)):
            if "BEGIN SOLUTION" in text:
                exec(text, globals())
                globals()["young"] = globals().get("proof")
found = {number: globals()[name] for number, name in NAMES.items() if name in globals()}
""",
    "copied code": """
import types, workbench.teaching.answers as a, workbench.teaching.checking as c
kept, found = [], {}

def steal(answer, inputs, right, *rest, **more):
    names = dict(np=np)
    kept.append(types.FunctionType(right.__code__, names, "mine", right.__defaults__, right.__closure__))

a.expect_function = steal
for number in NAMES:
    try:
        c.find(number).judge(len)
        found[number] = kept.pop()
    except Exception:
        pass
""",
    "a thread": """
import sys, threading, time
kept = []

def watch():
    while True:
        for frame in list(sys._current_frames().values()):
            while frame:
                kept.extend(frame.f_locals[name] for name in ("right", "due") if name in frame.f_locals)
                frame = frame.f_back
        time.sleep(0.0001)

threading.Thread(target=watch, daemon=True).start()
found = dict.fromkeys(NAMES, lambda *given: (time.sleep(0.05), kept[-1](*given))[1])
""",
    "fakes the import": """
import builtins, subprocess, types
real, done = builtins.__import__, types.SimpleNamespace(returncode=0, stdout="", stderr="")

def fake(name, *rest, **more):
    module = real(name, *rest, **more)
    for each in ("check", "recorded", "verdict", "plain", "judge"):
        if name.startswith("workbench") and hasattr(module, each):
            setattr(module, each, lambda *given, **more: True)
    return module

builtins.__import__, subprocess.run = fake, lambda *given, **more: done
""",
    "exit hooks": """
import atexit, json, os, signal
verdicts = [dict(right=True, said="right", flags=[])] * 5
said = json.dumps(dict(nonce="", confined=True, verdicts=verdicts))
atexit.register(lambda: [os.write(1, said.encode()), os._exit(0)])
for number in (15, 24):
    signal.signal(number, lambda *given: os._exit(0))
""",
    "hunts objects": """
import gc, sys

def is_check(each):
    return callable(each) and "lesson_0" in repr(getattr(each, "__code__", ""))

right = list(filter(is_check, gc.get_objects()))

def trace(frame, event, argument):
    right.extend(filter(is_check, list(frame.f_locals.values())))
    return trace

sys.settrace(trace)
sys.setprofile(trace)

def hunted(*given):
    for each in [*right, *filter(is_check, gc.get_objects())]:
        try:
            return each(*given)
        except Exception:
            pass

found = dict.fromkeys(NAMES, hunted)
""",
    "overwrites files": """
import pathlib
for root in ("COURSE", "CLONE/lessons/checks", "CLONE/workbench/teaching", ".", ".."):
    for path in pathlib.Path(root).rglob("*"):
        try:
            if path.suffix == ".py":
                path.write_text("def check(*given): pass")
            if path.suffix in (".json", ".db"):
                path.write_text("{}")
            if path.suffix == ".ipynb":
                path.unlink()
        except OSError:
            pass
""",
    "guesses the nonce": """
import json, os, secrets
secrets.token_hex = lambda *given: "n"
verdicts = [dict(right=True, said="right", flags=[])] * 5
said = json.dumps(dict(nonce="n", confined=True, verdicts=verdicts)) + chr(10)
print(said)
for number in (1, 2, *range(3, 30)):
    try:
        os.write(number, said.encode())
    except OSError:
        pass
for name in ("fd/1", "fd/0", "mem"):
    try:
        open(f"/proc/{os.getppid()}/{name}", "w").write(said)
    except OSError:
        pass
""",
    "equal to all": """
class Like:
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda *given: True
    __hash__ = lambda self: 0
    __float__ = lambda self: 1.0
    __bool__ = lambda self: True
    __sub__ = __rsub__ = __abs__ = __array_wrap__ = lambda self, *given: self

class Array(np.ndarray):
    __array_priority__ = 1e9
    __array_ufunc__ = __array_function__ = lambda *given, **more: np.True_

class Text(str):
    __eq__ = __contains__ = lambda *given: True
    __hash__ = str.__hash__

class Number(float):
    __eq__ = __le__ = lambda *given: True
    __hash__ = float.__hash__

found = {
    "1.1": lambda *given: np.zeros(()).view(Array), "1.2": lambda *given: Number(3), "1.3": Text("a b"),
    "1.4": lambda *given: Like(), "1.5": lambda *given: (Like(), Number("nan")),
}
""",
    "other modules": """
import sys, types
wb, fake = types.ModuleType("workbench"), types.SimpleNamespace(check=print, plain=print, certificate=print)
wb.__path__ = []
for name in list(sys.modules):
    if name.startswith("workbench"):
        sys.modules[name] = fake
sys.modules["workbench"] = wb
np.allclose = np.array_equal = np.isclose = lambda *given, **more: True
""",
    "speaks for the child": """
import workbench.teaching.exchange as e
old = e.Line.say

def say(self, **message):
    old(self, value=True, right=True, verdict="right", points=10, nonce="n", changed=[])

e.Line.say, e.plain = say, lambda *given: {"function": 0}
""",
    "asks back": """
from workbench.teaching.exchange import Line
old = Line.hear

def hear(self):
    heard = old(self)
    for name in ("__globals__", "__code__", 0, -1) if heard.get("do") == "call" else ():
        try:
            self.say(lent=name, arguments=[heard])
            old(self)
        except Exception:
            pass
    return heard

Line.hear = hear
""",
    "leaves the family": """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.time() + 20
        while time.time() < end:
            time.sleep(0.2)
            for name in ("COURSE/gradebook.db", "COURSE/grading/seeds.json"):
                try:
                    open(name, "w").write("")
                except OSError:
                    pass
    os._exit(0)
""",
    "says its own points": """
from IPython.display import display
display(10)
10.0
""",
}


def forged(name, course, clone):
    """The first cell of a submission that is forged so: what it knows of places, and what it does."""
    names = {number: called for number, (called, _) in ASKED.items()}
    return f"NAMES = {names}" + FORGED[name].replace("COURSE", str(course)).replace("CLONE", str(clone))


# Cells in place of the answers of a submission that is right otherwise; what it loses by them.
BROKEN = {
    "a cell is no Python": ("1.2", "def hinge_conjugate(v:\n    return"),
    "an answer is deleted": ("1.3", None),
    "an answer never ends": ("1.2", "def hinge_conjugate(v):\n    while True:\n        pass"),
    "an answer is not to be stopped": ("1.2", """
import signal, time
signal.signal(signal.SIGXCPU, lambda *given: None)

def hinge_conjugate(v):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
"""),
    "an answer ends the kernel": ("1.2", "import os\ndef hinge_conjugate(v):\n    os._exit(0)"),
    "a cell kills the kernel": ("1.2", "import os\nos.kill(os.getpid(), 9)"),
    "an answer takes all memory": ("1.2", """
def hinge_conjugate(v):
    kept = []
    while True:
        kept.append(bytearray(2**28))
"""),
    "a segmentation fault": ("1.1", "import ctypes\ndef conjugate_on(*given):\n    ctypes.string_at(0)"),
    "one answer is forged": ("1.2", FORGED["equal to all"] + "\nhinge_conjugate = found['1.2']"),
}  # fmt: skip
FLAGGED = {
    "an answer never ends", "an answer is not to be stopped", "an answer ends the kernel",
    "a cell kills the kernel", "a segmentation fault",
}  # fmt: skip


def submissions(released, solved, course, clone):
    """(name, notebook, points due) of all.

    Parameters
    ----------
    released, solved : notebook
        As students get it, and with its answers.
    course, clone : path
        What a forger may guess.
    """
    right = {each.metadata.nbgrader.grade_id: each.source for each in solved.cells if _is(each, "solution")}

    def made(answers, first=()):
        """Only what is graded, so that it takes seconds."""
        notebook = copy.deepcopy(released)
        notebook.cells = [each for each in notebook.cells if "nbgrader" in each.metadata]
        for cell in [each for each in notebook.cells if _is(each, "solution")]:
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
    yield "half is right", made(half), 2
    yield "nothing is answered", made({}), 0
    for name, (number, source) in BROKEN.items():
        yield name, made(due | {number: source}), ALL - ASKED[number][1]
    handed = {name: f"{FOUND}{EMPTY.format(name=called)}\n{called} = found.get('{name}', {called})"
              for name, (called, _) in ASKED.items()}  # fmt: skip
    for name in FORGED:
        yield name, made(handed, [forged(name, course, clone)]), 0
    metadata = made(handed)
    for cell in metadata.cells:
        if _is(cell, "grade"):
            cell.source, cell.metadata.nbgrader.points = "pass", 100
            cell.metadata.nbgrader.locked = False
    yield "changes the points", metadata, 0


def _is(cell, kind):
    return cell.metadata.get("nbgrader", {}).get(kind)


def nbgrader(folder, *command):
    # nbgrader looks for its own tools on the path.
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=folder, text=True,
                          env=os.environ | {"PATH": tools}, capture_output=True)  # fmt: skip
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
            locked = [each for each in after.cells if _is(each, "grade")]
            said = {each.metadata.nbgrader.grade_id: json.dumps(each.outputs) for each in locked}
            score = book.find_submission(lesson, student).score
            yield name, score, flags.read_text() if flags.exists() else "", said


def table(folder):
    """(name, points, points due, flags, sentences) of all submissions."""
    course = written(Path(folder))
    released = nbformat.read(course / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    solved = nbformat.read(course / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    made = list(submissions(released, solved, course, Path(__file__).resolve().parents[1]))
    found = graded(course, LESSON, [(name, notebook) for name, notebook, _ in made])
    for (name, points, flags, said), (_, _, due) in zip(found, made, strict=True):
        yield name, points, due, flags, said


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        print(f"{'submission':32}{'points':>6}{'due':>6}  flags")
        for name, points, due, flags, _ in table(place):
            said = "; ".join(flags.splitlines()) + ("" if points == due else "  NOT AS DUE")
            print(f"{name:32}{points:6g}{due:6g}  {said}")
