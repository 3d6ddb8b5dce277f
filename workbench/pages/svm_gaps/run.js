// Pair steps by an engine, each of them certified and kept, and beside them the end of a long run of a second engine.

// Steps that a press of "10 steps" makes, that a run makes until one presses again, and those of a solve in a drag.
const AT_ONCE = 10, MOST_STEPS = 20000, SOLVE_STEPS = 200000;
// The steps before a solution are fetched so many at once, and are seen every so many milliseconds.
const FETCHED = 50, FETCH_MS = 1000;
// The reference ends at this violation, 1e-3 of the least tolerance that the page offers.
const REFERENCE = 1e-9;
// The violation that the page finds may be another than the solver's by rounding.
const MET = 1 + 1e-9;

class PairRun {
  // `start` gives the engine of a name, here or on the server; `solver` has the facts of the solver; `grid` is the number
  // of places along a side of the square; `changed` is called for each new picture, and `failed` with an error.
  constructor({ start, solver, grid, half_width, changed, failed }) {
    const axis = Array.from({ length: grid }, (_, k) => -half_width + (2 * half_width * k) / (grid - 1));
    const points = axis.flatMap((v) => axis.map((u) => [u, v]));
    Object.assign(this, { start, solver, axis, points, changed, failed, engines: {}, is_slow: false });
    Object.assign(this, { turn: 0, moves: 0, lab: null, rows: [], at: 0, optimum: null, playing: false, ended: null });
    Object.assign(this, { is_dragged: false, busy: Promise.resolve(), waiting: 0 });
  }

  get status() { return this.ended ?? (this.playing ? "running" : "paused"); }

  // What is drawn: nothing before the first problem.
  get shown() { return this.lab ? [this] : []; }

  get is_answered() { return this.waiting === 0; }

  // Ends all engines; what is asked for next has new ones.
  close() {
    for (const each of Object.values(this.engines)) each.then((engine) => engine.close(), () => {});
    this.engines = {};
  }

  // A problem {X, y, C, kernel, selection, held} at zero or, where a `tolerance` is given, at its solution; the steps
  // before that come behind its picture, unless points are dragged. Whether it is still the one that was asked for.
  async begin(posed, { tolerance = null, is_dragged = false } = {}) {
    const turn = ++this.turn, { X, kernel } = posed, key = JSON.stringify([X, kernel]);
    this.pressed();
    const known = this.lab?.key === key ? this.lab : {
      key, K: kernel_matrix(kernel_of(kernel), X, X), surface: kernel_matrix(kernel_of(kernel), this.points, X),
    };
    const lab = { ...known, ...posed }, most = tolerance === null ? 0 : is_dragged ? SOLVE_STEPS : MOST_STEPS;
    lab.engine = this.engine("run", lab);
    const row = this.row(lab, await this.solved("run", lab, tolerance ?? 0, most));
    if (turn !== this.turn) return false;
    const met = row.violation <= tolerance * MET ? "converged" : row.step < most ? "stalled" : "max_epochs";
    Object.assign(this, { lab, rows: [row], at: 0, optimum: null, is_dragged, ended: most && !is_dragged ? met : null });
    if (is_dragged) return true;
    if (row.step > 0) this.queue(() => this.fetch(turn)).catch((error) => { if (turn === this.turn) this.failed(error); });
    this.refer(lab, turn);
    return true;
  }

  engine(name, { held: { is_here } }) { return (this.engines[`${name} ${is_here}`] ??= this.start(name, is_here)); }

  // The certificate and the event after so many steps from zero, at most.
  async solved(name, lab, tol, steps) {
    const { key, y, C, selection, held: { data, terms } } = lab, engine = await this.engine(name, lab), asked = [];
    // A worker loads its kernels with the first data, and must have done so before anything else comes.
    engine.begun ??= engine.ask("data", { ...engine.facts, ...data });
    await engine.begun;
    // Sent together, so that those of another problem cannot come between them.
    if (engine.key !== key) asked.push(engine.ask("data", data));
    engine.key = key;
    const solver = { ...this.solver, tol, selection };
    asked.push(engine.ask("problem", { ...terms, lam: 1 / (C * y.length), solver, seed: 0 }), this.stepped(engine, steps));
    return (await Promise.all(asked)).at(-1);
  }

  // Steps, with the certificate after them and what the last one did.
  async stepped(engine, count) {
    const asked = count > 0 ? engine.ask("step", { count }) : engine.ask("frame");
    const [{ step, epoch, event }, { alpha }] = await Promise.all([asked, engine.ask("certificate")]);
    return { step, epoch, event, alpha };
  }

