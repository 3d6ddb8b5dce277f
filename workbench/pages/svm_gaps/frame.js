// @ts-check
// The page on SVM gaps as pure functions: which run the settings ask for, and what one picture of it shows.

import { numerals } from "../runtime/numerals.js";
import { pythonNumber } from "../runtime/page_code.js";
import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { isPoints, readPoints } from "../runtime/live_plane.js";
import { writePoints } from "../runtime/plane_hand.js";
import { escaped, formatText, written } from "../runtime/wording.js";
import {
  BOUND_SHARE,
  certifyingPair,
  contours,
  curveOf,
  distances,
  dualVariables,
  kernelMatrix,
  kernelOf,
  kindsOf,
  svmGap,
  times,
  total,
} from "./gap.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {{ X: number[][], y: Float64Array, K: Float64Array[], surface: Float64Array[], axis: number[] }} Known
 */

const COLUMNS = ["gap", "remark_1", "lemma_8", "violation", "primal", "dual"];
/** Width and dash of the lines f + b = -1, 0, 1. */
const STROKES = /** @type {[number, string][]} */ ([
  [1.2, "dashed"],
  [2.6, "solid"],
  [1.2, "dashed"],
]);
/** The largest |f + b| that the colours tell apart. */
const SHOWN = 3;
/** As `gaps.svm` takes y.a for zero. */
const ROUNDING = 1e-10;
/** The decades of the axis below the largest bound that a tolerance allows, while a point is dragged. */
const DRAGGED_DECADES = 5;
/** Each bar of a bound: its colour, and its place between 0 and 1. */
const BARS = /** @type {[string, number][]} */ ([
  ["gap", 1 / 6],
  ["remark_1", 3 / 6],
  ["lemma_8", 5 / 6],
]);
/** The place of the true option of each question. */
const ANSWERS = { still: 1, tenfold: 0, units: 1 };

/**
 * Returns the points that settings place, {X, y}.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function placed({ points, source }, { plane, texts }) {
  const { most, clouds } = plane;
  const { half_width } = plane.looks;
  if (points && !isPoints(points, { most, half_width })) throw new Error(formatText(texts.unreadable, { most }));
  return readPoints(points || clouds[source], half_width);
}

/**
 * Returns the engine's kernel of the settings.
 * @param {Settings} settings
 * @param {Facts} facts
 */
function kernelFacts({ kernel, gamma, degree }, { kernels }) {
  const { code, parameters } = kernels[kernel];
  if (kernel === "Gaussian") return { code, parameters: [gamma] };
  return { code, parameters: kernel === "Polynomial" ? [parameters[0], parameters[1], degree] : parameters };
}

/**
 * Returns the messages whose answers a run needs, and its names for Python.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs(settings, facts) {
  const { source, kernel, gamma, degree } = settings;
  const points = writePoints(placed(settings, facts), facts.plane.looks.half_width);
  return {
    python: { data: { source, points, kernel, gamma, degree }, terms: facts.engine_terms },
    data: null,
    terms: { both: { type: "terms" } },
  };
}

/**
 * Returns data and terms as engines take them, and the kernel's matrices for pictures.
 * @param {Settings} settings
 * @param {{ terms: Record<string, any> }} known
 * @param {Facts} facts
 */
export function supplied(settings, { terms }, facts) {
  const { X, y } = placed(settings, facts);
  const own = kernelFacts(settings, facts);
  const kernel = kernelOf(own);
  const { grid } = facts.plane;
  const { half_width } = facts.plane.looks;
  const axis = Array.from({ length: grid }, (_, k) => -half_width + (2 * half_width * k) / (grid - 1));
  const places = axis.flatMap((v) => axis.map((u) => [u, v]));
  const n = y.length;
  const data = {
    ...{ n, d: 2, offsets: [], indices: [], values: X.flat(), y },
    ...{ weight: new Float64Array(n).fill(1), free_bias: true, kernel: own },
  };
  const matrices = { K: kernelMatrix(kernel, X, X), surface: kernelMatrix(kernel, places, X) };
  return { data, terms: terms.both, X, y, axis, ...matrices };
}

