// @ts-check
// The page Compare as pure functions: what is seen of several runs at a pass, and of a race.

import { keyOf } from "../runtime/hosts/host.js";
import { MOST_POINTS, spread } from "../runtime/live_figures.js";
import { escaped, formatText } from "../runtime/wording.js";
import { raceOutcome, racePicture, raceSentence, raceTable, recordedRace, standingsOf } from "./race.js";
import { firstAt, passesTable } from "./passes.js";
import { formulaBar, saddlePicture, weakDuality } from "./saddle.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Run - columns by name: epoch, primal, dual, relative_gap, weight, alpha
 * @typedef {object} Answers
 * @property {any} runs - what `answer_runs` of Python gives
 * @property {any} recorded
 * @property {number} [place] - of the longest run; by default its last one
 * @property {number} [reached] - the places that are drawn
 * @property {[number, number] | null} [hand]
 * @property {any[] | null} [events] - of a race on this page
 * @property {string} [said] - how that race goes
 * @property {boolean} [playing]
 */

// A logarithmic axis of a gap or an error shows a number of decades between these two.
const MOST_DECADES = 10;
const LEAST_DECADES = 2;
/** A point without a logarithm stands this far above the lower edge. */
const EDGE = 1.5;

/**
 * Returns the messages whose answers a frame needs.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export const needs = (settings, { inputs }) => ({
  runs: {
    type: "runs",
    ...Object.fromEntries(inputs.map((/** @type {string} */ name) => [name, settings[name]])),
  },
  recorded: { type: "recorded" },
});

/**
 * Returns the number of places of the longest run.
 * @param {any} runs
 */
export const placesOf = ({ runs }) => Math.max(...runs.map((/** @type {Run} */ { epoch }) => epoch.length));

/**
 * @typedef {object} State
 * @property {Settings} settings
 * @property {Facts} facts
 * @property {any} answer
 * @property {Run[]} runs - with `at`, the place that is looked at, and `last`, the one up to which they are drawn
 * @property {any} words
 * @property {number} passes
 * @property {number} low - of the bracket around the optimum
 * @property {number} high
 * @property {(name: string, values?: Record<string, any>) => string} say
 */

/**
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @returns {State}
 */
