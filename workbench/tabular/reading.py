"""A file of any format as columns: delimited text, Parquet, JSON lines, LIBSVM, NumPy's arrays."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import NamedTuple

from workbench.data import files, libsvm, uploads
from workbench.data import table as strict
from workbench.errors import InputError
from workbench.system import extras
from workbench.tabular import text as delimited
from workbench.tabular.table import Table

PARQUET, JSON, ARRAYS = (".parquet", ".pq"), (".jsonl", ".ndjson", ".json"), (".npy", ".npz")
# Digits of a whole number that floating point holds, whatever they are.
LONGEST_WHOLE = 300
# A column of this name is the target where none is given and no other has one of them.
LABEL_NAMES = ("label", "target", "class", "y", "outcome", "species", "response", "diagnosis")
# Arrays of an archive that hold samples and targets.
SAMPLES, TARGETS = ("X", "x", "data", "X_train", "x_train"), ("y", "Y", "target", "labels", "y_train")


class Content(NamedTuple):
    """What a file holds.

    Attributes
    ----------
    frame : DataFrame or None
        All columns; None for LIBSVM.
    matrix : csr_array (n, d) or None
        LIBSVM's samples; `y` has their labels and `first` is the number of the first feature.
    notes : list of str
        What was found out, for the reader.
    named : bool
        Whether the columns have names of their own.
    name : str
        The file's name, for errors.
    """

    frame: object
    notes: list
    named: bool
    matrix: object = None
    y: object = None
    first: int = 1
    name: str = ""


def read(path, target=None, zero_based="auto") -> Table:
    """Read a table and find its target.

    Parameters
    ----------
    path : path
        A .csv, .tsv, .parquet, .jsonl, LIBSVM, .npy or .npz file, plain or compressed (.gz, .bz2, .xz, .zip).
    target : str or int, optional
        The column to predict, by its name or its place from 0; a column called "target", "label" or the
        like, else the last one.
    zero_based : "auto", True or False
        LIBSVM: whether indices start at 0.

    Raises
    ------
    InputError
        Names the file, the line or the column, and the fix.
    """
    path = Path(os.path.expanduser(path))
    return _table(open_file(path, zero_based), target, path)


def read_upload(content: bytes, name: str, target=None, caps=uploads.CAPS) -> Table:
    """The same of a visitor's file, which is counted before it is parsed.

    Parameters
    ----------
    content : bytes
    name : str
        As the visitor's machine calls it.
    target
        As for `read`.
    caps : uploads.Caps

    Raises
    ------
    InputError
        Names the file, the line or the column, and the fix.
    """
    return _table(open_upload(content, name, caps), target, Path(uploads.plain_name(name)))


def open_upload(content: bytes, name: str, caps=uploads.CAPS, zero_based="auto", labelled=True) -> Content:
    """The content of a visitor's file; the parameters of `read_upload` and `open_file`."""
    path = Path(uploads.plain_name(name))
    content = uploads.unpacked(content, path.name, caps)
    found = open_bytes(content, _plain(path), zero_based, labelled, caps)
    rows, columns = (found.matrix.shape[0], 0) if found.frame is None else found.frame.shape
    uploads.check_size(path.name, rows, columns, rows * columns, caps)
    return found._replace(name=path.name)


def _plain(path):
    return path.with_suffix("") if path.suffix.lower() in uploads.PACKINGS else path


def _table(content, target, path):
    if content.frame is None:
        if target is not None:
            raise InputError(f"{path.name} is read as LIBSVM; leave out target, which is for tables.")
        return Table.of_matrix(content.matrix, content.y, content.first, path.name, str(path), content.notes)
    return of_frame(content.frame, target, path.name, str(path), content.notes, content.named)


def of_frame(frame, target=None, name="the table", source="", notes=(), named=True) -> Table:
    """The table of a DataFrame; the parameters of `read`."""
    names, asked = list(frame.columns), target
    if target is None:
        target, why = _guessed(names)
    else:
        target, why = strict.find_target(names, target, name, named), ""
    if len(names) < 2:
        strict.find_target(names, None, name, named)
    series = frame.iloc[:, target]
    notes = [*notes, *([why] if why else [])]
    return Table(frame.drop(columns=[names[target]]), series, name, source, notes, asked=asked)


def _guessed(names):
    """The place of the target where nobody names it, and why this one."""
    called = [j for j, name in enumerate(names) if str(name).strip().lower() in LABEL_NAMES]
    if len(called) == 1 and called[0] != len(names) - 1:
        return called[0], f"the target is the column {names[called[0]]!r}, by its name (--target changes it)"
    return len(names) - 1, ""


def open_file(path: Path, zero_based="auto", labelled=True) -> Content:
    """The content of a file, whose format its suffix or its first lines tell.

    Parameters
    ----------
    path : Path
    zero_based
        As for `read`.
    labelled : bool
        Whether the file must hold targets; what is predicted need not.
    """
    return open_bytes(_bytes(path), path, zero_based, labelled)


def open_bytes(raw, path, zero_based="auto", labelled=True, caps=None) -> Content:
    """The content of the bytes of a file, unpacked; `caps` are those of uploads, and None for one's own."""
    where = path.name
    if caps is not None:
        lines = raw.count(b"\n")
        # Of text each separator begins a cell, a quoted one too: this errs on the safe side.
        cells = max(raw.count(mark) for mark in (b",", b";", b"\t", b"|", b":", b" ")) + lines
        uploads.check_size(where, lines, 0, cells, caps)
    found = _content(raw, path, zero_based, caps)
    if found.frame is not None:
        _check(found.frame, where, labelled)
    return found._replace(name=where)


