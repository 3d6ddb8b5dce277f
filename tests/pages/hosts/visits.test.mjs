// The way back, stories and notebooks: pure functions.
import assert from "node:assert/strict";
import test from "node:test";

// Modules of keys listen to a window.
globalThis.addEventListener ??= () => {};
globalThis.location ??= { hash: "", search: "", pathname: "/bias", href: "https://example.org/bias" };
const { between } = await import("../../../workbench/pages/runtime/hosts/lecture.js");
const { goesOn, Visits } = await import("../../../workbench/pages/runtime/hosts/visits.js");
const { frameText, notebookText } = await import("../../../workbench/pages/runtime/save.js");

const ROWS = [
  { name: "lam", kind: "logarithmic", label: "λ", low: 1e-6, high: 1 },
  { name: "loss", kind: "select", label: "Loss", options: ["hinge", "squared"] },
];
const usual = { lam: 0.01, loss: "hinge" };

function visits(fields = {}) {
  const restored = [];
  const made = new Visits({ ownsAddress: false, isFile: false, rows: ROWS, usual, restore: (s) => restored.push(s), ...fields });
  return { made, restored };
}

test("changes of one slider are one visit, choices from a list never", () => {
  const before = { names: ["lam"], at: 0 };
  assert.equal(goesOn(["lam"], before, 900, ROWS), true);
  assert.equal(goesOn(["lam"], before, 1100, ROWS), false);
  assert.equal(goesOn(["loss"], { names: ["loss"], at: 0 }, 10, ROWS), false);
  assert.equal(goesOn(["lam", "loss"], before, 10, ROWS), false);
});

test("a page in a notebook goes back by itself", () => {
  const { made, restored } = visits();
  assert.equal(made.canGoBack, false);
  made.follow({ ...usual, loss: "squared" });
  made.follow({ ...usual, loss: "squared", lam: 0.1 });
  made.back();
  made.back();
  assert.deepEqual(restored, [{ ...usual, loss: "squared" }, usual]);
  assert.equal(made.canGoBack, false);
});

test("an address has settings, look and story, and gives them back", () => {
  globalThis.location = { hash: "", search: "?lam=0.5&projector=on&story=2&rat=1&hide=nav", pathname: "/bias", href: "" };
  const { made } = visits({ ownsAddress: true });
  const { settings, refusals } = made.read();
  assert.deepEqual(settings, { ...usual, lam: 0.5 });
  assert.deepEqual(refusals, ['unknown setting "rat"']);
  assert.equal(made.query, "projector=on&hide=nav&story=2&lam=0.5");
});

test("what follows ? in the address of a file stays, and what follows # says otherwise", () => {
  globalThis.location = { hash: "#lam=0.25&own=AAAA", search: "?theme=dark&lam=0.5", pathname: "/bias.html", href: "" };
  const { made } = visits({ ownsAddress: true, isFile: true });
  assert.equal(made.read().settings.lam, 0.25);
  assert.equal(made.look.theme, "dark");
  made.look.theme = "light";
  assert.match(made.address, /^\/bias\.html\?theme=dark&lam=0\.5#theme=light&lam=0\.25&own=/);
});

test("numbers far apart go by ratios", () => {
  assert.equal(between(0.01, 1, 0.5), 0.1);
  assert.equal(between(1, 2, 0.5), 1.5);
  assert.equal(between(0, 5, 1), 5);
});

test("code becomes a notebook, and an address a frame without links", () => {
  const { cells, nbformat } = JSON.parse(notebookText("p = 1", "Bias", "https://example.org/bias?lam=1"));
  assert.deepEqual([cells[1].source, nbformat], ["p = 1", 4]);
  assert.match(cells[0].source, /The state of https/);
  assert.match(frameText("https://example.org/bias?hide=lam", "Bias"), /hide=lam%2Cnav/);
});
