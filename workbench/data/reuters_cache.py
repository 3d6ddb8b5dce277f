"""The parsed Reuters corpus in one compact .npz file of the user's cache.

The cache is a convenience: a file that is missing, damaged or from another version is made anew,
and a folder that cannot be written to only costs the parsing time.
"""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data import places
from workbench.data.reuters_sgml import Corpus, binary_matrix
from workbench.system import storage

if TYPE_CHECKING:
    import numpy as np

# To be raised whenever the rule for the features or the arrays of the file change.
FORMAT_VERSION = 1


def cache_path(files: list[Path], rule: str = "words") -> Path:
    """Return the cache file's path for these source files.

    Parameters
    ----------
    files : list of Path
        The archive, or the SGML files; their names, sizes and times of change make the key.
    rule : str
        What counts as a word.
    """
    stats = [(file.name, file.stat()) for file in sorted(files)]
    key = repr((FORMAT_VERSION, rule, [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]))
    return places.cache_folder() / f"reuters21578-{hashlib.sha256(key.encode()).hexdigest()[:20]}.npz"


def read(path: Path) -> Corpus | None:
    """Return the cached corpus, or None when there is no usable file."""
    import numpy as np

    try:
        # Opened here, since np.load leaves its own file open when the archive is damaged.
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            return _from_arrays(arrays)
    except (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile, zlib.error):
        return None


def write(path: Path, corpus: Corpus) -> None:
    """Write the cache file in one move, so that no reader ever sees half of it."""
    import numpy as np

    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with storage.whole(path, sync=False) as file:
            np.savez_compressed(file, **_to_arrays(corpus))


def _to_arrays(corpus: Corpus) -> dict[str, np.ndarray]:
    """Return the corpus as plain arrays; the ones of the matrices need not be stored."""
    return {
        "indices": corpus.X.indices,
        "indptr": corpus.X.indptr,
        "indices_test": corpus.X_test.indices,
        "indptr_test": corpus.X_test.indptr,
        "labels": corpus.labels,
        "labels_test": corpus.labels_test,
        "topics": _pack(corpus.topics),
        "words": _pack(corpus.words),
    }


def _from_arrays(arrays) -> Corpus:
    words = _unpack(arrays["words"])
    d = len(words) + 1
    return Corpus(
        X=binary_matrix(arrays["indices"], arrays["indptr"], d),
        X_test=binary_matrix(arrays["indices_test"], arrays["indptr_test"], d),
        labels=arrays["labels"],
        labels_test=arrays["labels_test"],
        topics=_unpack(arrays["topics"]),
        words=words,
    )


def _pack(texts: tuple[str, ...]) -> np.ndarray:
    """Return texts as bytes, one a line: an array of fixed width would be ten times as large."""
    import numpy as np

    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def _unpack(packed: np.ndarray) -> tuple[str, ...]:
    text = packed.tobytes().decode()
    return tuple(text.split("\n")) if text else ()
