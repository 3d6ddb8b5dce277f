// The frame of the page of transfer functions, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import * as contact from "../../../workbench/pages/transfer/contact.js";
import * as transfer from "../../../workbench/pages/transfer/frame.js";
import { assertRecorded, given } from "./drawn.mjs";

const { facts, answers, recorded } = given("transfer");
const ASPECTS = { v_plane: 1.7, w_plane: 1.7, contact: 1.7 };
const answersOf = (name) => ({ formulas: answers.formulas[name], real: answers.real });
const drawn = (settings) => transfer.frame(settings, answersOf(settings.regularizer), facts, ASPECTS);
const at = (changes) => ({ ...facts.defaults, ...changes });

for (const [name, cases] of Object.entries(recorded))
  test(`${name} is drawn as it was`, () => {
    const { kind } = facts.shapes[name];
    // ∂h of a norm has vertical pieces now, and no tangent; a slice that lies on the map is left out.
    const others = kind === "norm" ? ["slope", "tangent", "slice"] : kind === "separable" ? ["slice"] : [];
    for (const { settings, real, ...frame } of cases) {
      const now = drawn(at({ regularizer: name, ...settings }));
      assertRecorded(now, frame, name, others);
      assert.deepEqual(
        ["zero", "negative", "positive"].map((sign) => now.sources[`real_${sign}`].v.length),
        real,
      );
    }
  });

test("the graph of a norm is vertical at the edge of the dual ball, between walls", () => {
  const { sources, sentences } = drawn(at({ regularizer: "ℓ1 norm", v1: 0.5 }));
  assert.deepEqual(sources.slope, { v: [-1, -1, 1, 1], w: [-3, 0, 0, 3] });
  assert.deepEqual([sources.slope_walls.left, sources.slope_walls.right], [[-3, 1], [-1, 3]]);
  assert.deepEqual(sources.slope_at, { v: [0.5], w: [0] });
  assert.ok(sentences.slope.includes(facts.texts.slope.replace("{v}", "0.5").replace("{w}", "0")));
  for (const [v1, key] of [[1, "edge"], [1.6, "outside"]]) {
    const { sources, sentences } = drawn(at({ regularizer: "ℓ1 norm", v1 }));
    assert.deepEqual(sources.slope_at, { v: [], w: [] });
    assert.ok(sentences.slope.startsWith(facts.texts[key].replace("{v}", String(v1))));
  }
  assert.deepEqual(drawn(at({})).sources.slope_walls.left, []);
});

test("level sets of a norm's plane are said to be those of the dual norm", () => {
  for (const [regularizer, key] of [["ℓ2 norm", "levels_dual_norm"], ["Entropy", "levels"]])
    assert.ok(drawn(at({ regularizer })).sentences.v_plane.includes(facts.texts[key]));
});

test("the elastic net's map is called the soft threshold and the proximal map", () => {
  assert.match(drawn(at({})).sentences.slope, /soft threshold.*proximal map/);
});

test("bounded weights are v, clipped, and h is the Huber function", () => {
  for (const [v1, h, w] of [[-2, 0.5 * (2 - 0.25), -0.5], [0.3, 0.045, 0.3], [1.6, 0.5 * (1.6 - 0.25), 0.5]]) {
    const { sources } = drawn(at({ regularizer: "Bounded weights", radius: 0.5, v1 }));
    assert.ok(Math.abs(sources.value_at.h[0] - h) < 1e-12);
    assert.deepEqual(sources.slope_at.w, [w]);
  }
});

test("the dashed slice stays away where it lies on the map", () => {
  assert.deepEqual(drawn(at({})).sources.slice, { v: [], w: [] });
  assert.equal(drawn(at({ regularizer: "q-norm" })).sources.slice.v.length, 151);
});

test("real weights wait for their problem", () => {
  const frame = transfer.frame(at({}), { formulas: answers.formulas["Elastic net"] }, facts, ASPECTS);
  assert.equal(frame.sentences.real, facts.texts.solving);
  assert.deepEqual(transfer.later(at({})), { real: { type: "real", source: "Breast cancer" } });
});

test("a norm asks for no formulas, a regularizer for its own", () => {
  assert.deepEqual(transfer.needs(at({ regularizer: "ℓ1 norm" }), facts), {});
  assert.deepEqual(transfer.needs(at({}), facts), { formulas: { type: "regularizer", name: "Elastic net" } });
});

test("a hand moves v within the window", () => {
  assert.deepEqual(transfer.moved(at({}), {}, facts, "v_plane", [1.23456, -7]), { v1: 1.235, v2: -3 });
  assert.deepEqual(transfer.moved(at({}), {}, facts, "slope", [9, 0]), { v1: 3 });
});

test("the contact lies on the ball, and is optimal", () => {
  const lasso = (w) => Math.abs(w[0]) + Math.abs(w[1]);
  const w = contact.solution(lasso, 1.8, [-3, 3], null, 48);
  // −∇L(w) = (0.7, 0) + ... : the second weight is zero while |v₂| ≤ 1.
  assert.ok(Math.abs(w[0] - 0.7) < 1e-6);
  assert.equal(w[1], 0);
  const values = contact.ellipse(contact.misfit(w)).map(contact.misfit);
  for (const value of values) assert.ok(Math.abs(value - contact.misfit(w)) < 1e-12);
});

test("the path says at which λ each weight enters", () => {
  const solved = (g) => (lam) => contact.solution(g, lam, [-3, 3], null, 30);
  const enteringOf = (g) => contact.entering([20, 5, 2, 1, 0.5].map((lam) => ({ lam, w: solved(g)(lam) })), solved(g));
  // The loss has the gradient −(2.5, 2) at 0, and −(λ, 2 − (2.5 − λ)/2) at the solution (2.5 − λ, 0) of the lasso.
  const lasso = enteringOf((w) => Math.abs(w[0]) + Math.abs(w[1]));
  assert.deepEqual(
    lasso.map(({ j }) => j),
    [0, 1],
  );
  for (const [place, lam] of [2.5, 1.5].entries()) assert.ok(Math.abs(lasso[place].lam / lam - 1) < 0.01);
  assert.deepEqual(enteringOf((w) => 0.5 * (w[0] ** 2 + w[1] ** 2)), []);
  const { sentences } = drawn(at({ regularizer: "ℓ1 norm" }));
  assert.match(sentences.contact, /2\.5.* 1\.5/);
});

test("every question's answer is one of its options, and the code is filled in", () => {
  const places = transfer.outcome(at({}), {}, facts);
  for (const [name, { options }] of Object.entries(facts.questions)) assert.ok(options[places[name]]);
  assert.equal(transfer.asked(at({ regularizer: "Entropy" })), "Entropy");
  assert.match(transfer.code(at({ epsilon: 0.25 }), facts), /v = np.array\(\[1.6, 0.6\]\)\nh, w = .*epsilon=0.25\)/);
});
