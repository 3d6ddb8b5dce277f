// Sentences with numbers in them: templates and format specifications as of Python's `str.format`.

/** @param {string} template @param {Record<string, unknown>} values @returns {string} */
export function formatText(template, values) {
  return template.replace(/\{\{|\}\}|\{(\w+)(?::([^}]*))?\}/g, (found, name, form) =>
    name === undefined ? found[0] : written(values[name], form),
  );
}

/**
 * What `format(value, form)` gives in Python, for the forms that the sentences use: [+][,][.digits][efg].
 * @param {unknown} value
 */
export function written(value, form = "") {
  const found = /^(\+?)(,?)(?:\.(\d+))?([efg]?)$/.exec(form);
  if (!found) throw new Error(`'${form}' is no format that sentences use: [+][,][.digits][efg]`);
  const [, sign, grouped, digits, kind] = found;
  if (typeof value !== "number") return String(value);
  const plus = sign && value >= 0 ? "+" : "";
  if (!Number.isFinite(value)) return plus + (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
  if (grouped) return plus + groupedThousands(kind === "f" ? fixed(value, Number(digits)) : String(value));
  if (kind === "f") return plus + fixed(value, Number(digits));
  if (kind === "e") return plus + exponential(value, Number(digits));
  if (kind === "g") return plus + general(value, Number(digits ?? 6) || 1);
  return plus + String(value);
}

/**
 * Returns a number with `digits` digits after the point.
 * @param {number} value @param {number} digits
 */
function fixed(value, digits) {
  return evenOfTies(value.toFixed(digits), value.toFixed(Math.min(100, digits + 60)), digits);
}

/**
 * Of two that are as near to the exact number the even one, as Python does.
 * @param {string} rounded @param {string} exact @param {number} digits
 */
function evenOfTies(rounded, exact, digits) {
  const end = exact.indexOf(".") + (digits && 1 + digits);
  const cut = exact.slice(0, end);
  return /^\.?50*$/.test(exact.slice(end)) && "02468".includes(cut[cut.length - 1]) ? cut : rounded;
}

/** @param {number} value @param {number} digits */
function exponential(value, digits) {
  const [rounded, exponent] = value.toExponential(digits).split("e");
  const [exact, same] = value.toExponential(Math.min(100, digits + 60)).split("e");
  // Rounded to the next power of ten, it was not a tie with an even digit before it.
  const mantissa = same === exponent ? evenOfTies(rounded, exact, digits) : rounded;
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/**
 * Returns a number with `digits` significant digits, without zeros at the end.
 * @param {number} value @param {number} digits
 */
function general(value, digits) {
  if (value === 0) return "0";
  const text = exponential(value, digits - 1);
  const [mantissa, power] = text.split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return trimmed(fixed(value, Math.max(0, digits - 1 - exponent)));
  return `${trimmed(mantissa)}e${power}`;
}

/** @param {string} text */
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** @param {string} text */
function groupedThousands(text) {
  return text.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {string} text */
export function escaped(text) {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#x27;");
}

/**
 * A text as Python writes it.
 * @param {string} text
 */
export function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return (
    mark + text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replaceAll(mark, `\\${mark}`) + mark
  );
}
