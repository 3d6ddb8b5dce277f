// Points in the plane that one adds, moves and deletes by hand and takes back with Ctrl-Z: of pages that have them.

import { Hand, UNIT, nearest, snapped, writePoints } from "./plane_hand.js";

const MOST_UNDONE = 200;

export class PlanePoints {
  /** @type {any} */ page;
  /** @type {any} */ most;
  /** @type {any} */ half_width;
  /** @type {any[]} */ past = [];
  /** @type {any} */ dragging = null;
  begun = "";
  /** @type {any} */ hand;

  /**
   * The setting `points` is the text of edited points, empty for those of the source; a file may begin with one. The page
   * answers `drag`, which draws what is in hand, `edited`, and `refusePoints`, which takes the name of a sentence and its
   * values; `present` has the points it draws.
   * @param {any} page @param {Record<string, any>} fields
   */
  constructor(page, { text, most, half_width, plot }) {
    this.page = page;
    this.most = most;
    this.half_width = half_width;

    if (text !== undefined) this.text = text;
    this.hand = new Hand(this, plot, { half_width, most });
    plot.on_event("tap", (/** @type {{ x: number, y: number }} */ { x, y }) => this.add([x, y]));
    plot.on_event("doubletap", (/** @type {{ x: number, y: number }} */ { x, y }) => this.remove([x, y]));
  }

  get text() {
    return this.page.host.settings.points;
  }

  set text(text) {
    this.page.host.change("points", text);
  }

  // What the address has of them.
  get entries() {
    return this.text ? [["points", this.text]] : [];
  }

  // What `Hand` asks of a page: the points as they are, whether or not they are drawn yet, and what a drag does.
  get present() {
    return this.page.present && this.placed(this.begun);
  }

  get hands() {
    return this.page.settings;
  }

  /**
   * The Python that makes the points.
   * @param {any} source
   */
  code(source) {
    const examples = "wb.data.examples.";
    return this.text ? `${examples}read_points(\n  '${this.text}')` : `${examples}plane(\n  '${source}')`;
  }

  /** @param {string} text */
  follow(text) {
    if (text === "" || isPoints(text, this)) this.text = text;
  }

  forget() {
    this.text = "";
    this.past = [];
    this.dragging = null;
  }

  /**
   * The points as they are, {X, y}: in hand, edited, or those of a text to begin with.
   * @param {any} begun
   */
  placed(begun) {
    this.begun = begun;
    return this.dragging ?? readPoints(this.text || begun, this.half_width);
  }

  /** @param {any} edited */
  move(edited) {
    this.dragging = edited;
    return this.page.drag();
  }

  /** @param {any} edited @param {boolean} isFull */
  letGo(edited, isFull) {
    this.take(edited, this.dragging !== null);
    if (isFull) this.page.refusePoints("full", this);
  }

  /** @param {any[]} place */
  add([x, y]) {
    const { present, half_width } = this;
    if (!present || Math.max(Math.abs(x), Math.abs(y)) > half_width || nearest(present.X, [x, y]) !== null) return;
    const label = this.hands.adds === "+1" ? 1 : -1;
    this.take({ X: [...present.X, this.hand.snapped([x, y])], y: Float64Array.from([...present.y, label]) });
  }

  /** @param {any} place */
  remove(place) {
    const { present } = this;
    const sample = present && nearest(present.X, place);
    if (sample === null) return;
    /** @param {any} _ @param {any} i */
    const keep = (_, i) => i !== sample;
    this.take({ X: present.X.filter(keep), y: present.y.filter(keep) });
  }

  /**
   * Gives a point the other class.
   * @param {number} sample
   */
  flip(sample) {
    const { present } = this;
    if (!present || sample >= present.y.length) return;
    const y = Float64Array.from(present.y, (/** @type {number} */ label, /** @type {number} */ i) =>
      i === sample ? -label : label,
    );
    this.take({ X: present.X, y });
  }

  /**
   * Edited points; those that were `moved` are drawn already, and are drawn anew even where nothing has changed.
   * @param {any} edited @param {boolean} [moved]
   */
  take(edited, moved = false) {
    const { most, page, half_width } = this;
    const n = edited.y.length;
    const classes = new Set(edited.y).size;
    this.dragging = null;
    if (n < 2 || n > most || classes < 2) return page.refusePoints("too_few", { n, classes, most });
    const before = this.text;
    const text = writePoints(edited, half_width);
    const isSame = text === (before || this.begun);
    if (isSame && !moved) return undefined;
    if (!isSame) {
      this.text = text;
      this.past = [...this.past, before].slice(-MOST_UNDONE);
    }
    return page.edited();
  }

  undo() {
    if (!this.past.length) return;
    this.hand.forget();
    this.dragging = null;
    this.text = this.past.pop();
    this.page.edited();
  }
}

/** @param {string} text @param {number} halfWidth */
export function readPoints(text, halfWidth) {
  const points = Array.from({ length: text.length / 5 }, (_, k) => text.slice(5 * k, 5 * k + 5));
  /** @param {any} digits */
  const at = (digits) => snapped(parseInt(digits, 36) * UNIT - halfWidth, halfWidth);
  return {
    X: points.map((point) => [at(point.slice(1, 3)), at(point.slice(3))]),
    y: Float64Array.from(points, (point) => (point[0] === "p" ? 1 : -1)),
  };
}

/**
 * Whether an address holds points: not too many, of both classes, and within the plane.
 * @param {string} text @param {{ most: number, half_width: any }} fields
 */
export function isPoints(text, { most, half_width }) {
  if (!/^(?:[pm][0-9a-z]{4})+$/.test(text) || text.length > 5 * most) return false;
  /** @type {any} */
  const points = text.match(/.{5}/g);
  const largest = Math.round((2 * half_width) / UNIT);
  const places = points.flatMap((/** @type {any} */ point) =>
    [point.slice(1, 3), point.slice(3)].map((digits) => parseInt(digits, 36)),
  );
  return (
    new Set(points.map((/** @type {any[]} */ [label]) => label)).size === 2 &&
    places.every((/** @type {any} */ place) => place <= largest)
  );
}

/**
 * Values of old points for new ones: a moved point keeps its own, one that was added gets zero.
 * @param {any} old @param {Record<string, any>} fields @param {Float64Array | number[]} values
 */
export function carried(old, { X, y }, values) {
  if (String(old.y) === String(y)) return Float64Array.from(values);
  const kept = new Map();
  /** @param {any} fields @param {number} i */
  const key = ({ X: places, y: labels }, i) => `${places[i]} ${labels[i]}`;
  values.forEach((value, i) => kept.set(key(old, i), [...(kept.get(key(old, i)) ?? []), value]));
  return Float64Array.from(y, (_, i) => kept.get(key({ X, y }, i))?.shift() ?? 0);
}
