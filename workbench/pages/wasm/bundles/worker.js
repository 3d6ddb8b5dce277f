// Made of workbench/pages/wasm/javascript/entries/worker.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { Data, Engine, FARTHEST, INSIDE, PRECISION, PrimalGradient, Problem, TREE, balance, best_bias, best_multiple, certify, dual_norm, dual_points, norm_space, sample_terms } = (() => {
"use strict";
// certificate.js
var TINY = 1e-12;
var INSIDE = 1 - 2 ** -50;
var FARTHEST = 64;
var PRECISION = 1e-9;
var TREE = 3;
function certify(problem, { alpha = null, w = null, b = null }) {
  const { data, n, d } = problem;
  const duals = data.space("duals", n), v = data.space("v", d), mapped = data.space("mapped", d);
  const z = data.space("z", n), free = data.free_bias;
  if (w !== null) problem.predict(w, z);
  if (alpha !== null) duals.view.set(alpha.view);
  else {
    b ??= free ? best_bias(problem, z) : 0;
    dual_points(problem, z, b, duals);
  }
  feasible(problem, duals);
  if (free) balance(problem, duals);
  if (data.kernel) return kernel_certificate(problem, duals, z);
  problem.dual_vector(duals, v);
  if (problem.regularizer.norm) {
    scale(duals.view, v.view, alpha === null ? best_multiple(problem, duals, v) : Math.min(1, INSIDE / dual_norm(problem, v)));
  }
  const h = problem.regularizer.norm ? 0 : problem.map(v, mapped);
  if (w === null) {
    w = mapped;
    problem.predict(w, z);
  }
  if (free) b ??= best_bias(problem, z);
  b ??= 0;
  const losses = sample_terms(problem, z, duals, b);
  const bracket = regularizer_terms(problem, w, v, mapped, h);
  return assembled(problem, losses, bracket, h, { w: w.copy(), v: v.copy(), b, alpha: duals.copy(), z: z.copy() });
}
function kernel_certificate(problem, duals, f) {
  const { n, lam_n, data } = problem, factors = data.space("factors", n);
  factors.view.set(duals.view.map((value) => value / lam_n));
  data.kernel.product(factors, f);
  const alpha = duals.view, values = f.view;
  let energy = 0;
  for (let i = 0; i < n; i++) energy += alpha[i] * values[i];
  const h = Math.max(energy, 0) / (2 * lam_n), b = data.free_bias ? best_bias(problem, f) : 0;
  const losses = sample_terms(problem, f, duals, b);
  return assembled(problem, losses, { value: h, sum: 0 }, h, { w: null, v: null, b, alpha: duals.copy(), z: f.copy() });
}
function sample_terms(problem, z, alpha, b) {
  const { kernels, data, n } = problem, terms = data.space("terms", n), offset = data.space("offset", 1);
  if (b !== 0) {
    const values = z.view;
    for (let i = 0; i < n; i++) values[i] += b;
  }
  offset.view[0] = b;
  const [value, conjugate] = kernels.call(
    "sample_loops_terms",
    problem.p("value"),
    problem.p("conjugate"),
    problem.samples,
    z,
    alpha,
    offset,
    0,
    n,
    terms
  );
  return { value, conjugate, terms: terms.copy() };
}
function regularizer_terms(problem, w, v, mapped, h) {
  const { kernels, weights, transfer, regularizer, data, d } = problem, { structure } = regularizer;
  const [, first, second, ball] = transfer.view;
  const [kernel, ...given] = regularizer.norm ? ["norm_loops_terms", problem.penalty, w, v, ...norm_space(problem), data.space("left", d)] : structure === "separable" ? ["term_loops_separable_sum", problem.h("primal"), problem.h("inner"), w, v, weights, transfer] : structure === "simplex" ? ["term_loops_simplex_sum", w, mapped, v, weights, first, h] : [`term_loops_${ball === void 0 ? "norm" : "ball"}_sum`, w, v, first, ball ?? second];
  const [sum, value] = kernels.call(kernel, ...given);
  return { value, sum };
}
function norm_space({ data, penalty }) {
  return ["one", "other"].map((name) => data.space(`${name} ${penalty[5].size}`, penalty[5].size));
}
function dual_norm(problem, v) {
  const { kernels, data, penalty, d } = problem, [values] = norm_space(problem);
  const [kind, , , , , order, starts, weights] = penalty;
  if (kind === TREE) {
    return kernels.call("group_loops_tree_dual", v, order, starts, weights, data.space("left", d), values);
  }
  const sizes = data.space(`sizes ${weights.size}`, weights.size);
  return kernels.call("norm_loops_dual_norm", penalty, v, values, sizes);
}
function best_multiple(problem, alpha, v) {
  const { kernels, loss, samples, n } = problem, size = dual_norm(problem, v), values = alpha.view;
  const reach = size > 0 ? INSIDE / size : Infinity;
  const weight = problem.weight.view, sign = problem.sign.view, shift = problem.shift.view;
  if (loss.parabola) {
    const [a, b] = loss.parabola;
    let square = 0, along = 0;
    for (let i = 0; i < n; i++) {
      square += values[i] ** 2 / weight[i];
      along += values[i] * (0 - sign[i] * (shift[i] + b / a));
    }
    return Math.min(Math.max(square > 0 ? a * along / square : 1, -reach), reach);
  }
  const farthest = Math.min(reach, kernels.call("sample_loops_room", samples, alpha, 0, n), FARTHEST);
  if (!(farthest > 0)) return 0;
  return kernels.call(
    "norm_loops_best_multiple",
    problem.p("conjugate"),
    samples,
    alpha,
    farthest,
    PRECISION * farthest
  );
}
function scale(alpha, v, factor) {
  for (let i = 0; i < alpha.length; i++) alpha[i] *= factor;
  for (let j = 0; j < v.length; j++) v[j] *= factor;
}
function assembled(problem, losses, bracket, h, point) {
  const { n, lam, zero_value } = problem;
  let primal = losses.value / n + lam * bracket.value, dual = 0 - (losses.conjugate / n + lam * h);
  const sample_terms2 = losses.terms.map((term) => term / n), regularizer_term = lam * bracket.sum;
  let gap = sample_terms2.reduce((a, b2) => a + b2, 0) + regularizer_term;
  const { w, b, alpha, z } = point;
  const finite = [w ?? [], [b ?? 0], alpha, z].every((part) => part.every(Number.isFinite));
  if (Number.isNaN(gap) || Number.isNaN(primal) || Number.isNaN(dual) || !finite) {
    [primal, dual, gap] = [Infinity, -Infinity, Infinity];
  }
  if (dual === -Infinity) gap = Infinity;
  const size = Math.max(Math.abs(primal), Math.abs(dual), TINY * zero_value);
  const relative_gap = Number.isFinite(gap) ? size > 0 ? gap / size : 0 : Infinity;
  return { primal, dual, gap, relative_gap, sample_terms: sample_terms2, regularizer_term, ...point };
}
function dual_points(problem, z, b, alpha) {
  const { kernels, data, loss, samples, n } = problem;
  if (data.free_bias && loss.straight) {
    kernels.call("bias_loops_subgradients", samples, ...kinks(problem), z, b, alpha);
  } else kernels.call("sample_loops_dual_points", problem.p("slope"), samples, z, b, 0, n, alpha);
}
function feasible(problem, alpha) {
  const inside = problem.data.space("inside", problem.n);
  problem.kernels.call("sample_loops_feasible", problem.samples, alpha, 0, problem.n, inside);
  alpha.view.set(inside.view);
}
function balance(problem, alpha) {
  const { kernels, data, loss, n } = problem;
  const [low, high] = [loss.lower, loss.upper].map((end) => alpha.view.map((_, i) => problem.alpha_of(end, i)));
  const [lower, upper, moved] = ["lower", "upper", "moved"].map((name) => data.space(name, n));
  lower.view.set(low.map((end, i) => Math.min(end, high[i])));
  upper.view.set(low.map((end, i) => Math.max(end, high[i])));
  const points = [data.space("points", 2 * n), data.space("spare", 2 * n)];
  const spaces = [data.space("active", n, "i64"), ...points, moved];
  const projected = kernels.call("bias_loops_balanced", alpha, lower, upper, ...spaces);
  alpha.view.set(moved.view);
  return projected;
}
function best_bias(problem, z, start = 0) {
  const { kernels, data, loss, samples, n } = problem;
  if (!loss.straight) {
    return kernels.call(
      "bias_loops_newton",
      problem.p("slope"),
      start,
      z,
      problem.sign,
      problem.shift,
      problem.weight,
      problem.theta
    );
  }
  const found = kinks(problem), size = found[0].size * n;
  const points = data.space(`breaks ${size}`, size), jumps = data.space(`jumps ${size}`, size);
  return kernels.call("bias_loops_straight", samples, ...found, z, points, jumps);
}
function kinks(problem) {
  const { data, loss } = problem, count = loss.kinks.length;
  return [0, 1, 2].map((part) => {
    const block = data.space(`kinks ${part} ${count}`, count);
    block.view.set(loss.kinks.map((kink) => kink[part]));
    return block;
  });
}