/**
 * Returns the run of the settings, with the message that begins it; `facts.most` steps are made at once.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function runs({ cost: C, selection, tolerance, ...settings }, facts) {
  const { most = 0, isDragged = false } = facts;
  const n = placed(settings, facts).y.length;
  const solver = { ...facts.solver, tol: most ? tolerance : 0, selection };
  return [{ name: "run", C, most, isDragged, tolerance, problem: { lam: 1 / (C * n), seed: 0, solver } }];
}

/**
 * Returns G(a) with its bounds at the engine's dual variables.
 * @param {Float64Array} alpha
 * @param {Known} known
 * @param {number} C
 */
export const gapOf = (alpha, { K, y }, C) => svmGap(K, y, C, dualVariables(alpha, y, C));

/**
 * Returns what is kept of a step.
 * @param {{ step: number, event: any, alpha: Float64Array }} solved
 * @param {Known} known
 * @param {number} C
 */
export function rowOf({ step, event, alpha }, known, C) {
  const { slacks, f, breakpoints, values, ...numbers } = gapOf(alpha, known, C);
  return { step, steps: step, epoch: 0, event, a: dualVariables(alpha, known.y, C), ...numbers };
}

/**
 * Returns the curves that stay in grey, once all steps of the run are there.
 * @param {[string, any[]][]} curves
 */
export function ghosts([[, rows]]) {
  return rows.length > 1 && rows.length > rows[rows.length - 1].step ? { bounds: rows } : {};
}

/**
 * Returns everything that one picture shows.
 * @param {Settings} _settings
 * @param {any} shown - the run, `optimum`, the sample that was `touched` and `looks`
 * @param {Facts} facts
 */
export function frame(_settings, shown, facts) {
  const { optimum = null, touched = null, looks = facts.plane.looks } = shown;
  const { rows, row, status, known, request } = shown.runs.run;
  const { C, isDragged, tolerance } = request;
  const { X, y, K, axis } = known;
  const { a, event } = row;
  const certified = svmGap(K, y, C, a);
  const signed = a.map((/** @type {number} */ value, /** @type {number} */ i) => y[i] * value);
  const surface = times(known.surface, signed).map((value) => value + certified.bias);
  const kinds = kindsOf(a, C);
  const words = new LiveFigures(() => null, {}, facts.texts);
  const curve = curveOf(certified);
  const course = isDragged ? dragged(row, y.length * C * tolerance, looks, facts.texts) : bounds(rows, optimum);
  const samples = Array.from(y.keys());
  const look = {
    fill: kinds.map((kind) => looks.colours[kind]),
    edge: Array.from(y, (label) => looks.colours[label > 0 ? "up" : "down"]),
    marker: Array.from(y, (label) => looks.markers[label > 0 ? "up" : "down"]),
  };
  const at = (/** @type {number[]} */ chosen) => ({ x: chosen.map((i) => X[i][0]), y: chosen.map((i) => X[i][1]) });
  const highest = Math.max(...curve.value);
  const upright = (/** @type {number} */ end) =>
    Number.isFinite(end) ? { b: [end, end], value: [0, highest] } : { b: [], value: [] };
  const fields = { certified, kinds, row, optimum, y, C, words };
  return {
    isDragged,
    surface: surface.map((value) => Math.min(Math.max(value, -SHOWN), SHOWN)),
    sources: {
      points: {
        ...at(samples),
        ...{ label: Array.from(y), a: Array.from(a), kind: kinds },
        ...look,
        sample: samples,
      },
      duals: { place: samples, a: Array.from(a), ...look, sample: samples },
      lines: boundary(axis, surface),
      pair: at(event ? [event.index, event.partner] : []),
      next: at(certified.pair ?? []),
      touched: at(touched === null || touched >= y.length ? [] : [touched]),
      curve: { b: curve.b, value: curve.value },
      breaks: { b: curve.breaks, value: curve.atBreaks },
      least: { b: [certified.bias], value: [certified.gap] },
      top: upright(-certified.t_hat),
      bottom: upright(-certified.b_hat),
      ...course.sources,
    },
    ranges: [
      ["range", "pair_duals_x", -1, samples.length],
      ["range", "pair_duals_y", -0.06 * C, 1.06 * C],
      ["range", "bias_x", curve.b[0], curve.b[curve.b.length - 1]],
      ["around", "bias_y", curve.value, 0.06, true],
      ...course.ranges,
    ],
    axes: { bounds_x: isDragged ? facts.texts.at_this_place : facts.texts.pair_step },
    sentences: { ...captions(fields), why: why(event, y, C, words), dual: facts.dual },
    numbers: numbers(fields),
    status: statusOf(row, status, isDragged, words),
  };
}

