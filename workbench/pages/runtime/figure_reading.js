// A figure for those who do not see it or have no pointer: its name, its numbers as a table, and arrow keys for what a
// pointer drags in it.

import { looksOf } from "./curve_labels.js";
import { element } from "./elements.js";
import { UNSEEN, numeralsOf } from "./figures.js";
import { bokehFor } from "./own_bokeh.js";
import { column, figureRows, keyOf, xml } from "./save.js";

// In pixels of a key press, and of one with Shift. A table is written once its figure rests, with a bounded number of rows a curve.
const KEY_STEP = 12;
const SMALL_STEP = 1;
const RESTS_MS = 600;
const MOST_ROWS = 20;
/** @type {Record<string, any>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HAND =
  "position: absolute; width: 24px; height: 24px; margin: -12px 0 0 -12px; border-radius: 50%; pointer-events: none";

class ReadFigure {
  /** @type {any} */ view;
  /** @type {any} */ plot;
  /** @type {any} */ numbers;
  /** @type {any} */ hand = null;
  chosen = 0;
  /** @type {any} */ labels;
  /** @type {any} */ html;
  /** @type {any} */ place;
  /** @type {any} */ isHeld;
  /** @type {any} */ said;

  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.plot = view.model;
    this.numbers = element("div", { style: UNSEEN });

    view.canvas_view.events_el.tabIndex = -1;
  }

  // The figure was painted, perhaps into elements that are new.
  painted() {
    const { canvas_view, shadow_el } = this.view;
    if (!this.hand && this.handle) this.takeKeys();
    if (this.hand && !this.hand.isConnected) canvas_view.shadow_el.append(this.hand);
    if (!this.numbers.isConnected) shadow_el.append(this.numbers);
    if (this.hand) this.showHand();
  }

  /**
   * Its name, and its numbers; `head` stands above it on its card.
   * @param {any} head
   */
  tell(head) {
    const { plot, view } = this;
    const [below, left] = [plot.below[0], plot.left[0]];
    const title = head?.querySelector("h2").textContent ?? plot.title?.text ?? plot.name ?? "";
    Object.assign(view.canvas_view.primary.el, { role: "img", ariaLabel: title });
    // One label may say both.
    this.labels = /^(\S+) →\s+(\S+) ↑$/.exec(below?.axis_label)?.slice(1) ?? [
      below?.axis_label || "x",
      left?.axis_label || "y",
    ];
    if (this.hand) {
      const many =
        this.points.length > 1
          ? ", Page Up and Page Down choose another, + adds one beside it, Delete takes it away"
          : "";
      this.hand.ariaLabel = `${title}: arrow keys move the point${many}`;
      this.showHand();
    }
    const html = numbersHtml(title, this.labels, figureRows(plot.renderers, curveNamer(head)));
    if (this.html !== html) this.numbers.innerHTML = this.html = html;
  }

  // --- what a pointer drags, by keys

  takeKeys() {
    this.hand = element("div", {
      style: HAND,
      className: "wb-hand",
      tabIndex: 0,
      role: "slider",
      ariaRoleDescription: "movable point",
    });
    // Else a finger that drags would scroll the page.
    this.view.canvas_view.events_el.style.touchAction = "pinch-zoom";
    this.hand.addEventListener("keydown", (/** @type {any} */ event) => this.key(event));
    for (const end of ["keyup", "blur"]) this.hand.addEventListener(end, () => this.letGo());
    this.hand.addEventListener("focus", () => {
      this.place = null;
      this.showHand();
    });
  }

  // What can be dragged, where something can, and its places, where it is shown.
  get handle() {
    return this.plot.renderers.find((/** @type {{ glyph: any }} */ { glyph }) => glyph?.tags.includes("handle"));
  }

  get points() {
    const { glyph, data_source } = this.handle;
    const [xs, ys] = ["x", "y"].map((name) => data_source.data[column(glyph, [name], data_source.data) ?? ""] ?? []);
    return Array.from(xs, (x, k) => [x, ys[k]]).filter((place) => place.every(Number.isFinite));
  }

  // Where the chosen one is, in pixels of the figure and within its frame.
  get pixels() {
    const { frame } = this.view;
    const { left, right, top, bottom } = frame.bbox;
    const [x, y] = this.points[Math.min(this.chosen, this.points.length - 1)] ?? [NaN, NaN];
    const at = [frame.x_scale.compute(x), frame.y_scale.compute(y)];
    const [u, v] = at.every(Number.isFinite) ? at : [(left + right) / 2, (top + bottom) / 2];
    return [Math.min(Math.max(u, left), right), Math.min(Math.max(v, top), bottom)];
  }

  /** @param {any} event */
  key(event) {
    const by = ARROWS[event.key];
    const next = /** @type {Record<string, any>} */ ({ PageDown: 1, PageUp: -1 })[event.key];
    const count = this.points.length;
    const edits =
      count > 1 &&
      /** @type {Record<string, any>} */ ({ "+": "Tap", Delete: "DoubleTap", Backspace: "DoubleTap" })[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(by || next || edits)) return;
    event.preventDefault();
    if (edits) {
      this.letGo();
      this.emit(edits, edits === "Tap" ? this.freePlace : this.pixels);
      // A point that is added is the last one.
      this.chosen = edits === "Tap" ? count : this.chosen;
      this.place = null;
      return;
    }
    if (next) {
      this.letGo();
      this.chosen = (this.chosen + next + count) % (count || 1);
      this.place = null;
      this.showHand();
      return;
    }
    // On from where the keys have led, which a tangent may have reached from elsewhere.
    this.place ??= this.pixels;
    const { bbox } = this.view.frame;
    const [size, from] = [event.shiftKey ? SMALL_STEP : KEY_STEP, this.place];
    if (!this.isHeld) this.emit("PanStart", from);
    this.isHeld = true;
    const ends = [
      [bbox.left, bbox.right],
      [bbox.top, bbox.bottom],
    ];
    this.place = from.map((/** @type {any} */ each, /** @type {number} */ k) =>
      Math.min(Math.max(each + by[k] * size, ends[k][0]), ends[k][1]),
    );
    this.emit("Pan", this.place);
  }

  // Beside the chosen point, where no other is.
  get freePlace() {
    const { bbox, x_scale, y_scale } = this.view.frame;
    const [sx, sy] = this.pixels;
    const taken = this.points.map(([x, y]) => [x_scale.compute(x), y_scale.compute(y)]);
    // In a small figure there may be no room far away, and a wide one may end beyond where points may lie.
    const [low, high] = [Math.min, Math.max].map((end) => [0, 1].map((axis) => end(...taken.map((at) => at[axis]))));
    for (const far of [4 * KEY_STEP, 2 * KEY_STEP, KEY_STEP]) {
      for (let k = 0; k < 32; k++) {
        const [u, v] = [Math.cos, Math.sin].map((wave) => far * (1 + (k >> 3)) * wave((k * Math.PI) / 4));
        const place = [sx + u, sy + v];
        const isFree = taken.every(([x, y]) => Math.hypot(x - place[0], y - place[1]) > far / 2);
        const isAmong = place.every((at, axis) => at >= low[axis] && at <= high[axis]);
        if (bbox.contains(place[0], place[1]) && isAmong && isFree) return place;
      }
    }
    return [sx, sy];
  }

  letGo() {
    if (this.isHeld) this.emit("PanEnd", this.place);
    this.isHeld = false;
  }

  /** @param {string} type @param {any[]} place */
  emit(type, [sx, sy]) {
    const { x_scale, y_scale } = this.view.frame;
    const event = new (bokehFor(this.plot).require("core/bokeh_events")[type])();
    const place = { sx, sy, x: x_scale.invert(sx), y: y_scale.invert(sy), delta_x: 0, delta_y: 0 };
    this.plot.trigger_event(Object.assign(event, place, { modifiers: { shift: false, ctrl: false, alt: false } }));
  }

  showHand() {
    const [sx, sy] = this.pixels;
    const {
      frame: { x_scale, y_scale },
      model: { x_range },
    } = this.view;
    Object.assign(this.hand.style, { left: `${sx}px`, top: `${sy}px` });
    if (!this.labels || (this.hand !== this.hand.getRootNode().activeElement && this.said)) return;
    const place = [x_scale.invert(sx), y_scale.invert(sy)];
    if (!place.every(Number.isFinite)) return;
    this.said = [
      ...this.labels.map((/** @type {string} */ label, /** @type {number} */ k) => `${label} ${numeralsOf(place[k])}`),
      this.plot.title?.text,
    ]
      .filter(Boolean)
      .join(", ");
    // What hears them takes no powers of ten.
    const [ariaValueMin, ariaValueMax] = [x_range.start, x_range.end]
      .sort((a, b) => a - b)
      .map((each) => each.toFixed(6));
    Object.assign(this.hand, {
      ariaValueMin,
      ariaValueMax,
      ariaValueNow: place[0].toFixed(6),
      ariaValueText: this.said,
    });
  }
}