// kernels.js
var ITEMS = { f64: Float64Array, i64: BigInt64Array, u64: BigUint64Array, u32: Uint32Array, u8: Uint8Array };
var Block = class {
  // An array in the memory of the kernels; `view` is made afresh where that memory has grown.
  constructor(kernels, kind, place, shape) {
    Object.assign(this, { kernels, kind, place, shape, size: shape.reduce((a, b) => a * b, 1) });
    this.item = ITEMS[kind].BYTES_PER_ELEMENT;
  }
  get view() {
    const { buffer } = this.kernels.memory;
    if (this.buffer !== buffer) {
      this.buffer = buffer;
      this.shown = new ITEMS[this.kind](buffer, this.place, this.size);
    }
    return this.shown;
  }
  copy() {
    return this.view.slice();
  }
  release() {
    this.kernels.exports.release(this.place);
  }
};
var Kernels = class _Kernels {
  static async load(bytes, functions) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new _Kernels(instance.exports, functions);
  }
  constructor(exports, functions) {
    Object.assign(this, { exports, functions, memory: exports.memory, places: {} });
    this.result = exports.allocate(64) >>> 0;
  }
  // An array with these contents, or of so many zeros.
  array(kind, contents, shape) {
    const size = typeof contents === "number" ? contents : contents.length;
    const place = this.exports.allocate(Math.max(8, size * ITEMS[kind].BYTES_PER_ELEMENT)) >>> 0;
    if (!place) throw new Error("the browser gives no more memory; use a smaller data set");
    const block = new Block(this, kind, place, shape ?? [size]);
    if (typeof contents === "number") block.view.fill(kind.includes("64") && kind !== "f64" ? 0n : 0);
    else block.view.set(kind.includes("64") && kind !== "f64" ? Array.from(contents, BigInt) : contents);
    return block;
  }
  floats(contents) {
    return this.array("f64", contents);
  }
  // The place of a function in the table of those that kernels call.
  place(name) {
    if (!(name in this.places)) {
      const table = this.exports.__indirect_function_table;
      this.places[name] = table.grow(1);
      table.set(this.places[name], this.exports[name]);
    }
    return this.places[name];
  }
  call(name, ...given) {
    const { arguments: kinds, result } = this.functions[name];
    if (given.length !== kinds.length) throw new Error(`${name} takes ${kinds.length} arguments`);
    const flat = [this.result, this.result + 32];
    kinds.forEach((kind, k) => this.flatten(kind, given[k], flat));
    const status = this.exports[name](...flat);
    if (status) throw new Error(`${name} ended with status ${status}`);
    const view = new DataView(this.memory.buffer, this.result);
    if (result === null) return void 0;
    if (result === "i64") return Number(view.getBigInt64(0, true));
    return Array.isArray(result) ? result.map((_, k) => view.getFloat64(8 * k, true)) : view.getFloat64(0, true);
  }
  flatten(kind, value, flat) {
    if (Array.isArray(kind)) kind.forEach((part, k) => this.flatten(part, value[k], flat));
    else if (kind === "function") flat.push(0, 0, value === null ? 0 : this.place(value));
    else if (kind === "f64") flat.push(value);
    else if (kind === "bool") flat.push(value ? 1 : 0);
    else if (kind === "i64" || kind === "u64") flat.push(BigInt(value));
    else {
      const { size, item, place, shape } = value;
      const strides = shape.map((_, k) => shape.slice(k + 1).reduce((a, b) => a * b, item));
      flat.push(0, 0, BigInt(size), BigInt(item), place, ...shape.map(BigInt), ...strides.map(BigInt));
    }
  }
};

