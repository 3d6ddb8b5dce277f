// @ts-check
// The page of inverse time as pure functions: what the live run needs, and what one picture shows.

import { LiveFigures } from "../runtime/live_figures.js";
import { pythonNumber } from "../runtime/page_code.js";
import { formatText, quoted, written } from "../runtime/wording.js";
import {
  bandOf,
  boundCurve,
  boundOf,
  cellsOf,
  coursesOf,
  lipschitz,
  summaryOf,
  theorem1,
  theoremText,
} from "./curve.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Row - what is kept of a certificate
 */

/** The place of the true option of each question. */
const ANSWERS = { work: 1, suboptimality: 1 };
/** The faintest of the curves over the steps, that of the fewest samples. */
const FAINTEST = 0.2;
/** Distances below this share of the target are not drawn. */
const SHOWN = 0.1;
const RUN_COLUMNS = ["average", "last", "lower", "gap", "last_gap", "step", "theorem"];
/** The least that the axis of steps shows. */
const STARTED = 10;

/**
 * Returns the message that asks for the curve of the settings; fewer training sets than usual are part of the usual ones.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function curveMessage({ source, loss, p, lam, batch, order, measure, seeds }, { least_seeds }) {
  const numbers = { p: String(p), lam: String(lam), seeds: Math.max(seeds, least_seeds) };
  return { type: "curve", source, loss, batch, order, measure, ...numbers };
}

/**
 * Returns the messages whose answers a run needs, and its names for Python.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs({ source, loss, p, samples, seed }, { losses }) {
  const { text } = losses[loss];
  const set = { source, samples, seed };
  return {
    python: { data: set, terms: { loss: text, regularizer: `p-norm:p=${written(p, "g")}` } },
    data: { type: "data", ...set },
    terms: {
      loss: { type: "loss", name: text },
      regularizer: { type: "regularizer", source, p: String(p) },
      length: { type: "length", ...set, p: String(p) },
      test: { type: "test", source },
    },
  };
}

/**
 * Returns data and terms as engines take them, and for pictures the test samples.
 * @param {Settings} _settings
 * @param {{ data: any, terms: Record<string, any> }} known
 */
export function supplied(_settings, { data, terms: { test, length, ...terms } }) {
  return { data, terms, test, length };
}

/**
 * Returns the run of the settings, with the message that begins it.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function runs({ lam, seed, batch, order, samples }, { solver, most_steps: most }) {
  const k = Math.min(batch, samples);
  const problem = { lam, seed, solver: { ...solver, batch: k, order } };
  return [{ name: "run", most, epochSteps: Math.floor(samples / k), problem }];
}

/**
 * Returns what is kept of a certificate; steps are its time, so that it counts no epochs.
 * @param {Record<string, any>} answer
 * @param {Row | null} before
 * @returns {Row}
 */
export function row(answer, before) {
  const { step, epoch: passes, primal, dual, gap, relative_gap, last, last_gap } = answer;
  const w = answer.w ?? before?.w ?? null;
  return { step, epoch: 0, passes, primal, dual, gap, relative_gap, last, last_gap, w };
}

/**
 * Returns the curves that stay in grey.
 * @param {[string, Row[]][]} curves
 */
export const ghosts = ([[, rows]]) => ({ pgs_gap: rows });

/**
 * Returns everything that one picture shows.
 * @param {Settings} settings
 * @param {any} shown - the run, and the `curve` with what is said of one that is not there
 * @param {Facts} facts
 */
export function frame(settings, shown, facts) {
  const words = new LiveFigures(() => null, {}, facts.texts);
  const { rows, row: now, known, status, reason } = shown.runs.run;
  const L = lipschitz(known.length, facts.losses[settings.loss], settings);
  const run = runColumns(rows, L, settings.lam);
  const live = { row: now, rows, L, n: known.data.n };
  const sweep = shown.curve ? sweepOf(settings, shown, live, facts, words) : noSweep(shown, words);
  const ends = [...run.gap, ...run.last_gap].filter((value) => Number.isFinite(value) && value > 0);
  return {
    sources: { run, ...sweep.sources },
    ranges: [
      ["range", "pgs_gap_x", 1, Math.max(STARTED, 1.1 * Math.max(shown.last.step, 1))],
      ["objective", "pgs_objective_y", run.average.slice(Math.min(1, rows.length - 1)), run.lower],
      ["decades", "pgs_gap_y", ends, 8, 0],
      ...sweep.ranges,
    ],
    axes: {},
    sentences: { ...sweep.sentences, ...captions(live, run, settings, words) },
    numbers: numbers(now, known.test, words),
    status: statusOf(now, status, reason, settings, words),
  };
}

/**
 * @param {Row[]} rows
 * @param {number} L
 * @param {number} lam
 * @returns {Record<string, any>}
 */
