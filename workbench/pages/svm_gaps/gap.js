// The gap G(a) of the L1-SVM and what the plane shows of it: as `gaps/svm.py` and `model.py` compute them.

export const BOUND_SHARE = 1e-9;
export const CURVE_POINTS = 101;

/**
 * Values of a kernel between points [x1, x2]; `code` and `parameters` are those of the engine's kernel.
 * @param {{ code: any, parameters: any }} fields
 */
export function kernelOf({ code, parameters }) {
  /** @param {any} a @param {any} b */
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const [gamma, constant, degree] = parameters;
  if (code === 1) return dot;
  if (code === 2)
    return (/** @type {any} */ a, /** @type {any} */ b) => Math.exp(-gamma * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2));
  return (/** @type {any} */ a, /** @type {any} */ b) => (gamma * dot(a, b) + constant) ** degree;
}

/**
 * Rows of k(from, to).
 * @param {any} kernel @param {any} from @param {any} to
 */
export function kernelMatrix(kernel, from, to) {
  return from.map((/** @type {any} */ point) => Float64Array.from(to, (other) => kernel(point, other)));
}

/** @param {any} matrix @param {any} factors */
export function times(matrix, factors) {
  return Float64Array.from(matrix, (row) =>
    row.reduce(
      (/** @type {any} */ sum, /** @type {number} */ value, /** @type {number} */ j) => sum + value * factors[j],
      0,
    ),
  );
}

/** @param {any} values */
export const total = (values) => values.reduce((/** @type {any} */ sum, /** @type {number} */ value) => sum + value, 0);

/**
 * a of List et al., in [0, C], of the engine's alpha.
 * @param {any} alpha @param {any} y @param {any} C
 */
export function dualVariables(alpha, y, C) {
  return alpha.map((/** @type {number} */ value, /** @type {number} */ i) =>
    Math.min(Math.max(C * y[i] * value, 0), C),
  );
}

/**
 * G(a) at its best bias, with the bounds of Lemma 8 and Remark 1.
 * @param {any} K @param {any} y @param {any} C @param {any} a
 */
export function svmGap(K, y, C, a) {
  const signed = a.map((/** @type {number} */ value, /** @type {number} */ i) => y[i] * value);
  const f = times(K, signed);
  const m = f.map((value, i) => value - y[i]);
  const up = a.map((/** @type {number} */ value, /** @type {number} */ i) => (y[i] > 0 ? value : C - value));
  const negatives = y.reduce(
    (/** @type {number} */ count, /** @type {number} */ label) => count + Number(label < 0),
    0,
  );
  const order = Float64Array.from(m).sort();
  const best = 0.5 * (order[negatives - 1] + order[negatives]);
  const gap = total(m.map((value, i) => up[i] * Math.max(value - best, 0) + (C - up[i]) * Math.max(best - value, 0)));
  const slacks = m.map((value, i) => Math.max(y[i] * (best - value), 0));
  const halfNorm = 0.5 * total(signed.map((/** @type {number} */ value, /** @type {number} */ i) => value * f[i]));
  return {
    gap,
    bias: -best,
    slacks,
    f,
    breakpoints: order.map((value) => -value).reverse(),
    values: valuesOf(order, gap, negatives, C).reverse(),
    outer: [C * (y.length - negatives), C * negatives],
    primal: halfNorm + C * total(slacks),
    dual: total(a) - halfNorm,
    ...boundsOf(m, up, C),
  };
}

/**
 * G at the sorted m, summed outwards from its minimum so that no rounding brings it below.
 * @param {any} order @param {number} gap @param {any} negatives @param {any} C
 */
function valuesOf(order, gap, negatives, C) {
  const n = order.length;
  const values = new Float64Array(n).fill(gap);
  /** @param {number} k */
  const rise = (k) => Math.abs(C * (k - negatives)) * (order[k] - order[k - 1]);
  for (let k = negatives + 1; k < n; k++) values[k] = values[k - 1] + rise(k);
  for (let k = negatives - 2; k >= 0; k--) values[k] = values[k + 1] + rise(k + 1);
  return values;
}

/** @param {any} m @param {any} up @param {any} C */
function boundsOf(m, up, C) {
  let i = -1;
  let j = -1;
  m.forEach((/** @type {number} */ value, /** @type {number} */ k) => {
    if (up[k] > 0 && (i < 0 || value > m[i])) i = k;
    if (up[k] < C && (j < 0 || value < m[j])) j = k;
  });
  const tHat = i < 0 ? -Infinity : m[i];
  const bHat = j < 0 ? Infinity : m[j];
  const violation = Math.max(0, tHat - bHat);
  const count = m.reduce(
    (/** @type {any} */ sum, /** @type {number} */ value, /** @type {number} */ k) =>
      sum + ((up[k] > 0 && value > bHat) || (up[k] < C && value < tHat)),
    0,
  );
  return {
    t_hat: tHat,
    b_hat: bHat,
    violation,
    count,
    lemma_8: C * m.length * violation,
    remark_1: C * count * violation,
    pair: tHat > bHat ? [i, j] : null,
  };
}

/**
 * The pair [i, j, share of G(a)] of largest σ-gap, (mᵢ − mⱼ) times the room that both have; null at an optimum.
 * @param {any} y @param {any} C @param {any} a @param {{ f: any, gap: number }} certified - of `svmGap`
 */
