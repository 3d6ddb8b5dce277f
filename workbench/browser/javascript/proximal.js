// Proximal gradient steps: what `workbench/solvers/proximal_gradient.py` does around its kernel.

const LIPSCHITZ = 0, UPWARDS = 1, BOTH_WAYS = 2;
// Of a penalty that is a sum of formulas.
const SUMMANDS = 1;

export class ProximalGradient {
  constructor(problem, { step, restart }) {
    const { kernels, data, n, d, loss } = problem;
    if (data.kernel || loss.kinks.length || !problem.penalty) {
      throw new Error(
        "proximal-gradient: it needs a loss without kinks, a regularizer with a proximal point and no kernel; " +
        "or use gauss-seidel");
    }
    if (!data.spectrum) throw new Error("proximal-gradient: the page has no spectrum of the data; pack it with one");
    const bounded = loss.curvature < Infinity, searched = step === "backtracking" || !bounded;
    this.rule = !bounded ? BOTH_WAYS : step === "lipschitz" ? LIPSCHITZ : UPWARDS;
    const { largest, columns } = data.spectrum;
    let constant = ((bounded ? loss.curvature : 1) * (searched ? columns : largest ** 2)) / n;
    if (!(constant > 0)) constant = 1;
    this.state = {
      w: kernels.floats(d), before: kernels.floats(d), extrapolated: kernels.floats(d), b: kernels.floats(1),
      numbers: kernels.floats([1, constant]), event: kernels.floats(new Float64Array(5).fill(NaN)),
    };
    const space = [n, n, d, d, d, problem.penalty[5].size, problem.penalty[5].size];
    this.own = space.map((size) => kernels.floats(size));
    Object.assign(this, { problem, restart, epoch_steps: 1 });
  }

  advance(count) {
    const { problem, state } = this, { regularizer } = problem, slope = problem.p("slope");
    const scalars = regularizer.penalty.kind === SUMMANDS
      ? [problem.h("inner_slope"), problem.h("inner_curvature")] : [slope, slope];
    return problem.kernels.call(
      "proximal_steps_steps", count, this.rule, this.restart, problem.data.free_bias, problem.lam,
      "products_predictions", "products_transposed", "sample_loops_dual_points", "sample_loops_value_sum",
      "bias_loops_newton", "proximal_point", problem.data.matrix, problem.samples, problem.penalty,
      problem.p("value"), slope, ...scalars, state.w, state.before, state.extrapolated, state.b, state.numbers,
      state.event, ...this.own);
  }

  point() { return { w: this.state.w }; }

  iterate() { return this.state.w; }

  release() { for (const block of [...Object.values(this.state), ...this.own]) block.release(); }
}
