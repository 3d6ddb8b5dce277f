// As numerals.py: numbers in sentences as a book prints them.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NOISE_EXPONENT = 17;

function numerals(text) {
  return text
    .replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
      const minus = sign && "−";
      const down = below && below !== "+";
      if (down && Number(digits) >= NOISE_EXPONENT) return "0 to rounding";
      if (Number(digits) === 0) return minus + mantissa;
      const power = `10${down ? "⁻" : ""}${digits.replace(/\d/g, (digit) => RAISED[digit])}`;
      return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
    })
    .replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−");
}

// The numbers of a box's texts; code and formulas keep theirs.
function set_numerals(box) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.parentElement.closest("pre, code, kbd, wb-tex, svg")) continue;
    const text = numerals(node.data);
    if (text !== node.data) node.data = text;
  }
}
