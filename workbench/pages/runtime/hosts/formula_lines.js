// @ts-check
// Formulas as HTML, which the element <wb-tex> sets.

import { escaped } from "../wording.js";

/**
 * Returns formulas beside each other, where there is room, and their source.
 * @param {string[]} latex
 * @param {string} [source]
 */
export function formulaLines(latex, source = "") {
  const lines = latex.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("");
  return `<div class='wb-formulas'>${lines}${source && `<div class='wb-source'>${escaped(source)}</div>`}</div>`;
}
