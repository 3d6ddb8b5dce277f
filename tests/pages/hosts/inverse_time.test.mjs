// Frames of Inverse time as pure functions. DRAWN is a folder with the facts and the recorded curve of the first preset.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.addEventListener ??= () => {};
const { given } = await import("./drawn.mjs");
const { accuracy, curveMessage, frame, row, runs } = await import("../../../workbench/pages/inverse_time/frame.js");
const { boundOf, cellsOf, lipschitz, theorem1 } = await import("../../../workbench/pages/inverse_time/curve.js");

const { facts, answers, recorded } = given("inverse_time");
const settings = facts.defaults;
const { record, test: samples } = answers;
const [request] = runs(settings, facts);
const certificate = { step: 0, epoch: 0, primal: 1, dual: 0, gap: 1, relative_gap: 1, last: 1, last_gap: 1, w: [0] };
const first = row(certificate, null);

/** @param {Record<string, any>} changes */
function shown(changes = {}) {
  const known = { data: { n: 1600 }, test: samples, length: 2 };
  const run = { rows: [first], row: first, status: null, reason: "", known, request };
  const curve = { message: curveMessage(settings, facts), record };
  return { runs: { run }, last: first, curve, isComing: false, reason: "", ...changes };
}

test("steps to a target are the first look at which the distance is at most the target", () => {
  const small = { m: [5, 9], looks: [8, 10, 12] };
  const distances = [3, 2, 1, 4, 4, 4, 2, 2, 0, 1, 1, 1];
  const steps = cellsOf(small, distances, small.looks, 2).map((cell) => [cell.m, cell.seed, cell.steps]);
  assert.deepEqual(steps, [
    [5, 0, 10],
    [9, 0, 8],
    [5, 1, Infinity],
    [9, 1, 8],
  ]);
});

test("medians are those of Python at every target", () => {
  for (const [target, medians] of recorded.medians) {
    const { steps } = frame({ ...settings, target }, shown(), facts).sources;
    assert.deepEqual(steps.median, medians.filter(Number.isFinite));
  }
});

test("L of a loss with bounded slopes is their bound, and of the squared loss the largest slope in the ball", () => {
  const { Hinge, Squared } = facts.losses;
  assert.equal(lipschitz(3, Hinge, settings), 3);
  // f(w.x - y) with |y| = 1, and w in the ball of radius sqrt(P(0) / lam) towards x.
  const radius = Math.sqrt(1 / settings.lam);
  assert.ok(Math.abs(lipschitz(3, Squared, settings) / (2 * (radius * 3 + 1) * 3) - 1) < 1e-12);
});

test("theorem 1 needs as many steps for an excess as give it", () => {
  const constants = { L: 3, G: 9 };
  const steps = boundOf({ ...settings, measure: "Suboptimality", target: 0.3 }, constants, 200);
  assert.ok(Math.abs(theorem1(3, settings.lam, steps) / 0.3 - 1) < 1e-9);
  assert.equal(boundOf({ ...settings, measure: "Direction" }, constants, 200), Infinity);
});

test("a curve of other settings stays, and its sentence names them", () => {
  const [same, other] = [{}, { isComing: true }].map((changes) => frame(settings, shown(changes), facts));
  assert.deepEqual(other.sources.steps, same.sources.steps);
  assert.ok(!same.sentences.sweep_steps.includes("λ = "));
  assert.ok(other.sentences.sweep_steps.includes(`λ = ${settings.lam}, p = 2, k = 1, Logistic`));
  const without = frame(settings, shown({ curve: null, reason: "It needs Python." }), facts);
  assert.equal(without.sentences.sweep_steps, "It needs Python.");
});

test("fewer training sets than usual are read off the usual record", () => {
  assert.equal(curveMessage({ ...settings, seeds: 3 }, facts).seeds, 7);
  assert.equal(curveMessage({ ...settings, seeds: 9 }, facts).seeds, 9);
  const { cells, missed } = frame({ ...settings, seeds: 3 }, shown(), facts).sources;
  assert.equal(cells.m.length + missed.m.length, 3 * record.m.length);
});

test("the accuracy of the best weights is that of Python", () => {
  assert.equal(accuracy(samples, answers.reference), recorded.accuracy);
});