// gauss_seidel.js
var CLOSED_FORM = 0;
var GRADIENT = 1;
var NEWTON = 2;
var SEARCH = 3;
var GaussSeidel = class {
  // `tied` is {ties, pull, stiffness}, what constraints add: then all steps are the general ones.
  constructor(problem, { update, order, scale: scale2, eta, shrinking }, seed, tied = null) {
    Object.assign(this, { problem, update, order, scale: scale2, eta, seed, tied, epoch_steps: problem.n });
    const { kernels, data, n, d, loss, regularizer } = problem;
    if (!["cyclic", "shuffled"].includes(order)) {
      throw new Error(`gauss-seidel: order = '${order}' does not run in the browser; use cyclic or shuffled`);
    }
    this.plain = !data.kernel && !tied && regularizer.identity;
    this.shrinking = shrinking && this.plain;
    this.rule = this.rule_of(update);
    const floats = (size) => kernels.floats(size), [alpha, theta] = [floats(n), kernels.floats(regularizer.theta)];
    alpha.view.set(alpha.view.map((_, i) => problem.alpha_of(loss.start, i)));
    const v = floats(data.kernel ? n : d), slopes = data.kernel || this.plain ? v : floats(d);
    this.state = {
      alpha,
      v,
      slopes,
      sums: floats(3),
      theta,
      event: kernels.floats(new Float64Array(7).fill(NaN)),
      queue: kernels.array("u32", Uint32Array.from({ length: n }, (_, i) => i)),
      queue_counters: kernels.array("i64", 4),
      progress: floats(8)
    };
    this.state.progress.view[6] = Infinity;
    this.aim();
    this.visits = kernels.array("u32", n);
    this.own = [this.visits];
    this.settle();
  }
  // At other dual variables, each moved into the domain of its conjugate.
  begin(given) {
    const { problem } = this, { weight, sign, loss } = problem, [low, high] = loss.interval;
    this.state.alpha.view.set(Float64Array.from(given, (value, i) => problem.alpha_of(Math.min(Math.max(-value / (weight.view[i] * sign.view[i]), low), high), i)));
    this.aim();
  }
  // v and its slopes, of the dual variables.
  aim() {
    const { problem } = this, { kernels, data, n } = problem, { alpha, v, slopes, theta } = this.state;
    if (data.kernel) {
      const factors = data.space("factors", n);
      factors.view.set(alpha.view.map((value) => value / problem.lam_n));
      data.kernel.product(factors, v);
    } else problem.dual_vector(alpha, v);
    if (slopes !== v) {
      this.state.sums.view[0] = kernels.call(problem.h("refresh"), problem.weights, v, slopes, theta);
    }
  }
  rule_of(update) {
    const { data, regularizer } = this.problem;
    if (data.kernel) return update === "gradient" ? GRADIENT : CLOSED_FORM;
    if (update === "gradient") return GRADIENT;
    if (update === "newton") return NEWTON;
    if (update === "exact" && !regularizer.quadratic) return SEARCH;
    if (!regularizer.curvature) {
      throw new Error(
        "gauss-seidel: update = 'bounded' needs a bound of the curvature, which this regularizer does not have; use 'exact', 'newton' or 'gradient'"
      );
    }
    return CLOSED_FORM;
  }
  // The arguments that no step changes; the last of the settings is the stiffness of the constraints.
  settle() {
    const { problem, rule } = this, { kernels, loss, lam_n, lam, n, data } = problem;
    const bound = kernels.floats(rule === CLOSED_FORM && !data.kernel ? problem.curvature_bound() : n);
    const common = [lam_n, lam, this.eta, this.scale, ...loss.interval];
    const [middle, kink] = loss.kink, form = loss.form;
    const linear = form ? [form[2], 1, form[0], form[1]] : [kink, 0, 0, middle];
    const direct = this.plain && (rule === CLOSED_FORM || rule === GRADIENT);
    const numbers = direct ? linear : data.kernel ? [middle, kink] : [middle, kink, 0];
    const settings = kernels.floats([...common, ...numbers]);
    this.tied ??= { ties: kernels.array("f64", 0, [n, 0]), pull: kernels.floats(0) };
    Object.assign(this, { bound, settings, direct });
    this.own.push(bound, settings, this.tied.ties, this.tied.pull);
  }
  advance(count, steps) {
    const { n } = this.problem;
    let done = 0;
    while (done < count) {
      const place = (steps + done) % n, epoch = Math.floor((steps + done) / n);
      const asked = this.shrinking ? count - done : Math.min(count - done, n - place);
      const order = this.shrinking ? null : this.upcoming(epoch, place, asked);
      const found = this.run(asked, order);
      done += found;
      if (found < asked) break;
    }
    return done;
  }
  // The samples that come next, a part of an epoch's order.
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
  run(asked, order) {
    const { problem, state, seed, shrinking, bound, settings, rule, direct } = this, { data } = problem;
    const given = {
      n_steps: asked,
      order,
      queue: order ?? state.queue,
      seed,
      shuffled: this.order === "shuffled",
      shrinking,
      bound,
      settings,
      rule,
      gradient: rule === GRADIENT,
      f: state.v,
      rows: data.kernel?.arguments,
      diagonal: data.kernel?.diagonal,
      ...this.tied
    };
    const kernel = data.kernel ? "kernel_steps" : direct ? "linear" : "general";
    return problem.run(`${kernel}_steps`, state, direct ? data.steps : data.rows, given);
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
};

// lagrangian.js
var MU = 0;
var LAST = 1;
var TOLERANCE = 2;
var TOLD = 3;
var INNER_SHARE = 0.1;
var LEAST_SPREAD = 0.5;
var Lagrangian = class {
  constructor(problem, { name, advice, mu, update, order, scale: scale2, rate }, seed) {
    const { kernels, data, n } = problem;
    if (!data.free_bias || data.kernel) {
      throw new Error("augmented-lagrangian: it needs bias = true and no kernel; or use gauss-seidel");
    }
    const pull = kernels.floats(1), ties = kernels.array("f64", new Float64Array(n).fill(1), [n, 1]);
    this.inner = new GaussSeidel(problem, { update, order, scale: scale2, eta: rate, shrinking: false }, seed, { ties, pull });
    const { queue, queue_counters, progress, ...state } = this.inner.state;
    this.state = { ...state, s: kernels.floats(1), pull, moved: kernels.floats(1), numbers: kernels.floats(9) };
    Object.assign(this, { problem, name, advice, epoch_steps: n });
    const numbers = this.state.numbers.view;
    [numbers[MU], numbers[LAST], numbers[TOLERANCE]] = [mu, Infinity, INNER_SHARE * problem.zero_value];
    this.between("renew", this.residual());
  }
  advance(count, steps) {
    const { n } = this.problem;
    let done = 0;
    while (done < count) {
      const asked = Math.min(count - done, n - (steps + done) % n);
      this.inner.settings.view[8] = 1 / this.state.numbers.view[MU];
      const found = this.inner.advance(asked, steps + done);
      done += found;
      if (found < asked) break;
      if ((steps + done) % n === 0) this.end_pass(this.residual(), (steps + done) / n);
    }
    return done;
  }
  // C v - b, here sum alpha / (lam n).
  residual() {
    const { data, lam_n } = this.problem, out = data.space("residual", 1);
    out.view[0] = this.state.alpha.view.reduce((sum, each) => sum + each, 0) / lam_n;
    return out;
  }
  // What is done between two passes.
  between(kernel, residual, given) {
    this.problem.run(`multipliers_${kernel}`, this.state, [], { residual, ...given });
  }
  // h(v), and the weights and the predictions that the state stands for.
  mapped() {
    const { problem } = this, { data, n, d } = problem, w = data.space("mapped", d), z = data.space("z", n);
    const h = problem.map(this.state.v, w);
    problem.predict(w, z);
    return { h, w, z };
  }
  // The gap of the dual at this multiplier, without a penalty; the map between v and w holds by itself.
  gap_at(multiplier) {
    const { problem } = this, { z } = this.mapped();
    return sample_terms(problem, z, this.state.alpha, multiplier).terms.reduce((sum, term) => sum + term, 0) / problem.n;
  }
  // Where the multiplier stands.
  multipliers() {
    const [s, pull, moved] = ["s", "pull", "moved"].map((name) => [this.state[name].view[0]]);
    const mu = this.state.numbers.view[MU], residual = [this.problem.lam * this.residual().view[0]];
    return { s, pull, residual, moved, mu, gap: this.gap_at(s[0]) };
  }
  // The primal over the multiplier, at the weights that the state stands for.
  profile(count, beyond) {
    const { problem } = this, { kernels, lam, n } = problem, { h, w, z } = this.mapped();
    const level = lam * regularizer_terms(problem, w, this.state.v, w, h).value;
    const value = (s2) => kernels.call("sample_loops_value_sum", problem.p("value"), problem.samples, z, s2, 0, n) / n + level;
    const s = this.state.s.view[0], best = best_bias(problem, z), at = Number.isFinite(best) ? [s, best] : [s];
    const margin = beyond * Math.max(Math.max(...at) - Math.min(...at), LEAST_SPREAD);
    const low = Math.min(...at) - margin, high = Math.max(...at) + margin, step = (high - low) / (count - 1);
    const place = Array.from({ length: count }, (_, k) => k === count - 1 ? high : low + k * step);
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
  release() {
    this.inner.release();
    for (const name of ["s", "moved", "numbers"]) this.state[name].release();
  }
};
var AugmentedLagrangian = class extends Lagrangian {
  // Where the inner problem is solved, a step of s, or of mu.
  end_pass(residual) {
    this.between("renew", residual);
    this.between("settle", residual, { gap: this.gap_at(this.state.pull.view[0]) });
  }
};
var ModifiedAugmentedLagrangian = class extends Lagrangian {
  constructor(problem, facts, seed) {
    super(problem, facts, seed);
    const { eta, passes } = facts;
    Object.assign(this, { eta, passes, advice: `lower eta = ${Number(eta.toPrecision(6))}` });
  }
  // s moves by eta (lam n / mu) (C v - b), where it is its turn.
  end_pass(residual, pass) {
    if (pass % this.passes === 0) this.between("move", residual, { eta: this.eta });
    this.between("renew", residual);
  }
};

// pairs.js
var NOT_POSITIVE = 3;
var ROW_BYTES = 2 ** 25;
var MaximalViolatingPair = class {
  constructor(problem, { tol, selection, shrinking }) {
    Object.assign(this, { problem, tol, selection, shrinking, epoch_steps: problem.n });
    const { kernels, data, n, loss, regularizer } = problem;
    if (loss.kind !== "margin" || !loss.corner || !regularizer.identity || !data.free_bias) {
      throw new Error(
        "maximal-violating-pair: it needs the hinge, the squared-l2 regularizer and bias = true; or use gauss-seidel"
      );
    }
    const [slope, knee] = loss.corner;
    this.matrix = data.kernel_matrix;
    this.targets = kernels.floats(data.y.map((label) => knee * label));
    this.box = kernels.floats(data.weight.view.map((weight) => slope * weight));
    this.settings = kernels.floats([
      tol,
      problem.lam_n,
      problem.lam,
      this.matrix.diagonal.view.reduce((a, b) => Math.max(a, b), 2 ** -1022)
    ]);
    this.state = {
      alpha: kernels.floats(n),
      gradient: kernels.floats(data.y.map((label) => 0 - knee * label)),
      order: kernels.array("u32", Uint32Array.from({ length: n }, (_, i) => i)),
      sizes: kernels.array("i64", [n, 0, 0, 0]),
      violation: kernels.floats(1),
      counters: kernels.array("i64", 2),
      event: kernels.floats(new Float64Array(10).fill(NaN))
    };
    const memory = kernels.floats(Math.min(n * n, Math.max(2 * n, ROW_BYTES / 8)));
    const tables = [new Array(n).fill(-1), n, n, 3].map((contents) => kernels.array("i64", contents));
    this.cache = [memory, memory, ...tables];
    this.own = [this.targets, this.box, this.settings, memory, ...tables];
  }
  advance(count) {
    const { problem, state, matrix, settings, shrinking, cache, box } = this;
    const done = problem.run("pairs_steps", state, [], {
      n_steps: count,
      settings,
      second_order: this.selection === "second-order",
      shrinking,
      rows: matrix.arguments,
      cache,
      kernel_diagonal: matrix.diagonal,
      y: this.targets,
      box,
      g: state.gradient
    });
    state.counters.view[0] += BigInt(done);
    if (Number(state.sizes.view[3]) === NOT_POSITIVE) {
      const [i, j] = state.event.view, curvature = state.event.view[7];
      state.event.view.fill(NaN);
      throw new Error(`the kernel is not positive: K[${i}, ${i}] + K[${j}, ${j}] - 2 K[${i}, ${j}] = ${curvature}`);
    }
    return done;
  }
  // Rows are kept for the order of the samples, which is another one now: a stride of 0 drops them.
  restored() {
    this.cache[5].view.fill(0n);
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
};

// primal.js
var FACTOR = 0;
var TOTAL = 1;
var SCALE = 4;
var RATE = 7;
var PrimalGradient = class {
  constructor(problem, { batch, order, output, ball }, seed) {
    const { kernels, data, n, d, regularizer } = problem;
    if (data.kernel || data.free_bias || regularizer.norm || batch > n) {
      throw new Error(
        "primal-gradient: it needs a regularizer that is no norm, no kernel, no unregularized bias and a batch of at most all samples; or use proximal-gradient"
      );
    }
    Object.assign(this, { problem, batch, order, output, epoch_steps: Math.floor(n / batch) });
    this.shape = this.shape_of(ball);
    const theta = kernels.floats(d), mirror = this.shape?.[0] === 2 ? theta : kernels.floats(d);
    this.averages = output === "average";
    this.state = {
      theta,
      mirror,
      duals: kernels.floats(n),
      chosen: kernels.floats(output === "random" ? d : 0),
      averaged: kernels.array("f64", this.averages ? 2 * d : 0, [this.averages ? d : 0, 2]),
      pool: kernels.array("u32", Uint32Array.from({ length: n }, (_, i) => i)),
      numbers: kernels.floats(8),
      counters: kernels.array("i64", [0, seed, 0, 0]),
      event: kernels.floats(new Float64Array(5).fill(NaN))
    };
    const numbers = this.state.numbers.view;
    [numbers[RATE], numbers[SCALE], numbers[FACTOR]] = [1 / problem.lam, 1, this.shape ? 0 : 1];
    if (!this.shape) problem.map(theta, mirror);
    this.parameters = kernels.floats(regularizer.theta);
    this.settings = kernels.floats([problem.lam, ...this.shape ?? []]);
    this.drawn = kernels.floats(batch);
    this.w = kernels.floats(d);
    this.alpha = kernels.floats(n);
    this.space = [kernels.floats(d), kernels.array("u32", Uint32Array.from({ length: d }, (_, j) => j)), kernels.floats(d)];
  }
  // p, the factor of h and the ball where w is a number times a mirror; null for the others.
  shape_of(asked) {
    const { loss, regularizer, zero_value, lam } = this.problem;
    if (!regularizer.squared_norm) {
      if (asked === null) return null;
      throw new Error(`primal-gradient: ball = ${asked} needs a p-norm; leave it out`);
    }
    const [p, kappa, ball] = regularizer.squared_norm, bound = Math.sqrt(kappa * zero_value / lam);
    const slopes = Math.max(Math.abs(loss.lower), Math.abs(loss.upper));
    if (asked === "known" || asked === null && slopes === Infinity) return [p, kappa, Math.min(ball, bound)];
    return [p, kappa, asked === null ? ball : Math.min(ball, asked)];
  }
  advance(count) {
    const { problem, state, settings, parameters, averages } = this, { data, regularizer } = problem;
    const [vector, local, shares] = this.space;
    const given = {
      n_steps: count,
      shuffled: this.order === "shuffled",
      averages,
      batch: this.drawn,
      settings,
      parameters,
      lazy: regularizer.linear && !averages,
      w: state.mirror,
      vector,
      local,
      shares
    };
    const lean = this.shape && !data.dense && !data.given.values.length;
    return problem.run(`primal_${this.shape ? "steps" : "general"}_steps`, state, lean ? data.steps : data.rows, given);
  }
  // The weights that are put out, and the mean of the subgradients as alpha.
  point() {
    const { state, problem } = this, { n, d } = problem, w = this.w.view, alpha = this.alpha.view;
    const steps = Number(state.counters.view[0]), numbers = state.numbers.view, mirror = state.mirror.view;
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
  iterate() {
    return this.state.numbers;
  }
  release() {
    const own = [this.parameters, this.settings, this.drawn, this.w, this.alpha, ...this.space];
    for (const block of /* @__PURE__ */ new Set([...Object.values(this.state), ...own])) block.release();
  }
};

// problem.js
var LOSS = ["value", "slope", "conjugate", "conjugate_slope", "coordinate"];
var Data = class {
  // `matrix` holds rows: offsets, indices and values, the values empty where all are 1; or, where the matrix
  // is dense, the values alone.
  constructor(kernels, { n, d, offsets, indices, values, y, weight, free_bias, kernel, spectrum = null }) {
    Object.assign(this, { kernels, n, d, free_bias, spectrum, y: Float64Array.from(y), dense: offsets.length === 0 });
    this.given = { offsets, indices, values };
    this.blocks = [];
    this.offsets = this.array("u64", offsets);
    this.indices = this.array("u32", indices);
    this.values = this.array("f64", values);
    this.weight = this.array("f64", weight);
    this.matrix = [this.offsets, this.indices, this.values, n, d, this.dense ? 1 : 0];
    this.steps = [this.offsets, this.indices, this.values];
    this.scratch = {};
    this.kernel = kernel ? new KernelMatrix(this, kernel) : null;
  }
  // The matrix of the kernel, of x.x' where there is none.
  get kernel_matrix() {
    return this.kernel ?? (this.linear ??= new KernelMatrix(this, { code: 1, parameters: [] }));
  }
  // Offsets, indices and all values of the rows, without zeros; made when first asked for.
  get rows() {
    if (this.made) return this.made;
    const { indices, values } = this.given, { n, d } = this;
    if (!this.dense) {
      const all = values.length ? this.values : this.array("f64", new Float64Array(indices.length).fill(1));
      return this.made = [this.offsets, this.indices, all];
    }
    const ends = [0], columns = [], kept = [];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < d; j++) {
        if (values[i * d + j] !== 0) {
          columns.push(j);
          kept.push(values[i * d + j]);
        }
      }
      ends.push(columns.length);
    }
    return this.made = [this.array("u64", ends), this.array("u32", columns), this.array("f64", kept)];
  }
  // An array that lives as long as the data.
  array(kind, contents) {
    this.blocks.push(this.kernels.array(kind, contents));
    return this.blocks.at(-1);
  }
  // Space to work in, by name.
  space(name, size, kind = "f64") {
    return this.scratch[name] ??= this.array(kind, size);
  }
  release() {
    for (const block of this.blocks) block.release();
  }
};
var KernelMatrix = class _KernelMatrix {
  // K on the samples; rows are kept where the matrix fits into MOST_BYTES. A page that moves points leaves out
  // the squares and the diagonal, as well as a given matrix where the kernel is a formula.
  constructor(data, { code, parameters, diagonal, squares, given = null }) {
    const { kernels, n, d, rows } = data;
    const whole2 = given !== null || 8 * n * n <= _KernelMatrix.MOST_BYTES;
    const [offsets, , values] = rows.map((part) => part.view);
    squares ??= Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let k = Number(offsets[i]); k < Number(offsets[i + 1]); k++) sum += values[k] * values[k];
      return sum;
    });
    diagonal ??= squares.map(_KernelMatrix.DIAGONALS[code](kernels.exports, parameters));
    const floats = (contents) => data.array("f64", contents);
    this.diagonal = floats(diagonal);
    const store = floats(given === null ? whole2 ? n * n : 0 : given);
    this.arguments = [
      code,
      floats(parameters),
      ...rows,
      floats(squares),
      floats(d),
      store,
      store,
      data.array("u8", n),
      data.array("u32", Uint32Array.from({ length: n }, (_, i) => i)),
      whole2
    ];
    Object.assign(this, { kernels, n });
  }
  product(factors, out) {
    out.view.fill(0);
    this.kernels.call("kernel_rows_product", this.arguments, factors, out);
  }
};
KernelMatrix.MOST_BYTES = 2 ** 27;
KernelMatrix.DIAGONALS = {
  1: () => (square) => square,
  2: () => () => 1,
  3: ({ pow }, [gamma, constant, degree]) => (square) => pow(gamma * square + constant, degree)
};
var Problem = class {
  constructor(data, loss, regularizer, lam) {
    const { kernels, n, d, y } = data;
    Object.assign(this, { kernels, data, loss, regularizer, lam, n, d, lam_n: lam * n, weight: data.weight });
    const ones = new Float64Array(n).fill(1), zeros = new Float64Array(n);
    const [sign, shift] = { margin: [y, zeros], residual: [ones, y.map((t) => -t)], prediction: [ones, zeros] }[loss.kind];
    this.sign = data.space(`sign ${loss.kind}`, n);
    this.shift = data.space(`shift ${loss.kind}`, n);
    this.sign.view.set(sign);
    this.shift.view.set(shift);
    this.theta = kernels.floats(loss.theta);
    this.samples = [this.sign, this.shift, this.weight, this.theta, loss.lower, loss.upper];
    this.weights = kernels.floats(regularizer.weights);
    this.transfer = kernels.floats(regularizer.theta);
    this.penalty = this.penalty_of(regularizer.penalty);
    this.zero_value = this.loss_at_zero();
  }
  // What a proximal point takes; null where there is none.
  penalty_of(facts) {
    if (!facts) return null;
    const { kind, weights, theta, threshold, ridge, order, starts, group_weights, largest } = facts, { kernels } = this;
    const blocks = [kernels.floats(weights), kernels.floats(theta)];
    const groups = [kernels.array("i64", order), kernels.array("i64", starts), kernels.floats(group_weights)];
    return [kind, ...blocks, threshold, ridge, ...groups, largest];
  }
  release() {
    const penalty = (this.penalty ?? []).filter((part) => part instanceof Block);
    for (const block of [this.theta, this.weights, this.transfer, ...penalty]) block.release();
  }
  p(part) {
    return `${this.loss.functions}_${part}`;
  }
  // Of h = Phi(S), S = sum_j c_j phi(v_j): what is outside of the sum may be another regularizer's.
  h(part) {
    return `${part.startsWith("outer") ? this.regularizer.outer : this.regularizer.functions}_${part}`;
  }
  // A compiled step with its arguments by name: those given, else parts of the state, the samples and the terms.
  run(kernel, state, [indptr, indices, data], given) {
    const { kernels, sign, shift, weight, weights, lam, lam_n, theta: loss_theta, regularizer: { linear } } = this;
    const parts = {
      indptr,
      indices,
      data,
      sign,
      shift,
      weight,
      weights,
      lam,
      lam_n,
      loss_theta,
      linear,
      ...state,
      ...given
    };
    const part = (name) => name in parts ? parts[name] : LOSS.includes(name) ? this.p(name) : this.h(name);
    return kernels.call(kernel, ...kernels.functions[kernel].names.map(part));
  }
  // X w into z, and X'alpha / (lam n) into v.
  predict(w, z) {
    this.kernels.call("products_predictions", this.data.matrix, w, 0, this.n, z);
  }
  dual_vector(alpha, v) {
    v.view.fill(0);
    this.kernels.call("products_transposed", this.data.matrix, alpha, 0, this.n, v);
    const values = v.view;
    for (let j = 0; j < this.d; j++) values[j] /= this.lam_n;
  }
  // h(v), and w = grad h(v) into w.
  map(v, w) {
    const theta = this.kernels.floats(this.transfer.view);
    const total = this.kernels.call(this.h("refresh"), this.weights, v, w, theta);
    const h = this.kernels.call(this.h("outer"), total, theta);
    if (total <= 0 && !this.regularizer.linear) w.view.fill(0);
    else {
      const factor = this.kernels.call(this.h("outer_slope"), total, theta), values = w.view;
      for (let j = 0; j < this.d; j++) values[j] = factor * values[j];
    }
    theta.release();
    return h;
  }
  alpha_of(nu, i) {
    return 0 - this.weight.view[i] * this.sign.view[i] * nu;
  }
  // The mean loss at z = 0, the scale against which a gap is small.
  loss_at_zero() {
    const { kernels, n } = this, z = this.data.space("z", n);
    z.view.fill(0);
    const total = kernels.call("sample_loops_value_sum", this.p("value"), this.samples, z, 0, 0, n) / n;
    return Number.isFinite(total) ? total : this.weight.view.reduce((a, b) => a + b, 0) / n;
  }
  // Bounds of each x_i' h'' x_i / (lam n); null where there are none.
  curvature_bound() {
    const { curvature } = this.regularizer;
    return curvature && Float64Array.from(curvature, (each) => each / this.lam_n);
  }
};