/**
 * A curve by its own name, else by the entry of the key that looks like it.
 * @param {HTMLElement} head
 */
function curveNamer(head) {
  const key = head ? keyOf(head) : [];
  return (/** @type {{ name: string, glyph: any }} */ { name, glyph }) => {
    const { colour, dash } = looksOf(glyph);
    const same = key.filter((each) => each.colour === colour && each.text);
    return (
      name ??
      (same.find((each) => each.dash === dash) ?? same[0])?.text ??
      (glyph.type === "Scatter" ? "points" : undefined)
    );
  };
}

/**
 * The numbers as a table, spread over each curve where there are many.
 * @param {string} title @param {string[]} labels @param {Row[]} rows
 */
function numbersHtml(title, labels, rows) {
  const curves = Map.groupBy(
    rows.filter(({ x, y }) => !Number.isNaN(x) && !Number.isNaN(y)),
    ({ curve }) => curve,
  );
  const kept = [...curves.values()].flatMap((each) => {
    const many = Math.min(each.length, MOST_ROWS);
    return Array.from({ length: many }, (_, k) => each[Math.round((k * (each.length - 1)) / Math.max(many - 1, 1))]);
  });
  const names = [...new Set(["curve", "x", "y", ...kept.flatMap(Object.keys)])];
  const heads = names.map((name) => ({ x: labels[0], y: labels[1] })[name] ?? name);
  /** @param {number} value */
  const cell = (value) => xml(typeof value === "number" ? numeralsOf(value) : (value ?? ""));
  const body = kept.map(
    (row) =>
      `<tr><th scope="row">${cell(row.curve)}</th>${names
        .slice(1)
        .map((name) => `<td>${cell(row[name])}</td>`)
        .join("")}</tr>`,
  );
  const said = kept.length < rows.length ? `, ${MOST_ROWS} of each curve; its CSV has all` : "";
  const top = heads.map((each) => `<th scope="col">${xml(each)}</th>`).join("");
  return `<table><caption>${xml(`Numbers of ${title}${said}`)}</caption><thead><tr>${top}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

// The figures of a page, read as they are painted.
export class Reader {
  #readings = new WeakMap();
  /** @type {Set<ReadFigure>} */
  #unread = new Set();
  /** @type {any} */
  #resting = null;

  /** @param {(plot: any) => any} headOf what stands above a figure */
  constructor(headOf) {
    this.headOf = headOf;
  }

  /**
   * A figure that is shown; what is said of it waits until it rests, but for its name.
   * @param {any} view
   */
  read(view) {
    if (!view?.canvas_view) return;
    if (!this.#readings.has(view)) this.#readings.set(view, new ReadFigure(view));
    const reading = this.#readings.get(view);
    reading.painted();
    this.#unread.add(reading);
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.tell(), [...this.#unread].every(({ labels }) => labels) ? RESTS_MS : 0);
  }

  tell() {
    for (const reading of this.#unread) if (reading.numbers.isConnected) reading.tell(this.headOf(reading.plot));
    this.#unread.clear();
  }
}
