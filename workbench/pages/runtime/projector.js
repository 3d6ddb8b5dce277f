// The projector, for a lecture hall: two linked figures side by side, names at their curves, one slider, what is said; all else
// is a key away. Its type and lines grow with the window. It stands before a served page or a file.

import { PROJECTOR, grow } from "./figure_growth.js";
import { element } from "./elements.js";
import { UNSEEN, reachedByKeys } from "./figures.js";
import { Halves, LABEL_MS } from "./projector_halves.js";

/** @param {string} text @param {string} label @param {any} pressed */
function button(text, label, pressed) {
  const made = element("button", { type: "button", textContent: text, title: label });
  made.addEventListener("click", pressed);
  return made;
}

export class Projector extends Halves {
  slider = "";

  /** @type {any} */ text;
  /** @type {any} */ picked;
  /** @type {any} */ range;
  /** @type {any} */ value;
  /** @type {any} */ switches;

  /** @type {any} */ resize;
  /** @type {any} */ watch;

  /** @type {any} */ labels;
  /** @type {any} */ current;
  /** @type {any} */ panel;

  /**
   * `page` is what the projector stands in front of: `pair`, the figures shown first; `said`, its thesis; `changed`, called when
   * other figures are chosen; `leave`, where it can be left. `stage` has the figures and sliders, and a place for it.
   * @param {any} page @param {import("./projector_halves.js").Stage} stage
   */
  constructor(page, stage) {
    super(stage);
    this.page = page;
    this.names = page.pair ?? [];

    /** @param {number} k @returns {any} */
    const half = (k) => {
      const choice = element("select", { ariaLabel: k ? "Right figure" : "Left figure" });
      choice.addEventListener("input", () => {
        this.choose(k, choice.value);
        choice.blur();
      });
      return {
        choice,
        key: element("span", { className: "wb-key" }),
        place: element("div", { className: "place" }),
        labels: [],
      };
    };
    this.halves = [half(0), half(1)];
    this.text = element("div", { className: "wb-story", role: "status" });
    this.picked = element("select", { ariaLabel: "Slider" });
    this.picked.addEventListener("input", () => {
      this.slider = this.picked.value;
      this.picked.blur();
      this.showSlider();
    });
    this.range = element("input", { type: "range" });
    this.range.addEventListener("input", () => {
      this.current?.set(Number(this.range.value));
      this.showSlider();
    });
    this.value = element("output");
    this.switches = element("span", { className: "switches" });
    for (const [key, text, label] of (page.keys ?? []).filter((/** @type {any[]} */ [, each]) => each))
      this.switches.append(button(text, `${label} (key ${key})`, () => page.press(key)));
    const strip = element("div", { className: "strip" }, this.picked, this.range, this.value, this.switches);
    const halves = this.halves.map(({ choice, key, place }) =>
      element("div", { className: "half" }, element("div", { className: "title" }, choice, key), place),
    );
    const title = element("h1", { style: UNSEEN, textContent: stage.title() });
    this.box = element("main", { id: "wb-projector", ariaLabel: "Projector" }, title, this.text, ...halves, strip);
    // A sentence that takes another line, or names above a figure, leave it less room.
    this.sizes = new ResizeObserver(() => this.composeSoon());
    this.halves.forEach(({ place }) => this.sizes.observe(place));
    this.resize = () => this.compose();
    this.isOpen = true;
    stage.stand(this.box);
    addEventListener("resize", this.resize);
    this.watch = setInterval(() => {
      this.showSlider();
      if (!this.stands) this.compose();
    }, 2 * LABEL_MS);
    this.say(page.said ?? "");
    this.compose();
    this.cover();
  }

  /** @param {string} text @param {string} [place] */
  say(text, place = "") {
    this.text.replaceChildren(text, place ? element("span", { textContent: ` ${place}` }) : "");
  }

  // Whether the figures in both halves are those of the page, which may have been drawn anew before their titles stood.
  get stands() {
    const names = this.shown;
    return names.every(
      (name, k) =>
        this.halves[k].name === name &&
        this.kept.get(name)?.card.isConnected &&
        this.kept.get(name).plot === this.stage.plotOf(name),
    );
  }

  /**
   * Another figure in one half; where it stands in the other half, the two change places.
   * @param {number} k @param {string} name
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
    for (const [name, { card, style, plot, height, styles }] of this.kept) {
      if (names.includes(name) && card === this.stage.cardOf(name) && plot === this.stage.plotOf(name)) continue;
      card.style.cssText = style;
      plot.setv({ height, styles }, { sync: false });
      this.kept.delete(name);
    }
    this.showSlider();
    this.halves.forEach((half, k) => this.place(half, names[k], scale));
    this.showPanel();
  }

  // The slider of the lecturer's choice, which moves that of the page.
  showSlider() {
    const sliders = this.stage.sliders();
    const labels = sliders.map(({ label }) => label);
    if (JSON.stringify(labels) !== this.labels) {
      this.labels = JSON.stringify(labels);
      this.picked.replaceChildren(...labels.map((text) => element("option", { value: text, textContent: text })));
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
    const card = this.stage.cardTitled(title);
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

  // The page as it was.
  close() {
    this.isOpen = false;
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
    this.stage.leave();
    document.documentElement.style.fontSize = "";
  }
}

export const NOTHING_TO_PIN = "There is nothing to pin yet.";
