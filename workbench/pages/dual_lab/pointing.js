// @ts-check
// Lights the sample or feature under the pointer in every figure that draws it; a tap leaves a sample out.

/** The columns that place a sample, by the source that has them. */
const PLACES = {
  margins: { margin: "margin", place: "place", value: "value" },
  duals: { place: "place", value: "value" },
  terms: { place: "dual_place", value: "dual", term_place: "place", share: "share" },
  points: { x: "x", y: "y" },
};
const LIT = ["margin", "place", "value", "term_place", "share", "x", "y"];
const OF_SAMPLES = ["margins", "duals", "terms", "plane"];
const OF_FEATURES = ["transfer", "weights", "path"];

export class Pointing {
  /** @type {number | null} */ sample = null;
  /** @type {number | null} */ feature = null;

  /** @param {any} page - of figures that were drawn just now */
  constructor(page) {
    this.page = page;
    this.figures = page.figures;
    for (const name of OF_SAMPLES) {
      const plot = this.figures.of("figures", name);
      this.#follow(plot, (data, index) => this.light(index === null ? null : data.sample[index]));
      if (name !== "plane") plot.on_event("tap", (/** @type {any} */ at) => this.#tapped(name, at));
    }
    for (const name of OF_FEATURES) {
      this.#follow(this.figures.of("figures", name), (data, index) =>
        this.point(index === null ? null : data.feature[index]),
      );
    }
    for (const name of ["path", "held_out"]) {
      this.figures.of("figures", name).on_event("tap", (/** @type {{ x: number }} */ { x }) => page.goTo(x));
    }
  }

  /**
   * Calls `then` with the row under the pointer; a figure has one tool that reads it.
   * @param {any} plot
   * @param {(data: any, index: number | null) => void} then
   */
  #follow(plot, then) {
    const hover = plot.toolbar.tools.find((/** @type {any} */ { type }) => type === "HoverTool");
    const execute = (/** @type {any} */ _tool, /** @type {any} */ { renderer, index, sample }) => {
      if (!renderer) return sample === null ? then({}, null) : undefined;
      return then(renderer.data_source.data, index.indices[0] ?? null);
    };
    hover.setv({ callback: { execute } }, { sync: false });
  }

  /**
   * A tap at the right place of the sorted figure means the sample there; elsewhere the one under the pointer.
   * @param {string} name
   * @param {{ x: number }} at
   */
  #tapped(name, { x }) {
    const { place, sample } = this.figures.of("sources", "duals").data;
    if (this.sample !== null) this.page.leaveOut.choose(this.sample);
    else if (name === "duals" && place.length) {
      const far = Array.from(place, (each) => Math.abs(each - x));
      this.page.leaveOut.choose(sample[far.indexOf(Math.min(...far))]);
    }
  }

  /** @param {number | null} sample */
  light(sample) {
    if (sample === this.sample) return;
    this.sample = sample;
    this.fill();
    this.page.showPointed();
  }

  /** Places the sample that is lit where the figures draw it now. */
  fill() {
    const { figures, sample } = this;
    const row = /** @type {Record<string, any>} */ (sample === null ? {} : placesOf(figures, sample));
    const columns = ["sample", ...LIT].map((name) => [
      name,
      sample === null ? [] : [name === "sample" ? sample : row[name]],
    ]);
    figures.fill("lit", Object.fromEntries(columns));
  }

  /** @param {number | null} feature */
  point(feature) {
    if (feature === this.feature) return;
    this.feature = feature;
    this.page.showPointed();
  }
}

/**
 * Returns the place of a sample in each figure; NaN in figures that do not draw it.
 * @param {any} figures
 * @param {number} sample
 */
function placesOf(figures, sample) {
  /** @type {Record<string, number>} */
  const row = Object.fromEntries(LIT.map((name) => [name, NaN]));
  for (const [source, columns] of Object.entries(PLACES)) {
    const { data } = figures.of("sources", source);
    const at = Array.from(data.sample).indexOf(sample);
    if (at < 0) continue;
    for (const [name, column] of Object.entries(columns)) row[name] = data[column][at];
  }
  return row;
}

/**
 * Rings around the sample that was visited last and the feature that is pointed at, in every figure that draws them.
 * @param {any} figures
 * @param {number | null} sample
 * @param {number | null} feature
 */
export function rings(figures, sample, feature) {
  const visited = sample === null ? {} : placesOf(figures, sample);
  const one = (/** @type {Record<string, any>} */ row, /** @type {string[]} */ names, /** @type {boolean} */ isThere) =>
    Object.fromEntries(names.map((name) => [name, isThere ? [row[name]] : []]));
  figures.fill("visited", one(visited, LIT, sample !== null));
  /** @param {string} source @param {string} column */
  const of = (source, column) => {
    const { data } = figures.of("sources", source);
    return data[column][Array.from(data.feature).indexOf(feature)] ?? NaN;
  };
  const row =
    feature === null
      ? {}
      : { feature, v: of("transfer", "v"), weight: of("transfer", "weight"), place: of("weights", "place") };
  figures.fill("lit_feature", one(row, ["feature", "v", "weight", "place"], feature !== null));
}
