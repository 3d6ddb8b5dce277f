// Dual Gauss-Seidel: what `workbench/solvers/algorithms/gauss_seidel.py` does around the same kernels.

import { Block, upTo } from "./kernels.js";

const CLOSED_FORM = 0;
const GRADIENT = 1;
const NEWTON = 2;
const SEARCH = 3;

export class GaussSeidel {
  /** @type {any} */ problem;
  /** @type {any} */ update;
  /** @type {any} */ order;
  /** @type {any} */ scale;
  /** @type {any} */ eta;
  /** @type {any} */ seed;
  /** @type {any} */ tied;
  /** @type {any} */ epoch_steps;
  /** @type {any} */ plain;
  /** @type {any} */ shrinking;
  /** @type {any} */ rule;
  /** @type {any} */ state;
  /** @type {any} */ visits;
  /** @type {any} */ own;
  /** @type {any} */ bound;
  /** @type {any} */ settings;
  /** @type {any} */ direct;
  /** @type {any} */ epoch;

  /**
   * `tied` is {ties, pull, stiffness}, what constraints add: then all steps are the general ones.
   * @param {any} problem
   * @param {{ update: any, order: any, scale: number, eta: any, shrinking: any }} fields
   * @param {number} seed
   * @param {any} [tied]
   */
  constructor(problem, { update, order, scale, eta, shrinking }, seed, tied = null) {
    this.problem = problem;
    this.update = update;
    this.order = order;
    this.scale = scale;
    this.eta = eta;
    this.seed = seed;
    this.tied = tied;
    this.epoch_steps = problem.n;
    const { kernels, data, n, d, loss, regularizer } = problem;
    if (!["cyclic", "shuffled"].includes(order)) {
      throw new Error(`gauss-seidel: order = '${order}' does not run in the browser; use cyclic or shuffled`);
    }
    this.plain = !data.kernel && !tied && regularizer.identity;
    this.shrinking = shrinking && this.plain;
    this.rule = this.ruleOf(update);
    /** @param {number} size */
    const floats = (size) => kernels.floats(size);
    const [alpha, theta] = [floats(n), kernels.floats(regularizer.theta)];
    alpha.view.set(alpha.view.map((/** @type {any} */ _, /** @type {number} */ i) => problem.alphaOf(loss.start, i)));
    const v = floats(data.kernel ? n : d);
    const slopes = data.kernel || this.plain ? v : floats(d);
    this.state = {
      alpha,
      v,
      slopes,
      sums: floats(3),
      theta,
      event: kernels.floats(new Float64Array(7).fill(NaN)),
      queue: kernels.array("u32", upTo(n)),
      queue_counters: kernels.array("i64", 4),
      progress: floats(8),
      counters: kernels.array("i64", [0, seed]),
    };
    this.state.progress.view[6] = Infinity;
    this.aim();
    this.visits = kernels.array("u32", n);
    this.own = [this.visits];
    this.settle();
  }

  /**
   * At other dual variables, each moved into the domain of its conjugate.
   * @param {any} given
   */
  begin(given) {
    const { problem } = this;
    const { weight, sign, loss } = problem;
    const [low, high] = loss.interval;
    this.state.alpha.view.set(
      Float64Array.from(given, (value, i) =>
        problem.alphaOf(Math.min(Math.max(-value / (weight.view[i] * sign.view[i]), low), high), i),
      ),
    );
    this.aim();
  }

  // v and its slopes, of the dual variables.
  aim() {
    const { problem } = this;
    const { kernels, data, n } = problem;
    const { alpha, v, slopes, theta } = this.state;
    if (data.kernel) {
      const factors = data.space("factors", n);
      factors.view.set(alpha.view.map((/** @type {number} */ value) => value / problem.lam_n));
      data.kernel.product(factors, v);
    } else problem.dualVector(alpha, v);
    if (slopes !== v) {
      this.state.sums.view[0] = kernels.call(problem.h("refresh"), problem.weights, v, slopes, theta);
    }
  }

