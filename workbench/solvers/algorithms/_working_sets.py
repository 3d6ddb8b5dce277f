"""Looks and working sets: what coordinate descent does where a model of the objective has done its part.

A look takes the dual point of map (10) at the accepted point, what the weights left out pull, the gap, and by
it the blocks that a safe ball rules out. The working set is what is not zero and what pulls most.

Source       docs/mathematics.md, section 8; working sets and extrapolated predictions as Massias, Gramfort
             and Salmon (2018) have them
"""

import numpy as np

from workbench.certificates import scaling, screening
from workbench.kernels import column_loops
from workbench.solvers.algorithms._columns import EXTRAPOLATED, FLAT, GRAM, MASS, MEMORY, PASSES, SIZE
from workbench.solvers.algorithms._models import (
    DAMPED,
    DAMPING,
    DISCARDED,
    DUAL,
    GAP,
    IDLE,
    LOOKED,
    LOOKS,
    LOSS,
    PAID,
    PRIMAL,
    ROUNDING,
    WORK,
    Model,
)
from workbench.solvers.contract import STEPS

# The least working set, as a number and as a part of what is kept, and how often the support it holds.
LEAST, PART, GROWTH = 100, 64, 2


class Search(Model):
    """The looks at a point, and what they choose."""

    def begin(self, known=None):
        """Set what never changes, and take the first look; `known` is a dual point of the same data."""
        problem, state, numbers = self.problem, self.state, self.numbers
        numbers[DUAL], numbers[PRIMAL], numbers[DAMPING] = -np.inf, np.finfo(float).max, DAMPED
        squares = screening.column_squares(problem)
        state.norms[:] = screening.block_norms(problem, squares)
        if self.squares is not None:
            curvature = self.squares.curvature
            if state.gram.size:
                state.curvature[:] = curvature * squares[0]
                state.means[:] = self._means()
            state.bend[:] = curvature * problem.weight
            numbers[FLAT] = state.bend[0] if (problem.weight == problem.weight[0]).all() else 0.0
            numbers[MASS] = state.bend.sum() if self.free else 0.0
        if known is not None:
            alpha = self.side.feasible(known)[0]
            alpha = self.side.balance(alpha)[0] if self.free else alpha
            self._offer(alpha, self._products(alpha))
        self.look()

    def _means(self):
        """Compute the weighted means of the columns if there is an unregularized bias, else 0."""
        problem = self.problem
        if not self.free:
            return 0.0
        means, everyone = np.zeros(self.state.means.size), np.arange(self.state.means.size, dtype=np.uint32)
        column_loops.products()(everyone, *self.columns, problem.weight / problem.weight.sum(), means)
        return means

    def look(self):
        """Take stock of the accepted point, and choose what to work on next."""
        state, counters, numbers = self.state, self.counters, self.numbers
        before = numbers[PRIMAL], numbers[GAP]
        if self.squares is not None or not counters[LOOKS]:
            z = self._predict(state.w)
            self._move(z, self._best_bias(z, state.b))
        # A slope at its end times a weight may round to a point beyond, where the conjugate is infinite.
        alpha, moved = self.side.feasible(0.0 - state.residual)
        products = self._products(alpha)
        numbers[PRIMAL] = numbers[LOSS] / self.problem.n_samples + self.problem.lam * self._value(state.w)
        self._offer(alpha, products)
        if counters[EXTRAPOLATED]:
            self._offer_extrapolated()
        numbers[GAP] = max(numbers[PRIMAL] - numbers[DUAL], 0.0)
        counters[LOOKS] += 1
        counters[LOOKED] = counters[STEPS]
        gained = numbers[PRIMAL] < before[0] - ROUNDING * abs(before[0]) or numbers[GAP] < 0.9 * before[1]
        counters[IDLE] = 0 if gained else counters[IDLE] + 1
        if self.solver.screening:
            self._discard()
        self._choose(products)
        self._model(None if moved else products)

    def _products(self, alpha, chosen=None):
        """X'alpha (D,), zero for what is discarded, or not in the blocks that are given."""
        chosen = self.state.candidates if chosen is None else chosen
        if chosen.all():
            return self.problem.design.transposed(alpha)
        out = np.zeros(self.state.w.shape[0])
        column_loops.products()(np.flatnonzero(chosen).astype(np.uint32), *self.columns, alpha, out)
        return out

    def _offer(self, alpha, products):
        """Make a dual point feasible, and keep it where its objective is the better one."""
        state = self.state
        alpha, products, dual = self._scaled(alpha, products)
        if dual > self.numbers[DUAL]:
            self.numbers[DUAL] = dual
            state.alpha[...], state.products[...] = alpha, products

    def _scaled(self, alpha, products):
        """Scale alpha to be feasible for the given columns; return it, its products and -D."""
        problem = self.problem
        v = products / problem.lam_n
        s, h = 1.0, 0.0
        if not problem.regularizer.is_norm:
            h = problem.transfer.map(v)[0]
        elif self.squares is not None:
            s = scaling.best_multiple(problem, self.side, alpha, v)
        else:
            s = scaling.published(problem, v)
        problem.design.rescale(alpha, s)
        alpha = s * alpha
        return alpha, s * products, -(self.side.conjugate(alpha) / problem.n_samples + problem.lam * h)

    def _offer_extrapolated(self):
        """Offer the dual point of extrapolated predictions, if it is better."""
        z = self._predict(self._extrapolated())
        alpha = self.side.alpha_at(z, self._best_bias(z, self.state.b))
        # What the working set alone allows is at least what all columns allow.
        if self._scaled(alpha, self._products(alpha, self._chosen()))[2] > self.numbers[DUAL]:
            self._offer(alpha, self._products(alpha))

    def _chosen(self):
        """Return whether each block is in the working set."""
        chosen = np.zeros(self.state.candidates.size, dtype=bool)
        chosen[self.working_set] = True
        return chosen

    def _extrapolated(self):
        w = self.state.w.copy()
        w[self.working_set] = self.state.history[MEMORY + 1, : self.counters[SIZE]]
        return w

    def _discard(self):
        """Leave out the blocks that are zero now and, by the safe ball, at every optimum."""
        state, blocks = self.state, self.blocks
        ball = screening.Ball.of(self.problem, state.alpha, self.numbers[PRIMAL], self.numbers[DUAL])
        zero = ball.discards(blocks, state.products, state.norms) & ~blocks.nonzero(state.w.reshape(-1))
        state.candidates[zero] = False
        self.counters[DISCARDED] = state.candidates.size - np.count_nonzero(state.candidates)

    def _choose(self, products):
        """Choose the nonzero blocks, and of the others those that pull most."""
        state, counters, lam_n = self.state, self.counters, self.problem.lam_n
        nonzero = self.blocks.nonzero(state.w.reshape(-1))
        slack = self.blocks.limits(lam_n) - self.blocks.pulls(products, lam_n)
        slack /= np.maximum(state.norms[0], np.finfo(float).tiny)
        slack[nonzero] = -np.inf
        active = np.flatnonzero(state.candidates)
        size = max(LEAST, active.size // PART, GROWTH * int(np.count_nonzero(nonzero)))
        if self.blocks.limits(1.0).any() and size < active.size:
            active = np.sort(active[np.argpartition(slack[active], size)[:size]])
        if np.array_equal(active, self.working_set):
            return
        counters[SIZE] = active.size
        counters[PAID], counters[GRAM], counters[WORK] = counters[WORK] + counters[PASSES], 0, 0
        counters[PASSES] = 0
        state.queue[: active.size] = active
        state.places[: active.size] = np.arange(active.size)