/**
 * The lines f + b = -1, 0, 1.
 * @param {number[]} axis
 * @param {Float64Array} surface
 */
function boundary(axis, surface) {
  const pieces = [-1, 0, 1].flatMap((level, k) =>
    contours(axis, surface, level).map((/** @type {number[][]} */ line) => ({ line, stroke: STROKES[k] })),
  );
  return {
    xs: pieces.map(({ line }) => line.map(([x]) => x)),
    ys: pieces.map(({ line }) => line.map(([, y]) => y)),
    width: pieces.map(({ stroke: [width] }) => width),
    dash: pieces.map(({ stroke: [, dash] }) => dash),
  };
}

/**
 * The bounds over the whole run, wherever one looks into it.
 * @param {any[]} rows
 * @param {any} optimum
 */
function bounds(rows, optimum) {
  /** @type {Record<string, any>[]} */
  const sampled = spread(rows.length, MOST_POINTS).map((k) => distances(rows[k], optimum));
  const { step: last } = rows[rows.length - 1];
  // No line leads over steps that are still to come.
  if (rows.length <= last) sampled.splice(-1, 0, { step: last });
  const positive = (/** @type {string} */ name) =>
    sampled.map((row) => (row[name] > 0 && Number.isFinite(row[name]) ? row[name] : NaN));
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, positive(name)]));
  return {
    sources: { bounds: { step: sampled.map(({ step }) => step), ...columns }, bars: null },
    ranges: [
      ["range", "bounds_x", 0, Math.max(1, 1.01 * last)],
      ["decades", "bounds_y", Object.values(columns).flat().filter(Number.isFinite), 9, 4],
    ],
  };
}

/**
 * The three bounds as bars, on an axis that stays while a point is dragged.
 * @param {any} row
 * @param {number} largest - of the cheapest bound where a run meets its tolerance
 * @param {any} looks
 * @param {Record<string, string>} texts
 */
function dragged(row, largest, looks, texts) {
  const top = 4 * Math.max(largest, row.lemma_8);
  const bottom = top * 10 ** -DRAGGED_DECADES;
  const heights = BARS.map(([name]) => Math.max(row[name], bottom));
  return {
    sources: {
      bounds: null,
      bars: {
        x: BARS.map(([, place]) => place),
        top: heights,
        bottom: BARS.map(() => bottom),
        fill: BARS.map(([name]) => looks.colours[name]),
        text: BARS.map(([name]) => `${texts[`bar_${name}`]} ${numerals(written(row[name], ".1e"))}`),
      },
    },
    ranges: [
      ["range", "bounds_x", 0, 1],
      ["range", "bounds_y", bottom, top],
    ],
  };
}

