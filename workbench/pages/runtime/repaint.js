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
  } catch {
    // Another version of Bokeh, which paints as it does.
  }
}
