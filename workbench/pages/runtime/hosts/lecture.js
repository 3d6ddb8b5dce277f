// @ts-check
// A page in a lecture: its projector, its story, and a story of the lecturer's own.

import { chosenText, LONGEST_STEP, readStory, storyText } from "../custom_story.js";
import { painted } from "../painter.js";
import { NOTHING_TO_PIN, Projector } from "../projector.js";
import { download } from "../save.js";
import { LOOKS, settingsOf } from "./settings.js";

/**
 * @typedef {object} Step
 * @property {string} caption
 * @property {string[]} figures
 * @property {Record<string, any>} settings
 * @property {boolean} [run] - from the start
 * @property {number} [seek] - the epoch that is shown once the run has ended
 */

/** Moves a number to its value at a step. */
const GLIDE_STEPS = 16;
const GLIDE_MS = 40;
const FAR = 10;
const STORY_KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
/** The keys on the projector, the names of their buttons, and what they do. */
const KEYS = [
  ["q", "Question", "the question"],
  ["p", "Pin", "pin the curves of both figures, up to three"],
  ["u", "", "unpin them"],
  ["a", "Add step", "add this state as a step of your own story"],
  ["c", "Controls", "all controls"],
  ["w", "Desk", "the desk"],
  ["f", "", "save your story as a file"],
  ["o", "", "open such a file"],
];
export const PROJECTOR_HELP = [
  ["← →", "previous or next step of the story"],
  ["1 … 9", "another figure, with Shift in the right half"],
  ...KEYS.map(([key, , text]) => [key, text]),
];

/**
 * Returns a number on its way; by ratios where both ends are positive and far apart.
 * @param {number} start
 * @param {number} end
 * @param {number} share
 */
export function between(start, end, share) {
  if (share >= 1) return end;
  if (Math.min(start, end) > 0 && Math.max(start, end) > FAR * Math.min(start, end))
    return start * (end / start) ** share;
  return start + share * (end - start);
}

export class Lecture {
  /** @type {any} */
  projector = null;
  /** @type {Step[]} */
  steps = [];
  step = 0;
  thesis = "";

  /** @param {any} page - the OpenPage */
  constructor(page) {
    this.page = page;
    this.rows = page.visits.rows;
    this.steps = page.facts.story.map((/** @type {any} */ { state, ...step }) => ({
      ...step,
      settings: this.#settingsOf(new URLSearchParams(state).toString()),
    }));
  }