/** @param {Record<string, any>} fields */
function captions({ kinds, certified, row, optimum, y, C, words }) {
  const count = (/** @type {string} */ kind) => kinds.filter((/** @type {string} */ each) => each === kind).length;
  const [free, bound] = [count("free"), count("bound")];
  const wrong = certified.slacks.filter((/** @type {number} */ slack) => slack > 1).length;
  const sum = total(row.a.map((/** @type {number} */ value, /** @type {number} */ i) => value * y[i]));
  const isRounding = Math.abs(sum) <= ROUNDING * Math.max(total(row.a), C);
  const measured = { ...distances(row, optimum), known: optimum?.gap };
  const rate = certifyingPair(y, C, row.a, certified);
  return {
    plane: words.say("plane", { carry: free + bound, n: y.length, free, bound, wrong }),
    bias: words.say("bias", certified),
    bounds: words.say(optimum ? "bounds" : "bounds_alone", measured),
    pair_duals: [
      words.say("pair_duals", { sum: isRounding ? words.say("rounding") : words.say("sum", { sum }) }),
      rate ? words.say("certifying", { i: rate[0], j: rate[1], share: rate[2] }) : "",
    ]
      .join(" ")
      .trim(),
  };
}

/** @param {Record<string, any>} fields */
function numbers({ certified, kinds, words }) {
  const support = kinds.filter((/** @type {string} */ kind) => kind !== "zero").length;
  const relative = certified.gap / Math.max(certified.primal, 1e-300);
  return words.cards([
    ["primal", written(certified.primal, ".6g"), ""],
    ["lower bound", written(certified.dual, ".6g"), ""],
    ["gap G(a)", written(certified.gap, ".2e"), words.note("relative", { relative })],
    ["t̂ − b̂", written(certified.violation, ".2e"), words.note("between", certified)],
    ["bias", written(certified.bias, ".4g"), ""],
    ["support", String(support), words.note("of", { n: kinds.length })],
  ]);
}

/**
 * The last step: which pair, how far, and what stopped it.
 * @param {any} event
 * @param {Float64Array} y
 * @param {number} C
 * @param {LiveFigures} words
 */
function why(event, y, C, words) {
  if (!event) return `<div class='wb-note'>${words.say("nothing_yet")}</div>`;
  const { index: i, partner: j, violation, curvature } = event;
  const free = Math.abs(event.free);
  const isClipped = Math.abs(event.alpha_after - event.alpha_before) < free * (1 - BOUND_SHARE);
  const scaled = (/** @type {number} */ alpha, /** @type {number} */ k) => C * y[k] * alpha;
  const lines = [
    words.say("difference", { violation }),
    words.say("curvature", { curvature }),
    words.say("free_step", { free: C * free }),
    words.say("moved", { sample: i, before: scaled(event.alpha_before, i), after: scaled(event.alpha_after, i) }),
    words.say("moved", { sample: j, before: scaled(event.partner_before, j), after: scaled(event.partner_after, j) }),
  ];
  const badge = `<span class='wb-badge ${isClipped ? "clip" : "free"}'>`;
  return (
    `<div class='wb-note'><p>${escaped(words.say("pair", { i, j, violation }))}</p></div>` +
    lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") +
    `${badge}${escaped(words.say(isClipped ? "clipped" : "reached"))}</span>`
  );
}

/**
 * @param {any} row
 * @param {string | null} status
 * @param {boolean} isDragged
 * @param {LiveFigures} words
 */
function statusOf(row, status, isDragged, words) {
  const name = status ?? "paused";
  return { name, text: words.say(isDragged ? "dragging" : name, row) };
}

/** Returns which option of each question is true, whatever the run. */
export const outcome = () => ANSWERS;

/**
 * Returns the Python that gives the same run.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code({ source, points, cost, selection, tolerance, gamma, degree, ...settings }, { texts }) {
  const kernels = /** @type {Record<string, string>} */ ({
    Linear: "wb.kernels.Linear()",
    Gaussian: `wb.kernels.RBF(gamma=${written(gamma, "g")})`,
    Polynomial: `wb.kernels.Polynomial(\n    ${degree}, gamma=1.0, coef0=1.0)`,
  });
  const examples = "wb.data.examples.";
  return formatText(texts.code, {
    data: points ? `${examples}read_points(\n  '${points}')` : `${examples}plane(\n  '${source}')`,
    C: pythonNumber(cost),
    kernel: kernels[settings.kernel],
    tolerance: written(tolerance, "g"),
    selection,
  });
}
