// @ts-check
// Predict first: a question with options to press; the answer comes when the runs have ended.

import { numerals } from "../numerals.js";
import { element } from "../elements.js";

/** @typedef {{ text: string, options: string[], change: Record<string, any>, measure: string, why: string }} Question */

/** The guess of somebody who does not know; it shows the answer as the others do. */
const UNKNOWN = -1;

export class Predict {
  /** @type {number | null} */
  guess = null;
  name = "";

  /**
   * @param {HTMLElement} place
   * @param {Record<string, Question>} questions
   * @param {{ choose: (name: string) => void, guess: (question: Question) => void }} actions
   */
  constructor(place, questions, actions) {
    this.questions = questions;
    this.actions = actions;
    const options = Object.keys(questions).map((textContent) => element("option", { textContent }));
    this.list = /** @type {HTMLSelectElement} */ (element("select", { ariaLabel: "Question" }, ...options));
    this.list.addEventListener("input", () => actions.choose(this.list.value));
    this.text = element("p");
    this.buttons = element("div", { className: "transport" });
    this.answer = element("p", { role: "status" });
    place.append(this.list, element("div", { className: "wb-note" }, this.text, this.buttons, this.answer));
  }

  /** @param {string} name */
  show(name) {
    if (this.name === name) return;
    this.name = name;
    this.list.value = name;
    this.guess = null;
    this.question = this.questions[name];
    this.text.textContent = numerals(this.question.text);
    const buttons = this.question.options.map((textContent, k) => {
      const button = element("button", { type: "button", textContent });
      button.addEventListener("click", () => this.press(k));
      return button;
    });
    const unknown = element("button", { type: "button", textContent: "I don't know" });
    unknown.addEventListener("click", () => this.giveUp());
    this.buttons.replaceChildren(...buttons, unknown);
    this.answer.textContent = "";
  }

  /** @param {number | null} guess */
  press(guess) {
    this.guess = guess;
    [...this.buttons.children].forEach((button, k) => button.setAttribute("aria-pressed", String(k === guess)));
    this.buttons.lastElementChild?.setAttribute("aria-pressed", String(guess === UNKNOWN));
    this.answer.textContent = guess === null ? "" : "The runs go on; the answer comes when they have ended.";
    if (guess !== null && this.question) this.actions.guess(this.question);
  }

  giveUp() {
    this.press(UNKNOWN);
  }

  /** A setting was changed by hand: the guess was about others. */
  leave() {
    if (this.guess !== null) this.press(null);
  }

  /**
   * Shows the answer, once there is a guess.
   * @param {Record<string, any> | null} outcome - by measure the place of the true option, or the verdict in words
   */
  reveal(outcome) {
    if (this.guess === null || !outcome || !this.question) return;
    const { options, measure, why } = this.question;
    const { place, said } = typeof outcome[measure] === "number" ? { place: outcome[measure] } : outcome[measure];
    const judgement = place === null || this.guess === UNKNOWN ? "" : place === this.guess ? "Right: " : "Not so: ";
    this.answer.textContent = numerals(`${judgement}${said ?? options[place]}. ${place === null ? "" : why}`.trim());
  }
}
