// The frame of the page of conjugates, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import * as conjugates from "../../../workbench/pages/conjugates/frame.js";
import { drawByHand } from "../../../workbench/pages/conjugates/hand.js";
import { bend } from "../../../workbench/pages/conjugates/refusals.js";
import { numbersOf, sliderOf } from "../../../workbench/pages/conjugates/scene.js";
import { floors, walls } from "../../../workbench/pages/runtime/walls.js";
import { assertClose, assertRecorded, given, thinned } from "./drawn.mjs";

const { facts, answers, recorded } = given("conjugates");
const at = (changes) => ({ ...facts.defaults, ...changes });
const of = (name, changes = {}) => at({ ...(name in facts.pairs ? { preset: name } : { preset: facts.own, formula: name }), ...changes });
const drawn = (name, changes, memory) => conjugates.frame(of(name, changes), { pair: answers[name] }, facts, {}, memory);
const valuesOf = (frame) => Object.fromEntries(frame.controls.rows.map(({ name, value }) => [name, value]));
// Hidden with q; before, Bokeh's renderers were.
const HIDES = ["dual", "dual_tangent", "map", "matched"];

for (const [name, cases] of Object.entries(recorded))
  test(`${name} is drawn as it was`, () => {
    for (const { settings, opened, high, ...frame } of cases) {
      const now = drawn(name, settings);
      // A tangent's family and an image have columns of lists; a graph has vertical pieces at ends now.
      const { tangents, map, matched, ...sources } = frame.sources;
      assertRecorded(now, { ...frame, sources }, name, settings.predict ? HIDES : []);
      if (!sources.dual.v?.length) continue; // no conjugate there
      for (const column of ["xs", "ys"])
        thinned(now.sources.tangents[column]).forEach((line, k) => assertClose(line, tangents[column][k], `${name}: ${column}`));
      for (const row of now.controls.rows.filter(({ name }) => name in opened)) {
        assertClose([row.low, row.high, row.step, row.value], opened[row.name], `${name}: ${row.name}`);
      }
      if (settings.predict) {
        for (const source of HIDES.slice(0, 2)) assert.deepEqual(now.sources[source].v, [], source);
        assert.ok(now.sources.map.image[0].every(Number.isNaN));
        continue;
      }
      assertClose(thinned(now.sources.map.image[0]), map.image, `${name}: map`);
      assertClose([now.ranges.find(([kind]) => kind === "colours")[3]], [high], `${name}: colours`);
      const inner = now.sources.matched.u.map((u, k) => [u, now.sources.matched.v[k]]);
      matched.u.forEach((u, k) => {
        const isThere = inner.some(([x, y]) => Math.abs(x - u) < 1e-8 && (Math.abs(y - matched.v[k]) < 1e-6 * (1 + Math.abs(y)) || !Number.isFinite(y)));
        assert.ok(isThere, `${name}: graph at ${u}`);
      });
    }
  });

test("the hinge's graph is vertical at its kink, between walls of q", () => {
  const { sources } = drawn("Hinge", {});
  const { u, v } = sources.matched;
  const kink = u.flatMap((x, k) => (x === 1 ? [v[k]] : []));
  assertClose(kink, [-1, 0], "slopes at the kink");
  const [low, high] = [Math.min(...sources.gap_walls.bottom), Math.max(...sources.gap_walls.top)];
  assert.deepEqual(sources.gap_walls.top.filter((y) => y !== high), [-1]);
  assert.deepEqual(sources.gap_walls.bottom.filter((y) => y !== low), [0]);
});

test("at an end that belongs to the domain the graph goes on to the window's edge", () => {
  const { sources, ranges } = drawn("a kink at the end", {});
  const [, , low, high] = ranges.find(([, name]) => name === "gap_y");
  const { u, v } = sources.matched;
  assertClose([u[0], v[0], u[1], v[1]], [-1, low, -1, -1], "left end");
  assertClose([u.at(-2), v.at(-2), u.at(-1), v.at(-1)], [2, 1, 2, high], "right end");
});

