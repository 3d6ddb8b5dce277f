// @ts-check
// The elements of Home: a shadow root with the story, the cards of the pages and the text of a lesson.

import { element } from "../runtime/elements.js";
import { PLACES } from "../runtime/hosts/settings.js";
import { commandButton } from "../runtime/hosts/view.js";

// Of more cards, half have a way of their own.
const MANY = 4;
const LEAD = "Learning problems, their duals, and a certificate for every result.";

/** @param {string} name @param {Record<string, any>} [properties] @param {...(Node | string)} content */
export const part = (name, properties, ...content) => element("div", { className: name, ...properties }, ...content);

/**
 * Returns a button with what it asks for in its data.
 * @param {string} name
 * @param {string} words
 * @param {string} value
 */
export function choice(name, words, value) {
  const button = commandButton(name, words);
  button.dataset.value = value;
  return button;
}

/** @param {string} className @param {string} href @param {string} query @param {...(Node | string)} content */
function pageLink(className, href, query, ...content) {
  const link = element("a", { className, href }, ...content);
  link.dataset.query = query;
  return link;
}

export class HomeView {
  style = element("style");
  title = element("h2", { className: "title" });
  caption = element("p", { className: "caption" });
  count = part("count");
  question = part("question");
  figure = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  numbers = element("p", { className: "numbers", role: "status" });
  controls = part("controls");
  doors = part("doors");
  link = element("a", { className: "deeper", textContent: "See it on a page with real data" });
  back = commandButton("back", "← Back");
  next = commandButton("next", "Next →");
  theme = commandButton("theme", "Dark");
  notice = part("notice", { role: "alert" });
  reading = element("article", { className: "reading", hidden: true });
  box = element("div", { className: "wb-hosted" });

  /**
   * @param {Record<string, any>} facts
   * @param {import("../runtime/hosts/host.js").Host} host
   */
  constructor(facts, { ownsAddress, kind, el }) {
    this.facts = facts;
    // JupyterLab's shortcuts, arrow keys among them, would take the keys of sliders.
    this.box.dataset.lmSuppressShortcuts = "true";
    this.root = this.box.attachShadow({ mode: "open", delegatesFocus: true });
    this.figure.setAttribute("class", "figure");
    this.figure.setAttribute("role", "img");
    this.next.className = "next";
    Object.assign(this.theme, { className: "theme", hidden: !ownsAddress });
    this.dots = facts.story.screens.map((/** @type {any} */ { title }, /** @type {number} */ k) => {
      const button = choice("screen", String(k + 1), String(k + 1));
      return Object.assign(button, { className: "dot", ariaLabel: `${k + 1}: ${title}` });
    });
    const words = part("words", { ariaLive: "polite" }, this.count, this.title, this.caption);
    const steps = [this.back, part("dots", {}, ...this.dots), this.next];
    this.story = element(
      "section",
      { className: "story", ariaLabel: "Story" },
      part("left", {}, words, this.question, this.doors, this.link),
      part("right", {}, this.figure, this.numbers, this.controls),
      element("nav", { className: "steps", ariaLabel: "Story" }, ...steps),
    );
    // A file has no lessons.
    const sections = facts.sections.map((/** @type {any} */ section) => this.#section(section, kind !== "file"));
    this.pages = element("section", { className: "pages", ariaLabel: "Pages" }, ...sections, ...this.#missing());
    const heading = element(ownsAddress ? "h1" : "h2", { textContent: "Duality Workbench" });
    const skips = facts.sections.flatMap((/** @type {any} */ { title, pages }, /** @type {number} */ k) => {
      const later = pages.length > MANY ? [choice("skip", `To the later ${title}`, `${k} ${pages.length >> 1}`)] : [];
      return [choice("skip", `To ${title}`, `${k} 0`), ...later];
    });
    for (const button of skips) button.className = "wb-skip";
    const head = part("head", {}, ...skips, heading, element("p", { textContent: LEAD }), this.theme);
    const main = element(ownsAddress ? "main" : "section", {}, head, this.notice, this.story, this.pages, this.reading);
    this.root.append(this.style, part("home", { tabIndex: -1 }, main));
    el.append(this.box);
  }

  #missing() {
    const names = this.facts.missing.join(", ");
    const textContent = `Not among these pages: ${names}. The command “workbench serve” serves all.`;
    return names ? [element("p", { className: "missing", textContent })] : [];
  }

  /**
   * @param {{ title: string, pages: any[] }} section
   * @param {boolean} hasLessons
   */
  #section({ title, pages }, hasLessons) {
    const cards = pages.map((page) => this.#card(page, hasLessons));
    const className = `few-${pages.length}`;
    return element("section", { className }, element("h2", { textContent: title }), part("cards", {}, ...cards));
  }

  /**
   * @param {Record<string, any>} page
   * @param {boolean} hasLessons
   */
  #card({ name, title, sentence, picture, lesson, lesson_title: lessonTitle }, hasLessons) {
    const words = [
      part("picture", { innerHTML: picture }),
      element("h3", { textContent: title }),
      element("p", { textContent: sentence }),
    ];
    const address = this.facts.links[name];
    const card = address ? pageLink("to", address, "", ...words) : part("to", {}, ...words);
    const button = lesson && hasLessons ? [choice("lesson", lessonTitle, lesson)] : [];
    return part("card", {}, card, ...button);
  }

