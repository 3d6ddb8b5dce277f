// @ts-check
// A page that is open: settings, address, controls and the pictures of them; the same in every host.

import { isTaken } from "../keys.js";
import { Painter, painted } from "../painter.js";
import { Pins } from "../pins.js";
import { copy, savePlot } from "../save.js";
import { escaped } from "../wording.js";
import { Answers } from "./answers.js";
import { Controls } from "./controls.js";
import { Figures } from "./figures.js";
import { Predict } from "./predict.js";
import { addressOf, settingsByLabel, settingsOf } from "./settings.js";
import { codeBox, View } from "./view.js";

/**
 * @typedef {import("./host.js").Host} Host
 * @typedef {Record<string, any>} PageModule - the functions of a page's `frame.js`:
 *   `needs(settings, facts)`, the messages whose answers a frame needs, by name;
 *   `frame(settings, answers, facts)`, what the figures, lines and cards show;
 *   `code(settings, facts)`, the Python of the same state; perhaps `outcome(settings, answers, facts)` of a question
 */

const WAITING = "Waiting for Python, which is busy.";
export const NEEDS_PYTHON = "This needs Python, which a file has not; open the page with 'workbench serve'.";

export class OpenPage extends Painter {
  /** @type {any} */
  figures = null;
  /** @type {any} */
  supplies;
  asked = 0;
  isBusy = false;
  refusal = "";
  shownSettings = "";
  chosen = "";
  status = "paused";
  /** @type {any} what a frame is made of, beside the settings */
  answers = null;
  /** @type {Record<string, () => void>} what the keys do */
  keys = {};

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
    this.supplies = new Answers(host);
    this.view = new View(host.el, facts, {
      obey: (button) => this.obey(button),
      preset: (name) => this.change({ ...facts.defaults, ...facts.presets[name] }),
    });
    const groups = host.kind === "file" ? facts.controls : freed(facts.controls);
    this.controls = new Controls(this.view.controls, groups, facts.used, (changes) => {
      this.view.parts.preset.selectedIndex = 0;
      this.predict?.leave();
      this.change(changes);
    });
    this.predict =
      this.view.parts.predict &&
      new Predict(this.view.parts.predict, facts.questions, {
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
  }

  async begin() {
    const { host, facts } = this;
    if (host.kind === "file") {
      for (const [name, values] of Object.entries(facts.elsewhere ?? {}))
        this.controls.disable(name, values, NEEDS_PYTHON);
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
    if (this.isDrawable) this.soon();
  }

  /** True if there is something that a frame can be made of. */
  get isDrawable() {
    return this.answers !== null;
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
    const listener = (/** @type {any} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in this.keys) || isTaken(event)) return;
      event.preventDefault();
      this.keys[event.key]();
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
    if (settings.question !== undefined) this.predict?.show(settings.question);
    const entries = Object.entries(settings).filter(([name]) => !this.facts.looked_at.includes(name));
    const text = JSON.stringify(entries);
    if (text === this.chosen) return undefined;
    this.chosen = text;
    this.controls.show(settings);
    return this.restart();
  }

  /**
   * Draws the settings; the last call counts.
   * @param {boolean} [play] - of a page with runs: whether they go on
   */
  async restart(play = true) {
    const turn = ++this.asked;
    const isLeft = () => turn !== this.asked;
    const { settings, facts, module } = this;
    this.leaveShown();
    this.isBusy = true;
    try {
      await this.prepare(settings, isLeft);
      if (isLeft()) return;
      this.refusal = "";
      this.shownSettings = JSON.stringify(settings);
      this.figures.dim(false);
    } catch (error) {
      if (!isLeft()) this.refuse(/** @type {Error} */ (error));
      return;
    } finally {
      if (!isLeft()) this.isBusy = false;
    }
    if (this.view.parts.code) this.view.put("code", codeBox(module.code(settings, facts)));
    this.show(play);
  }

  /** Leave what is shown, before other settings are prepared. */
  leaveShown() {}

  /**
   * Gets what a frame of the settings is made of; nothing where something newer was asked for.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async prepare(settings, isLeft) {
    const answers = await this.supplies.all(this.module.needs?.(settings, this.facts) ?? {});
    if (!isLeft()) this.answers = answers;
  }

  /** @param {boolean} _play */
  show(_play) {
    this.soon();
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
    const { answers, module, facts } = this;
    if (answers === null || turn !== this.asked) return null;
    const settings = JSON.parse(this.shownSettings);
    const frame = await module.frame(settings, answers, facts);
    if (turn !== this.asked) return null;
    this.put(frame);
    this.speak(frame);
    this.status = frame.status?.name ?? "paused";
    this.report(frame.status?.text ?? "");
    if (module.outcome) this.predict?.reveal(module.outcome(settings, answers, facts));
    return null;
  }

  /**
   * Fills the figures.
   * @param {any} frame
   */
  put(frame) {
    const { figures } = this;
    figures.show(frame);
    for (const name of this.pins.kept.keys()) this.pins.painted(figures.of("figures", name));
    this.frame = frame;
  }

  /**
   * Says what a frame says: lines below figures, cards, and the row of numbers.
   * @param {any} frame
   */
  speak({ sentences, numbers = "" }) {
    const { view } = this;
    for (const [name, text] of Object.entries(sentences)) {
      if (name in view.lines) view.line(name, text);
      else view.put(name, text);
    }
    view.put("numbers", numbers);
  }

  /** @param {string} text */
  report(text) {
    this.view.say(this.refusal || text, this.status, this.refusal !== "");
  }

  /** @param {Error & { isBroken?: boolean }} error */
  refuse(error) {
    this.isBusy = false;
    this.refusal = error.message;
    if (error.isBroken) this.close();
    this.figures.dim(!error.isBroken);
    this.report("");
  }

  between() {
    return painted();
  }

  /** True while something goes on that a picture will show. */
  get isUnderWay() {
    return this.drawing || this.isBusy;
  }

  /** Resolves when all that was asked for is drawn. */
  async settled() {
    do await painted();
    while (this.isUnderWay);
  }

  close() {
    this.supplies.close();
  }
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
