// Made of workbench/pages/entries/conjugates.js and what it imports: change those, and run: python -m workbench.pages.bundling
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
function shifted(mantissa, places2) {
  const [whole, part = ""] = mantissa.split(".");
  const at = whole.length + places2, point = Math.max(at, 1);
  const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
  return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}

// runtime/drawings.js
var state = { pending: false, theta: "" };
function shown(x, digits = 4) {
  if (Number.isNaN(x)) return "not defined";
  if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
  if (Math.abs(x) < 1e-9) return "0";
  const size = Math.abs(x);
  const text = size < 1e-3 || size >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(digits)));
  return numerals(text);
}
function spaced(low, high, count) {
  return Array.from({ length: count }, (_, k) => low + (high - low) * k / (count - 1));
}
function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}
var HERE = { sync: false };
function put(source, data) {
  source.setv({ data }, HERE);
}
function write(line, text) {
  const box = state.index?.find_one(line)?.shadow_el?.querySelector(".bk-clearfix");
  if (!box) line.setv({ text }, HERE);
  else if (box.innerHTML !== text) box.innerHTML = text;
}
function fill_image(source, [left, right], [low, high]) {
  const { image } = source.data;
  put(source, { image, x: [left], y: [low], dw: [right - left], dh: [high - low] });
}
function sentence(line, text) {
  write(line, `<div class="wb-line">${numerals(text)}</div>`);
}
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
function code_box(text) {
  const button = '<button type="button" data-do="copy">Copy</button>';
  return `<div class="wb-copy">${button}<pre class="wb-code" tabindex="0">${escaped(text)}</pre></div>`;
}
function listed(theta) {
  return Object.entries(theta).map(([name, value]) => `${name} = ${shown(value)}`).join(", ");
}
function set_formula(latex) {
  return `<wb-tex>${escaped(latex)}</wb-tex>`;
}
function set_range(range, low, high) {
  if (range.start !== low || range.end !== high) range.setv({ start: low, end: high }, HERE);
}
function around(values, margin = 0.08, cut = 0) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (!finite.length) return [-1, 1];
  const skip = Math.floor(cut * finite.length);
  const low = finite[0];
  const high = finite[finite.length - 1 - skip];
  const spread = high - low || Math.max(Math.abs(high), 1);
  return [low - margin * spread, high + margin * spread];
}
function soon(paint2, args, context) {
  if (state.pending) return;
  state.pending = true;
  queueMicrotask(() => {
    state.pending = false;
    const started = performance.now();
    paint2(args, context);
    window.wb_last_paint = performance.now() - started;
  });
}
function drawable(values) {
  return values.map((y) => Number.isFinite(y) ? y : NaN);
}
function name_controls(args, context) {
  for (const control of Object.values(args.controls)) {
    const view = context.index.find_one(control);
    const handle = view?.shadow_el?.querySelector(".noUi-handle");
    if (handle) {
      handle.setAttribute("aria-label", control.title);
      handle.setAttribute("aria-valuetext", String(control.value));
    }
  }
}

// runtime/printed.js
var printed = {};
function drawn_by(draw2) {
  return (functions2) => {
    Object.assign(printed, functions2);
    return draw2;
  };
}

