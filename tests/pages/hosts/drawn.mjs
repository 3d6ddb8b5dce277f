// Shared by the tests of frames of pages without runs. DRAWN is a file with facts, answers and golden frames.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { opened } from "../../../workbench/pages/runtime/hosts/blocks.js";

const SAME = 1e-8;
export const STRIDE = 23;
export const SHORT = 30;

/** What `answer_page` gives, the answers by the keys of their messages, and the frames as they were recorded. */
export function given(name) {
  const { buffer, byteOffset, byteLength } = readFileSync(`${process.env.DRAWN}/${name}.block`);
  return opened(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** The entries of a column that are recorded. */
export const thinned = (values) => Array.from(values).filter((_, k) => k % STRIDE === 0 || values.length < SHORT);

export function assertClose(actual, expected, name) {
  assert.equal(actual.length, expected.length, `${name}: length`);
  expected.forEach((value, k) => {
    const same =
      typeof value === "string"
        ? actual[k] === value
        : value === null ? !Number.isFinite(actual[k]) : Math.abs(actual[k] - value) <= SAME * Math.max(1, Math.abs(value));
    assert.ok(same, `${name}[${k}]: ${actual[k]} in place of ${value}`);
  });
}

/** Compares sources and ranges with what the page drew before it was a module, but for sources that differ on purpose. */
export function assertRecorded(frame, { sources, ranges }, name, others = []) {
  for (const [source, columns] of Object.entries(sources)) {
    if (others.includes(source)) continue;
    for (const [column, values] of Object.entries(columns)) {
      const now = frame.sources[source]?.[column] ?? [];
      assertClose(thinned(ArrayBuffer.isView(now[0]) ? now[0] : now), values, `${name}: ${source}.${column}`);
    }
  }
  for (const [kind, range, start, end] of frame.ranges) {
    if (kind !== "range") continue;
    const [figure, side] = [range.slice(0, -2), range.at(-1)];
    const ends = ranges[figure].slice(side === "x" ? 0 : 2);
    assertClose([start, end], ends.slice(0, 2), `${name}: ${range}`);
  }
}
