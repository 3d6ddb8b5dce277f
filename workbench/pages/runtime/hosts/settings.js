// @ts-check
// Settings as numbers on sliders and as an address: pure functions.

import { formatText } from "../wording.js";

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} kind
 * @property {string} label
 * @property {any[]} [options]
 * @property {Record<string, string>} [labels] - of options that are not said as they are
 * @property {number} [low]
 * @property {number} [high]
 * @property {boolean} [integer]
 * @property {number[]} [grid]
 * @property {string} [pattern] - of a text
 */

/** A slider has so many places, which arrow keys walk; a value between two of them stays as it is. */
export const PLACES = 400;
const DIGITS = 3;

/**
 * Returns the place of a value on the slider of a row.
 * @param {Row} row
 * @param {number} value
 */
export function placeOf({ kind, low = 0, high = 1 }, value) {
  const share = kind === "logarithmic" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return PLACES * Math.min(Math.max(share, 0), 1);
}

/**
 * Returns the value at a place of the slider of a row, with few digits.
 * @param {Row} row
 * @param {number} place
 */
export function valueAt({ kind, low = 0, high = 1, integer = false }, place) {
  const share = place / PLACES;
  const value = kind === "logarithmic" ? low * (high / low) ** share : low + share * (high - low);
  const rounded = integer ? Math.round(value) : Number(value.toPrecision(DIGITS));
  return Math.min(Math.max(rounded, low), high);
}

/**
 * Returns a value as a control says it.
 * @param {any} value
 */
export function spoken(value) {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? formatText("{value:g}", { value }) : String(value);
}

/**
 * Returns each setting by the label of its control, as pinned curves name them.
 * @param {Record<string, any>} settings
 * @param {Row[]} rows
 * @returns {Map<string, { text: string, said: string }>}
 */
export function settingsByLabel(settings, rows) {
  return new Map(
    rows.map(({ name, label }) => {
      const text = spoken(settings[name]);
      return [label, { text, said: `${label} = ${text}` }];
    }),
  );
}

/**
 * Returns true if the settings meet one of several conditions.
 * @param {Record<string, any[]>[] | undefined} conditions
 * @param {Record<string, any>} settings
 */
export function isUsed(conditions, settings) {
  if (!conditions) return true;
  return conditions.some((each) => Object.entries(each).every(([name, values]) => values.includes(settings[name])));
}

/**
 * Returns the address of the settings: those that are not the defaults.
 * @param {Record<string, any>} settings
 * @param {Record<string, any>} defaults
 */
export function addressOf(settings, defaults) {
  const changed = Object.entries(settings).filter(([name, value]) => value !== defaults[name]);
  return new URLSearchParams(changed.map(([name, value]) => [name, String(value)])).toString();
}

/**
 * Returns the settings that an address gives, and a sentence for each entry that is refused.
 * @param {string} address
 * @param {Row[]} rows
 */
export function settingsOf(address, rows) {
  /** @type {Record<string, any>} */
  const settings = {};
  const refusals = [];
  for (const [name, text] of new URLSearchParams(address.replace(/^[#?]/, ""))) {
    const row = rows.find((each) => each.name === name);
    const value = row ? readValue(row, text) : undefined;
    if (row === undefined) refusals.push(`unknown setting ${JSON.stringify(name.slice(0, 60))}`);
    else if (value === undefined)
      refusals.push(`${name} = ${JSON.stringify(text.slice(0, 60))} is refused; ${allowed(row)}`);
    else settings[name] = value;
  }
  return { settings, refusals };
}

/**
 * @param {Row} row
 * @param {string} text
 */
function readValue({ options, low = 0, high = 0, integer, grid, pattern }, text) {
  if (options) return options.find((each) => String(each) === text || spoken(each) === text);
  if (pattern) return new RegExp(`^(?:${pattern})$`).test(text) ? text : undefined;
  const value = Number(text);
  if (text.trim() === "" || !(value >= low && value <= high)) return undefined;
  if (integer && !Number.isInteger(value)) return undefined;
  return grid && !grid.includes(value) ? undefined : value;
}

/** @param {Row} row */
function allowed({ options, grid, low, high, integer, pattern }) {
  if (pattern) return `expected ${pattern}`;
  if (options ?? grid) return `expected one of ${(options ?? grid ?? []).join(", ")}`;
  return `expected a${integer ? " whole" : ""} number from ${low} to ${high}`;
}
