"""What a file holds, by its format: delimited text, Excel, Parquet, JSON, ARFF, LIBSVM or NumPy's arrays.

Each format is counted from its headers, or while it is read, before memory is taken for its columns.
"""

from __future__ import annotations

import decimal
import functools
import io
import json
import math
import numbers
import re
from pathlib import Path
from typing import NamedTuple

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.data.tables import libsvm, limits, remarks
from workbench.data.tables import text as delimited
from workbench.data.tables.sentences import sentence

LIBSVM_SUFFIXES = (".libsvm", ".svm", ".svmlight")
# Of LIBSVM or a table: the first lines tell.
TEXT_SUFFIXES = (".txt", ".dat")
TABLE_SUFFIXES = (".csv", ".tsv")
JSON = (".jsonl", ".ndjson", ".json")
ARRAYS = (".npy", ".npz")
PARQUET = (".parquet", ".pq")
EXCEL, ARFF = (".xlsx", ".xlsm"), (".arff",)
SUFFIXES = (
    *(*LIBSVM_SUFFIXES, *TEXT_SUFFIXES, *TABLE_SUFFIXES, *JSON, *ARRAYS, *PARQUET),
    *(*EXCEL, *ARFF, *limits.PACKINGS),
)
MARKS = {b"PAR1": PARQUET[0], b"\x93NUMPY": ARRAYS[0]}
PAIR = re.compile(rb"\s[+-]?\d+:\S")
REAL = numbers.Real, decimal.Decimal
# Floating point holds some whole numbers up to here.
LARGEST_WHOLE = 2**1023
# An attribute of ARFF that SciPy does not read.
UNREAD = re.compile(
    r"^\s*@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(string|relational)", re.IGNORECASE | re.MULTILINE
)
# Arrays of an archive that hold samples and targets.
SAMPLES, TARGETS = ("X", "x", "data", "X_train", "x_train"), ("y", "Y", "target", "labels", "y_train")
# An array's header is read from so many of its first bytes.
HEADER = 2**16
# Columns that pandas adds for an index without a name.
NAMELESS = re.compile(r"__index_level_\d+__")