function runColumns(rows, L, lam) {
  const column = (/** @type {string} */ name) => rows.map((each) => each[name]);
  const step = column("step").map((value) => Math.max(value, 1));
  let best = -Infinity;
  // Each dual bound holds for good, so the best one does.
  const lower = rows.map(({ dual }) => (best = Math.max(best, dual)));
  const theorem = step.map((steps) => theorem1(L, lam, steps));
  const values = [column("primal"), column("last"), lower, column("gap"), column("last_gap"), step, theorem];
  return Object.fromEntries(RUN_COLUMNS.map((name, k) => [name, values[k]]));
}

/**
 * Returns the curve over the number of samples, and the distances that it is read off.
 * @param {Settings} present
 * @param {any} shown
 * @param {{ row: Row, n: number }} live
 * @param {Facts} facts
 * @param {LiveFigures} words
 */
function sweepOf(present, { curve: { message, record }, isComing, reason }, live, facts, words) {
  const numeric = { p: Number(message.p), lam: Number(message.lam), seeds: Math.min(present.seeds, message.seeds) };
  const settings = { ...present, ...message, ...numeric };
  const { target, seeds, batch } = settings;
  const L = lipschitz(record.length, facts.losses[settings.loss], settings);
  const constants = { L, G: record.G };
  const cells = cellsOf(record, record.distances, record.looks, target, seeds);
  const reached = cells.filter(({ steps }) => steps < Infinity);
  const missed = cells.filter(({ steps }) => steps === Infinity);
  const summary = summaryOf(cells);
  const [first] = summary.m;
  const range = /** @type {[number, number]} */ ([0.7 * first, 1.4 * Math.max(summary.m.at(-1) ?? 0, 2 * first)]);
  const most = reached.reduce((a, { steps }) => Math.max(a, steps), 0) || 100;
  const bound = boundCurve(settings, constants, range, most);
  const heights = [...reached.map(({ steps }) => steps), ...bound.steps];
  const top = heights.length ? 2 * Math.max(...heights) : 2 * most;
  const work = workOf(record, summary, settings, facts.iterations);
  const isSame = !isComing && !reason;
  const place = isSame ? "" : placeText({ isComing, reason, settings }, words);
  const isHere = settings.source === present.source && live.row.step > 0;
  const courses = coursesOf(record, seeds);
  return {
    sources: {
      cells: Object.fromEntries(
        ["m", "steps", "seed"].map((name) => [name, reached.map((/** @type {any} */ cell) => cell[name])]),
      ),
      steps: bandOf(summary),
      bound,
      missed: { m: missed.map(({ m }) => m), height: missed.map(() => 0.75 * top) },
      here: { m: isHere ? [live.n] : [], steps: isHere ? [live.row.step] : [] },
      ...courseColumns(record, courses, summary, target),
      work: bandOf(summary, () => batch),
      reference: bandOf(work.lbfgs, (m) => m),
    },
    ranges: [
      ["range", "sweep_steps_x", ...range],
      ["decades", "sweep_steps_y", heights, 9, 0],
      ["decades", "sweep_work_y", work.heights, 9, 0],
      ["decades", "course_y", [...courses.flat().filter((value) => value > SHOWN * target), target], 6, 0],
    ],
    sentences: sweepSaid({ settings, summary, constants, cells, place, work }, words),
  };
}

/**
 * @param {any} shown
 * @param {LiveFigures} words
 */
function noSweep({ reason }, words) {
  const said = reason || words.say("coming");
  return { sources: {}, ranges: [], sentences: { sweep_steps: said, course: "", sweep_work: "" } };
}

/**
 * Says which curve is shown in place of that of the present settings.
 * @param {{ isComing: boolean, reason: string, settings: Settings }} fields
 * @param {LiveFigures} words
 */
function placeText({ isComing, reason, settings }, words) {
  const { lam, p, batch, loss, measure, source } = settings;
  const begin = isComing ? words.say("computing") : words.say("no_curve", { reason });
  return `${begin}${words.say("elsewhere", { lam: written(lam, "g"), p, batch, loss, measure, source })}`;
}

/**
 * Returns the median distance over the steps for each size, and where it meets the target.
 * @param {any} record
 * @param {number[][]} courses
 * @param {{ m: number[], median: number[] }} summary
 * @param {number} target
 */
function courseColumns({ m, looks }, courses, { median }, target) {
  const steps = Array.from(looks);
  const count = courses.length;
  const share = (/** @type {number} */ k) => (count > 1 ? k / (count - 1) : 1);
  const ends = [...new Set([0, count - 1])];
  const met = median.filter((value) => value < Infinity);
  return {
    courses: {
      step: courses.map(() => steps),
      distance: courses.map((values) => values.map((value) => (value > 0 ? value : NaN))),
      alpha: courses.map((_, k) => FAINTEST + (1 - FAINTEST) * share(k)),
    },
    target: { step: [steps[0], steps[steps.length - 1]], distance: [target, target] },
    crossings: { step: met, distance: met.map(() => target) },
    labels: {
      step: ends.map((k) => steps[lowest(courses[k], target)]),
      distance: ends.map((k) => courses[k][lowest(courses[k], target)]),
      text: ends.map((k) => `m = ${written(m[k], ",")}`),
    },
  };
}

/**
 * Returns the last place of a course that the figure shows.
 * @param {number[]} values
 * @param {number} target
 */
