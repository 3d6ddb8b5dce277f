// The worker's own messages of the page of inverse time: samples that are drawn here, a run with both outputs, a sweep.

Object.assign(Engine.TYPES, {
  people: [true, ["people"], true], sets: [false, ["sets"], true],
  draw: [true, ["m", "seed", "losses", "regularizers"], true],
  iterates: [true, ["step"]], longest: [false, ["m", "seed", "p"], true],
  paced_steps: [true, ["from", "limit", "tolerance", "count", "budget"]],
  cell: [false, ["m", "seed", "choices", "looks", "goal"], true],
});
// A run is certified when it has gone on by this share; how long it goes on before a picture, in milliseconds.
const GROWTH = 16, PICTURE_MS = 25;

Object.assign(Engine.prototype, {
  // What training sets are drawn from: the facts of a source, with the test samples.
  people({ id, people }) {
    const test = people.test ?? two_gaussians(people, people.tested, people.test_state, people.strips);
    this.population = { sets: {}, ...people, test };
    this.answer(id, "people", {});
  },

  // What further training sets are drawn by, by seed and size.
  sets({ id, sets }) {
    Object.assign(this.population.sets, sets);
    this.answer(id, "sets", {});
  },

  // The contents of the message "data" for one training set.
  training({ m, seed }) {
    const { population } = this, by = population.sets[`${seed},${m}`];
    if (population.samples) return of_rows(population, by);
    const { values, y, d } = two_gaussians(population, m, by, population.strips);
    return contents_of(m, d, [], [], values, y);
  },

  async draw({ id, m, seed, losses, regularizers }) {
    await this.data({ id, data: this.training({ m, seed }), losses, regularizers });
  },

  // The largest dual norm of a sample, which bounds the subgradients.
  longest({ id, m, seed, p }) {
    const { values, d, n } = this.training({ m, seed }), q = p / (p - 1);
    let longest = 0;
    for (let i = 0; i < n; i++) {
      const sum = values.subarray(i * d, (i + 1) * d).reduce((a, x) => a + Math.abs(x) ** q, 0);
      longest = Math.max(longest, sum ** (1 / q));
    }
    this.answer(id, "longest", { longest });
  },

  // Steps on: so many, or certified when they have grown by a share, until the time is up or the run ends.
  paced_steps({ id, from, limit, tolerance, count, budget = PICTURE_MS }) {
    const rows = [], until = performance.now() + budget;
    let status = null;
    if (this.steps !== from) this.take_to(from);
    do {
      const asked = count === null ? Math.max(1, Math.floor(this.steps / GROWTH)) : count;
      if (asked > 0) this.advance(limit === null ? asked : Math.min(asked, limit - this.steps));
      rows.push(this.paced_row());
      if (rows.at(-1).relative_gap <= tolerance) status = "converged";
      else if (limit !== null && this.steps >= limit) status = "max_epochs";
    } while (status === null && count === null && performance.now() < until);
    this.answer(id, "paced_steps", { rows, status });
  },

  take_to(step) {
    const from = this.keyframes.findLast((frame) => frame.step <= step);
    if (this.steps > step || this.steps < from.step) this.restore(from);
    this.advance(step - this.steps);
  },

  // The certificates of the averaged and of the last iterate.
  paced_row() {
    const { w, primal, dual, gap, relative_gap } = this.certified(), { solver } = this;
    const last = certify(this.made, this.last_point());
    return {
      step: this.steps, epoch: this.steps / solver.epoch_steps, primal, dual, gap, relative_gap,
      last: last.primal, last_gap: last.gap, score: this.score(w),
    };
  },

  last_point() {
    const { solver } = this, { averages } = solver;
    solver.averages = false;
    const point = solver.point();
    solver.averages = averages;
    return point;
  },

  // The averaged and the last iterate after so many steps, and the dual variables that certify both, as one array.
  iterates({ id, step }) {
    if (this.steps !== step) this.take_to(step);
    const { w, alpha } = this.certified();
    this.answer(id, "iterates", { point: Float64Array.from([...w, ...this.last_point().w.view, ...alpha]) });
  },

  score(w) {
    const { test } = this.population;
    return margins(test, w).reduce((count, z, i) => count + ((z >= 0 ? 1 : -1) === test.y[i]), 0) / test.y.length;
  },

  // The steps to the target on one training set, and how long they took; as `sweep.cell` without a reference.
  cell({ id, m, seed, choices, looks, goal }) {
    const { loss, regularizer, lam, solver } = choices;
    const data = new Data(this.kernels, this.training({ m, seed })), made = new Problem(data, loss, regularizer, lam);
    const run = new PrimalGradient(made, { ...solver, batch: Math.min(solver.batch, data.n) }, seed);
    let steps = Infinity, seconds = 0, done = 0;
    for (const look of looks) {
      const started = performance.now();
      run.advance(look - done, done);
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
    const { reference } = this.population, raw = (of) => this.quality(measure, of);
    const best = (this.population[measure] ??= raw(reference));
    return measure === "accuracy" ? best - raw(w) : raw(w) - best;
  },

  quality(measure, w) {
    const { reference, test } = this.population, length = (x) => Math.sqrt(x.reduce((sum, each) => sum + each * each, 0));
    if (measure === "direction") {
      const size = length(w) || 1, whole = length(reference);
      return length(w.map((value, j) => value / size - reference[j] / whole));
    }
    const found = margins(test, w).map((z, i) => test.y[i] * z);
    if (measure === "accuracy") return found.reduce((count, u) => count + (u > 0), 0) / found.length;
    return found.reduce((sum, u) => sum + Math.max(0, -u) + Math.log1p(Math.exp(-Math.abs(u))), 0) / found.length;
  },
});

// Predictions of the test samples; weights have one more entry where a constant feature was added.
function margins({ values, d, y }, w) {
  const constant = w.length > d ? w[d] : 0, found = new Float64Array(y.length);
  for (let i = 0; i < found.length; i++) {
    let z = constant;
    for (let j = 0; j < d; j++) z += values[i * d + j] * w[j];
    found[i] = z;
  }
  return found;
}

// Some rows of given samples, with a constant feature.
function of_rows({ samples: { values, d, y } }, rows) {
  const wide = d + 1, offsets = Uint32Array.from({ length: rows.length + 1 }, (_, i) => i * wide);
  const indices = Uint32Array.from({ length: rows.length * wide }, (_, k) => k % wide), found = new Float64Array(indices.length).fill(1);
  rows.forEach((row, i) => found.set(values.subarray(row * d, (row + 1) * d), i * wide));
  return contents_of(rows.length, wide, offsets, indices, found, Float64Array.from(rows, (row) => y[row]));
}

function contents_of(n, d, offsets, indices, values, y) {
  return { n, d, offsets, indices, values, y, weight: new Float64Array(n).fill(1), free_bias: false, kernel: null };
}
