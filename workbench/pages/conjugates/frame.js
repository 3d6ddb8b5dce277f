// @ts-check
// The page of conjugates as pure functions: what the settings ask of Python, and what the figures show.

import { around, clamp, drawable, shown, spaced } from "../runtime/drawings.js";
import { joined } from "../runtime/hosts/joined.js";
import { floors, noWalls, walls } from "../runtime/walls.js";
import { formatText } from "../runtime/wording.js";
import { biconjugate, graph, tangents, touching } from "./curves.js";
import { visited, verdict } from "./hand.js";
import { refused } from "./refusals.js";
import { numbersOf, sceneOf } from "./scene.js";
import { cards, codeOf } from "./words.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Answers - `pair`, and `tables` of curves without formulas
 * @typedef {import("../runtime/memory.js").Memory} Memory
 */

const CELLS = 90;
// A smaller gap, relative to 1 + |p|, is said to be matched.
const MATCHED = 1e-3;
const ROUNDING = 1e-9;
// An envelope is said to lie below p where it does by more.
const BELOW = 1e-3;
// Of a window, within which a hand is at a kink.
const REACH = 0.02;
const DIGITS = 6;
const PARAMETER = "par_";
const NOTHING = { x: [NaN, NaN], y: [NaN, NaN] };

/**
 * Returns true if the function was typed; an address may give one alone.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export const isOwn = ({ preset, formula }, facts) => preset === facts.own || (preset === facts.first && formula !== "");

/**
 * Returns the message whose answer is the pair.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs(settings, facts) {
  const { preset, formula, domain, parameters } = settings;
  if (!isOwn(settings, facts)) return { pair: { type: "pair", preset } };
  if (!formula.trim()) throw new Error(facts.texts.empty);
  return { pair: { type: "own_pair", formula, domain, parameters } };
}

/**
 * Returns the message whose answer is the curves that have no formula, where the pair leaves them open; else null.
 * @param {Settings} settings
 * @param {any} pair
 */
export function tableMessage(settings, pair) {
  if (!pair.tabled.length || pair.tables) return null;
  const { formula, domain, parameters } = settings;
  return { type: "table", formula, domain, parameters, values: numbersOf(settings, pair) };
}

/**
 * Returns the settings that a control changes: another pair begins anew; a text that is edited makes a function of one's own.
 * @param {Record<string, any>} changes
 * @param {Facts} facts
 * @param {Settings} settings
 * @param {any} frame - the present one, whose sliders stay where they are
 */
export function chosen(changes, facts, settings, frame) {
  const anew = { values: "", u: null, v: null };
  if (changes.preset === facts.own) return { ...anew, ...facts.own_function, ...changes };
  if ("preset" in changes) return { ...anew, formula: "", domain: "", parameters: "", ...changes };
  if (["formula", "domain", "parameters"].some((name) => name in changes)) {
    const before = isOwn(settings, facts) ? {} : facts.pairs[settings.preset];
    return { ...anew, ...before, ...changes, preset: facts.own };
  }
  const moved = Object.keys(changes).some((name) => name.startsWith(PARAMETER));
  if (!moved) return changes;
  const values = Object.fromEntries(frame.controls.rows.map((/** @type {any} */ { name, value }) => [name, value]));
  const { u, v, ...numbers } = { ...values, ...changes };
  const texts = Object.entries(numbers).map(([name, value]) => `${name.slice(PARAMETER.length)}=${value}`);
  return { u, v, values: texts.join(",") };
}

/**
 * Returns the figures, the sentences and the formulas of the settings.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {Record<string, number>} _aspects
 * @param {Memory} [memory]
 */
export function frame(settings, answers, facts, _aspects, memory = new Map()) {
  const scene = sceneOf(settings, answers, facts, memory);
  const { pair } = answers;
  const controls = { heading: facts.texts.sliders, rows: rowsOf(scene, facts) };
  const status = { name: "paused", text: say(facts, pair.convex ? "derived" : "values", pair) };
  const words = cards(scene, facts);
  const parts = scene.f ? [values(scene, facts), pointers(scene, facts), map(scene)] : [refused(scene, facts)];
  const { sentences, ...drawn } = joined(parts);
  return { ...drawn, axes: {}, controls, status, sentences: { ...sentences, ...words.cards }, numbers: words.bar };
}

/**
 * @param {Facts} facts
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
const say = (facts, name, values = {}) => formatText(facts.texts[name], values);

/**
 * Returns the sliders of the slope, of the point and of the parameters.
 * @param {any} scene
 * @param {Facts} facts
 */
function rowsOf({ steps, u, v, theta, pair }, facts) {
  const ends = (/** @type {string} */ name) => ({
    low: steps[name].low,
    high: steps[name].high,
    step: steps[name].step,
  });
  const parameters = Object.entries(theta).map(([name, value]) => {
    const [low, high] = pair.sliders[name];
    return { name: `${PARAMETER}${name}`, label: name, low, high, step: 0.01, value };
  });
  return [
    { name: "v", label: facts.texts.slope_label, ...ends("v"), value: v },
    { name: "u", label: facts.texts.point_label, ...ends("u"), value: u },
    ...parameters,
  ].map((row) => ({ ...row, kind: "linear" }));
}

