"""A round of Newton's method on blocks of parts, for few features: blocks send D x D matrices.

A block sends X' alpha, X' W X and sums of losses at weights w that all blocks are sent. Their sums make a
model of the objective,

    min over u of  -lam (v - K w / lam).u + u.K u / 2 + lam g(u),   v = X' alpha / (lam n),  K = X' W X / n,

and w goes to its minimizer; where that does not lower the objective enough, the next round goes to the best
of the points halfway, a quarter of the way and so on, at which the blocks have summed the losses too. Where
the loss has kinks, each model is of the loss smoothed about dual coordinates, which are renewed as in
`solvers.algorithms.proximal_point`. The cut of the rows into parts changes the order of sums alone, so that
the number of rounds does not depend on it.

Source       Lee, Sun and Saunders (2014), proximal Newton; Rockafellar (1976); Li, Sun and Toh (2018)
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular

from workbench.certificates import loss_terms
from workbench.kernels import newton_loops
from workbench.problems.problem import Problem
from workbench.solvers.algorithms._newton_system import gram
from workbench.solvers.algorithms.newton import ARMIJO, ROUNDING
from workbench.solvers.algorithms.proximal_point import LEAST, SOLVED
from workbench.solvers.contract import CAPABILITIES
from workbench.solvers.solution import solve
from workbench.studies.distributed.parts import errors_named
from workbench.studies.distributed.rounds import memory_used, summed

NAME = "Newton"
# Up to this number of features a block's matrix is a small message.
MAX_FEATURES = 1000
# The shares of a direction at which losses are summed.
SIZES = tuple(0.5**k for k in range(25))
# The first proximal weight, a multiple of the mean loss over the mean square of the slopes, which bends
# the losses of nearly all samples; it falls by a factor where dual coordinates are renewed.
FIRST, DECAY = 16.0, 0.5
# The share of lam that makes the model of any regularizer but squared l2 definite, and its tolerance.
RIDGE, MODEL_TOL, MODEL_EPOCHS = 1e-3, 1e-9, 2000


class State(NamedTuple):
    """Frozen state of a block after a round."""

    alpha: np.ndarray  # (n,) at the weights of the round
    bent: np.ndarray  # (n,) c_i p''(u_i) there, of the smoothed loss where p has kinks
    center: np.ndarray  # (n,) the dual coordinates about which the loss is smoothed
    best: np.ndarray  # (n,) the dual variables of the largest dual value before this round
    # of the losses, the conjugates, c_i (nu_i - center_i)^2, and of the smoothed losses after each of SIZES
    sums: np.ndarray
    memory: int


class Word(NamedTuple):
    """Message of a round to each block."""

    w: np.ndarray  # (D,) from where
    direction: np.ndarray  # (D,) and in which direction to compute
    size: float  # after this share of it
    proximity: float  # the weight t of the proximal term; 0 where the loss is smooth
    is_renewed: bool  # True if the dual coordinates of the last round become the center first
    is_best: bool  # True if the dual variables of the last round have the largest dual value


class Center(NamedTuple):
    """State of all blocks together."""

    word: Word
    value: float  # the objective, of the smoothed loss, at the word's w; infinite before it is known
    promise: float  # what the word's whole direction promises to lower it by
    first: float  # the first proximal weight
    best: np.ndarray  # (D,) the weights of the least primal so far
    primal: float
    dual: float
    memory: int


def serves(problem):
    """Return True if rounds of Newton's method solve a problem: few features, a loss that is finite."""
    is_finite = CAPABILITIES["finite loss"](problem.loss, problem.regularizer)
    return problem.design.shape[1] <= MAX_FEATURES and is_finite


def begin(block, _setting, start=None):
    """Return the state before the first round, at w = 0 or at dual variables (n,) of the block."""
    states, first = [], 0
    for part in block:
        with errors_named(part.name):
            problem = part.problem()
            n = problem.n_samples
            alpha, bent = np.zeros((2, n))
            scalars = (problem.loss.scalar(name) for name in ("value", "slope", "curvature"))
            newton_loops.local()(*scalars, problem.samples, np.zeros(n), 0.0, alpha, bent)
            slopes = problem.nu(alpha)
            alpha = np.zeros(n) if start is None else start[first : first + n]
            alpha = loss_terms.loss_side(problem).feasible(alpha)[0]
            first += n
            sums = np.array([problem.gap_scale * n, slopes @ slopes])
            states.append((alpha, np.zeros(n), problem.nu(alpha), alpha, sums))
    return _joined(states)


def first_center(frame, setting, answers):
    """Return the center before the first round, from the sum of all blocks' answers."""
    (vector, _), (zero, squares), memory = answers
    w = frame.transfer.map(vector / (setting.lam * setting.rows))[1]
    size = float(squares) / setting.rows or 1.0
    first = FIRST * max(float(zero) / setting.rows, np.finfo(float).tiny) / size
    is_smooth = CAPABILITIES["Lipschitz slope"](frame.loss, frame.regularizer)
    word = Word(w, np.zeros_like(w), 1.0, 0.0 if is_smooth else first, False, False)
    return Center(word, np.inf, 0.0, first, w, np.inf, -np.inf, memory)


def advanced(block, state, word, _setting, _t, _k):
    """Return the state of a block at the weights of a word."""
    states, first = [], 0
    for part in block:
        with errors_named(part.name):
            problem = part.problem()
            own = slice(first, first + problem.n_samples)
            first += problem.n_samples
            center = problem.nu(state.alpha[own]) if word.is_renewed else state.center[own]
            z, ahead = problem.design @ word.w, problem.design @ word.direction
            (alpha, bent), at = np.zeros((2, z.size)), z + word.size * ahead
            losses, value = _smoothed(problem, center, word.proximity, at, alpha, bent)
            values = [value(z + size * ahead) for size in SIZES]
            moved = float(problem.weight @ (problem.nu(alpha) - center) ** 2) if word.proximity else 0.0
            sums = np.array([losses, loss_terms.loss_side(problem).conjugate(alpha), moved, *values])
            best = (state.alpha if word.is_best else state.best)[own]
            states.append((alpha, bent, center, best, sums))
    return _joined(states)


