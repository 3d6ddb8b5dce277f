"""Held-out samples, which no solver sees, and how well a solution predicts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from workbench.problems.design import check_features, check_targets
from workbench.problems.kernels import Expansion

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import ArrayLike

    from workbench._support.annotations import Bias, Floats
    from workbench.problems.problem import Problem


class KernelPoint(Protocol):
    """The dual variables and the bias of a certified point of a kernel problem."""

    @property
    def alpha(self) -> Floats: ...

    @property
    def b(self) -> Bias: ...


class HeldOut:
    """Held-out samples and the score on them: accuracy for labels, R squared for targets."""

    def __init__(self, problem: Problem, X: ArrayLike | sp.sparray | sp.spmatrix, y: ArrayLike) -> None:
        self.problem = problem
        self.X = check_features(X, problem.n_features)
        self.y = check_targets("y_test", y, self.X.shape[0], problem.y.shape[1:])
        has_classes = problem.loss.kind == "classes"
        self.labels = has_classes or bool(np.isin(self.y, (-1.0, 1.0)).all())
        spread = np.sum((self.y - self.y.mean(axis=0)) ** 2)
        self.spread = spread if spread > 0.0 else 1.0

    @property
    def baseline(self) -> float:
        """The score of the training samples' most frequent label, or mean, as the only prediction."""
        y = self.problem.y
        if not self.labels:
            return float(1.0 - np.sum((self.y - y.mean()) ** 2) / self.spread)
        labels, counts = np.unique(y, return_counts=True)
        return float(np.mean(self.y == labels[counts.argmax()]))

    @np.errstate(over="ignore", invalid="ignore")
    def score(self, w: Floats, b: Bias) -> float:
        """Return the score, at most 1, of weights in the caller's features."""
        return self.score_predictions(self.X @ w + b)

    def score_of(self, certificate: KernelPoint) -> float:
        """Return the score of a certified point of a kernel problem."""
        expansion = Expansion.of(self.problem.kernel_matrix, certificate.alpha / self.problem.lam_n)
        return self.score_predictions(expansion(self.X) + certificate.b)

    def score_predictions(self, z: Floats) -> float:
        """Return the score of predictions z: the accuracy, or R^2 for a regression."""
        if z.ndim > self.y.ndim:
            return float(np.mean(z.argmax(axis=1) == self.y))
        if self.labels:
            return float(np.mean(np.where(z >= 0.0, 1.0, -1.0) == self.y))
        return float(1.0 - np.sum((self.y - z) ** 2) / self.spread)
