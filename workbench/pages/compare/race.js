// @ts-check
// A race by the clock as pure functions: the standings of its events, its figure, its table and its sentence.

import { isUsed } from "../runtime/hosts/settings.js";
import { escaped, formatText, written } from "../runtime/wording.js";

/**
 * @typedef {{ kind: "fit", name: string, setting: number, seconds: number, relative: number, gap: number }} Fit
 * @typedef {{ start: any, end: any, fits: Map<string, Fit[]> }} Standings
 * @typedef {Record<string, any>} Facts
 */

// Below this a certificate of a primal alone is rounding.
const FLOOR = 1e-9;
const OURS = "workbench ";
/** The place among the marks of the one that the question is about. */
const DECIDING = 1;

/**
 * Returns what the events of one race add up to.
 * @param {any[]} events
 * @returns {Standings}
 */
export function standingsOf(events) {
  const start = events.find(({ kind }) => kind === "start") ?? null;
  const end = events.find(({ kind }) => kind === "end") ?? null;
  /** @type {Map<string, Fit[]>} */
  const fits = new Map((start?.names ?? []).map((/** @type {string} */ name) => [name, []]));
  for (const event of events) if (event.kind === "fit") fits.get(event.name)?.push(event);
  return { start, end, fits };
}

/**
 * Returns the seconds of the fastest fit that is certified to a mark; null where there is none.
 * @param {Fit[]} fits
 * @param {number} mark
 */
function secondsTo(fits, mark) {
  const seconds = fits.filter(({ relative }) => relative <= mark).map((fit) => fit.seconds);
  return seconds.length ? Math.min(...seconds) : null;
}

/**
 * Returns the name and the seconds of the first at a mark; null where nobody has reached it.
 * @param {Standings} standings
 * @param {number} mark
 */
function firstAt({ fits }, mark) {
  const all = [...fits].map(([name, own]) => ({ name, seconds: secondsTo(own, mark) ?? Infinity }));
  const first = all.reduce((best, each) => (each.seconds < best.seconds ? each : best), {
    name: "",
    seconds: Infinity,
  });
  return Number.isFinite(first.seconds) ? first : null;
}

/** @param {number} seconds */
export function spelledSeconds(seconds) {
  return seconds < 1 ? `${milliseconds(seconds)} ms` : `${written(seconds, ".3g")} s`;
}

/** @param {number} seconds */
function milliseconds(seconds) {
  return written(1e3 * seconds, seconds < 0.01 ? ".2g" : ".0f");
}

/**
 * Returns the names of the contestants by their places: ours in the first half, the others in the second.
 * @param {string[]} names
 * @param {number} count
 */
function placesOf(names, count) {
  const half = count / 2;
  const isOurs = (/** @type {string} */ name) => name.startsWith(OURS);
  const halves = [names.filter(isOurs), names.filter((name) => !isOurs(name))];
  return new Map(halves.flatMap((side, k) => side.slice(0, half).map((name, place) => [name, k * half + place])));
}

/** @param {Fit[]} fits */
function stairs(fits) {
  /** @type {{ within: number[], best: number[] }} */
  const steps = { within: [], best: [] };
  for (const { seconds, relative } of fits.toSorted((a, b) => a.seconds - b.seconds)) {
    const height = Math.max(relative, FLOOR);
    if (steps.best.length && height >= steps.best[steps.best.length - 1]) continue;
    steps.within.push(seconds);
    steps.best.push(height);
  }
  return steps;
}

/**
 * Returns what the figure of a race shows.
 * @param {Standings} standings
 * @param {Facts} facts
 */
