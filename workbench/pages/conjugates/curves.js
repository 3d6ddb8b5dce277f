// @ts-check
// p and q with their slopes and domains, where to look at them, and p** from q; nothing here draws.

import { clamp, spaced } from "../runtime/drawings.js";

export const COUNT = 401;
// Slopes that rise without bound are followed so far towards the end of a domain.
export const CLOSEST = [1e-2, 1e-4, 1e-6, 1e-9, 1e-12];
export const TANGENTS = 29;
export const FAN = 7;
export const HALVINGS = 60;

/**
 * The values of a function that the server computed, in a straight line between its points.
 * @param {any} table @param {number} x
 */
export function tabled(table, x) {
  const { x: xs, y: ys } = table;
  if (!(x >= xs[0] && x <= xs[xs.length - 1])) return NaN;
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle;
  }
  return ys[low] + ((ys[high] - ys[low]) * (x - xs[low])) / (xs[high] - xs[low]);
}

/** @param {any} table */
export function fromTable(table) {
  const step = (table.x[table.x.length - 1] - table.x[0]) / table.x.length;
  /** @param {number} x */
  const value = (x) => tabled(table, x);
  return [value, (/** @type {number} */ x) => (value(x + step) - value(x - step)) / (2 * step)];
}

/**
 * Where a slope that rises passes a number: two neighbours, or the end of the domain that it never reaches.
 * @param {any} slope @param {any[]} place @param {any} wanted
 */
