// Graphs of subdifferentials and Fenchel-Young areas, by the compiled scalars and the facts of every term.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { modules, kernels: place, losses, custom, regularizers, certificates } = JSON.parse(
  readFileSync(process.env.CASES, "utf8"),
  (_, value) => (value && typeof value === "object" && "number" in value ? Number(value.number) : value),
);
const { graph, region, term } = await import(`${modules}/runtime/duality/graph.js`);
const { lossPair, mirrored, regularizerPair } = await import(`${modules}/runtime/duality/pair.js`);
const { Kernels } = await import(`${modules}/wasm/javascript/kernels.js`);
const { functions } = JSON.parse(readFileSync(`${place}/kernels.json`, "utf8"));
const kernels = await Kernels.load(readFileSync(`${place}/kernels.wasm`), functions);

const SAME = 1e-12;
// Where the slopes of these terms, at these parameters, bend without a fact that says so.
const BENDS = [-0.3, 0.3, 1];
// Legendre's points and weights of order 8 on [-1, 1].
const LEGENDRE = [
  [0.1834346424956498, 0.362683783378362], [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745], [0.9602898564975363, 0.1012285362903763],
].flatMap(([x, w]) => [[x, w], [-x, w]]);

// The integral of a function, by pieces between its bends.
function quadrature(f, from, to, breaks, pieces = 64) {
  const inside = breaks.filter((each) => each > Math.min(from, to) && each < Math.max(from, to)).sort((a, b) => (a - b) * (to - from));
  const ends = [from, ...inside, to];
  let sum = 0;
  for (let k = 0; k + 1 < ends.length; k++) {
    const step = (ends[k + 1] - ends[k]) / pieces;
    for (let piece = 0; piece < pieces; piece++) {
      for (const [x, w] of LEGENDRE) sum += 0.5 * step * w * f(ends[k] + step * (piece + 0.5 * (x + 1)));
    }
  }
  return sum;
}

// Functions of a term that no compiled kernel has, as the page would get them.
function written({ facts, functions: texts }) {
  const [value, slope, conjugate, touch] = texts.map((text) => new Function("u", `return ${text};`));
  return { ...facts, value, slope, conjugate, touch, slopes: [facts.lower, facts.upper] };
}

const pairs = [
  ...losses.map(({ name, facts }) => [name, lossPair(kernels, facts)]), ...custom.map((each) => [each.name, written(each)]),
  ...regularizers.map(({ name, facts }) => [name, regularizerPair(kernels, facts)]).filter(([, pair]) => pair),
];

for (const [name, pair] of pairs) {
  test(`the graph of ${name} rises, is vertical at kinks, and has every slope of the function`, () => {
    const { x, y } = graph(pair, -3, 3);
    assert.ok(x.length > 100);
    for (let k = 1; k < x.length; k++) assert.ok(x[k] >= x[k - 1] && y[k] >= y[k - 1]);
    for (const [at, before, after] of pair.kinks.filter(([each]) => Math.abs(each) < 3)) {
      assert.deepEqual(y.filter((_, k) => x[k] === at), [before, after]);
    }
    for (const bend of pair.bends.filter((each) => Math.abs(each) < 3)) assert.ok(x.includes(bend));
    for (const [before, after, slope] of pair.flats) {
      assert.ok(x.every((at, k) => at <= before || at >= after || Math.abs(y[k] - slope) <= SAME));
    }
    const kinks = new Set(pair.kinks.map(([each]) => each));
    x.forEach((at, k) => { if (!kinks.has(at)) assert.ok(Math.abs(y[k] - pair.slope(at)) <= SAME * Math.max(1, Math.abs(y[k]))); });
  });

  test(`the term of ${name} is the integral between the level and the graph`, () => {
    const [lower, upper] = pair.slopes.map((end, k) => (Number.isFinite(end) ? end : [-2.5, 2.5][k]));
    const breaks = [...pair.kinks.map(([each]) => each), ...pair.bends, ...BENDS];
    let finite = 0;
    for (const share of [0, 0.2, 0.45, 0.5, 0.8, 1]) {
      const level = lower + share * (upper - lower);
      for (const u of [-2.3, -0.4, 0.05, 0.7, 1, 2.9].filter((each) => each > pair.domain[0])) {
        const { area, from, isInfinite } = term(pair, u, level);
        const sum = pair.value(u) + pair.conjugate(level) - level * u;
        assert.equal(isInfinite, sum === Infinity);
        if (isInfinite) continue;
        assert.ok(area >= 0);
        assert.ok(Math.abs(area - sum) <= SAME * Math.max(1, Math.abs(pair.value(u)), Math.abs(level * u)), `${u}, ${level}: ${area}, ${sum}`);
        // From places where the slope is so steep that no rule of fixed order follows it.
        if (!Number.isFinite(from) || (from <= pair.domain[0] + 0.05)) continue;
        finite += 1;
        const integral = quadrature((t) => pair.slope(t) - level, from, u, breaks, 96);
        assert.ok(Math.abs(area - integral) <= SAME * Math.max(1, area), `${u}, ${level}: ${area}, ${integral}`);
      }
    }
    assert.ok(finite >= 6);
  });
}

