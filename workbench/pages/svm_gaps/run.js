// Pair steps in the worker, each of them certified and kept, and beside them the end of a long run of a second engine.

// Steps that a press of "10 steps" makes, that a run makes until one presses again, and those of a solve at once.
const AT_ONCE = 10, MOST_STEPS = 20000, SOLVE_STEPS = 200000;
// The reference ends at this violation, 1e-3 of the least tolerance that the page offers.
const REFERENCE = 1e-9;

class PairRun {
  // `engine` and `second`, which makes another one; `facts` of the loss and the regularizer, and `solver`; the sides of a
  // `grid` over the square; `changed` is called for each new picture, and `failed` with an error.
  constructor({ engine, second, facts: { losses, regularizers }, solver, grid, half_width, changed, failed }) {
    const axis = Array.from({ length: grid }, (_, k) => -half_width + (2 * half_width * k) / (grid - 1));
    const points = axis.flatMap((v) => axis.map((u) => [u, v]));
    Object.assign(this, { engine, second, losses, regularizers, solver, axis, points, changed, failed });
    Object.assign(this, { turn: 0, moves: 0, lab: null, rows: [], at: 0, optimum: null, playing: false, ended: null });
    Object.assign(this, { is_solved: false, busy: Promise.resolve(), waiting: 0 });
  }

  get status() { return this.ended ?? (this.playing ? "running" : "paused"); }

  // A problem {X, y, C, kernel, selection} at zero, after the steps of `rows` that are known, or, where a `tolerance` is
  // given, at its solution, without the rows before; whether it is still the one that was asked for.
  async begin(posed, { rows = [], tolerance = null } = {}) {
    const turn = ++this.turn, { X, kernel } = posed, key = JSON.stringify([X, kernel]);
    this.pressed();
    const known = this.lab?.key === key ? this.lab : {
      key, K: kernel_matrix(kernel_of(kernel), X, X), surface: kernel_matrix(kernel_of(kernel), this.points, X),
    };
    const lab = { ...known, ...posed }, is_solved = tolerance !== null, done = rows.at(-1)?.step ?? 0;
    const solved = await this.solved(this.engine, lab, tolerance ?? 0, is_solved ? SOLVE_STEPS : done);
    if (turn !== this.turn) return false;
    const kept = [...rows.filter(({ step }) => step < solved.step), this.row(lab, solved)];
    Object.assign(this, { lab, rows: kept, at: kept.length - 1, optimum: null, is_solved });
    if (!is_solved) this.refer(lab, turn);
    return true;
  }

  // The certificate and the event after so many steps from zero.
  async solved(engine, { X, y, C, kernel, selection }, tol, steps) {
    const n = y.length, { losses, regularizers } = this;
    const [[loss], [regularizer]] = [losses, regularizers].map((table) => Object.keys(table));
    const data = {
      n, d: 2, offsets: [], indices: [], values: X.flat(), y, weight: new Float64Array(n).fill(1), free_bias: true, kernel,
    };
    const solver = { ...this.solver, tol, selection };
    // Sent together, so that those of another problem cannot come between them.
    const asked = [
      engine.ask("data", { data, losses, regularizers }),
      engine.ask("problem", { loss, regularizer, lam: 1 / (C * n), solver, seed: 0 }), this.stepped(engine, steps),
    ];
    return (await Promise.all(asked)).at(-1);
  }

  // Steps, with the certificate after them and what the last one did.
  async stepped(engine, count) {
    const asked = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
    const [frame, { alpha }] = await Promise.all([asked, engine.ask("certificate")]);
    return { step: frame.step, event: frame.event, alpha };
  }

  row({ K, y, C }, { step, event, alpha }) {
    const a = dual_variables(alpha, y, C), { slacks, f, breakpoints, values, ...found } = svm_gap(K, y, C, a);
    return { step, event, a, ...found };
  }

  // The end of a long run, which true distances are measured from; solved beside the run that one sees.
  async refer(lab, turn) {
    const busy = this.referring;
    let done;
    this.referring = new Promise((resolve) => { done = resolve; });
    await busy;
    try {
      if (turn !== this.turn) return;
      this.other ??= await this.second();
      const { a } = this.row(lab, await this.solved(this.other, { ...lab, selection: "first-order" }, REFERENCE, SOLVE_STEPS));
      if (turn !== this.turn) return;
      this.optimum = svm_gap(lab.K, lab.y, lab.C, a);
      this.changed();
    } catch (error) {
      this.failed(error);
    } finally {
      done();
    }
  }

