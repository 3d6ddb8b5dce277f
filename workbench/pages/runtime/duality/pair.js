// A convex function and its conjugate as pictures take them: compiled scalars, and the facts of a term.

/** @typedef {{ call(name: string, ...given: any[]): any, floats(values: ArrayLike<number>): any }} Kernels */
/** @typedef {[number, number, number]} Kink - a place, the slope before it and the slope after it */

/**
 * @typedef {object} Pair
 * @property {(u: number) => number} value
 * @property {(u: number) => number} slope
 * @property {(level: number) => number} conjugate
 * @property {(level: number) => number} touch - a place at which the level is a slope; infinite for a limit of slopes
 * @property {Kink[]} kinks
 * @property {number[]} bends - places at which the slope is not smooth
 * @property {Flat[]} flats
 * @property {[number, number]} domain - the ends between which the function is finite
 * @property {[number, number]} slopes - the ends between which its slopes lie
 */
/** @typedef {[number, number, number]} Flat - the ends of an interval and the slope, which is constant there */

// A level this close beyond the last slope is beyond it by rounding alone.
const ROUNDING = 1e-12;

/**
 * The pair of a loss of one prediction, p and p*.
 * @param {Kernels} kernels
 * @param {{ functions: string, theta: ArrayLike<number>, kinks: Kink[], bends: number[], flats: Flat[],
 *   domain: [number, number], lower: number, upper: number }} facts - as `bundle.loss_facts` gives them
 * @returns {Pair}
 */
export function lossPair(kernels, { functions, theta, kinks, bends, flats, domain, lower, upper }) {
  const parameters = kernels.floats(theta),
    at = scalar(kernels, functions, parameters);
  return {
    value: at("value"),
    slope: at("slope"),
    conjugate: at("conjugate"),
    touch: at("conjugate_slope"),
    kinks,
    bends,
    flats,
    domain,
    slopes: [lower, upper],
  };
}

/**
 * The pair of one coordinate of a separable regularizer, h and g; null where its coordinates do not have one curve.
 * @param {Kernels} kernels
 * @param {{ functions: string, outer: string, structure: string, linear: boolean, norm: boolean,
 *   theta: ArrayLike<number>, weights: ArrayLike<number>, flats: Flat[], ends: [number, number] }} facts - as
 *   `bundle.regularizer_facts` gives them
 * @returns {Pair | null}
 */
export function regularizerPair(kernels, { functions, outer, structure, linear, norm, theta, weights, flats, ends }) {
  const c = weights[0];
  if (norm || structure !== "separable" || !linear || !Array.from(weights).every((each) => each === c)) return null;
  const parameters = kernels.floats(theta),
    at = scalar(kernels, functions, parameters);
  const factor = c * kernels.call(`${outer}_outer_slope`, 0, parameters),
    inner = at("inner"),
    slope = at("inner_slope");
  return {
    value: (v) => factor * inner(v),
    slope: (v) => factor * slope(v),
    conjugate: (w) => kernels.call(`${functions}_primal`, w, c, parameters),
    touch: (w) => kernels.call(`${functions}_primal_slope`, w, c, parameters),
    kinks: [],
    bends: flats.flatMap((flat) => flat.slice(0, 2)),
    flats,
    domain: [-Infinity, Infinity],
    slopes: ends,
  };
}

/**
 * The curve of a weight that is the difference of two, whose coordinates of the dual vector are opposite.
 * @param {Pair} pair
 * @returns {Pair}
 */
export function mirrored(pair) {
  const both = [...pair.bends, ...pair.bends.map((place) => -place)];
  return {
    ...pair,
    value: (v) => pair.value(v) + pair.value(-v),
    slope: (v) => pair.slope(v) - pair.slope(-v),
    bends: both,
    flats: [],
    slopes: [-Infinity, Infinity],
  };
}

/**
 * A compiled function of a term by its part.
 * @param {Kernels} kernels
 * @param {string} functions
 * @param {any} theta
 */
function scalar(kernels, functions, theta) {
  /** @param {string} part */
  return (part) => {
    /** @param {number} u @returns {number} */
    return (u) => kernels.call(`${functions}_${part}`, u, theta);
  };
}

/**
 * The level, put onto the last slope where rounding took it beyond; null where it lies beyond all slopes.
 * @param {Pair} pair
 * @param {number} level
 */
export function levelWithin({ slopes: [lower, upper] }, level) {
  const inside = Math.min(Math.max(level, lower), upper);
  return Math.abs(level - inside) <= ROUNDING * Math.max(1, Math.abs(inside)) ? inside : null;
}
