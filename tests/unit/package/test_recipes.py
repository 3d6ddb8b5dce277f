"""The recipes of CONTRIBUTING, applied in a copy: each takes one row or one file, and nothing else.

A loss with a parameter, a regularizer and a solver are solved, certified and raced there, and pass the tests
that every other passes; a conjugate without a closed form is refused with what to write instead.
"""

import json
import os
import pickle
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import workbench
from tests.helpers import derived_terms, solver_guide
from tests.helpers.amounts import THOROUGH

PACKAGE = Path(workbench.__file__).parent
LOSS = """
    LossTerm(
        "pseudo-huber",
        "residual",
        value=DELTA**2 * (sp.sqrt(1 + (U / DELTA) ** 2) - 1),
        parameters=(Parameter(DELTA, default=1),),
        source="a test",
    ),
    LossTerm(
        "pinball",
        "residual",
        value=sp.Piecewise((-(1 - P) * U, U < 0), (P * U, True)),
        parameters=(Parameter(P, "p < 1"),),
        source="a test",
    ),
)
"""
REGULARIZER = """
    RegularizerTerm("cosh", primal=sp.cosh(W) - 1, source="a test"),
)
"""
# In a file of its own: the solver is found there.
ABOUT = '''
"""Steepest descent on the dual of ridge regression.

Solves       min over alpha of (1/n) sum_i k(-alpha_i, y_i) + lam h(v),  v = X^T alpha / (lam n)
State        alpha (n,)
Guarantees   every step lowers the dual objective
Cost         O(nnz(X)) a step
Raises       InputError: another loss or regularizer, an unregularized bias, a kernel
Source       Cauchy (1847)
"""
'''
IMPORTS = """
from workbench._support.errors import InputError
from workbench.solvers import warm_start as starts
"""
CLASS = '    """Steepest descent with exact line searches."""\n\n'
NEEDS = '    needs: ClassVar[tuple[str, ...] | None] = ("quadratic loss", "squared l2")\n'
INIT = """
        takes = self.takes(problem.loss, problem.regularizer)
        if not takes or problem.free_bias or problem.kernel is not None:
            raise InputError(
                f"{self.name}: it needs squared loss and squared l2, a regularized bias and no "
                "kernel; use gauss-seidel for others"
            )
        alpha = np.zeros(problem.n_samples)
        if warm_start is not None:
            alpha = starts.duals(problem, warm_start).copy()
"""


def solver_file():
    """The solver of the guide with what the registry asks of it: its refusal, a warm start, its docstring."""
    changes = (
        ("\nfrom workbench", f"{IMPORTS}from workbench"),
        ("fresh_event, solver_state\n", "fresh_event, solver_state\n\n"),
        ("(DualSolver):\n", f"(DualSolver):\n{CLASS}"),
        ("    event_type", f"{NEEDS}    event_type"),
        ("\n        return State(np.zeros(problem.n_samples), ", f"{INIT}        return State(alpha, "),
    )
    text = solver_guide.TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return f"{ABOUT.lstrip()}\n{text}"


UNCLOSED = """
    RegularizerTerm("bowl", primal=sp.sqrt(1 + W**2) - 1 + W**2 / 2, source="a test"),
)
"""
# Loss, regularizer, solver. What is solved compiles its kernels anew: a few here, all in the long run.
REFUSED = (
    "pinball:p=0.3 squared-l2 lbfgs",
    "pseudo-huber squared-l2 conjugate-gradient",
    "squared cosh conjugate-gradient",
    "pseudo-huber squared-l2 steepest-descent",
)
SOLVED = ["pinball:p=0.3 cosh gauss-seidel", "pseudo-huber cosh gauss-seidel"]
if THOROUGH:
    SOLVED = [
        "pinball:p=0.3 squared-l2 gauss-seidel",
        *(
            f"{terms} {solver}"
            for terms in (
                "pseudo-huber squared-l2",
                "pseudo-huber:delta=0.5 squared-l2",
                "squared cosh",
                "pseudo-huber cosh",
            )
            for solver in ("auto", "gauss-seidel", "lbfgs", "newton", "proximal-gradient")
        ),
    ]
