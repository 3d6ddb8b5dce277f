// Made of workbench/pages/entries/transfer.js and what it imports: change those, and run: python -m workbench.pages.bundling
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
function sides(figure, [low, high], least2 = 0) {
  const shape = figure.inner_width > 0 ? figure.inner_width / figure.inner_height : 1;
  const middle = 0.5 * (low + high);
  const half = 0.5 * Math.max(high - low, least2 / shape);
  return { x: [middle - shape * half, middle + shape * half], y: [middle - half, middle + half] };
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

// runtime/mirror.js
function mirror(formulas, c, theta, { linear, lower }) {
  const d = c.length;
  const sum = (v) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) total += c[j] * formulas.inner(v[j], theta);
    return total;
  };
  const size = (w) => {
    let total = 0;
    for (let j = 0; j < d; j += 1) {
      if (w[j] < lower) return Infinity;
      total += formulas.primal(w[j], c[j], theta);
    }
    return total;
  };
  const map = (v) => {
    const total = sum(v);
    if (!linear && !(total > 0)) return Array.from(v, () => 0);
    const factor = formulas.outer_slope(total, theta);
    return Array.from(v, (x, j) => factor * c[j] * formulas.slope(x, theta));
  };
  const outer = (total) => formulas.outer(total, theta);
  const primal_outer = (total) => formulas.primal_outer(total, theta);
  return { sum, size, map, outer, primal_outer, h: (v) => outer(sum(v)), g: (w) => primal_outer(size(w)) };
}

// runtime/printed.js
var printed = {};
function drawn_by(draw2) {
  return (functions) => {
    Object.assign(printed, functions);
    return draw2;
  };
}

// runtime/sets.js
var RAYS = 360;
var THIN_RAYS = 180;
var HALVINGS = 44;
var THIN_HALVINGS = 18;
var COARSE = 31;
function edge_distance(along, level, from, to, halvings) {
  if (along(to) <= level) return NaN;
  let [low, high] = [from, to];
  for (let k = 0; k < halvings; k += 1) {
    const middle = 0.5 * (low + high);
    if (along(middle) <= level) low = middle;
    else high = middle;
  }
  return Number.isFinite(along(high)) ? low : NaN;
}
function inside_point(f, { x, y }) {
  let [best, at] = [f([0, 0]), [0, 0]];
  const inside = (v, [a, b]) => a < v && v < b;
  if (Number.isNaN(best) || !inside(0, x) || !inside(0, y)) best = Infinity;
  for (const b of spaced(...y, COARSE)) {
    for (const a of spaced(...x, COARSE)) {
      const value = f([a, b]);
      if (value < best - 1e-12) [best, at] = [value, [a, b]];
    }
  }
  return { at, best };
}
function edges(f, window2, levels, { at, best }, count, halvings) {
  const farthest = 2 * Math.hypot(window2.x[1] - window2.x[0], window2.y[1] - window2.y[0]);
  const known = levels.filter((level) => level >= best);
  const reached = known.map(() => []);
  for (let k = 0; k <= count; k += 1) {
    const angle = 2 * Math.PI * (k % count) / count;
    const way = [Math.cos(angle), Math.sin(angle)].map((e) => Math.abs(e) < 1e-15 ? 0 : e);
    const along = (r) => f([at[0] + r * way[0], at[1] + r * way[1]]);
    let from = 0;
    known.forEach((level, j) => {
      const r = edge_distance(along, level, from, farthest, halvings);
      if (Number.isFinite(r)) from = r;
      reached[j].push([at[0] + r * way[0], at[1] + r * way[1]]);
    });
  }
  const points = reached.flatMap((curve) => [...curve, [NaN, NaN]]);
  return { x: points.map((e) => e[0]), y: points.map((e) => e[1]) };
}

