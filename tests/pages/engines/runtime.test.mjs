// Pure functions of the runtime: points as text, stories, runs and what they keep, numbers of a notebook.
import assert from "node:assert/strict";
import test from "node:test";

import { placed } from "../../../workbench/pages/runtime/curve_labels.js";
import { fromHash, MOST_STEPS, readStory, storyText, toHash } from "../../../workbench/pages/runtime/custom_story.js";
import { carried, readPoints } from "../../../workbench/pages/runtime/live_plane.js";
import { numerals } from "../../../workbench/pages/runtime/numerals.js";
import { pythonNumber } from "../../../workbench/pages/runtime/page_code.js";
import { Painter } from "../../../workbench/pages/runtime/painter.js";
import { nearest, writePoints } from "../../../workbench/pages/runtime/plane_hand.js";
import { recoloured } from "../../../workbench/pages/runtime/recolouring.js";
import { edges, insidePoint } from "../../../workbench/pages/runtime/sets.js";
import { Track, Tracks } from "../../../workbench/pages/runtime/tracks.js";
import { unfoldUnderMouse } from "../../../workbench/pages/runtime/hosts/unfolding.js";

const POINTS = { X: [[0.5, -1.25], [-3, 3]], y: Float64Array.of(1, -1) };

test("points go into a text of five signs each and come back", () => {
  const text = writePoints(POINTS, 3);
  assert.equal(text.length, 10);
  const { X, y } = readPoints(text, 3);
  assert.deepEqual(Array.from(y), [1, -1]);
  for (const [k, place] of X.entries()) place.forEach((value, j) => assert.ok(Math.abs(value - POINTS.X[k][j]) < 1e-12));
});

test("a pointer means the nearest point within reach", () => {
  const places = [[0.1, -0.05], [0.11, 0], [0.3, 0.1], [2, 1.1], [0.1, 0.2], [1, 1]];
  assert.deepEqual(places.map((place) => nearest([[0, 0], [0.2, 0], [2, 1]], place)), [0, 1, 1, 2, null, null]);
});

test("a point that stays keeps its value, and one that was added has zero", () => {
  const after = { X: [[-3, 3], [1, 1], [0.5, -1.25]], y: Float64Array.of(-1, 1, 1) };
  assert.deepEqual(Array.from(carried(POINTS, after, [0.3, 0.7])), [0.7, 0, 0.3]);
});

test("a story goes into an address and comes back", () => {
  const steps = [{ search: "?lam=0.1", caption: "λ falls: “why?”", figures: ["gap"] }];
  const text = storyText("dual-lab", steps);
  assert.equal(fromHash(toHash(text)), text);
  assert.deepEqual(readStory(text, "dual-lab"), { steps, why: "" });
});

test("a story that cannot be told is refused in a sentence", () => {
  const step = { search: "", caption: "", figures: [] };
  for (const [text, word] of [
    ["{", "damaged"],
    [storyText("bias", [step]), "bias"],
    [storyText("dual-lab", []), String(MOST_STEPS)],
    [storyText("dual-lab", Array(MOST_STEPS + 1).fill(step)), String(MOST_STEPS)],
    [JSON.stringify({ version: 9, page: "dual-lab", steps: [step] }), "version 9"],
  ]) {
    const { steps, why } = readStory(text, "dual-lab");
    assert.equal(steps, null);
    assert.ok(why.includes(word), why);
  }
});

const row = (step, gap = 1 / (1 + step)) => ({ step, epoch: step, primal: 1, dual: 0, gap, relative_gap: gap });
// An engine that notes what it is asked.
const silent = () => ({ count: 0, asked: [], ask(type, contents) { this.asked.push([type, contents]); return Promise.resolve(++this.count); } });

test("a run keeps one certificate a step, in their order, and ignores what is left of the problem before", () => {
  const engine = silent();
  const track = new Track("A", engine, () => {});
  track.begin({});
  engine.heard({ type: "frame", id: 0, passed: [], ...row(9) });
  assert.deepEqual(track.rows, []);
  engine.heard({ type: "frame", id: 1, passed: [row(0), row(4)], ...row(2) });
  engine.heard({ type: "frame", id: 1, passed: [], ...row(4, 0.5) });
  assert.deepEqual(track.rows.map(({ step, gap }) => [step, gap]), [[0, 1], [2, 1 / 3], [4, 0.5]]);
  assert.equal(track.last(3).step, 2);
  assert.equal(track.snapshotAt({ step: 2 }).row.step, 2);
});

test("runs that have ended rest, those that have not go on by as many epochs again", () => {
  const tracks = new Tracks({ epochs: 10, changed: () => {}, failed: assert.fail });
  const engines = [silent(), silent()];
  tracks.shown = engines.map((engine, k) => tracks.track("AB"[k], engine));
  tracks.shown.forEach((track) => track.begin({}));
  engines.forEach((engine) => engine.heard({ type: "frame", id: 1, passed: [], ...row(3) }));
  tracks.shown[0].end = { step: 3, status: "converged", reason: "" };
  tracks.run(1e-3);
  assert.deepEqual(engines.map(({ asked }) => asked.slice(1)), [[], [["run", { gap: 1e-3, max_epochs: 10 }]]]);
});

