// Fills the figures of the page on biases and says its sentences.

import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { escaped, formatText } from "../runtime/wording.js";

const MOST_DECADES = 12;
const TAIL = 30;

export class BiasFigures extends LiveFigures {
  /** @type {any} */ parts;

  /**
   * `parts` has the name of each algorithm's own figure.
   * @param {any} model @param {any} ids @param {Record<string, any>} texts @param {any[]} parts
   */
  constructor(model, ids, texts, parts) {
    super(model, ids, texts);
    this.parts = parts;
  }

  /** @param {{ runs: any, unit: string, row: Row, last: any }} fields */
  show({ runs, unit, row, last }) {
    /** @type {any[]} */
    const drawn = [];
    for (const [algorithm, part] of Object.entries(this.parts)) {
      /** @type {any} */
      const columns = runs[algorithm] ? this.columns(runs[algorithm], unit, row.step < last.step) : null;
      if (columns) drawn.push(columns);
      for (const name of ["curves", "profile", "points", "here"]) this.put(`${part}_${name}`, columns?.[name]);
    }
    // As wide as the whole run, wherever one looks into it.
    this.range("full_x", 0, 1.01 * last[unit] || 1);
    /** @param {string} kind @param {...any} names */
    const together = (kind, ...names) => drawn.flatMap((columns) => names.flatMap((name) => columns[kind][name]));
    /** @param {string} name */
    const tails = (name) =>
      drawn.flatMap(({ curves, here }) => [
        ...curves[name].slice(-Math.max(TAIL, Math.floor(curves.time.length / 2))),
        ...here[name],
      ]);
    this.decades(
      "full_y",
      together("curves", "certified", "fixed", "feasibility").filter((value) => value > 0),
      MOST_DECADES,
      0,
    );
    this.around("multiplier_y", together("curves", "multiplier"), 0.08);
    this.around("spiral_x", tails("multiplier"), 0.08);
    this.around("spiral_y", tails("residual"), 0.08, true);
    this.around("profile_x", together("profile", "place"), 0);
    this.around("profile_y", together("profile", "value"), 0.08);
    for (const name of ["full", "small", "multiplier"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
  }

  /**
   * @param {{ rows: Row[], row: Row, shown: { place: any, value: number, at: any, height: number } }} fields
   * @param {string} unit
   * @param {boolean} isPast
   */
  columns({ rows, row, shown: { place, value, at, height } }, unit, isPast) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
    /** @param {string} name */
    const finite = (name) => kept.map((row) => (Number.isFinite(row[name]) ? row[name] : NaN));
    /** @param {string} name */
    const positive = (name) => finite(name).map((value) => (value > 0 ? value : NaN));
    return {
      curves: {
        time: kept.map((row) => row[unit]),
        certified: positive("gap"),
        fixed: positive("fixed"),
        feasibility: positive("feasibility"),
        multiplier: finite("multiplier"),
        best: finite("best"),
        residual: finite("residual"),
        outer: kept.map((row) => row.outer),
      },
      profile: { place, value },
      points: { at, height, marker: ["circle", "square"].slice(0, at.length) },
      here: { multiplier: isPast ? [row.multiplier] : [], residual: isPast ? [row.residual] : [] },
    };
  }

  /**
   * The columns of a source, empty ones where an algorithm does not run.
   * @param {string} name @param {any} columns
   */
  put(name, columns) {
    const { data } = this.of("sources", name);
    this.fill(name, columns ?? Object.fromEntries(Object.keys(data).map((column) => [column, []])));
  }

  /** @param {{ runs: any }} fields */
  captions({ runs }) {
    /** @type {Record<string, any>} */
    const found = {};
    const listed = Object.entries(runs);
    for (const [algorithm, part] of Object.entries(this.parts)) {
      const run = runs[algorithm];
      found[part] = run
        ? this.say(run.reason ? "gaps_diverged" : "gaps", { ...run.row, reason: run.reason })
        : this.say("not_running", { algorithm });
    }
    for (const name of ["multiplier", "spiral"]) {
      found[name] = listed.map(([algorithm, { row }]) => this.say(name, { algorithm, ...row })).join(" ");
    }
    found.spiral += ` ${this.say("rest")}`;
    found.profile = listed.map(([algorithm, { shown }]) => this.depth(algorithm, shown.height)).join(" ");
    return found;
  }

  /** @param {string} algorithm @param {any[]} place */
  depth(algorithm, [atS, least]) {
    return least === undefined
      ? this.say("no_best", { algorithm })
      : this.say("depth", { algorithm, depth: Math.max(0, atS - least) });
  }

  /**
   * The numbers of the first algorithm, those of a second one below; each is named where there are two.
   * @param {{ runs: any }} fields
   */
  statistics({ runs }) {
    const [[first, { row }], second] = Object.entries(runs);
    const promise = this.promise(row.relative_gap);
    return this.cards(
      this.texts.numbers.map((/** @type {any[]} */ [name, value, note]) => [
        second ? `${name}, ${first}` : name,
        formatText(value, row),
        formatText(note, { ...row, promise }) +
          (second ? `<span class=b>${second[0]}<br>${formatText(value, second[1].row)}</span>` : ""),
      ]),
    );
  }

  /**
   * The last step of each multiplier.
   * @param {{ runs: any }} fields
   */
  why({ runs }) {
    const lines = Object.entries(runs).map(
      ([algorithm, { row, eta }]) => `<p><b>${algorithm}</b>: ${escaped(this.say("last_step", { ...row, eta }))}</p>`,
    );
    return `<div class='wb-note'><p>${escaped(this.say("residual"))}</p>${lines.join("")}</div>`;
  }

  /**
   * How far an algorithm has come, and why it rests.
   * @param {string} algorithm @param {{ row: Row, status: string, reason: string }} fields @param {number} tolerance
   */
  ending(algorithm, { row, status, reason }, tolerance) {
    const reached = this.say("reached", { algorithm, elapsed: this.elapsed(row) });
    return this.say(status ?? "paused", { reached, tolerance, reason });
  }
}
