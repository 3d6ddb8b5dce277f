// Drawing at the browser's pace.

// Nobody reads faster than this: a changed text has the browser lay the page out. A slow run waits SLOW_MS at each place.
export const READ_MS = 300;
export const SLOW_MS = 600;

export class Painter {
  /** @type {any} */ due;
  /** @type {any} */ drawing;
  /** @type {any} a picture that is under way already */ next;
  /** @type {any} */ turn;
  /** What tells one thing that is drawn from the next. */ asked = 0;

  // Draws once the browser has time; changes in the meantime are drawn next.
  async soon() {
    this.due = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.due || this.next) {
      // What came while a picture was under way is not in it.
      if (!this.next) this.due = false;
      const { turn } = this;
      try {
        const then = await this.paint(this.asked);
        await this.between();
        then?.();
      } catch (error) {
        this.refuse(error, turn);
      }
    }
    this.drawing = false;
    this.keep();
  }

  /**
   * Draw `asked`; give what is to be done once the picture is seen, or nothing.
   * @param {...any} _values @returns {any}
   */
  paint(..._values) {}

  /**
   * Take an error of a picture, and its turn.
   * @param {...any} _values @returns {any}
   */
  refuse(..._values) {}

  /**
   * Wait for this after each picture.
   * @param {...any} _values @returns {any}
   */
  between(..._values) {}

  /**
   * Do this once there is no picture left to draw.
   * @param {...any} _values @returns {any}
   */
  keep(..._values) {}
}

export function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
