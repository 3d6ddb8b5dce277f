// The sliders of u and v, and what a hand draws over v.

import { clamp, shown, spaced, state } from "../runtime/drawings.js";
import { opening } from "./curves.js";

/**
 * What a hand draws over v, as the graph of a function: a stroke replaces what it passes.
 * @param {{ x: number, y: number }} fields @param {boolean} begins
 */
export function drawByHand({ x, y }, begins) {
  const last = begins ? x : (state.pen ?? x);
  const [left, right] = [Math.min(last, x), Math.max(last, x)];
  state.hand = [
    ...(state.hand ?? []).filter((/** @type {any[]} */ [v]) => (v <= left || v >= right) && v !== x),
    [x, y],
  ].sort((a, b) => a[0] - b[0]);
  state.pen = x;
}

/**
 * How far the drawn curve is from q, between its ends and where q is finite.
 * @param {any} f
 */
export function verdict(f) {
  const hand = state.hand ?? [];
  if (hand.length < 3) return "";
  const [first, last] = [hand[0][0], hand[hand.length - 1][0]];
  const away = spaced(first, last, 101)
    .map((v) => {
      const k = Math.max(
        1,
        hand.findIndex((/** @type {any[]} */ [x]) => x >= v),
      );
      const [[a, low], [b, high]] = [hand[k - 1], hand[k]];
      return Math.abs(low + ((high - low) * (v - a)) / (b - a || 1) - f.q(v));
    })
    .filter(Number.isFinite);
  if (!away.length) return `<b class="bad">q is +∞ all along your curve.</b> `;
  const mean = away.reduce((sum, each) => sum + each, 0) / away.length;
  const outside = away.length < 100 ? " where q is finite; elsewhere it is +∞" : "";
  return `<b>Your curve is ${shown(mean, 2)} away from q on average, ${shown(Math.max(...away), 2)} at most${outside}.</b> `;
}

/**
 * Kinks of another region may lie beyond what is drawn.
 * @param {any} seen @param {any} next
 */
export function widened(seen, next) {
  /** @param {any[]} place @param {any[]} pair */
  const join = ([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)];
  return { u: join(seen.u, next.u), v: join(seen.v, next.v) };
}

/**
 * The next of 1, 2 and 5 times a power of ten, so that a slider meets 0.5 and 1.
 * @param {number} least
 */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return Number((([1, 2, 5].find((each) => each * power >= least) ?? 10) * power).toPrecision(1));
}

/** @param {Record<string, any>} args */
export function limitSliders(args) {
  for (const name of ["u", "v"]) {
    const [low, high] = state.windows[name];
    const size = roundStep((high - low) / 400);
    args.controls[name].setv({ start: size * Math.floor(low / size), end: size * Math.ceil(high / size), step: size });
  }
}

/** @param {Record<string, any>} args @param {any} f */
export function placeSliders(args, f) {
  const { u: uw, v: vw } = state.windows;
  const { u, v } = args.controls;
  limitSliders(args);
  /** @param {any} control @param {number} x */
  const round = (control, x) => control.step * Math.round(x / control.step);
  const touch = uw[0] + 0.68 * (uw[1] - uw[0]);
  if (args.start.v === null) {
    const slope = f.p_slope(clamp(touch, f.p_ends[0], f.p_ends[1]));
    args.controls.v.value = opening(f, Number.isFinite(slope) ? clamp(slope, vw[0], vw[1]) : NaN, v.step);
  }
  if (args.start.u === null) args.controls.u.value = Number(round(u, uw[0] + 0.35 * (uw[1] - uw[0])).toPrecision(6));
}
