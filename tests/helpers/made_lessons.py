"""The lessons, their sources, and the notebooks that are made from these."""

import functools
import tempfile
from pathlib import Path

import nbformat
import pytest

from workbench._support.system import lessons as source
from workbench.teaching import NotYet, check

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
SOURCES = sorted(FOLDER.glob("sources/[0-9]*.ipynb"))
# Students' copies, which go with this process.
_PLACE = tempfile.TemporaryDirectory(prefix="lessons-")
LESSONS = [Path(_PLACE.name, path.name) for path in SOURCES]
for _path, _source in zip(LESSONS, SOURCES, strict=True):
    _path.write_bytes(source.as_json(source.copy_of(_source)))


def solutions_of(path):
    """The solutions of the lesson whose file, or whose source, this is."""
    return _made(path, source.solutions)


def lecturers(path):
    """The same lesson as nbgrader takes it from the lecturer."""
    return _made(path, _for_nbgrader)


def sources():
    """(name, source) of each lesson."""
    return source.notebooks(FOLDER, dict)


def refusal(name, answer):
    """Return the sentence with which a check refuses an answer."""
    with pytest.raises(NotYet) as refused:
        check(name, answer)
    return str(refused.value)


def _for_nbgrader(notebook):
    return source.for_nbgrader(notebook, {})


def _made(path, make):
    return nbformat.reads(_texts(make)[path.name], as_version=4)


@functools.cache
def _texts(make):
    return {name: source.as_json(notebook).decode() for name, notebook in source.notebooks(FOLDER, make)}
