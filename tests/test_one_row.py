"""One row in `terms` is all that a loss or a regularizer needs: solved, certified and raced."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
LOSS = """
    LossTerm(
        "pseudo-huber",
        "residual",
        value=DELTA**2 * (sp.sqrt(1 + (U / DELTA) ** 2) - 1),
        parameters=(DELTA,),
        defaults=(1,),
        source="a test",
    ),
    LossTerm(
        "pinball",
        "residual",
        value=sp.Piecewise((-(1 - P) * U, U < 0), (P * U, True)),
        parameters=(P,),
        ranges=(("p", "0 < p < 1"),),
        source="a test",
    ),
)
"""
REGULARIZER = """
    RegularizerTerm("cosh", primal=sp.cosh(W) - 1, source="a test"),
)
"""
# Each line of its output is one cell: what was solved, with its gap, or the refusal.
SCRIPT = """
import json, pickle
import numpy as np
import workbench as wb
rng = np.random.default_rng(0)
X = rng.normal(size=(40, 4))
y = X[:, 0] + 0.1 * rng.normal(size=40)
cells = [(loss, "squared-l2") for loss in ("pseudo-huber", "pseudo-huber:delta=0.5", "pinball:p=0.3")]
found = {}
for loss, regularizer in [*cells, ("squared", "cosh"), ("pseudo-huber", "cosh")]:
    problem = wb.Problem(X, y, loss, regularizer, lam=0.1)
    for solver in ("auto", "gauss-seidel", "lbfgs", "newton", "proximal-gradient", "conjugate-gradient"):
        try:
            solution = wb.solve(problem, solver, tol=1e-8)
            found[f"{loss} {regularizer} {solver}"] = [solution.status, solution.w.tolist()]
        except wb.InputError as error:
            found[f"{loss} {regularizer} {solver}"] = ["refused", str(error)]
own = wb.losses.custom("sqrt(1 + u**2) - 1", kind="residual")
mine = wb.Problem(X, y, own, wb.regularizers.custom("cosh(u) - 1"), lam=0.1)
w = np.array(found["pseudo-huber cosh gauss-seidel"][1])
found["gaps"] = [wb.certificate(p, w=0.9 * w).gap for p in (problem, mine)]
found["pickled"] = pickle.loads(pickle.dumps(problem.loss)) == problem.loss
from workbench.race import live
events = list(live.run("zhang-artificial", {"d": 100}, "pseudo-huber", "squared-l2", 0.1, 2.0))
found["raced"] = sorted({event["name"] for event in events if event.get("relative", 1.0) < 1e-4})
found["started"] = events[0]["names"]
faults = []
for loss in ("pinball", "pinball:p=2", "pseudo-huber:delta=0"):
    try:
        wb.losses.get(loss)
    except wb.InputError as error:
        faults.append(str(error))
found["faults"] = faults
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(once, tmp_path_factory):
    """What a copy of the package finds that has three more rows."""
    return json.loads(once("rows.json", partial(search, tmp_path_factory.mktemp("rows"))).read_text())


def search(folder, file):
    """Write what a copy of the package in this folder finds."""
    shutil.copytree(PACKAGE, folder / "workbench", ignore=shutil.ignore_patterns("__pycache__"))
    for name, rows in (("losses", LOSS), ("regularizers", REGULARIZER)):
        path = folder / "workbench" / "terms" / f"{name}.py"
        text = path.read_text(encoding="utf-8").rstrip()
        assert text.endswith("\n)")
        path.write_text(text[:-2] + rows, encoding="utf-8")
    # Kernels are those of the package, since a new row changes nothing that they are made of.
    environment = os.environ | {"PYTHONPATH": str(folder)}
    for arguments in (["-m", "workbench.codegen"], ["-c", SCRIPT]):
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    file.write_text(done.stdout)


# A cell that is solved compiles its kernels anew: one of them here, the others in the long run.
CELLS = ["pseudo-huber squared-l2", "pseudo-huber:delta=0.5 squared-l2", "squared cosh", "pseudo-huber cosh"]
SOLVERS = ["auto", "gauss-seidel", "lbfgs", "newton", "proximal-gradient"]


@pytest.mark.parametrize(
    ("cell", "solver"),
    [
        pytest.param(cell, solver, marks=() if (cell, solver) == (CELLS[0], "auto") else pytest.mark.long)
        for cell in CELLS
        for solver in SOLVERS
    ],
)
def test_what_has_the_capability_is_solved(found, cell, solver):
    status, w = found[f"{cell} {solver}"]
    assert status == "converged"
    assert w == pytest.approx(found[f"{cell} gauss-seidel"][1], abs=1e-3)


def test_it_races_with_whoever_takes_it(found):
    assert found["started"] == [
        f"workbench {name}"
        for name in ("gauss-seidel", "coordinate-descent", "proximal-gradient", "lbfgs", "newton")
    ]
    assert found["raced"]


def test_what_has_it_not_is_refused_by_its_name(found):
    assert found["pinball:p=0.3 squared-l2 gauss-seidel"][0] == "converged"
    assert "the pinball loss has no gradient at its kinks" in found["pinball:p=0.3 squared-l2 lbfgs"][1]
    assert "a parabola as loss" in found["pseudo-huber squared-l2 conjugate-gradient"][1]
    assert "a sum of weighted squares as regularizer" in found["squared cosh conjugate-gradient"][1]


def test_a_row_is_certified_as_the_same_function_of_a_learner(found):
    row, own = found["gaps"]
    assert row == pytest.approx(own, abs=1e-9)
    assert row > 1e-4


def test_its_parameters_are_checked_and_it_pickles(found):
    missing, outside, zero = found["faults"]
    assert missing == "loss pinball: p is missing; write pinball:p=1"
    assert outside.startswith("pinball: p = 2.0 is too large; 1 is the upper bound")
    assert zero == "pseudo-huber: delta = 0.0 must be a finite number above 0"
    assert found["pickled"]
