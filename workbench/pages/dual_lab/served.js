// A served Dual lab in the browser: its runs by the engine, its frames in the figures of the page.

// Nobody reads faster than this, and the saddle takes longer than the other figures: in a run both wait so long.
const READ_MS = 300;
// A slow run waits so long at each epoch, as the server's.
const SLOW_MS = 600;
const ROW = ["step", "epoch", "primal", "dual", "gap", "relative_gap"];

class ServedRun extends LentRun {
  constructor(given) {
    super(given);
    Object.assign(this, { figures: new Figures(by_id, this.ids, this.texts), rows: [], running: null });
  }

  // Answers before this one are of a problem that is left.
  get first() { return this.asked; }

  hold({ data }) {
    const { kernels, functions } = this;
    return this.engine.ask("data", { kernels, functions, data, losses: {}, regularizers: {} });
  }

  // A problem at zero or, by the same steps, where the server has left it; `rows` are its certificates so far.
  start({ loss, regularizer, lam, solver, seed, at, rows }) {
    const { data, names, constant, embedded } = this.held;
    Object.assign(this, { at: null, rows: read_rows(rows, ROW), looked: { at: -Infinity, sample: null } });
    this.pictured = new Pictured({ data, names, constant, embedded, loss, regularizer, lam });
    this.ask("problem", { loss, regularizer, lam, solver, seed });
    this.running = null;
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.asked = this.engine.count;
    if (at) this.ask("seek", { step: at });
  }

  halt() {
    this.wake();
    this.engine.ask("cancel").catch(() => {});
  }

  order(told) {
    this.wake();
    super.order(told);
  }

  press(order) {
    if (order === "run") {
      // A further press goes on for as many epochs again.
      this.most = MOST_EPOCHS * (Math.floor(this.here.epoch / MOST_EPOCHS) + 1);
      this.go();
    } else if (order) this.ask(order);
    // What a run shows after its first moments need not be drawn at zero before.
    this.from = this.engine.count;
  }

  // On with a run; slowly, it is a run of one epoch, and then another.
  go() {
    const next = this.slow ? Math.floor(this.here.epoch) + 1 : this.most;
    this.ask("run", { gap: this.tolerance, max_epochs: Math.min(next, this.most) });
    this.running = this.engine.count;
  }

  // The row of the step where the run stands.
  get here() { return this.rows.findLast(({ step }) => step <= (this.at ?? Infinity)); }

  // A slow run that waits is none any more.
  wake() {
    if (this.waits) this.running = null;
    clearTimeout(this.waits);
    this.waits = null;
  }

  wait() {
    this.waits = setTimeout(() => {
      this.waits = null;
      this.go();
    }, SLOW_MS);
  }

  // Every answer of the engine.
  hear(answer) {
    if (!(answer.id >= this.first)) return;
    // A run that was asked to pause goes on until the engine has read that.
    if (answer.type === "ended" && answer.id === this.running) {
      if (this.slow && answer.status === "max_epochs" && this.here.epoch < this.most) this.wait();
      else Object.assign(this, { running: null, ended: answer.status === "paused" ? null : answer.status });
      this.soon();
    }
    if (answer.type !== "frame") return;
    for (const row of [...answer.passed, answer]) this.add(row);
    Object.assign(this, { event: answer.event, at: answer.step });
    if (answer.id >= this.from) this.soon();
  }

  // Certificates in the order of their steps, each once.
  add(answer) {
    const after = this.rows.findLastIndex((row) => row.step <= answer.step);
    if (this.rows[after]?.step === answer.step) return;
    this.rows.splice(after + 1, 0, Object.fromEntries(ROW.map((name) => [name, answer[name]])));
  }

  async paint(first) {
    const { sought } = this;
    if (sought !== null) {
      this.sought = null;
      await this.engine.ask("seek", { step: this.rows[Math.min(sought, this.rows.length - 1)].step });
    }
    const certificate = await this.engine.ask("certificate");
    if (first !== this.first) return;
    this.due = false;  // the certificate is newer than all that was heard
    const { event, turn, ended } = this, runs = this.running !== null, frame = frame_of(this.pictured, certificate, this.rows);
    const rests = !runs && certificate.step === this.at;
    const { row, last } = frame, unit = last.epoch < 1 ? "step" : "epoch";
    this.figures.show({ ...frame, curves: this.rows });
    this.mark(row.step < last.step ? row[unit] : null);
    document.body.dataset.engine = "browser";
    const picture = await this.picture(certificate, event, frame.row);
    await painted();
    if (first !== this.first || this.still) return;
    this.figures.parts(frame, picture);
    if (rests || performance.now() - this.spoken > READ_MS) {
      this.speak(frame, certificate, picture, ended, runs);
      this.stand(this.rows, row.step, unit);
    }
    if (!rests) return;
    const { step, alpha } = certificate, rows = flat_rows(this.rows.filter((row) => row.step <= step), ROW);
    this.report(turn, { step, status: ended, alpha, rows, event });
  }

  async picture(certificate, event, { epoch }) {
    const now = performance.now();
    if (this.running !== null && now - this.looked.at < READ_MS) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(this.pictured, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const asked = section_of(this.pictured, certificate, sample);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await this.engine.ask("section", message);
    return answer.step === certificate.step ? saddle_of(this.pictured, certificate, asked, answer) : null;
  }

  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak(frame, certificate, picture, ended, runs) {
    const { figures, tolerance } = this, elapsed = figures.elapsed(frame.row);
    const score = score_of(this.pictured, this.held.test, certificate) ?? "none";
    const status = figures.say(runs ? "running" : ended ?? "paused", { elapsed, tolerance });
    this.write(figures.captions(frame, picture, "A: "), figures.statistics(frame, score), status);
  }
}
