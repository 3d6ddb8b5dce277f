// @ts-check
// Controls of settings, made of native elements; sliders take free values.

import { element } from "../elements.js";
import { numerals } from "../numerals.js";
import { isUsed, PLACES, placeOf, spoken, valueAt } from "./settings.js";

/**
 * @typedef {import("./settings.js").Row} Row
 * @typedef {{ row: Row, box: HTMLElement, input: any, output: HTMLOutputElement | null }} Entry
 */

/**
 * Returns a value as a line of several says it: a text for itself, a number or a switch after its label.
 * @param {string} label
 * @param {any} value
 */
function named(label, value) {
  if (typeof value === "string") return spoken(value);
  const isWord = /^[A-Z][a-z]/.test(label) && !/^[A-Z][a-z]*[-'’]/.test(label);
  return `${isWord ? label[0].toLowerCase() + label.slice(1) : label} ${spoken(value)}`;
}

export class Controls {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {string[]} */
  hidden = [];
  /** @type {{ line: HTMLElement, heading: string, names: string[] }[]} */
  #lines = [];
  /** @type {HTMLElement} */
  #following;
  /** @type {string[]} */
  #followingNames = [];

  /**
   * @param {HTMLElement} place
   * @param {{ heading: string, rows: Row[], is_folded?: boolean }[]} groups - a folded one is a line with its values
   * @param {Record<string, Record<string, any[]>[]>} used
   * @param {(changes: Record<string, any>) => void} change
   */
  constructor(place, groups, used, change) {
    this.used = used;
    this.change = change;
    this.#following = element("div", { className: "following", hidden: true });
    for (const { heading, rows, is_folded } of groups) {
      const boxes = rows.map((row) => this.#made(row, change));
      if (is_folded) {
        const line = element("summary", { className: "wb-heading" });
        this.#lines.push({ line, heading, names: rows.map(({ name }) => name) });
        place.append(element("details", {}, line, ...boxes));
      } else place.append(element("div", { className: "wb-heading", textContent: heading }), ...boxes);
    }
    place.append(this.#following);
  }

  /**
   * Has sliders that come with an answer, such as those of a function's parameters; those of the one before go.
   * @param {{ heading: string, rows: Row[] }} group - its rows have values
   */
  follow({ heading, rows }) {
    const names = rows.map(({ name }) => name);
    if (names.join() === this.#followingNames.join()) {
      for (const row of rows) Object.assign(this.#entry(row.name).input, numberLook(row));
    } else {
      for (const name of this.#followingNames) this.#entries.delete(name);
      const boxes = rows.map((row) => this.#made(row, this.change));
      this.#following.replaceChildren(element("div", { className: "wb-heading", textContent: heading }), ...boxes);
      this.#following.hidden = !rows.length;
      this.#followingNames = names;
    }
    for (const row of rows) this.#show(this.#entry(row.name), row.value);
  }

  /** @param {string} name */
  #entry(name) {
    return /** @type {Entry} */ (this.#entries.get(name));
  }

  /**
   * @param {Row} row
   * @param {(changes: Record<string, any>) => void} change
   */
  #made(row, change) {
    const { name, label, kind, integer } = row;
    const { options, grid } = row;
    const isWritten = kind === "whole" || kind === "text";
    const hasOutput = !options && !isWritten;
    const output = hasOutput ? /** @type {HTMLOutputElement} */ (element("output")) : null;
    const input = /** @type {any} */ (
      options && kind !== "switch" ? select(options, row.labels) : element("input", numberLook(row))
    );
    input.ariaLabel = label;
    const read = () => {
      if (kind === "switch") return input.checked;
      if (options) return options[input.selectedIndex];
      if (grid) return grid[Number(input.value)];
      if (kind === "text") return input.value.trim();
      if (kind === "whole") {
        // Typed, so it may be anything.
        const value = Math.min(Math.max(Math.round(Number(input.value)), row.low ?? 0), row.high ?? 0);
        input.value = String(value);
        return value;
      }
      return valueAt(row, Number(input.value));
    };
    input.addEventListener(isWritten ? "change" : "input", () => change({ [name]: read() }));
    const text = element("span", { textContent: label });
    const box = element("label", { className: "control" }, text, ...(output ? [output] : [element("span")]), input);
    box.dataset.name = name;
    this.#entries.set(name, { row, box, input, output });
    if (integer && !grid && input.type === "range") input.step = String(PLACES / ((row.high ?? 1) - (row.low ?? 0)));
    return box;
  }

  /**
   * Shows what is chosen, and hides what the other choices do not use.
   * @param {Record<string, any>} settings
   */
  show(settings) {
    for (const [name, entry] of this.#entries) {
      if (this.#followingNames.includes(name)) continue;
      this.#show(entry, settings[name]);
      entry.box.hidden ||= !isUsed(this.used[name], settings);
    }
    for (const { line, heading, names } of this.#lines) {
      const used = names.filter((name) => !this.#entry(name).box.hidden);
      const values = used.map((name) => named(this.#entry(name).row.label, settings[name]));
      const isSwitch = used.length === 1 && typeof settings[used[0]] === "boolean";
      line.textContent = numerals(`${heading}: ${isSwitch ? spoken(settings[used[0]]) : values.join(", ")}`);
    }
  }

  /**
   * @param {Entry} entry
   * @param {any} value
   */
  #show({ row, box, input, output }, value) {
    const { options, grid } = row;
    if (row.kind === "switch") input.checked = value;
    else if (options) input.selectedIndex = options.indexOf(value);
    else if (grid) input.value = String(grid.indexOf(value));
    else if (row.kind === "whole" || row.kind === "text") input.value = String(value);
    else if (valueAt(row, Number(input.value)) !== value) input.value = String(placeOf(row, value));
    box.hidden = this.hidden.includes(row.name);
    if (!output) return;
    output.textContent = numerals(spoken(value));
    input.setAttribute("aria-valuetext", output.textContent);
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
   * Disables options that the host cannot give, or a field as a whole, and says why.
   * @param {string} name
   * @param {any[]} values
   * @param {string} reason
   */
  disable(name, values, reason) {
    const entry = this.#entries.get(name);
    if (!entry) return;
    if (["text", "switch"].includes(entry.row.kind)) Object.assign(entry.input, { disabled: true, title: reason });
    const { options: named = [], labels = {} } = entry.row;
    const texts = values.map((value) => (named.includes(value) && labels[value]) || spoken(value));
    for (const option of entry.input.options ?? []) {
      if (!texts.includes(option.textContent)) continue;
      option.disabled = true;
      option.title = reason;
    }
  }
}

/** @param {Row} row */
function numberLook({ kind, low, high, integer, grid, longest, step, placeholder = "" }) {
  if (kind === "switch") return { type: "checkbox" };
  if (grid) return { type: "range", min: 0, max: grid.length - 1, step: 1 };
  if (step) return { type: "range", min: low, max: high, step };
  if (kind === "text") return { type: "text", maxLength: longest, spellcheck: false, autocomplete: "off", placeholder };
  if (kind === "whole") return { type: "number", min: low, max: high, step: 1 };
  return { type: "range", min: 0, max: PLACES, step: integer ? 1 : "any" };
}

/**
 * @param {any[]} options
 * @param {Record<string, string>} [labels] - of those that are not said as they are
 */
function select(options, labels = {}) {
  const texts = options.map((value) => numerals(labels[value] ?? spoken(value)));
  return element("select", {}, ...texts.map((textContent) => element("option", { textContent })));
}