export function racePicture({ fits }, { places: count, race_marks: marks, shapes }) {
  const places = placesOf([...fits.keys()], count);
  /** @type {Record<string, any>} */
  const sources = {};
  for (let place = 0; place < count; place++) {
    sources[`fits ${place}`] = { seconds: [], relative: [], setting: [] };
    sources[`stairs ${place}`] = { within: [], best: [] };
  }
  for (const [name, place] of places) {
    const own = fits.get(name) ?? [];
    sources[`fits ${place}`] = {
      seconds: own.map(({ seconds }) => seconds),
      relative: own.map(({ relative }) => Math.max(relative, FLOOR)),
      setting: own.map(({ setting }) => written(setting, ".2g")),
    };
    sources[`stairs ${place}`] = stairs(own);
  }
  const all = [...fits.values()].flat();
  const seconds = all.map((fit) => fit.seconds);
  const lowest = Math.min(...all.map(({ relative }) => Math.max(relative, FLOOR)));
  const ranges = [
    ["range", "race_x", 0.7 * Math.min(...seconds), 1.4 * Math.max(...seconds)],
    ["range", "race_y", Math.min(0.5 * lowest, 0.3 * marks[marks.length - 1]), 2],
  ];
  const key = [...places].map(([name, place]) => shapes[place].replace("{}", escaped(name))).join("");
  return { sources, ranges: all.length ? ranges : [], key };
}

/**
 * Returns the sentence below the figure.
 * @param {Standings} standings
 * @param {Facts} facts
 */
export function raceSentence(standings, { texts, race_marks: marks }) {
  const { start, fits } = standings;
  if (start === null) return texts.race_waiting;
  const mark = marks[DECIDING];
  const { n, d } = start;
  const values = { fits: [...fits.values()].flat().length, all: fits.size, n, d, mark };
  const first = firstAt(standings, mark);
  if (first === null) return formatText(texts.race_open, values);
  return formatText(texts.race_fits, { ...values, name: first.name, seconds: spelledSeconds(first.seconds) });
}

/**
 * Returns the standings as a table: seconds to each mark, and the best that is certified.
 * @param {Standings} standings
 * @param {Facts} facts
 */
export function raceTable({ start, fits }, { texts, race_marks: marks }) {
  if (start === null) return "";
  const times = [...fits].map(([, own]) => marks.map((/** @type {number} */ mark) => secondsTo(own, mark)));
  const least = marks.map((/** @type {number} */ _, /** @type {number} */ k) =>
    Math.min(...times.map((row) => row[k] ?? Infinity)),
  );
  const rows = [...fits].map(([name], place) => {
    const cells = times[place].map((/** @type {number | null} */ value, /** @type {number} */ k) => {
      const text = value === null ? "–" : milliseconds(value);
      return `<td>${value !== null && value === least[k] ? `<b>${text}</b>` : text}</td>`;
    });
    return `<tr><th scope='row'>${escaped(name)}</th>${cells.join("")}</tr>`;
  });
  const missing = (start.absent ?? []).map(
    (/** @type {string} */ name) =>
      `<tr><th scope='row'>${escaped(name)}</th><td class='wb-why' colspan='${marks.length}'>${texts.absent}</td></tr>`,
  );
  const head = marks.map(
    (/** @type {number} */ mark) => `<th scope='col'>10<sup>${Math.round(Math.log10(mark))}</sup></th>`,
  );
  return (
    "<div class='wb-source' style='overflow-x: auto' tabindex='0' role='region' aria-label='Standings'>" +
    `<table class='wb-table'><thead><tr><th scope='col'>${texts.seconds_to}</th>${head.join("")}` +
    `</tr></thead><tbody>${rows.join("")}${missing.join("")}</tbody></table></div>` +
    `<p class='wb-source'>${escaped(texts.rules)}</p>`
  );
}

/**
 * Returns the answer to the question of a race; null before it is over.
 * @param {Standings} standings
 * @param {Facts} facts
 */
export function raceOutcome(standings, { texts, race_marks: marks }) {
  if (standings.end === null) return null;
  const first = firstAt(standings, marks[DECIDING]);
  if (first === null) return { place: null, said: texts.race_none };
  const said = formatText(texts.race_first, { name: first.name, seconds: spelledSeconds(first.seconds) });
  return { place: first.name.startsWith(OURS) ? 0 : 1, said };
}

/**
 * Returns the recorded race of the settings, its events; [] where there is none.
 * @param {any[]} races
 * @param {Record<string, any>} settings
 * @param {Facts} facts
 */
export function recordedRace(races, settings, { used }) {
  const isSame = (/** @type {any} */ { settings: own }) =>
    Object.entries(own).every(([name, value]) => !isUsed(used[name], settings) || settings[name] === value);
  return settings.intercept ? [] : (races.find(isSame)?.events ?? []);
}