test("a level beyond the slopes has an infinite term and a region to the end of the frame", () => {
  for (const [name, pair] of pairs) {
    for (const [end, beyond, side] of [[pair.slopes[0], -0.25, 0], [pair.slopes[1], 0.25, 1]]) {
      if (!Number.isFinite(end)) continue;
      const { area, isInfinite } = term(pair, 0.5, end + beyond), cut = region(pair, 0.5, end + beyond, [-2, 2]);
      assert.deepEqual([area, isInfinite, cut.isInfinite], [Infinity, true, true], name);
      const low = Math.max(-2, pair.domain[0]);
      assert.equal(side ? Math.max(...cut.x) : Math.min(...cut.x), side ? 2 : low < 0 ? low : Math.min(...cut.x));
    }
  }
});

test("a level that the slopes only approach has a finite term, cut at the frame", () => {
  const [, logistic] = pairs.find(([name]) => name === "logistic");
  for (const level of [-1, 0]) {
    const { area, from } = term(logistic, 0.3, level), cut = region(logistic, 0.3, level, [-4, 4]);
    assert.equal(from, level ? -Infinity : Infinity);
    assert.ok(Math.abs(area - Math.log1p(Math.exp(level ? 0.3 : -0.3))) <= SAME);
    assert.equal(cut.isCut, true);
    assert.equal(level ? Math.min(...cut.x) : Math.max(...cut.x), level ? -4 : 4);
  }
});

test("the polygon of a region has the area of its term", () => {
  for (const name of ["hinge", "hinge:p=2", "squared", "elastic-net:epsilon=0.5"]) {
    const [, pair] = pairs.find(([each]) => each === name);
    for (const [u, level] of [[0.2, -0.6], [1.7, -0.3], [-0.4, -0.9]]) {
      const { x, y } = region(pair, u, level, [-9, 9]);
      const doubled = x.reduce((sum, at, k) => sum + at * y[(k + 1) % x.length] - x[(k + 1) % x.length] * y[k], 0);
      const { area } = term(pair, u, level);
      assert.ok(Math.abs(0.5 * Math.abs(doubled) - area) <= 1e-12 * Math.max(1, area), `${name}: ${doubled}, ${area}`);
    }
  }
});

test("what has no curve of one coordinate has no pair", () => {
  const without = regularizers.filter(({ facts }) => !regularizerPair(kernels, facts)).map(({ name }) => name);
  assert.deepEqual(without.sort(), ["group-l1l2:size=2", "normalized-entropy:mu=0.1", "q-norm:q=1.5", "squared-l2 with weights"].sort());
});

test("the weight of two halves is a difference of slopes", () => {
  const [, entropy] = pairs.find(([name]) => name === "entropy:mu=0.1"), both = mirrored(entropy);
  for (const v of [-1.5, 0, 0.7]) assert.ok(Math.abs(both.slope(v) - 0.2 * Math.sinh(v)) <= SAME);
});

for (const { name, loss, regularizer, lam, kind, y, weight, z, alpha, w, v, gap, sample_terms } of certificates) {
  test(`the gap of ${name} is the mean of the left areas and lambda times the right ones`, () => {
    const p = lossPair(kernels, loss), h = regularizerPair(kernels, regularizer);
    const left = z.map((each, i) => {
      const sign = kind === "margin" ? y[i] : 1, u = kind === "residual" ? each - y[i] : sign * each;
      return weight[i] * term(p, u, -alpha[i] / (weight[i] * sign)).area;
    });
    const right = h ? w.reduce((sum, each, j) => sum + term(h, v[j], each).area, 0) : 0;
    const mean = left.reduce((sum, each) => sum + each, 0) / left.length, largest = Math.max(1, ...left);
    left.forEach((area, i) => assert.ok(Math.abs(area / left.length - sample_terms[i]) <= SAME * largest));
    assert.ok(Math.abs(mean + lam * right - gap) <= 1e-12 * Math.max(1, gap), `${mean} + ${lam} ${right}, ${gap}`);
    assert.ok(gap > 1e-6);
  });
}