// proximal.js
var LIPSCHITZ = 0;
var UPWARDS = 1;
var BOTH_WAYS = 2;
var SUMMANDS = 1;
var ProximalGradient = class {
  constructor(problem, { step, restart }) {
    const { kernels, data, n, d, loss } = problem;
    if (data.kernel || loss.kinks.length || !problem.penalty) {
      throw new Error(
        "proximal-gradient: it needs a loss without kinks, a regularizer with a proximal point and no kernel; or use gauss-seidel"
      );
    }
    if (!data.spectrum) throw new Error("proximal-gradient: the page has no spectrum of the data; pack it with one");
    const bounded = loss.curvature < Infinity, searched = step === "backtracking" || !bounded;
    this.rule = !bounded ? BOTH_WAYS : step === "lipschitz" ? LIPSCHITZ : UPWARDS;
    const { largest, columns } = data.spectrum;
    let constant = (bounded ? loss.curvature : 1) * (searched ? columns : largest ** 2) / n;
    if (!(constant > 0)) constant = 1;
    this.state = {
      w: kernels.floats(d),
      before: kernels.floats(d),
      extrapolated: kernels.floats(d),
      b: kernels.floats(1),
      numbers: kernels.floats([1, constant]),
      event: kernels.floats(new Float64Array(5).fill(NaN))
    };
    const groups = problem.penalty[5].size;
    const sizes = { z: n, alpha: n, direction: d, ahead: d, tried: d, values: groups, parts: groups };
    this.space = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, kernels.floats(size)]));
    Object.assign(this, { problem, restart, epoch_steps: 1 });
  }
  advance(count) {
    const { problem, state } = this, { regularizer } = problem, slope = problem.p("slope");
    const scalars = regularizer.penalty.kind === SUMMANDS ? [problem.h("inner_slope"), problem.h("inner_curvature")] : [slope, slope];
    return problem.run("proximal_steps_steps", state, [], {
      n_steps: count,
      rule: this.rule,
      restart: this.restart,
      free: problem.data.free_bias,
      matrix: problem.data.matrix,
      samples: problem.samples,
      penalty: problem.penalty,
      predict: "products_predictions",
      transpose: "products_transposed",
      map_duals: "sample_loops_dual_points",
      sum_values: "sample_loops_value_sum",
      newton_bias: "bias_loops_newton",
      proximal_point: "proximal_point",
      prox_slope: scalars[0],
      prox_curvature: scalars[1],
      ...this.space
    });
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
};

