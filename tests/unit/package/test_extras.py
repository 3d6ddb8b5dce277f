"""The core works without what the extras bring, and says which one brings what is missing."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from workbench._support.errors import InputError
from workbench._support.system import extras

PROJECT = Path(__file__).resolve().parents[3]
OUTSIDE = {name for names in extras.EXTRAS.values() for name in names}
# Modules that a core installation or Windows lacks; no finder finds them.
WITHOUT = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, *more):
        return None if name.partition(".")[0] in {outside!r} else self.finder.find_spec(name, *more)

sys.meta_path[:] = map(Without, sys.meta_path)
{code}
"""
COMMANDS = """
from workbench.__main__ import main
for sys.argv[1:] in {commands!r}:
    try:
        main()
    except SystemExit as end:
        print(end.code, file=sys.stderr)
"""


def run(*commands, cwd):
    """The lines that commands in one process end with, each with its exit code."""
    done = run_code(COMMANDS.format(commands=list(map(list, commands))), OUTSIDE, cwd)
    lines = done.stderr.splitlines()
    assert len(lines) == 2 * len(commands), done
    return list(zip(lines[::2], map(int, lines[1::2]), strict=True))


def run_code(code, outside, cwd):
    code = WITHOUT.format(outside=sorted(outside), code=code)
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True)


SOLVE = """
import os
import platformdirs, subprocess, tempfile  # these choose by the platform
for name in {missing!r}:
    delattr(os, name)
import numpy as np, workbench as wb
X = np.random.default_rng(0).normal(size=(40, 3))
y = np.where(X[:, 0] > 0.1, 1, -1)
solution = wb.solve(wb.Problem(X, y, "hinge", lam=0.1), "gauss-seidel", tol=1e-4)
assert solution.relative_gap <= 1e-4
solution.save("solution.npz")
print([name for name in {heavy!r} if name in sys.modules])
from sklearn.linear_model import LogisticRegression
assert wb.certificate(LogisticRegression().fit(X, y), X, y).relative_gap < 1e-3
"""


def test_a_dense_solve_and_a_foreign_certificate_need_neither_extras_nor_unix(tmp_path):
    heavy = ("pandas", "typer", "rich", "requests", "z3", "sympy")
    code = SOLVE.format(heavy=heavy, missing=("getuid", "geteuid", "fork", "getgid"))
    done = run_code(code, OUTSIDE | {"resource", "fcntl", "pwd", "grp", "termios"}, tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.long
def test_the_core_derives_and_reads_tables_with_an_extra(tmp_path):
    np.save(tmp_path / "coef.npy", np.ones(1))
    (tmp_path / "four.libsvm").write_text("1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n", encoding="utf-8")
    done = run_code(COMMANDS.format(commands=[["derive", "u**2/2"]]), OUTSIDE, tmp_path)
    assert (done.returncode, done.stderr.strip()) in ((0, ""), (0, "0")), done.stderr
    assert "status: proved" in done.stdout
    commands = ("solve", "four.libsvm"), ("certify", "four.libsvm", "--coef", "coef.npy")
    for said, code in run(*commands, cwd=tmp_path):
        assert code == 2
        assert said.endswith("pip install 'duality-workbench[tables]'")


NEEDING = {
    ("serve",): "pages",
    ("export", "transfer", "page.html"): "pages",
    ("reproduce", "zhang-table-1", "--scheduler", "tcp://127.0.0.1:1"): "cluster",
    ("reproduce", "zhang-table-1", "--scheduler", "synchronous", "--report", "report"): "pages",
    ("lessons", "course"): "lessons",
}


def test_features_name_the_extra_they_need(tmp_path):
    for (said, code), extra in zip(run(*NEEDING, cwd=tmp_path), NEEDING.values(), strict=True):
        assert code == 2
        assert said.endswith(f"pip install 'duality-workbench[{extra}]'")
    assert not (tmp_path / "report").exists()


def test_the_command_line_names_the_extra_it_needs(monkeypatch):
    import workbench as wb

    monkeypatch.setattr(extras, "_is_there", lambda name: name != "dask")
    problem = wb.Problem([[1.0], [-1.0]], [1, -1])
    with pytest.raises(InputError, match=r"needs dask, which is not installed.*duality-workbench\[cluster\]"):
        wb.sweep(problem, {"lam": [0.1]}, scheduler="tcp://127.0.0.1:1", cache=None)
    monkeypatch.setattr(extras, "_is_there", lambda name: False)
    with pytest.raises(InputError, match="needs dask, distributed, which are not installed"):
        extras.need("cluster", "this")


def test_each_extra_is_declared():
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras.EXTRAS) | {"all", "dev", "docs"} == set(declared["optional-dependencies"])
    core = {text.split(">")[0] for text in declared["dependencies"]}
    assert not core & {name.replace("_", "-") for name in OUTSIDE}


def test_only_rooms_of_extras_import_them_at_once():
    """Elsewhere an import of theirs stands inside a function, behind `extras.need`."""
    imports = []
    for path in sorted((PROJECT / "workbench").rglob("*.py")):
        place = path.relative_to(PROJECT / "workbench")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names]
                outside = OUTSIDE & {name.split(".")[0] for name in names if name}
                if place.parts[0] not in ("pages", "server") and place.name != "autograder.py":
                    imports += [f"{place} imports {name}" for name in outside]
    assert imports == []
