// Sliders with free values, conditions of controls, and addresses.
import assert from "node:assert/strict";
import test from "node:test";

import { addressOf, hiddenParts, isUsed, PLACES, placeOf, settingsOf, valueAt } from "../../../workbench/pages/runtime/hosts/settings.js";
import { channels, isDarkColour } from "../../../workbench/pages/runtime/hosts/theme.js";

const LAM = { name: "lam", kind: "logarithmic", label: "λ", low: 1e-6, high: 1 };
const SEED = { name: "seed", kind: "whole", label: "Seed", low: 0, high: 99, integer: true };
const LOSS = { name: "loss", kind: "select", label: "Loss", options: ["hinge", "squared"] };
const TUBE = { name: "tube", kind: "linear", label: "Tube", low: 0, high: 1, grid: [0, 0.1, 1] };
const ROWS = [LAM, SEED, LOSS, TUBE];

test("a slider's ends are the bounds, and its middle is the geometric mean", () => {
  assert.deepEqual([0, PLACES / 2, PLACES].map((place) => valueAt(LAM, place)), [1e-6, 1e-3, 1]);
  assert.ok(Math.abs(placeOf(LAM, 0.05) - (PLACES * Math.log(0.05 / 1e-6)) / Math.log(1e6)) < 1e-9);
  assert.equal(valueAt(LAM, placeOf(LAM, 0.0123)), 0.0123);
  assert.equal(valueAt({ ...SEED, kind: "linear" }, 1.9), 0);
});

test("a control is used where one of its conditions is met", () => {
  assert.equal(isUsed(undefined, {}), true);
  assert.equal(isUsed([{ loss: ["squared"] }, { lam: [1] }], { loss: "hinge", lam: 1 }), true);
  assert.equal(isUsed([{ loss: ["squared"], lam: [1] }], { loss: "hinge", lam: 1 }), false);
});

test("an address gives back what was chosen", () => {
  const defaults = { lam: 0.01, seed: 0, loss: "hinge", tube: 0.1 };
  const chosen = { ...defaults, lam: 0.0123, loss: "squared" };
  assert.equal(addressOf(defaults, defaults), "");
  assert.deepEqual(settingsOf(`#${addressOf(chosen, defaults)}`, ROWS), {
    settings: { lam: 0.0123, loss: "squared" },
    refusals: [],
  });
});

test("an option's former name in an address means the option", () => {
  const row = { ...LOSS, former: { "sum of squares": "squared" } };
  assert.deepEqual(settingsOf("#loss=sum+of+squares", [row]), { settings: { loss: "squared" }, refusals: [] });
  assert.equal(settingsOf("#loss=toString", [row]).refusals.length, 1);
});

test("what an address must not say is refused with the fix", () => {
  const { settings, refusals } = settingsOf("#lam=7&seed=1.5&loss=none&tube=0.2&rat=1&lam=", ROWS);
  assert.deepEqual(settings, {});
  assert.match(refusals.join(" "), /lam = "7" is refused; expected a number from 0.000001 to 1/);
  assert.match(refusals.join(" "), /expected a whole number from 0 to 99/);
  assert.match(refusals.join(" "), /expected one of hinge, squared/);
  assert.match(refusals.join(" "), /expected one of 0, 0.1, 1/);
  assert.match(refusals.join(" "), /unknown setting "rat"/);
});

test("texts, switches and numbers of other programs are read", () => {
  const rows = [
    { name: "points", kind: "text", label: "Points", longest: 6 },
    { name: "free", kind: "", label: "Free", options: [false, true] },
    { name: "tolerance", kind: "select", label: "Gap", options: [0.01, 1e-6] },
  ];
  assert.deepEqual(settingsOf("?points=p01m23&free=on&tolerance=1e-06", rows).settings, {
    points: "p01m23",
    free: true,
    tolerance: 1e-6,
  });
  assert.equal(addressOf({ free: true }, { free: false }), "free=on");
  assert.match(settingsOf("?points=p01m234", rows).refusals[0], /expected a text of at most 6 printable characters/);
  assert.match(settingsOf("?free=on&free=off", rows).refusals[0], /free appears twice/);
  assert.match(settingsOf(`?points=${"x".repeat(3000)}`, rows).refusals[0], /longer than 2000 characters/);
});

test("an address hides parts that the page has", () => {
  const { hidden, refusals } = hiddenParts("nav,lam,rat", ["nav", "sidebar", "aside", "lam"]);
  assert.deepEqual(hidden, ["nav", "lam"]);
  assert.match(refusals.join(), /hide = "rat" is refused; parts that can be hidden: nav, sidebar, aside, lam/);
});

test("colours of grounds are dark or light as the eye has it", () => {
  assert.deepEqual(["rgb(18, 23, 29)", "rgb(246, 247, 249)", "color(srgb 0 0 0)"].map(isDarkColour), [true, false, true]);
  assert.equal(channels("rgba(0, 0, 0, 0)").opacity, 0);
  assert.equal(channels("").opacity, 0, "an element outside of the document");
});
