// A served Dual lab in the browser: its runs by the engine, its frames in the figures of the page.

// In a run the saddle, which takes longer than the other figures, is drawn as seldom as texts are. The next certificate
// is made while a picture is painted, unless a saddle is due, which is of its own step.
const PAINT_MS = 60;
const ROW = ["step", "epoch", "primal", "dual", "gap", "relative_gap"];

class ServedRun extends LentRun {
  constructor(given) {
    super(given);
    Object.assign(this, { figures: new Figures(by_id, this.ids, this.texts), rows: [], running: null });
    Object.assign(this, { orders: 0, next: null });
  }

  // Answers before this one are of a problem that is left.
  get first() { return this.asked; }

  hold({ data }) {
    const { kernels, functions } = this;
    this.next = null;
    return this.engine.ask("data", { kernels, functions, data, losses: {}, regularizers: {} });
  }

  // The server may have said meanwhile that it was busy.
  followed() {
    const { rested } = this;
    if (rested) this.speak(rested.frame, rested.certificate, rested.picture, rested.ended, false);
    this.tell();
  }

  order(told) {
    this.wake();
    Object.assign(this, { rested: null, orders: this.orders + 1 });
    super.order(told);
  }

  // A problem at zero or, by the same steps, where the server has left it; `rows` are its certificates so far.
  start({ loss, regularizer, lam, solver, seed, at, rows }) {
    const { data, names, constant, embedded } = this.held;
    Object.assign(this, { at: null, rows: read_rows(rows, ROW), looked: { at: -Infinity, sample: null }, next: null });
    this.pictured = new Pictured({ data, names, constant, embedded, loss, regularizer, lam });
    this.ask("problem", { loss, regularizer, lam, solver, seed });
    this.running = null;
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.asked = this.engine.count;
    if (at) this.ask("seek", { step: at });
  }

  halt() {
    this.wake();
    this.next = null;
    this.engine.ask("cancel").catch(() => {});
  }

  press(order) {
    if (order === "run") {
      // A further press goes on for as many epochs again.
      this.most = MOST_EPOCHS * (Math.floor(this.epoch / MOST_EPOCHS) + 1);
      this.go();
    } else if (order) this.ask(order);
    // What a run shows after its first moments need not be drawn at zero before.
    this.from = this.engine.count;
  }

  // On with a run; slowly, it is a run of one epoch, and then another.
  go() {
    const next = this.slow ? Math.floor(this.epoch) + 1 : this.most;
    this.ask("run", { gap: this.tolerance, max_epochs: Math.min(next, this.most) });
    this.running = this.engine.count;
  }

  // Where the run stands.
  get epoch() { return this.rows.findLast(({ step }) => step <= (this.at ?? Infinity))?.epoch ?? 0; }

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
      if (this.slow && answer.status === "max_epochs" && this.epoch < this.most) this.wait();
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
      Object.assign(this, { sought: null, next: null });
      await this.engine.ask("seek", { step: this.rows[Math.min(sought, this.rows.length - 1)].step });
    }
    const asked = this.next ?? this.certificate();
    this.next = null;
    const { certificate, event, ended, runs } = await asked;
    if (first !== this.first || first === Infinity) return;
    const { orders } = this, frame = frame_of(this.pictured, certificate, this.rows), { row, last } = frame;
    const rests = !runs && certificate.step === this.at;
    // The curves are whole also where one goes back in them.
    this.figures.show(Object.create(frame, { curves: { value: this.rows } }), !rests);
    this.mark(row.step < last.step ? row[unit_of(frame)] : null);
    document.body.dataset.engine = "browser";
    const picture = await this.picture(certificate, event, frame.row);
    if (this.running !== null && first === this.first && performance.now() + PAINT_MS - this.looked.at < READ_MS) {
      this.next = this.certificate();
      this.next.catch(() => {});
    }
    await painted();
    if (first !== this.first || this.still) return;
    this.figures.parts(frame, picture, !rests);
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, certificate, picture, ended, runs);
    if (!rests || orders !== this.orders || this.rested !== null) return;
    this.rested = { frame, certificate, picture, event, ended };
    this.tell();
  }

  // The present certificate, which is newer than all that was heard before it, and how the run stood then.
  async certificate() {
    const certificate = await this.engine.ask("certificate"), { event, ended, running } = this;
    this.due = false;
    return { certificate, event, ended, runs: running !== null };
  }

  // The server hears of what rests as soon as it has a turn for it.
  tell() {
    if (this.turn === null || this.rested === null) return;
    const { certificate: { step, alpha }, event, ended: status } = this.rested;
    const rows = flat_rows(this.rows.filter((row) => row.step <= step), ROW);
    this.report(this.turn, { step, status, alpha, rows, event });
  }

  async picture(certificate, event, { epoch }) {
    const now = performance.now();
    if (this.running !== null && now - this.looked.at < READ_MS) return null;
    // Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
    const sample = this.looked.sample ?? watched(this.pictured, certificate, event, epoch);
    this.looked = { at: now, sample: epoch >= 1 ? sample : null };
    const asked = section_of(this.pictured, certificate, sample);
    if (asked === null) return null;
    const { x, ...message } = asked, answer = await this.engine.ask("section", { ...message, step: certificate.step });
    return answer.step === certificate.step ? saddle_of(this.pictured, certificate, asked, answer) : null;
  }

  // Numbers and sentences, seldom in a run: a changed text has the browser lay the page out.
  speak(frame, certificate, picture, ended, runs) {
    const { figures, tolerance } = this, elapsed = figures.elapsed(frame.row);
    const score = score_of(this.pictured, this.held.test, certificate) ?? "none";
    const status = figures.say(runs ? "running" : ended ?? "paused", { elapsed, tolerance });
    this.write(figures.captions(frame, picture, "A: "), figures.statistics(frame, score), status);
    this.stand(this.rows, frame.row.step, unit_of(frame));
  }
}

function unit_of({ last }) { return last.epoch < 1 ? "step" : "epoch"; }
