// The BokehJS that drew a model: a page in a notebook may have another version than its document.

/** @type {WeakMap<object, any>} */
const owners = new WeakMap();
/** @type {WeakMap<Node, any>} the documents of pages by the shadow roots that they stand in */
const documents = new WeakMap();

/**
 * Names the BokehJS of a document, and the root in which its figures stand.
 * @param {object} document @param {any} library @param {Node} root
 */
export function ownBokeh(document, library, root) {
  owners.set(document, library);
  documents.set(root, document);
}

/**
 * Returns the models of the page that an element is in.
 * @param {Element} element @returns {any[]}
 */
export function modelsAround(element) {
  const own = documents.get(element.getRootNode());
  return (own ? [own] : Bokeh.documents).flatMap((each) => [...each._all_models.values()]);
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
 * @param {any} library @param {(view: any) => void} then
 */
export function watchPaint(library, then) {
  const { prototype } = library.require("models/plots/plot_canvas").PlotView;
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
