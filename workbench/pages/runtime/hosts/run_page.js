// @ts-check
// A page whose pictures are of runs by engines: transport, places in the past, and ghosts of the settings before.

import { READ_MS } from "../painter.js";
import { Track, Tracks } from "../tracks.js";
import { OpenPage } from "./open_page.js";
import { hold, Supplies } from "./supplies.js";
import { Transport } from "./transport.js";

const GHOST_MS = 1000;

/**
 * @typedef {import("./open_page.js").PageModule} PageModule - beside what every page has: `runs(settings, facts)`, names
 *   and problems; `needs(settings, facts)`, data, terms and their names in Python; `row(answer, before)` and
 *   `complete(rows)`, what is kept of certificates; `question(facts, settings)`, what is asked of an engine for a picture, and
 *   `nothing`, its answer while that is folded; `ghosts(curves, facts)`; `frame` and `outcome` take the runs for `answers`.
 *   A run that has `settings` of its own has data and terms of its own; `supplied(settings, known, facts)` may make them;
 *   `extendTrack(Kind)` gives the class of a run where it has its own
 */

export class RunPage extends OpenPage {
  begins = false;
  spoken = -Infinity;
  since = 0;
  hasEnded = false;
  /** @type {any} */
  before = null;

  /**
   * @param {import("./host.js").Host} host
   * @param {PageModule} module
   * @param {Record<string, any>} facts
   * @param {any} Bokeh
   */
  constructor(host, module, facts, Bokeh) {
    super(host, module, facts, Bokeh);
    this.supplies = new Supplies(host, module, facts);
    this.transport = new Transport(this.view.parts.transport, facts.texts, {
      press: (name) => this.press(name),
      seek: (place) => this.tracks.seek(place),
    });
    this.tracks = new Tracks({
      Kind: trackOf(module),
      epochs: facts.epochs,
      failed: (/** @type {Error} */ error) => this.refuse(error),
      changed: () => {
        if (!this.begins) this.soon();
      },
    });
    this.keys = {
      " ": { does: "run, or pause", act: () => this.press("run") },
      ArrowRight: {
        does: "on by one place of the run, or a step",
        act: () => this.transport.move(1) || this.press("step"),
      },
      ArrowLeft: { does: "back by one place of the run", act: () => this.transport.move(-1) },
      r: { does: "reset", act: () => this.press("reset") },
    };
  }

  get isDrawable() {
    return this.tracks.shown.length > 0;
  }

  /** Keeps the curves of the present settings as a ghost beside those of the next. */
  leaveShown() {
    const { tracks, shownSettings: key } = this;
    if (tracks.shown.length && (this.hasEnded || performance.now() - this.since > GHOST_MS))
      this.before = { key, curves: tracks.curves() };
    tracks.detach();
    this.begins = true;
  }

