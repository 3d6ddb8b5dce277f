"""The folder of the lessons, beside the package in a clone, inside it in a wheel; and threads."""

import tomllib
from pathlib import Path

from workbench._support.errors import InputError

PROJECT = "duality-workbench"
# A lesson, and its source.
NOTEBOOK = "[0-9]*.ipynb"
PACKAGE = Path(__file__).resolve().parents[2]
# Variables that BLAS and OpenMP read when they are loaded; a process that races sets them first.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


def folder():
    """Return the folder of the lessons.

    Raises
    ------
    InputError
        Neither an installed wheel nor a clone has it.
    """
    homes = [PACKAGE / "_share"]
    if is_clone(PACKAGE.parent):
        homes.append(PACKAGE.parent)
    for home in homes:
        if (home / "lessons").is_dir():
            return home / "lessons"
    raise InputError(f"lessons: no such folder in {' or '.join(map(str, homes))}; install the project anew")


def lessons():
    """Return the lessons by name: "01_conjugates" maps to its source, in a wheel to the student's copy.

    `lessons.copy_of` reads both.
    """
    home = folder()
    sources = home / "sources"
    return {path.stem: path for path in sorted((sources if sources.is_dir() else home).glob(NOTEBOOK))}


def is_clone(place):
    """Return whether a folder is a clone of this project, and not one into which the package was unpacked."""
    try:
        with (place / "pyproject.toml").open("rb") as file:
            return tomllib.load(file).get("project", {}).get("name") == PROJECT
    except (OSError, tomllib.TOMLDecodeError):
        return False
