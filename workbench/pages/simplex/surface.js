// @ts-check
// The loss over the plane of scores: colours, levels, and the region of loss 0.

import { columns } from "../runtime/drawings.js";
import { CORNERS, flat } from "./triangle.js";

export const LEVELS = [0.05, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8];
// The distance to which the edge of a region is drawn.
const FAR = 30;

/**
 * Returns lines of equal value over a grid of rows, straight within each cell, with a NaN between.
 * @param {ArrayLike<number>} values
 * @param {number[]} xs
 * @param {number[]} ys
 * @param {number[]} levels
 */
export function levelSegments(values, xs, ys, levels) {
  const points = [];
  const count = xs.length;
  for (let j = 0; j + 1 < ys.length; j += 1) {
    for (let i = 0; i + 1 < count; i += 1) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const heights = corners.map(([a, b]) => values[b * count + a]);
      for (const level of levels) {
        const crossed = [];
        for (let k = 0; k < 4; k += 1) {
          const [from, to] = [heights[k], heights[(k + 1) % 4]];
          if (from < level === to < level) continue;
          const share = (level - from) / (to - from);
          const [[a, b], [c, d]] = [corners[k], corners[(k + 1) % 4]];
          crossed.push([xs[a] + share * (xs[c] - xs[a]), ys[b] + share * (ys[d] - ys[b])]);
        }
        for (let k = 0; k + 1 < crossed.length; k += 2) points.push(crossed[k], crossed[k + 1], [NaN, NaN]);
      }
    }
  }
  return columns(points);
}

/**
 * Returns the roots of the losses as a picture, with one more number between any two of the grid.
 * @param {ArrayLike<number>} losses
 * @param {number[]} xs
 * @param {number[]} ys
 */
export function coloured(losses, xs, ys) {
  const count = xs.length;
  const pixels = 2 * count - 1;
  const image = new Float32Array(pixels * pixels);
  for (let j = 0; j < pixels; j += 1) {
    for (let i = 0; i < pixels; i += 1) {
      const [a, b, c, d] = [i >> 1, (i + 1) >> 1, j >> 1, (j + 1) >> 1];
      const sum = losses[c * count + a] + losses[c * count + b] + losses[d * count + a] + losses[d * count + b];
      image[j * pixels + i] = 0.5 * Math.sqrt(sum);
    }
  }
  // The numbers stand at the middles of the pixels.
  const [a, b] = [xs[1] - xs[0], ys[1] - ys[0]].map((step) => 0.25 * step);
  const [width, height] = [xs[count - 1] - xs[0] + 2 * a, ys[count - 1] - ys[0] + 2 * b];
  return { image: [image], x: [xs[0] - a], y: [ys[0] - b], dw: [width], dh: [height] };
}

/**
 * Returns the edge of the scores of loss 0: the true class leads each other by the margin.
 * @param {number} label
 * @param {number} lead
 */
export function freeRegion(label, lead) {
  if (!Number.isFinite(lead)) return { x: [], y: [] };
  const others = CORNERS.flatMap((_, j) => (j === label ? [] : [j]));
  const tip = CORNERS.map((_, j) => (j === label ? lead : 0));
  const far = (/** @type {number} */ k) => tip.map((score, j) => score - (j === k ? FAR : 0));
  return columns([flat(far(others[0])), flat(tip), flat(far(others[1]))]);
}
