"""Output files of commands: nothing is overwritten unasked, and a model may go to standard output."""

import contextlib
import io
import sys
from pathlib import Path

from workbench._support.errors import InputError

FORCE = "Replace files that exist."
# The name that stands for standard output.
STREAM = "-"


def is_stream(path):
    """Return whether a place stands for standard output."""
    return path is not None and str(path) == STREAM


def check(path, option, force=False, inputs=()):
    """Refuse a place that cannot be written, or that holds something, before any work is done for it.

    Parameters
    ----------
    path : Path or None
        None where nothing is written.
    option : str
        For the error's text.
    force : bool
        Whether a file that exists is replaced.
    inputs : iterable of path
        The other files of the command, which it never replaces.
    """
    if path is None:
        return
    if is_stream(path):
        raise InputError(f"{option} {path}: it cannot be written to standard output; name a file")
    if path.is_dir():
        raise InputError(f"{option} {path} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{option} {path}: the folder {path.parent} does not exist; create it first")
    for source in inputs:
        if path.resolve() == Path(source).resolve() or (
            path.exists() and Path(source).exists() and path.samefile(source)
        ):
            raise InputError(f"{option} {path} is a file that this command reads or writes; name another one")
    # Pipes and devices are written to as they are.
    if path.is_file() and not force:
        raise InputError(f"{option} {path} already exists; name another file, or replace it with --force")


def check_model(out, force, json, inputs=()):
    """Check the output of a model, which may be standard output."""
    if not is_stream(out):
        check(out, "--out", force, inputs)
        return
    if json:
        raise InputError(
            "--out - and --json both write to standard output; give --out a file, or leave one out"
        )
    if sys.stdout.isatty():
        raise InputError(
            "--out -: a terminal cannot show a model; send it to a file or a program, or name a file"
        )


@contextlib.contextmanager
def messages_beside(out):
    """Yield the place to save a model to; messages go to standard error if that is standard output."""
    if not is_stream(out):
        yield out
        return
    buffer = io.BytesIO()
    with contextlib.redirect_stdout(sys.stderr):
        yield buffer
    sys.stdout.buffer.write(buffer.getvalue())
    sys.stdout.flush()


def name(out):
    """Return a place to save to in words."""
    return "standard output" if hasattr(out, "write") else str(out)
