// The frame of the page Compare, without a browser, beside what Roads and Race drew before they were one page.
import assert from "node:assert/strict";
import test from "node:test";

import * as compare from "../../../workbench/pages/compare/frame.js";
import { racePicture, raceSentence, raceTable, standingsOf } from "../../../workbench/pages/compare/race.js";
import { gridOf, weakDuality } from "../../../workbench/pages/compare/saddle.js";
import { numerals } from "../../../workbench/pages/runtime/numerals.js";
import { assertClose, given } from "./drawn.mjs";

const { facts, answers, recorded } = given("compare");
const STRIDE = 3;
const FLAT = 1e-6;
const recordedRaces = { races: [] };
const drawn = ({ settings, runs }, more = {}) => compare.frame(settings, { runs, recorded: recordedRaces, ...more }, facts);
// Of a record: numbers that are not finite are texts.
const number = (value) => (["nan", "inf", "-inf"].includes(value) ? Number.NaN : value);
const assertColumn = (now, before, name) =>
  assertClose(Array.from(now), before.map(number).map((value) => (Number.isNaN(value) ? null : value)), name);
// How far apart two values are that rounding alone tells apart.
const settled = (text) => text.replace(/, [^,]* apart,/, ",");
const minus = (text) => text.replaceAll("-", "−");
const words = (html) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

for (const [setting, moments] of Object.entries(recorded.runs)) {
  for (const [moment, { figures, bar, texts, status }] of Object.entries(moments)) {
    // Half the way is at another place, and presses beyond the end made further passes.
    if (moment === "sought back" || (setting === "together" && ["three epochs", "end"].includes(moment))) continue;
    const isHalf = moment === "another weight";
    test(`${setting}, ${moment}: the runs are drawn as they were`, () => {
      const answer = answers[setting][isHalf ? "half" : "whole"];
      const place = bar.at;
      const last = compare.placesOf(answer.runs) - 1;
      const frame = drawn(answer, { place, reached: bar.places - 1 });
      for (const [figure, { sources, x, y, axes, sentence }] of Object.entries(figures)) {
        // The window of the saddle is that of the whole run from the start.
        const isSaddle = figure === "saddle";
        if (isSaddle && bar.places - 1 < last) continue;
        for (const [source, columns] of Object.entries(sources)) {
          if (source.startsWith("before ") || source === "surface") continue;
          const now = frame.sources[source];
          for (const [column, values] of Object.entries(columns)) {
            if (["colour", "passes", "name"].includes(column) && !now) continue;
            if (column === "colour" || (isSaddle && !now)) continue;
            assertColumn(now?.[column] ?? [], values, `${figure}: ${source}.${column}`);
          }
        }
        const ranges = Object.fromEntries(frame.ranges.map(([, name, ...ends]) => [name, ends]));
        assertClose(ranges[`${figure}_x`], x, `${figure}: x`);
        assert.equal(frame.axes[`${figure}_x`], axes[0]);
        if (isSaddle) assertClose(ranges.saddle_y, y, "saddle: y");
        else assert.equal(settled(numerals(frame.sentences[figure])), settled(sentence));
      }
      if (bar.places - 1 === last) {
        const [[low, high]] = figures.saddle.colours;
        assertClose([-frame.height, frame.height], [low, high], "colours");
        const image = frame.sources.surface.image[0];
        const side = Math.sqrt(image.length);
        const kept = figures.saddle.sources.surface.image[0];
        for (const [i, row] of kept.entries())
          for (const [j, value] of row.entries()) {
            const now = image[STRIDE * i * side + STRIDE * j];
            assert.ok(Number.isNaN(number(value)) ? Number.isNaN(now) : Math.abs(now - value) <= FLAT * Math.max(1, high));
          }
      }
      assert.equal(minus(compare.code(answer.settings, facts, { runs: answer.runs }).split("\n\n# ")[0]).startsWith(texts.code), true);
      const table = words(frame.sentences.table);
      for (const [, name, one, two, three] of texts.table.matchAll(/([A-Z][^–]*?) keeps (?:w and α|α|w) (\S+) (\S+) (\S+) /g)) {
        const known = answer.runs.runs.map((run) => run.name).find((each) => minus(name).endsWith(minus(each)));
        assert.match(minus(table), new RegExp(`${minus(known)} (w, α|α|w) ${one} ${two} ${three} `), known);
      }
      if (!status.startsWith("Stopped")) assert.equal(numerals(frame.status.text), status);
    });
  }
}

const events = (count) => [recorded.start, ...recorded.fits].slice(0, count + 1);
for (const [moment, { figures, texts }] of Object.entries(recorded.race)) {
  test(`${moment}: a race is drawn as it was`, () => {
    const standings = standingsOf(events(Number(moment.split(" ")[1])));
    const { sources, ranges, key } = racePicture(standings, facts);
    const { race } = figures;
    for (const [source, columns] of Object.entries(race.sources))
      for (const [column, values] of Object.entries(columns)) assertClose(sources[source][column], values, `${source}.${column}`);
    for (const [, name, ...ends] of ranges) assertClose(ends, race[name.at(-1)], name);
    assert.equal(words(key).trim(), race.head);
    assert.equal(raceSentence(standings, facts), race.sentence);
    const cells = words(raceTable(standings, facts));
    for (const name of recorded.start.names) {
      // Of each mark the milliseconds.
      const times = new RegExp(`${name} ([\\d.]+ ms|–) ([\\d.]+ ms|–) ([\\d.]+ ms|–)`).exec(texts.table).slice(1);
      assert.ok(cells.includes([name, ...times.map((time) => time.replace(" ms", ""))].join(" ")), name);
    }
  });
}

test("a point on the saddle stands between the best values along both ways", () => {
  const { runs } = answers.together.whole;
  const [sections] = runs.saddles;
  const { weight, dual, surface } = gridOf(sections, runs.star);
  for (const [i, j] of [[20, 30], [50, 50], [80, 70]]) {
    const { values, sources } = weakDuality(sections, runs.star, [weight[j], dual[i]]);
    assert.deepEqual(sources.hand, { weight: [weight[j]], dual: [dual[i]] });
    assertClose([values.R], [surface[i * weight.length + j]], "R");
    assert.ok(values.P >= values.R - 1e-12 && !(values.D > values.R + 1e-12));
  }
  // A point that another window does not have begins anew.
  const { sources } = weakDuality(sections, runs.star, [1e3, 0]);
  assert.ok(sources.hand.weight[0] < weight.at(-1));
});

test("every question is answered by the runs, and a race by its events", () => {
  const { settings, runs } = answers.default.whole;
  const outcome = (changes, more = {}) =>
    compare.outcome({ ...settings, ...changes }, { runs, recorded: recordedRaces, ...more }, facts);
  const { methods } = outcome({ question: "By passes" });
  const isReached = (gap) => gap <= facts.deciding;
  const reach = runs.runs.map(({ epoch, relative_gap: gaps }) => epoch[gaps.findIndex(isReached)] ?? Infinity);
  assert.ok(methods.said.includes(`after ${Math.min(...reach)} pass`));
  assert.equal(outcome({ question: "In parts" }), null);
  assert.equal(outcome({ question: "By seconds" }, { events: events(3) }), null);
  const over = [...events(5), { kind: "end", why: "time" }];
  assert.equal(outcome({ question: "By seconds" }, { events: over }).race.place, 0);
  assert.equal(compare.guess({ lam: 0.1 }, facts.questions["By passes"]).lam, 0.01);
  assert.equal(compare.guess({ lam: 2e-5 }, facts.questions["By passes"]).lam, 2e-4);
});
