// A run whose certificates are kept, one after another, so that one may look back at each: what a page of one run does
// alike in a file and on a server.
// The names of the settings that a problem depends on are the page's `inputs`.

import { RunPage } from "./live_page.js";
import { READ_MS, SLOW_MS, painted } from "./painter.js";

export class SingleRun extends RunPage {
  /** @type {any} */ most;
  /** @type {any[]} */ rows = [];
  at = 0;
  moves = 0;
  /** @type {any} */ lab = null;
  slow = false;
  spoken = -Infinity;
  /** @type {any} */ wanted;
  /** @type {any} */ stepping;
  /** @type {any} */ coming;
  /** @type {any} */ picture;

  /**
   * A run makes `most` steps until one presses again.
   * @param {any} page @param {any} model @param {any} host @param {number} most
   */
  constructor(page, model, host, most) {
    super(page, model, host);
    this.most = most;
  }

  // --- what a page of its own kind does

  /**
   * Ask an engine for { rows, status, picture } after the step `after`: for `count` steps, or until `tolerance` or `limit`.
   * @param {...any} _values @returns {any}
   */
  further(..._values) {}

  /**
   * Return the steps of a press.
   * @param {...any} _values @returns {any}
   */
  countOf(..._values) {
    return 1;
  }

  /**
   * Return what is drawn of the present row; null where something else is asked for by then.
   * @param {...any} _values @returns {any}
   */
  seen(..._values) {
    return null;
  }

  /**
   * Return the curves that stay, by figure.
   * @param {...any} _values @returns {any}
   */
  ghosts(..._values) {
    return {};
  }

  // --- the problem

  /**
   * What is looked at needs no other run.
   * @param {...any} _values @returns {any}
   */
  chosen(..._values) {
    const { settings, wanted = {} } = this;
    if ([...this.page.inputs, "tolerance"].some((name) => settings[name] !== wanted[name])) return this.restart();
    this.wanted = settings;
    this.onSettings(settings);
    return this.soon();
  }

  /** @param {Settings} settings */
  cleared(settings) {
    this.pressed();
    this.wanted = settings;
    this.rows = [];
    this.at = 0;
    this.lab = null;
  }