function stateOf(settings, { runs: answer, reached = Infinity, place = Infinity }, facts) {
  const runs = answer.runs.map((/** @type {Run} */ run) => {
    const end = run.epoch.length - 1;
    const last = Math.min(end, reached);
    return { ...run, last, at: Math.min(last, place) };
  });
  const seen = (/** @type {string} */ name) =>
    runs.flatMap((/** @type {Run} */ run) => Array.from(run[name].subarray(0, run.last + 1)));
  const low = Math.max(answer.optimum.dual, ...seen("dual"));
  const high = Math.min(answer.optimum.primal, ...seen("primal"));
  for (const run of runs) {
    run.above = run.primal.map((/** @type {number} */ primal) => primal - low);
    run.below = run.dual.map((/** @type {number} */ dual) => high - dual);
  }
  const words = facts.words[settings.compare];
  const passes = Math.max(...runs.map((/** @type {Run} */ { epoch, at }) => epoch[at]));
  const say = (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
    formatText(facts.texts[name], { ...words, ...values });
  return { settings, facts, answer, runs, words, passes, low, high, say };
}

/**
 * Returns what one picture shows: columns by source, requests for ranges, labels, sentences, the formula bar.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 */
export function frame(settings, answers, facts) {
  const state = stateOf(settings, answers, facts);
  const { answer, runs } = state;
  const sections = answer.saddles[facts.zooms.indexOf(settings.zoom)];
  const saddle = saddlePicture(sections, answer.star, runs, facts.path);
  const duality = weakDuality(sections, answer.star, answers.hand ?? null);
  const curves = Object.entries(facts.figures_over_passes).map(([figure, column]) => overPasses(state, figure, column));
  const standings = standingsOf(eventsOf(settings, answers, facts));
  const race = racePicture(standings, facts);
  const key = runs.map(({ name }) => facts.strokes.runs[name]).join("");
  const firsts = Object.entries(facts.strokes.first).map(([figure, first]) => [figure, first + key]);
  const [sample, feature] = answer.plane;
  return {
    sources: Object.assign(
      Object.fromEntries(facts.run_names.flatMap(emptyRun(facts.path))),
      saddle.sources,
      duality.sources,
      Object.fromEntries(runs.map((run) => [run.name, columnsOf(run, facts)])),
      ...curves.map(({ sources }) => sources),
      race.sources,
    ),
    ranges: [...saddle.ranges, ...curves.flatMap(({ ranges }) => ranges), ...race.ranges],
    axes: Object.assign(
      { saddle_x: `weight ${feature + 1}`, saddle_y: `α of sample ${sample + 1}` },
      ...curves.map(({ axes }) => axes),
    ),
    height: saddle.height,
    keys: { ...Object.fromEntries(firsts), race: race.key },
    sentences: {
      ...sentences(state),
      race: raceLine(standings, answers, state),
      table: passesTable(state) + raceTable(standings, facts),
      formulas: `${facts.formulas}<div class='wb-note'>${escaped(facts.texts.note)}</div><div class='wb-source'>${escaped(facts.texts.source)}</div>`,
    },
    numbers: formulaBar(duality.values, facts.texts),
    status: statusOf(state, answers),
    passes: state.passes,
  };
}

/** @param {Settings} settings */
const isParts = ({ compare }) => compare === "parts";

/**
 * Returns the events of the race on this page, else of the recorded one.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 */
const eventsOf = (settings, { events, recorded }, facts) => events ?? recordedRace(recorded.races, settings, facts);

/** @param {string} path */
const emptyRun = (path) => (/** @type {string} */ name) => [
  [name, null],
  [path + name, null],
];

/** @param {number} value */
const positive = (value) => (value > 0 && Number.isFinite(value) ? value : NaN);

/**
 * Returns the columns of a run over passes.
 * @param {Run} run
 * @param {Facts} facts
 */
function columnsOf(run, { figures_over_passes: columns, start }) {
  const places = spread(run.last + 1, MOST_POINTS);
  const passes = places.map((k) => run.epoch[k]);
  const values = Object.values(columns).map((name) => [name, places.map((k) => positive(run[name][k]))]);
  return { ...Object.fromEntries(values), passes, place: passes.map((each) => Math.max(each, start)) };
}

/**
 * Returns where each run is in a figure over passes, and its axes.
 * @param {State} state
 * @param {string} figure
 * @param {string} column
 */
function overPasses({ runs, words, facts: { start } }, figure, column) {
  const longest = Math.max(...runs.map(({ epoch, last }) => epoch[last]));
  const values = runs.flatMap((run) => Array.from(run[column].subarray(0, run.last + 1), positive));
  const finite = values.filter(Number.isFinite);
  const low = finite.length ? lowestOf(finite) : 0;
  const heights = runs.map((run) => run[column][run.at]);
  return {
    sources: {
      [`ends of ${figure}`]: {
        place: runs.map(({ epoch, at }) => Math.max(epoch[at], start)),
        height: heights.map((height) => Math.max(height, EDGE * low)),
        marker: heights.map((height) => (height > EDGE * low ? "circle" : "inverted_triangle")),
        name: runs.map(({ name }) => name),
        passes: runs.map(({ epoch, at }) => epoch[at]),
        value: heights,
      },
    },
    ranges: [
      ["range", `${figure}_x`, 0.8 * start, Math.max(10, 1.3 * longest)],
      ["decades", `${figure}_y`, finite, MOST_DECADES, LEAST_DECADES],
    ],
    axes: { [`${figure}_x`]: words.axis },
  };
}

/**
 * Returns the lower end of an axis, as `decades` of the figures finds it.
 * @param {number[]} values
 */
function lowestOf(values) {
  const highest = Math.max(...values);
  const low = Math.max(Math.min(...values), highest * 10 ** -MOST_DECADES);
  return 10 ** Math.floor(Math.log10(Math.min(low, highest * 10 ** -LEAST_DECADES)));
}

/** @param {State} state */
function sentences({ answer, facts, settings, runs, passes, low, high, say }) {
  const [sample, feature] = answer.plane;
  const { zoom } = settings;
  const best = runs.reduce((a, b) => (b.relative_gap[b.at] < a.relative_gap[a.at] ? b : a));
  const mark = facts.marks[facts.marks.length - 1];
  const count = runs.filter((run) => firstAt(run, mark) !== null).length;
  const least = (/** @type {string} */ column) => {
    const all = runs.map((run) => [
      run.name,
      Math.min(...Array.from(run[column].subarray(0, run.at + 1)).filter(Number.isFinite)),
    ]);
    const [name, value] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
    return { name, value: Math.max(value, 0) };
  };
  return {
    saddle: say("saddle", {
      weight: feature + 1,
      sample: sample + 1,
      closer: zoom > 1 ? say("closer", { zoom }) : "",
      w: answer.star[0],
      alpha: answer.star[1],
    }),
    gaps:
      say("gaps", { passes, name: best.name, gap: best.relative_gap[best.at], count, all: runs.length, mark }) +
      (isParts(settings) ? say("cost", { passes: settings.passes, d: answer.features }) : ""),
    above: say("above", { low, high, apart: Math.max(high - low, 0), ...least("above") }),
    below: say("below", least("below")),
  };
}

/**
 * @param {import("./race.js").Standings} standings
 * @param {Answers} answers
 * @param {State} state
 */
function raceLine(standings, { events = null, said = "" }, { answer, facts }) {
  if (standings.start === null && answer.no_race) return answer.no_race;
  const recorded = events === null && standings.start !== null ? facts.texts.race_recorded : "";
  return said || raceSentence(standings, facts) + recorded;
}

/**
 * Returns how the runs stand.
 * @param {State} state
 * @param {Answers} answers
 */
function statusOf({ runs, passes, settings: { tolerance }, answer, say }, { place = Infinity, playing = false }) {
  const count = runs.length;
  const done = runs.filter(({ relative_gap: gaps, at }) => gaps[at] <= tolerance).length;
  const isLast = place >= placesOf(answer) - 1;
  const name = playing ? "running" : !isLast ? "paused" : done === count ? "converged" : "max_epochs";
  return { name, text: say(name, { passes, count, done, tolerance }) };
}

/**
 * Returns the Python of the same runs, and of a race where there is one.
 * @param {Settings} settings
 * @param {Facts} _facts
 * @param {Answers} answers
 */
export function code({ seconds }, _facts, { runs: { code: text, race_code: race } }) {
  return race ? `${text}\n\n${race.replace(/seconds=[\d.]+/, `seconds=${seconds}`)}` : text;
}

/**
 * Returns the gaps of each run in the figure in which they stay as a ghost.
 * @param {any} answer
 */
export const ghostOf = ({ runs }) => {
  const columns = runs.map((/** @type {Run} */ { epoch, relative_gap: gaps }) => {
    const passes = [...spread(epoch.length, MOST_POINTS).map((k) => epoch[k]), NaN];
    return { passes, gap: [...spread(gaps.length, MOST_POINTS).map((k) => positive(gaps[k])), NaN] };
  });
  const passes = columns.flatMap((/** @type {any} */ each) => each.passes);
  return { step: passes, epoch: passes, gap: columns.flatMap((/** @type {any} */ each) => each.gap) };
};

/**
 * Returns the key of the problem of a race: events of another one are not shown.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export const courseOf = (settings, { course }) =>
  keyOf(Object.fromEntries(course.map((/** @type {string} */ name) => [name, settings[name]])));

