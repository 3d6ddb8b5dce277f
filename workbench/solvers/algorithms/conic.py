"""The problem as a linear, quadratic or cone program, for HiGHS and Clarabel.

Solves       min over w and b of (1/n) sum_i c_i p(u_i) + lam g(w), p made up of parabolas or powers,
             or without kinks, or the multinomial loss, g of magnitudes, squares and groups, a power of a
             norm or the trace norm: see `workbench.problems.cone_program`
State        w, b and alpha, the multipliers of the equations u_i = s_i (w.x_i + b) + t_i, or z_i = W'x_i + b
Guarantees   none but the certificate's, which judges the point that the library gives
Cost         a step is a whole solve: about 10 to 50 factorizations of a matrix of the design's sparsity
Raises       InputError: a loss or a regularizer of another kind, a kernel, Clarabel missing where squares
             or lengths need it
Source       Huangfu and Hall (2018) for HiGHS, linear programs; Goulart and Chen (2024) for Clarabel

The first step asks the library for a small tolerance, the second for the smallest; then nothing is left.
Where p is made up of powers, the first step takes them as power cones, near whose ends the library may stop.
From then on, and where p is smooth and of another kind, each step solves the program of functions in
parabolas that have the slopes and the curvatures of p at some places all over, and at the predictions of the
last steps, which brackets each prediction even where p'' has no bound. Once predictions move little, a step
is one of Newton's method.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError
from workbench._support.system import extras
from workbench.problems import cone_program
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms.newton import losses_at
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

# What each step asks of the library; HiGHS takes none below the last.
TOLERANCES = (1e-9, 1e-12)
LEAST_OF_HIGHS = 1e-10
# Entries of an interior point are not zero: a proximal step of this share of the largest weight sets those to
# zero that the dual point says are.
POLISH = 1e-6
# A linear program without a least value has one within a box, which shows the direction in which it falls:
# this many times as wide as a weight needs to get to the farthest knot.
FAR = 1e6
# The most entries of a semidefinite matrix: the library holds a matrix of that order.
LARGEST = 3000
# The number of predictions of a sample that are remembered, beside places at powers of this; predictions that
# moved by no more than this share of the largest move little.
REMEMBERED, APART, LITTLE = 6, 10.0, 1e-2


class Event(NamedTuple):
    """Numbers of the last step."""

    tolerance: float  # asked of the library
    iterations: int  # of the library
    change: float  # the largest change of an entry of w


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    w: np.ndarray  # (D,) or (D, r)
    b: np.ndarray  # () or (r,), 0 where no bias is free
    alpha: np.ndarray  # (n,) or (n, r)
    tried: np.ndarray  # (6, n) the last predictions of a loss without pieces, in turn; (0, n) of all others
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (3,) the fields of Event


class Answer(NamedTuple):
    """The answer of a library."""

    x: np.ndarray
    slopes: np.ndarray  # (m,) minus what a unit of e adds to the least value
    iterations: int


@dataclass(frozen=True)
class Conic(Solver):
    """HiGHS for linear programs, Clarabel for all others.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", "l1", lam=0.1)
    >>> wb.solve(problem, wb.solvers.Conic(), tol=1e-6).status
    'converged'
    """

    name: ClassVar[str] = "conic"
    check_share: ClassVar[float] = 0.0
    event_type: ClassVar[type] = Event
    scale_free: ClassVar[bool] = True
    resumes: ClassVar[bool] = False
    takes_columns: ClassVar[bool] = True
    advice: ClassVar[str] = "use a larger lam, or scale the features"

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at zero or at the given point, from which the library does not start."""
        _check(problem)
        if not cone_program.is_linear(problem):
            extras.need("cones", f"conic: {problem.loss.name} with {problem.regularizer.label}", "clarabel")
        w, b, alpha = starts.both(problem, warm_start)
        tried = np.zeros((0, problem.n_samples))
        if _is_refined(problem):
            tried = np.tile(problem.design @ w + b, (REMEMBERED, 1))
        return State(w, b, alpha, tried, fresh_counters(seed), fresh_event(Event))

    def advance(self, problem, state, n_steps):
        """Solve once a step, at the next tolerance; returns how many tolerances were left."""
        if _is_refined(problem):
            return self._refining(problem, state, n_steps)
        program, is_linear = cone_program.of(problem), cone_program.is_linear(problem)
        for done in range(n_steps):
            if state.counters[STEPS] >= len(TOLERANCES):
                return done
            tolerance = TOLERANCES[state.counters[STEPS]]
            answer = (_highs if is_linear else _clarabel)(program, tolerance)
            if answer is not None:
                self._take(problem, state, answer, tolerance)
            state.counters[STEPS] += 1
        return n_steps

    def _refining(self, problem, state, n_steps):
        """Add segments at new predictions, up to `n_steps` times; return the number of programs solved."""
        for done in range(n_steps):
            is_first = state.steps == 0 and cone_program.is_whole(problem)
            program = cone_program.of(problem, None if is_first else _segments(problem, state))
            tolerance = TOLERANCES[0 if is_first else -1]
            answer = _clarabel(program, tolerance)
            if answer is None:
                return done
            self._take(problem, state, answer, tolerance)
            z = problem.design @ state.w + state.b
            moved = np.abs(z - state.tried).min(axis=0) > cone_program.NEAR * (1.0 + np.abs(z))
            state.tried[state.counters[STEPS] % REMEMBERED] = z
            state.counters[STEPS] += 1
            if not moved.any():
                return done + 1
        return n_steps

    def _take(self, problem, state, answer, tolerance):
        """Make the library's answer the state."""
        w, rest = np.split(answer.x, [state.w.size])
        slopes = problem.lam_n * answer.slopes[: state.alpha.size]
        if problem.columns and not problem.tasks:
            state.alpha[...] = -slopes.reshape(state.alpha.shape)
        else:
            tasks, columns = problem.tasks or (problem,), slopes.reshape(problem.n_samples, -1).T
            nus = np.clip(columns / problem.weight, *problem.loss.interval)
            duals = [task.alpha(nu) for task, nu in zip(tasks, nus, strict=True)]
            state.alpha[...] = np.column_stack(duals).reshape(state.alpha.shape)
        w = _polished(problem, w.reshape(state.w.shape), state.alpha)
        state.event[:] = tolerance, answer.iterations, np.abs(w - state.w).max()
        state.w[...] = w
        if problem.free_bias:
            state.b[...] = rest[: state.b.size].reshape(state.b.shape)

    def point(self, state):
        """Return what `certify` takes of the state: both sides; it finds the best bias itself."""
        return {"w": state.w, "alpha": state.alpha}

    def iterate(self, state):
        """Return the array whose standstill ends a run."""
        return np.concatenate([state.w.ravel(), state.alpha.ravel()])

    def ending(self, state):
        """Return advice where the smallest tolerance was not small enough."""
        return "conic: the library's smallest tolerance leaves this gap; scale the features, or ask for less"


