// Fills the figures of the page on SVM gaps and says its sentences.

import { LiveFigures, MOST_POINTS, spread } from "../runtime/live_figures.js";
import { escaped, written } from "../runtime/wording.js";
import { BOUND_SHARE, curveOf, distances, total } from "./gap.js";

const ROW = ["step", "gap", "remark_1", "lemma_8", "violation", "primal", "dual"];
const STROKES = [
  [1.2, "dashed"],
  [2.6, "solid"],
  [1.2, "dashed"],
];
const SHOWN = 3;
// As `gaps.svm` takes y.a for zero.
const ROUNDING = 1e-10;

export class SvmFigures extends LiveFigures {
  /** @type {any} */ half_width;
  /** @type {any} */ colours;
  /** @type {any} */ markers;

  /**
   * @param {any} model
   * @param {any} ids
   * @param {Record<string, any>} texts
   * @param {{ half_width: any, colours: any, markers: any }} fields
   */
  constructor(model, ids, texts, { half_width, colours, markers }) {
    super(model, ids, texts);
    this.half_width = half_width;
    this.colours = colours;
    this.markers = markers;
  }

  /** @param {any} frame */
  show(frame) {
    const { X, y, a, C, kinds } = frame;
    const samples = Array.from(a.keys());
    const looks = {
      fill: kinds.map((/** @type {string} */ kind) => this.colours[kind]),
      edge: Array.from(y, (label) => this.colours[label > 0 ? "up" : "down"]),
      marker: Array.from(y, (label) => this.markers[label > 0 ? "up" : "down"]),
    };
    this.fill("points", {
      x: X.map((/** @type {any[]} */ [u]) => u),
      y: X.map((/** @type {any[]} */ [, v]) => v),
      label: Array.from(y),
      a: Array.from(a),
      kind: kinds,
      ...looks,
      sample: samples,
    });
    this.fill("duals", { place: samples, a: Array.from(a), ...looks, sample: samples });
    this.range("pair_duals_x", -1, samples.length);
    this.range("pair_duals_y", -0.06 * C, 1.06 * C);
    this.plane(frame);
    this.bias(frame);
    this.bounds(frame);
  }

  /** @param {any} fields */
  plane({ X, surface, lines, event, found }) {
    const source = this.of("sources", "surface");
    const { image } = source.data;
    const width = 2 * this.half_width;
    // The picture keeps its array, which knows its two sides.
    image[0].set(surface.map((/** @type {number} */ value) => Math.min(Math.max(value, -SHOWN), SHOWN)));
    source.setv({ data: { image, x: [-this.half_width], y: [-this.half_width], dw: [width], dh: [width] } });
    source.change.emit();
    const pieces = lines.flatMap((/** @type {number} */ level, /** @type {number} */ k) =>
      /** @type {any} */ (level).map((/** @type {any} */ line) => [line, STROKES[k]]),
    );
    this.fill("lines", {
      xs: pieces.map((/** @type {any[]} */ [line]) => line.map((/** @type {any[]} */ [x]) => x)),
      ys: pieces.map((/** @type {any[]} */ [line]) => line.map((/** @type {any[]} */ [, y]) => y)),
      width: pieces.map((/** @type {any[]} */ [, [wide]]) => wide),
      dash: pieces.map((/** @type {any[]} */ [, [, dash]]) => dash),
    });
    const pairs = { pair: event ? [event.index, event.partner] : [], next: found.pair ?? [] };
    for (const [name, pair] of Object.entries(pairs)) {
      this.fill(name, {
        x: pair.map((/** @type {number} */ i) => X[i][0]),
        y: pair.map((/** @type {number} */ i) => X[i][1]),
      });
    }
  }

  /** @param {{ found: any }} fields */
  bias({ found }) {
    const { b, value, breaks, atBreaks } = curveOf(found);
    this.fill("curve", { b, value });
    this.fill("breaks", { b: breaks, value: atBreaks });
    this.fill("least", { b: [found.bias], value: [found.gap] });
    const highest = Math.max(...value);
    for (const [name, end] of [
      ["top", -found.t_hat],
      ["bottom", -found.b_hat],
    ]) {
      this.fill(name, Number.isFinite(end) ? { b: [end, end], value: [0, highest] } : { b: [], value: [] });
    }
    this.range("bias_x", b[0], b.at(-1));
    this.around("bias_y", value, 0.06, true);
  }

