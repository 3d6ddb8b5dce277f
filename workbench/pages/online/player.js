// @ts-check
// The clock of the page of online rules: points come one at a time, by a press, to the next mistake, or in a run.

import { element } from "../runtime/elements.js";
import { numerals } from "../runtime/numerals.js";
import { formatText } from "../runtime/wording.js";
import { nextMistake } from "./frame.js";
import { VISITS } from "./rule.js";

const TICK_MS = 50;
const BUTTONS = ["reset", "step", "next", "run"];

/**
 * Returns the class of the page, whose row of buttons lets points come.
 * @param {any} DrawnPage
 */
export function extend(DrawnPage) {
  return class extends DrawnPage {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    clock = undefined;
    /** @type {Record<string, any>} */
    buttons = {};

    /** @param {any[]} parts */
    constructor(...parts) {
      super(...parts);
      const { texts } = this.facts;
      for (const name of BUTTONS) {
        const look = { type: "button", textContent: texts[name], className: name === "run" ? "main" : "" };
        this.buttons[name] = element("button", look);
        this.buttons[name].addEventListener("click", () => this.press(name));
      }
      this.bar = element("input", { type: "range", min: 1, max: VISITS, step: 1, ariaLabel: texts.progress });
      this.bar.addEventListener("input", () => this.press("seek"));
      this.at = element("output");
      this.view.parts.transport.prepend(...Object.values(this.buttons), this.bar, this.at);
      this.keys = {
        " ": { does: "run, or pause", act: () => this.press("run") },
        ArrowRight: { does: "next point", act: () => this.press("step") },
        ArrowLeft: { does: "a point back", act: () => this.press("back") },
        r: { does: "back to the first point", act: () => this.press("reset") },
      };
    }

    /** @param {string} name */
    press(name) {
      const { seen } = this.settings;
      const isRunning = this.clock !== undefined;
      this.halt();
      if (name === "step") this.change({ seen: Math.min(seen + 1, VISITS) });
      else if (name === "back") this.change({ seen: Math.max(seen - 1, 1) });
      else if (name === "reset") this.change({ seen: 1 });
      else if (name === "seek") this.change({ seen: Number(this.bar.value) });
      else if (name === "next" && this.answers)
        this.change({ seen: nextMistake(this.settings, this.answers, this.facts, this.memory) });
      else if (name === "run" && !isRunning) this.run();
    }

    run() {
      const start = this.settings.seen >= VISITS ? 1 : this.settings.seen;
      const began = performance.now();
      this.clock = setInterval(() => {
        const passed = (performance.now() - began) / 1000;
        const seen = Math.min(start + Math.floor(passed * this.settings.speed), VISITS);
        if (seen >= VISITS) this.halt();
        if (seen !== this.settings.seen) this.change({ seen });
      }, TICK_MS);
      this.stand();
    }

    halt() {
      clearInterval(this.clock);
      this.clock = undefined;
      this.stand();
    }

    stand() {
      const { texts } = this.facts;
      const { seen } = this.settings;
      this.buttons.run.textContent = this.clock === undefined ? texts.run : texts.pause;
      this.bar.value = String(seen);
      this.at.textContent = numerals(formatText(texts.seen, { seen, all: VISITS }));
      this.bar.setAttribute("aria-valuetext", this.at.textContent);
    }

    /** @param {any} frame */
    put(frame) {
      super.put(frame);
      this.stand();
    }

    close() {
      clearInterval(this.clock);
      super.close();
    }
  };
}
