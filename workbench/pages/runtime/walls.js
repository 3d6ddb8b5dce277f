// @ts-check
// Hatched areas in which a function is infinite.

/** @typedef {{ left: number[], right: number[], bottom: number[], top: number[] }} Walls */

/** @returns {Walls} */
export const noWalls = () => ({ left: [], right: [], bottom: [], top: [] });

/**
 * Returns the parts of a window outside of an interval, as columns of rectangles.
 * @param {number[]} ends - of the domain
 * @param {number[]} window
 * @param {number[]} heights
 * @returns {Walls}
 */
export function walls([from, to], [low, high], [bottom, top]) {
  const sides = [
    [low, Math.min(from, high)],
    [Math.max(to, low), high],
  ].filter(([a, b]) => a < b);
  return {
    left: sides.map(([a]) => a),
    right: sides.map(([, b]) => b),
    bottom: sides.map(() => bottom),
    top: sides.map(() => top),
  };
}

/**
 * Returns the parts outside of an interval of the other axis.
 * @param {number[]} ends
 * @param {number[]} window - of that axis
 * @param {number[]} widths
 * @returns {Walls}
 */
export function floors(ends, window, widths) {
  const { left: bottom, right: top, bottom: left, top: right } = walls(ends, window, widths);
  return { left, right, bottom, top };
}
