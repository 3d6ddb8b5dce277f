"""A solve that ends before its gap says so, and what to try, which is never what was done."""

import re
import warnings

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import WorkbenchWarning
from workbench.solvers import unconverged
from workbench.solvers.solution import Solution, attempt

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 6))
LABELS = np.where(X @ RNG.normal(size=6) + 0.5 * RNG.normal(size=80) > 0.0, 1.0, -1.0)
SKEWED = X * np.logspace(-3, 3, 6)


def warned(problem, *arguments, **options):
    """The solution and what was said of it, where something has to be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WorkbenchWarning)
        warnings.simplefilter("error", wb.ConvergenceWarning)
        with pytest.raises(wb.ConvergenceWarning) as caught:
            wb.solve(problem, *arguments, **options)
        return attempt(problem, *arguments, **options), str(caught.value)


def test_a_solve_that_converges_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wb.solve(wb.Problem(X, LABELS, "logistic", lam=0.1)).status == "converged"


def test_the_warning_is_of_the_line_that_called():
    with pytest.warns(wb.ConvergenceWarning) as caught:
        wb.solve(wb.Problem(X, LABELS, "hinge", lam=1e-3), "gauss-seidel", max_epochs=1)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(wb.ConvergenceWarning) as caught:
        wb.path(wb.Problem(X, LABELS, "hinge"), [0.1, 1e-4], "gauss-seidel", tol=1e-9, max_epochs=1)
    assert {warning.filename for warning in caught} == {__file__}


ENDS = {
    "gauss-seidel": ("hinge", 1e-6, "gauss-seidel", {"max_epochs": 3}),
    "auto": ("logistic", 1e-6, "auto", {"max_epochs": 1}),
    "auto's choice by name": ("logistic", 1e-3, "newton", {"max_epochs": 1}),
    "below rounding": ("logistic", 1e-3, "auto", {"tol": 1e-17}),
    "no gap at all": ("hinge", 1e-3, "gauss-seidel", {"tol": 0.0, "max_epochs": 50}),
    "a criterion of its own": ("hinge", 1e-2, wb.solvers.MaximalViolatingPair(tol=0.5), {"tol": 1e-12}),
    "too long steps": ("logistic", 1e-6, wb.solvers.GaussSeidel("gradient", eta=1e6), {"max_epochs": 50}),
    "an online rule": ("hinge", 1e-3, "perceptron", {"max_epochs": 4}),
    "a scheme of draws": ("hinge", 1e-3, "primal-gradient", {"max_epochs": 4}),
}


@pytest.mark.parametrize("case", ENDS)
@pytest.mark.parametrize("data", [X, SKEWED], ids=["even", "skewed"])
def test_the_advice_is_not_what_was_done(case, data):
    loss, lam, solver, options = ENDS[case]
    problem = wb.Problem(
        data, LABELS, loss, lam=lam, bias=isinstance(solver, wb.solvers.MaximalViolatingPair)
    )
    solution, text = warned(problem, solver, **options)
    assert f"({solution.status})" in text
    assert f"{solution.relative_gap:.1e} where {options.get('tol', 1e-6):g} was asked for" in text
    tried = text.partition(" was asked for; ")[2]
    assert "try " in tried or "give " in tried
    chosen = wb.Run(problem, "auto").solver.name
    if solver == "auto" or solution.solver == chosen:
        assert "'auto'" not in tried
    assert f"solver='{solution.solver}'" not in tried
    for number in re.findall(r"\bmax_epochs=([\d.e+]+)", tried):
        assert solution.status == "max_epochs"
        assert float(number) > options.get("max_epochs", 1000)
    for number in re.findall(r"\btol=([\d.e-]+\d)", tried):
        assert float(number) > options.get("tol", 1e-6) or "MaximalViolatingPair" in tried
    if options.get("tol", 1.0) < 1e-16:
        assert "max_epochs" not in tried
    if data is X:
        assert "standardized" not in tried


def test_what_is_advised_works():
    """Each of the fixes, taken at its word, converges, or comes nearer than before."""
    problem = wb.Problem(X, LABELS, "hinge", lam=1e-3)
    solution, text = warned(problem, "gauss-seidel", max_epochs=20)
    assert "solver='auto' (here " in text
    assert wb.solve(problem, "auto").status == "converged"
    tol = float(re.search(r"\btol=([\d.e-]+\d)", text)[1])
    assert wb.solve(problem, "gauss-seidel", max_epochs=20, tol=tol).status == "converged"
    epochs = float(re.search(r"max_epochs=(\d+)", text)[1])
    assert attempt(problem, "gauss-seidel", max_epochs=epochs).relative_gap < solution.relative_gap


def test_rounding_is_told_by_a_tolerance_that_is_reached():
    problem = wb.Problem(X, LABELS, "logistic", lam=1e-3)
    _, text = warned(problem, tol=1e-17)
    tol = float(re.search(r"\btol=([\d.e-]+\d)", text)[1])
    assert 1e-17 < tol <= 1e-8
    assert wb.solve(problem, tol=tol).status == "converged"


def test_a_table_that_does_not_converge(tmp_path):
    options = {"solver": "gauss-seidel", "penalize_intercept": True, "tol": 1e-9, "max_epochs": 1}
    with pytest.warns(wb.ConvergenceWarning, match="not converged") as caught:
        model = wb.fit(X, LABELS, lam=1e-6, loss="hinge", **options)
    assert caught[0].filename == __file__
    assert model.solution.status == "max_epochs"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wb.fit(X, LABELS, lam=1e-2)


def test_a_crawl_never_advises_what_chose_the_solver():
    problem = wb.Problem(SKEWED, LABELS, "logistic")
    run = wb.Run(problem, "auto")
    assert "'auto'" not in unconverged.crawling(run)
    assert "standardize them, or use solver='auto' (here " in unconverged.crawling(
        wb.Run(problem, "gauss-seidel")
    )
    assert unconverged.crawling(wb.Run(wb.Problem(X, LABELS), "gauss-seidel")) == ""


def test_an_interrupt_is_told_as_one():
    run = wb.Run(wb.Problem(X, LABELS, "hinge", lam=1e-6), "gauss-seidel")
    run.until(1e-12, 1e6, stop=lambda: True)
    assert run.status == "interrupted"
    assert unconverged.sentence(run, Solution.of(run)).startswith("interrupted at epoch ")
