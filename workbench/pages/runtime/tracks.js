// @ts-nocheck
// Runs side by side, each by an engine of its own, and what one frame shows of them.

import { SLOW_MS } from "./painter.js";

// One run: what its engine has answered, in the order of the steps.
export class Track {
  constructor(name, engine, heard) {
    Object.assign(this, { name, engine, first: Infinity });
    this.clear();
    engine.heard = (answer) => { if (this.hear(answer)) heard(); };
  }

  clear() {
    Object.assign(this, { rows: [], at: 0, playing: false, end: null, reason: null, event: null });
    Object.assign(this, { asked: 0, answered: 0, running: null, limit: 0, is_due: false });
  }

  begin(problem) {
    this.clear();
    const answer = this.ask("problem", problem);
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.first = this.asked;
    return answer;
  }

  ask(type, contents) {
    this.playing = type === "run";
    const answer = this.engine.ask(type, contents);
    this.asked = this.engine.count;
    if (this.playing) this.running = this.asked;
    return answer;
  }

  // The state stays.
  halt() {
    if (this.running !== null) this.engine.ask("cancel");
    Object.assign(this, { playing: false, running: null });
  }

  // What it still has to say is of no interest.
  leave() {
    this.first = Infinity;
    this.halt();
  }

  hear(answer) {
    if (!(answer.id >= this.first)) return false;
    if (answer.type === "ended") {
      // A run that was asked to pause goes on until the engine has read that.
      if (answer.id !== this.running) return false;
      const { step, status } = answer, reason = this.reason?.replace(/^.*?: /, "") ?? "";
      Object.assign(this, { running: null, playing: false });
      if (status === "max_epochs" && this.epoch < this.limit) this.is_due = true;
      else if (status !== "paused") this.end = { step, status, reason };
      return true;
    }
    if (answer.type !== "frame") return false;
    for (const row of [...answer.passed, answer]) this.add(row);
    Object.assign(this, { at: answer.step, event: answer.event, reason: answer.reason, answered: answer.id });
    return true;
  }

  // Certificates in the order of their steps, each once; those that others have made may differ by a last place.
  add(answer) {
    const after = this.rows.findLastIndex((row) => row.step <= answer.step), before = this.rows[after];
    const [from, count] = before?.step === answer.step ? [after, 1] : [after + 1, 0];
    this.rows.splice(from, count, this.row(answer, count ? before : null));
  }

  // What is kept of a certificate; `before` is the one at the same step, where there is one.
  row({ step, epoch, primal, dual, gap, relative_gap }) { return { step, epoch, primal, dual, gap, relative_gap }; }

  // The run at a step, the present one where none is given, with all of its rows; `shown` is what else was asked for.
  upto({ step = this.at, ...shown }) {
    const { rows, event } = this, row = this.last(step);
    const { status = null, reason = "" } = this.end?.step === step ? this.end : {};
    return { rows, row, event, shown, status, reason };
  }

  // The last certificate at a step or before.
  last(step) { return this.rows.findLast((row) => row.step <= step); }

  get epoch() { return this.last(this.at).epoch; }

  get is_open() { return this.end?.step !== this.at; }

  get is_answered() { return this.answered >= this.asked; }
}

export class Tracks {
  // `Kind` is the class of a run; `epochs` that it makes until one presses again; `changed` is called with news once all
  // that was asked is answered, and `failed` with an error.
  constructor({ Kind = Track, epochs, changed, failed }) {
    Object.assign(this, { Kind, epochs, changed, failed, shown: [], waits: null });
  }

  track(name, engine) { return new this.Kind(name, engine, () => this.hear()); }

  hear() {
    const due = this.shown.filter(({ is_due }) => is_due), is_over = this.shown.every(({ running }) => running === null);
    if (due.length && is_over && this.waits === null) this.waits = setTimeout(() => this.go(due), SLOW_MS);
    if (this.is_answered) this.changed();
  }

  get is_answered() { return this.shown.every(({ is_answered }) => is_answered); }

  get playing() { return this.waits !== null || this.shown.some(({ playing }) => playing); }

  // Whether nothing happens any more, and a frame is of what stands then.
  rests({ runs }) {
    const is_last = ({ name, at, running }) => running === null && runs[name].row.step === at;
    return this.waits === null && this.is_answered && this.shown.every(is_last);
  }

  // Those go on that have not ended, or all where all have; a further press goes on for as many epochs again.
  run(gap, is_slow = false) {
    this.wake();
    const open = this.shown.filter(({ is_open }) => is_open), going = open.length ? open : this.shown;
    Object.assign(this, { gap, is_slow });
    for (const each of going) {
      each.end = null;
      each.limit = this.epochs * (Math.floor(each.epoch / this.epochs) + 1);
    }
    this.go(going);
  }

  // On with a run; slowly, it is a run of one epoch, and then another.
  go(going) {
    this.wake();
    for (const each of going) {
      const max_epochs = this.is_slow ? Math.min(Math.floor(each.epoch) + 1, each.limit) : each.limit;
      this.tell(each, "run", { gap: this.gap, max_epochs });
    }
  }

  // A slow run that waits is none any more.
  wake() {
    clearTimeout(this.waits);
    this.waits = null;
    for (const each of this.shown) each.is_due = false;
  }

  ask(type, contents = () => ({})) {
    this.wake();
    for (const each of this.shown) this.tell(each, type, contents(each));
  }

  // What fails once other problems are shown is theirs no more.
  tell(each, type, contents) {
    const { shown } = this;
    each.ask(type, contents).catch((error) => {
      if (shown !== this.shown) return;
      each.halt();
      this.failed(error);
    });
  }

  halt() {
    this.wake();
    for (const each of this.shown) each.halt();
  }

  leave() {
    this.wake();
    for (const each of this.shown) each.leave();
    this.shown = [];
  }

  // All certificates, one at each step.
  get rows() {
    const rows = this.shown.flatMap((each) => each.rows);
    return [...new Map(rows.map((row) => [row.step, row])).values()].sort((a, b) => a.step - b.step);
  }

  // The certificates of each run.
  curves() { return this.shown.map((each) => [each.name, each.rows]); }

  seek(place) {
    const row = this.rows[place];
    if (row) this.ask("seek", (each) => ({ step: each.last(row.step).step }));
  }

  // What one picture shows, of the curves all there is, and what `ask` gives of each run, perhaps of a step of its own;
  // null where other problems have come meanwhile.
  async frame(ask) {
    const { shown } = this, answers = await Promise.all(shown.map(ask));
    if (shown !== this.shown) return null;
    const found = shown.map((each, k) => [each.name, each.upto(answers[k])]);
    const latest = (rows) => rows.reduce((a, b) => (b.step > a.step ? b : a)), [[, { rows: first }]] = found;
    return {
      runs: Object.fromEntries(found), unit: first.at(-1).epoch < 1 ? "step" : "epoch",
      row: latest(found.map(([, { row }]) => row)), last: latest(shown.map((each) => each.rows.at(-1))),
    };
  }
}