// conjugates/curves.js
var COUNT = 401;
var CLOSEST = [0.01, 1e-4, 1e-6, 1e-9, 1e-12];
var TANGENTS = 29;
var FAN = 7;
var HALVINGS = 60;
function tabled(table, x) {
  const { x: xs, y: ys } = table;
  if (!(x >= xs[0] && x <= xs[xs.length - 1])) return NaN;
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle;
  }
  return ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low]);
}
function from_table(table) {
  const step = (table.x[table.x.length - 1] - table.x[0]) / table.x.length;
  const value = (x) => tabled(table, x);
  return [value, (x) => (value(x + step) - value(x - step)) / (2 * step)];
}
function passing(slope, [first, last], wanted) {
  let low = Number.isFinite(first) ? first : Math.min(-1, last - 1);
  let high = Number.isFinite(last) ? last : Math.max(1, first + 1);
  for (let step = 1; !Number.isFinite(first) && !(slope(low) < wanted) && step < 1e300; step *= 2) low -= step;
  for (let step = 1; !Number.isFinite(last) && slope(high) < wanted && step < 1e300; step *= 2) high += step;
  for (let k = 0; k < HALVINGS; k += 1) {
    const middle = 0.5 * (low + high);
    if (slope(middle) < wanted) low = middle;
    else high = middle;
  }
  return [low, high];
}
function solved(value, slope, ends, own_ends) {
  const at = (x) => {
    const pair = passing(slope, ends, x);
    const heights = pair.map((y) => x * y - value(y));
    return heights[0] > heights[1] || !Number.isFinite(heights[1]) ? [heights[0], pair[0]] : [heights[1], pair[1]];
  };
  return [(x) => x >= own_ends[0] && x <= own_ends[1] ? at(x)[0] : Infinity, (x) => at(x)[1]];
}
var DENSE = 12;
var NEAR_END = 1e3;
var FAR_END = 1e6;
var STEPS_OUT = 400;
function enveloped(printed2, theta) {
  const p_ends = [printed2.p_low(0, theta), printed2.p_high(0, theta)];
  const p = (u) => {
    const y = printed2.given(u, theta);
    return Number.isNaN(y) ? Infinity : y;
  };
  const out = spaced(Math.log(DENSE), Math.log(FAR_END), STEPS_OUT).map(Math.exp);
  const all = [...spaced(-DENSE, DENSE, 4801), ...out, ...out.map((u) => -u), ...p_ends];
  const us = [...new Set(all)].filter((u) => Number.isFinite(u) && u >= p_ends[0] && u <= p_ends[1]).sort((a, b) => a - b);
  const ps = us.map(p), hull = [];
  us.forEach((u, k) => {
    if (!Number.isFinite(ps[k])) return;
    const rises = ([a, y], [b, z]) => (z - y) / (b - a);
    while (hull.length > 1 && rises(hull.at(-2), hull.at(-1)) >= rises(hull.at(-1), [u, ps[k]])) hull.pop();
    hull.push([u, ps[k]]);
  });
  const highest = (v, reach) => hull.reduce((best, [u, y]) => Math.abs(u) <= reach && u * v - y > best[0] ? [u * v - y, u] : best, [-Infinity, NaN]);
  const slope = (a, b) => (b[1] - a[1]) / (b[0] - a[0]);
  const simple = (s) => Math.abs(s) < 2e-3 ? 0 : Math.abs(s) > NEAR_END ? Math.sign(s) * Infinity : s;
  const many = hull.length > 1, [first, last] = [hull[0][0] <= -NEAR_END, hull.at(-1)[0] >= NEAR_END];
  const q_ends = [first && many ? simple(slope(hull[0], hull[1])) : -Infinity, last && many ? simple(slope(hull.at(-2), hull.at(-1))) : Infinity];
  const middle = clamp(0, ...q_ends), [whole] = highest(middle, Infinity), [near] = highest(middle, NEAR_END);
  const is_unbounded = ps.includes(-Infinity) || !(q_ends[0] <= q_ends[1]) || !Number.isFinite(middle) || !(whole <= near + 1 + 1e-3 * Math.abs(near));
  const step = (u) => 1e-6 * (1 + Math.abs(u));
  return {
    p,
    p_ends,
    q_ends,
    is_unbounded,
    knots: [],
    p_slope: (u) => (p(u + step(u)) - p(u - step(u))) / (2 * step(u)),
    q: (v) => v >= q_ends[0] && v <= q_ends[1] ? highest(v, NEAR_END)[0] : Infinity,
    q_slope: (v) => highest(v, NEAR_END)[1],
    envelope: (u) => {
      if (!(u >= hull[0][0] && u <= hull.at(-1)[0])) return NaN;
      const k = Math.max(1, hull.findIndex(([x]) => x >= u)), [a, y] = hull[k - 1];
      return many ? y + slope(hull[k - 1], hull[k]) * (u - a) : y;
    }
  };
}
function functions(printed2, count, tables, theta) {
  if (!printed2.p_slope && printed2.given) return enveloped(printed2, theta);
  const end = (name) => printed2[name](0, theta);
  const made = { p_ends: [end("p_low"), end("p_high")], q_ends: [end("q_low"), end("q_high")] };
  for (const [name, other] of [["p", "q"], ["q", "p"]]) {
    const formula = (of) => [(x) => printed2[of](x, theta), (x) => printed2[`${of}_slope`](x, theta)];
    const known = printed2[name] ? formula(name) : tables[name] && from_table(tables[name]);
    [made[name], made[`${name}_slope`]] = known || solved(...formula(other), made[`${other}_ends`], made[`${name}_ends`]);
  }
  const knots = Array.from({ length: count }, (_, k) => printed2[`knot_${k}`](0, theta));
  made.knots = knots.filter((x) => !Number.isNaN(x));
  return made;
}
function side(ends, places2) {
  const [low, high] = ends;
  if (Number.isFinite(low) && Number.isFinite(high)) {
    const pad = 0.2 * (high - low) || 1;
    return [low - pad, high + pad];
  }
  if (Number.isFinite(low)) return [low - 0.6, Math.max(low + 4, ...places2.map((x) => x + 2.5))];
  if (Number.isFinite(high)) return [Math.min(high - 4, ...places2.map((x) => x - 2.5)), high + 0.6];
  return [Math.min(-4, ...places2.map((x) => x - 2.5)), Math.max(4, ...places2.map((x) => x + 2.5))];
}
function windows(f) {
  const u = side(f.p_ends, f.knots);
  const inside = spaced(Math.max(u[0], f.p_ends[0]), Math.min(u[1], f.p_ends[1]), 42).slice(1, -1);
  const slopes = inside.map(f.p_slope).filter(Number.isFinite).sort((a, b) => a - b);
  let v = slopes.length ? [slopes[Math.floor(slopes.length / 20)], slopes[Math.ceil(slopes.length * 0.93) - 1]] : [-1, 1];
  v = [clamp(v[0], -12, 12), clamp(v[1], -12, 12)];
  const known = f.q_ends.map((end, k) => Number.isFinite(end) ? end : v[k]);
  const low = Math.min(v[0], known[0]);
  const high = Math.max(v[1], known[1]);
  const pad = 0.15 * (high - low) || 1;
  return { u, v: [low - pad, high + pad] };
}
function places([low, high], more) {
  const xs = spaced(low, high, COUNT);
  const extra = more.filter((x) => Number.isFinite(x) && x > low && x < high);
  return xs.concat(extra).sort((a, b) => a - b);
}
function slopes_of(f, us) {
  const [low, high] = f.p_ends;
  const near = [
    ...f.knots.flatMap((x) => [x - 1e-9 * (1 + Math.abs(x)), x + 1e-9 * (1 + Math.abs(x))]),
    ...CLOSEST.flatMap((step) => [low + step * (1 + Math.abs(low)), high - step * (1 + Math.abs(high))])
  ];
  const inside = [...us, ...near].filter((u) => u > low && u < high);
  return inside.map(f.p_slope).filter(Number.isFinite);
}
function biconjugate(f, us, vs) {
  const ends = f.q_ends.filter(Number.isFinite);
  const slopes = slopes_of(f, us);
  const known = [...vs, ...ends, ...slopes].map((v) => [v, f.q(v)]).filter(([, q]) => Number.isFinite(q));
  const reached = slopes.filter((v) => Number.isNaN(f.q(v)));
  const [least, most] = [reached.some((v) => v < 0), reached.some((v) => v > 0)];
  const [low, high] = known.reduce(([a, b], [v]) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  let worst = 0;
  const p = us.map((u) => {
    const slope = f.p_slope(u);
    if (u < f.p_ends[0] || u > f.p_ends[1] || least && slope < low || most && slope > high) return NaN;
    const best = known.reduce((height, [v, q]) => Math.max(height, u * v - q), -Infinity);
    const true_height = f.p(u);
    if (Number.isFinite(true_height)) worst = Math.max(worst, Math.abs(true_height - best) / (1 + Math.abs(true_height)));
    return best;
  });
  return { p, worst, whole: !reached.length };
}
function tangents(f, { u: [low, high], v: window2 }) {
  const [first, last] = [Math.max(low, f.p_ends[0]), Math.min(high, f.p_ends[1])];
  const pad = 1e-3 * (last - first);
  const corners = [...f.knots, ...f.p_ends].filter((u) => Number.isFinite(u) && u >= low && u <= high);
  const fans = corners.flatMap((u) => {
    const h = 1e-6 * (1 + Math.abs(u)), sides = [u - h, u + h].map((x, k) => x < f.p_ends[0] || x > f.p_ends[1] ? window2[k] : f.p_slope(x));
    return sides.every(Number.isFinite) ? spaced(...sides, FAN) : [];
  });
  const slopes = spaced(first + pad, last - pad, TANGENTS).map(f.p_slope).concat(f.q_ends, fans);
  const found = [...new Set(slopes)].map((v) => [v, f.q(v)]);
  return found.filter(([v, q]) => Number.isFinite(v) && Number.isFinite(q));
}
function opening(f, wish, step) {
  const [low, high] = f.q_ends;
  const grid = (v2) => Number((step * Math.round(v2 / step)).toPrecision(6));
  let v = wish;
  if (!(v > low && v < high)) {
    if (Number.isFinite(low + high)) v = low + 0.68 * (high - low);
    else v = Number.isFinite(low) ? Math.max(low + step, Number.isFinite(wish) ? wish : 0) : Math.min(high - step, wish || 0);
  }
  return [grid(v), grid(v - step), grid(v + step), v].find((x) => Number.isFinite(f.q(x))) ?? v;
}

// conjugates/browser.js
var MAP = 90;
var ANSWERS = ["x-pair", "x-claims", "x-steps"];
function current(args) {
  const theta = {};
  for (const name of args.parameters) theta[name] = Number(args.controls[`par_${name}`].value.toPrecision(12));
  return theta;
}
function region_of(theta) {
  return printed.region ? printed.region(0, theta) : 0;
}
function curves(args, f) {
  const { u: uw, v: vw } = state.windows;
  const us = places(uw, [...f.p_ends, ...f.knots]);
  const ps = us.map(f.p);
  const vs = places(vw, f.q_ends);
  const qs = vs.map(f.q);
  put(args.sources.primal, { u: us, p: drawable(ps) });
  put(args.sources.dual, { v: vs, q: drawable(qs) });
  const inner = us.map((x, k) => x >= f.p_ends[0] && x <= f.p_ends[1] ? ps[k] : NaN);
  const low_high = around(inner, 0.12, 0.03);
  low_high[0] = Math.min(low_high[0], -0.4 * (low_high[1] - low_high[0]));
  for (const [, given] of args.jumps) low_high[1] = Math.max(low_high[1], 1.15 * given);
  for (const name of ["primal", "tangents"]) {
    set_range(args.figures[name].x_range, ...uw);
    set_range(args.figures[name].y_range, ...low_high);
  }
  set_range(args.figures.dual.x_range, ...vw);
  set_range(args.figures.dual.y_range, ...around(qs, 0.12, 0.03));
  set_range(args.figures.gap.x_range, ...uw);
  set_range(args.figures.gap.y_range, ...vw);
  show_biconjugate(args, f, us, vs);
  gap_map(args, f, uw, vw);
  state.low_high = low_high;
}
function show_biconjugate(args, f, us, vs) {
  const [a, b] = [us[0], us[us.length - 1]];
  const lines = tangents(f, state.windows);
  put(args.sources.tangents, {
    xs: lines.map(() => [a, b]),
    ys: lines.map(([v, q]) => [v * a - q, v * b - q])
  });
  if (f.envelope) {
    const heights = us.map(f.envelope);
    put(args.sources.biconjugate, { u: us, p: drawable(heights) });
    const below = us.map((u, k) => f.p(u) - heights[k]).map((gap) => gap > 1e-3 && Number.isFinite(gap) ? gap : 0);
    const most = below.reduce((best, gap, k) => gap > below[best] ? k : best, 0);
    sentence(
      args.lines.tangents,
      below[most] === 0 ? "p** equals p on this window, as for every closed convex function." : `p** is the convex envelope of p, the largest convex function below it. At u = ${shown(us[most])} p** = ${shown(heights[most])} lies ${shown(below[most])} below p = ${shown(f.p(us[most]))}, and every tangent does too.`
    );
    return;
  }
  const thin = us.filter((u, k) => k % 2 === 0 || f.knots.includes(u) || f.p_ends.includes(u));
  const { p, worst, whole } = biconjugate(f, thin, vs);
  put(args.sources.biconjugate, { u: thin, p: drawable(p) });
  const missing = whole ? "" : " It stops where q was not computed.";
  const agreement = worst < 1e-9 ? "equals p up to rounding" : `differs from p by at most ${shown(worst, 2)}, relative to 1 + |p|`;
  const [jump] = args.jumps;
  const reason = jump ? ` but at u = ${shown(jump[0])}: it is the closure of p that is the supremum of its tangents` : ": a closed convex function is the supremum of its tangents";
  sentence(
    args.lines.tangents,
    `Tangents v·u − q(v) of ${lines.length} slopes, a fan of them at each kink. The supremum over all slopes, p**, ${agreement} on the whole window${reason}.${missing}`
  );
}
function gap_map(args, f, uw, vw) {
  const us = spaced(...uw, 2 * MAP + 1).filter((_, k) => k % 2 === 1);
  const vs = spaced(...vw, 2 * MAP + 1).filter((_, k) => k % 2 === 1);
  const ps = us.map(f.p);
  const qs = vs.map(f.q);
  const image = args.sources.map.data.image[0];
  for (let j = 0; j < MAP; j += 1) {
    for (let i = 0; i < MAP; i += 1) {
      const gap = ps[i] + qs[j] - us[i] * vs[j];
      image[j * MAP + i] = Number.isFinite(gap) ? Math.sqrt(Math.max(gap, 0)) : NaN;
    }
  }
  const top = around(image, 0, 0.05)[1];
  args.colours.setv({ low: 0, high: top > 0 ? top : 1 }, { sync: false });
  fill_image(args.sources.map, uw, vw);
  const inside = places(uw, f.knots).filter((u) => u > f.p_ends[0] && u < f.p_ends[1]);
  const curve = { u: [], v: [] };
  for (const u of inside) {
    const jump = f.knots.some((k) => k === u);
    const h = 1e-6 * (1 + Math.abs(u));
    const slopes = jump ? [f.p_slope(u - h), f.p_slope(u + h)] : [f.p_slope(u)];
    for (const v of slopes) {
      curve.u.push(u);
      curve.v.push(Number.isFinite(v) ? v : NaN);
    }
  }
  put(args.sources.matched, curve);
}
function pointers(args, f) {
  const { u: uw, v: vw } = state.windows;
  const u = args.controls.u.value;
  const v = args.controls.v.value;
  const p = f.p(u);
  const q = f.q(v);
  const gap = p + q - u * v;
  const touch = touching(f, v);
  const finite = Number.isFinite(q);
  const far = finite ? [uw[0], uw[1]] : [NaN, NaN];
  put(args.sources.tangent, { u: far, y: far.map((x) => v * x - q) });
  put(args.sources.touch, finite && Number.isFinite(touch) ? { u: [touch], y: [f.p(touch)] } : { u: [], y: [] });
  put(args.sources.intercept, { u: [0, 0], y: finite ? [0, -q] : [NaN, NaN] });
  const both = Number.isFinite(gap);
  put(args.sources.probe, { u: both ? [u, u] : [], y: both ? [u * v - q, p] : [] });
  put(args.sources.point, finite ? { v: [v], q: [q] } : { v: [], q: [] });
  const slope = finite && Number.isFinite(touch) ? vw.map((x) => q + touch * (x - v)) : [NaN, NaN];
  put(args.sources.dual_tangent, { v: vw, q: slope });
  put(args.sources.cross, { u: [u], v: [v] });
  visit(args, v, q);
  tell(args, { f, u, v, p, q, gap, touch, finite });
}
function touching(f, v) {
  const [low, high] = f.q_ends;
  const inner = v === low || v === high ? v + (v === low ? 1 : -1) * 1e-9 * (1 + Math.abs(v)) : v;
  let u = f.q_slope(inner);
  if (Number.isNaN(u)) u = f.knots[0] ?? 0;
  return clamp(u, Math.max(f.p_ends[0], -1e6), Math.min(f.p_ends[1], 1e6));
}
function visit(args, v, q) {
  const hidden = args.controls.predict.active;
  args.hidden.forEach((renderer) => {
    if (renderer.visible === hidden) renderer.setv({ visible: !hidden }, { sync: false });
  });
  for (const id of ANSWERS) document.getElementById(id)?.toggleAttribute("hidden", hidden);
  if (hidden && !state.hiding) state.hand = [];
  state.hiding = hidden;
  put(args.sources.hand, { v: (state.hand ?? []).map((e) => e[0]), q: (state.hand ?? []).map((e) => e[1]) });
  if (!hidden) state.visited = [];
  else if (Number.isFinite(q)) state.visited = [...state.visited.slice(-400), [v, q]];
  put(args.sources.visited, { v: state.visited.map((e) => e[0]), q: state.visited.map((e) => e[1]) });
}
function draw_by_hand({ x, y }, begins) {
  const last = begins ? x : state.pen ?? x;
  const [left, right] = [Math.min(last, x), Math.max(last, x)];
  state.hand = [...(state.hand ?? []).filter(([v]) => (v <= left || v >= right) && v !== x), [x, y]].sort((a, b) => a[0] - b[0]);
  state.pen = x;
}
function verdict(f) {
  const hand = state.hand ?? [];
  if (hand.length < 3) return "";
  const [first, last] = [hand[0][0], hand[hand.length - 1][0]];
  const away = spaced(first, last, 101).map((v) => {
    const k = Math.max(1, hand.findIndex(([x]) => x >= v));
    const [[a, low], [b, high]] = [hand[k - 1], hand[k]];
    return Math.abs(low + (high - low) * (v - a) / (b - a || 1) - f.q(v));
  }).filter(Number.isFinite);
  if (!away.length) return `<b class="bad">q is +∞ all along your curve.</b> `;
  const mean = away.reduce((sum, each) => sum + each, 0) / away.length;
  const outside = away.length < 100 ? " where q is finite; elsewhere it is +∞" : "";
  return `<b>Your curve is ${shown(mean, 2)} away from q on average, ${shown(Math.max(...away), 2)} at most${outside}.</b> `;
}
function enclosed(x) {
  return shown(x).startsWith("−") ? `(${shown(x)})` : shown(x);
}
function tell(args, { f, u, v, p, q, gap, touch, finite }) {
  sentence(
    args.lines.primal,
    finite ? `The tangent of slope v = ${shown(v)} touches p at u = ${shown(touch)} and meets the axis at −q(v) = ${shown(-q)}. At u = ${shown(u)} it runs ${shown(gap)} below p.` : `<span class="bad">No line of slope ${shown(v)} stays below p: q(v) = +∞.</span>`
  );
  sentence(
    args.lines.dual,
    args.controls.predict.active ? `${state.visited.length} points found. Draw q here by hand, or move v: the tangent meets the axis at −q(v).` : `${verdict(f)}q(${shown(v)}) = ${shown(q)}; its slope there is u = ${finite ? shown(touch) : "none"}.`
  );
  const matched = Math.abs(gap) < 1e-3 * (1 + Math.abs(p));
  const zeros = args.convex ? "on the dashed curve" : "where the dashed curve passes places with p** = p";
  sentence(
    args.lines.gap,
    args.controls.predict.active ? "The map of the gap needs q, so it is hidden as well." : `p(u) + q(v) − u·v = ${shown(p)} + ${enclosed(q)} − ${enclosed(u * v)} = <b class="${matched ? "good" : ""}">${shown(Math.abs(gap) < 1e-12 ? 0 : gap)}</b>${matched ? ": u and v are matched." : `, never below 0; 0 ${zeros}.`}`
  );
  if (!args.convex) {
    write(args.code, code_box(`${args.python}  # refused: p is not convex`));
    return;
  }
  const values = args.parameters.map((name) => `, ${name}=${args.controls[`par_${name}`].value}`);
  const plain = (x) => Number.isFinite(x) ? String(x) : `${x < 0 ? "-" : ""}float('inf')`;
  write(
    args.code,
    code_box(`${args.python}
u, v = ${plain(u)}, ${plain(v)}
gap = pair.p(u${values.join("")}) + pair.q(v${values.join("")}) - u * v
print(gap, pair.verify().status)`)
  );
}
function dragged(args, f, event) {
  const name = event.model?.name ?? event.origin?.name;
  const { v } = args.controls;
  const fit = (control, x) => {
    control.value = Number(clamp(x, control.start, control.end).toPrecision(6));
  };
  if (name === "primal" || name === "tangents") {
    const reach = 0.02 * (state.windows.u[1] - state.windows.u[0]);
    const kink = f.knots.find((k) => Math.abs(k - event.x) < reach);
    if (kink === void 0) {
      const slope = f.p_slope(clamp(event.x, ...f.p_ends));
      if (Number.isFinite(slope)) fit(v, slope);
      return;
    }
    const h = 1e-6 * (1 + Math.abs(kink));
    const ends = [f.p_slope(kink - h), f.p_slope(kink + h)].map((s, k) => Number.isFinite(s) ? s : state.windows.v[k]);
    const share = clamp((event.y - state.low_high[0]) / (state.low_high[1] - state.low_high[0]), 0, 1);
    fit(v, ends[0] + share * (ends[1] - ends[0]));
  } else if (name === "dual") {
    if (args.controls.predict.active) draw_by_hand(event, event.event_name === "panstart" || event.name === "panstart");
    else fit(v, event.x);
  } else if (name === "gap") {
    fit(args.controls.u, event.x);
    fit(v, event.y);
  }
}
function announce(args, theta, region, hidden) {
  if (!args.banner) return;
  if (!args.convex) {
    const found = bend((u) => printed.given(u, theta));
    show_chord(args, found);
    write(args.banner, `<div class="wb-line wb-banner">${found ? risen(found) : "No chord was found that p rises above."}</div>`);
    return;
  }
  if (args.jumps.length) {
    const [u, given, closed] = args.jumps[0];
    put(args.sources.chord, { u: [u, u], y: [closed, given] });
    write(
      args.banner,
      `<div class="wb-line wb-banner">p is convex, but not closed: p(${shown(u)}) = ${shown(given)} as given, and ${shown(closed)} is where p comes from inside. Tangents see the closure alone, so p**(${shown(u)}) = ${shown(closed)}: the gap of ${shown(given - closed)} stays.</div>`
    );
    return;
  }
  const { where, latex } = args.cases[region];
  const count = args.cases.length;
  const which = count > 1 ? `case ${region + 1} of ${count}, <b>${escaped(where)}</b>` : `within <b>${escaped(where)}</b>`;
  write(
    args.banner,
    `<div class="wb-line wb-banner">${escaped(listed(theta))}: ${which}.${hidden ? "" : set_formula(`q(${args.variable}) = ${latex}`)}</div>`
  );
}
function bend(p) {
  const centres = [0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 5, -5, 10, -10];
  for (const step of [1, 2, 0.5, 0.25, 0.1, 5, 0.01]) {
    for (const middle of centres) {
      const [a, m, b] = [middle - step, middle, middle + step].map(p);
      if (m - (a + b) / 2 > 1e-9 * (1 + Math.abs(a) + Math.abs(b))) return { middle, step, ends: [a, b], height: m };
    }
  }
  return null;
}
function risen({ middle, step, ends, height }) {
  return `p is not convex: between u = ${shown(middle - step)} and u = ${shown(middle + step)} the chord passes u = ${shown(middle)} at height ${shown((ends[0] + ends[1]) / 2)}, and p, ${shown(height)} there, lies above it.`;
}
function show_chord(args, found) {
  const { middle, step, ends } = found ?? {};
  put(args.sources.chord, found ? { u: [middle - step, middle + step], y: ends } : { u: [], y: [] });
}
function refuse(args, theta) {
  for (const [name, source] of Object.entries(args.sources)) {
    if (name !== "map") put(source, Object.fromEntries(Object.keys(source.data).map((column) => [column, []])));
  }
  const { image, x, y, dw, dh } = args.sources.map.data;
  image[0].fill(NaN);
  fill_image(args.sources.map, [x[0], x[0] + dw[0]], [y[0], y[0] + dh[0]]);
  const index = printed.excluded?.(0, theta) ?? -1;
  const { where, reason } = args.excluded[index] ?? { where: "", reason: "" };
  const p = printed.given ? (u) => printed.given(u, theta) : null;
  const found = p && bend(p);
  if (found) {
    const { middle, step, ends, height } = found;
    const us = spaced(middle - 2 * Math.max(step, 1), middle + 2 * Math.max(step, 1), COUNT);
    const ps = us.map(p);
    put(args.sources.primal, { u: us, p: drawable(ps) });
    show_chord(args, found);
    put(args.sources.probe, { u: [middle, middle], y: [(ends[0] + ends[1]) / 2, height] });
    set_range(args.figures.primal.x_range, us[0], us[COUNT - 1]);
    set_range(args.figures.primal.y_range, ...around(ps, 0.12));
  }
  const shows = found ? risen(found) : args.convex ? `For ${escaped(where)}, ${escaped(reason)}.` : "";
  const outside = args.convex ? `<span class="bad">${escaped(listed(theta))} is outside ${escaped(args.conditions)}</span>, so there is no conjugate.` : `<span class="bad">No line lies below p: p** = −∞ and q = +∞.</span>`;
  write(args.banner, `<div class="wb-line wb-banner">${outside} ${shows}${args.convex ? " Move the slider back." : ""}</div>`);
  for (const [name, line] of Object.entries(args.lines)) {
    sentence(line, name === "primal" && found ? "p with the chord that it rises above." : args.convex ? `None outside ${escaped(args.conditions)}.` : "None: no line lies below p.");
  }
  write(args.code, code_box(`${args.python}
print(pair.conditions, pair.witness)`));
}
function widened(seen, next) {
  const join = ([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)];
  return { u: join(seen.u, next.u), v: join(seen.v, next.v) };
}
function round_step(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return Number((([1, 2, 5].find((each) => each * power >= least) ?? 10) * power).toPrecision(1));
}
function limit_sliders(args) {
  for (const name of ["u", "v"]) {
    const [low, high] = state.windows[name];
    const size = round_step((high - low) / 400);
    args.controls[name].setv({ start: size * Math.floor(low / size), end: size * Math.ceil(high / size), step: size });
  }
}
function place_sliders(args, f) {
  const { u: uw, v: vw } = state.windows;
  const { u, v } = args.controls;
  limit_sliders(args);
  const round = (control, x) => control.step * Math.round(x / control.step);
  const touch = uw[0] + 0.68 * (uw[1] - uw[0]);
  if (args.start.v === null) {
    const slope = f.p_slope(clamp(touch, ...f.p_ends));
    args.controls.v.value = opening(f, Number.isFinite(slope) ? clamp(slope, ...vw) : NaN, v.step);
  }
  if (args.start.u === null) args.controls.u.value = Number(round(u, uw[0] + 0.35 * (uw[1] - uw[0])).toPrecision(6));
}
function paint(args, context) {
  const theta = current(args);
  state.index = context.index;
  const region = region_of(theta);
  const text = JSON.stringify(theta);
  if (region < 0) {
    state.theta = state.announced = null;
    refuse(args, theta);
    return;
  }
  const f = state.theta === text ? state.functions : functions(printed, args.knots, args.tables, theta);
  state.functions = f;
  if (f.is_unbounded) {
    state.theta = state.announced = null;
    refuse(args, theta);
    return;
  }
  if (!state.windows) {
    state.windows = windows(f);
    state.visited = [];
    place_sliders(args, f);
    name_controls(args, context);
    state.theta = null;
  } else if (state.region !== region) {
    state.windows = widened(state.windows, windows(f));
    limit_sliders(args);
  }
  state.region = region;
  if (state.theta !== text) {
    state.theta = text;
    state.visited = [];
    state.hand = [];
    curves(args, f);
  }
  const hidden = args.controls.predict.active;
  if (state.announced !== text + hidden) announce(args, theta, region, hidden);
  state.announced = text + hidden;
  pointers(args, f);
}
function draw(args, origin, _data, context) {
  if (origin?.event_name && state.theta) dragged(args, state.functions, origin);
  soon(paint, args, context);
}

// entries/conjugates.js
var drawing = drawn_by(draw);
export {
  drawing
};
