"""Where the pages and the lessons lie, beside the package in a clone, inside it in a wheel; and threads."""

import tomllib
from pathlib import Path

from workbench.errors import InputError

PROJECT = "duality-workbench"
KINDS = ("apps", "lessons")
# A numbered lesson, and its source.
NOTEBOOK = "[0-9]*.ipynb"
PACKAGE = Path(__file__).resolve().parents[1]
# What BLAS and OpenMP read when they are loaded: a process that races sets them before.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


def folder(kind):
    """The folder of the pages ("apps") or of the lessons ("lessons").

    Raises
    ------
    InputError
        Neither an installed wheel nor a clone has it.
    """
    if kind not in KINDS:
        raise InputError(f"resources: {kind!r} is not known; use one of {', '.join(KINDS)}")
    homes = [PACKAGE / "_share"]
    if _is_clone(PACKAGE.parent):
        homes.append(PACKAGE.parent)
    for home in homes:
        if (home / kind).is_dir():
            return home / kind
    raise InputError(f"{kind}: no such folder in {' or '.join(map(str, homes))}; install the project anew")


def pages():
    """The pages by name: "dual-lab" is the path of dual_lab.py."""
    files = sorted(folder("apps").glob("[!_]*.py"))
    return {path.stem.replace("_", "-"): path for path in files}


def lessons():
    """The lessons by name: "01_conjugates" is the path of 01_conjugates.ipynb."""
    return {path.stem: path for path in sorted(folder("lessons").glob("[!_.]*.ipynb"))}


def find(kind, name):
    """The path of one page or lesson by its name; a page may be spelled "dual-lab" or "dual_lab".

    Raises
    ------
    InputError
        There is none of that name; it lists those that there are.
    """
    place = folder(kind)
    known = pages() if kind == "apps" else lessons()
    wanted = name.replace("_", "-") if kind == "apps" else name
    if wanted not in known:
        many = "pages" if kind == "apps" else "lessons"
        listed = ", ".join(known) or f"none in {place}"
        raise InputError(f"{name!r} is none of the {many}; there are: {listed}")
    return known[wanted]


def _is_clone(place):
    """Whether a folder is this project's own, and not one that the package was merely unpacked into."""
    try:
        with open(place / "pyproject.toml", "rb") as file:
            return tomllib.load(file).get("project", {}).get("name") == PROJECT
    except (OSError, tomllib.TOMLDecodeError):
        return False
