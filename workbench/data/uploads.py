"""A visitor's file, as bytes from a browser: read within caps, looked at, made into a task.

Nothing in it is trusted. Size, rows, columns and numbers are counted before anything is parsed, packed
files are unpacked up to the cap only, the search for a fault has so much processor time, and the name serves
for its suffix and for sentences alone.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.data import files, libsvm, table
from workbench.data.dataset import MAX_CLASSES, Dataset, NumberedNames
from workbench.data.sentences import said
from workbench.errors import InputError
from workbench.system.allowance import Allowance

if TYPE_CHECKING:
    import numpy as np

MEGABYTE = 2**20
TASKS = ("classification", "regression")
# xz can ask for gigabytes before it gives the first byte.
PACKINGS = (".gz", ".bz2")
# A header that has one of these names a label column that is not the last.
LABEL_NAMES = ("label", "target", "class", "y", "outcome", "species")
# Labels of whole numbers are classes up to this many of them; more are taken for measurements.
FEW = 10
FIRST_ROWS = 5
LONGEST_NAME = 60
# Squares of larger numbers, summed over a row, are no longer finite.
LARGEST = 1e100


@dataclass(frozen=True)
class Caps:
    """What an upload may be at most.

    Attributes
    ----------
    megabytes : int
        Of the file as sent and of its text when unpacked.
    rows, columns, sparse_columns : int
        Samples; columns of a table; columns of a LIBSVM file.
    numbers : int
        Cells of a table, pairs of a LIBSVM file.
    seconds : float
        Of processor time, after which the search for a fault is given up.
    """

    megabytes: int = 20
    rows: int = 200_000
    columns: int = 10_000
    sparse_columns: int = 100_000
    numbers: int = 1_000_000
    seconds: float = 1.5


CAPS = Caps()


class Upload(NamedTuple):
    """A file that has been read."""

    name: str
    content: bytes  # unpacked
    X: object  # (n, d), dense for a table and CSR for LIBSVM
    y: np.ndarray  # (n,), numbers or texts
    names: object  # of the d features
    columns: tuple  # names of all columns of a table, the label's too; () for LIBSVM
    target: int | None  # place of the label column of a table

    @property
    def classes(self):
        """The distinct labels in order, as many as can be classes, as texts."""
        import numpy as np

        values, counts = np.unique(self.y, return_counts=True)
        return dict(zip(map(as_text, values[:MAX_CLASSES].tolist()), counts.tolist(), strict=False))

    @property
    def suggested(self):
        """The task that the labels look like."""
        import numpy as np

        if self.y.dtype.kind == "U":
            return "classification"
        values = np.unique(self.y)
        whole = bool(np.all(values == np.round(values)))
        return "classification" if len(values) <= FEW and whole else "regression"

    def first_rows(self, most=8):
        """Label and first entries of the first rows, as texts."""
        rows = []
        for i in range(min(FIRST_ROWS, len(self.y))):
            if self.target is None:
                here = slice(self.X.indptr[i], self.X.indptr[i + 1])
                start = self.names[0].removeprefix("feature ")
                pairs = zip(self.X.indices[here][:most], self.X.data[here][:most], strict=True)
                entries = [f"{j + int(start)}:{value:g}" for j, value in pairs]
            else:
                entries = [f"{value:g}" for value in self.X[i, :most]]
            rows.append((as_text(self.y[i]), entries))
        return rows


def as_text(label) -> str:
    """A label as a user would write it."""
    return str(label) if isinstance(label, str) else f"{label:.15g}"


def plain_name(name) -> str:
    """The last part of a file's name with what prints of it, cut; "upload" where nothing is left."""
    text = re.split(r"[/\\]", name)[-1] if isinstance(name, str) else ""
    kept = "".join(sign for sign in text if sign.isprintable()).strip()
    if len(kept) > LONGEST_NAME:
        kept = f"{kept[: LONGEST_NAME // 2]}...{kept[-LONGEST_NAME // 3 :]}"
    return kept if kept.strip(".") else "upload"


def read(content: bytes, name: str, target=None, caps: Caps = CAPS) -> Upload:
    """Read an upload.

    Parameters
    ----------
    content : bytes
        As sent.
    name : str
        As the visitor's machine calls it; its suffix tells the format as in `workbench.data.files`.
    target : int, optional
        The place of a table's label column; a column called "label" or the like, else the last one.
    caps : Caps

    Raises
    ------
    InputError
        Naming the file, the line and the fix.
    """
    where = plain_name(name)
    content = unpacked(content, where, caps)
    allowance = Allowance(caps.seconds)
    if files.is_table(Path(where), content):
        return _read_table(content, where, target, caps, allowance)
    check_size(where, content.count(b"\n"), None, content.count(b":"), caps)
    X, y, first = libsvm.read(content, where, widest=caps.sparse_columns, allowance=allowance)
    upload = Upload(where, content, X, y, NumberedNames(X.shape[1], first), (), None)
    return _usable(upload, X.data)


