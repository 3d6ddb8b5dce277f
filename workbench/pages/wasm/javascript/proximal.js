// Proximal gradient steps: what `workbench/solvers/algorithms/proximal_gradient.py` does around its kernel.

const LIPSCHITZ = 0;
const UPWARDS = 1;
const BOTH_WAYS = 2;
// Of a penalty that is a sum of formulas.
const SUMMANDS = 1;

export class ProximalGradient {
  /** @type {any} */ rule;
  /** @type {any} */ state;
  /** @type {any} */ space;
  /** @type {any} */ problem;
  /** @type {any} */ restart;
  epoch_steps = 1;

  /** @param {any} problem @param {{ step: any, restart: any }} fields */
  constructor(problem, { step, restart }) {
    const { kernels, data, n, d, loss } = problem;
    if (data.kernel || loss.kinks.length || !problem.penalty) {
      throw new Error(
        "proximal-gradient: it needs a loss without kinks, a regularizer with a proximal point and no kernel; " +
          "or use gauss-seidel",
      );
    }
    if (!data.spectrum) throw new Error("proximal-gradient: the page has no spectrum of the data; pack it with one");
    const bounded = loss.curvature < Infinity;
    const searched = step === "backtracking" || !bounded;
    this.rule = !bounded ? BOTH_WAYS : step === "lipschitz" ? LIPSCHITZ : UPWARDS;
    const { largest, columns } = data.spectrum;
    let constant = ((bounded ? loss.curvature : 1) * (searched ? columns : largest ** 2)) / n;
    if (!(constant > 0)) constant = 1;
    this.state = {
      w: kernels.floats(d),
      before: kernels.floats(d),
      extrapolated: kernels.floats(d),
      b: kernels.floats(1),
      numbers: kernels.floats([1, constant]),
      event: kernels.floats(new Float64Array(5).fill(NaN)),
    };
    const groups = problem.penalty.order.size;
    const sizes = { z: n, alpha: n, direction: d, ahead: d, tried: d, values: groups, parts: groups };
    this.space = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, kernels.floats(size)]));
    this.problem = problem;
    this.restart = restart;
  }

  /** @param {any} count */
  advance(count) {
    const { problem, state, space } = this;
    const { kernels, regularizer, data, samples, penalty, lam } = problem;
    const summed = regularizer.penalty.kind === SUMMANDS;
    const slope = problem.p("slope");
    const maps = {
      predict: "products_predictions",
      transpose: "products_transposed",
      map_duals: "sample_loops_dual_points",
      sum_values: "sample_loops_value_sum",
      newton_bias: "bias_loops_newton",
      proximal_point: "proximal_point",
      value: problem.p("value"),
      slope,
      prox_slope: summed ? problem.h("inner_slope") : slope,
      prox_curvature: summed ? problem.h("inner_curvature") : slope,
    };
    const settings = { lam, rule: this.rule, restart: this.restart, free: data.free_bias };
    const { matrix } = data;
    return kernels.call("proximal_steps_steps", count, settings, maps, matrix, samples, penalty, state, space);
  }

  point() {
    return { w: this.state.w };
  }

  iterate() {
    return this.state.w;
  }

  release() {
    for (const block of [...Object.values(this.state), ...Object.values(this.space)]) block.release();
  }
}
