// @ts-check
// The page of transfer functions as pure functions: what the settings ask of Python, and what the figures show.

import { joined } from "../runtime/hosts/joined.js";
import { around, clamp, columns, drawable, shown, sides, spaced } from "../runtime/drawings.js";
import { recall } from "../runtime/memory.js";
import { formulaLines } from "../runtime/hosts/formula_lines.js";
import { levelAt, levelLines, nothing } from "../runtime/sets.js";
import { walls } from "../runtime/walls.js";
import { formatText } from "../runtime/wording.js";
import { contact, stopping } from "./contact.js";
import { parametersOf, regularizer } from "./regularizer.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Answers - of Python, by the names of `needs`
 * @typedef {import("../runtime/sets.js").Window} Window
 * @typedef {number[]} Point
 */

const DIGITS = 3;

/**
 * Returns the messages whose answers the frame takes, by name.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs({ regularizer }, facts) {
  return facts.shapes[regularizer].script ? { formulas: { type: "regularizer", name: regularizer } } : {};
}

/**
 * Returns the messages whose answers the frame takes once they come: a problem has to be solved for them.
 * @param {Settings} settings
 */
export function later({ source }) {
  return { real: { type: "real", source } };
}

/**
 * Returns the interval in which the weights of the plane lie; the simplex is as large as its total.
 * @param {any} shape
 * @param {Record<string, number>} theta
 * @returns {[number, number]}
 */
function weightWindow({ kind, w_window: window }, { total }) {
  return kind === "simplex" ? [-0.15 * total, 1.2 * total] : window;
}

/**
 * Returns the figures, the sentences and the formulas of the settings.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {Record<string, number>} aspects - the width of each figure by its height
 * @param {import("../runtime/memory.js").Memory} [memory]
 */
export function frame(settings, answers, facts, aspects, memory = new Map()) {
  const shape = facts.shapes[settings.regularizer];
  const theta = parametersOf(settings, shape);
  const state = { settings, shape, theta, answers, facts, memory, name: settings.regularizer };
  const parts = [line(state), planes(state, aspects), touching(state, aspects), real(state)];
  return {
    ...joined(parts),
    axes: {},
    numbers: formulasOf(state),
  };
}

/** @param {any} state */
function formulasOf({ shape, answers, facts }) {
  const { latex, source } = shape.kind === "norm" ? facts.norm : answers.formulas;
  return formulaLines(latex, source);
}

/**
 * @param {Facts} facts
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
const say = (facts, name, values = {}) => formatText(facts.texts[name], values);

/** @param {boolean} isThere @param {Record<string, number>} values */
function dot(isThere, values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isThere ? [value] : []]));
}

/**
 * Returns h and the graph of its subdifferential in one dimension, with walls where h is infinite.
 * @param {any} state
 */
function line({ settings, shape, theta, answers, facts, memory, name }) {
  const one = regularizer(shape, theta, answers, 1);
  const plane = regularizer(shape, theta, answers, 2);
  const v = [settings.v1, settings.v2];
  const [low, high] = facts.v_window;
  const [bottom, top] = weightWindow(shape, theta);
  // A norm's h is finite where |v| <= 1; at these ends every slope outwards belongs to it.
  const ends = shape.kind === "norm" ? [-1, 1] : [low, high];
  const curve = recall(memory, "line", [name, theta], () => {
    const xs = spaced(low, high, 301);
    return { xs, hs: xs.map((x) => one.h([x])), ws: xs.map((x) => one.map([x])[0]) };
  });
  const tall = around(curve.hs, 0.12, 0.04);
  /** @type {[number, number]} */
  const heights = [Math.min(tall[0], -0.1 * tall[1]), Math.max(tall[1], 0.5)];
  const isWalled = one.h([low]) === Infinity;
  const graph = isWalled
    ? { v: [ends[0], ...ends, ends[1]], w: [bottom, 0, 0, top] }
    : { v: curve.xs, w: drawable(curve.ws) };
  const slice = spaced(low, high, 151);
  const beside = slice.map((x) => plane.map([x, v[1]])[0]);
  const isOther = slice.some((x, k) => Math.abs(beside[k] - one.map([x])[0]) > 1e-9);
  const [h, w] = [one.h([v[0]]), one.map([v[0]])[0]];
  const [isDefined, isMapped] = [Number.isFinite(h), Number.isFinite(w)];
  const values = { v: shown(v[0]), v2: shown(v[1]), h: shown(h), w: shown(w), w1: shown(plane.map(v)[0]) };
  const place = isDefined ? (isMapped ? "slope" : "edge") : "outside";
  return {
    sources: {
      value: { v: curve.xs, h: drawable(curve.hs) },
      slope: graph,
      slice: isOther ? { v: slice, w: drawable(beside) } : { v: [], w: [] },
      value_at: dot(isDefined, { v: v[0], h }),
      slope_at: dot(isMapped, { v: v[0], w }),
      tangent: isDefined && isMapped ? { v: [low, high], h: [low, high].map((x) => h + w * (x - v[0])) } : null,
      value_walls: walls(ends, [low, high], heights),
      slope_walls: walls(ends, [low, high], [bottom, top]),
    },
    ranges: [
      ["range", "value_x", low, high],
      ["range", "slope_x", low, high],
      ["range", "value_y", ...heights],
      ["range", "slope_y", bottom, top],
    ],
    sentences: {
      value: say(facts, isDefined ? "value" : "value_outside", values),
      slope: `${say(facts, place, values)} ${shape.map_text}${isOther && isMapped ? ` ${say(facts, "slice", values)}` : ""}`,
    },
  };
}

