"""Objects are freed with their last name: a cycle of references would keep data until a collection."""

import gc
import weakref

import numpy as np
import pytest

import workbench as wb

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 20))
Y = np.sign(X[:, 0] + 0.1)
CASES = {
    "lasso": (Y, "squared", "l1", {}, "auto"),
    "free bias": (Y, "squared", "l1", {"bias": True}, "auto"),
    "far columns": (Y, "logistic", "squared-l2", {"bias": True}, "auto"),
    "svm": (Y, "hinge", "squared-l2", {"bias": True}, "auto"),
    "dual steps": (Y, "hinge", "squared-l2", {}, "gauss-seidel"),
    "kernel": (Y, "hinge", "squared-l2", {"kernel": "rbf"}, "auto"),
    "classes": ((Y > 0).astype(int), "multinomial", "squared-l2", {}, "auto"),
    "columns": (np.column_stack([Y, -Y]), "squared", "trace", {}, "auto"),
    "primal steps": (Y, "logistic", "p-norm:p=1.5", {}, "primal-gradient"),
    "cones": (Y, "hinge", "l1", {}, "conic"),
    "constraints": (Y, "hinge", "squared-l2", {"constraints": (np.ones((1, 20)), [0.0])}, "auto"),
    "weights": (Y, "hinge", "squared-l2", {"weight_constraints": (np.ones((1, 20)), [0.0])}, "auto"),
}


@pytest.mark.parametrize(("y", "loss", "regularizer", "options", "solver"), CASES.values(), ids=CASES)
def test_a_problem_is_freed_with_its_last_name(y, loss, regularizer, options, solver):
    rows = X + 1e6 if "bias" in options and loss == "logistic" else X
    problem = wb.Problem(rows, y, loss, regularizer, lam=0.1, **options)
    solution = wb.solve(problem, solver, tol=1e-3)
    point = wb.certificate(problem, alpha=solution.alpha)
    seen = weakref.ref(problem), weakref.ref(problem.design)
    gc.disable()
    try:
        del problem, point
        assert [reference() for reference in seen] == [None, None]
    finally:
        gc.enable()
