// Made of workbench/pages/runtime/entries/duality.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { frame, leftPoint, lossPair, mirrored, regularizerPair, remembered, visitedColumns, weightColumns } = (() => {
"use strict";
// duality/pair.js
var ROUNDING = 1e-12;
function lossPair(kernels, { functions, theta, kinks, bends, flats, domain, lower, upper }) {
  const parameters = kernels.floats(theta), at = scalar(kernels, functions, parameters);
  return {
    value: at("value"),
    slope: at("slope"),
    conjugate: at("conjugate"),
    touch: at("conjugate_slope"),
    kinks,
    bends,
    flats,
    domain,
    slopes: [lower, upper]
  };
}
function regularizerPair(kernels, { functions, outer, structure, linear, norm, theta, weights, flats, lowest }) {
  const c = weights[0];
  if (norm || structure !== "separable" || !linear || !Array.from(weights).every((each) => each === c)) return null;
  const parameters = kernels.floats(theta), at = scalar(kernels, functions, parameters);
  const factor = c * kernels.call(`${outer}_outer_slope`, 0, parameters), inner = at("inner"), slope = at("inner_slope");
  return {
    value: (v) => factor * inner(v),
    slope: (v) => factor * slope(v),
    conjugate: (w) => kernels.call(`${functions}_primal`, w, c, parameters),
    touch: (w) => kernels.call(`${functions}_primal_slope`, w, c, parameters),
    kinks: [],
    bends: flats.flatMap((flat) => flat.slice(0, 2)),
    flats,
    domain: [-Infinity, Infinity],
    slopes: [lowest, Infinity]
  };
}
function mirrored(pair) {
  const both = [...pair.bends, ...pair.bends.map((place) => -place)];
  return {
    ...pair,
    value: (v) => pair.value(v) + pair.value(-v),
    slope: (v) => pair.slope(v) - pair.slope(-v),
    bends: both,
    flats: [],
    slopes: [-Infinity, Infinity]
  };
}
function scalar(kernels, functions, theta) {
  return (part) => {
    return (u) => kernels.call(`${functions}_${part}`, u, theta);
  };
}
function levelWithin({ slopes: [lower, upper] }, level) {
  const inside = Math.min(Math.max(level, lower), upper);
  return Math.abs(level - inside) <= ROUNDING * Math.max(1, Math.abs(inside)) ? inside : null;
}

// duality/graph.js
var POINTS = 160;
var HALVINGS = 24;
function graph({ slope, kinks, bends, domain }, low, high, count = POINTS) {
  const [start, end] = [Math.max(low, domain[0]), Math.min(high, domain[1])];
  const curve = { x: [], y: [] };
  if (!(start <= end)) return curve;
  const inside = (place) => place > start && place < end;
  const places = /* @__PURE__ */ new Set([start, end, ...bends.filter(inside), ...kinks.map(([place]) => place).filter(inside)]);
  for (let k = 1; k < count; k++) places.add(start + (end - start) * k / count);
  for (let k = 1; k <= HALVINGS; k++) {
    if (domain[0] > low) places.add(start + (end - start) / count * 2 ** -k);
    if (domain[1] < high) places.add(end - (end - start) / count * 2 ** -k);
  }
  let last = -Infinity;
  for (const place of [...places].sort((a, b) => a - b)) {
    const kink = kinks.find(([each]) => each === place);
    for (const value of kink ? kink.slice(1) : [slope(place)]) {
      if (!Number.isFinite(value)) continue;
      last = Math.max(last, value);
      curve.x.push(place);
      curve.y.push(last);
    }
  }
  return curve;
}
function term(pair, u, level) {
  const inside = levelWithin(pair, level);
  const value = pair.value(u);
  if (inside === null || !Number.isFinite(value)) {
    return { area: Infinity, from: level > pair.slopes[1] ? Infinity : -Infinity, isInfinite: true };
  }
  const from = touching(pair, u, inside);
  const area = Number.isFinite(from) ? value - pair.value(from) - inside * (u - from) : value + pair.conjugate(inside) - inside * u;
  return { area: Math.max(area, 0), from, isInfinite: area === Infinity };
}
function touching({ touch, kinks, flats, slopes: [lower, upper] }, u, level) {
  const kink = kinks.find(([, before, after]) => level > before && level < after);
  if (kink) return kink[0];
  const flat = flats.find(([, , slope]) => slope === level);
  if (flat) return Math.min(Math.max(u, flat[0]), flat[1]);
  const place = touch(level);
  if (!Number.isNaN(place)) return place;
  return level === lower ? -Infinity : level === upper ? Infinity : u;
}
function region(pair, u, level, [low, high]) {
  const { from, isInfinite } = term(pair, u, level), end = Math.min(Math.max(from, low), high);
  const { x, y } = graph(pair, Math.min(end, u), Math.max(end, u));
  return { x: [...x, Math.max(end, u), Math.min(end, u)], y: [...y, level, level], isCut: end !== from, isInfinite };
}

