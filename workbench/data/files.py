"""A learner's own file: which format it has, and the data set it makes.

`.libsvm .svm .svmlight .txt .dat` is LIBSVM and `.csv .tsv` a table, each also compressed by gzip,
bzip2 or xz; for another suffix the first lines decide.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import zlib
from functools import partial
from numbers import Integral
from pathlib import Path

from workbench.data import libsvm, split, table
from workbench.data.dataset import Dataset, NumberedNames
from workbench.data.places import COMPRESSIONS
from workbench.data.sentences import said
from workbench.data.split import as_values, one_against_rest, split_rows
from workbench.errors import InputError

LIBSVM_SUFFIXES = (".libsvm", ".svm", ".svmlight", ".txt", ".dat")
TABLE_SUFFIXES = (".csv", ".tsv")
# More text than this does not fit beside its matrix on an ordinary machine.
MAX_BYTES = 4 * 2**30
CHUNK = 2**24
# Not lzma's other, older format: it has no check sum, and almost any bytes pass for it.
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": partial(lzma.open, format=lzma.FORMAT_XZ)}
_PAIR = re.compile(rb"\s[+-]?\d+:\S")


def load_file(
    path: Path, positive=None, n_features=None, zero_based="auto", target=None, test_size=None,
    standardize=False,
) -> Dataset:  # fmt: skip
    """Load a file; X is CSR for LIBSVM and dense for a table.

    Parameters
    ----------
    path : Path
    positive : value or iterable of values, optional
        These labels become +1 and the others -1.
    n_features : int, optional
        LIBSVM: columns to pad to, and not to exceed. Table: columns to have beside the target.
    zero_based : "auto", True or False
        LIBSVM: whether indices start at 0; "auto" says so when an index 0 occurs.
    target : str or int, optional
        Table: the column to predict, by name or counted from 0; the last one by default.
    test_size : float, optional
        The share of the rows to set aside as the test part, seed 0; none by default.
    standardize : bool
        Whether to scale every column by the training part, see `workbench.data.split.standardize`.
    """
    where = path.name
    _check_count(n_features, where)
    content = read_bytes(path)
    values = None if positive is None else as_values(positive)
    if is_table(path, content):
        _refuse(where, "a table", zero_based=zero_based != "auto")
        X, y, names = _load_table(path, content, target, values, n_features)
    else:
        _refuse(where, "LIBSVM", target=target is not None)
        X, y, first = libsvm.read(content, where, n_features, zero_based)
        names = NumberedNames(X.shape[1], first)
    return make(X, y, names, str(path), values, test_size, standardize)


def make(X, y, names, source: str, positive=None, test_size=None, standardize=False) -> Dataset:
    """The data set of samples that have been read.

    Parameters
    ----------
    X, y, names
        As `libsvm.read` or `table.read` gives them.
    source : str
        The path they were read from.
    positive : tuple of values, optional
    test_size, standardize
        As for `load_file`.
    """
    where, labels, how = Path(source).name, "", ""
    X_test = y_test = None
    if positive is not None:
        y = one_against_rest(y, positive, where)
        labels = f" ({', '.join(map(str, positive))} against the rest)"
    if test_size is not None:
        train, test = split_rows(y, where, test_size)
        X, y, X_test, y_test = X[train], y[train], X[test], y[test]
        how = f"; a share of {test_size:g} is the test part, seed 0"
    if standardize:
        X, X_test = split.standardize(X, X_test, where)
        how += "; every column scaled by the training part"
    return Dataset(where + labels, X, y, X_test, y_test, names, f"Read from {source}{labels}{how}.")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, decompressed by its suffix, or say why that cannot be."""
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder; give the path of a file in it.")
    if not os.path.isfile(path):
        raise InputError(f"{path} is not a file; check the path and the spelling.")
    return unpack(path, path.name, MAX_BYTES)


def unpack(file, where: str, most: int) -> bytes:
    """Return at most so many bytes of a path or of a file that is open, decompressed by the name's suffix."""
    suffix = Path(where).suffix.lower()
    try:
        with OPENERS[suffix](file) if suffix in OPENERS else _plain(file) as opened:
            content = _read_at_most(opened, most + 1)
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(
            f"{where} is not a complete {suffix} file ({error}); compress it anew, or correct its suffix."
        ) from error
    except OSError as error:
        damaged = suffix in COMPRESSIONS and error.errno is None  # bz2 reports damage by a bare OSError
        fix = f"compress it anew, or correct the suffix {suffix}" if damaged else "check its permissions"
        raise InputError(f"{where} cannot be read ({error.strerror or error}); {fix}.") from error
    if not content.strip():
        raise InputError(said("empty", where=where))
    if len(content) > most:
        raise InputError(f"{where} has more than {most} bytes; take a part of its rows.")
    return content


def _plain(file):
    return open(file, "rb") if isinstance(file, Path) else file


def _read_at_most(file, limit: int) -> bytes:
    """Read in pieces, since read(limit) may allocate the whole limit at once."""
    pieces, size = [], 0
    while size < limit and (piece := file.read(CHUNK)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def is_table(path: Path, content: bytes) -> bool:
    """Return whether the file is a table rather than LIBSVM: by its suffix, else by its first lines."""
    suffix = plain_suffix(path)
    if suffix in LIBSVM_SUFFIXES or suffix in TABLE_SUFFIXES:
        return suffix in TABLE_SUFFIXES
    lines = [line for line in content[:65536].splitlines() if line.strip() and not line.startswith(b"#")]
    if any(_PAIR.search(line) for line in lines[:20]):
        return False
    return bool(lines) and any(mark in lines[0] for mark in (b",", b";", b"\t"))


def plain_suffix(path: Path) -> str:
    """Return the suffix in lower case, without the one of the compression."""
    name = Path(path.name)
    if name.suffix.lower() in COMPRESSIONS:
        name = Path(name.stem)
    return name.suffix.lower()


def _load_table(path: Path, content: bytes, target, values: tuple | None, n_features):
    """Read a table; a positive label that is no number means a target column of texts."""
    text_labels = values is not None and not all(_is_number(value) for value in values)
    separator = "\t" if plain_suffix(path) == ".tsv" else None
    X, y, names = table.read(content, path.name, target, separator, text_labels)
    if n_features is not None and X.shape[1] != n_features:
        raise InputError(
            f"{path.name} has features in {X.shape[1]} columns where n_features={n_features} was given; "
            "give the columns that the model was trained on."
        )
    return X, y, names


def _refuse(where: str, form: str, **given: bool) -> None:
    """Refuse an option that was given but belongs to the other format."""
    for option, is_given in given.items():
        if is_given:
            raise InputError(f"{where} is read as {form}; leave out {option}, which is for the other format.")


def _is_number(value) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _check_count(n_features, where: str) -> None:
    if n_features is None:
        return
    if isinstance(n_features, bool) or not isinstance(n_features, Integral) or n_features < 1:
        raise InputError(
            f"{where}: n_features={n_features!r} is not a whole number above 0; write n_features=100."
        )
