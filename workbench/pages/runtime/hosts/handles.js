// @ts-check
// Points of a figure that a hand moves: a pointer drags them, and arrow keys move them as `figure_reading` says.

const EVENTS = ["panstart", "pan", "tap"];

/**
 * Reports each place to which a hand moves the points of figures.
 * @param {import("./figures.js").Figures} figures
 * @param {(figure: string, place: [number, number], isStart: boolean) => void} then - told whether a hand has just begun
 */
export function followHands(figures, then) {
  for (const name of Object.keys(figures.ids.figures)) {
    const plot = figures.of("figures", name);
    const isMovable = plot.renderers.some((/** @type {any} */ { glyph }) => glyph?.tags?.includes("handle"));
    if (!isMovable) continue;
    for (const type of EVENTS)
      plot.on_event(type, (/** @type {{ x: number, y: number }} */ { x, y }) => then(name, [x, y], type !== "pan"));
  }
}