def unpacked(content: bytes, where: str, caps: Caps = CAPS) -> bytes:
    """The bytes of an upload, unpacked by its name, up to the cap."""
    most = caps.megabytes * MEGABYTE
    if len(content) > most:
        raise InputError(said("too_large", where=where, megabytes=caps.megabytes))
    if Path(where).suffix.lower() == ".xz":
        raise InputError(f"{where} is packed with xz; unpack it, or pack it with gzip.")
    if Path(where).suffix.lower() in PACKINGS:
        content = files.unpack(io.BytesIO(content), where, most)
    if not content.strip():
        raise InputError(said("empty", where=where))
    return content


def _read_table(content, where, target, caps, allowance):
    text = table.decode(content, where)
    separator = "\t" if files.plain_suffix(Path(where)) == ".tsv" else table.sniff(text)
    start = text.lstrip("\n")
    # Where a cell is quoted this counts too many, and errs on the safe side.
    columns = start.partition("\n")[0].count(separator) + 1
    check_size(where, text.count("\n"), columns, text.count(separator) + text.count("\n"), caps)
    columns = table.header(text, where, separator)
    if target is None:
        named = [j for j, column in enumerate(columns) if column.strip().lower() in LABEL_NAMES]
        target = named[0] if len(named) == 1 else len(columns) - 1
    options = {"target": int(target), "separator": separator, "allowance": allowance}
    try:
        X, y, names = table.read(content, where, **options)
    except InputError:  # labels may be texts; what else is wrong is found again
        X, y, names = table.read(content, where, text_labels=True, **options)
    # Without a header what looked like one was the first row.
    label = columns[target] if any(name != f"column {j}" for j, name in enumerate(names)) else ""
    columns = (*names[:target], label or f"column {target}", *names[target:])
    return _usable(Upload(where, content, X, y, names, columns, int(target)), X)


def check_size(where, rows, columns, numbers, caps):
    """Refuse by counting, before anything is parsed; None or 0 where there is nothing to count."""
    for count, most, what, part in (
        (rows, caps.rows, "lines", "rows"),
        (columns or 0, caps.columns, "columns", "columns"),
        (numbers, caps.numbers, "numbers", "rows or columns"),
    ):
        if count > most:
            place = ", line 1" if what == "columns" else ""
            raise InputError(
                said("count", where=where, place=place, count=count, what=what, most=most, part=part)
            )


def _usable(upload, numbers):
    """The upload, unless its numbers are so large that their squares have no finite sum."""
    import numpy as np

    labels = upload.y if upload.y.dtype.kind == "f" else np.zeros(1)
    if max(np.abs(numbers).max(initial=0.0), np.abs(labels).max(initial=0.0)) > LARGEST:
        if upload.target is None:
            row = next(
                i for i in range(len(upload.y))
                if max(abs(upload.X[[i]].data).max(initial=0.0), abs(upload.y[i])) > LARGEST
            )  # fmt: skip
        else:
            large = np.abs(upload.X).max(axis=1) > LARGEST
            row = int(np.argmax(large | (np.abs(labels) > LARGEST)))
        raise InputError(said("large_number", where=upload.name, row=row + 1, largest=LARGEST))
    return upload


def task(upload: Upload, kind: str, positive=None, test_size=None, standardize=False) -> Dataset:
    """The data set of an upload.

    Parameters
    ----------
    upload : Upload
    kind : {"classification", "regression"}
    positive : str, optional
        The class that becomes +1, as text; the last one in order where not given.
    test_size, standardize
        As for `workbench.data.load`.

    Raises
    ------
    InputError
        One class, too many classes, texts where numbers are needed, too few rows.
    """
    import numpy as np

    if kind not in TASKS:
        raise InputError(f"the task {kind!r} is not known; use one of {', '.join(TASKS)}.")
    where = upload.name
    if len(upload.y) < 2:
        raise InputError(said("one_sample", where=where))
    if kind == "regression":
        if upload.y.dtype.kind == "U":
            raise InputError(f"{where}: the labels are texts; choose classification or another label column.")
        return files.make(upload.X, upload.y, upload.names, where, None, test_size, standardize)
    count = len(np.unique(upload.y))
    if count < 2:
        raise InputError(said("one_class", where=where, label=repr(as_text(upload.y[0])[:LONGEST_NAME])))
    if count > MAX_CLASSES:
        raise InputError(said("many_classes", where=where, count=count, most=MAX_CLASSES))
    known = list(upload.classes)
    positive = known[-1] if positive is None else positive
    if positive not in known:
        raise InputError(f"{where}: {positive[:LONGEST_NAME]!r} is not a class; it has {', '.join(known)}.")
    values = (value(upload, positive),)
    return files.make(upload.X, upload.y, upload.names, where, values, test_size, standardize)


def value(upload: Upload, positive: str):
    """A class as `workbench.data.load` takes it: a number where the labels are numbers."""
    if upload.y.dtype.kind == "U":
        return positive
    number = float(positive)
    return int(number) if number == int(number) else number
