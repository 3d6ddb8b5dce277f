// Blocks that go from JavaScript to Python and back; `test_contract.py` is the other end.
import assert from "node:assert/strict";
import test from "node:test";

import { opened, packed } from "../../../workbench/pages/runtime/hosts/blocks.js";

const VALUE = {
  text: "λ ≤ ∞",
  numbers: [1, -0.5, null, true, Infinity, -Infinity],
  floats: Float64Array.of(1, -2.5, 1e300),
  counts: Uint32Array.of(7, 2 ** 32 - 1),
  bytes: Uint8Array.of(1, 2, 3),
  nothing: new Float64Array(0),
};

test("a value comes back with its arrays", () => {
  assert.deepEqual(opened(packed(VALUE)), VALUE);
  assert.ok(Number.isNaN(opened(packed({ x: NaN })).x));
});

test("a view of a larger buffer is read at its place", () => {
  const block = packed(VALUE);
  const larger = new Uint8Array(block.byteLength + 16);
  larger.set(new Uint8Array(block), 16);
  assert.deepEqual(opened(new DataView(larger.buffer, 16)), VALUE);
});

test("an array of another byte order is refused by its name", () => {
  const text = new TextDecoder().decode(new Uint8Array(packed(VALUE))).replace("<f8", ">f8");
  assert.throws(() => opened(new TextEncoder().encode(text)), />f8|is not valid JSON/);
});
