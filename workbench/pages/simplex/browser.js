// The page of Fenchel-Young losses: the triangle of predictions, the plane of scores, and the loss as a gap.

import {
  HERE,
  around,
  clamp,
  codeBox,
  fillImage,
  nameControls,
  put,
  sentence,
  setRange,
  shown,
  sides,
  soon,
  spaced,
  state,
  write,
} from "../runtime/drawings.js";
import { printed } from "../runtime/printed.js";
import { ROUGH, gap, margin, omegaCorner, omegaStar, predict } from "./loss.js";

// The simplex and the scores less their mean in one plane, without a change of length.
const ACROSS = [-Math.SQRT1_2, Math.SQRT1_2, 0];
const UPWARD = [-1, -1, 2].map((e) => e / Math.sqrt(6));
/** @type {any} */
const CORNERS = [0, 1, 2].map((j) => [ACROSS[j], UPWARD[j]]);
const TRIANGLE = { y: [-0.68, 1.02], width: 2.2 };
const SCORES = { y: [-4.4, 4.4], width: 8.4 };
const FARTHEST = 8;
const CELLS = 61;
// The picture has one more number between any two of the grid.
const PIXELS = 2 * CELLS - 1;
const LEVELS = [0.05, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8];
const TRAIL = 400;
// Of a share that is dragged to the edge of the triangle; there the scores may be infinite.
const LEAST = 1e-3;

/** @param {number[]} z */
const mean = (z) => z.reduce((sum, each) => sum + each, 0) / z.length;
/** @param {number[]} z */
const flat = (z) => z.reduce(([x, y], each, j) => [x + each * ACROSS[j], y + each * UPWARD[j]], [0, 0]);
/** @param {any[]} place */
const lifted = ([x, y]) => ACROSS.map((across, j) => x * across + y * UPWARD[j]);
/** @param {any[]} points */
const columns = (points) => ({ x: points.map((each) => each[0]), y: points.map((each) => each[1]) });
/** @param {any} j */
const hot = (j) => CORNERS.map((/** @type {any} */ _, /** @type {number} */ k) => (j === k ? 1 : 0));

/** @param {Record<string, any>} args */
function current(args) {
  /** @param {string} name */
  const value = (name) => args.controls[name].value;
  const z = ["theta1", "theta2", "theta3"].map(value);
  /** @type {Record<string, any>} */
  const theta = {};
  for (const name of args.parameters) theta[name] = value(name);
  return { z, theta, label: args.controls.true_class.active };
}

/** @param {number[]} z */
const spread = (z) => Math.max(...z) - Math.min(...z);

/**
 * The scores with the same mean whose spread is s.
 * @param {number[]} z @param {any} s
 */
function scaled(z, s) {
  const [middle, size] = [mean(z), spread(z)];
  return size > 0 ? z.map((each) => middle + ((each - middle) * s) / size) : z;
}

/**
 * Lines of equal value over a grid of rows, straight within each cell: {x, y} with a NaN between.
 * @param {number[]} values @param {number[]} xs @param {number[]} ys @param {number[]} levels
 */
function levelSegments(values, xs, ys, levels) {
  const points = [];
  const count = xs.length;
  for (let j = 0; j + 1 < ys.length; j += 1) {
    for (let i = 0; i + 1 < count; i += 1) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const heights = corners.map(([a, b]) => values[b * count + a]);
      for (const level of levels) {
        const crossed = [];
        for (let k = 0; k < 4; k += 1) {
          const [from, to] = [heights[k], heights[(k + 1) % 4]];
          if (from < level === to < level) continue;
          const share = (level - from) / (to - from);
          const [[a, b], [c, d]] = [corners[k], corners[(k + 1) % 4]];
          crossed.push([xs[a] + share * (xs[c] - xs[a]), ys[b] + share * (ys[d] - ys[b])]);
        }
        for (let k = 0; k + 1 < crossed.length; k += 2) points.push(crossed[k], crossed[k + 1], [NaN, NaN]);
      }
    }
  }
  return columns(points);
}

/**
 * Omega* over the window: all three loss surfaces are it, less a plane.
 * @param {Record<string, any>} theta @param {any} window
 */
function grid(theta, window) {
  const key = JSON.stringify([theta, window]);
  if (state.grid?.key !== key) {
    const [xs, ys] = [spaced(window.x[0], window.x[1], CELLS), spaced(window.y[0], window.y[1], CELLS)];
    const values = new Float64Array(CELLS * CELLS);
    for (let j = 0; j < CELLS; j += 1) {
      // Classes 1 and 2 swapped mirror the plane.
      for (let i = 0; 2 * i < CELLS; i += 1) {
        const found = omegaStar(lifted([xs[i], ys[j]]), theta, ROUGH);
        values[j * CELLS + i] = found;
        values[j * CELLS + CELLS - 1 - i] = found;
      }
    }
    state.grid = { key, xs, ys, values };
  }
  return state.grid;
}

