// @ts-check
// The columns and numbers that the Dual lab draws of a run, from its certificate.

import { spread } from "../runtime/live_figures.js";

const MOST_SAMPLES = 400;
const BOUND_TOLERANCE = 1e-9;
const ROUNDING = 1e-12;
// The facts of a problem that its pictures need: the data as the engine has them, with the names of features, whether the
// last one is constant, and held-out samples; the loss, the regularizer, lambda and the settings.
export class Pictured {
  /** @type {any} */ data;
  /** @type {any} */ loss;
  /** @type {any} */ regularizer;
  /** @type {any} */ lam;
  /** @type {any} */ embedded;
  /** @type {any} */ settings;
  /** @type {any} */ names;
  /** @type {any} */ constant;
  /** @type {any} */ test;
  /** @type {any} */ n;
  /** @type {any} */ width;
  /** @type {any} */ d;
  /** @type {any} */ sign;
  /** @type {any} */ curves;

  /** @param {Record<string, any>} fields */
  constructor({ data, loss, regularizer, lam, embedded, settings, pairs }) {
    const { names, constant, test } = data;
    this.data = data;
    this.loss = loss;
    this.regularizer = regularizer;
    this.lam = lam;
    this.embedded = embedded;
    this.settings = settings;
    this.names = names;
    this.constant = constant;
    this.test = test;
    this.n = data.n;
    this.width = data.d;
    const half = embedded ? data.d / 2 : data.d;
    this.d = constant ? half - 1 : half;
    this.sign = loss.kind === "margin" ? data.y : new Float64Array(data.n).fill(1);
    /** @param {number} j */
    const name = (j) => this.name(j);
    const { y, weight } = data;
    this.curves = { ...pairs, kind: loss.kind, y, weight, lam, d: this.d, embedded, name };
  }

  /**
   * Weights of the engine's columns as weights of the features, the bias last where it is a feature.
   * @param {any} w
   */
  split(w) {
    if (!this.embedded) return w;
    const half = w.length / 2;
    return w.slice(0, half).map((/** @type {number} */ value, /** @type {number} */ j) => value - w[half + j]);
  }

  /**
   * Weights of the features alone.
   * @param {any} w
   */
  weights(w) {
    return this.split(w).subarray(0, this.d);
  }

  /** @param {number} j */
  name(j) {
    return j < this.names.length ? this.names[j] : "(constant)";
  }

  /**
   * The entries of a row, [column, value].
   * @param {number} i
   */
  row(i) {
    const { offsets, indices, values, d } = this.data;
    if (!offsets.length) {
      return Array.from({ length: d }, (_, j) => [j, values[i * d + j]]).filter(([, value]) => value !== 0);
    }
    const range = Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => Number(offsets[i]) + k);
    return range.map((k) => [indices[k], values.length ? values[k] : 1]);
  }

  /** @param {any} alpha @param {number} i */
  nu(alpha, i) {
    return -alpha / (this.data.weight[i] * this.sign[i]);
  }
}

/**
 * Made when it is first asked for, since what is folded away need not be worked out in a run.
 * @param {any} make
 */
function once(make) {
  let made;
  return () => (made ??= make());
}

/**
 * Returns the columns drawn of a certificate, whose numbers and place are a `row` of the run's `rows`.
 * @param {any} problem
 * @param {{ w: any, alpha: any, [name: string]: any }} fields
 * @param {{ step: any, epoch: number }} others
 */
export function stateOf(problem, { w, alpha, ...certificate }, { step, epoch }) {
  const features = problem.split(w);
  const own = features.subarray(0, problem.d);
  const b = problem.constant ? features[problem.d] : 0;
  const duals = once(() => dualsOf(problem, alpha, certificate.z));
  const terms = once(() => termsOf(certificate, duals()));
  const { primal, dual, gap, relative_gap } = certificate;
  /** @param {any} values */
  const count = (values) =>
    values.reduce((/** @type {any} */ sum, /** @type {number} */ value) => sum + (value !== 0), 0);
  return {
    row: { step, epoch, primal, dual, gap, relative_gap, nonzeros: count(own), support: count(alpha) },
    w: own,
    b,
    get duals() {
      return duals();
    },
    get terms() {
      return terms();
    },
    n: problem.n,
    d: problem.d,
  };
}

/**
 * Beside each dual variable stands what the slope of its loss is taken at: its margin, or else its residual.
 * @param {any} problem @param {any} alpha @param {ArrayLike<number>} z
 */
