// What the drawings share: numbers as text, even spacing, names for what a screen reader meets.

import { numerals } from "./numerals.js";

/** @type {Record<string, any>} of a drawing */
export const state = { pending: false, theta: "" };

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

// The server learns of the controls alone, not of what the browser draws.
export const HERE = { sync: false };

/** @param {any} source @param {any} data */
export function put(source, data) {
  source.setv({ data }, HERE);
}

/**
 * Straight into the element: a changed model would have Bokeh lay the whole page out again.
 * @param {any} line @param {string} text
 */
export function write(line, text) {
  const box = state.index?.find_one(line)?.shadow_el?.querySelector(".bk-clearfix");
  if (!box) line.setv({ text }, HERE);
  else if (box.innerHTML !== text) box.innerHTML = text;
}

/**
 * A grid of numbers that was changed in place, over the window of two ranges.
 * @param {any} source @param {any[]} place @param {any[]} pair
 */
export function fillImage(source, [left, right], [low, high]) {
  const { image } = source.data;
  put(source, { image, x: [left], y: [low], dw: [right - left], dh: [high - low] });
}

/** @param {any} line @param {string} text */
export function sentence(line, text) {
  write(line, `<div class="wb-line">${numerals(text)}</div>`);
}

/** @param {string} text */
export function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * As `theme.code_box`.
 * @param {string} text
 */
export function codeBox(text) {
  const button = '<button type="button" data-do="copy">Copy</button>';
  return `<div class="wb-copy">${button}<pre class="wb-code" tabindex="0">${escaped(text)}</pre></div>`;
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
 * As `formulas.formula`.
 * @param {string} latex
 */
export function setFormula(latex) {
  return `<wb-tex>${escaped(latex)}</wb-tex>`;
}

/** @param {any} range @param {number} low @param {number} high */
export function setRange(range, low, high) {
  if (range.start !== low || range.end !== high) range.setv({ start: low, end: high }, HERE);
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
 * Paints once for all that changes in one turn, and keeps how long that took.
 * @param {any} paint @param {Record<string, any>} args @param {any} context
 */
export function soon(paint, args, context) {
  if (state.pending) return;
  state.pending = true;
  queueMicrotask(() => {
    state.pending = false;
    const started = performance.now();
    paint(args, context);
    window.wb_last_paint = performance.now() - started;
  });
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

/**
 * The sliders' handles have a role but no name of their own.
 * @param {Record<string, any>} args @param {any} context
 */
export function nameControls(args, context) {
  for (const control of Object.values(args.controls)) {
    const view = context.index.find_one(control);
    const handle = view?.shadow_el?.querySelector(".noUi-handle");
    if (handle) {
      handle.setAttribute("aria-label", control.title);
      handle.setAttribute("aria-valuetext", String(control.value));
    }
  }
}
