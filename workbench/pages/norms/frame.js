// @ts-check
// The page of norms and screening as pure functions: which run the settings ask for, and what one picture shows of it.

import { joined } from "../runtime/hosts/joined.js";
import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { pythonNumber } from "../runtime/page_code.js";
import { formatText, quoted, written } from "../runtime/wording.js";
import { countAt, screenedParts } from "./screened.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives, and `lam` of the run
 * @typedef {Record<string, any>} Row
 */

const CURVES = ["raw", "repaired", "better"];
const POINTS = ["raw_point", "centred_point", "scaled_point"];
const MARKERS = ["circle", "diamond", "square"];
/** What is kept of a certificate. */
const KEPT = ["step", "epoch", "primal", "dual", "gap", "relative_gap"];
const GAPS = [...CURVES, "total", "dual_norm", "scaling", "reasons", "lam", "largest"];
/** The axis of gaps has this number of decades, at least and at most. */
const DECADES = [2, 12];
/** Where a gap of zero stands above the lower end of its axis, and one that is infinite below the upper. */
const EDGE = 1.5;
const TOP = 0.7;
/** A number so close to one is told by its distance from it. */
const CLOSE = 1e-3;
/** The settings of the runs that screen, and of their plane. */
const SCREENED = ["source", "loss", "norm", "epsilon", "intercept", "ratio", "start"];
const PLANE = ["first", "second", "window"];

/**
 * Returns the settings of these names.
 * @param {Settings} settings @param {string[]} names
 */
const chosen = (settings, names) => Object.fromEntries(names.map((name) => [name, settings[name]]));

/**
 * Returns the messages whose answers a run needs, and its names for Python.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs(settings, facts) {
  const { source, loss, norm, intercept } = settings;
  const parameter = facts.parameters[norm];
  const labels = facts.of_labels.includes(loss) && !facts.made.includes(source);
  return {
    python: { data: { source, intercept, labels }, terms: {} },
    data: { type: "data", source, labels },
    terms: {
      loss: { type: "loss", source, loss },
      regularizer: { type: "regularizer", source, norm, ...(parameter ? { value: settings[parameter] } : {}) },
    },
  };
}

/**
 * Returns data and terms as engines take them; a term that is refused throws.
 * @param {Settings} settings
 * @param {{ data: any, terms: Record<string, any> }} known
 */
export function supplied({ intercept }, { data, terms }) {
  for (const { refusal } of Object.values(terms)) if (refusal) throw new Error(refusal);
  const { names, groups, group_names, ...samples } = data;
  return { data: { ...samples, free_bias: intercept }, terms, names, groups, group_names };
}

/**
 * Returns the run of the settings, with the message that begins it.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function runs({ ratio, step, restart, intercept, best }, facts) {
  const solver = { ...facts.solver, step, restart };
  return [{ name: "norms", problem: { solver, ratio, best: intercept && best } }];
}

/**
 * Returns what is kept of a certificate.
 * @param {Row} answer
 * @param {Row | null} before
 */
export function row(answer, before) {
  const kept = chosen(answer, "raw" in answer ? [...KEPT, ...GAPS] : KEPT);
  return { ...before, ...kept };
}

/**
 * Returns the two different features of the section.
 * @param {Settings} settings
 * @param {number} size - the number of features
 */
export function plane({ first, second }, size) {
  const [one, other] = [first, second].map((feature) => Math.min(feature, size - 1));
  return [one, one === other ? (one + 1) % size : other];
}

/**
 * Returns what is asked of the engine for a picture.
 * @param {Facts} facts
 * @param {Settings} settings
 */
export const question = ({ size }, settings) => ({ type: "norm_picture", contents: { plane: plane(settings, size) } });

/**
 * Returns the messages about runs that screen.
 * @param {Settings} settings
 */
export function asked(settings) {
  const screened = chosen(settings, SCREENED);
  const to = { ...screened, digits: Math.round(-Math.log10(settings.tolerance)) };
  return {
    screening: { type: "screening", ...to },
    plane: { type: "plane", ...to, ...chosen(settings, PLANE) },
    path: { type: "path", ...screened },
  };
}

