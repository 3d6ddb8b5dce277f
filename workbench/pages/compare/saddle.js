// @ts-check
// The saddle R(w, α) over one weight and one dual variable: its picture, the paths, and the point that a hand moves.

import { spaced } from "../runtime/drawings.js";
import { MOST_POINTS, spread } from "../runtime/live_figures.js";
import { numerals } from "../runtime/numerals.js";
import { formatText } from "../runtime/wording.js";

/**
 * @typedef {object} Sections - as `saddle.sections` of Python gives them
 * @property {[[number, number], [number, number]]} ends
 * @property {Float64Array} of_weight
 * @property {Float64Array} of_dual
 * @property {number} slope
 * @property {Float64Array} valley
 * @property {Float64Array} least
 * @property {Float64Array} ridge
 * @property {Float64Array} most
 *
 * @typedef {{ weight: number[], dual: number[], surface: Float64Array }} Grid
 * @typedef {[number, number]} Place - a weight and a dual variable
 */

// The colours stay light, so that paths are seen on them.
const PALE = 2.5;
const SHARE = 0.8;
/** Where the point that a hand moves begins: this share of the way across. */
const BEGINNING = 0.3;

/**
 * Returns both axes and R less its value at the saddle point, row by row.
 * @param {Sections} sections
 * @param {Place} star
 * @returns {Grid}
 */
export function gridOf({ ends, of_weight: ofWeight, of_dual: ofDual, slope }, [w, a]) {
  const [weight, dual] = [0, 1].map((k) => spaced(ends[0][k], ends[1][k], ofWeight.length));
  const surface = Float64Array.from({ length: weight.length * dual.length }, (_, place) => {
    const [i, j] = [Math.floor(place / weight.length), place % weight.length];
    return ofDual[i] + ofWeight[j] - (dual[i] - a) * (weight[j] - w) * slope;
  });
  return { weight, dual, surface };
}

/**
 * Returns what the figure of the saddle shows.
 * @param {Sections} sections
 * @param {Place} star
 * @param {any[]} runs - with `last`, the place up to which each is drawn
 * @param {string} path - what the names of the sources of paths begin with
 */
export function saddlePicture(sections, star, runs, path) {
  const { weight, dual, surface } = gridOf(sections, star);
  const [low, high] = [weight[0], weight[weight.length - 1]];
  const [bottom, top] = [dual[0], dual[dual.length - 1]];
  const { valley, least, ridge, most } = sections;
  const paths = runs.map((run) => {
    const passes = spread(run.last + 1, MOST_POINTS);
    const columns = {
      weight: passes.map((k) => run.weight[k]),
      dual: passes.map((k) => run.alpha[k]),
      passes,
      name: passes.map(() => run.name),
    };
    return [path + run.name, columns];
  });
  return {
    sources: {
      surface: { image: [surface], x: [low], y: [bottom], dw: [high - low], dh: [top - bottom] },
      valley: { weight: valley, dual, least },
      ridge: { weight, dual: ridge, most },
      star: { weight: [star[0]], dual: [star[1]] },
      ...Object.fromEntries(paths),
    },
    ranges: [
      ["range", "saddle_x", low, high],
      ["range", "saddle_y", bottom, top],
    ],
    height: heightOf(surface),
  };
}

/**
 * Returns the height up to which colours tell heights apart.
 * @param {Float64Array} surface
 */
function heightOf(surface) {
  const sizes = surface.filter(Number.isFinite).map(Math.abs).sort();
  if (!sizes.length) return 1;
  const place = SHARE * (sizes.length - 1);
  const k = Math.floor(place);
  const quantile = sizes[k] + (place - k) * ((sizes[k + 1] ?? sizes[k]) - sizes[k]);
  return PALE * quantile || 1;
}

/**
 * Returns the value of a column between those of an evenly spaced axis.
 * @param {ArrayLike<number>} column
 * @param {number[]} axis
 * @param {number} at
 */
function between(column, axis, at) {
  const place = (at - axis[0]) / (axis[1] - axis[0]);
  const k = Math.min(Math.max(Math.floor(place), 0), axis.length - 2);
  const share = place - k;
  return share === 0 ? column[k] : (1 - share) * column[k] + share * column[k + 1];
}

/**
 * Returns the three values at a point, the way up to the best α and along to the best w.
 * @param {Sections} sections
 * @param {Place} star
 * @param {Place | null} hand - where somebody put the point
 */
export function weakDuality(sections, star, hand) {
  const { weight, dual, surface } = gridOf(sections, star);
  const isInside = (/** @type {number} */ value, /** @type {number[]} */ axis) =>
    value >= axis[0] && value <= axis[axis.length - 1];
  const bestDual = (/** @type {number} */ w) => between(sections.ridge, weight, w);
  const first = weight[0] + BEGINNING * (weight[weight.length - 1] - weight[0]);
  // A window that has not the point begins with one where R is finite.
  const [w, a] =
    hand && isInside(hand[0], weight) && isInside(hand[1], dual) ? hand : [first, 0.5 * (bestDual(first) + star[1])];
  const wide = weight.length;
  const R = between(
    dual.map((_, k) => between(surface.subarray(k * wide, (k + 1) * wide), weight, w)),
    dual,
    a,
  );
  const P = between(sections.most, weight, w);
  const D = between(sections.least, dual, a);
  return {
    values: { P, R, D },
    sources: {
      hand: { weight: [w], dual: [a] },
      best: { weight: [w, w, between(sections.valley, dual, a)], dual: [bestDual(w), a, a] },
    },
  };
}

/**
 * Returns the formula bar: weak duality with the numbers of the point that a hand moves.
 * @param {{ P: number, R: number, D: number }} values
 * @param {Record<string, string>} texts
 */
export function formulaBar({ P, R, D }, texts) {
  const signed = (/** @type {number} */ value) => numerals(formatText("{value:+.3g}", { value }));
  const number = (/** @type {string} */ kind, /** @type {string} */ text) =>
    `<b class='${kind}' data-number='${kind}'>${text}</b>`;
  // Beyond the domain of k, R is minus infinity; the best w of an α may lie beyond the window.
  const middle = Number.isNaN(R) ? texts.infinite : signed(R);
  const lower = Number.isNaN(D) ? `<em>${texts.beyond}</em>` : number("dual", signed(D));
  const gap = Number.isNaN(D) ? "" : ` ${texts.bar_gap} ${number("gap", signed(P - D))}`;
  return (
    `<div class='wb-formula'>${texts.bar} <em>${texts.here}</em> ` +
    `${number("primal", signed(P))} <span>≥</span> ${number("saddle", middle)} <span>≥</span> ${lower}${gap}</div>`
  );
}
