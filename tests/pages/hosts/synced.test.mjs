// Settings of a page that Python has too: what is sent in which order, and what holds when changes meet.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settingsModel, syncedModel } from "../../../workbench/pages/runtime/hosts/synced.js";

/** A channel whose questions are answered by hand, in order. */
function channelOf() {
  const asked = [];
  const refusals = [];
  const channel = {
    ask: (message) => new Promise((resolve, reject) => asked.push({ message, resolve, reject })),
    onSettings: () => {},
    onRefusal: (text) => refusals.push(text),
  };
  return { channel, asked, refusals };
}

function change(model, changes) {
  model.set("settings", { ...model.get("settings"), ...changes });
  model.save_changes();
}

const later = () => new Promise((resolve) => setImmediate(resolve));

test("a model of a file has what was set, and tells it once", () => {
  const model = settingsModel({ a: 1, b: 2 });
  let count = 0;
  model.on("change:settings", () => {
    count += 1;
  });
  model.set("settings", { a: 3, b: 2 });
  assert.equal(model.get("settings").a, 3);
  assert.equal(count, 0);
  model.save_changes();
  assert.equal(count, 1);
});

test("each change is sent, alone and in order", () => {
  const { channel, asked } = channelOf();
  const model = syncedModel({ a: 1, b: 2 }, channel);
  for (const a of [2, 3, 4]) change(model, { a });
  change(model, { b: 5 });
  change(model, { b: 5 });
  const sent = asked.slice(1).map(({ message }) => message.settings);
  assert.deepEqual(sent, [{ a: 2 }, { a: 3 }, { a: 4 }, { b: 5 }]);
});

test("a refusal takes back its own change and none before it", async () => {
  const { channel, asked, refusals } = channelOf();
  const model = syncedModel({ points: "", a: 1 }, channel);
  change(model, { points: "one" });
  change(model, { points: "nonsense", a: 2 });
  const [, first, second] = asked;
  channel.onSettings({ points: "one" });
  first.resolve({ refusal: "" });
  await later();
  assert.equal(model.get("settings").points, "nonsense");
  channel.onSettings({ a: 2 });
  second.resolve({ refusal: "points = 'nonsense' is refused" });
  await later();
  assert.deepEqual(model.get("settings"), { points: "one", a: 2 });
  assert.deepEqual(refusals, ["points = 'nonsense' is refused"]);
});

test("what Python changes waits for the changes under way, and the last of both holds", async () => {
  const { channel, asked } = channelOf();
  const model = syncedModel({ a: 1, b: 1 }, channel);
  change(model, { a: 2 });
  channel.onSettings({ a: 7, b: 3 });
  assert.deepEqual(model.get("settings"), { a: 2, b: 1 });
  channel.onSettings({ a: 2 });
  asked[1].resolve({ refusal: "" });
  await later();
  assert.deepEqual(model.get("settings"), { a: 2, b: 3 });
});

test("a view that begins late has what Python has", async () => {
  const { channel, asked } = channelOf();
  const model = syncedModel({ a: 1 }, channel);
  assert.equal(asked[0].message.type, "settings");
  asked[0].resolve({ a: 4 });
  await later();
  assert.equal(model.get("settings").a, 4);
});

test("what was chosen stays where nobody answers", async () => {
  const { channel, asked } = channelOf();
  const model = syncedModel({ a: 1 }, channel);
  change(model, { a: 2 });
  asked[1].reject(new Error("Python did not answer"));
  await later();
  assert.equal(model.get("settings").a, 2);
});
