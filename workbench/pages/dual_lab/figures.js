// Fills the Dual lab's figures from the states of its runs, and says its sentences.

import { frame, visitedColumns, weightColumns } from "../runtime/duality/frame.js";
import { MOST_POINTS, spread } from "../runtime/live_figures.js";
import { written } from "../runtime/wording.js";
import { ALMOST, Sentences } from "./sentences.js";

// A drag ends when a slider has rested for this time. The axes that stay during a drag.
const DRAG_MS = 2000;
const STEADY = new Set([
  "gap_x",
  "gap_y",
  "objective_y",
  "margins_x",
  "margins_y",
  "transfer_x",
  "transfer_y",
  "weights_y",
  "duals_y",
]);

/** @typedef {import("./lab_track.js").State} State */

export class Figures extends Sentences {
  /**
   * `keys` has what the key of each figure says, of "one" configuration and of "both"; `rules` the formulas of a step.
   * @param {any} model @param {any} ids @param {Record<string, any>} texts @param {{ keys: any, rules: any }} fields
   */
  constructor(model, ids, texts, { keys, rules }) {
    super(model, ids, texts);
    this.keys = keys;
    this.rules = rules;
    /** @type {Record<string, string>} */
    this.ghosts = {};
    this.many = "one";
    this.fitted = new Map();
    /** @type {any} */
    this.held = null;
    this.heldAt = -Infinity;
  }

  /**
   * While a number is dragged the axes stay as they were before, and grow where a new run needs it.
   * @param {boolean} isHeld
   */
  hold(isHeld) {
    const now = performance.now();
    if (!isHeld || now - this.heldAt > DRAG_MS) this.held = null;
    if (isHeld) {
      this.held = this.held ?? new Map(this.fitted);
      this.heldAt = now;
    }
  }

  /** @param {string} name @param {number} start @param {number} end */
  range(name, start, end) {
    const held = STEADY.has(name) ? this.held?.get(name) : null;
    this.fitted.set(name, [start, end]);
    if (held) [start, end] = [Math.min(start, held[0]), Math.max(end, held[1])];
    this.held?.set(name, [start, end]);
    super.range(name, start, end);
  }

  /**
   * Fill the figures from the first configuration and the second, which may be null. In a run, figures that are folded
   * away stand still.
   * @param {State} A @param {State | null} B @param {boolean} isRunning
   */
  show(A, B, isRunning) {
    this.legend(B ? "both" : "one");
    this.curves(A, B);
    /** @param {string} name */
    const isDue = (name) => !isRunning || this.isShown(name);
    if (isDue("weights_y")) this.weights(A, B);
    if (isDue("duals_y")) this.duals(A, B);
    if (isDue("margins_y")) this.margins(A);
    if (isDue("transfer_y")) this.transfer(A);
    this.areas(A);
    if (isDue("terms_y")) this.terms(A);
  }

  /**
   * The keys of the figures, where other configurations are drawn than before.
   * @param {"one" | "both"} many
   */
  legend(many) {
    if (this.many === many) return;
    this.many = many;
    for (const name of Object.keys(this.keys.one)) this.key(name, this.ghosts[name] ?? "");
  }

  /** @param {string} name @param {string} ghost */
  key(name, ghost) {
    this.ghosts[name] = ghost;
    const key = this.keyOf(name);
    const own = this.keys[this.many][name] ?? "";
    if (key) key.innerHTML = (ghost && !own ? this.keys.now : own) + ghost;
  }

  /** @param {State} fields */
  terms({ terms: { place, sample, kind, share, dual_place, dual } }) {
    this.fill("terms", { place, sample, kind, share, dual_place, dual });
    if (share.length) {
      this.range("terms_x", -0.02 * share.length, 1.02 * share.length + 1);
      this.decades("terms_y", share, 6, 3);
    }
  }

