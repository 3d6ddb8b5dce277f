"""The content of a file, by its format: text, Excel, Parquet, JSON, ARFF, LIBSVM or arrays of NumPy."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.data.tables import columns, libsvm, limits
from workbench.data.tables import text as delimited
from workbench.data.tables.sentences import sentence

LIBSVM_SUFFIXES = (".libsvm", ".svm", ".svmlight")
# Of LIBSVM or a table: the first lines tell.
TEXT_SUFFIXES = (".txt", ".dat")
TABLE_SUFFIXES = (".csv", ".tsv")
JSON, ARRAYS = (".jsonl", ".ndjson", ".json"), (".npy", ".npz")
PARQUET, EXCEL, ARFF = (".parquet", ".pq"), (".xlsx", ".xlsm"), (".arff",)
SUFFIXES = (
    *(*LIBSVM_SUFFIXES, *TEXT_SUFFIXES, *TABLE_SUFFIXES, *JSON, *ARRAYS, *PARQUET),
    *(*EXCEL, *ARFF, *limits.PACKINGS),
)
MARKS = {b"PAR1": PARQUET[0], b"\x93NUMPY": ARRAYS[0]}
PAIR = re.compile(rb"\s[+-]?\d+:\S")
# Arrays of an archive that hold samples and targets.
SAMPLES, TARGETS = ("X", "x", "data", "X_train", "x_train"), ("y", "Y", "target", "labels", "y_train")


class Content(NamedTuple):
    """The content of a file.

    Attributes
    ----------
    frame : DataFrame or None
        All columns as `columns.plain` gives them; None for LIBSVM.
    notes : tuple of str
        Sentences on how the file was read, for its user.
    has_names : bool
        True if the columns have names of their own.
    matrix : csr_array (n, d) or None
        The samples of LIBSVM; `y` has their labels and `first` is the number of the first feature.
    name : str
        The name of the file, for errors.
    """

    frame: Any  # DataFrame or None
    notes: tuple
    has_names: bool
    matrix: Any = None
    y: NDArray[Any] | None = None
    first: int = 1
    name: str = ""


def content(
    raw: bytes,
    where: str,
    inner: str,
    caps,
    zero_based="auto",
    n_features=None,
    labelled=True,
    spelling=delimited.Spelling(),  # noqa: B008
) -> Content:
    """Return what the bytes of an unpacked file hold.

    `where` is the name for errors, and `inner` one whose suffix is that of the content; the first bytes go
    before the suffix. Rows to predict need no targets, so they are not `labelled`. The rest is as for
    `reading.read`.
    """
    spelling = spelling.validate()
    suffix = Path(inner).suffix.lower()
    suffix = next((other for mark, other in MARKS.items() if raw.startswith(mark)), suffix)
    if raw.startswith(limits.ZIP):
        suffix = EXCEL[0] if limits.is_book(raw, where) else ARRAYS[1]
    if is_libsvm(raw, suffix):
        caps.check(where, rows=raw.count(b"\n"), numbers=raw.count(b":"))
        X, y, first = libsvm.read(raw, where, n_features, zero_based, caps.sparse_columns)
        return Content(None, (f"LIBSVM, features from {first}",), False, X, y, first, where)
    extras.need(*NEEDS.get(suffix, ("tables", where)))
    binary = {
        **dict.fromkeys(PARQUET, _parquet),
        **dict.fromkeys(ARRAYS, _arrays),
        **dict.fromkeys(EXCEL, _excel),
    }
    notes: list[str] = []
    is_text = suffix not in (*binary, *JSON, *ARFF)
    if suffix in binary:
        result = binary[suffix](raw, where, caps, spelling)
    else:
        text, notes = delimited.decode(raw, where, spelling.encoding)
        if is_text:
            separator = "\t" if suffix == ".tsv" else None
            result = Content(*delimited.read(text, where, caps, separator, spelling))
        else:
            result = (_json if suffix in JSON else _arff)(text, where, caps)
    frame = columns.plain(result.frame)
    if not is_text and (spelling.decimal or spelling.thousands):
        names = delimited.text_columns(frame)
        arrays = delimited.convert([frame[name].tolist() for name in names], spelling)[0]
        for name, array in zip(names, arrays, strict=True):
            frame[name] = array
    result = _with_index(result._replace(frame=frame, notes=(*result.notes, *notes)))
    _check(result.frame, where, labelled)
    caps.check(where, *result.frame.shape, result.frame.size)
    return result._replace(name=where, notes=(*result.notes, *delimited.remarks(result.frame)))


NEEDS = {
    **dict.fromkeys(PARQUET, ("parquet", "a Parquet file", "pyarrow")),
    **dict.fromkeys(EXCEL, ("excel", "an Excel file", "openpyxl")),
}


def is_libsvm(raw: bytes, suffix: str) -> bool:
    """Return True for a file of LIBSVM: by its suffix, else by its first lines."""
    if suffix in SUFFIXES and suffix not in TEXT_SUFFIXES:
        return suffix in LIBSVM_SUFFIXES
    lines = [line for line in raw[: 2**16].splitlines() if line.strip() and not line.startswith(b"#")]
    return any(PAIR.search(line) for line in lines[:20])


def _parquet(raw, where, caps, _spelling):
    """Read flat columns; the footer counts rows and bytes before they are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with limits.decoded(where, "is not a Parquet file", "write it anew"):
        file = pq.ParquetFile(io.BytesIO(raw))
        meta, schema = file.metadata, file.schema_arrow
        caps.check(where, meta.num_rows, meta.num_columns, meta.num_rows * meta.num_columns)
        caps.check_bytes(where, sum(meta.row_group(k).total_byte_size for k in range(meta.num_row_groups)))
        nested = [field.name for field in schema if pa.types.is_nested(field.type)]
        if nested:
            raise InputError(
                f"{where}: the column {nested[0]!r} holds lists or records; write a column for each number."
            )
        frame = file.read(use_threads=False).to_pandas(ignore_metadata=True, integer_object_nulls=True)
    # Columns that were an index come first, so that the last one stays the last.
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    index = [name for name in index if isinstance(name, str) and name in frame.columns]
    frame = frame[[*index, *frame.columns.drop(index)]]
    nameless = [name for name in index if re.fullmatch(r"__index_level_\d+__", name)]
    if nameless:
        frame = frame.set_index(nameless).rename_axis([None] * len(nameless))
    return Content(frame, ("Parquet",), True)


