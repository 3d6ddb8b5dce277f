"""Which weights are zero at every optimum: safe balls around a dual point (placeholder)."""

from typing import NamedTuple

import numpy as np

# The rounding of a sum of n products, and of a gap, in units of their size.
UNIT = 2.0**-52


class Ball(NamedTuple):
    """A ball in sum (alpha_i - alpha*_i)^2 / c_i that holds the dual optimum."""

    radius: float
    lam_n: float
    rounding: float  # of x_j.alpha, as a share of the norm of x_j

    @classmethod
    def of(cls, problem, alpha, primal, dual):
        """The ball around a feasible dual point at this gap."""
        n = problem.n_samples
        size = max(abs(primal), abs(dual))
        gap = max(primal - dual, 0.0) + n * UNIT * size
        length = float(np.sqrt(np.sum(alpha**2 / (problem.weight if alpha.ndim == 1 else problem.weight[:, None]))))
        return cls(float(np.sqrt(2.0 * n * problem.loss.curvature * gap)), problem.lam_n, n * UNIT * length)

    def discards(self, blocks, products, norms):
        """Whether each block is zero at every optimum."""
        pulls = blocks.pulls(products, self.lam_n)
        return pulls + (self.radius + self.rounding) * norms < blocks.limits(self.lam_n) * (1.0 - 1e-10)
