// The two halves of the projector: a figure in each, the names of its curves, and the picture that stands until it is drawn.

import { curveSeen, placed, textsSeen } from "./curve_labels.js";
import { PROJECTOR, grow } from "./figure_growth.js";
import { element } from "./elements.js";
import { has, hasCurves, reachedByKeys } from "./figures.js";
import { viewOf } from "./own_bokeh.js";

const LEAST_SCALE = PROJECTOR.desk / PROJECTOR.type;
const NARROW = 800;
export const LABEL_MS = 100;

/**
 * @typedef {object} Stage - what a projector stands in front of
 * @property {() => string[]} names - of the figures
 * @property {(name: string) => any} headOf - what stands above a figure
 * @property {(name: string) => any} cardOf
 * @property {(name: string) => any} plotOf
 * @property {() => Record<string, any>[]} sliders
 * @property {(title: string) => any} cardTitled
 * @property {() => string} title
 * @property {(box: HTMLElement) => void} stand - put the projector before the page
 * @property {() => void} leave
 */

export class Halves {
  /** @type {any} */ page;
  /** @type {Stage} */ stage;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** @type {any[]} */ names = [];
  /** @type {Map<any, any>} */ kept = new Map();
  /** @type {any[]} */ hidden = [];
  /** @type {any[]} */ halves = [];
  /** @type {any} */ box;
  /** @type {any} */ sizes;
  /** @type {any} */ due;
  isOpen = false;

  // Stand the figures in their halves.
  compose() {}

  get scale() {
    return Math.max(LEAST_SCALE, Math.min(innerWidth / PROJECTOR.width, innerHeight / PROJECTOR.height));
  }

  // The names of the figures that are shown, two of those that there are.
  get shown() {
    const all = this.stage.names();
    const wanted = [...this.names.filter((each) => all.includes(each)), ...all];
    return [...new Set(wanted)].slice(0, innerWidth < NARROW ? 1 : 2);
  }

  composeSoon() {
    this.due ??= requestAnimationFrame(() => {
      this.due = null;
      if (this.isOpen) this.compose();
    });
  }

  /** @param {any} half @param {any} name @param {number} scale */
  place(half, name, scale) {
    const card = name && this.stage.cardOf(name);
    const plot = card && this.stage.plotOf(name);
    const view = plot && viewOf(plot);
    const titles = this.stage.names().map((each) => [each, this.stage.headOf(each).querySelector("h2").textContent]);
    if (JSON.stringify(titles) !== half.titles) {
      half.titles = JSON.stringify(titles);
      half.choice.replaceChildren(...titles.map(([value, textContent]) => element("option", { value, textContent })));
    }
    half.choice.value = name ?? "";
    if (half.name !== name) this.unlabel(half);
    half.name = name;
    if (!view) return;
    if (!this.kept.has(name)) {
      this.kept.set(name, { card, style: card.style.cssText, plot, view, height: plot.height, styles: plot.styles });
      for (const each of (card.shadowRoot ?? card).children) if (!has(each, ".bk-Figure")) this.sizes.observe(each);
    }
    for (const each of (card.shadowRoot ?? card).children) {
      const says = !has(each, ".wb-line, .bk-Figure") && has(each, "p, b, button, summary, label, .wb-note");
      if (each.matches("style, link") || each.style.display === "none" || !says) continue;
      this.hidden.push([each, each.style.display]);
      each.style.display = "none";
    }
    grow(plot, scale);
    const { left, top, width, height } = half.place.getBoundingClientRect();
    const { display } = getComputedStyle(card);
    /** @param {Record<string, any>} styles */
    const set = (styles) =>
      Object.entries(styles).forEach(([key, value]) => card.style.setProperty(key, value, "important"));
    set({
      position: "fixed",
      visibility: "visible",
      display: display === "none" ? "block" : display,
      left: "0px",
      top: "0px",
      width: `${width}px`,
      height: "auto",
      margin: "0",
      overflow: "hidden auto",
      "z-index": "2",
      "box-sizing": "border-box",
    });
    // Where something above it moves what is fixed, it is put right.
    const from = card.getBoundingClientRect();
    const rest = from.height - view.el.getBoundingClientRect().height;
    set({ left: `${left - from.left}px`, top: `${top - from.top}px`, height: `${height}px` });
    const room = Math.max(120, Math.floor(height - rest));
    if (plot.height !== room)
      plot.setv({ height: room, styles: { ...plot.styles, height: `${room}px`, "min-height": "0" } }, { sync: false });
    reachedByKeys(card);
    this.labelSoon(half);
  }

