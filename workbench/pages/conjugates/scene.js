// @ts-check
// A state of the page: the functions of a pair at its parameters, the windows, the slope and the point.

import { around, clamp } from "../runtime/drawings.js";
import { compiled } from "../runtime/hosts/printed.js";
import { recall } from "../runtime/memory.js";
import { functions, opening, places, windows } from "./curves.js";
import { bend } from "./refusals.js";

const VALUE = /^([A-Za-z]\w{0,30})=(-?\d{1,4}(?:\.\d{0,6})?)$/;
const MOST_VALUES = 6;
// Of a window of u: where a tangent touches at first, and where the gap is read.
const [TOUCH, POINT] = [0.68, 0.35];
// A window has about this many steps of its slider.
const STEPS = 400;

/**
 * Returns the numbers of the parameters: those of "epsilon=0.5,r=2", else those of the pair, within their sliders.
 * @param {Record<string, any>} settings
 * @param {any} pair
 * @returns {Record<string, number>}
 */
export function numbersOf({ values }, pair) {
  const pairs = values.split(",", MOST_VALUES).map((/** @type {string} */ text) => VALUE.exec(text)?.slice(1));
  const numbers = new Map(pairs.filter(Boolean));
  const entries = Object.entries(pair.sliders).map(([name, [low, high, value]]) => {
    const number = numbers.has(name) ? Number(numbers.get(name)) : value;
    // Steps of a slider add up; 4.999999999999999 is not another region than 5.
    return [name, Number(clamp(number, low, high).toPrecision(12))];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the state; without functions, `f`, where p has no conjugate.
 * @param {Record<string, any>} settings
 * @param {Record<string, any>} answers
 * @param {Record<string, any>} facts
 * @param {import("../runtime/memory.js").Memory} memory
 */
export function sceneOf(settings, answers, facts, memory) {
  const { pair } = answers;
  const { preset, formula, domain, parameters, predict: hidden } = settings;
  const key = [preset, formula, domain, parameters];
  const theta = numbersOf(settings, pair);
  const printed = compiled(pair);
  const tables = answers.tables ?? pair.tables ?? {};
  const region = printed.region ? printed.region(0, theta) : 0;
  const state = { settings, pair, facts, memory, key, theta, printed, region, hidden };
  const f =
    region < 0
      ? null
      : recall(memory, "functions", [key, theta, tables], () => functions(printed, pair.knots, tables, theta));
  if (!f || f.isUnbounded) return { ...state, f: null, ...resting(settings, memory, key) };
  const seen = windowsOf(f, region, memory, key);
  const steps = { u: sliderOf(seen.u), v: sliderOf(seen.v) };
  const start = recall(memory, "start", [key], () => opened(f, seen, steps));
  const drawn = recall(memory, "drawn", [key, theta, seen], () => sampled(f, seen, pair));
  const chord = chordOf(pair, printed, theta);
  return { ...state, f, windows: seen, steps, u: settings.u ?? start.u, v: settings.v ?? start.v, ...drawn, chord };
}

/**
 * Returns the windows of a pair: they stay while its parameters move, and grow with another region, whose kinks may lie
 * beyond.
 * @param {any} f
 * @param {number} region
 * @param {import("../runtime/memory.js").Memory} memory
 * @param {unknown[]} inputs
 */
function windowsOf(f, region, memory, inputs) {
  const last = recall(memory, "windows", inputs, () => ({ seen: windows(f), region }));
  if (last.region === region) return last.seen;
  const next = windows(f);
  const join = (/** @type {number[]} */ [a, b], /** @type {number[]} */ [c, d]) => [Math.min(a, c), Math.max(b, d)];
  last.seen = { u: join(last.seen.u, next.u), v: join(last.seen.v, next.v) };
  last.region = region;
  return last.seen;
}

/**
 * Returns the ends and the step of a slider over a window; the step is 1, 2 or 5 times a power of ten, so that the
 * slider meets 0.5 and 1.
 * @param {number[]} window
 */
export function sliderOf([low, high]) {
  const least = (high - low) / STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Number((([1, 2, 5].find((each) => each * power >= least) ?? 10) * power).toPrecision(1));
  const plain = (/** @type {number} */ x) => Number((step * x).toPrecision(12));
  return { low: plain(Math.floor(low / step)), high: plain(Math.ceil(high / step)), step };
}

/**
 * Returns the slope and the point with which a pair opens.
 * @param {any} f
 * @param {any} seen
 * @param {any} steps
 */
function opened(f, { u: uw, v: vw }, steps) {
  const at = (/** @type {number} */ share) => uw[0] + share * (uw[1] - uw[0]);
  const slope = f.p_slope(clamp(at(TOUCH), f.p_ends[0], f.p_ends[1]));
  const v = opening(f, Number.isFinite(slope) ? clamp(slope, vw[0], vw[1]) : NaN, steps.v.step);
  return { v, u: Number((steps.u.step * Math.round(at(POINT) / steps.u.step)).toPrecision(6)) };
}

/**
 * Returns the sliders where there are no functions: as they were, or around 0.
 * @param {Record<string, any>} settings
 * @param {import("../runtime/memory.js").Memory} memory
 * @param {unknown[]} key
 */
function resting({ u, v }, memory, key) {
  const isOfPair = memory.get("windows")?.key === JSON.stringify(key);
  const seen = isOfPair ? memory.get("windows")?.value.seen : { u: [-4, 4], v: [-4, 4] };
  const start = (isOfPair && memory.get("start")?.value) || { u: 0, v: 0 };
  return { windows: seen, steps: { u: sliderOf(seen.u), v: sliderOf(seen.v) }, u: u ?? start.u, v: v ?? start.v };
}

/**
 * Returns p and q over their windows, and the heights of the figures.
 * @param {any} f
 * @param {any} seen
 * @param {any} pair
 */
function sampled(f, { u: uw, v: vw }, pair) {
  const us = places(uw, [...f.p_ends, ...f.knots]);
  const vs = places(vw, f.q_ends);
  const [ps, qs] = [us.map(f.p), vs.map(f.q)];
  const inner = us.map((x, k) => (x >= f.p_ends[0] && x <= f.p_ends[1] ? ps[k] : NaN));
  const tall = around(inner, 0.12, 0.03);
  // Room below the axis for -q(v), where the tangent meets it.
  tall[0] = Math.min(tall[0], -0.4 * (tall[1] - tall[0]));
  for (const [, height] of pair.jumps) tall[1] = Math.max(tall[1], 1.15 * height);
  return { us, vs, ps, qs, heights: { p: tall, q: around(qs, 0.12, 0.03) } };
}

/**
 * Returns the chord that shows why p** is not p: p rises above it, or it is the jump of a p that is not closed.
 * @param {any} pair
 * @param {any} printed
 * @param {Record<string, number>} theta
 */
function chordOf(pair, printed, theta) {
  const [jump] = pair.jumps;
  if (jump) return { u: [jump[0], jump[0]], y: [jump[2], jump[1]] };
  const chord = pair.convex ? null : bend((u) => printed.given(u, theta));
  return chord && { u: [chord.middle - chord.step, chord.middle + chord.step], y: chord.ends };
}
