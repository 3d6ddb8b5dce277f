"""The benchmark files a9a, w8a and news20 in LIBSVM format, read from the folder of WORKBENCH_DATA."""

from __future__ import annotations

from pathlib import Path

from workbench.data import places
from workbench.data.dataset import Dataset, NumberedNames
from workbench.data.split import as_values, one_against_rest, split_rows
from workbench.errors import InputError
from workbench.tables import libsvm, limits

HOME = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"
# The suffix in which each file is usually given away comes first.
SUFFIXES = {
    "a9a": (".xz", "", ".bz2", ".gz"),
    "w8a": (".xz", "", ".bz2", ".gz"),
    "news20": (".bz2", "", ".xz", ".gz"),
}
FIRST_TEN = tuple(range(1, 11))
SPLIT = "80/20, stratified, seed 0"


def locate(name: str) -> Path | None:
    """Return the file of a9a, w8a or news20, or None when WORKBENCH_DATA has none."""
    return places.find_file(name + suffix for suffix in SUFFIXES[name])


def fetch(name: str) -> Path:
    """Return the file of a9a, w8a or news20, or say how to get it.

    Raises
    ------
    InputError
        It is not there; it is never downloaded.
    """
    path = locate(name)
    if path is None:
        raise InputError(
            f"{name} is not here: get it from {HOME}, put it as {name}{SUFFIXES[name][0]} or uncompressed "
            f"into a folder and set the environment variable {places.VARIABLE} to that folder."
        )
    return path


def a9a() -> Dataset:
    """Load the Adult census task: X (26048, 123), CSR; +1 earns above 50,000 dollars a year."""
    return _load("a9a", "Adult census data in 123 binary features, +1 for an income above 50,000 dollars")


def w8a() -> Dataset:
    """Load the web page task: X (39799, 300), CSR; +1 belongs to the category."""
    return _load("w8a", "Web pages by 300 binary keywords, +1 for the category")


def news20(positive=FIRST_TEN) -> Dataset:
    """Load 20 newsgroups: X (12748, 62061), CSR.

    Parameters
    ----------
    positive : int or iterable of int
        The newsgroups, 1 to 20, that get +1; the others get -1.
    """
    return _load("news20", "20 newsgroups by word counts", positive)


def _load(name: str, description: str, positive=None) -> Dataset:
    """Read the file, make the labels -1 and +1 and split it."""
    path = fetch(name)
    X, y, first = libsvm.read(limits.opened(path, path.name, limits.own()), path.name)
    listed = ""
    if positive is not None:
        positive = as_values(positive)
        listed = f" (classes {', '.join(map(str, positive))} against the rest)"
        y = one_against_rest(y, positive, name)
    train, test = split_rows(y, name)
    return Dataset(
        name=name + listed,
        X=X[train],
        y=y[train],
        X_test=X[test],
        y_test=y[test],
        feature_names=NumberedNames(X.shape[1], first),
        description=f"{description}, from the LIBSVM data page{listed}; {SPLIT}.",
    )