def _check(problem):
    """Refuse problems that are not cone programs, and groups that have no dual norm."""
    if cone_program.terms(problem) is None or getattr(problem.transfer, "reason", None):
        raise InputError(
            f"conic: {problem.loss.name} with {problem.regularizer.label} cannot be stated as a cone "
            "program; it needs a loss of straight and quadratic pieces, or one without kinks unless y has "
            "several columns, a norm or a sum of magnitudes and squares, and no kernel; use solver='auto'"
        )
    if cone_program.triangle(problem) > LARGEST:
        raise InputError(
            f"conic: {problem.regularizer.label} of {problem.design.shape[1]} features takes more memory "
            "than there may be; use solver='proximal-gradient', or 'pdhg' where the loss has kinks"
        )


def _is_refined(problem):
    """Check if the program follows the loss at more and more places."""
    return not (problem.loss.parabolas.size or problem.columns)


def _polished(problem, w, alpha):
    """Return w after a small proximal step."""
    step = POLISH * float(np.abs(w).max(initial=0.0))
    if not (step > 0.0 and problem.regularizer.has_prox):
        return w
    ahead = w + step * problem.dual_vector(alpha)
    return problem.transfer.prox(ahead.ravel(), step).reshape(w.shape)


def _segments(problem, state):
    """Return the losses as segments, from their slopes at predictions and at powers of ten."""
    loss, n, weight, tried = problem.loss, problem.n_samples, problem.weight, state.tried
    last = state.steps - 1
    moved = np.abs(tried[last % REMEMBERED] - tried[(last - 1) % REMEMBERED]).max()
    if loss.curvature < np.inf and 0.0 < moved <= LITTLE * (1.0 + np.abs(tried[last % REMEMBERED]).max()):
        return cone_program.Segments.touching(*_slopes(problem, tried[last % REMEMBERED]))
    largest = max(1.0, np.abs(problem.shift).max())
    powers = APART ** np.arange(-1.0, 2.0 + np.ceil(np.log(largest) / np.log(APART)))
    most = problem.zero_value * n / weight[weight > 0.0].min()
    # Nowhere else is a sample's loss below n times the objective at the start.
    known = [at for at in (*-powers, 0.0, *powers) if loss.scalar("value")(at, loss.theta) <= most]
    points = [problem.sign * (at - problem.shift) for at in known]
    parts = zip(*(_slopes(problem, z) for z in (*points, *tried)), strict=True)
    return cone_program.Segments.through(*map(np.column_stack, parts))


