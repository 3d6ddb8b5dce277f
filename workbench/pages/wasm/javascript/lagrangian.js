// Augmented Lagrangians for an unregularized bias: what `workbench/solvers/algorithms/augmented_lagrangian.py` does around
// the steps of Gauss-Seidel, whose pull is s + (lam n / mu) sum alpha / (lam n).

import { bestBias, regularizerTerms, sampleTerms } from "./certificate.js";
import { GaussSeidel } from "./gauss_seidel.js";

// Of the numbers that go with a state, and of what is compiled: see `workbench/solvers/algorithms/_multipliers.py`.
const MU = 0;
const LAST = 1;
const TOLERANCE = 2;
const TOLD = 3;
const INNER_SHARE = 0.1;
const LEAST_SPREAD = 0.5;

class Lagrangian {
  /** @type {any} */ inner;
  /** @type {any} */ state;
  /** @type {any} */ problem;
  /** @type {any} */ name;
  /** @type {any} */ advice;
  /** @type {any} */ epoch_steps;

  /** @param {any} problem @param {Record<string, any>} fields @param {number} seed */
  constructor(problem, { name, advice, mu, update, order, scale, rate }, seed) {
    const { kernels, data, n } = problem;
    if (!data.free_bias || data.kernel) {
      throw new Error("augmented-lagrangian: it needs bias = true and no kernel; or use gauss-seidel");
    }
    const pull = kernels.floats(1);
    const ties = kernels.array("f64", new Float64Array(n).fill(1), [n, 1]);
    const tied = { ties, pull, stiffness: 1 / mu };
    this.inner = new GaussSeidel(problem, { update, order, scale, eta: rate, shrinking: false }, seed, tied);
    const { queue, queue_counters, progress, ...state } = this.inner.state;
    this.state = { ...state, s: kernels.floats(1), pull, moved: kernels.floats(1), numbers: kernels.floats(9) };
    this.problem = problem;
    this.name = name;
    this.advice = advice;
    this.epoch_steps = n;
    const numbers = this.state.numbers.view;
    [numbers[MU], numbers[LAST], numbers[TOLERANCE]] = [mu, Infinity, INNER_SHARE * problem.zero_value];
    this.between("renew", this.residual());
  }

  /** @param {any} count @param {any} steps */
  advance(count, steps) {
    const { n } = this.problem;
    let done = 0;
    while (done < count) {
      const asked = Math.min(count - done, n - ((steps + done) % n));
      this.inner.tied.stiffness = 1 / this.state.numbers.view[MU];
      const found = this.inner.advance(asked, steps + done);
      done += found;
      if (found < asked) break;
      if ((steps + done) % n === 0) this.endPass(this.residual(), (steps + done) / n);
    }
    return done;
  }

  // C v - b, here sum alpha / (lam n).
  residual() {
    const { data, lam_n } = this.problem;
    const out = data.space("residual", 1);
    out.view[0] =
      this.state.alpha.view.reduce((/** @type {any} */ sum, /** @type {any} */ each) => sum + each, 0) / lam_n;
    return out;
  }

  /**
   * What is done between two passes.
   * @param {any} kernel
   * @param {any} residual
   * @param {...number} numbers
   */
  between(kernel, residual, ...numbers) {
    const { kernels, lam_n } = this.problem;
    kernels.call(`multipliers_${kernel}`, this.state, residual, lam_n, ...numbers);
  }

  // h(v), and the weights and the predictions that the state stands for.
  mapped() {
    const { problem } = this;
    const { data, n, d } = problem;
    const w = data.space("mapped", d);
    const z = data.space("z", n);
    const h = problem.map(this.state.v, w);
    problem.predict(w, z);
    return { h, w, z };
  }

  /**
   * The gap of the dual at this multiplier, without a penalty; the map between v and w holds by itself.
   * @param {any} multiplier
   */
  gapAt(multiplier) {
    const { problem } = this;
    const { z } = this.mapped();
    return (
      sampleTerms(problem, z, this.state.alpha, multiplier).terms.reduce(
        (/** @type {any} */ sum, /** @type {any} */ term) => sum + term,
        0,
      ) / problem.n
    );
  }

  // Where the multiplier stands.
  multipliers() {
    const [s, pull, moved] = ["s", "pull", "moved"].map((name) => [this.state[name].view[0]]);
    const mu = this.state.numbers.view[MU];
    const residual = [this.problem.lam * this.residual().view[0]];
    return { s, pull, residual, moved, mu, gap: this.gapAt(s[0]) };
  }

  /**
   * The primal over the multiplier, at the weights that the state stands for.
   * @param {number} count @param {any} beyond
   */
  profile(count, beyond) {
    const { problem } = this;
    const { kernels, lam, n } = problem;
    const { h, w, z } = this.mapped();
    const level = lam * regularizerTerms(problem, w, this.state.v, w, h).value;
    /** @param {any} s */
    const value = (s) =>
      kernels.call("sample_loops_value_sum", problem.p("value"), problem.samples, z, s, 0, n) / n + level;
    const s = this.state.s.view[0];
    const best = bestBias(problem, z);
    const at = Number.isFinite(best) ? [s, best] : [s];
    const margin = beyond * Math.max(Math.max(...at) - Math.min(...at), LEAST_SPREAD);
    const low = Math.min(...at) - margin;
    const high = Math.max(...at) + margin;
    const step = (high - low) / (count - 1);
    const place = Array.from({ length: count }, (_, k) => (k === count - 1 ? high : low + k * step));
    return { place, value: place.map(value), at, height: at.map(value) };
  }

  // That the multiplier swings without coming to rest.
  trouble() {
    if (!this.state.numbers.view[TOLD]) return null;
    return `${this.name}: the multipliers swing and do not come to rest; ${this.advice}`;
  }

  point() {
    return { alpha: this.state.alpha };
  }

  iterate() {
    return this.state.alpha;
  }

  /**
   * A step of the multiplier after a pass.
   * @param {...any} _values
   */
  endPass(..._values) {}

  release() {
    this.inner.release();
    for (const name of ["s", "moved", "numbers"]) this.state[name].release();
  }
}

export class AugmentedLagrangian extends Lagrangian {
  /**
   * Where the inner problem is solved, a step of s, or of mu.
   * @param {any} residual
   */
  endPass(residual) {
    this.between("renew", residual);
    this.between("settle", residual, this.problem.lam, this.gapAt(this.state.pull.view[0]));
  }
}

export class ModifiedAugmentedLagrangian extends Lagrangian {
  /** @type {any} */ eta;
  /** @type {any} */ passes;

  /** @param {any} problem @param {Facts} facts @param {number} seed */
  constructor(problem, facts, seed) {
    super(problem, facts, seed);
    const { eta, passes } = facts;
    this.eta = eta;
    this.passes = passes;
    this.advice = `lower eta = ${Number(eta.toPrecision(6))}`;
  }

  /**
   * s moves by eta (lam n / mu) (C v - b), where it is its turn.
   * @param {any} residual @param {any} pass
   */
  endPass(residual, pass) {
    if (pass % this.passes === 0) this.between("move", residual, this.eta);
    this.between("renew", residual);
  }
}
