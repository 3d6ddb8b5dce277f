"""Looks and models where weights come in groups, or a sample has several outputs.

Coordinate steps are slow where columns differ in scale or nearly depend on each other. Between passes, the
model is therefore solved by Newton's method over the weights that are not zero, where g is smooth; the passes
find out which these are.
"""

import numpy as np

from workbench.kernels import column_loops
from workbench.kernels.arrays import frozen
from workbench.problems.losses import simplex
from workbench.solvers.algorithms import _blocks, _records
from workbench.solvers.algorithms._columns import LEFT, MEMORY, ROWS, SIZE, TOTAL
from workbench.solvers.algorithms._models import DAMPING, FLOOR, MOST_PASSES, ROUNDING, SOLVED, WORTH
from workbench.solvers.algorithms._newton_system import BLOCK, FACTORED, factored
from workbench.solvers.algorithms._working_sets import Search
from workbench.solvers.contract import STEPS

# A visit reads a column about this often. Newton's method on the support pays where the visits since it last
# did have read this share of its operations; it solves about as many equations as the second number says, at
# most the third, while each lowers the model by the fourth as a share of all.
READS, OPERATIONS, TYPICAL, ROUNDS, GAINING = 4, 1 / 16, 8, 50, 1e-2
# These tries shorten a step to nothing.
TRIES = 30