// duality/frame.js
var MOST_WEIGHTS = 160;
var ROUNDING2 = 1e-9;
function leftPoint({ kind, y, weight }, { alpha, z }, i) {
  const sign = kind === "margin" ? y[i] : 1;
  return [kind === "residual" ? z[i] - y[i] : sign * z[i], alpha[i] / (weight[i] * sign)];
}
function frame(settings, run, axes) {
  const left = leftSide(settings, run, axes.left), right = rightSide(settings, run, axes.right);
  return {
    columns: { ...left.columns, ...right.columns },
    numbers: { left: left.area, right: right.area, ...zeros(settings, run), isLeftAlone: isLeftAlone(run) }
  };
}
function leftSide(settings, { certificate, sample }, axis) {
  const { loss, weight } = settings, curve = loss ? graph(loss, ...axis) : { x: [], y: [] };
  const columns = { loss_graph: { x: curve.x, y: curve.y.map(turned) }, left_area: NO_AREA, left_infinite: NO_AREA };
  if (sample === null || !Number.isFinite(certificate.gap)) return { columns, area: null };
  const { sample_terms } = certificate, n = sample_terms.length;
  const [u, level] = leftPoint(settings, certificate, sample), area = n * sample_terms[sample];
  const found = { sample, area, mean: sum(sample_terms), isCut: false, isInfinite: area === Infinity };
  if (!loss) return { columns, area: found };
  const { x, y, isCut, isInfinite } = region(loss, u, -level, axis);
  Object.assign(found, { isCut, isInfinite, unit: weight[sample] });
  Object.assign(columns, { [isInfinite ? "left_infinite" : "left_area"]: { x, y: y.map(turned) } });
  return { columns, area: found };
}
function rightSide(settings, { certificate, feature }, axis) {
  const { regularizer, name, d, lam, embedded } = settings, { w, v } = certificate;
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
      kind: features.map((j) => kindOf(w[j]))
    },
    right_area: NO_AREA
  };
  if (feature === null || !v || !regularizer || embedded) return { columns, area: null };
  const { area } = term(regularizer, v[feature], w[feature]), { x, y } = region(regularizer, v[feature], w[feature], axis);
  columns.right_area = { x, y };
  return { columns, area: { feature, name: name(feature), area, lam } };
}
var NO_AREA = { x: [], y: [] };
function kindOf(weight) {
  return weight === 0 ? "zero" : "other";
}
function turned(value) {
  return 0 - value;
}
function sum(values) {
  return Array.from(values).reduce((a, b) => a + b, 0);
}
function zeros({ d }, { certificate: { w } }) {
  let count = 0;
  for (let j = 0; j < d; j++) count += Number(w[j] === 0);
  return { zeros: count, d };
}
function isLeftAlone({ certificate: { regularizer_term, gap } }) {
  return regularizer_term <= ROUNDING2 * gap;
}
function weightColumns({ d, name }, { w, v }) {
  const size = v ?? w, all = Array.from({ length: d }, (_, j) => j);
  const drawn = all.sort((a, b) => Math.abs(size[b]) - Math.abs(size[a]) || a - b).slice(0, MOST_WEIGHTS).sort((a, b) => a - b);
  const row = (chosen) => ({
    place: chosen.map((j) => drawn.indexOf(j)),
    weight: chosen.map((j) => w[j]),
    name: chosen.map(name),
    feature: chosen,
    kind: chosen.map((j) => kindOf(w[j]))
  });
  return { weights: row(drawn), zero_weights: row(drawn.filter((j) => w[j] === 0)) };
}
function remembered(visited, key, lam, w, score) {
  const runs = visited?.key === key ? new Map(visited.runs) : /* @__PURE__ */ new Map();
  return { key, runs: runs.set(lam, { w: Array.from(w).slice(0, MOST_WEIGHTS), score }) };
}
function visitedColumns({ runs }, name) {
  const order = [...runs].sort(([a], [b]) => a - b);
  const dots = order.flatMap(([lam, { w }]) => w.map((weight, j) => ({ lam, weight, name: name(j), feature: j })));
  const scored = order.filter(([, { score }]) => score !== null);
  return {
    path: {
      lam: dots.map((dot) => dot.lam),
      weight: dots.map((dot) => dot.weight),
      name: dots.map((dot) => dot.name),
      feature: dots.map((dot) => dot.feature),
      kind: dots.map((dot) => kindOf(dot.weight))
    },
    held_out: { lam: scored.map(([lam]) => lam), score: scored.map(([, { score }]) => 100 * (score ?? NaN)) }
  };
}
return { frame, leftPoint, lossPair, mirrored, regularizerPair, remembered, visitedColumns, weightColumns };
})();