/**
 * Returns the curve that stays in grey, of the repaired gap.
 * @param {[string, Row[]][]} curves
 */
export function ghosts([[, rows]]) {
  return { norm_gaps: rows.map((each) => ({ ...each, gap: each.repaired })) };
}

/**
 * Returns everything that one picture shows.
 * @param {Settings} settings
 * @param {any} shown - the run, `screened`, the answers about runs that screen, `aspect` and `colours`
 * @param {Facts} facts
 */
export function frame(settings, shown, facts) {
  const { runs, screened = {}, aspect = 1, colours = facts.colours_by_name } = shown;
  const { rows, row, status, known, shown: picture } = runs.norms;
  const words = new LiveFigures(() => null, {}, facts.texts);
  const fields = { settings, rows, row, known, picture, words, colours };
  const parts = [curves(fields), weights(fields), ball(fields), bisection(fields)];
  const all = joined([...parts, ...screenedParts({ screened, settings, epoch: row.epoch, aspect, words, facts })]);
  const names = plane(settings, known.names.length).map((feature) => known.names[feature]);
  const axes = Object.fromEntries(
    ["x", "y"].map((side, k) => [`ball_${side}`, words.say("axis", { feature: names[k] })]),
  );
  const name = status ?? "paused";
  return {
    ...all,
    axes,
    sentences: { ...all.sentences, repair: facts.formulas },
    numbers: numbers(fields),
    status: { name, text: words.say(name, { steps: row.step, tolerance: settings.tolerance }) },
  };
}

/** @param {Record<string, any>} fields */
function curves({ rows, row: now, words }) {
  const drawn = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
  const gaps = drawn.flatMap(({ repaired, better }) => [repaired, better]).filter((gap) => gap > 0 && gap < Infinity);
  const highest = Math.max(...gaps);
  const [least, most] = DECADES.map((count) => highest * 10 ** -count);
  const low = Math.min(Math.max(Math.min(...gaps), most), least);
  const [start, end] = gaps.length ? [10 ** Math.floor(Math.log10(low)), 2 * highest] : [1e-6, 1];
  const edge = EDGE * start;
  const above = (/** @type {number} */ value) => (Number.isFinite(value) ? (value > 0 ? value : edge) : NaN);
  const marks = (/** @type {Row[]} */ marked, /** @type {number} */ height) => ({
    step: marked.map(({ step }) => step),
    height: marked.map(() => height),
  });
  const primal = drawn.map((each) => each.primal);
  const dual = drawn.map((each) => each.primal - each.repaired);
  const lines = Object.fromEntries(CURVES.map((name) => [name, drawn.map((each) => above(each[name]))]));
  const lower = now.primal - now.better;
  return {
    sources: {
      curves: { ...lines, dual, lower: drawn.map((e) => e.primal - e.better), step: drawn.map((e) => e.step), primal },
      infinite: marks(
        drawn.filter(({ raw }) => raw === Infinity),
        TOP * end,
      ),
      vanished: marks(
        drawn.filter(({ repaired }) => repaired <= 0),
        edge,
      ),
    },
    ranges: [
      ["range", "norm_gaps_y", start, end],
      // As wide as the whole run, wherever one looks into it.
      ["range", "norm_gaps_x", 0, 1.01 * rows[rows.length - 1].step || 1],
      ["objective", "norm_bounds_y", primal, dual],
    ],
    sentences: {
      norm_gaps: gapsSaid(rows, now, words),
      norm_bounds: words.say("norm_bounds", { lower, primal: now.primal, repaired: now.primal - now.repaired }),
    },
  };
}

