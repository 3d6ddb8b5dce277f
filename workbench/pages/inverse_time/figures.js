// Fills the figures of the page of inverse time and says its sentences.

import { LiveFigures } from "../runtime/live_figures.js";
import { written } from "../runtime/wording.js";

// The bound may lie far above what is measured: it is drawn this far and no farther. What theorems speak of.
const ABOVE = 1e3;
const MILLI = 1e3;
const LOSS = "Test loss";
const SUBOPTIMALITY = "Suboptimality";

export class InverseTimeFigures extends LiveFigures {
  /**
   * The curves of the run.
   * @param {{ rows: Row[], last: any, L: any, lam: number }} fields
   */
  show({ rows, last, L, lam }) {
    /** @param {string} name */
    const column = (name) => rows.map((row) => row[name]);
    const step = column("step").map((value) => Math.max(value, 1));
    const lower = lowers(rows);
    const average = column("primal");
    const gap = column("gap");
    const lastGap = column("last_gap");
    const theorem = step.map((steps) => theorem1(L, lam, steps));
    this.fill("run", { average, last: column("last"), lower, gap, last_gap: lastGap, step, theorem });
    this.range("pgs_gap_x", 1, Math.max(10, 1.1 * Math.max(last, 1)));
    this.objective("pgs_objective_y", average.slice(Math.min(1, step.length - 1)), lower);
    this.decades(
      "pgs_gap_y",
      [...gap, ...lastGap].filter((value) => Number.isFinite(value) && value > 0),
      8,
      0,
    );
  }

  /**
   * The sentences of where a run stands in its curves.
   * @param {{ rows: Row[], at: any, L: any, lam: number }} fields
   */
  captions({ rows, at, L, lam }) {
    const { step, primal: average, last, gap, last_gap } = rows[at];
    const lower = lowers(rows)[at];
    return {
      pgs_objective: this.say("pgs_objective", { step, average, last, lower }),
      pgs_gap: this.say("pgs_gap", { gap, last_gap, theorem: theorem1(L, lam, Math.max(step, 1)) }),
    };
  }

  /** @param {{ rows: Row[], at: any }} fields */
  statistics({ rows, at }) {
    const { primal, gap, relative_gap, last, last_gap, step, epoch, score } = rows[at];
    return this.cards([
      [this.say("number_average"), written(primal, ".5g"), ""],
      [this.say("number_gap"), written(gap, ".2e"), this.note("at_most", { percent: 100 * relative_gap })],
      [this.say("number_last"), written(last, ".5g"), ""],
      [this.say("number_last_gap"), written(last_gap, ".2e"), ""],
      [this.say("number_steps"), written(step, ","), this.note("passes", { epoch })],
      [this.say("number_score"), this.say("percent", { percent: 100 * score }), ""],
    ]);
  }

  /**
   * The sources of the sweep from its cells so far, and the sentences under them.
   * @param {{ cells: any[], settings: Settings, constants: any, c: any, running: any }} fields
   */
  sweep({ cells, settings, constants, c, running }) {
    const reached = cells.filter(({ steps }) => steps < Infinity);
    const steps = summary(cells, "steps");
    const seconds = summary(cells, "seconds");
    const reference = summary(cells, "reference_seconds");
    this.fill(
      "cells",
      Object.fromEntries(["m", "steps", "seed"].map((name) => [name, reached.map((cell) => cell[name])])),
    );
    this.fill("steps", drawn(steps, 1));
    this.fill("seconds", drawn(seconds, MILLI));
    this.fill("reference", drawn(reference, MILLI));
    if (steps.m.length) this.range("sweep_steps_x", 0.7 * steps.m[0], 1.4 * Math.max(steps.m.at(-1), 2 * steps.m[0]));
    const { start, end } = this.of("ranges", "sweep_steps_x");
    const most = reached.reduce((a, cell) => Math.max(a, cell.steps), 0) || 100;
    const m = Array.from({ length: 80 }, (_, k) => (k === 79 ? end : start * (end / start) ** (k / 79)));
    const bound = m
      .map((size) => [size, boundOf(settings, constants, c, size)])
      .filter(([, value]) => value <= ABOVE * most);
    this.fill("bound", { m: bound.map(([size]) => size), steps: bound.map(([, value]) => value) });
    this.decades("sweep_steps_y", [...reached.map((cell) => cell.steps), ...bound.map(([, value]) => value)], 9, 0);
    const times = reached.flatMap((cell) => [MILLI * cell.seconds, MILLI * cell.reference_seconds]);
    this.decades(
      "sweep_time_y",
      times.filter((value) => value > 0 && value < Infinity),
      6,
      0,
    );
    const missed = cells.filter((cell) => cell.steps === Infinity);
    const { end: top } = this.of("ranges", "sweep_steps_y");
    this.fill("missed", { m: missed.map((cell) => cell.m), height: missed.map(() => 0.75 * top) });
    this.key("sweep_steps", missed.length ? this.texts.notReached : "");
    return this.sweepSaid({ cells, settings, constants, c, running, steps, seconds, reference });
  }

