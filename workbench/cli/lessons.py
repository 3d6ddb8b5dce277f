"""`workbench lessons`."""

import difflib
import functools
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench._support.errors import InputError
from workbench._support.system import extras, resources, storage
from workbench._support.system import lessons as notebooks
from workbench.cli.lessons_pages import course, pack, pages

PLACE = Path("workbench-lessons")
ARGUMENTS = f"A folder, made where it is missing ({PLACE}), and after it any options of JupyterLab."
Arguments = Annotated[list[str] | None, Argument(metavar="[DIR] [JUPYTER OPTIONS]", help=ARGUMENTS)]
# The lesson that JupyterLab shows first.
FIRST = "01_"


def lessons(
    ctx: typer.Context,
    arguments: Arguments = None,
    solutions: Annotated[bool, Option("--solutions", help="In a clone: write the solutions too.")] = False,
    nbgrader: Annotated[bool, Option("--nbgrader", help="In a clone: write nbgrader's source.")] = False,
    html: Annotated[bool, Option("--html", help="Write pages that need no network and no kernel.")] = False,
    lecturer: Annotated[
        bool, Option("--lecturer", help="In a clone: write slides, guides, quizzes, exams and graders.")
    ] = False,
    run: Annotated[bool, Option("--run/--no-run", help="Run lessons before a page is made.")] = True,
    open_them: Annotated[bool, Option("--open/--no-open", help="Open them in JupyterLab.")] = True,
):
    """Copy the lessons into a folder of your own and open the first in JupyterLab."""
    place, options = _split(ctx, arguments or [], open_them and not (html or lecturer))
    if place.exists() and not place.is_dir():
        raise InputError(f"{place} is a file; name a folder to copy the lessons to")
    if html + lecturer + nbgrader > 1:
        raise InputError("choose one of --html, --lecturer and --nbgrader, each with a folder of its own")
    source = resources.folder()
    if (solutions or nbgrader or lecturer) and not (source / "sources").is_dir():
        raise InputError(
            "the solutions are not installed with the lessons; they are made from the folder lessons/sources "
            "of a clone or of the project's source archive, so run the command from there"
        )
    if html or lecturer:
        build = pages if html else pack
        copied, rest = write_missing(place, build(source, place, run, functools.partial(print, flush=True)))
    else:
        files = course(source, place) if nbgrader else copies(source, solutions)
        copied, rest = write_missing(place, files)
    text = f"{copied} files {'written' if html or lecturer else 'copied'} to {place}"
    print(text if copied else f"nothing new to copy to {place}")
    for name in rest:
        print(f"kept your {name}, which differs from the course's")
    if open_them and not (html or lecturer):
        extras.need("lessons", f"opening {place} in JupyterLab")
        # Ctrl-C is JupyterLab's to answer. A new process would inherit that it is ignored, but no handler.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            # The interpreter's own JupyterLab, so that its kernel has the workbench.
            command = [sys.executable, "-m", "jupyterlab", str(_first(place)), *_for_root(options)]
            with subprocess.Popen(command) as lab:
                try:
                    code = lab.wait()
                except BaseException:  # SIGTERM, which JupyterLab has not received
                    lab.terminate()
                    raise
        finally:
            signal.signal(signal.SIGINT, before)
        raise typer.Exit(code)


def _split(ctx, arguments, opens):
    """Return the folder and the options of JupyterLab, which click has left among the arguments."""
    place = PLACE
    if arguments and not arguments[0].startswith("-"):
        place, arguments = Path(arguments[0]), arguments[1:]
    own = [name for option in ctx.command.params for name in (*option.opts, *option.secondary_opts)]
    for text in arguments:
        near = difflib.get_close_matches(text, own, 1, 0.8) if text.startswith("--") else ()
        if near or not opens:
            raise InputError(
                f"no such option: {text}; did you mean {near[0]}?"
                if near
                else f"{text}: only JupyterLab takes further arguments, and it is not opened; leave it out"
            )
    return place, arguments


def _first(place):
    """Return the notebook of lesson 1, or its folder where a student has moved it away."""
    return next((path for path in sorted(place.glob(f"{FIRST}*.ipynb"))), place)


def _for_root(options):
    """Add the flag without which JupyterLab does not start as root, as in most containers."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return options if not is_root or "--allow-root" in options else ["--allow-root", *options]


def copies(source, solutions=False):
    """(path, contents) of the lessons as students get them, and of the solutions."""
    for path in resources.lessons().values():
        yield Path(path.name), notebooks.as_json(notebooks.copy_of(path))
    for name in ("README.md", "LICENSE.md"):
        if (source / name).is_file():
            yield Path(name), (source / name).read_bytes()
    for name, notebook in notebooks.notebooks(source, notebooks.solutions) if solutions else ():
        yield Path("solutions", name), notebooks.as_json(notebook)


def write_missing(place, files):
    """Write the files that a folder lacks, and overwrite nothing.

    Returns
    -------
    copied : int
    kept : list of str
        The files that were there already with other contents.
    """
    copied, existing = 0, []
    for name, contents in files:
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_new(contents, target)
            copied += 1
        except FileExistsError:
            if not target.is_file() or target.read_bytes() != contents:
                existing.append(str(name))
    return copied, existing


def _write_new(contents, target):
    """Write a file whole or not at all; FileExistsError where there is something, even a link to nothing."""
    # Exclusive, so that a file which another program writes now is not overwritten either.
    with Path(target).open("xb"):
        pass
    try:
        storage.write(target, contents)
    except BaseException:
        target.unlink()
        raise