def _smoothed(problem, center, proximity, z, alpha, bent):
    """Fill in alpha and W at z; return the sum of the losses and a function, the smoothed sum."""
    loss, samples = problem.loss, problem.samples
    value, slope, curvature, coordinate = map(loss.scalar, ("value", "slope", "curvature", "coordinate"))
    if proximity == 0.0:
        losses = newton_loops.local()(value, slope, curvature, samples, z, 0.0, alpha, bent)
        return losses, problem.loss_sum
    at = samples, z, center, proximity, *loss.interval, loss.kinks, alpha, bent
    _, losses, _ = newton_loops.proximal()(value, curvature, coordinate, *at)

    def smoothed(there):
        return newton_loops.proximal_value()(
            value, coordinate, samples, there, center, proximity, *loss.interval
        )

    return losses, smoothed


def _joined(states):
    """Return the state of a block from the arrays and sums of its parts."""
    *arrays, sums = zip(*states, strict=True)
    totals = np.array([math.fsum(column) for column in zip(*sums, strict=True)])
    return State._make((*map(np.concatenate, arrays), totals, memory_used()))


def message(block, state):
    """Return the message of a block after a round: X' alpha (D,), X' W X (D, D), sums and bytes.

    Of the matrix, the upper triangle counts: each part adds to it, and `combined` makes the sum symmetric.
    """
    vectors, first, size = [], 0, block[0].problem().design.shape[1]
    matrix = np.zeros((size, size))
    for part in block:
        problem = part.problem()
        design = problem.design
        own = slice(first, first + problem.n_samples)
        first += problem.n_samples
        vectors.append(design.transposed(state.alpha[own]))
        if design.dense is None:
            newton_loops.gram()(*design.row_arrays, state.bent[own], matrix)
        else:
            matrix += gram(design, state.bent[own])
    return (summed(vectors), matrix), state.sums, state.memory


def added(*answers):
    """Return the sum of what some blocks sent."""
    arrays, sums, memory = zip(*answers, strict=True)
    vectors, matrices = zip(*arrays, strict=True)
    totals = np.array([math.fsum(column) for column in zip(*sums, strict=True)])
    return (summed(vectors), summed(matrices)), totals, max(memory)


def combined(frame, setting, center, answers):
    """Return the next center, from the sum of all blocks' answers."""
    (vector, matrix), (losses, conjugates, moved, *smoothed), memory = answers
    transfer, lam, n, word = frame.transfer, setting.lam, setting.rows, center.word
    v, proximity = vector / (lam * n), word.proximity
    h, _ = transfer.map(v)

    def penalty(w):
        return lam * transfer.bracket(w, v, h).value

    w = word.w + word.size * word.direction
    primal, dual = losses / n + penalty(w), -(conjugates / n + lam * h)
    is_best = dual > center.dual
    if primal < center.primal:
        center = center._replace(primal=primal, best=w)
    center = center._replace(dual=max(dual, center.dual), memory=memory)
    values = [
        total / n + penalty(word.w + size * word.direction)
        for total, size in zip(smoothed, SIZES, strict=True)
    ]
    value = values[SIZES.index(word.size)]
    slack = ROUNDING * abs(value)
    if not value <= center.value - ARMIJO * word.size * center.promise + slack:
        size = max(min(SIZES[int(np.argmin(values))], 0.5 * word.size), SIZES[-1])
        word = word._replace(size=size, is_renewed=False, is_best=is_best)
        return center._replace(word=word)
    K = (np.triu(matrix) + np.triu(matrix, 1).T) / n
    direction = _minimizer(frame, lam, w, v, K) - w
    promise = max(float(lam * (v @ direction)) - penalty(w + direction) + penalty(w), 0.0)
    gained = 0.5 * proximity * moved / n
    is_renewed = proximity > 0.0 and promise <= max(SOLVED * gained, slack)
    if is_renewed:
        # The next model is another, whose value at w no block has computed.
        value, proximity = np.inf, max(DECAY * proximity, LEAST * center.first)
    word = Word(w, direction, 1.0, proximity, is_renewed, is_best)
    return center._replace(word=word, value=value, promise=promise)


def _minimizer(frame, lam, w, v, K):
    """Return the minimizer u of the model."""
    right = K @ w + lam * v
    if frame.transfer.is_identity:
        return cho_solve(cho_factor(K + lam * np.eye(w.size)), right)
    ridge = RIDGE * lam / frame.regularizer.curvature
    root = cholesky(K + ridge * np.eye(w.size))
    target = solve_triangular(root, right + ridge * w, trans="T")
    scale = math.sqrt(0.5 * w.size)  # of a sum of squares over D rows
    model = Problem(scale * root, scale * target, "squared", frame.regularizer, lam)
    return solve(model, tol=MODEL_TOL, max_epochs=MODEL_EPOCHS).w


def numbers_of(center):
    """Return the numbers of a round for the client, without vectors."""
    numbers = {name: getattr(center, name) for name in ("primal", "dual", "memory")}
    # The least size moves nothing: a run that stays there has stalled.
    share = center.word.size if center.word.size > SIZES[-1] else 0.0
    return numbers | {"proximity": center.word.proximity, "share": share}


def alpha_of(state, word):
    """Return the dual variables of a block with the largest dual value so far, (n,)."""
    return state.alpha if word.is_best else state.best
