// @ts-check
// The open page while Python derives a function that was typed: how long that takes, and a button that ends it.

import { element } from "../runtime/elements.js";
import { formatText } from "../runtime/wording.js";
import { isOwn, needs, tableMessage } from "./frame.js";
import { drawByHand } from "./hand.js";

const PATIENCE_MS = 300;
const TICK_MS = 1000;
const TEXTS = ["formula", "domain", "parameters"];

/**
 * Returns the class of the page.
 * @param {any} DrawnPage
 */
export function extend(DrawnPage) {
  return class extends DrawnPage {
    /** @type {AbortController} */
    abort = new AbortController();
    /** The message that is being answered. */
    message = "";

    /** @param {any[]} parts */
    constructor(...parts) {
      super(...parts);
      const { texts } = this.facts;
      this.cancelButton = element("button", { type: "button", textContent: texts.cancel, hidden: true });
      this.cancelButton.addEventListener("click", () => this.cancel());
      this.view.parts.transport.prepend(this.cancelButton);
      const hide = () => this.choose({ predict: !this.settings.predict });
      this.keys[" "] = { does: "hide or show q", act: hide };
      this.keys.ArrowRight.does = "next pair";
    }

    /** The texts of a pair of the page stand where they can be edited. */
    get controlled() {
      const { settings, facts } = this;
      return isOwn(settings, facts) ? settings : { ...settings, ...facts.pairs[settings.preset] };
    }

    /** A function that was typed stays when the page goes back to the start. */
    get beginning() {
      const typed = Object.fromEntries(TEXTS.map((name) => [name, this.settings[name]]));
      return { ...super.beginning, ...(isOwn(this.settings, this.facts) ? typed : {}) };
    }

    /**
     * An address may give a function alone, which is then the choice.
     * @param {Record<string, any>} changes
     */
    set(changes) {
      const { facts, visits } = this;
      const withChoice = (/** @type {any} */ settings) =>
        isOwn(settings, facts) ? { ...settings, preset: facts.own } : settings;
      visits.last = withChoice(visits.last);
      super.set(withChoice({ ...this.settings, ...changes }));
    }

    /**
     * Asks for the pair, and for values where it has no formulas; another pair that is asked for ends this.
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async prepare(settings, isLeft) {
      const messages = needs(settings, this.facts);
      const message = JSON.stringify(messages);
      if (message !== this.message) {
        this.abort.abort(new Error(this.facts.texts.cancelled));
        this.abort = new AbortController();
        this.message = message;
      }
      const options = { signal: this.abort.signal };
      const stop = this.count(isLeft);
      try {
        const answers = await this.supplies.all(messages, options);
        const table = tableMessage(settings, answers.pair);
        if (table) answers.tables = await this.supplies.answerOf(table, options);
        if (isLeft()) return;
        this.answers = answers;
        this.shownSettings = JSON.stringify(settings);
      } finally {
        stop();
      }
    }

    /**
     * Says after a moment that work is under way, and for how long; returns what ends it.
     * @param {() => boolean} isLeft
     */
    count(isLeft) {
      const start = performance.now();
      const tell = () => {
        const seconds = Math.round((performance.now() - start) / TICK_MS);
        this.cancelButton.hidden = false;
        this.view.say(formatText(this.facts.texts.deriving, { seconds }), this.status);
      };
      /** @type {ReturnType<typeof setInterval> | undefined} */
      let clock;
      const patience = setTimeout(() => {
        tell();
        clock = setInterval(tell, TICK_MS);
      }, PATIENCE_MS);
      return () => {
        clearTimeout(patience);
        clearInterval(clock);
        if (!isLeft()) this.cancelButton.hidden = true;
      };
    }

    /** Ends a derivation; the pair before it stays. */
    async cancel() {
      const before = this.shownSettings && JSON.parse(this.shownSettings);
      this.abort.abort(new Error(this.facts.texts.cancelled));
      this.message = "";
      if (!before) return;
      this.change(before);
      await this.settled();
      this.refusal = this.facts.texts.cancelled;
      this.report("");
    }

    /**
     * While q is hidden, a hand draws it.
     * @param {string} figure
     * @param {[number, number]} place
     * @param {boolean} isStart
     */
    move(figure, place, isStart) {
      if (figure !== "dual" || !this.settings.predict) return super.move(figure, place, isStart);
      drawByHand(this.memory, place, isStart);
      return this.soon();
    }

    close() {
      this.abort.abort(new Error(this.facts.texts.cancelled));
      super.close();
    }
  };
}
