// The page of conjugates. `printed` holds p, q, their slopes, the ends of the domains and the kinks of p.

import {
  around,
  clamp,
  codeBox,
  drawable,
  fillImage,
  nameControls,
  put,
  sentence,
  setRange,
  shown,
  soon,
  spaced,
  state,
  write,
} from "../runtime/drawings.js";
import { printed } from "../runtime/printed.js";
import { biconjugate, functions, places, tangents, walls, windows } from "./curves.js";
import { announce, refuse } from "./refusals.js";
import { drawByHand, limitSliders, placeSliders, verdict, widened } from "./sliders.js";

const MAP = 90;
const ANSWERS = ["x-pair", "x-claims", "x-steps"];

/** @param {Record<string, any>} args */
function current(args) {
  /** @type {Record<string, any>} */
  const theta = {};
  // A slider adds its steps up; 4.999999999999999 is not another region than 5.
  for (const name of args.parameters) theta[name] = Number(args.controls[`par_${name}`].value.toPrecision(12));
  return theta;
}

/**
 * Which case of the parameters holds; -1 where p has no conjugate.
 * @param {Record<string, any>} theta
 */
function regionOf(theta) {
  return printed.region ? printed.region(0, theta) : 0;
}

/** @param {Record<string, any>} args @param {any} f */
function curves(args, f) {
  const { u: uw, v: vw } = state.windows;
  const us = places(uw, [...f.p_ends, ...f.knots]);
  const ps = us.map(f.p);
  const vs = places(vw, f.q_ends);
  const qs = vs.map(f.q);
  put(args.sources.primal, { u: us, p: drawable(ps) });
  put(args.sources.dual, { v: vs, q: drawable(qs) });
  const inner = us.map((x, k) => (x >= f.p_ends[0] && x <= f.p_ends[1] ? ps[k] : NaN));
  const lowHigh = around(inner, 0.12, 0.03);
  // Room below the axis for -q(v), where the tangent meets it.
  lowHigh[0] = Math.min(lowHigh[0], -0.4 * (lowHigh[1] - lowHigh[0]));
  for (const [, given] of args.jumps) lowHigh[1] = Math.max(lowHigh[1], 1.15 * given);
  for (const name of ["primal", "tangents"]) {
    setRange(args.figures[name].x_range, uw[0], uw[1]);
    setRange(args.figures[name].y_range, lowHigh[0], lowHigh[1]);
  }
  const heights = around(qs, 0.12, 0.03);
  setRange(args.figures.dual.x_range, vw[0], vw[1]);
  setRange(args.figures.dual.y_range, ...heights);
  put(args.sources.primal_walls, walls(f.p_ends, uw, lowHigh));
  state.walls = walls(f.q_ends, vw, heights);
  setRange(args.figures.gap.x_range, uw[0], uw[1]);
  setRange(args.figures.gap.y_range, vw[0], vw[1]);
  showBiconjugate(args, f, us, vs);
  gapMap(args, f, uw, vw);
  state.lowHigh = lowHigh;
}

/** @param {Record<string, any>} args @param {any} f @param {number[]} us @param {number[]} vs */
function showBiconjugate(args, f, us, vs) {
  const [a, b] = [us[0], us[us.length - 1]];
  const lines = tangents(f, state.windows);
  put(args.sources.tangents, {
    xs: lines.map(() => [a, b]),
    ys: lines.map(([v, q]) => [v * a - q, v * b - q]),
  });
  if (f.envelope) {
    const heights = us.map(f.envelope);
    put(args.sources.biconjugate, { u: us, p: drawable(heights) });
    const below = us.map((u, k) => f.p(u) - heights[k]).map((gap) => (gap > 1e-3 && Number.isFinite(gap) ? gap : 0));
    const most = below.reduce((best, gap, k) => (gap > below[best] ? k : best), 0);
    sentence(
      args.lines.tangents,
      below[most] === 0
        ? "p** equals p on this window, as for every closed convex function."
        : `p** is the convex envelope of p, the largest convex function below it. At u = ${shown(us[most])} p** = ` +
            `${shown(heights[most])} lies ${shown(below[most])} below p = ${shown(f.p(us[most]))}, and every tangent does too.`,
    );
    return;
  }
  const thin = us.filter((u, k) => k % 2 === 0 || f.knots.includes(u) || f.p_ends.includes(u));
  const { p, worst, whole } = biconjugate(f, thin, vs);
  put(args.sources.biconjugate, { u: thin, p: drawable(p) });
  const missing = whole ? "" : " It stops where q was not computed.";
  const agreement =
    worst < 1e-9 ? "equals p up to rounding" : `differs from p by at most ${shown(worst, 2)}, relative to 1 + |p|`;
  const [jump] = args.jumps;
  const reason = jump
    ? ` but at u = ${shown(jump[0])}: it is the closure of p that is the supremum of its tangents`
    : ": a closed convex function is the supremum of its tangents";
  sentence(
    args.lines.tangents,
    `Tangents v·u − q(v) of ${lines.length} slopes, a fan of them at each kink. The supremum over all slopes, p**, ` +
      `${agreement} on the whole window${reason}.${missing}`,
  );
}

