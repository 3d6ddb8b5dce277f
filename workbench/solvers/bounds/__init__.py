"""Bounds of theory beforehand: the mistakes of online rules, and how far one sample moves the weights.

>>> import numpy as np
>>> import workbench as wb
>>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
>>> y = np.array([1, 1, -1, -1])
>>> bound = wb.bounds.perceptron(X, y, w=[1.0, 0.0])
>>> bound.mistakes <= bound.bound
True
"""

from __future__ import annotations

from workbench.solvers.bounds.mistakes import MistakeBound, p_norm, perceptron, winnow

__all__ = ["MistakeBound", "p_norm", "perceptron", "winnow"]


def __dir__() -> list[str]:
    return __all__
