"""Compiled products: right to rounding, one order of sums whatever does them, and free to run anywhere.

That order is the same for one row and four, and for any number of threads.
"""

import json
import math
import os
import re
import subprocess
import sys
from fractions import Fraction

import numba
import numpy as np
import pytest
import scipy.sparse as sp
from numba import njit

import workbench as wb
from tests.helpers.amounts import few
from workbench._support.errors import InputError
from workbench.kernels import (
    bias_loops,
    compilation,
    interval_loops,
    lanes,
    products,
    proximal,
    sample_loops,
    threads,
)
from workbench.problems.design import Design

SHAPES = ((1, 1), (1, 40), (3, 2), (4, 8), (7, 15), (9, 16), (13, 31), (50, 37), (5000, 3), (33, 200))
# Rounding of a sum of m products, over the sum of their magnitudes.
UNITS = 2.0**-52


def designs(X):
    yield "by rows", Design(np.ascontiguousarray(X))
    yield "by columns", Design(np.asfortranarray(X))
    yield "strided", Design(np.repeat(X, 2, axis=1)[:, ::2])
    yield "sparse", Design(sp.csr_array(X))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_are_right_to_rounding(shape):
    rng = np.random.default_rng(0)
    X, w, alpha = rng.normal(size=shape), rng.normal(size=shape[1]), rng.normal(size=shape[0])
    alpha[rng.random(shape[0]) < 0.5] = 0.0
    z = [math.fsum(row * w) for row in X]
    v = [math.fsum(column * alpha) for column in X.T]
    for name, design in designs(X):
        loose = UNITS * sum(shape)
        assert (np.abs(design @ w - z) <= loose * (np.abs(X) @ np.abs(w))).all(), name
        assert (np.abs(design.transposed(alpha) - v) <= loose * (np.abs(X.T) @ np.abs(alpha))).all(), name


@pytest.mark.parametrize("rows", [5, 500, 5000])
def test_product_by_columns_is_within_its_chain_rescaled_or_not(rows):
    rng = np.random.default_rng(rows)
    X = np.asfortranarray(rng.normal(size=(rows, 2)) * 10.0 ** rng.integers(-6, 7, (rows, 2)))
    alpha, design = rng.normal(size=rows), Design(X)
    design.transposed(alpha)
    for scale in (1.0, 1.0 / 3.0, 0.7, 1e-3):
        design.rescale(alpha, scale)
        alpha = scale * alpha
        terms = [[Fraction(x) * Fraction(a) for x, a in zip(X[:, j], alpha, strict=True)] for j in range(2)]
        off = Fraction(interval_loops.gamma(design.chain(alpha)))
        known = design.transposed(alpha).tolist()
        for total, column in zip(known, terms, strict=True):
            assert abs(Fraction(total) - sum(column)) <= off * sum(map(abs, column))
    design.rescale(alpha + 1.0, 2.0)
    assert design.transposed(alpha).tolist() == known


@pytest.mark.parametrize("shape", [(40, 30), (3000, 7), (1, 1)])
def test_fingerprint_is_that_of_the_entries_in_their_places(shape):
    X = np.random.default_rng(0).normal(size=shape) * (np.random.default_rng(1).random(shape) < 0.6)
    X[0, 0] = -0.0
    stored = [X.copy(), np.asfortranarray(X), sp.csr_array(X), sp.csc_array(X), np.where(X == 0.0, 0.0, X)]
    assert len({Design(matrix).fingerprint for matrix in stored}) == 1
    X[-1, -1] = np.nextafter(X[-1, -1], 2.0)
    assert Design(X).fingerprint != Design(stored[0]).fingerprint
    moved = {Design(matrix).fingerprint for matrix in (X, X[::-1], X[:, ::-1], X.T)}
    assert len(moved) == (1 if X.size == 1 else 4)


def test_binary_features_need_no_values():
    X = (np.random.default_rng(0).random((40, 30)) < 0.1).astype(float)
    design = Design(sp.csr_array(X))
    assert design.matrix.values.size == 0
    w, alpha = np.arange(30.0), np.arange(40.0)
    np.testing.assert_array_equal(design @ w, X @ w)
    np.testing.assert_array_equal(design.transposed(alpha), X.T @ alpha)


@njit
def four(out, x, stride, y, count):
    lanes.dot_four(out, np.uint64(0), x, np.uint64(0), stride, y, count)


@njit
def one(x, start, y, count):
    return lanes.dot(x, start, y, np.uint64(0), count)


def test_four_rows_at_once_are_four_rows_to_the_bit():
    rng = np.random.default_rng(0)
    for count in range(1, 70):
        x, y, out = rng.normal(size=4 * count), rng.normal(size=count), np.empty(4)
        four(out, x, np.uint64(count), y, np.uint64(count))
        alone = [one(x, np.uint64(k * count), y, np.uint64(count)) for k in range(4)]
        np.testing.assert_array_equal(out, alone)


