// The projector, for a lecture hall: two linked figures side by side, names at their curves, one slider, what is said; all else
// is a key away. Its type and lines grow with the window. And cards that are folded. After save.js, of a page or of a file.

import { curveSeen, placed } from "./curve_labels.js";
import { deep } from "./deep.js";
import { PROJECTOR, grow } from "./figure_growth.js";
import {
  UNSEEN,
  cardAround,
  cardOf,
  elementOf,
  figureNames,
  has,
  hasCurves,
  headOf,
  reachedByKeys,
} from "./figures.js";
import { allSettings, allSliders } from "./page_controls.js";
import { Pins } from "./pins.js";
import { figures } from "./save.js";

const LEAST_SCALE = PROJECTOR.desk / PROJECTOR.type;
const NARROW = 800;

/**
 * @param {string} text
 * @param {string} label
 * @param {any} pressed
 */
function button(text, label, pressed) {
  const element = elementOf("button", { type: "button", textContent: text, title: label });
  element.addEventListener("click", pressed);
  return element;
}

const LABEL_MS = 100;

export class Projector {
  /** @type {any} */ page;
  /** @type {any[]} */ names;
  /** @type {Map<any, any>} */ kept = new Map();
  /** @type {any[]} */ hidden = [];
  slider = "";
  /** @type {any} */ halves;
  /** @type {any} */ text;
  /** @type {any} */ picked;
  /** @type {any} */ range;
  /** @type {any} */ value;
  /** @type {any} */ switches;
  /** @type {any} */ box;
  /** @type {any} */ sizes;
  /** @type {any} */ resize;
  /** @type {any} */ watch;
  /** @type {any} */ due;
  /** @type {any} */ labels;
  /** @type {any} */ current;
  /** @type {any} */ panel;

  /**
   * `page` is what the projector stands in front of: `pair`, the figures shown first; `said`, its thesis; `changed`, called when
   * other figures are chosen; `leave`, where it can be left.
   * @param {any} page
   */
  constructor(page) {
    this.page = page;
    this.names = page.pair ?? [];

    /** @param {number} k */
    const half = (k) => {
      const choice = elementOf("select", { ariaLabel: k ? "Right figure" : "Left figure" });
      choice.addEventListener("input", () => {
        this.choose(k, choice.value);
        choice.blur();
      });
      return {
        choice,
        key: elementOf("span", { className: "wb-key" }),
        place: elementOf("div", { className: "place" }),
        labels: [],
      };
    };
    this.halves = [half(0), half(1)];
    this.text = elementOf("div", { className: "wb-story", role: "status" });
    this.picked = elementOf("select", { ariaLabel: "Slider" });
    this.picked.addEventListener("input", () => {
      this.slider = this.picked.value;
      this.picked.blur();
      this.showSlider();
    });
    this.range = elementOf("input", { type: "range" });
    this.range.addEventListener("input", () => {
      this.current?.set(Number(this.range.value));
      this.showSlider();
    });
    this.value = elementOf("output");
    this.switches = elementOf("span", { className: "switches" });
    for (const [key, text, label] of (page.keys ?? []).filter((/** @type {any[]} */ [, each]) => each))
      this.switches.append(button(text, `${label} (key ${key})`, () => page.press(key)));
    const strip = elementOf("div", { className: "strip" }, this.picked, this.range, this.value, this.switches);
    const halves = this.halves.map((/** @type {{ choice: any, key: string, place: any }} */ { choice, key, place }) =>
      elementOf("div", { className: "half" }, elementOf("div", { className: "title" }, choice, key), place),
    );
    const title = elementOf("h1", { style: UNSEEN, textContent: document.title.split(" · ")[0] });
    this.box = elementOf("main", { id: "wb-projector", ariaLabel: "Projector" }, title, this.text, ...halves, strip);
    // A sentence that takes another line, or names above a figure, leave it less room.
    this.sizes = new ResizeObserver(() => this.composeSoon());
    this.halves.forEach((/** @type {{ place: any }} */ { place }) => this.sizes.observe(place));
    this.resize = () => this.compose();
    openProjector = this;
    document.body.append(this.box);
    document.body.classList.add("wb-projector");
    addEventListener("resize", this.resize);
    this.watch = setInterval(() => {
      this.showSlider();
      if (!this.stands) this.compose();
    }, 2 * LABEL_MS);
    this.say(page.said ?? "");
    this.compose();
    this.cover();
  }

