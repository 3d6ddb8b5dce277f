// Frames of SVM gaps as pure functions. DRAWN is a folder with the facts, and a solution by Python.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.addEventListener ??= () => {};
const { given } = await import("./drawn.mjs");
const { certifyingPair } = await import("../../../workbench/pages/svm_gaps/gap.js");
const { frame, gapOf, ghosts, needs, placed, rowOf, runs, supplied } = await import(
  "../../../workbench/pages/svm_gaps/frame.js"
);

const { facts, answers, recorded } = given("svm_gaps");
const settings = facts.defaults;
const { cost: C } = settings;
const known = supplied(settings, { terms: { both: {} } }, facts);
const alpha = Float64Array.from(answers.a, (value, i) => (known.y[i] * value) / C);
const row = rowOf({ step: 5, event: null, alpha }, known, C);

/** @param {Record<string, any>} changes */
function shown(changes = {}, rows = [row]) {
  const [request] = runs(settings, { ...facts, ...changes });
  return { runs: { run: { rows, row: rows.at(-1), status: null, known, request } }, optimum: null };
}

const isClose = (one, other) => Math.abs(one - other) <= 1e-8 * Math.max(1, Math.abs(other));

test("bounds of a row are those of Python", () => {
  for (const [name, value] of Object.entries(recorded)) assert.ok(isClose(row[name], value), `${name}: ${row[name]}`);
});

test("the rate-certifying pair is that of Python, and is said", () => {
  const [i, j, share] = answers.certifying;
  const found = certifyingPair(known.y, C, row.a, gapOf(alpha, known, C));
  assert.deepEqual(found.slice(0, 2), [i, j].map(Number));
  assert.ok(isClose(found[2], share));
  assert.match(frame(settings, shown(), facts).sentences.pair_duals, new RegExp(`samples ${i} and ${j}`));
});

test("a dragged point has three bars and no curve", () => {
  const { sources, ranges, axes } = frame(settings, shown({ isDragged: true, most: 9 }), facts);
  assert.equal(sources.bounds, null);
  const [low] = sources.bars.bottom;
  assert.deepEqual(
    sources.bars.top,
    [row.gap, row.remark_1, row.lemma_8].map((height) => Math.max(height, low)),
  );
  assert.deepEqual(sources.bars.x, [1 / 6, 3 / 6, 5 / 6]);
  const [, , start, end] = ranges.find(([, name]) => name === "bounds_y");
  assert.ok(start === low && end > row.lemma_8);
  assert.equal(axes.bounds_x, facts.texts.at_this_place);
});

test("a run has curves over its steps and no bar", () => {
  const first = rowOf({ step: 0, event: null, alpha: alpha.map(() => 0) }, known, C);
  const { sources } = frame(settings, shown({}, [first, row]), facts);
  assert.equal(sources.bars, null);
  // Steps that are still to come leave a break.
  assert.deepEqual(sources.bounds.step, [0, 5, 5]);
  assert.ok(Number.isNaN(sources.bounds.gap[1]));
});

test("only a run with all its steps leaves a ghost", () => {
  assert.deepEqual(ghosts([["run", [{ step: 0 }, { step: 5 }]]]), {});
  const rows = [{ step: 0 }, { step: 1 }];
  assert.deepEqual(ghosts([["run", rows]]), { bounds: rows });
});

test("a run solves to its tolerance at once, or begins at zero", () => {
  assert.equal(runs(settings, { ...facts, most: 9 })[0].problem.solver.tol, settings.tolerance);
  assert.equal(runs(settings, facts)[0].problem.solver.tol, 0);
});

test("points that cannot be read are refused, and Python gets those that are drawn", () => {
  for (const points of ["nonsense", "paaaa", "pzzzzmaaaa"])
    assert.throws(() => placed({ ...settings, points }, facts), /points/);
  const { python } = needs(settings, facts);
  assert.equal(python.data.points, facts.plane.clouds[settings.source]);
});