/** @param {string} name @param {number[]} x @param {number[]} y */
const seen = (name, x, y) => [
  ["range", `${name}_x`, ...x],
  ["range", `${name}_y`, ...y],
];

/**
 * Returns p, q and p** with walls where p and q are infinite.
 * @param {any} scene
 * @param {Facts} facts
 */
function values(scene, facts) {
  const { f, us, vs, ps, qs, windows, heights, hidden } = scene;
  const chord = scene.chord ?? { u: [], y: [] };
  const more = hull(scene, facts);
  return {
    sources: {
      primal: { u: us, p: drawable(ps) },
      dual: hidden ? { v: [], q: [] } : { v: vs, q: drawable(qs) },
      primal_walls: walls(f.p_ends, windows.u, heights.p),
      dual_walls: hidden ? noWalls() : walls(f.q_ends, windows.v, heights.q),
      chord,
      ...more.sources,
    },
    ranges: [
      ...seen("primal", windows.u, heights.p),
      ...seen("tangents", windows.u, heights.p),
      ...seen("dual", windows.v, heights.q),
    ],
    sentences: { tangents: more.said },
  };
}

/**
 * Returns p** with the tangents whose supremum it is.
 * @param {any} scene
 * @param {Facts} facts
 */
function hull({ f, us, vs, ps, windows, pair }, facts) {
  const [a, b] = [us[0], us[us.length - 1]];
  const lines = tangents(f, windows);
  const family = { xs: lines.map(() => [a, b]), ys: lines.map(([v, q]) => [v * a - q, v * b - q]) };
  if (f.envelope) {
    const heights = us.map(f.envelope);
    const below = us.map((/** @type {number} */ _, /** @type {number} */ k) => ps[k] - heights[k]);
    const gaps = below.map((/** @type {number} */ gap) => (gap > BELOW && Number.isFinite(gap) ? gap : 0));
    const most = gaps.indexOf(Math.max(...gaps));
    const numbers = { u: shown(us[most]), hull: shown(heights[most]), gap: shown(gaps[most]), p: shown(ps[most]) };
    return {
      sources: { tangents: family, biconjugate: { u: us, p: drawable(heights) } },
      said: say(facts, gaps[most] === 0 ? "envelope_is_p" : "envelope", numbers),
    };
  }
  const isKept = (/** @type {number} */ u, /** @type {number} */ k) =>
    k % 2 === 0 || f.knots.includes(u) || f.p_ends.includes(u);
  const thin = us.filter(isKept);
  const { p, worst, whole } = biconjugate(f, thin, vs);
  const [jump] = pair.jumps;
  const numbers = { count: lines.length, worst: shown(worst, 2), u: jump && shown(jump[0]) };
  const words = ["tangents", worst < ROUNDING ? "equal" : "differs", jump ? "but" : "closed"];
  const said = words.map((name) => say(facts, name, numbers)).join("");
  return {
    sources: { tangents: family, biconjugate: { u: thin, p: drawable(p) } },
    said: whole ? said : `${said} ${facts.texts.stops}`,
  };
}

/**
 * Returns what both sliders decide: the tangent, the point of q, the gap between them.
 * @param {any} scene
 * @param {Facts} facts
 */
function pointers(scene, facts) {
  const { f, u, v, windows, hidden, memory, theta } = scene;
  const [p, q] = [f.p(u), f.q(v)];
  const gap = p + q - u * v;
  const touch = touching(f, v);
  const [finite, touches] = [Number.isFinite(q), Number.isFinite(q) && Number.isFinite(touch)];
  const both = Number.isFinite(gap);
  const slope = windows.v.map((/** @type {number} */ x) => q + touch * (x - v));
  const trail = visited(memory, [scene.key, theta], hidden, [v, q]);
  const numbers = { u: shown(u), v: shown(v), touch: shown(touch), q: shown(q), height: shown(-q), gap: shown(gap) };
  const dual = hidden
    ? say(facts, "trail", { count: trail.points.length })
    : `${verdict(trail.hand, f, facts)}${say(facts, finite ? "dual" : "dual_infinite", numbers)}`;
  return {
    sources: {
      tangent: finite
        ? { u: windows.u, y: windows.u.map((/** @type {number} */ x) => v * x - q) }
        : { u: NOTHING.x, y: NOTHING.y },
      touch: touches ? { u: [touch], y: [f.p(touch)] } : { u: [], y: [] },
      intercept: { u: [0, 0], y: finite ? [0, -q] : NOTHING.y },
      probe: both ? { u: [u, u], y: [u * v - q, p] } : { u: [], y: [] },
      point: finite ? { v: [v], q: [q] } : { v: [], q: [] },
      dual_tangent: hidden ? { v: [], q: [] } : { v: windows.v, q: touches ? slope : NOTHING.y },
      cross: { u: [u], v: [v] },
      hand: { v: at(trail.hand, 0), q: at(trail.hand, 1) },
      visited: { v: at(trail.points, 0), q: at(trail.points, 1) },
    },
    ranges: [],
    sentences: {
      primal: say(facts, finite ? "primal" : "no_line", numbers),
      dual,
      gap: hidden ? facts.texts.gap_hidden : gapText(scene, facts, p, q, gap),
    },
  };
}