def _slopes(problem, z):
    """Compute the losses' arguments at predictions z (n,), and their slopes and curvatures there."""
    here = losses_at(problem, z)
    return problem.argument(z), -problem.sign * here.alpha / problem.weight, here.bent / problem.weight


def _highs(program, tolerance):
    """Solve a linear program by HiGHS; None if it finds no solution."""
    from scipy.optimize import linprog

    G = _below_tops(program) if program.groups else None
    asked = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")
    options = dict.fromkeys(asked, max(tolerance, LEAST_OF_HIGHS))
    answer = linprog(
        program.q,
        A_ub=G,
        b_ub=None if G is None else np.zeros(G.shape[0]),
        A_eq=program.E,
        b_eq=program.e,
        bounds=np.column_stack([program.lower, program.upper]),
        method="highs-ipm",
        options=options,
    )
    free = np.isneginf(program.lower) & np.isposinf(program.upper)
    if answer.x is None and free.any():
        size = abs(program.E[:, free]).max()
        most = FAR * max(1.0, np.abs(program.e).max()) / (size if size > 0.0 else 1.0)
        lower, upper = np.where(free, -most, program.lower), np.where(free, most, program.upper)
        return _highs(program._replace(lower=lower, upper=upper), tolerance)
    if answer.x is None or answer.eqlin.marginals is None:
        return None
    return Answer(answer.x, -answer.eqlin.marginals, int(answer.nit))


def _below_tops(program):
    """G with G x <= 0 where each magnitude is at most the top of its group."""
    members = np.concatenate([part for _, part in program.groups])
    tops = np.concatenate([np.full(part.size, top) for top, part in program.groups])
    rows, ones = np.arange(members.size), np.ones(members.size)
    shape = members.size, program.q.size
    inner, outer = (sp.csr_array((ones, (rows, places)), shape) for places in (members, tops))
    return sp.vstack([inner - outer, -inner - outer], format="csc")


def _clarabel(program, tolerance):
    """Solve a program by Clarabel; None if it finds no solution."""
    import clarabel

    size = program.q.size
    eye = sp.eye_array(size, format="csr")
    is_fixed = program.lower == program.upper
    low, high = (np.flatnonzero(np.isfinite(end) & ~is_fixed) for end in (program.lower, program.upper))
    fixed = np.flatnonzero(is_fixed)
    blocks = [program.E, eye[fixed], -eye[low], eye[high]]
    rhs = [program.e, program.lower[fixed], -program.lower[low], program.upper[high]]
    cones = [
        clarabel.ZeroConeT(program.e.size + fixed.size),
        clarabel.NonnegativeConeT(low.size + high.size),
    ]
    if program.shares.size:
        places = program.triples.ravel()
        is_one = places == cone_program.ONE
        rows, numbers = np.flatnonzero(~is_one), np.full(places.size - is_one.sum(), -1.0)
        blocks.append(sp.csr_array((numbers, (rows, places[rows])), shape=(places.size, size)))
        rhs.append(is_one.astype(float))
        cones += [clarabel.PowerConeT(share) for share in program.shares]
    if program.exponentials.size:
        count, places = len(program.exponentials), program.exponentials.ravel()
        rows = np.add.outer(3 * np.arange(count), np.array([0, 0, 2])).ravel()
        numbers = np.tile([-1.0, 1.0, -1.0], count)
        blocks.append(sp.csr_array((numbers, (rows, places)), shape=(3 * count, size)))
        rhs.append(np.tile([0.0, 1.0, 0.0], count))
        cones += [clarabel.ExponentialConeT()] * count
    if program.groups and program.lengths:
        for top, members in program.groups:
            blocks.append(-eye[np.append(top, members)])
            cones.append(clarabel.SecondOrderConeT(1 + members.size))
    elif program.groups:
        blocks.append(_below_tops(program))
        cones.append(clarabel.NonnegativeConeT(blocks[-1].shape[0]))
    if program.triangle.size:
        order = math.isqrt(2 * program.triangle.size)
        column, row = np.tril_indices(order)
        scale = np.where(row == column, 1.0, math.sqrt(2.0))
        blocks.append(sp.diags_array(-scale) @ eye[program.triangle])
        cones.append(clarabel.PSDTriangleConeT(order))
    A = sp.vstack(blocks, format="csc")
    rhs.append(np.zeros(A.shape[0] - sum(part.size for part in rhs)))
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    P = sp.diags_array(program.squares, format="csc")
    answer = clarabel.DefaultSolver(P, program.q, A, np.concatenate(rhs), cones, settings).solve()
    x, slopes = np.asarray(answer.x), np.asarray(answer.z)[: program.e.size]
    if not (np.isfinite(x).all() and np.isfinite(slopes).all()):
        return None
    return Answer(x, slopes, int(answer.iterations))