  /**
   * The whole of a run, wherever one looks into it.
   * @param {State} A @param {State | null} B
   */
  curves(A, B) {
    // The first epoch is looked at step by step.
    const unit = A.rows[A.rows.length - 1].epoch < 1 ? "step" : "epoch";
    // Steps have another axis than epochs.
    if (unit === "step") this.held?.delete("gap_x");
    const first = drawn(A.rows, unit);
    const second = B && drawn(B.rows, unit);
    this.fill("curves", first);
    this.fill("other", second ? { time: second.time, gap: second.gap } : { time: [], gap: [] });
    this.range("gap_x", 0, 1.01 * Math.max(first.time.at(-1), second?.time.at(-1) ?? 0) || 1);
    for (const name of ["gap", "objective"]) this.of("axes", `${name}_x`).setv({ axis_label: unit });
    // Five decades from the start, so that the axis stands still while the gap closes; that of the start is 1 but for rounding.
    const gaps = [...first.gap, ...(second?.gap ?? [])].filter(Number.isFinite);
    this.decades(
      "gap_y",
      gaps.map((gap) => gap * (1 + ALMOST)),
      12,
      5,
    );
    this.objective("objective_y", first.primal, first.dual);
  }

  /**
   * In the order of the features, those that are zero in view.
   * @param {State} fields @param {State | null} B
   */
  weights({ w, certificate: { v }, problem }, B) {
    const columns = weightColumns(problem.curves, /** @type {any} */ ({ w, v }));
    const { place, weight, feature } = columns.weights;
    const other = B ? feature.map((j) => B.w[j]) : [];
    for (const [name, data] of Object.entries(columns)) this.fill(name, data);
    this.fill("other_weights", { place: B ? place : [], weight: other });
    this.around("weights_y", [...weight, ...other], 0.08, true);
    this.range("weights_x", -1, place.length);
  }

  /**
   * The axes of the figure of the transfer function, whose dots and curve `areas` fills.
   * @param {State} fields
   */
  transfer({ w, certificate: { v }, problem: { d } }) {
    if (v === null) return;
    this.around("transfer_x", v.subarray(0, d), 0.08, true);
    this.around("transfer_y", w, 0.1, true);
  }

  /**
   * Both curves, the dots of the features, and the areas of what is pointed at or was visited last.
   * @param {State} fields
   */
  areas({ w, problem: { curves }, certificate, event }) {
    const [sample = event?.index ?? null] = this.of("sources", "lit").data.sample;
    const [feature = null] = this.of("sources", "pointed").data.feature;
    /** @param {string} name @returns {[number, number]} */
    const ends = (name) => [this.of("ranges", name).start, this.of("ranges", name).end];
    const axes = { left: ends("margins_x"), right: ends("transfer_x") };
    const { columns, numbers } = frame(curves, { certificate: { ...certificate, w }, sample, feature }, axes);
    for (const [name, data] of Object.entries(columns)) this.fill(name, data);
    this.rings(event?.index ?? null, feature);
    return numbers;
  }

  /**
   * The sample that was visited last, and the feature that is pointed at, in every figure that draws them.
   * @param {number | null} sample @param {number | null} feature
   */
  rings(sample, feature) {
    /** @param {any} source @param {string} key @param {any} wanted @param {string[]} names */
    const row = (source, key, wanted, names) => {
      const { data } = this.of("sources", source);
      const at = Array.from(data[key]).indexOf(wanted);
      return names.map((name) => (at < 0 ? NaN : data[name][at]));
    };
    const [margin, height] = row("margins", "sample", sample, ["margin", "value"]);
    const [place, value] = row("duals", "sample", sample, ["place", "value"]);
    const [term_place, share] = row("terms", "sample", sample, ["place", "share"]);
    const visited = { margin, value: Number.isNaN(margin) ? value : height, place, term_place, share };
    const [v, weight] = row("transfer", "feature", feature, ["v", "weight"]);
    const [bar] = row("weights", "feature", feature, ["place"]);
    const lit = { feature, v, weight, place: bar };
    /** @param {any} columns @param {boolean} isThere */
    const one = (columns, isThere) =>
      Object.fromEntries(Object.entries(columns).map(([name, each]) => [name, isThere ? [each] : []]));
    this.fill("visited", one(visited, sample !== null));
    this.fill("lit_feature", one(lit, feature !== null));
  }

