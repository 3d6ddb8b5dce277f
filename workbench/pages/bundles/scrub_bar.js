// Made of workbench/pages/entries/scrub_bar.js and what it imports: change those, and run: python -m workbench.pages.bundling
// runtime/numerals.js
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

// runtime/wording.js
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

// runtime/scrub_bar.js
var PATIENCE_MS = 1e3;
var ScrubBar = class {
  constructor({ model, el }) {
    const { texts } = model;
    el.innerHTML = `<div class='bar' role='group' aria-label='${escaped(texts.bar)}'>
      <button type='button' tabindex='-1' aria-label='${escaped(texts.back)}' title='${escaped(texts.back)} (←)'>◀</button>
      <input type='range' min='0' max='0' value='0' step='1' aria-label='${escaped(texts.progress)}'>
      <button type='button' tabindex='-1' aria-label='${escaped(texts.forward)}' title='${escaped(texts.forward)} (→)'>▶</button>
      <output></output>
      <label>${escaped(texts.speed)} <select><option>${escaped(texts.normal)}<option>${escaped(texts.slow)}</select></label>
    </div>`;
    const [range, output, speed] = ["input", "output", "select"].map((name) => el.querySelector(name));
    const [back, forward] = el.querySelectorAll("button");
    Object.assign(this, { texts, range, output, back, forward, wanted: null });
    range.addEventListener("input", () => this.ask(Number(range.value)));
    back.addEventListener("click", () => this.move(-1));
    forward.addEventListener("click", () => this.move(1));
    speed.addEventListener("change", () => tell("wb-pace", speed.selectedIndex === 1));
    el.firstChild.addEventListener("keydown", (event) => this.key(event, event.composedPath()[0] === speed));
  }
  // An arrow on the bar itself; forward from the last place is a step.
  key(event, is_taken) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === void 0 || is_taken) return;
    event.preventDefault();
    if (!this.move(by) && by > 0) tell("wb-press", "step");
  }
  // One place back or forward; whether there is one.
  move(by) {
    const place = Number(this.range.value) + by;
    if (place < 0 || place > Number(this.range.max)) return false;
    this.range.value = place;
    this.ask(place);
    return true;
  }
  ask(place) {
    Object.assign(this, { wanted: place, asked: performance.now() });
    this.ends();
    tell("wb-seek", place);
  }
  // Where the run stands, and which of its units tells so.
  stands({ at, places, unit, now, last }) {
    clearTimeout(this.later);
    const left = this.asked + PATIENCE_MS - performance.now();
    if (this.wanted !== null && at !== this.wanted && left > 0) {
      this.later = setTimeout(() => this.stands({ at, places, unit, now, last }), left);
      return;
    }
    this.wanted = null;
    this.range.max = places - 1;
    if (!this.range.matches(":active")) this.range.value = at;
    const text = numerals(format_text(this.texts[unit], { now, last }));
    this.range.setAttribute("aria-valuetext", text);
    if (this.output.textContent !== text) this.output.textContent = text;
    this.ends();
  }
  ends() {
    const place = Number(this.range.value), most = Number(this.range.max);
    this.back.setAttribute("aria-disabled", place <= 0);
    this.forward.setAttribute("aria-disabled", place >= most);
  }
};
function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}
function render({ model, el }) {
  const bar = new ScrubBar({ model, el });
  const drawn = ({ detail }) => bar.stands(detail);
  const moved = (event) => {
    if (bar.move(event.detail)) event.preventDefault();
  };
  document.addEventListener("wb-stands", drawn);
  document.addEventListener("wb-move", moved);
  model.on("remove", () => {
    document.removeEventListener("wb-stands", drawn);
    document.removeEventListener("wb-move", moved);
  });
}
export {
  render
};
