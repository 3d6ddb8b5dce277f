// @ts-check
// The figures of a page: a Bokeh document of its own, whose sources and ranges a frame fills.

import { LiveFigures, MOST_POINTS, spread } from "../live_figures.js";
import { numerals } from "../numerals.js";
import { ownBokeh, viewOf } from "../own_bokeh.js";
import { escaped } from "../wording.js";

/** @typedef {import("./view.js").View} View */

/** A drag ends when a slider has rested for this time. */
const DRAG_MS = 2000;
/** Between two curves of a ghost. */
const BREAK = { step: NaN, epoch: NaN, gap: NaN };

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
    const runs = Array.isArray(rows[0]) ? rows : [rows];
    const kept = runs.flatMap((run) => [...spread(run.length, MOST_POINTS).map((k) => run[k]), BREAK]);
    return {
      step: kept.map(({ step }) => step),
      epoch: kept.map(({ epoch }) => epoch),
      gap: kept.map(({ gap }) => (gap > 0 && Number.isFinite(gap) ? gap : NaN)),
    };
  }

  /**
   * Ghosts by figure, and the key of each figure, which says how far its ghost went, in epochs where there was one.
   * @param {any} curves @param {any} [counted]
   */
  leaveGhost(curves, counted = "epoch") {
    for (const name of Object.keys(this.ids.ghosts)) {
      const { step = [], epoch = [], gap = [] } = curves[name] ?? {};
      /** @type {Record<string, any>} */
      const last = { step: farthest(step), epoch: farthest(epoch) };
      const far = last.step > 0;
      last.round = last.pass = last.epoch;
      this.of("ghosts", name).setv(
        { data: far ? { step, epoch, gap } : { step: [], epoch: [], gap: [] } },
        { sync: false },
      );
      const unit = last.epoch < 1 ? "step" : counted;
      this.key(
        name,
        far ? this.texts.ghost.replace("{}", escaped(numerals(this.say(`before_${unit}`, { last: last[unit] })))) : "",
      );
    }
  }

  /** @param {string} name @returns {any} */
  keyOf(name) {
    return this.view.heads[name].querySelector(".wb-key");
  }

  /**
   * Replace the key of a figure whose marks have changed.
   * @param {string} name @param {string} html
   */
  mainKey(name, html) {
    const key = this.keyOf(name);
    const more = key.querySelector(".wb-more-key");
    if (key.wb_html === html) return;
    key.innerHTML = html;
    key.wb_html = html;
    if (more) key.append(more);
  }

  /**
   * Add to the key of a figure, in place of the last addition.
   * @param {string} name @param {string} html
   */
  key(name, html) {
    const key = this.keyOf(name);
    key.querySelector(".wb-more-key")?.remove();
    if (html) key.insertAdjacentHTML("beforeend", html.replace("<span", "<span class='wb-more-key'"));
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

/**
 * The last place of curves with breaks.
 * @param {any[]} places
 */
function farthest(places) {
  return Math.max(...places.filter(Number.isFinite));
}
