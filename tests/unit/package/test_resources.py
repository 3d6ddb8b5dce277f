"""The resolver finds the lessons in a clone and in an installed wheel."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from workbench._support.errors import InputError
from workbench._support.system import resources

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "workbench", "lessons")

PROBE = """
import json
import workbench
from workbench._support.system import resources
print(json.dumps({
    "package": workbench.__file__,
    "lessons": str(resources.folder()),
    "lesson": str(resources.lessons()["99_stub"]),
}))
"""

SOLUTION = {"cell_type": "markdown", "metadata": {"tags": ["solution"]}, "source": "SOLUTION"}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The project as a fresh clone has it, with one lesson of our own."""
    root = tmp_path_factory.mktemp("clone")
    for name in SOURCES:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (PROJECT / name).exists():
            shutil.copy(PROJECT / name, root / name)
    for name in ("lessons/sources/99_stub.ipynb", "lessons/sources/.ipynb_checkpoints/98_old.ipynb"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps({"cells": [SOLUTION]}), encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def unpacked(clone, tmp_path_factory):
    """Unpack the wheel of that clone, built without a network."""
    dist = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(dist), str(clone)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    place = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        wheel.extractall(place)
    return place


def probe(place, cwd):
    """Return the places that the package in `place` resolves, run from another folder."""
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    # -S leaves out the site-packages, where the project itself is installed in editable mode.
    command = [sys.executable, "-S", "-c", PROBE]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: Path(text) for name, text in json.loads(done.stdout).items()}


def test_clone(clone, tmp_path):
    places = probe(clone, tmp_path)
    assert places["package"] == clone / "workbench" / "__init__.py"
    assert places["lessons"] == clone / "lessons"
    assert places["lesson"] == clone / "lessons" / "sources" / "99_stub.ipynb"


@pytest.mark.long
def test_wheel_has_the_students_copies_alone(unpacked):
    share = unpacked / "workbench" / "_share" / "lessons"
    names = {path.name for path in (PROJECT / "lessons" / "sources").glob("*.ipynb")} | {"99_stub.ipynb"}
    assert {path.name for path in share.rglob("*.ipynb")} == names
    assert not any("SOLUTION" in path.read_text(encoding="utf-8") for path in share.rglob("*.ipynb"))
    assert not {"sources", "lecturer", "wheel.py"} & {path.name for path in share.iterdir()}


@pytest.mark.parametrize("text", [None, '[project]\nname = "other"\n', "not toml ["])
def test_a_folder_that_is_not_the_project(monkeypatch, tmp_path, text):
    """Beside a package that was unpacked into another project, that project's lessons are not ours."""
    (tmp_path / "lessons").mkdir()
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "workbench")
    with pytest.raises(InputError, match="no such folder"):
        resources.folder()
