"""A problem as a cone program: losses in parabolas or powers, or multinomial; norms and squares of weights.

    min q.x + x'P x / 2   with   E x = e,   lower <= x <= upper,   |x_G| <= x_t for groups G,
                                 |x_c| <= x_a^s x_b^(1 - s) for triples,
                                 e^(x_a - x_b) <= x_c for exponentials,   a matrix of x semidefinite

where |x_G| is the length of x_G or its largest magnitude, and x_t the group's top. Triples make up a norm:
|w|_q <= t where the r_j with |w_j|^q <= r_j t^(q - 1) sum to t; with 1 for x_b a power, x_a >= |x_c|^r. Of a
semidefinite matrix half the trace is at least the trace norm of the block beside its diagonal blocks. With r
classes ln sum_k e^(z_k) <= t where the u_k with e^(z_k - t) <= u_k sum to 1.
x holds w, a free bias, and for each sample and each magnitude what lies on either side of the first knot of
its function: a convex p whose pieces are parabolas has

    p(u) = p(t) + min { sum_k m_k x_k + a_k x_k^2 / 2 : u = t - x_0 + x_1 + ... + x_K, 0 <= x_k <= width_k },

since its slopes rise from one piece to the next, and with powers of x_k one whose pieces are powers. The
multiplier of that equation is the slope of p at u.
For a smooth p without such pieces the program follows its slopes at given places: `Segments.through`.

Source       Boyd and Vandenberghe (2004), sections 4.3 and 4.4; docs/mathematics.md, section 12
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Integers
    from workbench.problems.problem import Problem
    from workbench.problems.regularizers.blocks import Cones


# |w| as parabolas: (low, high, a, b, c) of a u^2 / 2 + b u + c.
MAGNITUDE = np.array([(-np.inf, 0.0, 0.0, -1.0, 0.0), (0.0, np.inf, 0.0, 1.0, 0.0)])
# Places this near to each other count as one, as a share of their size.
NEAR = 1e-9
# Stands for the number 1 among the places of a triple.
ONE = -1


class Program(NamedTuple):
    """The program; w and the bias come first in x, and the samples first in E."""

    q: Floats  # (N,)
    squares: Floats  # (N,) the diagonal of P
    E: sp.csc_array  # (m, N)
    e: Floats  # (m,)
    lower: Floats  # (N,)
    upper: Floats  # (N,)
    groups: tuple[tuple[int, Integers], ...]  # (top, members) places in x of each group
    lengths: bool  # whether groups have lengths, and not largest magnitudes
    triples: Integers  # (k, 3) places a, b, c in x, or ONE
    shares: Floats  # (k,) s
    exponentials: Integers  # (k, 3) places a, b, c in x
    triangle: Integers  # places in x of the upper triangle of a semidefinite matrix, column after column


class Segments(NamedTuple):
    """The variables x_0, ..., x_K of a function in parabolas, the ones to the left of the knot first.

    With a row for each function, where they differ by more than factors.
    """

    knot: float | Floats
    sides: Floats  # (K + 1,) -1 to the left
    slopes: Floats  # m_k
    squares: Floats  # a_k
    lower: Floats  # 0, or -inf for a single parabola
    widths: Floats
    powers: tuple[tuple[int, float, float], ...] = ()  # (k, r, f) for f x_k^r / r

    @classmethod
    def of(cls, parabolas: Floats) -> Segments:
        """Those of the pieces (low, high, a, b, c), (k, 5), which may end where the function does."""
        wide = parabolas[:, 0] < parabolas[:, 1]
        low, high, a, b, _ = (parabolas[wide] if wide.any() else parabolas).T
        first = np.arange(low.size) == 0
        if low.size == 1:
            return cls(0.0, np.ones(1), b, a, low, high)
        starts, sides = np.where(first, high, low), np.where(first, -1.0, 1.0)
        return cls(high[0], sides, sides * (a * starts + b), a, np.zeros(low.size), high - low)

    @classmethod
    def of_powers(cls, powers: Floats, ends: tuple[float, float]) -> Segments:
        """Those of a loss with `powers` and slopes between these ends, which is flat between the powers."""
        rows: list[tuple[float, float, float]] = []
        marked, knots = [], powers[:, 1]
        for side, end in zip((-1.0, 1.0), ends, strict=True):
            for _, _, factor, exponent in powers[powers[:, 0] == side]:
                width = factor * abs(end) ** exponent
                marked.append((len(rows), 1.0 + 1.0 / exponent, factor ** (-1.0 / exponent)))
                rows += [(side, 0.0, width), (side, abs(end), np.inf)][: 1 + np.isfinite(width)]
        flat = -powers[0, 0] if len(knots) == 1 else 1.0
        rows.append((flat, 0.0, np.inf if len(knots) == 1 else np.ptp(knots)))
        sides, slopes, widths = np.array(rows).T
        none = np.zeros(len(rows))
        return cls(knots[0], sides, slopes, none, none, widths, tuple(marked))

    @classmethod
    def touching(cls, places: Floats, slopes: Floats, bends: Floats) -> Segments:
        """Parabolas that have these slopes and bend so at places (n,)."""
        ends = np.full((1, 1), np.inf)
        return cls(0.0, np.ones(1), (slopes - bends * places)[:, None], bends[:, None], -ends, ends)

    @classmethod
    def through(cls, places: Floats, slopes: Floats, bends: Floats) -> Segments:
        """Convex functions with these slopes at places (n, K), which bend there as told where they can.

        Slopes are straight from a place to where the lines through two neighbours meet; where these do not
        meet in between, from one place to the next.
        """
        order = np.argsort(places, axis=1)
        places, slopes, bends = (np.take_along_axis(part, order, axis=1) for part in (places, slopes, bends))
        low, below, bent = places[:, :-1], slopes[:, :-1], bends[:, :-1]
        width, rise = np.diff(places, axis=1), np.maximum(np.diff(slopes, axis=1), 0.0)
        with np.errstate(all="ignore"):
            first = (rise - bends[:, 1:] * width) / (bent - bends[:, 1:])
            step = bent * first
            meets = (first > 0.0) & (first < width) & (step >= 0.0) & (step <= rise)
            first, step = np.where(meets, first, width / 2), np.where(meets, step, rise / 2)
            widths = np.stack([first, width - first], axis=2).reshape(len(places), -1)
            rises = np.stack([step, rise - step], axis=2).reshape(len(places), -1)
            starts = np.stack([below, below + step], axis=2).reshape(len(places), -1)
            squares = rises / widths
        # A segment without a width is like the last one, which is endless.
        ends, last = np.full((len(places), 1), np.inf), slopes[:, -1:]
        single = widths <= NEAR * (1.0 + np.abs(np.repeat(low, 2, axis=1)))
        squares, widths = np.where(single, 0.0, squares), np.where(single, np.inf, widths)
        starts, none = np.where(single, last, starts), np.zeros_like(last)
        return cls(
            places[:, 0],
            np.where(np.arange(starts.shape[1] + 2) == 0, -1.0, 1.0),
            np.hstack([-slopes[:, :1], starts, last]),
            np.hstack([none, squares, none]),
            np.zeros(starts.shape[1] + 2),
            np.hstack([ends, widths, ends]),
        )


def terms(problem: Problem) -> tuple[Cones, Segments | None] | None:
    """Return the `Cones` of a problem and the `Segments` of its loss, None for one that is smooth.

    Return None if the problem cannot be stated as a cone program, as with a kernel.
    """
    cones = None if problem.kernel is not None else problem.transfer.cones
    if cones is None or problem.is_constrained:
        return None
    loss = problem.loss
    if problem.columns and not problem.tasks:
        return (cones, None) if loss.is_likelihood else None
    if loss.parabolas.size:
        return cones, Segments.of(loss.parabolas)
    if is_whole(problem):
        return cones, Segments.of_powers(loss.powers, (loss.entry["lower"], loss.entry["upper"]))
    is_smooth = not problem.tasks and not loss.kinks.size and loss.finite_on == (-np.inf, np.inf)
    return (cones, None) if is_smooth else None


def is_whole(problem: Problem) -> bool:
    """Check if the loss consists of parabolas or powers where it is finite: one program is the problem."""
    return bool(problem.loss.parabolas.size or problem.loss.powers.size)


def is_linear(problem: Problem) -> bool:
    """Check if a problem that has a cone program has a linear one."""
    known = terms(problem)
    if known is None:
        raise ValueError("the problem is not a cone program")
    cones, segments = known
    bent = segments is None or segments.squares.any() or segments.powers or cones.ridge.any()
    return not (bent or cones.norm or cones.matrix) and (cones.groups is None or cones.largest)


def triangle(problem: Problem) -> int:
    """Count the entries of the semidefinite matrix of a problem's program; 0 without one."""
    cones = problem.transfer.cones
    order = 0 if cones is None or cones.matrix is None else sum(cones.matrix)
    return order * (order + 1) // 2


