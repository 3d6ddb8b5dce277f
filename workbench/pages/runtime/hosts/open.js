// @ts-check
// A page that is open: settings, runs by engines of their own, and the pictures of them; the same in every host.

import { isTaken } from "../keys.js";
import { Painter, painted, READ_MS } from "../painter.js";
import { Pins } from "../pins.js";
import { copy, savePlot } from "../save.js";
import { Track, Tracks } from "../tracks.js";
import { escaped } from "../wording.js";
import { bokehOf } from "./bokeh.js";
import { Controls } from "./controls.js";
import { Figures } from "./figures.js";
import { addressOf, settingsByLabel, settingsOf } from "./settings.js";
import { Predict } from "./predict.js";
import { hold, NEEDS_PYTHON, Supplies } from "./supplies.js";
import { codeBox, View } from "./view.js";

/**
 * @typedef {import("./host.js").Host} Host
 * @typedef {Record<string, any>} PageModule - the functions of a page's `frame.js`
 */

const GHOST_MS = 1000;
const WAITING = "Waiting for Python, which is busy.";

/**
 * Opens a page in a host.
 * @param {Host} host
 * @param {PageModule} module
 */
export async function open(host, module) {
  const facts = await host.ask({ type: "page" });
  const Bokeh = await bokehOf(host, facts.bokeh);
  const page = new OpenPage(host, module, facts, Bokeh);
  await page.begin();
  return page;
}

export class OpenPage extends Painter {
  /** @type {any} */
  figures = null;
  /** @type {any} */
  tracks;
  asked = 0;
  isBusy = false;
  begins = false;
  refusal = "";
  spoken = -Infinity;
  since = 0;
  hasEnded = false;
  /** @type {any} */
  before = null;
  shownSettings = "";
  chosen = "";
  status = "paused";

  /**
   * @param {Host} host
   * @param {PageModule} module
   * @param {Record<string, any>} facts
   * @param {any} Bokeh
   */
  constructor(host, module, facts, Bokeh) {
    super();
    this.host = host;
    this.module = module;
    this.facts = facts;
    this.Bokeh = Bokeh;
    this.rows = facts.controls.flatMap((/** @type {any} */ group) => group.rows);
    this.supplies = new Supplies(host, module, facts);
    this.view = new View(host.el, facts, {
      press: (name) => this.press(name),
      seek: (place) => this.tracks.seek(place),
      obey: (button) => this.obey(button),
      preset: (name) => this.change({ ...facts.defaults, ...facts.presets[name] }),
    });
    const groups = host.kind === "file" ? facts.controls : freed(facts.controls);
    this.controls = new Controls(this.view.controls, groups, facts.used, (changes) => {
      this.view.parts.preset.selectedIndex = 0;
      this.predict.leave();
      this.change(changes);
    });
    this.predict = new Predict(this.view.parts.predict, facts.questions, {
      choose: (question) => this.change({ question }),
      guess: ({ change }) => {
        this.change({ ...facts.guess_needs, ...change });
        this.restart();
      },
    });
    this.pins = new Pins({
      plotOf: (name) => this.figures.of("figures", name),
      headOf: (name) => this.view.heads[name].firstElementChild ?? undefined,
      settings: () => settingsByLabel(this.settings, this.rows),
      changed() {},
    });
    this.tracks = new Tracks({
      Kind: trackOf(module),
      epochs: facts.epochs,
      failed: (/** @type {Error} */ error) => this.refuse(error),
      changed: () => {
        if (!this.begins) this.soon();
      },
    });
  }

  async begin() {
    const { host, facts } = this;
    if (host.kind === "file") {
      for (const [name, values] of Object.entries(facts.elsewhere)) this.controls.disable(name, values, NEEDS_PYTHON);
    }
    this.themed = new Promise((resolve) =>
      host.onTheme((isDark) => {
        this.view.setTheme(isDark);
        resolve(this.draw(isDark));
      }),
    );
    await this.themed;
    host.onWaiting((isWaiting) => this.report(isWaiting ? WAITING : ""));
    host.onRefusal((text) => this.refuse(new Error(text)));
    host.onRemove(() => this.close());
    host.model.on("change:settings", () => this.onSettings());
    this.follow();
    this.listen();
    await this.onSettings();
  }

