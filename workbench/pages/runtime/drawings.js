// What frames share: numbers as text, even spacing, margins around values, columns of points.

import { numerals } from "./numerals.js";

/** @param {number} x @param {number} [digits] */
export function shown(x, digits = 4) {
  if (Number.isNaN(x)) return "not defined";
  if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
  if (Math.abs(x) < 1e-9) return "0";
  const size = Math.abs(x);
  const text = size < 1e-3 || size >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(digits)));
  return numerals(text);
}

/** @param {number} low @param {number} high @param {number} count */
export function spaced(low, high, count) {
  return Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));
}

/** @param {number} x @param {number} low @param {number} high */
export function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

/**
 * The numbers of parameters, by name.
 * @param {Record<string, any>} theta
 */
export function listed(theta) {
  return Object.entries(theta)
    .map(([name, value]) => `${name} = ${shown(value)}`)
    .join(", ");
}

/**
 * A margin around the finite values, the far tails left out.
 * @param {number[]} values @param {number} [margin] @param {number} [cut] @returns {[number, number]}
 */
export function around(values, margin = 0.08, cut = 0.0) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (!finite.length) return [-1, 1];
  const skip = Math.floor(cut * finite.length);
  const low = finite[0];
  const high = finite[finite.length - 1 - skip];
  const spread = high - low || Math.max(Math.abs(high), 1);
  return [low - margin * spread, high + margin * spread];
}

/**
 * One unit is as long across as it is high, so that a ball looks like one; at least so wide, if that is asked.
 * @param {any} figure @param {any[]} place @param {number} [least]
 */
export function sides(figure, [low, high], least = 0) {
  const shape = figure.inner_width > 0 ? figure.inner_width / figure.inner_height : 1;
  const middle = 0.5 * (low + high);
  const half = 0.5 * Math.max(high - low, least / shape);
  return { x: [middle - shape * half, middle + shape * half], y: [middle - half, middle + half] };
}

/**
 * Only what a canvas can take: a gap where a function is infinite.
 * @param {number[]} values
 */
export function drawable(values) {
  return values.map((y) => (Number.isFinite(y) ? y : NaN));
}

/**
 * Returns the coordinates of points as columns.
 * @param {number[][]} points
 */
export function columns(points) {
  return { x: drawable(points.map(([x]) => x)), y: drawable(points.map(([, y]) => y)) };
}
