// @ts-check
// What is shown where p has no conjugate.

import { around, drawable, shown, spaced } from "../runtime/drawings.js";
import { noWalls } from "../runtime/walls.js";
import { formatText } from "../runtime/wording.js";
import { COUNT } from "./curves.js";

const CENTRES = [0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 5, -5, 10, -10];
const STEPS = [1, 2, 0.5, 0.25, 0.1, 5, 0.01];
// Of every figure but the first; what of it is drawn comes after these.
const SOURCES = {
  u: ["touch", "probe", "chord", "tangent", "intercept"].map((name) => [name, ["u", "y"]]),
  v: ["dual", "dual_tangent", "point", "hand", "visited"].map((name) => [name, ["v", "q"]]),
  both: [
    ["cross", ["u", "v"]],
    ["matched", ["u", "v"]],
    ["primal", ["u", "p"]],
    ["biconjugate", ["u", "p"]],
    ["tangents", ["xs", "ys"]],
  ],
};

/**
 * Returns two points and their midpoint, the plainest ones, where p as it was given lies above the chord.
 * @param {(u: number) => number} p
 */
export function bend(p) {
  for (const step of STEPS) {
    for (const middle of CENTRES) {
      const [a, m, b] = [middle - step, middle, middle + step].map(p);
      if (m - (a + b) / 2 > 1e-9 * (1 + Math.abs(a) + Math.abs(b))) return { middle, step, ends: [a, b], height: m };
    }
  }
  return null;
}

/**
 * Returns the sentence of a chord that p rises above.
 * @param {any} chord
 * @param {Record<string, any>} facts
 */
export function risen({ middle, step, ends, height }, facts) {
  return formatText(facts.texts.chord, {
    low: shown(middle - step),
    high: shown(middle + step),
    middle: shown(middle),
    mean: shown((ends[0] + ends[1]) / 2),
    height: shown(height),
  });
}

/**
 * Returns empty figures, and p with a chord that it rises above.
 * @param {any} scene
 * @param {Record<string, any>} facts
 */
export function refused({ printed, theta, pair, windows }, facts) {
  const chord = printed.given ? bend((u) => printed.given(u, theta)) : null;
  const none = formatText(facts.texts[pair.convex ? "none_outside" : "none_below"], {
    conditions: pair.conditions_text,
  });
  const { u, v } = windows;
  const map = { image: [new Float64Array(8100).fill(NaN)], x: [u[0]], y: [v[0]], dw: [u[1] - u[0]], dh: [v[1] - v[0]] };
  const empty = Object.fromEntries(
    Object.values(SOURCES)
      .flat()
      .map(([name, columns]) => [name, Object.fromEntries([...columns].map((column) => [column, []]))]),
  );
  const hidden = { primal_walls: noWalls(), dual_walls: noWalls(), gap_walls: noWalls(), map };
  return {
    sources: { ...empty, ...hidden, ...(chord ? drawn(chord, printed, theta).sources : {}) },
    ranges: chord ? drawn(chord, printed, theta).ranges : [],
    sentences: { primal: chord ? facts.texts.with_chord : none, dual: none, gap: none, tangents: none },
  };
}

/**
 * @param {any} chord
 * @param {any} printed
 * @param {Record<string, number>} theta
 */
function drawn({ middle, step, ends, height }, printed, theta) {
  const us = spaced(middle - 2 * Math.max(step, 1), middle + 2 * Math.max(step, 1), COUNT);
  const ps = us.map((u) => printed.given(u, theta));
  return {
    sources: {
      primal: { u: us, p: drawable(ps) },
      chord: { u: [middle - step, middle + step], y: ends },
      probe: { u: [middle, middle], y: [(ends[0] + ends[1]) / 2, height] },
    },
    ranges: [
      ["range", "primal_x", us[0], us[COUNT - 1]],
      ["range", "primal_y", ...around(ps, 0.12)],
    ],
  };
}
