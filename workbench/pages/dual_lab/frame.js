// @ts-check
// The Dual lab as pure functions: what one picture of its runs shows.

import { visitedColumns, weightColumns } from "../runtime/duality/frame.js";
import { MOST_POINTS, spread } from "../runtime/live_figures.js";
import { written } from "../runtime/wording.js";
import { code } from "./code.js";
import { guess, outcome } from "./compared.js";
import { Gauge } from "./gauge.js";
import { needs, runs, supplied } from "./runs.js";
import { ALMOST, Sentences } from "./sentences.js";
import { stateOf } from "./state.js";

export { code, guess, needs, outcome, runs, supplied };

/**
 * @typedef {import("./runs.js").Settings} Settings
 * @typedef {import("./runs.js").Facts} Facts
 * @typedef {import("./lab_track.js").State} State
 */

/** Returns what a picture asks of each run. */
export function question() {
  return { type: "certificate", contents: {}, isTyped: true };
}

/**
 * Returns what is kept of a certificate.
 * @param {Record<string, any>} answer
 */
export function row({ step, epoch, primal, dual, gap, relative_gap }) {
  return { step, epoch, primal, dual, gap, relative_gap };
}

export function complete() {}

/**
 * Returns the rows of each run in the figure in which they stay as a ghost.
 * @param {[string, any[]][]} curves
 */
export function ghosts(curves) {
  return { gap: curves.map(([, rows]) => rows) };
}

/**
 * Returns the states of the runs, which have the problem of each.
 * @param {any} shown
 * @returns {State[]}
 */
export function statesOf({ runs: all }) {
  return Object.entries(all).map(([name, run]) => {
    const certificate = { ...run.shown, step: run.row.step };
    const { problem, event, rows } = run;
    return /** @type {any} */ (
      Object.assign(stateOf(problem, certificate, run.row), { name, problem, certificate, event, rows })
    );
  });
}

/**
 * Returns what one picture shows: columns by source, requests for ranges, labels of axes, sentences, numbers, status.
 * @param {Settings} settings
 * @param {any} shown - the runs; `states`, `saddle`, `terms`, `visited`, and `folded`, the figures that are not seen
 * @param {Facts} facts
 */
export function frame(settings, shown, facts) {
  const words = new Sentences(() => null, {}, facts.texts);
  const [A, B = null] = /** @type {State[]} */ (shown.states ?? statesOf(shown));
  const parts = [curves(A, B), weights(A, B), duals(A, B), margins(A), transfer(A, B), terms(A), saddle(shown.saddle)];
  if (shown.visited) parts.push(visited(shown.visited, A));
  const seen = parts.filter(({ figure }) => !shown.folded?.has(figure));
  const states = B ? [A, B] : [A];
  const gauge = new Gauge(
    A.rows.filter(({ step }) => step <= A.row.step),
    facts.texts,
  ).shown;
  return {
    sources: Object.assign({}, ...seen.map(({ sources }) => sources)),
    ranges: seen.flatMap(({ ranges }) => ranges),
    axes: Object.assign({}, ...seen.map(({ axes = {} }) => axes)),
    sentences: words.captions(A, B, shown.saddle ?? null, shown.visited),
    numbers: words.formula(A, B),
    gauge: B ? { ...gauge, sentence: `A: ${gauge.sentence}` } : gauge,
    status: status(settings, shown, states, facts, words),
  };
}

/** @typedef {{ figure: string, sources: Record<string, any>, ranges: any[][], axes?: Record<string, string> }} Part */

/**
 * The whole of a run, wherever one looks into it.
 * @param {State} A
 * @param {State | null} B
 * @returns {Part}
 */
function curves(A, B) {
  // The first epoch is looked at step by step.
  const unit = A.rows[A.rows.length - 1].epoch < 1 ? "step" : "epoch";
  const first = drawn(A.rows, unit);
  const other = B && drawn(B.rows, unit);
  const gaps = [...first.gap, ...(other?.gap ?? [])].filter(Number.isFinite);
  const end = 1.01 * Math.max(first.time.at(-1), other?.time.at(-1) ?? 0) || 1;
  return {
    figure: "curves",
    sources: { curves: first, other: other && { time: other.time, gap: other.gap } },
    ranges: [
      [unit === "step" ? "freeRange" : "range", "gap_x", 0, end],
      // Five decades from the start, so that the axis stands still while the gap closes; that of the start is 1 but for
      // rounding.
      ["decades", "gap_y", gaps.map((gap) => gap * (1 + ALMOST)), 12, 5],
      ["objective", "objective_y", first.primal, first.dual],
    ],
    axes: { gap_x: unit, objective_x: unit },
  };
}

/**
 * Curves of a limited number of points; a gap that is not finite or not positive leaves a break.
 * @param {Row[]} rows
 * @param {string} unit
 */
function drawn(rows, unit) {
  const sampled = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
  const finite = (/** @type {number} */ value) => (Number.isFinite(value) ? value : NaN);
  return {
    time: sampled.map((each) => each[unit]),
    primal: sampled.map(({ primal }) => finite(primal)),
    dual: sampled.map(({ dual }) => finite(dual)),
    gap: sampled.map(({ gap }) => (gap > 0 && Number.isFinite(gap) ? gap : NaN)),
  };
}

/**
 * In the order of the features, those that are zero in view.
 * @param {State} A
 * @param {State | null} B
 * @returns {Part}
 */
