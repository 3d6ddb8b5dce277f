// The page of inverse time in one file: a run of PGS in one worker and a sweep over training sets in another.

const OF_THE_RUN = ["source", "p", "lam", "batch", "order", "samples", "seed"];
const OF_THE_SWEEP = ["source", "p", "lam", "batch", "order", "measure", "target", "seeds"];

class InverseTime extends paced(KeptRun) {
  constructor(page, model, engine) {
    super(page, model, engine, MOST_STEPS);
    this.figures = new InverseTimeFigures(model, page.ids, page.texts);
    this.figures.bounded = page.bounded;
    Object.assign(this, { sweeps: 0, cells: [], swept: null });
  }

  static beginning({ problem }) { return problem; }

  // --- what is chosen

  // The address names the data first, whose sizes are those of the run.
  follow(address) {
    super.follow(address);
    this.fit();
    super.follow(address);
  }

  // The sizes of the present data as those of the run; the page's own where the present one is not among them.
  fit() {
    const each = this.boxes.samples, control = this.page.controls.samples;
    if (!each) return;
    const { sizes, otherwise } = this.page.sources[this.settings.source], now = control.values[each.value];
    control.values = sizes;
    each.max = sizes.length - 1;
    each.value = sizes.indexOf(sizes.includes(now) ? now : otherwise);
    each.dataset.said = JSON.stringify(sizes.map((m) => written(m, ",")));
  }

  chosen(name) {
    if (name === "tolerance") return this.run();
    if (name === "source") this.fit();
    this.told(this.settings);
    if (name === "c") return this.soon();
    if (OF_THE_SWEEP.includes(name)) this.sweep();
    return OF_THE_RUN.includes(name) ? this.restart() : this.soon();
  }

  choices({ p, lam, batch, order, source }) {
    const { loss, regularizers } = this.page.sources[source].held;
    return { loss, regularizer: regularizers[this.place_of(p)], lam, solver: { ...this.page.solver, batch, order } };
  }

  place_of(p) { return this.page.controls.p.values.indexOf(p); }

  // The facts of a source, which an engine is told once.
  async tell(engine, { source }) {
    const known = this.page.sources[source];
    known.held ??= await opened(known.facts);
    if (engine.source === source) return;
    engine.source = source;
    await engine.ask("people", { people: known.held.people });
  }

  // --- the run

  // A new problem at zero; a run of it where `play` says so. The last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked, { settings } = this;
    this.told(settings);
    Object.assign(this, { playing: false, ended: null, rows: [], at: 0, lab: null });
    if (this.sweeps === 0) this.sweep();
    try {
      const { samples, seed, batch } = settings;
      await this.tell(this.engine, settings);
      if (turn !== this.asked) return;
      const { loss, regularizer, ...more } = this.choices(settings);
      // Sent together, so that those of another problem cannot come between them.
      const asked = [
        this.engine.ask("draw", { m: samples, seed, losses: { loss }, regularizers: { regularizer } }),
        this.engine.ask("problem", { loss: "loss", regularizer: "regularizer", seed, ...more }),
        this.engine.ask("paced_steps", { from: 0, limit: null, tolerance: -1, count: 0 }),
        this.engine.ask("longest", { m: samples, seed, p: settings.p }),
      ];
      const [{ n }, , { rows }, { longest }] = await Promise.all(asked);
      if (turn !== this.asked) return;
      Object.assign(this, { rows, lab: { settings, L: longest, lam: settings.lam, epoch: Math.floor(n / batch) } });
    } catch (error) {
      if (turn === this.asked) this.refuse(error);
      this.keep();
      return;
    }
    this.soon();
    if (play) this.run();
  }

  // --- the sweep

  // All sizes of one seed before the next, so that every size fills in; the newest sweep counts.
  async sweep() {
    const turn = ++this.sweeps, { settings } = this, { swept: sizes, G } = this.page.sources[settings.source];
    const whole = settings.seeds * sizes.length, busy = this.sweeping;
    let done;
    this.sweeping = new Promise((resolve) => { done = resolve; });
    await busy;
    try {
      if (turn !== this.sweeps) return;
      this.other ??= await WorkbenchEngine.start({ ...this.page.engine, problem: this.page.problem });
      await this.tell(this.other, settings);
      const choices = this.choices(settings), { looks } = this.page, { measure, target, p } = settings;
      const { longest } = await this.other.ask("longest", { m: sizes.at(-1), seed: 0, p });
      const constants = { L: longest, G: G[this.place_of(p)] };
      const goal = { measure: this.page.measures[measure], target }, cells = [];
      // The first solve of a worker takes the time of its compiler as well.
      if (!this.swept) await this.other.ask("cell", { m: sizes[0], seed: 0, choices, looks, goal });
      for (let seed = 0; seed < settings.seeds; seed++) {
        for (const m of sizes) {
          const { cell } = await this.other.ask("cell", { m, seed, choices, looks, goal });
          if (turn !== this.sweeps) return;
          cells.push(cell);
          this.swept = {
            cells, constants, running: cells.length < whole, whole,
            settings: { ...settings, is_bounded: measure === this.page.bounded },
          };
          if (this.lab) this.soon();
          else this.show_sweep();
        }
      }
    } catch (error) {
      put_html("x-text-sweep", `<div class='wb-status bad' role='status'>${escaped(error.message)}</div>`);
    } finally {
      done();
    }
  }

  show_sweep() {
    if (!this.swept) return;
    const { cells, running, whole } = this.swept, said_of = this.figures.say(running ? "sweeping" : "swept", { count: cells.length, whole });
    this.caption(this.figures.sweep({ ...this.swept, c: this.settings.c }));
    put_html("x-text-sweep", `<div class='wb-status' role='status'>${escaped(said_of)}</div>`);
    document.body.dataset.cells = running ? "some" : cells.length;
  }

  // --- the picture

  caption(sentences) {
    for (const [name, text] of Object.entries(sentences)) put_html(`x-line-${name}`, escaped(text));
  }

  paint(turn) {
    this.show_sweep();
    if (turn !== this.asked || !this.lab) return;
    const { lab, at, status } = this, { step } = this.rows[at];
    const frame = { ...lab, rows: this.rows.slice(0, at + 1), last: this.rows.at(-1).step };
    this.caption(this.figures.run(frame));
    put_html("x-text-numbers", this.figures.statistics(frame));
    this.scrub(this.rows.length - 1, at, this.figures.say("steps", { steps: step }));
    this.say(this.figures.say(status, { steps: step, tolerance: this.settings.tolerance }), false, status);
    Object.assign(document.body.dataset, { shown: "inverse-time", step });
  }

  // The Python that gives the same run in a notebook.
  code({ source, samples, seed, p, lam, batch, order, tolerance }) {
    const { bias } = this.page.sources[source];
    return (
      `import workbench as wb\n\nX, y = wb.data.examples.gaussians(\n  '${source}',\n  ${samples}, ${seed})\n` +
      `p = wb.Problem(\n  X, y, loss='logistic',\n  regularizer='p-norm:p=${python_number(p)}',\n` +
      `  lam=${python_number(lam)},\n  bias=${bias})\npgs = wb.solvers.PrimalGradient(\n` +
      `  batch=${batch}, order='${order}')\ns = wb.solve(p, pgs, tol=${written(tolerance, "g")},\n` +
      `  seed=${seed})\nprint(s.primal, s.dual, s.gap)`
    );
  }
}

const start = (text) => begin(text, InverseTime);
