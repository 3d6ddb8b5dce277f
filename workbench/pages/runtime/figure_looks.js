// What Bokeh's figures do otherwise here: maps of numbers are smooth, and no figure is a stop of the Tab key.

export function smoothMaps(/** @type {any} */ library = Bokeh) {
  try {
    const { prototype } = library.require("models/glyphs/image_base").ImageBaseView;
    const { _paint: paint } = prototype;
    // Bokeh turns smoothing off right before it draws, so that each cell is a square; on a projector one sees the squares.
    prototype._paint = function paintSmooth(/** @type {any} */ context, /** @type {any[]} */ ...rest) {
      const name = "imageSmoothingEnabled";
      Object.defineProperty(context, name, { get: () => true, set: () => {}, configurable: true });
      try {
        return paint.call(this, context, ...rest);
      } finally {
        delete context[name];
      }
    };
  } catch {
    // Another version of Bokeh, whose maps have cells.
  }

  try {
    const { prototype } = library.require("models/canvas/canvas").CanvasView;
    const { initialize } = prototype;
    // No key does anything in a figure; what it shows is said below it.
    prototype.initialize = function initializeWithoutStop() {
      initialize.call(this);
      this.events_el.tabIndex = -1;
    };
  } catch {
    // Another version of Bokeh, whose figures are stops.
  }
}
