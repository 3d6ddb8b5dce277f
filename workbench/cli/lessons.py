"""`workbench lessons`."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench.errors import InputError
from workbench.system import extras, storage

Place = Annotated[Path, Argument(metavar="DIR", help="Made where it is missing.")]


def lessons(
    place: Place = Path("workbench-lessons"),
    solutions: Annotated[bool, Option("--solutions", help="In a clone: copy the solutions too.")] = False,
    nbgrader: Annotated[bool, Option("--nbgrader", help="In a clone: write nbgrader's source.")] = False,
    open_them: Annotated[bool, Option("--open/--no-open", help="Open them in JupyterLab.")] = True,
):
    """Copy the lessons into a folder of your own and open them in JupyterLab."""
    from workbench.system import resources

    if place.exists() and not place.is_dir():
        raise InputError(f"{place} is a file; name a folder to copy the lessons to")
    source = resources.folder("lessons")
    if solutions or nbgrader:
        _need_solutions(source)
    copied, kept = release(source, place) if nbgrader else copy(source, place, solutions)
    print(f"{copied} files copied to {place}" if copied else f"nothing new to copy to {place}")
    for name in kept:
        print(f"kept your {name}, which differs from the course's")
    if open_them:
        _open(place)


def copy(source, place, solutions=False):
    """Copy what is missing in a folder, and overwrite nothing.

    Returns
    -------
    copied : int
    kept : list of str
        The files that were there already with other contents.
    """
    patterns = ("[0-9]*.ipynb", "README.md", *(("solutions/[0-9]*.ipynb",) if solutions else ()))
    found = sorted(path for pattern in patterns for path in source.glob(pattern))
    return _write_missing(place, ((path.relative_to(source), path.read_bytes()) for path in found))


def release(source, place):
    """Write the lecturer's notebooks, as `copy` does, where nbgrader looks: source/NAME/NAME.ipynb."""
    from workbench.teaching.source import merged

    def notebooks():
        for path in sorted(source.glob("[0-9]*.ipynb")):
            pair = (path, source / "solutions" / path.name)
            notebook = merged(*(json.loads(each.read_text(encoding="utf-8")) for each in pair))
            text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
            yield Path("source", path.stem, path.name), text.encode()

    return _write_missing(place, notebooks())


def _need_solutions(source):
    if not (source / "solutions").is_dir():
        raise InputError(
            "the solutions are not installed with the lessons; lecturers find them in the folder "
            "lessons/solutions of the project's source archive, and run the command from there"
        )


def _write_missing(place, files):
    copied, kept = 0, []
    for name, contents in files:
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_new(contents, target)
            copied += 1
        except FileExistsError:
            if not target.is_file() or target.read_bytes() != contents:
                kept.append(str(name))
    return copied, kept


def _write_new(contents, target):
    """Write a file whole or not at all; FileExistsError where there is something, even a link to nothing."""
    # Exclusive, so that a file which appears meanwhile is not overwritten either.
    with open(target, "xb"):
        pass
    try:
        storage.write(target, contents)
    except BaseException:
        target.unlink()
        raise


def _open(place):
    extras.need("lessons", f"opening {place} in JupyterLab")
    # The interpreter's own JupyterLab, so that its kernel has the workbench.
    with subprocess.Popen([sys.executable, "-m", "jupyterlab", str(place)]) as lab:
        # Ctrl-C is JupyterLab's to answer: it asks whether that was meant, and saves what is open.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            code = lab.wait()
        except BaseException:  # SIGTERM, which JupyterLab has not received
            lab.terminate()
            raise
        finally:
            signal.signal(signal.SIGINT, before)
    raise typer.Exit(code)
