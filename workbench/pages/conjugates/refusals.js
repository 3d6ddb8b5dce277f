// What is shown where p has no conjugate, or is not convex.

import {
  around,
  codeBox,
  drawable,
  escaped,
  fillImage,
  listed,
  put,
  sentence,
  setFormula,
  setRange,
  shown,
  spaced,
  write,
} from "../runtime/drawings.js";
import { printed } from "../runtime/printed.js";
import { COUNT } from "./curves.js";

/**
 * Which formula holds at these parameters.
 * @param {Record<string, any>} args @param {Record<string, any>} theta @param {any} region @param {boolean} hidden
 */
export function announce(args, theta, region, hidden) {
  if (!args.banner) return;
  if (!args.convex) {
    const found = bend((/** @type {any} */ u) => printed.given(u, theta));
    showChord(args, found);
    write(
      args.banner,
      `<div class="wb-line wb-banner">${found ? risen(found) : "No chord was found that p rises above."}</div>`,
    );
    return;
  }
  if (args.jumps.length) {
    const [u, given, closed] = args.jumps[0];
    put(args.sources.chord, { u: [u, u], y: [closed, given] });
    write(
      args.banner,
      `<div class="wb-line wb-banner">p is convex, but not closed: p(${shown(u)}) = ${shown(given)} as given, and ${shown(closed)} is where ` +
        `p comes from inside. Tangents see the closure alone, so p**(${shown(u)}) = ${shown(closed)}: the gap of ${shown(given - closed)} stays.</div>`,
    );
    return;
  }
  const { where, latex } = args.cases[region];
  const count = args.cases.length;
  const which =
    count > 1 ? `case ${region + 1} of ${count}, <b>${escaped(where)}</b>` : `within <b>${escaped(where)}</b>`;
  write(
    args.banner,
    `<div class="wb-line wb-banner">${escaped(listed(theta))}: ${which}.${hidden ? "" : setFormula(`q(${args.variable}) = ${latex}`)}</div>`,
  );
}

/**
 * Two points and their midpoint, the plainest found, where p as it was given lies above the chord.
 * @param {any} p
 */
export function bend(p) {
  const centres = [0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 5, -5, 10, -10];
  for (const step of [1, 2, 0.5, 0.25, 0.1, 5, 0.01]) {
    for (const middle of centres) {
      const [a, m, b] = [middle - step, middle, middle + step].map(p);
      if (m - (a + b) / 2 > 1e-9 * (1 + Math.abs(a) + Math.abs(b))) return { middle, step, ends: [a, b], height: m };
    }
  }
  return null;
}

/**
 * The sentence of such a chord, and its picture.
 * @param {{ middle: any, step: any, ends: any, height: number }} fields
 */
function risen({ middle, step, ends, height }) {
  return (
    `p is not convex: between u = ${shown(middle - step)} and u = ${shown(middle + step)} the ` +
    `chord passes u = ${shown(middle)} at height ${shown((ends[0] + ends[1]) / 2)}, and p, ` +
    `${shown(height)} there, lies above it.`
  );
}

/** @param {Record<string, any>} args @param {any} found */
function showChord(args, found) {
  const { middle, step, ends } = found ?? {};
  put(args.sources.chord, found ? { u: [middle - step, middle + step], y: ends } : { u: [], y: [] });
}

/**
 * No conjugate here: nothing of the last one stays, and p is shown with a chord that it rises above.
 * @param {Record<string, any>} args @param {Record<string, any>} theta
 */
export function refuse(args, theta) {
  for (const [name, source] of Object.entries(args.sources)) {
    if (name !== "map") put(source, Object.fromEntries(Object.keys(source.data).map((column) => [column, []])));
  }
  const { image, x, y, dw, dh } = args.sources.map.data;
  image[0].fill(NaN);
  fillImage(args.sources.map, [x[0], x[0] + dw[0]], [y[0], y[0] + dh[0]]);
  const index = printed.excluded?.(0, theta) ?? -1;
  const { where, reason } = args.excluded[index] ?? { where: "", reason: "" };
  const p = printed.given ? (/** @type {any} */ u) => printed.given(u, theta) : null;
  const found = p && bend(p);
  if (found) {
    const { middle, step, ends, height } = found;
    const us = spaced(middle - 2 * Math.max(step, 1), middle + 2 * Math.max(step, 1), COUNT);
    const ps = us.map(p);
    put(args.sources.primal, { u: us, p: drawable(ps) });
    showChord(args, found);
    put(args.sources.probe, { u: [middle, middle], y: [(ends[0] + ends[1]) / 2, height] });
    setRange(args.figures.primal.x_range, us[0], us[COUNT - 1]);
    setRange(args.figures.primal.y_range, ...around(ps, 0.12));
  }
  const shows = found ? risen(found) : args.convex ? `For ${escaped(where)}, ${escaped(reason)}.` : "";
  const outside = args.convex
    ? `<span class="bad">${escaped(listed(theta))} is outside ${escaped(args.conditions)}</span>, so there is no conjugate.`
    : `<span class="bad">No line lies below p: p** = −∞ and q = +∞.</span>`;
  write(
    args.banner,
    `<div class="wb-line wb-banner">${outside} ${shows}${args.convex ? " Move the slider back." : ""}</div>`,
  );
  for (const [name, line] of Object.entries(args.lines)) {
    sentence(
      line,
      name === "primal" && found
        ? "p with the chord that it rises above."
        : args.convex
          ? `None outside ${escaped(args.conditions)}.`
          : "None: no line lies below p.",
    );
  }
  write(args.code, codeBox(`${args.python}\nprint(pair.conditions, pair.witness)`));
}
