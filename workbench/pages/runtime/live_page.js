// What pages that solve in the browser share: controls, the address, the status.

import { codeBox } from "./page_code.js";
import { PageContract } from "./page_contract.js";
import { painted } from "./painter.js";

// A curve that has been seen for so long, or to its end, stays as a ghost when the settings change.
const GHOST_MS = 1000;

// A page whose runs are engines of its own, which it starts and may end.
export class RunPage extends PageContract {
  /** @type {any} */ page;
  /** @type {any} */ model;
  /** @type {any} */ host;
  playing = false;
  /** @type {any} */ ended = null;
  /** @type {any} */ refusal = null;
  /** @type {Record<string, any>} */ engines = {};
  /** @type {any} */ boxes;
  /** @type {any} */ frame;
  /** @type {any} */ begins;
  /** @type {any} */ isBusy;
  /** @type {any} */ begun;
  /** @type {any} */ hasEnded;
  /** @type {any} */ before;
  /** @type {any} */ figures;

  /**
   * `host` is where the page stands: in a file or on a server's page.
   * @param {any} page @param {any} model @param {any} host
   */
  constructor(page, model, host) {
    super();
    this.page = page;
    this.model = model;
    this.host = host;

    this.boxes = host.boxes;
    this.frame = host.frame;
  }

  // --- what a page of its own kind does

  // The value of each setting.
  get settings() {
    return this.host.settings;
  }

  /**
   * The facts of the chosen loss or regularizer.
   * @param {string} kind @param {Settings} settings
   */
  term(kind, settings) {
    const { control, rows } = this.page.terms[kind][settings[kind]];
    return rows[control === null ? 0 : this.page.controls[control].values.indexOf(settings[control])];
  }

  /**
   * What is chosen, in words beside each slider; only what the other choices use is shown.
   * @param {Settings} settings
   */
  onSettings(settings) {
    this.host.onSettings(this, settings);
  }

  // What is chosen as an address and as code, once the picture of it stands: browsers take their time for these.
  keep() {
    const code = this.code(this.settings);
    this.host.keep(this);
    if (code !== null) this.host.put("code", codeBox(code));
  }

  /**
   * The settings of an address, where they are among those of the page.
   * @param {any} address
   */
  follow(address) {
    for (const [name, text] of new URLSearchParams(address.replace(/^#/, ""))) {
      this.host.set(name, text);
    }
  }

  /** @param {string} text @param {boolean} [isError] @param {string} [status] */
  say(text, isError = false, status = this.status) {
    this.host.say(text, isError, status);
  }

  /**
   * How far a run has come, unless a refusal stands; something else that is asked for takes that away.
   * @param {string} text @param {string} [status]
   */
  report(text, status) {
    this.say(this.refusal ?? text, this.refusal !== null, status);
  }

  /** @param {string} name @param {Record<string, any>} values */
  refusePoints(name, values) {
    this.refusal = this.figures.say(name, values);
    this.report("", this.status);
  }

  get status() {
    return this.ended ?? (this.playing ? "running" : "paused");
  }

  between() {
    return painted();
  }

  // Resolves when what was asked for is drawn; fails after so many milliseconds with what it waits for.
  async settled(patience = 60_000) {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`not settled: ${this.awaited}`)), patience));
    const drawn = async () => {
      do await painted();
      while (!this.isSettled);
    };
    await Promise.race([drawn(), late]);
  }

  // What is not done yet, in the words of the code.
  get awaited() {
    const {
      runs: tracks,
      drawing = false,
      isBusy = false,
      playing,
      stepping = false,
      asked,
    } = /** @type {any} */ (this);
    const runs = (tracks?.shown ?? []).map(
      (
        /** @type {{ name: string, asked: any, answered: any, running: any }} */ { name, asked, answered, running },
      ) => ({
        name,
        asked,
        answered,
        running,
      }),
    );
    return JSON.stringify({ drawing, isBusy, playing, stepping, asked, visible: document.visibilityState, runs });
  }

  /**
   * What a page does its own way.
   * A control is hidden where its parameter has no use, as in `controls.is_used`.
   * @param {string} name @param {Settings} settings
   */
  isHidden(name, settings) {
    /** @param {any} each */
    const meets = (each) => Object.entries(each).every(([other, values]) => values.includes(settings[other]));
    return !(this.page.used[name] ?? [{}]).some(meets);
  }

  // Whether this browser can run what the page asks for.
  get isAble() {
    return isAble();
  }

  /**
   * The engine of a name, here or on the server.
   * @param {string} name @param {boolean} isHere
   */
  engineOf(name, isHere) {
    return (this.engines[`${name} ${isHere}`] ??= this.host.engine(name, isHere));
  }

  // Ends all engines.
  close() {
    for (const each of Object.values(this.engines))
      each.then(
        (/** @type {any} */ engine) => engine.close(),
        () => {},
      );
    this.engines = {};
  }

  /**
   * The data, where an engine has others; `then` asks for what goes with them.
   * @param {any} engine @param {string} key @param {any} data @param {() => any} [then]
   */
  async hold(engine, key, data, then = () => {}) {
    if (engine.key === key) return;
    engine.key = null;
    await engine.ask("data", { ...engine.facts, ...data });
    await then();
    engine.key = key;
  }

  // New problems, and runs of them where `play` says so; the last one asked for counts.
  async restart(play = true) {
    const turn = ++this.asked;
    const { settings } = this;
    const isLeft = () => turn !== this.asked;
    this.onSettings(settings);
    this.remember();
    this.cleared(settings);
    this.begins = play;
    this.isBusy = true;
    this.refusal = null;
    try {
      const begun = await this.begin(settings, isLeft);
      if (isLeft()) return;
      this.begun = performance.now();
      this.hasEnded = false;
      this.putUp(begun, settings);
    } catch (error) {
      if (!isLeft()) this.missed(error);
      return;
    }
    this.begins = this.isBusy = false;
    this.figures.dim(false);
    await this.goes(play);
  }

  /**
   * What follows once problems have begun.
   * @param {boolean} play
   */
  async goes(play) {
    if (play) this.run();
    else this.soon();
  }

  /**
   * A problem that was asked for cannot be had.
   * @param {any} error
   */
  missed(error) {
    this.begins = this.isBusy = false;
    this.refuse(error);
    this.keep();
  }

  /**
   * What stands on the page is not of what is chosen; after an engine has ended, what is asked for next has another one.
   * @param {any} error
   */
  refuse(error) {
    this.pressed();
    if (error.isBroken) this.close();
    this.say(error.message, true);
    this.figures.dim(!error.isBroken);
  }

  // Whether the picture was there long enough to stay as a ghost.
  get wasSeen() {
    return performance.now() - this.begun > GHOST_MS;
  }

  // What is left, {key, curves}, stays as a ghost where other settings follow; `curves` gives those of each figure.
  leaveGhost() {
    const { before } = this;
    this.before = null;
    if (before && before.key !== this.ghostKey) this.figures.leaveGhost(before.curves(), this.counted);
  }

  /**
   * What a button or a key says; false for what is not this page's.
   * @param {string} name @returns {any}
   */
  press(name) {
    if (name === "undo") return this.undo();
    if (name === "reset") {
      this.host.tell({ reset: true });
      this.restart(false);
    } else if (name === "toggle") this.toggle();
    else if (name === "run") this.run();
    else this.ask(name);
    return undefined;
  }
}

export function isAble() {
  return [globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream].every(
    (each) => each !== undefined,
  );
}
