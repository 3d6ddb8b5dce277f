// @ts-check
// Which runs the settings of the Dual lab ask for, and what these need.

import { termTexts } from "../runtime/hosts/terms.js";
import { readPoints } from "../runtime/live_plane.js";
import { formatText } from "../runtime/wording.js";
import { factsAt, PlaneSamples } from "./custom_data.js";

/**
 * @typedef {Record<string, any>} Settings - also `file`, the number of a visitor's own file among `facts.files`, or 0
 * @typedef {Record<string, any>} Facts - what `declaration.py` gives
 */

/** The settings of the second configuration that differ from the first's. */
export const OWN = ["loss", "regularizer", "lam", "update", "scale"];
export const SOLVER = ["update", "order", "scale", "eta"];

/**
 * True if the samples are points in the plane.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function isPlane({ source, file }, { plane }) {
  return !file && source === plane.name;
}

/**
 * True if the loss is the one that the visitor typed.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function isTyped({ loss }, { terms }) {
  return terms.loss[loss].is_typed === true;
}

/**
 * Returns the points that settings place, {X, y}.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function placed({ points, cloud }, { plane, texts }) {
  const { X, y } = readPoints(points || plane.clouds[cloud], plane.looks.half_width);
  const classes = new Set(y).size;
  if (classes < 2) throw new Error(formatText(texts.too_few, { n: y.length, classes, most: plane.most }));
  return { X, y };
}

/**
 * Returns the messages whose answers a run needs, and their names for Python. Of points and of a visitor's file the
 * data are made here, and those facts of a regularizer that depend on them.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function needs(settings, facts) {
  const { source, cloud, points, file = 0 } = settings;
  const { loss: named, regularizer } = termTexts(settings, facts);
  const loss = isTyped(settings, facts) ? { text: settings.typed, kind: settings.typed_kind } : named;
  const signed = facts.terms.regularizer[settings.regularizer].is_signed;
  const isMade = file > 0 || isPlane(settings, facts);
  const of = isMade ? facts.plane.name : source;
  return {
    python: { data: { source, signed, cloud, points, ...(file ? { file } : {}) }, terms: { loss, regularizer } },
    data: isMade ? null : { type: "data", source, signed },
    terms: {
      loss: { type: "loss", source: of, name: loss },
      regularizer: { type: "regularizer", source: of, signed, name: regularizer },
    },
  };
}

/**
 * Returns data and terms as engines and pictures take them.
 * @param {Settings} settings
 * @param {{ data: any, terms: Record<string, any> }} known
 * @param {Facts} facts
 */
export function supplied(settings, { data, terms }, facts) {
  const { file = 0 } = settings;
  if (!file && !isPlane(settings, facts)) return { data, terms };
  const own = facts.files?.[file];
  if (own && isTyped(settings, facts)) throw new Error(formatText(facts.texts.typed_file, { where: own.name }));
  if (own && own.classes === null && terms.loss.kind === "margin") throw new Error(unfit(own, settings.loss, facts));
  const samples = own ?? new PlaneSamples(placed(settings, facts));
  const signed = facts.terms.regularizer[settings.regularizer].is_signed;
  const made = { ...samples.data(signed), names: own?.names ?? facts.plane.names, constant: true, test: null };
  const regularizer = factsAt(terms.regularizer, terms.regularizer.bound, made);
  return { data: made, terms: { ...terms, regularizer } };
}

/**
 * Says that a loss of margins does not suit the labels of a file, which are measurements.
 * @param {{ name: string }} own
 * @param {string} loss
 * @param {Facts} facts
 */
export function unfit({ name: where }, loss, { terms, own, texts }) {
  const suits = Object.keys(terms.loss).find((label) => !terms.loss[label].is_margin);
  const fix = formatText(texts[suits ? "custom_choose" : "custom_export"], { loss: suits ?? own.regression });
  return formatText(texts.custom_margin, { where, loss, fix });
}

/**
 * Returns the settings of the second configuration as those of a first.
 * @param {Settings} settings
 * @returns {Settings}
 */
export function second(settings) {
  return { ...settings, ...Object.fromEntries(OWN.map((name) => [name, settings[`b_${name}`]])) };
}

/**
 * Returns the runs of the settings by name; each begins at zero, or at `facts.warm` where points were moved.
 * @param {Settings} settings
 * @param {Facts} facts
 */
export function runs(settings, facts) {
  const pair = settings.compare ? { A: settings, B: second(settings) } : { A: settings };
  return Object.entries(pair).map(([name, own]) => {
    const chosen = Object.fromEntries(SOLVER.map((parameter) => [parameter, own[parameter]]));
    const { lam, seed } = own;
    const alpha = facts.warm?.[name] ?? null;
    return { name, settings: own, problem: { lam, seed, solver: { ...facts.solver, ...chosen }, alpha } };
  });
}
