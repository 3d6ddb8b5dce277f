// @ts-check
// The page on biases as pure functions: which runs the settings ask for, and what one picture of them shows.

import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { pythonNumber, pythonText } from "../runtime/hosts/python.js";
import { isUsed } from "../runtime/hosts/settings.js";
import { termTexts } from "../runtime/hosts/terms.js";
import { escaped, formatText } from "../runtime/wording.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {{ step: number, epoch: number, gap: number, [name: string]: any }} Row - what is kept of a certificate
 * @typedef {{ rows: Row[], row: Row, shown: Profile, status: string | null, reason: string }} Run
 * @typedef {{ place: number[], value: number[], at: number[], height: number[], step?: number }} Profile
 * @typedef {{ runs: Record<string, Run>, unit: "step" | "epoch", row: Row, last: Row }} Shown
 */

const MOST_DECADES = 12;
/** The spiral shows at least this number of the last places. */
const TAIL = 30;
const PARAMETERS = ["mu", "update", "order", "scale", "rate", "eta", "passes"];

/**
 * Returns the messages whose answers a run needs, its data and the facts of its terms; and their names for Python.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs(settings, facts) {
  const { loss, regularizer } = termTexts(settings, facts);
  const { source, constraint } = settings;
  return {
    python: { data: { source, constraint }, terms: { loss, regularizer } },
    data: { type: "data", source },
    terms: {
      loss: { type: "loss", name: loss },
      regularizer: { type: "regularizer", source, name: regularizer },
    },
  };
}

/**
 * Returns the runs of the settings by name, each with the message that begins it.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function runs(settings, facts) {
  const { algorithms, lam, seed } = settings;
  return facts.shown[algorithms].map((/** @type {string} */ name) => ({
    name,
    problem: { lam, seed, solver: solver(name, settings, facts) },
  }));
}

/**
 * @param {string} algorithm
 * @param {Settings} settings
 * @param {Facts} facts
 */
function solver(algorithm, settings, facts) {
  const usual = facts.solvers[algorithm];
  const names = PARAMETERS.filter((name) => name in usual);
  return { ...usual, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
}

/**
 * Returns what a picture asks of each run beside its certificates; `figure` shows it.
 * @param {Facts} facts
 */
export function question(facts) {
  return { type: "profile", contents: facts.profile, figure: "profile" };
}

/** What a picture shows of a run while the figure of that question is folded away. */
export const nothing = { place: [], value: [], at: [], height: [] };

/**
 * Returns what is kept of a certificate.
 * @param {Record<string, any>} answer
 * @param {Row | null} before - the one at the same step
 * @returns {Row}
 */
export function row(answer, before) {
  const { step, epoch, primal, dual, gap, relative_gap, b, multipliers, w } = answer;
  const [multiplier, seen, residual, moved] = ["s", "pull", "residual", "moved"].map((name) => multipliers[name][0]);
  return {
    ...{ step, epoch, primal, dual, gap, relative_gap, multiplier, seen, residual, moved },
    best: ArrayBuffer.isView(b) ? /** @type {any} */ (b)[0] : b,
    mu: multipliers.mu,
    weights: w ? w.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0) : NaN,
    fixed: multipliers.gap,
    feasibility: Math.abs(residual),
    outer: before?.outer,
  };
}

/**
 * Counts the steps of s or of mu; certificates are an epoch apart or less, and so are these.
 * @param {Row[]} rows
 */
export function complete(rows) {
  rows.forEach((each, k) => {
    const before = rows[k - 1] ?? { ...each, outer: 0 };
    each.outer ??= before.outer + (each.multiplier !== before.multiplier || each.mu !== before.mu ? 1 : 0);
  });
}

/**
 * Returns the rows of each run by the figure in which they stay as a ghost.
 * @param {[string, Row[]][]} curves
 * @param {Facts} facts
 */
export function ghosts(curves, facts) {
  return Object.fromEntries(curves.map(([algorithm, rows]) => [facts.parts[algorithm], rows]));
}

/**
 * Returns what one picture shows: columns by source, requests for ranges, labels of axes, sentences, numbers, status.
 * @param {Settings} settings
 * @param {Shown} shown
 * @param {Facts} facts
 */
export function frame(settings, shown, facts) {
  const words = new LiveFigures(() => null, {}, facts.texts);
  const isPast = shown.row.step < shown.last.step;
  const mode = facts.modes[settings.constraint];
  /** @type {Record<string, any>[]} */
  const drawn = [];
  /** @type {Record<string, any>} */
  const sources = {};
  for (const [algorithm, part] of Object.entries(facts.parts)) {
    const run = shown.runs[algorithm];
    const columns = run ? columnsOf(run, shown.unit, isPast) : null;
    if (columns) drawn.push(columns);
    for (const name of ["curves", "profile", "points", "here"]) sources[`${part}_${name}`] = columns?.[name] ?? null;
  }
  return {
    sources,
    ranges: rangesOf(drawn, shown),
    axes: {
      ...mode.axes,
      ...Object.fromEntries(["full", "small", "multiplier"].map((name) => [`${name}_x`, shown.unit])),
    },
    thesis: mode.thesis,
    titles: mode.titles,
    sentences: { ...captions(shown, mode, facts, words), why: why(settings, shown, facts, words) },
    numbers: numbers(shown, mode, words),
    status: status(settings, shown, facts, words),
  };
}

