// Runs side by side, each by an engine of its own, and what one frame shows of them.

import { SLOW_MS } from "./painter.js";

// One run: what its engine has answered, in the order of the steps.
export class Track {
  /** @type {any} */ name;
  /** @type {any} */ engine;
  first = Infinity;
  /** @type {any[]} */ rows = [];
  /** @type {any} */ at;
  /** @type {any} */ playing;
  /** @type {any} */ end;
  /** @type {any} */ reason;
  /** @type {any} */ event;
  /** @type {any} */ asked;
  /** @type {any} */ answered;
  /** @type {any} */ running;
  /** @type {any} */ limit;
  /** @type {any} */ isDue;

  /** @param {string} name @param {any} engine @param {any} heard */
  constructor(name, engine, heard) {
    this.name = name;
    this.engine = engine;

    this.clear();
    engine.heard = (/** @type {any} */ answer) => {
      if (this.onMessage(answer)) heard();
    };
  }

  clear() {
    this.rows = [];
    this.at = 0;
    this.playing = false;
    this.end = null;
    this.reason = null;
    this.event = null;
    this.asked = 0;
    this.answered = 0;
    this.running = null;
    this.limit = 0;
    this.isDue = false;
  }

  /** @param {any} problem */
  begin(problem) {
    this.clear();
    const answer = this.ask("problem", problem);
    // Frames of the problem before, which are still on their way, have lower numbers.
    this.first = this.asked;
    return answer;
  }

  /** @param {string} type @param {any} contents */
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
    this.playing = false;
    this.running = null;
  }

  // What it still has to say is of no interest.
  detach() {
    this.first = Infinity;
    this.halt();
  }

  /** @param {any} answer */
  onMessage(answer) {
    if (!(answer.id >= this.first)) return false;
    if (answer.type === "ended") {
      // A run that was asked to pause goes on until the engine has read that.
      if (answer.id !== this.running) return false;
      const { step, status } = answer;
      const reason = this.reason?.replace(/^.*?: /, "") ?? "";
      this.running = null;
      this.playing = false;
      if (status === "max_epochs" && this.epoch < this.limit) this.isDue = true;
      else if (status !== "paused") this.end = { step, status, reason };
      return true;
    }
    if (answer.type !== "frame") return false;
    for (const row of [...answer.passed, answer]) this.add(row);
    this.at = answer.step;
    this.event = answer.event;
    this.reason = answer.reason;
    this.answered = answer.id;
    return true;
  }

  /**
   * Certificates in the order of their steps, each once; those that others have made may differ by a last place.
   * @param {any} answer
   */
  add(answer) {
    const after = this.rows.findLastIndex((row) => row.step <= answer.step);
    const before = this.rows[after];
    const [from, count] = before?.step === answer.step ? [after, 1] : [after + 1, 0];
    this.rows.splice(from, count, this.row(answer, count ? before : null));
  }

  /**
   * What is kept of a certificate; `before` is the one at the same step, where there is one.
   * @param {any} answer @param {any} [_before] @returns {any}
   */
  row({ step, epoch, primal, dual, gap, relative_gap }, _before) {
    return { step, epoch, primal, dual, gap, relative_gap };
  }

  // The run at a step, the present one where none is given, with all of its rows; `shown` is what else was asked for.
  snapshotAt({ step = this.at, ...shown }) {
    const { rows, event } = this;
    const row = this.last(step);
    const { status = null, reason = "" } = this.end?.step === step ? this.end : {};
    return { rows, row, event, shown, status, reason };
  }

  /**
   * The last certificate at a step or before.
   * @param {any} step
   */
  last(step) {
    return this.rows.findLast((row) => row.step <= step);
  }

  get epoch() {
    return this.last(this.at).epoch;
  }

  get isOpen() {
    return this.end?.step !== this.at;
  }

  get isAnswered() {
    return this.answered >= this.asked;
  }
}

export class Tracks {
  /** @type {any} */ Kind;
  /** @type {any} */ epochs;
  /** @type {any} */ changed;
  /** @type {any} */ failed;
  /** @type {any[]} */ shown = [];
  /** @type {any} */ waits = null;
  /** @type {any} */ gap;
  /** @type {any} */ isSlow;

  /**
   * `Kind` is the class of a run; `epochs` that it makes until one presses again; `changed` is called with news once all
   * that was asked is answered, and `failed` with an error.
   * @param {{ Kind?: any, epochs: number, changed: () => void, failed: any }} fields
   */
  constructor({ Kind = Track, epochs, changed, failed }) {
    this.Kind = Kind;
    this.epochs = epochs;
    this.changed = changed;
    this.failed = failed;
  }

