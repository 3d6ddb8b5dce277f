// Certificates: primal, dual and gap of a point, as a sum of Fenchel-Young terms, by the kernels of Python's.

// Below this fraction of P(0) a primal or dual value counts as zero in the relative gap.
const TINY = 1e-12;
// A sum of dual variables below this share of their size is zero but for rounding.
export const BALANCED = 1e-12;
// The rounding of a norm of many coordinates, as a share of the radius of a ball.
const ON_THE_BALL = 1e-9;
// A scaling into the ball of a dual norm: this much inside, no farther, and as precise as its value needs.
export const INSIDE = 1 - 2 ** -50, FARTHEST = 64, PRECISION = 1e-9;
// Of a penalty over groups in a tree.
export const TREE = 3;

// The certificate of {alpha}, {w} or both, blocks; without {b} at the best bias.
export function certify(problem, { alpha = null, w = null, b = null }) {
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
  // In the ball of a norm's dual norm its conjugate is zero.
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
  return assembled(problem, losses, bracket, h, { w: w.copy(), b, alpha: duals.copy(), z: z.copy() });
}

// w lives in the kernel's own space, where the map between v and w holds by itself.
function kernel_certificate(problem, duals, f) {
  const { n, lam_n, data } = problem, factors = data.space("factors", n);
  factors.view.set(duals.view.map((value) => value / lam_n));
  data.kernel.product(factors, f);
  const alpha = duals.view, values = f.view;
  let energy = 0;
  for (let i = 0; i < n; i++) energy += alpha[i] * values[i];
  const h = Math.max(energy, 0) / (2 * lam_n), b = data.free_bias ? best_bias(problem, f) : 0;
  const losses = sample_terms(problem, f, duals, b);
  return assembled(problem, losses, { value: h, sum: 0 }, h, { w: null, b, alpha: duals.copy(), z: f.copy() });
}

// z gains b; the terms of the samples, the sums of f(z_i) and of k(-alpha_i) + alpha_i b.
export function sample_terms(problem, z, alpha, b) {
  const { kernels, data, n } = problem, terms = data.space("terms", n), offset = data.space("offset", 1);
  if (b !== 0) {
    const values = z.view;
    for (let i = 0; i < n; i++) values[i] += b;
  }
  offset.view[0] = b;
  const [value, conjugate] = kernels.call(
    "sample_loops_terms", problem.p("value"), problem.p("conjugate"), problem.samples, z, alpha, offset, 0, n, terms);
  return { value, conjugate, terms: terms.copy() };
}

// g(w) and g(w) + h(v) - w.v by the structure of the regularizer.
export function regularizer_terms(problem, w, v, mapped, h) {
  const { kernels, weights, transfer, regularizer } = problem;
  if (regularizer.norm) {
    const space = norm_space(problem), left = problem.data.space("left", problem.d);
    const [sum, value] = kernels.call("norm_loops_terms", problem.penalty, w, v, ...space, left);
    return { value, sum };
  }
  if (regularizer.structure === "separable") {
    const [sum, value] = kernels.call(
      "term_loops_separable_sum", problem.h("primal"), problem.h("inner"), w, v, weights, transfer);
    return { value, sum };
  }
  if (regularizer.structure === "simplex") {
    const total = transfer.view[1], size = w.view.reduce((a, x) => a + x, 0);
    if (Math.abs(size - total) > 1e-9 * total) return { value: Infinity, sum: Infinity };
    const [sum, value] = kernels.call("term_loops_simplex_sum", w, mapped, v, weights, total, h);
    return { value, sum };
  }
  const [, exponent, power, ball] = transfer.view;
  return ball === undefined ? norm_terms(kernels, w, v, exponent, power) : ball_terms(kernels, w, v, exponent, ball);
}

