// The graph of a subdifferential, and the Fenchel-Young terms as areas between it and a level.

/** @typedef {import("./pair.js").Pair} Pair */
/** @typedef {{ x: number[], y: number[] }} Polyline */

import { levelWithin } from "./pair.js";

// Points of a curve between the ends of its figure; halvings towards the end of a domain at which the slope is infinite.
const POINTS = 160,
  HALVINGS = 24;

/**
 * The graph of the subdifferential between two places: both coordinates never fall, and it is vertical at kinks.
 * @param {Pair} pair
 * @param {number} low
 * @param {number} high
 * @param {number} [count] - points beside kinks and bends
 * @returns {Polyline}
 */
export function graph({ slope, kinks, bends, domain }, low, high, count = POINTS) {
  const [start, end] = [Math.max(low, domain[0]), Math.min(high, domain[1])];
  /** @type {Polyline} */
  const curve = { x: [], y: [] };
  if (!(start <= end)) return curve;
  const inside = (/** @type {number} */ place) => place > start && place < end;
  const places = new Set([start, end, ...bends.filter(inside), ...kinks.map(([place]) => place).filter(inside)]);
  for (let k = 1; k < count; k++) places.add(start + ((end - start) * k) / count);
  for (let k = 1; k <= HALVINGS; k++) {
    if (domain[0] > low) places.add(start + ((end - start) / count) * 2 ** -k);
    if (domain[1] < high) places.add(end - ((end - start) / count) * 2 ** -k);
  }
  let last = -Infinity;
  for (const place of [...places].sort((a, b) => a - b)) {
    const kink = kinks.find(([each]) => each === place);
    for (const value of kink ? kink.slice(1) : [slope(place)]) {
      if (!Number.isFinite(value)) continue;
      // Rounding alone makes a slope fall.
      last = Math.max(last, value);
      curve.x.push(place);
      curve.y.push(last);
    }
  }
  return curve;
}

/**
 * @typedef {object} Term
 * @property {number} area - p(u) + p*(level) - level u, which is the integral of p' - level from `from` to u
 * @property {number} from - where the graph has the level; infinite where it has it in the limit alone
 * @property {boolean} isInfinite - where no slope is as large or as small as the level
 */

/**
 * The Fenchel-Young term of a place and a level.
 * @param {Pair} pair
 * @param {number} u
 * @param {number} level
 * @returns {Term}
 */
export function term(pair, u, level) {
  const inside = levelWithin(pair, level);
  const value = pair.value(u);
  if (inside === null || !Number.isFinite(value)) {
    return { area: Infinity, from: level > pair.slopes[1] ? Infinity : -Infinity, isInfinite: true };
  }
  const from = touching(pair, u, inside);
  const area = Number.isFinite(from)
    ? value - pair.value(from) - inside * (u - from)
    : value + pair.conjugate(inside) - inside * u;
  return { area: Math.max(area, 0), from, isInfinite: area === Infinity };
}

/**
 * The place nearest to u at which the level is a slope.
 * @param {Pair} pair
 * @param {number} u
 * @param {number} level
 */
function touching({ touch, kinks, flats, slopes: [lower, upper] }, u, level) {
  const kink = kinks.find(([, before, after]) => level > before && level < after);
  if (kink) return kink[0];
  const flat = flats.find(([, , slope]) => slope === level);
  if (flat) return Math.min(Math.max(u, flat[0]), flat[1]);
  const place = touch(level);
  if (!Number.isNaN(place)) return place;
  return level === lower ? -Infinity : level === upper ? Infinity : u;
}

/**
 * @typedef {object} Region
 * @property {number[]} x
 * @property {number[]} y
 * @property {boolean} isCut - whether the area goes on beyond the frame
 * @property {boolean} isInfinite
 */

/**
 * The area of a term as a polygon between the level and the graph, cut at the ends of a frame.
 * @param {Pair} pair
 * @param {number} u
 * @param {number} level
 * @param {[number, number]} frame
 * @returns {Region}
 */
export function region(pair, u, level, [low, high]) {
  const { from, isInfinite } = term(pair, u, level),
    end = Math.min(Math.max(from, low), high);
  const { x, y } = graph(pair, Math.min(end, u), Math.max(end, u));
  return { x: [...x, Math.max(end, u), Math.min(end, u)], y: [...y, level, level], isCut: end !== from, isInfinite };
}