  /** @param {any} update */
  ruleOf(update) {
    const { data, regularizer } = this.problem;
    if (data.kernel) return update === "gradient" ? GRADIENT : CLOSED_FORM;
    if (update === "gradient") return GRADIENT;
    if (update === "newton") return NEWTON;
    if (update === "exact" && !regularizer.quadratic) return SEARCH;
    if (!regularizer.curvature) {
      throw new Error(
        "gauss-seidel: update = 'bounded' needs a bound of the curvature, which this regularizer does not have; " +
          "use 'exact', 'newton' or 'gradient'",
      );
    }
    return CLOSED_FORM;
  }

  // The arguments that no step changes.
  settle() {
    const { problem, rule, eta, scale } = this;
    const { kernels, loss, lam_n, lam, n, data } = problem;
    const [lower, upper] = loss.interval;
    const [middle, kink] = loss.kink;
    this.bound = kernels.floats(rule === CLOSED_FORM && !data.kernel ? problem.curvatureBound() : n);
    this.direct = this.plain && (rule === CLOSED_FORM || rule === GRADIENT);
    this.settings = {
      lam_n,
      lam,
      eta,
      scale,
      lower,
      upper,
      middle,
      kink,
      rule,
      linear: problem.regularizer.linear,
      gradient: rule === GRADIENT,
      shuffled: this.order === "shuffled",
      shrinking: this.shrinking,
    };
    if (this.direct && loss.form) {
      const [second, first, corner] = loss.form;
      Object.assign(this.settings, { kink: corner, is_quadratic: true, second, first });
    } else if (this.direct) Object.assign(this.settings, { is_quadratic: false, second: 0, first: middle });
    this.tied ??= { ties: kernels.array("f64", 0, [n, 0]), pull: kernels.floats(0), stiffness: 0 };
    this.own.push(this.bound, this.tied.ties, this.tied.pull);
  }

  /** @param {any} count @param {any} steps */
  advance(count, steps) {
    const { n } = this.problem;
    let done = 0;
    while (done < count) {
      const place = (steps + done) % n;
      const epoch = Math.floor((steps + done) / n);
      const asked = this.shrinking ? count - done : Math.min(count - done, n - place);
      const order = this.shrinking ? null : this.upcoming(epoch, place, asked);
      const found = this.run(asked, order);
      done += found;
      if (found < asked) break;
    }
    return done;
  }

  /**
   * The samples that come next, a part of an epoch's order.
   * @param {number} epoch @param {any} place @param {number} count
   */
  upcoming(epoch, place, count) {
    if (this.epoch !== epoch) {
      const visits = this.visits.view;
      for (let i = 0; i < visits.length; i++) visits[i] = i;
      if (this.order === "shuffled") {
        this.problem.kernels.call("orders_shuffled", this.visits, this.problem.n, this.seed, epoch);
      }
      this.epoch = epoch;
    }
    const { kernels } = this.problem;
    return new Block(kernels, "u32", this.visits.place + 4 * place, [count]);
  }

  /** @param {any} asked @param {any} order */
  run(asked, order) {
    const { problem, state, bound, settings, tied } = this;
    const { kernels, data, samples, weights, functions } = problem;
    const { loss, regularizer } = functions;
    if (data.kernel) {
      const { arguments: rows, diagonal } = data.kernel;
      return kernels.call("kernel_steps_steps", order, rows, samples, loss, diagonal, settings, state);
    }
    if (this.direct) {
      const queue = order ?? state.queue;
      return kernels.call("linear_steps", asked, queue, data.steps, samples, loss, bound, settings, state);
    }
    return kernels.call(
      "general_steps",
      order,
      data.rows,
      samples,
      loss,
      regularizer,
      weights,
      bound,
      settings,
      tied,
      state,
    );
  }

  point() {
    return { alpha: this.state.alpha };
  }

  iterate() {
    return this.state.alpha;
  }

  release() {
    for (const block of [...new Set(Object.values(this.state)), ...this.own]) block.release();
  }
}
