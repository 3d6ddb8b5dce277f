"""Parts on their workers: read, converted, opened. What runs here is pure, so that a lost part comes again.

A file becomes arrays that are mapped into memory, in a folder beside it, once; a worker then holds of it what
the system keeps of its pages. Parts of arrays, and those cut from a problem, are held as they are.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.errors import InputError
from workbench.problem.data import Data
from workbench.problem.design import Design, check_targets
from workbench.problem.problem import Problem

# The folder beside the files that holds them converted.
CONVERTED = ".workbench-parts"
MATRIX = ("indptr", "indices", "data")
# So many different targets are listed by value.
MOST_LABELS = 20


class Raw(NamedTuple):
    """The rows of a part as they were read: arrays, or the folder that holds them converted."""

    name: str
    X: object  # csr_array, ndarray or Design (n, d); None where it is converted
    y: np.ndarray | None
    folder: str | None = None
    first: int = 0  # LIBSVM: the number of the first feature
    names: tuple | None = None  # of the columns of a table
    weight: np.ndarray | None = None


class Look(NamedTuple):
    """What is told of a part: counts and scales, no rows."""

    name: str
    rows: int
    features: int
    nonzeros: int
    labels: tuple | None  # the different targets; None where there are many
    longest: float  # the largest length of a row
    first: int
    names: tuple | None
    digest: str


class Part(NamedTuple):
    """A part as a problem of its own: held, or opened from mapped arrays whenever it is asked for."""

    name: str
    held: Problem | None
    folder: str | None = None
    objective: tuple = ()  # (loss, regularizer, bias, features) where it is mapped

    def problem(self):
        """Its rows as a `Problem`, whose lambda means nothing."""
        return self.held if self.held is not None else _opened(self.folder, *self.objective)


@contextlib.contextmanager
def named(name):
    """A refusal inside begins with the name of the part."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def read_file(name, path, target, positive, zero_based, n_features):
    """A file as `Raw`, converted where it was not so before."""
    with named(name):
        if not os.path.exists(path):
            raise InputError("there is no such file; it must lie where every worker sees it")
        status = os.stat(path)
        said = repr((os.path.basename(path), status.st_size, status.st_mtime_ns, target, positive,
                     zero_based, n_features))  # fmt: skip
        folder = _folder(path, hashlib.sha256(said.encode()).hexdigest()[:16])
        if not folder.is_dir():
            _write(folder, *_read(path, target, positive, zero_based, n_features))
        with np.load(folder / "about.npz", allow_pickle=False) as about:
            names, first = tuple(about["names"].tolist()), int(about["first"])
        return Raw(name, None, None, str(folder), first, names or None)


def _read(path, target, positive, zero_based, n_features):
    """X, y, the first feature's number and the columns' names, by the reader of tables."""
    from workbench.tables import reading, samples

    table = reading.read(path, target, zero_based, n_features)
    where, plain = table.name, table.frame is None
    table = table.usable()
    y = samples.target_of(table)
    if positive is not None:
        # A part may lack the label that counts as +1.
        values = (
            [str(value).strip() for value in positive]
            if y.dtype.kind not in "fiu"
            else [*map(float, positive)]
        )
        y = np.where(np.isin(y, values), 1.0, -1.0)
    elif y.dtype.kind not in "fiu":
        raise InputError(
            f"the labels are texts, such as {str(y[0])!r}; pass positive=... with the one that is +1"
        )
    if plain:
        return table.matrix, y, table.first, ()
    made = table.features(None, False)
    return made.transform(table, where, "refuse"), y, 0, tuple(map(str, made.names))


def _folder(path, digest):
    place = Path(path).absolute()
    return place.parent / CONVERTED / f"{place.name}-{digest}"


