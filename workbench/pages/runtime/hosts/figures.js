// @ts-check
// The figures of a page: a Bokeh document of its own, whose sources and ranges a frame fills.

import { LiveFigures } from "../live_figures.js";
import { ownBokeh, viewOf } from "../own_bokeh.js";

/** @typedef {import("./view.js").View} View */

/** A drag ends when a slider has rested for this time. */
const DRAG_MS = 2000;

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
    this.steady = facts.steady;
    this.view = view;
    this.square = facts.square ?? [];
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
    ownBokeh(document, Bokeh, view.root);
    const names = new Map(Object.entries(roots).map(([name, id]) => [id, name]));
    const boxes = document.roots().map((/** @type {any} */ { id }) => view.figures[names.get(id) ?? ""]);
    for (const box of boxes) box.replaceChildren();
    await Bokeh.require("embed").add_document_standalone(document, view.page, boxes);
    return new Figures(document, facts, view);
  }

  /** @type {Map<string, [number, number]>} */
  fitted = new Map();
  /** @type {Map<string, [number, number]> | null} */
  heldRanges = null;
  heldAt = -Infinity;

  /**
   * While a number is dragged the steady axes stay as they were before, and grow where a new run needs it.
   * @param {boolean} isHeld
   */
  hold(isHeld) {
    const now = performance.now();
    if (!isHeld || now - this.heldAt > DRAG_MS) this.heldRanges = null;
    if (isHeld) {
      this.heldRanges ??= new Map(this.fitted);
      this.heldAt = now;
    }
  }

  /**
   * @param {string} name
   * @param {number} start
   * @param {number} end
   */
  range(name, start, end) {
    const heldRanges = this.steady.includes(name) ? this.heldRanges?.get(name) : null;
    this.fitted.set(name, [start, end]);
    const [low, high] = heldRanges ? [Math.min(start, heldRanges[0]), Math.max(end, heldRanges[1])] : [start, end];
    this.heldRanges?.set(name, [low, high]);
    super.range(name, low, high);
  }

  /**
   * A range of an axis that shows something else than before, so that it does not stay.
   * @param {string} name
   * @param {number} start
   * @param {number} end
   */
  freeRange(name, start, end) {
    this.heldRanges?.delete(name);
    this.range(name, start, end);
  }

  /**
   * The ends of the colours of a map of numbers.
   * @param {string} name
   * @param {number} low
   * @param {number} high
   */
  colours(name, low, high) {
    this.of("colours", name).setv({ low, high });
  }

  /**
   * The gaps of rows, or of several runs' rows with a break after each, as a curve that stays in grey.
   * @param {any[]} rows
   */
  ghost(rows) {
    if (!Array.isArray(rows[0])) return super.ghost(rows);
    const all = rows.map((each) => /** @type {Record<string, number[]>} */ (super.ghost(each)));
    return /** @type {any} */ (
      Object.fromEntries(Object.keys(all[0]).map((name) => [name, all.flatMap((each) => each[name])]))
    );
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
      this.fill(name, columns?.image ? this.#pictured(name, columns) : (columns ?? empty()));
    }
    for (const [method, name, ...values] of ranges) /** @type {any} */ (this)[method](name, ...values);
    for (const [name, label] of Object.entries(axes)) this.of("axes", name).setv({ axis_label: label });
  }

  /**
   * Returns the columns of an image, whose array stays, since that knows its two sides.
   * @param {string} name
   * @param {{ image: ArrayLike<number>[], [column: string]: any }} columns
   */
  #pictured(name, columns) {
    const { image } = this.of("sources", name).data;
    image[0].set(columns.image[0]);
    return { ...columns, image };
  }

  /** Returns the width of each figure in which units are equal by its height; 1 before it has a size. */
  aspects() {
    /** @type {string[]} */
    const names = this.square;
    const aspect = (/** @type {any} */ { inner_width: width, inner_height: height }) =>
      width > 0 ? width / height : 1;
    return Object.fromEntries(names.map((name) => [name, aspect(this.of("figures", name))]));
  }

  /** @param {() => void} then - after each change of an aspect */
  followAspects(then) {
    for (const name of this.square) {
      const { inner_width: width, inner_height: height } = this.of("figures", name).properties;
      for (const side of [width, height]) side.change.connect(then);
    }
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
