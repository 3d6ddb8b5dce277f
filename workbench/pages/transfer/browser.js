// The page of transfer functions. `printed` holds the formulas of h = outer(sum_j c_j inner(v_j)) and of g.

import {
  around,
  clamp,
  codeBox,
  drawable,
  nameControls,
  put,
  sentence,
  setRange,
  shown,
  sides,
  soon,
  spaced,
  state,
  write,
} from "../runtime/drawings.js";
import { mirror } from "../runtime/mirror.js";
import { printed } from "../runtime/printed.js";
import { COARSE, HALVINGS, RAYS, THIN_HALVINGS, THIN_RAYS, edges, insidePoint } from "../runtime/sets.js";
import { contact, earlyStopping } from "./contact.js";

const LEVELS = 9;

/** @param {any} args */
function current(args) {
  /** @type {Record<string, any>} */
  const theta = {};
  for (const name of args.parameters) theta[name] = args.controls[`par_${name}`].value;
  // The total A of the normalized entropy is what its priors add up to.
  if (args.kind === "simplex") theta.total = theta.mu_1 + theta.mu_2;
  return theta;
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta @param {number} d */
function weights(args, theta, d) {
  if (args.weights === "K") return Array.from({ length: d }, (_, j) => (j === 0 || d > 2 ? 1 / theta.K : 1));
  if (args.weights === "1") return Array.from({ length: d }, () => 1);
  /** @param {number} j */
  const mu = (j) => (j % 2 === 0 ? theta.mu_1 : theta.mu_2);
  if (args.kind !== "simplex") return Array.from({ length: d }, (_, j) => mu(j));
  let total = 0;
  for (let j = 0; j < d; j += 1) total += mu(j);
  return Array.from({ length: d }, (_, j) => mu(j) / total);
}

/** @type {Record<string, any>} */
const NORMS = {
  l1: (/** @type {number[]} */ x) => x.reduce((sum, e) => sum + Math.abs(e), 0),
  l2: (/** @type {number[]} */ x) => Math.hypot(...x),
  linf: (/** @type {number[]} */ x) => x.reduce((most, e) => Math.max(most, Math.abs(e)), 0),
};
/** @type {Record<string, any>} */
const DUAL = { l1: "linf", l2: "l2", linf: "l1" };

/**
 * h, grad h and g in d coordinates.
 * @param {Record<string, any>} args @param {Record<string, any>} theta @param {number} d
 */
export function regularizer(args, theta, d) {
  if (args.kind === "norm") {
    const dual = NORMS[DUAL[args.name]];
    return {
      sum: dual,
      outer: (/** @type {number} */ x) => x,
      primal_outer: (/** @type {number} */ x) => x,
      h: (/** @type {any} */ v) => (dual(v) <= 1 ? 0 : Infinity),
      map: (/** @type {any} */ v) => (dual(v) < 1 ? v.map(() => 0) : v.map(() => NaN)),
      size: NORMS[args.name],
      g: NORMS[args.name],
    };
  }
  return mirror(printed, weights(args, theta, d), theta, args);
}

/**
 * The simplex is as large as its total.
 * @param {Record<string, any>} args @param {Record<string, any>} theta @returns {[number, number]}
 */
function wWindow(args, theta) {
  return args.kind === "simplex" ? [-0.15 * theta.total, 1.2 * theta.total] : args.w_window;
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta */
function curves(args, theta) {
  const line = regularizer(args, theta, 1);
  const xs = spaced(args.v_window[0], args.v_window[1], 301);
  const hs = xs.map((x) => line.h([x]));
  const ws = xs.map((x) => line.map([x])[0]);
  put(args.sources.value, { v: xs, h: drawable(hs) });
  put(args.sources.slope, { v: xs, w: drawable(ws) });
  const tall = around(hs, 0.12, 0.04);
  setRange(args.figures.value.x_range, args.v_window[0], args.v_window[1]);
  setRange(args.figures.slope.x_range, args.v_window[0], args.v_window[1]);
  setRange(args.figures.value.y_range, Math.min(tall[0], -0.1 * tall[1]), Math.max(tall[1], 0.5));
  setRange(args.figures.slope.y_range, ...wWindow(args, theta));
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta @param {any} v */
function oneDimension(args, theta, v) {
  const line = regularizer(args, theta, 1);
  const plane = regularizer(args, theta, 2);
  const xs = spaced(args.v_window[0], args.v_window[1], 151);
  put(args.sources.slice, { v: xs, w: drawable(xs.map((x) => plane.map([x, v[1]])[0])) });
  const here = [line.h([v[0]]), line.map([v[0]])[0]];
  put(args.sources.value_at, Number.isFinite(here[0]) ? { v: [v[0]], h: [here[0]] } : { v: [], h: [] });
  put(args.sources.slope_at, Number.isFinite(here[1]) ? { v: [v[0]], w: [here[1]] } : { v: [], w: [] });
  const tangent = args.v_window.map((/** @type {number} */ x) => here[0] + here[1] * (x - v[0]));
  put(args.sources.tangent, { v: args.v_window, h: drawable(tangent) });
  sentence(
    args.lines.value,
    Number.isFinite(here[0])
      ? `h(${shown(v[0])}) = ${shown(here[0])}; the slope there is the weight.`
      : `<span class="bad">h(${shown(v[0])}) = +∞: outside the dual ball.</span>`,
  );
  sentence(
    args.lines.slope,
    Number.isNaN(here[1])
      ? `A norm determines no weight at v = ${shown(v[0])}: inside the dual ball w = 0, on its boundary |w| is arbitrary.`
      : `In one dimension v = ${shown(v[0])} gives w = ${shown(here[1])}; in the plane, with v₂ = ${shown(v[1])}, it gives ` +
          `w₁ = ${shown(plane.map(v)[0])} (dashed).`,
  );
}

/**
 * Even in the root: the sets of a quadratic then stand at even distances.
 * @param {(...x: any[]) => any} f @param {any} fields @param {any} best
 */
function levelsOf(f, { x, y }, best) {
  const values = spaced(y[0], y[1], COARSE).flatMap((b) => spaced(x[0], x[1], COARSE).map((a) => f([a, b])));
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  const high = finite[Math.floor(0.93 * (finite.length - 1))];
  return high > best ? spaced(1 / LEVELS, 1, LEVELS).map((share) => best + (high - best) * share ** 2) : [];
}

export const nothing = () => ({ x: [], y: [] });

/** @param {(...x: any[]) => any} f @param {any} window */
function levelLines(f, window) {
  const lowest = insidePoint(f, window);
  return edges(f, window, levelsOf(f, window, lowest.best), lowest, THIN_RAYS, THIN_HALVINGS);
}

/** @param {(...x: any[]) => any} f @param {any} window @param {number} level */
export function levelAt(f, window, level) {
  return level === null ? nothing() : edges(f, window, [level], insidePoint(f, window), RAYS, HALVINGS);
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta */
function levelSets(args, theta) {
  const f = regularizer(args, theta, 2);
  const { v_plane, w_plane } = args.figures;
  const [vs, ws] = [sides(v_plane, args.v_window), sides(w_plane, wWindow(args, theta))];
  // A norm's h is 0 or infinite; what is drawn is its dual norm.
  put(args.sources.v_levels, levelLines(args.kind === "norm" ? f.sum : f.h, vs));
  put(args.sources.v_ball, levelAt(f.sum, vs, args.v_ball));
  // On the simplex g lives on a segment, and has no sets in the plane.
  put(args.sources.w_levels, args.kind === "simplex" ? nothing() : levelLines(f.g, ws));
  put(args.sources.w_ball, levelAt(f.size, ws, args.w_ball));
  const segment = { x: [0, theta.total], y: [theta.total, 0] };
  const edge = args.bounded ? levelAt(f.size, ws, theta.B ** theta.p) : nothing();
  put(args.sources.w_edge, args.kind === "simplex" ? segment : edge);
  for (const [figure, window] of [
    [v_plane, vs],
    [w_plane, ws],
  ]) {
    setRange(figure.x_range, window.x[0], window.x[1]);
    setRange(figure.y_range, window.y[0], window.y[1]);
  }
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta @param {any} v */
function pointAndRing(args, theta, v) {
  const f = regularizer(args, theta, 2);
  const w = f.map(v);
  const radius = Math.hypot(...v);
  const ring = spaced(0, 2 * Math.PI, 181).map((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
  const images = ring.map(f.map);
  put(args.sources.v_ring, { x: ring.map((r) => r[0]), y: ring.map((r) => r[1]) });
  put(args.sources.w_ring, { x: drawable(images.map((r) => r[0])), y: drawable(images.map((r) => r[1])) });
  put(args.sources.v_point, { x: [v[0]], y: [v[1]] });
  const stands = w.every(Number.isFinite);
  put(args.sources.w_point, stands ? { x: [w[0]], y: [w[1]] } : { x: [], y: [] });
  const h = f.h(v);
  sentence(
    args.lines.v_plane,
    `v = (${shown(v[0])}, ${shown(v[1])}) has h = ${shown(h)}. ${args.v_text} Dotted: all v of the same length.`,
  );
  sentence(
    args.lines.w_plane,
    stands
      ? `w = ∇h(v) = (${shown(w[0])}, ${shown(w[1])}) has g(w) = ${shown(args.kind === "simplex" ? f.size(w) : f.g(w))}, ` +
          `and v·w = ${shown(v[0] * w[0] + v[1] * w[1])} = g(w) + h(v). ${args.w_text}`
      : `No single w belongs to this v: h has a corner or is infinite there. ${args.w_text}`,
  );
}

/**
 * What the map makes of the v of a solved problem; the numbers speak of all its coordinates.
 * @param {Record<string, any>} args @param {Record<string, any>} theta
 */
function real(args, theta) {
  const given = args.sources.real_v.data.v;
  if (!given.length) {
    sentence(
      args.lines.real,
      (args.sources.real_v.tags[0] ?? "") || "The problem whose v is mapped here is being solved ...",
    );
    return;
  }
  const factor = args.controls.scale.value;
  const v = Float64Array.from(given, (x) => x * factor);
  const f = regularizer(args, theta, v.length);
  const w = args.kind === "norm" ? Array.from(v, () => 0) : f.map(v);
  let [zeros, negative, sum, most] = [0, 0, 0, 0];
  for (const x of w) {
    zeros += Number(x === 0);
    negative += Number(x < 0);
    sum += x;
    most = Math.max(most, Math.abs(x));
  }
  const picked = args.sources.real_picks.data.j;
  const vs = Array.from(picked, (j) => v[j]);
  const ws = Array.from(picked, (j) => w[j]);
  put(args.sources.real_points, {
    v: vs,
    w: drawable(ws),
    colour: ws.map((x) => (x === 0 ? args.shades.zero : x < 0 ? args.shades.negative : args.shades.positive)),
    marker: ws.map((x) => (x === 0 ? "dash" : x < 0 ? "inverted_triangle" : "circle")),
  });
  setRange(args.figures.real.x_range, ...around(vs, 0.06));
  setRange(args.figures.real.y_range, ...around([0, ...ws], 0.1));
  const dead = args.kind === "norm" ? `‖v‖ = ${shown(f.sum(v))} in the dual norm; w = 0 while it is below 1. ` : "";
  sentence(
    args.lines.real,
    `${args.sources.real_v.tags[0] ?? ""} ${dead}Of ${v.length.toLocaleString("en")} weights ${(v.length - zeros).toLocaleString("en")} ` +
      `are not zero (${shown((100 * (v.length - zeros)) / v.length, 3)} %), ` +
      `${negative === 0 ? "none is negative" : `${negative.toLocaleString("en")} are negative`}; ` +
      `the largest is ${shown(most)}, the sum ${shown(sum)}.`,
  );
}

/** @param {Record<string, any>} args @param {Record<string, any>} theta @param {any} v */
function showCode(args, theta, v) {
  const plain = String;
  /** @type {Record<string, any>} */
  const values = {};
  for (const [name, x] of Object.entries(theta)) values[name] = plain(x);
  const text = args.python.replace(/\{(\w+)\}/g, (/** @type {any} */ _, /** @type {string} */ name) =>
    name in values ? values[name] : plain(v[name === "v1" ? 0 : 1]),
  );
  write(args.code, codeBox(text));
}

/** @param {Record<string, any>} args @param {any} event */
function dragged(args, event) {
  const name = event.model?.name ?? event.origin?.name;
  /** @param {any} control @param {number} x */
  const move = (control, x) => {
    control.value = Number(clamp(x, control.start, control.end).toFixed(3));
  };
  if (["value", "slope", "v_plane"].includes(name)) move(args.controls.v1, event.x);
  if (name === "v_plane") move(args.controls.v2, event.y);
}

/** @param {Record<string, any>} args @param {any} context */
function paint(args, context) {
  const theta = current(args);
  const v = [args.controls.v1.value, args.controls.v2.value];
  const text = JSON.stringify([theta, args.figures.v_plane.inner_width]);
  if (state.theta === "") nameControls(args, context);
  state.index = context.index;
  if (state.theta !== text) {
    curves(args, theta);
    levelSets(args, theta);
  }
  const plane = JSON.stringify([text, args.controls.lam.value, args.figures.contact.inner_width]);
  if (state.plane !== plane) {
    const { g, size, map } = regularizer(args, theta, 2);
    const onSegment = args.kind === "simplex";
    contact(args, onSegment ? size : g, wWindow(args, theta), onSegment ? theta.total : null, state.theta !== text);
    if (state.theta !== text) earlyStopping(args, args.kind === "norm" ? null : map);
  }
  state.plane = plane;
  const all = `${text}${args.controls.scale.value},${args.sources.real_v.data.v.length}`;
  if (state.real !== all) real(args, theta);
  state.theta = text;
  state.real = all;
  oneDimension(args, theta, v);
  pointAndRing(args, theta, v);
  showCode(args, theta, v);
}

/** @param {Record<string, any>} args @param {any} origin @param {any} _data @param {any} context */
export function draw(args, origin, _data, context) {
  if (origin?.event_name) dragged(args, origin);
  soon(paint, args, context);
}
