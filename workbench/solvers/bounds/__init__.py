"""Bounds and rates of theory: mistakes of online rules, a sample's pull, linear rates, regret.

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
from workbench.solvers.bounds.rates import LinearRate, Regret, gauss_seidel_rate, regret

__all__ = [
    "LinearRate",
    "MistakeBound",
    "Regret",
    "gauss_seidel_rate",
    "p_norm",
    "perceptron",
    "regret",
    "winnow",
]


def __dir__() -> list[str]:
    return __all__
