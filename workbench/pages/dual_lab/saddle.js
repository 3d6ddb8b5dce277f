// @ts-check
// The saddle R over one weight and one dual variable: where it is looked at, and its surface less its value there.

/** @typedef {import("./state.js").Pictured} Pictured */

// Of the saddle: its grid, and how far it reaches beyond the present point in multiples of its size.
const SIDE = 61;
const REACH = 1.5;

/**
 * The sample whose dual variable is looked at: the last one visited, later the worst one that is free.
 * @param {any} problem @param {any} certificate @param {any} event @param {number} epoch
 */
export function watched(problem, certificate, event, epoch) {
  if (epoch < 1 && event) return event.index;
  const { lower, upper } = problem.loss;
  const worth = certificate.sample_terms.map((/** @type {any} */ term, /** @type {number} */ i) => {
    const nu = problem.nu(certificate.alpha[i], i);
    return nu > lower && nu < upper && nu !== 0 ? 1 + term : term;
  });
  return worth.reduce(
    (/** @type {any} */ best, /** @type {number} */ value, /** @type {number} */ i) => (value > worth[best] ? i : best),
    0,
  );
}

/**
 * Return the place of the saddle, for the message "section"; null without a row or with an infinite gap.
 * @param {any} problem @param {any} fields @param {any} sample @param {any[][]} row - pairs of a column and a value
 */
export function sectionOf(problem, { w, alpha, z, gap }, sample, row) {
  if (!row.length || !Number.isFinite(gap) || !w.every(Number.isFinite)) return null;
  /** @param {any[]} place */
  const reach = ([j, x]) => Math.abs(x * (1e-12 + Math.abs(w[j])));
  const feature = row.reduce((/** @type {any} */ best, /** @type {any} */ entry) =>
    reach(entry) > reach(best) ? entry : best,
  )[0];
  /** @param {any} column */
  const entry = (column) => row.find((/** @type {any[]} */ [j]) => j === column)?.[1] ?? 0;
  const trades = problem.regularizer.structure === "simplex";
  /** @type {any} */
  const mirror = trades ? (feature + problem.width / 2) % problem.width : null;
  const x = entry(feature) - (trades ? entry(mirror) : 0);
  const here = w[feature];
  const most = w.reduce((/** @type {any} */ a, /** @type {number} */ value) => Math.max(a, Math.abs(value)), 0);
  const size = Math.max(REACH * Math.abs(here), 0.05 * most, 1e-3);
  let low = Math.min(0, here) - 0.5 * size;
  let high = Math.max(0, here) + 0.5 * size;
  if (problem.embedded && problem.regularizer.structure === "separable") low = 0;
  if (trades) [low, high] = [0, here + w[mirror]];
  const weights = line(low, high);
  const moves = weights.map((value) => x * (value - here));
  return {
    feature,
    mirror,
    sample,
    weights: [...weights, here],
    duals: [...dualRange(problem, sample, alpha[sample]), alpha[sample]],
    predictions: moves.map((move) => z[sample] + move),
    x,
  };
}

/** @param {number} low @param {number} high */
function line(low, high) {
  return Array.from({ length: SIDE }, (_, k) => low + ((high - low) * k) / (SIDE - 1));
}

/**
 * Values of the dual variable within the domain of the conjugate, the present one among them.
 * @param {any} problem @param {any} sample @param {any} alpha
 */
function dualRange(problem, sample, alpha) {
  const scale = problem.data.weight[sample] * problem.sign[sample];
  const nu = -alpha / scale;
  const size = Math.max(REACH * Math.abs(nu), 1);
  const { lower, upper } = problem.loss;
  const low = lower > -Infinity ? lower : Math.min(0, nu) - size;
  const high = upper < Infinity ? upper : Math.max(0, nu) + size;
  return line(low, high)
    .map((each) => 0 - scale * each)
    .sort((a, b) => a - b);
}

/**
 * R around the present point, less its value there, and the best weight and dual variable along each line.
 * @param {any} problem
 * @param {{ w: any, alpha: any, z: ArrayLike<number>, sample_terms: any }} fields
 * @param {any} asked
 * @param {{ g: any, v: any, conjugate: any, best: any }} others
 */
export function saddleOf(problem, { w, alpha, z, sample_terms }, asked, { g, v, conjugate, best }) {
  const { feature, mirror, sample, x } = asked;
  const { lam, n } = problem;
  const here = w[feature];
  const a = alpha[sample];
  const weight = asked.weights.slice(0, -1);
  const dual = asked.duals.slice(0, -1);
  const slope = lam * (v[0] - (mirror === null ? 0 : v[1]));
  const own = weight.map(
    (/** @type {number} */ value, /** @type {number} */ k) => lam * g[k] - slope * (value - here) - lam * g.at(-1),
  );
  const alone = dual.map(
    (/** @type {number} */ value, /** @type {number} */ k) =>
      (conjugate.at(-1) + a * z[sample] - conjugate[k] - value * z[sample]) / n,
  );
  const surface = dual.map((/** @type {number} */ value, /** @type {any} */ r) =>
    weight.map(
      (/** @type {any} */ at, /** @type {number} */ k) => alone[r] + own[k] - ((value - a) * (at - here) * x) / n,
    ),
  );
  const featureName = problem.name(feature % (problem.embedded ? problem.width / 2 : problem.width));
  return {
    weight,
    dual,
    surface,
    ridge: best,
    point: [here, a],
    valley: surface.map((/** @type {Row} */ row) => vertex(weight, row)),
    up: sample_terms[sample],
    down: Math.max(0, -least(own)),
    sample,
    feature,
    name: featureName,
  };
}

/**
 * The least value, by a parabola through the three around it.
 * @param {number[]} values
 */
function least(values) {
  const at = values.indexOf(Math.min(...values));
  if (at <= 0 || at === values.length - 1) return values[Math.max(at, 0)];
  const [left, middle, right] = values.slice(at - 1, at + 2);
  const bend = left - 2 * middle + right;
  return bend <= 0 || !Number.isFinite(bend) ? middle : middle - (left - right) ** 2 / (8 * bend);
}

/** @param {any} weight @param {any} row */
function vertex(weight, row) {
  const at = Math.min(Math.max(row.indexOf(Math.min(...row)), 1), row.length - 2);
  const [left, middle, right] = row.slice(at - 1, at + 2);
  const bend = left - 2 * middle + right;
  const offset = bend > 0 ? (0.5 * (left - right)) / bend : 0;
  return weight[at] + Math.min(Math.max(Number.isFinite(offset) ? offset : 0, -1), 1) * (weight[1] - weight[0]);
}
