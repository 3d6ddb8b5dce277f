// The contours of a quadratic loss and the ball of g that they touch: min over w of 1/2 (w - c)'A(w - c) + lam g(w). Where
// lam falls the ball grows, and the point of contact runs along the path of solutions.

import { around, drawable, put, sentence, setRange, shown, sides, spaced } from "../runtime/drawings.js";
import { levelAt, nothing } from "./browser.js";

// Two weights that share what they explain, and the weights without a regularizer.
const SHARED = 0.5;
const BEST = [2.0, 1.0];
const CONTOURS = [0.3, 0.65, 1, 1.5, 2.2];
const LAMS = [0.01, 20, 40];
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** @param {any[]} place */
export function misfit([a, b]) {
  const [x, y] = [a - BEST[0], b - BEST[1]];
  return 0.5 * (x * x + 2 * SHARED * x * y + y * y);
}

/**
 * The least point of a convex function between two places, which may be infinite, and not at 0, near them. It is one of
 * those that were tried, since the middle of the last two may lie where the function is infinite.
 * @param {(...x: any[]) => any} f @param {number} low @param {number} high @param {any} rounds
 */
export function least(f, low, high, rounds) {
  let best = [Infinity, 0];
  for (let k = 0; k < rounds; k += 1) {
    const [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    const [left, right] = [f(a), f(b)];
    for (const found of [
      [left, a],
      [right, b],
    ])
      if (found[0] < best[0]) best = found;
    if (left === Infinity && right === Infinity ? Math.abs(low) < Math.abs(high) : left < right) high = b;
    else low = a;
  }
  return best[1];
}

/**
 * Where loss and regularizer together are least; a weight that may as well be zero is.
 * @param {any} g @param {number} lam @param {any[]} place @param {any} total @param {any} rounds
 */
export function solution(g, lam, [low, high], total, rounds) {
  /** @param {any} w */
  const cost = (w) => misfit(w) + lam * g(w);
  if (total !== null) {
    const share = least((w) => cost([w, total - w]), 0, total, rounds);
    return [share, total - share];
  }
  /** @param {any} a */
  const second = (a) => least((b) => cost([a, b]), low, high, rounds);
  const first = least((a) => cost([a, second(a)]), low, high, rounds);
  const found = [first, second(first)];
  const others = [
    [0, second(0)],
    [least((a) => cost([a, 0]), low, high, rounds), 0],
    [0, 0],
  ];
  return others.reduce((best, w) => (cost(w) <= cost(best) + 1e-7 ? w : best), found);
}

/** @param {number} level */
export function ellipse(level) {
  const [far, near] = [level / (1 - SHARED), level / (1 + SHARED)].map((each) => Math.sqrt(2 * each));
  return spaced(0, 2 * Math.PI, 121).map((t) => {
    const [a, b] = [far * Math.cos(t) * Math.SQRT1_2, near * Math.sin(t) * Math.SQRT1_2];
    return [BEST[0] + a + b, BEST[1] - a + b];
  });
}

/** @param {any[]} points */
export function drawnPoints(points) {
  return { x: drawable(points.map((e) => e[0])), y: drawable(points.map((e) => e[1])) };
}

/**
 * `g` may be infinite; `total` is that of the segment on which g is finite, null where it is finite in the plane.
 * @param {Record<string, any>} args @param {any} g @param {any} window @param {any} total @param {boolean} isNew
 */
export function contact(args, g, window, total, isNew) {
  const lam = args.controls.lam.value;
  const { contact: figure } = args.figures;
  const { sources } = args;
  if (isNew) {
    const [first, last, count] = LAMS;
    const lams = spaced(Math.log(last), Math.log(first), count).map(Math.exp);
    put(sources.contact_path, drawnPoints(lams.map((each) => solution(g, each, window, total, 30))));
  }
  const sidesOf = sides(figure, window);
  const w = solution(g, lam, window, total, 48);
  const level = misfit(w);
  const height = g(w);
  put(
    sources.contours,
    drawnPoints(CONTOURS.filter((share) => share !== 1).flatMap((share) => [...ellipse(share * level), [NaN, NaN]])),
  );
  put(sources.touching, drawnPoints(ellipse(level)));
  put(
    sources.grown,
    total !== null
      ? { x: [0, total], y: [total, 0] }
      : height > 0 || g([0, 0]) < height
        ? levelAt(g, sidesOf, height)
        : nothing(),
  );
  put(sources.contact_point, drawnPoints([w]));
  put(sources.best_point, drawnPoints([BEST]));
  setRange(figure.x_range, sidesOf.x[0], sidesOf.x[1]);
  setRange(figure.y_range, sidesOf.y[0], sidesOf.y[1]);
  const zeros = w.flatMap((x, j) => (x === 0 ? [`w${"₁₂"[j]}`] : []));
  const v = [0, 1].map((j) => (BEST[j] - w[j] + SHARED * (BEST[1 - j] - w[1 - j])) / lam);
  sentence(
    args.lines.contact,
    `At λ = ${shown(lam)} the contour of loss ${shown(level)} touches ${total === null ? `the ball g(w) ≤ ${shown(height)}` : "the simplex"} at ` +
      `w = (${shown(w[0])}, ${shown(w[1])})${zeros.length ? `, where ${zeros.join(" and ")} ${zeros.length > 1 ? "are" : "is"} exactly 0` : ""}. ` +
      `There v = −∇L(w)/λ = (${shown(v[0])}, ${shown(v[1])}). Move λ: as it falls the ball grows along the path.`,
  );
}

// Data that were held out have another best point; the steps of a run, and how far it goes.
const HELD_OUT = [1.1, 0.1];
const STEP = 0.02;
const LONGEST_RUN = 5000;

/** @param {any[]} place */
export function shifted([a, b]) {
  return misfit([a + BEST[0] - HELD_OUT[0], b + BEST[1] - HELD_OUT[1]]);
}

/**
 * Descent of the loss alone in the dual variable from zero, v -= STEP grad L(w), w = grad h(v): [STEP x steps, w].
 * @param {any} map
 */
export function descent(map) {
  const v = [0, 0];
  const way = [];
  let next = 1;
  for (let k = 1; k <= LONGEST_RUN; k += 1) {
    const [x, y] = map(v).map((/** @type {any} */ w, /** @type {number} */ j) => w - BEST[j]);
    v[0] -= STEP * (x + SHARED * y);
    v[1] -= STEP * (y + SHARED * x);
    if (k < next) continue;
    way.push([STEP * k, map(v)]);
    next = Math.max(k + 1, 1.06 * k);
  }
  return way;
}

/**
 * The loss of held-out data along a run without a regularizer, and over 1/lam of the solutions with one, on one axis.
 * @param {Record<string, any>} args @param {any} map
 */
export function earlyStopping(args, map) {
  const { x, y } = args.sources.contact_path.data;
  const [first, last, count] = LAMS;
  const overLam = spaced(-Math.log(last), -Math.log(first), count).map((e, k) => [Math.exp(e), [x[k], y[k]]]);
  const run = map ? descent(map).filter(([, w]) => w.every(Number.isFinite)) : [];
  /** @param {any[]} points */
  const curve = (points) => ({ x: points.map(([t]) => t), y: points.map(([, w]) => shifted(w)) });
  put(args.sources.held_out_path, curve(overLam));
  put(args.sources.held_out_run, curve(run));
  put(args.sources.descent, drawnPoints(run.map(([, w]) => w)));
  const heights = [...overLam, ...run].map(([, w]) => shifted(w));
  setRange(args.figures.stopping.y_range, ...around(heights));
  setRange(args.figures.stopping.x_range, 1 / last, 1 / first);
  /** @param {any[]} points */
  const best = (points) => points.reduce((a, b) => (shifted(b[1]) < shifted(a[1]) ? b : a));
  const [t, w] = best(overLam);
  const path = `Of the solutions that of λ = ${shown(1 / t, 2)} has the least held-out loss, ${shown(shifted(w), 3)}`;
  if (!run.length) return sentence(args.lines.stopping, `${path}. h of a norm has no gradient to descend by.`);
  const [stop, at] = best(run);
  const end = shifted(/** @type {any} */ (run.at(-1))[1]);
  sentence(
    args.lines.stopping,
    `Without a regularizer the run w = ∇h(v) is best after ${Math.round(stop / STEP)} steps of ${STEP}, at ${shown(shifted(at), 3)}, and ends at ` +
      `${shown(end, 3)}. ${path}: stopping early is a regularizer, and the step size times the steps stands for 1/λ.`,
  );
}
