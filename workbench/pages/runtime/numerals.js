// Numbers in sentences as a book prints them: 2.1e-04 becomes 2.1·10⁻⁴, 1.82e+01 becomes 18.2, a hyphen before a digit a
// minus sign, and what no sum of floats of order one can be told from zero by is said to be 0 to rounding. A single step,
// epoch or pass takes the singular. What somebody typed stands between quotes and stays as it is.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NOISE_EXPONENT = -17;

/** @param {string} text */
export function numerals(text) {
  return text
    .replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
      const minus = sign && "−";
      const exponent = (below && below !== "+" ? -1 : 1) * Number(digits);
      if (Number(mantissa) === 0) return "0";
      if (exponent <= NOISE_EXPONENT) return "0 to rounding";
      if (exponent >= -1 && exponent <= 2) return minus + shifted(mantissa, exponent);
      const power = `10${exponent < 0 ? "⁻" : ""}${Array.from(digits, (digit) => RAISED[digit]).join("")}`;
      return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
    })
    .replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−")
    .replace(/(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b/g, "1 $1$2");
}

/**
 * Returns the digits of a mantissa with their point moved to the right by a number of places.
 * @param {string} mantissa @param {number} places
 */
function shifted(mantissa, places) {
  const [whole, part = ""] = mantissa.split(".");
  const at = whole.length + places;
  const point = Math.max(at, 1);
  const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}

/**
 * The numbers of a box's texts; code and formulas keep theirs.
 * @param {any} box
 */
export function setNumerals(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (node.parentElement?.closest("pre, code, kbd, wb-tex, svg")) continue;
    const text = numerals(node.data);
    if (text !== node.data) node.data = text;
  }
}
