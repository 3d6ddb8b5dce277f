// @ts-check
// The figures of a page: a Bokeh document of its own, whose sources and ranges a frame fills.

import { LiveFigures } from "../live_figures.js";
import { ownBokeh, viewOf } from "../own_bokeh.js";

/** @typedef {import("./view.js").View} View */

export class Figures extends LiveFigures {
  /**
   * @param {any} document
   * @param {Record<string, any>} facts
   * @param {View} view
   */
  constructor(document, facts, view) {
    const texts = { ...facts.texts, ghost: view.tinted(facts.figures.ghost) };
    super((/** @type {string} */ id) => document.get_model_by_id(id), facts.figures.ids, texts);
    this.document = document;
    this.view = view;
  }

  /**
   * Draws the figures in their places.
   * @param {any} Bokeh
   * @param {Record<string, any>} facts
   * @param {View} view
   */
  static async stand(Bokeh, facts, view) {
    const { json, roots } = facts.figures;
    const text = view.tinted(json);
    const document = Bokeh.require("document").Document.from_json(JSON.parse(text));
    ownBokeh(document, Bokeh);
    const names = new Map(Object.entries(roots).map(([name, id]) => [id, name]));
    const boxes = document.roots().map((/** @type {any} */ { id }) => view.figures[names.get(id) ?? ""]);
    for (const box of boxes) box.replaceChildren();
    await Bokeh.require("embed").add_document_standalone(document, view.page, boxes);
    return new Figures(document, facts, view);
  }

  /** @param {string} name */
  keyOf(name) {
    return this.view.heads[name].querySelector(".wb-key");
  }

  /**
   * Fills sources, ranges and labels; a source that a frame leaves out is empty.
   * @param {{ sources: Record<string, any>, ranges: any[][], axes: Record<string, string> }} frame
   */
  show({ sources, ranges, axes }) {
    for (const [name, columns] of Object.entries(sources)) {
      const empty = () => Object.fromEntries(Object.keys(this.of("sources", name).data).map((key) => [key, []]));
      this.fill(name, columns ?? empty());
    }
    for (const [method, name, ...values] of ranges) /** @type {any} */ (this)[method](name, ...values);
    for (const [name, label] of Object.entries(axes)) this.of("axes", name).setv({ axis_label: label });
  }

  /** Measures the figures again, which were hidden or had another size. */
  layOut() {
    requestAnimationFrame(() => {
      for (const root of this.document.roots()) viewOf(root)?.invalidate_layout();
    });
  }

  clear() {
    this.document.clear();
  }
}