// engine.js
var VERSION = 1;
var SOLVERS = {
  "gauss-seidel": GaussSeidel,
  "maximal-violating-pair": MaximalViolatingPair,
  "augmented-lagrangian": AugmentedLagrangian,
  "modified-augmented-lagrangian": ModifiedAugmentedLagrangian,
  "proximal-gradient": ProximalGradient,
  "primal-gradient": PrimalGradient
};
var KEYFRAMES = 64;
var KEYFRAME_BYTES = 2 ** 26;
var SLICE = 12;
var MOST_EPOCHS = 1e3;
var Engine = class _Engine {
  // `post` takes each answer; `later` calls a function after messages that have come meanwhile.
  constructor(post, later = (next) => setTimeout(next, 0)) {
    Object.assign(this, { post, later, running: null, choices: {} });
  }
  async take(message) {
    const { version, id, type } = message;
    try {
      if (version !== VERSION) throw new Error(`message: version ${version} is not known; use ${VERSION}`);
      if (!Object.hasOwn(_Engine.TYPES, type)) {
        throw new Error(`message: type = '${type}' is not known; use ${Object.keys(_Engine.TYPES).join(", ")}`);
      }
      if (type !== "data" && !this.held) throw new Error(`${type}: there are no data yet; send 'data' first`);
      const [ends, fields, begins = ["data", "problem"].includes(type)] = _Engine.TYPES[type];
      if (!begins && !this.solver) throw new Error(`${type}: there is no run yet; send 'problem' first`);
      check_fields(message, ["version", "id", "type", ...fields]);
      if (ends) this.stop("paused");
      await this[type](message);
    } catch (error) {
      this.answer(id, "error", { text: error.message });
    }
  }
  answer(id, type, contents) {
    this.post({ version: VERSION, id, type, ...contents });
  }
  async data({ id, ...contents }) {
    await this.load(contents);
    this.answer(id, "ready", { n: this.held.n, d: this.held.d });
  }
  async load({ kernels, functions, data, losses, regularizers }) {
    if (!this.kernels) this.kernels = await Kernels.load(kernels, functions);
    const held = new Data(this.kernels, data);
    this.clear();
    this.held?.release();
    Object.assign(this, { held, losses, regularizers, solver: null });
  }
  problem({ id, ...choices }) {
    this.begin(choices);
    this.frame({ id });
  }
  // What is not given stays as it was; the run begins at the dual variables `alpha`, else at zero.
  begin({ loss, regularizer, lam, solver, seed, alpha = null }) {
    const given = Object.entries({ loss, regularizer, lam, solver, seed }).filter(([, value]) => value !== void 0);
    const choices = { seed: 0, ...this.choices, ...Object.fromEntries(given) };
    whole(choices.seed, "problem", "seed", 0);
    const facts = (table, name, what) => {
      if (typeof name === "object") return name;
      if (!Object.hasOwn(table, name)) throw new Error(`${what} = '${name}' is not among the facts of this page`);
      return table[name];
    };
    if (!(choices.lam > 0 && choices.lam < Infinity)) {
      throw new Error(`problem: lam = ${choices.lam} is not above 0; use 0.001, say`);
    }
    if (!Object.hasOwn(SOLVERS, choices.solver?.name)) {
      throw new Error(
        `solver = '${choices.solver?.name}' does not run in the browser; use ${Object.keys(SOLVERS).join(", ")}`
      );
    }
    const terms = [facts(this.losses, choices.loss, "loss"), facts(this.regularizers, choices.regularizer, "regularizer")];
    const made = new Problem(this.held, ...terms, choices.lam);
    let run;
    try {
      run = new SOLVERS[choices.solver.name](made, choices.solver, choices.seed);
      if (alpha !== null) begin_at(run, alpha, made.n);
    } catch (error) {
      run?.release();
      made.release();
      throw error;
    }
    this.clear();
    Object.assign(this, { choices, made, solver: run, steps: 0, status: null, reason: null, keyframes: [], last: null, told: null, passed: [] });
    this.spacing = run.epoch_steps;
    this.keep();
    this.first = this.certified().dual;
  }
  // The memory of the run that there was.
  clear() {
    this.solver?.release();
    this.made?.release();
    this.solver = this.made = null;
  }
  step({ id, type = "step", count = 1 }) {
    this.advance(whole(count, type, "count", 1) * (type === "epoch" ? this.solver.epoch_steps : 1));
    this.frame({ id });
  }
  epoch(message) {
    this.step(message);
  }
  // Frames until the relative gap is met, the epochs are done or another message asks to stop.
  run({ id, gap = 1e-6, max_epochs = MOST_EPOCHS, every = 1 }) {
    whole(every, "run", "every", 1);
    if (!(gap >= 0)) throw new Error(`run: gap = ${gap} is below 0; use 1e-6, say`);
    if (!(max_epochs > 0)) throw new Error(`run: max_epochs = ${max_epochs} is not above 0; use ${MOST_EPOCHS}`);
    const turn = this.running = { id };
    const most = Math.ceil(max_epochs * this.solver.epoch_steps);
    this.status = this.reason = null;
    this.passed = [];
    const go = () => {
      try {
        if (this.running === turn) slice();
      } catch (error) {
        this.running = null;
        this.answer(id, "error", { text: error.message });
      }
    };
    const slice = () => {
      const until = performance.now() + SLICE;
      let certificate;
      do {
        const asked = Math.min(every * this.solver.epoch_steps, most - this.steps);
        const done = asked > 0 ? this.advance(asked) : 0;
        certificate = this.certified();
        if (certificate.relative_gap <= gap) this.status = "converged";
        else if (this.solver.trouble?.()) Object.assign(this, { status: "diverged", reason: this.solver.trouble() });
        else if (this.is_growing(certificate)) Object.assign(this, { status: "diverged", reason: this.growing });
        else if (this.steps >= most) this.status = "max_epochs";
        else if (done < asked) this.status = "stalled";
        this.passed.push(this.place(certificate));
      } while (this.status === null && performance.now() < until);
      this.frame({ id });
      if (this.status === null) this.later(go);
      else this.stop(this.status);
    };
    this.later(go);
  }
  pause({ id }) {
    this.frame({ id });
  }
  // A run that is cancelled says nothing more; the state stays.
  cancel() {
  }
  seek({ id, step }) {
    whole(step, "seek", "step", 0);
    const from = this.keyframes.findLast((frame) => frame.step <= step);
    if (this.steps > step || this.steps < from.step) this.restore(from);
    this.advance(step - this.steps);
    this.frame({ id });
  }
  certificate({ id }) {
    this.told = { step: this.steps, ...this.certified() };
    this.answer(id, "certificate", this.told);
  }
  // The present certificate, or that of `step` where it was the last one told: a run may have gone on since.
  certified_at(step) {
    return this.told && this.told.step === step ? this.told : { step: this.steps, ...this.certified() };
  }
  event({ id }) {
    this.answer(id, "event", { step: this.steps, event: this.last_event() });
  }
  frame({ id }) {
    const { sample_terms: sample_terms2, regularizer_term, z, w, v: _, b, alpha, ...numbers } = this.certified();
    const { lower, upper } = this.made.loss;
    const found = { support: 0, at_lower: 0, at_upper: 0, inside: 0 };
    const weight = this.made.weight.view, sign = this.made.sign.view;
    alpha.forEach((value, i) => {
      const nu = -value / (weight[i] * sign[i]);
      if (value !== 0) found.support++;
      found[nu <= lower ? "at_lower" : nu >= upper ? "at_upper" : "inside"]++;
    });
    const nonzeros = w === null ? 0 : w.reduce((count, value) => count + (value !== 0), 0);
    this.answer(id, "frame", {
      ...this.place({ ...numbers, b }),
      nonzeros,
      w,
      alpha: found,
      event: this.last_event(),
      status: this.status,
      reason: this.reason,
      passed: this.passed.splice(0)
    });
  }
  // How far the run has come, and the numbers of its certificate.
  place({ primal, dual, gap, relative_gap, b }) {
    const { multipliers, steps: step } = this;
    return { step, epoch: step / this.solver.epoch_steps, primal, dual, gap, relative_gap, b, multipliers };
  }
  // f(z_i) and k(-alpha_i) of some samples.
  terms({ id, samples, step: at }) {
    const { made } = this, { kernels, loss, theta, n } = made, { z, alpha, step } = this.certified_at(at);
    const views = [made.weight, made.sign, made.shift].map(({ view }) => view);
    const found = Array.from(samples, (i) => {
      const [weight, sign, shift] = views.map((view) => view[whole(i, "terms", "sample", 0, n - 1)]);
      const nu = Math.min(Math.max(-alpha[i] / (weight * sign), loss.lower), loss.upper);
      return [
        weight * kernels.call(made.p("value"), sign * z[i] + shift, theta),
        weight * (kernels.call(made.p("conjugate"), nu, theta) - shift * nu)
      ];
    });
    const [value, conjugate] = [0, 1].map((part) => found.map((both) => both[part]));
    this.answer(id, "terms", { step, value, conjugate });
  }
  // What changes where one weight and one dual variable move and all else is held.
  section({ id, feature, mirror = null, sample, weights, duals, predictions, step: at }) {
    const { made } = this, { kernels, loss, d, n } = made, { w, alpha, step } = this.certified_at(at);
    whole(feature, "section", "feature", 0, d - 1);
    whole(sample, "section", "sample", 0, n - 1);
    if (mirror !== null) whole(mirror, "section", "mirror", 0, d - 1);
    if (w === null) throw new Error("section: the weights of a kernel are not available; use a problem without one");
    const { data } = made, v = data.space("v", d), moved = data.space("moved", d), duals_at = data.space("duals", n);
    duals_at.view.set(alpha);
    made.dual_vector(duals_at, v);
    const mapped = data.space("mapped", d), h = made.regularizer.norm ? 0 : made.map(v, mapped);
    moved.view.set(w);
    const g = Array.from(weights, (value) => {
      moved.view[feature] = value;
      if (mirror !== null) moved.view[mirror] = Math.max(0, w[feature] + w[mirror] - value);
      return regularizer_terms(made, moved, v, mapped, h).value;
    });
    const [weight, sign, shift] = [made.weight, made.sign, made.shift].map((block) => block.view[sample]);
    const within = (nu) => Math.min(Math.max(nu, loss.lower), loss.upper);
    const conjugate = Array.from(duals, (value) => {
      const nu = within(-value / (weight * sign));
      return weight * (kernels.call(made.p("conjugate"), nu, made.theta) - shift * nu);
    });
    const best = Array.from(predictions, (z) => {
      const nu = within(kernels.call(made.p("slope"), sign * z + shift, made.theta));
      return 0 - weight * sign * nu;
    });
    this.answer(id, "section", {
      step,
      v: [feature, mirror ?? feature].map((j) => v.view[j]),
      g,
      conjugate,
      best
    });
  }
  // The primal over the multiplier, at the weights of the run's own state.
  profile({ id, count = 41, beyond = 0.6 }) {
    const { name } = this.choices.solver;
    whole(count, "profile", "count", 2);
    if (!(beyond >= 0)) throw new Error(`profile: beyond = ${beyond} is below 0; use 0.6, say`);
    if (!this.solver.profile) {
      throw new Error(
        `profile: the run of ${name} has 0 multipliers, and a profile is over one; use augmented-lagrangian or modified-augmented-lagrangian for an unregularized bias`
      );
    }
    this.answer(id, "profile", { step: this.steps, ...this.solver.profile(count, beyond) });
  }
  // Steps, with a state kept after each `spacing`; those that are done already are not kept again.
  advance(count) {
    const start = this.steps;
    while (this.steps < start + count) {
      const next = (Math.floor(this.steps / this.spacing) + 1) * this.spacing;
      const asked = Math.min(start + count, next) - this.steps;
      const done = this.solver.advance(asked, this.steps);
      this.steps += done;
      this.last = null;
      if (done < asked) break;
      if (this.steps === next && this.steps > this.keyframes.at(-1).step) this.keep();
    }
    return this.steps - start;
  }
  // Whether the iterate grows without end, as `stopping.py` has it.
  is_growing({ dual }) {
    const { divergence = null } = this.choices.solver, fallen = divergence === null ? 0 : this.first - dual;
    return fallen > divergence * this.made.zero_value || !this.solver.iterate().view.every(Number.isFinite);
  }
  get growing() {
    const { name, advice } = this.choices.solver;
    return `${name}: the iterate grows without end; ${this.solver.advice ?? advice}`;
  }
  keep() {
    const state = Object.fromEntries(Object.entries(this.solver.state).map(([name, block]) => [name, block.copy()]));
    this.keyframes.push({ step: this.steps, state });
    const bytes = Object.values(state).reduce((sum, array) => sum + array.byteLength, 0);
    if (this.keyframes.length > Math.max(2, Math.min(KEYFRAMES, KEYFRAME_BYTES / bytes))) {
      this.spacing *= 2;
      this.keyframes = this.keyframes.filter((frame) => frame.step % this.spacing === 0);
    }
  }
  restore({ step, state }) {
    for (const [name, block] of Object.entries(this.solver.state)) block.view.set(state[name]);
    Object.assign(this, { steps: step, last: null, status: null, reason: null });
    this.solver.restored?.();
  }
  certified() {
    if (this.last) return this.last;
    this.last = certify(this.made, this.solver.point());
    this.multipliers = this.solver.multipliers?.() ?? null;
    return this.last;
  }
  last_event() {
    const numbers = [...this.solver.state.event.view], { fields } = this.choices.solver;
    if (Number.isNaN(numbers[0])) return null;
    const read = ([name, kind], k) => [name, kind === "bool" ? numbers[k] !== 0 : numbers[k]];
    return Object.fromEntries(Object.entries(fields).map(read));
  }
  stop(status) {
    if (this.running) this.answer(this.running.id, "ended", { step: this.steps, status });
    this.running = null;
  }
};
Engine.TYPES = {
  data: [true, ["kernels", "functions", "data", "losses", "regularizers"]],
  problem: [true, ["loss", "regularizer", "lam", "solver", "seed", "alpha"]],
  step: [true, ["count"]],
  epoch: [true, ["count"]],
  run: [true, ["gap", "max_epochs", "every"]],
  pause: [true, []],
  cancel: [true, []],
  seek: [true, ["step"]],
  frame: [false, []],
  certificate: [false, []],
  event: [false, []],
  terms: [false, ["samples", "step"]],
  section: [false, ["feature", "mirror", "sample", "weights", "duals", "predictions", "step"]],
  profile: [false, ["count", "beyond"]]
};
function begin_at(run, alpha, n) {
  if (!run.begin) throw new Error("problem: alpha is taken by gauss-seidel alone; leave it out");
  if (alpha.length !== n) throw new Error(`problem: alpha has ${alpha.length} entries; give ${n}, one a sample`);
  if (!alpha.every(Number.isFinite)) throw new Error("problem: alpha has an entry that is no finite number; give numbers");
  run.begin(alpha);
}
function whole(value, type, name, least, most = Infinity) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const end = most < Infinity ? ` and at most ${most}` : "";
  throw new Error(`${type}: ${name} = ${value} is no whole number of at least ${least}${end}`);
}
function check_fields(message, known) {
  const unknown = Object.keys(message).find((name) => !known.includes(name));
  if (unknown) throw new Error(`${message.type}: ${unknown} is not known; use ${known.slice(3).join(", ") || "no fields"}`);
}

// entries/worker.js
var engine = new Engine((answer) => self.postMessage(answer));
self.onmessage = ({ data }) => engine.take(data);
return { Data, Engine, FARTHEST, INSIDE, PRECISION, PrimalGradient, Problem, TREE, balance, best_bias, best_multiple, certify, dual_norm, dual_points, norm_space, sample_terms };
})();
