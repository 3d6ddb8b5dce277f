// Certificates: primal, dual and gap of a point, as a sum of Fenchel-Young terms, by the kernels of Python's.

// Below this fraction of P(0) a primal or dual value counts as zero in the relative gap.
const TINY = 1e-12;
// A sum of dual variables above this share of their magnitudes is projected to zero.
const BALANCED = 1e-12;
// A scaling into the ball of a dual norm: this much inside, no farther, and as precise as its value needs.
export const INSIDE = 1 - 2 ** -50;
export const FARTHEST = 64;
export const PRECISION = 1e-9;
// Of a penalty over groups in a tree.
export const TREE = 3;

/**
 * The certificate of {alpha}, {w} or both, blocks; without {b} at the best bias.
 * @param {any} problem @param {{ alpha?: any, w?: any, b?: any }} fields
 */
export function certify(problem, { alpha = null, w = null, b = null }) {
  const { data, n, d } = problem;
  const duals = data.space("duals", n);
  const v = data.space("v", d);
  const mapped = data.space("mapped", d);
  const z = data.space("z", n);
  const free = data.free_bias;
  if (w !== null) problem.predict(w, z);
  if (alpha !== null) duals.view.set(alpha.view);
  else {
    b ??= free ? bestBias(problem, z) : 0;
    dualPoints(problem, z, b, duals);
  }
  feasible(problem, duals);
  if (free) balance(problem, duals);
  if (data.kernel) return kernelCertificate(problem, duals, z);
  problem.dualVector(duals, v);
  // In the ball of a norm's dual norm its conjugate is zero.
  if (problem.regularizer.norm) {
    scale(
      duals.view,
      v.view,
      alpha === null ? bestMultiple(problem, duals, v) : Math.min(1, INSIDE / dualNorm(problem, v)),
    );
  }
  const h = problem.regularizer.norm ? 0 : problem.map(v, mapped);
  if (w === null) {
    w = mapped;
    problem.predict(w, z);
  }
  if (free) b ??= bestBias(problem, z);
  b ??= 0;
  const losses = sampleTerms(problem, z, duals, b);
  const bracket = regularizerTerms(problem, w, v, mapped, h);
  return assembled(problem, losses, bracket, h, { w: w.copy(), v: v.copy(), b, alpha: duals.copy(), z: z.copy() });
}

/**
 * w lives in the kernel's own space, where the map between v and w holds by itself.
 * @param {any} problem @param {any} duals @param {any} f
 */
function kernelCertificate(problem, duals, f) {
  const { n, lam_n, data } = problem;
  const factors = data.space("factors", n);
  factors.view.set(duals.view.map((/** @type {number} */ value) => value / lam_n));
  data.kernel.product(factors, f);
  const alpha = duals.view;
  const values = f.view;
  let energy = 0;
  for (let i = 0; i < n; i++) energy += alpha[i] * values[i];
  const h = Math.max(energy, 0) / (2 * lam_n);
  const b = data.free_bias ? bestBias(problem, f) : 0;
  const losses = sampleTerms(problem, f, duals, b);
  return assembled(problem, losses, { value: h, sum: 0 }, h, {
    w: null,
    v: null,
    b,
    alpha: duals.copy(),
    z: f.copy(),
  });
}

/**
 * z gains b; the terms of the samples, the sums of f(z_i) and of k(-alpha_i) + alpha_i b.
 * @param {any} problem @param {any} z @param {any} alpha @param {any} b
 */
export function sampleTerms(problem, z, alpha, b) {
  const { kernels, data, n } = problem;
  const terms = data.space("terms", n);
  const offset = data.space("offset", 1);
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
    terms,
  );
  return { value, conjugate, terms: terms.copy() };
}

/**
 * g(w) and g(w) + h(v) - w.v by the structure of the regularizer.
 * @param {any} problem @param {any} w @param {any} v @param {any} mapped @param {any} h
 */
export function regularizerTerms(problem, w, v, mapped, h) {
  const { kernels, weights, transfer, regularizer, data, d } = problem;
  const { structure } = regularizer;
  const [, first, second, ball] = transfer.view;
  const [kernel, ...given] = regularizer.norm
    ? ["norm_loops_terms", problem.penalty, w, v, ...normSpace(problem), data.space("left", d)]
    : structure === "separable"
      ? ["term_loops_separable_sum", problem.h("primal"), problem.h("inner"), w, v, weights, transfer]
      : structure === "simplex"
        ? ["term_loops_simplex_sum", w, mapped, v, weights, first, h]
        : [`term_loops_${ball === undefined ? "norm" : "ball"}_sum`, w, v, first, ball ?? second];
  const [sum, value] = kernels.call(kernel, ...given);
  return { value, sum };
}

// A norm: its dual norm, and the multiple of a dual point with the least dual objective in its ball.

/** @param {{ data: any, penalty: any }} fields */
export function normSpace({ data, penalty }) {
  return ["one", "other"].map((name) => data.space(`${name} ${penalty.order.size}`, penalty.order.size));
}

/** @param {any} problem @param {any} v */
export function dualNorm(problem, v) {
  const { kernels, data, penalty, d } = problem;
  const [values] = normSpace(problem);
  const { kind, order, starts, group_weights: weights } = penalty;
  if (kind === TREE) {
    return kernels.call("group_loops_tree_dual", v, order, starts, weights, data.space("left", d), values);
  }
  const sizes = data.space(`sizes ${weights.size}`, weights.size);
  return kernels.call("norm_loops_dual_norm", penalty, v, values, sizes);
}

