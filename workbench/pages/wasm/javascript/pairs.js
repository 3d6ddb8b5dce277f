// The maximal violating pair method: what `workbench/solvers/algorithms/maximal_violating_pair.py` does around its kernel.

import { upTo } from "./kernels.js";

const NOT_POSITIVE = 3;
// The most memory for rows of the kernel beside a matrix that is kept whole.
const ROW_BYTES = 2 ** 25;

export class MaximalViolatingPair {
  /** @type {any} */ problem;
  /** @type {any} */ epoch_steps;
  /** @type {any} */ matrix;
  /** @type {any} */ targets;
  /** @type {any} */ box;
  /** @type {any} */ settings;
  /** @type {any} */ state;
  /** @type {any} */ cache;
  /** @type {any} */ own;

  /** @param {any} problem @param {{ tol: any, selection: any, shrinking: any }} fields */
  constructor(problem, { tol, selection, shrinking }) {
    this.problem = problem;
    this.epoch_steps = problem.n;
    const { kernels, data, n, loss, regularizer } = problem;
    if (loss.kind !== "margin" || !loss.corner || !regularizer.identity || !data.free_bias) {
      throw new Error(
        "maximal-violating-pair: it needs the hinge, the squared-l2 regularizer and bias = true; or use gauss-seidel",
      );
    }
    const [slope, knee] = loss.corner;
    this.matrix = data.kernelMatrix;
    this.targets = kernels.floats(data.y.map((/** @type {number} */ label) => knee * label));
    this.box = kernels.floats(data.weight.view.map((/** @type {any} */ weight) => slope * weight));
    this.settings = {
      tol,
      lam_n: problem.lam_n,
      lam: problem.lam,
      largest: this.matrix.diagonal.view.reduce(
        (/** @type {any} */ a, /** @type {any} */ b) => Math.max(a, b),
        2 ** -1022,
      ),
      second_order: selection === "second-order",
      shrinking,
    };
    this.state = {
      alpha: kernels.floats(n),
      gradient: kernels.floats(data.y.map((/** @type {number} */ label) => 0 - knee * label)),
      order: kernels.array("u32", upTo(n)),
      sizes: kernels.array("i64", [n, 0, 0, 0]),
      violation: kernels.floats(1),
      counters: kernels.array("i64", 2),
      event: kernels.floats(new Float64Array(10).fill(NaN)),
    };
    const memory = kernels.floats(Math.min(n * n, Math.max(2 * n, ROW_BYTES / 8)));
    const [slot_of, owner, stamp, counters] = [new Array(n).fill(-1), n, n, 3].map((contents) =>
      kernels.array("i64", contents),
    );
    const tables = { slot_of, owner, stamp, counters };
    this.cache = { readable: memory, memory, ...tables };
    this.own = [this.targets, this.box, memory, ...Object.values(tables)];
  }

  /** @param {any} count */
  advance(count) {
    const { problem, state, matrix, settings, cache, targets, box } = this;
    const { arguments: rows, diagonal } = matrix;
    const done = problem.kernels.call("pairs_steps", count, rows, cache, diagonal, targets, box, settings, state);
    state.counters.view[0] += BigInt(done);
    if (Number(state.sizes.view[3]) === NOT_POSITIVE) {
      const [i, j] = state.event.view;
      const curvature = state.event.view[7];
      state.event.view.fill(NaN);
      throw new Error(`the kernel is not positive: K[${i}, ${i}] + K[${j}, ${j}] - 2 K[${i}, ${j}] = ${curvature}`);
    }
    return done;
  }

  // Rows are kept for the order of the samples, which is another one now: a stride of 0 drops them.
  restored() {
    this.cache.counters.view.fill(0n);
  }

  point() {
    return { alpha: this.state.alpha };
  }

  iterate() {
    return this.state.alpha;
  }

  release() {
    for (const block of [...Object.values(this.state), ...this.own]) block.release();
  }
}