# Derives the rows that are new; what is derived of the others is at hand, but in the long run.
DERIVE = """
import json, pickle
from pathlib import Path
from workbench.conjugates.terms import derived
def with_known(derive, known):
    return lambda term: known[term.name] if term.name in known else derive(term)
known_losses, known_regularizers = pickle.loads(Path("derived.pickle").read_bytes())
derived.derive_loss = with_known(derived.derive_loss, known_losses)
derived.derive_regularizer = with_known(derived.derive_regularizer, known_regularizers)
from workbench.conjugates.codegen import claims, module
module.TARGET.write_text(module.generate(), encoding="utf-8")
claims.LOSSES = [term for term in claims.LOSSES if term.name not in known_losses]
claims.REGULARIZERS = [term for term in claims.REGULARIZERS if term.name not in known_regularizers]
table = json.loads(claims.TARGET.read_text("utf-8")) | json.loads(claims.generate())
claims.TARGET.write_text(json.dumps(table), encoding="utf-8")
"""
# Each line of its output is one cell: what was solved, with its gap, or the refusal.
SCRIPT = """
import json, pickle
import numpy as np
import workbench as wb
rng = np.random.default_rng(0)
X = rng.normal(size=(40, 4))
y = X[:, 0] + 0.1 * rng.normal(size=40)
ridge = wb.Problem(X, y, "squared", "squared-l2", lam=0.1)
found = {}
for loss, regularizer, solver in map(str.split, CELLS):
    problem = wb.Problem(X, y, loss, regularizer, lam=0.1)
    try:
        solution = wb.solve(problem, solver, tol=1e-8)
        found[f"{loss} {regularizer} {solver}"] = [solution.status, solution.w.tolist()]
    except wb.InputError as error:
        found[f"{loss} {regularizer} {solver}"] = ["refused", str(error)]
row = wb.Problem(X, y, "pseudo-huber", "cosh", lam=0.1)
w = np.array(found["pseudo-huber cosh gauss-seidel"][1])
bend = lambda u: np.sqrt(1 + u**2) - 1
found["primal"] = wb.certificate(row, w=0.9 * w).primal
found["expected"] = bend(X @ (0.9 * w) - y).mean() + 0.1 * (np.cosh(0.9 * w) - 1).sum()
found["descended"] = wb.solve(ridge, "steepest-descent", tol=1e-8).status
found["races"] = wb.solvers.SteepestDescent.takes(ridge.loss, ridge.regularizer)
found["pickled"] = pickle.loads(pickle.dumps(row.loss)) == row.loss
from workbench.studies import race as live
found["started"] = [each.name for each in live.contestants(X, y, "pseudo-huber", "squared-l2", 0.1)]
race = live.run("zhang-artificial", {"d": 100}, "pseudo-huber", "squared-l2", 0.1, 2.0) if RACED else ()
found["raced"] = sorted({event["name"] for event in race if event.get("relative", 1.0) < 1e-4})
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
def outcomes(once, tmp_path_factory):
    """Outcomes of a copy of the package with three more rows."""
    return json.loads(once("rows.json", partial(search, tmp_path_factory.mktemp("rows"))).read_text())


def apply(folder):
    """Apply the recipes of a loss, a regularizer and a solver to a copy of the package."""
    shutil.copytree(PACKAGE, folder / "workbench", ignore=shutil.ignore_patterns("__pycache__"))
    add_row(folder, "losses", LOSS)
    add_row(folder, "regularizers", REGULARIZER)
    (folder / "workbench" / "solvers" / "algorithms" / "steepest_descent.py").write_text(
        solver_file(), encoding="utf-8"
    )


def add_row(folder, name, rows):
    path = folder / "workbench" / "conjugates" / "terms" / f"{name}.py"
    text = path.read_text(encoding="utf-8").rstrip()
    assert text.endswith("\n)")
    path.write_text(text[:-2] + rows, encoding="utf-8")


def run(folder, *arguments):
    """Run Python in a copy."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def search(folder, file):
    """Write what a copy of the package in this folder finds."""
    apply(folder)
    script = f"CELLS, RACED = {[*REFUSED, *SOLVED]}, {THOROUGH}\n{SCRIPT}"
    known = derived_terms.DERIVED_LOSSES, derived_terms.DERIVED_REGULARIZERS
    (folder / "derived.pickle").write_bytes(pickle.dumps(known))
    generate = ["-m", "workbench.conjugates.codegen"] if THOROUGH else ["-c", DERIVE]
    for arguments in (generate, ["-c", script]):
        done = run(folder, *arguments)
        assert done.returncode == 0, done.stderr
    file.write_text(done.stdout)


