// Numbers as a notebook has them.

/**
 * A number as Python writes it.
 * @param {any} value
 */
export function pythonNumber(value) {
  if (value === true) return "True";
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}
