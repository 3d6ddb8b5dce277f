"""The one reader of tables: of a file's path, of its bytes from a browser, or of a DataFrame."""

from __future__ import annotations

import re
from numbers import Integral
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.data import places
from workbench.data.tables import formats, limits
from workbench.data.tables.sentences import sentence
from workbench.data.tables.table import Table
from workbench.data.tables.text import Spelling

# A column of this name is the target where none is given and no other has one of them.
LABEL_NAMES = ("label", "target", "class", "y", "outcome", "species", "response", "diagnosis")
LONGEST_NAME = 60


def read(path, target=None, zero_based="auto", n_features=None, **spelling) -> Table:
    """Read a table and find its target.

    The path is that of a .csv, .tsv, .xlsx, .parquet, .jsonl, .arff, LIBSVM, .npy or .npz file, plain or
    compressed (.gz, .bz2, .xz, .zip). `target` and the spelling are those of `wb.data.read`; `zero_based` and
    `n_features` are those of `libsvm.read`. An `InputError` names the file, the line or the column, and the
    fix.
    """
    path = places.user_path(path)
    content = open_file(path, zero_based, n_features=n_features, **spelling)
    if zero_based != "auto" and content.frame is not None:
        raise InputError(
            f"{path.name} is read as a table; leave out zero_based, which is for the other format."
        )
    table = _table(content, target, path)
    table.spelling = {name: value for name, value in spelling.items() if value}
    return table


def read_upload(content: bytes, name: str, target=None, caps=limits.UPLOAD) -> Table:
    """Read a visitor's file: its bytes, and a name for its suffix and for sentences alone."""
    return _table(open_upload(content, name, caps), target, Path(plain_name(name)))


def open_file(path: Path, zero_based="auto", labelled=True, n_features=None, **spelling) -> formats.Content:
    """Return what a file holds, before its target is looked for; rows to predict are not `labelled`."""
    extras.need("tables", f"reading {path.name}")
    caps = limits.own()
    raw, inner = limits.read_bytes(path, path.name, caps)
    return formats.content(
        raw, path.name, inner, caps, zero_based, n_features, labelled, Spelling(**spelling)
    )


def open_upload(content: bytes, name: str, caps=limits.UPLOAD, zero_based="auto", labelled=True):
    """Return what a visitor's file holds; the parameters of `read_upload` and `open_file`."""
    where = plain_name(name)
    raw, inner = limits.read_bytes(content, where, caps)
    return formats.content(raw, where, inner, caps, zero_based, labelled=labelled)


def spelling_in(options: dict) -> dict:
    """Return those of the options that give the notation of a text."""
    return {name: value for name, value in options.items() if name in Spelling._fields}


def plain_name(name) -> str:
    """Return the last part of a file's name without what does not print, cut; "upload" for an empty one."""
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
    """Return the table of a DataFrame; the parameters of `read`."""
    names, key, notes = list(frame.columns), target, list(notes)
    if len(names) < 2:
        raise InputError(sentence("one_column", where=name))
    if target is None:
        place, why = guess_target(names)
        notes += [why] if why else []
    else:
        place = find_target(names, target, name, has_names)
    return Table(
        frame.drop(columns=[names[place]]), frame.iloc[:, place], name, source, notes, key=key, place=place
    )


def guess_target(names):
    """Return the place of the target where nobody names it, and why this one."""
    places = [j for j, name in enumerate(names) if str(name).strip().lower() in LABEL_NAMES]
    if len(places) == 1 and places[0] != len(names) - 1:
        return places[0], f"the target is the column {names[places[0]]!r}, by its name"
    return len(names) - 1, ""


def find_target(names: list, target, where: str, has_names: bool = True) -> int:
    """Return the place of the target column, by its name, or by its place as a number or a text.

    Without a header a number is a place, also where it is a name.
    """
    if target in names and not isinstance(target, bool) and (has_names or isinstance(target, str)):
        return names.index(target)
    is_place = isinstance(target, Integral) and not isinstance(target, bool)
    if is_place or (isinstance(target, str) and re.fullmatch(r"-?\d{1,9}", target.strip())):
        place = int(target)
        if -len(names) <= place < len(names):
            return place % len(names)
    listing = ", ".join(map(str, names[:8])) + (", ..." if len(names) > 8 else "")
    hint = f"its columns are {listing}, or" if has_names else "it has no header, and its columns are"
    raise InputError(f"{where}: target={target!r} is not a column; {hint} 0 to {len(names) - 1} by number.")