def _excel(raw, where, caps, spelling):
    """Read the first sheet of a book."""
    import pandas as pd

    with limits.decoded(where, "is not an Excel file", "save it anew, or as CSV"):
        caps.check_bytes(where, sum(entry.file_size for entry in limits.archive_of(raw, where).infolist()))
        with pd.ExcelFile(io.BytesIO(raw), engine="openpyxl") as book:
            sheets, sheet = book.sheet_names, book.book.worksheets[0]
            # The extent that the sheet states: pandas makes a cell of each place in it, empty or not.
            caps.check(where, numbers=(sheet.max_row or 0) * (sheet.max_column or 0))
            options = {"keep_default_na": False, "na_values": list(delimited.MISSING), "dtype": object}
            frame = pd.read_excel(book, header=None, skiprows=spelling.skip, **options)
    frame = frame.dropna(how="all").dropna(how="all", axis=1)
    if frame.empty:
        raise InputError(sentence("no_rows", where=where))
    first = frame.iloc[0]
    has_names = all(isinstance(value, str) for value in first.dropna())
    names = [f"column {j}" for j in range(frame.shape[1])]
    if has_names:
        names = delimited.check_names(
            ["" if empty else text.strip() for text, empty in zip(first, first.isna(), strict=True)], where
        )
        frame = frame.iloc[1:]
    if frame.empty:
        raise InputError(sentence("header_only", where=where))
    note = f"Excel, the sheet {sheets[0]!r}" + (f" of {len(sheets)}" if len(sheets) > 1 else "")
    return Content(frame.set_axis(names, axis=1).reset_index(drop=True), (note,), has_names)


