// @ts-check
// A loss and a regularizer as settings choose them, for a registry of Python.

import { formatText } from "../wording.js";

/** @typedef {{ text: string, parameter: string | null, control: string | null, separator: string }} Term */

/**
 * Returns the texts of the loss and the regularizer as a registry reads them.
 * @param {Record<string, any>} settings
 * @param {Record<string, any>} facts - with the `terms` by kind and label
 * @returns {Record<string, string>}
 */
export function termTexts(settings, { terms }) {
  const entries = ["loss", "regularizer"].map((kind) => {
    const { text, parameter, control, separator } = /** @type {Term} */ (terms[kind][settings[kind]]);
    const value = control === null ? "" : formatText("{value:g}", { value: settings[control] });
    return [kind, control === null ? text : `${text}${separator}${parameter}=${value}`];
  });
  return Object.fromEntries(entries);
}
