"""Damaged states, models and sparse matrices: no compiled loop leaves its arrays, each refusal says why."""

import json
import os
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from tests.unit.solvers.test_contract import CASES, run_of
from workbench import solvers
from workbench._support.errors import InputError
from workbench.solvers import fields

FUZZ = Path(__file__).parents[2] / "long/fuzz_states.py"
RNG = np.random.default_rng(5)
X = RNG.normal(size=(8, 5)) * (RNG.random((8, 5)) < 0.6)
Y = np.where(X[:, 0] + 0.1 > 0.0, 1.0, -1.0)


# --- declarations


def test_every_field_of_every_state_is_declared():
    cases = {case[0].solver.name: case for case in CASES.values()}
    states = {name: type(run_of(case).state) for name, case in cases.items()}
    assert set(states) == set(solvers.REGISTRY)
    for name, state in states.items():
        # The event is declared by its own type.
        assert {field for field, held in fields.declared(state).items() if held is None} == {"event"}, name


class Sizes(typing.NamedTuple):
    queue: typing.Annotated[np.ndarray, fields.order(lambda state: state.queue.size)]
    part: typing.Annotated[np.ndarray, fields.order(lambda state: state.queue.size, lambda state: 2)]
    numbers: typing.Annotated[np.ndarray, fields.Holds(fields.POSITIVE, fields.SAME, fields.FINITE)]
    kept: fields.Flags
    anything: np.ndarray
    event: np.ndarray


class Event(typing.NamedTuple):
    index: typing.Annotated[int, fields.below(lambda state: state.queue.size)]
    value: float
    done: bool


def fresh():
    queue = np.arange(4, dtype=np.uint32)
    kept, nothing = np.ones(2, dtype=bool), np.full(3, np.nan)
    numbers, event = np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, np.nan, 1.0])
    return Sizes(queue, queue[[2, 0, 0, 0]], numbers, kept, nothing, event)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("queue", [0, 1, 2, 4], r"queue holds 4 at \[3\], which is no whole number from 0 to 3"),
        ("queue", [0, 1, 2, 2**32 - 1], r"queue holds 4294967295 at \[3\]"),
        ("queue", [0, 1, 1, 3], "queue holds 1 more than once in its first 4 places"),
        ("part", [2, 4, 0, 0], r"part holds 4 at \[1\]"),
        ("part", [2, 2, 0, 0], "part holds 2 more than once in its first 2 places"),
        ("numbers", [0.0, 2.0, 3.0, 4.0], r"numbers holds 0.0 at \[0\], which is no finite number above 0"),
        ("numbers", [np.inf, 2.0, 3.0, 4.0], r"numbers holds inf at \[0\]"),
        ("numbers", [1.0, 2.5, 3.0, 4.0], r"numbers holds 2.5 at \[1\], which is not what the problem"),
        ("numbers", [1.0, 2.0, 3.0, np.nan], r"numbers holds nan at \[3\], which is no finite number"),
        ("event", [4.0, 0.0, 1.0], r"event holds 4.0 at \[0\]"),
        ("event", [1.5, 0.0, 1.0], r"event holds 1.5 at \[0\], which is no whole number from 0 to 3"),
        ("event", [1.0, 0.0, 2.0], r"event holds 2.0 at \[2\], which is no whole number from 0 to 1"),
    ],
)
def test_a_field_is_refused_by_its_declaration(name, value, words):
    good = fresh()
    fields.check(good, good, Event, lambda name, fault: InputError(f"{name} {fault}"))
    bad = good._replace(**{name: np.array(value, dtype=getattr(good, name).dtype)})
    with pytest.raises(InputError, match=words):
        fields.check(bad, good, Event, lambda name, fault: InputError(f"{name} {fault}"))


def test_a_truth_value_is_one_of_two_bytes():
    good = fresh()
    bad = good._replace(kept=np.array([1, 7], dtype=np.uint8).view(bool))
    with pytest.raises(InputError, match=r"kept holds 7 at \[1\]"):
        fields.check(bad, good, Event, lambda name, fault: InputError(f"{name} {fault}"))


def test_what_nothing_reads_and_a_fresh_event_are_free():
    good = fresh()
    free = good._replace(part=np.array([3, 1, 9, 9], dtype=np.uint32), event=np.full(3, np.nan))
    fields.check(free, good, Event, lambda name, fault: InputError(f"{name} {fault}"))


# --- files


def fuzzed(count, seed, folder, **environment):
    """What came of so many damaged files, used in a process of their own."""
    command = [sys.executable, FUZZ, str(count), str(seed), str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=FUZZ.parent, env=os.environ | environment
    )
    # The last line names the file that was being used.
    assert done.returncode == 0, (done.returncode, done.stdout[-300:], done.stderr[-3000:])
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.pop("faults") == []
    assert sum(found.values()) == count
    return found


def test_damaged_files_are_refused_or_used(tmp_path):
    # Without the check of the declarations this seed ends in a signal.
    found = fuzzed(200, 3, tmp_path)
    assert min(found["used"], found["refused"]) > 50


