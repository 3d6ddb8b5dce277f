// @ts-check
// The page of Fenchel-Young losses as pure functions: the triangle of predictions, the plane of scores, and the loss as
// a gap.

import { around, clamp, columns, shown, sides, spaced } from "../runtime/drawings.js";
import { formulaLines } from "../runtime/hosts/formula_lines.js";
import { joined } from "../runtime/hosts/joined.js";
import { compiled } from "../runtime/hosts/printed.js";
import { pythonText } from "../runtime/hosts/python.js";
import { recall } from "../runtime/memory.js";
import { formatText } from "../runtime/wording.js";
import { lossOf, ROUGH } from "./loss.js";
import { coloured, freeRegion, levelSegments, LEVELS } from "./surface.js";
import { CORNERS, flat, lifted, mean, scaled, spread } from "./triangle.js";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 * @typedef {Record<string, any>} Answers
 * @typedef {import("../runtime/sets.js").Window} Window
 */

/** @type {[number, number]} */
const TRIANGLE = [-0.68, 1.02];
/** @type {[number, number]} */
const SCORES = [-4.4, 4.4];
const WIDTHS = { triangle: 2.2, scores: 8.4 };
const FARTHEST = 8;
const CELLS = 61;
const TRAIL = 400;
const MOVES = 1e-4;
const DIGITS = 3;
// Of a share that is dragged to the edge of the triangle; there the scores may be infinite.
const LEAST = 1e-3;
const NAMES = ["₁", "₂", "₃"];

/**
 * Returns the message whose answer is phi.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs({ phi, formula }, facts) {
  if (phi !== facts.own) return { loss: { type: "loss", phi } };
  if (!formula.trim()) throw new Error(facts.texts.empty);
  return { loss: { type: "own_loss", formula } };
}

/**
 * Returns the settings that a control changes: what is typed is chosen.
 * @param {Record<string, any>} changes
 * @param {Facts} facts
 */
export const chosen = (changes, facts) => ("formula" in changes ? { ...changes, phi: facts.own } : changes);

/**
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 */
function stateOf(settings, { loss }, facts) {
  const names = facts.entropies[settings.phi]?.parameters ?? [];
  /** @type {Record<string, number>} */
  const theta = Object.fromEntries(names.map((/** @type {string[]} */ [name]) => [name, settings[name]]));
  const z = [settings.theta1, settings.theta2, settings.theta3];
  return { z, theta, label: settings.true_class - 1, loss: lossOf(compiled(loss), theta) };
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
  const { z, theta, label, loss } = stateOf(settings, answers, facts);
  const key = [settings.phi, settings.formula, theta];
  const p = loss.predict(z);
  const gap = loss.gap(z, label);
  const state = { z, label, loss, key, p, gap, facts, memory };
  const parts = [triangle(state, aspects), plane(state, aspects), along(state)];
  const { latex } = answers.loss;
  const { sentences, ...drawn } = joined(parts);
  return {
    ...drawn,
    axes: {},
    sentences: { ...sentences, formulas: formulaLines([...facts.latex.rest, ...latex], facts.source) },
    numbers: formulaLines(facts.latex.first),
  };
}

/**
 * @param {Facts} facts
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
const say = (facts, name, values = {}) => formatText(facts.texts[name], values);

/**
 * Returns the ranges of a figure in which a unit is as long across as it is high.
 * @param {"triangle" | "scores"} name
 * @param {Record<string, number>} aspects
 * @param {[number, number]} interval
 */
function windowOf(name, aspects, interval) {
  const { x, y } = sides({ inner_width: aspects[name], inner_height: 1 }, interval, WIDTHS[name]);
  return { x, y };
}

/** @param {string} name @param {{ x: number[], y: number[] }} window */
const seen = (name, { x, y }) => [
  ["range", `${name}_x`, ...x],
  ["range", `${name}_y`, ...y],
];

/**
 * Returns the prediction in the triangle, its path as theta is scaled, and those of all theta of this length.
 * @param {any} state
 * @param {Record<string, number>} aspects
 */