def _content(raw, path, zero_based, caps):
    """The content by its format, its columns not yet checked."""
    where, suffix = path.name, _suffix(path)
    if suffix in PARQUET:
        return _parquet(raw, where)
    if suffix in JSON:
        return _json_lines(raw, where)
    if suffix in ARRAYS:
        return _arrays(raw, where, suffix)
    if not files.is_table(_without_packing(path), raw) and _is_libsvm(path, raw):
        most = {} if caps is None else {"widest": caps.sparse_columns}
        X, y, first = libsvm.read(raw, where, None, zero_based, **most)
        return Content(None, [f"LIBSVM, features from {first}"], False, X, y, first)
    text, notes = delimited.decode(raw, where)
    frame, layout = delimited.read(text, where, "\t" if suffix == ".tsv" else None)
    named = layout.names is not None
    frame, index = _indexed(frame, named)
    return Content(frame, [layout.sentence(), *notes, *index], named)


def _is_libsvm(path, raw):
    """A .txt or .dat file is LIBSVM only where it looks so."""
    if _suffix(path) in (".libsvm", ".svm", ".svmlight"):
        return True
    lines = [line for line in raw[:65536].splitlines() if line.strip() and not line.startswith(b"#")]
    return any(files._PAIR.search(line) for line in lines[:20])


def _suffix(path):
    return files.plain_suffix(_without_packing(path))


def _without_packing(path):
    return path.with_suffix("") if path.suffix.lower() == ".zip" else path


def _bytes(path):
    """The content, unpacked."""
    if path.suffix.lower() != ".zip":
        return files.read_bytes(path)
    content = files.read_bytes(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inside = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(inside) != 1:
                raise InputError(f"{path.name} holds {len(inside)} files; pack one table alone.")
            if inside[0].file_size > files.MAX_BYTES:
                raise InputError(
                    f"{path.name} unpacks to more than {files.MAX_BYTES} bytes; take fewer rows."
                )
            return archive.read(inside[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{path.name} is not a complete .zip file ({error}); pack it anew.") from None


def _parquet(raw, where):
    import pandas as pd

    extras.need("parquet", where, "pyarrow")
    try:
        frame = pd.read_parquet(io.BytesIO(raw), engine="pyarrow")
    except Exception as error:  # whatever the library raises for bytes that mean nothing
        raise InputError(
            f"{where} is not a Parquet file ({str(error).splitlines()[0]}); write it anew."
        ) from None
    return Content(frame, ["Parquet"], True)


def _json_lines(raw, where):
    import pandas as pd

    text, notes = delimited.decode(raw, where)
    lines = not text.lstrip().startswith("[")
    rows, number = [], 1
    try:
        if lines:
            for number, line in enumerate(text.split("\n"), 1):  # noqa: B007 - for the error
                if line.strip():
                    rows.append(json.loads(line, parse_int=_whole))
        else:
            rows = json.loads(text, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise InputError(f'{where}, line {number}: no JSON ({error}); write one object a line, such as '
                         '{"a": 1}.') from None  # fmt: skip
    wrong = next((k for k, row in enumerate(rows, 1) if not isinstance(row, dict)), None)
    if wrong is not None or not rows:
        raise InputError(
            f'{where}, row {wrong or 1}: no object with named columns; write {{"a": 1}}, one a row.'
        )
    return Content(pd.DataFrame(rows), ["JSON lines" if lines else "a JSON list", *notes], True)


def _whole(digits):
    """A whole number of JSON; one beyond floating point is infinite, and refused as such by its row."""
    return int(digits) if len(digits) < LONGEST_WHOLE else float(digits)


def _arrays(raw, where, suffix):
    import numpy as np
    import pandas as pd

    try:
        loaded = np.load(io.BytesIO(raw), allow_pickle=False)
        arrays = {name: loaded[name] for name in loaded.files} if suffix == ".npz" else {"": loaded}
    except Exception as error:  # whatever NumPy and zipfile raise for bytes that mean nothing
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{where} holds no plain arrays ({reason}); save numbers with np.save or np.savez."
                         ) from None  # fmt: skip
    X = next((arrays[name] for name in SAMPLES if name in arrays), None)
    y = next((arrays[name] for name in TARGETS if name in arrays), None)
    if X is None and len(arrays) == 1:
        X, y = next(iter(arrays.values())), None
    if X is None or (y is not None and (y.ndim != 1 or X.ndim != 2 or len(X) != len(y))):
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(
            f"{where} holds {found or 'nothing'}; give the samples as X (n, d) and the targets as y (n,), "
            "or one array whose last column is the target."
        )
    if X.dtype.names:
        return Content(pd.DataFrame.from_records(X), ["an array with named columns"], True)
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise InputError(f"{where} holds {X.dtype} of shape {X.shape}; save an array of numbers (n, d).")
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    if y is not None:
        frame["y"] = y
    return Content(frame, ["arrays X and y" if y is not None else "one array"], False)


def _indexed(frame, named):
    """A first column without a name, of values that are all different, is the rows' index."""
    if not named or frame.shape[1] < 2 or frame.columns[0] != "":
        return frame, []
    if frame.iloc[:, 0].is_unique and not frame.iloc[:, 0].isna().any():
        frame = frame.set_index("")
        frame.index.name = None
        return frame, ["the first column, which has no name, is the index"]
    return frame.rename(columns={"": "column 0"}), []


def _check(frame, where, labelled):
    """Refuse a DataFrame that has no rows or two columns of one name; names become texts."""
    frame.columns = [str(name).strip() for name in frame.columns]
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"{where}: several columns are named {twice[0]!r}; give each a name of its own.")
    if not len(frame):
        raise InputError(f"{where} has no rows; it should hold one sample a row.")
    if labelled and frame.shape[1] < 2:
        strict.find_target(list(frame.columns), None, where, True)
