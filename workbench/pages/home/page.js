// @ts-check
// Home, as every host opens it: the screens of the story, the pages in groups, or the text of a lesson.

import { Answers } from "../runtime/hosts/answers.js";
import { loadFormulas } from "../runtime/hosts/formulas.js";
import { placeOf, settingsOf, spoken, valueAt } from "../runtime/hosts/settings.js";
import { codeBox, commandButton } from "../runtime/hosts/view.js";
import { Visits } from "../runtime/hosts/visits.js";
import { isTaken } from "../runtime/keys.js";
import { numerals } from "../runtime/numerals.js";
import { painted } from "../runtime/painter.js";
import { copy } from "../runtime/save.js";
import { dragged, grasp, picture, sentence } from "./frame.js";
import { HomeView, part } from "./view.js";

const GLIDE_MS = 700;
const KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const NOTE =
  "In the notebook FILE, which the command <code>workbench lessons</code> opens, the code runs and the exercises are checked.";

class Home {
  #shown = { screen: 0, lesson: "" };
  #glides = 0;
  #isGliding = false;
  #isDark = false;
  /** @type {number | null} what a hand has taken */
  #taken = null;

  /**
   * @param {import("../runtime/hosts/host.js").Host} host
   * @param {Record<string, any>} facts
   */
  constructor(host, facts) {
    this.host = host;
    this.facts = facts;
    this.screens = facts.story.screens;
    this.answers = new Answers(host);
    this.rows = Object.fromEntries(facts.rows.map((/** @type {any} */ row) => [row.name, row]));
    this.usual = { ...this.settings };
    this.visits = new Visits({
      ownsAddress: host.ownsAddress,
      isFile: host.kind === "file",
      rows: facts.rows,
      usual: this.usual,
      restore: (settings) => this.change(settings),
    });
    this.view = new HomeView(facts, host);
  }

  async begin() {
    const { host, view } = this;
    if (host.ownsAddress) {
      const { settings, refusals } = this.visits.read();
      view.notice.textContent = refusals.join("; ");
      this.#set({ ...settings, ...this.screens[settings.screen - 1].state, ...this.#written() });
      this.visits.last = { ...this.settings };
      host.onRemove(this.visits.listen());
    }
    await new Promise((resolve) => host.onTheme((isDark) => resolve(this.#showTheme(isDark))));
    host.model.on("change:settings", () => this.show());
    view.root.addEventListener("click", (event) => this.#press(event));
    const target = host.ownsAddress ? document : view.box;
    const listener = (/** @type {any} */ event) => this.#key(event);
    target.addEventListener("keydown", listener);
    host.onRemove(() => target.removeEventListener("keydown", listener));
    this.#followHand();
    const observer = new ResizeObserver(() => this.#draw());
    observer.observe(view.figure);
    host.onRemove(() => observer.disconnect());
    this.show();
  }

  /** Returns the settings that the address itself gives. */
  #written() {
    const { search, hash } = location;
    const parts = this.host.kind === "file" ? [search, hash] : [search];
    return Object.assign({}, ...parts.map((text) => settingsOf(text, this.facts.rows).settings));
  }

  /** @returns {Record<string, any>} */
  get settings() {
    return this.host.model.get("settings");
  }

  /** @param {Record<string, any>} changes */
  #set(changes) {
    this.host.model.set("settings", { ...this.settings, ...changes });
    this.host.model.save_changes();
  }

  /** @param {Record<string, any>} changes */
  change(changes) {
    this.#set(changes);
    this.show();
  }

  /**
   * Goes to a screen, from its beginning.
   * @param {number} screen
   */
  go(screen) {
    if (screen < 1 || screen > this.screens.length) return;
    this.#stop();
    this.change({ ...this.usual, ...this.screens[screen - 1].state, lesson: "", screen });
  }

  /**
   * Takes numbers from where they are to where they shall be.
   * @param {Record<string, number>} ends
   */
  async glide(ends) {
    this.#stop();
    const turn = this.#glides;
    const start = this.settings;
    const began = performance.now();
    let share = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 0;
    this.#isGliding = true;
    while (share < 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (turn !== this.#glides) return;
      share = Math.min((performance.now() - began) / GLIDE_MS, 1);
      const eased = 0.5 - 0.5 * Math.cos(Math.PI * share);
      const entries = Object.entries(ends).map(([name, end]) => [name, start[name] + eased * (end - start[name])]);
      this.change(share < 1 ? Object.fromEntries(entries) : ends);
    }
    this.change(ends);
    this.#isGliding = false;
  }

  /** Ends what moves by itself, since a hand has something else in mind. */
  #stop() {
    this.#glides += 1;
    this.#isGliding = false;
  }

  /**
   * Moves a point of the plane from where it stands.
   * @param {string} name
   */
  #move(name) {
    const { plane } = this.facts.story;
    const { point, ...ends } = plane[name];
    const [x, y] = plane.x[point - 1];
    this.change({ point, point_x: x, point_y: y });
    return this.glide(ends);
  }

  show() {
    const { settings, view } = this;
    this.visits.follow(settings);
    const { screen, lesson } = settings;
    const isReading = lesson !== "";
    view.story.hidden = isReading;
    view.pages.hidden = isReading;
    view.reading.hidden = !isReading;
    const { screen: before, lesson: lessonBefore } = this.#shown;
    this.#shown = { screen, lesson };
    if (isReading && lesson !== lessonBefore) this.#read(lesson);
    if (screen !== before) this.#open();
    this.#draw();
  }

  #open() {
    const move = (/** @type {string} */ name, /** @type {number} */ place) => {
      this.#stop();
      this.change({ [name]: valueAt(this.rows[name], place) });
    };
    this.view.open(this.settings.screen, move);
    this.view.turnLinks(this.#isDark);
  }

  #draw() {
    const { settings, view } = this;
    const { width, height } = view.figure.getBoundingClientRect();
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (view.controls.querySelectorAll("[data-name]"))) {
      const { name = "" } = box.dataset;
      const row = this.rows[name];
      const value = settings[name];
      const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
      if (valueAt(row, Number(input.value)) !== value) input.value = String(placeOf(row, value));
      const words = numerals(spoken(Number(value.toFixed(2))));
      /** @type {HTMLElement} */ (box.querySelector("output")).textContent = words;
      input.setAttribute("aria-valuetext", words);
    }
    const words = sentence(settings, this.facts.story);
    view.numbers.textContent = words;
    view.figure.setAttribute("aria-label", `${this.screens[settings.screen - 1].title}. ${words}`);
    if (!width || !height) return;
    view.figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
    view.figure.innerHTML = picture(settings, this.facts.story, { width, height });
  }

