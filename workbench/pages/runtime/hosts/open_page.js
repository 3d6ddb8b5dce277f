// @ts-check
// A page that is open: settings, address, controls and the pictures of them; the same in every host.

import { Painter, painted } from "../painter.js";
import { Pins } from "../pins.js";
import { Reader } from "../figure_reading.js";
import { watchPaint } from "../own_bokeh.js";
import { repainted } from "../repaint.js";
import { escaped } from "../wording.js";
import { Answers } from "./answers.js";
import { Controls } from "./controls.js";
import { Figures } from "./figures.js";
import { loadFormulas } from "./formulas.js";
import { listenToKeys } from "./keyboard.js";
import { Lecture } from "./lecture.js";
import { Predict } from "./predict.js";
import { freed, hiddenParts, settingsByLabel } from "./settings.js";
import { actionsOf, putTools } from "./tools.js";
import { codeBox, View } from "./view.js";
import { Visits } from "./visits.js";

/**
 * @typedef {import("./host.js").Host} Host
 * @typedef {Record<string, any>} PageModule - the functions of a page's `frame.js`:
 *   `needs(settings, facts)`, the messages whose answers a frame needs, by name;
 *   `frame(settings, answers, facts, aspects, memory)`, what the figures, lines and cards show; an aspect is the width of
 *   a figure by its height, of those in the declaration's `square`, and `memory` what `recall` takes;
 *   `code(settings, facts, answers, memory)`, the Python of the same state; perhaps `outcome(settings, answers, facts)` of a question,
 *   `guess(settings, question)`, what a guess changes, and `extend(Kind)`, the class of the open page where it has its own
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
  /** The Python that gives this state. */
  code = "";
  /** @type {any} what a frame is made of, beside the settings */
  answers = null;
  /** @type {import("../memory.js").Memory} */
  memory = new Map();
  /** @type {Record<string, { does: string, act: () => any }>} what the keys do */
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
    // Beside a file, Python computes what follows from a value beyond the grid of a control.
    const groups = host.kind === "file" ? facts.controls : freed(facts.controls);
    this.rows = groups.flatMap((/** @type {any} */ group) => group.rows);
    this.visits = new Visits({
      ownsAddress: host.ownsAddress,
      isFile: host.kind === "file",
      rows: [...this.rows, ...facts.uncontrolled],
      usual: { ...this.settings },
      restore: (settings) => this.change(settings),
    });
    this.supplies = new Answers(host);
    this.view = new View(host.el, facts, {
      ownsAddress: host.ownsAddress,
      obey: (button) => this.obey(button),
      preset: (name) => this.change({ ...facts.defaults, ...facts.presets[name] }),
    });
    this.controls = new Controls(this.view.controls, groups, facts.used, (changes) => this.choose(changes));
    this.predict =
      this.view.parts.predict &&
      new Predict(this.view.parts.predict, facts.questions, {
        choose: (question) => this.change({ question }),
        guess: (question) => {
          this.change(module.guess?.(this.settings, question) ?? { ...facts.guess_needs, ...question.change });
          this.restart();
        },
      });
    const headOf = (/** @type {string} */ name) => /** @type {any} */ (this.view.heads[name].firstElementChild);
    this.pins = new Pins({
      plotOf: (name) => this.figures.of("figures", name),
      headOf,
      settings: () => settingsByLabel(this.controlled, [...this.rows, ...(this.frame?.controls?.rows ?? [])]),
      changed: () => this.lecture.projector?.composeSoon(),
    });
    this.lecture = new Lecture(this);
    this.actions = actionsOf(this);
  }

  async begin() {
    const { host, facts } = this;
    if (host.kind === "file") {
      for (const [name, values] of Object.entries(facts.elsewhere ?? {}))
        this.controls.disable(name, values, NEEDS_PYTHON);
    }
    this.follow();
    // What is refused is said when it is asked for again, once the figures are drawn.
    this.supplies.foresee(this.module, this.problemSettings, facts).catch(() => {});
    this.themed = new Promise((resolve) => host.onTheme((isDark) => resolve(this.showTheme(isDark))));
    await this.themed;
    putTools(this);
    const reader = new Reader(({ name }) => this.view.heads[name]?.firstElementChild);
    host.onRemove(
      watchPaint(this.Bokeh, (painted) => {
        const { model } = painted;
        if (model.document !== this.figures.document) return;
        reader.read(painted);
        this.lecture.projector?.painted(model);
        this.pins.painted(model);
      }),
    );
    if (facts.has_formulas) loadFormulas(host).catch((/** @type {Error} */ error) => this.refuse(error));
    host.onWaiting((isWaiting) => this.report(isWaiting ? WAITING : ""));
    host.onRefusal((text) => this.refuse(new Error(text)));
    host.onRemove(() => this.close());
    host.model.on("change:settings", () => this.onSettings());
    listenToKeys(this);
    await this.onSettings();
    // A projector lays figures out, which paints them, and what was put into them just now is not all in yet.
    await painted();
    this.lecture.begin();
  }

  /**
   * Takes the theme of the host, if the address does not say another.
   * @param {boolean} isDark
   */
  showTheme(isDark) {
    const { theme } = this.visits.look;
    const isDarkNow = theme ? theme === "dark" : isDark;
    if (this.figures && isDarkNow === this.view.isDark) return undefined;
    this.view.setTheme(isDarkNow);
    return this.draw();
  }

  turnTheme() {
    const theme = this.view.isDark ? "light" : "dark";
    this.visits.look.theme = theme;
    this.visits.write();
    return this.showTheme(theme === "dark");
  }

  /** The address of the page in this state, for others; "" where there is none. */
  get link() {
    if (this.host.ownsAddress) return new URL(this.visits.address, location.href).href;
    const { query } = this.visits;
    return this.facts.published && this.facts.published + (query && `?${query}`);
  }

  /** Takes the last change back, as Ctrl-Z asks for. */
  undo() {
    this.visits.back();
  }

  /** @param {string} text */
  notice(text) {
    this.view.put("notice", text && `<div class='wb-note'>${escaped(text)}</div>`);
  }

  async draw() {
    this.figures?.clear();
    this.figures = await Figures.stand(this.Bokeh, this.facts, this.view);
    if (this.isDrawable) this.soon();
  }

  /** True if there is something that a frame can be made of. */
  get isDrawable() {
    return this.answers !== null;
  }

  /** Takes what the address says, where it is the page's, and follows Back and Forward. */
  follow() {
    if (!this.host.ownsAddress) return;
    const { settings, refusals } = this.visits.read();
    const names = ["nav", "sidebar", "aside", ...Object.keys(this.settings)];
    const { hidden, refusals: unknown } = hiddenParts(this.visits.look.hide, names);
    this.visits.look.hide = hidden.join(",");
    this.view.hide(hidden);
    this.controls.hide(hidden);
    this.view.reveal(this.visits.look.figure.split(","));
    this.notice([...refusals, ...unknown].join("; "));
    this.set(settings);
    this.host.onRemove(this.visits.listen());
  }

  /** @returns {Record<string, any>} */
  get settings() {
    return this.host.model.get("settings");
  }

  /** @param {Record<string, any>} changes */
  set(changes) {
    this.host.model.set("settings", { ...this.settings, ...changes });
    this.host.model.save_changes();
  }

  /**
   * Sets several settings at once.
   * @param {Record<string, any>} changes
   */
  change(changes) {
    this.set(changes);
    return this.onSettings();
  }

  /**
   * Sets what a hand chose with a control.
   * @param {Record<string, any>} changes
   */
  choose(changes) {
    this.view.parts.preset.selectedIndex = 0;
    this.predict?.leave();
    return this.change(changes);
  }

  /** @returns {string | undefined} the name of the question */
  get question() {
    return this.settings.question;
  }

  onSettings() {
    const { settings } = this;
    this.visits.follow(settings);
    this.view.parts.back.disabled = !this.visits.canGoBack;
    if (this.question !== undefined) this.predict?.show(this.question);
    const entries = Object.entries(settings).filter(([name]) => !this.facts.looked_at.includes(name));
    const text = JSON.stringify(entries);
    if (text === this.chosen) return undefined;
    this.chosen = text;
    this.controls.show(this.controlled);
    return this.restart();
  }

  /**
   * Draws the settings; the last call counts.
   * @param {boolean} [play] - of a page with runs: whether they go on
   */
  async restart(play = true) {
    const turn = ++this.asked;
    const isLeft = () => turn !== this.asked;
    const { facts, module, problemSettings: settings } = this;
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
    this.code = module.code(settings, facts, this.answers, this.memory);
    if (this.view.parts.code) this.view.put("code", codeBox(this.code));
    this.show(play);
  }

  /** The settings as the controls show them. */
  get controlled() {
    return this.settings;
  }

  /** The settings that are drawn; a page may add what a hand is about to change. */
  get problemSettings() {
    return this.settings;
  }

  /**
   * Does what a step of a story says beside its settings.
   * @param {import("./lecture.js").Step} _step
   */
  async play(_step) {}

  /** Leave what is shown, before other settings are prepared. */
  leaveShown() {}

  /**
   * Gets what a frame of the settings is made of; nothing where something newer was asked for.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async prepare(settings, isLeft) {
    const answers = await this.supplies.all(this.module.needs?.(settings, this.facts) ?? {});
    if (isLeft()) return;
    // Both at once, since a picture may be asked for before this call is over.
    this.answers = answers;
    this.shownSettings = JSON.stringify(settings);
  }

  /** @param {boolean} _play */
  show(_play) {
    this.soon();
  }

  /** @param {HTMLButtonElement} button */
  obey(button) {
    this.actions[button.dataset.do ?? ""]?.(button);
  }

  /**
   * Shows a figure in the place of another, or that one again where its name is pressed once more.
   * @param {HTMLButtonElement} button
   */
  swap({ dataset: { figure = "" }, ariaPressed }) {
    const home = this.facts.homes[figure] ?? figure;
    this.view.showInPlace(home, ariaPressed === "true" ? home : figure);
    this.figures.layOut();
    this.soon();
  }

  /** @param {number} turn */
  async paint(turn) {
    const { answers, module, facts } = this;
    if (answers === null || turn !== this.asked) return null;
    const settings = JSON.parse(this.shownSettings);
    const frame = await module.frame(settings, answers, facts, this.figures.aspects(), this.memory);
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
    this.figures.show(frame);
    this.frame = frame;
  }

  /**
   * Says what a frame says: lines below figures, cards, and the row of numbers; titles where the settings have them.
   * @param {any} frame
   */
  speak({ sentences, numbers = "", thesis = this.facts.thesis, titles = {} }) {
    const { view } = this;
    view.entitle(thesis, titles);
    this.lecture.entitle(thesis);
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
    return repainted();
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
