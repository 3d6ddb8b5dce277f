"""SDCA: stochastic dual coordinate ascent, Gauss-Seidel on samples drawn with replacement.

Solves       as Gauss-Seidel does, one exact coordinate of the dual a step
State        that of Gauss-Seidel
Guarantees   no step increases the dual objective; with slopes of the loss that are Lipschitz, in expectation
             D - D* falls by the factor 1 - s/n a step, and gap <= (n/s) (D - D*): see `rate`
Cost         O(nnz(x_i)) an evaluation
Raises       InputError: as Gauss-Seidel
Source       Shalev-Shwartz and Zhang (2013), Theorem 1, here for weights and for any h of bounded curvature;
             docs/mathematics.md, section 12
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError, shown
from workbench.solvers.algorithms.gauss_seidel import GaussSeidel

REPLACED = "with-replacement"


class Rate(NamedTuple):
    """The proved rate of the mean over the draws: D - D* falls by the factor 1 - share a step."""

    share: float  # s / n

    def dual(self, steps, start):
        """Bound E[D - D*] after n steps, from D - D* at the start or a bound of it."""
        return start * np.exp(np.asarray(steps) * np.log1p(-self.share))

    def gap(self, steps, start):
        """Bound E[gap] after n steps with w = grad h(v), from D - D* at the start or a bound of it."""
        return self.dual(steps, start) / self.share


@dataclass(frozen=True)
class SDCA(GaussSeidel):
    """Gauss-Seidel on samples drawn at random with replacement; the parameters are those of `GaussSeidel`.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", lam=0.1)
    >>> wb.solve(problem, wb.solvers.SDCA(), tol=1e-6).status
    'converged'
    """

    order: str = REPLACED
    name: ClassVar[str] = "sdca"
    needs: ClassVar[tuple[str, ...] | None] = None  # it solves what gauss-seidel does, which races
    orders: ClassVar[tuple] = (REPLACED,)
    updates: ClassVar[tuple] = ("exact", "bounded")

    def __post_init__(self):
        super().__post_init__()
        if self.shrinking:
            raise InputError("sdca: shrinking visits samples in turn; use solver='gauss-seidel' for it")
        if self.scale > 1.0:
            raise InputError(f"sdca: scale = {self.scale:g}; use a scale of at most 1")

    @property
    def patience(self):
        """A sample that has to move may be missed by some epochs of draws: e^-20 of the time by these."""
        return 20

    @classmethod
    def by_name(cls):
        """Return the solver that its name alone stands for."""
        return cls()


def rate(problem):
    """Compute the proved rate of exact steps on a problem, a `Rate`.

    With k strongly convex of modulus 1/(c_i L) and x_i'h''x_i / (lam n) <= kappa_i the step from alpha_i
    towards -f'(z_i) shows s = min_i 1 / (1 + c_i L kappa_i).

    Raises
    ------
    InputError
        The loss has no Lipschitz slopes, or the curvature of h no bound: there is no such rate.
    """
    loss, bound = problem.loss, None
    if problem.kernel is not None:
        bound = problem.kernel_matrix.diagonal / problem.lam_n
    elif not problem.regularizer.is_norm:
        bound = problem.curvature_bound
    if loss.kinks.size or problem.jumps or not loss.curvature < np.inf:
        raise InputError(
            f"sdca: the slopes of the {loss.name} loss are not Lipschitz, so that no linear rate is proved; "
            "use smoothed-hinge, logistic, squared or huber"
        )
    if bound is None or problem.free_bias:
        raise InputError(
            f"sdca: no rate is proved for {problem.regularizer!r} with bias = {shown(problem.bias)}; use "
            "squared-l2 or elastic-net, and bias = False or 'constant'"
        )
    share = float(np.min(1.0 / (1.0 + problem.weight * loss.curvature * bound)))
    return Rate(share / problem.n_samples)
