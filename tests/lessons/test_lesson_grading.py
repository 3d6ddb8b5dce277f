"""From the lecturer's source to points: what students get, what answers earn, what no submission reaches."""

import contextlib
import json
import re
import socket
import subprocess
import sys
import types
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from tests.helpers.amounts import amount, few
from tests.helpers.graded_submissions import ASKED, FLAGGED, LESSON, forged, nbgrader, table
from tests.helpers.made_lessons import FOLDER, LESSONS, lecturers
from tests.lessons.test_lesson_answers import BUILT, FUNCTIONS, SOLVED, answer_of, right
from tests.lessons.test_lesson_builds import WRONG
from workbench._support.errors import InputError
from workbench.teaching import NotYet, check, checking, confinement, exchange, grading
from workbench.teaching.hidden import cases_from
from workbench.teaching.source import locked

SEEDS = (1, 2)
CHECKS = FOLDER / "checks"
confined = pytest.mark.skipif(confinement.version() < confinement.CONFINES, reason="needs Linux's Landlock")


def passes(name, answer, seed):
    """Whether an answer is right at hidden cases too."""
    try:
        with cases_from(seed):
            check(name, answer)
    except NotYet:
        return False
    return True


def asked(*cells, hidden=(), checks=CHECKS, seed=7, container=()):
    """A request to the judge: cells, and for each name of an exercise in between that it is judged."""
    return {
        "nonce": "once",
        "checks": str(checks),
        "seeds": dict.fromkeys(SOLVED, seed),
        "hidden": list(map(str, hidden)),
        "container": list(container),
        "cells": [[cell, SOLVED[cell][1]] if cell in SOLVED else cell for cell in cells],
    }


def judged(*cells, **more):
    """What the judge says of each exercise."""
    return grading.judge(asked("import numpy as np", *cells, **more))["verdicts"]


def students(notebook):
    """What `nbgrader generate_assignment` makes of it."""
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
    given, asked = students(source), nbformat.read(lesson, as_version=4)
    assert of_kind(given, "grade") == of_kind(asked, "grade")
    for mine, theirs in zip(of_kind(given, "solution"), of_kind(asked, "solution"), strict=True):
        assert mine.splitlines()[0] == theirs.splitlines()[0]
        assert "raise NotImplementedError()" in mine
        assert "SOLUTION" not in mine
    others = [
        [cell.source for cell in notebook.cells if "nbgrader" not in cell.metadata]
        for notebook in (given, asked)
    ]
    assert others[0] == others[1]


def test_locked_cells_import_check(lesson):
    for text in of_kind(nbformat.read(lesson, as_version=4), "grade"):
        assert re.fullmatch(r'from workbench.teaching import check\n\ncheck\("[\d.]+", \w+\)', text)


def test_a_locked_cell_that_is_merely_run_gives_no_points():
    text = locked('from workbench.teaching import check\n\ncheck("1.2", hinge_conjugate)')
    with pytest.raises(SystemError, match="nbgrader_config"):
        exec(text, {"hinge_conjugate": answer_of("1.2")})


def test_a_locked_cell_without_a_check_is_refused():
    with pytest.raises(InputError, match="must call check"):
        locked("assert True")


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
        return repr([list(map(each, places)) if callable(each) else each for each in arguments])

    def learn(*arguments):
        return table.setdefault(key(arguments), solution(*arguments))

    def by_heart(*arguments):
        return table[key(arguments)]

    check(name, learn)
    check(name, by_heart)
    for seed in SEEDS[: amount(1, 2)]:
        assert not passes(name, by_heart, seed)


def test_there_are_solvers():
    assert {"4.5", "5.4", "6.4", "8.6"} <= set(SOLVERS)


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


# --- the judge


QUICK = (1,)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=[] if number in QUICK else pytest.mark.long)
        for number in range(len(LESSONS))
    ],
)
def test_right_answers_reach_the_judge(number):
    names = [name for name in SOLVED if name.split(".")[0] == str(number)]
    found = judged(*(part for name in names for part in (SOLVED[name][0], name)))
    assert found == [{"right": True, "said": f"Exercise {name}: right.", "flags": []} for name in names]


@pytest.mark.parametrize("said", ["", "{}", "[]", '{"nonce": "2"}', '{"nonce": "1"}'])
def test_a_judge_is_known_by_its_nonce(said, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *given, **more: types.SimpleNamespace(stdout=said))
    assert (grading.judge({"nonce": "1"}) is not None) == ("1" in said)


