// @ts-check
// Contours of a loss, 1/2 (w - b)'A(w - b), and the ball of g that they touch at the least point of loss + lam g. As lam
// falls the ball grows, and the point of contact runs along the path of solutions.

import { around, columns, drawable, spaced } from "../runtime/drawings.js";
import { recall } from "../runtime/memory.js";
import { levelAt } from "../runtime/sets.js";

/**
 * @typedef {number[]} Point
 * @typedef {(w: Point) => number} Height
 * @typedef {(v: Point) => Point} Gradient
 */

// Two weights that share what they explain, and the weights without a regularizer.
const SHARED = 0.5;
const BEST = [2.0, 1.0];
const CONTOURS = [0.3, 0.65, 1.5, 2.2];
const [FIRST_LAM, LAST_LAM, N_LAMS] = [0.01, 20, 40];
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const [PATH_ROUNDS, ROUNDS, HALVINGS] = [30, 48, 9];

/** @param {Point} w */
export function misfit([a, b]) {
  const [x, y] = [a - BEST[0], b - BEST[1]];
  return 0.5 * (x * x + 2 * SHARED * x * y + y * y);
}

/**
 * Returns the least point of a convex function between two places, which may be infinite, and not at 0, near them. It
 * is one of those that were tried, since the middle of the last two may lie where the function is infinite.
 * @param {(x: number) => number} f
 * @param {number} low
 * @param {number} high
 * @param {number} rounds
 */
export function least(f, low, high, rounds) {
  let best = [Infinity, 0];
  for (let k = 0; k < rounds; k += 1) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    const [left, right] = [f(a), f(b)];
    if (left < best[0]) best = [left, a];
    if (right < best[0]) best = [right, b];
    if (left === Infinity && right === Infinity ? Math.abs(low) < Math.abs(high) : left < right) high = b;
    else low = a;
  }
  return best[1];
}

/**
 * Returns where loss and regularizer together are least; a weight that may as well be zero is.
 * @param {Height} g
 * @param {number} lam
 * @param {[number, number]} interval
 * @param {number | null} total - of the segment on which g is finite, null where it is finite in the plane
 * @param {number} rounds
 */
export function solution(g, lam, [low, high], total, rounds) {
  const cost = (/** @type {Point} */ w) => misfit(w) + lam * g(w);
  if (total !== null) {
    const share = least((w) => cost([w, total - w]), 0, total, rounds);
    return [share, total - share];
  }
  const second = (/** @type {number} */ a) => least((b) => cost([a, b]), low, high, rounds);
  const first = least((a) => cost([a, second(a)]), low, high, rounds);
  const others = [
    [0, second(0)],
    [least((a) => cost([a, 0]), low, high, rounds), 0],
    [0, 0],
  ];
  return others.reduce((best, w) => (cost(w) <= cost(best) + 1e-7 ? w : best), [first, second(first)]);
}

/**
 * Returns the contour of the loss at a level.
 * @param {number} level
 */
export function ellipse(level) {
  const [far, near] = [level / (1 - SHARED), level / (1 + SHARED)].map((each) => Math.sqrt(2 * each));
  return spaced(0, 2 * Math.PI, 121).map((t) => {
    const [a, b] = [far * Math.cos(t) * Math.SQRT1_2, near * Math.sin(t) * Math.SQRT1_2];
    return [BEST[0] + a + b, BEST[1] - a + b];
  });
}

/**
 * Returns the weights that leave zero as lam falls along a path of solutions, and the lam at which each does.
 * @param {{ lam: number, w: Point }[]} path
 * @param {(lam: number) => Point} solved
 */
export function entering(path, solved) {
  return [0, 1].flatMap((j) => {
    const k = path.findIndex(({ w }) => w[j] !== 0);
    if (k < 1) return [];
    let [high, low] = [path[k - 1].lam, path[k].lam];
    for (let round = 0; round < HALVINGS; round += 1) {
      const middle = Math.sqrt(low * high);
      if (solved(middle)[j] === 0) high = middle;
      else low = middle;
    }
    return [{ j, lam: low }];
  });
}

/**
 * Returns the contours, the ball and the point where they touch, with the path of such points.
 * @param {{ g: Height, interval: [number, number], total: number | null, lam: number, key: unknown[],
 *   window: import("../runtime/sets.js").Window, memory: import("../runtime/memory.js").Memory }} given
 */