function triangle({ z, label, loss, p, facts, memory }, aspects) {
  const far = [...spaced(0, FARTHEST, 121), ...spaced(FARTHEST, 6 * FARTHEST, 60).slice(1)];
  const path = spread(z) > 0 ? far.map((s) => flat(loss.predict(scaled(z, s), ROUGH))) : [];
  const here = flat(p);
  const trail = memory.get("trail")?.value ?? [];
  const [x, y] = trail.at(-1) ?? [Infinity, Infinity];
  if (Math.hypot(x - here[0], y - here[1]) > MOVES) trail.push(here);
  memory.set("trail", { key: "", value: trail.slice(-TRAIL) });
  const zeros = p.flatMap((/** @type {number} */ each, /** @type {number} */ j) => (each === 0 ? [j + 1] : []));
  const values = { p: p.map((/** @type {number} */ each) => shown(each, 3)).join(", "), zeros: zeros.join(" and ") };
  return {
    sources: {
      edge: columns([...CORNERS, CORNERS[0]]),
      path: columns(path),
      image: columns(ring(z).map((each) => flat(loss.predict(lifted(each), ROUGH)))),
      prediction: columns([here]),
      target: columns([CORNERS[label]]),
      trail: columns(trail.slice(-TRAIL)),
    },
    ranges: seen("triangle", windowOf("triangle", aspects, TRIANGLE)),
    sentences: {
      triangle: `${say(facts, "triangle", values)} ${say(facts, ["no_zero", "one_zero", "two_zeros"][zeros.length], values)}`,
    },
  };
}

