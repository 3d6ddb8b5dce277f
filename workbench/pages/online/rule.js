// Zhang's rule (24) on a stream of samples, the bounds of its mistakes, and its large-margin twin.

import { mirror } from "../runtime/mirror.js";

export const COUNT = 200;
export const VISITS = 3 * COUNT;

/**
 * As `workbench.data.examples.stream` draws them, to the bit.
 * @param {number} seed @param {number} count
 */
export function uniform(seed, count) {
  const start = Math.imul(seed, 0x9e3779b9);
  return Float64Array.from({ length: count }, (_, k) => {
    const a = (start + Math.imul(k + 1, 0x6d2b79f5)) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  });
}

/** @param {any} fields */
export function makeStream({ dimension: d, relevant, margin, noise, seed, orthonormal }) {
  const draws = uniform(seed, COUNT * (d + 1));
  const k = orthonormal ? d : Math.min(relevant, d);
  /** @type {Float64Array[]} */
  const X = [];
  /** @type {number[]} */
  const y = [];
  for (let i = 0; i < COUNT; i += 1) {
    let x = Float64Array.from(draws.subarray(i * (d + 1), i * (d + 1) + d), (each) => 2 * each - 1);
    let middle = x[0];
    for (let j = 1; j < k && !orthonormal; j += 1) middle += x[j];
    const side = middle < 0 ? -1 : 1;
    if (orthonormal) x = x.map((_, j) => (j === i % d ? side : 0));
    else for (let j = 0; j < k; j += 1) x[j] = (1 - margin) * x[j] + margin * side;
    X.push(x);
    y.push(draws[i * (d + 1) + d] < noise ? -side : side);
  }
  return { X, y, u: Float64Array.from({ length: d }, (_, j) => (j < k ? 1 / k : 0)) };
}

/** @param {any} a @param {any} b */
export function dot(a, b) {
  let total = 0;
  for (let j = 0; j < a.length; j += 1) total += a[j] * b[j];
  return total;
}

/** @param {any} x @param {any} p */
export function lengthOf(x, p) {
  let [top, total] = [0, 0];
  for (const each of x) top = Math.max(top, Math.abs(each));
  if (top === 0) return 0;
  for (const each of x) total += (Math.abs(each) / top) ** p;
  return top * total ** (1 / p);
}

/**
 * The rule of a regularizer in d coordinates; `spec` is an entry of the page's table with its formulas.
 * @param {any} spec @param {{ p: any, eta: any }} fields @param {number} d
 */
export function ruleOf(spec, { p, eta }, d) {
  const norm = spec.norm ?? (spec.entropic ? null : p);
  const theta = { q: norm / (norm - 1), power: 2, total: 1 };
  const c = Array.from({ length: d }, () => (spec.entropic ? 1 / d : 1));
  return { ...mirror(spec.formulas, c, theta, spec), norm, eta: spec.entropic ? eta : 1, c };
}

/**
 * What the rule does on the visits; all arrays have a place for the moment before the first.
 * @param {{ map: any, eta: any }} fields @param {Record<string, any>} others
 */
export function walk({ map, eta }, { X, y, u }) {
  let v = new Float64Array(u.length);
  let w = map(v);
  const total = new Float64Array(u.length);
  const record = { v: [v], w: [w], average: [w], count: [0], reached: [NaN] };
  for (let t = 0; t < VISITS; t += 1) {
    const [x, label] = [X[t % COUNT], y[t % COUNT]];
    const reached = label * dot(w, x);
    for (let j = 0; j < w.length; j += 1) total[j] += w[j];
    if (reached <= 0) {
      v = v.map((each, j) => each + eta * label * x[j]);
      w = map(v);
    }
    record.v.push(v);
    record.w.push(w);
    record.average.push(total.map((each) => each / (t + 1)));
    record.count.push(record.count[t] + Number(reached <= 0));
    record.reached.push(reached);
  }
  return record;
}

/** @param {number} x */
export function logCosh(x) {
  return x < 1 ? Math.log1p(2 * Math.sinh(0.5 * x) ** 2) : x + Math.log1p(Math.exp(-2 * x)) - Math.LN2;
}

/** @param {any} square @param {any} gamma @param {any} missing */
const rootBound = (square, gamma, missing) =>
  (square + 2 * gamma * missing + Math.sqrt(square * (square + 4 * gamma * missing))) / (2 * gamma ** 2);

/**
 * KL(u | c) of the weights c at the start, whose sum is 1.
 * @param {any} u @param {any} c
 */
const divergence = (u, c) =>
  u.reduce(
    (/** @type {any} */ sum, /** @type {any} */ each, /** @type {number} */ j) =>
      sum + (each > 0 ? each * Math.log(each / c[j]) : 0),
    0,
  );

/**
 * Of vectors most of which are the one before.
 * @param {any} list @param {(...x: any[]) => any} f
 */
export function ofEach(list, f) {
  /** @type {any} */
  let value;
  return list.map(
    (/** @type {any} */ each, /** @type {number} */ k) => (value = k > 0 && each === list[k - 1] ? value : f(each)),
  );
}

/**
 * What is known of the mistakes of the first t visits: `bound` beforehand, NaN where there is none, `fact` from
 * the Fenchel-Young inequality for the v that was reached, and what is missing to the margin gamma.
 * @param {any} rule @param {Record<string, any>} fields @param {any} gamma @param {any} way
 */
