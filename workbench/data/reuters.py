"""Reuters-21578 with the Mod-Apte split: finding the files, binary word features, one category as a task.

The rule "words": lower-case words [a-z]+ of title and body, entities unescaped, one feature per word that
occurs in a training document, plus the constant feature as the last column. Stories of TYPE="UNPROC" are the
68 whose title and body the collection leaves unmarked inside TEXT; for these the whole of TEXT is read, since
they would be empty otherwise. The rule "joined" takes numbers as well and keeps what a point, comma,
apostrophe or hyphen joins, such as "u.s", "1,200.5" and "year-end".

What was read stays in memory: reading takes a second.
"""

from __future__ import annotations

import difflib
import functools
import html
import lzma
import re
import tarfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from workbench._support.errors import InputError, shown
from workbench.data import places
from workbench.data.dataset import Dataset

URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz"
SHA256 = "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30"
DOWNLOADED = "reuters21578.tar.gz"
ARCHIVES = ("reuters21578.tar.xz", "reuters21578.tar.gz")
FOLDER = "reuters21578"
# The largest of the 22 files has 1.6 million bytes; far larger ones are not this collection.
MAX_FILE_BYTES = 64 * 2**20
MAX_FILES = 100
CONSTANT = "(constant)"
WORDS = {"words": r"[a-z]+", "joined": r"[a-z0-9]+(?:[.,'-][a-z0-9]+)*"}

_DOCUMENT = re.compile(r"<REUTERS\s([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>\s*(.*?)\s*</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT([^>]*)>(.*?)</TEXT>", re.DOTALL)
_PARTS = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)


class Corpus(NamedTuple):
    """All of the Mod-Apte split: the features once, the labels for every topic.

    Attributes
    ----------
    X, X_test : csr_array (n, d) and (n_test, d), float64
        Ones and zeros; the last column is the constant.
    labels, labels_test : ndarray (n, k) and (n_test, k), bool
        Whether a document has a topic.
    topics : tuple of k strings
        Sorted; every topic of a training or a test document.
    words : tuple of d - 1 strings
        Sorted; the words of the training documents.
    """

    X: Any
    X_test: Any
    labels: NDArray[Any]
    labels_test: NDArray[Any]
    topics: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The d names: the words and the constant."""
        return (*self.words, CONSTANT)


def locate() -> Path | None:
    """Find the archive or the folder with the SGML files; None if it must be downloaded.

    The folder of WORKBENCH_DATA comes first (.tar.xz, .tar.gz, `reuters21578/`, *.sgm right in it), then the
    cache folder.
    """
    archive, folder = places.find_file(ARCHIVES), places.data_folder()
    if archive is not None or folder is None:
        candidates = [archive] if archive else []
    else:
        candidates = [candidate for candidate in (folder / FOLDER, folder) if _sgml_files(candidate)]
    downloaded = places.cache_folder() / DOWNLOADED
    return next(iter(candidates), downloaded if places.is_file(downloaded) else None)


def fetch(progress: bool = False) -> Path:
    """Return the place of the collection, after downloading it if need be."""
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

    reuters = corpus()
    if not isinstance(category, str) or category not in reuters.topics:
        near = difflib.get_close_matches(str(category).lower(), reuters.topics, n=5, cutoff=0.4)
        hint = f"the nearest are {', '.join(near)}" if near else f"such as {', '.join(reuters.topics[:5])}"
        raise InputError(
            f"reuters21578: category={shown(category)} is not one of the {len(reuters.topics)} categories; "
            f"{hint}, and workbench.data.reuters.topics() lists all."
        )
    column = reuters.topics.index(category)
    y, y_test = (np.where(labels[:, column], 1.0, -1.0) for labels in (reuters.labels, reuters.labels_test))
    description = (
        "Reuters-21578, Distribution 1.0 (Reuters and Carnegie Group; David D. Lewis), Mod-Apte split: "
        f"+1 for documents with the topic {category}; binary features for the words [a-z]+ of title and body "
        "of the training documents, and the constant feature."
    )
    names = reuters.feature_names
    X, X_test = reuters.X.copy(), reuters.X_test.copy()  # the caller may write to them
    return Dataset(f"reuters21578 ({category})", X, y, X_test, y_test, names, description)


def topics() -> dict[str, int]:
    """Count the training documents of every topic, by name; some have none."""
    reuters = corpus()
    return dict(zip(reuters.topics, reuters.labels.sum(axis=0).tolist(), strict=True))


def corpus(rule: str = "words") -> Corpus:
    """Parse the archive into features and the labels of all topics; the result is cached and shared.

    Parameters
    ----------
    rule : {"words", "joined"}
        What counts as a word.
    """
    if rule not in WORDS:
        names = " or ".join(WORDS)
        raise InputError(f"reuters21578: rule={shown(rule)} is not known; use {names}.")
    source = fetch()
    return _parsed(source, tuple(file.stat().st_mtime_ns for file in _sgml_files(source) or [source]), rule)


@functools.lru_cache(maxsize=len(WORDS))
def _parsed(source, _changed, rule):
    return parse(sorted(_read_files(source)), str(source), rule)


def parse(files, where: str, rule: str = "words") -> Corpus:
    """Build the corpus from the SGML files.

    Parameters
    ----------
    files : iterable of (name, content)
        In the order in which their documents are to stand.
    where : str
        The source's name, for the error.
    rule : str
        What counts as a word, of `WORDS`.

    Raises
    ------
    InputError
        No training or no test document of the Mod-Apte split in the files.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import MultiLabelBinarizer

    documents: dict[str, list[Any]] = {"TRAIN": [], "TEST": []}
    for _, content in files:
        for attributes, document in _DOCUMENT.findall(content.decode("latin-1")):
            fields = dict(_ATTRIBUTE.findall(attributes))
            if fields.get("TOPICS") == "YES" and fields.get("LEWISSPLIT") in documents:
                match = _TOPICS.search(document)
                topics_of = set(_TOPIC.findall(match[1])) if match else set()
                documents[fields["LEWISSPLIT"]].append((topics_of, text_of(document)))
    train, test = documents["TRAIN"], documents["TEST"]
    if not train or not test:
        raise InputError(
            f"{where} has {len(train)} training and {len(test)} test documents of the Mod-Apte split; "
            "use the complete Reuters-21578, Distribution 1.0."
        )
    coder = MultiLabelBinarizer().fit([topics_of for topics_of, _ in train + test])
    counter = CountVectorizer(lowercase=False, token_pattern=WORDS[rule])
    texts = [[text for _, text in part] for part in (train, test)]
    parts = [counter.fit_transform(texts[0]), counter.transform(texts[1])]
    labels = [coder.transform([topics_of for topics_of, _ in part]).astype(bool) for part in (train, test)]
    words = tuple(counter.get_feature_names_out().tolist())
    matrices = [_with_constant(part) for part in parts]
    return Corpus(matrices[0], matrices[1], labels[0], labels[1], tuple(coder.classes_), words)