  /**
   * The values of lambda that were visited, and the present one.
   * @param {any} visited @param {number} lam @param {any} name
   */
  visited(visited, lam, name) {
    for (const [source, data] of Object.entries(visitedColumns(visited, name))) this.fill(source, data);
    this.fill("now", { lam: [lam] });
    const all = [...visited.runs.keys()];
    const { loss } = this.of("sources", "held_out").data;
    this.range("path_x", Math.min(...all) / 3, 3 * Math.max(...all));
    this.around("path_y", this.of("sources", "path").data.weight, 0.08, true);
    this.around("held_out_y", loss, 0.1);
  }

  /** @param {State} fields @param {State | null} B */
  duals({ duals, n }, B) {
    const { place, sample, kind, value } = duals;
    this.fill("duals", { place, sample, kind, value });
    this.fill("other_duals", B ? { place: B.duals.place, value: B.duals.value } : { place: [], value: [] });
    this.around("duals_y", [...value, ...(B?.duals.value ?? [])], 0.1, true);
    this.range("duals_x", -0.02 * n - 1, 1.02 * n);
    this.of("axes", "duals_y").setv({ axis_label: duals.margin ? "α·y" : "α" });
  }

  /** @param {State} fields */
  margins({
    duals: { at, value, sample, kind, margin, place },
    certificate: { sample_terms },
    problem: {
      data: { y },
      n,
    },
  }) {
    const label = sample.map((/** @type {number} */ i) => (margin && y[i] < 0 ? "−1" : "+1"));
    const area = sample.map((/** @type {number} */ i) => n * sample_terms[i]);
    this.fill("margins", { margin: at, value, sample, kind, label, place, area });
    this.around("margins_x", at, 0.08, true);
    this.around("margins_y", value, 0.1, true);
    this.of("axes", "margins_x").setv({
      axis_label: margin ? "margin y·f(x); ● y = +1, ▲ y = −1" : "residual f(x) − y",
    });
    this.of("axes", "margins_y").setv({ axis_label: margin ? "α·y" : "α" });
  }

  /** @param {Record<string, any>} fields */
  saddle({ weight, dual, surface, valley, ridge, point, name, sample }) {
    const source = this.of("sources", "surface");
    const { image } = source.data;
    // The picture keeps its array, which knows its two sides.
    image[0].set(surface.flat());
    source.setv({
      data: {
        image,
        x: [weight[0]],
        y: [dual[0]],
        dw: [weight.at(-1) - weight[0]],
        dh: [dual.at(-1) - dual[0]],
      },
    });
    source.change.emit();
    const heights = surface
      .flat()
      .filter(Number.isFinite)
      .map(Math.abs)
      .sort((/** @type {any} */ a, /** @type {any} */ b) => a - b);
    const place = 0.8 * (heights.length - 1);
    const under = Math.floor(place);
    const above = heights[Math.min(under + 1, heights.length - 1)];
    const height = heights.length ? heights[under] + (place - under) * (above - heights[under]) : 1;
    this.of("mappers", "heights").setv({ low: -height || -1, high: height || 1 });
    this.fill("valley", { weight: valley, dual });
    this.fill("ridge", { weight, dual: ridge });
    this.fill("point", { weight: [point[0]], dual: [point[1]] });
    this.range("saddle_x", weight[0], weight.at(-1));
    this.range("saddle_y", dual[0], dual.at(-1));
    this.of("axes", "saddle_x").setv({ axis_label: `weight of “${name}”` });
    this.of("axes", "saddle_y").setv({ axis_label: `α of sample ${written(sample, ",")}` });
  }
}

/**
 * Curves as they are drawn, of a limited number of points; a gap that is not finite or not positive leaves a break.
 * @param {Row[]} rows @param {string} unit
 */
function drawn(rows, unit) {
  const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
  /** @param {number} value */
  const finite = (value) => (Number.isFinite(value) ? value : NaN);
  return {
    time: kept.map((row) => row[unit]),
    primal: kept.map((row) => finite(row.primal)),
    dual: kept.map((row) => finite(row.dual)),
    gap: kept.map(({ gap }) => (gap > 0 && Number.isFinite(gap) ? gap : NaN)),
  };
}
