"""A path of solutions over lambda, each warm-started from the one before."""

import numpy as np
from numpy.typing import ArrayLike

from workbench.certificates import certificate
from workbench.errors import InputError
from workbench.faces import Carded
from workbench.names import check_number
from workbench.problem.problem import Problem
from workbench.solution import Solution, attempt, reach, warn_unconverged
from workbench.solvers import Solver

# The range of a certified path where none is given, as multiples of the problem's lam; the share of the gap
# that each solution may have itself; how near to the end of what it covers a search comes, in log lambda.
WIDE, SHARE, NEAR = 1e3, 0.1, 0.02


class Path(Carded, list[Solution]):
    """The solutions of a path, in the order of the lambdas that were asked for.

    Attributes
    ----------
    ends : ndarray (k + 1,) or None
        Of a certified path, falling: solution i answers for every lam between ends[i] and ends[i + 1].
    """

    _card = "path"
    ends = None

    def at(self, lam: float) -> Solution:
        """The solution that answers for a lam of a certified path.

        Raises
        ------
        InputError
            The path was not made with `gap`, or lam is not in its range.
        """
        if self.ends is None:
            raise InputError("path: its solutions answer for their own lam alone; pass gap=1e-3 to `path`")
        lam = check_number("path", "lam", lam, above=0.0)
        if not self.ends[-1] <= lam <= self.ends[0]:
            raise InputError(
                f"path: lam = {lam:g} is not in its range, {self.ends[-1]:g} to {self.ends[0]:g}"
            )
        return self[min(int(np.count_nonzero(self.ends[1:] > lam)), len(self) - 1)]

    def plot(self):
        """The largest weights along lambda, an Overlay of HoloViews."""
        from workbench.faces import elements

        return elements.path(self)

    def __repr__(self):
        worst = max(solution.relative_gap for solution in self) if self else 0.0
        return f"Path({len(self)} solutions, relative gaps up to {worst:.3g})"


def path(
    problem: Problem,
    lams: ArrayLike | None = None,
    solver: str | Solver = "auto",
    tol: float = 1e-6,
    max_epochs: float | None = None,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    warm: bool = True,
    gap: float | None = None,
) -> Path:
    """Solve a problem for several lambdas, from the largest to the smallest, or for all of a range.

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
    gap : float, optional
        Choose the lambdas so that `Path.at(lam)` has at most this gap, as a share of its own value, for
        every lam between the least and the largest of `lams`; without them from the problem's lam to a
        thousand times it. `tol` is then not used.

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
        There is no lambda, or one is not above 0; a certified path of a kernel, or one whose solver did not
        get as near as it has to.

    Notes
    -----
    Why a certified path holds between its lambdas: for fixed w and alpha, with r the dual norm of X'alpha / n
    where g is a norm,

        gap(lam) = (1/n) sum_i [ f(z_i) + k(-s alpha_i) ] + lam [ g(w) + h(s X'alpha / (lam n)) ]

    with s = 1, or s = min(1, lam / r) for a norm. lam h(x / lam) is convex in lam, as the perspective of h, k
    is convex in s, and s is affine on either side of r; P(lam) = L + lam g(w) is affine. So gap(lam) - e
    P(lam) is convex on either side of r, and where it is at most 0 at both ends of an interval, and at r, it
    is in between. With `gap` e, P is then not negative, and the gap at most the share e of it.

    Source: Giesen, Jaggi and Laue (2010), sections 2 and 3, for the piecewise constant path.

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
    if gap is not None:
        gap = check_number("path", "gap", gap, above=0.0)
        return _certified(problem, lams, solver, max_epochs, seed, test, gap)
    if lams is None:
        raise InputError("path: lams is missing; give lambdas, or gap=1e-3 for a path certified in between")
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


def _certified(problem, lams, solver, max_epochs, seed, test, gap):
    """The path of a range, each solution down to where its gap would be too large."""
    if problem.kernel is not None:
        raise InputError("path: gap needs weights, which a kernel does not have; leave gap or the kernel out")
    wanted = [problem.lam, WIDE * problem.lam] if lams is None else np.ravel(lams).tolist()
    if not wanted:
        raise InputError("path: lams is empty; give the least and the largest lambda")
    least, lam = (check_number("path", "lams", end, above=0.0) for end in (min(wanted), max(wanted)))
    found, ends, before = Path(), [lam], None
    while True:
        here = problem.replace(lam=lam)
        before = attempt(here, solver, SHARE * gap, max_epochs, seed, test, warm_start=before)
        if not _covers(here, before, gap):
            raise InputError(
                f"path: at lam = {lam:g} {before.solver} left a relative gap of {before.relative_gap:.2g} "
                f"after {before.epochs:g} epochs, too much for gap = {gap:g}; allow more with max_epochs, or "
                "choose a larger gap"
            )
        lam = _reach(problem, before, gap, least, lam)
        found.append(before)
        ends.append(lam)
        if lam <= least:
            found.ends = np.array(ends)
            return found


def _covers(problem, solution, gap):
    """Whether the gap of a solution is at most this share of its value, at the problem's lam."""
    b = solution.b if problem.bias else None
    point = certificate(problem, w=solution.w, b=b, alpha=solution.alpha)
    return point.gap <= gap * point.primal


def _reach(problem, solution, gap, least, top):
    """The least lam, nearly, down to which a solution of the lam `top` covers."""

    def covers(lam):
        return _covers(problem.replace(lam=lam), solution, gap)

    if problem.regularizer.is_norm:
        # Where the dual point begins to be scaled; above it nothing was.
        v = problem.replace(lam=top).dual_vector(solution.alpha)
        edge = top * problem.transfer.dual_norm(v.ravel())
        if least < edge < top and not covers(edge):
            least = edge
    if covers(least):
        return least
    low, high = np.log(least), np.log(top)
    while high - low > NEAR * (np.log(top) - low):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if covers(np.exp(middle)) else (middle, high)
    return float(np.exp(high))
