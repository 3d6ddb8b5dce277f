"""A path of solutions over lambda, each warm-started from the one before."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.annotations import Floats
from workbench._support.display import Carded
from workbench._support.errors import InputError
from workbench._support.names import check_number
from workbench.certificates import certify
from workbench.problems.problem import Problem, check_problem
from workbench.solvers import Solver
from workbench.solvers.solution import Solution, attempt, reach, warn_unconverged

# The range of a certified path where none is given, as multiples of the problem's lam; the factor between the
# lambdas that it begins with; the share of the gap that each solution may have itself.
WIDE, APART, SHARE = 1e3, 10.0, 0.1


class Path(Carded, list[Solution]):
    """The solutions of a path, in the order of the lambdas that were asked for.

    Attributes
    ----------
    ends : ndarray (k + 1,) or None
        Of a certified path, falling: solution i answers for every lam between ends[i] and ends[i + 1].
    """

    _card = "path"
    ends: Floats | None = None
    _problem: Problem | None = None

    def at(self, lam: float) -> Solution:
        """Return the weights of a certified path for any lam, with the certificate that they have there.

        Raises
        ------
        InputError
            The path was not made with `gap`, or lam is not in its range.
        """
        if self.ends is None or self._problem is None:
            raise InputError("path: its solutions answer for their own lam alone; pass gap=1e-3 to `path`")
        lam = check_number("path", "lam", lam, above=0.0)
        if not self.ends[-1] <= lam <= self.ends[0]:
            raise InputError(
                f"path: lam = {lam:g} is outside of its range; give one from "
                f"{self.ends[-1]:g} to {self.ends[0]:g}"
            )
        solution = self[min(int(np.count_nonzero(self.ends[1:] > lam)), len(self) - 1)]
        lams = np.array([solution.description["lam"] for solution in self])
        place = int(np.count_nonzero(lams > lam))
        above, below = self[max(place - 1, 0)], self[min(place, len(self) - 1)]
        share = (lam - lams[place]) / (lams[place - 1] - lams[place]) if 0 < place < len(self) else 0.0
        problem = self._problem.replace(lam=lam)
        b = solution.b if problem.free_bias else None
        point = certify(problem, solution.w_embedded, share * above.alpha + (1.0 - share) * below.alpha, b)
        numbers = {name: getattr(point, name) for name in ("alpha", "primal", "dual", "gap", "relative_gap")}
        said = {"lam": lam, "interval": point.interval and list(point.interval)}
        return dataclasses.replace(solution, **numbers, description=solution.description | said)

    def plot(self) -> object:
        """Plot the largest weights along lambda, as an Overlay of HoloViews."""
        from workbench._support.display import elements

        return elements.path(self)

    def __repr__(self) -> str:
        worst = max(solution.relative_gap for solution in self) if self else 0.0
        return f"Path({len(self)} solutions, relative gaps up to {worst:.3g})"


def path(
    problem: Problem,
    lams: Sequence[float] | Floats | None = None,
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
        Choose the lambdas so that `Path.at(lam)` has at most this relative gap for every lam between the
        least and the largest of `lams`; without them from the problem's lam to a thousand times it. `tol` is
        then not used.

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
        There is no lambda, or one is not above 0; a certified path of a kernel or with constraints, one
        whose solver did not get as near as it has to, or one over whose range the least objective passes
        zero.

    Notes
    -----
    Why a certified path holds between its lambdas: for fixed w and b, P(lam) = L + lam g(w) is affine. The
    dual objective (1/n) sum_i k(-alpha_i) + lam h(X'alpha / (lam n)) is convex in alpha and lam together, as
    h is under its perspective; so halfway between two lambdas the mean of their dual points bounds inf P by
    the mean of their bounds, and likewise at every other share. The least of two affine functions less a
    third has its largest value where the two cross, or at an end. There the gap is looked at; where it is
    too large, the problem is solved for this lambda, too. All of this holds below zero, too, as with
    entropies, where the dual value is the larger part of a relative gap.

    Source: Eisner and Severance (1976) for the choice of lambdas; Giesen, Jaggi and Laue (2010) for paths
    that are constant in pieces.

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
    check_problem("path", problem)
    if gap is not None:
        gap = check_number("path", "gap", gap, above=0.0)
        return _certified(problem, lams, solver, max_epochs, seed, test, gap)
    if lams is None:
        raise InputError("path: lams is missing; give lambdas, or gap=1e-3 for a path certified in between")
    problems = [problem.replace(lam=lam) for lam in lams]
    if not problems:
        raise InputError("path: lams is empty; give one lambda or more")
    solutions: dict[int, Solution] = {}
    before: Solution | None = None
    for k in np.argsort([-part.lam for part in problems], kind="stable").tolist():
        start = before if warm else None
        runs = reach(problems[k], solver, tol, max_epochs, seed, test, warm_start=start)
        before = solutions[k] = Solution.of(*runs)
        warn_unconverged(runs[-1], before)
    return Path(solutions[k] for k in range(len(problems)))


def _certified(
    problem: Problem,
    lams: Sequence[float] | Floats | None,
    solver: str | Solver,
    max_epochs: float | None,
    seed: int,
    test: tuple[ArrayLike, ArrayLike] | None,
    gap: float,
) -> Path:
    """Solve a range of lam; each solution covers the lam down to where its gap would be too large."""
    if problem.kernel is not None:
        raise InputError("path: gap needs weights, which a kernel does not have; leave gap or the kernel out")
    if problem.is_constrained:
        raise InputError("path: gap is not for constraints; leave gap or the constraints out")
    limits = [problem.lam, WIDE * problem.lam] if lams is None else np.ravel(lams).tolist()
    if not limits:
        raise InputError("path: lams is empty; give the least and the largest lambda")
    least, lam = (check_number("path", "lams", end, above=0.0) for end in (min(limits), max(limits)))
    # Decades first, so that each solution starts from one that is not too far from it.
    count = 1 + int(np.ceil(np.log(lam / least) / np.log(APART)))
    ahead = [least, *np.geomspace(lam, least, count)[-2:0:-1].tolist()] if least < lam else []

    def solved(lam: float, before: Solution | None) -> _Knot:
        here = problem.replace(lam=lam)
        solution = attempt(here, solver, SHARE * gap, max_epochs, seed, test, warm_start=before)
        if not solution.relative_gap <= gap:
            raise InputError(
                f"path: at lam = {lam:g} {solution.solver} left a relative gap of "
                f"{solution.relative_gap:.2g} after {solution.epochs:g} epochs, too much for gap = {gap:g}; "
                "allow more with max_epochs, or choose a larger gap"
            )
        assert solution.w_embedded is not None  # a kernel is refused above
        w = solution.w_embedded.ravel()
        return _Knot(lam, solution, problem.transfer.bracket(w, np.zeros_like(w), 0.0).value)

    above = solved(lam, None)
    solutions, ends = Path([above.solution]), [lam]
    below: list[_Knot] = []
    while ahead or below:
        if not below or (ahead and ahead[-1] > below[-1].lam):
            below.append(solved(ahead.pop(), above.solution))
        if above.solution.primal < 0.0 < below[-1].solution.dual:
            raise InputError(
                f"path: the least objective passes zero between lam = {below[-1].lam:g} and {above.lam:g}, "
                "and no gap is a small share of zero; give lams on one side of it"
            )
        between = _crossing(above, below[-1])
        if _covers(above, below[-1], between, gap):
            above = below.pop()
            solutions.append(above.solution)
            ends.append(between)
        else:
            ahead.append(between)
    solutions.ends, solutions._problem = np.array([*ends, least]), problem
    return solutions


# One lambda, or several at once.
Lambda = TypeVar("Lambda", float, Floats)


class _Knot(NamedTuple):
    """A lambda of a certified path, its solution and g of the weights."""

    lam: float
    solution: Solution
    size: float

    def primal(self, lam: Lambda) -> Lambda:
        """P of the weights at another lambda."""
        return self.solution.primal + (lam - self.lam) * self.size


def _crossing(above: _Knot, below: _Knot) -> float:
    """Return the lam between two knots at which the objectives of their weights are equal."""
    behind, rise = above.primal(below.lam) - below.solution.primal, below.size - above.size
    return float(np.clip(below.lam + behind / rise if rise > 0.0 else below.lam, below.lam, above.lam))


def _covers(above: _Knot, below: _Knot, lam: float, gap: float) -> bool:
    """Return whether the better weights of two knots have at most this relative gap everywhere between them.

    With P >= -D it is (P + D) / max(P, D). One of both has to serve as the size throughout: then what has to
    be at most zero is concave with one bend, and at most what it is there, at `lam`, or at an end.
    """
    places = np.array([below.lam, lam, above.lam])
    shares = (places - below.lam) / (above.lam - below.lam)
    bounds = shares * above.solution.dual + (1.0 - shares) * below.solution.dual
    primals = np.minimum(above.primal(places), below.primal(places))
    gaps = primals - bounds
    return bool((gaps <= gap * primals).all() or (gaps <= -gap * bounds).all())
