// @ts-check
// Edges of the sets {f <= level} of a convex f in the plane, along rays from a point inside: no grid is involved.

import { spaced } from "./drawings.js";

// Multiples of 45 degrees are among the rays, so that the corners of boxes and diamonds around 0 are exact.
const RAYS = 360;
const THIN_RAYS = 180;
const HALVINGS = 44;
const THIN_HALVINGS = 18;
const COARSE = 31;
const LEVELS = 9;

/**
 * @typedef {{ x: [number, number], y: [number, number] }} Window
 * @typedef {{ x: number[], y: number[] }} Curve - perhaps several, with a NaN between
 */

/**
 * How far along a ray f stays at most at a level, between two distances; NaN where the window or f's domain ends first.
 * @param {any} along @param {number} level @param {any} from @param {any} to @param {any} halvings
 */
function edgeDistance(along, level, from, to, halvings) {
  if (along(to) <= level) return NaN;
  let [low, high] = [from, to];
  for (let k = 0; k < halvings; k += 1) {
    const middle = 0.5 * (low + high);
    if (along(middle) <= level) low = middle;
    else high = middle;
  }
  return Number.isFinite(along(high)) ? low : NaN;
}

/**
 * The lowest point of f: 0 where nothing in the window lies below it, since there the corners of a ball are exact.
 * @param {(...x: any[]) => any} f @param {any} fields
 */
export function insidePoint(f, { x, y }) {
  let [best, at] = [f([0, 0]), [0, 0]];
  /** @param {any} v @param {any} place */
  const inside = (v, [a, b]) => a < v && v < b;
  if (Number.isNaN(best) || !inside(0, x) || !inside(0, y)) best = Infinity;
  for (const b of spaced(y[0], y[1], COARSE)) {
    for (const a of spaced(x[0], x[1], COARSE)) {
      const value = f([a, b]);
      if (value < best - 1e-12) [best, at] = [value, [a, b]];
    }
  }
  return { at, best };
}

/**
 * Closed curves, or what the window has of them, one after another with a NaN between: {x, y}.
 * @param {(...x: any[]) => any} f
 * @param {any} window
 * @param {number[]} levels
 * @param {any} fields
 * @param {number} count
 * @param {any} halvings
 */
export function edges(f, window, levels, { at, best }, count, halvings) {
  const farthest = 2 * Math.hypot(window.x[1] - window.x[0], window.y[1] - window.y[0]);
  const known = levels.filter((level) => level >= best);
  /** @type {any} */
  const reached = known.map(() => []);
  for (let k = 0; k <= count; k += 1) {
    const angle = (2 * Math.PI * (k % count)) / count;
    const way = [Math.cos(angle), Math.sin(angle)].map((e) => (Math.abs(e) < 1e-15 ? 0 : e));
    /** @param {any} r */
    const along = (r) => f([at[0] + r * way[0], at[1] + r * way[1]]);
    let from = 0;
    known.forEach((level, j) => {
      const r = edgeDistance(along, level, from, farthest, halvings);
      if (Number.isFinite(r)) from = r;
      reached[j].push([at[0] + r * way[0], at[1] + r * way[1]]);
    });
  }
  const points = reached.flatMap((/** @type {any} */ curve) => [...curve, [NaN, NaN]]);
  return { x: points.map((/** @type {any} */ e) => e[0]), y: points.map((/** @type {any} */ e) => e[1]) };
}

/**
 * Returns levels that are even in the root, so that the sets of a quadratic stand at even distances.
 * @param {(x: number[]) => number} f
 * @param {Window} window
 * @param {number} best
 */
function levelsOf(f, { x, y }, best) {
  const values = spaced(y[0], y[1], COARSE).flatMap((b) => spaced(x[0], x[1], COARSE).map((a) => f([a, b])));
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  const high = finite[Math.floor(0.93 * (finite.length - 1))];
  return high > best ? spaced(1 / LEVELS, 1, LEVELS).map((share) => best + (high - best) * share ** 2) : [];
}

/** @returns {Curve} */
export const nothing = () => ({ x: [], y: [] });

/**
 * Returns level sets of a convex function, thin lines.
 * @param {(x: number[]) => number} f
 * @param {Window} window
 * @returns {Curve}
 */
export function levelLines(f, window) {
  const lowest = insidePoint(f, window);
  return edges(f, window, levelsOf(f, window, lowest.best), lowest, THIN_RAYS, THIN_HALVINGS);
}

/**
 * Returns the edge of the set where a convex function is at most a level.
 * @param {(x: number[]) => number} f
 * @param {Window} window
 * @param {number | null} level
 * @returns {Curve}
 */
export function levelAt(f, window, level) {
  return level === null ? nothing() : edges(f, window, [level], insidePoint(f, window), RAYS, HALVINGS);
}
