"""A round of CoCoA+ with momentum on blocks of parts: what a block computes, and what all answers make.

The mathematics is that of `solvers.algorithms.cocoa`, whose parts are blocks here, about any point y:

    h(y + sum_k m_k) <= h(y) + (1/sigma) sum_k (h(y + sigma m_k) - h(y)),  m_k = v_k - y_k,

so that a block goes by y + sigma m_k, one part after the other. y = v + beta (v - v before), with Nesterov's
beta: the number of rounds then goes with the root of K. A round that lets D rise is cut back to the best
point on its line, and half of the momentum goes.

Source       Ma et al. (2015), CoCoA+; Smith et al. (2018); Nesterov (1983); O'Donoghue and Candes (2015)
"""

import math
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.certificates import interval, loss_terms
from workbench.solvers.algorithms import gauss_seidel
from workbench.solvers.algorithms.cocoa import PLACES, between, farthest, next_sigma
from workbench.solvers.contract import fresh_counters
from workbench.studies.distributed.parts import errors_named

NAME = "CoCoA+"
# What a rise of D leaves of the momentum.
LEFT = 0.5
# Shrinking spends a pass on the samples that still move, where plain passes crawl.
SOLVER = gauss_seidel.GaussSeidel(shrinking=True)


class Setting(NamedTuple):
    """Settings that all rounds share."""

    rows: int
    lam: float
    blocks: int
    passes: int
    seed: int


class State(NamedTuple):
    """Frozen state of a block after a round, with the samples of its parts in order."""

    alpha: np.ndarray  # (n,) where the round began
    proposal: np.ndarray  # (n,) where it led
    change: np.ndarray  # (D,) by how much the proposal moves v
    sums: np.ndarray  # of the losses at w, of |m_k|^2, and of k(-alpha) at the places on the way
    memory: int  # bytes of this worker that no other process shares


class Word(NamedTuple):
    """Message of a round to each block."""

    w: np.ndarray  # (D,) grad h(v)
    y: np.ndarray  # (D,)
    share: float  # of the way from alpha to the proposal that was taken
    beta: float
    sigma: float


class Center(NamedTuple):
    """State of all blocks together: a message, and the sums from which it was made."""

    word: Word
    v: np.ndarray  # (D,)
    best: np.ndarray  # (D,) the weights of the least primal so far
    primal: float  # theirs
    dual: float
    momentum: float
    bend: float  # see `next_sigma`
    memory: int


class PartialCertificate(NamedTuple):
    """The part of a certificate that a block's samples make."""

    v: np.ndarray  # (D,) X'alpha
    terms: tuple  # of each part the sum of the Fenchel-Young terms, and what it rounds off
    losses: float
    conjugates: float
    support: int
    zero: float
    bounds: tuple  # upper bounds of the sums of losses and conjugates, see `interval.part_bounds`


def begin(block, setting, start=None):
    """Return the state before the first round: what it proposes is where the first round begins.

    Parameters
    ----------
    start : ndarray, optional
        Dual variables (n,) of the block to begin with.
    """
    alphas, first = [], 0
    change: np.ndarray | float = 0.0
    for part in block:
        with errors_named(part.name):
            problem = part.problem()
            if start is None:
                alphas.append(problem.alpha(np.full(problem.n_samples, problem.loss.start)))
            else:
                share = start[first : first + problem.n_samples]
                alphas.append(loss_terms.loss_side(problem).feasible(share)[0])
            first += problem.n_samples
            change = change + problem.design.transposed(alphas[-1]) / (setting.lam * setting.rows)
    alpha = np.concatenate(alphas)
    return State(np.zeros(alpha.size), alpha, np.asarray(change), np.zeros(2 + PLACES.size), 0)


def first_center(frame, setting, answers):
    """Return the center before the first round, from the sum of all blocks' answers."""
    v = answers[0]
    w = frame.transfer.map(v)[1]
    return Center(Word(w, v, 1.0, 0.0, float(setting.blocks)), v, w, np.inf, -np.inf, 1.0, 0.0, 0)