def of(problem: Problem, segments: Segments | None = None) -> Program:
    """Build the `Program` of a problem that has `terms`, in units of lam n, from each sample's `Segments`."""
    known = terms(problem)
    if known is None:
        raise ValueError("the problem is not a cone program")
    cones, own = known
    segments = own if segments is None else segments
    losses, signs, knots = _losses(problem, segments)
    outputs = knots.size // problem.n_samples
    columns, free = problem.design.shape[1] * outputs, outputs * int(problem.free_bias)
    weighted = np.flatnonzero(cones.share)
    groups = () if cones.groups is None else np.split(cones.groups.order, cones.groups.starts[1:-1])
    sizes = _Part(Segments.of(MAGNITUDE), cones.share[weighted])
    tops = columns + free + losses.size + sizes.size + np.arange(len(groups))
    signed, ones = (
        sp.diags_array(signs) @ sp.kron(part, sp.eye_array(outputs), format="csr")
        for part in (problem.rows, np.ones((problem.n_samples, 1)))
    )
    pick = sp.eye_array(columns, format="csr")[weighted]
    E = sp.block_array(
        [
            [signed, ones[:, :free], -losses.sums, None, sp.csr_array((knots.size, len(groups)))],
            [pick, None, None, -sizes.sums, None],
        ],
        format="csc",
    )
    start, end = (np.full(columns + free, end) for end in (-np.inf, np.inf))
    costs = np.zeros(0) if cones.groups is None else cones.groups.weights
    program = Program(
        np.concatenate([np.zeros(columns + free), losses.slopes, sizes.slopes, costs]),
        np.concatenate([cones.ridge, np.zeros(free), losses.squares, sizes.squares, np.zeros(len(groups))]),
        E,
        np.concatenate([knots, np.zeros(weighted.size)]),
        np.concatenate([start, losses.lower, sizes.lower, np.zeros(len(groups))]),
        np.concatenate([end, losses.upper, sizes.upper, np.full(len(groups), np.inf)]),
        tuple(zip(tops.tolist(), groups, strict=True)),
        not cones.largest,
        triples=np.zeros((0, 3), dtype=np.int64),
        shares=np.zeros(0),
        exponentials=np.zeros((0, 3), dtype=np.int64),
        triangle=np.zeros(0, dtype=np.int64),
    )
    if isinstance(losses, _Classes):
        program = _with_shares(program, columns + free + losses.places)
    elif segments is not None:
        width = segments.sides.size
        for k, power, factor in segments.powers:
            places = columns + free + k + width * np.arange(knots.size)
            program = _with_powers(program, places, power, factor * losses.factors)
    if cones.matrix is not None:
        return _with_trace(program, *cones.matrix)
    return program if cones.norm is None else _with_norm(program, columns, *cones.norm)


