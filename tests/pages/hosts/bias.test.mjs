// The frame of the page on biases, without a browser. FACTS is a file with what `answer_page` gives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import * as bias from "../../../workbench/pages/bias/frame.js";

const facts = JSON.parse(readFileSync(process.env.FACTS, "utf8"));
const settings = { ...facts.defaults, lam: 0.05, eta: 0.5, mu: 2 };

function answer(step, s, gap = 0.1 / (step + 1)) {
  const multipliers = { s: [s], pull: [s + 1], residual: [-0.25], moved: [0.125], mu: 2, gap: 2 * gap };
  return { step, epoch: step / 10, primal: 1 + gap, dual: 1, gap, relative_gap: gap, b: Float64Array.of(0.5), multipliers };
}

function run(count, status = null) {
  const rows = Array.from({ length: count }, (_, k) => bias.row(answer(10 * k, Math.floor(k / 2)), null));
  bias.complete(rows);
  return { rows, row: rows.at(-1), status, reason: "", shown: { place: [0, 1], value: [3, 2], at: [0, 1], height: [3, 2] } };
}

function shown(runs) {
  const { row } = Object.values(runs)[0];
  return { runs, unit: "epoch", row, last: row };
}

test("runs are those of the chosen algorithms, with the settings that each takes", () => {
  const [full, small] = bias.runs(settings, facts);
  assert.deepEqual([full.name, small.name], ["Algorithm 2", "Algorithm 3"]);
  assert.equal("eta" in full.problem.solver, false);
  assert.deepEqual([small.problem.solver.eta, small.problem.solver.mu, small.problem.lam], [0.5, 2, 0.05]);
  assert.equal(bias.runs({ ...settings, algorithms: "Algorithm 3" }, facts).length, 1);
});

test("terms are asked for as a registry reads them", () => {
  const chosen = { ...settings, loss: "ε-insensitive, p = 2", tube: 0.3, regularizer: "Elastic net", epsilon: 1 };
  const { terms, python } = bias.needs(chosen, facts);
  assert.equal(terms.loss.name, "epsilon-insensitive:p=2,epsilon=0.3");
  assert.equal(terms.regularizer.name, "elastic-net:epsilon=1");
  assert.deepEqual(python.terms, { loss: terms.loss.name, regularizer: terms.regularizer.name });
});

test("outer steps count the moves of the multiplier", () => {
  assert.deepEqual(run(6).rows.map((row) => row.outer), [0, 0, 1, 1, 2, 2]);
});

test("an algorithm that does not run leaves its sources empty", () => {
  const frame = bias.frame(settings, shown({ "Algorithm 3": run(4) }), facts);
  assert.equal(frame.sources.full_curves, null);
  assert.deepEqual(frame.sources.small_curves.outer, [0, 0, 1, 1]);
  assert.deepEqual(frame.sources.small_here, { multiplier: [], residual: [] });
  assert.match(frame.sentences.full, /Algorithm 2/);
  assert.equal(frame.status.name, "paused");
});

test("each algorithm has one line of numbers that names it once, the multiplier first", () => {
  const { numbers } = bias.frame(settings, shown({ "Algorithm 2": run(6), "Algorithm 3": run(4) }), facts);
  const lines = numbers.split("<div class='wb-stats'>").slice(1);
  assert.deepEqual(lines.map((line) => line.match(/Algorithm \d/g)), [["Algorithm 2"], ["Algorithm 3"]]);
  for (const line of lines) assert.match(line, /^<b>Algorithm \d<\/b><div class='wb-stat'><span>bias s<\/span>/);
});

test("a place in the past is marked, and the axes are as wide as the whole run", () => {
  const runs = { "Algorithm 2": run(6) };
  const picture = { ...shown(runs), row: runs["Algorithm 2"].rows[2], last: runs["Algorithm 2"].rows[5] };
  runs["Algorithm 2"].row = picture.row;
  const { sources, ranges } = bias.frame(settings, picture, facts);
  assert.deepEqual(sources.full_here.multiplier, [1]);
  assert.deepEqual(ranges[0], ["range", "full_x", 0, 1.01 * 5]);
});

test("the worst end of two runs is the status", () => {
  const frame = bias.frame(settings, shown({ "Algorithm 2": run(3, "converged"), "Algorithm 3": run(3, "diverged") }), facts);
  assert.equal(frame.status.name, "diverged");
});

test("the code has what differs from the solvers' own values, as Python writes it", () => {
  const text = bias.code({ ...settings, passes: 3, lam: 1e-5 }, facts);
  assert.match(text, /lam=1e-05, bias=True/);
  assert.match(text, /mu=2.0, eta=0.5, passes=3/);
  assert.doesNotMatch(text, /scale=/);
  const zero = bias.code({ ...settings, constraint: "weights that sum to zero" }, facts);
  assert.match(zero, /weight_constraints=\(\n/);
  assert.match(zero, /run\.last\.multipliers/);
  assert.doesNotMatch(zero, /mu=/);
});

test("an outcome is known once both runs have ended", () => {
  const [full, small] = [run(6, "converged"), run(3, "converged")];
  assert.equal(bias.outcome(shown({ "Algorithm 2": full }), facts), null);
  assert.equal(bias.outcome(shown({ "Algorithm 2": full, "Algorithm 3": run(3) }), facts), null);
  const runs = { "Algorithm 2": full, "Algorithm 3": small };
  assert.deepEqual(bias.outcome(shown(runs), facts), { arrival: 0, smaller: 1 });
  assert.equal(bias.outcome(shown({ ...runs, "Algorithm 3": run(3, "diverged") }), facts).arrival, 2);
});

test("each constraint has a thesis, titles, axes and numbers of its own", () => {
  const [free, shift, zero] = facts.controls.flatMap(({ rows }) => rows).find(({ name }) => name === "constraint").options;
  const at = (constraint) => bias.frame({ ...settings, constraint }, shown({ "Algorithm 2": run(4) }), facts);
  const [one, other] = [at(free), at(shift)];
  for (const key of ["thesis", "titles", "numbers"]) assert.notDeepEqual(one[key], other[key]);
  assert.deepEqual([one.axes.spiral_y, other.axes.spiral_y], ["mean of α", "λ∑vⱼ"]);
  // Of the text, not of markup: no bias and no mean of α where a shift is free.
  const said = ({ thesis, titles, axes, numbers, sentences }) => JSON.stringify([thesis, titles, axes, numbers, sentences]);
  assert.doesNotMatch(said(other), /\bbias\b|mean of α/);
  const third = at(zero);
  assert.deepEqual([third.axes.spiral_y, third.axes.profile_y, one.axes.profile_y], ["∑wⱼ", "lower bound", "primal"]);
  // And no shift, no penalty and no best s for w where the weights are constrained.
  assert.doesNotMatch(said(third), /\bbias\b|mean of α|\bshift\b|μ|best for w|λ∑vⱼ|undefined|NaN/);
});

test("the sum of the weights is that of the certificate's", () => {
  const { weights } = bias.row({ ...answer(1, 2), w: Float64Array.of(1.5, 3.5) }, null);
  assert.equal(weights, 5);
});