  /**
   * The whole run, wherever one looks into it.
   * @param {any} fields
   */
  bounds({ rows, optimum }) {
    /** @type {any[]} */
    const kept = spread(rows.length, MOST_POINTS).map((k) => distances(rows[k], optimum));
    const { step: last } = rows.at(-1);
    // No line leads over steps that are still to come.
    if (rows.length <= last) kept.splice(-1, 0, { step: last });
    /** @param {string} name */
    const shown = (name) => kept.map((row) => (row[name] > 0 && Number.isFinite(row[name]) ? row[name] : NaN));
    const columns = Object.fromEntries(ROW.slice(1).map((name) => [name, shown(name)]));
    this.fill("bounds", { step: kept.map(({ step }) => step), ...columns });
    this.range("bounds_x", 0, Math.max(1, 1.01 * last));
    this.decades("bounds_y", Object.values(columns).flat().filter(Number.isFinite), 9, 4);
  }

  /** @param {any} sum @param {number} size */
  sum(sum, size) {
    return Math.abs(sum) <= ROUNDING * size ? this.say("rounding") : this.say("sum", { sum });
  }

  /** @param {Record<string, any>} fields */
  captions({ kinds, found, row, optimum, y, a, C }) {
    /** @param {string} kind */
    const count = (kind) => kinds.filter((/** @type {any} */ each) => each === kind).length;
    const free = count("free");
    const bound = count("bound");
    const wrong = found.slacks.reduce((/** @type {any} */ sum, /** @type {any} */ slack) => sum + (slack > 1), 0);
    return {
      plane: this.say("plane", { carry: free + bound, n: y.length, free, bound, wrong }),
      bias: this.say("bias", found),
      bounds: this.say(optimum ? "bounds" : "bounds_alone", { ...distances(row, optimum), known: optimum?.gap }),
      pair_duals: this.say("pair_duals", {
        sum: this.sum(
          total(a.map((/** @type {number} */ value, /** @type {number} */ i) => value * y[i])),
          Math.max(total(a), C),
        ),
      }),
    };
  }

  /** @param {{ found: any, kinds: any }} fields */
  statistics({ found, kinds }) {
    const support = kinds.filter((/** @type {string} */ kind) => kind !== "zero").length;
    return this.cards([
      ["primal", written(found.primal, ".6g"), ""],
      ["lower bound", written(found.dual, ".6g"), ""],
      [
        "gap G(a)",
        written(found.gap, ".2e"),
        this.note("relative", { relative: found.gap / Math.max(found.primal, 1e-300) }),
      ],
      ["t̂ − b̂", written(found.violation, ".2e"), this.note("between", found)],
      ["bias", written(found.bias, ".4g"), ""],
      ["support", String(support), this.note("of", { n: kinds.length })],
    ]);
  }

  /**
   * The last step: which pair, how far, and what stopped it.
   * @param {any} fields
   */
  why({ event, y, C }) {
    if (!event) return `<div class='wb-note'>${this.say("nothing_yet")}</div>`;
    const { index: i, partner: j, violation, curvature } = event;
    const free = Math.abs(event.free);
    const moved = Math.abs(event.alpha_after - event.alpha_before);
    const clipped = moved < free * (1 - BOUND_SHARE);
    /** @param {any} alpha @param {number} k */
    const scaled = (alpha, k) => C * y[k] * alpha;
    const lines = [
      this.say("difference", { violation }),
      this.say("curvature", { curvature }),
      this.say("free_step", { free: C * free }),
      this.say("moved", { sample: i, before: scaled(event.alpha_before, i), after: scaled(event.alpha_after, i) }),
      this.say("moved", { sample: j, before: scaled(event.partner_before, j), after: scaled(event.partner_after, j) }),
    ];
    return (
      `<div class='wb-note'><p>${escaped(this.say("pair", { i, j, violation }))}</p></div>` +
      lines.map((line) => `<wb-tex>${escaped(line)}</wb-tex>`).join("") +
      `<span class='wb-badge ${clipped ? "clip" : "free"}'>${escaped(this.say(clipped ? "clipped" : "reached"))}</span>`
    );
  }
}
