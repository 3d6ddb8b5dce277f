// The scrub bar of a run: it says where the run stands and asks for other places, by hand and by the arrow keys.

import { numerals } from "./numerals.js";
import { escaped, formatText } from "./wording.js";

// What is said of places that were passed meanwhile is not listened to for so long.
const PATIENCE_MS = 1000;

class ScrubBar {
  /** @type {any} */ texts;
  /** @type {any} */ range;
  /** @type {any} */ output;
  /** @type {any} */ back;
  /** @type {any} */ forward;
  /** @type {any} */ wanted = null;
  /** @type {any} */ asked;
  /** @type {any} */ later;
  /** @type {any} */ run;

  /** @param {{ model: any, el: any }} fields */
  constructor({ model, el }) {
    const { texts, buttons } = model;
    const presses = buttons.map(
      (/** @type {[string, string]} */ [name, text]) =>
        `<button type='button' data-press='${escaped(name)}'>${escaped(text)}</button>`,
    );
    el.innerHTML = `<div class='bar${buttons.length ? " whole" : ""}' role='group' aria-label='${escaped(texts.bar)}'>${presses.join("")}
      <button type='button' tabindex='-1' aria-label='${escaped(texts.back)}' title='${escaped(texts.back)} (←)'>◀</button>
      <input type='range' min='0' max='0' value='0' step='1' aria-label='${escaped(texts.progress)}'>
      <button type='button' tabindex='-1' aria-label='${escaped(texts.forward)}' title='${escaped(texts.forward)} (→)'>▶</button>
      <output></output>
      <label><span>${escaped(texts.speed)}</span> <select aria-label='${escaped(texts.speed)}'><option>${escaped(texts.normal)}<option>${escaped(texts.slow)}</select></label>
    </div>`;
    const [range, output, speed] = ["input", "output", "select"].map((name) => el.querySelector(name));
    const [back, forward] = el.querySelectorAll("[tabindex]");
    const own = [...el.querySelectorAll("[data-press]")];
    for (const each of own) each.addEventListener("click", () => tell("wb-press", each.dataset.press));
    this.run = own.at(-1) ?? null;
    this.texts = texts;
    this.range = range;
    this.output = output;
    this.back = back;
    this.forward = forward;

    range.addEventListener("input", () => this.ask(Number(range.value)));
    back.addEventListener("click", () => this.move(-1));
    forward.addEventListener("click", () => this.move(1));
    speed.addEventListener("change", () => tell("wb-pace", speed.selectedIndex === 1));
    el.firstChild.addEventListener("keydown", (/** @type {any} */ event) =>
      this.key(event, event.composedPath()[0] === speed),
    );
  }

  /** The button that runs says that it pauses while a run goes on. */
  says() {
    if (this.run) this.run.textContent = document.body.dataset.status === "running" ? this.texts.pause : this.texts.run;
  }

  /**
   * An arrow on the bar itself; forward from the last place is a step.
   * @param {any} event @param {boolean} isTaken
   */
  key(event, isTaken) {
    const by = /** @type {Record<string, any>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
    if (by === undefined || isTaken) return;
    event.preventDefault();
    if (!this.move(by) && by > 0) tell("wb-press", "step");
  }

  /**
   * One place back or forward; whether there is one.
   * @param {number} by
   */
  move(by) {
    const place = Number(this.range.value) + by;
    if (place < 0 || place > Number(this.range.max)) return false;
    this.range.value = place;
    this.ask(place);
    return true;
  }

  /** @param {any} place */
  ask(place) {
    this.wanted = place;
    this.asked = performance.now();
    this.ends();
    tell("wb-seek", place);
  }

  /**
   * Where the run stands, and which of its units tells so.
   * @param {Record<string, any>} fields
   */
  stands({ at, places, unit, now, last }) {
    clearTimeout(this.later);
    const left = this.asked + PATIENCE_MS - performance.now();
    if (this.wanted !== null && at !== this.wanted && left > 0) {
      this.later = setTimeout(() => this.stands({ at, places, unit, now, last }), left);
      return;
    }
    this.wanted = null;
    this.range.max = places - 1;
    // A hand that holds it knows better.
    if (!this.range.matches(":active")) this.range.value = at;
    const text = numerals(formatText(this.texts[unit], { now, last }));
    this.range.setAttribute("aria-valuetext", text);
    if (this.output.textContent !== text) this.output.textContent = text;
    this.ends();
  }

  ends() {
    const place = Number(this.range.value);
    const most = Number(this.range.max);
    this.back.setAttribute("aria-disabled", place <= 0);
    this.forward.setAttribute("aria-disabled", place >= most);
  }
}

/**
 * To whoever plays the run in this page.
 * @param {string} name @param {any} detail
 */
function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/** @param {{ model: any, el: any }} fields */
export function render({ model, el }) {
  const bar = new ScrubBar({ model, el });
  /** @param {any} event */
  const drawn = ({ detail }) => bar.stands(detail);
  /** @param {any} event */
  const moved = (event) => {
    if (bar.move(event.detail)) event.preventDefault();
  };
  // The run, and the arrows of the page.
  document.addEventListener("wb-stands", drawn);
  document.addEventListener("wb-move", moved);
  const status = new MutationObserver(() => bar.says());
  status.observe(document.body, { attributes: true, attributeFilter: ["data-status"] });
  model.on("remove", () => {
    status.disconnect();
    document.removeEventListener("wb-stands", drawn);
    document.removeEventListener("wb-move", moved);
  });
}