def _losses(problem: Problem, segments: Segments | None) -> tuple[_Part | _Classes, Floats, Floats]:
    """Build the variables of the losses, and the signs of x_i and the numbers e in their equations."""
    weights = problem.weight / problem.lam_n
    if segments is not None:
        tasks = problem.tasks or (problem,)
        sign, shift = (np.column_stack([getattr(task, name) for task in tasks]) for name in ("sign", "shift"))
        return _Part(segments, np.repeat(weights, len(tasks))), sign.ravel(), segments.knot - shift.ravel()
    if not problem.columns:
        raise ValueError("a smooth loss needs the segments of its samples")
    (outputs,) = problem.columns
    losses, predictions = _Classes(problem.labels, outputs, weights), problem.n_samples * outputs
    return losses, np.ones(predictions), np.zeros(predictions)


def _extended(program: Program, squares: Floats, triples: Integers, shares: Floats) -> Program:
    """Append free variables of these squares, without costs, and triples to a program."""
    added = squares.size
    return program._replace(
        q=np.append(program.q, np.zeros(added)),
        squares=np.append(program.squares, squares),
        E=sp.hstack([program.E, sp.csc_array((program.e.size, added))], format="csc"),
        lower=np.append(program.lower, np.full(added, -np.inf)),
        upper=np.append(program.upper, np.full(added, np.inf)),
        triples=np.vstack([program.triples, triples]),
        shares=np.append(program.shares, shares),
    )


