// A page of runs side by side: they begin, go on, are left and come to rest together, in a file and on a server.

import { RunPage } from "./live_page.js";
import { READ_MS } from "./painter.js";
import { Tracks } from "./tracks.js";

export class TrackedPage extends RunPage {
  /** @type {any} */ runs;
  /** @type {any[]} */ statuses = [];
  slow = false;
  spoken = -Infinity;
  /** @type {any} */ shownSettings;

  /** @param {any} page @param {any} model @param {any} host @param {any} Kind */
  constructor(page, model, host, Kind) {
    super(page, model, host);
    this.runs = new Tracks({
      Kind,
      epochs: page.epochs,
      failed: (/** @type {any} */ error) => this.refuse(error),
      changed: () => {
        if (!this.begins) this.soon();
      },
    });
  }

  /**
   * Return the runs by name, with their settings and the message that begins each.
   * @param {...any} _values @returns {any}
   */
  wanted(..._values) {
    return [];
  }

  /**
   * Return what of the curves stays as a ghost, by figure.
   * @param {...any} _values @returns {any}
   */
  traces(..._values) {
    return {};
  }

  /**
   * Return what a picture takes of a run beside its rows.
   * @param {...any} _values @returns {any}
   */
  askedOf(..._values) {
    return {};
  }

  /**
   * Fill the figures; null where it left some out.
   * @param {...any} _values @returns {any}
   */
  show(..._values) {}

  /**
   * Say what is shown; told what `show` gave.
   * @param {...any} _values @returns {any}
   */
  speak(..._values) {}

  /**
   * The run of a name by an engine of its own, here or on the server.
   * @param {string} name @param {boolean} isHere
   */
  async track(name, isHere) {
    const engine = await this.engineOf(name, isHere);
    return (engine.track ??= this.runs.track(name, engine));
  }

  /** @returns {any} */
  chosen() {
    return this.restart();
  }

  cleared() {
    this.runs.leave();
    this.statuses = [];
  }

  /** @param {any} settings @param {() => boolean} isLeft */
  async begin(settings, isLeft) {
    const wanted = this.wanted(settings);
    const held = await Promise.all(wanted.map((/** @type {any} */ each) => this.host.held(this, each.settings)));
    const shown = await Promise.all(
      wanted.map((/** @type {{ name: string }} */ { name }, /** @type {number} */ k) =>
        this.track(name, held[k].isHere),
      ),
    );
    if (isLeft()) return null;
    await Promise.all(shown.map(({ engine }, k) => this.hold(engine, held[k].key, held[k].data)));
    if (isLeft()) return null;
    await Promise.all(shown.map((each, k) => each.begin({ ...held[k].terms, ...wanted[k].problem })));
    return { wanted, held, shown };
  }

  /** @param {any} fields @param {Settings} settings */
  putUp({ wanted, held, shown }, settings) {
    this.shownSettings = settings;
    this.runs.shown = shown;
    this.began(wanted, held);
  }

  /**
   * The problems have begun.
   * @param {...any} _values
   */
  began(..._values) {}

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    if (!this.runs.shown.length || !(this.hasEnded || this.wasSeen)) return;
    const curves = this.runs.curves();
    this.before = { key: this.ghostKey, curves: () => this.traces(curves) };
  }

  get ghostKey() {
    return JSON.stringify(this.shownSettings);
  }

  run() {
    this.runs.run(this.settings.tolerance, this.slow);
  }

  /** @param {string} type */
  ask(type) {
    this.runs.ask(type);
  }

  toggle() {
    if (this.runs.playing) this.runs.ask("pause");
    else this.run();
  }

  /** @param {boolean} isSlow */
  pace(isSlow) {
    this.slow = isSlow;
    if (this.runs.playing) this.run();
  }

  /** @param {any} place */
  seek(place) {
    this.runs.seek(place);
  }

  get status() {
    if (this.runs.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length
      ? "paused"
      : this.page.statuses.find((/** @type {string} */ status) => all.includes(status));
  }

  /** @param {number} turn */
  async paint(turn) {
    if (!this.runs.shown.length || !this.runs.isAnswered) return null;
    const frame = await this.runs.frame((/** @type {any} */ track) => this.askedOf(track));
    if (frame === null || turn !== this.asked) return null;
    const { row, last, unit } = frame;
    const rests = this.runs.rests(frame);
    this.leaveGhost();
    const shown = await this.show(frame);
    if (turn !== this.asked || shown === null) return null;
    this.figures.mark(row.step < last.step ? row[unit] : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step: row.step });
    if (rests || performance.now() - this.spoken > READ_MS) this.sayAll(frame, shown);
    this.hasEnded ||= rests;
    if (rests) this.host.tell({ came: this.outcome(frame) });
    return null;
  }

  /** @param {any} frame @param {any} shown */
  sayAll(frame, shown) {
    this.spoken = performance.now();
    this.statuses = Object.values(frame.runs).map(({ status }) => status);
    this.speak(frame, shown);
    this.host.stand(this.runs.rows, frame.row, frame.unit, this.figures.elapsed(frame.row));
  }

  // Whether all that was asked for is drawn and said.
  get isSettled() {
    return !this.drawing && !this.isBusy && !this.runs.playing && (this.runs.isAnswered || !this.runs.shown.length);
  }

  /**
   * What the server is told of runs that rest.
   * @param {any} _frame @returns {any}
   */
  outcome(_frame) {
    return null;
  }
}