function weights({ w, certificate: { v }, problem }, B) {
  const columns = weightColumns(problem.curves, /** @type {any} */ ({ w, v }));
  const { place, weight, feature } = columns.weights;
  const other = B ? feature.map((j) => B.w[j]) : [];
  return {
    figure: "weights",
    sources: { ...columns, other_weights: B && { place, weight: other } },
    ranges: [
      ["around", "weights_y", [...weight, ...other], 0.08, true],
      ["range", "weights_x", -1, place.length],
    ],
  };
}

/**
 * @param {State} A
 * @param {State | null} B
 * @returns {Part}
 */
function duals({ duals: own, n }, B) {
  const { place, sample, kind, value } = own;
  return {
    figure: "duals",
    sources: {
      duals: { place, sample, kind, value },
      other_duals: B && { place: B.duals.place, value: B.duals.value },
    },
    ranges: [
      ["around", "duals_y", [...value, ...(B?.duals.value ?? [])], 0.1, true],
      ["range", "duals_x", -0.02 * n - 1, 1.02 * n],
    ],
    axes: { duals_y: own.margin ? "α·y" : "α" },
  };
}

/**
 * @param {State} A
 * @returns {Part}
 */
function margins({ duals: own, certificate: { sample_terms }, problem, n }) {
  const { at, value, sample, kind, margin, place } = own;
  const { y } = problem.data;
  const label = sample.map((/** @type {number} */ i) => (margin && y[i] < 0 ? "−1" : "+1"));
  const area = sample.map((/** @type {number} */ i) => n * sample_terms[i]);
  const axis = margin ? "margin y·f(x); ● y = +1, ▲ y = −1" : "residual f(x) − y";
  return {
    figure: "margins",
    sources: { margins: { margin: at, value, sample, kind, label, place, area } },
    ranges: [
      ["around", "margins_x", at, 0.08, true],
      ["around", "margins_y", value, 0.1, true],
    ],
    axes: { margins_x: `${axis}; areas count 1/n`, margins_y: margin ? "α·y" : "α" },
  };
}

/**
 * The axes of the figure of the transfer function; `areas` fills its curve and dots.
 * @param {State} A
 * @param {State | null} B
 * @returns {Part}
 */
function transfer({ w, certificate: { v }, problem: { d } }, B) {
  const other = B?.certificate.v ? { v: B.certificate.v.slice(0, d), weight: B.w.slice(0, d) } : null;
  const both = (/** @type {any} */ own, /** @type {any} */ of) => [...own, ...(of ?? [])];
  return {
    figure: "transfer",
    sources: { other_transfer: other },
    ranges:
      v === null
        ? []
        : [
            ["around", "transfer_x", both(v.subarray(0, d), other?.v), 0.08, true],
            ["around", "transfer_y", both(w, other?.weight), 0.1, true],
          ],
  };
}

/**
 * @param {State} A
 * @returns {Part}
 */
function terms({ terms: { place, sample, kind, share, dual_place, dual } }) {
  return {
    figure: "terms",
    sources: { terms: { place, sample, kind, share, dual_place, dual } },
    ranges: share.length
      ? [
          ["range", "terms_x", -0.02 * share.length, 1.02 * share.length + 1],
          ["decades", "terms_y", share, 6, 3],
        ]
      : [],
  };
}

/**
 * The lines of the saddle; its surface is an image, whose array stays.
 * @param {any} section - or null
 * @returns {Part}
 */
function saddle(section) {
  if (!section) return { figure: "saddle", sources: {}, ranges: [] };
  const { weight, dual, valley, ridge, point, name, sample } = section;
  return {
    figure: "saddle",
    sources: {
      valley: { weight: valley, dual },
      ridge: { weight, dual: ridge },
      point: { weight: [point[0]], dual: [point[1]] },
    },
    ranges: [
      ["range", "saddle_x", weight[0], weight.at(-1)],
      ["range", "saddle_y", dual[0], dual.at(-1)],
    ],
    axes: { saddle_x: `weight of “${name}”`, saddle_y: `α of sample ${written(sample, ",")}` },
  };
}

/**
 * The values of lambda that were visited, and the present one.
 * @param {any} runsByLambda
 * @param {State} A
 * @returns {Part}
 */
function visited(runsByLambda, { problem }) {
  const columns = visitedColumns(runsByLambda, (j) => problem.name(j));
  const all = [...runsByLambda.runs.keys()];
  return {
    figure: "visited",
    sources: { ...columns, now: { lam: [problem.lam] } },
    ranges: [
      ["range", "path_x", Math.min(...all) / 3, 3 * Math.max(...all)],
      ["around", "path_y", columns.path.weight, 0.08, true],
      ["around", "held_out_y", columns.held_out.loss, 0.1],
    ],
  };
}

/**
 * Returns the status of the runs; two that ended differently are compared with a note.
 * @param {Settings} settings
 * @param {any} shown
 * @param {State[]} states
 * @param {Facts} facts
 * @param {Sentences} words
 */
function status({ tolerance }, { runs: all, isDragged = false }, states, facts, words) {
  const ended = Object.values(all).map(({ status, reason }) => ({ status: isDragged ? null : status, reason }));
  const ends = ended.map((run) => run.status);
  const rows = states.map((state) => state.row);
  const isOpen = ends.includes(null);
  const name = isOpen ? "paused" : facts.statuses.find((/** @type {string} */ each) => ends.includes(each));
  return { name, text: words.standing(rows, ended, isDragged ? "moving" : "paused", tolerance) };
}