export function contact({ g, interval, total, lam, window, key, memory }) {
  const solved = (/** @type {number} */ each) => solution(g, each, interval, total, PATH_ROUNDS);
  const path = recall(memory, "path", key, () =>
    spaced(Math.log(LAST_LAM), Math.log(FIRST_LAM), N_LAMS).map((each) => ({
      lam: Math.exp(each),
      w: solved(Math.exp(each)),
    })),
  );
  const entries = recall(memory, "entries", key, () => entering(path, solved));
  const w = recall(memory, "solution", [key, lam], () => solution(g, lam, interval, total, ROUNDS));
  const [level, height] = [misfit(w), g(w)];
  const ball = () => (height > 0 || g([0, 0]) < height ? levelAt(g, window, height) : { x: [], y: [] });
  const v = [0, 1].map((j) => (BEST[j] - w[j] + SHARED * (BEST[1 - j] - w[1 - j])) / lam);
  return {
    ...{ lam, w, v, level, height, path, entries, isSegment: total !== null },
    sources: {
      contours: columns(CONTOURS.flatMap((share) => [...ellipse(share * level), [NaN, NaN]])),
      touching: columns(ellipse(level)),
      grown: total !== null ? { x: [0, total], y: [total, 0] } : recall(memory, "grown", [key, lam, window], ball),
      contact_path: columns(path.map((each) => each.w)),
      contact_point: columns([w]),
      best_point: columns([BEST]),
    },
  };
}

// Data that were held out have another best point; the steps of a run, and how far it goes.
const HELD_OUT = [1.1, 0.1];
const STEP = 0.02;
const LONGEST_RUN = 5000;
const GROWTH = 1.06;

/**
 * Returns the loss of held-out data.
 * @param {Point} w
 */
export function heldOut([a, b]) {
  return misfit([a + BEST[0] - HELD_OUT[0], b + BEST[1] - HELD_OUT[1]]);
}

/**
 * Returns places of the descent of the loss alone in the dual variable from zero, v -= STEP grad L(w), w = grad h(v).
 * @param {Gradient} map
 */
export function descent(map) {
  const v = [0, 0];
  const places = [];
  let next = 1;
  for (let k = 1; k <= LONGEST_RUN; k += 1) {
    const [x, y] = map(v).map((w, j) => w - BEST[j]);
    v[0] -= STEP * (x + SHARED * y);
    v[1] -= STEP * (y + SHARED * x);
    if (k < next) continue;
    places.push({ time: STEP * k, w: map(v) });
    next = Math.max(k + 1, GROWTH * k);
  }
  return places;
}

/**
 * Returns the held-out loss along a run without a regularizer, and over 1/lam of the solutions with one, on one axis.
 * @param {{ path: { lam: number, w: Point }[], map: Gradient | null, key: unknown[],
 *   memory: import("../runtime/memory.js").Memory }} given - a norm has no gradient map
 */
export function stopping({ path, map, key, memory }) {
  const run = recall(memory, "descent", key, () =>
    map ? descent(map).filter(({ w }) => w.every(Number.isFinite)) : [],
  );
  const times = spaced(-Math.log(LAST_LAM), -Math.log(FIRST_LAM), N_LAMS).map(Math.exp);
  const solutions = path.map(({ w }, k) => ({ time: times[k], w: drawable(w) }));
  const curve = (/** @type {{ time: number, w: Point }[]} */ places) => ({
    x: places.map(({ time }) => time),
    y: places.map(({ w }) => heldOut(w)),
  });
  const curves = { held_out_path: curve(solutions), held_out_run: curve(run) };
  const best = (/** @type {{ time: number, w: Point }[]} */ places) =>
    places.reduce((a, b) => (heldOut(b.w) < heldOut(a.w) ? b : a));
  const { time, w } = best(solutions);
  const last = run.at(-1);
  const stop = last && best(run);
  return {
    best: { lam: 1 / time, loss: heldOut(w) },
    stop: stop && { steps: Math.round(stop.time / STEP), step: STEP, loss: heldOut(stop.w), end: heldOut(last.w) },
    sources: { ...curves, descent: columns(run.map((place) => place.w)) },
    ranges: [
      ["range", "stopping_y", ...around([...curves.held_out_path.y, ...curves.held_out_run.y])],
      ["range", "stopping_x", 1 / LAST_LAM, 1 / FIRST_LAM],
    ],
  };
}
