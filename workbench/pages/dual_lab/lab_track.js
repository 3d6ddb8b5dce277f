// A run of the Dual lab, which looks back at its first step that moves something.

import { Track } from "../runtime/tracks.js";

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

  // The first step, which moves something where any does; the run comes back to where it is.
  firstMove() {
    return (this.opening ??= this.lookBack());
  }

  async lookBack() {
    const { engine, at } = this;
    const places = [1, at].map((step) => {
      const answer = engine.ask("seek", { step });
      this.aside.add(engine.count);
      return answer;
    });
    const [{ step, event }] = await Promise.all(places);
    return { step, event };
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