/** @param {Record<string, any>} args @param {any} f @param {any} uw @param {any} vw */
function gapMap(args, f, uw, vw) {
  const us = spaced(uw[0], uw[1], 2 * MAP + 1).filter((_, k) => k % 2 === 1);
  const vs = spaced(vw[0], vw[1], 2 * MAP + 1).filter((_, k) => k % 2 === 1);
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
  fillImage(args.sources.map, uw, vw);
  const inside = places(uw, f.knots).filter((u) => u > f.p_ends[0] && u < f.p_ends[1]);
  /** @type {Record<string, any>} */
  const curve = { u: [], v: [] };
  for (const u of inside) {
    const jump = f.knots.some((/** @type {number} */ k) => k === u);
    const h = 1e-6 * (1 + Math.abs(u));
    const slopes = jump ? [f.p_slope(u - h), f.p_slope(u + h)] : [f.p_slope(u)];
    for (const v of slopes) {
      curve.u.push(u);
      curve.v.push(Number.isFinite(v) ? v : NaN);
    }
  }
  put(args.sources.matched, curve);
}

/**
 * What the two sliders decide: the tangent, the point of q, the gap between them.
 * @param {Record<string, any>} args @param {any} f
 */
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
  const slope =
    finite && Number.isFinite(touch) ? vw.map((/** @type {number} */ x) => q + touch * (x - v)) : [NaN, NaN];
  put(args.sources.dual_tangent, { v: vw, q: slope });
  put(args.sources.cross, { u: [u], v: [v] });
  visit(args, v, q);
  tell(args, { f, u, v, p, q, gap, touch, finite });
}

/**
 * Where p has slope v: q'(v), a kink of p for the slopes of its corner.
 * @param {any} f @param {any} v
 */
function touching(f, v) {
  const [low, high] = f.q_ends;
  const inner = v === low || v === high ? v + (v === low ? 1 : -1) * 1e-9 * (1 + Math.abs(v)) : v;
  let u = f.q_slope(inner);
  if (Number.isNaN(u)) u = f.knots[0] ?? 0;
  return clamp(u, Math.max(f.p_ends[0], -1e6), Math.min(f.p_ends[1], 1e6));
}

/**
 * While q is hidden, the tangent leaves its points behind.
 * @param {Record<string, any>} args @param {any} v @param {any} q
 */
function visit(args, v, q) {
  const hidden = args.controls.predict.active;
  args.hidden.forEach((/** @type {any} */ renderer) => {
    if (renderer.visible === hidden) renderer.setv({ visible: !hidden }, { sync: false });
  });
  // In a file that stands alone the answers are parts of its page; the server hides those of a served one.
  for (const id of ANSWERS) document.getElementById(id)?.toggleAttribute("hidden", hidden);
  if (hidden && !state.hiding) state.hand = []; // a new prediction, and no old verdict
  state.hiding = hidden;
  put(args.sources.hand, {
    v: (state.hand ?? []).map((/** @type {any} */ e) => e[0]),
    q: (state.hand ?? []).map((/** @type {any} */ e) => e[1]),
  });
  // They would show the domain of q.
  put(args.sources.dual_walls, hidden ? walls([-Infinity, Infinity], [0, 0], [0, 0]) : state.walls);
  if (!hidden) state.visited = [];
  else if (Number.isFinite(q)) state.visited = [...state.visited.slice(-400), [v, q]];
  put(args.sources.visited, {
    v: state.visited.map((/** @type {any} */ e) => e[0]),
    q: state.visited.map((/** @type {any} */ e) => e[1]),
  });
}

/**
 * A term of a sum; a minus sign stands in brackets.
 * @param {number} x
 */
function enclosed(x) {
  return shown(x).startsWith("−") ? `(${shown(x)})` : shown(x);
}