export function certifyingPair(y, C, a, { f, gap }) {
  let [best, top, bottom] = [0, -1, -1];
  const m = f.map((/** @type {number} */ value, /** @type {number} */ i) => value - y[i]);
  const up = a.map((/** @type {number} */ value, /** @type {number} */ i) => (y[i] > 0 ? value : C - value));
  for (let i = 0; i < m.length; i++) {
    for (let j = 0; j < m.length; j++) {
      const drop = Math.min(up[i], C - up[j]) * (m[i] - m[j]);
      if (drop > best) [best, top, bottom] = [drop, i, j];
    }
  }
  return best > 0 && gap > 0 ? [top, bottom, best / gap] : null;
}

/**
 * G over the bias; beyond the breakpoints it is linear.
 * @param {{ breakpoints: any, values: number[], outer: any }} fields @param {number} bias
 */
function gapAt({ breakpoints, values, outer }, bias) {
  const last = breakpoints.length - 1;
  if (bias <= breakpoints[0]) return values[0] + outer[0] * (breakpoints[0] - bias);
  if (bias >= breakpoints[last]) return values[last] + outer[1] * (bias - breakpoints[last]);
  const k = breakpoints.findIndex((/** @type {number} */ value) => value > bias);
  const left = breakpoints[k - 1];
  const width = breakpoints[k] - left;
  return values[k - 1] + (width > 0 ? ((values[k] - values[k - 1]) * (bias - left)) / width : 0);
}

/**
 * G around its minimum and both thresholds, with every breakpoint in the window.
 * @param {any} found
 */
export function curveOf(found) {
  const ends = [-found.t_hat, -found.b_hat, found.bias].filter(Number.isFinite);
  const margin = 0.5 * Math.max(Math.max(...ends) - Math.min(...ends), 0.5);
  const low = Math.min(...ends) - margin;
  const high = Math.max(...ends) + margin;
  const breaks = Array.from(found.breakpoints).filter((value) => value > low && value < high);
  const even = Array.from({ length: CURVE_POINTS }, (_, k) => low + ((high - low) * k) / (CURVE_POINTS - 1));
  const b = [...new Set([...even, ...breaks])].sort((left, right) => left - right);
  /** @param {any[]} places */
  const at = (places) => places.map((bias) => gapAt(found, bias));
  return { b, value: at(b), breaks, atBreaks: at(breaks) };
}

/**
 * A row with how far its primal and dual are from the optimum, measured against the far end of the reference's bracket:
 * upper bounds of the distances themselves, none before the reference is there.
 * @param {Row} row @param {any} optimum
 */
export function distances(row, optimum) {
  /** @param {any} distance */
  const away = (distance) => (optimum ? Math.max(0, distance) : NaN);
  return { ...row, primal: away(row.primal - optimum?.dual), dual: away(optimum?.primal - row.dual) };
}

/** @param {any} a @param {any} C */
export function kindsOf(a, C) {
  return Array.from(a, (value) =>
    value <= BOUND_SHARE * C ? "zero" : value >= C * (1 - BOUND_SHARE) ? "bound" : "free",
  );
}

/**
 * The lines of a level through a square grid of values, row by row: lists of [x, y], closed ones with their first
 * point twice. Each edge of the grid that a line crosses joins at most two cells, so that the pieces join by edges.
 * @param {number[]} axis @param {any} values @param {number} level
 */
export function contours(axis, values, level) {
  const size = axis.length;
  /** @param {any} r @param {any} c */
  const high = (r, c) => values[r * size + c] > level;
  const next = new Map();
  const left = new Set();
  /** @param {any} a @param {any} b */
  const join = (a, b) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ])
      next.set(one, [...(next.get(one) ?? []), other]);
    left.add(a).add(b);
  };
  for (let r = 0; r + 1 < size; r++) {
    for (let c = 0; c + 1 < size; c++) {
      const corners = [high(r, c), high(r, c + 1), high(r + 1, c + 1), high(r + 1, c)];
      const edges = [edge(r, c, 0), edge(r, c + 1, 1), edge(r + 1, c, 0), edge(r, c, 1)];
      const cut = edges.filter((_, k) => corners[k] !== corners[(k + 1) % 4]);
      if (cut.length === 2) join(cut[0], cut[1]);
      if (cut.length < 4) continue;
      const middle =
        values[r * size + c] + values[r * size + c + 1] + values[(r + 1) * size + c] + values[(r + 1) * size + c + 1];
      const [a, b, d, e] = middle / 4 > level === corners[0] ? [0, 1, 2, 3] : [3, 0, 1, 2];
      join(edges[a], edges[b]);
      join(edges[d], edges[e]);
    }
  }
  /** @param {any} r @param {any} c @param {any} down */
  function edge(r, c, down) {
    return 2 * (r * size + c) + down;
  }
  /** @param {any} id */
  const place = (id) => {
    const down = id % 2;
    const at = (id - down) / 2;
    const c = at % size;
    const r = (at - c) / size;
    const from = values[at];
    const to = values[at + (down ? size : 1)];
    const share = (level - from) / (to - from);
    /** @param {number} k */
    const between = (k) => axis[k] + share * (axis[k + 1] - axis[k]);
    return down ? [axis[c], between(r)] : [between(c), axis[r]];
  };
  /** @type {any[]} */
  const lines = [];
  /** @param {any} from */
  const follow = (from) => {
    const line = [from];
    for (let at = from; at !== undefined; at = next.get(at).find((/** @type {any} */ id) => left.has(id))) {
      left.delete(at);
      if (at !== from) line.push(at);
    }
    if (line.length > 2 && next.get(line.at(-1)).includes(from)) line.push(from);
    lines.push(line.map(place));
  };
  for (const id of [...left]) if (left.has(id) && next.get(id).length === 1) follow(id);
  for (const id of [...left]) if (left.has(id)) follow(id);
  return lines;
}
