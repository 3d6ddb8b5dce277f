// @ts-check
// The open page of norms and screening: FISTA with the gaps of each step, and beside it what runs that screen discard.

import { codeBox } from "../runtime/hosts/view.js";
import { asked } from "./frame.js";

/** The steps of a press of "10 steps". */
const AT_ONCE = 10;
/** A slider rests for this time before Python is asked to solve. */
const REST_MS = 250;
/** @type {Record<string, string>} the figures of the answers about runs that screen, by the type of the message. */
const FIGURES = { plane: "sphere", path: "path" };

/**
 * Returns the class of a run of steps, each with its gaps.
 * @param {any} Track
 */
export function extendTrack(Track) {
  return class NormTrack extends Track {
    /** @param {string} type @param {any} [contents] */
    ask(type, contents) {
      if (type === "problem") return super.ask("norm_problem", contents);
      // Each step has its row.
      if (type === "epoch") return Promise.all(Array.from({ length: AT_ONCE }, () => super.ask("step", contents)));
      return super.ask(type, contents);
    }
  };
}

/**
 * Returns the class of the open page.
 * @param {any} RunPage
 */
export function extend(RunPage) {
  return class NormsPage extends RunPage {
    /** @type {Record<string, any>} the answers about runs that screen, and `refused` */ screened = {};
    /** @type {Record<string, string>} the messages that were sent, as text */ sent = {};
    /** @type {any} */ later = null;
    asking = 0;
    looks = "";

    async begin() {
      this.transport.buttons.epoch.textContent = this.facts.texts.leap;
      await super.begin();
    }

    async draw() {
      await super.draw();
      this.figures.followAspects(() => this.isDrawable && this.soon());
    }

    /** What is looked at begins no run; another tolerance goes on with it. */
    onSettings() {
      const { settings, facts } = this;
      const looks = JSON.stringify(facts.looked_at.map((/** @type {string} */ name) => settings[name]));
      const before = this.shownSettings && JSON.parse(this.shownSettings).tolerance;
      const isOther = looks !== this.looks;
      this.looks = looks;
      const work = super.onSettings();
      if (work !== undefined || !isOther) return work;
      this.controls.show(settings);
      this.shownSettings = JSON.stringify(settings);
      this.showCode();
      this.askSoon();
      if (before !== settings.tolerance) return this.run();
      return this.soon();
    }

    showCode() {
      this.code = this.module.code(this.settings, this.facts);
      this.view.put("code", codeBox(this.code));
    }

    /**
     * @param {Record<string, any>} settings
     * @param {() => boolean} isLeft
     */
    async begun(settings, isLeft) {
      const tracks = await super.begun(settings, isLeft);
      if (isLeft()) return tracks;
      const [{ rows, known }] = tracks;
      Object.assign(this.facts, { lam: rows[0].lam, size: known.names.length });
      this.askSoon();
      return tracks;
    }

    // --- the runs that screen

    askSoon() {
      clearTimeout(this.later);
      const { screening } = asked(this.settings);
      if (JSON.stringify(screening) !== this.sent.screening) this.screened = {};
      this.later = setTimeout(() => {
        this.later = null;
        this.askScreening();
      }, REST_MS);
    }

    /** Asks Python for what the figures show that are seen. */
    async askScreening() {
      const messages = /** @type {Record<string, any>} */ (asked(this.settings));
      const isShown = (/** @type {string} */ type) =>
        type === "screening" || this.view.cards[FIGURES[type]].checkVisibility();
      for (const type of Object.keys(messages).filter(isShown)) {
        const text = JSON.stringify(messages[type]);
        if (this.sent[type] === text && (this.screened[type] || type !== "screening")) continue;
        this.sent[type] = text;
        const stands = () => this.sent[type] === text;
        this.asking++;
        try {
          const answer = await this.supplies.answerOf(messages[type]);
          if (answer.refusal) throw new Error(answer.refusal);
          if (stands()) this.screened = { ...this.screened, [type]: answer };
        } catch (error) {
          if (stands()) this.screened = { ...this.screened, refused: /** @type {Error} */ (error).message };
        } finally {
          this.asking--;
        }
        if (stands()) this.facts.canScreen = !this.screened.refused;
        this.showCode();
        this.soon();
      }
    }

    get isUnderWay() {
      return super.isUnderWay || this.asking > 0 || this.later !== null;
    }

    /** @param {HTMLButtonElement} button */
    swap(button) {
      super.swap(button);
      this.askScreening();
    }

    // --- the picture

    get question() {
      return this.settings.question;
    }

    async more() {
      const { view, facts, figures, screened, settings } = this;
      const colours = JSON.parse(view.tinted(JSON.stringify(facts.colours_by_name)));
      return { screened, colours, aspect: figures.aspects().sphere, question: settings.question };
    }

    close() {
      clearTimeout(this.later);
      super.close();
    }
  };
}
