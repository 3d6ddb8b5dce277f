// @ts-check
// The triangle of probabilities and the scores less their mean in one plane, without a change of length.

/** @typedef {number[]} Scores - of the three classes */

const ACROSS = [-Math.SQRT1_2, Math.SQRT1_2, 0];
const UPWARD = [-1, -1, 2].map((e) => e / Math.sqrt(6));
export const CORNERS = [0, 1, 2].map((j) => [ACROSS[j], UPWARD[j]]);

/** @param {Scores} z */
export const mean = (z) => z.reduce((sum, score) => sum + score, 0) / z.length;

/** @param {Scores} z */
export const spread = (z) => Math.max(...z) - Math.min(...z);

/**
 * Returns the place of scores in the plane.
 * @param {Scores} z
 */
export const flat = (z) => z.reduce(([x, y], score, j) => [x + score * ACROSS[j], y + score * UPWARD[j]], [0, 0]);

/**
 * Returns the scores of mean 0 at a place of the plane.
 * @param {number[]} place
 */
export const lifted = ([x, y]) => ACROSS.map((across, j) => x * across + y * UPWARD[j]);

/**
 * Returns the scores with the same mean whose spread is s.
 * @param {Scores} z
 * @param {number} s
 */
export function scaled(z, s) {
  const [middle, size] = [mean(z), spread(z)];
  return size > 0 ? z.map((score) => middle + ((score - middle) * s) / size) : z;
}
