// What the drawings share: numbers as text, even spacing, names for what a screen reader meets.

const state = { pending: false, theta: "" };

function shown(x, digits = 4) {
  if (Number.isNaN(x)) return "not defined";
  if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
  if (Math.abs(x) < 1e-9) return "0";
  const size = Math.abs(x);
  const text = size < 1e-3 || size >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(digits)));
  return text.replace("-", "−");
}

function spaced(low, high, count) {
  return Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));
}

function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

// What the browser draws is no news to the server: only the controls travel.
const HERE = { sync: false };

function put(source, data) {
  source.setv({ data }, HERE);
}

// Straight into the element: a changed model would have Bokeh lay the whole page out again.
function write(line, text) {
  const box = state.index?.find_one(line)?.shadow_el?.querySelector(".bk-clearfix");
  if (!box) line.setv({ text }, HERE);
  else if (box.innerHTML !== text) box.innerHTML = text;
}

// A grid of numbers that was changed in place, over the window of two ranges.
function fill_image(source, [left, right], [low, high]) {
  const { image } = source.data;
  put(source, { image, x: [left], y: [low], dw: [right - left], dh: [high - low] });
}

function sentence(line, text) {
  write(line, `<div class="wb-line">${text}</div>`);
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

// The numbers of parameters, by name.
function listed(theta) {
  return Object.entries(theta)
    .map(([name, value]) => `${name} = ${shown(value)}`)
    .join(", ");
}

// A formula as the page's KaTeX sets it, or as it is written.
function set_formula(latex) {
  const made = window.katex?.renderToString(latex, { output: "mathml", displayMode: true, throwOnError: false });
  return made ?? `<pre>${escaped(latex)}</pre>`;
}

function set_range(range, low, high) {
  if (range.start !== low || range.end !== high) range.setv({ start: low, end: high }, HERE);
}

// A margin around the finite values, the far tails left out.
function around(values, margin = 0.08, cut = 0.0) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (!finite.length) return [-1, 1];
  const skip = Math.floor(cut * finite.length);
  const low = finite[0];
  const high = finite[finite.length - 1 - skip];
  const spread = high - low || Math.max(Math.abs(high), 1);
  return [low - margin * spread, high + margin * spread];
}

// Only what a canvas can take: a gap where a function is infinite.
function drawable(values) {
  return values.map((y) => (Number.isFinite(y) ? y : NaN));
}

// The sliders' handles have a role but no name of their own.
function name_controls(args, context) {
  for (const control of Object.values(args.controls)) {
    const view = context.index.find_one(control);
    const handle = view?.shadow_el?.querySelector(".noUi-handle");
    if (handle) {
      handle.setAttribute("aria-label", control.title);
      handle.setAttribute("aria-valuetext", String(control.value));
    }
  }
  for (const [name, figure] of Object.entries(args.figures)) {
    const view = context.index.find_one(figure);
    view?.el?.setAttribute("role", "img");
    view?.el?.setAttribute("aria-label", args.alt?.[name] ?? name);
  }
}

// Lines where a function on a grid takes each of some rising values, by marching squares; a cell that
// touches infinity has none.
function contours(values, xs, ys, levels) {
  const into = { x0: [], y0: [], x1: [], y1: [] };
  const n = xs.length;
  for (let j = 0; j + 1 < ys.length; j += 1) {
    for (let i = 0; i + 1 < n; i += 1) {
      const a = values[j * n + i];
      const b = values[j * n + i + 1];
      const c = values[(j + 1) * n + i + 1];
      const d = values[(j + 1) * n + i];
      if (!Number.isFinite(a + b + c + d)) continue;
      const low = Math.min(a, b, c, d);
      const high = Math.max(a, b, c, d);
      for (const level of levels) {
        if (low < level && high >= level) cell(into, [a, b, c, d], xs[i], xs[i + 1], ys[j], ys[j + 1], level);
      }
    }
  }
  return into;
}

function cell(into, [a, b, c, d], left, right, bottom, top, level) {
  const ends = [];
  const across = (from, to) => left + ((right - left) * (level - from)) / (to - from);
  const along = (from, to) => bottom + ((top - bottom) * (level - from)) / (to - from);
  if (a < level !== b < level) ends.push([across(a, b), bottom]);
  if (b < level !== c < level) ends.push([right, along(b, c)]);
  if (d < level !== c < level) ends.push([across(d, c), top]);
  if (a < level !== d < level) ends.push([left, along(a, d)]);
  for (let k = 0; k + 1 < ends.length; k += 2) {
    into.x0.push(ends[k][0]);
    into.y0.push(ends[k][1]);
    into.x1.push(ends[k + 1][0]);
    into.y1.push(ends[k + 1][1]);
  }
}
