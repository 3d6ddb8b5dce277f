"""A problem as a cone program: losses in parabolas, a regularizer of magnitudes, squares and groups.

    min q.x + x'P x / 2   with   E x = e,   lower <= x <= upper,   |x_G| <= x_t for groups G

where |x_G| is the length of x_G or its largest magnitude, and x_t the group's top. x holds w, a free bias,
and for each sample and each magnitude what lies on either side of the first knot of its function: a convex
p whose pieces are parabolas has

    p(u) = p(t) + min { sum_k m_k x_k + a_k x_k^2 / 2 : u = t - x_0 + x_1 + ... + x_K, 0 <= x_k <= width_k },

since its slopes rise from one piece to the next. The multiplier of that equation is the slope of p at u.
Of a smooth p without such pieces the program has, at given predictions, the parabola that touches p there.

Source       Boyd and Vandenberghe (2004), sections 4.3 and 4.4; docs/mathematics.md, section 12
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

# |w| as parabolas: (low, high, a, b, c) of a u^2 / 2 + b u + c.
MAGNITUDE = np.array([(-np.inf, 0.0, 0.0, -1.0, 0.0), (0.0, np.inf, 0.0, 1.0, 0.0)])
# The same of a model, up to factors.
TOUCHING = np.array([(-np.inf, np.inf, 1.0, 0.0, 0.0)])


class Program(NamedTuple):
    """The program; w and the bias come first in x, and the samples first in E."""

    q: np.ndarray  # (N,)
    squares: np.ndarray  # (N,) the diagonal of P
    E: sp.csc_array  # (m, N)
    e: np.ndarray  # (m,)
    lower: np.ndarray  # (N,)
    upper: np.ndarray  # (N,)
    groups: tuple  # (top, members) places in x of each group
    lengths: bool  # whether groups have lengths, and not largest magnitudes


class Model(NamedTuple):
    """The parabolas that touch smooth losses, each without its constant."""

    slopes: np.ndarray  # (n,) c_i (p'(u_i) - p''(u_i) u_i)
    squares: np.ndarray  # (n,) c_i p''(u_i), above 0


class Segments(NamedTuple):
    """The variables x_0, ..., x_K of a function in parabolas, the ones to the left of the knot first."""

    knot: float
    sides: np.ndarray  # (K + 1,) -1 to the left
    slopes: np.ndarray  # m_k
    squares: np.ndarray  # a_k
    lower: np.ndarray  # 0, or -inf for a single parabola
    widths: np.ndarray

    @classmethod
    def of(cls, parabolas):
        """Those of the pieces (low, high, a, b, c), (k, 5)."""
        low, high, a, b, _ = parabolas[parabolas[:, 0] < parabolas[:, 1]].T
        first = np.arange(low.size) == 0
        if low.size == 1:
            return cls(0.0, np.ones(1), b, a, np.array([-np.inf]), np.array([np.inf]))
        starts, sides = np.where(first, high, low), np.where(first, -1.0, 1.0)
        return cls(high[0], sides, sides * (a * starts + b), a, np.zeros(low.size), high - low)


def terms(problem):
    """The `Cones` and the `Segments` of a problem; None where it is no cone program, as with a kernel."""
    cones = None if problem.kernel is not None else problem.transfer.cones
    if cones is None or problem.columns or problem.constraints is not None:
        return None
    if is_whole(problem):
        return cones, Segments.of(problem.loss.parabolas)
    loss = problem.loss
    is_smooth = not loss.kinks.size and loss.finite_on == (-np.inf, np.inf)
    return (cones, Segments.of(TOUCHING)) if is_smooth else None


def is_whole(problem):
    """Whether the losses are parabolas in pieces, so that one program is the whole problem."""
    parabolas = problem.loss.parabolas
    return bool(parabolas.size) and (parabolas[0, 0], parabolas[-1, 1]) == (-np.inf, np.inf)


def is_linear(problem):
    """Whether the program of a problem, which has one, is a linear program."""
    cones, segments = terms(problem)
    return not (segments.squares.any() or cones.ridge.any()) and (cones.groups is None or cones.largest)


def of(problem, model=None):
    """The `Program` of a problem that has `terms`, in units of lam n; with the `Model` of its losses."""
    cones, segments = terms(problem)
    columns = problem.design.shape[1]
    free = int(problem.free_bias)
    weighted = np.flatnonzero(cones.share)
    groups = () if cones.groups is None else np.split(cones.groups.order, cones.groups.starts[1:-1])
    losses = _Part(segments, (problem.weight if model is None else model.squares) / problem.lam_n)
    if model is not None:
        losses.slopes = model.slopes / problem.lam_n
    sizes = _Part(Segments.of(MAGNITUDE), cones.share[weighted])
    tops = columns + free + losses.size + sizes.size + np.arange(len(groups))
    signed = sp.diags_array(problem.sign) @ problem.rows
    pick = sp.eye_array(columns, format="csr")[weighted]
    signs = sp.csr_array(problem.sign[:, None])[:, :free]
    E = sp.block_array(
        [
            [signed, signs, -losses.sums, None, sp.csr_array((problem.n_samples, len(groups)))],
            [pick, None, None, -sizes.sums, None],
        ],
        format="csc",
    )
    start, end = (np.full(columns + free, end) for end in (-np.inf, np.inf))
    weights = np.zeros(0) if cones.groups is None else cones.groups.weights
    return Program(
        np.concatenate([np.zeros(columns + free), losses.slopes, sizes.slopes, weights]),
        np.concatenate([cones.ridge, np.zeros(free), losses.squares, sizes.squares, np.zeros(len(groups))]),
        E,
        np.concatenate([segments.knot - problem.shift, np.zeros(weighted.size)]),
        np.concatenate([start, losses.lower, sizes.lower, np.zeros(len(groups))]),
        np.concatenate([end, losses.upper, sizes.upper, np.full(len(groups), np.inf)]),
        tuple(zip(tops.tolist(), groups, strict=True)),
        not cones.largest,
    )


class _Part:
    """The segments of many functions that differ by factors."""

    def __init__(self, segments, factors):
        count, each = factors.size, segments.sides.size
        self.size = count * each
        self.sums = sp.kron(sp.eye_array(count), segments.sides[None, :], format="csr")
        self.slopes, self.squares = (np.kron(factors, part) for part in (segments.slopes, segments.squares))
        self.lower, self.upper = (np.tile(part, count) for part in (segments.lower, segments.widths))
