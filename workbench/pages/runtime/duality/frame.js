// One picture of the two curves: of a certificate and what is pointed at, the columns of the figures and their numbers.

import { graph, region, term } from "./graph.js";

/** @typedef {import("./pair.js").Pair} Pair */
/** @typedef {[number, number]} Frame - the ends of an axis */

/**
 * @typedef {object} Settings
 * @property {Pair | null} loss - null for several predictions
 * @property {Pair | null} regularizer - of one weight; null if a weight depends on all of v
 * @property {string} kind - what the loss is a function of: "margin", "residual" or "prediction"
 * @property {ArrayLike<number>} y
 * @property {ArrayLike<number>} weight - of each sample
 * @property {number} lam
 * @property {number} d - the number of features, without a constant one
 * @property {boolean} embedded - whether each weight is the difference of two
 * @property {(j: number) => string} name - of a feature
 */

/**
 * @typedef {object} Run
 * @property {{ w: ArrayLike<number>, v: ArrayLike<number> | null, alpha: ArrayLike<number>, z: ArrayLike<number>,
 *   sample_terms: ArrayLike<number>, regularizer_term: number, gap: number }} certificate - with w of the features
 * @property {number | null} sample - the one whose area is shaded: pointed at, else visited last
 * @property {number | null} feature - likewise
 */

/**
 * @typedef {object} Axes
 * @property {Frame} left - the axis of the margin, the residual or the prediction
 * @property {Frame} right - that of the dual vector
 */

// The number of weights that have room beside each other, and the share of the gap that is rounding.
const MOST_WEIGHTS = 160,
  ROUNDING = 1e-9;

/**
 * Where the slope of a sample's loss is taken, and the level that its dual variable asks for, with its sign turned.
 * @param {Settings} settings
 * @param {Run["certificate"]} certificate
 * @param {number} i
 * @returns {[number, number]}
 */
export function leftPoint({ kind, y, weight }, { alpha, z }, i) {
  const sign = kind === "margin" ? y[i] : 1;
  return [kind === "residual" ? z[i] - y[i] : sign * z[i], alpha[i] / (weight[i] * sign)];
}

/**
 * Everything that one picture shows.
 * @param {Settings} settings
 * @param {Run} run
 * @param {Axes} axes
 */
export function frame(settings, run, axes) {
  const left = leftSide(settings, run, axes.left),
    right = rightSide(settings, run, axes.right);
  return {
    columns: { ...left.columns, ...right.columns },
    numbers: { left: left.area, right: right.area, ...zeros(settings, run), isLeftAlone: isLeftAlone(run) },
  };
}

/**
 * The graph of -p' with the area of one sample.
 * @param {Settings} settings
 * @param {Run} run
 * @param {Frame} axis
 */
function leftSide(settings, { certificate, sample }, axis) {
  const { loss, weight } = settings,
    curve = loss ? graph(loss, ...axis) : { x: [], y: [] };
  const columns = { loss_graph: { x: curve.x, y: curve.y.map(turned) }, left_area: NO_AREA, left_infinite: NO_AREA };
  if (sample === null || !Number.isFinite(certificate.gap)) return { columns, area: null };
  const { sample_terms } = certificate,
    n = sample_terms.length;
  const [u, level] = leftPoint(settings, certificate, sample),
    area = n * sample_terms[sample];
  const found = { sample, area, mean: sum(sample_terms), isCut: false, isInfinite: area === Infinity };
  if (!loss) return { columns, area: found };
  const { x, y, isCut, isInfinite } = region(loss, u, -level, axis);
  Object.assign(found, { isCut, isInfinite, unit: weight[sample] });
  Object.assign(columns, { [isInfinite ? "left_infinite" : "left_area"]: { x, y: y.map(turned) } });
  return { columns, area: found };
}

/**
 * The graph of grad h, a dot for each feature, and the area of one.
 * @param {Settings} settings
 * @param {Run} run
 * @param {Frame} axis
 */