def test_a_judge_reads_no_environment(monkeypatch, tmp_path):
    for name in ("sitecustomize", "usercustomize", "json"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(7)\n")
    monkeypatch.chdir(tmp_path)
    for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert [each["right"] for each in judged(SOLVED["1.2"][0], "1.2")] == [True]


def test_the_judge_has_checks_of_its_own(tmp_path):
    text = (CHECKS / "lesson_01.py").read_text(encoding="utf-8")
    changed = text.replace("lambda v: v if -1 <= v <= 0 else np.inf,", "lambda v: 2 * v,", 1)
    assert changed != text
    (tmp_path / "lesson_01.py").write_text(changed, encoding="utf-8")
    doubled = "def hinge_conjugate(v): return 2 * v"
    assert not right("1.2", lambda v: 2 * v)
    assert judged(doubled, "1.2", checks=tmp_path)[0]["right"]


def test_no_hidden_case_is_told():
    """Neither by a wrong answer nor by one that keeps what it is asked, and gives it back later."""
    table_of = {(v,): v if -1 <= v <= 0 else np.inf for v in (-1.0, -0.75, -0.25, 0.0, 0.5, -1.5)}
    by_heart = f"table = {table_of}\ndef hinge_conjugate(v): return table.get((v,), 0.5)"
    by_heart = by_heart.replace("inf", "np.inf")
    keeps = (
        "kept = []\ndef hinge_conjugate(v):\n    kept.append(v)\n    return v\n"
        "def changed(*given): return kept[-1]\ndef conjugate_on(*given): return sum(kept)"
    )
    first, *others = judged(by_heart, "1.2", keeps, "1.2", "1.4", "1.1")
    assert first == {"right": False, "said": f"Exercise 1.2: {grading.ELSEWHERE}", "flags": []}
    hidden = []
    with cases_from(7), contextlib.suppress(NotYet):
        check("1.2", lambda v: hidden.append(v) or answer_of("1.2")(v))
    secret = {f"{v:.4g}" for v in hidden} - {f"{v:.4g}" for (v,) in table_of}
    assert len(secret) > 3
    # What a case says that all know, another seed does not change.
    elsewhere = judged(by_heart, "1.2", keeps, "1.2", "1.4", "1.1", seed=8)[1:]
    for found, other in zip(others, elsewhere, strict=True):
        assert not found["right"]
        assert not any(each in found["said"] for each in secret), found
        assert found["said"] == other["said"]


def test_ends_cost_their_cell_alone():
    ends, dies = "import os\ndef hinge_conjugate(v): os._exit(3)", "import os\nos.kill(os.getpid(), 9)"
    found = judged(SOLVED["1.1"][0], "1.1", ends, "1.2", SOLVED["1.4"][0], dies, "1.4", "1.3")
    assert [each["right"] for each in found] == [True, False, True, False]
    assert [each["flags"] for each in found] == [
        [],
        ["The answer ended its process (exit code 3)."],
        ["A cell above ended its process (SIGKILL) and was left out."],
        [],
    ]
    assert found[1]["said"] == "Exercise 1.2: not yet. The answer ended its process (exit code 3)."


def test_arrays_that_an_answer_changes_are_seen():
    """An answer that must leave its arguments alone is found out although they are over there."""
    (found,) = judged("def step(w, *given):\n    w += 1\n    return w", "9.1")
    assert not found["right"]
    kept = np.zeros(3)
    line = FakeLine({"value": None, "changed": [exchange.plain(np.ones(3))]})
    session = types.SimpleNamespace(line=line)
    answer = grading.Answer(session, "f", {"name": "f", "parameters": ["w", "1", "class"], "ready": []})
    assert answer(kept) is None
    assert kept.tolist() == [1.0, 1.0, 1.0]


class FakeLine:
    def __init__(self, reply):
        self.reply = reply

    def ask(self, **message):
        return self.reply


# --- what crosses


@pytest.mark.parametrize(
    "value",
    [
        1,
        2.5,
        -np.inf,
        True,
        "free",
        [1.0, "a"],
        (np.arange(3), [1.0]),
        {"gap": 2.0},
        np.eye(2) > 0,
        np.zeros((0, 2)),
        np.array(["zero", "free"]),
        np.arange(6.0).reshape(2, 3).T,
        np.float32([1.5]),
    ],
    ids=repr,
)
def test_values_cross_as_they_are(value):
    found = exchange.restored(json.loads(json.dumps(exchange.plain(value))))
    assert repr(found) == repr(value)


def test_what_is_no_data_does_not_cross():
    class Mine(np.ndarray):
        pass

    found = exchange.restored(exchange.plain(np.eye(2).view(Mine)))
    assert type(found) is np.ndarray
    large = np.zeros(exchange.MAX_ENTRIES + 1)
    for value in (object(), np.array([object()]), 1j, large, ..., NotImplementedError()):
        assert exchange.plain(value) is None


@pytest.mark.parametrize(
    "said",
    [
        {"array": ["O", [1], "AAAAAAAAAAA="]},
        {"array": ["<f8", [10**9], ""]},
        {"array": ["<f8", [1]]},
        {"function": 0},
        {"array": ["V8", [1], "AAAAAAAAAAA="]},
        {},
        {"object": []},
        {"dict": [[{"list": []}, 1]]},
        {"a": 1, "b": 2},
    ],
    ids=repr,
)
def test_what_stands_for_no_value_is_refused(said):
    with pytest.raises((ValueError, TypeError, KeyError)):
        exchange.restored(said)


@pytest.mark.parametrize("said", [b"", b"[]\n", b"{}", b"null\n", b"[" * 100_000 + b"\n", b"\xff\n"])
def test_what_is_no_message_ends_the_line(said):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(said)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(exchange.Ended):
            exchange.Line(ours.makefile("rb"), ours.makefile("wb")).hear()


def test_errors_cross_by_their_names():
    assert repr(exchange.error_of("ValueError", "no")) == "ValueError('no')"
    for kind in ("SystemExit", "KeyboardInterrupt", "exec", "UnicodeDecodeError", "Mine"):
        assert type(exchange.error_of(kind, "no")) is RuntimeError


# --- what a submission reaches

REACHES = """
import ctypes, os, socket, subprocess
judge, told = os.getppid(), []
libc = ctypes.CDLL(None, use_errno=True)
def tried(what, how):
    try:
        found = how()
    except OSError:
        return
    if found not in (-1, ""):
        told.append(what)
for path in PATHS:
    tried(path, lambda: open(path).read())
    tried("write " + path, lambda: open(path, "a"))
    tried("cat " + path, lambda: subprocess.run(["cat", path], capture_output=True, text=True).stdout)
    tried("truncate " + path, lambda: os.truncate(path, 0))
    tried("delete " + path, lambda: os.unlink(path))
for name in ("environ", "mem", "fd/0", "fd/1", "maps"):
    tried(name, lambda: open(f"/proc/{judge}/{name}").read())
tried("ptrace", lambda: libc.ptrace(16, judge, 0, 0))
tried("mount", lambda: libc.mount(b"/tmp", b"/mnt", None, 4096, None))
tried("write elsewhere", lambda: open("/dev/shm/submission", "w"))
"""


@confined
def test_a_confined_submission_reaches_nothing_else(tmp_path):
    secret = tmp_path / "seeds.json"
    secret.write_text("12345")
    paths = [
        str(path)
        for path in (
            secret,
            CHECKS / "lesson_01.py",
            Path(__file__),
            FOLDER / "sources" / "01_conjugates.ipynb",
            FOLDER / "01_conjugates.ipynb",
        )
    ]
    late = ["def wrote(): open('mine', 'w').write('x'); return open('mine').read()\ntold.append(wrote())"]
    if confinement.version() >= confinement.HOLDS_SIGNALS:
        late += [
            "import signal\ntried('kill', lambda: os.kill(judge, signal.SIGTERM))",
            "tried('connect', lambda: socket.create_connection(('127.0.0.1', PORT)))",
        ]
    with socket.create_server(("127.0.0.1", 0)) as server:
        source = f"PATHS, PORT = {paths!r}, {server.getsockname()[1]}{REACHES}" + "\n".join(late)
        said = judged(source, "hinge_conjugate = lambda v: ' '.join(told)", "1.2")[0]["said"]
    # Its own folder alone.
    assert "is the string 'x'" in said
    assert secret.read_text() == "12345"


def test_a_folder_without_what_is_hidden(tmp_path):
    for name in ("a/b/c", "a/d", "e"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a" / "link").symlink_to(tmp_path / "a" / "b")
    assert confinement.without(tmp_path, [tmp_path / "a" / "b"]) == [tmp_path / "a" / "d", tmp_path / "e"]
    assert confinement.without(tmp_path / "a", [tmp_path / "e"]) == [tmp_path / "a"]
    assert confinement.without(tmp_path, [tmp_path]) == confinement.without(tmp_path / "none", []) == []


def forgery(name, course, before=""):
    """The cells of a submission that is forged so, without nbgrader."""
    empty = "".join(f"{called} = None\n" for called, _ in ASKED.values())
    cells = [empty + before, forged(name, course, FOLDER.parent)]
    for number, (called, _) in ASKED.items():
        cells += [f"{called} = globals().get('found', {{}}).get('{number}', {called})", number]
    return cells


@confined
@pytest.mark.parametrize("name", few(["equal to all", "a thread", "speaks for the child"], 1))
def test_forged_submissions_earn_nothing(name, tmp_path):
    assert [each["right"] for each in judged(*forgery(name, tmp_path))] == [False] * len(ASKED)


def test_a_container_is_a_command_before_the_submission(tmp_path):
    """Here a program that is none, and that tells what it was asked to run."""
    place = Path(sys.executable).parent
    program = tmp_path / "container"
    program.write_text(f'#!/bin/sh\necho $1 $5 > {tmp_path}/ran\nshift\nPATH={place}:$PATH exec "$@"\n')
    program.chmod(0o755)
    found = judged(SOLVED["1.2"][0], "1.2", SOLVED["1.4"][0], "1.4", container=[str(program), "image"])
    assert [each["right"] for each in found] == [True, True]
    assert (tmp_path / "ran").read_text().split() == ["image", "workbench.teaching.submission"]


OPEN = """
from workbench.teaching import confinement
confinement.version = lambda: 0
from workbench.teaching.grading import main
main()
"""
# The child has no checkers of its own; this takes them from the disk.
LOAD = f"""
import importlib.util, workbench.teaching.checking as c

def find(name):
    spec = importlib.util.spec_from_file_location("lesson_01", {str(CHECKS / "lesson_01.py")!r})
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return c.EXERCISES[name]

c.find = find
"""


@pytest.mark.parametrize("name", few(["reads the source", "copied code"], 1))
def test_it_is_the_confinement_that_holds(name, tmp_path):
    """The same submissions earn points where a system confines nothing, and the lecturer is told of that."""
    cells = forgery(name, tmp_path, LOAD)
    request, command = asked("import numpy as np", *cells), [sys.executable, "-I", "-c", OPEN]
    done = subprocess.run(command, input=json.dumps(request), text=True, capture_output=True)
    found = json.loads(done.stdout)
    assert not found["confined"]
    assert any(each["right"] for each in found["verdicts"])
    assert [each["right"] for each in judged(*cells)] == [False] * len(ASKED)


@pytest.mark.long
@confined
def test_submissions_through_nbgrader(tmp_path):
    """Right ones earn their points, forged ones nothing, and no page of feedback shows a seed."""
    flagged, rows = {}, list(table(tmp_path / "course"))
    assert len(rows) >= 18
    for name, points, due, flags, said in rows:
        assert points == due, (name, said)
        flagged[name] = flags
    assert {name for name, flags in flagged.items() if flags} >= FLAGGED
    assert not any(flagged[name] for name in ("all is right", "half is right", "nothing is answered"))
    nbgrader(tmp_path / "course", "generate_feedback", LESSON)
    seeds = json.loads((tmp_path / "course" / grading.SEEDS).read_text()).values()
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "course" / "feedback").rglob("*.html")]
    assert len(pages) == len(rows)
    assert not any(str(seed) in page for seed in seeds for page in pages)


# --- what can be imported


def importable(number):
    """What a student could import from a lesson's checkers and hand in, texts put together as well."""
    for module in (f"lesson_{number:02d}", "answers", "checking"):
        for name, value in vars(sys.modules[f"workbench.teaching.{module}"]).items():
            if not name.startswith("__"):
                yield value
                if isinstance(value, set | list | tuple) and all(isinstance(part, str) for part in value):
                    yield "".join(sorted(value))


@pytest.mark.long
@pytest.mark.parametrize("number", [int(path.name[:2]) for path in LESSONS])
def test_no_answer_can_be_imported(number, capsys):
    found = []
    for name in checking.load(number):
        for value in importable(number):
            try:
                check(name, value)
            except NotYet:
                continue
            found.append((name, value))
    assert found == []
