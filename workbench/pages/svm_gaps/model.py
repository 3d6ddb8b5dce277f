"""The model of the page on SVM gaps: points in the plane, a kernel, C."""

import functools

import param

from workbench.data.examples.plane import SOURCES
from workbench.pages.plane import FULL, TOO_FEW, HasPoints, placed
from workbench.pages.wording import Wording, content
from workbench.problems import Problem, kernels
from workbench.solvers.algorithms.maximal_violating_pair import SELECTIONS

LOSS, REGULARIZER = "hinge", "squared-l2"
# With those of edits by hand.
TEXTS = Wording("svm_gaps").texts | {"too_few": TOO_FEW, "full": FULL}

QUESTIONS = content("svm_gaps")["questions"]
KERNELS = ("Linear", "Gaussian", "Polynomial")


class SvmGaps(HasPoints):
    source = param.Selector(objects=list(SOURCES), default="Overlapping")
    kernel = param.Selector(objects=list(KERNELS))
    gamma = param.Number(1.0, bounds=(0.01, 100.0), doc="of exp(-gamma |x - x'|^2)")
    degree = param.Integer(3, bounds=(2, 6), doc="of (x.x' + 1)^degree")
    cost = param.Number(1.0, bounds=(0.001, 1000.0), doc="C, the weight of a slack")
    selection = param.Selector(objects=list(SELECTIONS), default="first-order")
    tolerance = param.Selector(objects=[1.0, 1e-1, 1e-2, 1e-3, 1e-6], default=1e-3)
    question = param.Selector(objects=list(QUESTIONS), doc="what is to be predicted")


def kernel(settings):
    """The kernel that the settings stand for."""
    if settings["kernel"] == "Gaussian":
        return kernels.RBF(settings["gamma"])
    if settings["kernel"] == "Polynomial":
        return kernels.Polynomial(settings["degree"], gamma=1.0, coef0=1.0)
    return kernels.Linear()


@functools.lru_cache(maxsize=4)
def problem(points, source, **names):
    """The problem of edited points, or where their text is empty of a source, and of a kernel.

    Its lambda, 1 / (C n), comes with a run.

    Raises
    ------
    InputError
        Points that cannot be read, or a parameter that the kernel does not have.
    """
    X, y = placed(points, source)
    return Problem(X, y, LOSS, REGULARIZER, 1.0, bias=True, kernel=kernel(names))
