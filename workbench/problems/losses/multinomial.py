"""The multinomial logistic loss of r classes, whose Omega is the negative entropy.

    f(z_i) = ln sum_j e^(z_ij) - z_(i, y_i),    k(-alpha_i) = sum_j p_ij ln p_ij

Source       docs/mathematics.md, sections 2 and 6
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from workbench._support.errors import InputError
from workbench.problems.losses.simplex import Local, SimplexLoss

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Integers, Scalar
    from workbench.problems.losses.base import LossFacts, LossRow


# Below it, e^x (x - 1) + 1 is summed as a series, since the closed form cancels.
NEAR = 0.02


@dataclass(frozen=True)
class Multinomial(SimplexLoss):
    """ln sum_j e^(z_j) - z_y for labels y in 0, 1, ..., r - 1.

    Parameters
    ----------
    classes : int, optional
        r; one more than the largest label where it is not given.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.losses.Multinomial().probabilities(np.array([[0.0, 0.0, np.log(2.0)]]))
    array([[0.25, 0.25, 0.5 ]])
    """

    classes: float | None = None
    name: ClassVar[str] = "multinomial"
    inequality: ClassVar[str] = "Gibbs' inequality"

    @property
    def row(self) -> LossRow:
        return {
            "kind": "classes",
            "parameters": {},
            "steep": True,
            "likelihood": True,
            "source": "docs/mathematics.md, section 6",
        }

    def facts(self) -> LossFacts:
        """Those of a loss of r predictions, and a bound of its curvature."""
        # Boehning (1992): the Hessian diag(p) - p p' has no eigenvalue above 1/2.
        return self.simplex_facts(curvature=0.5, smoothness=1.0)

    def scalar(self, part: str) -> Scalar:
        from workbench.kernels import simplex_loops

        if part in (*self.parts, "shares"):
            compiled: Scalar = simplex_loops.entropic(part)
            return compiled
        raise InputError(
            "multinomial: this loss has r predictions per sample; solve it with solver='gauss-seidel', "
            "'proximal-gradient' or 'lbfgs'"
        )

    def log_probabilities(self, z: Floats) -> Floats:
        """Return ln of the probability of each class at predictions z, (n, r)."""
        return log_softmax(z)

    def zero_value(self, classes: int) -> float:
        """f(0)."""
        return float(np.log(classes))

    def local(self, z: Floats, labels: Integers) -> Local:
        """Compute the losses at predictions z (n, r)."""
        log_p = log_softmax(z)
        p = np.exp(log_p)
        return Local(-log_p[np.arange(labels.shape[0]), labels], p, p)

    def probabilities_and_curvature(self, z: Floats) -> tuple[Floats, Floats]:
        """Return the probabilities at z twice, since they are their own curvatures."""
        p = np.exp(log_softmax(z))
        return p, p

    def values(self, z: Floats, labels: Integers) -> Floats:
        """f(z_i), (n,)."""
        return -log_softmax(z)[np.arange(labels.shape[0]), labels]

    def young(self, z: Floats, p: Floats) -> tuple[Floats, float]:
        """sum_j [ p ln(p / q) - p + q ] with q = softmax(z): the Fenchel-Young terms (n,), never below zero.

        With x = ln(p / q) a summand is q (e^x (x - 1) + 1), where rounding of x only enters squared.
        """
        log_q = log_softmax(z)
        q = np.exp(log_q)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = np.where(p > 0.0, np.log(p) - log_q, 0.0)
        near = q * x**2 * (0.5 + x * (1 / 3 + x * (1 / 8 + x * (1 / 30 + x * (1 / 144 + x / 840)))))
        terms = np.where(np.abs(x) < NEAR, near, p * (x - 1.0) + q)
        return np.maximum(np.where(p > 0.0, terms, q), 0.0).sum(axis=1), 0.0

    def entropies(self, p: Floats) -> Floats:
        """sum_j p ln p, (n,); infinite outside the simplex."""
        with np.errstate(divide="ignore", invalid="ignore"):
            entropies: Floats = np.where(p > 0.0, p * np.log(p), np.where(p == 0.0, 0.0, np.inf)).sum(axis=1)
            return entropies


def log_softmax(z: Floats) -> Floats:
    """Return ln of the probabilities, (n, r)."""
    shifted = z - z.max(axis=1, keepdims=True)
    log_softmax: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return log_softmax