  /** @param {{ row: Row, [name: string]: any }} fields @param {Settings} settings */
  putUp({ row, ...lab }, settings) {
    const inputs = JSON.stringify(this.page.inputs.map((/** @type {string} */ name) => settings[name]));
    this.lab = { settings, inputs, ...lab };
    this.rows = [row];
  }

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    const { lab, rows } = this;
    if (lab && (this.hasEnded || this.wasSeen)) this.before = { key: lab.inputs, curves: () => this.ghosts(rows) };
  }

  get ghostKey() {
    return this.lab.inputs;
  }

  get counted() {
    return this.page.unit ?? "step";
  }

  // --- the run

  // What a press changes; the function that is returned says whether nothing was pressed or chosen since.
  pressed({ playing = false, stepping = false, ended = null } = {}) {
    const turn = this.asked;
    const move = ++this.moves;
    this.playing = playing;
    this.stepping = stepping;
    this.ended = ended;
    return () => turn === this.asked && move === this.moves;
  }

  async run() {
    if (!this.rows.length || this.playing) return;
    const { most } = this;
    const limit = most * (Math.floor(this.rows[this.at].step / most) + 1);
    const stands = this.pressed({ playing: true });
    try {
      while (stands()) {
        const status = await this.forward(stands, { limit, tolerance: this.settings.tolerance, count: null });
        if (status && stands()) this.pressed({ ended: status });
        this.soon();
        await (this.slow
          ? new Promise((done) => {
              setTimeout(done, SLOW_MS);
            })
          : painted());
      }
    } catch (error) {
      if (stands()) this.refuse(error);
    }
  }

  /**
   * On through what is kept, or anew; the status that ends the run, or null.
   * @param {() => boolean} stands @param {any} request
   */
  async forward(stands, request) {
    const turn = this.asked;
    const after = this.rows.at(-1).step;
    if (this.at + 1 < this.rows.length) {
      const passed = this.rows.slice(this.at + 1, this.at + 1 + this.passes(request));
      const met = passed.findIndex((row) => this.ends(row, request));
      this.at += met < 0 ? passed.length : met + 1;
      return this.ends(this.rows[this.at], request);
    }
    this.coming = this.further({ after, ...request }).finally(() => {
      this.coming = null;
    });
    const { rows, status, picture = null } = await this.coming;
    if (turn !== this.asked || this.rows.at(-1)?.step !== after) return null;
    this.rows.push(...rows);
    if (!stands()) return null;
    this.at = this.rows.length - 1;
    this.picture = picture;
    return status ?? this.ends(this.rows.at(-1), request);
  }

  /**
   * What a run ends as at a certificate; null where it goes on.
   * @param {Row} row @param {{ limit: any, tolerance: number }} fields
   */
  ends(row, { limit, tolerance }) {
    if (this.left(row) <= tolerance) return "converged";
    return limit !== null && row.step >= limit ? "max_epochs" : null;
  }

  /**
   * What is left at a certificate, which the tolerance is for.
   * @param {Record<string, any>} fields
   */
  left({ relative_gap }) {
    return relative_gap;
  }

  /**
   * How many kept rows a request passes.
   * @param {{ count: number }} fields
   */
  passes({ count }) {
    return count ?? 1;
  }

  /**
   * The steps of a press.
   * @param {string} type
   */
  async ask(type) {
    if (type === "pause") return this.rest();
    if (!this.rows.length) return undefined;
    const stands = this.pressed({ stepping: true });
    if (this.coming) await this.arrival(stands);
    if (!stands()) return undefined;
    try {
      const status = await this.forward(stands, { limit: null, tolerance: -1, count: this.countOf(type) });
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

  /**
   * The steps that are on their way, to which a press takes the run.
   * @param {() => boolean} stands
   */
  async arrival(stands) {
    const isLast = this.at === this.rows.length - 1;
    await this.coming?.catch(() => {});
    if (isLast && stands()) this.at = Math.max(0, this.rows.length - 1);
  }

  toggle() {
    return this.playing ? this.rest() : this.run();
  }

  /** @param {boolean} isSlow */
  pace(isSlow) {
    this.slow = isSlow;
  }

  /** @param {any} place */
  seek(place) {
    if (!this.rows.length) return;
    this.pressed();
    this.at = Math.min(place, this.rows.length - 1);
    this.soon();
  }

  // The run has come to rest.
  came() {}

  // --- the picture

  get unit() {
    return "step";
  }

  /** @param {any} row */
  placeOf({ step }) {
    return step;
  }

  /** @param {number} turn */
  async paint(turn) {
    if (turn !== this.asked || !this.lab) return;
    const { at, lab } = this;
    const frame = await this.seen(lab);
    if (frame === null || turn !== this.asked) return;
    const { rows } = this;
    const { step } = rows[at];
    const rests = !this.playing && !this.stepping && at === this.at;
    this.leaveGhost();
    this.figures.show(frame);
    this.figures.mark(at < rows.length - 1 ? this.placeOf(rows[at]) : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step });
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, rows[at]);
    this.hasEnded ||= rests;
    if (rests) this.came();
  }

  /** @param {any} frame @param {any} row */
  speak(frame, row) {
    const { step: steps } = row;
    const { status } = this;
    const { tolerance } = this.settings;
    this.spoken = performance.now();
    for (const [name, text] of Object.entries(this.figures.captions(frame))) this.host.line(name, text);
    this.host.put("numbers", this.figures.statistics(frame));
    this.host.stand(this.rows, row, this.unit, this.figures.say("steps", { ...row, steps }));
    this.report(this.figures.say(status, { ...row, steps, tolerance }));
  }

  // Whether all that was asked for is drawn and said.
  get isSettled() {
    return !this.drawing && !this.isBusy && !this.playing && !this.stepping;
  }
}
