"""Kernels in Python have the bits of their machine code and are compiled when it is worth it."""

import math
import os
import subprocess
import sys

import numba
import numpy as np
import pytest

import workbench as wb
from workbench._support.system import storage
from workbench.kernels import compilation, kernel_cache, lanes
from workbench.kernels.compilation import FLOAT, OFFSET, VECTOR, WRITABLE, Argument, Waiting

# Each loss and regularizer with the rule's solver; each solver where it takes hinge or logistic.
SOLUTIONS = """
import hashlib, sys, warnings
import numpy as np
import scipy.sparse as sp
import workbench as wb
from workbench.kernels import compilation
from workbench.solvers import in_turn
from workbench.solvers.solution import Solution, reach

compilation.patience = float(sys.argv[1])
in_turn.PATIENCE = float("inf")  # no solver is left because it, or its compilation, takes long
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.normal(size=(24, 5))
z = X @ np.arange(1.0, 6.0)
y, classes = np.where(z > 0.0, 1.0, -1.0), np.digitize(z, [-1.0, 1.0])
sparse = sp.csr_array(np.where(abs(X) > 0.7, X, 0.0))
custom = wb.losses.custom("u**2/2 + exp(-u)", kind="residual")  # its conjugate by a root in numbers
pairs = [(loss, "squared-l2") for loss in (*wb.losses.REGISTRY, custom)]
pairs += [(loss, name) for loss in ("logistic", "huber", "multinomial") for name in wb.regularizers.REGISTRY]
cases = [(loss, name, {}, "auto") for loss, name in pairs]
cases += [(loss, "squared-l2", {"bias": True}, solver)
          for loss in ("hinge", "logistic") for solver in wb.solvers.REGISTRY]
cases += [("hinge", "squared-l2", {"kernel": kind, "bias": True}, "auto")
          for kind in ("rbf", "polynomial", "linear")]
GROUPS = {"tree": [[0], [1], [0, 1], [2], [3], [4]]}
for k, (loss, name, options, solver) in enumerate(cases):
    regularizer = wb.regularizers.REGISTRY[name]
    if "group" in name or name in GROUPS:
        regularizer = regularizer(groups=GROUPS.get(name, [[0, 1], [2, 3, 4]]))
    else:
        regularizer = regularizer()
    labels = classes if loss == "multinomial" else y
    try:
        problem = wb.Problem((X, sparse)[k % 2], labels, loss, regularizer, lam=0.1, **options)
        solution = Solution.of(*reach(problem, solver, max_epochs=30))  # `solves` stays 0
    except wb.InputError:
        continue
    arrays = [np.asarray(a).tobytes() for a in (solution.w, solution.alpha) if a is not None]
    print(loss, name, solver, hashlib.sha256(b"".join(arrays)).hexdigest(), repr(solution.gap))
print(compilation.progress["done"])
"""


def solutions(patience, folder=None):
    """Solve in a new process; return a line for each solution and the number of compiled functions."""
    environment = os.environ | ({storage.CACHE: str(folder)} if folder else {})
    command = [sys.executable, "-c", SOLUTIONS, str(patience)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    *lines, count = done.stdout.splitlines()
    return lines, int(count)


def test_solutions_are_the_same_to_the_bit(tmp_path):
    python, python_count = solutions(math.inf, tmp_path)
    machine, machine_count = solutions(0.0)
    assert python_count == 0
    assert machine_count > 100
    assert len(machine) > 70
    assert python == machine


def hard(x: FLOAT, values: VECTOR) -> tuple[FLOAT, FLOAT, FLOAT, FLOAT, FLOAT]:
    """Python raises an error for each of these."""
    large, product = math.exp(values[0]), values[0] * 1e306
    scaled = math.ldexp(1.0, 3000) / x
    return math.log(x) - large, 1.0 / x, math.sinh(-values[0]), scaled, product * product - large


def doubled(x: VECTOR, out: WRITABLE) -> OFFSET:
    for k in range(x.shape[0]):
        out[k] = 2.0 * x[k]
    return np.uint64(x.shape[0]) - np.uint64(1)


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache without machine code."""
    monkeypatch.setattr(kernel_cache, "folder", lambda: tmp_path)


def test_no_number_raises_an_error(empty, monkeypatch):
    results = []
    for patience in (math.inf, 0.0):
        monkeypatch.setattr(compilation, "patience", patience)
        function = compilation.lazy_jit(hard)()
        results.append(function(0.0, np.array([1000.0])))
        assert type(function) is (Waiting if patience else Argument)
        assert {type(number) for number in results[-1]} == {float}
    np.testing.assert_array_equal(*results)
    assert np.isinf(results[0][:4]).all()
    assert np.isnan(results[0][4])


def test_a_function_is_compiled_once_python_has_taken_as_long(empty):
    function, x, out = compilation.lazy_jit(doubled)(), np.arange(5.0), np.empty(5)
    for _ in range(3):
        assert (type(function), function(x, out)) == (Waiting, 4)
    function.python_seconds = function.cost
    assert (function(x, out), type(function)) == (4, Argument)
    np.testing.assert_array_equal(out, 2.0 * x)


def test_a_function_is_compiled_when_a_first_solve_has_ended(empty, monkeypatch):
    function, x = compilation.lazy_jit(doubled)(), np.arange(5.0)
    assert (function(x, np.empty(5)), type(function)) == (4, Waiting)
    monkeypatch.setitem(compilation.progress, "solves", compilation.progress["solves"])
    wb.solve(wb.Problem([[1.0], [-1.0]], [1.0, -1.0], "squared", lam=0.1))
    assert (function(x, np.empty(5)), type(function)) == (4, Argument)


def test_machine_code_of_another_process_is_taken(empty):
    first, second = (compilation.lazy_jit(doubled)() for _ in range(2))
    x = np.arange(5.0)
    assert (second(x, np.empty(5)), type(second)) == (4, Waiting)
    first.make()
    assert (second(x, np.empty(5)), type(second), len(second.stats.cache_hits)) == (4, Argument, 1)


def test_large_arrays_do_not_wait_for_python(empty):
    function, x = compilation.lazy_jit(doubled)(), np.arange(1e6)
    out = np.empty_like(x)
    assert (function(x, out), type(function)) == (999_999, Argument)
    np.testing.assert_array_equal(out, 2.0 * x)


@pytest.mark.parametrize("count", [*range(20), 31, 40, 63, 64, 200])
def test_vectors_of_python_are_those_of_the_machine(count):
    rng = np.random.default_rng(count)
    x, y, factors = rng.normal(size=4 * count + 3), rng.normal(size=count), rng.normal(size=4)
    start, stride, size = np.uint64(3), np.uint64(count), np.uint64(count)

    def both(x, y, factors, four, one, all_four):
        zero = np.uint64(0)
        lanes.dot_four(four, zero, x, start, stride, y, size)
        lanes.add_one(one, x, start, size, factors[0])
        lanes.add_four(all_four, x, start, stride, size, factors[0], factors[1], factors[2], factors[3])
        return lanes.dot(x, start, y, zero, size)

    results = []
    for function in (both, numba.njit(both)):
        out = np.zeros(4), y.copy(), y.copy()
        results.append([function(x, y, factors, *out), *out])
    for python, machine in zip(*results, strict=True):
        np.testing.assert_array_equal(python, machine)