def _with_powers(program: Program, places: Integers, power: float, factors: Floats) -> Program:
    """Append factors |x|^power / power of the variables at `places`, as variables s >= |x|^power."""
    raised = program.q.size + np.arange(places.size)
    triples = np.column_stack([raised, np.full(places.size, ONE), places])
    shares = np.full(places.size, 1.0 / power)
    program = _extended(program, np.zeros(places.size), triples, shares)
    program.q[raised] = factors / power
    return program


def _with_norm(program: Program, columns: int, q: float, power: float) -> Program:
    """Append |w|_q^power / power to a program, with variables r and t after the others.

    Clarabel gets nearer to the optimum with a square of t in P than with a power cone in its place.
    """
    parts, top = program.q.size + np.arange(columns), program.q.size + columns
    total = np.append(np.ones(columns), -1.0)[None, :]
    triples = np.column_stack([parts, np.full(columns, top), np.arange(columns)])
    squares = np.append(np.zeros(columns), float(power == 2.0))
    rows = sp.hstack([sp.csc_array((1, program.q.size)), total])
    program = _extended(program, squares, triples, np.full(columns, 1.0 / q))
    program = program._replace(E=sp.vstack([program.E, rows], format="csc"), e=np.append(program.e, 0.0))
    return program if power == 2.0 else _with_powers(program, np.array([top]), power, np.ones(1))


def _with_shares(program: Program, places: Integers) -> Program:
    """Have the shares of each sample, at the last of its `places` (n, 3, r), sum to 1 and be exponentials."""
    n, _, outputs = places.shape
    row = np.repeat(np.arange(n), outputs)
    total = sp.csc_array((np.ones(row.size), (row, places[:, 2].ravel())), (n, program.q.size))
    return program._replace(
        E=sp.vstack([program.E, total], format="csc"),
        e=np.append(program.e, np.ones(n)),
        exponentials=places.swapaxes(1, 2).reshape(-1, 3),
    )


def _with_trace(program: Program, rows: int, columns: int) -> Program:
    """Append the trace norm of the first variables as a matrix: half the trace of a semidefinite one."""
    size, before = rows + columns, program.q.size
    places = np.full((size, size), ONE)
    places[:rows, rows:] = np.arange(rows * columns).reshape(rows, columns)
    column, row = np.tril_indices(size)  # of the lower triangle by rows: of the upper one by columns
    triangle = places[row, column]
    fresh = triangle == ONE
    triangle[fresh] = before + np.arange(fresh.sum())
    program = _extended(program, np.zeros(fresh.sum()), np.zeros((0, 3), dtype=np.int64), np.zeros(0))
    program.q[triangle[row == column]] = 0.5
    return program._replace(triangle=triangle)


class _Classes:
    """The multinomial losses: predictions z (r,), a top t and shares u (r,) of each sample, see above."""

    def __init__(self, labels: Integers, outputs: int, factors: Floats) -> None:
        n = labels.size
        self.size = n * (2 * outputs + 1)
        z, top, share = np.split(np.arange(self.size), [n * outputs, n * (outputs + 1)])
        z, share = z.reshape(n, outputs), share.reshape(n, outputs)
        self.places = np.stack([z, np.broadcast_to(top[:, None], z.shape), share], axis=1)
        self.sums = sp.eye_array(z.size, self.size, format="csr")
        self.slopes, self.squares = np.zeros(self.size), np.zeros(self.size)
        self.slopes[top], self.slopes[z[np.arange(n), labels]] = factors, -factors
        self.lower, self.upper = np.full(self.size, -np.inf), np.full(self.size, np.inf)


class _Part:
    """The segments of many functions that differ by factors."""

    def __init__(self, segments: Segments, factors: Floats) -> None:
        count, width = factors.size, segments.sides.size
        self.size, self.factors = count * width, factors
        self.sums = sp.kron(sp.eye_array(count), segments.sides[None, :], format="csr")
        scaled = factors[:, None] * segments.slopes, factors[:, None] * segments.squares
        self.slopes, self.squares = (part.ravel() for part in scaled)
        ends = segments.lower, segments.widths
        self.lower, self.upper = (np.broadcast_to(part, (count, width)).ravel() for part in ends)