  #followHand() {
    const { figure } = this.view;
    const act = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isStart) => {
      const { left, top, width, height } = figure.getBoundingClientRect();
      const size = { width, height };
      const place = /** @type {[number, number]} */ ([event.clientX - left, event.clientY - top]);
      if (isStart) this.#taken = grasp(this.settings, this.facts.story, size, place);
      if (this.#taken === null) return;
      if (isStart) figure.setPointerCapture(event.pointerId);
      this.#stop();
      this.change(dragged(this.settings, this.#taken, size, place));
    };
    figure.addEventListener("pointerdown", (event) => act(event, true));
    figure.addEventListener("pointermove", (event) => act(event, false));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      figure.addEventListener(name, () => {
        this.#taken = null;
      });
  }

  /** @param {any} event */
  #press({ target }) {
    const button = target.closest("[data-do]");
    if (!button) return;
    const { value } = button.dataset;
    /** @type {Record<string, () => any>} */
    const actions = {
      screen: () => this.go(Number(value)),
      next: () => this.go(this.settings.screen + 1),
      back: () => this.go(this.settings.screen - 1),
      guess: () => this.guess(Number(value)),
      move: () => this.#move(value),
      lesson: () => this.change({ lesson: value }),
      home: () => this.change({ lesson: "" }),
      skip: () => this.view.skip(value),
      copy: () => copy(button),
      theme: () => this.#turnTheme(),
    };
    actions[button.dataset.do]();
  }

  /**
   * Answers the question, and does what it asked about.
   * @param {number} option
   */
  guess(option) {
    const { question } = this.screens[this.settings.screen - 1];
    this.view.reveal(option, question);
    const { then } = question;
    if (typeof then === "string") return this.#move(then);
    return then && this.glide(then);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = /** @type {Record<string, number>} */ (KEYS)[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || isTaken(event) || this.settings.lesson) return;
    event.preventDefault();
    this.go(this.settings.screen + by);
  }

  /** @param {string} name */
  async #read(name) {
    const { reading } = this.view;
    reading.replaceChildren();
    try {
      const { title, file, cells } = await this.answers.answerOf({ type: "lesson", name });
      if (name !== this.settings.lesson) return;
      const parts = cells.map((/** @type {string[]} */ [kind, text]) =>
        part("cell", { innerHTML: kind === "markdown" ? text : codeBox(text) }),
      );
      const note = part("wb-note", { innerHTML: NOTE.replace("FILE", file) });
      reading.setAttribute("aria-label", title);
      reading.replaceChildren(commandButton("home", "← All pages"), note, ...parts);
      scrollTo(0, 0);
      await loadFormulas(this.host);
    } catch (error) {
      this.view.notice.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {boolean} isDark */
  #showTheme(isDark) {
    const { theme } = this.visits.look;
    this.#isDark = theme ? theme === "dark" : isDark;
    this.view.setTheme(this.#isDark);
    const background = this.facts.grounds[this.#isDark ? "dark" : "light"];
    if (this.host.ownsAddress) Object.assign(document.body.style, { background, margin: "0" });
  }

  #turnTheme() {
    this.visits.look.theme = this.#isDark ? "light" : "dark";
    this.visits.write();
    this.#showTheme(!this.#isDark);
  }

  /** Resolves when all that was asked for is drawn. */
  async settled() {
    do await painted();
    while (this.#isGliding);
  }
}

/** @param {import("../runtime/hosts/host.js").Host} host */
async function open(host) {
  const home = new Home(host, await host.ask({ type: "page" }));
  await home.begin();
  return home;
}

export const page = { open };
