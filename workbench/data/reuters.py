"""Reuters-21578 with the Mod-Apte split: finding the files, the corpus, one category as a task."""

from __future__ import annotations

import difflib
import lzma
import os
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from workbench.data import places, reuters_cache, reuters_sgml
from workbench.data.dataset import Dataset
from workbench.data.reuters_sgml import Corpus
from workbench.errors import InputError, shown

URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz"
SHA256 = "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30"
DOWNLOADED = "reuters21578.tar.gz"
ARCHIVES = ("reuters21578.tar.xz", "reuters21578.tar.gz")
FOLDER = "reuters21578"
# The largest of the 22 files has 1.6 million bytes; far larger ones are not this collection.
MAX_FILE_BYTES = 64 * 2**20
MAX_FILES = 100


def locate() -> Path | None:
    """Return the archive or the folder with the SGML files, or None when it has to be downloaded.

    The folder of WORKBENCH_DATA comes first (.tar.xz, .tar.gz, `reuters21578/`, *.sgm right in it),
    then the cache folder.
    """
    archive = places.find_file(ARCHIVES)
    if archive is not None:
        return archive
    folder = places.data_folder()
    if folder is not None:
        for candidate in (folder / FOLDER, folder):
            if _sgml_files(candidate):
                return candidate
    downloaded = places.cache_folder() / DOWNLOADED
    return downloaded if os.path.isfile(downloaded) else None


def fetch(progress: bool = False) -> Path:
    """Return where the collection lies, after downloading it if need be."""
    return locate() or places.download(URL, SHA256, DOWNLOADED, progress)


def load(category: str = "acq") -> Dataset:
    """Load one category against the rest.

    Parameters
    ----------
    category : str
        One of the 118 topics.

    Returns
    -------
    Dataset
        X (9603, d) and X_test (3299, d), CSR; the last column is the constant feature.

    Raises
    ------
    InputError
        An unknown category, a damaged source, or no source and no network.
    """
    import numpy as np

    found = corpus()
    if not isinstance(category, str) or category not in found.topics:
        raise InputError(_unknown_category(category, found.topics))
    column = found.topics.index(category)
    return Dataset(
        name=f"reuters21578 ({category})",
        X=found.X,
        y=np.where(found.labels[:, column], 1.0, -1.0),
        X_test=found.X_test,
        y_test=np.where(found.labels_test[:, column], 1.0, -1.0),
        feature_names=found.feature_names,
        description=(
            "Reuters-21578, Distribution 1.0 (Reuters and Carnegie Group; David D. Lewis), Mod-Apte split: "
            f"+1 for documents with the topic {category}; binary features for the words [a-z]+ of title and "
            "body of the training documents, and the constant feature."
        ),
    )


def topics() -> dict[str, int]:
    """Return the number of training documents of every topic, by name; some have none."""
    found = corpus()
    return dict(zip(found.topics, found.labels.sum(axis=0).tolist(), strict=True))


def corpus(rule: str = "words") -> Corpus:
    """Return the features once and the labels of all topics; parsed once, then from the cache.

    Parameters
    ----------
    rule : {"words", "joined"}
        What counts as a word, see `workbench.data.reuters_sgml`.
    """
    if rule not in reuters_sgml.WORDS:
        raise InputError(
            f"reuters21578: rule={shown(rule)} is not known; use {' or '.join(reuters_sgml.WORDS)}."
        )
    source = fetch()
    path = reuters_cache.cache_path(_sgml_files(source) or [source], rule)
    found = reuters_cache.read(path)
    if found is None:
        found = reuters_sgml.parse(sorted(_read_files(source)), str(source), rule)
        reuters_cache.write(path, found)
    return found


def _unknown_category(category, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(str(category).lower(), known, n=5, cutoff=0.4)
    hint = f"the nearest are {', '.join(near)}" if near else f"such as {', '.join(known[:5])}"
    return (
        f"reuters21578: category={shown(category)} is none of the {len(known)} categories; {hint}, "
        "and workbench.data.reuters.topics() lists all."
    )


def _sgml_files(folder: Path) -> list[Path]:
    """Return the SGML files right in the folder, by name; none for an archive."""
    if not os.path.isdir(folder):
        return []
    return sorted(file for file in folder.glob("*.sgm") if _is_sgml(file.name) and file.is_file())


def _is_sgml(name: str) -> bool:
    # Archives made on a Mac hold a "._name.sgm" beside each file.
    return name.endswith(".sgm") and not name.startswith(".")


def _read_files(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the SGML files, or say that the source is damaged."""
    try:
        if source.is_dir():
            yield from ((file.name, file.read_bytes()) for file in _sgml_files(source))
        else:
            yield from _read_archive(source)
    except (OSError, EOFError, tarfile.TarError, lzma.LZMAError, zlib.error) as error:
        reason = str(error) or type(error).__name__
        raise InputError(
            f"{source} cannot be read as the Reuters-21578 collection ({reason}); get the file anew, "
            "or delete it to have it downloaded."
        ) from error


def _read_archive(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the regular SGML members, read in memory: nothing is ever unpacked to the disk."""
    count = 0
    with tarfile.open(source, mode="r:*") as archive:
        for member in archive:
            name = member.name.rsplit("/", 1)[-1]
            if not member.isfile() or not _is_sgml(name):
                continue
            count += 1
            if member.size > MAX_FILE_BYTES or count > MAX_FILES:
                raise tarfile.ReadError(f"{member.name} is too large, or there are too many files")
            yield name, archive.extractfile(member).read()
