// The pure functions of the Dual lab, without a browser. LAB is a file with what `answer_page` gives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { verdict } from "../../../workbench/pages/dual_lab/compared.js";
import * as lab from "../../../workbench/pages/dual_lab/frame.js";
import { effectHtml } from "../../../workbench/pages/dual_lab/leave_out.js";
import { Sentences } from "../../../workbench/pages/dual_lab/sentences.js";
import { dualsOf, Pictured } from "../../../workbench/pages/dual_lab/state.js";

const facts = JSON.parse(readFileSync(process.env.LAB, "utf8"));
const settings = { ...facts.defaults, source: "Breast cancer" };
const words = new Sentences(() => null, {}, facts.texts);

test("the second configuration runs beside the first, with terms of its own", () => {
  assert.deepEqual(lab.runs(settings, facts).map(({ name }) => name), ["A"]);
  const chosen = { ...settings, compare: true, b_lam: 0.2, b_loss: "Logistic", b_scale: 0.1 };
  const [A, B] = lab.runs(chosen, facts);
  assert.deepEqual([A.problem.lam, B.problem.lam, B.problem.solver.scale, B.settings.epsilon], [0.05, 0.2, 0.1, 0.6]);
  assert.equal(lab.needs(B.settings, facts).terms.loss.name, "logistic");
  assert.equal(lab.needs(A.settings, facts).terms.regularizer.name, "elastic-net:epsilon=0.6");
});

test("data of points and of a visitor's file are not asked for", () => {
  const plane = { ...settings, source: facts.plane.name, regularizer: "Entropy" };
  const needs = lab.needs(plane, facts);
  assert.deepEqual([needs.data, needs.terms.regularizer.signed, needs.python.data.source], [null, true, facts.plane.name]);
  assert.equal(lab.needs({ ...settings, file: 3 }, facts).data, null);
  assert.deepEqual(lab.needs(settings, facts).data, { type: "data", source: "Breast cancer", signed: false });
});

test("points of one class are refused in a sentence", () => {
  const known = { data: null, terms: { loss: { kind: "margin" }, regularizer: {} } };
  const chosen = { ...settings, source: facts.plane.name, points: "pa0a0pb0b0" };
  assert.throws(() => lab.supplied(chosen, known, facts), /of both classes/);
});

test("a guess changes the second configuration alone, and a factor of lambda ends at 1", () => {
  const { compare, b_lam, b_loss } = lab.guess({ ...settings, lam: 0.3 }, { change: {}, factors: { lam: 10 } });
  assert.deepEqual([compare, b_lam, b_loss], [true, 1, "Hinge"]);
  assert.equal(lab.guess(settings, { change: { loss: "Logistic" } }).b_loss, "Logistic");
});

const RUN_ENDED = "the run ended before it reached that gap";
for (const [first, then, place, said] of [
  [30, 90, 2, "more, 30 epochs before the change and 90 after it"],
  [100, 95, 1, "about as many, 100 epochs before the change and 95 after it"],
  [12345, 3, 0, "fewer, 12,345 epochs before the change and 3 after it"],
  [0, 0, 1, "about as many, 0 epochs before the change and 0 after it"],
  [30, null, 2, `more, 30 epochs before the change; after it, ${RUN_ENDED}`],
  [null, 30, 0, `fewer, 30 epochs after the change; before it, ${RUN_ENDED}`],
]) {
  test(`counts of ${first} and ${then} make option ${place} true`, () => {
    assert.deepEqual(verdict(first, then, "epochs", facts.texts), { place, said });
  });
}

test("two runs that do not get there answer with no option", () => {
  const { place, said } = verdict(null, null, "epochs", facts.texts);
  assert.equal(place, null);
  assert.match(said, /press run to continue/);
});

for (const [epochs, statuses, open, said] of [
  [[3], ["converged"], "paused", "Reached a relative gap of 0.01 after 3 epochs."],
  [[3], [null], "paused", "Paused after 3 epochs."],
  [[3, 3], [null, null], "paused", "Paused after 3 epochs."],
  [[9, 3], [null, "converged"], "paused", "A: Paused after 9 epochs. B: Reached a relative gap of 0.01 after 3 epochs."],
  [[1], ["infeasible"], "paused", "No weights are feasible: u = 0."],
  [[3, 99], ["converged", "max_epochs"], "paused", "A: Reached a relative gap of 0.01 after 3 epochs. B: Stopped after 99 epochs; press run to continue."],
]) {
  test(`a run that has not ended is named beside one that has: ${statuses}`, () => {
    const rows = epochs.map((epoch) => ({ epoch, step: 10 * epoch, gap: 1 }));
    const ended = statuses.map((status) => ({ status, reason: "u = 0" }));
    assert.equal(words.standing(rows, ended, open, 0.01), said);
  });
}

for (const [kind, expected] of [
  ["margin", [[1, 0.3], [0.5, 1], [-0, 2]]],
  ["residual", [[1, -0.7], [0, 1], [-0.5, 0]]],
]) {
  test(`a dual variable stands beside its ${kind}`, () => {
    const data = { n: 3, d: 1, y: [1, -1, 1], weight: [1, 1, 1], names: ["x"], constant: false };
    const problem = new Pictured({ data, loss: { kind, lower: -1, upper: 0 }, regularizer: {}, pairs: {}, lam: 1 });
    const { value, at } = dualsOf(problem, Float64Array.of(0, -0.5, 1), [2, -1, 0.3]);
    value.forEach((each, k) => {
      assert.ok(Math.abs(each - expected[k][0]) < 1e-12);
      assert.ok(Math.abs(at[k] - expected[k][1]) < 1e-12);
    });
  });
}

test("a sample without a dual variable keeps the certificate, and an open gap is said", () => {
  const effect = { sample: 3, alpha: 0, gap: 1e-6, reduced_gap: 2e-6, measure: "|w − w′|", bound: 0, truth: 0, z: 1, low: 1, high: 1, again: 1, refit_gap: 1e-10 };
  assert.match(effectHtml(effect, words), /It contributes nothing to v/);
  assert.match(effectHtml(effect, words), /2.00·10⁻⁶/);
  assert.doesNotMatch(effectHtml(effect, words), /tightens/);
  assert.match(effectHtml({ ...effect, alpha: 0.5, bound: 2, truth: 1, gap: 1e-2 }, words), /50 % of the bound.*tightens as the run continues/s);
});

test("the code has what differs from the solver's own values, as Python writes it", () => {
  const text = lab.code({ ...settings, lam: 1e-5, scale: 0.5, regularizer: "Entropy", mu: 0.01 }, facts);
  for (const part of ["lam=1e-05", "scale=0.5", "regularizer='entropy:mu=0.01'", "embed='balanced'"]) assert.ok(text.includes(part), text);
  assert.doesNotMatch(text, /update=/);
  assert.match(lab.code({ ...settings, source: facts.plane.name }, facts), /X, y = wb.data.examples.plane/);
});