class Content(NamedTuple):
    """What a file holds.

    Attributes
    ----------
    frame : DataFrame or None
        All columns: float64, int64 or bool, others as texts with None for an empty cell; None for LIBSVM.
    notes : tuple of str
        Sentences on how the file was read, for its user.
    has_names : bool
        True if the columns have names of their own.
    matrix : csr_array (n, d) or None
        LIBSVM's samples; `y` has their labels and `first` is the number of the first feature.
    name : str
        The file's name, for errors.
    """

    frame: object
    notes: tuple
    has_names: bool
    matrix: object = None
    y: object = None
    first: int = 1
    name: str = ""

    @property
    def X(self):
        """The samples of LIBSVM, csr_array (n, d)."""
        return self.matrix


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

    Parameters
    ----------
    raw : bytes
    where : str
        The file's name, for errors.
    inner : str
        A name whose suffix is that of the content; its first bytes go before its suffix.
    caps : Limits
    zero_based : "auto", True or False
        LIBSVM: whether indices start at 0.
    n_features : int, optional
        LIBSVM: columns to pad to, and not to exceed.
    labelled : bool
        Whether the file must hold targets; what is predicted need not.
    spelling : Spelling
        How its text is to be read.
    """
    spelling = spelling.checked()
    suffix = Path(inner).suffix.lower()
    suffix = next((by for mark, by in MARKS.items() if raw.startswith(mark)), suffix)
    if raw.startswith(limits.ZIP):
        suffix = EXCEL[0] if limits.is_book(raw, where) else ARRAYS[1]
    if suffix not in (*PARQUET, *ARRAYS, *EXCEL, *ARFF) and is_libsvm(raw, suffix):
        X, y, first = _libsvm(raw, where, caps, zero_based, n_features)
        return Content(None, (f"LIBSVM, features from {first}",), False, X, y, first, where)
    if suffix in PARQUET:
        result = _parquet(raw, where, caps)
    elif suffix in ARRAYS:
        result = _arrays(raw, where, suffix, caps)
    elif suffix in EXCEL:
        result = _excel(raw, where, caps)
    else:
        text, notes = delimited.decode(raw, where, spelling.encoding)
        if suffix in JSON:
            result = _json(text, where, caps)
        elif suffix in ARFF:
            result = _arff(text, where, caps)
        else:
            separator = "\t" if suffix == ".tsv" else None
            result = Content(*delimited.read(text, where, caps, separator, spelling))
        result = result._replace(notes=(*result.notes, *notes))
    frame = result.frame
    if spelling.decimal or spelling.thousands:
        frame = delimited.converted(frame, spelling.decimal or ".", spelling.thousands)
    result = _indexed(result._replace(frame=_plain(frame)))
    _check(result.frame, where, labelled)
    return result._replace(name=where, notes=(*result.notes, *remarks.remarks(result.frame)))


def _plain(frame):
    """Return the frame with float64, int64 and bool, and texts with None for an empty cell."""
    kinds = ("float64", "int64", "bool")
    others = [j for j, dtype in enumerate(frame.dtypes) if str(dtype) not in kinds]
    if not others:
        return frame
    columns = frame.columns
    frame = frame.set_axis(range(frame.shape[1]), axis=1)
    for j in others:
        frame[j] = _plain_column(frame[j])
    return frame.set_axis(columns, axis=1)


def _plain_column(series):
    import numpy as np
    import pandas as pd

    empty = series.isna().to_numpy()
    if not isinstance(series.dtype, pd.StringDtype):
        values = series.dropna().tolist()
        if values and not empty.any() and all(isinstance(value, bool) for value in values):
            return series.astype(np.bool_)
        if all(isinstance(value, REAL) and not isinstance(value, bool) for value in values):
            return _plain_numbers(series, values)
        series = series.astype(object).map(str)
    return _as_texts(series, empty)


def _plain_numbers(series, values):
    """Return a column of numbers as int64 or float64, or as texts where either would lose digits."""
    import numpy as np

    whole = [value for value in values if isinstance(value, numbers.Integral)]
    if len(whole) == len(series) and all(-(2**63) <= value < 2**63 for value in whole):
        return series.astype(np.int64)
    if all(abs(value) < LARGEST_WHOLE and value == float(value) for value in whole):
        return series.astype(np.float64)
    return _as_texts(series.astype(object).map(str), series.isna().to_numpy())


def _as_texts(series, empty):
    texts = series.astype(object)
    texts[empty] = None
    return texts


def is_libsvm(raw: bytes, suffix: str) -> bool:
    """Whether a file is LIBSVM: by its suffix, else by its first lines."""
    if suffix in LIBSVM_SUFFIXES or suffix in (*TABLE_SUFFIXES, *JSON):
        return suffix in LIBSVM_SUFFIXES
    lines = [line for line in raw[:HEADER].splitlines() if line.strip() and not line.startswith(b"#")]
    return any(PAIR.search(line) for line in lines[:20])


def _libsvm(raw, where, caps, zero_based, n_features):
    import numpy as np

    from workbench.data.tables.preparation import LARGEST

    caps.check(where, rows=raw.count(b"\n"), numbers=raw.count(b":"))
    X, y, first = libsvm.read(raw, where, n_features, zero_based, caps.sparse_columns)
    large = np.flatnonzero(np.abs(y) > LARGEST)
    if (np.abs(X.data) > LARGEST).any():
        large = [np.searchsorted(X.indptr, np.argmax(np.abs(X.data) > LARGEST), side="right") - 1, *large]
    if len(large):
        raise InputError(sentence("large_number", where=where, row=min(large) + 1, largest=LARGEST))
    return X, y, first


def _parquet(raw, where, caps):
    """A file's flat columns: the footer counts rows and bytes before they are read."""
    extras.need("parquet", where, "pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(raw))
        meta, schema = file.metadata, file.schema_arrow
        caps.check(where, meta.num_rows, meta.num_columns, meta.num_rows * meta.num_columns)
        groups = [meta.row_group(k) for k in range(meta.num_row_groups)]
        caps.check_bytes(where, sum(group.total_byte_size for group in groups))
        nested = [field.name for field in schema if pa.types.is_nested(field.type)]
        if nested:
            raise InputError(
                f"{where}: the column {nested[0]!r} holds lists or records; write a column for each number."
            )
        frame = file.read(use_threads=False).to_pandas(ignore_metadata=True, integer_object_nulls=True)
    except InputError:
        raise
    except Exception as error:  # whatever the library raises for bytes that mean nothing
        raise InputError(f"{where} is not a Parquet file ({limits.reason(error)}); write it anew.") from None
    return Content(_index_first(frame, schema.pandas_metadata), ("Parquet",), True)


def _index_first(frame, metadata):
    """Columns that were an index come first, so that the last one stays the last; nameless ones stay one."""
    index = [name for name in (metadata or {}).get("index_columns", []) if isinstance(name, str)]
    index = [name for name in index if name in frame.columns]
    nameless = [name for name in index if NAMELESS.fullmatch(name)]
    frame = frame[[*index, *(name for name in frame.columns if name not in index)]]
    if not nameless:
        return frame
    frame = frame.set_index(nameless)
    frame.index.names = [None] * len(nameless)
    return frame


def _json(text, where, caps):
    """Objects with named columns, one a line or in a list; cells are counted before columns are made."""
    import pandas as pd

    caps.check(where, rows=text.count("{"), numbers=max(text.count(","), text.count("["), text.count(":")))
    is_list, rows, number = text.lstrip().startswith("["), [], 1
    try:
        if is_list:
            rows = json.loads(text)
        else:
            for number, line in enumerate(text.split("\n"), 1):  # noqa: B007 - for the error
                if line.strip():
                    rows.append(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f'{where}, line {number}: no JSON ({error}); write one object a line, such as {{"a": 1}}.'
        ) from None
    names = {}
    for k, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not row:
            raise InputError(f'{where}, row {k}: no object with named columns; write {{"a": 1}}, one a row.')
        names |= dict.fromkeys(row)
        nested = [name for name, value in row.items() if isinstance(value, dict | list)]
        if nested:
            raise InputError(
                f"{where}, row {k}: {nested[0]!r} holds a list or an object; write a column for each number."
            )
        caps.check(where, k, len(names), k * len(names))
    columns = {name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names}
    return Content(pd.DataFrame(columns), ("a JSON list" if is_list else "JSON lines",), True)


def _excel(raw, where, caps):
    """The first sheet of a book that has cells; a row is counted when it is read."""
    extras.need("excel", where, "openpyxl")
    import openpyxl
    import pandas as pd

    try:
        archive = limits.archive_of(raw, where)
        caps.check_bytes(where, sum(entry.file_size for entry in archive.infolist()))
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows, count = [], 0
            sheet.reset_dimensions()  # what the file says of them need not be so
            for row in sheet.iter_rows(values_only=True):
                if any(value is not None for value in row):
                    rows.append(row)
                    count += len(row)
                    caps.check(where, len(rows), len(row), count)
            if rows:
                break
    except InputError:
        raise
    except Exception as error:  # whatever the library raises for bytes that mean nothing
        raise InputError(
            f"{where} is not an Excel file ({limits.reason(error)}); save it anew as .xlsx or CSV."
        ) from None
    if not rows:
        raise InputError(sentence("no_rows", where=where))
    width = max(map(len, rows))
    caps.check(where, len(rows), width, len(rows) * width)
    rows = [row + (None,) * (width - len(row)) for row in rows]
    columns = [j for j in range(width) if any(row[j] is not None for row in rows)]
    rows = [[row[j] for j in columns] for row in rows]
    full = max(sum(value is not None for value in row) for row in rows)
    start = next(k for k, row in enumerate(rows) if sum(value is not None for value in row) > full / 2)
    notes = [f"Excel, the sheet {sheet.title!r}"]
    if len(book.worksheets) > 1:
        notes[0] += f" of {len(book.worksheets)}"
    if start:
        notes.append(f"lines left out before the table: {start}")
    head, body = rows[start], rows[start + 1 :]
    has_names = all(value is None or isinstance(value, str) for value in head)
    if has_names and not body:
        raise InputError(sentence("header_only", where=where))
    names = (
        delimited.checked(["" if value is None else value.strip() for value in head], where)
        if has_names
        else [f"column {j}" for j in range(len(head))]
    )
    body = body if has_names else rows[start:]
    missing = dict.fromkeys(delimited.MISSING)
    cells = ([None if value in missing else value for value in column] for column in zip(*body, strict=True))
    frame = pd.concat([pd.Series(column, dtype=object) for column in cells], axis=1)
    return Content(frame.set_axis(names, axis=1), tuple(notes), has_names)


def _arff(text, where, caps):
    """Numbers and nominal attributes; SciPy reads no others."""
    import pandas as pd
    from scipy.io import arff

    head, *body = re.split(r"(?im)^\s*@data\b.*$", text, maxsplit=1)
    body = "".join(body)
    width = len(re.findall(r"(?im)^\s*@attribute\b", head))
    caps.check(where, body.count("\n"), width, max(body.count("\n") * width, body.count(",")))
    unread = UNREAD.search(head)
    if unread:
        raise InputError(
            f"{where}: the attribute {unread[1]} is of the type {unread[2].lower()}, which is not read from "
            "ARFF; take it out, or save the table as CSV."
        )
    if re.search(r"(?m)^\s*\{", body):
        raise InputError(f"{where} has sparse rows, which are not read from ARFF; save it as LIBSVM.")
    try:
        data, meta = arff.loadarff(io.StringIO(text))
    except Exception as error:  # whatever the library raises for what it does not understand
        raise InputError(
            f"{where} is not an ARFF file that SciPy reads ({limits.reason(error)}); save the table as CSV."
        ) from None
    frame = pd.DataFrame({name: data[name] for name in meta.names()})
    for name, kind in zip(meta.names(), meta.types(), strict=True):
        if kind == "nominal":
            texts = [value.decode("utf-8", "replace") for value in data[name]]
            frame[name] = pd.Series([None if text == "?" else text for text in texts], dtype=object)
    return Content(frame, ("ARFF",), True)


def _arrays(raw, where, suffix, caps):
    """X and y of an archive, or one array; shapes are read from the headers, of all before any array is."""
    import pandas as pd

    try:
        if suffix == ".npz":
            archive = limits.archive_of(raw, where)
            files = {
                entry.filename.removesuffix(".npy"): (functools.partial(archive.open, entry), entry.file_size)
                for entry in archive.infolist()
            }
            caps.check_bytes(where, sum(entry.file_size for entry in archive.infolist()))
        else:
            files = {"": (lambda: io.BytesIO(raw), len(raw))}
        shapes = {name: _header(opened, size, where, caps) for name, (opened, size) in files.items()}
        matches = [[name for name in kind if name in shapes] for kind in (SAMPLES, TARGETS)]
        others = len(shapes) - sum(map(len, matches))
        if len(shapes) > 1 and (others or any(len(names) > 1 for names in matches)):
            raise _not_samples(where, shapes)
        X, y = (shapes[names[0]] if names else None for names in matches)
        if y is not None and (X is None or (len(X), len(y)) != (2, 1) or X[0] != y[0]):
            raise _not_samples(where, shapes)  # before memory is taken for them
        arrays = {name: _array(opened) for name, (opened, _) in files.items()}
    except InputError:
        raise
    except Exception as error:  # whatever NumPy and zipfile raise for bytes that mean nothing
        raise InputError(
            f"{where} holds no plain arrays ({limits.reason(error)}); save numbers with np.save or np.savez."
        ) from None
    X, y = (arrays[names[0]] if names else None for names in matches)
    if X is None and len(arrays) == 1:
        X, y = next(iter(arrays.values())), None
    if X is None:
        raise _not_samples(where, shapes)
    if X.dtype.names:
        if X.ndim != 1 or any(X.dtype[name].shape for name in X.dtype.names):
            raise InputError(f"{where} holds records of arrays; save a number in each column.")
        return Content(pd.DataFrame.from_records(X), ("an array with named columns",), True)
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise InputError(f"{where} holds {X.dtype} of shape {X.shape}; save an array of numbers (n, d).")
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    if y is not None:
        frame["y"] = [each.decode("utf-8", "replace") for each in y.tolist()] if y.dtype.kind == "S" else y
    return Content(frame, ("arrays X and y" if y is not None else "one array",), False)


def _not_samples(where, shapes):
    listing = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    return InputError(
        f"{where} holds {listing or 'nothing'}; give the samples as X (n, d) and the targets as y (n,), or "
        "one array whose last column is the target, and no other arrays."
    )


def _header(opened, size, where, caps):
    """The shape of an array; as many bytes must follow as it takes."""
    import numpy as np

    with opened() as file:
        start = io.BytesIO(file.read(HEADER))
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    version = np.lib.format.read_magic(start)
    if version not in readers:
        raise ValueError(f"an array of version {version[0]}.{version[1]}")
    shape, _, dtype = readers[version](start)
    if dtype.hasobject:
        raise ValueError("Python objects, which are not opened, since they may run code")
    count, fields = math.prod(shape), len(dtype.names or ())
    columns = max(fields, shape[1] if len(shape) > 1 else 1)
    caps.check(where, shape[0] if shape else 1, columns, count * max(fields, 1))
    caps.check_bytes(where, count * dtype.itemsize)
    if start.tell() + count * dtype.itemsize != size:
        raise ValueError(f"{size} bytes where its header tells {start.tell() + count * dtype.itemsize}")
    return shape


def _array(opened):
    import numpy as np

    with opened() as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _indexed(content):
    """A first column without a name, of values that are all different, is the rows' index."""
    frame = content.frame
    if not content.has_names or frame.shape[1] < 2 or frame.columns[0] != "":
        return content
    if frame.iloc[:, 0].is_unique and not frame.iloc[:, 0].isna().any():
        frame = frame.set_index("")
        frame.index.name = None
        notes = (*content.notes, "the first column, which has no name, is the index")
        return content._replace(frame=frame, notes=notes)
    return content._replace(frame=frame.rename(columns={"": "column 0"}))


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
