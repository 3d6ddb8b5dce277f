// A run of the Dual lab, which looks back at its first step that moves something.

/**
 * @typedef {object} Certificate - of a run at a step
 * @property {number} step
 * @property {Float64Array} w
 * @property {Float64Array} alpha
 * @property {Float64Array} z
 * @property {Float64Array | null} v
 * @property {Float64Array} sample_terms
 * @property {number} regularizer_term
 * @property {number} primal
 * @property {number} dual
 * @property {number} gap
 * @property {number} relative_gap
 */

/**
 * @typedef {object} Step - of one coordinate
 * @property {number} index
 * @property {number} prediction
 * @property {number} curvature
 * @property {number} alpha_before
 * @property {number} alpha_free - without the bounds of its domain
 * @property {number} alpha_after
 * @property {number} dual_change
 */

/**
 * @typedef {object} Shown - a run as a frame of its page has it
 * @property {Row[]} rows
 * @property {Row} row
 * @property {Step | null} event
 * @property {Certificate} shown
 * @property {string | null} status
 */

/**
 * @typedef {ReturnType<typeof import("./state.js").stateOf> & { name: string, rows: Row[], event: Step | null,
 *   problem: import("./state.js").Pictured, certificate: Certificate }} State - as figures and sentences take a run
 */

// The number of first steps among which one that moves something is looked for.
const OPENING = 8;

/**
 * Returns the class of a run that remembers its last step that moved something.
 * @param {any} Track
 */
export function extendTrack(Track) {
  return class extends Track {
    /** @type {{ event: Step, step: number } | null} */ moved = null;
    /** @type {Promise<any> | null} */ opening = null;
    /** @type {Set<number>} */ aside = new Set();

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
    onMessage(answer) {
      if (this.aside.has(answer.id)) return false;
      const isNews = super.onMessage(answer);
      const { event, step } = answer;
      if (isNews && event && event.alpha_after !== event.alpha_before) this.moved = { event, step };
      return isNews;
    }
  };
}