  /** @param {Record<string, any>} fields */
  sweepSaid({ cells, settings, constants, c, running, steps, seconds, reference }) {
    if (!steps.m.length) return { sweep_steps: this.say("first_set"), sweep_time: this.say("no_time") };
    /** @param {number} value */
    const count = (value) => (value < Infinity ? this.say("count", { count: value }) : this.say("too_many"));
    const last = steps.m.at(-1);
    /** @param {any} found */
    const time = (found) => {
      const value = MILLI * (found.median.at(-1) ?? Infinity);
      return value < Infinity ? this.say("milliseconds", { value }) : this.say("too_long");
    };
    return {
      sweep_steps: this.say("sweep_steps", {
        so_far: running ? this.say("so_far") : "",
        first_count: count(steps.median[0]),
        first: steps.m[0],
        last_count: count(steps.median.at(-1)),
        last,
        missed: steps.missed ? this.say("missed", { missed: steps.missed, count: cells.length }) : "",
        theorem: this.theorem(settings, constants, c, last),
      }),
      sweep_time: this.say(reference.m.length ? "sweep_time" : "sweep_time_alone", {
        m: last,
        time: time(seconds),
        reference: time(reference),
      }),
    };
  }

  /** @param {Settings} settings @param {any} constants @param {any} c @param {number} m */
  theorem(settings, constants, c, m) {
    const value = boundOf(settings, constants, c, m);
    if (settings.measure === SUBOPTIMALITY) return this.say("theorem_1", { ...constants, c, value });
    if (settings.measure !== LOSS) return this.say("silent");
    return this.say(value < Infinity ? "theorem_2" : "no_bound", { ...constants, c, value });
  }
}

/**
 * The bound of the mean excess after so many steps.
 * @param {any} L @param {any} lam @param {any} steps
 */
function theorem1(L, lam, steps) {
  return (L ** 2 * (1 + Math.log(steps))) / (2 * lam * steps);
}

/**
 * The least number of steps for which Theorem 1 promises an excess; infinite where that is too many.
 * @param {any} L @param {number} lam @param {any} excess
 */
function theorem1Steps(L, lam, excess) {
  let [low, high] = [0, Math.log(1e15)];
  /** @param {number} x */
  const at = (x) => theorem1(L, lam, Math.exp(x));
  if (at(high) > excess) return Infinity;
  if (at(low) <= excess) return 1;
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (at(middle) > excess) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}

/**
 * The steps that the theorems ask for at a size: Theorem 2 of the test loss, Theorem 1 of the suboptimality; infinite where
 * they give no bound, or do not speak of the measure. Theorem 2 is Theorem 1 without its logarithm and with the samples'
 * term, whose c is from the theory of generalization: the least T with lam G + c L^2 / (lam m) + L^2 / (2 lam T) <= target,
 * (20) of Zhu et al. for one lam.
 * @param {Record<string, any>} fields @param {{ L: any, G: any }} others @param {any} c @param {number} m
 */
function boundOf({ lam, target, measure }, { L, G }, c, m) {
  if (measure === SUBOPTIMALITY) return theorem1Steps(L, lam, target);
  const left = lam * target - lam ** 2 * G - (c * L ** 2) / m;
  return measure === LOSS && left > 0 ? L ** 2 / (2 * left) : Infinity;
}

/**
 * Each dual bound holds for good, so the best one does.
 * @param {Row[]} rows
 */
function lowers(rows) {
  let best = -Infinity;
  return rows.map(({ dual }) => (best = Math.max(best, dual)));
}

/**
 * Medians and quartiles over the seeds for each size, of the cells that were tried; infinite where too few reached the target.
 * @param {any[]} all @param {any} field
 */
function summary(all, field) {
  const cells = all.filter((cell) => !Number.isNaN(cell[field] ?? NaN));
  const m = [...new Set(cells.map((cell) => cell.m))].sort((a, b) => a - b);
  const values = m.map((size) =>
    cells
      .filter((cell) => cell.m === size)
      .map((cell) => cell[field])
      .sort((a, b) => a - b),
  );
  /** @param {any} share */
  const at = (share) => values.map((part) => part[nearest(share * (part.length - 1))]);
  const missed = values.flat().filter((value) => value === Infinity).length;
  return { m, low: at(0.25), median: at(0.5), high: at(0.75), missed };
}

/**
 * The nearest whole number, the even one of two.
 * @param {number} x
 */
function nearest(x) {
  const below = Math.floor(x);
  const rest = x - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

/**
 * Sizes whose median is no number are left out, a missing quartile is cut.
 * @param {Record<string, any>} fields @param {any} factor
 */
function drawn({ m, low, median, high }, factor) {
  const kept = m
    .map((/** @type {any} */ _, /** @type {number} */ k) => k)
    .filter((/** @type {number} */ k) => median[k] < Infinity);
  /** @param {any} values */
  const of = (values) => kept.map((/** @type {number} */ k) => factor * values[k]);
  const cut = high.map((/** @type {number} */ value, /** @type {number} */ k) =>
    value < Infinity ? value : median[k],
  );
  return { m: kept.map((/** @type {number} */ k) => m[k]), low: of(low), median: of(median), high: of(cut) };
}