  get scale() {
    return Math.max(LEAST_SCALE, Math.min(innerWidth / PROJECTOR.width, innerHeight / PROJECTOR.height));
  }

  // The names of the figures that are shown, two of those that there are.
  get shown() {
    const all = figureNames();
    const wanted = [...this.names.filter((each) => all.includes(each)), ...all];
    return [...new Set(wanted)].slice(0, innerWidth < NARROW ? 1 : 2);
  }

  /**
   * @param {string} text
   * @param {string} [place]
   */
  say(text, place = "") {
    this.text.replaceChildren(text, place ? elementOf("span", { textContent: ` ${place}` }) : "");
  }

  // Whether the figures in both halves are those of the page, which may have been drawn anew before their titles stood.
  get stands() {
    const names = this.shown;
    return names.every(
      (name, k) =>
        this.halves[k].name === name &&
        this.kept.get(name)?.card.isConnected &&
        this.kept.get(name).plot === figures(name),
    );
  }

  /**
   * Another figure in one half; where it stands in the other half, the two change places.
   * @param {number} k
   * @param {string} name
   */
  choose(k, name) {
    const next = [...this.shown];
    if (next[1 - k] === name) next[1 - k] = next[k];
    next[k] = name;
    this.names = next;
    this.compose();
    this.page.changed?.(next);
  }

  compose() {
    const names = this.shown;
    const { scale } = this;
    document.documentElement.style.fontSize = `${(16 * PROJECTOR.type * scale) / PROJECTOR.desk}px`;
    this.box.classList.toggle("one", names.length < 2);
    // Panel makes boxes of its own visible, whatever those around them are.
    for (const each of deep("[style*='visibility: visible']"))
      if (!each.style.position) each.style.visibility = "inherit";
    for (const [name, { card, style, plot, height, styles }] of this.kept) {
      if (names.includes(name) && card === cardOf(name) && plot === figures(name)) continue;
      card.style.cssText = style;
      plot.setv({ height, styles }, { sync: false });
      this.kept.delete(name);
    }
    this.showSlider();
    this.halves.forEach((/** @type {number} */ half, /** @type {number} */ k) => this.place(half, names[k], scale));
    this.showPanel();
  }

  composeSoon() {
    this.due ??= requestAnimationFrame(() => {
      this.due = null;
      if (openProjector === this) this.compose();
    });
  }