  /**
   * A figure was painted: another one than before is put in its place, and names follow their curves.
   * @param {any} plot
   */
  painted(plot) {
    const half =
      this.halves.find(({ name }) => name === plot.name) ?? (this.halves.some(({ name }) => !name) && this.halves[0]);
    if (!half) return;
    if (this.kept.get(plot.name)?.plot !== plot) {
      this.composeSoon();
      return;
    }
    this.labelSoon(half);
  }

  /** @param {any} half */
  labelSoon(half) {
    half.waiting ??= setTimeout(() => {
      half.waiting = null;
      if (this.isOpen) this.label(half);
    }, LABEL_MS);
  }

  /** @param {any} half */
  unlabel(half) {
    half.labels.splice(0).forEach((/** @type {{ element: HTMLElement }} */ { element }) => element.remove());
    half.key.replaceChildren();
  }

  /**
   * Names of curves stand where no curve runs; what names no curve that is seen stays above the figure.
   * @param {any} half
   */
  label(half) {
    if (!half.name) return;
    const plot = this.stage.plotOf(half.name);
    const view = plot && viewOf(plot);
    const head = this.stage.headOf(half.name);
    if (!view?.frame || !head) return;
    if (half.of !== plot) this.capture(half);
    const entries = [...head.querySelectorAll(".wb-key > span")];
    const origin = view.el.getBoundingClientRect();
    const { bbox } = view.frame;
    const curves = plot.renderers
      .filter((/** @type {any} */ each) => each.visible && each.glyph)
      .map((/** @type {any} */ each) => curveSeen(view, each, bbox))
      .filter((/** @type {{ points: any[] }} */ { points }) => points.length);
    const taken = curves.flatMap((/** @type {{ points: any[] }} */ { points }) => points);
    /** @type {any[]} what no name may cover */
    const boxes = plot.renderers.flatMap((/** @type {any} */ each) => textsSeen(view, each));
    /** @type {any[]} */
    const rest = [];
    if (
      half.labels.length !== entries.length ||
      half.labels.some(
        (/** @type {{ text: string }} */ { text }, /** @type {number} */ k) => text !== entries[k].textContent,
      )
    ) {
      this.unlabel(half);
      half.labels = entries.map((entry) => {
        const name = element("span", { className: "name", innerHTML: entry.innerHTML });
        this.box.append(name);
        return { element: name, text: entry.textContent, at: null };
      });
    }
    half.labels.forEach((/** @type {any} */ label, /** @type {number} */ k) => {
      const { borderTopColor, borderTopStyle } = getComputedStyle(entries[k].querySelector("i") ?? entries[k]);
      const same = curves.filter((/** @type {{ colour: any }} */ { colour }) => colour === borderTopColor);
      const curve =
        same.find((/** @type {{ dash: any }} */ { dash }) => dash === borderTopStyle) ??
        same.find((/** @type {{ dash: any }} */ { dash }) => dash === null);
      const box = curve && placed(curve.points, label, bbox, taken, boxes);
      label.element.hidden = !box;
      if (!box) return rest.push(entries[k]);
      boxes.push(box);
      Object.assign(label.element.style, {
        left: `${origin.left + box.x}px`,
        top: `${origin.top + box.y}px`,
      });
      return null;
    });
    const html = rest.map((entry) => entry.outerHTML).join("");
    if (half.rest !== html) half.key.innerHTML = half.rest = html;
  }

  // A half whose figure is drawn anew keeps the picture before until the other one has its curves, at each frame.
  cover() {
    if (!this.isOpen) return;
    for (const { name, still } of this.halves) {
      const { plot, view } = this.kept.get(name) ?? {};
      if (still) still.hidden = Boolean(view?.el.isConnected && hasCurves(plot));
    }
    requestAnimationFrame(() => this.cover());
  }

  /**
   * The present picture of a half, to cover it with.
   * @param {any} half
   */
  capture(half) {
    const { plot, view } = this.kept.get(half.name) ?? {};
    if (!view?.el.isConnected || !hasCurves(plot)) return;
    const { canvas } = view.export("auto", false);
    const place = half.place.getBoundingClientRect();
    const { left, top, width } = view.el.getBoundingClientRect();
    const scale = canvas.width / width;
    const still = element("canvas", {
      className: "still",
      width: scale * place.width,
      height: scale * place.height,
      hidden: true,
    });
    still.getContext("2d").drawImage(canvas, scale * (left - place.left), scale * (top - place.top));
    Object.assign(still.style, {
      left: `${place.left}px`,
      top: `${place.top}px`,
      width: `${place.width}px`,
      height: `${place.height}px`,
    });
    half.still?.remove();
    Object.assign(half, { still, of: plot });
    this.box.prepend(still);
  }
}
