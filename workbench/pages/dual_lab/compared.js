// @ts-check
// Predict first: what a guess changes in the second configuration, and what came of both runs.

import { written } from "../runtime/wording.js";
import { OWN } from "./runs.js";

/** Two counts that differ by less count as "about the same". */
const ALIKE = 0.1;

/** @typedef {import("./runs.js").Settings} Settings */
/** @typedef {import("./runs.js").Facts} Facts */

/**
 * Returns what a guess changes: the second configuration is the first with what is asked about.
 * @param {Settings} settings
 * @param {{ change: Record<string, any>, factors?: Record<string, number> }} asked
 */
export function guess(settings, { change, factors = {} }) {
  const own = Object.fromEntries(OWN.map((name) => [name, settings[name]]));
  const scaled = Object.entries(factors).map(([name, factor]) => [name, Math.min(1, factor * settings[name])]);
  const values = { ...own, ...change, ...Object.fromEntries(scaled) };
  return {
    compare: true,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`b_${name}`, value])),
  };
}

/**
 * Returns by measure which option two ended runs make true, and their counts in words; null while one runs.
 * @param {any} shown
 * @param {Facts} facts
 */
export function outcome({ runs: { A, B } }, facts) {
  if (!A?.status || !B?.status) return null;
  const counts = [A, B].map(({ row: { epoch }, status: end, shown: { alpha, w }, problem }) => ({
    epochs: end === "converged" ? epoch : null,
    support: nonzeros(alpha),
    nonzeros: nonzeros(problem.weights(w)),
  }));
  const measures = /** @type {("epochs" | "support" | "nonzeros")[]} */ (Object.keys(counts[0]));
  return Object.fromEntries(
    measures.map((name) => [name, verdict(counts[0][name], counts[1][name], facts.units[name], facts.texts)]),
  );
}

/** @param {Float64Array} values */
function nonzeros(values) {
  return values.reduce((sum, value) => sum + Number(value !== 0), 0);
}

/**
 * The option that two counts make true: 0 fewer, 1 about as many, 2 more; null stands for a run that did not get there.
 * @param {number | null} first
 * @param {number | null} then
 * @param {string} unit
 * @param {Record<string, string>} texts
 */
export function verdict(first, then, unit, texts) {
  if (first === null && then === null) return { place: null, said: texts.unknown };
  const [a, b] = [first ?? Infinity, then ?? Infinity];
  const isAlike = a === b || (Math.abs(b - a) <= ALIKE * Math.max(a, b) && Math.max(a, b) < Infinity);
  const place = isAlike ? 1 : b < a ? 0 : 2;
  const option = texts[`option_${place}`];
  if (first === null)
    return { place, said: `${option}, ${count(b)} ${unit} after the change; before it, ${texts.ended}` };
  if (then === null)
    return { place, said: `${option}, ${count(a)} ${unit} before the change; after it, ${texts.ended}` };
  return { place, said: `${option}, ${count(a)} ${unit} before the change and ${count(b)} after it` };
}

/** @param {number} value */
function count(value) {
  return value < 1e4 ? written(value, ".4g") : written(Math.round(value), ",");
}
