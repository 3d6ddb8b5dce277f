"""The two small data sets that come with scikit-learn, ready for a linear learner."""

from __future__ import annotations

from numbers import Integral

from workbench.data.dataset import Dataset
from workbench.data.split import as_values, one_against_rest, split_rows, standardize
from workbench.errors import InputError, shown

EVEN_DIGITS = (0, 2, 4, 6, 8)
# The largest grey value of a pixel in scikit-learn's digits.
WHITE = 16.0


def breast_cancer() -> Dataset:
    """Load the Wisconsin breast cancer measurements: +1 is malignant.

    Every feature is centred and scaled by the mean and the standard deviation of the training
    part; the test part is moved by the same numbers. 80/20, stratified, seed 0.

    Returns
    -------
    Dataset
        X (455, 30) and X_test (114, 30), dense.
    """
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    source = load_breast_cancer()
    y = np.where(source.target_names[source.target] == "malignant", 1.0, -1.0)
    train, test = split_rows(y, "breast-cancer")
    X, X_test = standardize(source.data[train], source.data[test], "breast-cancer")
    return Dataset(
        name="breast-cancer",
        X=X,
        y=y[train],
        X_test=X_test,
        y_test=y[test],
        feature_names=tuple(str(name) for name in source.feature_names),
        description=(
            "Wisconsin diagnostic breast cancer, from scikit-learn: 30 measurements of cell nuclei, "
            "+1 malignant, -1 benign; standardized by the training part; 80/20, stratified, seed 0."
        ),
    )


def digits(positive=EVEN_DIGITS) -> Dataset:
    """Load the 8 by 8 images of handwritten digits as a binary task.

    Parameters
    ----------
    positive : int or iterable of int
        The digits that get +1; the others get -1.

    Returns
    -------
    Dataset
        X (1437, 64) and X_test (360, 64), dense, in [0, 1]; 80/20, stratified, seed 0.
    """
    import numpy as np
    from sklearn.datasets import load_digits

    chosen = _check_digits(positive)
    source = load_digits()
    X = source.data / WHITE
    y = one_against_rest(source.target.astype(float), chosen, "digits")
    train, test = split_rows(y, "digits")
    listed = ", ".join(map(str, chosen))
    return Dataset(
        name=f"digits ({listed} against the rest)",
        X=np.ascontiguousarray(X[train]),
        y=y[train],
        X_test=np.ascontiguousarray(X[test]),
        y_test=y[test],
        feature_names=tuple(f"row {row}, column {column}" for row in range(8) for column in range(8)),
        description=(
            f"Handwritten digits, 8 by 8 pixels, from scikit-learn: grey values over 16, +1 for {listed}, "
            "-1 for the others; 80/20, stratified, seed 0."
        ),
    )


def _check_digits(positive) -> tuple[int, ...]:
    """Return the digits in order, once each, or say what is wrong with them."""
    values = as_values(positive)
    good = all(isinstance(v, Integral) and not isinstance(v, bool) and 0 <= v <= 9 for v in values)
    chosen = tuple(sorted({int(v) for v in values})) if good else ()
    if not 1 <= len(chosen) <= 9:
        raise InputError(
            f"digits: positive={shown(positive)} does not name one to nine of the digits 0 to 9; "
            "write for example positive=(3, 8)."
        )
    return chosen
