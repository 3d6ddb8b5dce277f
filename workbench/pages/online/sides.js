// @ts-check
// The two sides of the mirror and the way towards the comparator.

import { around, clamp, columns, shown } from "../runtime/drawings.js";
import { COUNT, dot, VISITS, wrong } from "./rule.js";

// A shortfall below this is rounding.
export const MISSING = 1e-9;
// The twin is seen whole up to this multiple of the rule's own extent.
const FARTHEST = 3;
// Lines of the points' picture reach so far, beyond any window.
export const FAR = 1e3;

/**
 * Returns the length of a vector.
 * @param {any} x
 */
export const sizeOf = (x) => Math.sqrt(dot(x, x));

/**
 * Two directions of length 1: along u, and across it towards w.
 * @param {Record<string, any>} fields @param {any} w
 */
export function plane({ u }, w) {
  const along = u.map((/** @type {any} */ each) => each / sizeOf(u));
  if (u.length === 2) return [along, [-along[1], along[0]]];
  const share = dot(along, w);
  let rest = along.map((/** @type {any} */ each, /** @type {number} */ j) => w[j] - share * each);
  // Without a part of w across u, any direction will do.
  if (!(sizeOf(rest) > 1e-9 * sizeOf(w))) {
    const last = dot(
      along,
      along.map((/** @type {any} */ _, /** @type {number} */ j) => (j === u.length - 1 ? 1 : 0)),
    );
    rest = along.map((/** @type {any} */ each, /** @type {number} */ j) => (j === u.length - 1 ? 1 : 0) - last * each);
  }
  return [along, rest.map((/** @type {any} */ each) => each / sizeOf(rest))];
}

/**
 * The line w.x = 0 in that plane.
 * @param {any[]} place @param {any} w
 */
export function edge([along, across], w) {
  const [a, b] = [dot(along, w), dot(across, w)];
  const length = Math.hypot(a, b);
  return length > 0
    ? columns([
        [(-b / length) * FAR, (a / length) * FAR],
        [(b / length) * FAR, (-a / length) * FAR],
      ])
    : columns([]);
}

/**
 * Returns both sides of the mirror in two features: the first, which matters, and the last, which does so least.
 * @param {import("./frame.js").State} state
 */
export function sidesOfMirror({ settings, isOrthonormal, lab, say }) {
  const { way, stream, rule } = lab;
  const { seen: t, dimension: d } = settings;
  const pair = (/** @type {any} */ x) => [x[0], x[d - 1]];
  const distinct = (/** @type {any[]} */ list) => list.filter((each, k) => k === 0 || each !== list[k - 1]).map(pair);
  const isSimplex = rule.norm === null && d === 2;
  /** @type {Record<string, any>} */
  const sources = {};
  const ranges = [];
  for (const name of ["v", "w"]) {
    const [mine, other] = [way[name], lab.twin[name]];
    sources[`${name}_path`] = columns(distinct(mine.slice(0, t + 1)));
    sources[`${name}_twin`] = columns(distinct(other.slice(0, t + 1)));
    sources[`${name}_now`] = columns([pair(mine[t])]);
    sources[`${name}_twin_now`] = columns([pair(other[t])]);
    // The window is that of the whole run, so that it stays while points come.
    const corner = rule.norm === null && name === "w" ? [[1, d === 2 ? 1 : 0]] : [];
    const [own, theirs] = [[...distinct(mine), [0, 0], ...corner], distinct(other)];
    for (const [k, side] of ["x", "y"].entries()) {
      const [low, high] = around(own.map((each) => each[k]));
      const [least, most] = around(theirs.map((each) => each[k]));
      // A twin that goes far would leave its neighbour too small to be seen.
      const isKept = most - least <= FARTHEST * (high - low);
      ranges.push([
        "range",
        `${name}_${side}`,
        isKept ? Math.min(low, least) : low,
        isKept ? Math.max(high, most) : high,
      ]);
    }
  }
  const u = pair(stream.u);
  const hasMoved = way.v[t] !== way.v[t - 1];
  const [w, mean, other] = [way.w[t], way.average[t], lab.twin.w[t]];
  const spoken = (/** @type {any} */ x) => `(${shown(x[0], 3)}, ${d > 2 ? "…, " : ""}${shown(x[d - 1], 3)})`;
  const wrongs = { wrong: wrong(stream, w), mean: wrong(stream, mean), other: wrong(stream, other) };
  const length = sizeOf(w);
  const degrees = shown((180 / Math.PI) * Math.acos(clamp(dot(w, stream.u) / (length * sizeOf(stream.u)), -1, 1)), 3);
  const features =
    d > 2 ? ` ${say(isOrthonormal || settings.relevant >= d ? "features_both" : "features", { d })}` : "";
  return {
    sources: {
      ...sources,
      v_step: columns(hasMoved ? [pair(way.v[t - 1]), pair(way.v[t])] : []),
      w_average: columns([pair(mean)]),
      u: columns([[0, 0], u.map((each) => (FAR * each) / sizeOf(u))]),
      simplex: columns(
        isSimplex
          ? [
              [1, 0],
              [0, 1],
            ]
          : [],
      ),
      axes: columns([
        [-FAR, 0],
        [FAR, 0],
        [NaN, NaN],
        [0, -FAR],
        [0, FAR],
      ]),
    },
    ranges,
    sentences: {
      v: say("v", { v: spoken(way.v[t]), count: way.count[t] }) + features,
      w: say("w", {
        w: spoken(w),
        angle: length > 0 ? say("angle", { degrees }) : say("no_angle"),
        all: COUNT,
        ...wrongs,
      }),
    },
  };
}

/**
 * Returns the divergence of w from u, and what each mistake takes off it at least.
 * @param {import("./frame.js").State} state
 */
export function towards({ settings, lab, say }) {
  const { potential, way, bound, rule } = lab;
  const { scale, step, values } = potential;
  const t = settings.seen;
  const ts = Array.from({ length: t + 1 }, (_, k) => k);
  // A shortfall may take back what a mistake has gained.
  const promised = ts.map((k) => values[0] - step * way.count[k] + scale * rule.eta * bound.missing[k]);
  const numbers = {
    u: rule.norm === null ? "u" : `${shown(scale)} u`,
    now: shown(values[t]),
    start: shown(values[0]),
    step: shown(step),
    most: shown(values[0] / step),
  };
  const key = step > 0 ? (bound.missing[t] > MISSING ? "falls_but" : "falls") : "falls_not";
  return {
    sources: {
      potential: { x: ts, y: values.slice(0, t + 1) },
      promise: { x: ts, y: step > 0 ? promised : ts.map(() => NaN) },
      potential_now: { x: [t], y: [values[t]] },
    },
    ranges: [
      ["range", "potential_x", 0, VISITS],
      ["range", "potential_y", ...around([0, ...values], 0.08)],
    ],
    sentences: { potential: `${say("potential", numbers)} ${say(key, numbers)}` },
  };
}
