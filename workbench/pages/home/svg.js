// @ts-check
// Parts of a picture as text of SVG: lines, points, words and plots.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @param {number} value */
export const number = (value, digits = 4) => value.toFixed(digits).replace("-", "−");

/**
 * Returns the function from values to pixels.
 * @param {[number, number]} values
 * @param {[number, number]} pixels
 */
export const scale = ([low, high], [start, end]) => {
  const factor = (end - start) / (high - low);
  return (/** @type {number} */ value) => start + (value - low) * factor;
};

/**
 * @param {[number, number]} from @param {[number, number]} to @param {string} name
 */
export const line = ([x1, y1], [x2, y2], name) =>
  `<line x1='${x1.toFixed(1)}' y1='${y1.toFixed(1)}' x2='${x2.toFixed(1)}' y2='${y2.toFixed(1)}' class='${name}'/>`;
/** @param {[number, number][]} points @param {string} name */
export const area = (points, name) => `<polygon points='${places(points)}' class='${name}'/>`;
/** @param {[number, number][]} points @param {string} name */
export const curve = (points, name) => `<polyline points='${places(points)}' class='${name}'/>`;
/** @param {[number, number][]} points */
const places = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
/** @param {[number, number]} place @param {string} name */
export const dot = ([x, y], name, radius = 5) =>
  `<circle cx='${x.toFixed(1)}' cy='${y.toFixed(1)}' r='${radius}' class='${name}'/>`;
/** @param {[number, number]} place @param {string} words @param {string} [name] @param {string} [anchor] */
export const text = ([x, y], words, name = "", anchor = "start") =>
  `<text x='${x.toFixed(1)}' y='${y.toFixed(1)}' class='${name}' text-anchor='${anchor}'>${words}</text>`;

/**
 * The graph of a function in a plot.
 * @param {{ X: any, Y: any, x: [number, number] }} plot
 * @param {(value: number) => number} value
 * @param {string} name
 */
export function graph({ X, Y, x: [low, high] }, value, name) {
  const points = Array.from({ length: 81 }, (_, k) => low + ((high - low) * k) / 80);
  return curve(
    points.map((u) => [X(u), Y(value(u))]),
    name,
  );
}

/**
 * A plot in a box, cut at its edges.
 * @param {Box} box
 * @param {[number, number]} x
 * @param {[number, number]} y
 */
export function plotIn({ left, top, right, bottom }, x, y) {
  const X = scale(x, [left, right]);
  const Y = scale(y, [bottom, top]);
  const zero = Y(Math.max(y[0], 0));
  return {
    X,
    Y,
    x,
    ground: `<rect x='${left}' y='${top}' width='${right - left}' height='${bottom - top}' class='ground'/>`,
    axis: line([left, zero], [right, zero], "axis"),
    /** @param {string} inside */
    cut: (inside) =>
      `<svg x='${left}' y='${top}' width='${right - left}' height='${bottom - top}' ` +
      `viewBox='${left} ${top} ${right - left} ${bottom - top}'>${inside}</svg>`,
  };
}
