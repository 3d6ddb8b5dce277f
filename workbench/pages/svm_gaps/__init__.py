"""The page on SVM gaps."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """G over the bias before the first step: convex and piecewise linear, with its least value between."""
    from workbench.pages.svm_gaps import model as svm_gaps

    frame = svm_gaps.frame(svm_gaps.build(svm_gaps.SvmGaps().settings()))
    return ((frame["bias"]["b"], frame["bias"]["value"], "solid"),)


PAGE = Declaration(
    "SVM gaps",
    "Three gaps of the support vector machine, and when each can be trusted.",
    place=6, lesson="08_svm_gaps", picture=picture,
    minutes=10, stop="What bounds the distance to the optimum, and how well.",
    model="model:SvmGaps", page="page:SvmGapsPage", presets="page:PRESETS", file="export",
)  # fmt: skip
