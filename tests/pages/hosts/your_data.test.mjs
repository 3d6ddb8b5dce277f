// The frame of Your data and the way of a file, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import { frame, needs } from "../../../workbench/pages/your_data/frame.js";
import { send } from "../../../workbench/pages/your_data/sending.js";
import { given } from "./drawn.mjs";

const { facts, models } = given("your_data");
const drawn = (name, changes = {}) => {
  const settings = { ...facts.defaults, ...models[name].settings, ...changes };
  return frame(settings, { model: models[name].answer }, facts);
};

test("held-out rows are right where their margin is not negative, beside their labels", () => {
  const { sources, numbers } = drawn("labels");
  const { right, wrong, label_names: names } = sources;
  assert.equal(right.x.length + wrong.x.length, 38);
  assert.ok(right.y.every((y) => y >= 0) && wrong.y.every((y) => y < 0));
  assert.ok([...right.x, ...wrong.x].every((x) => Math.abs(x - Math.round(x)) <= 0.3));
  assert.deepEqual(names.text, ["the others", "virginica"]);
  const { score, within } = models.labels.answer;
  assert.ok(numbers.indexOf(score.text) > 0 && numbers.indexOf(score.text) < numbers.indexOf(within));
});

test("the score stands beside that of the usual label, and one that is not clear is marked", () => {
  const { score } = models.labels.answer;
  assert.ok(score.is_clear && score.line.includes("the most frequent label"));
  const marked = (is_clear) => {
    const answer = { ...models.labels.answer, score: { ...score, is_clear } };
    const { numbers } = frame({ ...facts.defaults, ...models.labels.settings }, { model: answer }, facts);
    assert.ok(numbers.includes(score.line));
    return numbers.includes("scored bad");
  };
  assert.deepEqual([marked(true), marked(false)], [false, true]);
});

test("several labels have a dot each for a feature", () => {
  const { sources } = drawn("several");
  assert.equal(sources.weights.weight.length, 3 * 4);
  assert.deepEqual([...new Set(sources.weights.label)], ["setosa", "versicolor", "virginica"]);
  assert.equal(sources.feature_names.text.length, 4);
});

test("numbers stand beside their predictions, and the path beside the lambda that was taken", () => {
  const { sources, axes, ranges, numbers } = drawn("numbers");
  assert.equal(sources.right.x.length, 111);
  assert.equal(sources.wrong, null);
  assert.equal(axes.tests_x, "true target");
  assert.equal(sources.path.lam.length, models.numbers.answer.path.length);
  assert.deepEqual(sources.chosen.lam, [models.numbers.answer.lam]);
  assert.ok(ranges.every(([, , low, high]) => low < high));
  assert.ok(numbers.includes(facts.texts.below));
});

test("what the file says is text, and a refusal leaves its columns in view", () => {
  const { answer } = models.labels;
  const file = { ...answer.file, columns: [{ name: "<b>", place: 0, cells: ["<i>"], use: "used", decision: "number" }, ...answer.file.columns] };
  const { sentences, status, sources } = frame(facts.defaults, { model: { refusal: "a fault", file, loss: "Hinge" } }, facts);
  assert.ok(sentences.file.includes("&lt;b&gt;") && !/<[bi]>[^<]*<\/?[^b]/.test(sentences.file.split("<table>")[1]));
  assert.ok(!sentences.file.includes("<i>"));
  assert.deepEqual(status, { name: "refused", text: "a fault" });
  assert.ok(Object.values(sources).every((columns) => columns === null));
});

test("another loss than the chosen one is named", () => {
  const { status } = drawn("labels", { loss: "Huber" });
  assert.ok(status.text.includes("Hinge") && status.text.includes("Huber"));
});

test("the message has every setting", () => {
  assert.deepEqual(needs({ lam: 1, data: "" }), { model: { type: "model", lam: 1, data: "" } });
});

test("a file goes in pieces, of which the last is answered", async () => {
  const asked = [];
  const host = { ask: async (message) => (asked.push(message), { data: asked.length }) };
  const bytes = new Uint8Array(500_000).map((_, k) => k % 251);
  const answer = await send(host, "table", new File([bytes], "x.csv"), { ...facts, megabytes: 1 }, () => {});
  assert.deepEqual(asked.map(({ start, piece }) => [start, piece.length]), [[0, 196608], [196608, 196608], [393216, 106784]]);
  assert.deepEqual(answer, { data: 3 });
  assert.deepEqual(Uint8Array.from(asked.flatMap(({ piece }) => [...piece])), bytes);
  await send(host, "table", new File([], "empty.csv"), { ...facts, megabytes: 1 }, () => {});
  assert.deepEqual([asked[3].size, asked[3].piece.length], [0, 0]);
  const large = new File([new Uint8Array(2 ** 20 + 1)], "large.csv");
  await assert.rejects(send(host, "rows", large, { ...facts, megabytes: 1 }, () => {}), /large\.csv has more than 1 MB/);
});
