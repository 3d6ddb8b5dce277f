"""Features of ones and zeros: loops that do not read the ones take the same steps, to the bit."""

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from workbench.problems.design import Design
from workbench.solvers import GaussSeidel, PrimalGradient

STEPS = 600


def binary(n=90, d=40, seed=3):
    rng = np.random.default_rng(seed)
    # Rows of 0 to some 20 ones: every remainder of the loops that take four at a time.
    X = sp.csr_array((rng.random((n, d)) < rng.uniform(0.0, 0.5, (n, 1))).astype(float))
    return X, np.where(rng.random(n) < 0.4, 1.0, -1.0)


@pytest.mark.parametrize("bias", [False, "constant"])
@pytest.mark.parametrize(
    ("loss", "regularizer", "solver"),
    [
        ("hinge", "squared-l2", GaussSeidel()),
        ("squared-hinge", "squared-l2", GaussSeidel(shrinking=True)),
        ("logistic", "squared-l2", GaussSeidel(update="gradient")),
        ("hinge", "squared-l2", PrimalGradient()),
        ("logistic", "p-norm:p=1.8", PrimalGradient(batch=7, output="average")),
        ("logistic", "p-norm:p=1.3,ball=2", PrimalGradient(batch=7)),
    ],
)
def test_the_steps_are_those_with_the_ones(loss, regularizer, solver, bias):
    X, y = binary()
    lean, full = (wb.Problem(X, y, loss, regularizer, lam=1e-2, bias=bias) for _ in range(2))
    full.design.__dict__["lean_arrays"] = full.row_arrays
    assert [p.lean_arrays[2].size for p in (lean, full)] == [0, full.row_arrays[2].size]
    runs = [wb.Run(p, solver, seed=5) for p in (lean, full)]
    for run in runs:
        assert run.step(STEPS) == STEPS
    for name, array in runs[0].state._asdict().items():
        assert array.tobytes() == getattr(runs[1].state, name).tobytes(), name


def test_only_ones_are_left_out():
    X, _ = binary()
    other = X.copy()
    other.data[-1] = 2.0
    assert Design(X).lean_arrays[2].size == 0
    assert np.array_equal(Design(other).lean_arrays[2], other.data)