test("numbers of code are those of Python", () => {
  assert.deepEqual([true, 3, 1e16, 0.25, 1e-7, 1.5e-12].map(pythonNumber), ["True", "3.0", "10000000000000000", "0.25", "1e-07", "1.5e-12"]);
});

test("the edge of a ball is the ball", () => {
  const window = { x: [-2, 2], y: [-2, 2] };
  const f = ([a, b]) => Math.abs(a) + Math.abs(b);
  const inside = insidePoint(f, window);
  assert.deepEqual(inside, { at: [0, 0], best: 0 });
  const { x, y } = edges(f, window, [1], inside, 360, 44);
  x.slice(0, -1).forEach((value, k) => assert.ok(Math.abs(Math.abs(value) + Math.abs(y[k]) - 1) < 1e-9));
  assert.ok(Number.isNaN(x.at(-1)));
});

test("a name stands within the frame, off its curve and off other names", () => {
  const points = Array.from({ length: 50 }, (_, k) => ({ x: 10 + 4 * k, y: 100 }));
  const label = { element: { offsetWidth: 40, offsetHeight: 16, hidden: false }, at: null };
  const frame = { left: 0, right: 220, top: 0, bottom: 200 };
  const first = placed(points, label, frame, points, []);
  assert.ok(first.x >= 0 && first.x + 40 <= 220 && (first.y + 16 < 100 || first.y > 100));
  const second = placed(points, { ...label, at: null }, frame, points, [first]);
  assert.ok(Math.abs(second.x - first.x) >= 40 || Math.abs(second.y - first.y) >= 16);
});

// The second picture was asked for before the state changed, and is seen after.
class Late extends Painter {
  state = 0;
  shown = [];

  async paint() {
    const asked = this.next ?? Promise.resolve(this.state);
    this.next = null;
    this.shown.push(await asked);
    if (this.shown.length > 1) return;
    this.next = Promise.resolve(this.state);
    this.state = 1;
    this.soon();
  }

  refuse(error) {
    throw error;
  }
}

test("the last picture is of the last state", async () => {
  const late = new Late();
  await late.soon();
  assert.deepEqual(late.shown, [0, 0, 1]);
});

test("another look changes colours, and those that are half transparent keep their opacity", () => {
  const text = "a { color: #FFFFFF; background: #ffffffd9; border: 1px solid #123456 }";
  assert.equal(recoloured(text, { "#ffffff": "#0f1720" }), text.replace("#FFFFFF", "#0f1720").replace("#ffffffd9", "#0f1720d9"));
});

test("a fold is open while a mouse is over it, and stays open after a press", () => {
  const summary = new EventTarget();
  const fold = Object.assign(new EventTarget(), { open: false, querySelector: () => summary });
  unfoldUnderMouse(fold);
  const send = (type, pointerType) => fold.dispatchEvent(Object.assign(new Event(type), { pointerType }));
  const press = () => {
    const event = new Event("click", { cancelable: true });
    if (summary.dispatchEvent(event)) fold.open = !fold.open; // as a browser does
  };
  send("pointerenter", "touch");
  assert.equal(fold.open, false);
  send("pointerenter", "mouse");
  assert.equal(fold.open, true);
  send("pointerleave", "mouse");
  assert.equal(fold.open, false);
  send("pointerenter", "mouse");
  press();
  send("pointerleave", "mouse");
  assert.equal(fold.open, true);
  press();
  assert.equal(fold.open, false);
});

test("numbers in sentences are typeset", () => {
  const typeset = {
    "gap 2.10e-04, mean -3.5e-18 of -0.5": "gap 2.10·10⁻⁴, mean 0 to rounding of −0.5",
    "1e-06 to 1e+05, 2.0e+00": "10⁻⁶ to 10⁵, 2.0",
    // Powers that are read more easily as digits.
    "1.82e+01, 9.46e-01, -1.32e+02, 2.5e-02": "18.2, 0.946, −132, 2.5·10⁻²",
    "≤ 1e+02 %, 1.5e+02, 12.5e-01": "≤ 100 %, 150, 1.25",
    "0.00e+00, -0.0e+00": "0, 0",
    "1 steps, 1 outer steps, 1 epochs, 1 passes": "1 step, 1 outer step, 1 epoch, 1 pass",
    "11 steps, 0.1 epochs, 1,001 passes": "11 steps, 0.1 epochs, 1,001 passes",
  };
  for (const [text, expected] of Object.entries(typeset)) assert.equal(numerals(text), expected);
  // What was typed, names, ranges and words stay.
  for (const text of ["lam = '1e-9' is refused", "solver-2", "pages 3-5", "e-mail", "x1e5", "2024-11-23"])
    assert.equal(numerals(text), text);
});