class BlockSearch(Search):
    """`Search` over blocks; w, z, alpha and the like have one column an output."""

    def __init__(self, solver, problem, state):
        super().__init__(solver, problem, state)
        self.outputs = problem.columns[0] if problem.columns else 1
        blocks = self.blocks
        order, starts = (np.asarray(part, dtype=np.int64) for part in (blocks.order, blocks.starts))
        weights = np.asarray(blocks.weights * problem.lam_n)
        self.layout = _blocks.Blocks(frozen(order), frozen(starts), frozen(weights))

    def visit(self, n_steps):
        """Do at most n visits; returns how many were done."""
        state, shape = self.state, (self.problem.n_samples, self.outputs)
        longest = int(np.diff(self.layout.starts).max())
        model = _blocks.Model(
            state.curvature,
            state.share,
            state.ridge,
            state.bend.reshape(shape),
            state.residual.reshape(shape),
            state.shift,
            self.problem.weight,
            float(self._damping()),
            float(self._top()),
        )
        buffers = np.empty((3, max(longest, self.outputs)))
        arguments = _records.compressed(self.columns), self.layout, model, self.walk(), *self.flags
        return _blocks.visits()(n_steps, *arguments, np.empty(shape), buffers, np.empty((MEMORY, MEMORY + 1)))

    def _damping(self):
        """Return the addition to the curvature of several outputs, as a share of the samples' weights."""
        if self.outputs == 1:
            return 0.0
        return self.problem.loss.curvature * (FLOOR + self.numbers[DAMPING])

    def _top(self):
        """Bound the curvature along the unregularized biases; 0 without any."""
        if not self.free:
            return 0.0
        sums = self.state.bend.reshape(-1, self.outputs).sum(axis=0)
        return float(sums.max()) + self._damping() * float(self.problem.weight.sum())

    def _extrapolated(self):
        w, entries = self.state.w.copy(), self._entries()
        w.reshape(-1)[entries] = self.state.history[MEMORY + 1, : entries.size]
        return w

    def _entries(self):
        """Return the entries of w in the working set, in the order of its blocks."""
        if self.blocks.groups is None:
            return self.working_set.astype(np.int64)
        order, starts, _ = self.layout
        # Of none where a ball has shown every weight to be zero.
        return np.concatenate([order[:0], *(order[starts[k] : starts[k + 1]] for k in self.working_set)])

    def _predict(self, w):
        one, columns = super()._predict, np.ascontiguousarray(w.reshape(-1, self.outputs).T)
        return np.stack([one(column) for column in columns], axis=1).reshape(self.state.z.shape)

    def _products(self, alpha, blocks=None):
        alpha = alpha.reshape(-1, self.outputs)
        blocks = self.state.candidates if blocks is None else blocks
        blocks = self.blocks.spread(blocks).reshape(-1, self.outputs)
        queue = np.flatnonzero(blocks.any(axis=1)).astype(np.uint32)
        products = np.zeros((blocks.shape[0], self.outputs))
        for output in range(self.outputs):
            column = np.zeros(blocks.shape[0])
            column_loops.products()(queue, *self.columns, np.ascontiguousarray(alpha[:, output]), column)
            products[:, output] = column
        return np.where(blocks, products, 0.0).ravel()

    def _tangents(self, z, b, residual, bend):
        if self.outputs == 1:
            return super()._tangents(z, b, residual, bend)
        labels, weight = self.problem.labels, self.problem.weight
        values, p, bent = self.problem.loss.local(z + b, labels)
        np.multiply(bent, weight[:, None], out=bend)
        np.multiply(p, weight[:, None], out=residual)
        residual[np.arange(labels.size), labels] -= weight
        return float(weight @ values)

    def _prepare(self, products):
        """Compute the curvature of each block, initially the largest of its weights' curvatures."""
        state, outputs = self.state, self.outputs
        state.shift[:] = 0.0
        entries = self._entries()
        queue = np.unique(entries // outputs).astype(np.uint32)
        squares = np.zeros((self.problem.design.shape[1], outputs))
        bend = state.bend.reshape(-1, outputs)
        if outputs > 1:
            bend = bend * (1.0 - simplex.shared(bend)) + self._damping() * self.problem.weight[:, None]
        for output in range(outputs):
            curvature, means = np.zeros(squares.shape[0]), np.empty(squares.shape[0])
            column = np.ascontiguousarray(bend[:, output])
            column_loops.squares()(queue, *self.columns, column, 0.0, curvature, means)
            squares[:, output] = curvature
        flat = squares.ravel()
        if self.blocks.groups is None:
            state.curvature[entries] = flat[entries]
        elif self.squares is None or not state.curvature.any():
            tops = self.blocks.groups.tops(flat[self.blocks.groups.order])
            state.curvature[self.working_set] = tops[self.working_set]
        else:
            tops = self.blocks.groups.tops(flat[self.blocks.groups.order])
            state.curvature[:] = np.maximum(state.curvature, tops)

    def _bias_move(self, dz):
        return self.state.shift.reshape(self.state.b.shape)

    def _plan(self):
        size = int(self.counters[SIZE])
        passes = WORTH // (self._reads() + 1)
        self.counters[LEFT] = size * min(max(1, passes), MOST_PASSES)

    def _pays(self, passes):
        # Blocks have no Gram matrix.
        return False

    def _reads(self):
        """Return what a pass over the working set reads of the data."""
        return READS * int(self._heights(self._entries() // self.outputs).sum())

    def turn(self):
        """At the end of the visits planned: solve the model on its support if that pays, and go on."""
        entries, counters = self._entries(), self.counters
        support = entries[self.state.trial[entries] != 0.0]
        passes = (counters[STEPS] - counters[SOLVED]) / counters[SIZE]
        operations = support.size**2 * (self.problem.n_samples + TYPICAL * support.size)
        if 0 < support.size <= FACTORED and OPERATIONS * operations <= passes * self._reads():
            counters[SOLVED] = counters[STEPS]
            self._solve(support)
        super().turn()

    def _solve(self, support):
        """Lower the model by Newton's method over nonzero entries, which keep their signs or become zero."""
        state, blocks, lam_n, size = self.state, self.blocks, self.problem.lam_n, support.size
        matrix, slopes = self._on_support(support)
        w, start = state.trial.copy(), np.zeros_like(slopes)
        x, biases = start, np.arange(start.size) >= size
        start[:size], kinks = w[support], np.pad(state.share[support], (0, start.size - size))

        def value(x):
            """Return n P of the model, up to a constant."""
            w[support] = x[:size]
            return float((x - start) @ (slopes + 0.5 * (matrix @ (x - start)))) + lam_n * blocks.value(w)

        first = now = value(x)
        for _ in range(ROUNDS):
            pull, bent = blocks.derivatives(w, support)
            total, right = matrix.copy(), -slopes - matrix @ (x - start)
            total[:size, :size] += lam_n * bent
            right[:size] -= lam_n * pull
            step, moving = np.zeros_like(x), biases | (x != 0.0)
            step[moving] = factored(total[np.ix_(moving, moving)], right[moving])
            crosses = (kinks > 0.0) & (x * step < 0.0)
            crossing = np.divide(-x, step, out=np.full_like(x, np.inf), where=crosses)
            for reach in (1.0, *(min(1.0, crossing.min()) * 0.5 ** np.arange(TRIES))):
                ahead = np.where(crossing <= reach, 0.0, x + reach * step)
                then = value(ahead)
                if then <= now + ROUNDING * abs(now):
                    break
            else:
                break
            x, gained, now = ahead, now - then, then
            if gained <= GAINING * (first - now):
                break
        moved, bend = x - start, state.bend.reshape(-1, self.outputs)
        w[:] = 0.0
        w[support], state.trial[support] = moved[:size], x[:size]
        dz = self._predict(w).reshape(bend.shape)
        if self.free:
            dz += moved[size:]
            state.shift[...] += moved[size:]
        bent = bend * dz
        if self.outputs > 1:
            bent -= simplex.shared(bend) * bent.sum(axis=1, keepdims=True)
        bent += self._damping() * self.problem.weight[:, None] * dz
        state.residual[...] += bent.reshape(state.residual.shape)
        self.numbers[TOTAL] += first - now
        self.counters[ROWS] = 0

    def _on_support(self, support):
        """Return the curvature of the model's loss at entries of w and free biases, and its slopes there."""
        problem, state, outputs = self.problem, self.state, self.outputs
        features, output = np.divmod(support, outputs)
        if self.free:
            features, output = np.append(features, [0] * outputs), np.append(output, range(outputs))
        residual, bend = (part.reshape(-1, outputs) for part in (state.residual, state.bend))
        own = np.sqrt(bend + self._damping() * problem.weight[:, None])
        tied = np.sqrt(simplex.shared(bend) * bend)
        matrix, slopes = np.zeros((features.size, features.size)), np.zeros(features.size)
        for low in range(0, problem.n_samples, BLOCK):
            rows = np.arange(low, min(low + BLOCK, problem.n_samples))
            columns = problem.design.part(rows)[:, features]
            columns = columns if isinstance(columns, np.ndarray) else columns.toarray()
            columns[:, support.size :] = 1.0
            slopes += (columns * residual[rows][:, output]).sum(axis=0)
            if outputs > 1:
                part = columns * tied[rows][:, output]
                matrix -= part.T @ part
            for k in range(outputs):
                of_k = np.flatnonzero(output == k)
                part = columns[:, of_k] * own[rows, k : k + 1]
                matrix[np.ix_(of_k, of_k)] += part.T @ part
        return matrix, slopes
