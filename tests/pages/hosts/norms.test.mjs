// Frames of runs that screen as pure functions. DRAWN is a folder with facts, answers at each moment and golden frames.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.addEventListener ??= () => {};
const { assertClose, given } = await import("./drawn.mjs");
const { joined } = await import("../../../workbench/pages/runtime/hosts/joined.js");
const { LiveFigures } = await import("../../../workbench/pages/runtime/live_figures.js");
const { countAt, placeAt, screenedParts } = await import("../../../workbench/pages/norms/screened.js");
const { outcome } = await import("../../../workbench/pages/norms/frame.js");

const { facts, moments, recorded } = given("norms");
const words = new LiveFigures(() => null, {}, facts.texts);
/** The sources that have other names than when they were recorded, and the figures. */
const SOURCES = { bounds: "reach", points: "optima", path: "lambdas" };
const FIGURES = { ball: "sphere", bounds: "reach" };
/** Colours and markers are those of a name now. */
const GONE = ["colour", "marker"];
/** Where an ellipse begins is found by a minimum. */
const COARSE = 1e-6;

const shown = ({ settings, answers }, epoch = Infinity) =>
  joined(screenedParts({ screened: answers, settings, epoch, aspect: 1, words, facts }));

function assertNear(actual, expected, name) {
  assert.equal(actual.length, expected.length, name);
  const size = Math.max(1, ...expected.filter(Number.isFinite).map(Math.abs));
  expected.forEach((value, k) => {
    if (value === "nan") return assert.ok(Number.isNaN(actual[k]), name);
    assert.ok(Math.abs(actual[k] - value) <= COARSE * size, `${name}[${k}]: ${actual[k]} in place of ${value}`);
  });
}

/** The values as they were recorded, with ten digits. */
const plain = (values) => values.map((value) => (value === "nan" ? null : value));

for (const moment of moments) {
  const { figures } = recorded[moment.name];
  const { sources, ranges } = shown(moment);

  test(`${moment.name} has the recorded columns`, () => {
    let count = 0;
    for (const figure of Object.values(figures)) {
      for (const [name, columns] of Object.entries(figure.sources)) {
        if (name === "window" || name.startsWith("before")) continue;
        for (const [column, values] of Object.entries(columns)) {
          if (GONE.includes(column)) continue;
          const label = `${name}.${column}`;
          const ours = sources[SOURCES[name] ?? name]?.[column] ?? [];
          if (["first", "second"].includes(name)) assertNear(ours, values, label);
          else assertClose(ours, plain(values), label);
          count++;
        }
      }
    }
    assert.ok(count > 20);
  });

  test(`${moment.name} has the recorded ranges`, () => {
    const ends = Object.fromEntries(ranges.filter(([kind]) => kind === "range").map(([, name, ...both]) => [name, both]));
    for (const name of ["marks", "bounds", "epochs", ...(moment.answers.path ? ["path"] : [])]) {
      for (const side of ["x", "y"]) {
        const range = ends[`${FIGURES[name] ?? name}_${side}`];
        if (range) assertClose(range, figures[name][side], `${name}_${side}`);
      }
    }
    const { window } = figures.ball.sources;
    for (const side of ["x", "y"]) assertClose(ends[`sphere_${side}`], window[side], `window.${side}`);
  });
}

test("what is shown follows the epoch", () => {
  const end = moments.at(-1);
  const { screening } = end.answers;
  assert.equal(placeAt(screening.epoch, 0), 0);
  assert.equal(placeAt(screening.epoch, 1e9), screening.epoch.length - 1);
  const counts = [0, 3, 1e9].map((epoch) => shown(end, epoch).sources.marks.kind.filter((kind) => kind === "discarded").length);
  assert.deepEqual(counts, [0, 3, 1e9].map((epoch) => countAt(screening, epoch)));
  assert.ok(counts[0] <= counts[1] && counts[1] <= counts[2] && counts[2] > 0);
});

test("a question about screening is answered once the runs have ended", () => {
  const { screening } = moments.at(-1).answers;
  const question = "After 10 epochs";
  assert.equal(outcome({ question }, facts), null);
  const refused = outcome({ question, screened: { refused: "no ball" } }, facts)["at 10"];
  assert.deepEqual(refused, { place: null, said: "no ball" });
  const options = (count) => outcome({ question, screened: { screening: { ...screening, ...count } } }, facts)["at 10"].place;
  const runs = (discarded) => ({ epoch: [0, 10], discarded: [0, discarded], total: 10 });
  assert.deepEqual([0, 1, 4, 5, 9, 10].map((count) => options(runs(count))), [0, 1, 1, 2, 2, 3]);
  assert.deepEqual(outcome({ question: "ℓ1" }, facts), { 0: 0 });
});

test("a run that cannot screen says why in each figure", () => {
  const { sources, sentences } = joined(
    screenedParts({ screened: { refused: "no ball" }, settings: {}, epoch: 0, aspect: 1, words, facts }),
  );
  assert.ok(Object.values(sources).every((source) => source === null));
  assert.ok(Object.values(sentences).every((text) => text === "no ball"));
});
