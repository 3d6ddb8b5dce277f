// @ts-check
// A page without runs: its figures follow controls and hands at once.

import { followHands } from "./handles.js";
import { OpenPage } from "./open_page.js";

/**
 * @typedef {import("./open_page.js").PageModule} PageModule - beside what every page has, perhaps:
 *   `later(settings, facts)`, messages whose answers a frame may wait for;
 *   `chosen(changes, facts, settings, frame)`, what a control changes beside its own setting;
 *   `asked(settings)`, the name of the question of the settings;
 *   `moved(settings, answers, facts, figure, place, memory)`, what a hand in a figure changes;
 *   `controls` of a frame, sliders that follow an answer
 */

export class DrawnPage extends OpenPage {
  /**
   * @param {import("./host.js").Host} host
   * @param {PageModule} module
   * @param {Record<string, any>} facts
   * @param {any} Bokeh
   */
  constructor(host, module, facts, Bokeh) {
    super(host, module, facts, Bokeh);
    // The question is that of the settings, which have controls of their own.
    if (this.predict && module.asked) this.predict.list.hidden = true;
    this.keys = {
      " ": { does: "show the answer", act: () => this.predict?.giveUp() },
      ArrowRight: { does: "next choice", act: () => this.changeChoice() },
      r: { does: "back to the start", act: () => this.change(this.beginning) },
    };
  }

  async draw() {
    await super.draw();
    this.figures.followAspects(() => this.isDrawable && this.soon());
    if (this.module.moved) followHands(this.figures, (...hand) => this.move(...hand));
  }

  get question() {
    return this.module.asked?.(this.settings) ?? super.question;
  }

  /** The settings to which the page goes back: the defaults beside the present choice. */
  get beginning() {
    const { choice, defaults } = this.facts;
    return choice ? { ...defaults, [choice]: this.settings[choice] } : defaults;
  }

  /** Takes the next option of the choice that every host has, after the last one the first. */
  changeChoice() {
    const { choice, elsewhere = {} } = this.facts;
    const all = this.rows.find((/** @type {any} */ { name }) => name === choice)?.options ?? [];
    const options = all.filter((/** @type {any} */ option) => !elsewhere[choice]?.includes(option));
    const next = options[(options.indexOf(this.settings[choice]) + 1) % options.length];
    if (options.length) this.choose({ [choice]: next });
  }

  /** @param {Record<string, any>} changes */
  choose(changes) {
    return super.choose(this.module.chosen?.(changes, this.facts, this.settings, this.frame) ?? changes);
  }

  /** @param {any} frame */
  put(frame) {
    super.put(frame);
    if (frame.controls) this.controls.follow(frame.controls);
  }

  /**
   * A hand drags a point of a figure to a place.
   * @param {string} figure
   * @param {[number, number]} place
   * @param {boolean} _isStart
   */
  move(figure, place, _isStart) {
    const changes = this.module.moved(this.settings, this.answers, this.facts, figure, place, this.memory);
    if (changes) super.choose(changes);
  }

  /**
   * Gets what a frame needs, and asks for what it may wait for.
   * @param {Record<string, any>} settings
   * @param {() => boolean} isLeft
   */
  async prepare(settings, isLeft) {
    await super.prepare(settings, isLeft);
    const { answers } = this;
    for (const [name, message] of Object.entries(this.module.later?.(settings, this.facts) ?? {})) {
      this.supplies.answerOf(message).then(
        (/** @type {any} */ value) => {
          answers[name] = value;
          if (this.answers === answers) this.soon();
        },
        (/** @type {Error} */ error) => isLeft() || this.refuse(error),
      );
    }
  }

  /**
   * Says why; where nothing was drawn before, the default choice is, pale.
   * @param {Error & { isBroken?: boolean }} error
   */
  refuse(error) {
    super.refuse(error);
    const { choice, defaults } = this.facts;
    if (this.isDrawable || !choice || this.settings[choice] === defaults[choice]) return;
    const settings = { ...this.settings, [choice]: defaults[choice] };
    const turn = this.asked;
    this.prepare(settings, () => turn !== this.asked).then(() => {
      if (turn !== this.asked) return;
      this.shownSettings = JSON.stringify(settings);
      this.soon();
    });
  }
}
