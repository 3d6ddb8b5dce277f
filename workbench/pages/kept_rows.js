// A run whose certificates are kept, one after another, so that one may look back at each: in a file and on a served page.
//
// A page that extends it has `further(request)`, which asks the engine for { rows, status, picture } after `from`: so
// many steps where `count` is given, else as many as there is time for until `tolerance` is met or the step `limit` is
// done; `picture` is of the last row, where rows alone do not say what is drawn. It has `count_of(type)`, the steps of
// a press, `pace(request)`, how many kept rows a request passes, `most`, the steps of a run until one presses again,
// `settings` with the `tolerance`, `asked`, which tells one problem from the next, and whether it is `slow`.

const kept = (Page) => class extends Page {
  constructor(...given) {
    super(...given);
    Object.assign(this, { rows: [], at: 0, moves: 0 });
  }

  // What a press changes; the function that is returned says whether nothing was pressed or chosen since.
  pressed(changes = {}) {
    const turn = this.asked, move = ++this.moves;
    Object.assign(this, { playing: false, stepping: false, ended: null, ...changes });
    return () => turn === this.asked && move === this.moves;
  }

  async run() {
    if (!this.rows.length || this.playing) return;
    const { most } = this, limit = most * (Math.floor(this.rows[this.at].step / most) + 1);
    const stands = this.pressed({ playing: true });
    try {
      while (stands()) {
        const { tolerance } = this.settings, now = this.rows[this.at];
        const is_met = now.step > 0 && now.relative_gap <= tolerance;
        const status = is_met ? "converged" : await this.forward(stands, { limit, tolerance, count: null });
        if (status && stands()) this.pressed({ ended: status });
        this.soon();
        await (this.slow ? new Promise((done) => { setTimeout(done, SLOW_MS); }) : painted());
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  // On through what is kept, or anew; the status that ends the run, or null.
  async forward(stands, request) {
    const turn = this.asked, from = this.rows.at(-1).step;
    if (this.at + 1 < this.rows.length) {
      const passed = this.rows.slice(this.at + 1, this.at + 1 + this.pace(request));
      const met = passed.findIndex((row) => ending(row, request));
      this.at += met < 0 ? passed.length : met + 1;
      return ending(this.rows[this.at], request);
    }
    const { rows, status, picture } = await this.further({ from, ...request });
    if (turn !== this.asked || this.rows.at(-1)?.step !== from) return null;
    this.rows.push(...rows);
    if (!stands()) return null;
    Object.assign(this, { at: this.rows.length - 1, picture });
    return status ?? ending(this.rows.at(-1), request);
  }

  // The steps of a press.
  async go(type) {
    if (!this.rows.length) return;
    const stands = this.pressed({ stepping: true });
    try {
      const status = await this.forward(stands, { limit: null, tolerance: -1, count: this.count_of(type) });
      if (stands()) this.pressed({ ended: status });
    } catch (error) {
      this.refuse(error);
    }
    this.soon();
  }

  look_back(place) {
    this.pressed({ at: Math.min(place, this.rows.length - 1) });
    this.soon();
  }
};

// What a run ends as at a certificate; null where it goes on.
function ending({ step, relative_gap }, { limit, tolerance }) {
  if (relative_gap <= tolerance) return "converged";
  return limit !== null && step >= limit ? "max_epochs" : null;
}