  // What a press changes; the function that is returned says whether nothing was pressed or asked for since.
  pressed(changes = {}) {
    const { turn } = this, move = ++this.moves;
    Object.assign(this, { playing: false, ended: null, ...changes });
    return () => turn === this.turn && move === this.moves;
  }

  // Steps until the tolerance is met; each is certified and kept, so that one may look back.
  async run(tolerance) {
    if (!this.rows.length) return;
    const limit = MOST_STEPS * (Math.floor(this.rows[this.at].step / MOST_STEPS) + 1);
    const stands = this.pressed({ playing: true, is_solved: false });
    try {
      while (stands()) {
        const { violation, step } = this.rows[this.at];
        if (violation <= tolerance) this.pressed({ ended: "converged" });
        else if (step >= limit) this.pressed({ ended: "max_epochs" });
        // Single steps first, later ever more for each picture.
        else if (!(await this.forward(this.is_slow ? 1 : 1 + Math.floor(this.at / AT_ONCE), tolerance)) && stands()) this.pressed({ ended: "stalled" });
        this.changed();
        if (this.is_slow) await new Promise((done) => { setTimeout(done, SLOW_MS); });
      }
    } catch (error) {
      this.failed(error);
    }
  }

  async step(count) {
    if (!this.rows.length) return;
    const stands = this.pressed();
    try {
      if (!(await this.forward(count)) && stands()) this.ended = "stalled";
    } catch (error) {
      this.failed(error);
    }
    this.changed();
  }

  pause() {
    this.pressed();
    this.changed();
  }

  // Where one looks back to.
  seek(place) {
    this.pressed({ at: Math.min(place, this.rows.length - 1) });
    this.changed();
  }

  // The dual variables of a row that was known from elsewhere; the engine stands at the last row again then.
  async fill(place) {
    const { turn, rows, lab } = this, { step, a } = rows[place];
    if (a) return;
    const [{ event }, { alpha }] = await Promise.all([
      this.engine.ask("seek", { step }), this.engine.ask("certificate"), this.engine.ask("seek", { step: rows.at(-1).step }),
    ]);
    if (turn === this.turn) rows[place] = this.row(lab, { step, event, alpha });
  }

  // One after another, so that each goes on from what the one before has kept; `waiting` counts those that are not done.
  forward(count, tolerance = -1) {
    const { turn } = this;
    this.waiting++;
    this.busy = this.busy.catch(() => {}).then(() => turn !== this.turn || this.go(turn, count, tolerance));
    return this.busy.finally(() => { this.waiting--; });
  }

  // So many steps on, from what is kept or anew, those of a run until the tolerance is met; whether there was one.
  async go(turn, count, tolerance) {
    if (this.at + 1 < this.rows.length) {
      const place = Math.min(this.at + count, this.rows.length - 1);
      await this.fill(place);
      if (turn === this.turn) this.at = place;
      return true;
    }
    if (this.rows.at(-1).violation <= 0) return false;
    const all = await Promise.all(Array.from({ length: count }, () => this.stepped(this.engine, 1)));
    if (turn !== this.turn) return true;
    const before = this.rows.length;
    for (const solved of all) {
      if (solved.step !== this.rows.at(-1).step) this.rows.push(this.row(this.lab, solved));
    }
    const met = this.rows.findIndex(({ violation }, k) => k >= before && violation <= tolerance);
    if (met >= 0 && met + 1 < this.rows.length) {
      this.rows.length = met + 1;
      await this.engine.ask("seek", { step: this.rows[met].step });
    }
    this.at = this.rows.length - 1;
    return this.at >= before;
  }

  // Everything that one picture shows.
  get frame() {
    const { lab, optimum, axis } = this, { a, step, event } = this.rows[this.at], found = svm_gap(lab.K, lab.y, lab.C, a);
    const factors = a.map((value, i) => lab.y[i] * value), surface = times(lab.surface, factors).map((value) => value + found.bias);
    return {
      ...lab, a, step, event, found, optimum, surface, rows: this.rows.slice(0, this.at + 1).map((row) => this.distances(row)),
      kinds: kinds_of(a, lab.C), last: this.rows.at(-1).step, lines: [-1, 0, 1].map((level) => contours(axis, surface, level)),
    };
  }

  // Against the far end of the reference's bracket: upper bounds of the distances themselves.
  distances(row) {
    const { optimum } = this, away = (distance) => (optimum ? Math.max(0, distance) : NaN);
    return { ...row, primal: away(row.primal - optimum?.dual), dual: away(optimum?.primal - row.dual) };
  }
}
