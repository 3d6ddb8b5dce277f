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
 * @property {Record<string, any>} [former] - what addresses said before, and the option that it means
 * @property {number} [low]
 * @property {number} [high]
 * @property {boolean} [integer]
 * @property {number[]} [grid]
 * @property {number} [longest] - of a text
 * @property {string} [placeholder] - of a text
 * @property {number} [step] - of a slider that follows an answer, from `low` to `high`
 * @property {number} [value] - where such a slider stands
 */

/** Number of places of a slider, which arrow keys walk; a value between two of them stays as it is. */
export const PLACES = 400;
const DIGITS = 3;

/**
 * Returns the place of a value on the slider of a row.
 * @param {Row} row
 * @param {number} value
 */
export function placeOf({ kind, low = 0, high = 1, step }, value) {
  if (step) return value;
  const share = kind === "logarithmic" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return PLACES * Math.min(Math.max(share, 0), 1);
}

/**
 * Returns the value at a place of the slider of a row, with few digits.
 * @param {Row} row
 * @param {number} place
 */
export function valueAt({ kind, low = 0, high = 1, integer = false, step }, place) {
  if (step) return Number(place.toPrecision(6));
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
    rows.map(({ name, label, value }) => {
      const text = spoken(value ?? settings[name]);
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

/** Keys of every address beside the settings: the look of the page, its story, and parts to hide. */
/** @type {Row[]} */
export const LOOKS = [
  { name: "theme", kind: "select", label: "Theme", options: ["light", "dark"] },
  { name: "projector", kind: "select", label: "Projector", options: [false, true] },
  { name: "hide", kind: "text", label: "Hidden", longest: 300 },
  { name: "story", kind: "whole", label: "Step of the story", low: 0, high: 50, integer: true },
  { name: "figure", kind: "text", label: "Figures", longest: 80 },
];
const MOST_CHARACTERS = 2000;
const MOST_KEYS = 40;
const SHOWN = 60;

/** @param {any} value */
const written = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));

/**
 * Returns the address of the settings: those that are not the usual ones.
 * @param {Record<string, any>} settings
 * @param {Record<string, any>} usual
 */
export function addressOf(settings, usual) {
  const changed = Object.entries(settings).filter(([name, value]) => value !== usual[name]);
  return new URLSearchParams(changed.map(([name, value]) => [name, written(value)])).toString();
}

/**
 * Returns the settings that an address gives, and a sentence for each entry that is refused.
 * @param {string} address
 * @param {Row[]} rows
 */
export function settingsOf(address, rows) {
  /** @type {Record<string, any>} */
  const settings = {};
  const query = address.replace(/^[#?]/, "");
  if (query.length > MOST_CHARACTERS)
    return { settings, refusals: [`The address is longer than ${MOST_CHARACTERS} characters; nothing in it was used`] };
  const entries = [...new URLSearchParams(query)];
  if (entries.length > MOST_KEYS)
    return { settings, refusals: [`The address has more than ${MOST_KEYS} keys; nothing in it was used`] };
  const refusals = [];
  for (const [name, text] of entries) {
    const row = rows.find((each) => each.name === name);
    const value = row ? readValue(row, text) : undefined;
    if (row === undefined) refusals.push(`unknown setting ${shortened(name)}`);
    else if (value === undefined) refusals.push(`${name} = ${shortened(text)} is refused; ${allowed(row)}`);
    else if (name in settings) refusals.push(`${name} appears twice in the address; the first value is used`);
    else settings[name] = value;
  }
  return { settings, refusals };
}

/** @param {string} text */
const shortened = (text) => JSON.stringify(text.slice(0, SHOWN));

/**
 * True if a text is a number as another program writes it: 1e-06 for 0.000001.
 * @param {any} option
 * @param {string} text
 */
const isNumber = (option, text) => typeof option === "number" && text.trim() !== "" && Number(text) === option;

/**
 * @param {Row} row
 * @param {string} text
 */
function readValue({ kind, options, former, low = 0, high = 0, integer, grid, longest = 0 }, text) {
  if (options && former && Object.hasOwn(former, text)) return former[text];
  if (options)
    return options.find((option) => [written(option), String(option)].includes(text) || isNumber(option, text));
  if (kind === "text") return text.length <= longest && !/\p{C}/u.test(text) ? text : undefined;
  const value = Number(text);
  if (text.trim() === "" || !(value >= low && value <= high)) return undefined;
  if (integer && !Number.isInteger(value)) return undefined;
  return grid && !grid.includes(value) ? undefined : value;
}

/** @param {Row} row */
function allowed({ kind, options, grid, low, high, integer, longest }) {
  if (options ?? grid) return `expected one of ${(options ?? grid ?? []).map(written).join(", ")}`;
  if (kind === "text") return `expected a text of at most ${longest} printable characters`;
  return `expected a${integer ? " whole" : ""} number from ${low} to ${high}`;
}

/**
 * Returns the parts that an address hides, and a sentence for each that the page does not have.
 * @param {string} text - their names, with commas
 * @param {string[]} names
 */
export function hiddenParts(text, names) {
  const asked = text.split(",").filter(Boolean);
  return {
    hidden: asked.filter((name) => names.includes(name)),
    refusals: asked
      .filter((name) => !names.includes(name))
      .map((name) => `hide = ${shortened(name)} is refused; parts that can be hidden: ${names.join(", ")}`),
  };
}

/**
 * Returns the controls without grids, where Python computes what follows from a free value.
 * @param {any[]} groups
 */
export function freed(groups) {
  return groups.map((group) => ({
    ...group,
    rows: group.rows.map((/** @type {any} */ { grid, ...row }) => row),
  }));
}
