// The worker's own messages of the page of inverse time: samples that are drawn here, a run with both outputs, a sweep.
// `engine.py` answers the same in Python.

import { certify } from "../wasm/javascript/certificate.js";
import { Engine } from "../wasm/javascript/engine.js";
import { PrimalGradient } from "../wasm/javascript/primal.js";
import { Data, Problem } from "../wasm/javascript/problem.js";
import { twoGaussians } from "./draw.js";

Object.assign(Engine.TYPES, {
  people: [true, ["people"], true],
  constants: [false, ["m", "seed", "p"], true],
  paced_problem: [true, ["m", "seed", "p", "loss", "regularizer", "lam", "solver"], true],
  paced_steps: [true, ["after", "limit", "tolerance", "count", "budget"]],
  cell: [false, ["m", "seed", "choices", "looks", "goal"], true],
});
// A run is certified when it has gone on by this share; how long it goes on before a picture, in milliseconds.
const GROWTH = 16;
const PICTURE_MS = 25;

/** @type {Record<string, (...message: any[]) => any> & ThisType<any>} */
const MESSAGES = {
  // What training sets are drawn from: the facts of a source, with the test samples.
  people({ id, people }) {
    const test = people.test ?? twoGaussians(people, people.tested, people.test_state, people.strips);
    this.population = { ...people, test };
    this.answer(id, "people", {});
  },

  // The contents of the message "data" for one training set.
  training({ m, seed }) {
    const { population } = this;
    const by = population.sets[`${seed},${m}`];
    if (population.samples) return ofRows(population, by);
    const { values, y, d } = twoGaussians(population, m, by, population.strips);
    return contentsOf(m, d, [], [], values, y);
  },

  // A problem at zero on one training set.
  async paced_problem({ id, m, seed, p, loss, regularizer, lam, solver }) {
    const drawn = `${seed},${m}`;
    const { population } = this;
    if (population.drawn !== drawn) {
      await this.load({ data: this.training({ m, seed }), losses: {}, regularizers: {} });
      population.drawn = drawn;
    }
    this.begin({ loss, regularizer, lam, solver, seed });
    this.answer(id, "paced_problem", { n: this.held.n, row: this.pacedRow(), ...this.constantsOf({ m, seed, p }) });
  },

  constants({ id, ...of }) {
    this.answer(id, "constants", this.constantsOf(of));
  },

  // L, the largest dual norm of a sample, which bounds the subgradients, and G, the regularizer at the best weights.
  constantsOf({ m, seed, p }) {
    const { values, d, n } = this.training({ m, seed });
    const q = p / (p - 1);
    /** @param {any} x @param {any} power */
    const length = (x, power) =>
      x.reduce((/** @type {any} */ sum, /** @type {any} */ each) => sum + Math.abs(each) ** power, 0) ** (1 / power);
    let L = 0;
    for (let i = 0; i < n; i++) L = Math.max(L, length(values.subarray(i * d, (i + 1) * d), q));
    return { L, G: length(this.population.reference, p) ** 2 / (2 * (p - 1)) };
  },

  // Steps on: so many, or certified when they have grown by a share, until the time is up or the run ends.
  paced_steps({ id, after, limit, tolerance, count, budget = PICTURE_MS }) {
    const rows = [];
    const until = performance.now() + budget;
    let status = null;
    if (this.steps !== after) this.takeTo(after);
    do {
      const asked = count === null ? Math.max(1, Math.floor(this.steps / GROWTH)) : count;
      this.advance(limit === null ? asked : Math.min(asked, limit - this.steps));
      rows.push(this.pacedRow());
      if (rows.at(-1).relative_gap <= tolerance) status = "converged";
      else if (limit !== null && this.steps >= limit) status = "max_epochs";
    } while (status === null && count === null && performance.now() < until);
    this.answer(id, "paced_steps", { rows, status });
  },

  takeTo(step) {
    const from = this.keyframes.findLast((/** @type {any} */ frame) => frame.step <= step);
    if (this.steps > step || this.steps < from.step) this.restore(from);
    this.advance(step - this.steps);
  },

  // The certificates of the averaged and of the last iterate.
  pacedRow() {
    const { w, primal, dual, gap, relative_gap } = this.certified();
    const { solver } = this;
    const last = certify(this.made, this.lastPoint());
    return {
      step: this.steps,
      epoch: this.steps / solver.epoch_steps,
      primal,
      dual,
      gap,
      relative_gap,
      last: last.primal,
      last_gap: last.gap,
      score: this.score(w),
    };
  },

  lastPoint() {
    const { solver } = this;
    const { averages } = solver;
    solver.averages = false;
    const point = solver.point();
    solver.averages = averages;
    return point;
  },

  score(w) {
    const { test } = this.population;
    return margins(test, w).reduce((count, z, i) => count + Number((z >= 0 ? 1 : -1) === test.y[i]), 0) / test.y.length;
  },

  // The steps to the target on one training set, and how long they took; as `sweep.cell` without a reference.
  cell({ id, m, seed, choices, looks, goal }) {
    const { loss, regularizer, lam, solver } = choices;
    const data = new Data(this.kernels, this.training({ m, seed }));
    const made = new Problem(data, loss, regularizer, lam);
    const run = new PrimalGradient(made, { ...solver, batch: Math.min(solver.batch, data.n) }, seed);
    let steps = Infinity;
    let seconds = 0;
    let done = 0;
    for (const look of looks) {
      const started = performance.now();
      run.advance(look - done);
      done = look;
      seconds += (performance.now() - started) / 1000;
      if (this.distance(goal, run.point().w.view) <= goal.target) {
        steps = look;
        break;
      }
    }
    const found = { m: data.n, seed, steps, seconds: steps < Infinity ? seconds : Infinity };
    for (const part of [run, made, data]) part.release();
    this.answer(id, "cell", { cell: found });
  },

  // How far weights are from those of the population, by a measure.
  distance({ measure }, w) {
    const { reference } = this.population;
    /** @param {any} of */
    const raw = (of) => this.quality(measure, of);
    const best = (this.population[measure] ??= raw(reference));
    return measure === "Test accuracy" ? best - raw(w) : raw(w) - best;
  },

  quality(measure, w) {
    const { reference, test } = this.population;
    /** @param {any} x */
    const length = (x) =>
      Math.sqrt(x.reduce((/** @type {any} */ sum, /** @type {any} */ each) => sum + each * each, 0));
    if (measure === "Direction") {
      const size = length(w) || 1;
      const whole = length(reference);
      return length(
        w.map((/** @type {number} */ value, /** @type {number} */ j) => value / size - reference[j] / whole),
      );
    }
    const found = margins(test, w).map((z, i) => test.y[i] * z);
    if (measure === "Test accuracy") return found.reduce((count, u) => count + Number(u > 0), 0) / found.length;
    return found.reduce((sum, u) => sum + Math.max(0, -u) + Math.log1p(Math.exp(-Math.abs(u))), 0) / found.length;
  },
};
Object.assign(Engine.prototype, MESSAGES);

