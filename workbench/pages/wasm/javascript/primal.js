// The Primal Gradient Solver: what `workbench/solvers/algorithms/primal_gradient.py` does around its kernels.

import { upTo } from "./kernels.js";

// The places of the numbers that go with a state.
const FACTOR = 0;
const TOTAL = 1;
const SCALE = 4;
const RATE = 7;

export class PrimalGradient {
  /** @type {any} */ problem;
  /** @type {any} */ output;
  /** @type {any} */ epoch_steps;
  /** @type {any} */ shape;
  /** @type {any} */ averages;
  /** @type {any} */ state;
  /** @type {any} */ settings;
  /** @type {any} */ drawn;
  /** @type {any} */ w;
  /** @type {any} */ alpha;
  /** @type {any} */ space;

  /** @param {any} problem @param {{ batch: any, order: any, output: any, ball: any }} fields @param {number} seed */
  constructor(problem, { batch, order, output, ball }, seed) {
    const { kernels, data, n, d, regularizer } = problem;
    if (data.kernel || data.free_bias || regularizer.norm || batch > n) {
      throw new Error(
        "primal-gradient: it needs a regularizer other than a norm, no kernel, no unregularized bias and a batch of " +
          "at most all samples; or use proximal-gradient",
      );
    }
    this.problem = problem;
    this.output = output;
    this.epoch_steps = Math.floor(n / batch);
    this.shape = this.shapeOf(ball);
    const theta = kernels.floats(d);
    const mirror = this.shape?.[0] === 2 ? theta : kernels.floats(d);
    this.averages = output === "average";
    this.state = {
      theta,
      mirror,
      duals: kernels.floats(n),
      chosen: kernels.floats(output === "random" ? d : 0),
      averaged: kernels.array("f64", this.averages ? 2 * d : 0, [this.averages ? d : 0, 2]),
      pool: kernels.array("u32", upTo(n)),
      numbers: kernels.floats(8),
      counters: kernels.array("i64", [0, seed, 0, 0]),
      event: kernels.floats(new Float64Array(5).fill(NaN)),
    };
    const numbers = this.state.numbers.view;
    [numbers[RATE], numbers[SCALE], numbers[FACTOR]] = [1 / problem.lam, 1, this.shape ? 0 : 1];
    if (!this.shape) problem.map(theta, mirror);
    const [p, kappa, radius] = this.shape ?? [];
    const { averages } = this;
    const { linear } = regularizer;
    this.settings = {
      lam: problem.lam,
      p,
      kappa,
      ball: radius,
      shuffled: order === "shuffled",
      averages,
      lazy: linear && !averages,
      linear,
    };
    this.drawn = kernels.floats(batch);
    this.w = kernels.floats(d);
    this.alpha = kernels.floats(n);
    this.space = {
      parameters: kernels.floats(regularizer.theta),
      vector: kernels.floats(d),
      local: kernels.array("u32", upTo(d)),
      shares: kernels.floats(d),
    };
  }

  /**
   * p, the factor of h and the ball where w is a number times a mirror; null for the others.
   * @param {any} asked
   */
  shapeOf(asked) {
    const { loss, regularizer, zero_value, lam } = this.problem;
    if (!regularizer.squared_norm) {
      if (asked === null) return null;
      throw new Error(`primal-gradient: ball = ${asked} needs a p-norm; leave it out`);
    }
    const [p, kappa, ball] = regularizer.squared_norm;
    const bound = Math.sqrt((kappa * zero_value) / lam);
    const slopes = Math.max(Math.abs(loss.lower), Math.abs(loss.upper));
    if (asked === "known" || (asked === null && slopes === Infinity)) return [p, kappa, Math.min(ball, bound)];
    return [p, kappa, asked === null ? ball : Math.min(ball, asked)];
  }

  /** @param {any} count */
  advance(count) {
    const { problem, state, settings, drawn, space } = this;
    const { kernels, data, samples, weights, functions } = problem;
    const lean = this.shape && !data.dense && !data.given.values.length;
    const common = [count, lean ? data.steps : data.rows, samples, problem.p("slope")];
    if (this.shape) return kernels.call("primal_steps_steps", ...common, settings, drawn, state);
    return kernels.call(
      "primal_general_steps",
      ...common,
      functions.regularizer,
      weights,
      settings,
      drawn,
      space,
      state,
    );
  }

  // The weights that are put out, and the mean of the subgradients as alpha.
  point() {
    const { state, problem } = this;
    const { n, d } = problem;
    const w = this.w.view;
    const alpha = this.alpha.view;
    const steps = Number(state.counters.view[0]);
    const numbers = state.numbers.view;
    const mirror = state.mirror.view;
    const averaged = state.averaged.view;
    for (let j = 0; j < d; j++) {
      if (this.output === "random" && steps) w[j] = state.chosen.view[j];
      else if (this.averages && steps) {
        w[j] = (averaged[2 * j] + mirror[j] * (numbers[TOTAL] - averaged[2 * j + 1])) / steps;
      } else w[j] = numbers[FACTOR] * mirror[j];
    }
    const duals = state.duals.view;
    for (let i = 0; i < n; i++) alpha[i] = duals[i] * (n / (steps + 1));
    return { w: this.w, alpha: this.alpha };
  }

  /** The last iterate as `point` gives it, beside another output. */
  lastPoint() {
    if (this.output === "last") return null;
    const { output, averages } = this;
    [this.output, this.averages] = ["last", false];
    const point = this.point();
    [this.output, this.averages] = [output, averages];
    return point;
  }

  iterate() {
    return this.state.numbers;
  }

  release() {
    const own = [this.drawn, this.w, this.alpha, ...Object.values(this.space)];
    for (const block of new Set([...Object.values(this.state), ...own])) block.release();
  }
}
