// Presets and the steps of a story in a page that solves in the browser: each sets the controls at once.

import { box, placeOf } from "./boxes.js";

export class Picks {
  /** @type {any} */ live;
  /** @type {any[]} */ entries;
  /** @type {any} */ entry = null;
  /** @type {any} */ select;
  /** @type {any} */ story;
  /** @type {any} */ begun;
  /** @type {any} */ button;

  /**
   * `entries` have the places of controls, those of a story also a caption and the figure that fills the page.
   * @param {any} live @param {{ entries: any[], leave: any }} fields
   */
  constructor(live, { entries, leave }) {
    this.live = live;
    this.entries = entries;

    this.select = box("x-pick");
    this.story = box("x-story");
    this.begun = Object.entries(live.boxes)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, placeOf(each)]);
    this.button = Object.assign(document.createElement("button"), { type: "button", textContent: leave });
    this.button.addEventListener("click", () => this.end());
    this.select.addEventListener("input", () => {
      if (this.pick(this.select.selectedIndex - 1)) live.restart();
    });
  }

  // The step of the story that is told, or undefined.
  get step() {
    return this.entry?.step;
  }

  /**
   * Sets the controls as an entry has them, the others as they began; whether there is such an entry.
   * @param {any} at
   */
  pick(at) {
    const entry = this.entries[at];
    if (!entry) {
      this.leave();
      return false;
    }
    for (const [name, place] of [...this.begun, ...Object.entries(entry.places)]) {
      const each = this.live.boxes[name];
      if (each === null) continue;
      if (each.tagName === "SELECT") each.selectedIndex = place;
      else each.value = place;
    }
    this.select.selectedIndex = at + 1;
    this.entry = entry;
    this.tell();
    return true;
  }

  /**
   * The step of an address.
   * @param {any} address
   */
  follow(address) {
    const step = /^#story=(\d+)$/.exec(address)?.[1];
    if (step) this.pick(this.entries.findIndex((entry) => entry.step === Number(step)));
  }

  // A control was moved, or the story is over.
  leave() {
    if (!this.entry) return;
    this.entry = null;
    this.select.selectedIndex = 0;
    this.tell();
  }

  end() {
    if (!this.step) return;
    this.leave();
    this.live.keep();
  }

  /**
   * The step before or after; whether a story is told at all.
   * @param {number} by
   */
  walk(by) {
    if (!this.step) return false;
    const next = this.entries.indexOf(this.entry) + by;
    if (this.entries[next]?.step && this.pick(next)) this.live.restart();
    return true;
  }

  // A step of the story has a caption, and its figures fill the page.
  tell() {
    const { caption, figures: shown } = this.entry ?? {};
    this.story.hidden = !caption;
    this.story.replaceChildren(...(caption ? [`${caption} `, this.button] : []));
    this.live.host.file.showOnProjector(caption, shown);
  }
}
