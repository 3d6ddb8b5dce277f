"""The sample that is farthest from its part (10) of the optimum."""

import numpy as np

from workbench.certificates import loss_terms


def most_violating(problem, state):
    """The sample that violates (10) most at this state of Gauss-Seidel, as an order of one."""
    first = 1.0
    if not problem.regularizer.entry["linear"]:
        total = state.sums[0]
        first = problem.regularizer.function("outer_slope")(total, state.theta) if total > 0.0 else 0.0
    z = state.v if problem.kernel is not None else problem.design @ (first * state.slopes)
    return np.array([np.argmax(loss_terms.of(problem).distances(z, state.alpha))], dtype=np.uint32)
