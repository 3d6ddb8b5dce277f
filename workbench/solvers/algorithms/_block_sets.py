"""Looks and models where weights come in groups, or a sample has several outputs."""

import numpy as np

from workbench.kernels import column_loops
from workbench.kernels.arrays import frozen
from workbench.problems.losses import simplex
from workbench.solvers.algorithms import _blocks, _records
from workbench.solvers.algorithms._columns import LEFT, MEMORY, SIZE
from workbench.solvers.algorithms._models import DAMPING, FLOOR, MOST_PASSES, WORTH
from workbench.solvers.algorithms._working_sets import Search


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
        passes = WORTH // (4 * int(self._heights(self._entries() // self.outputs).sum()) + 1)
        self.counters[LEFT] = size * min(max(1, passes), MOST_PASSES)

    def _pays(self, passes):
        # Blocks have no Gram matrix.
        return False
