// Messages about gaps of norms: each step with its gaps raw and repaired, as `gaps/norm_gap.py` has them, and what a
// picture shows of one: dual points, sections of the dual ball, the bisection for the dual norm of a tree.

import {
  FARTHEST,
  INSIDE,
  PRECISION,
  TREE,
  balance,
  bestBias,
  bestMultiple,
  certify,
  dualNorm,
  dualPoints,
  normSpace,
  sampleTerms,
} from "./certificate.js";
import { Engine } from "./engine.js";
import { whole } from "./messages.js";

Object.assign(Engine.TYPES, {
  norm_problem: [true, ["loss", "regularizer", "solver", "seed", "ratio", "best"], true],
  norm_picture: [false, ["plane"]],
});
// A dual norm this little above 1 is rounding.
const BALL = 1 + 1e-12;
// Directions and halvings that find the edge of a section, and where another corner is looked for: where the edge
// bulges out of its polygon by more than a quarter of a pixel.
const DIRECTIONS = 48;
const HALVINGS = 16;
const BULGE = 2e-3;
const LEAST_ANGLE = 1e-4;
// Beyond this the section has no edge that anybody looks at.
const FAR = 8;
const GOLDEN = (3 - Math.sqrt(5)) / 2;

/** @type {Record<string, (...message: any[]) => any> & ThisType<any>} */
const MESSAGES = {
  // A problem at zero, with lambda as a share of the least one for which w = 0 is optimal. Each place of its run has
  // its gaps; kappa is taken at the bias of the iterate, or at the best one for w.
  norm_problem({ id, ratio, best, ...choices }) {
    if (!(ratio > 0 && ratio < Infinity))
      throw new Error(`norm_problem: ratio = ${ratio} is not above 0; use 0.1, say`);
    this.begin({ ...choices, lam: 1 });
    const largest = largestLambda(this.made);
    if (!(largest > 0))
      throw new Error("lam: w = 0 is optimal for every lambda here; choose other data or another loss");
    const lam = ratio * largest;
    this.begin({ lam });
    const given = () => (best ? null : this.solver.state.b.view[0]);
    this.more = () => {
      const { dualVectors: _, ...gaps } = normGap(this.made, this.solver.iterate(), given());
      return { lam, largest, ...gaps };
    };
    this.given = given;
    this.frame({ id });
  },

  // Weights, v of kappa as it is, centred and repaired, and the sections of the dual ball through two features.
  norm_picture({ id, plane }) {
    const { made } = this;
    if (plane?.length !== 2 || plane[0] === plane[1])
      throw new Error("norm_picture: plane is not a pair of different features; use [0, 1], say");
    for (const feature of plane) whole(feature, "norm_picture", "plane", 0, made.d - 1);
    const {
      dualVectors: { raw, centred, size },
    } = normGap(made, this.solver.iterate(), this.given(), false);
    const scaled = centred.map((/** @type {number} */ value) => Math.min(1, reach(size)) * value);
    this.answer(id, "norm_picture", {
      step: this.steps,
      w: this.solver.iterate().copy(),
      points: [raw, centred, scaled].map((v) => plane.map((/** @type {number} */ j) => v[j])),
      edge: edges(made, scaled, plane),
      bisection: bisection(made, centred),
    });
  },
};
Object.assign(Engine.prototype, MESSAGES);

/**
 * The least lambda for which w = 0 is optimal; of an elastic net by its sparsity.
 * @param {any} made
 */
function largestLambda(made) {
  const { data, n, d, lam } = made;
  const z = data.space("gap z", n);
  const v = data.space("gap v", d);
  const alpha = data.space("gap alpha", n);
  z.view.fill(0);
  if (data.free_bias) z.view.fill(bestBias(made, z));
  dualPoints(made, z, 0, alpha);
  made.dualVector(alpha, v);
  v.view.set(v.view.map((/** @type {number} */ value) => lam * value));
  return made.regularizer.norm ? dualNorm(made, v) : Math.max(...v.view.map(Math.abs)) / made.penalty.threshold;
}

// --- the gaps of a primal point

/** @param {number} size */
function reach(size) {
  return size > 0 ? INSIDE / size : Infinity;
}

