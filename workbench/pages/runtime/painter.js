// @ts-nocheck
// Drawing at the browser's pace, of whatever runs in it.

// Nobody reads faster than this: a changed text has the browser lay the page out. A slow run waits so long at each place.
export const READ_MS = 300, SLOW_MS = 600;

// What extends it has `asked`, which tells one thing that is drawn from the next, `paint(asked)`, which may give what is to
// be done once the picture is seen, and `refuse(error, turn)`. A picture that is under way already is its `next`.
export class Painter {
  // Draws once the browser has time; what comes meanwhile is drawn next.
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

  // What is waited for after each picture, and what is done once there is none left to draw.
  between() {}

  keep() {}
}

export function painted() { return new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }
