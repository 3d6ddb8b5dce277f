"""The data sets by name: two that come with scikit-learn, three LIBSVM files of WORKBENCH_DATA, a drawn one.

All but the drawn one are split 80/20, stratified, seed 0.
"""

from __future__ import annotations

from importlib.util import find_spec
from numbers import Integral
from pathlib import Path

from workbench._support.errors import InputError, shown
from workbench.data import places
from workbench.data.dataset import Dataset, NumberedNames
from workbench.data.split import as_values, one_against_rest, split_rows

SPLIT = "80/20, stratified, seed 0"
EVEN_DIGITS = (0, 2, 4, 6, 8)
# The columns of "breast-cancer" are means, errors and worst values of these; its class 0 is malignant.
OF_NUCLEI = "radius,texture,perimeter,area,smoothness,compactness,concavity,concave points,symmetry"
OF_NUCLEI += ",fractal dimension"
MALIGNANT = 0.0
# The largest grey value of a pixel in scikit-learn's digits.
WHITE = 16.0
FIRST_TEN = tuple(range(1, 11))
HOME = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"
# The suffix in which each file is usually given away comes first.
SUFFIXES = {
    "a9a": (".xz", "", ".bz2", ".gz"),
    "w8a": (".xz", "", ".bz2", ".gz"),
    "news20": (".bz2", "", ".xz", ".gz"),
}
# Zhang's target; the components after these are zero.
TARGET, BIAS, FLIPPED = (1, 1, 1, 1, 1, -1), -2, 0.05
# Two parts of n rows with d numbers of 8 bytes: this many numbers are 4 GB.
MAX_NUMBERS = 500_000_000


def breast_cancer() -> Dataset:
    """Load the Wisconsin breast cancer data: X (455, 30) and X_test (114, 30), dense; +1 is malignant.

    Every feature is centred and scaled by the mean and the standard deviation of the training part; the test
    part is moved by the same numbers.
    """
    import numpy as np

    values, target = _of_scikit_learn("breast_cancer.csv", skiprows=1)
    y = np.where(target == MALIGNANT, 1.0, -1.0)
    train = values[split_rows(y, "breast-cancer")[0]]
    X = (values - train.mean(axis=0)) / train.std(axis=0)
    return _divided(
        "breast-cancer",
        X,
        y,
        tuple(
            text.format(name) for text in ("mean {}", "{} error", "worst {}") for name in OF_NUCLEI.split(",")
        ),
        "Wisconsin diagnostic breast cancer, from scikit-learn: 30 measurements of cell nuclei, +1 "
        "malignant, -1 benign; standardized by the training part",
    )


def digits(positive=EVEN_DIGITS) -> Dataset:
    """Load handwritten digits: X (1437, 64) and X_test (360, 64), dense, 8 by 8 pixels in [0, 1].

    Parameters
    ----------
    positive : int or iterable of int
        The digits that get +1; the others get -1.
    """
    values = as_values(positive)
    good = all(isinstance(v, Integral) and not isinstance(v, bool) and 0 <= int(v) <= 9 for v in values)
    classes = tuple(sorted({int(v) for v in values})) if good else ()
    if not 1 <= len(classes) <= 9:
        raise InputError(
            f"digits: positive={shown(positive)} does not name one to nine of the digits 0 to 9; "
            "write for example positive=(3, 8)."
        )
    (grey, target), names = _of_scikit_learn("digits.csv.gz"), ", ".join(map(str, classes))
    return _divided(
        f"digits ({names} against the rest)",
        grey / WHITE,
        one_against_rest(target, classes, "digits"),
        tuple(f"row {row}, column {column}" for row in range(8) for column in range(8)),
        f"Handwritten digits, 8 by 8 pixels, from scikit-learn: grey values over 16, +1 for {names}, -1 for "
        "the others",
    )


def _of_scikit_learn(file, skiprows=0):
    """Read X and y from a file of scikit-learn, which takes a second to import."""
    import numpy as np

    home = Path(getattr(find_spec("sklearn"), "origin", "")).parent
    table = np.loadtxt(home / "datasets" / "data" / file, delimiter=",", skiprows=skiprows)
    return table[:, :-1], table[:, -1]


def locate(name: str) -> Path | None:
    """Return the file of a9a, w8a or news20 in WORKBENCH_DATA, or None."""
    return places.find_file(name + suffix for suffix in SUFFIXES[name])


def fetch(name: str) -> Path:
    """Return the path of a9a, w8a or news20; the `InputError` for a missing file says how to get it."""
    path = locate(name)
    if path is None:
        raise InputError(
            f"{name} is not here: get it from {HOME}, put it as {name}{SUFFIXES[name][0]} or uncompressed "
            f"into a folder and set the environment variable {places.VARIABLE} to that folder."
        )
    return path


def a9a() -> Dataset:
    """Load the Adult census task: X (26048, 123), CSR; +1 earns above 50,000 dollars a year."""
    text = "Adult census data in 123 binary features, +1 for an income above 50,000 dollars"
    return _benchmark("a9a", text)


def w8a() -> Dataset:
    """Load the web page task: X (39799, 300), CSR; +1 belongs to the category."""
    return _benchmark("w8a", "Web pages by 300 binary keywords, +1 for the category")


def news20(positive=FIRST_TEN) -> Dataset:
    """Load 20 newsgroups: X (12748, 62061), CSR.

    Parameters
    ----------
    positive : int or iterable of int
        The newsgroups, 1 to 20, that get +1; the others get -1.
    """
    return _benchmark("news20", "20 newsgroups by word counts", positive)


def _benchmark(name, description, positive=None):
    """Read a LIBSVM file and make its labels -1 and +1."""
    from workbench.data.tables import libsvm, limits

    path = fetch(name)
    X, y, first = libsvm.read(limits.read_bytes(path, path.name, limits.own())[0], path.name)
    suffix = ""
    if positive is not None:
        suffix = f" (classes {', '.join(map(str, as_values(positive)))} against the rest)"
        y = one_against_rest(y, positive, name)
    text = f"{description}, from the LIBSVM data page{suffix}"
    return _divided(name + suffix, X, y, NumberedNames(X.shape[1], first), text)


def _divided(name, X, y, names, description):
    """Split a data set into training and test rows."""
    train, test = split_rows(y, name)
    return Dataset(name, X[train], y[train], X[test], y[test], names, f"{description}; {SPLIT}.")


def zhang_artificial(d: int = 500, n: int = 1000, seed: int = 0) -> Dataset:
    """Draw the artificial problem of Zhang (2002), section 6.1: X (n, d) and X_test (n, d), dense.

    Every component is 0 or 1 with probability 1/2; the label is the sign of w.x + b with
    w = (1, 1, 1, 1, 1, -1, 0, ..., 0) and b = -2; rows with abs(w.x + b) < 1, that is 0, are drawn anew; five
    percent of the labels of each part, to the nearest whole number, are wrong. There is no constant column:
    the problem's bias adds it.

    Parameters
    ----------
    d : int
        Features, at least 6. The paper has 500 and 5000.
    n : int
        Rows of each part, at least 1.
    seed : int
        The same seed gives the same data.
    """
    import numpy as np

    for name, value, least in (("d", d, len(TARGET)), ("n", n, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise InputError(
                f"zhang-artificial: {name}={shown(value)} is not a whole number of at least {least}; "
                f"write for example {name}={max(least, 500)}."
            )
    if 2 * n * d > MAX_NUMBERS:
        raise InputError(
            f"zhang-artificial: d={d} and n={n} make {2 * n * d} numbers; "
            f"keep 2 n d at {MAX_NUMBERS} or below."
        )

    def margins(bits):
        return bits[:, : len(TARGET)].astype(np.int64) @ np.array(TARGET) + BIAS

    rng, bits = np.random.default_rng(seed), np.empty((0, int(d)), dtype=np.int8)
    while len(bits) < 2 * n:
        samples = rng.integers(0, 2, size=(2 * int(n), int(d)), dtype=np.int8)
        bits = np.concatenate([bits, samples[margins(samples) != 0]])
    bits = bits[: 2 * n]
    y = np.sign(margins(bits)).astype(float)
    for part in (y[:n], y[n:]):
        part[rng.choice(n, size=round(FLIPPED * n), replace=False)] *= -1
    X, names = bits.astype(float), tuple(f"bit {j + 1}" for j in range(d))
    return Dataset(
        f"zhang-artificial (d = {d})",
        X[:n].copy(),
        y[:n].copy(),
        X[n:].copy(),
        y[n:].copy(),
        names,
        "Zhang (2002), section 6.1: random bits, the label depends on the first six by "
        "w = (1, 1, 1, 1, 1, -1), b = -2, no margin below 1, five percent of the labels wrong; "
        f"seed {seed}.",
    )
