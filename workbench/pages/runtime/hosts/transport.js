// @ts-check
// The row that moves a run: reset, step, epoch, run or pause, its places on a bar, and its speed.

import { numerals } from "../numerals.js";
import { element } from "../elements.js";

const BUTTONS = ["reset", "step", "epoch", "run"];
/** For this time the bar stays at the place asked for, though places passed before it are drawn. */
const PATIENCE_MS = 1000;

export class Transport {
  /** @type {Record<string, HTMLButtonElement>} */
  buttons = {};
  #asked = -Infinity;
  /** @type {number | null} */
  #target = null;

  /**
   * @param {HTMLElement} place
   * @param {Record<string, string>} texts
   * @param {{ press: (name: string) => void, seek: (place: number) => void }} actions
   */
  constructor(place, texts, actions) {
    this.seek = actions.seek;
    for (const name of BUTTONS) {
      const look = { type: "button", textContent: name, className: name === "run" ? "main" : "" };
      this.buttons[name] = /** @type {HTMLButtonElement} */ (element("button", look));
      this.buttons[name].addEventListener("click", () => actions.press(name));
    }
    this.bar = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0, max: 0, step: 1, ariaLabel: texts.progress })
    );
    this.bar.addEventListener("input", () => this.ask(Number(this.bar.value)));
    this.at = element("output");
    const options = [texts.normal, texts.slow].map((textContent) => element("option", { textContent }));
    this.speed = /** @type {HTMLSelectElement} */ (element("select", { ariaLabel: texts.speed }, ...options));
    const [back, forward] = [-1, 1].map((by) => {
      const label = by < 0 ? texts.back : texts.forward;
      const look = { type: "button", textContent: by < 0 ? "◀" : "▶", ariaLabel: label, title: label, tabIndex: -1 };
      const button = element("button", look);
      button.addEventListener("click", () => this.move(by));
      return button;
    });
    place.prepend(...Object.values(this.buttons), back, this.bar, forward, this.at, this.speed);
  }

  get isSlow() {
    return this.speed.selectedIndex === 1;
  }

  /** @param {number} place */
  ask(place) {
    this.#target = place;
    this.#asked = performance.now();
    this.seek(place);
  }

  /**
   * Goes places back or on; returns whether there is such a place.
   * @param {number} by
   */
  move(by) {
    const place = Number(this.bar.value) + by;
    if (place < 0 || place > Number(this.bar.max)) return false;
    this.bar.value = String(place);
    this.ask(place);
    return true;
  }

  /** @param {string} status */
  says(status) {
    this.buttons.run.textContent = status === "running" ? "pause" : "run";
  }

  /**
   * Shows where the run stands among its places.
   * @param {number} at
   * @param {number} places
   * @param {string} text
   */
  stand(at, places, text) {
    const isLate = at !== this.#target && performance.now() - this.#asked < PATIENCE_MS;
    this.bar.max = String(places - 1);
    if (this.#target !== null && isLate) return;
    this.#target = null;
    this.bar.value = String(at);
    this.at.textContent = numerals(text);
    this.bar.setAttribute("aria-valuetext", this.at.textContent);
  }
}