// transfer/contact.js
var SHARED = 0.5;
var BEST = [2, 1];
var CONTOURS = [0.3, 0.65, 1, 1.5, 2.2];
var LAMS = [0.01, 20, 40];
var GOLDEN = (Math.sqrt(5) - 1) / 2;
function misfit([a, b]) {
  const [x, y] = [a - BEST[0], b - BEST[1]];
  return 0.5 * (x * x + 2 * SHARED * x * y + y * y);
}
function least(f, low, high, rounds) {
  let best = [Infinity, 0];
  for (let k = 0; k < rounds; k += 1) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)], [left, right] = [f(a), f(b)];
    for (const found of [[left, a], [right, b]]) if (found[0] < best[0]) best = found;
    if (left === Infinity && right === Infinity ? Math.abs(low) < Math.abs(high) : left < right) high = b;
    else low = a;
  }
  return best[1];
}
function solution(g, lam, [low, high], total, rounds) {
  const cost = (w) => misfit(w) + lam * g(w);
  if (total !== null) {
    const share = least((w) => cost([w, total - w]), 0, total, rounds);
    return [share, total - share];
  }
  const second = (a) => least((b) => cost([a, b]), low, high, rounds);
  const first = least((a) => cost([a, second(a)]), low, high, rounds), found = [first, second(first)];
  const others = [[0, second(0)], [least((a) => cost([a, 0]), low, high, rounds), 0], [0, 0]];
  return others.reduce((best, w) => cost(w) <= cost(best) + 1e-7 ? w : best, found);
}
function ellipse(level) {
  const [far, near] = [level / (1 - SHARED), level / (1 + SHARED)].map((each) => Math.sqrt(2 * each));
  return spaced(0, 2 * Math.PI, 121).map((t) => {
    const [a, b] = [far * Math.cos(t) * Math.SQRT1_2, near * Math.sin(t) * Math.SQRT1_2];
    return [BEST[0] + a + b, BEST[1] - a + b];
  });
}
function drawn_points(points) {
  return { x: drawable(points.map((e) => e[0])), y: drawable(points.map((e) => e[1])) };
}
function contact(args, g, window2, total, is_new) {
  const lam = args.controls.lam.value, { contact: figure } = args.figures, { sources } = args;
  if (is_new) {
    const [first, last, count] = LAMS;
    const lams = spaced(Math.log(last), Math.log(first), count).map(Math.exp);
    put(sources.contact_path, drawn_points(lams.map((each) => solution(g, each, window2, total, 30))));
  }
  const sides_of = sides(figure, window2);
  const w = solution(g, lam, window2, total, 48), level = misfit(w), height = g(w);
  put(sources.contours, drawn_points(CONTOURS.filter((share) => share !== 1).flatMap((share) => [...ellipse(share * level), [NaN, NaN]])));
  put(sources.touching, drawn_points(ellipse(level)));
  put(sources.grown, total !== null ? { x: [0, total], y: [total, 0] } : height > 0 || g([0, 0]) < height ? level_at(g, sides_of, height) : nothing());
  put(sources.contact_point, drawn_points([w]));
  put(sources.best_point, drawn_points([BEST]));
  set_range(figure.x_range, ...sides_of.x);
  set_range(figure.y_range, ...sides_of.y);
  const zeros = w.flatMap((x, j) => x === 0 ? [`w${"₁₂"[j]}`] : []);
  const v = [0, 1].map((j) => (BEST[j] - w[j] + SHARED * (BEST[1 - j] - w[1 - j])) / lam);
  sentence(
    args.lines.contact,
    `At λ = ${shown(lam)} the contour of loss ${shown(level)} touches ${total === null ? `the ball g(w) ≤ ${shown(height)}` : "the simplex"} at w = (${shown(w[0])}, ${shown(w[1])})${zeros.length ? `, where ${zeros.join(" and ")} ${zeros.length > 1 ? "are" : "is"} exactly 0` : ""}. There v = −∇L(w)/λ = (${shown(v[0])}, ${shown(v[1])}). Move λ: as it falls the ball grows along the path.`
  );
}
var HELD_OUT = [1.1, 0.1];
var STEP = 0.02;
var LONGEST_RUN = 5e3;
function shifted2([a, b]) {
  return misfit([a + BEST[0] - HELD_OUT[0], b + BEST[1] - HELD_OUT[1]]);
}
function descent(map) {
  const v = [0, 0], way = [];
  let next = 1;
  for (let k = 1; k <= LONGEST_RUN; k += 1) {
    const [x, y] = map(v).map((w, j) => w - BEST[j]);
    v[0] -= STEP * (x + SHARED * y);
    v[1] -= STEP * (y + SHARED * x);
    if (k < next) continue;
    way.push([STEP * k, map(v)]);
    next = Math.max(k + 1, 1.06 * k);
  }
  return way;
}
function early_stopping(args, map) {
  const { x, y } = args.sources.contact_path.data, [first, last, count] = LAMS;
  const over_lam = spaced(-Math.log(last), -Math.log(first), count).map((e, k) => [Math.exp(e), [x[k], y[k]]]);
  const run = map ? descent(map).filter(([, w2]) => w2.every(Number.isFinite)) : [];
  const curve = (points) => ({ x: points.map(([t2]) => t2), y: points.map(([, w2]) => shifted2(w2)) });
  put(args.sources.held_out_path, curve(over_lam));
  put(args.sources.held_out_run, curve(run));
  put(args.sources.descent, drawn_points(run.map(([, w2]) => w2)));
  const heights = [...over_lam, ...run].map(([, w2]) => shifted2(w2));
  set_range(args.figures.stopping.y_range, ...around(heights));
  set_range(args.figures.stopping.x_range, 1 / last, 1 / first);
  const best = (points) => points.reduce((a, b) => shifted2(b[1]) < shifted2(a[1]) ? b : a);
  const [t, w] = best(over_lam), path = `Of the solutions that of λ = ${shown(1 / t, 2)} has the least held-out loss, ${shown(shifted2(w), 3)}`;
  if (!run.length) return sentence(args.lines.stopping, `${path}. h of a norm has no gradient to descend by.`);
  const [stop, at] = best(run), end = shifted2(run.at(-1)[1]);
  sentence(
    args.lines.stopping,
    `Without a regularizer the run w = ∇h(v) is best after ${Math.round(stop / STEP)} steps of ${STEP}, at ${shown(shifted2(at), 3)}, and ends at ${shown(end, 3)}. ${path}: stopping early is a regularizer, and the step size times the steps stands for 1/λ.`
  );
}