  /** @param {boolean} isDark */
  async draw(isDark) {
    this.figures?.clear();
    this.figures = await Figures.stand(this.Bokeh, this.facts, this.view, isDark);
    if (this.tracks.shown.length) this.soon();
  }

  /** A file's address is the page's; a notebook and a server's page keep theirs. */
  follow() {
    if (this.host.kind !== "file") return;
    const { settings, refusals } = settingsOf(location.hash, this.rows);
    if (refusals.length) this.view.put("notice", `<div class='wb-note'>${escaped(refusals.join("; "))}</div>`);
    this.host.model.set("settings", { ...this.settings, ...settings });
    this.host.model.save_changes();
    addEventListener("popstate", () => {
      this.change({ ...this.facts.defaults, ...settingsOf(location.hash, this.rows).settings }, false);
    });
  }

  /** Keys are the page's where it stands alone; in a notebook while the focus is in it. */
  listen() {
    const target = this.host.kind === "notebook" ? this.view.box : document;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.press("run"),
      r: () => this.press("reset"),
      ArrowRight: () => this.press("step"),
    };
    const listener = (/** @type {any} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions) || isTaken(event)) return;
      event.preventDefault();
      actions[event.key]();
    };
    target.addEventListener("keydown", listener);
    this.host.onRemove(() => target.removeEventListener("keydown", listener));
  }

  /** @returns {Record<string, any>} */
  get settings() {
    return this.host.model.get("settings");
  }

  /**
   * Sets several settings at once.
   * @param {Record<string, any>} changes
   * @param {boolean} [isVisit] - whether Back leads to the settings before
   */
  change(changes, isVisit = true) {
    this.host.model.set("settings", { ...this.settings, ...changes });
    this.host.model.save_changes();
    if (isVisit && this.host.kind === "file") {
      const address = `#${addressOf(this.settings, this.facts.defaults)}`;
      if (address !== location.hash) history.pushState(null, "", address);
    }
    return this.onSettings();
  }

  onSettings() {
    const { settings } = this;
    this.predict.show(settings.question);
    const entries = Object.entries(settings).filter(([name]) => !this.facts.looked_at.includes(name));
    const text = JSON.stringify(entries);
    if (text === this.chosen) return undefined;
    this.chosen = text;
    this.controls.show(settings);
    return this.restart();
  }

  /**
   * Begins the runs of the settings, and goes on with them where `play` says so; the last call counts.
   * @param {boolean} [play]
   */
  async restart(play = true) {
    const turn = ++this.asked;
    const isLeft = () => turn !== this.asked;
    const { settings, facts, module, tracks } = this;
    this.remember();
    tracks.leave();
    this.isBusy = this.begins = true;
    try {
      const shown = await this.begun(settings, isLeft);
      if (isLeft()) return;
      tracks.shown = shown;
      this.refusal = "";
      this.shownSettings = JSON.stringify(settings);
      this.since = performance.now();
      this.hasEnded = false;
      this.figures.dim(false);
    } catch (error) {
      if (!isLeft()) this.refuse(/** @type {Error} */ (error));
      return;
    } finally {
      if (!isLeft()) this.isBusy = this.begins = false;
    }
    this.view.put("code", codeBox(module.code(settings, facts)));
    if (play) this.run();
    else this.soon();
  }

  /**
   * Begins the runs of the settings by engines of their own; none where something newer was asked for.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async begun(settings, isLeft) {
    const wanted = this.module.runs(settings, this.facts);
    const supplies = await this.supplies.of(settings);
    const engines = await Promise.all(
      wanted.map((/** @type {any} */ { name }) => this.supplies.engineOf(name, supplies.isHere)),
    );
    if (isLeft()) return [];
    await Promise.all(engines.map((engine) => hold(engine, supplies)));
    if (isLeft()) return [];
    const tracks = engines.map((engine, k) => (engine.track ??= this.tracks.track(wanted[k].name, engine)));
    await Promise.all(tracks.map((track, k) => track.begin({ ...supplies.terms, ...wanted[k].problem })));
    return tracks;
  }

  /** What was seen stays as a ghost once other settings are drawn. */
  remember() {
    const { tracks, shownSettings: key } = this;
    if (!tracks.shown.length || !(this.hasEnded || performance.now() - this.since > GHOST_MS)) return;
    this.before = { key, curves: tracks.curves() };
  }

  leaveGhost() {
    const { before, figures } = this;
    this.before = null;
    if (!before || before.key === this.shownSettings) return;
    const rows = Object.entries(this.module.ghosts(before.curves, this.facts));
    figures.leaveGhost(Object.fromEntries(rows.map(([name, each]) => [name, figures.ghost(each)])));
  }

  run() {
    this.tracks.run(this.settings.tolerance);
  }

  /** @param {string} name */
  press(name) {
    if (name === "reset") this.restart(false);
    else if (name !== "run") this.tracks.ask(name);
    else if (this.tracks.playing) this.tracks.ask("pause");
    else this.run();
  }

  /**
   * Does what a button of a card says: save or pin its figure, copy its code.
   * @param {HTMLButtonElement} button
   */
  obey(button) {
    const { do: action, figure = "" } = button.dataset;
    if (action === "save") savePlot(this.figures.of("figures", figure), button);
    else if (action === "pin") this.pins.pin(figure);
    else if (action === "unpin") this.pins.unpin(figure);
    else if (action === "copy") copy(button);
  }

  /** @param {number} turn */
  async paint(turn) {
    const { tracks, module, facts, figures } = this;
    if (!tracks.shown.length || !tracks.isAnswered) return null;
    const { type, contents, figure } = module.question(facts);
    const isFolded = tracks.playing && !figures.isShown(`${figure}_x`);
    const shown = await tracks.frame(async (/** @type {any} */ track) => {
      if (isFolded) return module.nothing;
      return plainColumns(await track.engine.ask(type, contents));
    });
    if (shown === null || turn !== this.asked) return null;
    const frame = module.frame(JSON.parse(this.shownSettings), shown, facts);
    const rests = tracks.rests(shown);
    this.leaveGhost();
    figures.show(frame);
    figures.mark(shown.row.step < shown.last.step ? shown.row[shown.unit] : null);
    for (const name of this.pins.kept.keys()) this.pins.painted(figures.of("figures", name));
    this.frame = frame;
    this.view.box.dataset.step = String(shown.row.step);
    if (rests || performance.now() - this.spoken > READ_MS) this.speak(frame, shown);
    this.hasEnded ||= rests;
    if (rests) this.predict.reveal(module.outcome(shown, facts));
    return null;
  }

  /**
   * @param {any} frame
   * @param {any} shown
   */
  speak(frame, shown) {
    const { view, tracks, figures } = this;
    this.spoken = performance.now();
    const { why, ...sentences } = frame.sentences;
    for (const [name, text] of Object.entries(sentences)) view.line(name, text);
    view.put("numbers", frame.numbers);
    view.put("why", why);
    const { rows } = tracks;
    const at = rows.findIndex((/** @type {any} */ { step }) => step === shown.row.step);
    view.stand(at, rows.length, figures.elapsed(shown.row));
    this.status = tracks.playing ? "running" : frame.status.name;
    const text = tracks.playing ? figures.say("running", { elapsed: figures.elapsed(shown.row) }) : frame.status.text;
    this.report(text);
  }

  /** @param {string} text */
  report(text) {
    this.view.say(this.refusal || text, this.status, this.refusal !== "");
  }

  /** @param {Error & { isBroken?: boolean }} error */
  refuse(error) {
    this.isBusy = this.begins = false;
    this.refusal = error.message;
    if (error.isBroken) this.close();
    this.figures.dim(!error.isBroken);
    this.report("");
  }

  between() {
    return painted();
  }

  /** Resolves when all that was asked for is drawn. */
  async settled() {
    do await painted();
    while (this.drawing || this.isBusy || this.tracks.playing || !this.tracks.isAnswered);
  }

  close() {
    this.tracks.leave();
    this.supplies.close();
  }
}

/**
 * Returns a kind of run that keeps of a certificate what a page's module says.
 * @param {PageModule} module
 */
function trackOf(module) {
  return class extends Track {
    /** @param {any} answer @param {any} [before] */
    row(answer, before) {
      return module.row(answer, before ?? null);
    }

    /** @param {any} shown */
    upto(shown) {
      module.complete(/** @type {any} */ (this).rows);
      return super.upto(shown);
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

/**
 * Returns the controls without grids, where Python computes what follows from a free value.
 * @param {any[]} groups
 */
function freed(groups) {
  return groups.map((group) => ({
    ...group,
    rows: group.rows.map((/** @type {any} */ { grid, ...row }) => row),
  }));
}
