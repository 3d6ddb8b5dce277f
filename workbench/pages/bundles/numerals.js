// Made of workbench/pages/runtime/entries/numerals.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { numerals, set_numerals } = (() => {
"use strict";
// numerals.js
var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
var NOISE_EXPONENT = -17;
function numerals(text) {
  return text.replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
    const minus = sign && "−", exponent = (below && below !== "+" ? -1 : 1) * Number(digits);
    if (Number(mantissa) === 0) return "0";
    if (exponent <= NOISE_EXPONENT) return "0 to rounding";
    if (exponent >= -1 && exponent <= 2) return minus + shifted(mantissa, exponent);
    const power = `10${exponent < 0 ? "⁻" : ""}${Array.from(digits, (digit) => RAISED[digit]).join("")}`;
    return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
  }).replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−").replace(/(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b/g, "1 $1$2");
}
function shifted(mantissa, places) {
  const [whole, part = ""] = mantissa.split(".");
  const at = whole.length + places, point = Math.max(at, 1);
  const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}
function set_numerals(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = (
      /** @type {Text} */
      walker.currentNode
    );
    if (node.parentElement?.closest("pre, code, kbd, wb-tex, svg")) continue;
    const text = numerals(node.data);
    if (text !== node.data) node.data = text;
  }
}
return { numerals, set_numerals };
})();
