// Numbers and code as a notebook has them.

import { escaped } from "./wording.js";

/**
 * A number by 12 digits where a slider's steps added up to it; as in Python's addresses.
 * @param {number} value
 */
export function neededDigits(value) {
  if (typeof value !== "number") return value;
  const short = Number(value.toPrecision(12));
  return Math.abs(short - value) <= 1e-15 * Math.abs(value) ? short : value;
}

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