/**
 * Returns a window around an interval in which a unit is as long across as it is high.
 * @param {number} aspect
 * @param {[number, number]} interval
 * @returns {Window}
 */
function windowOf(aspect, interval) {
  const { x, y } = sides({ inner_width: aspect, inner_height: 1 }, interval);
  return { x: [x[0], x[1]], y: [y[0], y[1]] };
}

/** @param {string} name @param {Window} window */
const seen = (name, { x, y }) => [
  ["range", `${name}_x`, ...x],
  ["range", `${name}_y`, ...y],
];

/**
 * Returns both planes: level sets and balls, the point and its image, and a ring of v with its image.
 * @param {any} state
 * @param {Record<string, number>} aspects
 */
function planes({ settings, shape, theta, answers, facts, memory, name }, aspects) {
  const f = regularizer(shape, theta, answers, 2);
  const [vs, ws] = [windowOf(aspects.v_plane, facts.v_window), windowOf(aspects.w_plane, weightWindow(shape, theta))];
  const isSegment = shape.kind === "simplex";
  const sets = recall(memory, "sets", [name, theta, vs, ws], () => ({
    // A norm's h is 0 or infinite; its level sets are those of the dual norm.
    v_levels: levelLines(shape.kind === "norm" ? f.sum : f.h, vs),
    v_ball: levelAt(f.sum, vs, shape.v_ball),
    // On the simplex g lives on a segment, and has no sets in the plane.
    w_levels: isSegment ? nothing() : levelLines(f.g, ws),
    w_ball: levelAt(f.size, ws, shape.w_ball),
    w_edge: isSegment
      ? { x: [0, theta.total], y: [theta.total, 0] }
      : shape.kind === "ball"
        ? levelAt(f.size, ws, theta.B ** theta.p)
        : nothing(),
  }));
  const v = [settings.v1, settings.v2];
  const w = f.map(v);
  const radius = Math.hypot(...v);
  const ring = spaced(0, 2 * Math.PI, 181).map((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
  const isMapped = w.every(Number.isFinite);
  const values = {
    v: pair(v),
    h: shown(f.h(v)),
    w: pair(w),
    g: shown(isSegment ? f.size(w) : f.g(w)),
    product: shown(v[0] * w[0] + v[1] * w[1]),
  };
  const levels = say(facts, shape.kind === "norm" ? "levels_dual_norm" : "levels");
  return {
    sources: {
      ...sets,
      v_ring: columns(ring),
      w_ring: columns(ring.map(f.map)),
      v_point: dot(true, { x: v[0], y: v[1] }),
      w_point: dot(isMapped, { x: w[0], y: w[1] }),
    },
    ranges: [...seen("v_plane", vs), ...seen("w_plane", ws)],
    sentences: {
      v_plane: `${say(facts, "v_plane", values)} ${levels} ${shape.v_text}`,
      w_plane: `${say(facts, isMapped ? "w_plane" : "w_plane_none", values)} ${shape.w_text}`,
    },
  };
}

/** @param {Point} point */
const pair = ([x, y]) => `(${shown(x)}, ${shown(y)})`;

/**
 * Returns the contours of a loss with the ball that they touch, and the held-out loss along the path.
 * @param {any} state
 * @param {Record<string, number>} aspects
 */
function touching({ settings, shape, theta, answers, facts, memory, name }, aspects) {
  const { g, size, map } = regularizer(shape, theta, answers, 2);
  const isSegment = shape.kind === "simplex";
  const interval = weightWindow(shape, theta);
  const weight = isSegment ? size : g;
  const total = isSegment ? theta.total : null;
  const window = windowOf(aspects.contact, interval);
  const touch = contact({ g: weight, interval, total, lam: settings.lam, window, key: [name, theta], memory });
  const run = stopping({ path: touch.path, map: shape.kind === "norm" ? null : map, key: [name, theta], memory });
  return {
    sources: { ...touch.sources, ...run.sources },
    ranges: [...seen("contact", window), ...run.ranges],
    sentences: { contact: contactText(facts, touch), stopping: stoppingText(facts, run) },
  };
}

/** @param {Facts} facts @param {any} touch */
function contactText(facts, { lam, level, height, isSegment, w, v, entries }) {
  const name = (/** @type {number} */ j) => `w${"₁₂"[j]}`;
  const zeros = w.flatMap((/** @type {number} */ x, /** @type {number} */ j) => (x === 0 ? [name(j)] : []));
  const said = (/** @type {{ j: number, lam: number }} */ entry) =>
    say(facts, "enters", { name: name(entry.j), lam: shown(entry.lam, 2) });
  return say(facts, "contact", {
    lam: shown(lam),
    level: shown(level),
    ball: isSegment ? say(facts, "simplex") : say(facts, "ball", { height: shown(height) }),
    w: pair(w),
    zeros: zeros.length ? say(facts, "zeros", { names: zeros.join(" = ") }) : "",
    v: pair(v),
    entries: entries.length ? `: ${entries.map(said).join(", ")}` : "",
  });
}

/** @param {Facts} facts @param {any} run */
function stoppingText(facts, { best, stop }) {
  const path = say(facts, "path", { lam: shown(best.lam, 2), loss: shown(best.loss, 3) });
  if (!stop) return `${path} ${say(facts, "no_run")}`;
  const values = { steps: stop.steps, step: stop.step, loss: shown(stop.loss, 3), end: shown(stop.end, 3) };
  return `${path} ${say(facts, "run", values)}`;
}

/**
 * Returns the weights of the v of a solved problem; the numbers count all of its coordinates.
 * @param {any} state
 */
function real({ settings, shape, theta, answers, facts, memory, name }) {
  if (!answers.real) return { sources: byKind([], []), ranges: [], sentences: { real: say(facts, "solving") } };
  const { v: values, picks, text } = answers.real;
  const f = regularizer(shape, theta, answers, values.length);
  const v = Array.from(values, (x) => Number(x) * settings.scale);
  const all = recall(memory, "real", [name, theta, settings.scale, settings.source], () => {
    const w = shape.kind === "norm" ? v.map(() => 0) : f.map(v);
    return { w, ...countsOf(w) };
  });
  const vs = Array.from(picks, (j) => v[Number(j)]);
  const ws = Array.from(picks, (j) => all.w[Number(j)]);
  const numbers = {
    count: v.length,
    used: v.length - all.zeros,
    share: shown((100 * (v.length - all.zeros)) / v.length, 3),
    negative: all.negative ? say(facts, "negative", all) : say(facts, "no_negative"),
    most: shown(all.most),
    sum: shown(all.sum),
  };
  const dual = shape.kind === "norm" ? ` ${say(facts, "real_norm", { norm: shown(f.sum(v)) })}` : "";
  return {
    sources: byKind(vs, ws),
    ranges: [
      ["range", "real_x", ...around(vs, 0.06)],
      ["range", "real_y", ...around([0, ...ws], 0.1)],
    ],
    sentences: { real: `${text}${dual} ${say(facts, "real", numbers)}` },
  };
}

/**
 * Returns the points by the sign of their weights.
 * @param {number[]} vs
 * @param {number[]} ws
 */
function byKind(vs, ws) {
  const picked = (/** @type {(w: number) => boolean} */ has) => {
    const places = ws.flatMap((w, k) => (has(w) ? [k] : []));
    return { v: places.map((k) => vs[k]), w: drawable(places.map((k) => ws[k])) };
  };
  return {
    real_zero: picked((w) => w === 0),
    real_negative: picked((w) => w < 0),
    real_positive: picked((w) => w > 0),
  };
}

/** @param {number[]} w */
function countsOf(w) {
  let [zeros, negative, sum, most] = [0, 0, 0, 0];
  for (const x of w) {
    zeros += Number(x === 0);
    negative += Number(x < 0);
    sum += x;
    most = Math.max(most, Math.abs(x));
  }
  return { zeros, negative, sum, most };
}

/**
 * Returns the settings that a hand changes, which drags a point of a figure to a place.
 * @param {Settings} _settings
 * @param {Answers} _answers
 * @param {Facts} facts
 * @param {string} figure
 * @param {Point} place
 */
export function moved(_settings, _answers, facts, figure, [x, y]) {
  const [low, high] = facts.v_window;
  const at = (/** @type {number} */ value) => Number(clamp(value, low, high).toFixed(DIGITS));
  return figure === "v_plane" ? { v1: at(x), v2: at(y) } : { v1: at(x) };
}

/**
 * Returns the Python that maps the same v.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, facts) {
  const shape = facts.shapes[settings.regularizer];
  return formatText(shape.python, { ...settings, ...parametersOf(settings, shape) });
}

/**
 * Returns the name of the question of the settings.
 * @param {Settings} settings
 */
export const asked = ({ regularizer }) => regularizer;

/**
 * Returns the place of the true option of each question.
 * @param {Settings} _settings
 * @param {Answers} _answers
 * @param {Facts} facts
 */
export function outcome(_settings, _answers, facts) {
  return Object.fromEntries(Object.entries(facts.shapes).map(([name, { answer }]) => [name, answer]));
}