  /** @param {string} place - the number of a section, and that of the card in it that takes the focus */
  skip(place) {
    const [section, card] = place.split(" ").map(Number);
    const stop = this.pages.children[section].querySelectorAll(".card")[card].querySelector("a, button");
    /** @type {HTMLElement | null} */ (stop)?.focus();
  }

  /** @param {boolean} isDark */
  setTheme(isDark) {
    this.style.textContent = this.facts.styles[isDark ? "dark" : "light"];
    this.theme.textContent = isDark ? "Light" : "Dark";
    this.turnLinks(isDark);
  }

  /** @param {boolean} isDark - the theme in which other pages open */
  turnLinks(isDark) {
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (this.root.querySelectorAll("a[data-query]")))
      link.search = [link.dataset.query, isDark ? "theme=dark" : ""].filter(Boolean).join("&");
  }

  /**
   * Puts the words, the question and the controls of a screen.
   * @param {number} number
   * @param {(name: string, place: number) => void} move - a slider
   */
  open(number, move) {
    const { screens } = this.facts.story;
    const { title, caption, question, controls, moves = [], doors = [], page, query } = screens[number - 1];
    const last = screens.length;
    this.count.textContent = number < last ? `${number} of ${last - 1}` : "";
    this.title.textContent = title;
    this.caption.textContent = caption;
    this.back.disabled = number === 1;
    this.next.classList.toggle("away", number === last);
    this.next.disabled = number === last;
    for (const [k, dot] of this.dots.entries()) {
      // One stop of the order of tabs; arrow keys go to the others.
      dot.tabIndex = k + 1 === number ? 0 : -1;
      if (k + 1 === number) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    }
    this.question.replaceChildren(...(question ? asked(question) : []));
    this.controls.replaceChildren(
      ...controls.map((/** @type {string[]} */ [name, label]) => slider(name, label, move)),
      ...moves.map((/** @type {string[]} */ [name, words]) => choice("move", words, name)),
    );
    const { links } = this.facts;
    this.link.hidden = !links[page] || !query;
    this.link.setAttribute("href", links[page] ?? "");
    this.link.dataset.query = query;
    this.doors.replaceChildren(
      ...doors
        .filter((/** @type {string[]} */ [name]) => links[name])
        .map((/** @type {string[]} */ [name, verb, words]) =>
          pageLink("door", links[name], "", element("b", { textContent: verb }), words),
        ),
    );
  }

  /**
   * Marks the guess and the right answer.
   * @param {number} option
   * @param {{ correct: number, answer: string }} question
   */
  reveal(option, { correct, answer }) {
    for (const [k, button] of this.question.querySelectorAll("button").entries()) {
      button.setAttribute("aria-pressed", String(k === option));
      button.classList.toggle("correct", k === correct);
    }
    const line = /** @type {HTMLElement} */ (this.question.querySelector(".answer"));
    line.textContent = `${option === correct ? "Right." : "Not quite."} ${answer}`;
  }
}

/** @param {{ text: string, options: string[] }} question */
function asked({ text, options }) {
  const buttons = options.map((words, k) => choice("guess", words, String(k)));
  for (const button of buttons) button.setAttribute("aria-pressed", "false");
  const answer = element("p", { className: "answer", role: "status" });
  return [element("p", { textContent: text }), part("options", {}, ...buttons), answer];
}

/**
 * @param {string} name
 * @param {string} label
 * @param {(name: string, place: number) => void} move
 */
function slider(name, label, move) {
  const input = element("input", { type: "range", min: 0, max: PLACES, step: "any", ariaLabel: label });
  input.addEventListener("input", () => move(name, Number(/** @type {HTMLInputElement} */ (input).value)));
  const box = element(
    "label",
    { className: "control" },
    element("span", { textContent: label }),
    element("output"),
    input,
  );
  box.dataset.name = name;
  return box;
}