export function bounds(rule, { X, y, u }, gamma, way) {
  const { norm, eta, c } = rule;
  const record = { bound: [NaN], fact: [NaN], missing: [0], least: [Infinity] };
  const dual = norm === null ? 0 : lengthOf(u, norm / (norm - 1));
  const start = norm === null ? divergence(u, c) : 0;
  const gain = eta * gamma - logCosh(eta);
  /**
   * Of u.v where the rule is at v, by the inequality of Fenchel and Young for the best length of u.
   * @param {any} v
   */
  const mass = (v) =>
    start +
    Math.log(
      c.reduce(
        (/** @type {any} */ sum, /** @type {any} */ each, /** @type {number} */ j) => sum + each * Math.exp(v[j]),
        0,
      ),
    );
  const most = ofEach(way.v, norm === null ? mass : (v) => dual * lengthOf(v, norm));
  let [largest, missing, least] = [0, 0, Infinity];
  for (let t = 1; t <= VISITS; t += 1) {
    const i = (t - 1) % COUNT;
    const reached = y[i] * dot(u, X[i]);
    missing += Math.max(gamma - reached, 0);
    least = Math.min(least, reached);
    if (norm === null) record.bound.push(gain > 0 ? (start + eta * missing) / gain : NaN);
    else {
      if (t <= COUNT) largest = Math.max(largest, lengthOf(X[i], norm));
      record.bound.push(rootBound((norm - 1) * (largest * dual) ** 2, gamma, missing));
    }
    record.fact.push(most[t] / (eta * gamma) + missing / gamma);
    record.missing.push(missing);
    record.least.push(least);
  }
  return { ...record, gain, largest };
}

/**
 * The divergence of the rule's w from scale * u: each mistake with the margin takes at least `step` off it.
 * @param {any} rule
 * @param {{ u: any }} fields
 * @param {any} gamma
 * @param {any} way
 * @param {{ gain: any, largest: any }} others
 */
export function potential(rule, { u }, gamma, way, { gain, largest }) {
  const bend = rule.norm === null ? 0 : (rule.norm - 1) * largest ** 2;
  const scale = rule.norm === null ? 1 : (rule.eta * bend) / gamma;
  const target = Array.from(u, (each) => scale * each);
  const g = rule.g(target);
  const values = ofEach(way.v, (v) => g + rule.h(v) - dot(target, v));
  return { scale, step: rule.norm === null ? gain : 0.5 * rule.eta ** 2 * bend, values };
}

// A slope of the twin's dual that is 0 but for rounding.
const LEVEL = 1e-13;

/**
 * Where f, which rises, is 0 between 0 and `end`: false positions, an end that stays counted half.
 * @param {(...x: any[]) => any} f @param {any} atZero @param {number} end
 */
export function crossing(f, atZero, end) {
  const atEnd = f(end);
  if (atZero * atEnd >= 0) return end;
  let [a, b, fa, fb] = [0, end, atZero, atEnd];
  for (let k = 0; k < 100; k += 1) {
    const m = b - (fb * (b - a)) / (fb - fa);
    const fm = f(m);
    if (Math.abs(fm) <= LEVEL || m === b) return m;
    if (fm * fb < 0) [a, fa] = [b, fb];
    else fa *= 0.5;
    [b, fb] = [m, fm];
  }
  return b;
}

/**
 * The hinge loss with the same regularizer: a visit maximizes the dual over the variable of the sample.
 * @param {any} rule @param {Record<string, any>} fields @param {number} lam
 */
export function twin(rule, { X, y, u }, lam) {
  const beta = new Float64Array(COUNT);
  let v = new Float64Array(u.length);
  let w = rule.map(v);
  let [total, support] = [0, 0];
  const record = { v: [v], w: [w], total: [0], support: [0] };
  for (let t = 0; t < VISITS; t += 1) {
    const i = t % COUNT;
    /** @param {any} step */
    const moved = (step) => v.map((each, j) => each + (step * y[i] * X[i][j]) / (lam * COUNT));
    const lack = y[i] * dot(w, X[i]) - 1;
    const end = lack < 0 ? 1 - beta[i] : -beta[i];
    if (lack !== 0 && end !== 0) {
      const step = crossing((s) => y[i] * dot(rule.map(moved(s)), X[i]) - 1, lack, end);
      v = moved(step);
      w = rule.map(v);
      support -= Number(beta[i] !== 0);
      beta[i] = step === end ? (end > 0 ? 1 : 0) : beta[i] + step;
      support += Number(beta[i] !== 0);
      total += step;
    }
    record.v.push(v);
    record.w.push(w);
    record.total.push(total);
    record.support.push(support);
  }
  return record;
}

/**
 * P, -D and their gap after t visits.
 * @param {any} rule @param {Record<string, any>} fields @param {number} lam @param {any} way @param {number} t
 */
export function certified(rule, { X, y }, lam, way, t) {
  const w = way.w[t];
  let hinge = 0;
  for (let i = 0; i < COUNT; i += 1) hinge += Math.max(0, 1 - y[i] * dot(w, X[i]));
  const primal = hinge / COUNT + lam * rule.g(w);
  const dual = way.total[t] / COUNT - lam * rule.h(way.v[t]);
  return { primal, dual, gap: Math.max(primal - dual, 0) };
}

/** @param {{ X: Float64Array[], y: number[] }} stream @param {Float64Array} w */
export const wrong = ({ X, y }, w) => X.reduce((sum, x, i) => sum + Number(y[i] * dot(w, x) <= 0), 0);
