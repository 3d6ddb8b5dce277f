// Made of workbench/pages/entries/online.js and what it imports: change those, and run: python -m workbench.pages.bundling
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
function sides(figure, [low, high], least = 0) {
  const shape = figure.inner_width > 0 ? figure.inner_width / figure.inner_height : 1;
  const middle = 0.5 * (low + high);
  const half = 0.5 * Math.max(high - low, least / shape);
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

// online/rule.js
var COUNT = 200;
var VISITS = 3 * COUNT;
function uniform(seed, count) {
  const start = Math.imul(seed, 2654435769);
  return Float64Array.from({ length: count }, (_, k) => {
    const a = start + Math.imul(k + 1, 1831565813) | 0;
    let t = Math.imul(a ^ a >>> 15, 1 | a);
    t ^= t + Math.imul(t ^ t >>> 7, 61 | t);
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  });
}
function make_stream({ dimension: d, relevant, margin, noise, seed, orthonormal }) {
  const draws = uniform(seed, COUNT * (d + 1));
  const k = orthonormal ? d : Math.min(relevant, d);
  const [X, y] = [[], []];
  for (let i = 0; i < COUNT; i += 1) {
    let x = Float64Array.from(draws.subarray(i * (d + 1), i * (d + 1) + d), (each) => 2 * each - 1);
    let middle = x[0];
    for (let j = 1; j < k && !orthonormal; j += 1) middle += x[j];
    const side = middle < 0 ? -1 : 1;
    if (orthonormal) x = x.map((_, j) => j === i % d ? side : 0);
    else for (let j = 0; j < k; j += 1) x[j] = (1 - margin) * x[j] + margin * side;
    X.push(x);
    y.push(draws[i * (d + 1) + d] < noise ? -side : side);
  }
  return { X, y, u: Float64Array.from({ length: d }, (_, j) => j < k ? 1 / k : 0) };
}
function dot(a, b) {
  let total = 0;
  for (let j = 0; j < a.length; j += 1) total += a[j] * b[j];
  return total;
}
function length_of(x, p) {
  let [top, total] = [0, 0];
  for (const each of x) top = Math.max(top, Math.abs(each));
  if (top === 0) return 0;
  for (const each of x) total += (Math.abs(each) / top) ** p;
  return top * total ** (1 / p);
}
function rule_of(spec, { p, eta }, d) {
  const norm = spec.norm ?? (spec.entropic ? null : p);
  const theta = { q: norm / (norm - 1), power: 2, total: 1 };
  const c = Array.from({ length: d }, () => spec.entropic ? 1 / d : 1);
  return { ...mirror(printed[spec.formulas], c, theta, spec), norm, eta: spec.entropic ? eta : 1, c };
}
function walk({ map, eta }, { X, y, u }) {
  let v = new Float64Array(u.length);
  let w = map(v);
  const total = new Float64Array(u.length);
  const found = { v: [v], w: [w], average: [w], count: [0], reached: [NaN] };
  for (let t = 0; t < VISITS; t += 1) {
    const [x, label] = [X[t % COUNT], y[t % COUNT]];
    const reached = label * dot(w, x);
    for (let j = 0; j < w.length; j += 1) total[j] += w[j];
    if (reached <= 0) {
      v = v.map((each, j) => each + eta * label * x[j]);
      w = map(v);
    }
    found.v.push(v);
    found.w.push(w);
    found.average.push(total.map((each) => each / (t + 1)));
    found.count.push(found.count[t] + (reached <= 0));
    found.reached.push(reached);
  }
  return found;
}
function log_cosh(x) {
  return x < 1 ? Math.log1p(2 * Math.sinh(0.5 * x) ** 2) : x + Math.log1p(Math.exp(-2 * x)) - Math.LN2;
}
var root_bound = (square, gamma, missing) => (square + 2 * gamma * missing + Math.sqrt(square * (square + 4 * gamma * missing))) / (2 * gamma ** 2);
var divergence = (u, c) => u.reduce((sum, each, j) => sum + (each > 0 ? each * Math.log(each / c[j]) : 0), 0);
function of_each(list, f) {
  let value;
  return list.map((each, k) => value = k > 0 && each === list[k - 1] ? value : f(each));
}
function bounds(rule, { X, y, u }, gamma, way) {
  const { norm, eta, c } = rule;
  const found = { bound: [NaN], fact: [NaN], missing: [0], least: [Infinity] };
  const dual = norm === null ? 0 : length_of(u, norm / (norm - 1));
  const start = norm === null ? divergence(u, c) : 0;
  const gain = eta * gamma - log_cosh(eta);
  const mass = (v) => start + Math.log(c.reduce((sum, each, j) => sum + each * Math.exp(v[j]), 0));
  const most = of_each(way.v, norm === null ? mass : (v) => dual * length_of(v, norm));
  let [largest, missing, least] = [0, 0, Infinity];
  for (let t = 1; t <= VISITS; t += 1) {
    const i = (t - 1) % COUNT;
    const reached = y[i] * dot(u, X[i]);
    missing += Math.max(gamma - reached, 0);
    least = Math.min(least, reached);
    if (norm === null) found.bound.push(gain > 0 ? (start + eta * missing) / gain : NaN);
    else {
      if (t <= COUNT) largest = Math.max(largest, length_of(X[i], norm));
      found.bound.push(root_bound((norm - 1) * (largest * dual) ** 2, gamma, missing));
    }
    found.fact.push(most[t] / (eta * gamma) + missing / gamma);
    found.missing.push(missing);
    found.least.push(least);
  }
  return { ...found, gain, largest };
}
function potential(rule, { u }, gamma, way, { gain, largest }) {
  const bend = rule.norm === null ? 0 : (rule.norm - 1) * largest ** 2;
  const scale = rule.norm === null ? 1 : rule.eta * bend / gamma;
  const target = Array.from(u, (each) => scale * each);
  const g = rule.g(target);
  const values = of_each(way.v, (v) => g + rule.h(v) - dot(target, v));
  return { scale, step: rule.norm === null ? gain : 0.5 * rule.eta ** 2 * bend, values };
}
var LEVEL = 1e-13;
function crossing(f, at_zero, end) {
  const at_end = f(end);
  if (at_zero * at_end >= 0) return end;
  let [a, b, fa, fb] = [0, end, at_zero, at_end];
  for (let k = 0; k < 100; k += 1) {
    const m = b - fb * (b - a) / (fb - fa);
    const fm = f(m);
    if (Math.abs(fm) <= LEVEL || m === b) return m;
    if (fm * fb < 0) [a, fa] = [b, fb];
    else fa *= 0.5;
    [b, fb] = [m, fm];
  }
  return b;
}
function twin(rule, { X, y, u }, lam) {
  const beta = new Float64Array(COUNT);
  let v = new Float64Array(u.length);
  let w = rule.map(v);
  let [total, support] = [0, 0];
  const found = { v: [v], w: [w], total: [0], support: [0] };
  for (let t = 0; t < VISITS; t += 1) {
    const i = t % COUNT;
    const moved = (step) => v.map((each, j) => each + step * y[i] * X[i][j] / (lam * COUNT));
    const lack = y[i] * dot(w, X[i]) - 1;
    const end = lack < 0 ? 1 - beta[i] : -beta[i];
    if (lack !== 0 && end !== 0) {
      const step = crossing((s) => y[i] * dot(rule.map(moved(s)), X[i]) - 1, lack, end);
      v = moved(step);
      w = rule.map(v);
      support -= beta[i] !== 0;
      beta[i] = step === end ? end > 0 ? 1 : 0 : beta[i] + step;
      support += beta[i] !== 0;
      total += step;
    }
    found.v.push(v);
    found.w.push(w);
    found.total.push(total);
    found.support.push(support);
  }
  return found;
}
function certified(rule, { X, y }, lam, way, t) {
  const w = way.w[t];
  let hinge = 0;
  for (let i = 0; i < COUNT; i += 1) hinge += Math.max(0, 1 - y[i] * dot(w, X[i]));
  const primal = hinge / COUNT + lam * rule.g(w);
  const dual = way.total[t] / COUNT - lam * rule.h(way.v[t]);
  return { primal, dual, gap: Math.max(primal - dual, 0) };
}
var wrong = ({ X, y }, w) => X.reduce((sum, x, i) => sum + (y[i] * dot(w, x) <= 0), 0);

// online/browser.js
var TICK_MS = 50;
var [STEP, MISTAKE, RUN, START] = [0, 1, 2, 3];
var WHOLE = ["seen", "speed", "dimension", "relevant", "seed"];
var FAR = 1e3;
var MISSING = 1e-9;
var FARTHEST = 3;
var columns = (points2) => ({ x: points2.map((each) => each[0]), y: points2.map((each) => each[1]) });
var size_of = (x) => Math.sqrt(dot(x, x));
function current(args) {
  const now = {};
  for (const [name, control] of Object.entries(args.controls)) {
    if (name !== "go") now[name] = control.value ?? control.active;
  }
  for (const name of WHOLE) now[name] = Math.round(now[name]);
  now.lam = 10 ** now.power;
  now.orthonormal = args.shapes[now.shape] === "orthonormal";
  return now;
}
function played(args, now) {
  const stream = make_stream(now);
  const rules = args.rules.map((spec) => rule_of(spec, now, now.dimension));
  const ways = rules.map((rule2) => walk(rule2, stream));
  const [rule, way] = [rules[now.rule], ways[now.rule]];
  const bound = bounds(rule, stream, now.gamma, way);
  const twin_way = twin(rule, stream, now.lam);
  const marks = spaced(0, VISITS, 61).map(Math.round);
  return {
    stream,
    rule,
    way,
    bound,
    twin: twin_way,
    marks,
    others: args.rules.map(({ name }, k) => ({ name, count: ways[k].count })).filter((_, k) => k !== now.rule),
    potential: potential(rule, stream, now.gamma, way, bound),
    values: marks.map((t) => certified(rule, stream, now.lam, twin_way, t))
  };
}
function plane({ u }, w) {
  const along = u.map((each) => each / size_of(u));
  if (u.length === 2) return [along, [-along[1], along[0]]];
  const share = dot(along, w);
  let rest = along.map((each, j) => w[j] - share * each);
  if (!(size_of(rest) > 1e-9 * size_of(w))) {
    const last = dot(along, along.map((_, j) => j === u.length - 1 ? 1 : 0));
    rest = along.map((each, j) => (j === u.length - 1 ? 1 : 0) - last * each);
  }
  return [along, rest.map((each) => each / size_of(rest))];
}
function edge([along, across], w) {
  const [a, b] = [dot(along, w), dot(across, w)];
  const length = Math.hypot(a, b);
  return length > 0 ? columns([[-b / length * FAR, a / length * FAR], [b / length * FAR, -a / length * FAR]]) : columns([]);
}
function points(args, now, lab) {
  const { stream, way } = lab;
  const { X, y, u } = stream;
  const t = now.seen;
  const w = predicting(args, now, lab);
  const frame = plane(stream, w);
  const place = (i) => [dot(frame[0], X[i]), dot(frame[1], X[i])];
  const last = (t - 1) % COUNT;
  const there = Array.from({ length: Math.min(t, COUNT) }, (_, k) => k);
  put(args.sources.plus, columns(there.filter((i) => y[i] > 0).map(place)));
  put(args.sources.minus, columns(there.filter((i) => y[i] < 0).map(place)));
  const visit = (i) => t - 1 - ((t - 1 - i) % COUNT + COUNT) % COUNT;
  put(args.sources.missed, columns(there.filter((i) => way.reached[visit(i) + 1] <= 0).map(place)));
  put(args.sources.newest, columns([place(last)]));
  const at = now.gamma / size_of(u);
  put(args.sources.strip, columns([[-at, -FAR], [-at, FAR], [NaN, NaN], [at, -FAR], [at, FAR]]));
  put(args.sources.edge, edge(frame, w));
  put(args.sources.twin_edge, u.length === 2 ? edge(frame, lab.twin.w[t]) : columns([]));
  const high = u.length === 2 ? 1.5 : 2.4;
  const window2 = sides(args.figures.points, [-high, high]);
  set_range(args.figures.points.x_range, ...window2.x);
  set_range(args.figures.points.y_range, ...window2.y);
  const reached = way.reached[t];
  const what = reached <= 0 ? `<b class="bad">y w·x = ${shown(reached)} ≤ 0, a mistake</b>: v moves by η y x (the thick step).` : `y w·x = ${shown(reached)} > 0, correct: nothing changes.`;
  const pass = t > COUNT ? ` for the ${["", "", "second", "third"][Math.ceil(t / COUNT)]} time` : "";
  const whose = args.outputs[now.output] === "average" ? " The line drawn is that of the average." : "";
  sentence(args.lines.points, `Point ${last + 1} of ${COUNT}${pass}: ${what} Small rings: mistakes.${whose}`);
}
var predicting = (args, now, { way }) => (args.outputs[now.output] === "average" ? way.average : way.w)[now.seen];
var positive = (values) => values.map((each) => each > 0 && Number.isFinite(each) ? each : NaN);
function mistakes(args, now, lab) {
  const { way, bound, others } = lab;
  const t = now.seen;
  const ts = Array.from(way.count, (_, k) => k);
  const seen = ts.slice(0, t + 1);
  put(args.sources.counted, { x: seen, y: positive(way.count.slice(0, t + 1)) });
  put(args.sources.bound, { x: ts, y: positive(bound.bound) });
  put(args.sources.fact, { x: seen, y: positive(bound.fact.slice(0, t + 1)) });
  const lines = others.flatMap(({ count: count2 }) => [...seen.map((k) => [k, count2[k] || NaN]), [NaN, NaN]]);
  put(args.sources.others, columns(lines));
  const [count, limit] = [way.count[t], bound.bound[t]];
  const low = Math.max(count, 0.75);
  put(args.sources.now, { x: [t], low: [low], high: [Number.isFinite(limit) ? Math.max(limit, low) : low] });
  const [end, fact] = [bound.bound[VISITS], bound.fact[t]];
  const most = Math.max(10, ...[end, fact, ...others.map((each) => each.count[t]), count].filter(Number.isFinite));
  put(args.sources.passes, columns([1, 2].flatMap((k) => [[k * COUNT, 0.1], [k * COUNT, 100 * most], [NaN, NaN]])));
  set_range(args.figures.mistakes.x_range, 0, VISITS);
  set_range(args.figures.mistakes.y_range, 0.7, 1.6 * most);
  const beside = others.map((each) => `${each.name} ${each.count[t]}`).join(", ");
  sentence(args.lines.mistakes, `<b>${count}</b> mistake${count === 1 ? "" : "s"}. ${limits(now, lab)} On the same stream: ${beside}.`);
}
function limits(now, { way, bound }) {
  const t = now.seen;
  const [limit, fact, missing, least] = [bound.bound, bound.fact, bound.missing, bound.least].map((each) => each[t]);
  const reached = `In hindsight the Fenchel-Young inequality for this v gives ${shown(fact)}.`;
  const lack = missing > MISSING ? `<span class="bad">${least > 0 ? `The margin is only ${shown(least)}` : `No margin: the least y u·x is ${shown(least)}`}</span>, so the bound includes the shortfall below γ, L = ${shown(missing)}. ` : "";
  if (Number.isNaN(limit)) {
    return `${lack}<span class="bad">No bound: ηγ − ln cosh η = ${shown(bound.gain)} is not positive.</span> With η = artanh γ = ${shown(Math.atanh(now.gamma))} there is one. What holds here: ${reached.replace("In", "in")}`;
  }
  const share = limit > 0 ? ` (${shown(100 * way.count[t] / limit, 2)} % of it)` : "";
  return `${lack}Bound: <b>${shown(limit)}</b>${share}. ${reached}`;
}
function sides_of_mirror(args, now, lab) {
  const { way, stream, rule } = lab;
  const [t, d] = [now.seen, now.dimension];
  const pair = (x) => [x[0], x[d - 1]];
  const distinct = (list) => list.filter((each, k) => k === 0 || each !== list[k - 1]).map(pair);
  const [us, norm] = [pair(stream.u), size_of(pair(stream.u))];
  for (const name of ["v", "w"]) {
    const [mine, other2] = [way[name], lab.twin[name]];
    put(args.sources[`${name}_path`], columns(distinct(mine.slice(0, t + 1))));
    put(args.sources[`${name}_twin`], columns(distinct(other2.slice(0, t + 1))));
    put(args.sources[`${name}_now`], columns([pair(mine[t])]));
    put(args.sources[`${name}_twin_now`], columns([pair(other2[t])]));
    const marked = rule.norm === null && name === "w" ? [[0, 0], [1, d === 2 ? 1 : 0]] : [[0, 0]];
    const [own, theirs] = [[...distinct(mine), ...marked], distinct(other2)];
    const figure = args.figures[name];
    [figure.x_range, figure.y_range].forEach((range, k) => {
      const [low, high] = around(own.map((each) => each[k]));
      const [least, most] = around(theirs.map((each) => each[k]));
      const kept = most - least <= FARTHEST * (high - low);
      set_range(range, kept ? Math.min(low, least) : low, kept ? Math.max(high, most) : high);
    });
  }
  const stepped = way.v[t] !== way.v[t - 1];
  put(args.sources.v_step, columns(stepped ? [pair(way.v[t - 1]), pair(way.v[t])] : []));
  put(args.sources.w_average, columns([pair(way.average[t])]));
  put(args.sources.u, columns([[0, 0], us.map((each) => FAR * each / norm)]));
  put(args.sources.simplex, columns(rule.norm === null && d === 2 ? [[1, 0], [0, 1]] : []));
  put(args.sources.axes, columns([[-FAR, 0], [FAR, 0], [NaN, NaN], [0, -FAR], [0, FAR]]));
  const which = d === 2 ? "" : ` Drawn are feature 1, which is relevant, and feature ${d}, which ${now.orthonormal || now.relevant >= d ? "is too" : "is not"}.`;
  sentence(
    args.lines.v,
    `v = (${shown(way.v[t][0], 3)}, ${d > 2 ? "…, " : ""}${shown(way.v[t][d - 1], 3)}) after ${way.count[t]} steps of length η|x|. The twin takes steps of any length and undoes some of them.${which}`
  );
  const [w, mean, other] = [way.w[t], way.average[t], lab.twin.w[t]];
  sentence(
    args.lines.w,
    `w = (${shown(w[0], 3)}, ${d > 2 ? "…, " : ""}${shown(w[d - 1], 3)}), ${angle(w, stream.u)}. Of all ${COUNT} points w gets <b>${wrong(stream, w)}</b> wrong, its average (triangle) <b>${wrong(stream, mean)}</b>, the twin <b>${wrong(stream, other)}</b>.`
  );
}
function angle(w, u) {
  const length = size_of(w);
  if (!(length > 0)) return "no direction yet";
  const cosine = clamp(dot(w, u) / (length * size_of(u)), -1, 1);
  return `${shown(180 / Math.PI * Math.acos(cosine), 3)}° from u`;
}
function towards(args, now, lab) {
  const { potential: { scale, step, values }, way, bound } = lab;
  const t = now.seen;
  const promised = (k) => values[0] - step * way.count[k] + scale * lab.rule.eta * bound.missing[k];
  const ts = Array.from(values, (_, k) => k);
  put(args.sources.potential, { x: ts.slice(0, t + 1), y: values.slice(0, t + 1) });
  put(args.sources.promise, { x: ts.slice(0, t + 1), y: step > 0 ? ts.slice(0, t + 1).map(promised) : ts.slice(0, t + 1).map(() => NaN) });
  put(args.sources.potential_now, { x: [t], y: [values[t]] });
  set_range(args.figures.potential.x_range, 0, VISITS);
  set_range(args.figures.potential.y_range, ...around([0, ...values], 0.08));
  const times = lab.rule.norm === null ? "u" : `${shown(scale)} u`;
  const off = `A mistake on a point with the margin γ lowers it by at least ${shown(step)}`;
  const most = `and it cannot fall below 0: at most ${shown(values[0])} / ${shown(step)} = ${shown(values[0] / step)} mistakes.`;
  let falls = "Here a mistake need not lower it, so the number of mistakes is not bounded.";
  if (step > 0) falls = bound.missing[t] > MISSING ? `${off}; a mistake on a point without it may raise it.` : `${off}, ${most}`;
  sentence(args.lines.potential, `D(${times}, w) = <b>${shown(values[t])}</b>, ${shown(values[0])} at the start. ${falls}`);
}
function large_margin(args, now, lab) {
  const { marks, values, stream, rule } = lab;
  const t = now.seen;
  const seen = marks.filter((mark) => mark <= t);
  const here = certified(rule, stream, now.lam, lab.twin, t);
  put(args.sources.primal, { x: [...seen, t], y: [...seen.map((_, k) => values[k].primal), here.primal] });
  put(args.sources.dual, { x: [...seen, t], y: [...seen.map((_, k) => values[k].dual), here.dual] });
  put(args.sources.twin_now, { x: [t, t], y: [here.primal, here.dual] });
  set_range(args.figures.twin.x_range, 0, VISITS);
  set_range(args.figures.twin.y_range, ...around(values.flatMap((each) => [each.primal, each.dual]), 0.08, 0.02));
  sentence(
    args.lines.twin,
    `The hinge loss with this regularizer, λ = ${shown(now.lam)}, solved one dual variable at a time: after ${t} visits P = ${shown(here.primal)}, with the certified gap <b>${shown(here.gap)}</b>: P exceeds its minimum by at most that much. ${lab.twin.support[t]} of ${COUNT} dual variables are not 0; v is a sum over these points, as that of the rule is over its mistakes.`
  );
}
function show_code(args, now, { bound }) {
  const more = {
    shape: args.shapes[now.shape],
    output: args.outputs[now.output],
    q: now.p / (now.p - 1),
    mu: 1 / now.dimension
  };
  const values = { ...now, ...more };
  const text = args.python[now.rule][Number.isNaN(bound.bound[now.seen]) ? 0 : 1];
  write(args.code, code_box(text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))));
}
function halt(args) {
  clearInterval(state.clock);
  state.clock = void 0;
  args.controls.go.labels = args.controls.go.labels.map((label, k) => k === RUN ? "Run" : label);
}
function go(args, asked) {
  const { seen, speed } = args.controls;
  const running = state.clock !== void 0;
  if (running) halt(args);
  if (asked === STEP) seen.value = Math.min(seen.value + 1, VISITS);
  else if (asked === START) seen.value = seen.start;
  else if (asked === MISTAKE) {
    const { reached } = state.lab.way;
    const next = reached.findIndex((each, t) => t > seen.value && each <= 0);
    seen.value = next < 0 ? VISITS : next;
  } else if (asked === RUN && !running) {
    if (seen.value >= VISITS) seen.value = seen.start;
    const began = { at: performance.now(), seen: seen.value };
    args.controls.go.labels = args.controls.go.labels.map((label, k) => k === RUN ? "Pause" : label);
    state.clock = setInterval(() => {
      if (seen.document === null) {
        clearInterval(state.clock);
        return;
      }
      const passed = (performance.now() - began.at) / 1e3;
      const next = Math.min(began.seen + Math.floor(passed * speed.value), VISITS);
      if (next > seen.value) seen.value = next;
      if (next >= VISITS) halt(args);
    }, TICK_MS);
  }
}
function paint(args, context) {
  const now = current(args);
  if (state.theta === "") name_controls(args, context);
  state.index = context.index;
  const text = JSON.stringify({ ...now, seen: 0, speed: 0, output: 0 });
  if (state.theta !== text) {
    state.lab = played(args, now);
    args.controls.p.visible = args.rules[now.rule].norm === null && !args.rules[now.rule].entropic;
    args.controls.eta.visible = args.rules[now.rule].entropic;
    for (const name of ["margin", "relevant"]) args.controls[name].visible = !now.orthonormal;
  }
  state.theta = text;
  points(args, now, state.lab);
  mistakes(args, now, state.lab);
  sides_of_mirror(args, now, state.lab);
  towards(args, now, state.lab);
  large_margin(args, now, state.lab);
  show_code(args, now, state.lab);
}
function draw(args, origin, _data, context) {
  const { go: buttons } = args.controls;
  if (origin === buttons) {
    if (buttons.active === null) return;
    const asked = buttons.active;
    buttons.active = null;
    go(args, asked);
  }
  soon(paint, args, context);
}

// entries/online.js
var drawing = drawn_by(draw);
export {
  drawing
};