def _json(text, where, caps):
    """Read objects with named columns, one a line or in a list; cells are counted before columns are made."""
    import pandas as pd

    caps.check(where, rows=text.count("{"), numbers=max(text.count(","), text.count("["), text.count(":")))
    is_list, rows, number = text.lstrip().startswith("["), [], 1
    try:
        if is_list:
            rows = json.loads(text)
        for number, line in enumerate([] if is_list else text.split("\n"), 1):  # noqa: B007 - for the error
            rows += [json.loads(line)] if line.strip() else []
    except (ValueError, RecursionError) as error:
        raise InputError(
            f'{where}, line {number}: not JSON ({error}); write one object a line, such as {{"a": 1}}.'
        ) from None
    names: dict[str, Any] = {}
    for k, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not row:
            raise InputError(
                f'{where}, row {k}: not an object with named columns; write {{"a": 1}}, one a row.'
            )
        names |= dict.fromkeys(row)
        nested = [name for name, value in row.items() if isinstance(value, dict | list)]
        if nested:
            raise InputError(
                f"{where}, row {k}: {nested[0]!r} holds a list or an object; write a column for each number."
            )
        caps.check(where, k, len(names), k * len(names))
    frame = pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names})
    return Content(frame, ("a JSON list" if is_list else "JSON lines",), True)


def _arff(text, where, caps):
    """Read numbers and nominal attributes, as SciPy does."""
    import pandas as pd
    from scipy.io import arff

    head, *rest = re.split(r"(?im)^\s*@data\b.*$", text, maxsplit=1)
    body = "".join(rest)
    width = len(re.findall(r"(?im)^\s*@attribute\b", head))
    caps.check(where, body.count("\n"), width, max(body.count("\n") * width, body.count(",")))
    fault = "is not ARFF that SciPy reads, with numbers and nominal attributes and no sparse rows"
    with limits.decoded(where, fault, "save the table as CSV"):
        data, meta = arff.loadarff(io.StringIO(text))
    frame = pd.DataFrame({name: data[name] for name in meta.names()})
    for name, kind in zip(meta.names(), meta.types(), strict=True):
        if kind == "nominal":
            texts = [value.decode("utf-8", "replace") for value in data[name]]
            frame[name] = pd.Series([None if text == "?" else text for text in texts], dtype=object)
    return Content(frame, ("ARFF",), True)


def _arrays(raw, where, caps, _spelling):
    """Read X and y of an archive, or one array; arrays of Python objects are not opened."""
    import numpy as np
    import pandas as pd

    with limits.decoded(where, "holds no plain arrays", "save numbers with np.save or np.savez"):
        if raw.startswith(limits.ZIP):
            caps.check_bytes(
                where, sum(entry.file_size for entry in limits.archive_of(raw, where).infolist())
            )
        opened = np.load(io.BytesIO(raw), allow_pickle=False)
        arrays = dict(opened) if hasattr(opened, "files") else {"X": opened}
    X, y = (next((arrays[name] for name in names if name in arrays), None) for names in (SAMPLES, TARGETS))
    X = next(iter(arrays.values())) if X is None and len(arrays) == 1 else X
    known = (X is not None) + (y is not None)
    if X is None or len(arrays) != known or (y is not None and (X.ndim, y.shape) != (2, X.shape[:1])):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(
            f"{where} holds {shapes or 'nothing'}; give the samples as X (n, d) and the targets as y (n,), "
            "or one array whose last column is the target, and no other arrays."
        )
    if X.dtype.names and X.ndim == 1 and not any(X.dtype[name].shape for name in X.dtype.names):
        return Content(pd.DataFrame.from_records(X), ("an array with named columns",), True)
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise InputError(f"{where} holds {X.dtype} of shape {X.shape}; save an array of numbers (n, d).")
    X = X.astype(X.dtype.newbyteorder("="))
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    if y is not None:
        frame["y"] = y.astype(str) if y.dtype.kind in "SU" else y.astype(y.dtype.newbyteorder("="))
    return Content(frame, ("arrays X and y" if y is not None else "one array",), False)


def _with_index(content):
    """Take a first column without a name, whose values are all different, as the index of the rows."""
    frame = content.frame
    if not content.has_names or frame.shape[1] < 2 or frame.columns[0] != "":
        return content
    if not frame.iloc[:, 0].is_unique or frame.iloc[:, 0].isna().any():
        return content._replace(frame=frame.rename(columns={"": "column 0"}))
    notes = (*content.notes, "the first column, which has no name, is the index")
    return content._replace(frame=frame.set_index("").rename_axis(None), notes=notes)


def _check(frame, where, labelled):
    """Refuse a DataFrame that has no rows or two columns of one name; names become texts."""
    frame.columns = [str(name).strip() for name in frame.columns]
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"{where}: several columns are named {twice[0]!r}; give each a name of its own.")
    if not len(frame):
        raise InputError(sentence("no_rows", where=where))
    if labelled and frame.shape[1] < 2:
        raise InputError(sentence("one_column", where=where))