/**
 * Predictions of the test samples; weights have one more entry where a constant feature was added.
 * @param {Record<string, any>} fields @param {any} w
 */
function margins({ values, d, y }, w) {
  const constant = w.length > d ? w[d] : 0;
  const found = new Float64Array(y.length);
  for (let i = 0; i < found.length; i++) {
    let z = constant;
    for (let j = 0; j < d; j++) z += values[i * d + j] * w[j];
    found[i] = z;
  }
  return found;
}

/**
 * Some rows of given samples, with a constant feature.
 * @param {any} fields @param {any} rows
 */
function ofRows({ samples: { values, d, y } }, rows) {
  const wide = d + 1;
  const offsets = Uint32Array.from({ length: rows.length + 1 }, (_, i) => i * wide);
  const indices = Uint32Array.from({ length: rows.length * wide }, (_, k) => k % wide);
  const found = new Float64Array(indices.length).fill(1);
  rows.forEach((/** @type {number} */ row, /** @type {number} */ i) =>
    found.set(values.subarray(row * d, (row + 1) * d), i * wide),
  );
  return contentsOf(
    rows.length,
    wide,
    offsets,
    indices,
    found,
    Float64Array.from(rows, (row) => y[row]),
  );
}

/**
 * @param {number} n
 * @param {number} d
 * @param {any} offsets
 * @param {any} indices
 * @param {any} values
 * @param {any} y
 */
function contentsOf(n, d, offsets, indices, values, y) {
  return { n, d, offsets, indices, values, y, weight: new Float64Array(n).fill(1), free_bias: false, kernel: null };
}
