// Numbers and code as a notebook has them.

import { escaped } from "./wording.js";

/**
 * The code of a notebook: a number as Python writes it, and its box.
 * @param {any} value
 */
export function pythonNumber(value) {
  if (value === true) return "True";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}

/** @param {string} text */
export function codeBox(text) {
  return `<div class='wb-copy'><button type='button' data-do='copy'>Copy</button><pre class='wb-code' tabindex='0'>${escaped(text)}</pre></div>`;
}
