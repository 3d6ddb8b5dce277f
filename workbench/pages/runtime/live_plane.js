// Points in the plane as texts of addresses, and values that go along with them.

import { UNIT, snapped } from "./plane_hand.js";

/** @param {string} text @param {number} halfWidth */
export function readPoints(text, halfWidth) {
  const points = Array.from({ length: text.length / 5 }, (_, k) => text.slice(5 * k, 5 * k + 5));
  /** @param {any} digits */
  const at = (digits) => snapped(parseInt(digits, 36) * UNIT - halfWidth, halfWidth);
  return {
    X: points.map((point) => [at(point.slice(1, 3)), at(point.slice(3))]),
    y: Float64Array.from(points, (point) => (point[0] === "p" ? 1 : -1)),
  };
}

/**
 * Whether an address holds points: not too many, of both classes, and within the plane.
 * @param {string} text @param {{ most: number, half_width: any }} fields
 */
export function isPoints(text, { most, half_width }) {
  if (!/^(?:[pm][0-9a-z]{4})+$/.test(text) || text.length > 5 * most) return false;
  /** @type {any} */
  const points = text.match(/.{5}/g);
  const largest = Math.round((2 * half_width) / UNIT);
  const places = points.flatMap((/** @type {any} */ point) =>
    [point.slice(1, 3), point.slice(3)].map((digits) => parseInt(digits, 36)),
  );
  return (
    new Set(points.map((/** @type {any[]} */ [label]) => label)).size === 2 &&
    places.every((/** @type {any} */ place) => place <= largest)
  );
}

/**
 * Values of old points for new ones: a moved point keeps its own, one that was added gets zero.
 * @param {any} old @param {Record<string, any>} fields @param {Float64Array | number[]} values
 */
export function carried(old, { X, y }, values) {
  if (String(old.y) === String(y)) return Float64Array.from(values);
  const kept = new Map();
  /** @param {any} fields @param {number} i */
  const key = ({ X: places, y: labels }, i) => `${places[i]} ${labels[i]}`;
  values.forEach((value, i) => kept.set(key(old, i), [...(kept.get(key(old, i)) ?? []), value]));
  return Float64Array.from(y, (_, i) => kept.get(key({ X, y }, i))?.shift() ?? 0);
}
