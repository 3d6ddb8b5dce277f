// What Bokeh does at each paint of a figure without need, left out: it takes longer than the paint itself.

export function paintLess(/** @type {any} */ library = Bokeh) {
  try {
    const { InlineStyleSheet } = library.require("core/dom");
    const { PlotView } = library.require("models/plots/plot_canvas");
    const { _update: writeSheet } = InlineStyleSheet.prototype;
    const { _invalidate_layout_if_needed: layOut } = PlotView.prototype;
    // A dozen style sheets a figure are written anew with what they hold; then the browser has to work out all styles
    // again before the next figure can ask for its own.
    InlineStyleSheet.prototype._update = function writeIfChanged(/** @type {any} */ css) {
      if (this.css !== css) writeSheet.call(this, css);
    };
    // Every line and letter asks style sheets for its looks, some thousand times; ours are those of the models.
    library.require("core/visuals/visual").VisualProperties.prototype._get_css_value = () => "";
    // The axes of a figure that is folded away have a size and its place has none, so the whole page would be laid out;
    // when it is unfolded it is laid out anyhow.
    PlotView.prototype._invalidate_layout_if_needed = function layOutIfShown() {
      if (this.is_displayed) layOut.call(this);
    };
    measureOnce(library, PlotView.prototype);
    fillOnce(library);
    paintTogether(PlotView.prototype);
  } catch {
    // Another version of Bokeh, which paints as it does.
  }
}

// The room of an axis becomes smaller only by more than this number of pixels: each other size lays the figure out anew.
const SPARE = 14;

/**
 * Has ticks and labels of an axis be made and measured once a paint instead of four times, and its font looked up once a
 * layout: each question of that kind has the browser work out all styles.
 * @param {any} library
 * @param {any} plot - the prototype of the view of a figure
 */
function measureOnce(library, plot) {
  const { prototype: axis } = library.require("models/axes/axis").AxisView;
  const { repaint, compute_layout: layOut } = plot;
  const { get_size: roomOf, compute_labels: labelsOf } = axis;
  const fontOf = getter(plot, "base_font_size");
  replace(plot, "base_font_size", function lookUp() {
    return (this.wb_font_size ??= fontOf.call(this));
  });
  plot.compute_layout = function layOutAnew() {
    this.wb_font_size = null;
    if (this.wb_paint) this.wb_paint = new Map();
    layOut.call(this);
  };
  plot.repaint = function repaintOnce() {
    this.wb_paint = new Map();
    try {
      repaint.call(this);
    } finally {
      this.wb_paint = null;
    }
  };
  for (const name of ["tick_coords", "extents"]) {
    const measure = getter(axis, name);
    replace(axis, name, function valueOfPaint() {
      return once(this, name, () => measure.call(this));
    });
  }
  axis.compute_labels = function labelsOfPaint(/** @type {any} */ ticks) {
    return once(this, ticks, () => labelsOf.call(this, ticks));
  };
  axis.get_size = function roomWithSpare() {
    const size = roomOf.call(this);
    const { wb_room: last = 0 } = this;
    this.wb_room = size.height > last || size.height < last - SPARE ? size.height : last;
    return { ...size, height: this.wb_room };
  };
}

/**
 * Returns the value that an axis has during this paint, made where there is none yet.
 * @param {any} axis @param {any} key @param {() => any} make
 */
function once(axis, key, make) {
  const { wb_paint: values } = axis.plot_view;
  if (!values) return make();
  if (!values.has(axis)) values.set(axis, new Map());
  const own = values.get(axis);
  if (!own.has(key)) own.set(key, make());
  return own.get(key);
}

/** @param {any} prototype @param {string} name @returns {() => any} */
function getter(prototype, name) {
  return /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
}

/** @param {any} prototype @param {string} name @param {(this: any) => any} get */
function replace(prototype, name, get) {
  Object.defineProperty(prototype, name, { get, configurable: true });
}

/**
 * Makes and fills the view of a glyph that is drawn, of five: nothing on these pages is selected or thinned out.
 * @param {any} library
 */
function fillOnce(library) {
  const { prototype } = library.require("models/renderers/glyph_renderer").GlyphRendererView;
  const { Indices } = library.require("core/types");
  const { build_glyph_view: build, connect_signals: connect } = prototype;
  const drawn = (/** @type {any} */ { model, glyph, muted_glyph: muted }) => (model.muted ? muted : glyph);
  prototype.build_glyph_view = function buildDrawn(/** @type {any} */ glyph) {
    const isDrawn = [this.model.glyph, this.model.muted_glyph].includes(glyph);
    return isDrawn ? build.call(this, glyph) : this.glyph;
  };
  prototype.connect_signals = function connectMuted() {
    connect.call(this);
    this.connect(this.model.properties.muted.change, () => this.update_data());
  };
  prototype.set_data = async function setDrawn(/** @type {any} */ indices) {
    const { model, glyph } = this;
    this.all_indices = model.view.indices;
    // A pointer is looked for among the points of the first.
    for (const view of new Set([glyph, drawn(this)])) await view.set_data(model.data_source, this.all_indices, indices);
    await this.set_visuals();
    this.plot_view.invalidate_dataranges = true;
  };
  prototype.set_visuals = async function setVisualsDrawn() {
    for (const view of new Set([this.glyph, drawn(this)])) {
      view.set_visuals(this.model.data_source, this.all_indices);
      view.after_visuals();
      await view.after_lazy_visuals();
    }
  };
  prototype.map_data = function mapDrawn() {
    for (const view of new Set([this.glyph, drawn(this)])) view.map_data();
  };
  // All points are drawn; to look for those within the axes, Bokeh makes ranges and fills the visuals again.
  prototype._update_masked_indices = function allIndices() {
    return Indices.all_set(this.glyph.data_size);
  };
  // Its element, in which nothing stands, would follow its points, and the browser would work out all styles again.
  prototype.update_position = () => {};
}

// A frame of a screen, in milliseconds.
const FRAME_MS = 1000 / 60;
const due = new Set();
let lastPaint = -Infinity;
/** @type {Promise<void> | null} */
let coming = null;

/**
 * Has figures painted together, at once after a frame without a picture instead of at the next frame of the screen.
 * @param {any} plot - the prototype of the view of a figure
 */
function paintTogether(plot) {
  const { initialize } = plot;
  plot.initialize = function initializeWithOthers() {
    initialize.call(this);
    this.throttled_paint = () => {
      due.add(this);
      coming ??= paintDue();
      return coming;
    };
  };
}

async function paintDue() {
  const isSoon = performance.now() - lastPaint < FRAME_MS;
  await (isSoon ? new Promise(requestAnimationFrame) : nextTask());
  coming = null;
  lastPaint = performance.now();
  const views = [...due].filter(({ is_destroyed: isDestroyed }) => !isDestroyed);
  due.clear();
  // One that fails leaves the others as they are.
  await Promise.all(views.map(async (view) => view.repaint()));
}

/** Resolves once what was asked for is painted and the browser had a turn to show it. */
export async function repainted() {
  await coming;
  await nextTask();
}

/** Resolves after what waits for the browser's turn; a timeout would wait for milliseconds more. */
function nextTask() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(undefined);
    };
    port2.postMessage(null);
  });
}
