"""Reading LIBSVM text: `label index:value index:value ...`, one sample a line.

scikit-learn's reader does the work. When it refuses, or when what it read cannot be used, the text
is gone through again line by line to name the first line at fault.
"""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

from workbench.errors import InputError
from workbench.system.allowance import Allowance
from workbench.tables.sentences import said

if TYPE_CHECKING:
    from scipy import sparse

# A dense weight vector of this many features is 0.8 GB.
MAX_FEATURES = 10**8
# How much of a faulty token is shown.
SHOWN = 40


def read(
    content: bytes, where: str, n_features: int | None = None, zero_based="auto", widest: int = MAX_FEATURES,
    allowance: Allowance | None = None,
):  # fmt: skip
    """Read samples and labels.

    Parameters
    ----------
    content : bytes
        The text; `#` starts a comment, and `qid:` of the ranking format is skipped.
    where : str
        The file's name, for errors.
    n_features : int, optional
        The number of columns to return; by default the largest index decides.
    zero_based : "auto", True or False
        Whether indices start at 0; "auto" says so when an index 0 occurs.
    widest : int
        The most columns allowed where n_features is not given.
    allowance : Allowance, optional
        The time after which the search for a fault ends with an error of its own.

    Returns
    -------
    X : scipy.sparse.csr_array, shape (n, d), float64
    y : ndarray, shape (n,), float64
    first : int
        0 or 1, the index of the first column in the file.

    Raises
    ------
    InputError
        Naming the file, the line and the fix.
    """
    if zero_based not in ("auto", True, False):
        raise InputError(f'{where}: zero_based={zero_based!r} is neither "auto" nor True nor False.')
    X, y = _read_unshifted(content, where, n_features or widest, allowance)
    return _shift(X, content, where, n_features, zero_based, widest), y, _first(X, zero_based)


def _read_unshifted(content: bytes, where: str, limit: int, allowance: Allowance | None):
    """Return X with the columns numbered as in the file, and y; every number is finite."""
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError(said("svm_zero_byte", where=where, line=line))
    # The fast reader passes over underscores wherever they stand in a number.
    fault = find_fault(content, where, limit, allowance=allowance) if b"_" in content else None
    if fault is not None:
        raise fault
    try:
        X, y = load_svmlight_file(io.BytesIO(content), dtype=np.float64, zero_based=True)
    except Exception as error:  # whatever it trips over, the user is told the line
        unknown = InputError(f"{where} cannot be read as LIBSVM ({error}); write `label index:value ...`.")
        raise find_fault(content, where, limit, allowance=allowance) or unknown from error
    if len(y) == 0:
        raise InputError(said("svm_no_sample", where=where))
    if not np.isfinite(y).all() or not np.isfinite(X.data).all():
        raise find_fault(content, where, limit, allowance=allowance)
    return X, y


def _first(X, zero_based) -> int:
    """Return 0 when indices count from 0, else 1."""
    if zero_based == "auto":
        return 0 if X.nnz and X.indices.min() == 0 else 1
    return 0 if zero_based else 1


def _shift(
    X, content: bytes, where: str, n_features: int | None, zero_based, widest: int
) -> sparse.csr_array:
    """Return X with columns counted from 0, with n_features columns if that is given."""
    import numpy as np
    from scipy import sparse

    first = _first(X, zero_based)
    if X.nnz == 0 and n_features is None:
        raise InputError(said("svm_no_pair", where=where))
    smallest, largest = (int(X.indices.min()), int(X.indices.max())) if X.nnz else (first, first - 1)
    limit = (n_features or widest) - 1 + first
    if smallest < first or largest > limit:
        raise find_fault(content, where, limit, first=first)
    d = n_features or largest - first + 1
    wide = np.int32 if X.nnz < 2**31 else np.int64
    shifted = sparse.csr_array(
        (X.data, (X.indices - first).astype(wide), X.indptr.astype(wide)), shape=(X.shape[0], d)
    )
    shifted.eliminate_zeros()  # a written 0 is no non-zero
    return shifted


def find_fault(
    content: bytes, where: str, limit: int, first: int = 0, allowance: Allowance | None = None
) -> InputError | None:
    """Return the error for the first line that cannot be used, or None.

    Parameters
    ----------
    content, where
        As for `read`.
    limit : int
        The largest index allowed, as written.
    first : int
        The smallest index allowed, as written.
    allowance : Allowance, optional
        As for `read`.
    """
    for number, line in enumerate(content.split(b"\n"), start=1):
        if allowance is not None:
            allowance.check(where, number)
        reason = line_fault(line, limit, first)
        if reason is not None:
            return InputError(said("in_line", where=where, line=number, reason=reason))
    return None


def line_fault(line: bytes, limit: int, first: int = 0) -> str | None:
    """Return what is wrong with one line and how to correct it, or None."""
    label, *pairs = line.partition(b"#")[0].split() or [None]
    if label is None:
        return None
    if b":" in label:
        return said("svm_no_label", shown=_show(label))
    value = _number(label)
    if value is None:
        return said("svm_label", shown=_show(label))
    if not math.isfinite(value):
        return said("svm_label_infinite", shown=_show(label))
    if pairs and pairs[0].startswith(b"qid") and b":" in pairs[0]:
        pairs = pairs[1:]
    previous = None
    for pair in pairs:
        index, reason = pair_fault(pair, previous, limit, first)
        if reason is not None:
            return reason
        previous = index
    return None


def pair_fault(pair: bytes, previous: int | None, limit: int, first: int) -> tuple[int | None, str | None]:
    """Return the index of an index:value pair, and what is wrong with the pair or None."""
    shown = _show(pair)
    left, colon, right = pair.partition(b":")
    if not colon:
        return None, said("svm_not_pair", shown=shown)
    index = _number(left, int)
    if index is None:
        return None, said("svm_no_index", shown=shown)
    value = _number(right)
    if value is None:
        return None, said("svm_no_value", shown=shown)
    if not math.isfinite(value):
        return None, said("svm_infinite", shown=shown)
    return index, _index_fault(shown, index, previous, limit, first)


def _index_fault(shown: str, index: int, previous: int | None, limit: int, first: int) -> str | None:
    """Return what is wrong with an index, or None."""
    if index < 0:
        return said("svm_negative", shown=shown)
    if index < first:
        return f"the pair {shown} has the index 0, but zero_based=False was given; count features from 1."
    if index > limit:
        return said("svm_above", shown=shown, limit=limit)
    if previous is not None and index == previous:
        return said("svm_repeats", shown=shown, index=index)
    if previous is not None and index < previous:
        return said("svm_order", shown=shown, previous=previous)
    return None


def _number(text: bytes, kind=float) -> float | int | None:
    """Return a number without Python's underscores, or None."""
    try:
        return None if b"_" in text else kind(text)
    except ValueError:
        return None


def _show(token: bytes) -> str:
    """Return a token in quotes, shortened, with bytes that are no text as escapes."""
    text = token[:SHOWN].decode("utf-8", "backslashreplace")
    plain = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return f"'{plain}{'...' if len(token) > SHOWN else ''}'"