  /** @param {string} query */
  #settingsOf(query) {
    const { settings } = settingsOf(query, [...LOOKS, ...this.rows]);
    const looks = LOOKS.map(({ name }) => name);
    return Object.fromEntries(Object.entries(settings).filter(([name]) => !looks.includes(name)));
  }

  /** The stage behind the projector. */
  get #stage() {
    const { page } = this;
    const { view, figures, controls } = page;
    const { box, frame } = view;
    let back = () => {};
    return {
      names: () => Object.keys(view.heads),
      headOf: (/** @type {string} */ name) => view.heads[name].firstElementChild,
      cardOf: (/** @type {string} */ name) => view.cards[name],
      plotOf: (/** @type {string} */ name) => page.figures.of("figures", name),
      sliders: () => controls.sliders(),
      cardTitled: (/** @type {string} */ title) =>
        title === "Controls" ? view.parts.sidebar : view.parts.predict?.closest(".card"),
      title: () => this.page.facts.title,
      stand(/** @type {HTMLElement} */ projector) {
        back = view.showAll();
        frame.append(projector);
        frame.classList.add("wb-projector");
        // Above all else, whatever holds the page.
        box.popover = "manual";
        if (box.isConnected) box.showPopover();
        figures.layOut();
        if (page.isDrawable) page.soon();
      },
      leave() {
        frame.classList.remove("wb-projector");
        if (box.isConnected) box.hidePopover();
        box.popover = null;
        back();
        frame.focus({ preventScroll: true });
        figures.layOut();
      },
    };
  }

  /** Opens the projector as the look of the address says. */
  begin() {
    const { look, own } = this.page.visits;
    if (own) this.#take(own);
    this.step = Math.min(look.story, this.steps.length);
    if (look.projector) this.open();
  }

  open() {
    const { page } = this;
    const { look } = page.visits;
    const entry = this.steps[this.step - 1];
    const chosen = look.figure ? look.figure.split(",") : (entry?.figures ?? []);
    this.projector = new Projector(
      {
        pair: [...new Set([...chosen, ...page.facts.pair])],
        said: this.thesis || page.facts.thesis,
        keys: KEYS,
        press: (/** @type {string} */ key) => this.#press(key),
        changed: (/** @type {string[]} */ names) => this.#remember({ figure: names.join(",") }),
      },
      this.#stage,
    );
    page.view.frame.focus({ preventScroll: true });
    this.#remember({ projector: true });
    if (entry) this.#tell(entry.caption);
  }

  close() {
    if (!this.projector) return;
    this.projector.close();
    this.projector = null;
    this.step = 0;
    this.#remember({ projector: false, story: 0, figure: "" });
  }

  turn() {
    if (this.projector) this.close();
    else this.open();
  }

  /** Opens the story at its first step. */
  tell() {
    if (!this.projector) this.open();
    this.step = 0;
    return this.walk(1);
  }

  /** @param {Record<string, any>} look */
  #remember(look) {
    Object.assign(this.page.visits.look, look);
    this.page.visits.write();
  }

  /**
   * Takes the thesis of the present settings, and says it where no step of a story is told.
   * @param {string} thesis
   */
  entitle(thesis) {
    if (thesis === this.thesis) return;
    this.thesis = thesis;
    if (!this.step) this.projector?.say(thesis);
  }

  /** @param {string} words */
  #tell(words) {
    this.projector?.say(words, `${this.step} / ${this.steps.length}`);
  }

  /**
   * Goes to a step before or after; its caption comes with its picture.
   * @param {number} by
   */
  async walk(by) {
    const { page } = this;
    const entry = this.steps[this.step + by - 1];
    if (!entry) return;
    this.step += by;
    const { step } = this;
    const isLeft = () => step !== this.step || !this.projector;
    for (const half of this.projector?.halves ?? []) this.projector.capture(half);
    await this.#glide({ ...page.visits.usual, ...entry.settings }, isLeft);
    if (isLeft()) return;
    await page.play(entry);
    await painted();
    if (isLeft()) return;
    this.projector.names = entry.figures;
    this.projector.compose();
    this.#tell(entry.caption);
    this.#remember({ story: step, figure: entry.figures.join(",") });
  }

  /**
   * Changes the settings; where all that changes are numbers, they go there from where they are.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async #glide(settings, isLeft) {
    const { page } = this;
    const start = page.settings;
    const names = Object.keys(settings).filter((name) => settings[name] !== start[name]);
    const isNumber = (/** @type {string} */ name) =>
      this.rows.some(
        (/** @type {any} */ row) => row.name === name && ["linear", "logarithmic"].includes(row.kind) && !row.grid,
      );
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (names.length && names.every(isNumber) && !isStill) {
      for (let k = 1; k < GLIDE_STEPS && !isLeft(); k += 1) {
        const share = 0.5 - 0.5 * Math.cos((Math.PI * k) / GLIDE_STEPS);
        page.change(Object.fromEntries(names.map((name) => [name, between(start[name], settings[name], share)])));
        await new Promise((resolve) => setTimeout(resolve, GLIDE_MS));
      }
    }
    if (!isLeft()) await page.change(settings);
  }

  /**
   * Does what a key means on the projector; returns whether it means something there.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!this.projector && event.key !== "w") return false;
    if (!this.projector) {
      this.open();
      return true;
    }
    const by = /** @type {Record<string, number>} */ (STORY_KEYS)[event.key];
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const name = digit && this.projector.stage.names()[Number(digit) - 1];
    if (by && this.steps.length) this.walk(by);
    else if (name) this.projector.choose(event.shiftKey ? 1 : 0, name);
    else if (event.key === "Escape") this.close();
    else if (KEYS.some(([key]) => key === event.key)) this.#press(event.key);
    else return false;
    return true;
  }

  /** @param {string} key */
  #press(key) {
    const { projector, page } = this;
    const { own } = page.visits;
    if (key === "w") this.close();
    if (key === "q" && !projector.turnPanel("Predict first")) projector.say("This page has no question of its own.");
    if (key === "c") projector.turnPanel("Controls");
    if (key === "p" && !projector.shown.filter((/** @type {string} */ name) => page.pins.pin(name)).length)
      projector.say(NOTHING_TO_PIN);
    if (key === "u") for (const name of projector.shown) page.pins.unpin(name);
    if (key === "a") this.#add();
    if (key === "f" && own) download(new Blob([own], { type: "application/json" }), `${page.facts.name}.story.json`);
    else if (key === "f") projector.say("There is no story of your own yet; “Add step” begins one.");
    if (key === "o")
      chosenText((text) => {
        if (this.#take(text)) this.walk(1);
      });
  }

  /** Adds the present state as the next step of the lecturer's own story, which is in the address. */
  #add() {
    const { page, projector } = this;
    const caption = prompt("What is said at this step?")?.trim().slice(0, LONGEST_STEP);
    if (!caption) return;
    const { visits, facts } = page;
    const before = visits.own ? (readStory(visits.own, facts.name).steps ?? []) : [];
    const step = { search: `?${visits.query}`, caption, figures: projector.shown };
    if (!this.#take(storyText(facts.name, [...before, step]))) return;
    this.step = this.steps.length;
    this.#remember({ story: this.step });
    this.#tell(caption);
  }

  /**
   * Takes a story in place of the page's; says why where it is not one of this page. Returns whether it is.
   * @param {string} text
   */
  #take(text) {
    const { steps, why } = readStory(text, this.page.facts.name);
    if (!steps) {
      if (this.projector) this.projector.say(why);
      else this.page.notice(why);
      return false;
    }
    this.steps = steps.map((/** @type {any} */ { search, caption, figures }) => ({
      caption,
      figures,
      settings: this.#settingsOf(search),
    }));
    this.step = 0;
    this.page.visits.own = text;
    return true;
  }
}
