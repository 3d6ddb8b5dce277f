"""The one reader of tables: of a file's path, of its bytes from a browser, or of a DataFrame."""

from __future__ import annotations

import re
from numbers import Integral
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.data.tables import formats, limits
from workbench.data.tables.sentences import sentence
from workbench.data.tables.table import Table
from workbench.data.tables.text import Spelling

# A column of this name is the target where none is given and no other has one of them.
LABEL_NAMES = ("label", "target", "class", "y", "outcome", "species", "response", "diagnosis")
LONGEST_NAME = 60


def read(path, target=None, zero_based="auto", n_features=None, **spelling) -> Table:
    """Read a table and find its target.

    Parameters
    ----------
    path : path
        A .csv, .tsv, .xlsx, .parquet, .jsonl, .arff, LIBSVM, .npy or .npz file, plain or compressed
        (.gz, .bz2, .xz, .zip).
    target : str or int, optional
        The column to predict, by its name or its place from 0; a column called "target", "label" or the
        like, else the last one.
    zero_based : "auto", True or False
        LIBSVM: whether indices start at 0.
    n_features : int, optional
        LIBSVM: columns to pad to, and not to exceed.
    **spelling
        How a text is written, see `workbench.data.tables.text.Spelling`.

    Raises
    ------
    InputError
        Names the file, the line or the column, and the fix.
    """
    path = Path(path).expanduser()
    content = open_file(path, zero_based, n_features=n_features, **spelling)
    if zero_based != "auto" and content.frame is not None:
        raise InputError(
            f"{path.name} is read as a table; leave out zero_based, which is for the other format."
        )
    return _table(content, target, path)


def read_upload(content: bytes, name: str, target=None, caps=limits.UPLOAD) -> Table:
    """The same of a visitor's file: its bytes, and a name for its suffix and for sentences alone."""
    return _table(open_upload(content, name, caps), target, Path(plain_name(name)))


def open_file(path: Path, zero_based="auto", labelled=True, n_features=None, **spelling) -> formats.Content:
    """Return what a file holds, before its target is looked for.

    Parameters
    ----------
    path : Path
    zero_based, n_features, **spelling
        As for `read`.
    labelled : bool
        Whether the file must hold targets; what is predicted need not.
    """
    extras.need("tables", f"reading {path.name}")
    caps = limits.own()
    raw, inner = limits.opened(path, path.name, caps)
    return formats.content(
        raw, path.name, inner, caps, zero_based, n_features, labelled, Spelling(**spelling)
    )


def open_upload(content: bytes, name: str, caps=limits.UPLOAD, zero_based="auto", labelled=True):
    """What a visitor's file holds; the parameters of `read_upload` and `open_file`."""
    where = plain_name(name)
    raw, inner = limits.opened(content, where, caps)
    result = formats.content(raw, where, inner, caps, zero_based, labelled=labelled)
    rows, columns = (result.matrix.shape[0], 0) if result.frame is None else result.frame.shape
    caps.check(where, rows, columns, rows * columns)
    return result


def spelling_in(options: dict) -> dict:
    """Return those of the options that say how a text is written."""
    return {name: value for name, value in options.items() if name in Spelling._fields}


def plain_name(name) -> str:
    """The last part of a file's name with what prints of it, cut; "upload" where nothing is left."""
    text = re.split(r"[/\\]", name)[-1] if isinstance(name, str) else ""
    printable = "".join(sign for sign in text if sign.isprintable()).strip()
    if len(printable) > LONGEST_NAME:
        printable = f"{printable[: LONGEST_NAME // 2]}...{printable[-LONGEST_NAME // 3 :]}"
    return printable if printable.strip(".") else "upload"


def _table(content, target, path):
    if content.frame is None:
        if target is not None:
            raise InputError(
                f"{path.name} is read as LIBSVM; leave out target, which is for the other format."
            )
        return Table.of_matrix(content.matrix, content.y, content.first, path.name, str(path), content.notes)
    return of_frame(content.frame, target, path.name, str(path), content.notes, content.has_names)


def of_frame(frame, target=None, name="the table", source="", notes=(), has_names=True) -> Table:
    """The table of a DataFrame; the parameters of `read`."""
    names, key = list(frame.columns), target
    if len(names) < 2:
        raise InputError(sentence("one_column", where=name))
    if target is None:
        target, why = guessed(names)
    else:
        target, why = find_target(names, target, name, has_names), ""
    series = frame.iloc[:, target]
    notes = [*notes, *([why] if why else [])]
    return Table(frame.drop(columns=[names[target]]), series, name, source, notes, key=key, place=target)


def guessed(names):
    """The place of the target where nobody names it, and why this one."""
    called = [j for j, name in enumerate(names) if str(name).strip().lower() in LABEL_NAMES]
    if len(called) == 1 and called[0] != len(names) - 1:
        return called[0], f"the target is the column {names[called[0]]!r}, by its name"
    return len(names) - 1, ""


def find_target(names: list, target, where: str, has_names: bool = True) -> int:
    """The place of the target column, counted from 0.

    Parameters
    ----------
    names : list of str
        The names in the header, or stand-ins for them.
    target : str or int
    where : str
    has_names : bool
        Whether the file has a header.
    """
    if target in names and not isinstance(target, bool) and (has_names or isinstance(target, str)):
        return names.index(target)
    place = _as_place(target)
    if place is not None and -len(names) <= place < len(names):
        return place % len(names)
    listing = ", ".join(map(str, names[:8])) + (", ..." if len(names) > 8 else "")
    hint = f"its columns are {listing}, or" if has_names else "it has no header, and its columns are"
    raise InputError(f"{where}: target={target!r} is no column; {hint} 0 to {len(names) - 1} by number.")


def _as_place(target) -> int | None:
    """A target given as a number, also one typed as text, or None."""
    if isinstance(target, Integral) and not isinstance(target, bool):
        return int(target)
    if isinstance(target, str) and re.fullmatch(r"-?\d{1,9}", target.strip()):
        return int(target)
    return None