/** @param {Row[]} rows @param {Row} row @param {LiveFigures} words */
function gapsSaid(rows, { raw, repaired, better, total, reasons }, words) {
  const sum = reasons.sum && words.say("sum_not_zero", { total });
  const ball = reasons.outside && words.say("outside_the_ball");
  const reason = sum && ball ? words.say("both", { sum, ball }) : sum || ball;
  const said = raw === Infinity ? words.say("raw_infinite", { reason }) : words.say("raw_valid", { raw });
  const vanished = rows.some((each) => each.repaired <= 0) ? words.say("vanished") : "";
  return words.say("norm_gaps", { said, repaired, better, vanished });
}

/**
 * The weights in the order of their groups.
 * @param {Record<string, any>} fields
 */
function weights({ known: { names, groups, group_names }, picture: { w }, words, colours }) {
  const order = groups.flat();
  const groupOf = groups.flatMap((/** @type {number[]} */ members, /** @type {number} */ g) => members.map(() => g));
  const isAlive = (/** @type {number} */ j) => w[j] !== 0;
  const weight = order.map((/** @type {number} */ j) => w[j]);
  const counts = {
    nonzeros: weight.filter((/** @type {number} */ value) => value !== 0).length,
    count: order.length,
    alive: groups.filter((/** @type {number[]} */ members) => members.some(isAlive)).length,
    groups: groups.length,
  };
  return {
    sources: {
      weights: {
        place: order.map((/** @type {number} */ _, /** @type {number} */ k) => k),
        weight,
        name: order.map((/** @type {number} */ j) => names[j]),
        group: groupOf.map((/** @type {number} */ g) => group_names[g]),
        colour: groupOf.map((/** @type {number} */ g) => (g % 2 ? colours.green : colours.blue)),
        hatch: groupOf.map((/** @type {number} */ g) => (g % 2 ? "/" : " ")),
      },
    },
    ranges: [
      ["range", "norm_weights_x", -1, order.length],
      ["around", "norm_weights_y", weight, 0.08, true],
    ],
    sentences: { norm_weights: words.say(counts.nonzeros ? "norm_weights" : "norm_no_weights", counts) },
  };
}

/** @param {number[][]} points */
const columnsOf = (points) => ({ x: points.map(([x]) => x), y: points.map(([, y]) => y) });

/** @param {Record<string, any>} fields */
function ball({ settings, known, row, picture: { points, edge }, words, colours }) {
  const { vermillion, purple, blue } = colours;
  const seen = columnsOf([...points, ...edge.through, [-1.05, -1.05], [1.05, 1.05]]);
  const around = (/** @type {number[]} */ values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.06 * (high - low);
    return [low - margin, high + margin];
  };
  const says = POINTS.map((name) => words.say(name));
  return {
    sources: {
      points: { ...columnsOf(points), colour: [vermillion, purple, blue], marker: MARKERS, says },
      path: columnsOf(points),
      through: columnsOf(edge.through),
      zero: columnsOf(edge.zero),
      // The corners of the window decide what is seen.
      window: { x: around(seen.x), y: around(seen.y) },
    },
    ranges: [],
    sentences: { ball: ballSaid(settings, known, row, words) },
  };
}

/** @param {Settings} settings @param {any} known @param {Row} row @param {LiveFigures} words */
function ballSaid({ intercept }, { terms }, { total, dual_norm: size, scaling }, words) {
  const centred = intercept ? words.say("centred", { total }) : "";
  if (!terms.regularizer.norm) return words.say("box", { centred });
  const place = words.say(size > 1 ? "outside" : "inside");
  const multiple =
    scaling < 1 ? words.say("multiplied", { scaling: digits(scaling, 5, words) }) : words.say("unchanged");
  return words.say("ball", { centred, size: digits(size, 6, words), place, multiple });
}

/**
 * How far a number close to one is from it; nothing of others.
 * @param {number} number @param {LiveFigures} words
 */
function besideOne(number, words) {
  const distance = Math.abs(number - 1);
  return distance > 0 && distance < CLOSE ? words.say("away", { sign: number > 1 ? "+" : "−", distance }) : "";
}

/** @param {number} number @param {number} count @param {LiveFigures} words */
const digits = (number, count, words) => besideOne(number, words) || written(number, `.${count}g`);

