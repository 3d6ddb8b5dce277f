// The served page of inverse time in the browser: its one run, of which all certificates are kept.

// The first picture of a run comes sooner, in milliseconds.
const FIRST_MS = 8;
const ROW = ["step", "epoch", "primal", "dual", "gap", "relative_gap", "score", "last", "last_gap"];

class ServedRun extends paced(kept(LentRun)) {
  constructor(given) {
    super(given);
    Object.assign(this, { most: MOST_STEPS, begun: 0, orders: 0, pressing: false });
    this.figures = new InverseTimeFigures(by_id, this.ids, this.texts);
  }

  get settings() { return { tolerance: this.tolerance }; }

  get messages() { return OWN_WORKER; }

  async hold({ people, problem }) {
    const { kernels, functions } = this;
    this.drawn = null;
    await this.engine.ask("data", { kernels, functions, ...await opened(problem) });
    await this.engine.ask("people", { people });
  }

  followed() { this.soon(); }

  order(told) {
    Object.assign(this, { pressing: false, orders: this.orders + 1 });
    super.order(told);
  }

  // A problem at zero or where the server has left it; `rows` are its certificates so far, where they are known.
  start({ m, sets, L, epoch, loss, regularizer, lam, solver, seed, rows }) {
    const drawn = Object.keys(sets)[0], asked = ++this.begun, asking = [];
    Object.assign(this, { asked, lab: { L, lam, epoch }, rows: read_rows(rows, ROW) });
    this.pressed({ at: Math.max(this.rows.length - 1, 0) });
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      asking.push(this.engine.ask("sets", { sets }), this.engine.ask("draw", { m, seed, losses: {}, regularizers: {} }));
    }
    asking.push(this.engine.ask("problem", { loss, regularizer, lam, solver, seed }));
    if (!this.rows.length) asking.push(this.engine.ask("paced_steps", { from: 0, limit: null, tolerance: -1, count: 0 }));
    this.begins = Promise.all(asking).then((answers) => {
      if (asked === this.asked && !this.rows.length) this.rows = answers.at(-1).rows;
    }).catch((error) => { if (asked === this.asked) this.refuse(error); });
  }

  halt() { this.pressed(); }

  refuse(error, turn) {
    this.pressed();
    super.refuse(error, turn);
  }

  // Once the problem has begun, unless something else is asked for by then.
  async press(order) {
    const { orders } = this;
    this.pressing = true;
    await this.begins;
    if (orders !== this.orders || this.asked === Infinity) return;
    if (!["run", "step", "epoch"].includes(order)) await this.rest();
    if (orders !== this.orders || this.asked === Infinity) return;
    this.pressing = false;
    if (order === "run") this.run();
    else if (order === "step" || order === "epoch") this.go(order);
    else this.soon();
  }

  // A run that is paused stands after the steps that were on their way.
  async rest() {
    const is_last = this.at === this.rows.length - 1, stands = this.pressed();
    await this.coming?.catch(() => {});
    if (stands() && is_last) this.at = this.rows.length - 1;
  }

  // A slow run shows each of its certificates.
  further(request) {
    const budget = this.slow ? { budget: 0 } : this.rows.length === 1 ? { budget: FIRST_MS } : {};
    return (this.coming = super.further({ ...request, ...budget }));
  }

  paint(asked) {
    const { sought } = this;
    if (asked !== this.asked || asked === Infinity || this.still || this.pressing || !this.rows.length) return;
    if (sought !== null) {
      this.sought = null;
      this.look_back(sought);
    }
    const { rows, at, lab } = this, last = rows.at(-1).step, { step } = rows[at], rests = !this.playing && !this.stepping;
    const frame = { ...lab, rows, at, last }, captions = this.figures.run(frame);
    this.mark(step < last ? step : null);
    document.body.dataset.engine = "browser";
    if (rests || performance.now() - this.spoken > READ_MS) {
      const status = this.ended ?? (rests ? "paused" : "running"), { tolerance } = this;
      this.write(captions, this.figures.statistics(frame), this.figures.say(status, { steps: step, tolerance }));
      this.stand(rows, step, "step");
    }
    if (rests) return () => this.tell(asked, step);
  }

  between() { return painted(); }

  // The server hears of what rests, with the point that its numbers are certified by.
  async tell(asked, step) {
    const { turn, moves, ended } = this;
    if (turn === null || this.told === turn) return;
    try {
      const { point } = await this.engine.ask("iterates", { step });
      if (asked !== this.asked || turn !== this.turn || moves !== this.moves) return;
      const rows = flat_rows(this.rows.slice(0, this.at + 1), ROW);
      this.report(turn, { step, status: ended, point, rows });
    } catch (error) {
      this.refuse(error, turn);
    }
  }
}
