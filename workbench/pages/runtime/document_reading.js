// The figures of a document that is one page, read as they are painted.

import { Reader } from "./figure_reading.js";
import { headOf } from "./figures.js";
import { watchPaint } from "./own_bokeh.js";

const reader = new Reader(({ name }) => headOf(name));

// Those that were painted before this script was read.
export function readFigures() {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
  models.filter(({ type }) => type === "Figure").forEach((plot) => reader.read(Bokeh.index.find_one(plot)));
}

try {
  watchPaint(Bokeh, (view) => reader.read(view));
} catch {
  // Another version of Bokeh, whose figures are pictures alone.
}
