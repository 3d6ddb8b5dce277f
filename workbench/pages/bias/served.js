// The served page on biases in the browser: the runs of both algorithms, each by an engine of its own.

class ServedRun extends LentRun {
  get messages() { return MESSAGES; }

  async hold({ data }) {
    const { packed, kernels, functions } = this;
    this.runs ??= this.made(packed.source);
    const facts = { kernels, functions, data, losses: {}, regularizers: {} };
    await Promise.all([this.engine, this.other].map((engine) => engine.ask("data", facts)));
  }

  made(source) {
    const runs = new Tracks({
      epochs: MOST_EPOCHS, profile: PROFILE, changed: () => this.soon(), failed: (error) => this.refuse(error),
    });
    this.other = new WorkbenchEngine(source);
    const [full, small] = Object.keys(PARTS);
    this.tracks = { [full]: runs.track(full, this.engine), [small]: runs.track(small, this.other) };
    Object.assign(this, { begun: 0, orders: 0, figures: new BiasFigures(by_id, this.ids, this.texts, PARTS) });
    return runs;
  }

  close() {
    super.close();
    this.other?.close();
  }

  // Problems at zero or, by the same steps, where the server has left them; `rows` are their certificates so far.
  start({ runs, loss, regularizer, lam, seed }) {
    const { turn } = this, problem = { loss, regularizer, lam, seed };
    this.asked = ++this.begun;
    this.runs.leave();
    this.runs.shown = runs.map(({ algorithm, solver, at, rows, end }) => {
      const track = this.tracks[algorithm];
      track.begin({ ...problem, solver }, { at, rows: read_rows(rows, ROW), end }).catch((error) => this.refuse(error, turn));
      return track;
    });
  }

  order(told) {
    this.orders++;
    super.order(told);
  }

  press(order) {
    if (order === "run") this.runs.run(this.tolerance, this.slow);
    else if (order) this.runs.ask(order);
  }

  halt() { this.runs?.halt(); }

  async paint(asked) {
    if (asked === Infinity || this.still) return;
    const { runs, sought, turn } = this;
    if (sought !== null) {
      this.sought = null;
      runs.seek(Math.min(sought, runs.rows.length - 1));
    }
    // What is not answered yet is drawn when it is.
    if (!runs.is_answered) return;
    const { orders } = this, stands = () => asked === this.asked && orders === this.orders && !this.still;
    const is_profiled = !runs.playing || this.figures.is_shown("profile_x");
    const frame = await runs.frame({ is_whole: true, is_profiled });
    if (frame === null || asked !== this.asked || this.still) return;
    const { row, last, unit } = frame, rests = stands() && runs.rests(frame);
    this.figures.show(frame);
    this.mark(row.step < last.step ? row[unit] : null);
    document.body.dataset.engine = "browser";
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, rests);
    if (!rests) return;
    const states = await Promise.all(runs.shown.map(({ engine }) => engine.ask("state")));
    if (stands()) this.tell(turn, frame, states);
  }

  between() { return painted(); }

  speak(frame, rests) {
    const { figures, tolerance } = this, { runs, row, unit } = frame;
    const endings = Object.entries(runs).map(([algorithm, run]) => figures.ending(algorithm, run, tolerance));
    const status = rests ? endings.join(" ") : figures.say("running", { elapsed: figures.elapsed(row) });
    this.write(figures.captions(frame), figures.statistics(frame), status);
    this.stand(this.runs.rows, row.step, unit);
  }

  tell(turn, frame, states) {
    const found = Object.values(frame.runs), runs = states.map(({ step, alpha, multiplier }, k) => {
      const rows = found[k].rows.filter((row) => row.step <= step);
      return { step, status: found[k].status, alpha, multiplier, event: [], rows: flat_rows(rows, ROW) };
    });
    const ended = found.every(({ status }) => status !== null);
    this.report(turn, { status: ended ? found[0].status : null, runs });
  }
}