/** @param {any} problem @param {any} alpha @param {any} v */
export function bestMultiple(problem, alpha, v) {
  const { kernels, loss, samples, n } = problem;
  const size = dualNorm(problem, v);
  const values = alpha.view;
  const reach = size > 0 ? INSIDE / size : Infinity;
  const weight = problem.weight.view;
  const sign = problem.sign.view;
  const shift = problem.shift.view;
  if (loss.parabola) {
    const [a, b] = loss.parabola;
    let square = 0;
    let along = 0;
    for (let i = 0; i < n; i++) {
      square += values[i] ** 2 / weight[i];
      along += values[i] * (0 - sign[i] * (shift[i] + b / a));
    }
    return Math.min(Math.max(square > 0 ? (a * along) / square : 1, -reach), reach);
  }
  const farthest = Math.min(reach, kernels.call("sample_loops_room", samples, alpha, 0, n), FARTHEST);
  if (!(farthest > 0)) return 0;
  return kernels.call(
    "norm_loops_best_multiple",
    problem.p("conjugate"),
    samples,
    alpha,
    farthest,
    PRECISION * farthest,
  );
}

/** @param {any} alpha @param {any} v @param {any} factor */
function scale(alpha, v, factor) {
  for (let i = 0; i < alpha.length; i++) alpha[i] *= factor;
  for (let j = 0; j < v.length; j++) v[j] *= factor;
}

/** @param {any} problem @param {any} losses @param {any} bracket @param {any} h @param {any} point */
function assembled(problem, losses, bracket, h, point) {
  const { n, lam, zero_value } = problem;
  let primal = losses.value / n + lam * bracket.value;
  let dual = 0 - (losses.conjugate / n + lam * h);
  const sampleTerms = losses.terms.map((/** @type {any} */ term) => term / n);
  const regularizerTerm = lam * bracket.sum;
  let gap = sampleTerms.reduce((/** @type {any} */ a, /** @type {any} */ b) => a + b, 0) + regularizerTerm;
  const { w, b, alpha, z } = point;
  const finite = [w ?? [], [b ?? 0], alpha, z].every((part) => part.every(Number.isFinite));
  // Overflow on both sides leaves no finite value; an infinite gap promises nothing, rightly. A loss that is flat
  // on one side has one even at predictions that are not finite.
  if (Number.isNaN(gap) || Number.isNaN(primal) || Number.isNaN(dual) || !finite) {
    [primal, dual, gap] = [Infinity, -Infinity, Infinity];
  }
  if (dual === -Infinity) gap = Infinity;
  const size = Math.max(Math.abs(primal), Math.abs(dual), TINY * zero_value);
  const relativeGap = Number.isFinite(gap) ? (size > 0 ? gap / size : 0) : Infinity;
  return {
    primal,
    dual,
    gap,
    relative_gap: relativeGap,
    sample_terms: sampleTerms,
    regularizer_term: regularizerTerm,
    ...point,
  };
}

// Dual points: of map (10), moved into the domain, and onto the plane of sum zero.

/** @param {any} problem @param {number[]} z @param {any} b @param {any} alpha */
export function dualPoints(problem, z, b, alpha) {
  const { kernels, data, loss, samples, n } = problem;
  if (data.free_bias && loss.straight) {
    kernels.call("bias_loops_subgradients", samples, ...kinks(problem), z, b, alpha);
  } else kernels.call("sample_loops_dual_points", problem.p("slope"), samples, z, b, 0, n, alpha);
}

/** @param {any} problem @param {any} alpha */
function feasible(problem, alpha) {
  const inside = problem.data.space("inside", problem.n);
  problem.kernels.call("sample_loops_feasible", problem.samples, alpha, 0, problem.n, inside);
  alpha.view.set(inside.view);
}

/** @param {any} problem @param {any} alpha */
export function balance(problem, alpha) {
  const { kernels, data, loss, samples, n } = problem;
  const [lower, upper, moved, spare] = ["lower", "upper", "moved", "spare"].map((name) => data.space(name, n));
  const total = kernels.call("bias_loops_balanced", samples, alpha, BALANCED, spare, moved);
  if (total !== 0) {
    const [low, high] = [loss.lower, loss.upper].map((end) =>
      alpha.view.map((/** @type {any} */ _, /** @type {number} */ i) => problem.alphaOf(end, i)),
    );
    lower.view.set(low.map((/** @type {number} */ end, /** @type {number} */ i) => Math.min(end, high[i])));
    upper.view.set(low.map((/** @type {number} */ end, /** @type {number} */ i) => Math.max(end, high[i])));
    const spaces = [data.space("active", n, "i64"), data.space("points", 2 * n), data.space("marks", 2 * n, "u8")];
    kernels.call("bias_loops_knapsack", alpha, lower, upper, ...spaces, moved);
    kernels.call("bias_loops_balanced", samples, moved, Infinity, spare, moved);
  }
  alpha.view.set(moved.view);
  return total;
}

/**
 * The unregularized bias that minimizes the primal for predictions z.
 * @param {any} problem @param {any} z @param {number} [start]
 */
export function bestBias(problem, z, start = 0) {
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
      problem.theta,
    );
  }
  const found = kinks(problem);
  const size = found[0].size * n;
  const points = data.space(`breaks ${size}`, size);
  const jumps = data.space(`jumps ${size}`, size);
  return kernels.call("bias_loops_straight", samples, ...found, z, points, jumps);
}

/**
 * The places of the kinks of p, and its slopes before and after each.
 * @param {any} problem
 */
function kinks(problem) {
  const { data, loss } = problem;
  const count = loss.kinks.length;
  return [0, 1, 2].map((part) => {
    const block = data.space(`kinks ${part} ${count}`, count);
    block.view.set(loss.kinks.map((/** @type {any} */ kink) => kink[part]));
    return block;
  });
}
