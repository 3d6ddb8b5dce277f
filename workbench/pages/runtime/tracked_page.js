// A page of runs side by side: they begin, go on, are left and come to rest together, in a file and on a server.

import { RunPage } from "./live_page.js";
import { READ_MS } from "./painter.js";
import { Tracks } from "./tracks.js";

// A page of its own kind gives `wanted(settings)`, the runs by name with their settings and the message that begins each,
// `traces(curves)`, what of the curves stays as a ghost by figure, `asked_of(track)`, what a picture takes of a run beside
// its rows, `show(frame)`, which fills the figures, null where it left some out, and `speak(frame, shown)`, which is told
// what that gave.
export class TrackedPage extends RunPage {
  constructor(page, model, host, Kind) {
    super(page, model, host);
    this.runs = new Tracks({
      Kind, epochs: page.epochs, failed: (error) => this.refuse(error),
      changed: () => { if (!this.begins) this.soon(); },
    });
    Object.assign(this, { statuses: [], slow: false, spoken: -Infinity });
  }

  // The run of a name by an engine of its own, here or on the server.
  async track(name, is_here) {
    const engine = await this.engine_of(name, is_here);
    return (engine.track ??= this.runs.track(name, engine));
  }

  chosen() { return this.restart(); }

  cleared() {
    this.runs.leave();
    this.statuses = [];
  }

  async begin(settings, is_left) {
    const wanted = this.wanted(settings);
    const held = await Promise.all(wanted.map((each) => this.host.held(this, each.settings)));
    const shown = await Promise.all(wanted.map(({ name }, k) => this.track(name, held[k].is_here)));
    if (is_left()) return null;
    await Promise.all(shown.map(({ engine }, k) => this.hold(engine, held[k].key, held[k].data)));
    if (is_left()) return null;
    await Promise.all(shown.map((each, k) => each.begin({ ...held[k].terms, ...wanted[k].problem })));
    return { wanted, held, shown };
  }

  put_up({ wanted, held, shown }, settings) {
    this.shown_settings = settings;
    this.runs.shown = shown;
    this.began(wanted, held);
  }

  // The problems have begun.
  began() {}

  // What is left stays as a ghost where it was seen and other settings follow.
  remember() {
    if (!this.runs.shown.length || !(this.has_ended || this.was_seen)) return;
    const curves = this.runs.curves();
    this.before = { key: this.ghost_key, curves: () => this.traces(curves) };
  }

  get ghost_key() { return JSON.stringify(this.shown_settings); }

  run() { this.runs.run(this.settings.tolerance, this.slow); }

  ask(type) { this.runs.ask(type); }

  toggle() {
    if (this.runs.playing) this.runs.ask("pause");
    else this.run();
  }

  pace(is_slow) {
    this.slow = is_slow;
    if (this.runs.playing) this.run();
  }

  seek(place) { this.runs.seek(place); }

  get status() {
    if (this.runs.playing) return "running";
    const all = this.statuses;
    return all.includes(null) || !all.length ? "paused" : this.page.statuses.find((status) => all.includes(status));
  }

  async paint(turn) {
    if (!this.runs.shown.length || !this.runs.is_answered) return null;
    const frame = await this.runs.frame((track) => this.asked_of(track));
    if (frame === null || turn !== this.asked) return null;
    const { row, last, unit } = frame, rests = this.runs.rests(frame);
    this.leave_ghost();
    const shown = await this.show(frame);
    if (turn !== this.asked || shown === null) return null;
    this.figures.mark(row.step < last.step ? row[unit] : null);
    Object.assign(document.body.dataset, { shown: this.page.name, step: row.step });
    if (rests || performance.now() - this.spoken > READ_MS) this.say_all(frame, shown);
    this.has_ended ||= rests;
    if (rests) this.host.tell({ came: this.outcome(frame) });
    return null;
  }

  say_all(frame, shown) {
    this.spoken = performance.now();
    this.statuses = Object.values(frame.runs).map(({ status }) => status);
    this.speak(frame, shown);
    this.host.stand(this.runs.rows, frame.row, frame.unit, this.figures.elapsed(frame.row));
  }

  // Whether all that was asked for is drawn and said.
  get is_settled() {
    return !this.drawing && !this.is_busy && !this.runs.playing && (this.runs.is_answered || !this.runs.shown.length);
  }

  // What the server is told of runs that rest.
  outcome() { return null; }
}
