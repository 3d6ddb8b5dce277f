"""Parts on their workers: read, converted, opened. What runs here is pure, so that a lost part comes again.

A file becomes arrays that are mapped into memory, in a folder beside it, once; a worker then holds of it what
the system keeps of its pages. Parts of arrays, and those cut from a problem, are held as they are.
"""

import contextlib
import hashlib
import json
import shutil
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError
from workbench.data.split import comparable
from workbench.problems.data import Data
from workbench.problems.design import Design, check_targets
from workbench.problems.problem import Problem

# The folder beside the files that holds them converted.
CONVERTED = ".workbench-parts"
MATRIX, ABOUT = ("indptr", "indices", "data"), "about.json"
# Up to this number of different targets are listed by value.
MAX_LABELS = 20
# NumPy reads headers of files by `ast`, which fails in several threads of Python 3.11 at once (gh-106905).
ONE_AT_A_TIME = threading.Lock()


class Look(NamedTuple):
    """Summary of a part: counts and scales, not its rows."""

    name: str
    rows: int
    features: int
    nonzeros: int
    labels: tuple | None  # the different targets; None where there are many
    longest: float  # the largest length of a row
    first: int  # LIBSVM: the number of the first feature
    names: tuple  # of the columns of a table
    digest: str


class Raw(NamedTuple):
    """The rows of a part as they were read: arrays, or the folder that holds them converted."""

    look: Look
    X: Design | None = None  # (n, d); None where it is converted
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    folder: str | None = None


class Part(NamedTuple):
    """A part as a problem of its own: in memory, or opened from mapped arrays whenever it is asked for."""

    name: str
    in_memory: Problem | None
    folder: str | None = None
    objective: tuple = ()  # (loss, regularizer, bias, features) where it is mapped

    def problem(self):
        """Its rows as a `Problem`, whose lambda means nothing."""
        return self.in_memory if self.in_memory is not None else _opened(self.folder, *self.objective)


@contextlib.contextmanager
def errors_named(name):
    """Let an error in the block begin with the name of the part."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def of_file(name, path, target, positive, zero_based, n_features):
    """Return a file as `Raw`, converted where it was not so before."""
    from workbench.data.tables import reading

    with errors_named(name), ONE_AT_A_TIME:
        try:
            status = Path(path).stat()
        except OSError:
            raise InputError("file not found; every worker must be able to read it") from None
        options = target, positive, zero_based, n_features
        text = repr((status.st_size, status.st_mtime_ns, options, Look._fields))
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        folder = Path(path).parent / CONVERTED / f"{Path(path).name}-{digest}"
        if not folder.is_dir():
            table = reading.read(path, target, zero_based, n_features)
            _write(folder, *_numbers(table, positive))
        return Raw(_about(folder)._replace(name=name), folder=str(folder))


def of_frame(frame, name, target, positive):
    """Return a partition of a dataframe as `Raw`."""
    from workbench.data.tables import reading

    with errors_named(name):
        X, y, _, names = _numbers(reading.of_frame(frame, target, name), positive)
    return of_arrays(X, y, name, names)


def of_arrays(X, y, name, names=(), weight=None):
    """Return a block of a dask array, a partition, or rows of a problem as `Raw`."""
    with errors_named(name):
        if X.shape[0] == 0:
            raise InputError("the part is without rows; leave it out")
        design, y = Design(X, copied=False), check_targets("y", y, X.shape[0])
        return Raw(_looked(name, design, y, 0, names), design, y, weight)


def as_given(raw):
    """Rows that the client has sent along."""
    return raw


def _numbers(table, positive):
    """X, y, the first feature's number and the columns' names of a table."""
    from workbench.data.tables import samples, training

    where, table = (
        table.name,
        training.usable(table, keep=tuple(table.frame.columns) if table.frame is not None else ()),
    )
    y = samples.target_of(table)
    if positive is not None:
        # A part may lack the label that counts as +1.
        values = [comparable(value, y, where) for value in positive]
        y = np.where(np.isin(y, values), 1.0, -1.0)
    elif y.dtype.kind not in "fiu":
        raise InputError(
            f"the labels are strings, such as {str(y[0])!r}; pass positive=... with the one that is +1"
        )
    if table.frame is None:
        return table.matrix, y, table.first, ()
    features = training.prepare(table, standardize=False)
    return features.transform(table.frame, where), y, 0, tuple(map(str, features.names))


def _looked(name, design: Design, y: np.ndarray, first, names):
    labels, squares = np.unique(y), design.squares[0]
    return Look(
        name,
        *design.shape,
        int(design.size),
        tuple(labels.tolist()) if labels.size <= MAX_LABELS else None,
        float(np.sqrt(squares.max())),
        first,
        tuple(names),
        hashlib.sha256(y.tobytes() + squares.tobytes()).hexdigest()[:16],
    )


def _write(folder, X, y, first=0, names=()):
    """Write arrays to a folder, whole or not at all."""
    design, y = Design(X, copied=False), check_targets("y", y, X.shape[0])
    rows = design.rows
    try:
        folder.parent.mkdir(exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            for name, array in zip((*MATRIX, "y"), (rows.indptr, rows.indices, rows.data, y), strict=True):
                np.save(draft / f"{name}.npy", array)
            (draft / ABOUT).write_text(json.dumps(_looked("", design, y, first, names)), encoding="utf-8")
            with contextlib.suppress(FileExistsError):
                draft.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another worker was faster
                raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"{folder.parent}: the converted part cannot be written here ({error.strerror or error}); make "
            "room, or give the files in a folder that can be written to"
        ) from None


def _about(folder):
    """Return the summary of a converted part, without its name."""
    record = json.loads((Path(folder) / ABOUT).read_text(encoding="utf-8"))
    return Look._make(tuple(x) if isinstance(x, list) else x for x in record)


def _mapped(folder, width):
    """Return the rows (n, width) and targets of a converted part, mapped."""
    with ONE_AT_A_TIME:
        indptr, indices, values, y = (
            np.load(Path(folder) / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in (*MATRIX, "y")
        )
    return Design.of_checked(indptr, indices, values, (y.size, width)), y


def _opened(folder, loss, regularizer, bias, features):
    design, y = _mapped(folder, features + (bias == "constant"))
    return _problem(design, y, np.ones(y.size), loss, regularizer, bias, features)


def _problem(design, y, weight, loss, regularizer, bias, features):
    data = Data(design, y, weight, features, bias, None, None, None, None)
    return Problem._of(data, loss, regularizer, 1.0)


def prepared(raw, loss, regularizer, bias, features, first):
    """Return the part as a problem with a number of features, the constant one besides."""
    constant, name = bias == "constant", raw.look.name
    with errors_named(name):
        if raw.folder is None:
            weight = np.ones(raw.y.size) if raw.weight is None else raw.weight
            design = raw.X.extended(constant, False)
            return Part(name, _problem(design, raw.y, weight, loss, regularizer, bias, features))
        shift, folder = raw.look.first - first, raw.folder
        if shift or constant:
            folder = Path(f"{folder}-{features}-{shift}-{constant}")
            if not folder.is_dir():
                design, y = _mapped(raw.folder, raw.look.features)
                rows = design.rows
                X = sp.csr_array((rows.data, rows.indices + shift, rows.indptr), shape=(y.size, features))
                _write(folder, Design(X, copied=False).extended(constant, False).rows, y)
        return Part(name, None, str(folder), (loss, regularizer, bias, features))
