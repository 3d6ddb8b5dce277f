"""The core works without what the extras bring, and says which one brings what is missing."""

import ast
import importlib.metadata
import json
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from workbench._support.errors import InputError, MissingExtraError
from workbench._support.system import extras, resources

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
# The command line has its own extra.
WITH_COMMANDS = OUTSIDE - set(extras.EXTRAS["cli"])
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
    done = run_code(COMMANDS.format(commands=list(map(list, commands))), WITH_COMMANDS, cwd)
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


PROOFS = """
import numpy as np, workbench as wb
X = np.array([[1.0], [-1.0]])
problem = wb.Problem(X, [1, -1], "hinge", lam=0.1)
assert wb.certificate(problem, w=[1.0]).interval
for work in (
    lambda: wb.certificate(problem, w=[1.0], rigorous=True),
    lambda: wb.conjugate("u**2/2"),
    lambda: wb.losses.custom("exp(-u) + {unique}*u**2", "margin"),
    lambda: wb.regularizers.custom("w**4 + {unique}*w**2"),
    lambda: wb.appendix_e(),
    lambda: wb.pages.Bias,
):
    try:
        work()
    except ImportError as error:
        print(type(error).__name__, error.extra, isinstance(error, wb.InputError))
print(len(wb.errata()) > 0)
# The names that such a search asks of every module.
import pickle, types
print(pickle.whichmodule(types.SimpleNamespace(__module__=None), "conjugate"))
"""


def test_deriving_and_balls_raise_without_proofs(tmp_path):
    done = run_code(PROOFS.format(unique="0.123457"), OUTSIDE, tmp_path)
    assert done.stdout.splitlines() == [
        *["MissingExtraError proofs True"] * 5,
        "MissingExtraError pages True",
        "True",
        "__main__",
    ], done.stderr


def test_the_command_names_its_own_extra(tmp_path):
    done = run_code(COMMANDS.format(commands=[["--version"]]), OUTSIDE, tmp_path)
    said, code = done.stderr.splitlines()
    assert (code, said.endswith('pip install ".[cli]"')) == ("2", True)
    with pytest.raises(MissingExtraError) as error:
        raise pickle.loads(pickle.dumps(MissingExtraError("sentence", "cli")))
    assert (str(error.value), error.value.extra) == ("sentence", "cli")


class Installed:
    """Metadata of an installation; `origin` is what its direct_url.json says."""

    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return self.origin and json.dumps({"url": self.origin})


def test_advice_names_what_pip_finds(tmp_path, monkeypatch):
    clone, wheel = tmp_path / "a clone", tmp_path / "duality_workbench-0.1.0-py3-none-any.whl"
    clone.mkdir()
    (clone / "pyproject.toml").write_text('[project]\nname = "duality-workbench"\n', "utf-8")
    wheel.touch()
    monkeypatch.chdir(PROJECT)
    assert extras.installation("tables") == 'pip install ".[tables]"'
    monkeypatch.chdir(tmp_path)
    assert extras.installation("tables") == f'cd "{PROJECT}" && pip install ".[tables]"'
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "site-packages" / "workbench")
    advice = {
        clone.as_uri(): f'cd "{clone}" && pip install ".[tables]"',
        wheel.as_uri(): f'pip install "{wheel}[tables]"',
        (tmp_path / "gone.whl").as_uri(): f'pip install "{wheel.name}[tables]"',
        None: 'pip install "duality-workbench[tables]"',
    }
    for origin, command in advice.items():
        monkeypatch.setattr(importlib.metadata, "distribution", lambda name, at=origin: Installed(at))
        assert extras.installation("tables") == command
    monkeypatch.undo()
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "site-packages" / "workbench")
    monkeypatch.setattr(resources, "PROJECT", "not-installed-anywhere")
    assert extras.installation("cli") == 'pip install "not_installed_anywhere-0.1.0-py3-none-any.whl[cli]"'


NEEDING = {
    ("derive", "u**2/2"): "proofs",
    ("solve", "four.libsvm"): "tables",
    ("certify", "four.libsvm", "--coef", "coef.npy"): "tables",
    ("serve",): "pages",
    ("export", "transfer", "page.html"): "pages",
    ("reproduce", "zhang-table-1", "--scheduler", "tcp://127.0.0.1:1"): "cluster",
    ("reproduce", "zhang-table-1", "--scheduler", "synchronous", "--report", "report"): "pages",
    ("lessons", "course"): "lessons",
}


def test_features_name_the_extra_they_need(tmp_path):
    np.save(tmp_path / "coef.npy", np.ones(1))
    (tmp_path / "four.libsvm").write_text("1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n", encoding="utf-8")
    for (said, code), extra in zip(run(*NEEDING, cwd=tmp_path), NEEDING.values(), strict=True):
        assert code == 2
        assert said.endswith(f'pip install ".[{extra}]"')
    assert not (tmp_path / "report").exists()


def test_the_command_line_names_the_extra_it_needs(monkeypatch):
    import workbench as wb

    monkeypatch.setattr(extras, "_is_there", lambda name: name != "dask")
    problem = wb.Problem([[1.0], [-1.0]], [1, -1])
    with pytest.raises(InputError, match=r"needs dask, which is not installed.*\[cluster\]"):
        wb.sweep(problem, {"lam": [0.1]}, scheduler="tcp://127.0.0.1:1", cache=None)
    monkeypatch.setattr(extras, "_is_there", lambda name: False)
    with pytest.raises(InputError, match="needs dask, distributed, which are not installed"):
        extras.need("cluster", "this")


def test_each_extra_is_declared():
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras.EXTRAS) | {"all", "dev", "docs"} == set(declared["optional-dependencies"])
    core = {text.split(">")[0] for text in declared["dependencies"]}
    packages = {"flint": "python-flint", "z3": "z3-solver"}
    assert not core & {packages.get(name, name.replace("_", "-")) for name in OUTSIDE}


# Processes that derive or read a visitor's file, and sums in balls.
LOADED_BY_THEM = ("_support/system/workers.py", "certificates/rigorous.py")


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
                    imports += [(place.as_posix(), name) for name in outside]
    # The command line needs its own; rooms that derive call `extras.need` before they import.
    derive = ("conjugates/convex/", "conjugates/terms/", "conjugates/codegen/", "conjugates/derivations/")
    allowed = {"cli": ("cli/",), "proofs": (*derive, *LOADED_BY_THEM)}
    assert [
        (place, name)
        for place, name in imports
        if not any(name in extras.EXTRAS[extra] and place.startswith(at) for extra, at in allowed.items())
    ] == []