@pytest.mark.parametrize("cell", SOLVED)
def test_problems_within_the_solvers_capabilities_are_solved(outcomes, cell):
    status, w = outcomes[cell]
    assert status == "converged"
    if not cell.startswith("pinball"):
        assert w == pytest.approx(outcomes[f"{cell.rpartition(' ')[0]} gauss-seidel"][1], abs=1e-3)


def test_the_new_terms_race_with_every_solver_that_accepts_them(outcomes):
    names = ("coordinate-descent", "gauss-seidel", "lbfgs", "newton", "proximal-gradient")
    assert outcomes["started"] == [f"workbench {name}" for name in names]
    assert bool(outcomes["raced"]) == THOROUGH


def test_a_missing_capability_is_refused_by_name(outcomes):
    assert "the pinball loss has no gradient at its kinks" in outcomes["pinball:p=0.3 squared-l2 lbfgs"][1]
    assert "loss = 'squared'" in outcomes["pseudo-huber squared-l2 conjugate-gradient"][1]
    assert "regularizer = 'squared-l2'" in outcomes["squared cosh conjugate-gradient"][1]


def test_a_row_is_certified_at_the_value_of_its_formula(outcomes):
    assert outcomes["primal"] == pytest.approx(outcomes["expected"], rel=1e-12)


def test_its_parameters_are_checked_and_it_pickles(outcomes):
    missing, outside, zero = outcomes["faults"]
    assert missing == "loss pinball: p is missing; write pinball:p=1"
    assert outside == "pinball: p = 2.0 must be below 1"
    assert zero == "pseudo-huber: delta = 0.0 must be a finite number above 0"
    assert outcomes["pickled"]


def test_a_new_solver_takes_one_file(outcomes):
    assert outcomes["descended"] == "converged"
    assert outcomes["races"]
    assert "use gauss-seidel for others" in outcomes["pseudo-huber squared-l2 steepest-descent"][1]


@pytest.mark.long
def test_a_conjugate_without_a_closed_form_is_refused_with_what_works(tmp_path):
    apply(tmp_path)
    add_row(tmp_path, "regularizers", UNCLOSED)
    done = run(tmp_path, "-m", "workbench.conjugates.codegen")
    assert done.returncode == 1
    assert done.stderr.startswith("nothing is written: regularizer bowl: its conjugate lacks a closed form")
    assert "wb.regularizers.custom(" in done.stderr
    assert "Traceback" not in done.stderr


# Tests of every loss and solver, as far as they name what is new. Those of formulas to the last place are for
# rows that round by a few units in it, which cosh(w) - 1 does not.
SELECTED = (
    "conjugates/test_terms_in_numbers",
    "solvers/test_contract",
    "solvers/test_warm_start",
    "certificates/test_honesty",
    "solvers/test_own_solver",
)
NEW = "pinball or pseudo-huber or cosh or steepest-descent"


@pytest.mark.long
def test_new_terms_pass_lint_and_the_shared_tests(tmp_path):
    apply(tmp_path)
    for name in ("tests", "lessons"):
        shutil.copytree(PACKAGE.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE.parent / "pyproject.toml", tmp_path)
    files = [f"tests/unit/{name}.py" for name in SELECTED]
    commands = (
        ["-m", "workbench.conjugates.codegen"],
        ["-m", "workbench.conjugates.codegen", "--check"],
        ["-m", "ruff", "check", "workbench"],
        ["-m", "pytest", "-q", "-m", "not long", *files, "-k", NEW],
    )
    for command in commands:
        done = run(tmp_path, *command)
        assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}{done.stderr[-1000:]}"
