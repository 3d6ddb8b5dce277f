"""From the SGML files of Reuters-21578 to binary word features.

The rule "words": lower-case words [a-z]+ of title and body, entities unescaped, one feature per word that
occurs in a training document, plus the constant feature as the last column. Stories of
TYPE="UNPROC" are the 68 whose title and body the collection leaves unmarked inside TEXT; for these
the whole of TEXT is read, since they would be empty otherwise. The rule "joined" takes numbers as well and
keeps what a point, comma, apostrophe or hyphen joins, such as "u.s", "1,200.5" and "year-end".
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from scipy import sparse

CONSTANT = "(constant)"

_DOCUMENT = re.compile(r"<REUTERS\s([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT([^>]*)>(.*?)</TEXT>", re.DOTALL)
_PARTS = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)
WORDS = {"words": re.compile(r"[a-z]+"), "joined": re.compile(r"[a-z0-9]+(?:[.,'-][a-z0-9]+)*")}


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """All of the Mod-Apte split: the features once, the labels for every topic.

    Attributes
    ----------
    X, X_test : scipy.sparse.csr_array, shapes (n, d) and (n_test, d), float64
        Ones and zeros; the last column is the constant.
    labels, labels_test : ndarray, shapes (n, k) and (n_test, k), bool
        Whether a document has a topic.
    topics : tuple of k strings
        Sorted; every topic of a training or a test document.
    words : tuple of d - 1 strings
        Sorted; the words of the training documents.
    """

    X: sparse.csr_array
    X_test: sparse.csr_array
    labels: np.ndarray
    labels_test: np.ndarray
    topics: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The d names: the words and the constant."""
        return (*self.words, CONSTANT)


def parse(files: Iterable[tuple[str, bytes]], where: str, rule: str = "words") -> Corpus:
    """Build the corpus from the SGML files.

    Parameters
    ----------
    files : iterable of (name, content)
        In the order in which their documents are to stand.
    where : str
        The source's name, for the error.
    rule : str
        What counts as a word, of `WORDS`.

    Returns
    -------
    Corpus

    Raises
    ------
    InputError
        No training or no test document of the Mod-Apte split in the files.
    """
    train, test = split_documents(files, rule)
    if not train or not test:
        raise InputError(
            f"{where} has {len(train)} training and {len(test)} test documents of the Mod-Apte split; "
            "use the complete Reuters-21578, Distribution 1.0."
        )
    words = sorted(set().union(*(found for _, found in train)))
    topics = sorted(set().union(*(found for found, _ in train + test)))
    columns = {word: j for j, word in enumerate(words)}
    return Corpus(
        X=word_matrix((found for _, found in train), columns),
        X_test=word_matrix((found for _, found in test), columns),
        labels=topic_matrix([found for found, _ in train], topics),
        labels_test=topic_matrix([found for found, _ in test], topics),
        topics=tuple(topics),
        words=tuple(words),
    )


def split_documents(files: Iterable[tuple[str, bytes]], rule: str = "words") -> tuple[list, list]:
    """Return the training and the test documents, each as its topics and its words."""
    documents = {"TRAIN": [], "TEST": []}
    for _, content in files:
        for split, topics, words in read_documents(content.decode("latin-1"), rule):
            documents[split].append((topics, words))
    return documents["TRAIN"], documents["TEST"]


def read_documents(sgml: str, rule: str = "words") -> Iterator[tuple[str, set[str], set[str]]]:
    """Yield the documents of the Mod-Apte split: "TRAIN" or "TEST", its topics, its words."""
    for attributes, content in _DOCUMENT.findall(sgml):
        named = dict(_ATTRIBUTE.findall(attributes))
        if named.get("TOPICS") != "YES" or named.get("LEWISSPLIT") not in ("TRAIN", "TEST"):
            continue
        topics = _TOPICS.search(content)
        found = _TOPIC.findall(topics.group(1)) if topics else ()
        yield named["LEWISSPLIT"], {topic.strip() for topic in found}, read_words(content, rule)


def read_words(content: str, rule: str = "words") -> set[str]:
    """Return the words of one document's title and body, once each."""
    text = _TEXT.search(content)
    if text is None:
        return set()
    attributes, inner = text.groups()
    if 'TYPE="UNPROC"' not in attributes:
        inner = " ".join(part for _, part in _PARTS.findall(inner))
    return set(WORDS[rule].findall(html.unescape(inner).lower()))


def word_matrix(rows: Iterable[set[str]], columns: dict[str, int]) -> sparse.csr_array:
    """Return the binary matrix of the known words and the constant.

    Parameters
    ----------
    rows : iterable of sets of words
    columns : dict
        The column of each known word, 0 to d - 2; other words are left out.

    Returns
    -------
    scipy.sparse.csr_array, shape (n, d)
    """
    constant = len(columns)
    indices, ends = [], [0]
    for words in rows:
        indices += sorted(columns[word] for word in words if word in columns)
        indices.append(constant)
        ends.append(len(indices))
    return binary_matrix(indices, ends, constant + 1)


def binary_matrix(indices, indptr, d: int) -> sparse.csr_array:
    """Return the CSR matrix of ones at the given places, with 32-bit indices.

    Parameters
    ----------
    indices : array-like of int, shape (nnz,)
    indptr : array-like of int, shape (n + 1,)
    d : int
        The number of columns.
    """
    import numpy as np
    from scipy import sparse

    indices, indptr = np.asarray(indices, dtype=np.int32), np.asarray(indptr, dtype=np.int32)
    return sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, d))


def topic_matrix(rows: list[set[str]], topics: list[str]) -> np.ndarray:
    """Return which document (row) has which topic (column), as an (n, k) array of bool."""
    import numpy as np

    columns = {topic: j for j, topic in enumerate(topics)}
    labels = np.zeros((len(rows), len(topics)), dtype=bool)
    for i, found in enumerate(rows):
        labels[i, [columns[topic] for topic in found]] = True
    return labels
