// @ts-check
// Values as Python writes them, for the code that gives the same state.

import { quoted } from "../wording.js";

export const pythonText = quoted;

/**
 * Returns a number or a truth value as Python writes it; numbers are floats.
 * @param {number | boolean} value
 */
export function pythonNumber(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}