def test_a_sum_has_the_order_that_it_promises():
    """Sixteen chains, then one of each lane of four, two and one: by hand, to the bit."""
    rng = np.random.default_rng(0)
    for count in (1, 2, 3, 7, 8, 15, 16, 23, 40, 61):
        x, y = rng.normal(size=count), rng.normal(size=count)
        products, chains, k = x * y, np.zeros((2, 8)), 0
        while k + 16 <= count:
            chains, k = chains + products[k : k + 16].reshape(2, 8), k + 16
        if k + 8 <= count:
            chains[0], k = chains[0] + products[k : k + 8], k + 8
        total = chains[0] + chains[1]
        for width in (4, 2, 1):
            total = total[:width] + total[width:]
            if k + width <= count:
                total, k = total + products[k : k + width], k + width
        assert one(x, np.uint64(0), y, np.uint64(count)) == total[0]


RUN = """
import hashlib, json, sys
import numpy as np, scipy.sparse as sp
import workbench as wb
from workbench.kernels import threads
rng = np.random.default_rng(0)
digest = hashlib.sha256()
n = 3 * 2**16
X = rng.normal(size=(n, 6))
y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
pieces = []
for data in (X, np.asfortranarray(X), sp.csr_array(X)):
    for loss, bias in (("hinge", False), ("logistic", True)):
        problem = wb.Problem(data, y, loss, lam=1e-3, bias=bias)
        pieces.append(len(problem.design.pieces))
        for point in ({"w": rng.normal(size=6)}, {"alpha": problem.alpha(np.full(n, -0.25))}):
            c = wb.certificate(problem, **point)
            for value in (c.primal, c.dual, c.gap, c.w, c.alpha, c.z, c.sample_terms):
                digest.update(np.asarray(value).tobytes())
import numba
print(json.dumps([digest.hexdigest(), min(pieces), numba.config.NUMBA_NUM_THREADS]))
"""


@pytest.mark.long
def test_results_are_equal_for_every_number_of_threads():
    digests = []
    for count in ("1", "2"):
        environment = {**os.environ, "NUMBA_NUM_THREADS": count}
        output = subprocess.run(
            [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True
        )
        digest, pieces, used = json.loads(output.stdout)
        assert pieces > 1
        assert used == int(count)
        digests.append(digest)
    assert digests[0] == digests[1]


def test_each_piece_is_done_once_whoever_does_it(monkeypatch):
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 3)
    assert threads.mapped(lambda k: k * k, range(100)) == [k * k for k in range(100)]
    with pytest.raises(ZeroDivisionError):
        threads.mapped(lambda k: 1 // k, [1, 2, 0, 3])
    for rows, count in ((1, 5), (7, 3), (100, 32), (100, 1000)):
        pieces = threads.pieces(rows, count)
        assert [k for first, last in pieces for k in range(first, last)] == list(range(rows))


def test_a_solve_wakes_as_many_threads_as_it_may(monkeypatch):
    woken = []
    pool = threads._pool
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 3)
    monkeypatch.setattr(threads, "_pool", lambda: woken.append(1) or pool())
    X = np.random.default_rng(0).normal(size=(2**18, 6))
    problem = wb.Problem(X, np.sign(X[:, 0]), "logistic", lam=0.1)
    woken.clear()  # of reading the data
    alone = wb.solve(problem, tol=1e-3, threads=1)
    assert not woken
    together = wb.solve(problem, tol=1e-3, threads=3)
    assert woken
    assert alone.gap <= 1e-3 * alone.primal
    assert alone.w == pytest.approx(together.w, rel=1e-9)
    with pytest.raises(
        InputError, match=r"solve: threads = 0 is not a whole number, 1 or more; write threads=2"
    ):
        wb.solve(problem, threads=0)


# What travels: compiled functions that allocate nothing and call nothing but elementary functions.
LOOPS = {
    "predictions": products.predictions,
    "transposed": products.transposed,
    "dual points": sample_loops.dual_points,
    "terms": sample_loops.sample_terms,
    "values": sample_loops.value_sum,
    "repairs": sample_loops.feasible,
    "bias": bias_loops.newton,
    "best bias at kinks": bias_loops.straight,
    "balanced": bias_loops.balanced,
    "proximal point": proximal.point,
}
ELEMENTARY = {"sqrt", "exp", "log", "pow", "sinh", "asinh", "numba_frexp", "numba_ldexp"}
# How arguments come from Python and errors go back to it, which a page leaves out.
GLUE = ("llvm.", "Py", "numba_gil", "numba_do_raise", "numba_runtime", "numba_unpickle")
COUNTS = {"NRT_Free", "NRT_MemInfo_call_dtor", "NRT_adapt_ndarray_from_python", "NRT_incref", "NRT_decref"}


@pytest.mark.parametrize("name", few(LOOPS, 3))
def test_what_a_page_runs_allocates_nothing_and_calls_no_library(name, monkeypatch):
    made = []
    monkeypatch.setattr(compilation, "jit", lambda *arguments, **options: made.append(arguments))
    LOOPS[name].__wrapped__()
    ((function, signature),) = made
    compiled = numba.njit(**compilation.OPTIONS)(function)
    compiled.compile(signature)
    (known,) = compiled.signatures
    outside = set(re.findall(r'^declare [^@]*@"?([\w.$]+)', compiled.inspect_llvm(known), flags=re.M))
    assert {other for other in outside if not other.startswith(GLUE)} <= ELEMENTARY | COUNTS