/** @param {Record<string, any>} args @param {Record<string, any>} fields */
function tell(args, { f, u, v, p, q, gap, touch, finite }) {
  sentence(
    args.lines.primal,
    finite
      ? `The tangent of slope v = ${shown(v)} touches p at u = ${shown(touch)} and meets the axis at ` +
          `−q(v) = ${shown(-q)}. At u = ${shown(u)} it runs ${shown(gap)} below p.`
      : `<span class="bad">No line of slope ${shown(v)} stays below p: q(v) = +∞.</span>`,
  );
  sentence(
    args.lines.dual,
    args.controls.predict.active
      ? `${state.visited.length} points found. Draw q here by hand, or move v: the tangent meets the axis at −q(v).`
      : `${verdict(f)}q(${shown(v)}) = ${shown(q)}; its slope there is u = ${finite ? shown(touch) : "none"}.`,
  );
  const matched = Math.abs(gap) < 1e-3 * (1 + Math.abs(p));
  const zeros = args.convex ? "on the dashed curve" : "where the dashed curve passes places with p** = p";
  sentence(
    args.lines.gap,
    args.controls.predict.active
      ? "The map of the gap needs q, so it is hidden as well."
      : `p(u) + q(v) − u·v = ${shown(p)} + ${enclosed(q)} − ${enclosed(u * v)} = <b class="${matched ? "good" : ""}">` +
          `${shown(Math.abs(gap) < 1e-12 ? 0 : gap)}</b>${matched ? ": u and v are matched." : `, never below 0; 0 ${zeros}.`}`,
  );
  if (!args.convex) {
    write(args.code, codeBox(`${args.python}  # refused: p is not convex`));
    return;
  }
  const values = args.parameters.map((/** @type {string} */ name) => `, ${name}=${args.controls[`par_${name}`].value}`);
  /** @param {number} x */
  const plain = (x) => (Number.isFinite(x) ? String(x) : `${x < 0 ? "-" : ""}float('inf')`);
  write(
    args.code,
    codeBox(`${args.python}
u, v = ${plain(u)}, ${plain(v)}
gap = pair.p(u${values.join("")}) + pair.q(v${values.join("")}) - u * v
print(gap, pair.verify().status)`),
  );
}

/**
 * A pointer on a figure: p moves the tangent, q its slope, the map both.
 * @param {Record<string, any>} args @param {any} f @param {any} event
 */
function dragged(args, f, event) {
  const name = event.model?.name ?? event.origin?.name;
  const { v } = args.controls;
  /** @param {any} control @param {number} x */
  const fit = (control, x) => {
    control.value = Number(clamp(x, control.start, control.end).toPrecision(6));
  };
  if (name === "primal" || name === "tangents") {
    const reach = 0.02 * (state.windows.u[1] - state.windows.u[0]);
    const kink = f.knots.find((/** @type {number} */ k) => Math.abs(k - event.x) < reach);
    if (kink === undefined) {
      const slope = f.p_slope(clamp(event.x, f.p_ends[0], f.p_ends[1]));
      if (Number.isFinite(slope)) fit(v, slope);
      return;
    }
    // At a corner the height of the pointer chooses among its slopes.
    const h = 1e-6 * (1 + Math.abs(kink));
    const ends = [f.p_slope(kink - h), f.p_slope(kink + h)].map((s, k) =>
      Number.isFinite(s) ? s : state.windows.v[k],
    );
    const share = clamp((event.y - state.lowHigh[0]) / (state.lowHigh[1] - state.lowHigh[0]), 0, 1);
    fit(v, ends[0] + share * (ends[1] - ends[0]));
  } else if (name === "dual") {
    if (args.controls.predict.active) drawByHand(event, event.event_name === "panstart" || event.name === "panstart");
    else fit(v, event.x);
  } else if (name === "gap") {
    fit(args.controls.u, event.x);
    fit(v, event.y);
  }
}

/** @param {Record<string, any>} args @param {any} context */
function paint(args, context) {
  const theta = current(args);
  state.index = context.index;
  const region = regionOf(theta);
  const text = JSON.stringify(theta);
  if (region < 0) {
    state.theta = state.announced = null;
    refuse(args, theta);
    return;
  }
  const f = state.theta === text ? state.functions : functions(printed, args.knots, args.tables, theta);
  state.functions = f;
  if (f.isUnbounded) {
    state.theta = state.announced = null;
    refuse(args, theta);
    return;
  }
  if (!state.windows) {
    state.windows = windows(f);
    state.visited = [];
    placeSliders(args, f);
    nameControls(args, context);
    state.theta = null;
  } else if (state.region !== region) {
    state.windows = widened(state.windows, windows(f));
    limitSliders(args);
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

/** @param {Record<string, any>} args @param {any} origin @param {any} _data @param {any} context */
export function draw(args, origin, _data, context) {
  if (origin?.event_name && state.theta) dragged(args, state.functions, origin);
  soon(paint, args, context);
}