def advanced(block, state, word, setting, t, k):
    """Return the state of a block after one more round."""
    alpha, shift, sums, first = alpha_of(state, word), word.beta * word.share * state.change, [], 0
    start = word.y - word.sigma * shift
    v = start.copy()
    proposal, seeds = alpha.copy(), np.random.SeedSequence([setting.seed, t, k]).generate_state(len(block))
    for part, seed in zip(block, seeds, strict=True):
        with errors_named(part.name):
            problem = part.problem()
            n = problem.n_samples
            old, new, first = alpha[first : first + n], proposal[first : first + n], first + n
            local = problem.replace(lam=setting.lam * setting.rows / (word.sigma * n))
            loss, queue = problem.loss_sum(problem.design @ word.w), np.arange(n, dtype=np.uint32)
            inner = gauss_seidel.fresh(local, new, v, fresh_counters(int(seed)), queue)
            SOLVER.advance(local, inner, setting.passes * n)
            side = loss_terms.loss_side(problem)
            sums.append([loss, *(side.conjugate(between(old, new, share)) for share in PLACES)])
    change = (v - start) / word.sigma
    move = change - shift
    losses, *conjugates = map(math.fsum, zip(*sums, strict=True))
    return State(alpha, proposal, change, np.array([losses, move @ move, *conjugates]), memory_used())


def message(_block, state):
    """Return the message of a block after a round: D numbers and a few sums."""
    return state.change, state.sums, state.memory


def added(*answers):
    """Return the sum of what some blocks sent."""
    changes, sums, memory = zip(*answers, strict=True)
    return summed(changes), np.array([math.fsum(column) for column in zip(*sums, strict=True)]), max(memory)


def summed(vectors):
    """Return the sum of vectors, in their order."""
    total = vectors[0].copy()
    for vector in vectors[1:]:
        total += vector
    return total


def combined(frame, setting, center, answers):
    """Return the next center, from the sum of all blocks' answers."""
    change, (losses, squares, *conjugates), memory = answers
    transfer, lam, n, word = frame.transfer, setting.lam, setting.rows, center.word
    primal = losses / n + lam * transfer.bracket(word.w, center.v, transfer.map(center.v)[0]).value
    better = primal < center.primal
    duals = [
        conjugate / n + lam * transfer.map(center.v + share * change)[0]
        for conjugate, share in zip(conjugates, PLACES, strict=True)
    ]
    share = farthest(duals)
    sigma, bend = next_sigma(change - (word.y - center.v), squares, center.bend, setting.blocks)
    momentum = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * center.momentum**2))
    beta = (center.momentum - 1.0) / momentum
    if share < 1.0:
        momentum, beta = max(1.0, LEFT * center.momentum), 0.0
    v = center.v + share * change
    return Center(
        Word(transfer.map(v)[1], v + beta * share * change, share, beta, sigma),
        v,
        word.w if better else center.best,
        primal if better else center.primal,
        -duals[PLACES.tolist().index(share)],
        momentum,
        bend,
        memory,
    )


def numbers_of(center):
    """Return the numbers of a round for the client, without vectors."""
    numbers = {name: getattr(center, name) for name in ("primal", "dual", "memory")}
    return numbers | {"sigma": center.word.sigma, "share": center.word.share}


def alpha_of(state, word):
    """Return the dual variables of a block, (n,)."""
    return between(state.alpha, state.proposal, word.share)


def judge(block, alpha, w):
    """Return the share of a block's samples in the certificate at given weights and dual variables.

    Parts are added as they come: each has vectors of D numbers.
    """
    whole, first = None, 0
    for part in block:
        with errors_named(part.name):
            problem = part.problem()
            side, n = loss_terms.loss_side(problem), problem.n_samples
            inside, _ = side.feasible(alpha[first : first + n])
            first += n
            bracket, conjugates = side.bracket(problem.design @ w, inside)
            high = math.fsum(bracket.terms)
            low = math.fsum([*bracket.terms, -high])
            judgement = PartialCertificate(
                problem.design.transposed(inside),
                (high, low),
                bracket.value,
                conjugates,
                int(np.count_nonzero(inside)),
                problem.gap_scale * n,
                interval.part_bounds(problem, w, inside),
            )
        whole = judgement if whole is None else _joined(whole, judgement)
    return whole


def _joined(one, other):
    """Return the shares of two blocks joined; sums of terms are kept apart, so that nothing is lost."""
    sums = (a + b for a, b in zip(one[:-1], other[:-1], strict=True))
    return PartialCertificate._make((*sums, interval.joined_bounds([one.bounds, other.bounds])))


def memory_used():
    """Return the bytes of this process without mapped files and shared memory; 0 if they are unknown."""
    try:
        _, resident, shared = map(int, Path("/proc/self/statm").read_text("ascii").split()[:3])
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