@pytest.mark.long
def test_ten_thousand_damaged_files_are_refused_or_used(tmp_path):
    found = fuzzed(10_000, 1, tmp_path)
    assert min(found["used"], found["refused"]) > 2000


@pytest.mark.long
def test_no_access_lies_outside_of_its_array(tmp_path):
    # Most that do end in no signal; compiled with tests of every index, they end in an IndexError.
    bounds = {"NUMBA_BOUNDSCHECK": "1", "WORKBENCH_CACHE": str(tmp_path / "cache")}
    fuzzed(990, 7, tmp_path, **bounds)


# --- sparse matrices


def part(name, change):
    """Change one of the arrays of a matrix in place of it."""
    return lambda matrix: setattr(matrix, name, change(getattr(matrix, name).copy()))


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


def lists(row):
    def change(matrix):
        matrix.rows[0], matrix.data[0] = row, [1.0]

    return change


def outside(matrix):
    matrix.coords = (matrix.coords[0] + 100, matrix.coords[1])


def shorter(matrix):
    matrix.coords = (matrix.coords[0][:-1], matrix.coords[1])


BROKEN = [
    ("csr", part("indices", put(2, 99)), r"X.indices\[2\] is 99, which is not from 0 to 4"),
    ("csr", part("indices", put(0, -1)), r"X.indices\[0\] is -1"),
    ("csr", part("indices", lambda array: array.astype(float)), "X.indices holds float64"),
    ("csr", part("indices", lambda array: array[:-2]), "X.indptr ends with"),
    ("csr", part("data", lambda array: array[:-2]), "X.indptr ends with"),
    ("csr", part("data", lambda array: array[:, None]), "too many dimensions"),
    ("csr", part("indptr", put(2, 10**6)), "X.indptr does not rise from 0"),
    ("csr", part("indptr", put(-1, 10**6)), "X.indptr ends with 1000000"),
    ("csr", part("indptr", put(0, 1)), "X.indptr does not rise from 0"),
    ("csr", part("indptr", lambda array: array[:-1]), "where 9 whole numbers are needed"),
    ("csc", part("indices", put(0, 8)), r"X.indices\[0\] is 8, which is not from 0 to 7"),
    ("csc", part("indptr", put(1, -5)), "X.indptr does not rise from 0"),
    ("bsr", part("indices", put(0, 99)), r"X.indices\[0\] is 99"),
    ("bsr", part("data", lambda array: array[:1]), "X.indptr ends with"),
    ("coo", outside, r"X.row\[0\] is 100, which is not from 0 to 7"),
    ("coo", shorter, "do not fit together"),
    ("lil", lists([77]), r"X.rows\[0\] is 77"),
    ("lil", lists([1, 2]), "other lengths"),
    ("lil", lists(["a"]), "whole numbers are needed"),
    ("dia", part("offsets", lambda array: array[:-1]), "X.offsets"),
]


@pytest.mark.parametrize(("kind", "damage", "words"), BROKEN)
@pytest.mark.parametrize("place", ["problem", "test", "predict", "kernel"])
def test_a_sparse_matrix_with_indices_outside_of_it_is_refused(kind, damage, words, place):
    square = np.zeros((8, 8))
    square[:, :5] = X
    matrix = getattr(sp, f"{kind}_array")(square if place == "kernel" else X)
    damage(matrix)
    problem = wb.Problem(X, Y, "hinge", lam=0.1)
    use = {
        "problem": lambda: wb.Problem(matrix, Y, "hinge", lam=0.1),
        "test": lambda: wb.Run(problem, test=(matrix, Y)),
        "predict": lambda: wb.solve(problem, tol=1e-2).predict(matrix),
        "kernel": lambda: wb.Problem(matrix, Y, "hinge", lam=0.1, kernel="precomputed"),
    }[place]
    # The bounds in the words are those of X.
    words = words.partition(", which")[0].replace("9 whole", "whole").replace("where whole", "whole")
    with pytest.raises(InputError, match=f"{words}.*make the matrix anew"):
        use()


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "lil", "dia", "dok"])
def test_a_sparse_matrix_of_any_kind_is_what_it_holds(kind):
    matrix = getattr(sp, f"{kind}_array")(X)
    np.testing.assert_array_equal(wb.Problem(matrix, Y, "hinge", lam=0.1).design.rows.toarray(), X)


def test_duplicates_and_unsorted_indices_count_whatever_the_flags_say():
    values, columns = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2, 2, 3, 1, 0])
    offsets = [0, 2, 5, 5, 5, 5, 5, 5, 5]
    plain = np.zeros((8, 5))
    for row, start, end in zip(range(8), offsets, offsets[1:], strict=False):
        np.add.at(plain[row], columns[start:end], values[start:end])
    matrix = sp.csr_array((values, columns, offsets), shape=(8, 5))
    matrix.has_canonical_format = matrix.has_sorted_indices = True
    design = wb.Problem(matrix, Y, "hinge", lam=0.1).design
    np.testing.assert_array_equal(design.rows.toarray(), plain)
    np.testing.assert_array_equal(design.rows.indices, [2, 0, 1, 3])
    # The caller's own is as it was.
    np.testing.assert_array_equal(matrix.indices, columns)
