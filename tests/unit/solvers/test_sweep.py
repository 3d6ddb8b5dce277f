"""`wb.sweep`: every combination once, with the certificate that `wb.solve` gives."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import samples

X, LABELS, _ = samples(n=24, d=5, seed=2)
GRID = {
    "lam": [0.1, 0.02],
    "regularizer": ["squared-l2", wb.regularizers.ElasticNet(epsilon=0.2)],
    "seed": range(2),
}


def sweep(grid, **options):
    problem = wb.Problem(X, LABELS, "logistic", lam=1.0)
    return wb.sweep(problem, grid, **{"scheduler": "synchronous", "cache": None} | options)


def test_a_row_is_what_solve_gives():
    table = sweep(GRID, test=(X, LABELS), tol=1e-4)
    assert list(table["lam"]) == [0.1] * 4 + [0.02] * 4
    assert list(table["regularizer"][:3]) == ["squared-l2"] * 2 + ["elastic-net:epsilon=0.2"]
    for row in table.itertuples():
        problem = wb.Problem(X, LABELS, "logistic", row.regularizer, lam=row.lam)
        alone = wb.solve(problem, "gauss-seidel", tol=1e-4, seed=row.seed, test=(X, LABELS))
        assert (row.primal, row.gap, row.status) == (alone.primal, alone.gap, "converged")
        assert row.nonzeros == np.count_nonzero(alone.w)
        assert row.test_score == alone.history["test_score"].iloc[-1]


def test_parameters_of_the_solver_are_a_part_of_the_grid(tmp_path):
    solver = wb.solvers.GaussSeidel(update="gradient")
    options = {"solver": solver, "max_epochs": 3, "cache": tmp_path}
    first = sweep({"eta": [0.001, 0.01]}, **options)
    assert first["primal"][0] != first["primal"][1]
    assert sweep({"eta": np.array([0.01])}, **options)["seconds"][0] == first["seconds"][1]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"lambda": [1.0]}, "'lambda' is nothing that a grid varies; use lam, "),
        ({"lam": 0.1}, "lam = 0.1 is one value; put the values into a list"),
        ({"regularizer": "squared-l2"}, "is one value"),
        ({"lam": []}, "lam has no values"),
        ({"lam": [0.1, -1.0]}, "lam = -1"),
        ({"regularizer": ["squared-l3"]}, "did you mean 'squared-l2'"),
        ({"scale": [0.0]}, "scale = 0"),
        ({"eta": [0.1]}, "eta changes nothing with update = 'exact'"),
    ],
)
def test_a_grid_that_cannot_be_used_is_refused_before_anything_runs(grid, message):
    with pytest.raises(wb.InputError, match=message):
        sweep(grid)