/** @param {Record<string, any>} args @param {{ theta: Record<string, any>, label: string }} fields */
function surface(args, { theta, label }) {
  const figure = args.figures.scores;
  const window = sides(figure, SCORES.y, SCORES.width);
  const { xs, ys, values } = grid(theta, window);
  const corner = omegaCorner(CORNERS.length, theta);
  const losses = values.map((/** @type {any} */ star, /** @type {number} */ k) => {
    /** @type {any} */
    const z = lifted([xs[k % CELLS], ys[Math.floor(k / CELLS)]]);
    return Math.max(0, star + corner - z[label]);
  });
  picture(args, losses, xs, ys);
  put(args.sources.levels, levelSegments(losses, xs, ys, LEVELS));
  put(args.sources.free, freeRegion(label, margin(theta)));
  setRange(figure.x_range, window.x[0], window.x[1]);
  setRange(figure.y_range, window.y[0], window.y[1]);
}

/** @param {Record<string, any>} args @param {any} losses @param {number[]} xs @param {number[]} ys */
function picture(args, losses, xs, ys) {
  const image = args.sources.map.data.image[0];
  for (let j = 0; j < PIXELS; j += 1) {
    for (let i = 0; i < PIXELS; i += 1) {
      const [a, b, c, d] = [i >> 1, (i + 1) >> 1, j >> 1, (j + 1) >> 1];
      const sum = losses[c * CELLS + a] + losses[c * CELLS + b] + losses[d * CELLS + a] + losses[d * CELLS + b];
      image[j * PIXELS + i] = 0.5 * Math.sqrt(sum);
    }
  }
  args.colours.setv({ low: 0, high: Math.sqrt(LEVELS[LEVELS.length - 1]) }, HERE);
  // The numbers stand at the middles of the pixels.
  const [a, b] = [xs[1] - xs[0], ys[1] - ys[0]].map((step) => 0.25 * step);
  fillImage(args.sources.map, [xs[0] - a, xs[CELLS - 1] + a], [ys[0] - b, ys[CELLS - 1] + b]);
}

/**
 * The edge of the scores of loss 0: the true class leads each other by the margin.
 * @param {any} label @param {any} lead
 */
function freeRegion(label, lead) {
  if (!Number.isFinite(lead)) return { x: [], y: [] };
  const others = [0, 1, 2].filter((j) => j !== label);
  const tip = hot(label).map((/** @type {any} */ each) => lead * each);
  /** @param {number} k */
  const far = (k) => tip.map((/** @type {any} */ each, /** @type {number} */ j) => each - (j === k ? 30 : 0));
  return columns([flat(far(others[0])), flat(tip), flat(far(others[1]))]);
}

/** @param {Record<string, any>} args */
function frames(args) {
  const window = sides(args.figures.triangle, TRIANGLE.y, TRIANGLE.width);
  setRange(args.figures.triangle.x_range, window.x[0], window.x[1]);
  setRange(args.figures.triangle.y_range, window.y[0], window.y[1]);
  put(args.sources.edge, columns([...CORNERS, CORNERS[0]]));
  const out = CORNERS.map((/** @type {any} */ each) => each.map((/** @type {any} */ e) => 4.5 * e));
  put(args.sources.axes, columns(out.flatMap((/** @type {any} */ each) => [[0, 0], each, [NaN, NaN]])));
  put(args.sources.names, {
    ...columns(CORNERS.map((/** @type {any} */ each) => each.map((/** @type {any} */ e) => 4.6 * e))),
    text: ["θ₁", "θ₂", "θ₃"],
  });
}

/** @param {any} p */
const listedShares = (p) => p.map((/** @type {any} */ each) => shown(each, 3)).join(", ");

/**
 * @param {Record<string, any>} args
 * @param {{ z: number[], theta: Record<string, any>, label: string }} fields
 * @param {any} p
 */
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
  const gone = p.flatMap((/** @type {any} */ each, /** @type {number} */ j) => (each === 0 ? [j + 1] : []));
  const zeros =
    gone.length === 0
      ? "Every share is positive."
      : gone.length === 1
        ? `The share of class ${gone[0]} is exactly 0.`
        : `The shares of classes ${gone.join(" and ")} are exactly 0.`;
  sentence(args.lines.triangle, `p = ∇Ω*(θ) = (${listedShares(p)}). ${zeros} Dotted: the path of p as θ is scaled.`);
}