test("walls stand where a function is infinite, across or along", () => {
  assert.deepEqual(walls([-1, 0], [-2, 2], [0, 5]), { left: [-2, 0], right: [-1, 2], bottom: [0, 0], top: [5, 5] });
  assert.deepEqual(walls([-Infinity, 9], [-2, 2], [0, 5]), { left: [], right: [], bottom: [], top: [] });
  assert.deepEqual(floors([-1, 2], [-2, 2], [0, 5]), { left: [0], right: [5], bottom: [-2], top: [-1] });
});

test("a slider across a border changes the formula, and the windows grow", () => {
  const memory = new Map();
  const name = "an own piecewise";
  const q = (frame) => frame.numbers;
  const before = drawn(name, { values: "a=2" }, memory);
  const after = drawn(name, { values: "a=7" }, memory);
  assert.notEqual(q(before), q(after));
  const width = ({ ranges }) => ranges.find(([, range]) => range === "primal_x").slice(2);
  assert.ok(width(after)[0] <= width(before)[0] && width(after)[1] >= width(before)[1]);
  // While a parameter moves within its region, the windows, the slope and the point stay.
  const same = drawn(name, { values: "a=7.5" }, memory);
  assert.deepEqual(width(same), width(after));
  assert.equal(valuesOf(same).v, valuesOf(after).v);
});

test("beyond its conditions the page shows the witness and no old curve", () => {
  const memory = new Map();
  drawn("outside", { values: "c=4" }, memory);
  const { sources, sentences, numbers } = drawn("outside", { values: "c=6" }, memory);
  for (const source of ["dual", "tangent", "matched", "biconjugate", "point"])
    for (const column of Object.values(sources[source])) assert.equal(column.length, 0, source);
  assertClose(sources.chord.y, [-0.5, -0.5], "chord");
  assert.equal(sentences.dual, facts.texts.none_outside.replace("{conditions}", "c ≤ 5"));
  assert.match(numbers, /c = 6 is outside c ≤ 5.*p, 0 there, lies above it/);
});

test("the plainest chord is found that p rises above", () => {
  assert.equal(bend((u) => u * u), null);
  assert.deepEqual(bend((u) => -u * u), { middle: 0, step: 1, ends: [-1, -1], height: -0 });
});

test("a typed function is the choice, another pair begins anew", () => {
  const own = at({ preset: facts.own, formula: "u**2", v: 1 });
  assert.deepEqual(conjugates.needs(own, facts), { pair: { type: "own_pair", formula: "u**2", domain: "", parameters: "" } });
  assert.deepEqual(conjugates.needs(at({ formula: "u**2" }), facts).pair.type, "own_pair");
  assert.deepEqual(conjugates.needs(at({ preset: "Hinge", formula: "u**2" }), facts).pair, { type: "pair", preset: "Hinge" });
  assert.throws(() => conjugates.needs(at({ preset: facts.own }), facts), { message: facts.texts.empty });
  const typed = conjugates.chosen({ formula: "exp(u)" }, facts, at({ preset: "Hinge", v: -0.5 }), null);
  assert.deepEqual([typed.preset, typed.v, typed.values], [facts.own, null, ""]);
  const edited = conjugates.chosen({ domain: "u > 1" }, facts, at({ preset: "8 · Insensitive zone" }), null);
  assert.deepEqual([edited.preset, edited.formula, edited.parameters], [facts.own, "max(abs(u) - epsilon, 0)**r/r", "epsilon: positive; r > 1"]);
  const preset = conjugates.chosen({ preset: "Hinge" }, facts, own, null);
  assert.deepEqual([preset.preset, preset.formula, preset.v], ["Hinge", "", null]);
});

test("a parameter's slider writes the values, and the slope and the point stay", () => {
  const name = "8 · Insensitive zone";
  const frame = drawn(name, {});
  const { v, u } = valuesOf(frame);
  const changes = conjugates.chosen({ par_epsilon: 0.7 }, facts, of(name), frame);
  assert.deepEqual(changes, { u, v, values: "epsilon=0.7,r=2" });
  assert.deepEqual(numbersOf(changes, answers[name]), { epsilon: 0.7, r: 2 });
});

