"""A path of solutions over lambda, each warm-started from the one before."""

import numpy as np
from numpy.typing import ArrayLike

from workbench.errors import InputError
from workbench.problem.problem import Problem
from workbench.solution import Solution, reach, warn_unconverged
from workbench.solvers import Solver


class Path(list[Solution]):
    """The solutions of a path, in the order of the lambdas that were asked for."""

    def _repr_html_(self):
        from workbench.faces import cards

        return cards.path(self)

    def plot(self):
        """The largest weights along lambda, an Overlay of HoloViews."""
        from workbench.faces import elements

        return elements.path(self)

    def __repr__(self):
        worst = max(solution.relative_gap for solution in self) if self else 0.0
        return f"Path({len(self)} solutions, relative gaps up to {worst:.3g})"


def path(
    problem: Problem,
    lams: ArrayLike,
    solver: str | Solver = "auto",
    tol: float = 1e-6,
    max_epochs: float = 1000,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    warm: bool = True,
) -> Path:
    """Solve a problem for several lambdas, from the largest to the smallest.

    The dual variables of one solution are feasible for the next, since no domain depends on lambda, and
    as near to its optimum as the lambdas are to each other; so are its weights. Only primal-gradient begins
    each lambda at zero.

    Parameters
    ----------
    problem : Problem
        Its own lambda is not used; its data, and the rows of its kernel, are shared by all.
    lams : sequence of float
        In any order; the solutions come back in this order.
    solver, tol, max_epochs, seed, test
        As for `solve`, for each lambda.
    warm : bool
        Whether a solution starts from the one before.

    Returns
    -------
    Path
        A list of `Solution`.

    Warns
    -----
    ConvergenceWarning
        A lambda's relative gap was not reached; what to try instead.

    Raises
    ------
    InputError
        There is no lambda, or one is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> path = wb.path(wb.Problem(X, y, "hinge", lam=1.0), [1.0, 0.1, 0.01])
    >>> [solution.status for solution in path]
    ['converged', 'converged', 'converged']
    """
    problems = [problem.replace(lam=lam) for lam in lams]
    if not problems:
        raise InputError("path: lams is empty; give one lambda or more")
    solutions: list = [None] * len(problems)
    before = None
    for k in np.argsort([-each.lam for each in problems], kind="stable"):
        start = before if warm else None
        run = reach(problems[k], solver, tol, max_epochs, seed, test, warm_start=start)
        before = solutions[k] = Solution.of(run)
        warn_unconverged(run, before)
    return Path(solutions)