/**
 * Returns the settings of a guess: a tenth of λ, or ten times it where that is too small.
 * @param {Settings} settings
 * @param {{ change: Record<string, any>, measure: string }} question
 */
export function guess({ lam }, { change, measure }) {
  if (measure !== "methods") return change;
  const [tenth, tenfold] = [lam / 10, Math.min(10 * lam, 1)].map((value) => Number(value.toPrecision(2)));
  return { ...change, lam: tenth >= 1e-5 ? tenth : tenfold };
}

/**
 * Returns by measure the place of the true option of each question, and what came; null before it is known.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 */
export function outcome(settings, answers, facts) {
  const { measure } = facts.questions[settings.question];
  if (measure === "race") {
    const race = raceOutcome(standingsOf(eventsOf(settings, answers, facts)), facts);
    return race && { race };
  }
  if ((measure === "parts") !== isParts(settings)) return null;
  const state = stateOf(settings, { ...answers, place: Infinity, reached: Infinity }, facts);
  return { [measure]: measure === "parts" ? partsOutcome(state) : methodsOutcome(state) };
}

/** @param {State} state */
function firsts({ runs, facts }) {
  return runs
    .map((run) => ({ run, passes: firstAt(run, facts.deciding, run.last) }))
    .filter(({ passes }) => passes !== null);
}

/** @param {State} state */
function methodsOutcome(state) {
  const { say, facts, passes } = state;
  const all = firsts(state);
  if (!all.length) return { place: null, said: say("first_none", { mark: facts.deciding, passes }) };
  const least = Math.min(...all.map((each) => each.passes));
  const winners = all.filter((each) => each.passes === least).map(({ run }) => run);
  const families = [...new Set(winners.map(({ holds }) => (holds.length > 1 ? 2 : holds[0] === "w" ? 1 : 0)))];
  const names = winners.map(({ name }) => name).join(" and ");
  const said = say("first", { names, passes: least, unit: state.words.unit, units: state.words.units });
  return { place: families.length === 1 ? families[0] : null, said };
}

/** @param {State} state */
function partsOutcome(state) {
  const { say, facts, passes, runs } = state;
  const all = firsts(state);
  if (!all.length) return { place: null, said: say("first_none", { mark: facts.deciding, passes }) };
  const rounds = runs.map((run) => firstAt(run, facts.deciding, run.last) ?? Infinity);
  const isMore = rounds.every((each, k) => k === 0 || each >= rounds[k - 1]);
  const isSame = rounds.every((each) => each === rounds[0]);
  const list = runs.map(({ name }, k) => `${name}: ${Number.isFinite(rounds[k]) ? rounds[k] : "–"}`).join(", ");
  return {
    place: isSame ? 2 : isMore ? 0 : rounds[0] > rounds[rounds.length - 1] ? 1 : null,
    said: say("rounds", { list }),
  };
}