/** @param {any} problem @param {any} w @param {any} given @param {boolean} [certified] */
function normGap(problem, w, given, certified = true) {
  const { data, n, d, regularizer } = problem;
  const free = data.free_bias;
  const z = data.space("gap z", n);
  const alpha = data.space("gap alpha", n);
  const v = data.space("gap v", d);
  problem.predict(w, z);
  const b = free ? (given ?? bestBias(problem, z)) : 0;
  z.view.set(z.view.map((/** @type {number} */ value) => value + b));
  dualPoints(problem, z, 0, alpha);
  const total = alpha.view.reduce((/** @type {any} */ a, /** @type {number} */ x) => a + x, 0);
  problem.dualVector(alpha, v);
  const raw = v.copy();
  const outside = regularizer.norm && reach(dualNorm(problem, v)) * BALL < 1;
  const sum = free && balance(problem, alpha) !== 0;
  problem.dualVector(alpha, v);
  const centred = v.copy();
  const size = regularizer.norm ? dualNorm(problem, v) : NaN;
  const found = { total: -total / n, dualVectors: { raw, centred, size } };
  if (!certified) return found;
  const scaling = regularizer.norm ? Math.min(1, reach(size)) : 1;
  const moved = alpha.copy();
  const searched = regularizer.norm ? bestMultiple(problem, alpha, v) : leastMultiple(problem, moved, centred);
  const [repaired, better] = [scaling, searched].map((factor) => {
    alpha.view.set(moved.map((/** @type {number} */ value) => factor * value));
    return certify(problem, { w, alpha, b }).gap;
  });
  return {
    ...found,
    raw: sum || outside ? Infinity : repaired,
    repaired,
    better: Math.min(better, repaired),
    dual_norm: size,
    scaling,
    reasons: { sum, outside },
  };
}

/**
 * The multiple s of a dual point with the least D(s alpha) where h is smooth: by the golden section.
 * @param {any} problem @param {number[]} values @param {any} v
 */
function leastMultiple(problem, values, v) {
  const { data, n, d, lam, loss } = problem;
  const alpha = data.space("multiple", n);
  const moved = data.space("multiple v", d);
  const mapped = data.space("mapped", d);
  // A view ends where more memory is taken.
  const z = data.space("z", n);
  const weight = problem.weight.view;
  const sign = problem.sign.view;
  let farthest = FARTHEST;
  values.forEach((value, i) => {
    const nu = -value / (weight[i] * sign[i]);
    const end = nu < 0 ? loss.lower : loss.upper;
    if (nu !== 0 && Number.isFinite(end)) farthest = Math.min(farthest, end / nu);
  });
  if (!(farthest > 0)) return 0;
  /** @param {any} s */
  const dual = (s) => {
    alpha.view.set(values.map((value) => s * value));
    moved.view.set(v.map((/** @type {number} */ value) => s * value));
    z.view.fill(0);
    return sampleTerms(problem, z, alpha, 0).conjugate / n + lam * problem.map(moved, mapped);
  };
  let [low, high] = [0, farthest];
  const inner = [low + GOLDEN * farthest, high - GOLDEN * farthest];
  const at = inner.map(dual);
  while (high - low > PRECISION * farthest) {
    if (at[0] <= at[1]) {
      [high, inner[1], at[1]] = [inner[1], inner[0], at[0]];
      inner[0] = low + GOLDEN * (high - low);
      at[0] = dual(inner[0]);
    } else {
      [low, inner[0], at[0]] = [inner[0], inner[1], at[1]];
      inner[1] = high - GOLDEN * (high - low);
      at[1] = dual(inner[1]);
    }
  }
  const known = [(low + high) / 2, 0, Math.min(1, farthest), farthest].map((s) => [dual(s), s]);
  return known.filter(([value]) => Number.isFinite(value)).reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, 0])[1];
}

// --- sections of the dual ball

/**
 * Through the repaired point and through zero; of an elastic net the box inside which a weight is zero.
 * @param {any} problem @param {any} scaled @param {any[]} place
 */
