"""Reading LIBSVM text: `label index:value index:value ...`, one sample a line.

scikit-learn's reader does the work. When it refuses, or when what it read cannot be used, the text is gone
through again line by line to name the first line at fault.
"""

from __future__ import annotations

import codecs
import io
import math

from workbench.errors import InputError
from workbench.tables.sentences import sentence

# A dense weight vector of this many features is 0.8 GB.
MAX_FEATURES = 10**8
# How much of a faulty token is shown.
SHOWN = 40


def read(
    content: bytes, where: str, n_features: int | None = None, zero_based="auto", widest: int = MAX_FEATURES
):
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

    Returns
    -------
    X : csr_array (n, d), float64
    y : ndarray (n,), float64
    first : int
        0 or 1, the index of the first column in the file.

    Raises
    ------
    InputError
        Naming the file, the line and the fix.
    """
    import numpy as np
    from scipy import sparse
    from sklearn.datasets import load_svmlight_file

    if zero_based not in ("auto", True, False):
        raise InputError(f'{where}: zero_based={zero_based!r} is neither "auto" nor True nor False.')
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError(sentence("svm_zero_byte", where=where, line=line))
    content = content.removeprefix(codecs.BOM_UTF8)
    most = n_features or widest
    # The fast reader passes over underscores wherever they stand in a number.
    if b"_" in content:
        _refuse_fault(content, where, most)
    try:
        X, y = load_svmlight_file(io.BytesIO(content), dtype=np.float64, zero_based=True)
    except Exception as error:  # whatever it trips over, the user is told the line
        _refuse_fault(content, where, most)
        raise InputError(
            f"{where} cannot be read as LIBSVM ({error}); write `label index:value ...`."
        ) from error
    if not np.isfinite(y).all() or not np.isfinite(X.data).all():
        _refuse_fault(content, where, most)
    if len(y) == 0:
        raise InputError(sentence("svm_no_sample", where=where))
    if X.nnz == 0 and n_features is None:
        raise InputError(sentence("svm_no_pair", where=where))
    lowest, highest = (int(X.indices.min()), int(X.indices.max())) if X.nnz else (1, 0)
    first = int(lowest > 0) if zero_based == "auto" else int(not zero_based)
    if lowest < first or highest > most - 1 + first:
        _refuse_fault(content, where, most - 1 + first, first)
    wide = np.int32 if X.nnz < 2**31 else np.int64
    parts = X.data, (X.indices - first).astype(wide), X.indptr.astype(wide)
    X = sparse.csr_array(parts, shape=(len(y), n_features or highest - first + 1))
    X.eliminate_zeros()  # a written 0 is no non-zero
    return X, y, first


def _refuse_fault(content, where, limit, first=0):
    """Refuse the first line that cannot be used; indices go from `first` to `limit`, as written."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        reason = line_fault(line, limit, first)
        if reason is not None:
            raise InputError(sentence("in_line", where=where, line=number, reason=reason))


def line_fault(line: bytes, limit: int, first: int = 0) -> str | None:
    """What is wrong with one line and how to correct it, or None."""
    label, *pairs = line.partition(b"#")[0].split() or [None]
    if label is None:
        return None
    value = _number(label)
    if value is None or not math.isfinite(value):
        kind = "svm_no_label" if b":" in label else "svm_label" if value is None else "svm_label_infinite"
        return sentence(kind, shown=_show(label))
    if pairs and pairs[0].startswith(b"qid") and b":" in pairs[0]:
        pairs = pairs[1:]
    previous = None
    for pair in pairs:
        left, colon, right = pair.partition(b":")
        index, value = _number(left, int), _number(right)
        good = colon and index is not None and value is not None and math.isfinite(value)
        if good and first <= index <= limit and (previous is None or index > previous):
            previous = index
            continue
        faults = {
            "svm_not_pair": not colon,
            "svm_no_index": index is None,
            "svm_no_value": value is None,
            "svm_infinite": value is not None and not math.isfinite(value),
        }
        if good:
            faults = {
                "svm_negative": index < 0,
                "svm_zero": index < first,
                "svm_above": index > limit,
                "svm_repeats": index == previous,
                "svm_order": True,
            }
        fault = next(name for name, holds in faults.items() if holds)
        return sentence(fault, shown=_show(pair), index=index, limit=limit, previous=previous)
    return None


def _number(text: bytes, kind=float) -> float | int | None:
    """A number without Python's underscores, or None."""
    try:
        return None if b"_" in text else kind(text)
    except ValueError:
        return None


def _show(token: bytes) -> str:
    """A token in quotes, shortened, with bytes that are no text as escapes."""
    text = token[:SHOWN].decode("utf-8", "backslashreplace")
    plain = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return f"'{plain}{'...' if len(token) > SHOWN else ''}'"
