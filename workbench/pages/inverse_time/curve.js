// @ts-check
// Steps to a target over the number of samples, read off recorded distances, and what the theorems say of them.

/** The bound may lie far above what is measured: it is drawn this far and no farther. */
const ABOVE = 1e3;
const PLACES = 80;
/** Theorem 1 is not asked for more steps than this. */
const MOST_STEPS = 1e15;
const TRAINING = "Suboptimality";
const TEST = "Test loss";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {{ m: number, seed: number, steps: number }} Cell - Infinity where the target was not reached
 * @typedef {{ m: number[], low: number[], median: number[], high: number[], missed: number }} Summary
 * @typedef {{ L: number, G: number }} Constants
 */

/**
 * Returns the first place of each training set at which the least distance so far is at most the target.
 * @param {{ m: ArrayLike<number> }} record
 * @param {ArrayLike<number>} distances - (sizes, seeds, places)
 * @param {ArrayLike<number>} places - the steps, or the iterations
 * @param {number} target
 * @param {number} [most] - the training sets that count of each size
 * @returns {Cell[]}
 */
export function cellsOf({ m }, distances, places, target, most = Infinity) {
  const length = places.length;
  const seeds = distances.length / (m.length * length);
  return Array.from({ length: Math.min(seeds, most) }, (_, seed) =>
    Array.from(m, (size, k) => {
      const from = (k * seeds + seed) * length;
      let place = 0;
      while (place < length && !(distances[from + place] <= target)) place++;
      return { m: size, seed, steps: place < length ? places[place] : Infinity };
    }),
  ).flat();
}

/**
 * Returns the median distance of each size at each look.
 * @param {{ m: ArrayLike<number>, looks: ArrayLike<number>, distances: ArrayLike<number> }} record
 * @param {number} most
 */
export function coursesOf({ m, looks, distances }, most) {
  const seeds = distances.length / (m.length * looks.length);
  return Array.from(m, (_, k) =>
    Array.from(looks, (__, look) => {
      const values = Array.from(
        { length: Math.min(seeds, most) },
        (___, seed) => distances[(k * seeds + seed) * looks.length + look],
      );
      return middle(
        values.sort((a, b) => a - b),
        0.5,
      );
    }),
  );
}

/**
 * Returns medians and quartiles over the training sets of each size; infinite where too few reached the target.
 * @param {Cell[]} cells
 * @returns {Summary}
 */
export function summaryOf(cells) {
  const m = [...new Set(cells.map((cell) => cell.m))].sort((a, b) => a - b);
  const values = m.map((size) =>
    cells
      .filter((cell) => cell.m === size)
      .map(({ steps }) => steps)
      .sort((a, b) => a - b),
  );
  const at = (/** @type {number} */ share) => values.map((sorted) => middle(sorted, share));
  const missed = cells.filter(({ steps }) => steps === Infinity).length;
  return { m, low: at(0.25), median: at(0.5), high: at(0.75), missed };
}

/**
 * @param {number[]} sorted
 * @param {number} share
 */
const middle = (sorted, share) => sorted[nearest(share * (sorted.length - 1))];

/**
 * Returns the nearest whole number, the even one of two.
 * @param {number} x
 */
function nearest(x) {
  const below = Math.floor(x);
  const rest = x - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

/**
 * Returns a summary as columns, without the sizes whose median is infinite; an infinite quartile is cut.
 * @param {Summary} summary
 * @param {(m: number) => number} [factor]
 */
export function bandOf({ m, low, median, high }, factor = () => 1) {
  const places = m.map((_, k) => k).filter((k) => median[k] < Infinity);
  const column = (/** @type {number[]} */ values) =>
    places.map((k) => factor(m[k]) * (values[k] < Infinity ? values[k] : median[k]));
  return { m: places.map((k) => m[k]), low: column(low), median: column(median), high: column(high) };
}

/**
 * Returns L of the theorems: the largest dual norm of a subgradient. A loss without bounds of its slope is met in the
 * ball of PGS alone, of radius B = sqrt((p - 1) P(0) / lam), where a prediction is at most B times the sample's norm.
 * @param {number} length - the largest dual norm of a sample
 * @param {{ lipschitz: number, at_zero: number, curvature: number, zero_value: number }} loss
 * @param {Settings} settings
 */
export function lipschitz(length, loss, { p, lam }) {
  if (loss.lipschitz < Infinity) return loss.lipschitz * length;
  const ball = Math.sqrt(((p - 1) * loss.zero_value) / lam);
  return (loss.at_zero + loss.curvature * ball * length) * length;
}

/**
 * Returns the bound of the mean excess after a number of steps.
 * @param {number} L
 * @param {number} lam
 * @param {number} steps
 */
export function theorem1(L, lam, steps) {
  return (L ** 2 * (1 + Math.log(steps))) / (2 * lam * steps);
}

/**
 * Returns the least number of steps for which Theorem 1 promises an excess; infinite where that is too many.
 * @param {number} L
 * @param {number} lam
 * @param {number} excess
 */
function theorem1Steps(L, lam, excess) {
  let [low, high] = [0, Math.log(MOST_STEPS)];
  const at = (/** @type {number} */ x) => theorem1(L, lam, Math.exp(x));
  if (at(high) > excess) return Infinity;
  if (at(low) <= excess) return 1;
  for (let center = high / 2; low < center && center < high; center = (low + high) / 2) {
    if (at(center) > excess) low = center;
    else high = center;
  }
  return Math.exp(high);
}

/**
 * Returns the steps that the theorems ask for at a size: Theorem 2 of the test loss, Theorem 1 of the suboptimality;
 * infinite where they give no bound, or do not speak of the measure. Theorem 2 is Theorem 1 without its logarithm and
 * with the samples' term, whose c is from the theory of generalization: the least T with
 * lam G + c L^2 / (lam m) + L^2 / (2 lam T) <= target, (20) of Zhu et al. for one lam.
 * @param {Settings} settings
 * @param {Constants} constants
 * @param {number} m
 */
export function boundOf({ lam, target, measure, c }, { L, G }, m) {
  if (measure === TRAINING) return theorem1Steps(L, lam, target);
  const left = lam * target - lam ** 2 * G - (c * L ** 2) / m;
  return measure === TEST && left > 0 ? L ** 2 / (2 * left) : Infinity;
}

/**
 * Returns which sentence says what the theorems ask for.
 * @param {string} measure
 * @param {number} value
 */
export function theoremText(measure, value) {
  if (measure === TRAINING) return "theorem_1";
  if (measure !== TEST) return "silent";
  return value < Infinity ? "theorem_2" : "no_bound";
}

/**
 * Returns the curve of the bound over a range of sizes, as far as it is drawn.
 * @param {Settings} settings
 * @param {Constants} constants
 * @param {[number, number]} range
 * @param {number} most - the most steps that are measured
 */
export function boundCurve(settings, constants, [start, end], most) {
  const m = Array.from({ length: PLACES }, (_, k) =>
    k === PLACES - 1 ? end : start * (end / start) ** (k / (PLACES - 1)),
  );
  const steps = m.map((size) => boundOf(settings, constants, size));
  const places = m.map((_, k) => k).filter((k) => steps[k] <= ABOVE * most);
  return { m: places.map((k) => m[k]), steps: places.map((k) => steps[k]) };
}
