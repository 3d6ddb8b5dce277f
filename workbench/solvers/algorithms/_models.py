"""Quadratic models of the loss on a working set, and the line searches between them.

Where the loss is a parabola the model is the objective; else the model's point is searched along a line, and
models follow each other until they gain little.

Source       docs/mathematics.md, section 8
"""

import numpy as np
import scipy.sparse as sp

from workbench.certificates import loss_terms
from workbench.kernels import column_loops, newton_loops
from workbench.solvers.algorithms import _columns, _records
from workbench.solvers.algorithms._columns import (
    BEFORE,
    EXTRAPOLATED,
    GRAM,
    LEFT,
    LENGTH,
    MASS,
    MEMORY,
    PASS,
    PASSES,
    PLACE,
    ROWS,
    SIZE,
    SPREAD,
    SUM,
    TOTAL,
    WORST,
    Walk,
)

# More places of State.counters: the looks so far, the blocks discarded, the looks in a row that changed
# nothing, the step of the last look, the passes that the last set took, the passes over this working set, the
# step after which blocks were last solved by Newton's method.
LOOKS, DISCARDED, IDLE, LOOKED, PAID, WORK, SOLVED = range(9, 16)
COUNTERS = 16
# More places of State.numbers: primal, dual and gap at the last look, the damping of the model, the sum of
# the losses at the accepted point.
PRIMAL, DUAL, GAP, DAMPING, LOSS = range(9, 14)
NUMBERS = 14

# The largest working set whose Gram matrix is kept; it pays after this share of its size in passes, dense and
# sparse, and at once where a model that changes works on at most this number.
WIDEST, PAYING, PAYING_SPARSE, NARROW = 512, 0.1, 0.5, 48
# What a model may leave: of the gap, and of what it gained, for a model that is the objective and for one
# that is not; a model that gained less than this share of the gap is the last one before a look.
LEFT_OF_GAP, LEFT_OF_GAIN, LITTLE = 0.1, 0.02, 0.02
# Where the passes have read less than this share of what a look reads, this share of the gap may be left.
CHEAP, THOROUGH = 0.5, 1e-3
# What a pass reads of the data before the next look at its progress is due; with the Gram matrix.
WORTH, WORTH_GRAM, MOST_PASSES = 200_000, 200_000, 40
# A model that does not say what is left is thought to shrink by no more than this a pass.
SLOWEST = 0.99
# The least curvature of a loss in a model, as a share of its bound.
FLOOR = 1e-10
# The line search: sufficient decrease, halvings, what a shorter step adds to the damping.
ARMIJO, HALVINGS, DAMPED = 0.01, 40, 1e-2
# The rounding of a value; a pass that lowers the model by less than this share has moved nothing.
ROUNDING, STILL = 4e-16, 1e-26


