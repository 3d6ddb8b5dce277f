// @ts-check
// The page of online rules as pure functions: what the points seen so far have done.

import { around, columns, shown, sides, spaced } from "../runtime/drawings.js";
import { formulaLines } from "../runtime/hosts/formula_lines.js";
import { joined } from "../runtime/hosts/joined.js";
import { compiled } from "../runtime/hosts/printed.js";
import { recall } from "../runtime/memory.js";
import { formatText } from "../runtime/wording.js";
import { bounds, certified, COUNT, dot, makeStream, potential, ruleOf, twin, VISITS, walk } from "./rule.js";
import { edge, FAR, MISSING, plane, sidesOfMirror, sizeOf, towards } from "./sides.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Answers
 * @typedef {{ settings: Settings, facts: Facts, isOrthonormal: boolean, lam: number, lab: any,
 *   say: (name: string, values?: Record<string, any>) => string }} State
 */

// The settings on which the run does not depend.
const LOOKED_AT = ["seen", "speed", "output"];
const PASSES = ["", "second", "third"];

/** Returns the messages whose answers the frame takes: the formulas of all rules. */
export const needs = () => ({ rules: { type: "rules" } });

/**
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {import("../runtime/memory.js").Memory} memory
 * @returns {State}
 */
function stateOf(settings, { rules }, facts, memory) {
  const isOrthonormal = settings.shape === "orthonormal";
  const lam = 10 ** settings.power;
  const inputs = Object.entries(settings).filter(([name]) => !LOOKED_AT.includes(name));
  const lab = recall(memory, "lab", inputs, () => played({ ...settings, orthonormal: isOrthonormal, lam }, rules));
  const say = (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
    formatText(facts.texts[name], values);
  return { settings, facts, isOrthonormal, lam, lab, say };
}

/**
 * Returns all that does not depend on how many points have come.
 * @param {any} now
 * @param {Record<string, any>} rules
 */
function played(now, rules) {
  const stream = makeStream(now);
  /** @type {[string, any][]} */
  const made = Object.entries(rules).map(([name, spec]) => [
    name,
    ruleOf({ ...spec, formulas: compiled(spec) }, now, now.dimension),
  ]);
  const ways = Object.fromEntries(made.map(([name, rule]) => [name, walk(rule, stream)]));
  const rule = made.filter(([name]) => name === now.rule)[0][1];
  const way = ways[now.rule];
  const bound = bounds(rule, stream, now.gamma, way);
  const twinWay = twin(rule, stream, now.lam);
  const marks = spaced(0, VISITS, 61).map(Math.round);
  return {
    ...{ stream, rule, way, bound, marks, twin: twinWay },
    others: Object.entries(ways)
      .filter(([name]) => name !== now.rule)
      .map(([name, { count }]) => ({ name, count })),
    potential: potential(rule, stream, now.gamma, way, bound),
    values: marks.map((t) => certified(rule, stream, now.lam, twinWay, t)),
  };
}

/**
 * Returns the figures, the sentences and the formulas of the settings.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {Record<string, number>} aspects
 * @param {import("../runtime/memory.js").Memory} [memory]
 */
export function frame(settings, answers, facts, aspects, memory = new Map()) {
  const state = stateOf(settings, answers, facts, memory);
  const parts = [points(state, aspects), mistakes(state), sidesOfMirror(state), towards(state), largeMargin(state)];
  const { first, rest, source } = facts.latex;
  const { sentences, ...drawn } = joined(parts);
  return {
    ...drawn,
    axes: {},
    sentences: { ...sentences, formulas: formulaLines(rest, source) },
    numbers: formulaLines([...first, facts.rules[settings.rule].latex]),
    status: { name: "paused", text: pointText(state) },
  };
}

/** @param {State} state */
function pointText({ settings, lab, say }) {
  const t = settings.seen;
  const reached = lab.way.reached[t];
  const pass = t > COUNT ? ` ${say("pass", { pass: PASSES[Math.ceil(t / COUNT) - 1] })}` : "";
  const head = say("point", { point: ((t - 1) % COUNT) + 1, all: COUNT, pass });
  return `${head} ${say(reached <= 0 ? "mistake" : "correct", { reached: shown(reached) })}`;
}

/**
 * @param {State} state
 * @param {Record<string, number>} aspects
 */
function points({ settings, lab, say }, aspects) {
  const { stream, way } = lab;
  const { X, y, u } = stream;
  const t = settings.seen;
  const isAverage = settings.output === "average";
  const w = (isAverage ? way.average : way.w)[t];
  const basis = plane(stream, w);
  const place = (/** @type {number} */ i) => [dot(basis[0], X[i]), dot(basis[1], X[i])];
  const there = Array.from({ length: Math.min(t, COUNT) }, (_, k) => k);
  // The visit at which a point came last.
  const visit = (/** @type {number} */ i) => t - 1 - ((((t - 1 - i) % COUNT) + COUNT) % COUNT);
  const at = settings.gamma / sizeOf(u);
  const isPlane = u.length === 2;
  const high = isPlane ? 1.5 : 2.4;
  const window = sides({ inner_width: aspects.points, inner_height: 1 }, [-high, high]);
  return {
    sources: {
      plus: columns(there.filter((i) => y[i] > 0).map(place)),
      minus: columns(there.filter((i) => y[i] < 0).map(place)),
      missed: columns(there.filter((i) => way.reached[visit(i) + 1] <= 0).map(place)),
      newest: columns([place((t - 1) % COUNT)]),
      strip: columns([
        [-at, -FAR],
        [-at, FAR],
        [NaN, NaN],
        [at, -FAR],
        [at, FAR],
      ]),
      edge: edge(basis, w),
      twin_edge: isPlane ? edge(basis, lab.twin.w[t]) : columns([]),
    },
    ranges: [
      ["range", "points_x", ...window.x],
      ["range", "points_y", ...window.y],
    ],
    sentences: { points: say(isAverage ? "rings_average" : "rings") },
  };
}

/** @param {number[]} values */
const positive = (values) => values.map((each) => (each > 0 && Number.isFinite(each) ? each : NaN));

/** @param {State} state */
function mistakes(state) {
  const { settings, lab, say } = state;
  const { way, bound, others } = lab;
  const t = settings.seen;
  const ts = Array.from(way.count, (_, k) => k);
  const seen = ts.slice(0, t + 1);
  const [count, limit] = [way.count[t], bound.bound[t]];
  const low = Math.max(count, 0.75);
  const ends = [bound.bound[VISITS], bound.fact[t], ...others.map((/** @type {any} */ each) => each.count[t]), count];
  const most = Math.max(10, ...ends.filter(Number.isFinite));
  const beside = others.map((/** @type {any} */ { name, count: counts }) => `${name} ${counts[t]}`).join(", ");
  return {
    sources: {
      counted: { x: seen, y: positive(way.count.slice(0, t + 1)) },
      bound: { x: ts, y: positive(bound.bound) },
      fact: { x: seen, y: positive(bound.fact.slice(0, t + 1)) },
      others: columns(
        others.flatMap((/** @type {any} */ { count: counts }) => [
          ...seen.map((k) => [k, counts[k] || NaN]),
          [NaN, NaN],
        ]),
      ),
      now: { x: [t], low: [low], high: [Number.isFinite(limit) ? Math.max(limit, low) : low] },
      passes: columns(
        [1, 2].flatMap((k) => [
          [k * COUNT, 0.1],
          [k * COUNT, 100 * most],
          [NaN, NaN],
        ]),
      ),
    },
    ranges: [
      ["range", "mistakes_x", 0, VISITS],
      ["range", "mistakes_y", 0.7, 1.6 * most],
    ],
    sentences: {
      mistakes: `${say(count === 1 ? "one" : "many", { count })} ${limits(state)} ${say("others", { beside })}`,
    },
  };
}

/**
 * Returns what holds of the number of mistakes, and why, where it is less than one would like.
 * @param {State} state
 */
function limits({ settings, lab: { way, bound }, say }) {
  const t = settings.seen;
  const [limit, fact, missing, least] = [bound.bound, bound.fact, bound.missing, bound.least].map((each) => each[t]);
  const values = { fact: shown(fact), missing: shown(missing), least: shown(least), limit: shown(limit) };
  const lack = missing > MISSING ? `${say(least > 0 ? "small_margin" : "no_margin", values)} ` : "";
  if (Number.isNaN(limit)) {
    const rate = { gain: shown(bound.gain), eta: shown(Math.atanh(settings.gamma)) };
    return `${lack}${say("no_bound", rate)} ${say("fact", values)}`;
  }
  const share = limit > 0 ? ` ${say("share", { percent: shown((100 * way.count[t]) / limit, 2) })}` : "";
  return `${lack}${say("bound", { ...values, share })} ${say("fact", values)}`;
}

/** @param {State} state */
function largeMargin({ settings, lab, lam, say }) {
  const { marks, values, stream, rule } = lab;
  const t = settings.seen;
  const seen = marks.filter((/** @type {number} */ mark) => mark <= t);
  const here = certified(rule, stream, lam, lab.twin, t);
  const heights = (/** @type {"primal" | "dual"} */ name) => [
    ...seen.map((/** @type {any} */ _, /** @type {number} */ k) => values[k][name]),
    here[name],
  ];
  const all = values.flatMap((/** @type {any} */ each) => [each.primal, each.dual]);
  return {
    sources: {
      primal: { x: [...seen, t], y: heights("primal") },
      dual: { x: [...seen, t], y: heights("dual") },
      twin_now: { x: [t, t], y: [here.primal, here.dual] },
    },
    ranges: [
      ["range", "twin_x", 0, VISITS],
      ["range", "twin_y", ...around(all, 0.08, 0.02)],
    ],
    sentences: {
      twin: say("twin", {
        lam: shown(lam),
        seen: t,
        primal: shown(here.primal),
        gap: shown(here.gap),
        support: lab.twin.support[t],
        all: COUNT,
      }),
    },
  };
}

/**
 * Returns the visit of the next mistake after the points seen, the last one where there is none.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {import("../runtime/memory.js").Memory} memory
 */
export function nextMistake(settings, answers, facts, memory) {
  const { reached } = stateOf(settings, answers, facts, memory).lab.way;
  const next = reached.findIndex(
    (/** @type {number} */ each, /** @type {number} */ t) => t > settings.seen && each <= 0,
  );
  return next < 0 ? VISITS : next;
}

/**
 * Returns the Python of the same numbers: a bound where there is one, else the rule as a solver.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, facts) {
  const { p, eta, gamma, dimension, power, rule } = settings;
  const { entropic, python } = facts.rules[rule];
  const hasBound = !entropic || eta * gamma > Math.log(Math.cosh(eta));
  const more = { q: p / (p - 1), mu: 1 / dimension, lam: 10 ** power };
  return formatText(python[hasBound ? "bound" : "run"], { ...settings, ...more });
}

/**
 * Returns the name of the question of the settings.
 * @param {Settings} settings
 */
export const asked = ({ rule }) => rule;

/**
 * Returns the place of the true option of each question.
 * @param {Settings} _settings
 * @param {Answers} _answers
 * @param {Facts} facts
 */
export const outcome = (_settings, _answers, facts) => facts.answers;