/** @param {Record<string, any>} fields */
function bisection({ settings: { halving }, picture: { bisection: steps }, words }) {
  const at = Math.min(halving, Math.max(steps.length - 1, 0));
  const seen = steps.slice(0, at + 1);
  const now = seen.slice(-1);
  const ends = (/** @type {any[]} */ some) => ({ low: some.map(({ low }) => low), high: some.map(({ high }) => high) });
  const step = steps[at];
  const said = !step
    ? words.say("no_bisection")
    : at === steps.length - 1
      ? words.say("bisected", { at, high: step.high })
      : words.say("halving", { at, ...step, side: words.say(step.left ? "above" : "below") });
  return {
    sources: {
      bracket: { halving: seen.map((/** @type {any} */ _, /** @type {number} */ k) => k), ...ends(seen) },
      now: { halving: now.map(() => at), ...ends(now) },
    },
    ranges: [
      ["range", "bisection_x", -0.7, Math.max(at, 6) + 0.7],
      // The first brackets would press the later ones into a line.
      [
        "around",
        "bisection_y",
        seen.slice(Math.max(0, at - 6)).flatMap((/** @type {any} */ { low, high }) => [low, high]),
        0.1,
      ],
    ],
    sentences: { bisection: said },
  };
}

/** @param {Record<string, any>} fields */
function numbers({ row, known, words }) {
  const { primal, raw, repaired, better, dual_norm: size, lam, largest } = row;
  const isNorm = known.terms.regularizer.norm;
  const away = isNorm ? besideOne(size, words) : "";
  return words.cards([
    [words.say("number_primal"), written(primal, ".6g"), ""],
    [words.say("number_lower"), written(primal - better, ".6g"), ""],
    [words.say("number_raw"), raw === Infinity ? "∞" : written(raw, ".2e"), ""],
    [words.say("number_repaired"), written(repaired, ".2e"), ""],
    [words.say("number_norm"), isNorm ? written(size, ".5g") : words.say("no_norm"), away && `<em>${away}</em>`],
    [words.say("number_lam"), written(lam, ".4g"), words.note("largest", { largest })],
  ]);
}

/**
 * Returns the place of the true option of each question; null before the runs that screen have ended.
 * @param {any} shown
 * @param {Facts} facts
 */
export function outcome({ screened = {}, question }, { texts, questions }) {
  const { options, measure } = questions[question];
  if (!measure.startsWith("at ")) return { [measure]: Number(measure) };
  const { screening, refused } = screened;
  if (refused) return { [measure]: { place: null, said: refused } };
  if (!screening) return null;
  const [count, before, later] = [Number(measure.slice(3)), 0, 10].map((epochs) => countAt(screening, epochs));
  const { total } = screening;
  const place = count === 0 ? 0 : count === total ? 3 : 2 * count < total ? 1 : 2;
  const said = formatText(texts.outcome, { option: options[place], count, total, before, later });
  return { [measure]: { place, said } };
}

/**
 * Returns the Python that gives the same run.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, { spelled, losses, lam, epochs, of_labels, made, texts, canScreen }) {
  const { source, norm, loss, step, intercept, restart, tolerance } = settings;
  const isMade = made.includes(source);
  const [epsilon, share, decay] = ["epsilon", "share", "decay"].map((name) => pythonNumber(settings[name]));
  const base = formatText(texts.code, {
    samples: isMade ? "grouped" : "correlated",
    source: quoted(source),
    labels: !isMade && of_labels.includes(loss) ? ",\n  labels=True" : "",
    regularizer: formatText(spelled[norm], { epsilon, share, decay }),
    loss: quoted(losses[loss]),
    lam: pythonNumber(lam ?? 1),
    step: quoted(step),
    bias: intercept ? ",\n  bias=True" : "",
    restart: restart ? "True" : "False",
    tolerance,
    most: epochs,
  });
  return canScreen ? base + formatText(texts.code_screening, { b: intercept ? ", b=s.b" : "" }) : base;
}