const lowest = (values, target) =>
  Math.max(
    0,
    values.findLastIndex((value) => value > SHOWN * target),
  );

/**
 * Returns the iterations of L-BFGS to the target, and all numbers of samples visited.
 * @param {any} record
 * @param {ReturnType<typeof summaryOf>} summary
 * @param {Settings} settings
 * @param {number} iterations - the most that are recorded
 */
function workOf({ m, reference }, summary, { target, batch }, iterations) {
  const places = Array.from({ length: iterations }, (_, k) => k + 1);
  const cells = reference.length ? cellsOf({ m }, reference, places, target) : [];
  const lbfgs = summaryOf(cells);
  const visited = [
    ...summary.median.map((steps) => batch * steps),
    ...lbfgs.median.map((count, k) => lbfgs.m[k] * count),
  ];
  return { lbfgs, heights: visited.filter((value) => value < Infinity) };
}

/**
 * @param {any} fields
 * @param {LiveFigures} words
 */
function sweepSaid({ settings, summary, constants, cells, place, work }, words) {
  const { m, median, missed } = summary;
  const { measure, target, c, batch } = settings;
  const count = (/** @type {number} */ value) =>
    value < Infinity ? words.say("count", { count: value }) : words.say("too_many");
  const last = m.at(-1);
  const value = boundOf(settings, constants, last);
  const ends = { first: m[0], last, first_count: count(median[0]), last_count: count(median.at(-1)) };
  const { lbfgs } = work;
  const visits = (/** @type {number} */ k) => count(lbfgs.m.at(k) * lbfgs.median.at(k));
  const isAlone = !lbfgs.m.length;
  return {
    sweep_steps: words.say("sweep_steps", {
      ...ends,
      place,
      missed: missed ? words.say("missed", { missed, count: cells.length }) : "",
      theorem: words.say(theoremText(measure, value), { ...constants, c, value }),
    }),
    course: words.say("course", { ...ends, target }),
    sweep_work: words.say(isAlone ? "sweep_work_alone" : "sweep_work", {
      ...ends,
      first_work: count(batch * median[0]),
      work: count(batch * median.at(-1)),
      ...(isAlone ? {} : { first_reference: visits(0), reference: visits(-1) }),
    }),
  };
}

/**
 * @param {any} live
 * @param {Record<string, any>} run
 * @param {Settings} settings
 * @param {LiveFigures} words
 */
function captions({ row: now, rows, L }, run, { lam }, words) {
  const { step, primal: average, last, gap, last_gap } = now;
  const lower = run.lower[rows.indexOf(now)];
  const theorem = theorem1(L, lam, Math.max(step, 1));
  return {
    pgs_objective: words.say("pgs_objective", { step, average, last, lower }),
    pgs_gap: words.say("pgs_gap", { gap, last_gap, theorem }),
  };
}

/**
 * @param {Row} now
 * @param {any} test
 * @param {LiveFigures} words
 */
function numbers({ primal, gap, relative_gap, last, last_gap, step, passes, w }, test, words) {
  const score = w ? words.say("percent", { percent: 100 * accuracy(test, w) }) : "";
  return words.cards([
    [words.say("number_average"), written(primal, ".5g"), ""],
    [words.say("number_gap"), written(gap, ".2e"), words.note("at_most", { percent: 100 * relative_gap })],
    [words.say("number_last"), written(last, ".5g"), ""],
    [words.say("number_last_gap"), written(last_gap, ".2e"), ""],
    [words.say("number_steps"), written(step, ","), words.note("passes", { epoch: passes })],
    [words.say("number_score"), score, ""],
  ]);
}

/**
 * Returns the share of test samples whose class weights predict; they have one entry more where a constant is added.
 * @param {{ values: ArrayLike<number>, d: number, y: ArrayLike<number> }} test
 * @param {ArrayLike<number>} w
 */
export function accuracy({ values, d, y }, w) {
  let right = 0;
  for (let i = 0; i < y.length; i++) {
    let z = w.length > d ? w[d] : 0;
    for (let j = 0; j < d; j++) z += values[i * d + j] * w[j];
    if ((z >= 0 ? 1 : -1) === y[i]) right++;
  }
  return right / y.length;
}

/**
 * @param {Row} now
 * @param {string | null} status
 * @param {string} reason
 * @param {Settings} settings
 * @param {LiveFigures} words
 */
function statusOf({ step: steps }, status, reason, { tolerance }, words) {
  const name = status ?? "paused";
  return { name, text: words.say(name, { steps, tolerance, reason }) };
}

/** Returns which option of each question is true, whatever the run. */
export const outcome = () => ANSWERS;

/**
 * Returns the Python that gives the same run.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, { texts, losses, bias }) {
  const { source, loss, p, lam, order } = settings;
  return formatText(texts.code, {
    ...settings,
    source: quoted(source),
    loss: quoted(losses[loss].text),
    p: pythonNumber(p),
    lam: pythonNumber(lam),
    order: quoted(order),
    bias: bias[source],
  });
}