/** @param {number[][]} points @param {number} k */
const at = (points, k) => points.map((point) => point[k]);

/** A term of a sum; one with a minus sign stands in brackets. @param {number} x */
const enclosed = (x) => (shown(x).startsWith("−") ? `(${shown(x)})` : shown(x));

/** @param {any} scene @param {Facts} facts @param {number} p @param {number} q @param {number} gap */
function gapText({ u, v, pair }, facts, p, q, gap) {
  const isMatched = Math.abs(gap) < MATCHED * (1 + Math.abs(p));
  const numbers = {
    p: shown(p),
    q: enclosed(q),
    product: enclosed(u * v),
    gap: shown(Math.abs(gap) < 1e-12 ? 0 : gap),
  };
  const words = isMatched ? "matched" : pair.convex ? "unmatched" : "unmatched_hull";
  return say(facts, "gap", numbers) + facts.texts[words];
}

/**
 * Returns the gap over all u and v, the graph of the subdifferential of p on it, and walls where either is infinite.
 * @param {any} scene
 */
function map({ f, windows, hidden, pair }) {
  const centres = (/** @type {number[]} */ [low, high]) =>
    spaced(low, high, 2 * CELLS + 1).filter((_, k) => k % 2 === 1);
  const { u: uw, v: vw } = windows;
  const [us, vs] = [centres(uw), centres(vw)];
  const [ps, qs] = [us.map(f.p), vs.map(f.q)];
  const image = new Float64Array(CELLS * CELLS).fill(NaN);
  for (let k = 0; k < image.length && !hidden; k += 1) {
    const [i, j] = [k % CELLS, Math.floor(k / CELLS)];
    const gap = ps[i] + qs[j] - us[i] * vs[j];
    if (Number.isFinite(gap)) image[k] = Math.sqrt(Math.max(gap, 0));
  }
  const top = around(Array.from(image), 0, 0.05)[1];
  const empty = { u: [], v: [] };
  return {
    sources: {
      map: { image: [image], x: [uw[0]], y: [vw[0]], dw: [uw[1] - uw[0]], dh: [vw[1] - vw[0]] },
      matched: hidden ? empty : graph(f, windows, pair.convex),
      gap_walls: hidden ? noWalls() : joinedWalls(walls(f.p_ends, uw, vw), floors(f.q_ends, vw, uw)),
    },
    ranges: [...seen("gap", uw, vw), ["colours", "gap", 0, top > 0 ? top : 1]],
    sentences: {},
  };
}

/** @param {import("../runtime/walls.js").Walls} first @param {import("../runtime/walls.js").Walls} second */
function joinedWalls(first, second) {
  const { left, right, bottom, top } = first;
  return {
    left: [...left, ...second.left],
    right: [...right, ...second.right],
    bottom: [...bottom, ...second.bottom],
    top: [...top, ...second.top],
  };
}

/**
 * Returns the settings that a hand changes: in p it moves the tangent, in q its slope, in the map both.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {string} figure
 * @param {number[]} place
 * @param {Memory} memory
 */
export function moved(settings, answers, facts, figure, [x, y], memory) {
  const scene = answers && sceneOf(settings, answers, facts, memory);
  if (!scene?.f) return null;
  const { f, windows, heights, steps } = scene;
  const fit = (/** @type {"u" | "v"} */ name, /** @type {number} */ value) =>
    Number(clamp(value, steps[name].low, steps[name].high).toPrecision(DIGITS));
  if (figure === "gap") return { u: fit("u", x), v: fit("v", y) };
  if (figure === "dual") return { v: fit("v", x) };
  const reach = REACH * (windows.u[1] - windows.u[0]);
  const kink = f.knots.find((/** @type {number} */ k) => Math.abs(k - x) < reach);
  if (kink === undefined) {
    const slope = f.p_slope(clamp(x, f.p_ends[0], f.p_ends[1]));
    return Number.isFinite(slope) ? { v: fit("v", slope) } : null;
  }
  // At a corner the height of the pointer chooses among its slopes.
  const h = 1e-6 * (1 + Math.abs(kink));
  const sides = [f.p_slope(kink - h), f.p_slope(kink + h)];
  const ends = sides.map((s, k) => (Number.isFinite(s) ? s : windows.v[k]));
  const share = clamp((y - heights.p[0]) / (heights.p[1] - heights.p[0]), 0, 1);
  return { v: fit("v", ends[0] + share * (ends[1] - ends[0])) };
}

/**
 * Returns the Python of the same gap.
 * @param {Settings} settings
 * @param {Facts} facts
 * @param {Answers} answers
 * @param {Memory} memory
 */
export const code = (settings, facts, answers, memory) => codeOf(sceneOf(settings, answers, facts, memory));

/** Returns the name of the question. */
export const asked = () => "intercept";

/** Returns the place of its true option. */
export const outcome = () => ({ intercept: 2 });
