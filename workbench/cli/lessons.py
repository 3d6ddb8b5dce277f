"""`workbench lessons`."""

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
    solutions: Annotated[bool, Option("--solutions", help="Copy the solutions as well.")] = False,
    open_them: Annotated[bool, Option("--open/--no-open", help="Open them in JupyterLab.")] = True,
):
    """Copy the lessons into a folder of your own and open them in JupyterLab."""
    from workbench.system import resources

    if place.exists() and not place.is_dir():
        raise InputError(f"{place} is a file; name a folder to copy the lessons to")
    copied, kept = copy(resources.folder("lessons"), place, solutions)
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
    copied, kept = 0, []
    for path in sorted(found for pattern in patterns for found in source.glob(pattern)):
        name = path.relative_to(source)
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _copy_new(path, target)
            copied += 1
        except FileExistsError:
            if not target.is_file() or target.read_bytes() != path.read_bytes():
                kept.append(str(name))
    return copied, kept


def _copy_new(path, target):
    """Copy a file whole or not at all; FileExistsError where there is something, even a link to nothing."""
    # Exclusive, so that a file which appears meanwhile is not overwritten either.
    with open(target, "xb"):
        pass
    try:
        storage.write(target, path.read_bytes())
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