  /** @param {string} name @param {any} engine */
  track(name, engine) {
    return new this.Kind(name, engine, () => this.onNews());
  }

  onNews() {
    const due = this.shown.filter(({ isDue }) => isDue);
    const isOver = this.shown.every(({ running }) => running === null);
    if (due.length && isOver && this.waits === null) this.waits = setTimeout(() => this.start(due), SLOW_MS);
    if (this.isAnswered) this.changed();
  }

  get isAnswered() {
    return this.shown.every(({ isAnswered }) => isAnswered);
  }

  get playing() {
    return this.waits !== null || this.shown.some(({ playing }) => playing);
  }

  /**
   * Returns true once nothing happens any more and a frame shows the last state.
   * @param {{ runs: any }} fields
   */
  isSettled({ runs }) {
    /** @param {{ name: string, at: any, running: any }} fields */
    const isLast = ({ name, at, running }) => running === null && runs[name].row.step === at;
    return this.waits === null && this.isAnswered && this.shown.every(isLast);
  }

  /**
   * Those go on that have not ended, or all where all have; a further press goes on for as many epochs again.
   * @param {number} gap @param {boolean} [isSlow]
   */
  run(gap, isSlow = false) {
    this.wake();
    const open = this.shown.filter(({ isOpen }) => isOpen);
    const tracks = open.length ? open : this.shown;
    this.gap = gap;
    this.isSlow = isSlow;
    for (const track of tracks) {
      track.end = null;
      track.limit = this.epochs * (Math.floor(track.epoch / this.epochs) + 1);
    }
    this.start(tracks);
  }

  /**
   * Starts runs; a slow run is a run of one epoch, and then another.
   * @param {any} tracks
   */
  start(tracks) {
    this.wake();
    for (const track of tracks) {
      const maxEpochs = this.isSlow ? Math.min(Math.floor(track.epoch) + 1, track.limit) : track.limit;
      this.tell(track, "run", { gap: this.gap, max_epochs: maxEpochs });
    }
  }

  // Ends the wait of a slow run.
  wake() {
    clearTimeout(this.waits);
    this.waits = null;
    for (const track of this.shown) track.isDue = false;
  }

  /** @param {string} type @param {any} [contents] */
  ask(type, contents = () => ({})) {
    this.wake();
    for (const track of this.shown) this.tell(track, type, contents(track));
  }

  /**
   * What fails once other problems are shown is theirs no more.
   * @param {any} track @param {string} type @param {any} contents
   */
  tell(track, type, contents) {
    const { shown } = this;
    track.ask(type, contents).catch((/** @type {any} */ error) => {
      if (shown !== this.shown) return;
      track.halt();
      this.failed(error);
    });
  }

  halt() {
    this.wake();
    for (const track of this.shown) track.halt();
  }

  detach() {
    this.wake();
    for (const track of this.shown) track.detach();
    this.shown = [];
  }

  // All certificates, one at each step.
  get rows() {
    const rows = this.shown.flatMap((track) => track.rows);
    return [...new Map(rows.map((row) => [row.step, row])).values()].sort((a, b) => a.step - b.step);
  }

  // The certificates of each run.
  curves() {
    return this.shown.map((track) => [track.name, track.rows]);
  }

  /** @param {any} place */
  seek(place) {
    const row = this.rows[place];
    if (row) this.ask("seek", (/** @type {any} */ track) => ({ step: track.last(row.step).step }));
  }

  /**
   * What one picture shows, of the curves all there is, and what `ask` gives of each run, perhaps of a step of its own;
   * null where other problems have come in between.
   * @param {any} ask
   */
  async frame(ask) {
    const { shown } = this;
    const answers = await Promise.all(shown.map(ask));
    if (shown !== this.shown) return null;
    const snapshots = shown.map((track, k) => [track.name, track.snapshotAt(answers[k])]);
    /** @param {Row[]} rows */
    const latest = (rows) => rows.reduce((a, b) => (b.step > a.step ? b : a));
    const [[, { rows: first }]] = snapshots;
    return {
      runs: Object.fromEntries(snapshots),
      unit: first.at(-1).epoch < 1 ? "step" : "epoch",
      row: latest(snapshots.map(([, { row }]) => row)),
      last: latest(shown.map((track) => track.rows.at(-1))),
    };
  }
}