/**
 * A score against the largest of the others.
 * @param {number} by
 */
function ahead(by) {
  return by < 0 ? `trails by ${shown(-by)}` : `leads by ${shown(by)}`;
}

/** @param {any} args @param {Record<string, any>} fields @param {any} found */
function plane(args, { z, theta, label }, found) {
  const here = flat(z);
  put(args.sources.point, columns([here]));
  put(args.sources.ray, columns(spread(z) > 0 ? [[0, 0], flat(scaled(z, 6 * FARTHEST))] : []));
  const lead = margin(theta);
  const others = z.filter((/** @type {any} */ _, /** @type {number} */ j) => j !== label);
  const free = Number.isFinite(lead)
    ? `It is 0 once θ${"₁₂₃"[label]} leads both others by ${shown(lead)} (thick)`
    : "It is never 0, since φ′ is infinite at an end of [0, 1]";
  sentence(
    args.lines.scores,
    `L(θ; ${label + 1}) = ${shown(found.loss)}. ${free}; θ${"₁₂₃"[label]} ${ahead(z[label] - Math.max(...others))}. ` +
      "Adding the same number to all three scores changes nothing.",
  );
}

/**
 * @param {Record<string, any>} args
 * @param {{ z: number[], theta: Record<string, any>, label: string }} fields
 * @param {any} p
 * @param {any} found
 */
function along(args, { z, theta, label }, p, found) {
  const ss = spaced(0, FARTHEST, 161);
  const here = spread(z);
  const shares = ss.map((s) => predict(scaled(z, s), theta, ROUGH));
  put(args.sources.shares, {
    s: ss,
    p1: shares.map((e) => e[0]),
    p2: shares.map((e) => e[1]),
    p3: shares.map((e) => e[2]),
  });
  put(args.sources.shares_at, { s: [here, here, here], p: p });
  const gaps = ss.map((s) => gap(scaled(z, s), label, theta, ROUGH));
  put(args.sources.gap, { s: ss, convex: gaps.map((e) => e.star + e.corner), line: gaps.map((e) => e.score) });
  put(args.sources.gap_at, { s: [here, here], y: [found.score, found.star + found.corner] });
  for (const name of ["shares", "gap"]) setRange(args.figures[name].x_range, 0, FARTHEST);
  setRange(args.figures.shares.y_range, -0.05, 1.05);
  setRange(
    args.figures.gap.y_range,
    ...around(
      gaps.flatMap((e) => [e.star + e.corner, e.score]),
      0.08,
    ),
  );
  sentence(args.lines.shares, vanishing(z, theta, here));
  const sum = `<b>${shown(found.star)}</b> + <b>${shown(found.corner)}</b> − <b>${shown(found.score)}</b>`
    .replaceAll("+ <b>−", "− <b>")
    .replaceAll("− <b>−", "+ <b>");
  const tight =
    p[label] === 1 ? ": p is the corner of the true class." : " > 0, since p is not the corner of the true class.";
  sentence(args.lines.gap, `Ω*(θ) + Ω(e<sub>y</sub>) − θ<sub>y</sub> = ${sum} = <b>${shown(found.loss)}</b>${tight}`);
}

/**
 * From which spread on the smallest share is 0, by halving.
 * @param {number[]} z @param {Record<string, any>} theta @param {any} here
 */
function vanishing(z, theta, here) {
  if (here === 0) return "All scores are equal, and so are the shares.";
  const least = z.indexOf(Math.min(...z));
  /** @param {any} s */
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

/** @param {Record<string, any>} args @param {{ z: number[], theta: Record<string, any>, label: string }} fields */
function showCode(args, { z, theta, label }) {
  /** @type {Record<string, any>} */
  const values = { theta1: z[0], theta2: z[1], theta3: z[2], ...theta, label, true_class: label + 1 };
  write(
    args.code,
    codeBox(
      args.python.replace(/\{(\w+)\}/g, (/** @type {any} */ _, /** @type {string} */ name) => String(values[name])),
    ),
  );
}

/** @param {Record<string, any>} args @param {any} event */
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

/** @param {Record<string, any>} args @param {any} context */
function paint(args, context) {
  const now = current(args);
  if (state.theta === "") nameControls(args, context);
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
  showCode(args, now);
}

/** @param {Record<string, any>} args @param {any} origin @param {any} _data @param {any} context */
export function draw(args, origin, _data, context) {
  if (origin?.event_name) dragged(args, origin);
  soon(paint, args, context);
}