export function dualsOf(problem, alpha, z) {
  const { loss, data } = problem;
  const margin = loss.kind === "margin";
  /** @param {any} nu */
  const atEnd = (nu) => [loss.lower, loss.upper].some((end) => Math.abs(nu - end) <= BOUND_TOLERANCE);
  const kinds = Array.from(alpha, (value, i) =>
    value === 0 ? "zero" : atEnd(problem.nu(value, i)) ? "bound" : "free",
  );
  const values = alpha.map((/** @type {number} */ value, /** @type {number} */ i) =>
    margin ? value * data.y[i] : value,
  );
  const order = Array.from(alpha.keys()).sort((a, b) => values[b] - values[a] || a - b);
  const place = spread(order.length, MOST_SAMPLES);
  const drawn = place.map((k) => order[k]);
  /** @type {any[]} */
  const rank = [];
  order.forEach((i, k) => {
    rank[i] = k;
  });
  /** @param {any} kind */
  const count = (kind) => kinds.reduce((sum, each) => sum + Number(each === kind), 0);
  return {
    place,
    value: drawn.map((i) => values[i]),
    kind: drawn.map((i) => kinds[i]),
    kinds,
    values,
    rank,
    sample: drawn,
    margin,
    at: drawn.map((i) => (margin ? data.y[i] * z[i] : z[i] - data.y[i])),
    zero: count("zero"),
    free: count("free"),
    bound: count("bound"),
  };
}

/** @param {Record<string, any>} fields @param {{ kinds: any, values: number[], rank: any }} others */
function termsOf({ sample_terms, gap, regularizer_term }, { kinds, values, rank }) {
  if (!Number.isFinite(gap))
    return { place: [], share: [], sample: [], kind: [], dual_place: [], dual: [], half: 0, rest: 0 };
  const order = Array.from(sample_terms.keys()).sort((a, b) => sample_terms[b] - sample_terms[a] || a - b);
  const positive = sample_terms.reduce((/** @type {any} */ sum, /** @type {number} */ value) => sum + (value !== 0), 0);
  const drawn = order.slice(0, Math.min(MOST_SAMPLES, positive));
  const total = sample_terms.reduce((/** @type {any} */ a, /** @type {any} */ b) => a + b, 0);
  let half = 0;
  let sum = 0;
  // Equal terms add up to half of them but for rounding.
  if (total > 0) while (sum < (0.5 - ROUNDING) * total && half < order.length) sum += sample_terms[order[half++]];
  return {
    place: drawn.map((_, k) => k + 1),
    share: drawn.map((i) => sample_terms[i]),
    sample: drawn,
    kind: drawn.map((i) => kinds[i]),
    dual_place: drawn.map((i) => rank[i]),
    dual: drawn.map((i) => values[i]),
    half,
    rest: regularizer_term,
  };
}

/**
 * The predictions of held-out samples.
 * @param {any} problem @param {{ w: any, b: any }} fields
 */
function predictionsOf(problem, { w, b }) {
  const {
    constant,
    d,
    test: { offsets, indices, values, y },
  } = problem;
  const features = problem.split(w);
  return Array.from(y, (_, i) => {
    let sum = constant ? features[d] : b;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += values[k] * features[indices[k]];
    return sum;
  });
}

/**
 * The mean loss of held-out samples; null without such samples, or a curve of the loss.
 * @param {any} problem @param {any} point
 */
export function lossOf(problem, point) {
  const {
    test,
    curves: { loss, kind },
  } = problem;
  if (!test || !loss) return null;
  const z = predictionsOf(problem, point);
  const u = z.map((each, i) => (kind === "margin" ? test.y[i] * each : kind === "residual" ? each - test.y[i] : each));
  return u.reduce((sum, each) => sum + loss.value(each), 0) / u.length;
}

/**
 * Accuracy on held-out samples, or R squared where the targets are not labels; null without such samples.
 * @param {any} problem @param {any} point
 */
export function scoreOf(problem, point) {
  if (!problem.test) return null;
  const { y } = problem.test;
  const z = predictionsOf(problem, point);
  /** @param {any} terms */
  const total = (terms) => terms.reduce((/** @type {any} */ sum, /** @type {any} */ term) => sum + term, 0);
  if (y.every((/** @type {number} */ value) => Math.abs(value) === 1))
    return total(z.map((value, i) => Number((value >= 0 ? 1 : -1) === y[i]))) / y.length;
  const mean = total(y) / y.length;
  return (
    1 -
    total(z.map((value, i) => (y[i] - value) ** 2)) /
      (total(y.map((/** @type {number} */ value) => (value - mean) ** 2)) || 1)
  );
}

/**
 * Returns every weight with the certificate, as CSV.
 * @param {any} state
 */
export function weightsTable({ problem, certificate: { w, primal, dual, gap } }) {
  const { names, constant, d } = problem;
  const cell = (/** @type {string} */ text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const all = Array.from(problem.split(w)).slice(0, constant ? d + 1 : d);
  const rows = all.map((value, j) => `${cell(j < d ? String(names[j]) : "(constant)")},${value}`);
  const numbers = Object.entries({ primal, dual, gap }).map(([name, value]) => `# ${name} = ${value}`);
  return [...numbers, "feature,weight", ...rows, ""].join("\n");
}
