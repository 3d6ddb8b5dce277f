"""A round of CoCoA+ with momentum: what a part computes, and what is made of all parts' answers.

With v_k = X_k'alpha_k / (lam n) of part k, v = sum_k v_k and any sigma for which h bends no more along a sum
of moves than along them one by one, sigma = K at most,

    D(alpha) <= (1/n) sum_i k(-alpha_i) + (lam / sigma) sum_k h(y + sigma (v_k - y_k))  about any point y,

so that each part minimizes a problem of its own: one of Gauss-Seidel with lam n / sigma in place of lam n,
which begins at y + sigma (v_k - y_k). y = v + beta (v - v before), with Nesterov's beta: the number of rounds
then goes with the root of K. A round that lets D rise is cut back to the best point on its line, and half of
the momentum goes.

Weights are chosen apart: the best point so far moves towards grad h(v) as far as the primal falls, which
takes sums of losses alone, since predictions are linear on the way.

Source       Ma et al. (2015), CoCoA+; Smith et al. (2018); Nesterov (1983); O'Donoghue and Candes (2015)
"""

import math
import os
from typing import NamedTuple

import numpy as np

from workbench.certificates import interval, loss_terms
from workbench.distributed.parts import named
from workbench.solvers import GaussSeidel

# Where on their lines the primal and the dual are looked at.
PLACES = np.array([0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
# sigma goes down by the first factor after a good round; after a bad one up by the second, and then no lower.
DOWN, UP = 0.95, 1.5
# What a rise of D leaves of the momentum.
LEFT = 0.5
# Shrinking spends a pass on the samples that still move, where plain passes crawl.
SOLVER = GaussSeidel(shrinking=True)


class Setting(NamedTuple):
    """What all rounds have in common."""

    rows: int
    lam: float
    parts: int
    passes: int
    seed: int


class State(NamedTuple):
    """Of a part after a round; nothing changes it."""

    alpha: np.ndarray  # (n,) where the round began
    proposal: np.ndarray  # (n,) where it led
    best: np.ndarray  # (n,) predictions of the best weights
    z: np.ndarray  # (n,) predictions of grad h(v)
    change: np.ndarray  # (D,) by how much the proposal moves v
    losses: np.ndarray  # sums of the losses at the places between best and z
    conjugates: np.ndarray  # sums of k(-alpha) at the places between alpha and proposal
    square: float  # |v_k - y_k|^2 where the round led
    memory: int  # bytes of this worker that no other process shares


class Word(NamedTuple):
    """What a round tells each part."""

    w: np.ndarray  # (D,) grad h(v)
    ahead: np.ndarray  # (D,) y
    share: float  # of the way from alpha to the proposal that was taken
    moved: float  # of the way from the best weights to the last w that was taken
    beta: float
    sigma: float


class Center(NamedTuple):
    """What is known of all parts together: a word, and what it was made from."""

    w: np.ndarray
    ahead: np.ndarray
    share: float
    moved: float
    beta: float
    sigma: float
    v: np.ndarray  # (D,)
    best: np.ndarray  # (D,) the best weights
    primal: float  # at the best weights, but for rounding that has gathered
    dual: float
    momentum: float
    floor: float  # of sigma
    memory: int


class Judged(NamedTuple):
    """The part of a certificate that a part's samples make."""

    v: np.ndarray  # (D,) X'alpha
    terms: tuple  # the sum of the Fenchel-Young terms, and what it rounds off
    losses: float
    conjugates: float
    support: int
    zero: float
    bounds: tuple  # upper bounds of the sums of losses and conjugates, see `interval.part_bounds`


def begun(part, setting):
    """The state before the first round: what it proposes is where the first round begins."""
    with named(part.name):
        problem = part.problem()
        alpha = problem.alpha(np.full(problem.n_samples, problem.loss.start))
        nothing, sums = np.zeros(problem.n_samples), np.zeros(PLACES.size)
        change = problem.design.transposed(alpha) / (setting.lam * setting.rows)
        return State(nothing, alpha, nothing, nothing, change, sums, sums, 0.0, 0)


def first_center(frame, setting, answers):
    """The center before the first round, from the sum of all parts' answers."""
    v = answers[0]
    w = frame.transfer.map(v)[1]
    return Center(w, v, 1.0, 1.0, 0.0, float(setting.parts), v, w, np.inf, -np.inf, 1.0, 1.0, 0)


def _between(start, end, share):
    """A point on a line, its ends to the bit."""
    if share in (0.0, 1.0):
        return end if share else start
    return start + share * (end - start)


def advanced(part, state, word, setting, t, k):
    """The state of a part after one more round."""
    with named(part.name):
        problem = part.problem()
        alpha, move = _between(state.alpha, state.proposal, word.share), word.share * state.change
        best, z = _between(state.best, state.z, word.moved), problem.design @ word.w
        if t == 0:
            best = z
        losses = [problem.loss_sum(_between(best, z, share)) for share in PLACES]
        local = problem.replace(lam=setting.lam * setting.rows / (word.sigma * problem.n_samples))
        seed = int(np.random.SeedSequence([setting.seed, t, k]).generate_state(1)[0])
        inner = SOLVER.init(local, warm_start=alpha, seed=seed)
        alpha, start = inner.alpha.copy(), word.ahead - word.sigma * word.beta * move
        inner.v[:] = start
        if not local.transfer.is_identity:
            refresh = local.regularizer.function("refresh")
            inner.sums[:2] = refresh(local.transfer.weights, inner.v, inner.slopes, inner.theta), 0.0
        SOLVER.advance(local, inner, setting.passes * problem.n_samples)
        proposal, side = inner.alpha.copy(), loss_terms.of(local)
        conjugates = [side.conjugate(_between(alpha, proposal, share)) for share in PLACES]
        change = (inner.v - start) / word.sigma
        square = float(np.sum((change - word.beta * move) ** 2))
        return State(
            alpha, proposal, best, z, change, np.array(losses), np.array(conjugates), square, _memory()
        )


def told(state):
    """What a part sends after a round: D numbers and a few sums."""
    return state.change, np.concatenate([state.losses, state.conjugates, [state.square]]), state.memory


def added(*parts):
    """The sum of what some parts sent."""
    changes, sums, memory = zip(*parts, strict=True)
    return summed(changes), np.array([math.fsum(column) for column in zip(*sums, strict=True)]), max(memory)


def summed(vectors):
    """The sum of vectors, in their order."""
    total = vectors[0].copy()
    for vector in vectors[1:]:
        total += vector
    return total


def combined(frame, setting, center, answers):
    """The next center, from the sum of all parts' answers."""
    change, sums, memory = answers
    losses, conjugates = np.split(sums[:-1] / setting.rows, 2)
    transfer, lam = frame.transfer, setting.lam
    h = transfer.map(center.v)[0]

    def g(w):
        return transfer.bracket(w, center.v, h).value

    primals = [
        loss + lam * g(_between(center.best, center.w, x)) for loss, x in zip(losses, PLACES, strict=True)
    ]
    duals = [
        k + lam * transfer.map(center.v + x * change)[0] for k, x in zip(conjugates, PLACES, strict=True)
    ]
    moved, place, sigma, floor = int(np.argmin(primals)), PLACES.size - 1, center.sigma, center.floor
    # How much more h bends along the sum than along the moves one by one, which sigma has to bound.
    bend = float(np.sum((change - (center.ahead - center.v)) ** 2)) / max(sums[-1], 1e-300)
    if bend > sigma:
        sigma = floor = min(float(setting.parts), UP * bend)
    else:
        sigma = max(floor, 1.0, DOWN * sigma)
    momentum = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * center.momentum**2))
    beta = (center.momentum - 1.0) / momentum
    # What moves less than rounding does is no rise.
    if duals[-1] > duals[0] + 4.0 * np.spacing(abs(duals[0])):
        place, momentum, beta = int(np.argmin(duals)), max(1.0, LEFT * center.momentum), 0.0
    share, taken = PLACES[place], PLACES[moved]
    v, best = center.v + share * change, _between(center.best, center.w, taken)
    w, ahead = transfer.map(v)[1], v + (beta * share) * change
    word = Word(w, ahead, share, taken, beta, sigma)
    return Center(*word, v, best, primals[moved], -duals[place], momentum, floor, memory)


def word_of(center):
    """What each part is told."""
    return Word(*center[: len(Word._fields)])


def numbers_of(center):
    """What the client is told of a round: no vectors."""
    return {name: getattr(center, name) for name in ("primal", "dual", "sigma", "share", "memory")}


def best_of(center):
    """The best weights, (D,)."""
    return center.best


def alpha_of(state, word):
    """The dual variables of a part, (n,)."""
    return _between(state.alpha, state.proposal, word.share)


def judged(part, alpha, w):
    """What a part's samples make of the certificate at given weights and dual variables."""
    with named(part.name):
        problem = part.problem()
        side = loss_terms.of(problem)
        alpha, _ = side.feasible(alpha)
        bracket, conjugates = side.bracket(problem.design @ w, alpha)
        high = math.fsum(bracket.terms)
        low = math.fsum([*bracket.terms, -high])
        return Judged(
            problem.design.transposed(alpha), (high, low), bracket.value, conjugates,
            int(np.count_nonzero(alpha)), problem.zero_value * problem.n_samples,
            interval.part_bounds(problem, w, alpha),
        )  # fmt: skip


def _memory():
    """The bytes of this process without mapped files and what others share; 0 where that is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _, resident, shared = map(int, file.read().split()[:3])
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