class Model:
    """A problem and a state, with what is read of both; `look` follows a model that has done its part."""

    def __init__(self, solver, problem, state):
        self.solver, self.problem, self.state = solver, problem, state
        self.side, self.blocks = loss_terms.loss_side(problem), problem.transfer.blocks
        self.columns = problem.design.column_arrays
        self.squares = problem.least_squares
        self.counters, self.numbers = state.counters, state.numbers
        self.free = problem.free_bias
        self.shuffled = solver.order == "shuffled"

    @property
    def working_set(self):
        """The blocks of the working set."""
        return self.state.queue[: self.counters[SIZE]]

    def visit(self, n_steps):
        """Do at most n visits; returns how many were done."""
        state = self.state
        scratch = np.empty(max(self.problem.n_samples, state.slopes.shape[0]))
        model = _columns.Model(
            state.curvature,
            state.means,
            state.share,
            state.ridge,
            state.bend,
            state.residual,
            state.gram,
            state.slopes,
        )
        arguments = _records.compressed(self.columns), model, self.walk(), *self.flags, scratch
        return _columns.visits()(n_steps, *arguments, np.empty((MEMORY, MEMORY + 1)))

    @property
    def flags(self):
        """Two flags: the order is shuffled, and the passes are extrapolated."""
        return self.shuffled, bool(self.solver.extrapolation)

    def walk(self):
        """Return the place of the run in its working set."""
        state = self.state
        return Walk(
            state.counters,
            state.numbers,
            state.queue,
            state.places,
            state.trial,
            state.history,
            state.event,
        )

    def _value(self, w):
        return self.blocks.value(w.reshape(-1))

    def _predict(self, w):
        """X w."""
        z, support = np.empty(self.problem.n_samples), np.flatnonzero(w).astype(np.uint32)
        column_loops.predictions()(support, *self.columns, w, z)
        return z

    def _best_bias(self, z, start):
        return self.side.best_bias(z, start) if self.free else self.state.b

    def _move(self, z, b):
        """Accept predictions: the losses, their slopes and curvatures there."""
        state = self.state
        state.z[...], state.b[...] = z, b
        self.numbers[LOSS] = self._tangents(z, state.b, state.residual, state.bend)

    def _tangents(self, z, b, residual, bend):
        """Sum the losses at z + b, and write their slopes and curvatures into the arrays."""
        problem, loss = self.problem, self.problem.loss
        if self.squares is not None:
            np.subtract(z + b, self.squares.targets, out=residual)
            total = 0.5 * float((bend * residual) @ residual)
            residual *= bend
            return total + self.squares.rest * float(problem.weight.sum())
        functions = (loss.scalar(part) for part in ("value", "slope", "curvature"))
        total = newton_loops.local()(*functions, problem.samples, z, float(b), residual, bend)
        np.negative(residual, out=residual)
        # Rounding may carry a curvature past its bound.
        most = loss.curvature * problem.weight
        np.minimum(bend, most, out=bend)
        bend += (FLOOR + self.numbers[DAMPING]) * most
        return total

    def _model(self, products=None):
        """Model the objective at the accepted point; `products` are -X'residual, if known."""
        state, numbers, counters = self.state, self.numbers, self.counters
        state.trial[...] = state.w.reshape(-1)
        if self.squares is None:
            numbers[MASS] = float(state.bend.sum()) if self.free else 0.0
            counters[PAID], counters[GRAM], counters[WORK] = max(counters[PAID], counters[PASSES]), 0, 0
        numbers[SUM] = state.residual.sum() if self.free else 0.0
        numbers[[PASS, BEFORE, TOTAL]] = 0.0
        counters[WORK] += counters[PASSES]
        counters[[PASSES, PLACE, ROWS, EXTRAPOLATED]] = 0
        self._prepare(products)
        self._plan()

    def _prepare(self, products):
        """Compute the curvatures of the columns in the model, or the Gram matrix that holds them."""
        state, counters = self.state, self.counters
        changes, narrow = self.squares is None, self._is_narrow()
        if counters[GRAM]:
            self._slopes(products)
        elif self._pays(counters[PAID]) or (changes and narrow):
            self._gram(products)
        elif changes:
            column_loops.squares()(
                self.working_set, *self.columns, state.bend, self.numbers[MASS], state.curvature, state.means
            )

    def _gram(self, products=None):
        """Compute X'HX of the working set, centred, and its slopes."""
        state, size = self.state, int(self.counters[SIZE])
        indptr, indices, data = self.columns
        shape = self.problem.design.shape
        chosen, root, mass = self.working_set, np.sqrt(state.bend), self.numbers[MASS]
        if indptr.size:
            X = sp.csc_array((data, indices.view(np.int32), indptr.astype(np.int64)), shape=shape)
            X = X[:, chosen.astype(np.int64)]
            X.data *= root[X.indices]
            gram, first = (X.T @ X).toarray(), X.T @ root
        else:
            X = data.reshape(shape[1], shape[0])[chosen] * root
            gram, first = X @ X.T, X @ root
        if mass > 0.0:
            gram -= first[:, None] * (first / mass)
            state.means[chosen] = first / mass
        state.gram[:size, :size] = gram
        state.curvature[chosen] = np.maximum(gram.diagonal(), 0.0)
        self.counters[GRAM] = True
        self._slopes(products)

    def _slopes(self, products):
        """Compute the slopes of the working set, which the Gram matrix keeps up to date."""
        state, chosen = self.state, self.working_set
        if products is None:
            products = np.empty(state.w.shape[0])
            column_loops.products()(chosen, *self.columns, -state.residual, products)
        state.slopes[: chosen.shape[0]] = -products[chosen] - state.means[chosen] * self.numbers[SUM]

    def _plan(self):
        """Set the number of visits before the next look at the progress of the model."""
        size = int(self.counters[SIZE])
        if self.counters[GRAM]:
            passes = WORTH_GRAM // (size * size + 1)
        else:
            passes = WORTH // (int(self._heights(self.working_set).sum()) + 1)
        self.counters[LEFT] = size * min(max(1, passes), MOST_PASSES)

    def _heights(self, features):
        indptr = self.columns[0]
        if not indptr.size:
            return np.full(features.size, self.problem.n_samples)
        chosen = features.astype(np.int64)
        return (indptr[chosen + 1] - indptr[chosen]).astype(np.int64)

    def look(self):
        """Take the dual point at the accepted point and choose the weights of the next model."""
        raise NotImplementedError

    def turn(self):
        """At the end of the visits planned: go on, or accept the model's point and look again."""
        state, counters, numbers = self.state, self.counters, self.numbers
        if not self._is_low():
            # Where the model changes, slopes are no longer those at its start.
            if self.squares is not None and self._pays(counters[WORK] + counters[PASSES]):
                self._gram()
            self._plan()
            return
        if self.squares is not None:
            state.w[...] = state.trial.reshape(state.w.shape)
            self.look()
            return
        gained = self._accept()
        if gained <= LITTLE * numbers[GAP] * self.problem.n_samples:
            self.look()
        else:
            self._model()

    def _pays(self, passes):
        """Return whether n passes over the working set cost as much as its Gram matrix."""
        counters = self.counters
        share = PAYING_SPARSE if self.columns[0].size else PAYING
        return not counters[GRAM] and counters[SIZE] <= WIDEST and passes >= share * counters[SIZE]

    def _is_narrow(self):
        """Return whether the Gram matrix of the working set costs next to nothing."""
        few = not self.columns[0].size or self._heights(self.working_set).sum() <= WORTH
        return few and self.counters[SIZE] <= NARROW

    def _is_low(self):
        """Return whether the model has little left to gain."""
        numbers = self.numbers
        if numbers[PASS] <= STILL * abs(numbers[PRIMAL]) * self.problem.n_samples:
            return True
        if self.squares is None:
            rate = min(numbers[PASS] / numbers[BEFORE], SLOWEST) if numbers[BEFORE] > 0.0 else SLOWEST
            left, target = numbers[PASS] * rate / (1.0 - rate), LEFT_OF_GAIN * numbers[TOTAL]
        else:
            # The gap that the working set alone would have, to first order.
            left = min(numbers[SPREAD], numbers[WORST] * numbers[LENGTH])
            target = LEFT_OF_GAP * 0.25 ** self.counters[IDLE] * numbers[GAP] * self.problem.n_samples
            counters = self.counters
            if counters[PASSES] * counters[SIZE] < CHEAP * (self.state.candidates.size - counters[DISCARDED]):
                target *= THOROUGH
        return left <= target

    def _accept(self):
        """Move along the line to the model's point as far as n P falls; returns by how much."""
        problem, state, numbers = self.problem, self.state, self.numbers
        trial = state.trial.reshape(state.w.shape)
        d = trial - state.w
        dz = self._predict(d)
        db = self._bias_move(dz)
        residual, bend = np.empty_like(state.residual), np.empty_like(state.bend)
        here, g = numbers[LOSS], self._value(state.w)
        t, w = 1.0, trial
        for _ in range(HALVINGS):
            z, b = state.z + t * dz, state.b + t * db
            there = self._tangents(z, b, residual, bend)
            gained = (here - there) + problem.lam_n * (g - self._value(w))
            if gained >= ARMIJO * t * numbers[TOTAL] - ROUNDING * here:
                break
            t *= 0.5
            w = state.w + t * d
        else:
            self._move(state.z, state.b)
            return 0.0
        numbers[DAMPING] = 0.1 * numbers[DAMPING] if t == 1.0 else max(10.0 * numbers[DAMPING], DAMPED)
        if numbers[DAMPING] < 1e-3 * DAMPED:
            numbers[DAMPING] = 0.0
        state.w[...] = w
        if self.free:
            self._move(z, self._best_bias(z, b))
        else:
            state.z[...], state.residual[...], state.bend[...], numbers[LOSS] = z, residual, bend, there
        return gained

    def _bias_move(self, dz):
        """Return how far the model's minimum moves an unregularized bias, if the predictions move by dz."""
        if not self.free:
            return 0.0
        # Without the Gram matrix the visits have kept up S.
        rest = float(self.state.bend @ dz) if self.counters[GRAM] else 0.0
        return -(self.numbers[SUM] + rest) / self.numbers[MASS]
