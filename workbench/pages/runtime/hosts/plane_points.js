// @ts-check
// Points in the plane that one adds, moves and deletes by hand and takes back with Ctrl-Z: of pages that have them.

import { readPoints } from "../live_plane.js";
import { painted } from "../painter.js";
import { Hand, nearest, writePoints } from "../plane_hand.js";

const MOST_UNDONE = 200;

export class PlanePoints {
  /** @type {any} the points in hand */ dragging = null;
  /** @type {string[]} texts, the latest last */ past = [];

  /**
   * The hand in the plane of a page whose figures were drawn just now; it goes on with what `before` had. The page's
   * setting `points` is the text of edited points, empty for the initial ones; the page has `present`, the
   * points it draws, and answers `drag`, which draws what is in hand, and `edited`.
   * @param {any} page
   * @param {PlanePoints | undefined} before
   */
  constructor(page, before) {
    const { most, looks } = page.facts.plane;
    const plot = page.figures.of("figures", "plane");
    this.page = page;
    this.most = most;
    this.half_width = looks.half_width;
    this.past = before?.past ?? this.past;
    this.initialText = before?.initialText ?? "";
    this.hand = new Hand(this, plot, this);
    plot.on_event("tap", (/** @type {{ x: number, y: number }} */ { x, y }) => this.add([x, y]));
    plot.on_event("doubletap", (/** @type {{ x: number, y: number }} */ { x, y }) => this.remove([x, y]));
  }

  /** @returns {string} */
  get text() {
    return this.page.settings.points;
  }

  /** The points as they are, {X, y}: in hand, edited, or those of a text to begin with. */
  get placed() {
    return this.dragging ?? readPoints(this.text || this.initialText, this.half_width);
  }

  // What `Hand` asks of a page: the points as they are, whether or not they are drawn yet, and what a drag does.
  get present() {
    return this.page.present && this.placed;
  }

  get hands() {
    return this.page.settings;
  }

  forget() {
    this.past = [];
    this.dragging = null;
  }

  /** @param {any} edited */
  move(edited) {
    this.dragging = edited;
    return this.page.drag(edited);
  }

  /** @param {any} edited @param {boolean} isFull */
  letGo(edited, isFull) {
    this.take(edited, this.dragging !== null);
    if (isFull) this.refuse("full", this);
  }

  /**
   * Says why an edit is refused once the edit before it is drawn; the points that are drawn are those that stay.
   * @param {string} name - of the sentence
   * @param {any} values
   */
  async refuse(name, values) {
    const { page } = this;
    page.dragging = null;
    while (page.isBusy) await painted();
    page.refuse(new Error(page.words.say(name, values)));
    page.figures.dim(false);
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
    const { most, page, half_width, text: before } = this;
    const n = edited.y.length;
    const classes = new Set(edited.y).size;
    this.dragging = null;
    if (n < 2 || n > most || classes < 2) return this.refuse("too_few", { n, classes, most });
    const text = writePoints(edited, half_width);
    if (text === (before || this.initialText)) return moved ? page.edited(before) : undefined;
    this.past = [...this.past, before].slice(-MOST_UNDONE);
    return page.edited(text);
  }

  undo() {
    const text = this.past.pop();
    if (text === undefined) return;
    this.hand.forget();
    this.dragging = null;
    this.page.edited(text);
  }
}
