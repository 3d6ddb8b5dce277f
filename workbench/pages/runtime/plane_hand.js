// What a hand does in the plane: a drag moves a point, one that begins between points paints a cloud of them.

import { painted } from "./painter.js";

// Points stand on a grid of hundredths, so that an address holds them exactly: four digits a point.
export const UNIT = 0.01, DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
// What is pressed within this distance of a point, in the plane's units, means that point.
const NEAR = 0.15;
// A brush leaves a point after each such piece of its path, scattered about it; the seed is every stroke's.
const SPACING = 0.2, SPREAD = 0.25, SEED = 7;

export class Hand {
  // The page has `present`, {X, y} or null where there is nothing to take hold of, and `hands`, {adds, brush}. It answers
  // `move(edited)` to each place that there is time for, and `let_go(edited, is_full)` in the end.
  constructor(page, plot, { half_width, most }) {
    Object.assign(this, { page, plot, half_width, most, held: null, stroke: null, edited: null, waiting: null });
    plot.on_event("panstart", ({ x, y, modifiers }) => this.take([x, y], modifiers?.shift));
    plot.on_event("pan", ({ x, y }) => this.drag([x, y]));
    plot.on_event("panend", () => this.let_go());
  }

  forget() { Object.assign(this, { held: null, stroke: null, edited: null, waiting: null }); }

  take(place, shift) {
    const { present, hands } = this.page;
    if (!present) return;
    const { X, y } = present, sample = nearest(X, place);
    this.forget();
    if (sample !== null) this.held = { sample, offset: X[sample].map((value, k) => value - place[k]) };
    else if (Math.max(...place.map(Math.abs)) > this.half_width || !(hands.brush || shift)) return;
    this.edited = { X, y };
    if (sample === null) {
      this.stroke = { end: place, random: normals(SEED), is_full: false };
      this.add([place]);
    }
  }

  drag(place) {
    if (this.stroke) return this.paint(place);
    if (!this.held) return;
    const { sample, offset } = this.held, X = [...this.edited.X];
    X[sample] = this.snapped(place.map((value, k) => value + offset[k]));
    this.move({ X, y: this.edited.y });
  }

  // On with a stroke up to a place.
  paint(place) {
    const { end: from, random } = this.stroke, along = place.map((value, k) => value - from[k]);
    const length = Math.hypot(...along), count = Math.floor(length / SPACING);
    if (!count) return;
    const places = Array.from({ length: count }, (_, k) => (
      from.map((value, j) => value + ((k + 1) * SPACING * along[j]) / length)));
    this.stroke.end = places.at(-1);
    this.add(places.map((each) => each.map((value) => value + SPREAD * random())));
  }

  // Points of the chosen class, as many as there is room for.
  add(places) {
    const { X, y } = this.edited, fitting = places.slice(0, Math.max(this.most - X.length, 0));
    if (fitting.length < places.length) this.stroke.is_full = true;
    if (!fitting.length) return;
    const label = this.page.hands.adds === "+1" ? 1 : -1;
    this.move({
      X: [...X, ...fitting.map((place) => this.snapped(place))], y: Float64Array.from([...y, ...fitting.map(() => label)]),
    });
  }

  snapped(place) { return place.map((value) => snapped(value, this.half_width)); }

  // Every place that there is time for: the newest one when the one before is drawn.
  async move(edited) {
    Object.assign(this, { edited, waiting: edited });
    if (this.is_moving) return;
    this.is_moving = true;
    this.hide_tips(true);
    while (this.waiting) {
      const now = this.waiting;
      this.waiting = null;
      await this.page.move(now);
      await painted();
    }
    this.hide_tips(false);
    this.is_moving = false;
  }

  let_go() {
    const { edited, stroke } = this;
    this.forget();
    if (edited) this.page.let_go(edited, stroke?.is_full ?? false);
  }

  // A tooltip would cover what is to be seen, and a sample that is lit would draw other figures with every move.
  hide_tips(hidden) {
    for (const tool of this.plot.toolbar.tools.filter(({ type }) => type === "HoverTool")) {
      if (hidden) tool.callback?.execute(tool, { sample: null });
      if (hidden) (this.tips ??= new Map()).set(tool, tool.renderers);
      tool.setv({ renderers: hidden ? [] : this.tips.get(tool) }, { sync: false });
    }
  }
}

// The sample that is meant by a place, or null.
export function nearest(X, [x, y]) {
  const away = X.map(([u, v]) => Math.hypot(u - x, v - y)), least = Math.min(...away);
  return least <= NEAR ? away.indexOf(least) : null;
}

// Draws from the normal distribution, the same for the same seed: by Box and Muller, from a generator of 32 bits.
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

export function snapped(value, half_width) { return Math.round(Math.min(Math.max(value, -half_width), half_width) / UNIT) * UNIT; }

export function write_points({ X, y }, half_width) {
  const digits = (value) => {
    const whole = Math.round((value + half_width) / UNIT);
    return DIGITS[Math.floor(whole / 36)] + DIGITS[whole % 36];
  };
  return X.map(([u, v], i) => (y[i] > 0 ? "p" : "m") + digits(u) + digits(v)).join("");
}
