"""The page on SVM gaps."""

import functools

import numpy as np

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """G over the bias before the first step: convex and piecewise linear, with its least value between."""
    from workbench.certificates import gaps
    from workbench.data import examples

    X, y = examples.plane("Overlapping")
    b = np.linspace(-2.0, 2.0, 101)
    return ((b, gaps.svm(X @ X.T, y, 1.0, np.zeros(y.size)).at(b), "solid"),)


PAGE = Declaration(
    "SVM gaps",
    "Three gaps of the support vector machine, and when each can be trusted.",
    group="Solvers",
    place=7,
    lesson="08_svm_gaps",
    picture=picture,
    hosted="declaration:SvmGaps",
)