function edges(problem, scaled, [first, second]) {
  const { regularizer, data, d } = problem;
  if (!regularizer.norm) {
    const epsilon = problem.penalty.threshold;
    const box = [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
      [1, 1],
    ];
    const corners = box.map((corner) => corner.map((value) => epsilon * value));
    return { through: corners, zero: corners };
  }
  const probe = data.space("probe", d);
  const centre = [scaled[first], scaled[second]];
  /** @param {any[]} place */
  const fromZero = ([u, v]) => {
    probe.view.fill(0);
    [probe.view[first], probe.view[second]] = [u, v];
    const size = Math.max(dualNorm(problem, probe), 1 / FAR);
    return [u / size, v / size];
  };
  /** @param {any[]} place */
  const fromPoint = ([u, v]) => {
    let low = 0;
    let high = FAR;
    probe.view.set(scaled);
    for (let k = 0; k < HALVINGS; k++) {
      const middle = 0.5 * (low + high);
      [probe.view[first], probe.view[second]] = [centre[0] + middle * u, centre[1] + middle * v];
      if (isInside(problem, probe)) low = middle;
      else high = middle;
    }
    return [centre[0] + u * low, centre[1] + v * low];
  };
  return { through: polygon(fromPoint), zero: polygon(fromZero) };
}

/**
 * The corners of a closed polygon in a convex edge, which `edge` finds in every direction.
 * @param {any} edge
 */
function polygon(edge) {
  /** @param {number} angle */
  const at = (angle) => [angle, edge([Math.cos(angle), Math.sin(angle)])];
  const waiting = Array.from({ length: DIRECTIONS + 1 }, (_, k) => at(2 * Math.PI + k * ((-2 * Math.PI) / DIRECTIONS)));
  waiting[DIRECTIONS] = at(0);
  /** @type {any[]} */
  const corners = [waiting.pop()];
  while (waiting.length) {
    const [before, start] = corners.at(-1);
    const [after, end] = /** @type {any[]} */ (waiting.at(-1));
    const [middle, found] = at(0.5 * (before + after));
    const side = [end[0] - start[0], end[1] - start[1]];
    const bulge = Math.abs(side[0] * (found[1] - start[1]) - side[1] * (found[0] - start[0]));
    if (after - before > LEAST_ANGLE && bulge > BULGE * Math.hypot(...side)) waiting.push([middle, found]);
    else corners.push(waiting.pop());
  }
  return corners.map(([, corner]) => corner);
}

/** @param {any} problem @param {number} x @param {any} tau */
function proximalPoint(problem, x, tau) {
  const { kernels, data, d, penalty } = problem;
  const slope = problem.p("slope");
  const out = data.space("prox", d);
  kernels.call("proximal_point", penalty, slope, slope, x, tau, ...normSpace(problem), out);
  return out.view;
}

/**
 * For a tree one pass says so, without a bisection.
 * @param {any} problem @param {any} v
 */
function isInside(problem, v) {
  return problem.penalty.kind === TREE
    ? proximalPoint(problem, v, 1).every((/** @type {number} */ value) => value === 0)
    : dualNorm(problem, v) <= 1;
}

/**
 * Every step of the bisection for a tree's dual norm: the bracket, its middle and how many entries the prox leaves there.
 * @param {any} problem @param {any} centred
 */
function bisection(problem, centred) {
  const largest = centred.reduce((/** @type {any} */ a, /** @type {number} */ x) => Math.max(a, Math.abs(x)), 0);
  /** @type {any[]} */
  const steps = [];
  if (problem.penalty.kind !== TREE || !(largest > 0)) return steps;
  const v = problem.data.space("gap v", problem.d);
  v.view.set(centred);
  /** @param {any} tau */
  const leftAt = (tau) =>
    proximalPoint(problem, v, tau).reduce(
      (/** @type {number} */ count, /** @type {number} */ value) => count + Number(value !== 0),
      0,
    );
  let low = 0;
  let high = largest;
  while (leftAt(high)) [low, high] = [high, 2 * high];
  while (high - low > ((1 - INSIDE) * high) / 4) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    const left = leftAt(middle);
    steps.push({ low, high, middle, left });
    [low, high] = left ? [middle, high] : [low, middle];
  }
  return [...steps, { low, high, middle: high, left: 0 }];
}
