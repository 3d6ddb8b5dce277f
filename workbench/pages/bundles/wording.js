// Made of workbench/pages/runtime/entries/wording.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { escaped, format_text, quoted, written } = (() => {
"use strict";
// wording.js
function format_text(template, values) {
  return template.replace(/\{\{|\}\}|\{(\w+)(?::([^}]*))?\}/g, (found, name, form) => name === void 0 ? found[0] : written(values[name], form));
}
function written(value, form = "") {
  const found = /^(\+?)(,?)(?:\.(\d+))?([efg]?)$/.exec(form);
  if (!found) throw new Error(`'${form}' is no format that sentences use: [+][,][.digits][efg]`);
  const [, sign, grouped, digits, kind] = found;
  if (typeof value !== "number") return String(value);
  const plus = sign && value >= 0 ? "+" : "";
  if (!Number.isFinite(value)) return plus + (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
  if (grouped) return plus + grouped_thousands(kind === "f" ? fixed(value, Number(digits)) : String(value));
  if (kind === "f") return plus + fixed(value, Number(digits));
  if (kind === "e") return plus + exponential(value, Number(digits));
  if (kind === "g") return plus + general(value, Number(digits ?? 6) || 1);
  return plus + String(value);
}
function fixed(value, digits) {
  return even_of_ties(value.toFixed(digits), value.toFixed(Math.min(100, digits + 60)), digits);
}
function even_of_ties(rounded, exact, digits) {
  const end = exact.indexOf(".") + (digits && 1 + digits), cut = exact.slice(0, end);
  return /^\.?50*$/.test(exact.slice(end)) && "02468".includes(cut[cut.length - 1]) ? cut : rounded;
}
function exponential(value, digits) {
  const [rounded, exponent] = value.toExponential(digits).split("e");
  const [exact, same] = value.toExponential(Math.min(100, digits + 60)).split("e");
  const mantissa = same === exponent ? even_of_ties(rounded, exact, digits) : rounded;
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
function general(value, digits) {
  if (value === 0) return "0";
  const text = exponential(value, digits - 1), [mantissa, power] = text.split("e"), exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return trimmed(fixed(value, Math.max(0, digits - 1 - exponent)));
  return `${trimmed(mantissa)}e${power}`;
}
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
function grouped_thousands(text) {
  return text.replace(/\B(?=(\d{3})+$)/g, ",");
}
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
}
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replaceAll(mark, `\\${mark}`) + mark;
}
return { escaped, format_text, quoted, written };
})();