def text_of(document: str) -> str:
    """Title and body of one document, lower-case."""
    text = _TEXT.search(document)
    if text is None:
        return ""
    attributes, inner = text.groups()
    if 'TYPE="UNPROC"' not in attributes:
        inner = " ".join(part for _, part in _PARTS.findall(inner))
    return html.unescape(inner).lower()


def _with_constant(part):
    """Append the constant to counted words (n, d), as a binary matrix (n, d + 1)."""
    import numpy as np
    from scipy import sparse

    part.sort_indices()
    indices, indptr, d = part.indices, part.indptr, part.shape[1]
    indices = np.insert(indices, indptr[1:], d).astype(np.int32)
    indptr = (indptr + np.arange(len(indptr))).astype(np.int32)
    return sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, d + 1))


def _sgml_files(folder: Path) -> list[Path]:
    """List the SGML files directly in the folder, by name; an archive has none."""
    if not places.is_folder(folder):
        return []
    return sorted(file for file in folder.glob("*.sgm") if _is_sgml(file.name) and file.is_file())


def _is_sgml(name: str) -> bool:
    # Archives made on a Mac hold a "._name.sgm" beside each file.
    return name.endswith(".sgm") and not name.startswith(".")


def _read_files(source: Path):
    """Yield the names and contents of the SGML files, in memory: nothing is ever unpacked to the disk."""
    try:
        if source.is_dir():
            yield from ((file.name, file.read_bytes()) for file in _sgml_files(source))
            return
        count = 0
        with tarfile.open(source, mode="r:*") as archive:
            for member in archive:
                name = member.name.rsplit("/", 1)[-1]
                file = archive.extractfile(member) if member.isfile() and _is_sgml(name) else None
                if file is None:
                    continue
                count += 1
                if member.size > MAX_FILE_BYTES or count > MAX_FILES:
                    raise tarfile.ReadError(f"{member.name} is too large, or there are too many files")
                yield name, file.read()
    except (OSError, EOFError, tarfile.TarError, lzma.LZMAError, zlib.error) as error:
        raise InputError(
            f"{source} cannot be read as the Reuters-21578 collection "
            f"({str(error) or type(error).__name__}); get the file anew, or delete it to have it downloaded."
        ) from error
