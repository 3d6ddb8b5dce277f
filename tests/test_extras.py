"""The core works without what the extras bring, and says which one brings what is missing."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from workbench.errors import InputError
from workbench.system import extras

PROJECT = Path(__file__).resolve().parents[1]
OUTSIDE = {name for names in extras.EXTRAS.values() for name in names}
# What a core installation has no module of.
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({outside!r}))
from workbench.__main__ import main
sys.argv[1:] = {arguments!r}
main()
"""


def run(*arguments, cwd):
    code = WITHOUT.format(outside=sorted(OUTSIDE), arguments=list(arguments))
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True)


@pytest.mark.long
def test_the_core_solves_predicts_certifies_and_derives(tmp_path):
    np.save(tmp_path / "coef.npy", np.ones(1))
    (tmp_path / "four.libsvm").write_text("1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n", encoding="utf-8")
    for arguments in (
        ("solve", "four.libsvm", "--out", "model.npz"),
        ("predict", "model.npz", "four.libsvm"),
        ("certify", "four.libsvm", "--coef", "coef.npy"),
        ("derive", "u**2/2"),
    ):
        done = run(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("serve",), "pages"),
        (("export", "transfer", "page.html"), "pages"),
        (("reproduce", "zhang-table-1"), "cluster"),
        (("reproduce", "zhang-table-1", "--scheduler", "synchronous", "--report", "report"), "pages"),
        (("lessons", "course"), "lessons"),
        (("race", "--data", "elastic-net", "--plot", "plot.png"), "race"),
    ],
)
def test_what_needs_an_extra_says_which(tmp_path, arguments, extra):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(f"pip install 'duality-workbench[{extra}]'\n")
    assert not (tmp_path / "report").exists()


def test_the_interface_says_it_too(monkeypatch):
    import workbench as wb

    monkeypatch.setattr(extras, "_is_there", lambda name: name != "dask")
    with pytest.raises(InputError, match=r"needs dask, which is not installed.*duality-workbench\[cluster\]"):
        wb.sweep(wb.Problem([[1.0], [-1.0]], [1, -1]), {"lam": [0.1]}, cache=None)
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
    found = []
    for path in sorted((PROJECT / "workbench").rglob("*.py")):
        place = path.relative_to(PROJECT / "workbench")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names]
                outside = OUTSIDE & {name.split(".")[0] for name in names if name}
                if place.parts[0] not in ("pages", "server") and place.name != "autograder.py":
                    found += [f"{place} imports {name}" for name in outside]
    assert found == []
