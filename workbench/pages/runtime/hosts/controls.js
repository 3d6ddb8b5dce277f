// @ts-check
// Controls of settings, made of native elements; sliders take free values.

import { numerals } from "../numerals.js";
import { isUsed, PLACES, placeOf, spoken, valueAt } from "./settings.js";

/** @typedef {import("./settings.js").Row} Row */

export class Controls {
  /** @type {Map<string, { row: Row, box: HTMLElement, input: any, output: HTMLOutputElement | null }>} */
  #entries = new Map();
  /** @type {string[]} */
  hidden = [];

  /**
   * @param {HTMLElement} place
   * @param {{ heading: string, rows: Row[] }[]} groups
   * @param {Record<string, Record<string, any[]>[]>} used
   * @param {(changes: Record<string, any>) => void} change
   */
  constructor(place, groups, used, change) {
    this.used = used;
    for (const { heading, rows } of groups) {
      place.append(element("div", { className: "wb-heading", textContent: heading }));
      for (const row of rows) place.append(this.#made(row, change));
    }
  }

  /**
   * @param {Row} row
   * @param {(changes: Record<string, any>) => void} change
   */
  #made(row, change) {
    const { name, label, kind, integer } = row;
    const options = row.options ?? row.grid;
    const output = options || kind === "whole" ? null : /** @type {HTMLOutputElement} */ (element("output"));
    const input = /** @type {any} */ (options ? select(options) : element("input", numberLook(row)));
    input.ariaLabel = label;
    const read = () => {
      if (options) return options[input.selectedIndex];
      if (kind === "whole") return Number(input.value);
      return valueAt(row, Number(input.value));
    };
    input.addEventListener(kind === "whole" ? "change" : "input", () => change({ [name]: read() }));
    const text = element("span", { textContent: label });
    const box = element("label", { className: "control" }, text, ...(output ? [output] : [element("span")]), input);
    box.dataset.name = name;
    this.#entries.set(name, { row, box, input, output });
    if (integer && input.type === "range") input.step = String(PLACES / ((row.high ?? 1) - (row.low ?? 0)));
    return box;
  }

  /**
   * Shows what is chosen, and hides what the other choices do not use.
   * @param {Record<string, any>} settings
   */
  show(settings) {
    for (const [name, { row, box, input, output }] of this.#entries) {
      const value = settings[name];
      const options = row.options ?? row.grid;
      if (options) input.selectedIndex = options.indexOf(value);
      else if (row.kind === "whole") input.value = String(value);
      else if (valueAt(row, Number(input.value)) !== value) input.value = String(placeOf(row, value));
      box.hidden = this.hidden.includes(name) || !isUsed(this.used[name], settings);
      if (!output) continue;
      output.textContent = numerals(spoken(value));
      input.setAttribute("aria-valuetext", output.textContent);
    }
  }

  /** Returns the sliders that are shown, as a projector takes them. */
  sliders() {
    const shown = [...this.#entries.values()].filter(({ box, input }) => input.type === "range" && !box.hidden);
    return shown.map(({ row, input, output }) => ({
      label: row.label,
      start: Number(input.min),
      end: Number(input.max),
      step: input.step,
      value: Number(input.value),
      text: output?.textContent ?? input.value,
      set(/** @type {number} */ value) {
        input.value = value;
        input.dispatchEvent(new Event("input"));
      },
    }));
  }

  /**
   * Leaves controls out, whatever the settings.
   * @param {string[]} names
   */
  hide(names) {
    this.hidden = names;
  }

  /**
   * Returns what the control of a setting says.
   * @param {string} name
   */
  shown(name) {
    const entry = this.#entries.get(name);
    return entry?.output?.textContent ?? entry?.input.value;
  }

  /**
   * Disables options that the host cannot give, and says why.
   * @param {string} name
   * @param {any[]} values
   * @param {string} reason
   */
  disable(name, values, reason) {
    const entry = this.#entries.get(name);
    for (const option of entry?.input.options ?? []) {
      if (!values.some((value) => spoken(value) === option.textContent)) continue;
      option.disabled = true;
      option.title = reason;
    }
  }
}

/** @param {Row} row */
function numberLook({ kind, low, high, integer }) {
  if (kind === "whole") return { type: "number", min: low, max: high, step: 1 };
  return { type: "range", min: 0, max: PLACES, step: integer ? 1 : "any" };
}

/** @param {any[]} options */
function select(options) {
  return element("select", {}, ...options.map((value) => element("option", { textContent: numerals(spoken(value)) })));
}

/**
 * Returns a new element.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} content
 */
export function element(tag, properties = {}, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}