test("values of an address are read by a pattern, and kept within the sliders", () => {
  const pair = { sliders: { a: [0, 5, 1], b: [-3, 3, 0.5] } };
  for (const [values, numbers] of [
    ["a=2,b=-2.5", { a: 2, b: -2.5 }],
    ["a=1e9,b=9", { a: 1, b: 3 }],
    ["a=nan,b=2", { a: 1, b: 2 }],
    ["<b>=1", { a: 1, b: 0.5 }],
    ["", { a: 1, b: 0.5 }],
  ])
    assert.deepEqual(numbersOf({ values }, pair), numbers);
});

test("a slider meets round numbers", () => {
  assert.deepEqual(sliderOf([-4, 4]), { low: -4, high: 4, step: 0.02 });
  assert.deepEqual(sliderOf([-0.15, 1.15]), { low: -0.15, high: 1.15, step: 0.005 });
});

test("a hand moves the tangent, at a kink by its height, and never to an infinite slope", () => {
  const answer = { pair: answers["5 · Logistic"] };
  const move = (figure, place, settings = at({})) => conjugates.moved(settings, answer, facts, figure, place, new Map());
  assertClose([move("primal", [1, 0]).v], [1 / (1 + Math.exp(-1))].map((v) => Number(v.toPrecision(6))), "slope");
  assert.deepEqual(move("gap", [0.5, 0.25]), { u: 0.5, v: 0.25 });
  assert.deepEqual(move("dual", [7, 0]), { v: 1.15 });
  const hinge = (y) => conjugates.moved(of("Hinge"), { pair: answers.Hinge }, facts, "primal", [1, y], new Map()).v;
  assert.ok(hinge(0) < hinge(1) && hinge(-9) >= -1 && hinge(99) <= 0);
});

test("what was found of a hidden q is kept until it is shown", () => {
  const memory = new Map();
  const name = "5 · Logistic";
  for (const v of [0.2, 0.4, 0.6]) drawn(name, { predict: true, v }, memory);
  const hidden = drawn(name, { predict: true, v: 0.6 }, memory);
  assert.deepEqual(hidden.sources.visited.v, [0.2, 0.4, 0.6]);
  assert.equal(hidden.sentences.dual, facts.texts.trail.replace("{count}", 3));
  assert.equal(hidden.sentences.pair.includes("q(v)"), false);
  const q = (v) => v * Math.log(v) + (1 - v) * Math.log(1 - v);
  [0.1, 0.3, 0.5, 0.7, 0.9].forEach((v, k) => drawByHand(memory, [v, q(v) + 0.05], k === 0));
  const shown = drawn(name, { v: 0.6 }, memory);
  assert.equal(shown.sources.hand.v.length, 5);
  // Between the points that were drawn a straight line lies above q.
  const mean = Number(/curve is (\S+) away/.exec(shown.sentences.dual)[1]);
  assert.ok(mean > 0.05 && mean < 0.08, String(mean));
  assert.deepEqual(drawn(name, { predict: true }, memory).sources.hand.v, []);
});

test("curves without formulas are asked for at the parameters", () => {
  const pair = { tabled: ["p", "q"], tables: null, sliders: { a: [0, 5, 1] } };
  const settings = at({ preset: facts.own, formula: "f(u)", values: "a=3" });
  assert.deepEqual(conjugates.tableMessage(settings, pair), { type: "table", formula: "f(u)", domain: "", parameters: "", values: { a: 3 } });
  assert.equal(conjugates.tableMessage(settings, { ...pair, tabled: [] }), null);
});

test("the code has the numbers that are shown", () => {
  const code = (name, changes) => conjugates.code(of(name, changes), facts, { pair: answers[name] }, new Map());
  assert.match(code("8 · Insensitive zone", { v: 0.3, u: 0.5 }), /u, v = 0.5, 0.3\ngap = pair.p\(u, epsilon=0.5, r=2\) \+ pair.q/);
  assert.match(code("Not convex: two wells", {}), /refused: p is not convex$/);
  assert.match(code("outside", { values: "c=6" }), /print\(pair.conditions, pair.witness\)$/);
});
