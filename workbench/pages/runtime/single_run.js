// A run whose certificates are kept, one after another, so that one may look back at each: what a page of one run does
// alike in a file and on a server.
//
// A page that extends it has `begin(settings, is_left)`, which asks an engine for a problem and gives { row, ...lab };
// `further(request)`, which asks it for { rows, status, picture } after the step `after`: so many
// steps where `count` is given, else as many as there is time for until `tolerance` is met or the step `limit` is done;
// `count_of(type)`, the steps of a press; `seen(lab)`, what is drawn of the present row, or null where something else is
// asked for by then; and `ghosts(rows)`, the curves that stay, by figure. The names of the settings that a problem depends on
// are the page's `inputs`. Where it counts time in something else than steps it gives `unit`, and
// `place_of(row)` on the axes of its figures over time.

import { RunPage } from "./live_page.js";
import { READ_MS, SLOW_MS, painted } from "./painter.js";

export class SingleRun extends RunPage {
  // A run makes `most` steps until one presses again.
  constructor(page, model, host, most) {
    super(page, model, host);
    Object.assign(this, { most, rows: [], at: 0, moves: 0, lab: null, slow: false, spoken: -Infinity });
  }

  // --- the problem

  // What is looked at needs no other run.
  chosen() {
    const { settings, wanted = {} } = this;
    if ([...this.page.inputs, "tolerance"].some((name) => settings[name] !== wanted[name])) return this.restart();
    this.wanted = settings;
    this.on_settings(settings);
    return this.soon();
  }

  cleared(settings) { this.pressed({ wanted: settings, rows: [], at: 0, lab: null }); }

  put_up({ row, ...lab }, settings) {
    const inputs = JSON.stringify(this.page.inputs.map((name) => settings[name]));
    Object.assign(this, { lab: { settings, inputs, ...lab }, rows: [row] });
  }

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    const { lab, rows } = this;
    if (lab && (this.has_ended || this.was_seen)) this.before = { key: lab.inputs, curves: () => this.ghosts(rows) };
  }

  get ghost_key() { return this.lab.inputs; }

  get counted() { return this.page.unit ?? "step"; }

  // --- the run

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
        const status = await this.forward(stands, { limit, tolerance: this.settings.tolerance, count: null });
        if (status && stands()) this.pressed({ ended: status });
        this.soon();
        await (this.slow ? new Promise((done) => { setTimeout(done, SLOW_MS); }) : painted());
      }
    } catch (error) {
      if (stands()) this.refuse(error);
    }
  }

  // On through what is kept, or anew; the status that ends the run, or null.
  async forward(stands, request) {
    const turn = this.asked, after = this.rows.at(-1).step;
    if (this.at + 1 < this.rows.length) {
      const passed = this.rows.slice(this.at + 1, this.at + 1 + this.passes(request));
      const met = passed.findIndex((row) => this.ends(row, request));
      this.at += met < 0 ? passed.length : met + 1;
      return this.ends(this.rows[this.at], request);
    }
    this.coming = this.further({ after, ...request }).finally(() => { this.coming = null; });
    const { rows, status, picture = null } = await this.coming;
    if (turn !== this.asked || this.rows.at(-1)?.step !== after) return null;
    this.rows.push(...rows);
    if (!stands()) return null;
    Object.assign(this, { at: this.rows.length - 1, picture });
    return status ?? this.ends(this.rows.at(-1), request);
  }

  // What a run ends as at a certificate; null where it goes on.
  ends(row, { limit, tolerance }) {
    if (this.left(row) <= tolerance) return "converged";
    return limit !== null && row.step >= limit ? "max_epochs" : null;
  }

  // What is left at a certificate, which the tolerance is for.
  left({ relative_gap }) { return relative_gap; }

  // How many kept rows a request passes.
  passes({ count }) { return count ?? 1; }

  // The steps of a press.
  async ask(type) {
    if (type === "pause") return this.rest();
    if (!this.rows.length) return undefined;
    const stands = this.pressed({ stepping: true });
    if (this.coming) await this.arrival(stands);
    if (!stands()) return undefined;
    try {
      const status = await this.forward(stands, { limit: null, tolerance: -1, count: this.count_of(type) });
      if (stands()) this.pressed({ ended: status });
      this.soon();
    } catch (error) {
      if (stands()) this.refuse(error); // which a picture would take away
    }
    return undefined;
  }

  // A run that is paused stands after the steps that were on their way.
  async rest() {
    const stands = this.pressed({ stepping: true });
    await this.arrival(stands);
    if (!stands()) return;
    this.pressed();
    this.soon();
  }

  // The steps that are on their way, to which a press takes the run.
  async arrival(stands) {
    const is_last = this.at === this.rows.length - 1;
    await this.coming?.catch(() => {});
    if (is_last && stands()) this.at = Math.max(0, this.rows.length - 1);
  }

  toggle() { return this.playing ? this.rest() : this.run(); }

  pace(is_slow) { this.slow = is_slow; }

  seek(place) {
    if (!this.rows.length) return;
    this.pressed({ at: Math.min(place, this.rows.length - 1) });
    this.soon();
  }

  // The run has come to rest.
  came() {}

  // --- the picture

  get unit() { return "step"; }

  place_of({ step }) { return step; }

  async paint(turn) {
    if (turn !== this.asked || !this.lab) return;
    const { at, lab } = this, frame = await this.seen(lab);
    if (frame === null || turn !== this.asked) return;
    const { rows } = this, { step } = rows[at], rests = !this.playing && !this.stepping && at === this.at;
    this.leave_ghost();
    this.figures.show(frame);
    this.figures.mark(at < rows.length - 1 ? this.place_of(rows[at]) : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step });
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, rows[at]);
    this.has_ended ||= rests;
    if (rests) this.came();
  }

  speak(frame, row) {
    const { step: steps } = row, { status } = this, { tolerance } = this.settings;
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(this.figures.captions(frame))) this.host.line(name, text);
    this.host.put("numbers", this.figures.statistics(frame));
    this.host.stand(this.rows, row, this.unit, this.figures.say("steps", { ...row, steps }));
    this.report(this.figures.say(status, { ...row, steps, tolerance }));
  }

  // Whether all that was asked for is drawn and said.
  get is_settled() { return !this.drawing && !this.is_busy && !this.playing && !this.stepping; }
}
