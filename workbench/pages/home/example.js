// @ts-check
// The examples of the story: a line through two samples, a boundary in the plane, and a dead zone.

/** @typedef {{ x: number[], y: number[], lam: number, w: number }} Samples */
/** @typedef {{ x: number[][], y: number[], lam: number }} Plane */

/** Sweeps of coordinate steps for the boundary, far more than its few points need. */
const SWEEPS = 4000;
const TOLERANCE = 1e-10;

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);
/** @param {number[]} values */
const mean = (values) => sum(values) / values.length;
/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => sum(a.map((value, k) => value * b[k]));

/**
 * The mean of half the squared misses of the line with slope w.
 * @param {Samples} samples
 * @param {number} w
 */
export const misses = ({ x, y }, w) => mean(x.map((each, i) => 0.5 * (w * each - y[i]) ** 2));

/**
 * The charge for the slope w.
 * @param {Samples} samples
 * @param {number} w
 */
export const charge = ({ lam }, w) => 0.5 * lam * w * w;

/**
 * The price P(w).
 * @param {Samples} samples
 * @param {number} w
 */
export const price = (samples, w) => misses(samples, w) + charge(samples, w);

/**
 * The tangent of the misses at w and the parallel one of the charge, drawn downwards: slope, intercepts and floor.
 * @param {Samples} samples
 * @param {number} w
 */
export function tangents(samples, w) {
  const { x, y, lam } = samples;
  const slope = mean(x.map((each, i) => (w * each - y[i]) * each));
  const above = misses(samples, w) - slope * w;
  const below = slope ** 2 / (2 * lam);
  return { slope, above, below, floor: above - below };
}

/**
 * The floor D(α), and what it is made of: the intercepts of the tangents with slopes −α, and the weight v of the charge.
 * @param {Samples} samples
 * @param {number[]} alpha
 */
export function floorOf(samples, alpha) {
  const { x, y, lam } = samples;
  const intercepts = alpha.map((each, i) => each * y[i] - 0.5 * each * each);
  const v = mean(alpha.map((each, i) => each * x[i])) / lam;
  return { intercepts, v, floor: mean(intercepts) - charge(samples, v) };
}

/**
 * The shares of the gap P(w) − D(α): one of each sample, the last of the weight.
 * @param {Samples} samples
 * @param {number[]} alpha
 */
export function areas(samples, alpha) {
  const { x, y, lam, w } = samples;
  const { v } = floorOf(samples, alpha);
  const shares = alpha.map((each, i) => (0.5 * (each - (y[i] - w * x[i])) ** 2) / y.length);
  return [...shares, 0.5 * lam * (w - v) ** 2];
}

/**
 * The boundary between two classes by dual coordinate steps, with the gap that certifies it.
 * @param {Plane} plane
 */
export function boundary({ x, y, lam }) {
  const rows = x.map((point) => [...point, 1]);
  const cap = 1 / (lam * y.length);
  const alpha = y.map(() => 0);
  const w = [0, 0, 0];
  let gap = Infinity;
  let primal = 1;
  for (let sweep = 0; sweep < SWEEPS && gap > TOLERANCE * primal; sweep += 1) {
    rows.forEach((row, i) => {
      const free = alpha[i] + (1 - y[i] * dot(row, w)) / dot(row, row);
      const step = Math.min(Math.max(free, 0), cap) - alpha[i];
      alpha[i] += step;
      row.forEach((value, k) => {
        w[k] += step * y[i] * value;
      });
    });
    primal = 0.5 * lam * dot(w, w) + mean(rows.map((row, i) => Math.max(0, 1 - y[i] * dot(row, w))));
    gap = primal - lam * (sum(alpha) - 0.5 * dot(w, w));
  }
  return { w, alpha: alpha.map((each) => each / cap), gap: Math.max(gap, 0) / primal };
}

/**
 * The dual values v and weights w of an elastic net over orthonormal features with correlations c.
 * @param {{ epsilon: number, c: number[] }} zone
 * @param {number} lam
 */
export function deadZone({ epsilon, c }, lam) {
  const w = c.map((each) => (Math.sign(each) * Math.max(Math.abs(each) - lam * epsilon, 0)) / (1 + lam));
  return { w, v: c.map((each, k) => (each - w[k]) / lam) };
}