/**
 * @param {Run} run
 * @param {string} unit
 * @param {boolean} isPast
 * @returns {Record<string, Record<string, any>>}
 */
function columnsOf({ rows, row: now, shown: { place, value, at, height } }, unit, isPast) {
  const sampled = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
  const finite = (/** @type {string} */ name) =>
    sampled.map((each) => (Number.isFinite(each[name]) ? each[name] : NaN));
  const positive = (/** @type {string} */ name) => finite(name).map((each) => (each > 0 ? each : NaN));
  return {
    curves: {
      time: sampled.map((each) => each[unit]),
      certified: positive("gap"),
      fixed: positive("fixed"),
      feasibility: positive("feasibility"),
      multiplier: finite("multiplier"),
      best: finite("best"),
      residual: finite("residual"),
      outer: sampled.map((each) => each.outer),
    },
    profile: { place, value },
    points: { at, height, marker: ["circle", "square"].slice(0, at.length) },
    here: { multiplier: isPast ? [now.multiplier] : [], residual: isPast ? [now.residual] : [] },
  };
}

/**
 * Returns requests, each a method of `LiveFigures` with what it takes.
 * @param {Record<string, any>[]} drawn
 * @param {Shown} shown
 */
function rangesOf(drawn, { unit, last }) {
  /** @param {string} kind @param {string[]} names */
  const together = (kind, ...names) => drawn.flatMap((columns) => names.flatMap((name) => columns[kind][name]));
  /** @param {string} name */
  const tails = (name) =>
    drawn.flatMap(({ curves, here }) => [
      ...curves[name].slice(-Math.max(TAIL, Math.floor(curves.time.length / 2))),
      ...here[name],
    ]);
  const gaps = together("curves", "certified", "fixed", "feasibility").filter((value) => value > 0);
  return [
    // As wide as the whole run, wherever one looks into it.
    ["range", "full_x", 0, 1.01 * last[unit] || 1],
    ["decades", "full_y", gaps, MOST_DECADES, 0],
    ["around", "multiplier_y", together("curves", "multiplier"), 0.08],
    ["around", "spiral_x", tails("multiplier"), 0.08],
    ["around", "spiral_y", tails("residual"), 0.08, true],
    ["around", "profile_x", together("profile", "place"), 0],
    ["around", "profile_y", together("profile", "value"), 0.08],
  ];
}

/**
 * @param {Shown} shown
 * @param {any} mode - the texts of what is free
 * @param {Facts} facts
 * @param {LiveFigures} words
 */
function captions({ runs: all }, mode, facts, words) {
  const constraint = mode.axes.spiral_y;
  /** @type {Record<string, string>} */
  const texts = {};
  const listed = Object.entries(all);
  for (const [algorithm, part] of Object.entries(facts.parts)) {
    const run = all[algorithm];
    const name = run?.reason ? "gaps_diverged" : "gaps";
    texts[part] = run
      ? words.say(caption(name, mode), { ...run.row, constraint, reason: run.reason })
      : words.say("not_running", { algorithm });
  }
  for (const name of ["multiplier", "spiral"]) {
    texts[name] = listed
      .map(([algorithm, run]) => words.say(caption(name, mode), { algorithm, constraint, ...run.row }))
      .join(" ");
  }
  texts.spiral += ` ${words.say(caption("rest", mode))}`;
  texts.profile = listed.map(([algorithm, run]) => depth(algorithm, run.shown.height, mode, words)).join(" ");
  return texts;
}

/**
 * Returns the name of a sentence, which a mode may have of its own.
 * @param {string} name
 * @param {any} mode
 */
const caption = (name, mode) => mode.captions?.[name] ?? name;

/**
 * @param {string} algorithm
 * @param {number[]} heights - of the curve at s, and at the best s
 * @param {any} mode
 * @param {LiveFigures} words
 */
function depth(algorithm, [present, best], mode, words) {
  if (best === undefined) return words.say("no_best", { algorithm });
  return words.say(caption("depth", mode), {
    algorithm,
    depth: Math.max(0, mode.isBound ? best - present : present - best),
  });
}

/**
 * Returns a line of numbers for each algorithm.
 * @param {Shown} shown
 * @param {any} mode - the texts of what is free
 * @param {LiveFigures} words
 */
