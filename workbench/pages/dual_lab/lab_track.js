// A run of the Dual lab, which looks back at its first step that moves something.

import { Track } from "../runtime/tracks.js";

// The number of first steps among which one that moves something is looked for.
const OPENING = 8;

// A run that remembers its last step that moved something.
export class LabTrack extends Track {
  /** @type {any} */ moved;
  /** @type {any} */ opening;
  /** @type {any} */ aside;

  /** @param {any} problem */
  begin(problem) {
    this.moved = null;
    this.opening = null;
    this.aside = new Set();
    return super.begin(problem);
  }

  // Return the first step that moves something; the run comes back to where it is.
  firstMove() {
    return (this.opening ??= this.lookBack());
  }

  async lookBack() {
    const { engine, at } = this;
    const early = Array.from({ length: Math.min(at, OPENING) }, (_, k) => k + 1);
    // All at once, so that no other message comes between.
    const answers = [...early, at].map((step) => {
      const answer = engine.ask("seek", { step });
      this.aside.add(engine.count);
      return answer;
    });
    const frames = (await Promise.all(answers)).slice(0, -1);
    return frames.find(({ event }) => event.alpha_after !== event.alpha_before) ?? frames[0];
  }

  /** @param {any} answer */
  hear(answer) {
    if (this.aside?.has(answer.id)) return false;
    const isNews = super.hear(answer);
    const { event, step } = answer;
    if (isNews && event && event.alpha_after !== event.alpha_before) this.moved = { event, step };
    return isNews;
  }
}
