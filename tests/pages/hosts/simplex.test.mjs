// The frame of the page of Fenchel-Young losses, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import * as simplex from "../../../workbench/pages/simplex/frame.js";
import { assertRecorded, given } from "./drawn.mjs";

const { facts, answers, recorded } = given("simplex");
const ASPECTS = { triangle: 1.7, scores: 1.7 };
const TSALLIS = facts.defaults.phi;
const at = (changes) => ({ ...facts.defaults, ...changes });
const drawn = (settings, memory) => simplex.frame(settings, { loss: answers[settings.phi] }, facts, ASPECTS, memory);
const hand = (settings, figure, place) =>
  simplex.moved(settings, { loss: answers[settings.phi] }, facts, figure, place);

for (const [phi, cases] of Object.entries(recorded))
  test(`${phi} is drawn as it was`, () => {
    for (const { settings, ...frame } of cases) assertRecorded(drawn(at({ phi, ...settings })), frame, phi);
  });

test("the sentence of the gap has the numbers of the loss, with one sign each", () => {
  const { sentences, sources } = drawn(at({ true_class: 3 }));
  const [score, height] = sources.gap_at.y;
  assert.equal(score, -0.6);
  assert.match(sentences.gap, /L = Ω\*\(θ\) \+ Ω\(e₃\) − θ₃ = 1.003 \+ 0 \+ 0.6 = 1.603/);
  assert.ok(Math.abs(height - score - 1.603) < 1e-3);
  assert.ok(sentences.gap.endsWith(facts.texts.loose));
  assert.ok(drawn(at({ alpha: 2, theta1: 2, true_class: 1 })).sentences.gap.endsWith(facts.texts.tight));
});

test("the trail keeps where the prediction was on this page, and on no other", () => {
  const memory = new Map();
  drawn(at({}), memory);
  drawn(at({}), memory);
  const { trail } = drawn(at({ theta1: 1.4 }), memory).sources;
  assert.equal(trail.x.length, 2);
  assert.equal(drawn(at({})).sources.trail.x.length, 1);
});

test("a hand that drags the prediction gives scores that predict it", () => {
  for (const phi of [TSALLIS, "A logistic function for each class"]) {
    const settings = at({ phi });
    const moves = hand(settings, "triangle", [0.2, 0.1]);
    const { prediction } = drawn({ ...settings, ...moves }).sources;
    assert.ok(Math.hypot(prediction.x[0] - 0.2, prediction.y[0] - 0.1) < 2e-3, phi);
  }
});

test("a hand in the plane sets the scores there, and one on the shares scales them, within their bounds", () => {
  const there = hand(at({}), "scores", [Math.SQRT1_2, 0]);
  assert.deepEqual(there, { theta1: -0.5, theta2: 0.5, theta3: 0 });
  const { theta1, theta3 } = hand(at({}), "shares", [3, 0]);
  assert.ok(Math.abs(theta1 - theta3 - 3) < 2e-3);
  assert.equal(hand(at({}), "scores", [90, 0]).theta2, 4);
  assert.equal(simplex.moved(at({}), null, facts, "scores", [1, 0]), null);
});

test("what is typed is chosen and asked for; nothing typed is refused", () => {
  assert.deepEqual(simplex.chosen({ formula: "u**2" }, facts), { formula: "u**2", phi: facts.own });
  assert.deepEqual(simplex.chosen({ theta1: 1 }, facts), { theta1: 1 });
  const own = at({ phi: facts.own, formula: "u**2" });
  assert.deepEqual(simplex.needs(own, facts), { loss: { type: "own_loss", formula: "u**2" } });
  assert.deepEqual(simplex.needs(at({}), facts), { loss: { type: "loss", phi: TSALLIS } });
  assert.throws(() => simplex.needs(at({ phi: facts.own, formula: " " }), facts), { message: facts.texts.empty });
});

test("the code names the loss, and a typed text as Python writes it", () => {
  assert.match(simplex.code(at({ alpha: 1.25 }), facts), /fenchel_young\("entmax", alpha=1.25\)\n.*0.9, 0.1, -0.6/);
  const own = simplex.code(at({ phi: facts.own, formula: "u**2/2" }), facts);
  assert.match(own, /fenchel_young\('u\*\*2\/2'\)/);
  assert.match(own, /np.array\(\[1\]\) {2}# class 2, counted from 0/);
});

test("every question has its answer among its options", () => {
  const places = simplex.outcome(at({}), {}, facts);
  for (const [name, { options }] of Object.entries(facts.questions)) assert.ok(options[places[name]], name);
  assert.equal(simplex.asked(at({ phi: facts.own })), facts.own);
});