function rightSide(settings, { certificate, feature }, axis) {
  const { regularizer, name, d, lam, embedded } = settings,
    { w, v } = certificate;
  const curve = regularizer ? graph(regularizer, ...axis) : { x: [], y: [] };
  const features = v ? Array.from({ length: d }, (_, j) => j) : [];
  const flats = (regularizer?.flats ?? []).filter(([start, end]) => end > start);
  const columns = {
    transfer_graph: curve,
    flat: { start: flats.map(([start]) => start), end: flats.map(([, end]) => end) },
    transfer: {
      v: features.map((j) => v?.[j] ?? NaN),
      weight: features.map((j) => w[j]),
      name: features.map(name),
      feature: features,
      kind: features.map((j) => kindOf(w[j])),
    },
    right_area: NO_AREA,
  };
  if (feature === null || !v || !regularizer || embedded) return { columns, area: null };
  const { area } = term(regularizer, v[feature], w[feature]),
    { x, y } = region(regularizer, v[feature], w[feature], axis);
  columns.right_area = { x, y };
  return { columns, area: { feature, name: name(feature), area, lam } };
}

/** @type {{ x: number[], y: number[] }} */
const NO_AREA = { x: [], y: [] };

/** @param {number} weight */
function kindOf(weight) {
  return weight === 0 ? "zero" : "other";
}

/** @param {number} value */
function turned(value) {
  return 0 - value;
}

/** @param {ArrayLike<number>} values */
function sum(values) {
  return Array.from(values).reduce((a, b) => a + b, 0);
}

/**
 * @param {Settings} settings
 * @param {Run} run
 */
function zeros({ d }, { certificate: { w } }) {
  let count = 0;
  for (let j = 0; j < d; j++) count += Number(w[j] === 0);
  return { zeros: count, d };
}

/**
 * Whether the whole gap is on the side of the samples, since w = grad h(v).
 * @param {Run} run
 */
function isLeftAlone({ certificate: { regularizer_term, gap } }) {
  return regularizer_term <= ROUNDING * gap;
}

/**
 * The weights in the order of their features: all of them, or those whose coordinates of v, or else of w, are largest.
 * @param {Settings} settings
 * @param {Run["certificate"]} certificate
 */
export function weightColumns({ d, name }, { w, v }) {
  const size = v ?? w,
    all = Array.from({ length: d }, (_, j) => j);
  const drawn = all
    .sort((a, b) => Math.abs(size[b]) - Math.abs(size[a]) || a - b)
    .slice(0, MOST_WEIGHTS)
    .sort((a, b) => a - b);
  const row = (/** @type {number[]} */ chosen) => ({
    place: chosen.map((j) => drawn.indexOf(j)),
    weight: chosen.map((j) => w[j]),
    name: chosen.map(name),
    feature: chosen,
    kind: chosen.map((j) => kindOf(w[j])),
  });
  return { weights: row(drawn), zero_weights: row(drawn.filter((j) => w[j] === 0)) };
}

/**
 * @typedef {object} Visited
 * @property {string} key - of everything but lambda
 * @property {Map<number, { w: number[], loss: number | null }>} runs - by lambda
 */

/**
 * What stays of the values of lambda that were visited, with the present one; other settings begin anew.
 * @param {Visited | null} visited
 * @param {string} key
 * @param {number} lam
 * @param {ArrayLike<number>} w
 * @param {number | null} loss - the mean of held-out samples
 * @returns {Visited}
 */
export function remembered(visited, key, lam, w, loss) {
  const runs = visited?.key === key ? new Map(visited.runs) : new Map();
  return { key, runs: runs.set(lam, { w: Array.from(w).slice(0, MOST_WEIGHTS), loss }) };
}

/**
 * A dot for each weight and one of the loss of held-out samples over the values of lambda, in their order.
 * @param {Visited} visited
 * @param {(j: number) => string} name
 */
export function visitedColumns({ runs }, name) {
  const order = [...runs].sort(([a], [b]) => a - b);
  const dots = order.flatMap(([lam, { w }]) => w.map((weight, j) => ({ lam, weight, name: name(j), feature: j })));
  const scored = order.filter(([, { loss }]) => loss !== null);
  return {
    path: {
      lam: dots.map((dot) => dot.lam),
      weight: dots.map((dot) => dot.weight),
      name: dots.map((dot) => dot.name),
      feature: dots.map((dot) => dot.feature),
      kind: dots.map((dot) => kindOf(dot.weight)),
    },
    held_out: { lam: scored.map(([lam]) => lam), loss: scored.map(([, { loss }]) => loss) },
  };
}