// Of |w|_p^2 / (2 (p - 1)) on a ball, by factors that do not cancel.
function ball_terms(kernels, w, v, p, ball) {
  const norm = norm_of(kernels, w.view, p), dual_norm = norm_of(kernels, v.view, p / (p - 1));
  if (norm > ball * (1 + ON_THE_BALL)) return { value: Infinity, sum: Infinity };
  const value = norm ** 2 / (2 * (p - 1)), product = norm * dual_norm;
  let sum = (p - 1) * dual_norm <= ball
    ? (norm - (p - 1) * dual_norm) ** 2 / (2 * (p - 1))
    : Math.max(ball - norm, 0) * (dual_norm - (norm + ball) / (2 * (p - 1)));
  if (product !== 0) sum += product * kernels.call("term_loops_hoelder_sum", w, v, norm, dual_norm, p)[0];
  return { value, sum };
}

// Of |w|_q^power / power: Young's inequality between the norms, Hoelder's between the coordinates.
function norm_terms(kernels, w, v, q, power) {
  const norm = norm_of(kernels, w.view, q), dual_norm = norm_of(kernels, v.view, q / (q - 1));
  const value = kernels.exports.pow(norm, power) / power, product = norm * dual_norm;
  const [first, second, third] = young_parts(kernels, norm, dual_norm, power);
  let sum = Math.max(first + third + second, 0);
  if (product !== 0) sum += product * kernels.call("term_loops_hoelder_sum", w, v, norm, dual_norm, q)[0];
  return { value, sum };
}

function norm_of(kernels, x, exponent) {
  const largest = x.reduce((a, each) => Math.max(a, Math.abs(each)), 0), { pow } = kernels.exports;
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  return largest * pow(x.reduce((a, each) => a + pow(Math.abs(each) / largest, exponent), 0), 1 / exponent);
}

// Three numbers whose sum is a^p / p + b^q / q - a b, without cancellation where a is near b^(q-1).
function young_parts(kernels, a, b, p) {
  const { pow, log, expm1 } = kernels.exports, q = p / (p - 1), power = pow(b, q);
  const ratio = log(a) - (q - 1) * log(b);
  if (a * b > 0 && p * Math.abs(ratio) <= 0.5) return [power * expm1(p * ratio) / p, 0, -power * expm1(ratio)];
  return [pow(a, p) / p, power / q, -a * b];
}

// A norm: its dual norm, and the multiple of a dual point with the least dual objective in its ball.

export function norm_space({ data, penalty }) {
  return ["one", "other"].map((name) => data.space(`${name} ${penalty[5].size}`, penalty[5].size));
}

export function dual_norm(problem, v) {
  const { kernels, data, penalty, d } = problem, [values] = norm_space(problem);
  const [kind, , , , , order, starts, weights] = penalty;
  if (kind === TREE) {
    return kernels.call("group_loops_tree_dual", v, order, starts, weights, data.space("left", d), values);
  }
  const sizes = data.space(`sizes ${weights.size}`, weights.size);
  return kernels.call("norm_loops_dual_norm", penalty, v, values, sizes);
}

export function best_multiple(problem, alpha, v) {
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
    return Math.min(Math.max(square > 0 ? (a * along) / square : 1, -reach), reach);
  }
  let least = 0, most = 0;
  for (let i = 0; i < n; i++) {
    const nu = -values[i] / (weight[i] * sign[i]);
    least = Math.min(least, nu);
    most = Math.max(most, nu);
  }
  let farthest = Math.min(reach, FARTHEST);
  if (least < 0 && loss.lower > -Infinity) farthest = Math.min(farthest, loss.lower / least);
  if (most > 0 && loss.upper < Infinity) farthest = Math.min(farthest, loss.upper / most);
  if (!(farthest > 0)) return 0;
  return kernels.call(
    "norm_loops_best_multiple", problem.p("conjugate"), samples, alpha, farthest, PRECISION * farthest);
}

function scale(alpha, v, factor) {
  for (let i = 0; i < alpha.length; i++) alpha[i] *= factor;
  for (let j = 0; j < v.length; j++) v[j] *= factor;
}