export function passing(slope, [first, last], wanted) {
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

/**
 * The conjugate of a function and its slope, solved in numbers: the supremum of x y - value(y) is where slope(y) = x.
 * @param {any} value @param {any} slope @param {any} ends @param {any} ownEnds
 */
export function solved(value, slope, ends, ownEnds) {
  /** @param {any} x */
  const at = (x) => {
    const pair = passing(slope, ends, x);
    const heights = pair.map((y) => x * y - value(y));
    return heights[0] > heights[1] || !Number.isFinite(heights[1]) ? [heights[0], pair[0]] : [heights[1], pair[1]];
  };
  return [
    (/** @type {number} */ x) => (x >= ownEnds[0] && x <= ownEnds[1] ? at(x)[0] : Infinity),
    (/** @type {number} */ x) => at(x)[1],
  ];
}

// A function that need not be convex, by values: p** from the lower hull of its points, q from the corners of that. Farther
// out points stand wider apart; where a corner so far away gives a supremum that nothing near does, it is infinite.
export const DENSE = 12;
export const NEAR_END = 1e3;
export const FAR_END = 1e6;
export const STEPS_OUT = 400;

/** @param {any} printed @param {Record<string, any>} theta */
export function enveloped(printed, theta) {
  const p_ends = [printed.p_low(0, theta), printed.p_high(0, theta)];
  /** @param {any} u */
  const p = (u) => {
    const y = printed.given(u, theta);
    return Number.isNaN(y) ? Infinity : y;
  };
  const out = spaced(Math.log(DENSE), Math.log(FAR_END), STEPS_OUT).map(Math.exp);
  const all = [...spaced(-DENSE, DENSE, 4801), ...out, ...out.map((u) => -u), ...p_ends];
  const us = [...new Set(all)]
    .filter((u) => Number.isFinite(u) && u >= p_ends[0] && u <= p_ends[1])
    .sort((a, b) => a - b);
  const ps = us.map(p);
  /** @type {any[]} */
  const hull = [];
  us.forEach((u, k) => {
    if (!Number.isFinite(ps[k])) return;
    /** @param {any[]} place @param {any[]} pair */
    const rises = ([a, y], [b, z]) => (z - y) / (b - a);
    while (hull.length > 1 && rises(hull.at(-2), hull.at(-1)) >= rises(hull.at(-1), [u, ps[k]])) hull.pop();
    hull.push([u, ps[k]]);
  });
  /** @param {any} v @param {any} reach */
  const highest = (v, reach) =>
    hull.reduce(
      (best, [u, y]) => (Math.abs(u) <= reach && u * v - y > best[0] ? [u * v - y, u] : best),
      [-Infinity, NaN],
    );
  /** @param {any} a @param {any} b */
  const slope = (a, b) => (b[1] - a[1]) / (b[0] - a[0]);
  /** @param {any} s */
  const simple = (s) => (Math.abs(s) < 2e-3 ? 0 : Math.abs(s) > NEAR_END ? Math.sign(s) * Infinity : s);
  const many = hull.length > 1;
  const [first, last] = [hull[0][0] <= -NEAR_END, hull.at(-1)[0] >= NEAR_END];
  const q_ends = [
    first && many ? simple(slope(hull[0], hull[1])) : -Infinity,
    last && many ? simple(slope(hull.at(-2), hull.at(-1))) : Infinity,
  ];
  const middle = clamp(0, q_ends[0], q_ends[1]);
  const [whole] = highest(middle, Infinity);
  const [near] = highest(middle, NEAR_END);
  const isUnbounded =
    ps.includes(-Infinity) ||
    !(q_ends[0] <= q_ends[1]) ||
    !Number.isFinite(middle) ||
    !(whole <= near + 1 + 1e-3 * Math.abs(near));
  /** @param {any} u */
  const step = (u) => 1e-6 * (1 + Math.abs(u));
  return {
    p,
    p_ends,
    q_ends,
    isUnbounded,
    knots: [],
    p_slope: (/** @type {any} */ u) => (p(u + step(u)) - p(u - step(u))) / (2 * step(u)),
    q: (/** @type {any} */ v) => (v >= q_ends[0] && v <= q_ends[1] ? highest(v, NEAR_END)[0] : Infinity),
    q_slope: (/** @type {any} */ v) => highest(v, NEAR_END)[1],
    envelope: (/** @type {any} */ u) => {
      if (!(u >= hull[0][0] && u <= hull.at(-1)[0])) return NaN;
      const k = Math.max(
        1,
        hull.findIndex(([x]) => x >= u),
      );
      const [a, y] = hull[k - 1];
      return many ? y + slope(hull[k - 1], hull[k]) * (u - a) : y;
    },
  };
}

/** @param {any} printed @param {number} count @param {any} tables @param {Record<string, any>} theta */
export function functions(printed, count, tables, theta) {
  if (!printed.p_slope && printed.given) return enveloped(printed, theta);
  /** @param {string} name */
  const end = (name) => printed[name](0, theta);
  /** @type {Record<string, any>} */
  const made = { p_ends: [end("p_low"), end("p_high")], q_ends: [end("q_low"), end("q_high")] };
  for (const [name, other] of [
    ["p", "q"],
    ["q", "p"],
  ]) {
    /** @param {any} of */
    const formula = (of) => [
      (/** @type {number} */ x) => printed[of](x, theta),
      (/** @type {number} */ x) => printed[`${of}_slope`](x, theta),
    ];
    const known = printed[name] ? formula(name) : tables[name] && fromTable(tables[name]);
    const [f, slope] = formula(other);
    [made[name], made[`${name}_slope`]] = known || solved(f, slope, made[`${other}_ends`], made[`${name}_ends`]);
  }
  const knots = Array.from({ length: count }, (_, k) => printed[`knot_${k}`](0, theta));
  made.knots = knots.filter((x) => !Number.isNaN(x));
  return made;
}

/**
 * Where to look: the whole of a bounded domain, else around its end or its kinks.
 * @param {any} ends @param {any[]} places
 */
export function side(ends, places) {
  const [low, high] = ends;
  if (Number.isFinite(low) && Number.isFinite(high)) {
    const pad = 0.2 * (high - low) || 1;
    return [low - pad, high + pad];
  }
  if (Number.isFinite(low)) return [low - 0.6, Math.max(low + 4, ...places.map((x) => x + 2.5))];
  if (Number.isFinite(high)) return [Math.min(high - 4, ...places.map((x) => x - 2.5)), high + 0.6];
  return [Math.min(-4, ...places.map((x) => x - 2.5)), Math.max(4, ...places.map((x) => x + 2.5))];
}

/** @param {any} f */
export function windows(f) {
  const u = side(f.p_ends, f.knots);
  const inside = spaced(Math.max(u[0], f.p_ends[0]), Math.min(u[1], f.p_ends[1]), 42).slice(1, -1);
  const slopes = inside
    .map(f.p_slope)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  let v = slopes.length
    ? [slopes[Math.floor(slopes.length / 20)], slopes[Math.ceil(slopes.length * 0.93) - 1]]
    : [-1, 1];
  v = [clamp(v[0], -12, 12), clamp(v[1], -12, 12)];
  const known = f.q_ends.map((/** @type {number} */ end, /** @type {number} */ k) =>
    Number.isFinite(end) ? end : v[k],
  );
  const low = Math.min(v[0], known[0]);
  const high = Math.max(v[1], known[1]);
  const pad = 0.15 * (high - low) || 1;
  return { u, v: [low - pad, high + pad] };
}

/**
 * Even places with those in between where a function bends or ends.
 * @param {any[]} place @param {any} more
 */
export function places([low, high], more) {
  const xs = spaced(low, high, COUNT);
  const extra = more.filter((/** @type {number} */ x) => Number.isFinite(x) && x > low && x < high);
  return xs.concat(extra).sort((a, b) => a - b);
}

/**
 * The slopes of p on either side of every place that is drawn, and up to the ends of its domain.
 * @param {any} f @param {number[]} us
 */
export function slopesOf(f, us) {
  const [low, high] = f.p_ends;
  const near = [
    ...f.knots.flatMap((/** @type {number} */ x) => [x - 1e-9 * (1 + Math.abs(x)), x + 1e-9 * (1 + Math.abs(x))]),
    ...CLOSEST.flatMap((step) => [low + step * (1 + Math.abs(low)), high - step * (1 + Math.abs(high))]),
  ];
  const inside = [...us, ...near].filter((u) => u > low && u < high);
  return inside.map(f.p_slope).filter(Number.isFinite);
}

/**
 * p**(u) = sup over v of u v - q(v), over the slopes that are drawn and all that p takes in the window: of q
 * alone, so that it is p only if q is right. NaN where p is infinite, or where q is not known at those slopes.
 * @param {any} f @param {number[]} us @param {number[]} vs
 */
export function biconjugate(f, us, vs) {
  const ends = f.q_ends.filter(Number.isFinite);
  const slopes = slopesOf(f, us);
  const known = [...vs, ...ends, ...slopes].map((v) => [v, f.q(v)]).filter(([, q]) => Number.isFinite(q));
  const reached = slopes.filter((v) => Number.isNaN(f.q(v)));
  const [least, most] = [reached.some((v) => v < 0), reached.some((v) => v > 0)];
  const [low, high] = known.reduce(([a, b], [v]) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  let worst = 0;
  const p = us.map((u) => {
    const slope = f.p_slope(u);
    if (u < f.p_ends[0] || u > f.p_ends[1] || (least && slope < low) || (most && slope > high)) return NaN;
    const best = known.reduce((height, [v, q]) => Math.max(height, u * v - q), -Infinity);
    const trueHeight = f.p(u);
    if (Number.isFinite(trueHeight)) worst = Math.max(worst, Math.abs(trueHeight - best) / (1 + Math.abs(trueHeight)));
    return best;
  });
  return { p, worst, whole: !reached.length };
}

/**
 * Lines that touch p at places spread evenly over the window, and a fan of those through each kink and each end of the domain.
 * @param {any} f @param {{ u: any[], v: any }} fields
 */
export function tangents(f, { u: [low, high], v: window }) {
  const [first, last] = [Math.max(low, f.p_ends[0]), Math.min(high, f.p_ends[1])];
  const pad = 1e-3 * (last - first);
  const corners = [...f.knots, ...f.p_ends].filter((u) => Number.isFinite(u) && u >= low && u <= high);
  const fans = corners.flatMap((u) => {
    const h = 1e-6 * (1 + Math.abs(u));
    const sides = [u - h, u + h].map((x, k) => (x < f.p_ends[0] || x > f.p_ends[1] ? window[k] : f.p_slope(x)));
    return sides.every(Number.isFinite) ? spaced(sides[0], sides[1], FAN) : [];
  });
  const slopes = spaced(first + pad, last - pad, TANGENTS)
    .map(f.p_slope)
    .concat(f.q_ends, fans);
  const pairs = [...new Set(slopes)].map((v) => [v, f.q(v)]);
  return pairs.filter(([v, q]) => Number.isFinite(v) && Number.isFinite(q));
}

/**
 * Of a tangent's slope near a wish, on the steps of a slider: one at which q is finite, inside its domain if it has an inside.
 * @param {any} f @param {any} wish @param {any} step
 */
export function opening(f, wish, step) {
  const [low, high] = f.q_ends;
  /** @param {any} v */
  const grid = (v) => Number((step * Math.round(v / step)).toPrecision(6));
  let v = wish;
  if (!(v > low && v < high)) {
    if (Number.isFinite(low + high)) v = low + 0.68 * (high - low);
    else
      v = Number.isFinite(low)
        ? Math.max(low + step, Number.isFinite(wish) ? wish : 0)
        : Math.min(high - step, wish || 0);
  }
  return [grid(v), grid(v - step), grid(v + step), v].find((x) => Number.isFinite(f.q(x))) ?? v;
}

/**
 * Returns where p has slope v: q'(v), or a kink of p for the slopes of its corner.
 * @param {any} f
 * @param {number} v
 */
export function touching(f, v) {
  const [low, high] = f.q_ends;
  const inner = v === low || v === high ? v + (v === low ? 1 : -1) * 1e-9 * (1 + Math.abs(v)) : v;
  let u = f.q_slope(inner);
  if (Number.isNaN(u)) u = f.knots[0] ?? 0;
  return clamp(u, Math.max(f.p_ends[0], -1e6), Math.min(f.p_ends[1], 1e6));
}

/**
 * Returns the graph of the subdifferential of p: at a kink it is vertical, and at an end that belongs to the domain of a
 * convex p as well, where every slope outwards is one of p.
 * @param {any} f
 * @param {any} windows
 * @param {boolean} isConvex
 */
export function graph(f, { u: uw, v: vw }, isConvex) {
  const [first, last] = f.p_ends;
  const near = (/** @type {number} */ u) => 1e-6 * (1 + Math.abs(u));
  const inside = [...new Set(places(uw, f.knots))].filter((u) => u > first && u < last);
  const points = inside.flatMap((u) => {
    const sides = f.knots.includes(u) ? [u - near(u), u + near(u)] : [u];
    return sides.map((x) => [u, f.p_slope(x)]);
  });
  const hasEnd = (/** @type {number} */ u) => isConvex && Number.isFinite(u) && Number.isFinite(f.p(u));
  if (hasEnd(first)) {
    const slope = f.p_slope(first + near(first));
    points.unshift([first, Math.min(vw[0], slope)], [first, slope]);
  }
  if (hasEnd(last)) {
    const slope = f.p_slope(last - near(last));
    points.push([last, slope], [last, Math.max(vw[1], slope)]);
  }
  return { u: points.map(([u]) => u), v: points.map(([, v]) => (Number.isFinite(v) ? v : NaN)) };
}
