// The two sides of the mirror and the way towards the comparator.

import { around, clamp, put, sentence, setRange, shown } from "../runtime/drawings.js";
import { COUNT, VISITS, dot, wrong } from "./rule.js";

// A shortfall below this is rounding.
export const MISSING = 1e-9;
// So many times as far as the rule goes the twin may go to be seen whole.
const FARTHEST = 3;
// Lines of the points' picture reach so far, beyond any window.
export const FAR = 1e3;

/** @param {any[]} points */
export const columns = (points) => ({ x: points.map((each) => each[0]), y: points.map((each) => each[1]) });

/** @param {any} x */
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
 * The first feature, which matters, and the last, which does so least.
 * @param {Record<string, any>} args @param {any} now @param {any} lab
 */
export function sidesOfMirror(args, now, lab) {
  const { way, stream, rule } = lab;
  const [t, d] = [now.seen, now.dimension];
  /** @param {any} x */
  const pair = (x) => [x[0], x[d - 1]];
  /** @param {any} list */
  const distinct = (list) =>
    list.filter((/** @type {any} */ each, /** @type {number} */ k) => k === 0 || each !== list[k - 1]).map(pair);
  const [us, norm] = [pair(stream.u), sizeOf(pair(stream.u))];
  for (const name of ["v", "w"]) {
    const [mine, other] = [way[name], lab.twin[name]];
    put(args.sources[`${name}_path`], columns(distinct(mine.slice(0, t + 1))));
    put(args.sources[`${name}_twin`], columns(distinct(other.slice(0, t + 1))));
    put(args.sources[`${name}_now`], columns([pair(mine[t])]));
    put(args.sources[`${name}_twin_now`], columns([pair(other[t])]));
    // The window is that of the whole run, so that it stays while points come.
    const marked =
      rule.norm === null && name === "w"
        ? [
            [0, 0],
            [1, d === 2 ? 1 : 0],
          ]
        : [[0, 0]];
    const [own, theirs] = [[...distinct(mine), ...marked], distinct(other)];
    const figure = args.figures[name];
    [figure.x_range, figure.y_range].forEach((range, k) => {
      const [low, high] = around(own.map((each) => each[k]));
      const [least, most] = around(theirs.map((/** @type {any} */ each) => each[k]));
      // A twin that goes far would leave its neighbour too small to be seen.
      const kept = most - least <= FARTHEST * (high - low);
      setRange(range, kept ? Math.min(low, least) : low, kept ? Math.max(high, most) : high);
    });
  }
  const stepped = way.v[t] !== way.v[t - 1];
  put(args.sources.v_step, columns(stepped ? [pair(way.v[t - 1]), pair(way.v[t])] : []));
  put(args.sources.w_average, columns([pair(way.average[t])]));
  put(args.sources.u, columns([[0, 0], us.map((each) => (FAR * each) / norm)]));
  put(
    args.sources.simplex,
    columns(
      rule.norm === null && d === 2
        ? [
            [1, 0],
            [0, 1],
          ]
        : [],
    ),
  );
  put(
    args.sources.axes,
    columns([
      [-FAR, 0],
      [FAR, 0],
      [NaN, NaN],
      [0, -FAR],
      [0, FAR],
    ]),
  );
  const which =
    d === 2
      ? ""
      : ` Drawn are feature 1, which is relevant, and feature ${d}, which ${now.orthonormal || now.relevant >= d ? "is too" : "is not"}.`;
  sentence(
    args.lines.v,
    `v = (${shown(way.v[t][0], 3)}, ${d > 2 ? "…, " : ""}${shown(way.v[t][d - 1], 3)}) after ${way.count[t]} steps of length η|x|. ` +
      `The twin takes steps of any length and undoes some of them.${which}`,
  );
  const [w, mean, other] = [way.w[t], way.average[t], lab.twin.w[t]];
  sentence(
    args.lines.w,
    `w = (${shown(w[0], 3)}, ${d > 2 ? "…, " : ""}${shown(w[d - 1], 3)}), ${angle(w, stream.u)}. Of all ${COUNT} points w gets ` +
      `<b>${wrong(stream, w)}</b> wrong, its average (triangle) <b>${wrong(stream, mean)}</b>, the twin <b>${wrong(stream, other)}</b>.`,
  );
}

/** @param {any} w @param {any} u */
function angle(w, u) {
  const length = sizeOf(w);
  if (!(length > 0)) return "no direction yet";
  const cosine = clamp(dot(w, u) / (length * sizeOf(u)), -1, 1);
  return `${shown((180 / Math.PI) * Math.acos(cosine), 3)}° from u`;
}

/** @param {Record<string, any>} args @param {any} now @param {any} lab */
export function towards(args, now, lab) {
  const {
    potential: { scale, step, values },
    way,
    bound,
  } = lab;
  const t = now.seen;
  /**
   * A shortfall may take back what a mistake has gained.
   * @param {number} k
   */
  const promised = (k) => values[0] - step * way.count[k] + scale * lab.rule.eta * bound.missing[k];
  const ts = Array.from(values, (_, k) => k);
  put(args.sources.potential, { x: ts.slice(0, t + 1), y: values.slice(0, t + 1) });
  put(args.sources.promise, {
    x: ts.slice(0, t + 1),
    y: step > 0 ? ts.slice(0, t + 1).map(promised) : ts.slice(0, t + 1).map(() => NaN),
  });
  put(args.sources.potential_now, { x: [t], y: [values[t]] });
  setRange(args.figures.potential.x_range, 0, VISITS);
  setRange(args.figures.potential.y_range, ...around([0, ...values], 0.08));
  const times = lab.rule.norm === null ? "u" : `${shown(scale)} u`;
  const off = `A mistake on a point with the margin γ lowers it by at least ${shown(step)}`;
  const most = `and it cannot fall below 0: at most ${shown(values[0])} / ${shown(step)} = ${shown(values[0] / step)} mistakes.`;
  let falls = "Here a mistake need not lower it, so the number of mistakes is not bounded.";
  if (step > 0)
    falls = bound.missing[t] > MISSING ? `${off}; a mistake on a point without it may raise it.` : `${off}, ${most}`;
  sentence(
    args.lines.potential,
    `D(${times}, w) = <b>${shown(values[t])}</b>, ${shown(values[0])} at the start. ${falls}`,
  );
}
