"""LIBSVM text, `label index:value index:value ...`, one sample a line, by scikit-learn's reader.

Where that refuses, or what it read cannot be used, the text is searched for the first line at fault.
"""

from __future__ import annotations

import codecs
import io
import math
import re

from workbench._support.errors import InputError
from workbench.data.tables.sentences import sentence

# A dense weight vector of this many features is 0.8 GB.
MAX_FEATURES = 10**8
# Squares of larger numbers, summed over a row, are no longer finite.
LARGEST = 1e100
# Letters of a faulty token that are shown.
SHOWN = 40
INDEX = re.compile(rb"\+?\d{1,18}")


def read(
    content: bytes, where: str, n_features: int | None = None, zero_based="auto", widest: int = MAX_FEATURES
):
    """Return samples, csr_array (n, d), labels (n,) and the index of the first column in the file, 0 or 1.

    `#` starts a comment, and `qid:` of the ranking format is skipped. An `InputError` names the file, the
    line and the fix.

    Parameters
    ----------
    content : bytes
    where : str
        The name of the file, for errors.
    n_features : int, optional
        The number of columns to return; by default the largest index decides.
    zero_based : "auto", True or False
        True if indices start at 0; "auto": where an index 0 occurs.
    widest : int
        The most columns allowed without `n_features`.
    """
    import numpy as np
    from scipy import sparse
    from sklearn.datasets import load_svmlight_file

    if zero_based not in ("auto", True, False):
        raise InputError(f'{where}: zero_based={zero_based!r} is neither "auto" nor True nor False.')
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError(sentence("svm_zero_byte", where=where, line=line))
    content, most = content.removeprefix(codecs.BOM_UTF8), n_features or widest
    if b"_" in content:  # the reader passes over underscores within a number
        _refuse_fault(content, where, most)
    try:
        X, y = load_svmlight_file(io.BytesIO(content), dtype=np.float64, zero_based=True)
    except Exception as error:  # whatever the library raises for a fault, whose line is named
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
    X.eliminate_zeros()  # written zeros are not stored
    large = np.append(np.flatnonzero(np.abs(y) > LARGEST), X.tocoo().coords[0][np.abs(X.data) > LARGEST])
    if large.size:
        raise InputError(sentence("large_number", where=where, row=large.min() + 1, largest=LARGEST))
    return X, y, first


def _refuse_fault(content, where, limit, first=0):
    """Refuse the first line that cannot be used; indices go from `first` to `limit`, as written."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        token = strange_token(line, limit, first)
        if token is not None:
            text = token[:SHOWN].decode("utf-8", "backslashreplace")
            plain = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
            shown = f"'{plain}{'...' if len(token) > SHOWN else ''}'"
            values = {"line": number, "shown": shown, "first": first, "limit": limit}
            raise InputError(sentence("svm_token", where=where, **values))


def strange_token(line: bytes, limit: int, first: int = 0) -> bytes | None:
    """Return the first token of a line that does not fit `label index:value ...`, or None."""
    tokens = line.partition(b"#")[0].split()
    if not tokens or not _is_finite(tokens[0]):
        return tokens[0] if tokens else None
    pairs = tokens[1:]
    pairs = pairs[1:] if pairs and re.match(rb"qid[^:]*:", pairs[0]) else pairs
    previous = first - 1
    for pair in pairs:
        index, _, value = pair.partition(b":")
        if not INDEX.fullmatch(index) or not previous < int(index) <= limit or not _is_finite(value):
            return pair
        previous = int(index)
    return None


def _is_finite(text: bytes) -> bool:
    """Return True for a finite number without Python's underscores."""
    try:
        return b"_" not in text and math.isfinite(float(text))
    except ValueError:
        return False
