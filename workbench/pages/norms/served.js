// A served page of norms in the browser: its runs by the engine, its frames in the figures of the page.

const ROW = ["step", "primal", "dual", "gap", "relative_gap", "raw", "repaired", "better", "dual_norm", "scaling"];

class ServedRun extends norm_run(kept(LentRun)) {
  begun = 0;

  // How often the worker has been asked for steps that are not here yet.
  waits = 0;

  most = MOST_STEPS;

  get messages() { return WORKER; }

  get settings() { return { ...this.looked, tolerance: this.tolerance }; }

  samples() { return this.held; }

  get status() { return this.ended ?? (this.playing ? "running" : "paused"); }

  async hold({ data, colours }) {
    const { kernels, functions } = this;
    this.figures = new NormsFigures(by_id, this.ids, this.texts, colours);
    await this.engine.ask("data", { kernels, functions, data, losses: {}, regularizers: {} });
  }

  // A problem at zero or, by the same steps, where the server has left it; `rows` are its gaps so far.
  start({ loss, regularizer, lam, solver, at, rows, looked, largest, free }) {
    const lab = { lam, largest, free, is_norm: regularizer.norm };
    Object.assign(this, { asked: ++this.begun, lab, looked, picture: null, rows: read_rows(rows, ROW) });
    this.pressed({ at: this.rows.findIndex(({ step }) => step === at) });
    this.ask("problem", { loss, regularizer, lam, solver, seed: 0 });
  }

  halt() { this.pressed(); }

  press(order) {
    this.catches_up = false;
    if (order === "run") this.run();
    else if (order === "step" || order === "epoch") this.go(order);
    else {
      // What a run that is paused has asked for already is its end.
      this.catches_up = this.at === this.rows.length - 1;
      this.pressed();
      this.soon();
    }
  }

  // Another section of the dual ball, or another halving.
  look({ looked }) {
    this.looked = { ...this.looked, ...looked };
    if (this.asked !== Infinity) this.soon();
  }

  // As many steps for each picture as there were before it, as far as there is time: a run ends soon also where pictures
  // take long.
  pace({ count }) { return count ?? (this.slow ? 1 : Math.max(AT_ONCE, this.at)); }

  async further(request) {
    this.waits++;
    try {
      return await super.further(request);
    } finally {
      this.waits--;
    }
  }

  async paint(asked) {
    if (asked !== this.asked || asked === Infinity || this.still) return;
    const { turn, sought } = this;
    if (sought !== null) {
      Object.assign(this, { sought: null, catches_up: false });
      this.pressed({ at: Math.min(sought, this.rows.length - 1) });
    }
    const { status, ended } = this, rests = status !== "running";
    // What is on its way is drawn first: of a press, or of a run that was paused meanwhile.
    if (rests && (this.stepping || this.waits)) return;
    if (rests && this.catches_up) this.at = this.rows.length - 1;
    const frame = await this.seen(this.lab);
    if (frame === null || this.still) return;
    const { row: { step }, state, event } = frame.picture;
    this.figures.show({ ...frame, curves: this.rows });
    this.mark(step < frame.last ? step : null);
    document.body.dataset.engine = "browser";
    if (rests || performance.now() - this.spoken > READ_MS) this.speak({ ...frame, curves: this.rows }, status);
    if (rests) this.report(turn, { step, status: ended, state: Float64Array.from(state), rows: flat_rows(frame.rows, ROW), event });
  }

  between() { return painted(); }

  speak(frame, status) {
    const { picture: { row: { step } } } = frame, sentence = this.figures.say(status, { steps: step, tolerance: this.tolerance });
    this.write(this.figures.captions(frame), this.figures.statistics(frame), sentence);
    this.stand(this.rows, step, "step");
  }
}
