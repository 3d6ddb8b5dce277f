// The frame of the page of online rules, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import * as online from "../../../workbench/pages/online/frame.js";
import { assertRecorded, given } from "./drawn.mjs";

const { facts, answers, recorded } = given("online");
const at = (changes) => ({ ...facts.defaults, ...changes });
const drawn = (settings, memory) => online.frame(settings, answers, facts, { points: 1.7 }, memory);

recorded.cases.forEach(({ settings, ...frame }) => {
  test(`${JSON.stringify(settings)} is drawn as it was`, () => {
    assertRecorded(drawn(at(settings)), frame, JSON.stringify(settings));
  });
});

test("the point is said in the line of the status, with its pass", () => {
  assert.match(drawn(at({})).status.text, /^Point 60 of 200: y w·x = 0.6515 > 0, correct/);
  assert.match(drawn(at({ seen: 201, noise: 0.05, gamma: 0.3 })).status.text, /^Point 1 of 200 for the second time: .*a mistake/);
});

test("looking at other places of a run plays it no second time", () => {
  const memory = new Map();
  drawn(at({}), memory);
  const lab = memory.get("lab").value;
  drawn(at({ seen: 90, speed: 3, output: "average" }), memory);
  assert.equal(memory.get("lab").value, lab);
  drawn(at({ seed: 3 }), memory);
  assert.notEqual(memory.get("lab").value, lab);
});

test("the next mistake is the first one after the points seen, and the last visit where there is none", () => {
  const memory = new Map();
  const settings = at({});
  const next = online.nextMistake(settings, answers, facts, memory);
  const counts = drawn(at({ seen: 600 }), memory).sources.counted.y;
  assert.ok(next > 60);
  assert.equal(counts[next] - counts[next - 1], 1);
  assert.equal(counts[next - 1], counts[60]);
  const none = at({ shape: "orthonormal", dimension: 20, gamma: 0.05, seen: 200 });
  assert.equal(online.nextMistake(none, answers, facts, new Map()), 600);
});

test("the code has a bound where there is one, else the rule as a solver", () => {
  assert.match(online.code(at({ rule: "Winnow" }), facts), /wb.bounds.winnow\(X, y, u, eta=0.2/);
  assert.match(online.code(at({ rule: "Winnow", eta: 0.8 }), facts), /wb.solvers.Winnow\(eta=0.8, output="last"\)/);
});

test("every question has its answer among its options", () => {
  const places = online.outcome(at({}), answers, facts);
  for (const [name, { options }] of Object.entries(facts.questions)) assert.ok(options[places[name]], name);
  assert.equal(online.asked(at({ rule: "Winnow" })), "Winnow");
});
