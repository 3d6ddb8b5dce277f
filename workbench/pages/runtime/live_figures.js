// How a page that solves in the browser fills Bokeh's figures: as `figures.py` does on the served page.

import { formatText } from "./wording.js";

export const MOST_POINTS = 400;
export const LEAST_FILLED = 0.5;
export const DIMMED = "0.35";
// Of a certificate's promise.
export const WORTH_A_TICK = 0.01;
const MOST_PERCENT = 9999;

export class LiveFigures {
  /** @type {any} */ texts;
  /** @type {any} */ ids;
  /** @type {any} */ of;

  /**
   * `model` gives a Bokeh model by its id; `ids` names those of sources, ranges and axes.
   * @param {any} model @param {any} ids @param {Record<string, any>} texts
   */
  constructor(model, ids, texts) {
    this.texts = texts;
    this.ids = ids;
    this.of = (/** @type {string} */ kind, /** @type {string} */ name) => model(ids[kind][name]);
  }

  /** @param {string} name @param {Record<string, any>} [values] */
  say(name, values = {}) {
    return formatText(this.texts[name], values);
  }

  /**
   * How far a run has come.
   * @param {Row} row
   */
  elapsed(row) {
    return this.say(row.epoch < 1 ? "steps" : "epochs", row);
  }

  /**
   * What a certificate guarantees.
   * @param {any} relativeGap
   */
  promise(relativeGap) {
    if (!Number.isFinite(relativeGap)) return this.say("no_bound");
    const percent = Math.min(100 * relativeGap, MOST_PERCENT);
    return this.say(relativeGap > WORTH_A_TICK ? "wide" : "tick", { percent });
  }

  /**
   * A line of numbers above the figures: each with a name, a number and HTML behind it; perhaps of a run with a name.
   * @param {any[]} entries
   * @param {string} [run]
   */
  cards(entries, run = "") {
    const cards = entries.map(
      ([name, value, note]) => `<div class='wb-stat'><span>${name}</span><b>${value}</b>${note}</div>`,
    );
    return `<div class='wb-stats'>${run && `<b>${run}</b>`}${cards.join("")}</div>`;
  }

  /**
   * A sentence as `cards` takes it.
   * @param {string} name @param {Record<string, any>} values
   */
  note(name, values) {
    return `<em>${this.say(name, values)}</em>`;
  }

  /**
   * Whether the figure of a range is not folded away.
   * @param {string} name
   */
  isShown(name) {
    return [...this.of("ranges", name).linked_plots].some((view) => view.is_displayed);
  }

  /**
   * The dotted line in the figures over time at a place of their axis; none where it is null.
   * @param {number} location
   */
  mark(location) {
    for (const name of Object.keys(this.ids.here)) {
      this.of("here", name).setv({ location: location ?? 0, visible: location !== null }, { sync: false });
    }
  }

  /**
   * Figures that show what is not chosen any more are pale.
   * @param {boolean} isDimmed
   */
  dim(isDimmed) {
    for (const name of Object.keys(this.ids.figures)) {
      const plot = this.of("figures", name);
      // Bokeh leaves an opacity where the styles no longer have one.
      const opacity = isDimmed ? DIMMED : "1";
      if ((plot.styles.opacity ?? "1") !== opacity) plot.setv({ styles: { ...plot.styles, opacity } }, { sync: false });
    }
  }

  /** @param {any} name @param {any} data */
  fill(name, data) {
    this.of("sources", name).setv({ data });
  }

  /** @param {string} name @param {number} start @param {number} end */
  range(name, start, end) {
    const bounds = this.of("ranges", name);
    if (bounds.start !== start || bounds.end !== end) bounds.setv({ start, end });
  }

  /**
   * A logarithmic range around positive values, with a number of decades between two below the largest.
   * @param {string} name @param {number[]} values @param {number} most @param {any} leastMany
   */
  decades(name, values, most, leastMany) {
    if (!values.length) return;
    const highest = Math.max(...values);
    const lowest = Math.min(...values);
    const low = Math.min(Math.max(lowest, highest * 10 ** -most), highest * 10 ** -leastMany);
    this.range(name, 10 ** Math.floor(Math.log10(low)), 2 * highest);
  }

  /**
   * A range around the values, with zero in it where wanted; one that still fits stands still.
   * @param {string} name @param {Iterable<number>} all @param {number} margin @param {boolean} [zero]
   */
  around(name, all, margin, zero = false) {
    const values = Array.from(all).filter(Number.isFinite);
    if (!values.length || (zero && values.every((value) => value === 0))) return;
    let low = Math.min(...values);
    let high = Math.max(...values);
    if (zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const { start, end } = this.of("ranges", name);
    if (start <= low && high <= end && high - low >= LEAST_FILLED * (end - start)) return;
    const spreadOf = high - low || Math.max(Math.abs(high), 1);
    this.range(name, low - margin * spreadOf, high + margin * spreadOf);
  }

  /**
   * A range of objective values: a first primal far above the rest would press both curves flat against the axis.
   * @param {string} name @param {any[]} all @param {any} duals
   */
  objective(name, all, duals) {
    const [primal, dual] = [all, duals].map((values) => values.filter(Number.isFinite));
    if (!primal.length || !dual.length) return;
    const tail = all.slice(Math.floor(all.length / 3)).filter(Number.isFinite);
    const highest = Math.max(...primal);
    const best = Math.max(...dual);
    const settled = Math.max(...(tail.length ? tail : primal));
    const top = Math.min(highest, settled + 2 * Math.max(settled - best, 0.5 * Math.abs(settled)));
    const bottom = Math.max(Math.min(...dual), top - 3 * Math.max(top - best, Math.abs(top)));
    this.around(name, [bottom, top], 0.06);
  }
}

/**
 * Returns at most `most` of `count` places, evenly spread, the first and the last among them.
 * @param {number} count @param {number} most
 */
export function spread(count, most) {
  const size = Math.min(most, count);
  const places = Array.from({ length: size }, (_, k) =>
    size === 1 ? 0 : k === size - 1 ? count - 1 : Math.floor(k * ((count - 1) / (size - 1))),
  );
  return [...new Set(places)];
}