def _write(folder, X, y, first=0, names=()):
    """Write arrays to a folder, whole or not at all."""
    rows = Design(X, copied=False).rows
    y = check_targets("y", y, rows.shape[0])
    try:
        folder.parent.mkdir(exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            for name in MATRIX:
                np.save(draft / f"{name}.npy", getattr(rows, name))
            np.save(draft / "y.npy", y)
            np.savez(draft / "about.npz", shape=rows.shape, first=first, names=np.array(names, dtype=str))
            with contextlib.suppress(FileExistsError, OSError):  # another worker was faster
                os.rename(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"{folder.parent}: the converted part cannot be kept here ({error.strerror or error}); make "
            f"room, or "
            "give the files in a folder that can be written to"
        ) from None
    if not folder.is_dir():
        raise InputError(f"{folder}: the converted part could not be kept here; make room, and try again")


def _mapped(folder, width=None):
    """The rows (n, d) and targets of a converted part, mapped; d is the width where that is given."""
    folder = Path(folder)
    parts = [np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in MATRIX]
    with np.load(folder / "about.npz", allow_pickle=False) as about:
        shape = tuple(about["shape"].tolist())
    return Design.of_checked(*parts, (shape[0], width or shape[1])), np.load(folder / "y.npy")


@functools.lru_cache(maxsize=1)  # a round asks for one part after another
def _opened(folder, loss, regularizer, bias, features):
    design, y = _mapped(folder, features + (bias == "constant"))
    data = Data(design, y, np.ones(y.size), features, bias, None, None, None, None)
    return Problem._of(data, loss, regularizer, 1.0)


def of_arrays(name, X, y, names=None):
    """A block of a dask array, or a partition, as `Raw`."""
    with named(name):
        X, y = X.values if hasattr(X, "values") and not sp.issparse(X) else X, np.asarray(y)
        if X.shape[0] == 0:
            raise InputError("the part has no rows; leave it out")
        return Raw(name, Design(X, copied=False), check_targets("y", y, X.shape[0]), names=names)


def of_frame(name, frame, target, positive):
    """A partition of a dataframe as `Raw`."""
    from workbench.tables import reading, samples

    with named(name):
        table = reading.of_frame(frame, target, name).usable()
        made, y = table.features(None, False), samples.target_of(table)
        if positive is not None:
            y = np.where(np.isin(y, list(positive)), 1.0, -1.0)
        return of_arrays(name, made.transform(table, name, "refuse"), y, tuple(map(str, made.names)))


def look(raw):
    """What is told of a part."""
    with named(raw.name):
        design, y = _mapped(raw.folder) if raw.X is None else (_design(raw.X), raw.y)
        labels = np.unique(y)
        digest = hashlib.sha256(y.tobytes())
        squares = design.row_squares()
        digest.update(squares.tobytes())
        return Look(
            raw.name, *design.shape, int(design.size), tuple(labels.tolist()) if labels.size <= MOST_LABELS
            else None,
            float(np.sqrt(squares.max())), raw.first, raw.names, digest.hexdigest()[:16],
        )  # fmt: skip


def _design(X):
    return X if isinstance(X, Design) else Design(X, copied=False)


def prepared(raw, loss, regularizer, bias, features, first):
    """The part as a problem with so many features, the constant one included."""
    with named(raw.name):
        if raw.X is not None:
            design = _design(raw.X).extended(bias == "constant", False)
            weight = np.ones(raw.y.size) if raw.weight is None else raw.weight
            data = Data(design, raw.y, weight, features, bias, None, None, None, None)
            return Part(raw.name, Problem._of(data, loss, regularizer, 1.0))
        design, y = _mapped(raw.folder)
        shift, folder = raw.first - first, raw.folder
        width = features + (bias == "constant")
        if shift or bias == "constant":
            folder = Path(f"{folder}-{width}-{shift}{'-constant' if bias else ''}")
            if not folder.is_dir():
                rows = design.rows
                X = sp.csr_array((rows.data, rows.indices + shift, rows.indptr), shape=(y.size, features))
                _write(folder, Design(X, copied=False).extended(bias == "constant", False).rows, y)
        return Part(raw.name, None, str(folder), (loss, regularizer, bias, features))
