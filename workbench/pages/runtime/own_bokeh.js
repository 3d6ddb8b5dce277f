// The BokehJS that drew a model: a page in a notebook may have another version than its document.

/** @type {WeakMap<object, any>} */
const owners = new WeakMap();

/**
 * Names the BokehJS of a document.
 * @param {object} document @param {any} Library
 */
export function ownBokeh(document, Library) {
  owners.set(document, Library);
}

/**
 * Returns the BokehJS of a model.
 * @param {any} model
 */
export function bokehFor(model) {
  return owners.get(model?.document) ?? Bokeh;
}

/**
 * Returns the view of a model, if it is shown.
 * @param {any} model
 */
export function viewOf(model) {
  return bokehFor(model).index.find_one(model);
}

const WATCHED = Symbol.for("workbench.painted");

/**
 * Calls a function with the view of each figure that is painted; returns a function that ends it.
 * @param {any} Library @param {(view: any) => void} then
 */
export function watchPaint(Library, then) {
  const { prototype } = Library.require("models/plots/plot_canvas").PlotView;
  if (!prototype[WATCHED]) {
    const { _actual_paint: paint } = prototype;
    const watchers = new Set();
    prototype[WATCHED] = watchers;
    prototype._actual_paint = function paintAndTell() {
      paint.call(this);
      for (const watcher of watchers) watcher(this);
    };
  }
  prototype[WATCHED].add(then);
  return () => prototype[WATCHED].delete(then);
}