  /**
   * Begins the runs of the settings by engines of their own.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async prepare(settings, isLeft) {
    try {
      const shown = await this.begun(settings, isLeft);
      if (isLeft()) return;
      this.tracks.shown = shown;
      this.since = performance.now();
      this.hasEnded = false;
    } finally {
      if (!isLeft()) this.begins = false;
    }
  }

  /**
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async begun(settings, isLeft) {
    const requests = this.module.runs(settings, this.facts);
    /** @type {import("./supplies.js").Supply[]} */
    const supplies = await Promise.all(
      requests.map((/** @type {any} */ { settings: own = settings }) => this.supplies.of(own)),
    );
    const engines = await Promise.all(
      supplies.map(({ isHere }, k) => this.supplies.engineOf(requests[k].name, isHere)),
    );
    if (isLeft()) return [];
    await Promise.all(engines.map((engine, k) => hold(engine, supplies[k])));
    if (isLeft()) return [];
    const tracks = engines.map((engine, k) => {
      engine.track ??= this.tracks.track(requests[k].name, engine);
      return Object.assign(engine.track, { request: requests[k], known: supplies[k].known });
    });
    await Promise.all(tracks.map((track, k) => track.begin({ ...supplies[k].terms, ...requests[k].problem })));
    return tracks;
  }

  /** @param {boolean} play */
  show(play) {
    if (play) this.run();
    else this.soon();
  }

  leaveGhost() {
    const { before, figures } = this;
    this.before = null;
    if (!before || before.key === this.shownSettings) return;
    const rows = Object.entries(this.module.ghosts(before.curves, this.facts));
    figures.leaveGhost(Object.fromEntries(rows.map(([name, each]) => [name, figures.ghost(each)])));
  }

  run() {
    this.tracks.run(this.settings.tolerance, this.transport.isSlow);
  }

  /** @param {string} name */
  press(name) {
    if (name === "reset") this.restart(false);
    else if (name !== "run") this.tracks.ask(name);
    else if (this.tracks.playing) this.tracks.ask("pause");
    else this.run();
  }

  /**
   * Runs from the start, or shows a place of the run, as a step of a story says.
   * @param {import("./lecture.js").Step} step
   */
  async play({ run, seek }) {
    if (run) await this.restart();
    if (seek === undefined) return;
    await this.settled();
    const place = this.tracks.rows.findLastIndex((/** @type {any} */ { epoch }) => epoch <= seek);
    this.tracks.seek(Math.max(place, 0));
  }

  /** @param {number} turn */
  async paint(turn) {
    const { tracks, module, facts, figures } = this;
    if (!tracks.shown.length || !tracks.isAnswered) return null;
    const { type, contents, figure, isTyped } = module.question?.(facts, JSON.parse(this.shownSettings)) ?? {};
    const isFolded = tracks.playing && figure && !figures.isShown(`${figure}_x`);
    const shown = await tracks.frame(async (/** @type {any} */ track) => {
      if (!type) return {};
      if (isFolded) return module.nothing;
      const answer = await track.engine.ask(type, contents);
      return isTyped ? answer : plainColumns(answer);
    });
    if (shown === null || turn !== this.asked) return null;
    Object.assign(shown, await this.more(shown));
    if (turn !== this.asked) return null;
    const frame = module.frame(JSON.parse(this.shownSettings), shown, facts);
    const isSettled = tracks.isSettled(shown);
    this.leaveGhost();
    this.put(frame);
    this.drawn(frame, shown);
    figures.mark(shown.row.step < shown.last.step ? shown.row[shown.unit] : null);
    this.view.box.dataset.step = String(shown.row.step);
    if (isSettled || performance.now() - this.spoken > READ_MS) this.say(frame, shown);
    this.hasEnded ||= isSettled;
    if (isSettled) this.predict?.reveal(module.outcome(shown, facts));
    return null;
  }

  /**
   * Returns what a frame shows beside the answers of the runs; a page of its own kind asks for it.
   * @param {any} _shown
   * @returns {Promise<Record<string, any>>}
   */
  async more(_shown) {
    return {};
  }

  /**
   * Called once a frame fills the figures.
   * @param {any} _frame
   * @param {any} _shown
   */
  drawn(_frame, _shown) {}

  /**
   * @param {any} frame
   * @param {any} shown
   */
  say(frame, shown) {
    const { tracks, figures } = this;
    this.spoken = performance.now();
    this.speak(frame);
    const elapsed = figures.elapsed(shown.row);
    this.transport.stand(
      tracks.rows.findIndex((/** @type {any} */ { step }) => step === shown.row.step),
      tracks.rows.length,
      elapsed,
    );
    this.status = tracks.playing ? "running" : frame.status.name;
    this.report(tracks.playing ? figures.say("running", { elapsed }) : frame.status.text);
  }

  /** @param {string} text */
  report(text) {
    super.report(text);
    this.transport.says(this.status);
  }

  /** @param {Error & { isBroken?: boolean }} error */
  refuse(error) {
    this.begins = false;
    super.refuse(error);
  }

  get isUnderWay() {
    return super.isUnderWay || this.tracks.playing || !this.tracks.isAnswered;
  }

  close() {
    this.tracks.detach();
    super.close();
  }
}

/**
 * Returns a kind of run that keeps of a certificate what a page's module says.
 * @param {PageModule} module
 */
function trackOf(module) {
  return class extends (module.extendTrack?.(Track) ?? Track) {
    /** @type {any} */ wanted = null;
    /** @type {any} */ known = null;

    /** @param {any} answer @param {any} [before] */
    row(answer, before) {
      return module.row(answer, before ?? null);
    }

    /** @param {any} shown */
    snapshotAt(shown) {
      module.complete?.(/** @type {any} */ (this).rows);
      const { request, known } = this;
      return { ...super.snapshotAt(shown), request, known };
    }
  };
}

/** @param {Record<string, any>} answer */
function plainColumns(answer) {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value,
    ]),
  );
}
