// Made of workbench/pages/entries/simplex.js and what it imports: change those, and run: python -m workbench.pages.bundling
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
function set_range(range, low, high) {
  if (range.start !== low || range.end !== high) range.setv({ start: low, end: high }, HERE);
}
function around(values, margin2 = 0.08, cut = 0) {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  if (!finite.length) return [-1, 1];
  const skip = Math.floor(cut * finite.length);
  const low = finite[0];
  const high = finite[finite.length - 1 - skip];
  const spread2 = high - low || Math.max(Math.abs(high), 1);
  return [low - margin2 * spread2, high + margin2 * spread2];
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

// runtime/printed.js
var printed = {};
function drawn_by(draw2) {
  return (functions) => {
    Object.assign(printed, functions);
    return draw2;
  };
}

// simplex/loss.js
var STEPS = 200;
var ROUGH = 1e-6;
function share(x, theta) {
  const found = printed.slope(x, theta);
  return Number.isNaN(found) ? 0 : found;
}
function conjugate(x, theta) {
  const found = printed.value(x, theta);
  return Number.isNaN(found) ? -printed.phi(0, theta) : found;
}
function multiplier(z, theta, tolerance = 0) {
  const excess = (m) => z.reduce((sum, each) => sum + share(each - m, theta), -1);
  const even = printed.phi_slope(1 / z.length, theta);
  let low = Math.max(Math.max(...z) - printed.phi_slope(1, theta), Math.min(...z) - even);
  let high = Math.max(...z) - even;
  let [above, below] = [excess(low), excess(high)];
  if (!(above > 0)) return low;
  if (!(below < 0)) return high;
  for (let k = 0; k < STEPS && high - low > tolerance; k += 1) {
    const middle = 0.5 * (low + high);
    let m = k % 3 === 2 ? middle : low + (high - low) * above / (above - below);
    if (!(low < m && m < high)) m = middle;
    if (!(low < m && m < high)) break;
    const found = excess(m);
    if (found === 0) return m;
    if (found > 0) [low, above] = [m, found];
    else [high, below] = [m, found];
  }
  return above < -below ? low : high;
}
function predict(z, theta, tolerance = 0) {
  const m = multiplier(z, theta, tolerance);
  const shares = z.map((each) => share(each - m, theta));
  const total = shares.reduce((sum, each) => sum + each, 0);
  return shares.map((each) => each / total);
}
function omega_star(z, theta, tolerance = 0) {
  const m = multiplier(z, theta, tolerance);
  return z.reduce((sum, each) => sum + conjugate(each - m, theta), m);
}
function omega_corner(count, theta) {
  return printed.phi(1, theta) + (count - 1) * printed.phi(0, theta);
}
function gap(z, label, theta, tolerance = 0) {
  const [star, corner] = [omega_star(z, theta, tolerance), omega_corner(z.length, theta)];
  return { star, corner, score: z[label], loss: star + corner - z[label] };
}
function margin(theta) {
  return printed.phi_slope(1, theta) - printed.phi_slope(0, theta);
}

// simplex/browser.js
var ACROSS = [-Math.SQRT1_2, Math.SQRT1_2, 0];
var UPWARD = [-1, -1, 2].map((e) => e / Math.sqrt(6));
var CORNERS = [0, 1, 2].map((j) => [ACROSS[j], UPWARD[j]]);
var TRIANGLE = { y: [-0.68, 1.02], width: 2.2 };
var SCORES = { y: [-4.4, 4.4], width: 8.4 };
var FARTHEST = 8;
var CELLS = 61;
var PIXELS = 2 * CELLS - 1;
var LEVELS = [0.05, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8];
var TRAIL = 400;
var LEAST = 1e-3;
var mean = (z) => z.reduce((sum, each) => sum + each, 0) / z.length;
var flat = (z) => z.reduce(([x, y], each, j) => [x + each * ACROSS[j], y + each * UPWARD[j]], [0, 0]);
var lifted = ([x, y]) => ACROSS.map((across, j) => x * across + y * UPWARD[j]);
var columns = (points) => ({ x: points.map((each) => each[0]), y: points.map((each) => each[1]) });
var hot = (j) => CORNERS.map((_, k) => j === k ? 1 : 0);
function current(args) {
  const value = (name) => args.controls[name].value;
  const z = ["theta1", "theta2", "theta3"].map(value);
  const theta = {};
  for (const name of args.parameters) theta[name] = value(name);
  return { z, theta, label: args.controls.true_class.active };
}
var spread = (z) => Math.max(...z) - Math.min(...z);
function scaled(z, s) {
  const [middle, size] = [mean(z), spread(z)];
  return size > 0 ? z.map((each) => middle + (each - middle) * s / size) : z;
}
function level_segments(values, xs, ys, levels) {
  const points = [];
  const count = xs.length;
  for (let j = 0; j + 1 < ys.length; j += 1) {
    for (let i = 0; i + 1 < count; i += 1) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const heights = corners.map(([a, b]) => values[b * count + a]);
      for (const level of levels) {
        const crossed = [];
        for (let k = 0; k < 4; k += 1) {
          const [from, to] = [heights[k], heights[(k + 1) % 4]];
          if (from < level === to < level) continue;
          const share2 = (level - from) / (to - from);
          const [[a, b], [c, d]] = [corners[k], corners[(k + 1) % 4]];
          crossed.push([xs[a] + share2 * (xs[c] - xs[a]), ys[b] + share2 * (ys[d] - ys[b])]);
        }
        for (let k = 0; k + 1 < crossed.length; k += 2) points.push(crossed[k], crossed[k + 1], [NaN, NaN]);
      }
    }
  }
  return columns(points);
}
function grid(theta, window2) {
  const key = JSON.stringify([theta, window2]);
  if (state.grid?.key !== key) {
    const [xs, ys] = [spaced(...window2.x, CELLS), spaced(...window2.y, CELLS)];
    const values = new Float64Array(CELLS * CELLS);
    for (let j = 0; j < CELLS; j += 1) {
      for (let i = 0; 2 * i < CELLS; i += 1) {
        const found = omega_star(lifted([xs[i], ys[j]]), theta, ROUGH);
        values[j * CELLS + i] = found;
        values[j * CELLS + CELLS - 1 - i] = found;
      }
    }
    state.grid = { key, xs, ys, values };
  }
  return state.grid;
}
function surface(args, { theta, label }) {
  const figure = args.figures.scores;
  const window2 = sides(figure, SCORES.y, SCORES.width);
  const { xs, ys, values } = grid(theta, window2);
  const corner = omega_corner(CORNERS.length, theta);
  const losses = values.map((star, k) => {
    const z = lifted([xs[k % CELLS], ys[Math.floor(k / CELLS)]]);
    return Math.max(0, star + corner - z[label]);
  });
  picture(args, losses, xs, ys);
  put(args.sources.levels, level_segments(losses, xs, ys, LEVELS));
  put(args.sources.free, free_region(label, margin(theta)));
  set_range(figure.x_range, ...window2.x);
  set_range(figure.y_range, ...window2.y);
}
function picture(args, losses, xs, ys) {
  const image = args.sources.map.data.image[0];
  for (let j = 0; j < PIXELS; j += 1) {
    for (let i = 0; i < PIXELS; i += 1) {
      const [a2, b2, c, d] = [i >> 1, i + 1 >> 1, j >> 1, j + 1 >> 1];
      const sum = losses[c * CELLS + a2] + losses[c * CELLS + b2] + losses[d * CELLS + a2] + losses[d * CELLS + b2];
      image[j * PIXELS + i] = 0.5 * Math.sqrt(sum);
    }
  }
  args.colours.setv({ low: 0, high: Math.sqrt(LEVELS[LEVELS.length - 1]) }, HERE);
  const [a, b] = [xs[1] - xs[0], ys[1] - ys[0]].map((step) => 0.25 * step);
  fill_image(args.sources.map, [xs[0] - a, xs[CELLS - 1] + a], [ys[0] - b, ys[CELLS - 1] + b]);
}
function free_region(label, lead) {
  if (!Number.isFinite(lead)) return { x: [], y: [] };
  const others = [0, 1, 2].filter((j) => j !== label);
  const tip = hot(label).map((each) => lead * each);
  const far = (k) => tip.map((each, j) => each - (j === k ? 30 : 0));
  return columns([flat(far(others[0])), flat(tip), flat(far(others[1]))]);
}
function frames(args) {
  const window2 = sides(args.figures.triangle, TRIANGLE.y, TRIANGLE.width);
  set_range(args.figures.triangle.x_range, ...window2.x);
  set_range(args.figures.triangle.y_range, ...window2.y);
  put(args.sources.edge, columns([...CORNERS, CORNERS[0]]));
  const out = CORNERS.map((each) => each.map((e) => 4.5 * e));
  put(args.sources.axes, columns(out.flatMap((each) => [[0, 0], each, [NaN, NaN]])));
  put(args.sources.names, {
    ...columns(CORNERS.map((each) => each.map((e) => 4.6 * e))),
    text: ["θ₁", "θ₂", "θ₃"]
  });
}
var listed_shares = (p) => p.map((each) => shown(each, 3)).join(", ");
function triangle(args, { z, theta, label }, p) {
  const path = [...spaced(0, FARTHEST, 121), ...spaced(FARTHEST, 6 * FARTHEST, 60).slice(1)];
  const way = spread(z) > 0 ? path.map((s) => flat(predict(scaled(z, s), theta, ROUGH))) : [];
  put(args.sources.path, columns(way));
  const radius = Math.hypot(...flat(z));
  const ring = spaced(0, 2 * Math.PI, 181).map((t) => [radius * Math.cos(t), radius * Math.sin(t)]);
  put(args.sources.circle, columns(ring));
  put(args.sources.image, columns(ring.map((each) => flat(predict(lifted(each), theta, ROUGH)))));
  put(args.sources.prediction, columns([flat(p)]));
  put(args.sources.target, columns([CORNERS[label]]));
  const trail = state.trail ?? [];
  const last = trail[trail.length - 1];
  const here = flat(p);
  if (!last || Math.hypot(last[0] - here[0], last[1] - here[1]) > 1e-4) trail.push(here);
  state.trail = trail.slice(-TRAIL);
  put(args.sources.trail, columns(state.trail));
  const gone = p.flatMap((each, j) => each === 0 ? [j + 1] : []);
  const zeros = gone.length === 0 ? "Every share is positive." : gone.length === 1 ? `The share of class ${gone[0]} is exactly 0.` : `The shares of classes ${gone.join(" and ")} are exactly 0.`;
  sentence(args.lines.triangle, `p = ∇Ω*(θ) = (${listed_shares(p)}). ${zeros} Dotted: the path of p as θ is scaled.`);
}
function ahead(by) {
  return by < 0 ? `trails by ${shown(-by)}` : `leads by ${shown(by)}`;
}
function plane(args, { z, theta, label }, found) {
  const here = flat(z);
  put(args.sources.point, columns([here]));
  put(args.sources.ray, columns(spread(z) > 0 ? [[0, 0], flat(scaled(z, 6 * FARTHEST))] : []));
  const lead = margin(theta);
  const others = z.filter((_, j) => j !== label);
  const free = Number.isFinite(lead) ? `It is 0 once θ${"₁₂₃"[label]} leads both others by ${shown(lead)} (thick)` : "It is never 0, since φ′ is infinite at an end of [0, 1]";
  sentence(
    args.lines.scores,
    `L(θ; ${label + 1}) = ${shown(found.loss)}. ${free}; θ${"₁₂₃"[label]} ${ahead(z[label] - Math.max(...others))}. Adding the same number to all three scores changes nothing.`
  );
}
function along(args, { z, theta, label }, p, found) {
  const ss = spaced(0, FARTHEST, 161);
  const here = spread(z);
  const shares = ss.map((s) => predict(scaled(z, s), theta, ROUGH));
  put(args.sources.shares, { s: ss, p1: shares.map((e) => e[0]), p2: shares.map((e) => e[1]), p3: shares.map((e) => e[2]) });
  put(args.sources.shares_at, { s: [here, here, here], p });
  const gaps = ss.map((s) => gap(scaled(z, s), label, theta, ROUGH));
  put(args.sources.gap, { s: ss, convex: gaps.map((e) => e.star + e.corner), line: gaps.map((e) => e.score) });
  put(args.sources.gap_at, { s: [here, here], y: [found.score, found.star + found.corner] });
  for (const name of ["shares", "gap"]) set_range(args.figures[name].x_range, 0, FARTHEST);
  set_range(args.figures.shares.y_range, -0.05, 1.05);
  set_range(args.figures.gap.y_range, ...around(gaps.flatMap((e) => [e.star + e.corner, e.score]), 0.08));
  sentence(args.lines.shares, vanishing(z, theta, here));
  const sum = `<b>${shown(found.star)}</b> + <b>${shown(found.corner)}</b> − <b>${shown(found.score)}</b>`.replaceAll("+ <b>−", "− <b>").replaceAll("− <b>−", "+ <b>");
  const tight = p[label] === 1 ? ": p is the corner of the true class." : " > 0, since p is not the corner of the true class.";
  sentence(
    args.lines.gap,
    `Ω*(θ) + Ω(e<sub>y</sub>) − θ<sub>y</sub> = ${sum} = <b>${shown(found.loss)}</b>${tight}`
  );
}
function vanishing(z, theta, here) {
  if (here === 0) return "All scores are equal, and so are the shares.";
  const least = z.indexOf(Math.min(...z));
  const at = (s) => predict(scaled(z, s), theta)[least];
  const now = `The largest score minus the smallest is ${shown(here)}.`;
  if (at(FARTHEST) > 0) return `${now} Far out, the share of class ${least + 1} is small but still positive.`;
  let [low, high] = [0, FARTHEST];
  for (let k = 0; k < 30; k += 1) {
    const middle = 0.5 * (low + high);
    if (at(middle) > 0) low = middle;
    else high = middle;
  }
  return `${now} From ${shown(high)} on the share of class ${least + 1} is exactly 0.`;
}
function show_code(args, { z, theta, label }) {
  const values = { theta1: z[0], theta2: z[1], theta3: z[2], ...theta, label, true_class: label + 1 };
  write(args.code, code_box(args.python.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))));
}
function dragged(args, event) {
  const name = event.model?.name ?? event.origin?.name;
  const { z, theta } = current(args);
  let to = null;
  if (name === "scores") to = lifted([event.x, event.y]);
  else if (name === "triangle") {
    const p = lifted([event.x, event.y]).map((each) => clamp(each + 1 / 3, LEAST, 1));
    const total = p.reduce((sum, each) => sum + each, 0);
    const slopes = p.map((each) => printed.phi_slope(each / total, theta));
    to = slopes.map((each) => each - mean(slopes));
  } else to = scaled(z, clamp(event.x, 0.01, FARTHEST));
  to.forEach((each, j) => {
    const control = args.controls[`theta${j + 1}`];
    control.value = Number(clamp(each, control.start, control.end).toFixed(3));
  });
}
function paint(args, context) {
  const now = current(args);
  if (state.theta === "") name_controls(args, context);
  state.index = context.index;
  const widths = [args.figures.triangle.inner_width, args.figures.scores.inner_width];
  const text = JSON.stringify([now.theta, now.label, widths]);
  if (state.theta !== text) {
    frames(args);
    surface(args, now);
  }
  state.theta = text;
  const p = predict(now.z, now.theta);
  const found = gap(now.z, now.label, now.theta);
  triangle(args, now, p);
  plane(args, now, found);
  along(args, now, p, found);
  show_code(args, now);
}
function draw(args, origin, _data, context) {
  if (origin?.event_name) dragged(args, origin);
  soon(paint, args, context);
}

// entries/simplex.js
var drawing = drawn_by(draw);
export {
  drawing
};