function numbers({ runs: all }, mode, words) {
  const lines = Object.entries(all).map(([algorithm, { row }]) => {
    const promise = words.promise(row.relative_gap);
    const entries = mode.numbers.map((/** @type {string[]} */ [name, value, note]) => [
      name,
      formatText(value, row),
      formatText(note, { ...row, promise }),
    ]);
    return words.cards(entries, algorithm);
  });
  return `<div class='wb-rows'>${lines.join("")}</div>`;
}

/**
 * Returns the last step of each multiplier, as HTML.
 * @param {Settings} settings
 * @param {Shown} shown
 * @param {Facts} facts
 * @param {LiveFigures} words
 */
function why(settings, { runs: all }, facts, words) {
  const mode = facts.modes[settings.constraint];
  const lines = Object.entries(all).map(([algorithm, run]) => {
    const eta = algorithm === facts.own_step ? settings.eta : 1;
    return `<p><b>${algorithm}</b>: ${escaped(words.say(caption("last_step", mode), { ...run.row, eta }))}</p>`;
  });
  return `<div class='wb-note'><p>${escaped(mode.residual)}</p>${lines.join("")}</div>`;
}

/**
 * Returns how far each algorithm has come, and why it rests.
 * @param {Settings} settings
 * @param {Shown} shown
 * @param {Facts} facts
 * @param {LiveFigures} words
 */
function status({ tolerance }, { runs: all }, facts, words) {
  const listed = Object.entries(all);
  const ended = listed.map(([, run]) => run.status);
  const sentences = listed.map(([algorithm, run]) => {
    const reached = words.say("reached", { algorithm, elapsed: words.elapsed(run.row) });
    return words.say(run.status ?? "paused", { reached, tolerance, reason: run.reason });
  });
  const name = ended.includes(null)
    ? "paused"
    : facts.statuses.find((/** @type {string} */ each) => ended.includes(each));
  return { name, text: sentences.join(" ") };
}

/** What the questions ask of the runs of Algorithms 2 and 3: the place of the option that is true. */
const MEASURES = {
  /** @param {Run} full @param {Run} small */
  arrival(full, small) {
    if (small.status === "diverged") return 2;
    const reached = (/** @type {Run} */ run) => (run.status === "converged" ? run.row.epoch : Infinity);
    return reached(small) < reached(full) ? 0 : 1;
  },

  /** True if the gap at the fixed bias is below the certified one in most rows. @param {...Run} all */
  smaller(...all) {
    const rows = all.flatMap((run) => run.rows.slice(1));
    return 2 * rows.filter(({ fixed, gap }) => fixed < gap).length > rows.length ? 0 : 1;
  },
};

/**
 * Returns which options ended runs make true, by measure; null while one runs, or where an algorithm is missing.
 * @param {Shown} shown
 * @param {Facts} facts
 */
export function outcome({ runs: all }, facts) {
  const [full, small] = Object.keys(facts.parts).map((algorithm) => all[algorithm]);
  if (!full?.status || !small?.status) return null;
  return { arrival: MEASURES.arrival(full, small), smaller: MEASURES.smaller(full, small) };
}

/**
 * Returns the Python that gives the same runs.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, facts) {
  const [data, load] = facts.sources[settings.source];
  const { loss, regularizer } = termTexts(settings, facts);
  const words = new LiveFigures(() => null, {}, facts.texts);
  const solvers = facts.shown[settings.algorithms].map((/** @type {string} */ algorithm) => {
    const usual = facts.solvers[algorithm];
    const given = Object.entries(solver(algorithm, settings, facts))
      .filter(([name]) => typeof usual[name] !== "object" && !["name", "advice"].includes(name))
      .filter(([name]) => isUsed(facts.used[name], settings))
      .filter(([name, value]) => ["mu", "eta"].includes(name) || value !== usual[name])
      .map(([name, value]) => `${name}=${python(name, value)}`);
    return words.say("code_solver", { solver: facts.classes[algorithm], given: given.join(", ") });
  });
  return words.say("code", {
    data: pythonText(data),
    load: Object.entries(load)
      .map(([name, value]) => `, ${name}=${python(name, value)}`)
      .join(""),
    loss: pythonText(loss),
    regularizer: pythonText(regularizer),
    lam: pythonNumber(settings.lam),
    extra: facts.extras[settings.constraint],
    multiplier: facts.modes[settings.constraint].variable ?? "run.state.s",
    seed: settings.seed,
    tolerance: settings.tolerance,
    epochs: facts.epochs,
    solvers: solvers.join("\n"),
  });
}

/**
 * @param {string} name
 * @param {any} value
 */
function python(name, value) {
  if (typeof value === "string") return pythonText(value);
  return name === "passes" ? String(value) : pythonNumber(value);
}