/** @param {number[]} z */
function ring(z) {
  const radius = Math.hypot(...flat(z));
  return spaced(0, 2 * Math.PI, 181).map((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
}

/**
 * Returns the plane of scores with the loss as a map.
 * @param {any} state
 * @param {Record<string, number>} aspects
 */
function plane({ z, label, loss, key, gap, facts, memory }, aspects) {
  const window = windowOf("scores", aspects, SCORES);
  const map = recall(memory, "map", [key, label, window], () => surface(loss, label, window, key, memory));
  const lead = loss.margin();
  const out = CORNERS.map((corner) => corner.map((e) => 4.5 * e));
  const others = z.filter((/** @type {number} */ _, /** @type {number} */ j) => j !== label);
  const ahead = z[label] - Math.max(...others);
  const values = {
    y: label + 1,
    name: NAMES[label],
    loss: shown(gap.loss),
    lead: shown(lead),
    ahead: say(facts, ahead < 0 ? "trails" : "leads", { by: shown(Math.abs(ahead)) }),
  };
  return {
    sources: {
      ...map,
      free: freeRegion(label, lead),
      axes: columns(out.flatMap((each) => [[0, 0], each, [NaN, NaN]])),
      names: { ...columns(CORNERS.map((corner) => corner.map((e) => 4.6 * e))), text: ["θ₁", "θ₂", "θ₃"] },
      circle: columns(ring(z)),
      point: columns([flat(z)]),
      ray: columns(spread(z) > 0 ? [[0, 0], flat(scaled(z, 6 * FARTHEST))] : []),
    },
    ranges: seen("scores", window),
    sentences: {
      scores: `${say(facts, "scores", values)} ${say(facts, Number.isFinite(lead) ? "free" : "never_free", values)}`,
    },
  };
}

/**
 * Returns the loss over a window, as colours and as levels.
 * @param {any} loss
 * @param {number} label
 * @param {{ x: number[], y: number[] }} window
 * @param {unknown} key
 * @param {import("../runtime/memory.js").Memory} memory
 */
function surface(loss, label, window, key, memory) {
  const [xs, ys] = [spaced(window.x[0], window.x[1], CELLS), spaced(window.y[0], window.y[1], CELLS)];
  // All three loss surfaces are Omega*, less a plane; classes 1 and 2 swapped mirror it.
  const stars = recall(memory, "stars", [key, window], () => {
    const values = new Float64Array(CELLS * CELLS);
    for (let j = 0; j < CELLS; j += 1) {
      for (let i = 0; 2 * i < CELLS; i += 1) {
        const star = loss.omegaStar(lifted([xs[i], ys[j]]), ROUGH);
        values[j * CELLS + i] = star;
        values[j * CELLS + CELLS - 1 - i] = star;
      }
    }
    return values;
  });
  const corner = loss.omegaCorner(CORNERS.length);
  const losses = stars.map((star, k) => {
    const z = lifted([xs[k % CELLS], ys[Math.floor(k / CELLS)]]);
    return Math.max(0, star + corner - z[label]);
  });
  return { map: coloured(losses, xs, ys), levels: levelSegments(losses, xs, ys, LEVELS) };
}

/**
 * Returns the shares and the gap as theta is scaled.
 * @param {any} state
 */
function along({ z, label, loss, p, gap, facts }) {
  const ss = spaced(0, FARTHEST, 161);
  const here = spread(z);
  const shares = ss.map((s) => loss.predict(scaled(z, s), ROUGH));
  const gaps = ss.map((s) => loss.gap(scaled(z, s), label, ROUGH));
  const heights = gaps.map(({ star, corner }) => star + corner);
  const scores = gaps.map(({ score }) => score);
  const numbers = {
    star: shown(gap.star),
    corner: signed(gap.corner),
    score: signed(-gap.score),
    loss: shown(gap.loss),
  };
  return {
    sources: {
      shares: { s: ss, p1: shares.map((e) => e[0]), p2: shares.map((e) => e[1]), p3: shares.map((e) => e[2]) },
      shares_at: { s: [here, here, here], p },
      gap: { s: ss, convex: heights, line: scores },
      gap_at: { s: [here, here], y: [gap.score, gap.star + gap.corner] },
    },
    ranges: [
      ["range", "shares_x", 0, FARTHEST],
      ["range", "shares_y", -0.05, 1.05],
      ["range", "gap_x", 0, FARTHEST],
      ["range", "gap_y", ...around([...heights, ...scores], 0.08)],
    ],
    sentences: {
      shares: vanishing(z, loss, here, facts),
      gap: `${say(facts, "gap", { name: NAMES[label], ...numbers })} ${say(facts, p[label] === 1 ? "tight" : "loose")}`,
    },
  };
}

/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"} ${shown(Math.abs(value))}`;

/**
 * Returns from which spread on the smallest share is 0, by halving.
 * @param {number[]} z
 * @param {any} loss
 * @param {number} here
 * @param {Facts} facts
 */
function vanishing(z, loss, here, facts) {
  if (here === 0) return say(facts, "equal");
  const least = z.indexOf(Math.min(...z));
  const at = (/** @type {number} */ s) => loss.predict(scaled(z, s))[least];
  const values = { spread: shown(here), least: least + 1 };
  if (at(FARTHEST) > 0) return say(facts, "never_zero", values);
  let [low, high] = [0, FARTHEST];
  for (let k = 0; k < 30; k += 1) {
    const middle = 0.5 * (low + high);
    if (at(middle) > 0) low = middle;
    else high = middle;
  }
  return say(facts, "vanishes", { ...values, place: shown(high) });
}

/**
 * Returns the scores to which a hand moves the point of a figure.
 * @param {Settings} settings
 * @param {Answers} answers
 * @param {Facts} facts
 * @param {string} figure
 * @param {number[]} place
 */
export function moved(settings, answers, facts, figure, place) {
  if (!answers?.loss) return null;
  const { z, loss } = stateOf(settings, answers, facts);
  const [low, high] = facts.bounds;
  const scores = scoresAt(figure, place, z, loss);
  const names = ["theta1", "theta2", "theta3"];
  return Object.fromEntries(names.map((name, j) => [name, Number(clamp(scores[j], low, high).toFixed(DIGITS))]));
}

/**
 * @param {string} figure
 * @param {number[]} place
 * @param {number[]} z
 * @param {any} loss
 */
function scoresAt(figure, [x, y], z, loss) {
  if (figure === "scores") return lifted([x, y]);
  if (figure !== "triangle") return scaled(z, clamp(x, 0.01, FARTHEST));
  const p = lifted([x, y]).map((each) => clamp(each + 1 / 3, LEAST, 1));
  const total = p.reduce((sum, each) => sum + each, 0);
  const slopes = p.map((each) => loss.slope(each / total));
  return slopes.map((each) => each - mean(slopes));
}

/**
 * Returns the Python of the same prediction and loss.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function code(settings, facts) {
  const { phi, formula, true_class: y } = settings;
  const arguments_ = facts.entropies[phi]?.code ?? pythonText(formula).replace(/[{}]/g, "$&$&");
  return formatText(facts.code.replace("{arguments}", arguments_), { ...settings, label: y - 1 });
}

/**
 * Returns the name of the question of the settings.
 * @param {Settings} settings
 */
export const asked = ({ phi }) => phi;

/**
 * Returns the place of the true option of each question.
 * @param {Settings} _settings
 * @param {Answers} _answers
 * @param {Facts} facts
 */
export const outcome = (_settings, _answers, facts) => facts.answers;