// transfer/browser.js
var LEVELS = 9;
function current(args) {
  const theta = {};
  for (const name of args.parameters) theta[name] = args.controls[`par_${name}`].value;
  if (args.kind === "simplex") theta.total = theta.mu_1 + theta.mu_2;
  return theta;
}
function weights(args, theta, d) {
  if (args.weights === "K") return Array.from({ length: d }, (_, j) => j === 0 || d > 2 ? 1 / theta.K : 1);
  if (args.weights === "1") return Array.from({ length: d }, () => 1);
  const mu = (j) => j % 2 === 0 ? theta.mu_1 : theta.mu_2;
  if (args.kind !== "simplex") return Array.from({ length: d }, (_, j) => mu(j));
  let total = 0;
  for (let j = 0; j < d; j += 1) total += mu(j);
  return Array.from({ length: d }, (_, j) => mu(j) / total);
}
var NORMS = {
  l1: (x) => x.reduce((sum, e) => sum + Math.abs(e), 0),
  l2: (x) => Math.hypot(...x),
  linf: (x) => x.reduce((most, e) => Math.max(most, Math.abs(e)), 0)
};
var DUAL = { l1: "linf", l2: "l2", linf: "l1" };
function regularizer(args, theta, d) {
  if (args.kind === "norm") {
    const dual = NORMS[DUAL[args.name]];
    return {
      sum: dual,
      outer: (x) => x,
      primal_outer: (x) => x,
      h: (v) => dual(v) <= 1 ? 0 : Infinity,
      map: (v) => dual(v) < 1 ? v.map(() => 0) : v.map(() => NaN),
      size: NORMS[args.name],
      g: NORMS[args.name]
    };
  }
  return mirror(printed, weights(args, theta, d), theta, args);
}
function w_window(args, theta) {
  return args.kind === "simplex" ? [-0.15 * theta.total, 1.2 * theta.total] : args.w_window;
}
function curves(args, theta) {
  const line = regularizer(args, theta, 1);
  const xs = spaced(args.v_window[0], args.v_window[1], 301);
  const hs = xs.map((x) => line.h([x]));
  const ws = xs.map((x) => line.map([x])[0]);
  put(args.sources.value, { v: xs, h: drawable(hs) });
  put(args.sources.slope, { v: xs, w: drawable(ws) });
  const tall = around(hs, 0.12, 0.04);
  set_range(args.figures.value.x_range, ...args.v_window);
  set_range(args.figures.slope.x_range, ...args.v_window);
  set_range(args.figures.value.y_range, Math.min(tall[0], -0.1 * tall[1]), Math.max(tall[1], 0.5));
  set_range(args.figures.slope.y_range, ...w_window(args, theta));
}
function one_dimension(args, theta, v) {
  const line = regularizer(args, theta, 1);
  const plane = regularizer(args, theta, 2);
  const xs = spaced(args.v_window[0], args.v_window[1], 151);
  put(args.sources.slice, { v: xs, w: drawable(xs.map((x) => plane.map([x, v[1]])[0])) });
  const here = [line.h([v[0]]), line.map([v[0]])[0]];
  put(args.sources.value_at, Number.isFinite(here[0]) ? { v: [v[0]], h: [here[0]] } : { v: [], h: [] });
  put(args.sources.slope_at, Number.isFinite(here[1]) ? { v: [v[0]], w: [here[1]] } : { v: [], w: [] });
  const tangent = args.v_window.map((x) => here[0] + here[1] * (x - v[0]));
  put(args.sources.tangent, { v: args.v_window, h: drawable(tangent) });
  sentence(
    args.lines.value,
    Number.isFinite(here[0]) ? `h(${shown(v[0])}) = ${shown(here[0])}; the slope there is the weight.` : `<span class="bad">h(${shown(v[0])}) = +∞: outside the dual ball.</span>`
  );
  sentence(
    args.lines.slope,
    Number.isNaN(here[1]) ? `A norm determines no weight at v = ${shown(v[0])}: inside the dual ball w = 0, on its boundary |w| is arbitrary.` : `In one dimension v = ${shown(v[0])} gives w = ${shown(here[1])}; in the plane, with v₂ = ${shown(v[1])}, it gives w₁ = ${shown(plane.map(v)[0])} (dashed).`
  );
}
function levels_of(f, { x, y }, best) {
  const values = spaced(...y, COARSE).flatMap((b) => spaced(...x, COARSE).map((a) => f([a, b])));
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  const high = finite[Math.floor(0.93 * (finite.length - 1))];
  return high > best ? spaced(1 / LEVELS, 1, LEVELS).map((share) => best + (high - best) * share ** 2) : [];
}
var nothing = () => ({ x: [], y: [] });
function level_lines(f, window2) {
  const lowest = inside_point(f, window2);
  return edges(f, window2, levels_of(f, window2, lowest.best), lowest, THIN_RAYS, THIN_HALVINGS);
}
function level_at(f, window2, level) {
  return level === null ? nothing() : edges(f, window2, [level], inside_point(f, window2), RAYS, HALVINGS);
}
function level_sets(args, theta) {
  const f = regularizer(args, theta, 2);
  const { v_plane, w_plane } = args.figures;
  const [vs, ws] = [sides(v_plane, args.v_window), sides(w_plane, w_window(args, theta))];
  put(args.sources.v_levels, level_lines(args.kind === "norm" ? f.sum : f.h, vs));
  put(args.sources.v_ball, level_at(f.sum, vs, args.v_ball));
  put(args.sources.w_levels, args.kind === "simplex" ? nothing() : level_lines(f.g, ws));
  put(args.sources.w_ball, level_at(f.size, ws, args.w_ball));
  const segment = { x: [0, theta.total], y: [theta.total, 0] };
  const edge = args.bounded ? level_at(f.size, ws, theta.B ** theta.p) : nothing();
  put(args.sources.w_edge, args.kind === "simplex" ? segment : edge);
  for (const [figure, window2] of [[v_plane, vs], [w_plane, ws]]) {
    set_range(figure.x_range, ...window2.x);
    set_range(figure.y_range, ...window2.y);
  }
}
function point_and_ring(args, theta, v) {
  const f = regularizer(args, theta, 2);
  const w = f.map(v);
  const radius = Math.hypot(...v);
  const ring = spaced(0, 2 * Math.PI, 181).map((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
  const images = ring.map(f.map);
  put(args.sources.v_ring, { x: ring.map((r) => r[0]), y: ring.map((r) => r[1]) });
  put(args.sources.w_ring, { x: drawable(images.map((r) => r[0])), y: drawable(images.map((r) => r[1])) });
  put(args.sources.v_point, { x: [v[0]], y: [v[1]] });
  const stands = w.every(Number.isFinite);
  put(args.sources.w_point, stands ? { x: [w[0]], y: [w[1]] } : { x: [], y: [] });
  const h = f.h(v);
  sentence(
    args.lines.v_plane,
    `v = (${shown(v[0])}, ${shown(v[1])}) has h = ${shown(h)}. ${args.v_text} Dotted: all v of the same length.`
  );
  sentence(
    args.lines.w_plane,
    stands ? `w = ∇h(v) = (${shown(w[0])}, ${shown(w[1])}) has g(w) = ${shown(args.kind === "simplex" ? f.size(w) : f.g(w))}, and v·w = ${shown(v[0] * w[0] + v[1] * w[1])} = g(w) + h(v). ${args.w_text}` : `No single w belongs to this v: h has a corner or is infinite there. ${args.w_text}`
  );
}
function real(args, theta) {
  const given = args.sources.real_v.data.v;
  if (!given.length) {
    sentence(args.lines.real, (args.sources.real_v.tags[0] ?? "") || "The problem whose v is mapped here is being solved ...");
    return;
  }
  const factor = args.controls.scale.value;
  const v = Float64Array.from(given, (x) => x * factor);
  const f = regularizer(args, theta, v.length);
  const w = args.kind === "norm" ? Array.from(v, () => 0) : f.map(v);
  let [zeros, negative, sum, most] = [0, 0, 0, 0];
  for (const x of w) {
    zeros += x === 0;
    negative += x < 0;
    sum += x;
    most = Math.max(most, Math.abs(x));
  }
  const picked = args.sources.real_picks.data.j;
  const vs = Array.from(picked, (j) => v[j]);
  const ws = Array.from(picked, (j) => w[j]);
  put(args.sources.real_points, {
    v: vs,
    w: drawable(ws),
    colour: ws.map((x) => x === 0 ? args.shades.zero : x < 0 ? args.shades.negative : args.shades.positive),
    marker: ws.map((x) => x === 0 ? "dash" : x < 0 ? "inverted_triangle" : "circle")
  });
  set_range(args.figures.real.x_range, ...around(vs, 0.06));
  set_range(args.figures.real.y_range, ...around([0, ...ws], 0.1));
  const dead = args.kind === "norm" ? `‖v‖ = ${shown(f.sum(v))} in the dual norm; w = 0 while it is below 1. ` : "";
  sentence(
    args.lines.real,
    `${args.sources.real_v.tags[0] ?? ""} ${dead}Of ${v.length.toLocaleString("en")} weights ${(v.length - zeros).toLocaleString("en")} are not zero (${shown(100 * (v.length - zeros) / v.length, 3)} %), ${negative === 0 ? "none is negative" : `${negative.toLocaleString("en")} are negative`}; the largest is ${shown(most)}, the sum ${shown(sum)}.`
  );
}
function show_code(args, theta, v) {
  const plain = String;
  const values = {};
  for (const [name, x] of Object.entries(theta)) values[name] = plain(x);
  const text = args.python.replace(/\{(\w+)\}/g, (_, name) => name in values ? values[name] : plain(v[name === "v1" ? 0 : 1]));
  write(args.code, code_box(text));
}
function dragged(args, event) {
  const name = event.model?.name ?? event.origin?.name;
  const move = (control, x) => {
    control.value = Number(clamp(x, control.start, control.end).toFixed(3));
  };
  if (["value", "slope", "v_plane"].includes(name)) move(args.controls.v1, event.x);
  if (name === "v_plane") move(args.controls.v2, event.y);
}
function paint(args, context) {
  const theta = current(args);
  const v = [args.controls.v1.value, args.controls.v2.value];
  const text = JSON.stringify([theta, args.figures.v_plane.inner_width]);
  if (state.theta === "") name_controls(args, context);
  state.index = context.index;
  if (state.theta !== text) {
    curves(args, theta);
    level_sets(args, theta);
  }
  const plane = JSON.stringify([text, args.controls.lam.value, args.figures.contact.inner_width]);
  if (state.plane !== plane) {
    const { g, size, map } = regularizer(args, theta, 2), on_segment = args.kind === "simplex";
    contact(args, on_segment ? size : g, w_window(args, theta), on_segment ? theta.total : null, state.theta !== text);
    if (state.theta !== text) early_stopping(args, args.kind === "norm" ? null : map);
  }
  state.plane = plane;
  const all = `${text}${args.controls.scale.value},${args.sources.real_v.data.v.length}`;
  if (state.real !== all) real(args, theta);
  state.theta = text;
  state.real = all;
  one_dimension(args, theta, v);
  point_and_ring(args, theta, v);
  show_code(args, theta, v);
}
function draw(args, origin, _data, context) {
  if (origin?.event_name) dragged(args, origin);
  soon(paint, args, context);
}

// entries/transfer.js
var drawing = drawn_by(draw);
export {
  drawing
};
