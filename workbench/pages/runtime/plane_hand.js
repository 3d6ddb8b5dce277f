// What a hand does in the plane: a drag moves a point, one that begins between points paints a cloud of them.

import { painted } from "./painter.js";

// Points stand on a grid of hundredths, so that an address holds them exactly: four digits a point.
export const UNIT = 0.01;
export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
// What is pressed within this distance of a point, in the plane's units, means that point.
const NEAR = 0.15;
// A brush leaves a point after each such piece of its path, scattered about it; the seed is every stroke's.
const SPACING = 0.2;
const SPREAD = 0.25;
const SEED = 7;

export class Hand {
  /** @type {any} */ page;
  /** @type {any} */ plot;
  /** @type {any} */ half_width;
  /** @type {any} */ most;
  /** @type {any} */ held = null;
  /** @type {any} */ stroke = null;
  /** @type {any} */ edited = null;
  /** @type {any} */ waiting = null;
  /** @type {any} */ isMoving;
  /** @type {any} */ tips;

  /**
   * The page has `present`, {X, y} or null where there is nothing to take hold of, and `hands`, {adds, brush}. It answers
   * `move(edited)` to each place that there is time for, and `letGo(edited, isFull)` in the end.
   * @param {any} page @param {any} plot @param {{ half_width: any, most: number }} fields
   */
  constructor(page, plot, { half_width, most }) {
    this.page = page;
    this.plot = plot;
    this.half_width = half_width;
    this.most = most;

    plot.on_event("panstart", (/** @type {{ x: number, y: number, modifiers: any }} */ { x, y, modifiers }) =>
      this.take([x, y], modifiers?.shift),
    );
    plot.on_event("pan", (/** @type {{ x: number, y: number }} */ { x, y }) => this.drag([x, y]));
    plot.on_event("panend", () => this.letGo());
  }

  forget() {
    this.held = null;
    this.stroke = null;
    this.edited = null;
    this.waiting = null;
  }

  /** @param {any} place @param {boolean} shift */
  take(place, shift) {
    const { present, hands } = this.page;
    if (!present) return;
    const { X, y } = present;
    const sample = nearest(X, place);
    this.forget();
    if (sample !== null)
      this.held = {
        sample,
        offset: X[sample].map((/** @type {number} */ value, /** @type {number} */ k) => value - place[k]),
      };
    else if (Math.max(...place.map(Math.abs)) > this.half_width || !(hands.brush || shift)) return;
    this.edited = { X, y };
    if (sample === null) {
      this.stroke = { end: place, random: normals(SEED), isFull: false };
      this.add([place]);
    }
  }

  /** @param {any} place */
  drag(place) {
    if (this.stroke) return this.paint(place);
    if (!this.held) return;
    const { sample, offset } = this.held;
    const X = [...this.edited.X];
    X[sample] = this.snapped(place.map((/** @type {number} */ value, /** @type {number} */ k) => value + offset[k]));
    this.move({ X, y: this.edited.y });
  }

  /**
   * On with a stroke up to a place.
   * @param {any} place
   */
  paint(place) {
    const { end: from, random } = this.stroke;
    const along = place.map((/** @type {number} */ value, /** @type {number} */ k) => value - from[k]);
    const length = Math.hypot(...along);
    const count = Math.floor(length / SPACING);
    if (!count) return;
    const places = Array.from({ length: count }, (_, k) =>
      from.map(
        (/** @type {number} */ value, /** @type {number} */ j) => value + ((k + 1) * SPACING * along[j]) / length,
      ),
    );
    this.stroke.end = places.at(-1);
    this.add(places.map((each) => each.map((/** @type {number} */ value) => value + SPREAD * random())));
  }

  /**
   * Points of the chosen class, as many as there is room for.
   * @param {any[]} places
   */
  add(places) {
    const { X, y } = this.edited;
    const fitting = places.slice(0, Math.max(this.most - X.length, 0));
    if (fitting.length < places.length) this.stroke.isFull = true;
    if (!fitting.length) return;
    const label = this.page.hands.adds === "+1" ? 1 : -1;
    this.move({
      X: [...X, ...fitting.map((place) => this.snapped(place))],
      y: Float64Array.from([...y, ...fitting.map(() => label)]),
    });
  }

  /** @param {any} place */
  snapped(place) {
    return place.map((/** @type {number} */ value) => snapped(value, this.half_width));
  }

  /**
   * Every place that there is time for: the newest one when the one before is drawn.
   * @param {any} edited
   */
  async move(edited) {
    this.edited = edited;
    this.waiting = edited;
    if (this.isMoving) return;
    this.isMoving = true;
    this.hideTips(true);
    while (this.waiting) {
      const now = this.waiting;
      this.waiting = null;
      await this.page.move(now);
      await painted();
    }
    this.hideTips(false);
    this.isMoving = false;
  }

  letGo() {
    const { edited, stroke } = this;
    this.forget();
    if (edited) this.page.letGo(edited, stroke?.isFull ?? false);
  }

  /**
   * A tooltip would cover what is to be seen, and a sample that is lit would draw other figures with every move.
   * @param {boolean} hidden
   */
  hideTips(hidden) {
    for (const tool of this.plot.toolbar.tools.filter(
      (/** @type {{ type: string }} */ { type }) => type === "HoverTool",
    )) {
      if (hidden) tool.callback?.execute(tool, { sample: null });
      if (hidden) (this.tips ??= new Map()).set(tool, tool.renderers);
      tool.setv({ renderers: hidden ? [] : this.tips.get(tool) }, { sync: false });
    }
  }
}

/**
 * The sample that is meant by a place, or null.
 * @param {any} X @param {any[]} place
 */
export function nearest(X, [x, y]) {
  const away = X.map((/** @type {any[]} */ [u, v]) => Math.hypot(u - x, v - y));
  const least = Math.min(...away);
  return least <= NEAR ? away.indexOf(least) : null;
}

/**
 * Draws from the normal distribution, the same for the same seed: by Box and Muller, from a generator of 32 bits.
 * @param {number} seed
 */
function normals(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => {
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  };
}

/** @param {number} value @param {number} halfWidth */
export function snapped(value, halfWidth) {
  return Math.round(Math.min(Math.max(value, -halfWidth), halfWidth) / UNIT) * UNIT;
}

/** @param {{ X: number[][], y: ArrayLike<number> }} points @param {number} halfWidth */
export function writePoints({ X, y }, halfWidth) {
  /** @param {number} value */
  const digits = (value) => {
    const whole = Math.round((value + halfWidth) / UNIT);
    return DIGITS[Math.floor(whole / 36)] + DIGITS[whole % 36];
  };
  return X.map(([u, v], i) => (y[i] > 0 ? "p" : "m") + digits(u) + digits(v)).join("");
}