  row({ K, y, C }, { step, epoch, event, alpha }) {
    const a = dual_variables(alpha, y, C), { slacks, f, breakpoints, values, ...found } = svm_gap(K, y, C, a);
    return { step, epoch, event, a, ...found };
  }

  // So many single steps on, each with its row.
  async advanced(count) {
    const { lab } = this, engine = await lab.engine;
    const all = await Promise.all(Array.from({ length: count }, () => this.stepped(engine, 1)));
    return all.map((solved) => this.row(lab, solved));
  }

  // The steps before a solution, from zero; the engine stands at the solution again then.
  async fetch(turn) {
    const { lab, rows: [last] } = this, before = [];
    let told = performance.now();
    before.push(this.row(lab, await this.solved("run", lab, 0, 0)));
    while (turn === this.turn && before.length <= last.step) {
      const found = await this.advanced(Math.min(FETCHED, last.step + 1 - before.length));
      if (turn !== this.turn) return;
      before.push(...found);
      if (before.length <= last.step && performance.now() - told < FETCH_MS) continue;
      told = performance.now();
      const is_last = this.at === this.rows.length - 1;
      this.rows = before.length > last.step ? before : [...before, last];
      if (is_last) this.at = this.rows.length - 1;
      this.changed();
    }
  }

  // The end of a long run, which true distances are measured from; solved beside the run that one sees.
  async refer(lab, turn) {
    const before = this.referring;
    let done;
    this.referring = new Promise((resolve) => { done = resolve; });
    this.waiting++;
    await before;
    try {
      if (turn !== this.turn) return;
      const { a } = this.row(lab, await this.solved("reference", { ...lab, selection: "first-order" }, REFERENCE, SOLVE_STEPS));
      if (turn !== this.turn) return;
      this.optimum = svm_gap(lab.K, lab.y, lab.C, a);
      this.changed();
    } catch (error) {
      this.failed(error);
    } finally {
      this.waiting--;
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
    const stands = this.pressed({ playing: true, is_dragged: false });
    try {
      while (stands()) {
        const { violation, step } = this.rows[this.at];
        if (violation <= tolerance) this.pressed({ ended: "converged" });
        else if (step >= limit) this.pressed({ ended: "max_epochs" });
        // Single steps first, later ever more for each picture.
        else if (!(await this.forward(this.is_slow ? 1 : 1 + Math.floor(this.at / AT_ONCE), tolerance)) && stands()) this.pressed({ ended: "stalled" });
        this.changed();
        if (this.is_slow && stands()) await new Promise((done) => { setTimeout(done, SLOW_MS); });
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
      this.changed();
    } catch (error) {
      this.failed(error);
    }
  }

  pause() {
    this.pressed();
    this.changed();
  }

  // Where one looks back to.
  seek(place) {
    if (!this.rows.length) return;
    this.pressed({ at: Math.min(place, this.rows.length - 1) });
    this.changed();
  }

  // One after another, so that each goes on from what the one before has kept.
  queue(act) {
    this.waiting++;
    this.busy = this.busy.catch(() => {}).then(act);
    return this.busy.finally(() => { this.waiting--; });
  }

  forward(count, tolerance = -1) {
    const { turn } = this;
    return this.queue(() => turn !== this.turn || this.go(turn, count, tolerance));
  }

  // So many steps on, from what is kept or anew, those of a run until the tolerance is met; whether there was one.
  async go(turn, count, tolerance) {
    if (this.at + 1 < this.rows.length) {
      this.at = Math.min(this.at + count, this.rows.length - 1);
      return true;
    }
    if (this.rows.at(-1).violation <= 0) return false;
    const all = await this.advanced(count);
    if (turn !== this.turn) return true;
    const before = this.rows.length;
    for (const row of all) {
      if (row.step !== this.rows.at(-1).step) this.rows.push(row);
    }
    const met = this.rows.findIndex(({ violation }, k) => k >= before && violation <= tolerance);
    if (met >= 0 && met + 1 < this.rows.length) {
      this.rows.length = met + 1;
      await (await this.lab.engine).ask("seek", { step: this.rows[met].step });
    }
    this.at = this.rows.length - 1;
    return this.at >= before;
  }

  // Everything that one picture shows.
  get frame() {
    const { lab, optimum, axis, rows } = this, row = rows[this.at], { a, step, event } = row, found = svm_gap(lab.K, lab.y, lab.C, a);
    const factors = a.map((value, i) => lab.y[i] * value), surface = times(lab.surface, factors).map((value) => value + found.bias);
    return {
      ...lab, row, a, step, event, found, optimum, surface, rows,
      kinds: kinds_of(a, lab.C), lines: [-1, 0, 1].map((level) => contours(axis, surface, level)),
    };
  }
}