  /**
   * @param {any} half
   * @param {any} name
   * @param {number} scale
   */
  place(half, name, scale) {
    const card = name && cardOf(name);
    const plot = card && figures(name);
    const view = plot && Bokeh.index.find_one(plot);
    const titles = figureNames().map((each) => [each, headOf(each).querySelector("h2").textContent]);
    if (JSON.stringify(titles) !== half.titles) {
      half.titles = JSON.stringify(titles);
      half.choice.replaceChildren(...titles.map(([value, textContent]) => elementOf("option", { value, textContent })));
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
      this.halves.find((/** @type {{ name: string }} */ { name }) => name === plot.name) ??
      (this.halves.some((/** @type {{ name: string }} */ { name }) => !name) && this.halves[0]);
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
      if (openProjector === this) this.label(half);
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
    const plot = figures(half.name);
    const view = plot && Bokeh.index.find_one(plot);
    const head = headOf(half.name);
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
    /** @type {any[]} */
    const boxes = [];
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
        const element = elementOf("span", { className: "name", innerHTML: entry.innerHTML });
        this.box.append(element);
        return { element, text: entry.textContent, at: null };
      });
    }
    half.labels.forEach((/** @type {string} */ label, /** @type {number} */ k) => {
      const { borderTopColor, borderTopStyle } = getComputedStyle(entries[k].querySelector("i") ?? entries[k]);
      const same = curves.filter((/** @type {{ colour: any }} */ { colour }) => colour === borderTopColor);
      const curve =
        same.find((/** @type {{ dash: any }} */ { dash }) => dash === borderTopStyle) ??
        same.find((/** @type {{ dash: any }} */ { dash }) => dash === null);
      const box = curve && placed(curve.points, label, bbox, taken, boxes);
      /** @type {any} */ (label).element.hidden = !box;
      if (!box) return rest.push(entries[k]);
      boxes.push(box);
      Object.assign(/** @type {any} */ (label).element.style, {
        left: `${origin.left + box.x}px`,
        top: `${origin.top + box.y}px`,
      });
      return null;
    });
    const html = rest.map((entry) => entry.outerHTML).join("");
    if (half.rest !== html) half.key.innerHTML = half.rest = html;
  }

  // The slider of the lecturer's choice, which moves that of the page.
  showSlider() {
    const sliders = allSliders();
    const labels = sliders.map(({ label }) => label);
    if (JSON.stringify(labels) !== this.labels) {
      this.labels = JSON.stringify(labels);
      this.picked.replaceChildren(...labels.map((text) => elementOf("option", { value: text, textContent: text })));
    }
    this.current = sliders.find(({ label }) => label === this.slider) ?? sliders[0];
    for (const each of [this.picked, this.range, this.value]) each.hidden = !this.current;
    if (!this.current) return;
    const { label, start, end, step, value, text } = this.current;
    this.picked.value = label;
    Object.assign(this.range, { min: start, max: end, step, ariaLabel: label });
    if (Number(this.range.value) !== value) this.range.value = value;
    this.range.setAttribute("aria-valuetext", text);
    this.value.textContent = text;
  }

  /**
   * The card with this title over the figures, or away again; whether there is one.
   * @param {string} title
   */
  turnPanel(title) {
    const head = deep(".wb-card-title").find((each) => each.textContent === title);
    const card = cardAround(head);
    if (!card) return false;
    if (this.panel) {
      this.panel.card.style.cssText = this.panel.style;
      this.panel = null;
    } else {
      this.panel = { card, style: card.style.cssText };
      this.showPanel();
    }
    return true;
  }

  showPanel() {
    if (!this.panel) return;
    const { bottom } = this.halves[0].place.getBoundingClientRect();
    const styles = {
      position: "fixed",
      visibility: "visible",
      left: "8vw",
      right: "8vw",
      top: "auto",
      width: "auto",
      height: "auto",
      bottom: `${innerHeight - bottom}px`,
      "max-height": "76vh",
      overflow: "auto",
      "z-index": "4",
      "box-shadow": "0 0 0 3px currentColor",
    };
    for (const [key, value] of Object.entries(styles)) this.panel.card.style.setProperty(key, value, "important");
    reachedByKeys(this.panel.card);
  }

  // A half whose figure is drawn anew keeps the picture before until the other one has its curves, at each frame.
  cover() {
    if (openProjector !== this) return;
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
    const still = elementOf("canvas", {
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

  // The page as it was.
  close() {
    openProjector = null;
    clearInterval(this.watch);
    this.sizes.disconnect();
    removeEventListener("resize", this.resize);
    if (this.panel) this.panel.card.style.cssText = this.panel.style;
    for (const { card, style, plot, height, styles } of this.kept.values()) {
      card.style.cssText = style;
      grow(plot, null);
      plot.setv({ height, styles }, { sync: false });
    }
    for (const [each, display] of this.hidden) each.style.display = display;
    this.box.remove();
    document.body.classList.remove("wb-projector");
    document.documentElement.style.fontSize = "";
  }
}

// The projector that stands, if one does.
/** @type {any} */
export let openProjector = null;

export const pins = new Pins({
  plotOf: figures,
  headOf,
  settings: allSettings,
  changed: () => openProjector?.composeSoon(),
});
export const NOTHING_TO_PIN = "There is nothing to pin yet.";

/** @param {HTMLButtonElement} button */
export function pinCurves(button) {
  const text = button.textContent;
  if (pins.pin(button.dataset.figure)) return;
  button.textContent = NOTHING_TO_PIN;
  setTimeout(() => {
    button.textContent = text;
  }, 1600);
}

/** @param {HTMLButtonElement} button */
export function unpinCurves(button) {
  pins.unpin(button.dataset.figure);
}

try {
  const { prototype } = Bokeh.require("models/plots/plot_canvas").PlotView;
  const { _actual_paint: paint } = prototype;
  prototype._actual_paint = function paintAndTell() {
    paint.call(this);
    openProjector?.painted(this.model);
    pins.painted(this.model);
  };
} catch {
  // Another version of Bokeh: names stay where they were first, and pins in the figure that has them.
}
