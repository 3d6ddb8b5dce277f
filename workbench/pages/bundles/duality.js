// Made of workbench/pages/runtime/entries/duality.js and what it imports: change those, and run: python -m workbench.pages.bundling
const { graph, lossPair, mirrored, region, regularizerPair, term } = (() => {
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
return { graph, lossPair, mirrored, region, regularizerPair, term };
})();
