// @ts-check
// While q is hidden: the points that tangents find, and the curve that a hand draws, with how far it is from q.

import { shown, spaced } from "../runtime/drawings.js";
import { formatText } from "../runtime/wording.js";

/**
 * @typedef {import("../runtime/memory.js").Memory} Memory
 * @typedef {number[]} Point
 * @typedef {{ points: Point[], hand: Point[], pen: number | null, isHidden: boolean }} Trail
 */

const MOST_POINTS = 400;

/** @returns {Trail} */
const nothing = () => ({ points: [], hand: [], pen: null, isHidden: false });

/**
 * Returns what tangents met of a pair at its parameters, with the point of now; a new prediction begins with nothing.
 * @param {Memory} memory
 * @param {unknown[]} inputs
 * @param {boolean} isHidden
 * @param {Point} point
 */
export function visited(memory, inputs, isHidden, point) {
  const key = JSON.stringify(inputs);
  const last = memory.get("trail");
  const trail = last?.key === key && (last.value.isHidden || !isHidden) ? last.value : nothing();
  trail.isHidden = isHidden;
  const [v] = trail.points.at(-1) ?? [];
  if (!isHidden) trail.points = [];
  else if (Number.isFinite(point[1]) && v !== point[0]) trail.points = [...trail.points.slice(-MOST_POINTS), point];
  memory.set("trail", { key, value: trail });
  return trail;
}

/**
 * Draws by hand over v, as the graph of a function: a stroke replaces what it passes.
 * @param {Memory} memory
 * @param {Point} point
 * @param {boolean} isStart
 */
export function drawByHand(memory, [x, y], isStart) {
  const trail = memory.get("trail")?.value;
  if (!trail?.isHidden) return;
  const last = isStart ? x : (trail.pen ?? x);
  const [left, right] = [Math.min(last, x), Math.max(last, x)];
  const others = trail.hand.filter((/** @type {Point} */ [v]) => (v <= left || v >= right) && v !== x);
  trail.hand = [...others, [x, y]].sort((a, b) => a[0] - b[0]);
  trail.pen = x;
}

/**
 * Returns how far the drawn curve is from q, between its ends and where q is finite; "" without a curve.
 * @param {Point[]} hand
 * @param {any} f
 * @param {Record<string, any>} facts
 */
export function verdict(hand, f, facts) {
  if (hand.length < 3) return "";
  const heightAt = (/** @type {number} */ v) => {
    const k = Math.max(
      1,
      hand.findIndex(([x]) => x >= v),
    );
    const [[a, low], [b, high]] = [hand[k - 1], hand[k]];
    return low + ((high - low) * (v - a)) / (b - a || 1);
  };
  const away = spaced(hand[0][0], hand[hand.length - 1][0], 101)
    .map((v) => Math.abs(heightAt(v) - f.q(v)))
    .filter(Number.isFinite);
  if (!away.length) return `${facts.texts.off_domain} `;
  const mean = away.reduce((sum, each) => sum + each, 0) / away.length;
  const numbers = { mean: shown(mean, 2), most: shown(Math.max(...away), 2) };
  const where = away.length < 100 ? facts.texts.where_finite : "";
  return `${formatText(facts.texts.verdict, { ...numbers, where })} `;
}