function assembled(problem, losses, bracket, h, point) {
  const { n, lam, zero_value } = problem;
  let primal = losses.value / n + lam * bracket.value, dual = 0 - (losses.conjugate / n + lam * h);
  const sample_terms = losses.terms.map((term) => term / n), regularizer_term = lam * bracket.sum;
  let gap = sample_terms.reduce((a, b) => a + b, 0) + regularizer_term;
  // Overflow on both sides leaves no finite value; an infinite gap promises nothing, rightly.
  if (Number.isNaN(gap) || Number.isNaN(primal) || Number.isNaN(dual)) {
    [primal, dual, gap] = [Infinity, -Infinity, Infinity];
  }
  if (dual === -Infinity) gap = Infinity;
  const size = Math.max(Math.abs(primal), Math.abs(dual), TINY * zero_value);
  const relative_gap = Number.isFinite(gap) ? (size > 0 ? gap / size : 0) : Infinity;
  return { primal, dual, gap, relative_gap, sample_terms, regularizer_term, ...point };
}

// Dual points: of map (10), moved into the domain, and onto the plane of sum zero.

export function dual_points(problem, z, b, alpha) {
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

export function balance(problem, alpha) {
  const { kernels, data, loss, n } = problem;
  const values = alpha.copy(), total = values.reduce((a, x) => a + x, 0);
  const ends = [loss.lower, loss.upper].map((end) => values.map((_, i) => problem.alpha_of(end, i)));
  const lower = data.space("lower", n), upper = data.space("upper", n);
  lower.view.set(ends[0].map((end, i) => Math.min(end, ends[1][i])));
  upper.view.set(ends[0].map((end, i) => Math.max(end, ends[1][i])));
  if (Math.abs(total) > BALANCED * values.reduce((a, x) => a + Math.abs(x), 0)) {
    const active = data.space("active", n, "i64"), moved = data.space("moved", n);
    const points = [data.space("points", 2 * n), data.space("spare", 2 * n)];
    kernels.call("bias_loops_knapsack", alpha, lower, upper, active, ...points, moved);
    alpha.view.set(moved.view);
  }
  exactly(alpha.view, lower.view, upper.view);
}

// A bias may be larger than everything else by many powers of ten, and multiplies what is left of the sum.
function exactly(alpha, lower, upper) {
  for (let turn = 0; turn < 2; turn++) {
    const total = exact_sum(alpha);
    if (total === 0) return;
    let best = -1;
    for (let i = 0; i < alpha.length; i++) {
      const moved = alpha[i] - total;
      if (alpha[i] === 0 || moved < lower[i] || moved > upper[i]) continue;
      if (best < 0 || Math.abs(alpha[i]) < Math.abs(alpha[best])) best = i;
    }
    if (best < 0) return;
    alpha[best] -= total;
  }
}

// The sum without rounding on the way, by parts that do not overlap (Shewchuk).
function exact_sum(values) {
  const parts = [];
  for (let x of values) {
    let kept = 0;
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y, low = y - (high - x);
      if (low !== 0) parts[kept++] = low;
      x = high;
    }
    parts.length = kept;
    parts.push(x);
  }
  return parts.reduceRight((a, b) => a + b, 0);
}

// The unregularized bias that minimizes the primal for predictions z.
export function best_bias(problem, z, start = 0) {
  const { kernels, data, loss, samples, n } = problem;
  if (!loss.straight) {
    return kernels.call(
      "bias_loops_newton", problem.p("slope"), start, z, problem.sign, problem.shift, problem.weight, problem.theta);
  }
  const found = kinks(problem), size = found[0].size * n;
  const points = data.space(`breaks ${size}`, size), jumps = data.space(`jumps ${size}`, size);
  kernels.call("bias_loops_breaks", samples, ...found, z, points, jumps);
  // Minus the slope of the primal for b at minus infinity.
  let pull = 0;
  const sign = problem.sign.view, weight = problem.weight.view;
  for (let i = 0; i < n; i++) pull -= weight[i] * sign[i] * (sign[i] > 0 ? loss.lower : loss.upper);
  const tolerance = BALANCED * jumps.view.reduce((a, x) => a + x, 0);
  return kernels.call("bias_loops_crossing", points, jumps, pull, tolerance);
}

// The places of the kinks of p, and its slopes before and after each.
function kinks(problem) {
  const { data, loss } = problem, count = loss.kinks.length;
  return [0, 1, 2].map((part) => {
    const block = data.space(`kinks ${part} ${count}`, count);
    block.view.set(loss.kinks.map((kink) => kink[part]));
    return block;
  });
}
