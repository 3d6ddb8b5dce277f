"""How far each sample is from its part (10) of the optimum, and the sample that is farthest."""

import numpy as np
from numba import types

from workbench.compiled import signatures
from workbench.compiled.compilation import VECTOR, WRITABLE


def _distances(coordinate, u, nu: VECTOR, loss_theta, lower, upper, out: WRITABLE):
    for i in range(u.shape[0]):
        out[i] = abs(min(max(coordinate(nu[i], u[i], 1.0, loss_theta), lower), upper) - nu[i])


# The compiled loop over |prox(nu_i + u_i) - nu_i|, which is zero exactly where (10) holds.
distances = signatures.late(_distances, types.void)


def most_violating(problem, state):
    """The sample that violates (10) most at this state of Gauss-Seidel, as an order of one."""
    first = 1.0
    if not problem.regularizer.entry["linear"]:
        total = state.sums[0]
        first = problem.regularizer.function("outer_slope")(total, state.theta) if total > 0.0 else 0.0
    z = state.v if problem.kernel is not None else problem.design @ (first * state.slopes)
    u = problem.argument(z)
    loss, nu = problem.loss, problem.nu(state.alpha)
    out = np.empty_like(nu)
    distances()(loss.scalar("coordinate"), u, nu, loss.theta, *loss.interval, out)
    return np.array([np.argmax(out)], dtype=np.uint32)
