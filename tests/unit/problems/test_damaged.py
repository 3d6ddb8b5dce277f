"""Damaged models and sparse matrices: no compiled loop leaves its arrays, each refusal says why."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from workbench._support.errors import InputError

FUZZ = Path(__file__).parents[2] / "long/fuzz_models.py"
RNG = np.random.default_rng(5)
X = RNG.normal(size=(8, 5)) * (RNG.random((8, 5)) < 0.6)
Y = np.where(X[:, 0] + 0.1 > 0.0, 1.0, -1.0)


# --- files


def fuzzed(count, seed, folder, **environment):
    """Return the outcomes of damaged files, used in a process of their own."""
    command = [sys.executable, FUZZ, str(count), str(seed), str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=FUZZ.parent, env=os.environ | environment
    )
    # The last line names the file that was being used.
    assert done.returncode == 0, (done.returncode, done.stdout[-300:], done.stderr[-3000:])
    outcomes = json.loads(done.stdout.splitlines()[-1])
    assert outcomes.pop("faults") == []
    assert sum(outcomes.values()) == count
    return outcomes


def test_damaged_files_are_refused_or_used(tmp_path):
    outcomes = fuzzed(80, 3, tmp_path)
    assert min(outcomes["used"], outcomes["refused"]) > 20


@pytest.mark.long
def test_ten_thousand_damaged_files_are_refused_or_used(tmp_path):
    # Compiled with tests of every index, since most accesses outside of an array end in no signal.
    bounds = {"NUMBA_BOUNDSCHECK": "1", "WORKBENCH_CACHE": str(tmp_path / "cache")}
    outcomes = fuzzed(10_000, 1, tmp_path, **bounds)
    assert min(outcomes["used"], outcomes["refused"]) > 2000


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
